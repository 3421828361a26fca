"""Rote learning: an evaluation looks up stored positions with backed-up values: `eval=FOLDER/records.rote`.

Invariant: where a search would evaluate a stored position, the stored value replaces the evaluation. It was
backed up over some plies, so the effective depth of the search grows by these. Records are indexed by
fingerprint, so symmetric positions are stored once.

Sense of direction: a stored value is discounted by one unit of the scale for each ply of the search that
looks it up, so the nearer of two stored wins is preferred, and the farther of two losses. Evaluations at full
depth would all be discounted equally, and are left unchanged.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, "Rote learning and its variants". `gameplay.learning.rote` makes the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gameplay import file_io
from gameplay import value as scale
from gameplay.errors import BadInput

MAX_BYTES = 200_000_000  # of a file


@dataclass
class RoteRecord:
    """A stored position."""

    value: int  # backed up, from the mover's view
    plies: int  # total plies over which it was backed up
    age: int


def discount(value: int, plies: int) -> int:
    """A value `plies` earlier: smaller in magnitude, never of the opposite sign.

    A forced win or loss becomes the maximum or minimum of an evaluation, less its distance.
    """
    size = scale.MAX_EVAL - scale.plies(value) if scale.is_win(value) else abs(value)
    size = max(0, size - plies)
    return size if value > 0 else -size


def encode_records(records: Mapping[int, RoteRecord]) -> dict[str, str]:
    """Records as stored: value, plies and age by fingerprint in hexadecimal digits."""
    return {f"{key:016x}": f"{record.value} {record.plies} {record.age}" for key, record in records.items()}


def decode_records(rows: Mapping[str, str]) -> dict[int, RoteRecord]:
    """Parse stored records. Raises ValueError, TypeError or AttributeError if invalid."""
    return {int(key, 16): RoteRecord(*map(int, row.split())) for key, row in rows.items()}


def read(path: Path) -> tuple[str, str, dict[str, int], int, dict[int, RoteRecord]]:
    """The game, evaluation, weights, depth and records of a file. Raises BadInput if it is damaged."""
    data = file_io.read_checked(path, MAX_BYTES)
    try:
        game, name, weights, depth = (data[key] for key in ("game", "evaluation", "weights", "depth"))
        return game, name, weights, int(depth), decode_records(data["records"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadInput(f"{path} is not a file of rote learning") from None
