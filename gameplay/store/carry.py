"""Runs carried out of a store and into one, as the JSON lines of `gameplay.store.lines`.

What was exported and imported is exported again byte for byte. A file whose run is in the store already adds
the games that are missing there; that is the way home for games that were kept while the disk was full.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from gameplay.errors import BadInput, TryLater
from gameplay.store import lines
from gameplay.store.lines import COUNTED, Kept, RunHeader
from gameplay.store.runs import Run, Store

SHARED = {*Run.__struct_fields__} & {*RunHeader.__struct_fields__} - {"plan"}


def _shared(run: Run | RunHeader) -> dict[str, Any]:
    """What a run in a store and the head of its file both have."""
    return {name: getattr(run, name) for name in SHARED}


def header(run: Run, notes: Iterable[tuple[str, str]] = ()) -> RunHeader:
    """The first line of a run's file."""
    return RunHeader(plan=msgspec.Raw(run.plan), notes=list(notes), **_shared(run))


def export(store: Store, run: Run, bare: bool = False) -> Iterator[bytes]:
    """The lines of a run. `bare`: only what its plan decides, the same wherever and whenever it is played."""
    first = header(run, store.notes(run.id))
    yield lines.line(lines.bare_header(first) if bare else first)
    for game in store.games(run.id, *([COUNTED] if bare else [])):
        yield lines.line(lines.bare_game(game) if bare else game)


@dataclass(frozen=True)
class Imported:
    """What came of an import: the run's id, and how many of the games were new."""

    run: str
    games: int
    new: int


def bring(store: Store, source: Iterable[bytes], name: str) -> Imported:
    """Keep the run in those lines, all of it or nothing; `name` is what to call them in an error.

    Raises BadInput for a line that was changed, or if the store has another run of that id; TryLater while
    another process plays the run.
    """
    first, games = lines.read(source, name)
    run = Run(plan=bytes(first.plan), **_shared(first))
    read = new = 0
    with store.transaction():
        there = store.find(run.id) if run.id else None
        if there is None:
            run.id = store.begin(run)
            store.add_notes(run.id, first.notes)
        elif there.identity != run.identity:
            raise BadInput(
                f"{name}: {store.path} has another run {run.id}; import into a store of its own, --store FILE"
            )
        elif run.id not in store.owned and (owner := store.playing(run.id)):
            raise TryLater(f"{run.id} is being played by {owner}; import when it is done")
        for game in games:
            new += store.insert(run.id, [game])
            read += 1
    return Imported(run.id, read, new)


def rescue(run: Run, games: Iterable[Kept], path: Path) -> None:
    """Write games that the store would not take to a file that can be imported. Raises OSError."""
    import os

    with open(path, "wb") as file:
        file.write(lines.line(header(run)))
        for game in games:
            file.write(lines.line(game))
        file.flush()
        os.fsync(file.fileno())


def salvage(store: Store, run: Run) -> Iterator[Kept]:
    """Every game of a damaged store that is as it was written, in the order of the places.

    The store must have been opened with `repair`.
    """
    games = {game.place: game for name, game in store.readable() if name == run.id}
    for place in sorted(games):
        yield games[place]
