"""Drawing of draughts boards: black at the top, square numbers or letters at the edges."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gameplay.board import Board, Cell
from gameplay.games.shared.draughts.fen import Pieces
from gameplay.games.shared.draughts.variant import Variant
from gameplay.plural import plural


def draw(
    rules: Variant,
    pieces: Pieces,
    paths: Mapping[int, Sequence[int]],
    last: Sequence[int],
    taken: dict[int, str],
) -> Board:
    """The drawing of a position.

    `paths`: the squares of each legal move; `last`: the squares of the last move, to be marked; `taken`: by
    player, the letters of the pieces they captured.
    """
    black, white, kings = pieces
    moves: dict[Cell, list[int]] = {}
    for move, path in paths.items():
        moves.setdefault(rules.cell(path[0]), []).append(move)
    size, half = rules.size, rules.size // 2
    squares = range(1, rules.squares + 1)
    cells = [[""] * size for _ in range(size)]
    for square in squares:
        row, column = rules.cell(square)
        cells[row][column] = letter(rules, pieces, square)
    numbers = tuple([f"{first}-{first + half - 1}" for first in squares[::half]])
    notes = {"black": format_counts(black, kings), "white": format_counts(white, kings)}
    return Board(
        cells=tuple([tuple(row) for row in cells]),
        columns=tuple("abcdefgh") if rules.letters else ("",) * size,
        rows=tuple([str(size - row) for row in range(size)]) if rules.letters else numbers,
        owners={
            name: player for player, side in enumerate(rules.sides) for name in (side[0], side[0].upper())
        },
        last=(rules.cell(last[0]), rules.cell(last[-1])) if last else (),
        moves={at: tuple(options) for at, options in moves.items()},
        paths={move: tuple([rules.cell(square) for square in path[1:]]) for move, path in paths.items()},
        names={rules.cell(square): rules.square_name(square) for square in squares},
        ground="chequered",
        white=rules.sides.index("white"),
        glyphs={"b": "●", "B": "♚", "w": "○", "W": "♔"},
        taken=taken,
        notes={player: notes[side] for player, side in enumerate(rules.sides)},
    )


def letter(rules: Variant, pieces: Pieces, square: int) -> str:
    """The piece on a square, from 1: b, w, B, W or nothing."""
    black, white, kings = [bits >> rules.bit(square) & 1 for bits in pieces]
    name = "b" if black else "w" if white else ""
    return name.upper() if kings else name


def captured_letters(rules: Variant, positions: Sequence[Pieces], turn: int) -> dict[int, str]:
    """By player, the letters of the pieces they captured, kings first; `turn` moves in the last position."""
    taken = {0: "", 1: ""}
    mover = (turn + len(positions) - 1) & 1
    for before, after in pairwise(positions):
        loser = rules.sides[1 - mover]
        side = ("black", "white").index(loser)
        captured = before[side] & ~after[side]
        taken[mover] += loser[0] * (captured & ~before[2]).bit_count()
        taken[mover] += loser[0].upper() * (captured & before[2]).bit_count()
        mover = 1 - mover
    return {player: "".join(sorted(letters)) for player, letters in taken.items()}


def format_counts(pieces: int, kings: int) -> str:
    """The numbers of men and kings: `19 men, 1 king`."""
    men, crowned = (pieces & ~kings).bit_count(), (pieces & kings).bit_count()
    words = [plural(men, "man", "men")] if men or not crowned else []
    return ", ".join(words + [plural(crowned, "king")] * (crowned > 0))
