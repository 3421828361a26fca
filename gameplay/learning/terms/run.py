"""A run that learns the weights of named terms, in a folder.

    tables-N.bin   the weights being learned and those kept, positions and sums, depending on the method
    given.jsonl    recorded games to learn from, if any

`generations.py` lists the other files. A generation is a tenth of the games, followed by a test: new weights
are kept, and written to weights.toml, only if the test accepts them (`contest.py`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import index
from pathlib import Path

from gameplay import file_io, weights
from gameplay.errors import BadInput, GameplayError
from gameplay.learning.batches import Each
from gameplay.learning.folder import RunSettings
from gameplay.learning.generations import MEASURING, GenerationRun, check_counts, digest_of
from gameplay.learning.run import select_linear
from gameplay.learning.terms.contest import (
    AGAINST_START,
    LADDER,
    ON_LADDER,
    Contest,
    Contestant,
    sequential_test,
)
from gameplay.learning.terms.games import LeafGames, TrainingGame
from gameplay.learning.terms.learner import TermLearner
from gameplay.learning.terms.results import ResultsRegression
from gameplay.learning.terms.spsa import Spsa
from gameplay.learning.terms.td_leaf import TdLeaf
from gameplay.position import AbstractEvaluation

GIVEN = "given.jsonl"
MAX_BYTES = 1 << 30  # bytes of recorded games
LARGEST_ROWS = 1 << 32  # ... of the terms of positions
METHODS = ("logistic", "tdleaf", "spsa")


@dataclass(frozen=True)
class TermsSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    evaluation: str  # name of the linear evaluation whose weights are learned
    method: str
    games: int = 2000  # to learn from; without those of tests and measurements
    seed: int = 1
    depth: int = 3  # plies of a search
    plies: int = 200  # of a game at most
    opening: int = 4  # random moves before a game
    decay: float = 0.7  # lambda, of tdleaf
    weights: dict[str, int] = field(default_factory=dict)  # initial ones; empty: those of the evaluation
    given: str = ""  # digest of the recorded games, for logistic; empty: self-play


@dataclass(frozen=True)
class TermsPoint:
    """The measurements after a generation. Pairs are counted by points: 0, 0.5, 1, 1.5 and 2."""

    games: int  # learned from
    positions: int
    loss: float | None  # of the predicted results, in nats; None: no predictions
    kept: bool  # the test accepted the new weights
    llr: float
    tested: tuple[int, ...]  # pairs of the new weights against the kept ones; zeros: no change
    start: tuple[int, ...]  # pairs of the weights kept now against the initial ones; zeros: the same
    ladder: tuple[tuple[int, ...], ...]  # pairs against random moves and the default evaluation at 1, 2, 3
    wrong: int | None  # wrong moves in solved positions; None: there are none

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        counted = [tuple(map(index, row)) for row in (self.tested, self.start, *self.ladder)]
        check_counts((self.games, self.positions, self.wrong, *chain(*counted)))
        if any(len(row) != 5 for row in counted):
            raise ValueError("counts of the curve are wrong")
        if len(counted) != 2 + len(LADDER) or type(self.kept) is not bool:
            raise ValueError("rows of the curve are missing")
        object.__setattr__(self, "tested", counted[0])
        object.__setattr__(self, "start", counted[1])
        object.__setattr__(self, "ladder", tuple(counted[2:]))
        float(self.llr), float(self.loss or 0)


class TermsRun(GenerationRun[TermLearner, TermsPoint]):
    """A stored run; `learn` plays the missing games."""

    settings: TermsSettings
    settings_class = TermsSettings
    point_class = TermsPoint
    generations = 10

    def __init__(self, folder: Path, settings: TermsSettings) -> None:
        """Raises Usage for a game or evaluation that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        positive = settings.games and settings.depth and settings.plies
        if settings.method not in METHODS or not positive or not 0 <= settings.decay <= 1:
            raise ValueError("settings out of range")
        self.evaluation = select_linear(self.game, settings.evaluation, settings.weights)
        common = settings.seed, settings.depth, settings.plies, settings.opening
        self.games = LeafGames.of(self.game, self.evaluation, *common)
        self._kept, self._llr = False, 0.0  # of the test of this generation
        self._tested: tuple[int, ...] = ()

    @classmethod
    def of_games(cls, folder: Path, settings: TermsSettings, games: Sequence[TrainingGame]) -> "TermsRun":
        """A new run that learns from these games. Raises Usage if there is a run already."""
        rows = [json.dumps([game.start, game.moves, game.result]).encode() + b"\n" for game in games]
        digest = digest_of(b"".join(rows))
        run = cls.begin(folder, replace(settings, games=len(games), given=digest))
        file_io.write(folder / GIVEN, rows)
        return run

    @property
    def learned(self) -> AbstractEvaluation:
        """The evaluation with the weights kept last. Raises BadInput if their file is damaged."""
        if not self.weights.exists():
            return self.evaluation
        return weights.read(self.weights, type(self.game.new()))

    def new_learner(self, rng_state: int) -> TermLearner:
        method, last = self.settings.method, self.curve[-1] if self.curve else None
        if method == "logistic":
            positions = last.positions if last else 0
            if 4 * positions * len(self.evaluation.weights) > LARGEST_ROWS:
                raise BadInput(f"{self.folder} has {positions:,} positions: too many to learn from")
            return ResultsRegression(
                self.games, self.evaluation, rng_state, positions, self._read_recorded_games()
            )
        if method == "spsa":
            return Spsa(self.games, self.evaluation, rng_state, self._steps(self.generations))
        learner = TdLeaf(self.games, self.evaluation, rng_state, self.settings.decay)
        learner.positions = last.positions if last else 0
        return learner

    def spread(self, each: Each) -> None:
        self.games.each = each

    def arrays(self, learner: TermLearner) -> list[memoryview]:
        return learner.arrays()

    def advance(self, learner: TermLearner) -> None:
        learner.calibrate()
        numbers = range(self._steps(self.generation), self._steps(self.generation + 1))
        for number in learner.play(numbers):
            self.step((number + 1) * (2 if self.settings.method == "spsa" else 1))
        learner.finish()
        self._kept, self._llr, self._tested = False, 0.0, (0,) * 5
        if learner.candidate.weights == learner.reference.weights:
            return
        contest = Contest(self.games, f"test/{self.generation}")
        sides = self._side(learner.candidate), self._side(learner.reference)
        end = self.played_by(self.generation + 1)
        verdict = sequential_test(contest, *sides, lambda: self.step(end, "testing the new weights"))
        self._kept, self._llr = verdict.decision == "H1", verdict.llr
        self._tested = tuple(contest.tally.pairs)
        if self._kept:
            learner.keep()

    def measure(self, learner: TermLearner) -> TermsPoint:
        """The results of the test and of matches; matches are repeated only if the kept weights changed."""
        point = TermsPoint(
            self.played,
            learner.positions,
            None if learner.loss is None else round(learner.loss, 6),
            self._kept,
            round(self._llr, 6),
            self._tested,
            (0,) * 5,
            ((0,) * 5,) * len(LADDER),
            None,
        )
        if self.curve and not self._kept:
            last = self.curve[-1]
            return replace(point, start=last.start, ladder=last.ladder, wrong=last.wrong)
        kept, start = self._side(learner.reference), self._side(self.evaluation)
        ladder = tuple(self._match(kept, rung, f"ladder/{i}", ON_LADDER) for i, rung in enumerate(LADDER))
        return replace(
            point,
            start=self._match(kept, start, "start", AGAINST_START) if self._kept else point.start,
            ladder=ladder,
            wrong=self._wrong(learner.reference),
        )

    def store_results(self, learner: TermLearner) -> None:
        settings, kept = self.settings, sum(point.kept for point in self.curve)
        games = f" --from (digest {settings.given})" if settings.given else f" --games {settings.games}"
        decay = f" --lambda {settings.decay:g}" if settings.method == "tdleaf" else ""
        initial = f"\nThe initial weights were {settings.weights}." if settings.weights else ""
        comment = (
            f"Learned by `gameplay learn {settings.game} --method {settings.method} --eval "
            f"{settings.evaluation}{games} --seed {settings.seed} --depth {settings.depth} --plies "
            f"{settings.plies} --opening {settings.opening}{decay}`, after {self.played} games.\n"
            f"Kept in {kept} of {self.generation} generations, by a sequential test each time.{initial}"
        )
        weights.write(learner.reference, self.weights, comment)

    # -- inside ----------------------------------------------------------------------------------------------

    def _read_recorded_games(self) -> list[TrainingGame]:
        """Read the recorded games. Raises BadInput if they have changed since the run began."""
        if not self.settings.given:
            return []
        path = self.folder / GIVEN
        content = file_io.content(path, MAX_BYTES)
        if digest_of(content) != self.settings.given:
            raise BadInput(f"{path} is damaged: restore it from a copy, or start a new run")
        try:
            games = [self._check_recorded_game(*json.loads(line)) for line in content.splitlines()]
        except (GameplayError, ValueError, TypeError, OverflowError, RecursionError):
            raise BadInput(f"{path} holds a line that is not a game of {self.game.spec}") from None
        if len(games) < self.settings.games:
            raise BadInput(f"{path} has {len(games)} games; expected {self.settings.games}")
        return games

    def _check_recorded_game(self, start: str, moves: Sequence[int], result: float) -> TrainingGame:
        """Check a game of the file. Raises IllegalMove, ValueError or TypeError if it is invalid."""
        position = self.game.new(start)
        for move in moves:
            position.make(move)
        if result not in (0, 0.5, 1):
            raise ValueError("no result")
        return TrainingGame(start, tuple(moves), result)

    def _steps(self, generation: int) -> int:
        """The number of games, or for spsa of pairs, up to the end of a generation."""
        games = self.played_by(generation)
        return games // 2 if self.settings.method == "spsa" else games

    def _side(self, evaluation: AbstractEvaluation) -> Contestant:
        return Contestant(dict(evaluation.weights), self.settings.depth)

    def _match(self, one: Contestant, other: Contestant, kind: str, pairs: int) -> tuple[int, ...]:
        contest = Contest(self.games, kind)
        for _ in contest.play(one, other, pairs):
            self.step(self.played, MEASURING)
        return tuple(contest.tally.pairs)

    def _wrong(self, evaluation: AbstractEvaluation) -> int | None:
        """Count the solved positions in which the best move by an evaluation is wrong."""

        def best(moves: Sequence[int]) -> int:
            position = self.game.new()
            for move in moves:
                position.make(move)
            return self.games.move(position, evaluation, self.settings.depth)

        return self.wrong(best)
