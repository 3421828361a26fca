"""A correct solution of the assignment expectiminimax."""

from gameplay import Report
from gameplay.position import CHANCE


def choose(position, limit):
    me, values = position.turn, {}
    for move in position.moves():
        position.make(move)
        values[move] = expectation(position, limit.depth - 1, me)
        position.unmake()
    move = max(values, key=values.get)
    return Report(move=move, value=values[move], depth=limit.depth)


def expectation(position, depth, me):
    outcome = position.outcome()
    if outcome is not None:
        return float(outcome[me])
    chance = position.turn == CHANCE
    if depth == 0 and not chance:
        return float(position.evaluate_for(me))
    values = []
    for move in position.moves():
        position.make(move)
        values.append(expectation(position, depth if chance else depth - 1, me))
        position.unmake()
    if chance:
        return sum(odds * value for odds, value in zip(position.chances(), values, strict=True))
    return max(values) if position.turn == me else min(values)
