"""`gameplay resume`: play what is missing of a stored run."""

import click

from gameplay.cli._options import RUN, RUNNING, Running
from gameplay.cli._run import go_on


@click.command(short_help="Play what is missing of a run")
@click.argument("run", default="last", type=RUN)
@RUNNING
def command(run: str, running: Running) -> int:
    """Go on with RUN (default: the newest) where it was left, however that was.

    Plays exactly the games that are missing, so that it ends as it would have without the interruption. A
    run whose players, openings or code are not what they were is refused.
    """
    from gameplay.store.runs import Store

    with Store(running.store, make=False) as kept:
        return go_on(kept, run, running)
