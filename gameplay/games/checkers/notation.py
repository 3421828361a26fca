"""Moves and positions of checkers in PDN: `11-15`, `22x15x8`, and the FEN `B:W18,24,K10:B12,K22`."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gameplay.errors import BadInput, IllegalMove, illegal

SIDES = ("black", "white")
PATIENCE = 80  # plies without progress that make a draw
EXAMPLE = "B:W18,24,K10:B12,K22"
STEPS = (4, 5, -4, -5)  # bits from a square to its neighbours, by direction


def bit_of(square: int) -> int:
    """The bit of a square, from 1; see board.py."""
    return square - 1 + (square - 1) // 8


def squares_of(move: int) -> list[int]:
    """The squares, from 1, that a move touches: where it begins, lands, and lands again."""
    square, path, slide = (move & 31) + 1, move >> 5, move < 128
    bit = bit_of(square)
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
    """Where a move begins and ends, and the squares that it jumps over, in their order by number."""
    path = squares_of(move)
    bits = [bit_of(square) for square in path]
    over = [(first + second) // 2 for first, second in pairwise(bits)] if move >= 128 else []
    return path[0], path[-1], tuple(sorted(bit - bit // 9 + 1 for bit in over))


def written(move: int) -> str:
    """A move in PDN's squares: `11-15`, `22x15`, `22x15x8`."""
    return ("-" if move < 128 else "x").join([str(square) for square in squares_of(move)])


def parsed(text: str, legal: list[int], pieces: tuple[int, int, int], turn: int) -> int:
    """The legal move that `text` names: every square, or its ends where they are enough.

    `pieces`: black, white and kings, as bits; `turn`: 0 if black is to move, else 1. Raises IllegalMove.
    """
    word = text.strip().lower()
    moves = {written(move): move for move in legal}
    if word in moves:
        return moves[word]
    if not moves:
        raise IllegalMove(f"'{text.strip()}': {SIDES[turn]} has no move; the game is over")
    if not re.fullmatch("[0-9]{1,4}([-x][0-9]{1,4})+", word):
        raise IllegalMove(f"'{text.strip()}' is not a move; a move is two squares, as {next(iter(moves))}")
    given = [int(number) for number in re.split("[-x]", word)]
    for square in given:
        if not 1 <= square <= 32:
            raise IllegalMove(f"'{word}': there is no square {square}; they go from 1 to 32")
    paths = {name: squares_of(move) for name, move in moves.items()}
    whole = [name for name, path in paths.items() if path == given]
    ends = [name for name, path in paths.items() if [path[0], path[-1]] == given]
    jump, sign = "x" in next(iter(moves)), "x" in word
    if (whole or ends) and sign != jump:
        why = "takes a piece" if jump else "takes nothing"
        raise IllegalMove(f"'{word}' {why}: write {(whole or ends)[0]}")
    if len(ends) == 1:
        return moves[ends[0]]
    if ends:
        raise IllegalMove(f"'{word}' can go more than one way: {', '.join(sorted(ends))}")
    longer = [name for name, path in paths.items() if path[: len(given)] == given]
    if longer:
        raise IllegalMove(f"'{word}' has to jump on: {', '.join(sorted(longer))}")
    why = _not_there(given, pieces, turn) or (
        "jumps are mandatory" if jump else _no_step(given, pieces, turn)
    )
    raise illegal(word, sorted(moves, key=paths.__getitem__), why)


def _not_there(given: Sequence[int], pieces: tuple[int, int, int], turn: int) -> str:
    """Why no piece of the side to move can go from the first of these squares to the others; "" if it can."""
    black, white, _ = pieces
    own, other = (white, black) if turn else (black, white)
    if other >> bit_of(given[0]) & 1:
        return f"the piece on {given[0]} is {SIDES[1 - turn]}'s"
    if not own >> bit_of(given[0]) & 1:
        return f"there is no piece on {given[0]}"
    occupied = [square for square in given[1:] if (black | white) >> bit_of(square) & 1]
    return f"square {occupied[0]} is occupied" if occupied else ""


