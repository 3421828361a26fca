"""Evaluations learned by self-play, with any approximator, and their weights files.

    game = "connect4"
    evaluation = "ntuples"           # or "network"
    version = 1
    checksum = "8d0e52a9c3f1b764"
    file = "weights.bin"             # in the same folder: 16-bit integers, packed by zlib
    scale = 812.5                    # the integer for a weight of 1
    cells = "native"                 # see `gameplay.ntuples.cells`
    letters = ["", "X", "O", ""]
    rows = 6
    columns = 7
    chance = false

and the fields of the approximator: see `gameplay.ntuples.weights` and `gameplay.networks.weights`. `gameplay
learn` writes these files; the option `eval=FILE` of engines reads them.
"""

import zlib
from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self, TypeVar

from gameplay import file_io
from gameplay.adapter import PositionKernel, kernel_of
from gameplay.errors import BadInput, GameplayError
from gameplay.kernel import Kernel
from gameplay.native.packing import MAX_SCALE
from gameplay.ntuples.cells import BOARD, KEY, MAX_LETTERS, NATIVE, Cells
from gameplay.ntuples.estimator import LearnedEstimator
from gameplay.ntuples.reader import MAX_CELLS
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.weights import unpack

MIN_SCALE = 1e-6  # weights are below 4e10, so that sums are finite
CERTAIN = 1000  # the value of a certain win in a game without points


class LearnedEvaluation(AbstractEvaluation):
    """Weights with their layout. Searches of compiled games evaluate without the interpreter."""

    version = 1

    def __init__(self, cells: Cells, chance: bool, scale: float, packed: bytes, file: Path | None) -> None:
        self.cells = cells
        self.chance = chance
        self.weight_scale = scale  # the integer for a weight of 1
        self.packed = packed  # the weights as in the file
        self.file = file
        self._estimators: dict[float, LearnedEstimator] = {}

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # weights never change: copies of a position share them

    @property
    @abstractmethod
    def layout(self) -> tuple[Any, ...]:
        """The layout that the weights are for; part of the checksum."""

    @abstractmethod
    def new_estimator(self, position: AbstractPosition) -> LearnedEstimator:
        """A new estimator with these weights, for a game that passed `check`."""

    @property
    def inside(self) -> bool:
        """False: the evaluation is not one of the game."""
        return False

    @cached_property
    def checksum(self) -> str:
        """16 hex digits of the weights and their layout."""
        return blake2b(repr(self.layout).encode() + self.packed, digest_size=8).hexdigest()

    def estimator(self, position: AbstractPosition) -> LearnedEstimator:
        """The estimator for a game, shared by its positions. Raises BadInput as `check`."""
        self.check(position)
        return self._estimator_for(position)

    def _estimator_for(self, position: AbstractPosition) -> LearnedEstimator:
        points = points_of(position)
        if points not in self._estimators:
            self._estimators[points] = self.new_estimator(position)
        return self._estimators[points]

    def check(self, position: AbstractPosition) -> None:
        """Raise BadInput if the weights are for another game or board."""
        try:
            if position.players != 2:
                raise BadInput(f"it is for two players, not {position.players}")
            if position.chance != self.chance:
                raise BadInput(f"it is for games {'with' if self.chance else 'without'} chance")
            self.check_cells(position)
        except GameplayError as error:
            raise BadInput(f"{self.file} is for another board or version of the game: {error}") from None

    def check_cells(self, position: AbstractPosition) -> None:
        """Raise BadInput or Usage if the cells of this game differ from those of the weights."""
        native = isinstance(position, Kernel) and bool(position.cell_letters)
        letters = (
            tuple(position.cell_letters) if isinstance(position, Kernel) and native else self.cells.letters
        )
        if native != (self.cells.source == NATIVE) or letters != self.cells.letters:
            raise BadInput("the contents of cells differ from those of this game")
        self.cells.of(position)

    def evaluate(self, position: Any) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for the mover."""
        return self.evaluate_for(position, position.turn)

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for a player."""
        # A reader in Python checks the cells each time; a compiled game is checked here.
        compiled = isinstance(position, Kernel)
        estimator = self.estimator(position) if compiled else self._estimator_for(position)
        value = int(estimator.value_of(kernel_of(position)))
        return value if player == 0 else -value


def points_of(position: AbstractPosition) -> float:
    """The value of a certain win, in the game's `unit`."""
    return goal_of(position) if position.scored or position.calibrated else float(CERTAIN)


