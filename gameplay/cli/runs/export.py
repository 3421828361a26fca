"""`gameplay run export`: write a run to a file."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay import file_io
from gameplay.cli.common import game_files, run_file
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import RUN, STORE, TARGET
from gameplay.cli.common.running import supervise
from gameplay.cli.common.width import echo_err, echo_error
from gameplay.errors import BadInput, Untrusted, Usage
from gameplay.plural import plural
from gameplay.visible import terminal

if TYPE_CHECKING:
    from gameplay.store.runs import Run, Store


@click.command(short_help="Write a run as JSON lines, CSV or Parquet")
@click.argument("run", metavar="RUN|N|FILE", type=RUN)
@click.option("-o", "--out", type=TARGET, help="Write to a new FILE [standard output].")
@click.option("--bare", is_flag=True, help="Leave out times, dates and hosts: equal plans give equal bytes.")
@click.option(
    "--format",
    "table_format",
    type=click.Choice(run_file.TABLES),
    help="A table on standard output [JSON lines].",
)
@click.option("--moves", is_flag=True, help="In a table: one row per move [one row per game].")
@click.option("--repair", is_flag=True, help="Write what can still be read of a damaged store.")
@STORE
def command(
    run: str,
    out: Path | None,
    bare: bool,
    table_format: str | None,
    moves: bool,
    repair: bool,
    store: Path | None,
) -> None:
    """Write RUN (`last`: the newest) as JSON lines: a header, then one game a line.

    The suffix of --out chooses another format: .csv or .parquet for a table of the games that count, or of
    their moves; .pgn for chess, .pdn for checkers and draughts, .sgf for Go, .txt for transcripts of Othello.
    `gameplay run import` reads JSON lines.

    A saved game, N of `gameplay games --saved` or its FILE, and a FILE of one of those formats are checked by
    the rules of their game and written again, with date and players. A game with a mistake is reported with
    its line and left out, and the exit status is then 6.

    \b
    gameplay run export last --out games.jsonl
    gameplay run export last --out moves.parquet --moves
    gameplay run export games.pgn --out clean.pgn
    gameplay run export connect4-tavimo --repair --store bad.db --out all.jsonl
    """
    from gameplay.store.runs import Store
    from gameplay.store.saved import find

    table = _table_format(table_format, out, moves, repair)
    if run.isdecimal():
        run = str(find(run))
    if os.sep in run or Path(run).suffix or os.path.isfile(run):
        if bare or repair or store is not None:
            raise Usage(
                f"--bare, --repair and --store go with a run, and {run} is a file. Try: leave them out"
            )
        if table:
            raise Usage(f"a table holds the games of a run, and {run} is a file. Try: run export last")
        _rewrite(Path(run), out)
        return
    if not repair:
        supervise(store, run)
    with Store(store, make=False, repair=repair) as kept:
        stored = kept.run(run)
        if table:
            lines = run_file.table(kept, stored, table, moves=moves, bare=bare)
        else:
            lines = _salvage(kept, stored, out) if repair else run_file.lines(kept, stored, out, bare)
        if out is None:
            for line in lines:
                _write_bytes(line)
            return
        file_io.write(out, lines)
    echo_err(f"{stored.id} is in {out}")


def _table_format(form: str | None, out: Path | None, moves: bool, repair: bool) -> str:
    """The format of the requested table; "" for none. Raises Usage for conflicting options."""
    if form is not None and out is not None:
        raise Usage(
            f"--format applies to standard output; the suffix of {out} sets its format. "
            "Try: leave --format out"
        )
    suffix = run_file.suffix(out)
    table = form or (suffix if suffix in run_file.TABLES else "")
    if moves and not table:
        raise Usage(
            "--moves goes with a table. Try: --format csv, or a file for --out that ends in .csv or .parquet"
        )
    if repair and table:
        raise Usage(
            f"--repair writes JSON lines, not {table}. Try: import what it writes, and export that run"
        )
    if form == "parquet" and sys.stdout.isatty():
        raise Usage("Parquet is binary and not for a terminal. Try: --out FILE.parquet, or a pipe")
    return table


def _write_bytes(data: bytes) -> None:
    """Write bytes to standard output; on a terminal without control sequences."""
    click.echo(data, sys.stdout if sys.stdout.isatty() else terminal(sys.stdout), nl=False)


def _rewrite(source: Path, path: Path | None) -> None:
    """Convert the games of a file. Raises BadInput at the end if some of them are wrong."""
    count, wrong = 0, 0

    def lines() -> Iterator[bytes]:
        nonlocal count, wrong
        for text, problem in _convert_games(source, path):
            if problem:
                wrong += 1
                echo_error(problem)
            else:
                count += 1
                yield text
        if not count + wrong:
            raise BadInput(f"{source} holds no game")
        if not count:
            raise BadInput(f"{source}: no game can be read, and nothing is written")

    if path is None:
        for line in lines():
            _write_bytes(line)
    else:
        file_io.write(path, lines())
        echo_err(f"{source}: {plural(count, 'game')} written to {path}")
    if wrong:
        raise BadInput(f"{source}: {wrong} of {count + wrong} games cannot be read, and are left out")


def _convert_games(source: Path, path: Path | None) -> "Iterator[tuple[bytes, str]]":
    """Yield each game of a file in the requested format, or its error."""
    from gameplay import registry
    from gameplay.capabilities import record_suffix
    from gameplay.store import saved
    from gameplay.store.formats import conversion, encoding, game_formats
    from gameplay.store.jsonl import writer
    from gameplay.store.record import encode

    form = game_formats.format_of(path)
    if not saved.is_foreign(source):
        for number, record in enumerate(saved.read_all(source), 1):
            try:
                game_files.check_rules(record, f"{source}, game {number}")
            except Untrusted:
                raise
            except BadInput as error:
                yield b"", str(error)
                continue
            game = registry.game(record.game)
            if form is None or record_suffix(game.cls) != form.suffix:
                writer(game.cls, path)  # raises for an unknown format
                yield encode(record) + b"\n", ""
            else:
                if record.sealed:
                    raise saved.hidden_information_error(path)
                yield encoding.encode(record, game).encode(), ""
        return
    own_form = game_formats.FORMATS[source.suffix.lower()]
    if form is None or form.suffix != own_form.suffix:
        writer(registry.game(own_form.game).cls, path)
    for sheet, saved_game in conversion.read(source, registry.game):
        for warning in saved_game.warnings if saved_game is not None else ():
            echo_err(f"note: {source}, game {sheet.number}, {warning}")
        if saved_game is None:
            yield b"", sheet.problem
        elif form is None:
            yield encode(saved_game) + b"\n", ""
        else:
            yield encoding.saved_text(sheet, form).encode(), ""


def _salvage(store: "Store", run: "Run", out: Path | None) -> Iterator[bytes]:
    """The lines of what can be read of a run; at the end it prints how the run is completed from them."""
    from gameplay.store import jsonl, run_export

    yield jsonl.encode_line(run_export.header(run))
    count = 0
    for game in run_export.undamaged_games(store, run):
        count += 1
        yield jsonl.encode_line(game)
    onward = ""
    if count and run.plan != b"null":  # without its plan a run cannot be resumed
        file = "FILE.jsonl" if out is None else str(out)
        load = command_line("gameplay", "run", "import", file, "--store", "NEW.db")
        resume = command_line("gameplay", "run", "resume", run.id, "--store", "NEW.db")
        onward = f". Continue it in a new store: {load}; then: {resume}"
    echo_err(f"{run.id}: {plural(count, 'game')} can be read{onward}")
