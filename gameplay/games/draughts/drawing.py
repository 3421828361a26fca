"""How draughts is drawn: black at the top, the squares with their numbers or with letters at the edges."""

from collections.abc import Mapping, Sequence

from gameplay.board import Board, Cell
from gameplay.games.draughts.notation import Pieces
from gameplay.games.draughts.variants import Variant


def drawing(
    rules: Variant,
    pieces: Pieces,
    paths: Mapping[int, Sequence[int]],
    last: Sequence[int],
    taken: dict[int, str],
) -> Board:
    """The drawing of a position.

    `paths`: each legal move with the squares that it touches; `last`: those of the move before it, to be
    marked; `taken`: by player, the letters of the pieces they captured.
    """
    white, black, kings = pieces
    moves: dict[Cell, list[int]] = {}
    for move, path in paths.items():
        moves.setdefault(rules.cell(path[0]), []).append(move)
    size = rules.size
    cells = [[""] * size for _ in range(size)]
    for square in range(1, rules.squares + 1):
        row, column = rules.cell(square)
        cells[row][column] = letter(rules, pieces, square)
    half = size // 2
    numbers = tuple([f"{first}-{first + half - 1}" for first in range(1, rules.squares + 1, half)])
    return Board(
        cells=tuple([tuple(row) for row in cells]),
        columns=tuple("abcdefgh") if rules.letters else ("",) * size,
        rows=tuple([str(size - row) for row in range(size)]) if rules.letters else numbers,
        owners={"w": 0, "W": 0, "b": 1, "B": 1},
        last=(rules.cell(last[0]), rules.cell(last[-1])) if last else (),
        moves={at: tuple(found) for at, found in moves.items()},
        paths={move: tuple([rules.cell(square) for square in path[1:]]) for move, path in paths.items()},
        names={rules.cell(square): rules.called(square) for square in range(1, rules.squares + 1)},
        ground="chequered",
        white=0,
        glyphs={"b": "●", "B": "♚", "w": "○", "W": "♔"},
        taken=taken,
        notes={0: strength(white, kings), 1: strength(black, kings)},
    )


def letter(rules: Variant, pieces: Pieces, square: int) -> str:
    """The piece on a square, from 1: w, b, W, B or nothing."""
    white, black, kings = [bits >> rules.bit(square) & 1 for bits in pieces]
    name = "w" if white else "b" if black else ""
    return name.upper() if kings else name


def captured(positions: Sequence[Pieces], turn: int) -> dict[int, str]:
    """By player, the letters of the pieces they captured, kings first; `turn` moves in the last position."""
    taken = {0: "", 1: ""}
    for number in range(len(positions) - 1):
        (white, black, kings), after = positions[number], positions[number + 1]
        mover = (turn + len(positions) - 1 - number) & 1
        gone = white & ~after[0] if mover else black & ~after[1]
        taken[mover] += "wb"[1 - mover] * (gone & ~kings).bit_count()
        taken[mover] += "WB"[1 - mover] * (gone & kings).bit_count()
    return {player: "".join(sorted(letters)) for player, letters in taken.items()}


def strength(pieces: int, kings: int) -> str:
    """`19 men, 1 king`: the number of both."""
    men, crowned = (pieces & ~kings).bit_count(), (pieces & kings).bit_count()
    words = [f"{men} {'man' if men == 1 else 'men'}"] if men or not crowned else []
    return ", ".join(words + [f"{crowned} king{'s' if crowned > 1 else ''}"] * (crowned > 0))
