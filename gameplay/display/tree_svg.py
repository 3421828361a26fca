"""The tree of a search as SVG: triangles for MAX and MIN, circles for chance, squares for leaves.

Each node stands over the middle of what lies below it; what was not searched is grey and dashed. Trees of
proof-number search have squares for OR nodes and circles for AND nodes, as in Allis' pictures.
"""

from gameplay.display.growth import Twig
from gameplay.display.markup import escape
from gameplay.display.tree import STATES, words

SLOT, TALL = 84, 96  # from a leaf to the next, and from a ply to the next
EDGE = 44  # round the whole
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
    places: dict[int, tuple[float, int]] = {}
    order: list[Twig] = []
    parents: dict[int, Twig] = {}
    slots = deepest = 0

    def place(one: Twig, ply: int) -> float:
        nonlocal slots, deepest
        order.append(one)
        deepest = max(deepest, ply)
        below = []
        for child in one.twigs:
            parents[id(child)] = one
            below.append(place(child, ply + 1))
        if below:
            x = (below[0] + below[-1]) / 2
        else:
            x = EDGE + SLOT * slots
            slots += 1
        places[id(one)] = (x, EDGE + TALL * ply)
        return x

    place(twig, 0)
    wide, tall = max(2 * EDGE + SLOT * max(0, slots - 1), 240), 2 * EDGE + TALL * deepest
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if style:
        parts.append(f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>')
    for number, one in enumerate(order):
        above = places[id(parents[id(one)])] if id(one) in parents else None
        parts.append(_node(one, f"{mark}{number}", places[id(one)], above))
    return "\n".join([*parts, "</svg>", ""])


def _node(one: Twig, name: str, at: tuple[float, int], above: tuple[float, int] | None) -> str:
    x, y = at
    told = "; ".join([words(one), *([one.pruned] if one.pruned else one.facts)])
    state, mark = STATES.get(one.state, ("pruned" if one.pruned else "", ""))
    parts = [f'<g id="{name}" class="{f"node {state}".strip()}"><title>{escape(told)}</title>']
    if above is not None:
        u, v = above
        parts.append(f'<path class="edge" d="M{u:.0f} {v + SIZE}L{x:.0f} {y - SIZE}"/>')
        odds = f" ({one.odds})" if one.odds else ""
        parts.append(
            f'<text x="{(u + 2 * x) / 3:.0f}" y="{(v + 2 * y) / 3 - 6:.0f}">{escape(one.word + odds)}</text>'
        )
    if one.window and not one.leaf:
        parts.append(
            f'<text class="window beside" x="{x + SIZE + 3:.0f}" y="{y - 5}">{escape(one.window)}</text>'
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
