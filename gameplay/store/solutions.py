"""Cached solutions: the value of each move of a position, and the line that follows.

One file per position, named by a hash of the game spec and the position's notation.
"""

from hashlib import blake2b
from pathlib import Path

import msgspec

from gameplay.store import document
from gameplay.store.saved import folder as games


class SolvedMove(msgspec.Struct):
    """A move: its value for the mover on the scale of `gameplay.value`, and the line it begins."""

    value: int
    line: list[str]
    nodes: int
    seconds: float


class Solution(msgspec.Struct):
    """The solution of a position, by move notation."""

    schema: int = 1
    game: str = ""
    position: str = ""
    moves: dict[str, SolvedMove] = {}


def path_of(game: str, position: str) -> Path:
    """The file of a position."""
    name = blake2b(f"{game}\0{position}".encode(), digest_size=10).hexdigest()
    return games().parent / "solutions" / f"{name}.json"


def read(game: str, position: str) -> Solution:
    """The cached solution of a position. Raises BadInput for a damaged file."""
    solution = document.read(path_of(game, position), Solution)
    if (solution.game, solution.position) != (game, position):
        return Solution(game=game, position=position)
    return solution


def write(solution: Solution) -> None:
    """Store a solution. Raises OSError."""
    document.write(path_of(solution.game, solution.position), solution)
