"""A run of TD(lambda) with a network in a folder.

    tables-N.bin   the weights, as 32-bit floats

`td_generations.py` and `generations.py` list the other files. The learning rate falls by the same factor
after each generation, to a tenth in the last.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from gameplay.adapter import kernel_of
from gameplay.capabilities import HasNetworkInputs
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.learning import exploration
from gameplay.learning.expected_td import ExpectedTd
from gameplay.learning.games_run import PLIES
from gameplay.learning.generations import check_unchanged
from gameplay.learning.network_td import NetworkTd
from gameplay.learning.td_generations import LambdaSettings, TdGenerations
from gameplay.native.packing import pack, scale_of
from gameplay.networks import weights as learned
from gameplay.networks.estimator import NetworkEstimator
from gameplay.networks.network import Network, weights_of
from gameplay.networks.widening import STEPS, widen
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import goal_of, points_of
from gameplay.position import AbstractPosition

FINAL_RATE = 0.1  # of the last generation, relative to the first


@dataclass(frozen=True)
class NetworkSettings(LambdaSettings):
    """The settings of a run."""

    network: str  # units of each hidden layer, as 80x32
    rate: float = 0.03  # of the first generation
    evaluation: str = ""  # file of the initial network; empty: random weights
    digest: str = ""  # the checksum of its weights
    expected: bool = False  # expected updates: the mean over all rolls; lambda has no effect


class NetworkRun(TdGenerations[NetworkTd]):
    """A stored run; `learn` plays the missing games."""

    settings: NetworkSettings
    settings_class = NetworkSettings
    overlapping = True  # learning takes about a third of the time

    def __init__(self, folder: Path, settings: NetworkSettings) -> None:
        """Raises Usage for a game that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        if not 0 < settings.rate <= 1:
            raise ValueError("settings out of range")
        position = self.game.new()
        if settings.expected and not position.chance:
            raise Usage(f"--expected: {settings.game} has no dice; expected a game with dice")
        self.hidden = tuple(map(int, settings.network.split("x")))
        self.symmetries: tuple[str, ...] = ()
        if isinstance(position, HasNetworkInputs):
            self.cells = Cells(learned.GAME_INPUTS, (), 1, position.network_inputs().count)
        else:
            self.cells, _ = exploration.explore(self.game, settings.seed)
            self.symmetries = tuple(exploration.symmetries(self.game, self.cells, settings.seed))
        inputs = learned.inputs_of(self.cells, self.symmetries, position)
        self.sizes = (inputs.count, *self.hidden, 2 * learned.levels_of(position))
        weights_of(self.sizes)  # raises ValueError

    @classmethod
    def begin(cls, folder: Path, settings: NetworkSettings) -> Self:
        """A new run. Raises BadInput or Usage for an initial network that does not fit."""
        if settings.evaluation.endswith(".toml"):
            settings = replace(settings, evaluation=str(Path(settings.evaluation).resolve()))
        if settings.evaluation:
            run = cls(folder, settings)
            start = run._evaluation()
            run._start(start)
            settings = replace(settings, digest=start.checksum)
        return super().begin(folder, settings)

    @property
    def size(self) -> int:
        return int(weights_of(self.sizes))

    @property
    def approximator(self) -> str:
        return f"network of {' x '.join(map(str, self.sizes))} units"

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "evaluation": "network",
            "hidden": list(self.hidden),
            "rate": self.settings.rate,
            "expected": self.settings.expected,
        }

    @property
    def options(self) -> str:
        start = f" --eval {self.settings.evaluation}" if self.settings.evaluation else ""
        expected = " --expected" if self.settings.expected else ""
        return f" --network {self.settings.network} --rate {self.settings.rate:g}{expected}{start}"

    def fresh_learner(self, rng_state: int) -> NetworkTd:
        return self._learner(Network(self.sizes, self.settings.seed), rng_state)

    def new_learner(self, rng_state: int) -> NetworkTd:
        if self.settings.evaluation and not self.generation:
            return self._learner(self._start(self._evaluation()), rng_state)
        return self.fresh_learner(rng_state)

    def _learner(self, network: Network, rng_state: int) -> NetworkTd:
        settings, position = self.settings, self.game.new()
        inputs = learned.inputs_of(self.cells, self.symmetries, position)
        return learner_of(
            *(position, network, inputs, settings.decay, settings.explore, rng_state, settings.rate),
            expected=settings.expected,
        )

    def _evaluation(self) -> learned.NetworkEvaluation:
        """The initial network. Raises BadInput if its weights have changed since the run began."""
        settings = self.settings
        evaluation = select_evaluation(settings.evaluation, self.game.new())
        if not isinstance(evaluation, learned.NetworkEvaluation):
            raise BadInput(f"{settings.evaluation} is not a network: expected weights learned with --network")
        check_unchanged(settings.evaluation, evaluation, settings.digest)
        return evaluation

    def _start(self, evaluation: learned.NetworkEvaluation) -> Network:
        """The initial network, widened to the run's units and layers. Raises Usage if it has more."""
        network = evaluation.new_estimator(self.game.new()).network
        try:
            return widen(network, self.sizes, self.settings.seed)
        except ValueError:
            units, minimum = "x".join(map(str, evaluation.hidden)), len(STEPS) * self.sizes[-1]
            raise Usage(
                f"{self.settings.evaluation}: a network of {units} hidden units cannot be extended to "
                f"{self.settings.network}: expected layers as wide or wider, or a second one of {minimum}"
            ) from None

    def arrays(self, learner: NetworkTd) -> list[memoryview]:
        return [learner.estimator.network.weights_owner]

    def guides(self, learner: NetworkTd) -> list[memoryview]:
        return self.arrays(learner)

    def advance(self, learner: NetworkTd) -> None:
        learner.rate = self.settings.rate * FINAL_RATE ** (self.generation / max(1, self.generations - 1))
        super().advance(learner)

    def store_weights(self, learner: NetworkTd, comment: str) -> None:
        weights, position = learner.estimator.network.weights_owner, self.game.new()
        scale = scale_of(weights)
        evaluation = learned.NetworkEvaluation(
            self.cells,
            self.hidden,
            learner.estimator.levels,
            goal_of(position),
            position.chance,
            scale,
            pack(weights, scale),
        )
        learned.write(self.weights, name_of(self.game.cls), evaluation, comment)


def learner_of(
    position: AbstractPosition,
    network: Network,
    inputs: NetworkInputs,
    decay: float,
    explore: float,
    rng_state: int,
    rate: float,
    expected: bool = False,
) -> NetworkTd:
    """A learner that trains a network by games from a position."""
    estimator = NetworkEstimator(network, inputs, points_of(position))
    kernel, goal = kernel_of(position), goal_of(position)
    if expected:
        return ExpectedTd(kernel, estimator, explore, goal, PLIES, rng_state, rate)
    return NetworkTd(kernel, estimator, decay, explore, goal, PLIES, rng_state, rate)
