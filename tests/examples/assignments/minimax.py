"""A correct solution of the assignment minimax."""

from gameplay import Report
from gameplay.value import delay, terminal_value


def choose(position, limit):
    value, move = minimax(position, limit.depth)
    return Report(move=move, value=value)


def minimax(position, depth):
    if position.outcome() is not None:
        return terminal_value(position), None
    if depth == 0:
        return position.evaluate(), None
    mover, best, choice = position.turn, None, None
    for move in position.moves():
        position.make(move)
        value, _ = minimax(position, depth - 1)
        if position.turn != mover:
            value = -value
        position.unmake()
        value = delay(value)
        if best is None or value > best:
            best, choice = value, move
    return best, choice
