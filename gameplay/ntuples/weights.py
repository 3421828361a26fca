"""N-tuples over the cells of a game as an evaluation, and the lines of their kind in a file of weights.

    symmetries = ["identity", "mirror"]
    tuples = [[0, 1, 2, 8], ...]

`chance` is true if chance nodes have weights too. `gameplay.ntuples.learned` describes the other lines.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gameplay.native.packing import unpack
from gameplay.ntuples import learned
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import LearnedEvaluation, points_of, reader_of
from gameplay.ntuples.tables import NTuples
from gameplay.once import once
from gameplay.position import AbstractPosition

MOST_WEIGHTS = 1 << 26  # of all tables: 256 MB
FIELDS = {"symmetries": list, "tuples": list}


class NTupleEvaluation(LearnedEvaluation):
    """N-tuples as an evaluation."""

    name = "ntuples"

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
        super().__init__(cells, chance, scale, packed, file)
        self.words = f"{len(tuples)} tuples of {len(tuples[0])} cells, learned"
        self.symmetries = symmetries
        self.tuples = tuples

    @property
    def layout(self) -> tuple[Any, ...]:
        return (self.cells, self.symmetries, self.tuples, self.chance, self.numbers)

    def new_estimator(self, position: AbstractPosition) -> NTuples:
        tables = tables_of(self.cells, self.symmetries, self.tuples, position)
        unpack(self.packed, self.numbers, tables.weights_owner)
        return tables


def tables_of(
    cells: Cells, symmetries: Sequence[str], tuples: Sequence[Sequence[int]], position: AbstractPosition
) -> NTuples:
    """Tables of zeros for these tuples. Raises KeyError and ValueError if there can be none."""
    images = cells.images_of(symmetries)
    codes, points = len(cells.letters), points_of(position)
    return NTuples(tuples, images, codes, cells.count, position.chance, points, reader_of(cells))


def write(path: Path, game: str, evaluation: NTupleEvaluation, comment: str) -> None:
    """Write an evaluation into a file that `read` reads, its weights into NAME.bin beside it."""
    rows = [f"    {json.dumps(one)},\n" for one in evaluation.tuples]
    rest = f"symmetries = {json.dumps(list(evaluation.symmetries))}\ntuples = [\n{''.join(rows)}]\n"
    learned.write(path, game, evaluation, rest, comment)


@once
def read(path: Path, game: str) -> NTupleEvaluation:
    """The evaluation in a file, read once a process. Raises BadInput, saying what is wrong."""
    return learned.read(path, game, NTupleEvaluation.version, FIELDS, _made)


def _made(path: Path, data: dict[str, Any]) -> NTupleEvaluation:
    """The evaluation that a file describes. Raises ValueError, KeyError and BadInput for a wrong one."""
    cells = learned.cells_in(data)
    tuples = tuple([tuple(one) for one in data["tuples"]])
    if not tuples or not tuples[0] or any(len(one) != len(tuples[0]) for one in tuples):
        raise ValueError("tuples: expected lists of one length")
    if not all(type(place) is int and 0 <= place < cells.count for one in tuples for place in one):
        raise ValueError("tuples: a cell is not on the board")
    weights = weights_of(len(cells.letters), tuples, data["chance"])
    if weights > MOST_WEIGHTS:
        raise ValueError(f"{weights} weights: expected at most {MOST_WEIGHTS}")
    if not data["symmetries"] or not set(data["symmetries"]) <= {name for name, _ in cells.images()}:
        raise ValueError("symmetries: expected names of symmetries of this board")
    content = learned.weights_in(path, data, weights)
    return NTupleEvaluation(
        cells, tuple(data["symmetries"]), tuples, data["chance"], data["scale"], content, path
    )


def weights_of(codes: int, tuples: Sequence[Sequence[int]], chance: bool) -> int:
    """How many weights such tuples have; a number beyond all limits if it is large."""
    length = len(tuples[0])
    size = codes**length if length * codes.bit_length() < 64 else 1 << 64
    return (3 if chance else 2) * len(tuples) * size
