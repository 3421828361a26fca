"""The Scrabble board with its premium squares, the tiles, and their letters.

cell   15 * row + column, from the upper left; a tile on it is 1 to 26, a blank 32 more
"""

from collections.abc import Iterable

from gameplay.games.scrabble.layout import BLANK, SIDE

KINDS = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TILES = (2, 9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)
POINTS = (0, 1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10)
# A quarter of the board with its middle lines: = and - triple and double word, " and ' letter.
QUARTER = (
    "=  '   =",
    ' -   "  ',
    "  -   ' ",
    "'  -   '",
    "    -   ",
    ' "   "  ',
    "  '   ' ",
    "=  '   -",
)
PREMIUMS = "".join(row + row[-2::-1] for row in (*QUARTER, *QUARTER[-2::-1]))
LETTER = tuple({'"': 3, "'": 2}.get(sign, 1) for sign in PREMIUMS)
WORD = tuple({"=": 3, "-": 2}.get(sign, 1) for sign in PREMIUMS)


def points(tile: int) -> int:
    """The points of a tile; a blank has none."""
    return 0 if tile & BLANK else POINTS[tile]


def letter(tile: int) -> str:
    """The letter of a tile; lower-case for a blank."""
    return KINDS[tile & 31].lower() if tile & BLANK else KINDS[tile]


def spell(tiles: Iterable[int]) -> str:
    """Tiles as letters, with a dot for none."""
    return "".join("." if not tile else letter(tile) for tile in tiles)


def cell_name(cell: int) -> str:
    """The name of a cell: `8H`."""
    return f"{cell // SIDE + 1}{chr(65 + cell % SIDE)}"
