"""The names of openings: `C65 Ruy Lopez: Berlin Defense`.

Names belong to positions, whatever the moves that led there, so that transpositions are found; the opening
of a game is the last of its positions that has a name. `GAME_eco.tsv` beside this file holds them, a line
each: the key of the position, the code, the name. Those of chess are from
https://github.com/lichess-org/chess-openings, in the public domain (CC0), put into this form by
`gameplay.learning.eco`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

DEEPEST = 40  # plies: no named position lies deeper


@dataclass(frozen=True)
class OpeningName:
    """A named opening. `code` is that of the Encyclopaedia of Chess Openings (ECO)."""

    code: str
    name: str

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()


def opening(position: Any, moves: Sequence[int]) -> OpeningName | None:
    """The opening of a game that began at `position` and went on with `moves`; None if it has no name.

    `position` is used up: the first moves are made on it.
    """
    names = _names(type(position).__module__)
    found = None
    for move in moves[:DEEPEST]:
        position.make(move)
        found = names.get(key(position), found)
    return found


def named(game: type) -> bool:
    """True if openings of this game have names."""
    return bool(_names(game.__module__))


def key(position: Any) -> str:
    """What tells positions apart: 12 hex digits of the FEN without its counters of moves."""
    text = " ".join(position.fen().split()[:4])
    return blake2b(text.encode(), digest_size=6).hexdigest()


@cache
def _names(module: str) -> dict[str, OpeningName]:
    package, _, game = module.rpartition(".")
    file = Path(__file__).with_name(f"{game}_eco.tsv")
    if package != "gameplay.games" or not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {where: OpeningName(code, name) for where, code, name in rows}
