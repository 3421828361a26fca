"""`gameplay run import`: read a run from a file of `gameplay run export`."""

from pathlib import Path

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import FILE, STORE
from gameplay.cli.common.width import echo_err


@click.command(short_help="Import a run from JSON lines")
@click.argument("file", type=FILE)
@STORE
def command(file: Path, store: Path | None) -> None:
    """Import the run in FILE into the store, to report on it or resume it.

    If the store has the run already, the missing games are added. An incomplete last line is ignored; if any
    other line was changed, the whole file is refused.
    """
    from gameplay import file_io
    from gameplay.errors import BadInput
    from gameplay.store import jsonl, run_export
    from gameplay.store.formats.game_formats import format_of
    from gameplay.store.runs import Store

    if format_of(file) is not None:
        raise BadInput(f"{file} holds games and no run. Try: {command_line('gameplay', 'replay', str(file))}")
    try:
        rows, torn = jsonl.complete_lines(file_io.content(file))
    except OSError as error:
        raise BadInput(file_io.unreadable(file, error)) from None
    if torn and not rows:
        raise BadInput(f"{file} was cut off in its first line, which describes the run")
    with Store(store) as opened_store:
        imported = run_export.import_run(opened_store, rows, str(file))
    if torn:
        echo_err(f"{file}: the last line was not written to its end, and is left out")
    known_games = imported.games - imported.new
    already_stored = f" ({known_games} were there already)" if known_games else ""
    click.echo(f"{imported.run}: {imported.new} games imported{already_stored}")
