"""Random graphs with cycles, and a full search of them."""

import random
from collections.abc import Iterator
from typing import Any

from gameplay.position import Position
from gameplay.value import WIN, is_win


def minimax_value(position: Any, values: dict[Any, int]) -> int:
    """The mover's value by full search: a win in n plies in the scale of `value`, or the payoff."""
    payoffs = position.outcome()
    if payoffs is not None:
        mine = payoffs[position.turn]
        return mine * position.unit if position.scored else WIN * ((mine > 0) - (mine < 0))
    key = position.key()
    if key not in values:
        mover, best = position.turn, -2 * WIN
        for move in position.moves():
            position.make(move)
            value = minimax_value(position, values)
            best = max(best, value if position.turn == mover else -value)
            position.unmake()
        values[key] = best - 1 if is_win(best) and best > 0 else best + 1 if is_win(best) else best
    return values[key]


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


class Graph(Position):
    """A graph: the player at a node chooses the next edge. Cycles are possible."""

    def __init__(self, ways: list[list[int]], owners: list[int], ends: dict[int, int]) -> None:
        super().__init__()
        self.ways, self.owners, self.ends = ways, owners, ends
        self.at = 0
        self.been: list[int] = []
        self.turn = owners[0]

    def moves(self) -> list[int]:
        return self.ways[self.at]

    def make(self, move: int) -> None:
        self.been.append(self.at)
        self.at = move
        self.turn = self.owners[move]

    def unmake(self) -> None:
        self.at = self.been.pop()
        self.turn = self.owners[self.at]

    def outcome(self) -> tuple[int, int] | None:
        return (self.ends[self.at], -self.ends[self.at]) if self.at in self.ends else None

    def key(self) -> int:
        return self.at

    def text(self) -> str:
        return f"{self.at} of {self.ways}, {self.owners}, {self.ends}"

    def wins(self, player: int) -> set[int]:
        """The nodes where the player can force a win, by retrograde analysis."""
        results = {at for at, payoff in self.ends.items() if payoff == (1, -1)[player]}
        while True:
            more = {
                at
                for at, ways in enumerate(self.ways)
                if at not in results
                and at not in self.ends
                and (any if self.owners[at] == player else all)(way in results for way in ways)
            }
            if not more:
                return results
            results |= more


def graphs(count: int, size: int) -> Iterator[Graph]:
    for seed in range(count):
        rng = random.Random(seed)
        ends = {at: rng.choice((-1, 0, 1)) for at in range(1, size) if rng.random() < 0.25}
        ways = [sorted(rng.sample(range(size), rng.randint(1, 3))) for _ in range(size)]
        yield Graph(ways, [rng.randrange(2) for _ in range(size)], ends)
