"""Pieces drawn over several characters, in half blocks: a character is two pixels, one above the other.

Discs, crosses and rings are computed for any size; chessmen are drawn by hand (`chessmen`).
"""

from gameplay.display.board import chessmen

BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def piece(sign: str, width: int, height: int) -> list[str]:
    """The lines of a sign in a cell of so many characters and lines; none where there is no drawing of it."""
    if sign in "●○XO":
        high = 2 * height - (2 if sign in "●○" else 0)
        return _lines(_shape(sign, width - (2 if width < 9 else 4), high), width, height)
    dots = chessmen.dots(sign, height)
    return _lines(dots, width, height) if dots and len(dots[0]) + 2 <= width else []


def checker(sign: str, width: int, height: int) -> list[str]:
    """The lines of a disc or a ring that lies on others: they touch but for half a line."""
    return _lines(_shape(sign, width - 2, 2 * height - 1), width, height)


def _shape(sign: str, width: int, height: int) -> list[list[bool]]:
    """A disc, a ring or a cross that fills so many pixels."""
    across, down = (width - 1) / 2, (height - 1) / 2

    def within(x: int, y: int, less: float) -> bool:
        """Inside the ellipse that is so much smaller than the one that fills all."""
        a, b = across + 0.5 - 1.25 * less, down + 0.5 - less
        return a > 0 and b > 0 and ((x - across) / a) ** 2 + ((y - down) / b) ** 2 <= 1

    def on(x: int, y: int) -> bool:
        if sign == "X":
            slope = across / down
            return min(abs(x - across - slope * (y - down)), abs(x - across + slope * (y - down))) < 0.8
        return within(x, y, 0) and (sign == "●" or not within(x, y, 1))

    return [[on(x, y) for x in range(width)] for y in range(height)]


def _lines(dots: list[list[bool]], width: int, height: int) -> list[str]:
    """Pixels as half blocks, in the middle of the cell."""
    wide = len(dots[0])
    left, top = (width - wide) // 2, (2 * height - len(dots)) // 2
    blank = [False] * width
    rows = [blank] * top + [[False] * left + row + [False] * (width - wide - left) for row in dots]
    rows += [blank] * (2 * height - len(rows))
    return [
        "".join(BLOCKS[above, below] for above, below in zip(rows[2 * line], rows[2 * line + 1], strict=True))
        for line in range(height)
    ]
