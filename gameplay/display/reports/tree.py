"""The tree of a search in the terminal, and as text for Graphviz."""

import re
import textwrap
from typing import TYPE_CHECKING

from gameplay.display.folding import NO_BREAK
from gameplay.display.reports.drawn_tree import DrawnNode
from gameplay.visible import visible

if TYPE_CHECKING:
    from gameplay.display.text import Text

MIN_TEXT_WIDTH = 12  # columns of a label beside the branches; with fewer it is not wrapped
WHOLE = re.compile(r"\[[^\]]*\]|(?<== )[<>≤≥]=? \S+|= ")
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


def picture(drawn: DrawnNode, unicode: bool, width: int = 0) -> "Text":
    """The tree for the terminal, a line a node; pruned nodes are dim. width: columns to wrap to; 0: any."""
    from gameplay.display.text import Text

    branch = Text()
    tee, last, wall = ("├─ ", "└─ ", "│  ") if unicode else ("|- ", "`- ", "|  ")

    def write(node: DrawnNode, head: str, before: str) -> None:
        label = format_node(node) if unicode else format_node(node).replace("≥", ">=").replace("≤", "<=")
        style = "dim" if node.pruned or node.state == "not expanded" else ""
        below = before + (wall if node.children else "  ")
        for number, line in enumerate(_wrap(label, width - len(below) if width else 0)):
            branch.append(f"\n{below}" if number else head)
            branch.append(line, style=style)
        for number, child in enumerate(node.children, 1):
            end = number == len(node.children)
            write(child, f"\n{before}{last if end else tee}", before + ("   " if end else wall))

    write(drawn, "", "")
    return branch


def _wrap(label: str, width: int) -> list[str]:
    """The label of a node in lines; windows stay whole. It is left to the terminal if little room remains."""
    if width < MIN_TEXT_WIDTH or len(label) <= width:
        return [label]
    held = WHOLE.sub(lambda part: part[0].replace(" ", NO_BREAK), label)
    lines = textwrap.wrap(held, width, break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in lines]


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
