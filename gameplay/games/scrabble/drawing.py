"""Scrabble drawings: the board, visible racks, and the bag."""

from collections.abc import Sequence

from gameplay.board import Board, Tray
from gameplay.games.scrabble.layout import SIDE
from gameplay.games.scrabble.tiles import KINDS, POINTS, PREMIUMS, letter

VALUES = dict(zip(KINDS[1:], POINTS[1:], strict=True))  # a blank has no value


def rack(tiles: bytes) -> tuple[str, ...]:
    """Tiles as letters for a drawing, where `BACK` is a face-down tile."""
    return tuple([KINDS[tile] if tile else "_" for tile in tiles])


def board(
    cells: bytes, new_cells: Sequence[int], scores: Sequence[int], trays: Sequence[Tray], bag_size: int
) -> Board:
    """The board to draw, with the last play marked, and the racks in `trays`."""
    return Board(
        cells=tuple(
            tuple(letter(cells[SIDE * row + x]) if cells[SIDE * row + x] else "" for x in range(SIDE))
            for row in range(SIDE)
        ),
        columns=tuple("ABCDEFGHIJKLMNO"),
        rows=tuple(map(str, range(1, SIDE + 1))),
        last=tuple(divmod(cell, SIDE) for cell in new_cells),
        ground="tiles",
        glyphs={"_": "?"},
        values=VALUES,
        inlays={divmod(cell, SIDE): sign for cell, sign in enumerate(PREMIUMS) if sign != " "},
        notes={player: f"{score}" for player, score in enumerate(scores)},
        trays=(*trays, Tray("bag", (str(bag_size),))),
    )


def text(cells: bytes) -> list[str]:
    """The board as plain text, one line per row."""
    signs = [
        letter(tile) if tile else sign.replace(" ", ".") for tile, sign in zip(cells, PREMIUMS, strict=True)
    ]
    lines = ["   A B C D E F G H I J K L M N O"]
    return lines + [f"{row + 1:>2} {' '.join(signs[SIDE * row : SIDE * row + SIDE])}" for row in range(SIDE)]
