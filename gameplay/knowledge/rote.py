"""Stored positions with backed-up values, which an evaluation looks up: `eval=FOLDER/records.rote`.

The invariant: where a search would evaluate a position that is stored, the stored value takes the place of
the evaluation. It was backed up over some plies already, so the value of the search is backed up over these
and its own. Records are known by fingerprint, so that positions which symmetry makes one are stored once.

The sense of direction: a stored value counts less, by one hundredth of a man or whatever one is on the scale
of values, for each ply of the search that looks it up. Of two stored wins the nearer one is preferred, of two
losses the farther one. All evaluations at the depth would be reduced alike, so they are left as they are.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, "Rote learning and its variants". `gameplay.learning.rote` makes the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gameplay import file_io
from gameplay import value as scale
from gameplay.errors import BadInput

LARGEST = 200_000_000  # bytes of a file


@dataclass
class RoteRecord:
    """A stored position."""

    value: int  # backed up, from the mover's view
    plies: int  # over which it was backed up in all
    age: int


def reduced(value: int, plies: int) -> int:
    """A value so many plies earlier: smaller in magnitude, and never of the other sign.

    A forced win or loss becomes the greatest or least value of an evaluation, less its distance.
    """
    size = scale.GUESS - scale.plies(value) if scale.is_win(value) else abs(value)
    size = max(0, size - plies)
    return size if value > 0 else -size


def packed(records: Mapping[int, RoteRecord]) -> dict[str, str]:
    """Records as a file has them: value, plies and age by fingerprint in hexadecimal digits."""
    return {f"{key:016x}": f"{one.value} {one.plies} {one.age}" for key, one in records.items()}


def unpacked(rows: Mapping[str, str]) -> dict[int, RoteRecord]:
    """Records of a file. Raises ValueError, TypeError or AttributeError for what is none."""
    return {int(key, 16): RoteRecord(*map(int, row.split())) for key, row in rows.items()}


def read(path: Path) -> tuple[str, str, dict[str, int], int, dict[int, RoteRecord]]:
    """The game, evaluation, weights, depth and records of a file. Raises BadInput if it is damaged."""
    data = file_io.read_checked(path, LARGEST)
    try:
        game, name, weights, depth = (data[key] for key in ("game", "evaluation", "weights", "depth"))
        return game, name, weights, int(depth), unpacked(data["records"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadInput(f"{path} is not a file of stored positions of rote learning") from None
