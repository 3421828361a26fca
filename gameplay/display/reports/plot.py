"""Curves and bars in characters: for terminals, pipes and paper. A legend names the letters of curves."""

import math
from collections.abc import Mapping, Sequence

HIGH = 14  # lines
GUTTER = 8  # columns left of the axis


def growth(curves: Mapping[str, Sequence[tuple[int, float]]], width: int, unicode: bool = True) -> str:
    """Plot curves over whole numbers on a logarithmic scale; letters of curves that meet are side by side.

    At most 26 curves; all figures must be positive.
    """
    points = [point for curve in curves.values() for point in curve]
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    bottom = math.floor(min(math.log10(y) for _, y in points))
    top = max(bottom + 1, math.ceil(max(math.log10(y) for _, y in points)))
    room = max(high - low, width - GUTTER - 1 - len(curves))  # at the last point all letters may meet
    step = max(1, min(8, room // max(1, high - low)))
    across, upright, corner = ("─", "│", "└") if unicode else ("-", "|", "+")
    grid = [[" "] * (step * (high - low) + len(curves)) for _ in range(HIGH + 1)]
    letters = dict(zip(curves, "abcdefghijklmnopqrstuvwxyz", strict=False))
    for name, letter in letters.items():
        for x, y in curves[name]:
            row = grid[round(HIGH * (top - math.log10(y)) / (top - bottom))]
            here = step * (x - low)
            row[row.index(" ", here)] = letter
    lines = []
    marks = {round(HIGH * (top - power) / (top - bottom)): power for power in range(bottom, top + 1)}
    for number, row in enumerate(grid):
        power = marks.get(number)
        label = "" if power is None else f"10^{power}" if power > 3 else f"{10**power:,}"
        lines.append(f"{label:>{GUTTER - 1}} {upright}{''.join(row)}".rstrip())
    lines.append(" " * GUTTER + corner + across * (step * (high - low) + 1))
    ticks = "".join(f"{x:<{step}}" if step > len(str(x)) else f"{x % 10}" for x in range(low, high + 1))
    lines.append(" " * (GUTTER + 1) + ticks.rstrip())
    lines += [f"{letter}  {name}" for name, letter in letters.items()]
    return "\n".join(lines)


def bars(rows: Sequence[tuple[str, float]], width: int, unicode: bool = True) -> list[str]:
    """A line for each name and its figure, 0 or more, with a bar from 0."""
    most = max([figure for _, figure in rows], default=0.0)
    places = 0 if all(float(figure).is_integer() for _, figure in rows) else 1
    figures = [f"{figure:,.{places}f}" for _, figure in rows]
    left, middle = max(len(name) for name, _ in rows), max(map(len, figures))
    room = max(8, width - left - middle - 4)
    sign = "█" if unicode else "#"
    return [
        f"{name:>{left}}  {label:>{middle}}  {sign * round(room * figure / most if most else 0)}".rstrip()
        for (name, figure), label in zip(rows, figures, strict=True)
    ]
