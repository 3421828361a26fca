"""Curves and bars as text, for terminals, pipes and paper. A legend names the letters of curves."""

import math
from collections.abc import Mapping, Sequence

HEIGHT = 14  # lines
GUTTER = 8  # columns left of the axis


def log_plot(curves: Mapping[str, Sequence[tuple[int, float]]], width: int, unicode: bool = True) -> str:
    """Plot curves over whole numbers on a logarithmic scale; letters of curves that meet are adjacent.

    At most 26 curves; all figures must be positive.
    """
    points = [point for curve in curves.values() for point in curve]
    x_min, x_max = min(x for x, _ in points), max(x for x, _ in points)
    min_power = math.floor(min(math.log10(y) for _, y in points))
    max_power = max(min_power + 1, math.ceil(max(math.log10(y) for _, y in points)))
    columns = max(x_max - x_min, width - GUTTER - 1 - len(curves))  # all letters may meet at the last point
    step = max(1, min(8, columns // max(1, x_max - x_min)))
    horizontal, vertical, corner = ("─", "│", "└") if unicode else ("-", "|", "+")
    grid = [[" "] * (step * (x_max - x_min) + len(curves)) for _ in range(HEIGHT + 1)]
    letters = dict(zip(curves, "abcdefghijklmnopqrstuvwxyz", strict=False))
    for name, letter in letters.items():
        for x, y in curves[name]:
            row = grid[round(HEIGHT * (max_power - math.log10(y)) / (max_power - min_power))]
            column = step * (x - x_min)
            row[row.index(" ", column)] = letter
    lines = []
    powers = range(min_power, max_power + 1)
    labels = {round(HEIGHT * (max_power - power) / (max_power - min_power)): power for power in powers}
    for number, row in enumerate(grid):
        power = labels.get(number)
        label = "" if power is None else f"10^{power}" if power > 3 else f"{10**power:,}"
        lines.append(f"{label:>{GUTTER - 1}} {vertical}{''.join(row)}".rstrip())
    lines.append(" " * GUTTER + corner + horizontal * (step * (x_max - x_min) + 1))
    ticks = "".join(f"{x:<{step}}" if step > len(str(x)) else f"{x % 10}" for x in range(x_min, x_max + 1))
    lines.append(" " * (GUTTER + 1) + ticks.rstrip())
    lines += [f"{letter}  {name}" for name, letter in letters.items()]
    return "\n".join(lines)


def bar_lines(rows: Sequence[tuple[str, float]], width: int, unicode: bool = True) -> list[str]:
    """A line for each name: its figure, 0 or more, and a bar of that length."""
    maximum = max([figure for _, figure in rows], default=0.0)
    places = 0 if all(float(figure).is_integer() for _, figure in rows) else 1
    figures = [f"{figure:,.{places}f}" for _, figure in rows]
    left, middle = max(len(name) for name, _ in rows), max(map(len, figures))
    columns = max(8, width - left - middle - 4)
    sign = "█" if unicode else "#"
    scale = columns / maximum if maximum else 0.0
    return [
        f"{name:>{left}}  {label:>{middle}}  {sign * round(scale * figure)}".rstrip()
        for (name, figure), label in zip(rows, figures, strict=True)
    ]
