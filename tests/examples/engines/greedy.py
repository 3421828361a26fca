"""A custom engine in one file: it takes the best immediate evaluation."""

from dataclasses import dataclass

from gameplay.search.engine import Engine
from gameplay.search.options import option
from gameplay.search.report import Report


@dataclass
class Greedy(Engine):
    """Takes the move after which the mover stands best, and looks no further."""

    players = range(1, 1000)
    chance = general_sum = True
    thinks = False

    backwards: bool = option(False, "look at the moves from the last on")

    def at_once(self, position, limit):
        mover = position.turn
        moves = list(position.moves())[:: -1 if self.backwards else 1]
        worths = {}
        for move in moves:
            position.make(move)
            payoffs = position.outcome()
            worths[move] = 0 if payoffs is None else payoffs[mover]
            position.unmake()
        best = max(worths, key=worths.get)
        return Report(move=best, value=worths[best], pv=(best,), nodes=len(moves))
