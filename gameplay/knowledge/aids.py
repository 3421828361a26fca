"""What tells an engine a move without a search: an opening book, endgame tables. They are for chess.

A player is given them in his spec, `selective:book=FILE.bin,syzygy=FOLDER`, `level:7,book=FILE.bin`. They
are read by the library `chess`, an extra, which is imported when somebody has asked for one of them.
"""

import importlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from gameplay.errors import Usage

BOOK, SYZYGY = "book", "syzygy"  # the options of a spec


@dataclass(frozen=True)
class Advice:
    """Moves to choose from, `value` being that of each; a single one is played without a search."""

    moves: tuple[int, ...]
    by: str  # `book` or `tables`, as `Report.stopped` says
    value: int = 0  # for the mover
    exact: bool = False  # the value is the game's own, and no guess


class Aid(Protocol):
    """One of them, ready to be asked."""

    @property
    def path(self) -> str:
        """Where it was read from, as the spec tells it."""
        ...

    def advise(self, match: Any, seed: int) -> Advice | None:
        """What it says of the position that `match`, a `matches.match.Match`, has come to; None: nothing.

        `seed`: of the player, where lots are drawn.
        """
        ...


def apart(spec: str) -> tuple[str, dict[str, str]]:
    """A player's spec without its aids, and their paths by option: `selective:depth=8`, {"book": ...}.

    A program outside (`uci:`) and moves written down keep what they have.
    """
    head, colon, tail = spec.partition(":")
    if not colon or head in ("script", "ugi", "uci", "gtp", "nboard"):
        return spec, {}
    rest, asked = [], {}
    for part in tail.split(","):
        name, equals, path = part.partition("=")
        if equals and name.strip() in (BOOK, SYZYGY):
            asked[name.strip()] = path.strip()
        else:
            rest.append(part)
    return head + (":" + ",".join(rest) if rest else ""), asked


def joined(spec: str, asked: dict[str, str]) -> str:
    """The spec of the same player with these aids, in place of those it has. The inverse of `apart`."""
    plain, has = apart(spec)
    words = ",".join(f"{name}={path}" for name, path in (has | asked).items())
    return plain + ("," if ":" in plain else ":") * bool(words) + words


def placed(path: str, folder: Path | None = None) -> str:
    """The path, absolute from `folder` (None: where we are); of several folders each."""
    start = folder or Path.cwd()
    return os.pathsep.join(
        str((start / Path(part).expanduser()).resolve()) for part in path.split(os.pathsep)
    )


def opened(name: str, path: str, position: Any) -> Aid:
    """The aid of an option. Raises Usage for another game or without the library, BadInput for a file."""
    game = type(position).__name__.lower()
    if not hasattr(position, "from_uci"):
        raise Usage(f"{name}: opening books and endgame tables are for chess, and this is {game}")
    if not path:
        raise Usage(f"{name} needs a {'file' if name == BOOK else 'folder'}: {name}=PATH")
    if "," in path:
        raise Usage(f"{name}: '{path}' has a comma in it, which would end it in the words of a player")
    if name == BOOK:
        from gameplay.knowledge.book import Book

        return Book(placed(path))
    from gameplay.knowledge.syzygy import Syzygy

    return Syzygy(placed(path))


def library(module: str, name: str) -> Any:
    """A module of the library. Raises Usage if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Usage(f"{name} needs the chess library: pip install 'gameplay[chess]'") from None
