"""N-tuples as an evaluation, and their fields in a weights file.

    symmetries = ["identity", "mirror"]
    tuples = [[0, 1, 2, 8], ...]
    policy = "weights-policy.bin"    # if it has a policy: preference weights, as many as those of the value
    policy_scale = 1024.0            # ... the integer for a weight of 1

`chance` is true if chance nodes have weights too. `gameplay.ntuples.learned` describes the other fields.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.native.packing import pack, scale_of, unpack
from gameplay.ntuples import learned
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import LearnedEvaluation, goal_of, points_of, reader_of
from gameplay.ntuples.policy import PolicyTables
from gameplay.ntuples.tables import MAX_ACTIVE, NTuples
from gameplay.once import once_per_file
from gameplay.position import AbstractPosition

MAX_WEIGHTS = 1 << 26  # of all tables: 256 MB
FIELDS = {"symmetries": list, "tuples": list}


@dataclass(frozen=True)
class PackedWeights:
    """Weights as stored: 16-bit integers, `scale` for a weight of 1."""

    scale: float
    content: bytes

    @classmethod
    def of(cls, tables: NTuples) -> "PackedWeights":
        """The weights of tables, rounded."""
        scale = scale_of(tables.weights_owner)
        return cls(scale, pack(tables.weights_owner, scale))


class NTupleEvaluation(LearnedEvaluation):
    """N-tuples as an evaluation; `preferences`: the weights of a policy with the same tuples, if any."""

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
        preferences: PackedWeights | None = None,
    ) -> None:
        super().__init__(cells, chance, scale, packed, file)
        self.words = f"{len(tuples)} tuples of {len(tuples[0])} cells, learned"
        self.words += ", with a policy" if preferences else ""
        self.preferences = preferences
        self._policies: dict[float, PolicyTables] = {}
        self.symmetries = symmetries
        self.tuples = tuples

    @property
    def layout(self) -> tuple[Any, ...]:
        values = (self.cells, self.symmetries, self.tuples, self.chance, self.weight_scale)
        if self.preferences is None:
            return values
        digest = blake2b(self.preferences.content, digest_size=16).hexdigest()
        return (*values, self.preferences.scale, digest)

    def new_estimator(self, position: AbstractPosition) -> NTuples:
        return self._unpack(self.packed, self.weight_scale, position)

    def policy(self, position: AbstractPosition) -> PolicyTables | None:
        """The policy and the value for a game, shared by its positions. Raises BadInput as `check`."""
        if self.preferences is None:
            return None
        values, points = self.estimator(position), points_of(position)
        if points not in self._policies:
            preferences = self._unpack(self.preferences.content, self.preferences.scale, position)
            assert isinstance(values, NTuples)
            self._policies[points] = PolicyTables(values, preferences, goal_of(position))
        return self._policies[points]

    def _unpack(self, packed: bytes, scale: float, position: AbstractPosition) -> NTuples:
        tables = tables_of(self.cells, self.symmetries, self.tuples, position)
        unpack(packed, scale, tables.weights_owner)
        return tables


def tables_of(
    cells: Cells, symmetries: Sequence[str], tuples: Sequence[Sequence[int]], position: AbstractPosition
) -> NTuples:
    """Tables of zeros for these tuples. Raises KeyError or ValueError for invalid ones."""
    images = cells.images_of(symmetries)
    codes, points = len(cells.letters), points_of(position)
    return NTuples(tuples, images, codes, cells.count, position.chance, points, reader_of(cells))


def write(path: Path, game: str, evaluation: NTupleEvaluation, comment: str) -> None:
    """Write an evaluation to a file for `read`, and its weights to NAME.bin and NAME-policy.bin."""
    rows = [f"    {json.dumps(cells)},\n" for cells in evaluation.tuples]
    fields = f"symmetries = {json.dumps(list(evaluation.symmetries))}\ntuples = [\n{''.join(rows)}]\n"
    if evaluation.preferences:
        policy = path.with_name(f"{path.stem}-policy.bin")
        file_io.write(policy, [zlib.compress(evaluation.preferences.content, 6)])
        fields += f'policy = "{policy.name}"\npolicy_scale = {evaluation.preferences.scale}\n'
    learned.write(path, game, evaluation, fields, comment)


@once_per_file
def read(path: Path, game: str) -> NTupleEvaluation:
    """Read the evaluation in a file, cached until it changes. Raises BadInput for an invalid file."""
    return learned.read(path, game, NTupleEvaluation.version, FIELDS, _evaluation)


def _evaluation(path: Path, data: dict[str, Any]) -> NTupleEvaluation:
    """The evaluation that a file describes. Raises ValueError, KeyError or BadInput if it is invalid."""
    cells = learned.cells_in(data)
    tuples = tuple([tuple(row) for row in data["tuples"]])
    if not tuples or not tuples[0] or any(len(row) != len(tuples[0]) for row in tuples):
        raise ValueError("tuples: expected lists of one length")
    if not all(type(place) is int and 0 <= place < cells.count for row in tuples for place in row):
        raise ValueError("tuples: a cell is not on the board")
    weights = weights_of(len(cells.letters), tuples, data["chance"])
    if weights > MAX_WEIGHTS:
        raise ValueError(f"{weights} weights: expected at most {MAX_WEIGHTS}")
    symmetries = tuple(data["symmetries"])
    if not symmetries or not set(symmetries) <= {name for name, _ in cells.images()}:
        raise ValueError("symmetries: expected names of symmetries of this board")
    if len(tuples) * len(symmetries) > MAX_ACTIVE:
        raise ValueError(
            f"{len(tuples)} tuples, {len(symmetries)} symmetries: expected at most {MAX_ACTIVE} images"
        )
    content = learned.weights_in(path, data["file"], weights)
    preferences = _preferences(path, data, weights) if "policy" in data else None
    return NTupleEvaluation(
        cells, symmetries, tuples, data["chance"], data["scale"], content, path, preferences
    )


def _preferences(path: Path, data: dict[str, Any], weights: int) -> PackedWeights:
    """The weights of a policy. Raises ValueError or BadInput for invalid ones."""
    if type(data["policy"]) is not str or type(data.get("policy_scale")) is not float:
        raise ValueError("policy or policy_scale is wrong or missing: learn the weights again")
    scale = learned.scale_in(data, "policy_scale")
    return PackedWeights(scale, learned.weights_in(path, data["policy"], weights))


def weights_of(codes: int, tuples: Sequence[Sequence[int]], chance: bool) -> int:
    """The number of weights of these tuples; beyond MAX_WEIGHTS it may be inexact."""
    length = len(tuples[0])
    size = codes**length if length * codes.bit_length() < 64 else 1 << 64
    return (3 if chance else 2) * len(tuples) * size
