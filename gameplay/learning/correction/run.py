"""A run in a folder that trains a network to correct the evaluation `classic` of chess.

    tables-N.bin   the samples of all games so far: the training set, then the held-out set

`generations.py` lists the other files. A generation is a twentieth of the games: they are played with
`classic` or another evaluation (`games.py`), and a new network is fitted to the quiet positions of all games
so far (`trainer.py`). Every tenth game is held out; a fit keeps the epoch with the least held-out loss.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from gameplay import weights
from gameplay.evaluation import select_evaluation
from gameplay.games.chess.correction import SHAPE, SIZE
from gameplay.games.chess.evaluation import EVALUATIONS
from gameplay.learning.batches import Each
from gameplay.learning.correction.games import LabelledGames
from gameplay.learning.correction.samples import ROW, SampleReader
from gameplay.learning.correction.trainer import CorrectionTrainer, shuffled
from gameplay.learning.folder import RunSettings
from gameplay.learning.generations import GenerationRun, check_counts, check_unchanged
from gameplay.learning.methods import check_supported
from gameplay.position import AbstractEvaluation

METHOD = "correction"
HOLDOUT = 10  # one game in ten is held out
MAX_VALUE = 1500  # hundredths of a pawn: positions with a greater value are left out
LOGIT_SCALE = 200.0  # hundredths of a pawn per logit
SEARCH_SHARE = 0.9  # of the search's value in the target; the rest is the result
EPOCHS = 10
BATCH = 1024  # samples of a step
RATE, FINAL_RATE = 0.01, 0.05  # of the first epoch, and of the last as a share of it
CHUNK = 200 * BATCH  # samples between two checks for a stop request


@dataclass(frozen=True)
class CorrectionSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    games: int = 20_000
    seed: int = 1
    nodes: int = 1000  # of a search
    evaluation: str = "classic"  # of the player, a name or a file
    digest: str = ""  # the checksum of its weights
    method: str = METHOD


@dataclass(frozen=True)
class CorrectionPoint:
    """The losses after a generation, on held-out positions, in nats."""

    games: int
    positions: int  # of the training set
    held: int  # positions held out
    classic: float  # loss of `classic`
    corrected: float  # ... with the network
    epochs: int  # epochs of the network that was kept

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        check_counts((self.games, self.positions, self.held, self.epochs))
        if not (self.classic >= 0 and self.corrected >= 0):
            raise ValueError("a loss of the curve is out of range")


class CorrectionLearner:
    """The samples, and the network last fitted to them."""

    def __init__(self, rng_state: int, positions: int, held: int) -> None:
        """Allocate this many samples for training, and held out."""
        self.rng_state = rng_state
        self.samples = bytearray(ROW * positions)
        self.held = bytearray(ROW * held)
        self.packed = bytes(SIZE)
        self.losses = 0.0, 0.0
        self.epochs = 0

    def fit(self, seed: int, check_stop: Callable[[], None]) -> None:
        """Fit a network to all samples; `check_stop` is called several times a second."""
        count, held_out = len(self.samples) // ROW, len(self.held) // ROW
        trainer = CorrectionTrainer(seed, LOGIT_SCALE, SEARCH_SHARE)
        held_out_order = memoryview(shuffled(held_out, seed))
        classic, _ = trainer.losses(self.held, held_out_order, 0, held_out)
        self.packed, self.losses, self.epochs = trainer.packed(), (classic, classic), 0
        for epoch in range(EPOCHS):
            rate = RATE * FINAL_RATE ** (epoch / (EPOCHS - 1))
            order = shuffled(count, seed + epoch + 1)
            for begin in range(0, count, CHUNK):
                check_stop()
                trainer.epoch(self.samples, order, begin, min(count, begin + CHUNK), BATCH, rate)
            _, loss = trainer.losses(self.held, held_out_order, 0, held_out)
            if loss < self.losses[1]:
                self.packed, self.losses, self.epochs = trainer.packed(), (classic, loss), epoch + 1


class CorrectionRun(GenerationRun[CorrectionLearner, CorrectionPoint]):
    """A stored run; `learn` plays the missing games."""

    settings: CorrectionSettings
    settings_class = CorrectionSettings
    point_class = CorrectionPoint
    solves = False
    units = SHAPE[1]

    def __init__(self, folder: Path, settings: CorrectionSettings) -> None:
        """Raises Usage for another game, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (settings.games and settings.nodes and settings.evaluation):
            raise ValueError("settings out of range")
        check_supported(self.game, METHOD)
        self.games = LabelledGames(settings.seed, settings.nodes, settings.evaluation)

    @classmethod
    def begin(cls, folder: Path, settings: CorrectionSettings) -> Self:
        """A new run. Raises Usage for an unknown evaluation, BadInput for a file that cannot be used."""
        evaluation = settings.evaluation or CorrectionSettings.evaluation  # as in engines, "" is the default
        if evaluation.endswith((".toml", ".py")):
            evaluation = str(Path(evaluation).resolve())
        settings = replace(settings, evaluation=evaluation)
        return super().begin(folder, replace(settings, digest=cls(folder, settings)._evaluation().checksum))

    def _evaluation(self) -> AbstractEvaluation:
        """The evaluation of the player. Raises BadInput if its weights have changed since the run began."""
        settings = self.settings
        evaluation = select_evaluation(settings.evaluation, self.game.new())
        assert evaluation is not None
        check_unchanged(settings.evaluation, evaluation, settings.digest)
        return evaluation

    def spread(self, each: Each) -> None:
        self.games.each = each

    def new_learner(self, rng_state: int) -> CorrectionLearner:
        self._evaluation()
        last = self.curve[-1] if self.curve else None
        return CorrectionLearner(rng_state, last.positions if last else 0, last.held if last else 0)

    def arrays(self, learner: CorrectionLearner) -> list[memoryview]:
        return [memoryview(learner.samples), memoryview(learner.held)]

    def advance(self, learner: CorrectionLearner) -> None:
        reader, end = SampleReader(MAX_VALUE), self.played_by(self.generation + 1)
        numbers = range(self.played, end)
        for number, game in zip(numbers, self.games.play(numbers), strict=True):
            self.step(number)
            rows = reader.samples(game.opening, game.moves, game.values, game.result)
            part = learner.held if number % HOLDOUT == HOLDOUT - 1 else learner.samples
            part += rows
        learner.fit(self.settings.seed, lambda: self.step(end, "fitting the network"))

    def measure(self, learner: CorrectionLearner) -> CorrectionPoint:
        positions, held = len(learner.samples) // ROW, len(learner.held) // ROW
        classic, loss = [round(total / max(1, held), 6) for total in learner.losses]
        return CorrectionPoint(self.played, positions, held, classic, loss, learner.epochs)

    def store_results(self, learner: CorrectionLearner) -> None:
        settings = self.settings
        options = f"--seed {settings.seed} --nodes {settings.nodes} --eval {settings.evaluation}"
        comment = (
            f"Learned by `gameplay learn chess --method {METHOD} --games {settings.games} {options}`, "
            f"after {self.played} games."
        )
        weights.write(EVALUATIONS[METHOD].with_weights(learner.packed), self.weights, comment)
