"""`gameplay import`: a run out of a file that `gameplay export` wrote."""

from pathlib import Path

import click

from gameplay.cli._advice import typed
from gameplay.cli._options import FILE, STORE


@click.command(short_help="Take a run in from JSON lines")
@click.argument("file", type=FILE)
@STORE
def command(file: Path, store: Path | None) -> None:
    """Keep the run in FILE in the store, to look at it or go on with it.

    If the run is there already, games that are missing there are added. A last line that was not written to
    its end is left out; a line that was changed is refused, and then nothing is kept.
    """
    from gameplay.errors import BadInput
    from gameplay.store import carry, lines
    from gameplay.store.runs import Store
    from gameplay.store.sheets import form_of

    if form_of(file) is not None:
        raise BadInput(
            f"{file} holds games and no run: see them with {typed('gameplay', 'replay', str(file))}"
        )
    try:
        found, torn = lines.whole(file.read_bytes())
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    if torn and not found:
        raise BadInput(f"{file} was cut off in its first line, and that is what tells of the run")
    with Store(store) as kept:
        came = carry.bring(kept, found, str(file))
    if torn:
        click.echo(f"{file}: the last line was not written to its end, and is left out", err=True)
    known = came.games - came.new
    there = f" ({known} were there already)" if known else ""
    click.echo(f"{came.run}: {came.new} games imported{there}")
