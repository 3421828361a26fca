"""A run of TD(lambda) with n-tuples in a folder.

    tables-N.bin   weights, sums and sizes of their changes

`td_generations.py` and `generations.py` list the other files.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.learning.exploration import TuplesLayout
from gameplay.learning.games_run import PLIES
from gameplay.learning.td_generations import LambdaSettings, TdGenerations
from gameplay.learning.temporal_difference import TemporalDifference
from gameplay.ntuples import weights as learned
from gameplay.ntuples.learned import goal_of


@dataclass(frozen=True)
class TdSettings(LambdaSettings):
    """The settings of a run."""

    tuples: int = 0  # 0: by the size of the board
    length: int = 0  # of a tuple; 0: by the size of the board


class TdRun(TdGenerations[TemporalDifference]):
    """A stored run; `learn` plays the missing games."""

    settings: TdSettings
    settings_class = TdSettings

    def __init__(self, folder: Path, settings: TdSettings) -> None:
        """Raises Usage for a game or tuples that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        self.layout = TuplesLayout.of(self.game, settings.seed, settings.tuples, settings.length)
        self.symmetries = self.layout.symmetries

    @property
    def size(self) -> int:
        return self.layout.size

    @property
    def approximator(self) -> str:
        return self.layout.description

    @property
    def facts(self) -> dict[str, Any]:
        tuples = self.layout.tuples
        return {"evaluation": "ntuples", "tuples": len(tuples), "length": len(tuples[0])}

    @property
    def options(self) -> str:
        settings = self.settings
        return f" --tuples {settings.tuples}x{settings.length}" if settings.tuples else ""

    def fresh_learner(self, rng_state: int) -> TemporalDifference:
        settings, position = self.settings, self.game.new()
        return TemporalDifference(
            kernel_of(position),
            self.layout.tables(),
            settings.decay,
            settings.explore,
            goal_of(position),
            PLIES,
            rng_state,
        )

    def guides(self, learner: TemporalDifference) -> list[memoryview]:
        return [learner.ntuples.weights_owner]

    def arrays(self, learner: TemporalDifference) -> list[memoryview]:
        arrays: list[memoryview] = learner.learner.arrays()
        return arrays

    def store_weights(self, learner: TemporalDifference, comment: str) -> None:
        layout = self.layout
        packed = learned.PackedWeights.of(learner.ntuples)
        chance = self.game.new().chance
        evaluation = learned.NTupleEvaluation(
            layout.cells, layout.symmetries, layout.tuples, chance, packed.scale, packed.content
        )
        learned.write(self.weights, name_of(self.game.cls), evaluation, comment)
