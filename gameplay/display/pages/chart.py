"""Charts as SVG, coloured by the style of the page; labels repeat the figures as text."""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gameplay import file_io
from gameplay.display.pages.markup import escape
from gameplay.statistics.joint import PlayerRating
from gameplay.statistics.sprt import Verdict
from gameplay.suites.profiling import Profile

WIDTH = 340.0
MAX_NAME = 50  # characters of a name above its bar
STANDALONE_STYLE = (  # of a chart in its own file
    "<style>svg{font:10px sans-serif;background:#fff}.axis{stroke:#ccc}.dim{fill:#666}"
    ".line-a,.line-b,.line-c,.line-d{fill:none;stroke-width:2}.line-a{stroke:#0072b2}"
    ".line-b{stroke:#b35c00;stroke-dasharray:5 3}.line-c{stroke:#00795a}"
    ".line-d{stroke:#a0457c;stroke-dasharray:2 2}.fill-a{fill:#0072b2}"
    ".bound{fill:none;stroke:#666;stroke-dasharray:1 3}</style>"
)


def write_svg(file: Path, drawn: str) -> None:
    """Write a chart to a file. Raises OSError."""
    head, _, rest = drawn.partition(">")
    text = f'{head} xmlns="http://www.w3.org/2000/svg">{STANDALONE_STYLE}{rest}\n'
    file_io.write(file, [text.encode()])