def goal_of(position: AbstractPosition) -> float:
    """The payoff times `unit` that counts as a certain win."""
    return float(position.unit * ((position.high or 1) if position.scored else 1))


def reader_of(cells: Cells) -> Callable[[Kernel], bytes] | None:
    """The function that reads the cells of positions; None: the game implements `read_cells`."""

    def read(kernel: Kernel) -> bytes:
        return cells.of(kernel.position if isinstance(kernel, PositionKernel) else kernel)

    return None if cells.source == NATIVE else read


# -- files -----------------------------------------------------------------------------------------------

EvaluationT = TypeVar("EvaluationT", bound=LearnedEvaluation)

FIELDS = {
    "game": str,
    "evaluation": str,
    "version": int,
    "checksum": str,
    "file": str,
    "scale": float,
    "cells": str,
    "letters": list,
    "rows": int,
    "columns": int,
    "chance": bool,
}


def write(path: Path, game: str, evaluation: LearnedEvaluation, more: str, comment: str) -> None:
    """Write a file for `read`, and the weights to NAME.bin in the same folder.

    `more`: the lines of the approximator's fields.
    """
    import json

    cells = evaluation.cells
    packed = path.with_suffix(".bin")
    facts: dict[str, Any] = {
        "game": game,
        "evaluation": evaluation.name,
        "version": evaluation.version,
        "checksum": evaluation.checksum,
        "file": packed.name,
        "scale": evaluation.weight_scale,
        "cells": cells.source,
        "letters": list(cells.letters),
        "rows": cells.rows,
        "columns": cells.columns,
        "chance": evaluation.chance,
    }
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
    file_io.write(packed, [zlib.compress(evaluation.packed, 6)])
    file_io.write(path, [("\n".join(lines) + "\n" + more).encode()])


def read(
    path: Path,
    game: str,
    version: int,
    fields: Mapping[str, type],
    build: Callable[[Path, dict[str, Any]], EvaluationT],
) -> EvaluationT:
    """Read a file and `build` the evaluation from its fields; `fields`: those of the approximator.

    Raises BadInput for an invalid file.
    """
    data = file_io.toml(path)
    for name, kind in (FIELDS | dict(fields)).items():
        if type(data.get(name)) is not kind:
            raise BadInput(
                f"{path}: {name} is {'wrong' if name in data else 'missing'}: learn the weights again"
            )
    if data["game"] != game:
        raise BadInput(f"{path} holds weights for {data['game']}, and this is {game}")
    if data["version"] != version:
        raise BadInput(f"{path}: version {data['version']}: expected {version}; learn the weights again")
    try:
        scale_in(data, "scale")
        evaluation = build(path, data)
    except (BadInput, TypeError, ValueError, KeyError) as error:
        raise BadInput(f"{path}: {error}") from None
    if data["checksum"] != evaluation.checksum:
        raise BadInput(
            f"{path}: the checksum is not that of the weights: this file or {data['file']} is damaged"
        )
    return evaluation


def cells_in(data: dict[str, Any]) -> Cells:
    """The cells that a file describes. Raises ValueError."""
    letters, rows, columns = data["letters"], data["rows"], data["columns"]
    if data["cells"] not in (NATIVE, BOARD, KEY):
        raise ValueError(f"cells is {data['cells']!r}: expected {NATIVE}, {BOARD} or {KEY}")
    if not 0 < len(letters) <= MAX_LETTERS or not all(type(letter) is str for letter in letters):
        raise ValueError(f"letters: expected a list of 1 to {MAX_LETTERS} strings")
    if rows < 1 or columns < 1 or rows * columns > MAX_CELLS:
        raise ValueError(f"{rows} by {columns} cells: expected at most {MAX_CELLS}")
    return Cells(data["cells"], tuple(letters), rows, columns)


def scale_in(data: dict[str, Any], name: str) -> float:
    """The scale in this field. Raises ValueError if it is out of range."""
    scale: float = data[name]
    if not MIN_SCALE <= scale <= MAX_SCALE:
        raise ValueError(f"{name} is {scale}: expected a number from {MIN_SCALE} to {MAX_SCALE}")
    return scale


def weights_in(path: Path, name: str, weights: int) -> bytes:
    """Read `weights` 16-bit weights from the file `name` in the folder of `path`. Raises BadInput."""
    content = unpack(path, name, 2 * weights)
    if len(content) != 2 * weights:
        raise BadInput(f"file {path.parent / name} has {len(content) // 2} weights: expected {weights}")
    return content
