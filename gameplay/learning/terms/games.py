"""Games of an evaluation of named terms against itself, each position as the leaf of its principal variation.

The value of a search is the evaluation of one position, the leaf where its principal variation ends. With
quiescence that leaf is quiet, and its terms explain the value: so it is the leaf that is learned from, not
the position at the root (Baxter, Tridgell and Weaver 1998).
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.learning.batches import Each
from gameplay.learning.run import chosen
from gameplay.learning.self_play import SelfPlay, random_opening, sign
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.search.limit import Limit
from gameplay.value import is_win

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.report import Report

ENGINE = "quiescence:table=off"  # a table would cut principal variations short


@dataclass(frozen=True)
class LeafTerms:
    """Where the principal variation of a position of a game ends."""

    counts: tuple[int, ...] | None  # of the terms, first player's view; None: the value is a result
    result: float  # ... of this one: what the first player gets, 0 to 1
    turn: int = 0  # the mover at the root


@dataclass(frozen=True)
class LeafGame:
    """A game, a leaf for each of its positions after the opening."""

    moves: tuple[int, ...]  # with the opening
    leaves: tuple[LeafTerms, ...]
    result: float  # what the first player got: 1, 0.5 or 0


@dataclass(frozen=True)
class GivenGame:
    """A game that was played elsewhere."""

    start: str  # the position that it begins from, "" for the usual one
    moves: tuple[int, ...]
    result: float  # what the first player got: 1, 0.5 or 0


@dataclass(eq=False)
class LeafGames(SelfPlay):
    """Plays games of one evaluation against itself, each from an opening of its own.

    `each` plays games that do not depend on each other: `map`, or what spreads them over processes.
    """

    each: Each = map

    @classmethod
    def of(
        cls, game: "Game", evaluation: AbstractEvaluation, seed: int, depth: int, plies: int, opening: int
    ) -> "LeafGames":
        """Games that are searched by the engine of this method."""
        return cls(game, evaluation, registry.engine(ENGINE)[0], seed, depth, plies, opening)

    def __reduce__(self) -> tuple[Any, ...]:
        weights = tuple(self.evaluation.weights.items())
        limits = self.seed, self.depth, self.plies, self.opening
        return _restored, (self.game.spec, self.evaluation.name, weights, *limits)

    def task(self, number: int, evaluation: AbstractEvaluation, kind: str = "game") -> "GameTask":
        """Game `number` of a kind as a task: the same number and weights give the same game."""
        return GameTask(self, dict(evaluation.weights), number, kind)

    def play(self, position: AbstractPosition, moves: list[int], evaluation: AbstractEvaluation) -> LeafGame:
        """Play on from a position that these moves led to."""
        leaves: list[LeafTerms] = []
        while position.outcome() is None and len(moves) < self.plies:
            report = self._search(position, evaluation)
            leaf = leaf_of(position, report, evaluation)
            if leaf is not None:
                leaves.append(leaf)
            assert report.move is not None
            moves.append(report.move)
            position.make(report.move)
        return LeafGame(tuple(moves), tuple(leaves), self.points(position))

    def replay(self, given: GivenGame, evaluation: AbstractEvaluation) -> LeafGame:
        """A game that was played elsewhere, its positions after the opening searched. Raises IllegalMove."""
        position = self.game.new(given.start)
        leaves: list[LeafTerms] = []
        for ply, move in enumerate(given.moves):
            leaf = None
            if ply >= self.opening:
                leaf = leaf_of(position, self._search(position, evaluation), evaluation)
            if leaf is not None:
                leaves.append(leaf)
            position.make(move)
        return LeafGame(given.moves, tuple(leaves), given.result)

    def points(self, position: AbstractPosition) -> float:
        """What the first player gets: 1, 0.5 or 0. In a game that was cut off material decides."""
        payoffs = position.outcome()
        if payoffs is not None:
            return (1 + sign(payoffs[0] - payoffs[1])) / 2
        ahead = sign(self._material(self.evaluation.counts(position)))
        return (1 + (ahead if position.turn == 0 else -ahead)) / 2

    def move(self, position: AbstractPosition, evaluation: AbstractEvaluation | None, depth: int) -> int:
        """The best move under an evaluation (None: the game's own), by a search of `depth` plies."""
        position.evaluation = evaluation
        report = self.engine.search(position, Limit(depth=depth))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        assert report.move is not None
        return report.move


def leaf_of(position: AbstractPosition, report: "Report", evaluation: AbstractEvaluation) -> LeafTerms | None:
    """The leaf of a search; None if its principal variation does not explain its value. Moves are unmade."""
    turn = position.turn
    first = 1 if turn == 0 else -1
    if is_win(report.value):
        return LeafTerms(None, (1 + sign(first * report.value)) / 2, turn)
    made = 0
    for move in report.pv:
        if position.outcome() is not None:
            break
        position.make(move)
        made += 1
    payoffs = position.outcome()
    leaf = None
    if payoffs is not None:
        leaf = LeafTerms(None, (1 + sign(payoffs[0] - payoffs[1])) / 2, turn)
    else:
        mine = 1 if position.turn == 0 else -1
        if mine * position.evaluate() == first * report.value:
            leaf = LeafTerms(tuple(mine * count for count in evaluation.counts(position).values()), 0.5, turn)
    for _ in range(made):
        position.unmake()
    return leaf


@lru_cache(maxsize=4)
def _restored(spec: str, evaluation: str, weights: tuple[tuple[str, int], ...], *limits: int) -> LeafGames:
    """What `LeafGames.__reduce__` described, made once a process."""
    game = registry.game(spec)
    return LeafGames.of(game, chosen(game, evaluation, dict(weights)), *limits)


@dataclass(frozen=True)
class GameTask:
    """A game to play by these weights, or one that was given to search, for any process."""

    games: LeafGames
    weights: dict[str, int]
    number: int = 0
    kind: str = ""
    given: GivenGame | None = None


def played(task: GameTask) -> LeafGame:
    """Play it."""
    games = task.games
    evaluation = games.evaluation.weighed(task.weights)
    if task.given is not None:
        return games.replay(task.given, evaluation)
    position = games.game.new()
    rng = random.Random(f"{games.seed}/{task.kind}/{task.number}")
    return games.play(position, random_opening(position, games.opening, rng), evaluation)
