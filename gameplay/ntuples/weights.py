"""Evaluations that were learned: n-tuples over the cells of a game, in a file of weights.

    game = "connect4"
    evaluation = "ntuples"
    version = 1
    checksum = "8d0e52a9c3f1b764"
    file = "weights.bin"             # beside it: 16-bit whole numbers, packed by zlib
    scale = 812.5                    # of them make 1
    cells = "native"                 # see `gameplay.ntuples.cells`
    letters = ["", "X", "O", ""]
    rows = 6
    columns = 7
    chance = false                   # true: chance nodes have weights too
    symmetries = ["identity", "mirror"]
    tuples = [[0, 1, 2, 8], ...]

`gameplay learn` writes such files; the option `eval=FILE` of engines reads them.
"""

import zlib
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.adapter import PositionKernel, kernel_of
from gameplay.errors import BadInput, GameplayError
from gameplay.kernel import Kernel
from gameplay.ntuples.cells import BOARD, KEY, MOST_LETTERS, NATIVE, Cells
from gameplay.ntuples.tables import MOST_CELLS, NTuples
from gameplay.once import once
from gameplay.position import AbstractEvaluation, AbstractPosition

NAME = "ntuples"
VERSION = 1
CERTAIN = 1000  # what a certain win is worth in a game without points
LARGEST = 32767  # weight in a file
MOST_SCALE = 1 << 20
MOST_WEIGHTS = 1 << 26  # of all tables: 256 MB


class LearnedEvaluation(AbstractEvaluation):
    """N-tuples as an evaluation: compiled games are searched with it without the interpreter."""

    def __init__(
        self,
        cells: Cells,
        symmetries: tuple[str, ...],
        tuples: tuple[tuple[int, ...], ...],
        chance: bool,
        scale: float,
        packed: bytes,
        file: Path | None = None,
    ) -> None:
        self.name = NAME
        self.words = f"{len(tuples)} tuples of {len(tuples[0])} cells, learned"
        self.cells = cells
        self.symmetries = symmetries
        self.tuples = tuples
        self.chance = chance
        self.numbers = scale  # that make 1
        self.packed = packed  # the weights as in the file
        self.file = file
        self._tables: dict[float, NTuples] = {}

    @property
    def inside(self) -> bool:
        """False: it is none of the game's own."""
        return False

    @cached_property
    def checksum(self) -> str:
        """16 hex digits of the weights and of what they are weights of."""
        layout = repr((self.cells, self.symmetries, self.tuples, self.chance, self.numbers)).encode()
        return blake2b(layout + self.packed, digest_size=8).hexdigest()

    def estimator(self, position: AbstractPosition) -> NTuples:
        """The tables for a game, shared by its positions. Raises BadInput as `check`."""
        self.check(position)
        return self._tables_for(position)

    def _tables_for(self, position: AbstractPosition) -> NTuples:
        points = points_of(position)
        if points not in self._tables:
            tables = tables_of(self.cells, self.symmetries, self.tuples, position)
            tables.unpack(self.packed, self.numbers)
            self._tables[points] = tables
        return self._tables[points]

    def check(self, position: AbstractPosition) -> None:
        """Raise BadInput if the weights are for other cells than those of this game."""
        native = isinstance(position, Kernel) and bool(position.cell_letters)
        letters = (
            tuple(position.cell_letters) if isinstance(position, Kernel) and native else self.cells.letters
        )
        try:
            if position.players != 2:
                raise BadInput("two players; this game has another number")
            if position.chance != self.chance:
                raise BadInput("other weights for chance than this game needs")
            if native != (self.cells.source == NATIVE) or letters != self.cells.letters:
                raise BadInput("other contents of cells than those of this game")
            self.cells.of(position)
        except GameplayError as error:
            raise BadInput(f"{self.file} is for another board or version of the game: {error}") from None

    def evaluate(self, position: Any) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for the mover."""
        return self.evaluate_for(position, position.turn)

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for a player."""
        # A reader in Python checks the cells each time; a compiled game is checked here.
        tables = self.estimator(position) if isinstance(position, Kernel) else self._tables_for(position)
        value = int(tables.worth(kernel_of(position)))
        return value if player == 0 else -value


def points_of(position: AbstractPosition) -> float:
    """What a certain win is worth, in the game's `unit`."""
    return goal_of(position) if position.scored or position.calibrated else float(CERTAIN)


def goal_of(position: AbstractPosition) -> float:
    """The payoff times `unit` that counts as a certain win."""
    return float(position.unit * ((position.high or 1) if position.scored else 1))


def tables_of(
    cells: Cells, symmetries: Sequence[str], tuples: Sequence[Sequence[int]], position: AbstractPosition
) -> NTuples:
    """Tables of zeros for these tuples. Raises KeyError and ValueError if there can be none."""

    def read(kernel: Kernel) -> bytes:
        return cells.of(kernel.position if isinstance(kernel, PositionKernel) else kernel)

    reader = None if cells.source == NATIVE else read
    images = cells.images_of(symmetries)
    codes, points = len(cells.letters), points_of(position)
    return NTuples(tuples, images, codes, cells.count, position.chance, points, reader)