def _svg(height: float, label: str, *parts: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-label="{escape(label)}">\n'
        + "\n".join(parts)
        + "\n</svg>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    class_attribute = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{class_attribute}>{escape(text)}</text>'


def _anchor(x: float) -> str:
    """The text anchor that keeps a label near an edge inside."""
    return "start" if x < 24 else "end" if x > WIDTH - 24 else "middle"


def ticks(minimum: float, maximum: float, count: int = 5) -> list[float]:
    """About `count` round numbers between `minimum` and `maximum`."""
    span = (maximum - minimum) / count or 1.0
    power = 10.0 ** math.floor(math.log10(span))
    step = next(power * by for by in (1, 2, 5, 10) if power * by >= span * 0.999)
    first = math.ceil(minimum / step - 1e-9)
    return [n * step for n in range(first, math.floor(maximum / step + 1e-9) + 1)]


def rating_intervals(standings: Sequence[PlayerRating], scale: str) -> str:
    """A bar for each player's interval, a mark at their rating, an arrow if a side is unbounded.

    scale: description of what the ratings are relative to.
    """
    ends = [end for s in standings for end in (s.low, s.high, s.elo or 0.0) if math.isfinite(end)]
    elo_min, elo_max = min([0.0, *ends]), max([0.0, *ends])
    margin = 0.06 * (elo_max - elo_min) or 10.0
    elo_min, elo_max = elo_min - margin, elo_max + margin

    def at(elo: float) -> float:
        return 8 + (WIDTH - 16) * (min(max(elo, elo_min), elo_max) - elo_min) / (elo_max - elo_min)

    bottom = 34 * len(standings) + 8
    marks = ticks(elo_min, elo_max)
    parts = [
        _text(at(tick), bottom + 14, f"{tick:+g}" if tick else "0", _anchor(at(tick)), "dim")
        for tick in marks
    ]
    for number, s in enumerate(standings):
        y = 34 * number + 26
        parts += [_line(at(tick), y - 6, at(tick), y + 7, "axis") for tick in marks]  # not through names
        name = s.name if len(s.name) <= MAX_NAME else s.name[: MAX_NAME - 1] + "…"
        parts.append(_text(8, y - 10, name))
        if not s.reference:
            parts.append(_line(at(s.low), y, at(s.high), y, "line-a"))
        for end, direction in () if s.reference else ((s.low, -1), (s.high, 1)):
            if math.isfinite(end):
                parts.append(_line(at(end), y - 5, at(end), y + 5, "line-a"))
            else:
                x = at(end)
                arrow = f"{x:.1f},{y} {x - 7 * direction:.1f},{y - 4} {x - 7 * direction:.1f},{y + 4}"
                parts.append(f'<polygon points="{arrow}" class="fill-a"/>')
        if s.elo is not None:
            parts.append(f'<circle cx="{at(s.elo):.1f}" cy="{y}" r="4.5" class="fill-a"/>')
    summary = "; ".join(f"{s.name} {s}" for s in standings)
    return _svg(bottom + 20, f"Elo with 95 % intervals, {scale}: {summary}", *parts)


def sprt_course(points: Sequence[tuple[int, float]], test: Verdict) -> str:
    """The log-likelihood ratio over games, between the bounds of the test."""
    top = 150.0
    llr_min = min(test.lower, *(llr for _, llr in points)) * 1.08
    llr_max = max(test.upper, *(llr for _, llr in points)) * 1.08
    games = max(points[-1][0], 1)
    left = 66.0  # space for the labels of the lines

    def x(number: float) -> float:
        return left + (WIDTH - 8 - left) * number / games

    def y(llr: float) -> float:
        return 8 + (top - 8) * (llr_max - llr) / (llr_max - llr_min)

    parts = [_line(left, y(0), WIDTH - 8, y(0), "axis"), _text(left - 4, y(0) + 4, "0", "end", "dim")]
    for bound, name in ((test.upper, "H1"), (test.lower, "H0")):
        parts += [
            _line(left, y(bound), WIDTH - 8, y(bound), "bound"),
            _text(left - 4, y(bound) + 4, f"{name} at {bound:.2f}", "end", "dim"),
        ]
    for tick in ticks(0, games):
        if tick == int(tick):
            parts.append(_text(x(tick), top + 16, f"{int(tick):,}", "middle", "dim"))
    parts.append(_text(WIDTH - 8, top + 30, "games", "end", "dim"))
    line = " ".join(f"{x(number):.1f},{y(llr):.1f}" for number, llr in points)
    number, llr = points[-1]
    parts += [
        f'<polyline points="{line}" class="line-a"/>',
        f'<circle cx="{x(number):.1f}" cy="{y(llr):.1f}" r="4" class="fill-a"/>',
    ]
    return _svg(top + 36, f"LLR over games: {llr:.2f} after {number} games, {test}", *parts)


def error_curves(curves: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Error rates, 0 to 1, over counts on a logarithmic axis, one line per curve."""
    top, left = 150.0, 40.0
    counts = [count for curve in curves.values() for count, _ in curve]
    log_min, log_max = math.log(min(counts)), math.log(max(counts))
    max_share = max([0.1, *(share for curve in curves.values() for _, share in curve)])

    def x(count: int) -> float:
        return left + (WIDTH - 16 - left) * (math.log(count) - log_min) / ((log_max - log_min) or 1.0)

    def y(share: float) -> float:
        return top - (top - 8) * share / max_share

    parts = []
    for tick in ticks(0, max_share, 4):
        parts += [
            _line(left, y(tick), WIDTH - 16, y(tick), "axis"),
            _text(left - 4, y(tick) + 4, f"{tick:.0%}", "end", "dim"),
        ]
    for count in sorted(set(counts)):
        parts.append(_text(x(count), top + 16, f"{count:,}", _anchor(x(count)), "dim"))
    for number, (name, curve) in enumerate(curves.items()):
        line = " ".join(f"{x(count):.1f},{y(share):.1f}" for count, share in curve)
        parts.append(f'<polyline points="{line}" class="line-{"ab"[number % 2]}"/>')
        count, share = curve[number % len(curve)]
        parts.append(_text(x(count) + 4, y(share) - 4, name))
    return _svg(top + 24, f"Share of errors over {min(counts)} to {max(counts)} simulations", *parts)


def growth_curves(
    curves: Mapping[str, Sequence[tuple[int, float]]], label: str, bounds: Collection[str] = ()
) -> str:
    """Positive figures on a logarithmic axis over integers, one line per curve, with a legend.

    bounds: names of curves drawn as limits.
    """
    top, left = 190.0, 40.0
    points = [point for curve in curves.values() for point in curve]
    x_min, x_max = min(x for x, _ in points), max(x for x, _ in points)
    min_power = math.floor(min(math.log10(y) for _, y in points))
    max_power = max(min_power + 1, math.ceil(max(math.log10(y) for _, y in points)))

    def x(number: int) -> float:
        return left + (WIDTH - 24 - left) * (number - x_min) / ((x_max - x_min) or 1)

    def y(figure: float) -> float:
        return top - (top - 8) * (math.log10(figure) - min_power) / (max_power - min_power)

    parts = []
    for power in range(min_power, max_power + 1):
        tick = f"10^{power}" if power > 3 else f"{10**power:,}"
        parts += [
            _line(left, y(10.0**power), WIDTH - 24, y(10.0**power), "axis"),
            _text(left - 4, y(10.0**power) + 4, tick, "end", "dim"),
        ]
    for number in range(x_min, x_max + 1):
        parts.append(_text(x(number), top + 16, str(number), "middle", "dim"))
    for number, (name, curve) in enumerate(curves.items()):
        kind = "bound" if name in bounds else f"line-{'abcd'[number % 4]}"
        letter = chr(ord("a") + number % 26)
        line = " ".join(f"{x(at):.1f},{y(figure):.1f}" for at, figure in curve)
        at, figure = curve[-1]
        legend_y = top + 34 + 15 * number
        label_text = name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
        parts += [
            f'<polyline points="{line}" class="{kind}"><title>{escape(name)}</title></polyline>',
            _text(x(at) + 3 + 7 * (number % 3), y(figure) + 3, letter),
            _line(8, legend_y - 4, 30, legend_y - 4, kind),
            _text(36, legend_y, f"{letter}  {label_text}"),
        ]
    ends = "; ".join(f"{name} {curve[-1][1]:,.0f} at {curve[-1][0]}" for name, curve in curves.items())
    return _svg(top + 26 + 15 * len(curves), f"{label}: {ends}", *parts)


def exploitability_curves(curves: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Exploitability over iterations, both on logarithmic axes, one line per curve; zeros are left out."""
    top, left = 190.0, 48.0
    points = [(at, figure) for curve in curves.values() for at, figure in curve if at > 0 and figure > 0]
    powers = [math.log10(figure) for _, figure in points] or [0.0]
    min_power, max_power = math.floor(min(powers)), max(math.floor(min(powers)) + 1, math.ceil(max(powers)))
    max_log = max(1.0, math.log10(max([1, *(at for at, _ in points)])))

    def x(at: int) -> float:
        return left + (WIDTH - 16 - left) * math.log10(at) / max_log

    def y(power: float) -> float:
        return top - (top - 8) * (power - min_power) / (max_power - min_power)

    parts = []
    for power in range(min_power, max_power + 1):
        parts += [
            _line(left, y(power), WIDTH - 16, y(power), "axis"),
            _text(left - 4, y(power) + 4, f"{10.0**power:g}", "end", "dim"),
        ]
    for power in range(math.floor(max_log) + 1):
        parts.append(_text(x(10**power), top + 16, f"{10**power:,}", _anchor(x(10**power)), "dim"))
    for number, (name, curve) in enumerate(curves.items()):
        line = " ".join(f"{x(a):.1f},{y(math.log10(f)):.1f}" for a, f in curve if a > 0 and f > 0)
        parts.append(f'<polyline points="{line}" class="line-{"abcd"[number % 4]}"/>')
        parts.append(_text(left + 8, top + 34 + 15 * number, name))
    ends = "; ".join(f"{name} {curve[-1][1]:.6f} after {curve[-1][0]:,}" for name, curve in curves.items())
    return _svg(top + 28 + 15 * len(curves), f"Exploitability over iterations: {ends}", *parts)


def length_histogram(counts: Mapping[int, int]) -> str:
    """A histogram of game lengths in plies."""
    shortest, longest = min(counts), max(counts)
    step = max(1, math.ceil((longest - shortest + 1) / 30))
    bins: dict[int, int] = {}
    for length, count in counts.items():
        bins[(length - shortest) // step] = bins.get((length - shortest) // step, 0) + count
    bin_count = (longest - shortest) // step + 1
    max_count, bottom = max(bins.values()), 120.0
    bar_width = min(24.0, (WIDTH - 38) / bin_count)
    parts = []
    for tick in ticks(0, max_count, 3):
        if tick == int(tick):
            y = bottom - (bottom - 10) * tick / max_count
            parts += [
                _line(30, y, WIDTH - 8, y, "axis"),
                _text(26, y + 4, f"{int(tick):,}", "end", "dim"),
            ]
    for number, count in sorted(bins.items()):
        first = shortest + number * step
        span = f"{first} plies" if step == 1 else f"{first} to {first + step - 1} plies"
        x, bar_height = 30 + number * bar_width, (bottom - 10) * count / max_count
        parts.append(
            f'<rect x="{x + 0.5:.1f}" y="{bottom - bar_height:.1f}" width="{max(1.0, bar_width - 1):.1f}" '
            f'height="{bar_height:.1f}" class="fill-a"><title>{span}: {count}</title></rect>'
        )
    for number in sorted({0, bin_count // 2, bin_count - 1}):
        parts.append(
            _text(
                30 + (number + 0.5) * bar_width, bottom + 15, str(shortest + number * step), "middle", "dim"
            )
        )
    parts.append(_text(WIDTH - 8, bottom + 30, "plies", "end", "dim"))
    return _svg(bottom + 36, f"Lengths of the games: {shortest} to {longest} plies", *parts)


def branching_curves(curves: Mapping[str, Sequence[float]]) -> str:
    """Branching factor over plies from 1 on, one line per curve; zeros are left out."""
    top, left = 150.0, 40.0
    longest = max(len(curve) for curve in curves.values())
    max_branching = max([1.0, *(figure for curve in curves.values() for figure in curve)])

    def at(ply: int, figure: float) -> str:
        x = left + (WIDTH - 16 - left) * (ply - 1) / max(1, longest - 1)
        return f"{x:.1f},{top - (top - 8) * figure / max_branching:.1f}"

    parts = []
    for tick in ticks(0, max_branching, 4):
        y = top - (top - 8) * tick / max_branching
        parts += [_line(left, y, WIDTH - 16, y, "axis"), _text(left - 4, y + 4, f"{tick:g}", "end", "dim")]
    for tick in ticks(1, longest):
        if tick == int(tick):
            x = left + (WIDTH - 16 - left) * (tick - 1) / max(1, longest - 1)
            parts.append(_text(x, top + 16, f"{int(tick)}", _anchor(x), "dim"))
    parts.append(_text(WIDTH - 8, top + 30, "ply", "end", "dim"))
    for number, (name, curve) in enumerate(curves.items()):
        kind = f"line-{'abcd'[number % 4]}"
        points = " ".join(at(ply, figure) for ply, figure in enumerate(curve, 1) if figure)
        legend_y = top + 34 + 15 * number
        parts += [
            f'<polyline points="{points}" class="{kind}"><title>{escape(name)}</title></polyline>',
            _line(8, legend_y - 4, 30, legend_y - 4, kind),
            _text(36, legend_y, name),
        ]
    return _svg(top + 26 + 15 * len(curves), "Moves to choose from by ply", *parts)


def profile_charts(profile: Profile) -> str:
    """The branching factor by ply, and below it the lengths of games."""
    measured = profile.matches if profile.matches.games else profile.random
    curves = {"random games": profile.random.branching}
    if profile.matches.games:
        curves[f"games of {profile.engine}"] = profile.matches.branching
    upper, lower = branching_curves(curves), length_histogram(measured.lengths)
    heights = [float(part.split('"')[1].split()[3]) for part in (upper, lower)]
    placed = lower.replace(
        "<svg ", f'<svg y="{heights[0] + 12:g}" width="{WIDTH:g}" height="{heights[1]:g}" ', 1
    )
    first = upper.replace("<svg ", f'<svg width="{WIDTH:g}" height="{heights[0]:g}" ', 1)
    return _svg(sum(heights) + 12, f"Profile of {profile.game}", first, placed)
