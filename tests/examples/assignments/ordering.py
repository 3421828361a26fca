"""A correct solution of the assignment ordering."""

from gameplay import Report
from gameplay.value import INF, later, terminal


def choose(position, limit):
    value, move = alphabeta(position, limit.depth, 0, -INF, INF)
    return Report(move=move, value=value)


def ordered(position, depth):
    moves = list(position.moves())
    if depth < 2:
        return moves
    promise = {}
    mover = position.turn
    for move in moves:
        position.make(move)
        value = terminal(position) if position.outcome() is not None else position.evaluate()
        promise[move] = value if position.turn == mover else -value
        position.unmake()
    return sorted(moves, key=promise.get, reverse=True)


def alphabeta(position, depth, ply, alpha, beta):
    if position.outcome() is not None:
        return later(terminal(position), ply), None
    if depth == 0:
        return position.evaluate(), None
    mover, best, choice = position.turn, -INF, None
    for move in ordered(position, depth):
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
