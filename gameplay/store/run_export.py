"""Export of runs from a store and import into one, as the JSON lines of `gameplay.store.jsonl`.

An imported run exports byte for byte the same file again. Importing a file whose run the store already has
adds the missing games; games saved elsewhere while the disk was full are restored this way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from gameplay.errors import BadInput, TryLater
from gameplay.store import jsonl
from gameplay.store.jsonl import COUNTED, RunHeader, StoredGame
from gameplay.store.runs import Run, Store

SHARED_FIELDS = {*Run.__struct_fields__} & {*RunHeader.__struct_fields__} - {"plan"}


def _shared_fields(run: Run | RunHeader) -> dict[str, Any]:
    """The fields that a stored run and the header of its file share."""
    return {name: getattr(run, name) for name in SHARED_FIELDS}


def header(run: Run, notes: Iterable[tuple[str, str]] = ()) -> RunHeader:
    """The header: the first line of a run's file."""
    return RunHeader(plan=msgspec.Raw(run.plan), notes=list(notes), **_shared_fields(run))


def export(store: Store, run: Run, bare: bool = False) -> Iterator[bytes]:
    """The lines of a run. `bare`: only reproducible fields, equal on every machine and at any time."""
    first = header(run, store.notes(run.id))
    yield jsonl.encode_line(jsonl.reproducible_header(first) if bare else first)
    for game in store.games(run.id, *([COUNTED] if bare else [])):
        yield jsonl.encode_line(jsonl.reproducible_game(game) if bare else game)


@dataclass(frozen=True)
class Imported:
    """The result of an import: the run's id, the number of games read and of those that were new."""

    run: str
    games: int
    new: int


def import_run(store: Store, source: Iterable[bytes], name: str) -> Imported:
    """Import the run in these lines, atomically; `name` is the name of the source in errors.

    Raises BadInput if a line was modified, or the store has a different run with this id or damaged games of
    this one; TryLater while another process plays the run.
    """
    first, games = jsonl.read(source, name)
    run = Run(plan=bytes(first.plan), **_shared_fields(first))
    read = new = 0
    with store.transaction():
        stored = store.find(run.id) if run.id else None
        if stored is None:
            run.id = store.insert_run(run)
            store.add_notes(run.id, first.notes)
        elif stored.identity != run.identity:
            raise BadInput(
                f"{name}: {store.path} has another run {run.id}; import into another store with --store FILE"
            )
        elif run.id not in store.owned and (owner := store.lock_owner(run.id)):
            raise TryLater(f"{run.id} is being played by {owner}; import it when that is finished")
        else:
            store.check_games(run.id)
        for game in games:
            new += store.insert_games(run.id, [game])
            read += 1
    return Imported(run.id, read, new)


def write_unsaved(run: Run, games: Iterable[StoredGame], path: Path) -> None:
    """Write games that could not be stored to a file for import. Raises OSError."""
    import os

    with open(path, "wb") as file:
        file.write(jsonl.encode_line(header(run)))
        for game in games:
            file.write(jsonl.encode_line(game))
        file.flush()
        os.fsync(file.fileno())


def undamaged_games(store: Store, run: Run) -> Iterator[StoredGame]:
    """The undamaged games of a damaged store, ordered by pair and leg.

    The store must have been opened with `repair`.
    """
    games = {game.place: game for name, game in store.readable_games() if name == run.id}
    for place in sorted(games):
        yield games[place]
