"""`gameplay stop`: ask whoever plays a run to end it after the games that are being played."""

from pathlib import Path

import click

from gameplay.cli._options import RUN, STORE
from gameplay.errors import Usage


@click.command(short_help="End a run after the games being played")
@click.argument("run", default="last", type=RUN)
@STORE
def command(run: str, store: Path | None) -> None:
    """End RUN (default: the newest) after the games that are being played.

    `gameplay resume` goes on with it.
    """
    from gameplay.store.runs import Store

    with Store(store, make=False) as kept:
        found = kept.run(run)
        owner = kept.playing(found.id)
        if owner is None:
            raise Usage(f"nobody plays {found.id}: it is {found.state}")
        kept.request_stop(found.id)
        click.echo(f"asked {owner} to stop {found.id} after the games that are being played")
