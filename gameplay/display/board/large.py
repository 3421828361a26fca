"""Pieces drawn over several characters, in half blocks: a character is two pixels, one above the other.

Discs, crosses and rings are computed for any size; chessmen are drawn by hand (`chessmen`).
"""

from gameplay.display.board import chessmen

BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def piece(sign: str, width: int, height: int) -> list[str]:
    """The lines of a sign drawn in a cell; empty if there is no drawing."""
    if sign in "●○XO":
        pixel_height = 2 * height - (2 if sign in "●○" else 0)
        return _lines(_shape(sign, width - (2 if width < 9 else 4), pixel_height), width, height)
    pixels = chessmen.pixels(sign, height)
    return _lines(pixels, width, height) if pixels and len(pixels[0]) + 2 <= width else []


def checker(sign: str, width: int, height: int) -> list[str]:
    """The lines of a disc or ring in a stack; adjacent ones are half a line apart."""
    return _lines(_shape(sign, width - 2, 2 * height - 1), width, height)


def _shape(sign: str, width: int, height: int) -> list[list[bool]]:
    """The pixels of a disc, ring or cross."""
    across, down = (width - 1) / 2, (height - 1) / 2

    def within(x: int, y: int, inset: float) -> bool:
        """True inside the ellipse that is smaller by `inset` pixels."""
        a, b = across + 0.5 - 1.25 * inset, down + 0.5 - inset
        return a > 0 and b > 0 and ((x - across) / a) ** 2 + ((y - down) / b) ** 2 <= 1

    def on(x: int, y: int) -> bool:
        if sign == "X":
            slope = across / down
            return min(abs(x - across - slope * (y - down)), abs(x - across + slope * (y - down))) < 0.8
        return within(x, y, 0) and (sign == "●" or not within(x, y, 1))

    return [[on(x, y) for x in range(width)] for y in range(height)]


def _lines(pixels: list[list[bool]], width: int, height: int) -> list[str]:
    """Convert pixels to half blocks, centred in the cell."""
    wide = len(pixels[0])
    left, top = (width - wide) // 2, (2 * height - len(pixels)) // 2
    blank = [False] * width
    rows = [blank] * top + [[False] * left + row + [False] * (width - wide - left) for row in pixels]
    rows += [blank] * (2 * height - len(rows))
    return [
        "".join(BLOCKS[above, below] for above, below in zip(rows[2 * line], rows[2 * line + 1], strict=True))
        for line in range(height)
    ]
