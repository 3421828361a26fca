"""Games of the engine against itself: each position with the move and the value that a short search returned.

A game begins with eight or nine random moves. It is decided when one side is CERTAIN plies in a row ahead by
SURE, and drawn when the values of LEVEL plies in a row are within DULL, or after LONGEST plies.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gameplay import registry
from gameplay.games.chess.evaluation import EVALUATIONS
from gameplay.learning.batches import Each
from gameplay.learning.self_play import random_opening
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.limit import Limit
from gameplay.search.session import SearchSetup, Session
from gameplay.value import MAX_PLY

# Continuation history takes longer to clear than so short a search takes.
ENGINE = "selective:order=hint+killer+countermove+history"
OPENING = 8  # random moves before the first search; nine in every other game
BALANCED = 500  # hundredths of a pawn that an opening may favour a side by
SURE, CERTAIN = 1500, 4
DULL, LEVEL, EARLIEST = 10, 16, 60  # ... and plies before which no game is drawn so
LONGEST = 300


@dataclass(frozen=True)
class LabelledGame:
    """A game from the start position."""

    opening: tuple[int, ...]  # moves that were not searched
    moves: tuple[int, ...]  # what each search chose; the last one is not played
    values: tuple[int, ...]  # what it returned, the mover's view, in hundredths of a pawn
    result: int  # White's: 2 won, 1 drawn, 0 lost


class LabellingPlayer:
    """Plays games, each from a random opening. `nodes`: of a search; `network`: see `LabellingTask`."""

    def __init__(self, seed: int, nodes: int, network: bytes) -> None:
        self.seed = seed
        self.nodes = nodes
        self.evaluation = EVALUATIONS["correction"].weighed(network) if network else EVALUATIONS["classic"]
        self.game = registry.game("chess")
        self.engine = registry.engine(ENGINE)[0]

    def play(self, number: int) -> LabelledGame:
        """The game of this number: the same one each time."""
        rng = random.Random(f"{self.seed}/{number}")
        while True:
            position = self.game.new()
            opening = random_opening(position, OPENING + number % 2, rng)
            session = Session(self.engine)
            session.begin()
            first = self._search(session, position)
            if abs(first[1]) <= BALANCED:
                break
        moves, values = [first[0]], [first[1]]
        ahead = level = 0  # plies in a row that White (less than 0: Black) is far ahead, or neither is
        while True:
            white = values[-1] if position.turn == 0 else -values[-1]
            side = (white >= SURE) - (white <= -SURE)
            ahead = ahead + side if side * ahead > 0 else side
            level = level + 1 if abs(white) <= DULL and len(moves) > EARLIEST else 0
            if abs(ahead) == CERTAIN:
                return self._finished(opening, moves, values, 1 + side)
            if level == LEVEL or len(moves) == LONGEST:
                return self._finished(opening, moves, values, 1)
            position.make(moves[-1])
            payoffs = position.outcome()
            if payoffs is not None:
                won = (payoffs[0] > payoffs[1]) - (payoffs[0] < payoffs[1])
                return self._finished(opening, moves, values, 1 + won)
            move, value = self._search(session, position)
            moves.append(move)
            values.append(value)

    def _finished(self, opening: list[int], moves: list[int], values: list[int], result: int) -> LabelledGame:
        return LabelledGame(tuple(opening), tuple(moves), tuple(values), result)

    def _search(self, session: Session, position: AbstractPosition) -> tuple[int, int]:
        """The move and the value of a search on this thread."""
        position.evaluation = self.evaluation
        control = Control(self.nodes)
        setup = SearchSetup(position, Limit(nodes=self.nodes), control, session.table(self.nodes))
        search = self.engine.searches(setup)[0]
        search.run(MAX_PLY)
        search.check()
        report = search.report()
        assert report.move is not None
        return report.move, int(report.value)


@dataclass(frozen=True)
class LabellingTask:
    """A game to play, for any process."""

    seed: int
    nodes: int
    network: bytes  # the weights of the correction; none: the games are played by `classic`
    number: int


@lru_cache(maxsize=1)
def _player(seed: int, nodes: int, network: bytes) -> LabellingPlayer:
    return LabellingPlayer(seed, nodes, network)


def played(task: LabellingTask) -> LabelledGame:
    """The game of a task."""
    return _player(task.seed, task.nodes, task.network).play(task.number)


@dataclass(eq=False)
class LabelledGames:
    """The games of a run. `each` plays games: `map`, or what spreads them over processes."""

    seed: int
    nodes: int
    each: Each = map

    def play(self, numbers: Iterable[int], network: bytes = b"") -> Iterator[LabelledGame]:
        """The games of these numbers, in this order, played with this network (see `LabellingTask`)."""
        return self.each(played, [LabellingTask(self.seed, self.nodes, network, n) for n in numbers])
