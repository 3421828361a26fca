"""The tree of a search as SVG: triangles for MAX and MIN, circles for chance, squares for leaves.

Each node stands over the middle of what lies below it; what was not searched is grey and dashed. Trees of
proof-number search have squares for OR nodes and circles for AND nodes, as in Allis' pictures.
"""

import math
from collections.abc import Mapping, Sequence

from gameplay.display.pages.markup import escape
from gameplay.display.reports.growth import Twig
from gameplay.display.reports.tree import STATES, words

SLOT, TALL = 84, 96  # from a leaf to the next at least, and from a ply to the next
EDGE = 44  # round the whole
GAP = 10  # between the texts of neighbours
SMALL = 10 / 12  # the font of windows, beside that of values
SIZE = 11  # half a node
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1b1f24;text-anchor:middle;paint-order:stroke;stroke:#fff;"
    "stroke-width:3px;stroke-linejoin:round}"
    ".beside{text-anchor:start}.window{font-size:10px;fill:#59626e}.edge{stroke:#59626e;stroke-width:1.2;fill:none}"
    ".shape{fill:#e8f1f8;stroke:#0072b2;stroke-width:1.5}.min{fill:#fdf1d8;stroke:#8a5a00}"
    ".chance{fill:#eef7f2;stroke:#00684c}.leaf{fill:#f1f3f6;stroke:#59626e}"
    ".pruned .edge{stroke-dasharray:4 3;stroke:#767676}.pruned text{fill:#666}"
    ".pruned .shape{fill:#fff;stroke:#767676;stroke-dasharray:3 2}.cut{stroke-width:3}"
    ".open text{fill:#666}.open .shape{fill:#fff;stroke:#767676}"
    ".proved .shape{fill:#00684c;stroke:#00684c}.disproved .shape{fill:#59626e;stroke:#59626e}"
    "text.mark{fill:#fff;stroke:none;font-weight:700}"
)


LOOKS = {"MIN": "min", "AND": "min", "chance": "chance"}


