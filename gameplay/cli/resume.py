"""`gameplay resume`: play what is missing of a stored run."""

from pathlib import Path

import click

from gameplay.cli import STATUSES
from gameplay.cli.match import CLUSTER, JOBS, JSON, go_on
from gameplay.cli.status import STORE, run_names


@click.command(
    short_help="Go on with a run", epilog=STATUSES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.argument("run", default="last", shell_complete=run_names)
@JOBS
@CLUSTER
@STORE
@JSON
def command(run: str, jobs: int | None, cluster: str | None, store: Path | None, as_json: bool) -> int:
    """Go on with RUN (default: the newest) where it was left, however that was.

    Plays exactly the games that are missing, so that it ends as it would have without the interruption. A
    run whose players, openings or code are not what they were is refused.
    """
    from gameplay.store.runs import Store

    with Store(store, make=False) as kept:
        return go_on(kept, run, None, jobs, cluster, as_json, store)
