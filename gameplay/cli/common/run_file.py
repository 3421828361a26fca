"""A run as a file: the JSON lines of `gameplay run export`, or the format of the game's own records."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.store.lines import Writer
    from gameplay.store.runs import Run, Store


def format_of(game: "Game", path: Path | None) -> "Writer | None":
    """What writes one game of a run in the format that the file's suffix names; None: JSON lines.

    Raises Usage for a suffix that no format of this game has.
    """
    from gameplay.store.formats import encoding
    from gameplay.store.lines import writer

    return encoding.writer(game, path) or writer(game.cls, path)


def lines(store: "Store", run: "Run", path: Path | None, bare: bool = False) -> Iterator[bytes]:
    """A run as it is written to `path`; `bare` leaves out what depends on the machine and the moment."""
    from gameplay import registry
    from gameplay.runs.plan import decode
    from gameplay.store import carry
    from gameplay.store.lines import COUNTED

    plain = path is None or path.suffix.lower() in ("", ".json", ".jsonl")
    write = None if plain else format_of(registry.game(decode(run.plan).game), path)
    if write is None:
        return carry.export(store, run, bare)
    header = carry.header(run, store.notes(run.id))
    return (write(header, game).encode() for game in store.games(run.id, COUNTED))
