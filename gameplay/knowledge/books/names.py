"""The names of openings: `C65 Ruy Lopez: Berlin Defense` in chess, `Tiger` in Othello.

Names belong to positions, so transpositions are recognized; the opening of a game is that of its last named
position. `GAME_names.tsv` beside this file lists them, one per line: the key of the position, the code if the
game has codes, the name, and the moves of a short line that leads there. `gameplay.learning.names` generates
these files. The key is a hash of the position's `diagram()`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.catalogue import game_of

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

MAX_PLIES = 40  # maximum plies of a named position


@dataclass(frozen=True)
class OpeningName:
    """A named opening. `code` is that of the Encyclopaedia of Chess Openings (ECO), "" in other games."""

    code: str
    name: str
    moves: tuple[str, ...] = field(default=(), compare=False)  # of a line that leads there

    @property
    def family(self) -> str:
        """The name before the colon: the opening of a variation."""
        return self.name.partition(":")[0]

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()


def opening(position: "AbstractPosition", moves: Iterable[int]) -> OpeningName | None:
    """The opening of a game from `position` with `moves`; None if it has no name.
    The moves are made on `position`, each before the next one is read.
    """
    names = _names(game_of(type(position)))
    latest = None
    for move in islice(moves, MAX_PLIES) if names else ():
        position.make(move)
        latest = names.get(key(position), latest)
    return latest


def name(position: "AbstractPosition") -> OpeningName | None:
    """The name of a position itself; None if it has none."""
    table = _names(game_of(type(position)))
    return table.get(key(position)) if table else None


def has_names(game: type) -> bool:
    """True if openings of this game have names."""
    return bool(_names(game_of(game)))


def games() -> list[str]:
    """The games whose openings have names."""
    return sorted(file.name.partition("_names")[0] for file in Path(__file__).parent.glob("*_names.tsv"))


def catalogue(game: type) -> list[OpeningName]:
    """Every named position of a game, by code, name and moves."""
    return sorted(
        _names(game_of(game)).values(),
        key=lambda opening: (opening.code, opening.name, len(opening.moves), opening.moves),
    )


def key(position: "AbstractPosition") -> str:
    """The identifier of a position: 12 hex digits, a hash of its diagram."""
    return blake2b(position.diagram().encode(), digest_size=6).hexdigest()


@cache
def _names(game: str) -> dict[str, OpeningName]:
    file = Path(__file__).with_name(f"{game}_names.tsv")
    if not game or not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {text: OpeningName(code, name, tuple(moves.split())) for text, code, name, moves in rows}
