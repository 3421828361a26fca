"""A run of TD(lambda) with n-tuples in a folder.

    tables-N.bin   weights, sums and sizes of their changes

`td_generations.py` and `generations.py` list the other files.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.learning import exploration
from gameplay.learning.folder import FORMAT
from gameplay.learning.td_generations import METHOD, PLIES, TdGenerations
from gameplay.learning.temporal_difference import TemporalDifference
from gameplay.native.packing import pack, scale_of
from gameplay.ntuples import weights as learned
from gameplay.ntuples.learned import goal_of
from gameplay.ntuples.tables import MOST_ACTIVE
from gameplay.plural import plural


@dataclass(frozen=True)
class TdSettings:
    """What a run depends on."""

    game: str  # spec
    games: int
    seed: int = 1
    decay: float = 0.5  # lambda
    explore: float = 0.1
    tuples: int = 0  # 0: as many as suit the board
    length: int = 0  # of a tuple; 0: as it suits the board
    method: str = METHOD
    format: int = FORMAT


class TdRun(TdGenerations[TemporalDifference]):
    """A run, opened for reading; `learn` plays what is missing."""

    settings: TdSettings
    settings_class = TdSettings

    def __init__(self, folder: Path, settings: TdSettings) -> None:
        """Raises Usage for a game or tuples that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        if settings.tuples < 0 or settings.length < 0:
            raise ValueError("settings out of range")
        self.cells, varying = exploration.explore(self.game, settings.seed)
        self.symmetries = tuple(exploration.symmetries(self.game, self.cells, settings.seed))
        self.tuples = tuple(
            exploration.choose_tuples(
                self.game, self.cells, varying, settings.seed, settings.tuples, settings.length
            )
        )
        active = len(self.tuples) * len(self.symmetries)
        if active > MOST_ACTIVE or self.size > learned.MOST_WEIGHTS:
            raise Usage(
                f"too many tuples: {len(self.tuples)} with {len(self.symmetries)} images each and "
                f"{self.size:,} weights; expected at most {MOST_ACTIVE:,} images and "
                f"{learned.MOST_WEIGHTS:,} weights. Try: leave --tuples out"
            )

    @property
    def size(self) -> int:
        return learned.weights_of(len(self.cells.letters), self.tuples, self.game.new().chance)

    @property
    def approximator(self) -> str:
        return f"{plural(len(self.tuples), 'tuple')} of {plural(len(self.tuples[0]), 'cell')}"

    @property
    def facts(self) -> dict[str, Any]:
        return {"evaluation": "ntuples", "tuples": len(self.tuples), "length": len(self.tuples[0])}

    @property
    def options(self) -> str:
        settings = self.settings
        return f" --tuples {settings.tuples}x{settings.length}" if settings.tuples else ""

    def new_learner(self, lots: int) -> TemporalDifference:
        settings, position = self.settings, self.game.new()
        tables = learned.tables_of(self.cells, self.symmetries, self.tuples, position)
        learner = TemporalDifference(
            kernel_of(position),
            tables,
            settings.decay,
            settings.explore,
            goal_of(position),
            PLIES,
            lots,
        )
        if self.curve:
            learner.positions = self.curve[-1].positions
        return learner

    def arrays(self, learner: TemporalDifference) -> list[memoryview]:
        return [learner.ntuples.weights_owner, learner.sums_owner, learner.sizes_owner]

    def store_weights(self, learner: TemporalDifference, comment: str) -> None:
        tables = learner.ntuples
        scale = scale_of(tables.weights_owner)
        packed = pack(tables.weights_owner, scale)
        evaluation = learned.NTupleEvaluation(
            self.cells, self.symmetries, self.tuples, self.game.new().chance, scale, packed
        )
        learned.write(self.weights, name_of(self.game.cls), evaluation, comment)