def svg(twig: Twig, title: str, style: bool = True, mark: str = "n") -> str:
    """The picture. `style`: with the colours in it; a page has its own. `mark`: how ids of nodes begin."""
    columns: dict[int, float] = {}  # of each node, counted in leaves
    order: list[tuple[Twig, int]] = []  # nodes and their plies
    parents: dict[int, Twig] = {}
    leaves = 0

    def place(one: Twig, ply: int) -> None:
        nonlocal leaves
        order.append((one, ply))
        for child in one.twigs:
            parents[id(child)] = one
            place(child, ply + 1)
        if one.twigs:
            columns[id(one)] = (columns[id(one.twigs[0])] + columns[id(one.twigs[-1])]) / 2
        else:
            columns[id(one)] = leaves
            leaves += 1

    place(twig, 0)
    slot = _slot(order, columns)
    left = max(EDGE, *(_extent(one)[0] + GAP - slot * columns[id(one)] for one, _ in order))
    right = max(EDGE + slot * columns[id(one)] for one, _ in order)
    right = max(right, *(slot * columns[id(one)] + _extent(one)[1] + GAP for one, _ in order))
    places = {id(one): (left + slot * columns[id(one)], EDGE + TALL * ply) for one, ply in order}
    wide, tall = max(math.ceil(left + right), 240), 2 * EDGE + TALL * max(ply for _, ply in order)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if style:
        parts.append(f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>')
    for number, (one, _) in enumerate(order):
        above = places[id(parents[id(one)])] if id(one) in parents else None
        parts.append(_node(one, f"{mark}{number}", places[id(one)], above))
    return "\n".join([*parts, "</svg>", ""])


def _slot(order: Sequence[tuple[Twig, int]], columns: Mapping[int, float]) -> float:
    """The distance between leaves that keeps the texts of neighbours apart."""
    slot = float(SLOT)
    last: dict[int, Twig] = {}  # of each ply, the node on the left
    for one, ply in order:
        before, last[ply] = last.get(ply), one
        if before is None:
            continue
        apart = columns[id(one)] - columns[id(before)]
        texts = _extent(before)[1] + _extent(one)[0] + GAP
        words = (_width(_word(before)) + _width(_word(one))) / 2 + GAP
        slot = max(slot, texts / apart, words * 3 / 2 / apart)  # a word stands on two thirds of its edge
    return slot


def _extent(one: Twig) -> tuple[float, float]:
    """How far a node and its texts reach to the left and to the right."""
    values = max(map(_width, one.lines), default=0.0)
    if not one.twigs:
        below = _width(f"{one.below:,} below") * SMALL if one.below else 0.0
        half = max(SIZE, values / 2, below / 2)
        return half, half if one.leaf else max(half, SIZE + 3 + _width(one.window) * SMALL)
    return SIZE, SIZE + 3 + max(values, _width(one.window) * SMALL)


def _width(text: str) -> float:
    """The width of a text of 12 pixels, as fonts without serifs have it at most."""
    return sum(12.0 if ord(sign) > 0x1100 else 7.0 for sign in text)


def _word(one: Twig) -> str:
    """What is written on the edge to a node."""
    return one.word + (f" ({one.odds})" if one.odds else "")


def _node(one: Twig, name: str, at: tuple[float, int], above: tuple[float, int] | None) -> str:
    x, y = at
    title = "; ".join([words(one), *([one.pruned] if one.pruned else one.facts)])
    state, mark = STATES.get(one.state, ("pruned" if one.pruned else "", ""))
    parts = [f'<g id="{name}" class="{f"node {state}".strip()}"><title>{escape(title)}</title>']
    if above is not None:
        u, v = above
        parts.append(f'<path class="edge" d="M{u:.0f} {v + SIZE}L{x:.0f} {y - SIZE}"/>')
        parts.append(
            f'<text x="{(u + 2 * x) / 3:.0f}" y="{(v + 2 * y) / 3 - 6:.0f}">{escape(_word(one))}</text>'
        )
    if one.window and not one.leaf:
        up = y - 5 - 12 * max(0, len(one.lines) - 1)
        parts.append(
            f'<text class="window beside" x="{x + SIZE + 3:.0f}" y="{up}">{escape(one.window)}</text>'
        )
    looks = "leaf" if one.leaf or one.pruned else LOOKS.get(one.kind, "max")
    looks = f'class="shape {looks}{" cut" if one.cut else ""}"'
    if one.kind not in ("MAX", "MIN", "chance", "AND"):
        parts.append(
            f'<rect {looks} x="{x - SIZE:.0f}" y="{y - SIZE}" width="{2 * SIZE}" height="{2 * SIZE}"/>'
        )
    elif one.kind in ("chance", "AND"):
        parts.append(f'<circle {looks} cx="{x:.0f}" cy="{y}" r="{SIZE}"/>')
    else:
        tip, foot = (y - SIZE, y + SIZE) if one.kind == "MAX" else (y + SIZE, y - SIZE)
        parts.append(f'<path {looks} d="M{x:.0f} {tip}L{x + SIZE:.0f} {foot}L{x - SIZE:.0f} {foot}z"/>')
    if mark:
        parts.append(f'<text class="mark" x="{x:.0f}" y="{y + 5}">{mark}</text>')
    lines = one.lines
    for number, line in enumerate(lines):
        down = 13 * number
        where = (
            f'class="beside" x="{x + SIZE + 3:.0f}" y="{y + 8 - 12 * (len(lines) - 1) + down}"'
            if one.twigs
            else f'x="{x:.0f}" y="{y + SIZE + 14 + down}"'
        )
        parts.append(f"<text {where}>{escape(line)}</text>")
    if one.below:
        down = 13 * max(1, len(lines))
        parts.append(
            f'<text class="window" x="{x:.0f}" y="{y + SIZE + 14 + down}">{one.below:,} below</text>'
        )
    return "".join([*parts, "</g>"])