def _no_step(given: Sequence[int], pieces: tuple[int, int, int], turn: int) -> str:
    """Why a piece cannot go from the first of these squares to the next, where no jump is possible."""
    start, end = bit_of(given[0]), bit_of(given[1])
    forward = STEPS[2:] if turn else STEPS[:2]
    if end - start not in STEPS:
        jumps = [step for step in STEPS if end - start == 2 * step]
        over = f"; there is no piece of {SIDES[1 - turn]} to jump over" if jumps else ""
        return f"a piece goes one square diagonally{over}"
    back = end - start not in forward and not pieces[2] >> start & 1
    return "a man does not go back; a king does" if back else ""


def fen(black: int, white: int, kings: int, turn: int, clock: int = 0) -> str:
    """A PDN FEN; `clock`, the plies without progress, only if there are any."""

    def listed(pieces: int) -> str:
        bits = [bit for bit in range(35) if pieces >> bit & 1]
        return ",".join([f"{'K' if kings >> bit & 1 else ''}{bit - bit // 9 + 1}" for bit in bits])

    return f"{'BW'[turn]}:W{listed(white)}:B{listed(black)}" + (f":H{clock}" if clock else "")


def read_fen(text: str) -> tuple[int, int, int, int, int]:
    """Black, white, kings, turn and clock of a PDN FEN. Raises BadInput saying what is wrong in it."""
    turn, *fields = text.strip("\"'").rstrip(".").split(":")
    if turn.upper() not in ("B", "W"):
        raise BadInput(f"'{text}': a FEN begins with the side to move, B or W, not '{turn}' ({EXAMPLE})")
    pieces: dict[str, int] = {}
    kings = clock = 0
    for field in fields:
        colour, squares = field[:1].upper(), field[1:]
        if re.fullmatch("[HF][0-9]{1,4}", field.upper()):  # F: the number of the move, which is ignored
            clock = int(squares) if colour == "H" else clock
            continue
        if colour not in ("B", "W"):
            raise BadInput(f"'{text}': a list of pieces begins with B or W, not '{field}' ({EXAMPLE})")
        if colour in pieces:
            raise BadInput(f"'{text}': {field[0]} has two lists of pieces; it has one ({EXAMPLE})")
        pieces[colour] = 0
        for word in filter(None, squares.split(",")):
            crowned, first, last = numbers(text, word)
            for square in range(first, last + 1):
                bit = 1 << bit_of(square)
                if any(bit & other for other in pieces.values()):
                    raise BadInput(f"'{text}': square {square} is given twice")
                if not crowned and (square > 28 if colour == "B" else square < 5):
                    raise BadInput(f"'{text}': a man on square {square} would be a king: write K{square}")
                pieces[colour] |= bit
                kings |= bit if crowned else 0
        if pieces[colour].bit_count() > 12:
            raise BadInput(f"'{text}': {field[0]} has {pieces[colour].bit_count()} pieces; 12 are the most")
    if len(pieces) < 2:
        missing = "W" if "B" in pieces else "B"
        raise BadInput(f"'{text}': the list of {missing}'s pieces is missing ({EXAMPLE})")
    if not any(pieces.values()):
        raise BadInput(f"'{text}': there is no piece on the board")
    if clock >= PATIENCE:
        raise BadInput(f"'{text}': after {clock} plies without progress the game is over; H is less than 80")
    return pieces["B"], pieces["W"], kings, "BW".index(turn.upper()), clock


def numbers(text: str, word: str) -> tuple[bool, int, int]:
    """Whether a word in a list of pieces names kings, and its first and last square: `K1-4`."""
    match = re.fullmatch(r"(K?)(.*?)(?:-(.*))?", word, re.IGNORECASE)
    assert match is not None
    crowned, first, last = match.groups()
    for number in (first, first if last is None else last):
        if not re.fullmatch("[0-9]{1,4}", number) or not 1 <= int(number) <= 32:
            raise BadInput(f"'{text}': '{word}' is not a square from 1 to 32, K before it for a king")
    if last is not None and int(last) < int(first):
        raise BadInput(f"'{text}': the squares '{word}' should go up")
    return bool(crowned), int(first), int(last or first)
