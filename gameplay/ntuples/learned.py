"""Evaluations that were learned by self-play, whatever approximates them, and their files of weights.

    game = "connect4"
    evaluation = "ntuples"           # or "network"
    version = 1
    checksum = "8d0e52a9c3f1b764"
    file = "weights.bin"             # beside it: 16-bit whole numbers, packed by zlib
    scale = 812.5                    # of them make 1
    cells = "native"                 # see `gameplay.ntuples.cells`
    letters = ["", "X", "O", ""]
    rows = 6
    columns = 7
    chance = false

and the lines of the kind: see `gameplay.ntuples.weights` and `gameplay.networks.weights`. `gameplay learn`
writes such files; the option `eval=FILE` of engines reads them.
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
from gameplay.native.packing import MOST_SCALE
from gameplay.ntuples.cells import BOARD, KEY, MOST_LETTERS, NATIVE, Cells
from gameplay.ntuples.estimator import LearnedEstimator
from gameplay.ntuples.reader import MOST_CELLS
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.weights import unpack

LEAST_SCALE = 1e-6  # weights are below 4e10: no sum of them is infinite
CERTAIN = 1000  # what a certain win is worth in a game without points


class LearnedEvaluation(AbstractEvaluation):
    """Weights and what they are weights of: compiled games are searched with them without the interpreter."""

    version = 1

    def __init__(self, cells: Cells, chance: bool, scale: float, packed: bytes, file: Path | None) -> None:
        self.cells = cells
        self.chance = chance
        self.numbers = scale  # that make 1
        self.packed = packed  # the weights as in the file
        self.file = file
        self._estimators: dict[float, LearnedEstimator] = {}

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # weights never change: copies of a position share them

    @property
    @abstractmethod
    def layout(self) -> tuple[Any, ...]:
        """All that the meaning of the weights depends on."""

    @abstractmethod
    def new_estimator(self, position: AbstractPosition) -> LearnedEstimator:
        """An estimator with these weights, for a game that was checked."""

    @property
    def inside(self) -> bool:
        """False: it is none of the game's own."""
        return False

    @cached_property
    def checksum(self) -> str:
        """16 hex digits of the weights and of what they are weights of."""
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
                raise BadInput("two players; this game has another number")
            if position.chance != self.chance:
                raise BadInput("other weights for chance than this game needs")
            self.check_cells(position)
        except GameplayError as error:
            raise BadInput(f"{self.file} is for another board or version of the game: {error}") from None

    def check_cells(self, position: AbstractPosition) -> None:
        """Raise BadInput or Usage if the weights are for other cells than those of this game."""
        native = isinstance(position, Kernel) and bool(position.cell_letters)
        letters = (
            tuple(position.cell_letters) if isinstance(position, Kernel) and native else self.cells.letters
        )
        if native != (self.cells.source == NATIVE) or letters != self.cells.letters:
            raise BadInput("other contents of cells than those of this game")
        self.cells.of(position)

    def evaluate(self, position: Any) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for the mover."""
        return self.evaluate_for(position, position.turn)

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for a player."""
        # A reader in Python checks the cells each time; a compiled game is checked here.
        one = self.estimator(position) if isinstance(position, Kernel) else self._estimator_for(position)
        value = int(one.worth(kernel_of(position)))
        return value if player == 0 else -value


def points_of(position: AbstractPosition) -> float:
    """What a certain win is worth, in the game's `unit`."""
    return goal_of(position) if position.scored or position.calibrated else float(CERTAIN)


def goal_of(position: AbstractPosition) -> float:
    """The payoff times `unit` that counts as a certain win."""
    return float(position.unit * ((position.high or 1) if position.scored else 1))


def reader_of(cells: Cells) -> Callable[[Kernel], bytes] | None:
    """What reads the cells of positions; None: the game fills `read_cells`."""

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


def write(path: Path, game: str, evaluation: LearnedEvaluation, rest: str, comment: str) -> None:
    """Write a file that `read` reads, the weights into NAME.bin beside it. `rest`: the lines of its kind."""
    import json

    cells = evaluation.cells
    packed = path.with_suffix(".bin")
    facts: dict[str, Any] = {
        "game": game,
        "evaluation": evaluation.name,
        "version": evaluation.version,
        "checksum": evaluation.checksum,
        "file": packed.name,
        "scale": evaluation.numbers,
        "cells": cells.source,
        "letters": list(cells.letters),
        "rows": cells.rows,
        "columns": cells.columns,
        "chance": evaluation.chance,
    }
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
    file_io.write(packed, [zlib.compress(evaluation.packed, 6)])
    file_io.write(path, [("\n".join(lines) + "\n" + rest).encode()])


def read(
    path: Path,
    game: str,
    version: int,
    fields: Mapping[str, type],
    made: Callable[[Path, dict[str, Any]], EvaluationT],
) -> EvaluationT:
    """The evaluation in a file: `made` of its fields, `fields` those of its kind.

    Raises BadInput, saying what is wrong.
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
        evaluation = made(path, data)
    except (BadInput, TypeError, ValueError, KeyError) as error:
        raise BadInput(f"{path}: {error}") from None
    if data["checksum"] != evaluation.checksum:
        raise BadInput(
            f"{path}: the checksum is not that of the weights: the file or one beside it is damaged"
        )
    return evaluation


def cells_in(data: dict[str, Any]) -> Cells:
    """The cells that a file describes. Raises ValueError."""
    letters, rows, columns = data["letters"], data["rows"], data["columns"]
    if data["cells"] not in (NATIVE, BOARD, KEY):
        raise ValueError(f"cells is {data['cells']!r}: expected {NATIVE}, {BOARD} or {KEY}")
    if not 0 < len(letters) <= MOST_LETTERS or not all(type(one) is str for one in letters):
        raise ValueError("letters: expected a list of texts")
    if rows < 1 or columns < 1 or rows * columns > MOST_CELLS:
        raise ValueError(f"{rows} by {columns} cells: expected at most {MOST_CELLS}")
    return Cells(data["cells"], tuple(letters), rows, columns)


def scale_in(data: dict[str, Any], name: str) -> float:
    """The scale of this name, a float. Raises ValueError if weights could be infinite or no number."""
    scale: float = data[name]
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise ValueError(f"{name} is {scale}: expected a number from {LEAST_SCALE} to {MOST_SCALE}")
    return scale


def weights_in(path: Path, name: str, weights: int) -> bytes:
    """So many weights of 16 bits, packed in the file of this name beside `path`. Raises BadInput."""
    content = unpack(path, name, 2 * weights)
    if len(content) != 2 * weights:
        raise BadInput(f"file {path.parent / name} has {len(content) // 2} weights: expected {weights}")
    return content
