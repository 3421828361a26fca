"""`gameplay run stop`: ask the process that plays a run to end it after the games in progress."""

from pathlib import Path

import click

from gameplay.cli.common.options import RUN, STORE
from gameplay.errors import Usage


@click.command(short_help="Stop a run after the games in progress")
@click.argument("run", default="last", type=RUN)
@STORE
def command(run: str, store: Path | None) -> None:
    """Stop RUN (default: the newest) after the games in progress.

    `gameplay run resume` plays the missing games.
    """
    from gameplay.store.runs import Store

    with Store(store, make=False) as opened_store:
        stored = opened_store.run(run)
        owner = opened_store.lock_owner(stored.id)
        if owner is None:
            hint = opened_store.command("status")
            raise Usage(f"{stored.id} is not being played; it is {stored.state}. Try: {hint}")
        opened_store.request_stop(stored.id)
        click.echo(f"asked {owner} to stop {stored.id} after the games in progress")
