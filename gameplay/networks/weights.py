"""A network as an evaluation, and the lines of its kind in a file of weights.

    hidden = [80]          # units of each hidden layer
    levels = 3             # of gains and of losses, see `gameplay.networks.estimator`
    goal = 3000.0          # the most that can be won, times the game's `unit`

`cells` is "game" where the game has its own inputs (`HasNetworkInputs`), `columns` of them, and no letters.
`gameplay.ntuples.learned` describes the other lines.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gameplay.capabilities import HasNetworkInputs
from gameplay.errors import BadInput
from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.native.packing import unpack
from gameplay.networks.cell_inputs import CellInputs
from gameplay.networks.estimator import MOST_LEVELS, NetworkEstimator
from gameplay.networks.network import MOST_INPUTS, Network, weights_of
from gameplay.ntuples import learned
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import LearnedEvaluation, goal_of, points_of, reader_of
from gameplay.once import once
from gameplay.position import AbstractPosition

OWN = "game"  # source of the cells: the game's own inputs
FIELDS = {"hidden": list, "levels": int, "goal": float}


class NetworkEvaluation(LearnedEvaluation):
    """A network as an evaluation."""

    name = "network"

    def __init__(
        self,
        cells: Cells,
        hidden: tuple[int, ...],
        levels: int,
        goal: float,
        chance: bool,
        scale: float,
        packed: bytes,
        file: Path | None = None,
    ) -> None:
        super().__init__(cells, chance, scale, packed, file)
        self.words = f"a network of {'x'.join(map(str, hidden))} hidden units, learned"
        self.hidden = hidden
        self.levels = levels
        self.goal = goal

    @property
    def layout(self) -> tuple[Any, ...]:
        return (self.cells, self.hidden, self.levels, self.goal, self.chance, self.numbers)

    def check_cells(self, position: AbstractPosition) -> None:
        if goal_of(position) != self.goal:
            raise BadInput("other points than this game has")
        own = position.network_inputs().count if isinstance(position, HasNetworkInputs) else None
        if own != (self.cells.count if self.cells.source == OWN else None):
            raise BadInput("other inputs than those of this game")
        if own is None:
            super().check_cells(position)

    def new_estimator(self, position: AbstractPosition) -> NetworkEstimator:
        inputs = inputs_of(self.cells, [], position)
        network = Network((inputs.count, *self.hidden, 2 * self.levels), seed=None)
        unpack(self.packed, self.numbers, network.weights_owner)
        return NetworkEstimator(network, inputs, points_of(position))


def inputs_of(cells: Cells, symmetries: Sequence[str], position: AbstractPosition) -> NetworkInputs:
    """The inputs of a network: the game's own, or its cells, with these symmetries for learning."""
    if isinstance(position, HasNetworkInputs):
        own: NetworkInputs = position.network_inputs()
        return own
    images = cells.images_of(symmetries or ["identity"])
    return CellInputs(cells.count, len(cells.letters), images, reader_of(cells))


def levels_of(position: AbstractPosition) -> int:
    """How many gains a network distinguishes: the points of a game with few, else 1."""
    most = (position.high or 1) if position.scored else 1
    return int(most) if most in range(1, MOST_LEVELS + 1) else 1


def write(path: Path, game: str, evaluation: NetworkEvaluation, comment: str) -> None:
    """Write an evaluation into a file that `read` reads, its weights into NAME.bin beside it."""
    facts = {"hidden": list(evaluation.hidden), "levels": evaluation.levels, "goal": evaluation.goal}
    rest = "".join([f"{name} = {json.dumps(value)}\n" for name, value in facts.items()])
    learned.write(path, game, evaluation, rest, comment)


@once
def read(path: Path, game: str) -> NetworkEvaluation:
    """The evaluation in a file, read once a process. Raises BadInput, saying what is wrong."""
    return learned.read(path, game, NetworkEvaluation.version, FIELDS, _made)


def _made(path: Path, data: dict[str, Any]) -> NetworkEvaluation:
    """The evaluation that a file describes. Raises ValueError and BadInput for a wrong one."""
    hidden, levels = tuple(data["hidden"]), data["levels"]
    if not 0 < levels <= MOST_LEVELS:
        raise ValueError(f"levels is {levels}: expected 1 to {MOST_LEVELS}")
    if not all(type(units) is int for units in hidden):
        raise ValueError("hidden: expected numbers of units")
    if data["cells"] == OWN:
        if data["letters"] or data["rows"] != 1 or not 0 < data["columns"] <= MOST_INPUTS:
            raise ValueError("cells of the game's own: expected no letters, one row, and an input a column")
        cells = Cells(OWN, (), 1, data["columns"])
        inputs = cells.count
    else:
        cells = learned.cells_in(data)
        inputs = CellInputs(cells.count, len(cells.letters), [range(cells.count)]).count
    content = learned.weights_in(path, data["file"], weights_of((inputs, *hidden, 2 * levels)))
    return NetworkEvaluation(
        cells, hidden, levels, data["goal"], data["chance"], data["scale"], content, path
    )