# -- files -----------------------------------------------------------------------------------------------

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
    "symmetries": list,
    "tuples": list,
}


def write(path: Path, game: str, evaluation: LearnedEvaluation, comment: str) -> None:
    """Write an evaluation into a file that `read` reads, its weights into NAME.bin beside it."""
    import json

    cells = evaluation.cells
    packed = path.with_suffix(".bin")
    facts: dict[str, Any] = {
        "game": game,
        "evaluation": NAME,
        "version": VERSION,
        "checksum": evaluation.checksum,
        "file": packed.name,
        "scale": evaluation.numbers,
        "cells": cells.source,
        "letters": list(cells.letters),
        "rows": cells.rows,
        "columns": cells.columns,
        "chance": evaluation.chance,
        "symmetries": list(evaluation.symmetries),
    }
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
    rows = [f"    {json.dumps(one)},\n" for one in evaluation.tuples]
    text = "\n".join(lines) + "\ntuples = [\n" + "".join(rows) + "]\n"
    file_io.write(packed, [zlib.compress(evaluation.packed, 6)])
    file_io.write(path, [text.encode()])


@once
def read(path: Path, game: str) -> LearnedEvaluation:
    """The evaluation in a file, read once a process. Raises BadInput, saying what is wrong."""
    data = file_io.toml(path)
    for name, kind in FIELDS.items():
        if type(data.get(name)) is not kind:
            raise BadInput(
                f"{path}: {name} is {'wrong' if name in data else 'missing'}: learn the weights again"
            )
    if data["game"] != game:
        raise BadInput(f"{path} holds weights for {data['game']}, and this is {game}")
    if data["version"] != VERSION:
        raise BadInput(f"{path}: version {data['version']}: expected {VERSION}; learn the weights again")
    try:
        evaluation = _made(path, data)
    except (TypeError, ValueError, KeyError) as error:
        raise BadInput(f"{path}: {error}") from None
    if data["checksum"] != evaluation.checksum:
        raise BadInput(
            f"{path}: the checksum is not that of the weights: the file or {data['file']} is damaged"
        )
    return evaluation


def _made(path: Path, data: dict[str, Any]) -> LearnedEvaluation:
    """The evaluation that a file describes. Raises ValueError, KeyError and BadInput for a wrong one."""
    letters, rows, columns = data["letters"], data["rows"], data["columns"]
    if data["cells"] not in (NATIVE, BOARD, KEY):
        raise ValueError(f"cells is {data['cells']!r}: expected {NATIVE}, {BOARD} or {KEY}")
    if not 0 < len(letters) <= MOST_LETTERS or not all(type(one) is str for one in letters):
        raise ValueError("letters: expected a list of texts")
    if rows < 1 or columns < 1 or rows * columns > MOST_CELLS:
        raise ValueError(f"{rows} by {columns} cells: expected at most {MOST_CELLS}")
    if not 0 < data["scale"] <= MOST_SCALE:
        raise ValueError(f"scale is {data['scale']}: expected a number from 0 to {MOST_SCALE}")
    cells = Cells(data["cells"], tuple(letters), rows, columns)
    tuples = tuple([tuple(one) for one in data["tuples"]])
    if not tuples or not tuples[0] or any(len(one) != len(tuples[0]) for one in tuples):
        raise ValueError("tuples: expected lists of one length")
    if not all(type(place) is int and 0 <= place < cells.count for one in tuples for place in one):
        raise ValueError("tuples: a cell is not on the board")
    weights = weights_of(len(letters), tuples, data["chance"])
    if weights > MOST_WEIGHTS:
        raise ValueError(f"{weights} weights: expected at most {MOST_WEIGHTS}")
    if not data["symmetries"] or not set(data["symmetries"]) <= {name for name, _ in cells.images()}:
        raise ValueError("symmetries: expected names of symmetries of this board")
    name = Path(data["file"])
    if name.name != data["file"]:
        raise ValueError(f"file is {data['file']!r}: expected the name of a file in the same folder")
    packed = path.parent / name
    try:
        content = zlib.decompressobj().decompress(file_io.content(packed), 2 * weights + 1)
    except OSError as error:
        raise BadInput(f"file {packed}: {error.strerror}") from None
    except zlib.error:
        raise BadInput(f"file {packed} is not packed by zlib") from None
    if len(content) != 2 * weights:
        raise BadInput(f"file {packed} has {len(content) // 2} weights: expected {weights}")
    return LearnedEvaluation(
        cells, tuple(data["symmetries"]), tuples, data["chance"], data["scale"], content, path
    )


def weights_of(codes: int, tuples: Sequence[Sequence[int]], chance: bool) -> int:
    """How many weights such tuples have; a number beyond all limits if it is large."""
    length = len(tuples[0])
    size = codes**length if length * codes.bit_length() < 64 else 1 << 64
    return (3 if chance else 2) * len(tuples) * size
