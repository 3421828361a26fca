"""The tree of a search as SVG: triangles for MAX and MIN, circles for chance, squares for leaves.

Each node stands over the middle of what lies below it; what was not searched is grey and dashed, and a
double bar crosses its branch. Trees of proof-number search have squares for OR nodes and circles for AND
nodes, as in Allis' pictures. Subtrees stand as close as their outlines allow, ply by ply
(Reingold and Tilford 1981).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gameplay.display.pages.markup import escape
from gameplay.display.reports.growth import Twig
from gameplay.display.reports.tree import STATES, format_node

TALL = 96  # from a ply to the next
EDGE = 44  # round the whole
GAP = 12  # between neighbours and their texts
APART = 60  # from node to node in a ply at least: room to write between them, on paper
SMALL = 10 / 12  # the font of windows, beside that of values
SIZE = 11  # half a node
WIDEST = 240  # of the picture at least, for its title
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
LOOKS = {"MIN": "min", "AND": "min", "chance": "chance"}

Room = Mapping[int, float]  # by id() of a Twig: how wide a text beside it becomes, at most


def svg(
    twig: Twig,
    title: str,
    style: bool = True,
    mark: str = "n",
    room: Room | None = None,
    apart: float = APART,
) -> str:
    """The picture. `style`: with the colours in it; a page has its own. `mark`: how ids of nodes begin.

    room: space that texts beside nodes need, where a page changes them. apart: from node to node at least.
    """
    layout = TreeLayout(room or {}, apart)
    layout.place(twig, 0)
    order = layout.order
    left = max(EDGE, *(layout.reach(one)[0] + GAP - layout.columns[id(one)] for one, _ in order))
    right = max(layout.columns[id(one)] + max(EDGE, layout.reach(one)[1] + GAP) for one, _ in order)
    wide, tall = max(math.ceil(left + right), WIDEST), 2 * EDGE + TALL * max(ply for _, ply in order)
    left = max(left, (wide - right + left) / 2)
    places = {id(one): (left + layout.columns[id(one)], EDGE + TALL * ply) for one, ply in order}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if style:
        parts.append(f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>')
    numbers = {id(one): number for number, (one, _) in enumerate(order)}
    for one, _ in order:  # below all nodes and texts
        for child in one.twigs:
            number = numbers[id(child)]
            parts.append(_edge(child, f"{mark}e{number}", places[id(one)], places[id(child)]))
    for number, (one, _) in enumerate(order):
        parts.append(_node(one, f"{mark}{number}", places[id(one)], layout.word_at(one, places)))
    return "\n".join([*parts, "</svg>", ""])


@dataclass
class SubtreeOutline:
    """How far a subtree reaches to the left and to the right of its root, ply by ply."""

    left: list[float]
    right: list[float]

    def beside(self, other: "SubtreeOutline") -> float:
        """How far to the right of this one's root the other's must stand."""
        return max((a + b + GAP for a, b in zip(self.right, other.left, strict=False)), default=0.0)

    def joined(self, other: "SubtreeOutline", apart: float) -> "SubtreeOutline":
        """Both as one, seen from the root of this one."""
        left = _longest([self.left, [reach - apart for reach in other.left]])
        return SubtreeOutline(left, _longest([self.right, [reach + apart for reach in other.right]]))


def _longest(lines: Sequence[Sequence[float]]) -> list[float]:
    deepest = max(map(len, lines))  # one may be empty
    return [max(line[ply] for line in lines if len(line) > ply) for ply in range(deepest)]


class TreeLayout:
    """Where nodes stand from left to right, in pixels from the first leaf."""

    def __init__(self, room: Room, apart: float) -> None:
        self.room = room
        self.apart = apart
        self.order: list[tuple[Twig, int]] = []  # nodes and their plies, in the order of the search
        self.columns: dict[int, float] = {}
        self.parents: dict[int, Twig] = {}

    def place(self, twig: Twig, ply: int) -> None:
        """Place a tree; its root is at 0."""
        self._outlined(twig, ply)
        waiting = [(twig, 0.0)]
        for one, at in waiting:
            self.columns[id(one)] += at
            waiting += [(child, self.columns[id(one)]) for child in one.twigs]

    def _outlined(self, one: Twig, ply: int) -> SubtreeOutline:
        """The outline of a subtree. `columns` of its nodes become those from their parents."""
        self.order.append((one, ply))
        self.columns[id(one)] = 0.0
        left, right = self.reach(one)
        word = _width(_word(one)) * 3 / 4  # it stands on two thirds of its branch
        least = max(word, (self.apart - GAP) / 2)
        own = SubtreeOutline([max(left, least)], [max(right, least)])
        if not one.twigs:
            return own
        whole = SubtreeOutline([], [])
        places: list[float] = []
        for child in one.twigs:
            self.parents[id(child)] = one
            outline = self._outlined(child, ply + 1)
            places.append(whole.beside(outline))
            whole = whole.joined(outline, places[-1])
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(one.twigs, places, strict=True):
            self.columns[id(child)] = place - middle
        own.left += [reach + middle for reach in whole.left]
        own.right += [reach - middle for reach in whole.right]
        return own

    def reach(self, one: Twig) -> tuple[float, float]:
        """How far a node and its texts reach to the left and to the right."""
        values = max(map(_width, one.lines), default=0.0)
        beside = SIZE + 3 + max(self.room.get(id(one), 0.0), _width(one.window) * SMALL)
        if not one.twigs:
            below = _width(f"{one.below:,} below") * SMALL if one.below else 0.0
            half = max(SIZE, values / 2, below / 2)
            return half, half if one.leaf else max(half, beside)
        return SIZE, max(SIZE + 3 + values, beside)

    def word_at(self, one: Twig, places: Mapping[int, tuple[float, int]]) -> tuple[float, float] | None:
        """Where the word on the branch to a node stands."""
        parent = self.parents.get(id(one))
        if parent is None:
            return None
        (u, v), (x, y) = places[id(parent)], places[id(one)]
        return (u + 2 * x) / 3, (v + 2 * y) / 3 - 6


def _width(text: str) -> float:
    """The width of a text of 12 pixels, as fonts without serifs have it at most."""
    return sum(12.0 if ord(sign) > 0x1100 and sign not in "≥≤∞" else 7.0 for sign in text)


def _word(one: Twig) -> str:
    """What is written on the edge to a node."""
    return one.word + (f" ({one.odds})" if one.odds else "")


def _edge(one: Twig, name: str, above: tuple[float, int], at: tuple[float, int]) -> str:
    """The branch to a node; across one that was not searched, a double bar."""
    (u, v), (x, y) = above, at
    looks = "edge pruned" if one.pruned else "edge"
    path = f'<path id="{name}" class="{looks}" d="M{u:.0f} {v + SIZE}L{x:.0f} {y - SIZE}"/>'
    if not one.pruned:
        return path
    along, down = x - u, y - v - 2 * SIZE
    length = math.hypot(along, down)
    bars = []
    for shift in (-2.5, 2.5):
        part = 0.42 + shift / length
        a, b = u + part * along, v + SIZE + part * down
        over, up = 6 * down / length, 6 * along / length
        bars.append(f"M{a - over:.1f} {b + up:.1f}L{a + over:.1f} {b - up:.1f}")
    return f'{path}<path class="bar" d="{"".join(bars)}"/>'


def _node(one: Twig, name: str, at: tuple[float, int], word: tuple[float, float] | None) -> str:
    x, y = at
    title = "; ".join([format_node(one), *([one.pruned] if one.pruned else one.facts)])
    state, mark, _ = STATES.get(one.state, ("pruned" if one.pruned else "", "", ""))
    parts = [f'<g id="{name}" class="{f"node {state}".strip()}"><title>{escape(title)}</title>']
    if word is not None:
        parts.append(f'<text class="word" x="{word[0]:.0f}" y="{word[1]:.0f}">{escape(_word(one))}</text>')
    if one.window and not one.leaf:
        up = y - 5 - 12 * max(0, len(one.lines) - 1)
        window = escape(one.window.replace("inf", "∞"))
        parts.append(f'<text class="window beside" x="{x + SIZE + 3:.0f}" y="{up}">{window}</text>')
    parts.append(_shape(one, at))
    if mark:
        parts.append(f'<text class="mark" x="{x:.0f}" y="{y + 5}">{mark}</text>')
    lines = one.lines
    for number, line in enumerate(lines):
        down = 13 * number
        looks = "who" if line == one.player and not number else "value"
        where = (
            f'class="{looks} beside" x="{x + SIZE + 3:.0f}" y="{y + 8 - 12 * (len(lines) - 1) + down}"'
            if one.twigs
            else f'class="{looks}" x="{x:.0f}" y="{y + SIZE + 14 + down}"'
        )
        parts.append(f"<text {where}>{escape(line)}</text>")
    if one.below:
        down = 13 * max(1, len(lines))
        parts.append(
            f'<text class="below window" x="{x:.0f}" y="{y + SIZE + 14 + down}">{one.below:,} below</text>'
        )
    return "".join([*parts, "</g>"])


def _shape(one: Twig, at: tuple[float, int]) -> str:
    """The node itself."""
    x, y = at
    looks = "leaf" if one.leaf or one.pruned else LOOKS.get(one.kind, "max")
    looks = f'class="shape {looks}{" cut" if one.cut else ""}"'
    if one.kind in ("chance", "AND"):
        return f'<circle {looks} cx="{x:.0f}" cy="{y}" r="{SIZE}"/>'
    if one.kind in ("MAX", "MIN"):
        tip, foot = (y - SIZE, y + SIZE) if one.kind == "MAX" else (y + SIZE, y - SIZE)
        return f'<path {looks} d="M{x:.0f} {tip}L{x + SIZE:.0f} {foot}L{x - SIZE:.0f} {foot}z"/>'
    return f'<rect {looks} x="{x - SIZE:.0f}" y="{y - SIZE}" width="{2 * SIZE}" height="{2 * SIZE}"/>'
