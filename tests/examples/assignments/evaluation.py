"""A correct solution of the assignment evaluation."""

from gameplay import Report
from gameplay.value import delay, terminal_value

SIDES = "xo"


def choose(position, limit):
    value, move = search(position, limit.depth)
    return Report(move=move, value=value, depth=limit.depth)


def evaluate(position):
    rows = position.text().split("/")
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    lines.append("".join(rows[number][number] for number in range(3)))
    lines.append("".join(rows[number][2 - number] for number in range(3)))
    mine, other = SIDES[position.turn], SIDES[1 - position.turn]
    return sum(other not in line for line in lines) - sum(mine not in line for line in lines)


def search(position, depth):
    if position.outcome() is not None:
        return terminal_value(position), None
    if depth == 0:
        return evaluate(position), None
    values = {}
    for move in position.moves():
        position.make(move)
        values[move] = delay(-search(position, depth - 1)[0])
        position.unmake()
    best = max(values, key=values.get)
    return values[best], best
