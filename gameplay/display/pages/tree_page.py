"""A search replayed on the picture of its tree: one self-contained HTML page that fetches nothing.

Without its script, and on paper, the page is the whole tree with its values. With it the search is replayed:
values appear when a step has computed them. The data of the page, as JSON:

    nodes     of each node its parent `up`, `word`, `role`, `board` and `path` (the moves from the root)
    steps     of each step its `kind`, the node `at` which the search is then, `text` and `brief`, `marks`
              (what changes at nodes, see `tracing.playback`), `pruned` (nodes) and `code` (a line)
    looks     what all boards share, or null
    windows   whether the search has windows
"""

from collections.abc import Callable, Sequence
from string import Template
from typing import Any

from gameplay import __version__
from gameplay.display.pages.markup import digest, embed_json, escape, source
from gameplay.display.pages.tree_svg import svg
from gameplay.display.reports.drawn_tree import DrawnNode
from gameplay.display.reports.tree import format_node
from gameplay.tracing.playback import ReplayStep

# The position at a node: a drawing as of `pages.board.picture`, text, or "".
BoardPicture = Callable[[DrawnNode], Any]

LEGEND = (
    "Triangles up are MAX, down MIN, circles chance, squares leaves. "
    "Dashed, crossed by a double bar: not searched."
)
MULTIPLAYER_LEGEND = (
    "Squares with a name are decisions of that player ({}), circles chance, squares without one leaves. "
    "Dashed, crossed by a double bar: not searched."
)
PROOF_LEGEND = (
    "Squares are OR nodes, where the side moves whose win is to be proved, circles AND nodes, with their "
    "proof and disproof numbers; ✓ is proved, ✗ disproved. Grey: not expanded. "
    "Dashed, crossed by a double bar: not searched, since another move decides."
)
NODE_DISTANCE = 34  # minimum pixels between nodes: a tree of nine leaves fits a phone
MODES = (
    ("watch", "Watch"),
    ("cuts", "Find the cuts"),
    ("windows", "Fill in α and β"),
)


