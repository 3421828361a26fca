"""A correct solution of the assignment ordering, with fail-hard alpha-beta."""

from gameplay import Report
from gameplay.value import INF, delay, terminal_value


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
        value = terminal_value(position) if position.outcome() is not None else position.evaluate()
        promise[move] = value if position.turn == mover else -value
        position.unmake()
    return sorted(moves, key=promise.get, reverse=True)


def alphabeta(position, depth, ply, alpha, beta):
    if position.outcome() is not None:
        return delay(terminal_value(position), ply), None
    if depth == 0:
        return position.evaluate(), None
    mover, choice = position.turn, None
    for move in ordered(position, depth):
        position.make(move)
        sign, window = (1, (alpha, beta)) if position.turn == mover else (-1, (-beta, -alpha))
        value = sign * alphabeta(position, depth - 1, ply + 1, *window)[0]
        position.unmake()
        if value > alpha:
            alpha, choice = value, move
        if alpha >= beta:
            break
    return alpha, choice
