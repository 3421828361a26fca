"""Self-play games of the engine: each position with the move and the value of a short search.

A game begins with 10 to 17 moves, about a third of them random, that lead to a balanced position. It is won
when one side is ahead by WIN_VALUE for WIN_PLIES plies in a row, and drawn when the values of DRAW_PLIES
plies in a row are within DRAW_VALUE, or after MAX_PLIES plies.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gameplay import registry
from gameplay.learning.batches import Each
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.limit import Limit
from gameplay.search.session import SearchSetup, Session
from gameplay.value import MAX_PLY

OPENING = range(10, 18)  # plies before the first labelled position
RANDOM_SHARE = 0.35  # of the moves of an opening
MAX_OPENING_VALUE = 150  # hundredths of a pawn: an opening with a greater value is replaced
WIN_VALUE, WIN_PLIES = 1000, 4
DRAW_VALUE, DRAW_PLIES = 10, 12
FIRST_DRAW_PLY = 60  # no game is drawn by value before this ply
MAX_PLIES = 300


@dataclass(frozen=True)
class LabelledGame:
    """A game from the start position."""

    opening: tuple[int, ...]  # its positions are not labelled
    moves: tuple[int, ...]  # the best move of each search; the last one is not played
    values: tuple[int, ...]  # the value of each search, from the mover's view, in hundredths of a pawn
    result: int  # for White: 2 won, 1 drawn, 0 lost


class LabellingPlayer:
    """Plays games, each from its own opening.

    nodes: of a search; evaluation: a name or a file of weights.
    """

    def __init__(self, seed: int, nodes: int, evaluation: str) -> None:
        self.seed = seed
        self.nodes = nodes
        self.game = registry.game("chess")
        self.engine = registry.engine_class("selective").from_options({"eval": evaluation})

    def play(self, number: int) -> LabelledGame:
        """The game of this number: the same one each time."""
        rng = random.Random(f"{self.seed}/{number}")
        while True:
            position = self.game.new()
            session = Session(self.engine)
            session.begin()
            opening = self._play_opening(session, position, rng)
            if position.outcome() is None:
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

    def _play_opening(self, session: Session, position: AbstractPosition, rng: random.Random) -> list[int]:
        """Play and return the moves of an opening: random ones and those of searches."""
        moves: list[int] = []
        plies = rng.choice(OPENING)
        while len(moves) < plies and position.outcome() is None:
            is_random = rng.random() < RANDOM_SHARE
            move = rng.choice(list(position.moves())) if is_random else self._search(session, position)[0]
            moves.append(move)
            position.make(move)
        return moves

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
    evaluation: str
    number: int


_player = lru_cache(maxsize=1)(LabellingPlayer)


def play_task(task: LabellingTask) -> LabelledGame:
    """The game of a task."""
    return _player(task.seed, task.nodes, task.evaluation).play(task.number)


@dataclass(eq=False)
class LabelledGames:
    """The games of a run. `each` maps tasks to games: `map`, or a parallel version."""

    seed: int
    nodes: int
    evaluation: str
    each: Each = map

    def play(self, numbers: Iterable[int]) -> Iterator[LabelledGame]:
        """The games of these numbers, in this order."""
        shared = self.seed, self.nodes, self.evaluation
        return self.each(play_task, [LabellingTask(*shared, number) for number in numbers])
