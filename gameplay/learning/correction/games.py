"""Self-play games of the engine: each position with the move and the value of a short search.

A game begins with eight or nine random moves. It is won when one side is ahead by WIN_VALUE for WIN_PLIES
plies in a row, and drawn when the values of DRAW_PLIES plies in a row are within DRAW_VALUE, or after
MAX_PLIES plies.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gameplay import registry
from gameplay.learning.batches import Each
from gameplay.learning.self_play import random_opening
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.limit import Limit
from gameplay.search.session import SearchSetup, Session
from gameplay.value import MAX_PLY

# No continuation history: clearing it takes longer than such a short search.
ENGINE = "selective:order=hint+killer+countermove+history,eval=classic"
OPENING = 8  # random moves before the first search; nine in every other game
MAX_OPENING_VALUE = 500  # hundredths of a pawn: openings with a greater value are drawn again
WIN_VALUE, WIN_PLIES = 1500, 4
DRAW_VALUE, DRAW_PLIES = 10, 16
FIRST_DRAW_PLY = 60  # no game is drawn by value before this ply
MAX_PLIES = 300


@dataclass(frozen=True)
class LabelledGame:
    """A game from the start position."""

    opening: tuple[int, ...]  # moves that were not searched
    moves: tuple[int, ...]  # the best move of each search; the last one is not played
    values: tuple[int, ...]  # the value of each search, from the mover's view, in hundredths of a pawn
    result: int  # for White: 2 won, 1 drawn, 0 lost


class LabellingPlayer:
    """Plays games, each from a random opening. `nodes`: of a search."""

    def __init__(self, seed: int, nodes: int) -> None:
        self.seed = seed
        self.nodes = nodes
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
            if abs(first[1]) <= MAX_OPENING_VALUE:
                break
        moves, values = [first[0]], [first[1]]
        winning = drawish = 0  # plies in a row; `winning` is negative for Black
        while True:
            white = values[-1] if position.turn == 0 else -values[-1]
            side = (white >= WIN_VALUE) - (white <= -WIN_VALUE)
            winning = winning + side if side * winning > 0 else side
            drawish = drawish + 1 if abs(white) <= DRAW_VALUE and len(moves) > FIRST_DRAW_PLY else 0
            if abs(winning) == WIN_PLIES:
                return self._label(opening, moves, values, 1 + side)
            if drawish == DRAW_PLIES or len(moves) == MAX_PLIES:
                return self._label(opening, moves, values, 1)
            position.make(moves[-1])
            payoffs = position.outcome()
            if payoffs is not None:
                won = (payoffs[0] > payoffs[1]) - (payoffs[0] < payoffs[1])
                return self._label(opening, moves, values, 1 + won)
            move, value = self._search(session, position)
            moves.append(move)
            values.append(value)

    def _label(self, opening: list[int], moves: list[int], values: list[int], result: int) -> LabelledGame:
        return LabelledGame(tuple(opening), tuple(moves), tuple(values), result)

    def _search(self, session: Session, position: AbstractPosition) -> tuple[int, int]:
        """The move and the value of a search on this thread."""
        position.evaluation = self.engine.evaluation(position)
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
    """A game to play, in any process."""

    seed: int
    nodes: int
    number: int


@lru_cache(maxsize=1)
def _player(seed: int, nodes: int) -> LabellingPlayer:
    return LabellingPlayer(seed, nodes)


def play_task(task: LabellingTask) -> LabelledGame:
    """The game of a task."""
    return _player(task.seed, task.nodes).play(task.number)


@dataclass(eq=False)
class LabelledGames:
    """The games of a run. `each` maps tasks to games: `map`, or a parallel version."""

    seed: int
    nodes: int
    each: Each = map

    def play(self, numbers: Iterable[int]) -> Iterator[LabelledGame]:
        """The games of these numbers, in this order."""
        return self.each(play_task, [LabellingTask(self.seed, self.nodes, number) for number in numbers])
