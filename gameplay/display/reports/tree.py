"""The tree of a search in the terminal, and as text for Graphviz."""

from typing import TYPE_CHECKING

from gameplay.display.reports.drawn_tree import DrawnNode
from gameplay.visible import visible

if TYPE_CHECKING:
    from gameplay.display.text import Text

SHAPES = {"MAX": "triangle", "MIN": "invtriangle", "chance": "circle", "OR": "box", "AND": "ellipse"}
STATES = {  # state of a DrawnNode: its name in a drawing, the sign in its shape, its Graphviz attributes
    "proved": ("proved", "✓", ", peripheries=2"),
    "disproved": ("disproved", "✗", ", style=bold"),
    "not expanded": ("open", "", ', color="#666666", fontcolor="#666666"'),
    "stopped within": ("", "", ""),
}


def format_node(drawn: DrawnNode) -> str:
    """A node in a line of text."""
    odds = f" ({drawn.odds})" if drawn.odds else ""
    if drawn.pruned:
        return f"{drawn.word}: not searched ({drawn.pruned.partition(':')[0]})"
    parts = [
        f"{drawn.word}{odds}",
        *filter(None, [drawn.role if drawn.kind else "leaf", drawn.window]),
    ]
    text = " ".join(parts) + (f" = {drawn.value}" if drawn.value else "")
    more = "".join(f", {word}" for word in (drawn.state, drawn.cut) if word)
    return text + more + (f"; {drawn.below:,} below" if drawn.below else "")


def picture(drawn: DrawnNode, unicode: bool) -> "Text":
    """The tree for the terminal, a line a node; pruned nodes are dim."""
    from gameplay.display.text import Text

    branch = Text(format_node(drawn))
    tee, last, wall = ("├─ ", "└─ ", "│  ") if unicode else ("|- ", "`- ", "|  ")

    def grow(node: DrawnNode, before: str) -> None:
        for number, child in enumerate(node.children, 1):
            end = number == len(node.children)
            branch.append(f"\n{before}{last if end else tee}")
            label = (
                format_node(child) if unicode else format_node(child).replace("≥", ">=").replace("≤", "<=")
            )
            branch.append(label, style="dim" if child.pruned or child.state == "not expanded" else "")
            grow(child, before + ("   " if end else wall))

    grow(drawn, "")
    return branch


def dot(drawn: DrawnNode, title: str) -> str:
    """The tree in the language of Graphviz: `dot -Tsvg`."""
    lines = [
        "digraph search {",
        f"  label={_quote(title)}; labelloc=t;",
        '  node [fontname="sans-serif", fontsize=11, margin="0.02,0.02"];',
        '  edge [fontname="sans-serif", fontsize=10, arrowhead=none];',
    ]
    count = 0

    def add(node: DrawnNode) -> int:
        nonlocal count
        number = count
        count += 1
        shape = SHAPES.get(node.kind, "ellipse") if node.kind else "box"
        if node.pruned:
            looks = f'shape=plaintext, fontcolor="#666666", label="", tooltip={_quote(node.pruned)}'
        else:
            rows = [
                *([] if node.player else [node.role] if not node.value else []),
                *node.lines,
                node.state,
                f"{node.below:,} below" if node.below else "",
            ]
            label = "\n".join(filter(None, rows))
            facts = "; ".join([format_node(node), *node.facts])
            state = STATES[node.state][2] if node.state in STATES else ""
            looks = f"shape={shape}, label={_quote(label)}, tooltip={_quote(facts)}{state}"
        lines.append(f"  n{number} [{looks}];")
        for child in node.children:
            below = add(child)
            odds = f" ({child.odds})" if child.odds else ""
            grey = ', color="#666666", fontcolor="#666666", style=dashed' if child.pruned else ""
            window = f"\n{child.window}" if child.window and not child.leaf else ""
            lines.append(f"  n{number} -> n{below} [label={_quote(child.word + odds + window)}{grey}];")
        return number

    add(drawn)
    return "\n".join([*lines, "}", ""])


def _quote(text: str) -> str:
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
