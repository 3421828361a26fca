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
    left = max(MARGIN, *(layout.extent(one)[0] + GAP - layout.columns[id(one)] for one, _ in order))
    right = max(layout.columns[id(one)] + max(MARGIN, layout.extent(one)[1] + GAP) for one, _ in order)
    wide, tall = (
        max(math.ceil(left + right), MIN_WIDTH),
        2 * MARGIN + PLY_HEIGHT * max(ply for _, ply in order),
    )
    left = max(left, (wide - right + left) / 2)
    places = {id(one): (left + layout.columns[id(one)], MARGIN + PLY_HEIGHT * ply) for one, ply in order}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if style:
        parts.append(f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>')
    numbers = {id(one): number for number, (one, _) in enumerate(order)}
    for one, _ in order:  # edges first, below nodes and texts
        for child in one.children:
            number = numbers[id(child)]
            parts.append(_edge(child, f"{mark}e{number}", places[id(one)], places[id(child)]))
    for number, (one, _) in enumerate(order):
        parts.append(_node(one, f"{mark}{number}", places[id(one)], layout.word_position(one, places)))
    return "\n".join([*parts, "</svg>", ""])


@dataclass
class SubtreeOutline:
    """The extent of a subtree to the left and right of its root, by ply."""

    left: list[float]
    right: list[float]

    def offset_of(self, other: "SubtreeOutline") -> float:
        """The minimum offset of the other root to the right of this one."""
        return max((a + b + GAP for a, b in zip(self.right, other.left, strict=False)), default=0.0)

    def merged(self, other: "SubtreeOutline", offset: float) -> "SubtreeOutline":
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
        for one, at in queue:
            self.columns[id(one)] += at
            queue += [(child, self.columns[id(one)]) for child in one.children]

    def _outline(self, one: DrawnNode, ply: int) -> SubtreeOutline:
        """The outline of a subtree; sets `columns` of its nodes relative to their parents."""
        self.order.append((one, ply))
        self.columns[id(one)] = 0.0
        left, right = self.extent(one)
        word = _width(_edge_text(one)) * 3 / 4  # it is at two thirds of its branch
        least = max(word, (self.min_distance - GAP) / 2)
        own = SubtreeOutline([max(left, least)], [max(right, least)])
        if not one.children:
            return own
        whole = SubtreeOutline([], [])
        places: list[float] = []
        for child in one.children:
            self.parents[id(child)] = one
            outline = self._outline(child, ply + 1)
            places.append(whole.offset_of(outline))
            whole = whole.merged(outline, places[-1])
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(one.children, places, strict=True):
            self.columns[id(child)] = place - middle
        own.left += [reach + middle for reach in whole.left]
        own.right += [reach - middle for reach in whole.right]
        return own

    def extent(self, one: DrawnNode) -> tuple[float, float]:
        """The extent of a node with its texts to the left and right."""
        values = max(map(_width, one.lines), default=0.0)
        beside = RADIUS + 3 + max(self.text_widths.get(id(one), 0.0), _width(one.window) * WINDOW_SCALE)
        if not one.children:
            below = _width(f"{one.below:,} below") * WINDOW_SCALE if one.below else 0.0
            half = max(RADIUS, values / 2, below / 2)
            return half, half if one.leaf else max(half, beside)
        return RADIUS, max(RADIUS + 3 + values, beside)

    def word_position(
        self, one: DrawnNode, places: Mapping[int, tuple[float, int]]
    ) -> tuple[float, float] | None:
        """The position of the text on the branch to a node."""
        parent = self.parents.get(id(one))
        if parent is None:
            return None
        (u, v), (x, y) = places[id(parent)], places[id(one)]
        return (u + 2 * x) / 3, (v + 2 * y) / 3 - 6


def _width(text: str) -> float:
    """The maximum width of a text in a sans-serif font of 12 pixels."""
    return sum(12.0 if ord(sign) > 0x1100 and sign not in "≥≤∞" else 7.0 for sign in text)


def _edge_text(one: DrawnNode) -> str:
    """The text on the branch to a node."""
    return one.word + (f" ({one.odds})" if one.odds else "")


def _edge(one: DrawnNode, name: str, above: tuple[float, int], at: tuple[float, int]) -> str:
    """The branch to a node, with a double bar if it was pruned."""
    (u, v), (x, y) = above, at
    css_class = "edge pruned" if one.pruned else "edge"
    path = f'<path id="{name}" class="{css_class}" d="M{u:.0f} {v + RADIUS}L{x:.0f} {y - RADIUS}"/>'
    if not one.pruned:
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


def _node(one: DrawnNode, name: str, at: tuple[float, int], word: tuple[float, float] | None) -> str:
    x, y = at
    title = "; ".join([format_node(one), *([one.pruned] if one.pruned else one.facts)])
    state, mark, _ = STATES.get(one.state, ("pruned" if one.pruned else "", "", ""))
    parts = [f'<g id="{name}" class="{f"node {state}".strip()}"><title>{escape(title)}</title>']
    if word is not None:
        parts.append(
            f'<text class="word" x="{word[0]:.0f}" y="{word[1]:.0f}">{escape(_edge_text(one))}</text>'
        )
    if one.window and not one.leaf:
        up = y - 5 - 12 * max(0, len(one.lines) - 1)
        window = escape(one.window.replace("inf", "∞"))
        parts.append(f'<text class="window beside" x="{x + RADIUS + 3:.0f}" y="{up}">{window}</text>')
    parts.append(_shape(one, at))
    if mark:
        parts.append(f'<text class="mark" x="{x:.0f}" y="{y + 5}">{mark}</text>')
    lines = one.lines
    for number, line in enumerate(lines):
        down = 13 * number
        css_class = "who" if line == one.player and not number else "value"
        where = (
            f'class="{css_class} beside" x="{x + RADIUS + 3:.0f}" y="{y + 8 - 12 * (len(lines) - 1) + down}"'
            if one.children
            else f'class="{css_class}" x="{x:.0f}" y="{y + RADIUS + 14 + down}"'
        )
        parts.append(f"<text {where}>{escape(line)}</text>")
    if one.below:
        down = 13 * max(1, len(lines))
        parts.append(
            f'<text class="below window" x="{x:.0f}" y="{y + RADIUS + 14 + down}">{one.below:,} below</text>'
        )
    return "".join([*parts, "</g>"])


def _shape(one: DrawnNode, at: tuple[float, int]) -> str:
    """The shape of a node."""
    x, y = at
    css_class = "leaf" if one.leaf or one.pruned else SHAPE_CLASSES.get(one.kind, "max")
    css_class = f'class="shape {css_class}{" cut" if one.cut else ""}"'
    if one.kind in ("chance", "AND"):
        return f'<circle {css_class} cx="{x:.0f}" cy="{y}" r="{RADIUS}"/>'
    if one.kind in ("MAX", "MIN"):
        tip, foot = (y - RADIUS, y + RADIUS) if one.kind == "MAX" else (y + RADIUS, y - RADIUS)
        return f'<path {css_class} d="M{x:.0f} {tip}L{x + RADIUS:.0f} {foot}L{x - RADIUS:.0f} {foot}z"/>'
    side = 2 * RADIUS
    return f'<rect {css_class} x="{x - RADIUS:.0f}" y="{y - RADIUS}" width="{side}" height="{side}"/>'
