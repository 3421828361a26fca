"""A correct solution of the assignment quiescence."""

from gameplay import Report
from gameplay.value import INF, delay, terminal_value


def choose(position, limit):
    value, move = search(position, limit.depth)
    return Report(move=move, value=value, depth=limit.depth)


def search(position, depth):
    if position.outcome() is not None:
        return terminal_value(position), None
    if depth == 0:
        return quiesce(position), None
    best, choice = -INF, None
    for move in position.moves():
        mover = position.turn
        position.make(move)
        value, _ = search(position, depth - 1)
        value = delay(value if position.turn == mover else -value)
        position.unmake()
        if value > best:
            best, choice = value, move
    return best, choice


def quiesce(position):
    if position.outcome() is not None:
        return terminal_value(position)
    best = position.evaluate()
    for move in position.noisy():
        mover = position.turn
        position.make(move)
        value = quiesce(position)
        value = delay(value if position.turn == mover else -value)
        position.unmake()
        best = max(best, value)
    return best
