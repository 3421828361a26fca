"""Checkers moves in PDN: `11-15`, `22x15x8`, and the facts of the game."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gameplay.errors import IllegalMove, illegal
from gameplay.games.shared.draughts.variant import Variant

ENGLISH = Variant(
    name="english",
    size=8,
    men=12,
    majority=False,
    passing=False,
    letters=False,
    draw_plies=80,
    pdn="21,B,8,8,N1,0",
    example="B:W18,24,K10:B12,K22",
    sides=("black", "white"),
    idle="without progress",
    stride=9,
)
SIDES = ENGLISH.sides
STEPS = (4, 5, -4, -5)  # bits from a square to its neighbours, by direction


def squares_of(move: int) -> list[int]:
    """The squares of a move, from 1: the start and each landing square."""
    square, path, slide = (move & 31) + 1, move >> 5, move < 128
    bit = ENGLISH.bit(square)
    if slide:
        bit += STEPS[path]
        return [square, bit - bit // 9 + 1]
    squares = [square]
    while path > 1:
        bit += 2 * STEPS[path & 3]
        squares.append(bit - bit // 9 + 1)
        path >>= 2
    return squares


def route(move: int) -> tuple[int, int, tuple[int, ...]]:
    """The start, the end, and the squares jumped over, sorted by number."""
    path = squares_of(move)
    bits = [ENGLISH.bit(square) for square in path]
    over = [(first + second) // 2 for first, second in pairwise(bits)] if move >= 128 else []
    return path[0], path[-1], tuple(sorted(bit - bit // 9 + 1 for bit in over))


def format_move(move: int) -> str:
    """A move in PDN: `11-15`, `22x15`, `22x15x8`."""
    return ("-" if move < 128 else "x").join([str(square) for square in squares_of(move)])


def parse_move(text: str, legal: list[int], pieces: tuple[int, int, int], turn: int) -> int:
    """The legal move that `text` names: all its squares, or its ends if they are unambiguous.

    `pieces`: black, white and kings, as bits; `turn`: 0 if black is to move, else 1. Raises IllegalMove.
    """
    word = text.strip().lower()
    moves = {format_move(move): move for move in legal}
    if word in moves:
        return moves[word]
    if not moves:
        raise IllegalMove(f"'{text.strip()}': {SIDES[turn]} has no move; the game is over")
    if not re.fullmatch("[0-9]{1,4}([-x][0-9]{1,4})+", word):
        raise IllegalMove(
            f"'{text.strip()}' is not a move; a move is two squares, such as {next(iter(moves))}"
        )
    squares = [int(number) for number in re.split("[-x]", word)]
    for square in squares:
        if not 1 <= square <= 32:
            raise IllegalMove(f"'{word}': there is no square {square}; they go from 1 to 32")
    paths = {name: squares_of(move) for name, move in moves.items()}
    full_paths = [name for name, path in paths.items() if path == squares]
    ends = [name for name, path in paths.items() if [path[0], path[-1]] == squares]
    jump, sign = "x" in next(iter(moves)), "x" in word
    if (full_paths or ends) and sign != jump:
        why = "captures a piece" if jump else "captures nothing"
        raise IllegalMove(f"'{word}' {why}: write {(full_paths or ends)[0]}")
    if len(ends) == 1:
        return moves[ends[0]]
    if ends:
        raise IllegalMove(f"'{word}' is ambiguous: {', '.join(sorted(ends))}")
    longer = [name for name, path in paths.items() if path[: len(squares)] == squares]
    if longer:
        raise IllegalMove(f"'{word}' must continue jumping: {', '.join(sorted(longer))}")
    why = _blocked_reason(squares, pieces, turn) or (
        "jumps are mandatory" if jump else _why_no_step(squares, pieces, turn)
    )
    raise illegal(word, sorted(moves, key=paths.__getitem__), why)


def _blocked_reason(given: Sequence[int], pieces: tuple[int, int, int], turn: int) -> str:
    """Why no own piece can go from the first of these squares to the others; "" if one can."""
    black, white, _ = pieces
    own, other = (white, black) if turn else (black, white)
    if other >> ENGLISH.bit(given[0]) & 1:
        return f"the piece on {given[0]} is {SIDES[1 - turn]}'s"
    if not own >> ENGLISH.bit(given[0]) & 1:
        return f"there is no piece on {given[0]}"
    occupied = [square for square in given[1:] if (black | white) >> ENGLISH.bit(square) & 1]
    return f"square {occupied[0]} is occupied" if occupied else ""


def _why_no_step(given: Sequence[int], pieces: tuple[int, int, int], turn: int) -> str:
    """Why a piece cannot step from the first of these squares to the next, if no jump is possible."""
    start, end = ENGLISH.bit(given[0]), ENGLISH.bit(given[1])
    forward = STEPS[2:] if turn else STEPS[:2]
    if end - start not in STEPS:
        jumps = [step for step in STEPS if end - start == 2 * step]
        over = f"; there is no piece of {SIDES[1 - turn]} to jump over" if jumps else ""
        return f"a piece moves one square diagonally{over}"
    back = end - start not in forward and not pieces[2] >> start & 1
    return "men do not move backwards; kings do" if back else ""