def page(
    drawn: DrawnNode,
    title: str,
    notes: Sequence[str],
    board_of: BoardPicture,
    steps: Sequence[ReplayStep] = (),
    heading: str = "",
    shared: dict[str, Any] | None = None,
    code: Sequence[str] = (),
) -> str:
    """The whole page.

    notes: sentences about the tree. steps: of the replay; without them all values are shown at once. heading:
    the title of the tree, if it has one. shared: drawing data common to all boards. code: the title of the
    pseudocode, then its lines.
    """
    style, script = source("tree.css"), source("board.js") + source("tree.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'"
    data = PageData(drawn, board_of, steps)
    ends = '<th scope="col">α</th><th scope="col">β</th>'
    return Template(source("tree.html").lstrip()).substitute(
        policy=policy,
        style=style,
        script=script,
        heading=escape(heading or title),
        subtitle=f'<p class="dim">{escape(title)}</p>' if heading else "",
        modes=_modes(data),
        picture=svg(drawn, title, style=False, text_widths=data.text_widths, min_distance=NODE_DISTANCE),
        last=max(0, len(data.steps) - 1),
        ends=ends if data.windows else "",
        code=_code(code) if code else "",
        outline="".join(data.outline),
        notes="\n".join(f"<p>{escape(note)}</p>" for note in (*notes, _legend(drawn))),
        version=escape(__version__),
        data=embed_json(data.document(shared)),
    )


class PageData:
    """The data of the script, and the text widths for which the picture must have space."""

    def __init__(self, drawn: DrawnNode, board_of: BoardPicture, steps: Sequence[ReplayStep]) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.steps: list[dict[str, Any]] = []
        self.text_widths: dict[int, float] = {}
        self.outline: list[str] = []
        self.numbers: dict[int, int] = {}  # of nodes of the search
        # Branches that were not searched, by parent and name; a move may be left out for two reasons.
        self.pruned: dict[tuple[int, str], list[int]] = {}
        self.drawn_nodes: list[DrawnNode] = []
        self._add(drawn, -1, board_of)
        for step in steps:
            self._step(step)
        if not steps:
            self._end()

    def document(self, shared: dict[str, Any] | None) -> dict[str, Any]:
        return {"nodes": self.nodes, "steps": self.steps, "looks": shared, "windows": self.windows}

    @property
    def windows(self) -> bool:
        """True if the search has windows."""
        return any("alpha" in mark for step in self.steps for _, mark in step["marks"])

    @property
    def cuts(self) -> bool:
        """True if the replay has cuts to find."""
        any_cut = any(step["kind"] == "cut" and step["pruned"] for step in self.steps)
        return any_cut and not self.drawn_nodes[0].proving

    def _add(self, drawn: DrawnNode, parent: int, board_of: BoardPicture) -> None:
        """Add a node and its descendants, each with its line in the list of branches."""
        number = len(self.nodes)
        self.drawn_nodes.append(drawn)
        if drawn.node is not None:
            self.numbers[id(drawn.node)] = number
        if drawn.pruned:
            self.pruned.setdefault((parent, drawn.word), []).append(number)
        above = self.nodes[parent]["path"] if parent >= 0 else []
        self.nodes.append(
            {
                "up": parent,
                "word": drawn.word,
                "role": drawn.role if drawn.kind else "not searched" if drawn.pruned else "leaf",
                "path": [*above, drawn.word] if parent >= 0 else [],
                "board": board_of(drawn),
            }
        )
        text = escape(format_node(drawn))
        self.outline.append(
            f'<li><button type="button" data-node="{number}"><span class="final">{text}</span>'
            '<span class="now"></span></button>'
        )
        if drawn.children:
            self.outline.append("<ul>")
            for child in drawn.children:
                self._add(child, number, board_of)
            self.outline.append("</ul>")
        self.outline.append("</li>\n")

    def _end(self) -> None:
        """Add one step that shows all values, for a search without steps."""
        marks = [
            [
                number,
                {
                    "state": "done",
                    "value": "\n".join(line for line in drawn.lines if line != drawn.player),
                },
            ]
            for number, drawn in enumerate(self.drawn_nodes)
            if not drawn.pruned
        ]
        pruned = [number for numbers in self.pruned.values() for number in numbers]
        self.steps = [{"kind": "end", "at": 0, "text": "", "brief": "", "marks": marks, "pruned": pruned}]

    def _step(self, step: ReplayStep) -> None:
        at = self.numbers[id(step.node)]
        marks = []
        for node, mark in step.marks:
            number = self.numbers[id(node)]
            if "best" in mark:
                mark = {**mark, "best": self.numbers[id(mark["best"])]}
            marks.append([number, mark])
            drawn = self.drawn_nodes[number]
            texts = mark.get("value", "").split("\n") if drawn.children else []
            texts += [f"[{mark['alpha']}, {mark['beta']}]"] if "alpha" in mark and not drawn.leaf else []
            self.text_widths[id(drawn)] = max(
                self.text_widths.get(id(drawn), 0.0), *(7.0 * len(text) for text in texts), 0.0
            )
        pruned = [number for word in step.pruned for number in self.pruned.get((at, word), ())]
        if step.kind == "cut":  # too many moves to be named are drawn as one
            for (parent, word), numbers in self.pruned.items():
                pruned += numbers if parent == at and word.endswith(" more moves") else []
        self.steps.append(
            {
                **{"kind": step.kind, "at": at, "text": step.text, "brief": step.brief},
                **{"marks": marks, "pruned": pruned, "code": step.code},
            }
        )


def _legend(drawn: DrawnNode) -> str:
    """An explanation of the shapes in the picture."""
    if drawn.proving:
        return PROOF_LEGEND
    nodes, players = [drawn], dict[str, str]()
    for node in nodes:
        nodes += node.children
        if node.kind == "player":
            players[node.role] = node.kind
    return MULTIPLAYER_LEGEND.format(", ".join(players)) if players else LEGEND


def _code(code: Sequence[str]) -> str:
    """The pseudocode; the script marks the line that a step executes."""
    items = "".join(f"<li><code>{escape(line)}</code></li>" for line in code[1:])
    head = f"<h2>Pseudocode: {escape(code[0])}</h2>"
    return f'<section id="code" class="script" aria-label="Pseudocode">{head}<ol>{items}</ol></section>'


def _modes(data: PageData) -> str:
    """The choice between watching and the exercises that this search has."""
    able = {"watch": True, "cuts": data.cuts, "windows": data.windows}
    modes = [(name, text) for name, text in MODES if able[name]]
    if len(modes) == 1:
        return ""
    options = "".join(
        f'<label><input type="radio" name="mode" value="{name}"{" checked" if name == "watch" else ""}>'
        f"<span>{text}</span></label>"
        for name, text in modes
    )
    return f'<fieldset class="script"><legend>Watch, or an exercise</legend>{options}</fieldset>'
