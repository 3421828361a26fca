"""A run of TD(lambda) with a network in a folder.

    tables-N.bin   the weights, as 32-bit floats

`td_generations.py` and `generations.py` list the other files. The rate of the steps falls by the same factor
after each generation, to a tenth in the last.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameplay.adapter import kernel_of
from gameplay.capabilities import HasNetworkInputs
from gameplay.catalogue import name_of
from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.learning import exploration
from gameplay.learning.folder import FORMAT
from gameplay.learning.games_run import PLIES
from gameplay.learning.network_td import NetworkTd
from gameplay.learning.td_generations import METHOD, TdGenerations
from gameplay.native.packing import pack, scale_of
from gameplay.networks import weights as learned
from gameplay.networks.estimator import NetworkEstimator
from gameplay.networks.network import Network, weights_of
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import goal_of, points_of
from gameplay.position import AbstractPosition

FALL = 0.1  # the rate of the last generation, as a share of that of the first


@dataclass(frozen=True)
class NetworkSettings:
    """What a run depends on."""

    game: str  # spec
    games: int
    network: str  # units of each hidden layer, as 80x32
    seed: int = 1
    decay: float = 0.5  # lambda
    explore: float = 0.1
    rate: float = 0.03  # of the first generation
    method: str = METHOD
    format: int = FORMAT


class NetworkRun(TdGenerations[NetworkTd]):
    """A run, opened for reading; `learn` plays what is missing."""

    settings: NetworkSettings
    settings_class = NetworkSettings

    def __init__(self, folder: Path, settings: NetworkSettings) -> None:
        """Raises Usage for a game that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        if not 0 < settings.rate <= 1:
            raise ValueError("settings out of range")
        position = self.game.new()
        self.hidden = tuple(map(int, settings.network.split("x")))
        self.symmetries: tuple[str, ...] = ()
        if isinstance(position, HasNetworkInputs):
            self.cells = Cells(learned.OWN, (), 1, position.network_inputs().count)
        else:
            self.cells, _ = exploration.explore(self.game, settings.seed)
            self.symmetries = tuple(exploration.symmetries(self.game, self.cells, settings.seed))
        inputs = learned.inputs_of(self.cells, self.symmetries, position)
        self.sizes = (inputs.count, *self.hidden, 2 * learned.levels_of(position))
        weights_of(self.sizes)  # raises ValueError

    @property
    def size(self) -> int:
        return int(weights_of(self.sizes))

    @property
    def approximator(self) -> str:
        return f"network of {' x '.join(map(str, self.sizes))} units"

    @property
    def facts(self) -> dict[str, Any]:
        return {"evaluation": "network", "hidden": list(self.hidden), "rate": self.settings.rate}

    @property
    def options(self) -> str:
        return f" --network {self.settings.network} --rate {self.settings.rate:g}"

    def new_learner(self, lots: int) -> NetworkTd:
        settings, position = self.settings, self.game.new()
        inputs = learned.inputs_of(self.cells, self.symmetries, position)
        network = Network(self.sizes, settings.seed)
        learner = learner_of(position, network, inputs, settings.decay, settings.explore, lots, settings.rate)
        if self.curve:
            learner.positions = self.curve[-1].positions
        return learner

    def arrays(self, learner: NetworkTd) -> list[memoryview]:
        return [learner.estimator.network.weights_owner]

    def advance(self, learner: NetworkTd) -> None:
        learner.rate = self.settings.rate * FALL ** (self.generation / (self.generations - 1))
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
    lots: int,
    rate: float,
) -> NetworkTd:
    """A learner of a network by games from a position. `lots` is the seed of its random numbers."""
    estimator = NetworkEstimator(network, inputs, points_of(position))
    return NetworkTd(kernel_of(position), estimator, decay, explore, goal_of(position), PLIES, lots, rate)
