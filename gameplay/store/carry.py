"""Export of runs from a store and import into one, as the JSON lines of `gameplay.store.lines`.

An imported run exports byte for byte the same file again. Importing a file whose run the store already has
adds the missing games; games saved elsewhere while the disk was full are restored this way.
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
    """The fields that a stored run and the header of its file share."""
    return {name: getattr(run, name) for name in SHARED}


def header(run: Run, notes: Iterable[tuple[str, str]] = ()) -> RunHeader:
    """The header: the first line of a run's file."""
    return RunHeader(plan=msgspec.Raw(run.plan), notes=list(notes), **_shared(run))


def export(store: Store, run: Run, bare: bool = False) -> Iterator[bytes]:
    """The lines of a run. `bare`: only reproducible fields, equal on every machine and at any time."""
    first = header(run, store.notes(run.id))
    yield lines.line(lines.bare_header(first) if bare else first)
    for game in store.games(run.id, *([COUNTED] if bare else [])):
        yield lines.line(lines.bare_game(game) if bare else game)


@dataclass(frozen=True)
class Imported:
    """The result of an import: the run's id and the number of new games."""

    run: str
    games: int
    new: int


def bring(store: Store, source: Iterable[bytes], name: str) -> Imported:
    """Import the run in these lines, atomically; `name` denotes the source in errors.

    Raises BadInput if a line was modified or the store has a different run of that id; TryLater while
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
                f"{name}: {store.path} has another run {run.id}; import into another store with --store FILE"
            )
        elif run.id not in store.owned and (owner := store.playing(run.id)):
            raise TryLater(f"{run.id} is being played by {owner}; import it when that is finished")
        for game in games:
            new += store.insert(run.id, [game])
            read += 1
    return Imported(run.id, read, new)


def rescue(run: Run, games: Iterable[Kept], path: Path) -> None:
    """Write games that could not be stored to a file for import. Raises OSError."""
    import os

    with open(path, "wb") as file:
        file.write(lines.line(header(run)))
        for game in games:
            file.write(lines.line(game))
        file.flush()
        os.fsync(file.fileno())


def salvage(store: Store, run: Run) -> Iterator[Kept]:
    """The undamaged games of a damaged store, ordered by pair and leg.

    The store must have been opened with `repair`.
    """
    games = {game.place: game for name, game in store.readable() if name == run.id}
    for place in sorted(games):
        yield games[place]
