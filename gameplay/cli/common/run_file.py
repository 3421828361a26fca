"""A run as a file: JSON lines (`gameplay run export`), a table, or a format of game records."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.store.jsonl import Writer
    from gameplay.store.runs import Run, Store

TABLES = ("csv", "parquet")
TableWriter = Callable[[Mapping[str, type], Iterable[Mapping[str, Any]]], Iterator[bytes]]


def suffix(path: Path | None) -> str:
    """The suffix of a file in lower case, without its dot; "" for standard output."""
    return path.suffix.lower().removeprefix(".") if path is not None else ""


def check_format(game: "Game", path: Path) -> None:
    """Raise Usage if runs of this game cannot be written in the format of that file."""
    if suffix(path) in TABLES:
        _table_writer(suffix(path))
    else:
        _game_writer(game, path)


def lines(store: "Store", run: "Run", path: Path | None, bare: bool = False) -> Iterator[bytes]:
    """A run as written to `path`; `bare` omits whatever depends on machine and time."""
    from gameplay import registry
    from gameplay.runs.plan import decode
    from gameplay.store import run_export
    from gameplay.store.jsonl import COUNTED

    if suffix(path) in TABLES:
        return table(store, run, suffix(path), bare=bare)
    plain = suffix(path) in ("", "json", "jsonl")
    write = None if plain else _game_writer(registry.game(decode(run.plan).game), path)
    if write is None:
        return run_export.export(store, run, bare)
    header = run_export.header(run, store.notes(run.id))
    return (write(header, game).encode() for game in store.games(run.id, COUNTED))


def table(
    store: "Store", run: "Run", form: str, *, moves: bool = False, bare: bool = False
) -> Iterator[bytes]:
    """The counted games of a run, or their moves, as a table; `form` is one of TABLES."""
    from gameplay import registry
    from gameplay.runs import rows
    from gameplay.runs.plan import decode
    from gameplay.runs.played import from_store
    from gameplay.store.jsonl import COUNTED, reproducible_game

    write = _table_writer(form)
    records = store.games(run.id, COUNTED)
    games = (from_store(reproducible_game(game) if bare else game) for game in records)
    if moves:
        return write(rows.MOVE_COLUMNS, (row for game in games for row in rows.move_rows(game)))
    seats = int(registry.game(decode(run.plan).game).new().players)
    return write(rows.game_columns(seats), map(rows.game_row, games))


def _game_writer(game: "Game", path: Path | None) -> "Writer | None":
    """The writer of one game, by the file's suffix; None: JSON lines. Raises Usage for an unknown suffix."""
    from gameplay.store.formats import encoding
    from gameplay.store.jsonl import writer

    return encoding.writer(game, path) or writer(game.cls, path, [f".{form}" for form in TABLES])


def _table_writer(form: str) -> TableWriter:
    """The writer of a table. Raises Usage if its library is not installed."""
    from gameplay.store.formats import tabular

    if form == "csv":
        return tabular.csv_parts
    tabular.arrow()
    return tabular.parquet_parts
