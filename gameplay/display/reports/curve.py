"""The course of a game as text: a bar chart, the first player's advantage above the axis, the second's below.

white ▄█▄
      ███▄▄     ▄
------------------
           ▀██▀
black        ▀
"""

from collections.abc import Sequence

WHOLE, UPPER, LOWER = "█", "▀", "▄"
MAX_NAME = 10  # characters of a side's name


def draw_curve(
    points: Sequence[float | None], sides: Sequence[str], width: int, height: int = 6, unicode: bool = True
) -> list[str]:
    """Draw a curve of values from 0 (bottom) to 1 (top); None repeats the previous value.

    width: maximum columns; a column may represent several values. height: lines without the axis, an even
    number. In ASCII a cell is full or empty, in Unicode also half full.
    """
    names = [name[:MAX_NAME] for name in sides]
    left = max(map(len, names)) + 1
    columns = _columns(points, max(8, width - left - 1))
    half = height // 2
    rows = []
    for row in range(half):
        label = names[0] if row == 0 else ""
        rows.append(
            f"{label:<{left}}"
            + "".join(_cell(column - 0.5, half - 1 - row, half, unicode) for column in columns)
        )
    rows.append(" " * left + ("─" if unicode else "-") * len(columns))
    for row in range(half):
        label = names[1] if row == half - 1 else ""
        cells = (_cell(0.5 - column, row, half, unicode, below=True) for column in columns)
        rows.append(f"{label:<{left}}" + "".join(cells))
    return [row.rstrip() for row in rows]


def _columns(points: Sequence[float | None], width: int) -> list[float]:
    """The value of each column: the last of the values that it represents."""
    shares, last = [], 0.5
    for point in points:
        last = last if point is None else point
        shares.append(last)
    step = max(1, -(-len(shares) // width))
    return [shares[min(first + step, len(shares)) - 1] for first in range(0, len(shares), step)]


def _cell(size: float, row: int, half: int, unicode: bool, below: bool = False) -> str:
    """The cell `row` rows from the axis of a bar of `size`, 0 to 0.5; `half`: rows of half the chart."""
    halves = round(4 * size * half) - 2 * row  # half cells of the bar from this row on
    if not unicode:
        return "#" if halves >= 1 else " "
    return WHOLE if halves >= 2 else (UPPER if below else LOWER) if halves == 1 else " "
