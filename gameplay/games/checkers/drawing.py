"""How checkers is drawn: black at the top, the squares with their numbers."""

from collections.abc import Sequence

from gameplay.board import Board, Cell
from gameplay.games.checkers.notation import bit_of, squares_of

# Black, white and kings of a position, as bits.
Pieces = tuple[int, int, int]


def cell(square: int) -> Cell:
    """The row from the top and the column from the left of a square, from 1."""
    row, column = divmod(square - 1, 4)
    return row, 2 * column + 1 - row % 2


def drawing(pieces: Pieces, legal: Sequence[int], last: int | None, taken: dict[int, str]) -> Board:
    """The drawing of a position with these legal moves; `last`: the move before it, to be marked."""
    black, white, kings = pieces
    moves: dict[Cell, list[int]] = {}
    for move in legal:
        moves.setdefault(cell(squares_of(move)[0]), []).append(move)
    cells = [[""] * 8 for _ in range(8)]
    for square in range(1, 33):
        row, column = cell(square)
        cells[row][column] = letter(pieces, square)
    ends = squares_of(last) if last is not None else []
    return Board(
        cells=tuple([tuple(row) for row in cells]),
        columns=("",) * 8,
        rows=tuple([f"{first}-{first + 3}" for first in range(1, 33, 4)]),
        owners={"b": 0, "B": 0, "w": 1, "W": 1},
        last=(cell(ends[0]), cell(ends[-1])) if ends else (),
        moves={at: tuple(found) for at, found in moves.items()},
        paths={move: tuple([cell(square) for square in squares_of(move)[1:]]) for move in legal},
        names={cell(square): str(square) for square in range(1, 33)},
        ground="chequered",
        white=1,
        glyphs={"b": "●", "B": "♚", "w": "○", "W": "♔"},
        taken=taken,
        notes={0: strength(black, kings), 1: strength(white, kings)},
    )


def letter(pieces: Pieces, square: int) -> str:
    """The piece on a square, from 1: b, w, B, W or nothing."""
    black, white, kings = [bits >> bit_of(square) & 1 for bits in pieces]
    name = "b" if black else "w" if white else ""
    return name.upper() if kings else name


def captured(positions: Sequence[Pieces], turn: int) -> dict[int, str]:
    """By player, the letters of the pieces they took, kings first; `turn` moves in the last position."""
    taken = {0: "", 1: ""}
    for number in range(len(positions) - 1):
        (black, white, kings), after = positions[number], positions[number + 1]
        mover = (turn + len(positions) - 1 - number) & 1
        gone = black & ~after[0] if mover else white & ~after[1]
        taken[mover] += "bw"[1 - mover] * (gone & ~kings).bit_count()
        taken[mover] += "BW"[1 - mover] * (gone & kings).bit_count()
    return {player: "".join(sorted(letters)) for player, letters in taken.items()}


def strength(pieces: int, kings: int) -> str:
    """`9 men, 1 king`: the number of both."""
    men, crowned = (pieces & ~kings).bit_count(), (pieces & kings).bit_count()
    words = [f"{men} {'man' if men == 1 else 'men'}"] if men or not crowned else []
    return ", ".join(words + [f"{crowned} king{'s' if crowned > 1 else ''}"] * (crowned > 0))
