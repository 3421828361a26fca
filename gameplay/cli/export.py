"""`gameplay export`: a run as a file that can be carried elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli import STATUSES
from gameplay.cli.status import STORE, run_names

if TYPE_CHECKING:
    from gameplay.store.runs import Run, Store


@click.command(
    short_help="Write a run as JSON lines",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("run", shell_complete=run_names)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE [standard output]."
)
@click.option(
    "--bare",
    is_flag=True,
    help="Only what the plan decides: the same bytes whenever and wherever it is played.",
)
@click.option("--repair", is_flag=True, help="Of a damaged store, what can still be read.")
@STORE
def command(run: str, out: Path | None, bare: bool, repair: bool, store: Path | None) -> None:
    """Write RUN (`last`: the newest) as JSON lines: a header, then one game a line.

    The suffix of FILE chooses another format where the game has one of its own. `gameplay import` reads JSON
    lines.

    \b
    gameplay export last --out games.jsonl
    gameplay export connect4-tavimo --repair --store damaged.db --out saved.jsonl
    """
    from gameplay.store.runs import Store
    from gameplay.store.saved import writable

    path = None if out is None else writable(str(out))
    with Store(store, make=False, repair=repair) as kept:
        found = kept.run(run)
        lines = _repaired(kept, found) if repair else _lines(kept, found, path, bare)
        if path is None:
            for line in lines:
                click.echo(line, nl=False)
            return
        _write(path, lines)
    click.echo(f"{found.id} is in {path}", err=True)


def _lines(store: "Store", run: "Run", path: Path | None, bare: bool) -> Iterator[bytes]:
    from gameplay import registry
    from gameplay.matches.plan import decode
    from gameplay.store import carry
    from gameplay.store.lines import COUNTED, writer

    if path is None or path.suffix in ("", ".json", ".jsonl"):
        return carry.export(store, run, bare)
    write = writer(registry.game(decode(run.plan).game).cls, path)
    assert write is not None
    header = carry.header(run, store.notes(run.id))
    return (write(header, game).encode() for game in store.games(run.id, COUNTED))


def _repaired(store: "Store", run: "Run") -> Iterator[bytes]:
    from gameplay.store import carry, lines

    yield lines.line(carry.header(run))
    count = 0
    for game in carry.salvage(store, run):
        count += 1
        yield lines.line(game)
    click.echo(f"{run.id}: {count} games can be read; gameplay resume plays those that are missing", err=True)


def _write(path: Path, lines: Iterator[bytes]) -> None:
    """All of it or nothing. Raises OSError."""
    import os

    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
