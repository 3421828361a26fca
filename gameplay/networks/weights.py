"""A network as an evaluation, and its fields in a weights file.

    hidden = [80]          # units of each hidden layer
    levels = 3             # of wins and of losses, see `gameplay.networks.estimator`
    goal = 3000.0          # the greatest payoff, times the game's `unit`

`cells` is "game" if the game defines its inputs (`HasNetworkInputs`), `columns` of them, without letters.
`gameplay.ntuples.learned` describes the other fields.
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
from gameplay.networks.estimator import MAX_LEVELS, NetworkEstimator
from gameplay.networks.network import MAX_INPUTS, Network, weights_of
from gameplay.networks.widening import keep_levels
from gameplay.ntuples import learned
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import LearnedEvaluation, goal_of, points_of, reader_of
from gameplay.once import once_per_file
from gameplay.position import AbstractPosition

GAME_INPUTS = "game"  # source of the cells: inputs that the game defines
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
        return (self.cells, self.hidden, self.levels, self.goal, self.chance, self.weight_scale)

    def check_cells(self, position: AbstractPosition) -> None:
        inputs = position.network_inputs().count if isinstance(position, HasNetworkInputs) else None
        levels = levels_of(position)
        if levels > self.levels or goal_of(position) * self.levels != self.goal * levels:
            raise BadInput(f"goal is {self.goal:g}: expected {goal_of(position):g}")
        if inputs != (self.cells.count if self.cells.source == GAME_INPUTS else None):
            raise BadInput("inputs differ from those of this game")
        if inputs is None:
            super().check_cells(position)

    def new_estimator(self, position: AbstractPosition) -> NetworkEstimator:
        inputs = inputs_of(self.cells, [], position)
        network = Network((inputs.count, *self.hidden, 2 * self.levels), seed=None)
        unpack(self.packed, self.weight_scale, network.weights_owner)
        if levels_of(position) < self.levels:  # as in a match to one point
            network = keep_levels(network, levels_of(position))
        return NetworkEstimator(network, inputs, points_of(position))


def inputs_of(cells: Cells, symmetries: Sequence[str], position: AbstractPosition) -> NetworkInputs:
    """The inputs that the game defines, or its cells, with these symmetries for learning."""
    if isinstance(position, HasNetworkInputs):
        inputs: NetworkInputs = position.network_inputs()
        return inputs
    images = cells.images_of(symmetries or ["identity"])
    return CellInputs(cells.count, len(cells.letters), images, reader_of(cells))


def levels_of(position: AbstractPosition) -> int:
    """The number of levels that a network distinguishes: the maximum points of the game if few, else 1."""
    points = (position.high or 1) if position.scored else 1
    return int(points) if points in range(1, MAX_LEVELS + 1) else 1


def write(path: Path, game: str, evaluation: NetworkEvaluation, comment: str) -> None:
    """Write an evaluation to a file for `read`, and its weights to NAME.bin in the same folder."""
    facts = {"hidden": list(evaluation.hidden), "levels": evaluation.levels, "goal": evaluation.goal}
    fields = "".join([f"{name} = {json.dumps(value)}\n" for name, value in facts.items()])
    learned.write(path, game, evaluation, fields, comment)


@once_per_file
def read(path: Path, game: str) -> NetworkEvaluation:
    """Read the evaluation in a file, cached until it changes. Raises BadInput for an invalid file."""
    return learned.read(path, game, NetworkEvaluation.version, FIELDS, _evaluation)


def _evaluation(path: Path, data: dict[str, Any]) -> NetworkEvaluation:
    """The evaluation that a file describes. Raises ValueError or BadInput if it is invalid."""
    hidden, levels = tuple(data["hidden"]), data["levels"]
    if not 0 < levels <= MAX_LEVELS:
        raise ValueError(f"levels is {levels}: expected 1 to {MAX_LEVELS}")
    if not all(type(units) is int for units in hidden):
        raise ValueError("hidden: expected numbers of units")
    if data["cells"] == GAME_INPUTS:
        if data["letters"] or data["rows"] != 1 or not 0 < data["columns"] <= MAX_INPUTS:
            raise ValueError(f'cells = "{GAME_INPUTS}": expected no letters, one row, and a column per input')
        cells = Cells(GAME_INPUTS, (), 1, data["columns"])
        inputs = cells.count
    else:
        cells = learned.cells_in(data)
        inputs = CellInputs(cells.count, len(cells.letters), [range(cells.count)]).count
    content = learned.weights_in(path, data["file"], weights_of((inputs, *hidden, 2 * levels)))
    return NetworkEvaluation(
        cells, hidden, levels, data["goal"], data["chance"], data["scale"], content, path
    )
