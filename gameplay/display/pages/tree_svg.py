"""The tree of a search as SVG: triangles for MAX and MIN, circles for chance, squares for leaves.

Each node is centred above its children. Pruned nodes are grey and dashed, with a double bar across their
branch. Trees of proof-number search have squares for OR nodes and circles for AND
nodes, as in Allis' pictures. Subtrees are placed as close as their outlines allow, ply by ply
(Reingold and Tilford 1981).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gameplay.display.pages.markup import escape
from gameplay.display.reports.drawn_tree import DrawnNode
from gameplay.display.reports.tree import STATES, format_node

PLY_HEIGHT = 96  # between plies
MARGIN = 44  # around the picture
GAP = 12  # between neighbours with their texts
MIN_DISTANCE = 60  # between the nodes of a ply: room to write on paper
WINDOW_SCALE = 10 / 12  # font size of windows relative to values
RADIUS = 11  # half the width of a node
MIN_WIDTH = 240  # of the picture, for its title
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1b1f24;text-anchor:middle;paint-order:stroke;stroke:#fff;"
    "stroke-width:3px;stroke-linejoin:round}"
    ".beside{text-anchor:start}.window{font-size:10px;fill:#59626e}.edge{stroke:#59626e;stroke-width:1.2;fill:none}"
    ".shape{fill:#e8f1f8;stroke:#0072b2;stroke-width:1.5}.min{fill:#fdf1d8;stroke:#8a5a00}"
    ".chance{fill:#eef7f2;stroke:#00684c}.leaf{fill:#f1f3f6;stroke:#59626e}"
    ".edge.pruned{stroke-dasharray:4 3;stroke:#767676}.pruned text{fill:#666}"
    ".bar{stroke:#59626e;stroke-width:1.5}"
    ".pruned .shape{fill:#fff;stroke:#767676;stroke-dasharray:3 2}.cut{stroke-width:3}"
    ".open text{fill:#666}.open .shape{fill:#fff;stroke:#767676}"
    ".proved .shape{fill:#00684c;stroke:#00684c}.disproved .shape{fill:#59626e;stroke:#59626e}"
    "text.mark{fill:#fff;stroke:none;font-weight:700}"
)
SHAPE_CLASSES = {"MIN": "min", "AND": "min", "chance": "chance"}

TextWidths = Mapping[int, float]  # by id() of a DrawnNode: maximum width of its text


def svg(
    drawn: DrawnNode,
    title: str,
    style: bool = True,
    mark: str = "n",
    text_widths: TextWidths | None = None,
    min_distance: float = MIN_DISTANCE,
) -> str:
    """The picture. style: include the colours; a page has its own. mark: prefix of the ids of nodes.

    text_widths: space for texts that a page changes. min_distance: between the nodes of a ply.
    """
    layout = TreeLayout(text_widths or {}, min_distance)
    layout.place(drawn, 0)
    order = layout.order
    left = max(MARGIN, *(layout.extent(node)[0] + GAP - layout.columns[id(node)] for node, _ in order))
    right = max(layout.columns[id(node)] + max(MARGIN, layout.extent(node)[1] + GAP) for node, _ in order)
    wide, tall = (
        max(math.ceil(left + right), MIN_WIDTH),
        2 * MARGIN + PLY_HEIGHT * max(ply for _, ply in order),
    )
    left = max(left, (wide - right + left) / 2)
    places = {id(node): (left + layout.columns[id(node)], MARGIN + PLY_HEIGHT * ply) for node, ply in order}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if style:
        parts.append(f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>')
    numbers = {id(node): number for number, (node, _) in enumerate(order)}
    for node, _ in order:  # edges first, below nodes and texts
        for child in node.children:
            number = numbers[id(child)]
            parts.append(_edge(child, f"{mark}e{number}", places[id(node)], places[id(child)]))
    for number, (node, _) in enumerate(order):
        parts.append(
            _node(
                node,
                f"{mark}{number}",
                places[id(node)],
                layout.word_position(node, places),
            )
        )
    return "\n".join([*parts, "</svg>", ""])


@dataclass
class SubtreeOutline:
    """The extent of a subtree to the left and right of its root, by ply."""

    left: list[float]
    right: list[float]

    def offset_of(self, other: "SubtreeOutline") -> float:
        """The minimum offset of the other root to the right of this one."""
        return max((a + b + GAP for a, b in zip(self.right, other.left, strict=False)), default=0.0)

    def merge(self, other: "SubtreeOutline", offset: float) -> "SubtreeOutline":
        """The union with another outline, relative to the root of this one."""
        left = _maxima([self.left, [reach - offset for reach in other.left]])
        return SubtreeOutline(left, _maxima([self.right, [reach + offset for reach in other.right]]))


def _maxima(lines: Sequence[Sequence[float]]) -> list[float]:
    deepest = max(map(len, lines))  # one may be empty
    return [max(line[ply] for line in lines if len(line) > ply) for ply in range(deepest)]


class TreeLayout:
    """The columns of nodes, in pixels."""

    def __init__(self, text_widths: TextWidths, min_distance: float) -> None:
        self.text_widths = text_widths
        self.min_distance = min_distance
        self.order: list[tuple[DrawnNode, int]] = []  # nodes and their plies, in the order of the search
        self.columns: dict[int, float] = {}
        self.parents: dict[int, DrawnNode] = {}

    def place(self, drawn: DrawnNode, ply: int) -> None:
        """Place a tree; its root is at 0."""
        self._outline(drawn, ply)
        queue = [(drawn, 0.0)]
        for node, at in queue:
            self.columns[id(node)] += at
            queue += [(child, self.columns[id(node)]) for child in node.children]

    def _outline(self, node: DrawnNode, ply: int) -> SubtreeOutline:
        """The outline of a subtree; sets `columns` of its nodes relative to their parents."""
        self.order.append((node, ply))
        self.columns[id(node)] = 0.0
        left, right = self.extent(node)
        word = _width(_edge_text(node)) * 3 / 4  # it is at two thirds of its branch
        least = max(word, (self.min_distance - GAP) / 2)
        own = SubtreeOutline([max(left, least)], [max(right, least)])
        if not node.children:
            return own
        whole = SubtreeOutline([], [])
        places: list[float] = []
        for child in node.children:
            self.parents[id(child)] = node
            outline = self._outline(child, ply + 1)
            places.append(whole.offset_of(outline))
            whole = whole.merge(outline, places[-1])
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(node.children, places, strict=True):
            self.columns[id(child)] = place - middle
        own.left += [reach + middle for reach in whole.left]
        own.right += [reach - middle for reach in whole.right]
        return own

    def extent(self, node: DrawnNode) -> tuple[float, float]:
        """The extent of a node with its texts to the left and right."""
        values = max(map(_width, node.lines), default=0.0)
        beside = RADIUS + 3 + max(self.text_widths.get(id(node), 0.0), _width(node.window) * WINDOW_SCALE)
        if not node.children:
            below = _width(f"{node.below:,} below") * WINDOW_SCALE if node.below else 0.0
            half = max(RADIUS, values / 2, below / 2)
            return half, half if node.leaf else max(half, beside)
        return RADIUS, max(RADIUS + 3 + values, beside)

    def word_position(
        self, node: DrawnNode, places: Mapping[int, tuple[float, int]]
    ) -> tuple[float, float] | None:
        """The position of the text on the branch to a node."""
        parent = self.parents.get(id(node))
        if parent is None:
            return None
        (u, v), (x, y) = places[id(parent)], places[id(node)]
        return (u + 2 * x) / 3, (v + 2 * y) / 3 - 6


def _width(text: str) -> float:
    """The maximum width of a text in a sans-serif font of 12 pixels."""
    return sum(12.0 if ord(sign) > 0x1100 and sign not in "≥≤∞" else 7.0 for sign in text)


def _edge_text(node: DrawnNode) -> str:
    """The text on the branch to a node."""
    return node.word + (f" ({node.odds})" if node.odds else "")


def _edge(node: DrawnNode, name: str, above: tuple[float, int], at: tuple[float, int]) -> str:
    """The branch to a node, with a double bar if it was pruned."""
    (u, v), (x, y) = above, at
    css_class = "edge pruned" if node.pruned else "edge"
    path = f'<path id="{name}" class="{css_class}" d="M{u:.0f} {v + RADIUS}L{x:.0f} {y - RADIUS}"/>'
    if not node.pruned:
        return path
    along, down = x - u, y - v - 2 * RADIUS
    length = math.hypot(along, down)
    bars = []
    for shift in (-2.5, 2.5):
        part = 0.42 + shift / length
        a, b = u + part * along, v + RADIUS + part * down
        over, up = 6 * down / length, 6 * along / length
        bars.append(f"M{a - over:.1f} {b + up:.1f}L{a + over:.1f} {b - up:.1f}")
    return f'{path}<path class="bar" d="{"".join(bars)}"/>'


def _node(node: DrawnNode, name: str, at: tuple[float, int], word: tuple[float, float] | None) -> str:
    x, y = at
    title = "; ".join([format_node(node), *([node.pruned] if node.pruned else node.facts)])
    state, mark, _ = STATES.get(node.state, ("pruned" if node.pruned else "", "", ""))
    parts = [f'<g id="{name}" class="{f"node {state}".strip()}"><title>{escape(title)}</title>']
    if word is not None:
        parts.append(
            f'<text class="word" x="{word[0]:.0f}" y="{word[1]:.0f}">{escape(_edge_text(node))}</text>'
        )
    if node.window and not node.leaf:
        up = y - 5 - 12 * max(0, len(node.lines) - 1)
        window = escape(node.window.replace("inf", "∞"))
        parts.append(f'<text class="window beside" x="{x + RADIUS + 3:.0f}" y="{up}">{window}</text>')
    parts.append(_shape(node, at))
    if mark:
        parts.append(f'<text class="mark" x="{x:.0f}" y="{y + 5}">{mark}</text>')
    lines = node.lines
    for number, line in enumerate(lines):
        down = 13 * number
        css_class = "who" if line == node.player and not number else "value"
        where = (
            f'class="{css_class} beside" x="{x + RADIUS + 3:.0f}" y="{y + 8 - 12 * (len(lines) - 1) + down}"'
            if node.children
            else f'class="{css_class}" x="{x:.0f}" y="{y + RADIUS + 14 + down}"'
        )
        parts.append(f"<text {where}>{escape(line)}</text>")
    if node.below:
        down = 13 * max(1, len(lines))
        parts.append(
            f'<text class="below window" x="{x:.0f}" y="{y + RADIUS + 14 + down}">{node.below:,} below</text>'
        )
    return "".join([*parts, "</g>"])


def _shape(node: DrawnNode, at: tuple[float, int]) -> str:
    """The shape of a node."""
    x, y = at
    css_class = "leaf" if node.leaf or node.pruned else SHAPE_CLASSES.get(node.kind, "max")
    css_class = f'class="shape {css_class}{" cut" if node.cut else ""}"'
    if node.kind in ("chance", "AND"):
        return f'<circle {css_class} cx="{x:.0f}" cy="{y}" r="{RADIUS}"/>'
    if node.kind in ("MAX", "MIN"):
        tip, foot = (y - RADIUS, y + RADIUS) if node.kind == "MAX" else (y + RADIUS, y - RADIUS)
        return f'<path {css_class} d="M{x:.0f} {tip}L{x + RADIUS:.0f} {foot}L{x - RADIUS:.0f} {foot}z"/>'
    side = 2 * RADIUS
    return f'<rect {css_class} x="{x - RADIUS:.0f}" y="{y - RADIUS}" width="{side}" height="{side}"/>'
