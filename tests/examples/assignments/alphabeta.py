"""A correct solution of the assignment alphabeta."""

from gameplay import Report
from gameplay.value import INF, delay, terminal_value


def choose(position, limit):
    value, move = alphabeta(position, limit.depth, 0, -INF, INF)
    return Report(move=move, value=value)


def alphabeta(position, depth, ply, alpha, beta):
    if position.outcome() is not None:
        return delay(terminal_value(position), ply), None
    if depth == 0:
        return position.evaluate(), None
    mover, best, choice = position.turn, -INF, None
    for move in position.moves():
        position.make(move)
        if position.turn == mover:
            value, _ = alphabeta(position, depth - 1, ply + 1, alpha, beta)
        else:
            value, _ = alphabeta(position, depth - 1, ply + 1, -beta, -alpha)
            value = -value
        position.unmake()
        if value > best:
            best, choice = value, move
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, choice
