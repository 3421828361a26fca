"""Action numbers of all geometrically possible moves of chess and checkers, for `KeyedActions`."""

from collections.abc import Iterator

BOARD = 0x7FBFDFEFF  # the squares of checkers as bits, see gameplay/games/checkers/board.py
STEPS = (4, 5, -4, -5)  # its directions


def chess_keys() -> dict[int, int]:
    """Map `move & 4095 | (move >> 6) & 0x7000`, the squares and the kind of a move, to its action.

    1,792 lines of a queen or a knight, in the order of their squares: castling goes to the rook's square, and
    a pawn promotes to a queen. Then 44 lines of pawns that promote to a knight, to a bishop, to a rook.
    """
    lines = [start << 6 | to for start in range(64) for to in range(64) if _chess_line(start, to)]
    keys: dict[int, int] = {}
    for how in (0, 4, 5, 6, 7):  # plain, to a queen, castling, en passant, two steps
        keys |= {line | how << 12: action for action, line in enumerate(lines)}
    pawns = [line for line in lines if _promotes(line >> 6, line & 63)]
    for how in (1, 2, 3):
        first = len(lines) + (how - 1) * len(pawns)
        keys |= {line | how << 12: first + number for number, line in enumerate(pawns)}
    return keys


def _chess_line(start: int, to: int) -> bool:
    rows, columns = abs(start // 8 - to // 8), abs(start % 8 - to % 8)
    return start != to and (rows == columns or not rows or not columns or {rows, columns} == {1, 2})


def _promotes(start: int, to: int) -> bool:
    return (start // 8, to // 8) in ((6, 7), (1, 0)) and abs(start % 8 - to % 8) <= 1


def checkers_keys() -> dict[int, int]:
    """Map every slide and every sequence of jumps over distinct squares to its action, in move order."""
    moves = sorted(move for bit in range(35) if BOARD >> bit & 1 for move in _from(bit))
    return {move: action for action, move in enumerate(moves)}


def _from(bit: int) -> Iterator[int]:
    square = bit - bit // 9
    for direction, step in enumerate(STEPS):
        if _on_board(bit + step):
            yield square | direction << 5
    for path in _jumps(bit, frozenset()):
        code = 1 << 2 * len(path)
        for number, direction in enumerate(path):
            code |= direction << 2 * number
        yield square | code << 5


def _jumps(bit: int, taken: frozenset[int]) -> Iterator[tuple[int, ...]]:
    for direction, step in enumerate(STEPS):
        over, to = bit + step, bit + 2 * step
        if _on_board(over) and _on_board(to) and over not in taken and len(taken) < 9:
            yield (direction,)
            for rest in _jumps(to, taken | {over}):
                yield (direction, *rest)


def _on_board(bit: int) -> bool:
    return bit >= 0 and bool(BOARD >> bit & 1)
