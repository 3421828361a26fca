"""Self-play games, each position represented by the leaf of its principal variation.

The value of a search is the evaluation of the position at the end of its principal variation. With quiescence
search this leaf is quiet, and its terms explain the value, so training uses the leaf, not the root (Baxter,
Tridgell and Weaver 1998).
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.learning.batches import Each
from gameplay.learning.run import select_linear
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
    """The leaf of the principal variation of a position."""

    counts: tuple[int, ...] | None  # of the terms, first player's view; None: the game ends there
    result: float  # ... with these points of the first player, 0 to 1
    turn: int = 0  # the mover at the root


@dataclass(frozen=True)
class LeafGame:
    """A game with a leaf for each position after the opening."""

    moves: tuple[int, ...]  # with the opening
    leaves: tuple[LeafTerms, ...]
    result: float  # points of the first player: 1, 0.5 or 0


@dataclass(frozen=True)
class TrainingGame:
    """A game of a file, to learn from."""

    start: str  # the initial position, "" for the usual one
    moves: tuple[int, ...]
    result: float  # points of the first player: 1, 0.5 or 0


@dataclass(eq=False)
class LeafGames(SelfPlay):
    """Plays self-play games of an evaluation, each from a random opening.

    `each` plays independent games: `map`, or a parallel version.
    """

    each: Each = map

    @classmethod
    def of(
        cls, game: "Game", evaluation: AbstractEvaluation, seed: int, depth: int, plies: int, opening: int
    ) -> "LeafGames":
        """Create games with the search engine of these methods."""
        return cls(game, evaluation, registry.engine(ENGINE)[0], seed, depth, plies, opening)

    def __reduce__(self) -> tuple[Any, ...]:
        weights = tuple(self.evaluation.weights.items())
        limits = self.seed, self.depth, self.plies, self.opening
        return _restore, (self.game.spec, self.evaluation.name, weights, *limits)

    def task(self, number: int, evaluation: AbstractEvaluation, kind: str = "game") -> "GameTask":
        """The task to play game `number` of a kind: the same number and weights give the same game."""
        return GameTask(self, dict(evaluation.weights), number, kind)

    def play(self, position: AbstractPosition, moves: list[int], evaluation: AbstractEvaluation) -> LeafGame:
        """Finish a game from a position reached by these moves."""
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

    def replay(self, recorded: TrainingGame, evaluation: AbstractEvaluation) -> LeafGame:
        """Replay a recorded game, searching its positions after the opening. Raises IllegalMove."""
        position = self.game.new(recorded.start)
        leaves: list[LeafTerms] = []
        for ply, move in enumerate(recorded.moves):
            leaf = None
            if ply >= self.opening:
                leaf = leaf_of(position, self._search(position, evaluation), evaluation)
            if leaf is not None:
                leaves.append(leaf)
            position.make(move)
        return LeafGame(recorded.moves, tuple(leaves), recorded.result)

    def points(self, position: AbstractPosition) -> float:
        """The points of the first player: 1, 0.5 or 0. Material decides an unfinished game."""
        payoffs = position.outcome()
        if payoffs is not None:
            return (1 + sign(payoffs[0] - payoffs[1])) / 2
        ahead = sign(self._material(self.evaluation.counts(position)))
        return (1 + (ahead if position.turn == 0 else -ahead)) / 2

    def move(self, position: AbstractPosition, evaluation: AbstractEvaluation | None, depth: int) -> int:
        """Search to `depth`; return the best move by an evaluation (None: the game's default)."""
        position.evaluation = evaluation
        report = self.engine.search(position, Limit(depth=depth))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        assert report.move is not None
        return report.move


def leaf_of(position: AbstractPosition, report: "Report", evaluation: AbstractEvaluation) -> LeafTerms | None:
    """The leaf of a search; None if its principal variation does not explain its value."""
    turn = position.turn
    root_sign = 1 if turn == 0 else -1  # from the mover's view to the first player's
    if is_win(report.value):
        return LeafTerms(None, (1 + sign(root_sign * report.value)) / 2, turn)
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
        leaf_sign = 1 if position.turn == 0 else -1
        if leaf_sign * position.evaluate() == root_sign * report.value:
            counts = tuple(leaf_sign * count for count in evaluation.counts(position).values())
            leaf = LeafTerms(counts, 0.5, turn)
    for _ in range(made):
        position.unmake()
    return leaf


@lru_cache(maxsize=4)
def _restore(spec: str, evaluation: str, weights: tuple[tuple[str, int], ...], *limits: int) -> LeafGames:
    """Restore a pickled LeafGames, once per process."""
    game = registry.game(spec)
    return LeafGames.of(game, select_linear(game, evaluation, dict(weights)), *limits)


@dataclass(frozen=True)
class GameTask:
    """A game to play by these weights, or a recorded one to search, in any process."""

    games: LeafGames
    weights: dict[str, int]
    number: int = 0
    kind: str = ""
    recorded: TrainingGame | None = None


def play_task(task: GameTask) -> LeafGame:
    """Play or replay the game of a task."""
    games = task.games
    evaluation = games.evaluation.with_weights(task.weights)
    if task.recorded is not None:
        return games.replay(task.recorded, evaluation)
    position = games.game.new()
    rng = random.Random(f"{games.seed}/{task.kind}/{task.number}")
    return games.play(position, random_opening(position, games.opening, rng), evaluation)
