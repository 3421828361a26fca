"""`gameplay tournament`: a plan in a file, played: round robin, gauntlet, knockout, Swiss, or a match."""

from pathlib import Path

import click

from gameplay.cli import STATUSES
from gameplay.cli.match import CLUSTER, JOBS, JSON, begin
from gameplay.cli.status import STORE


@click.command(
    short_help="A tournament from a file",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("config", type=click.Path(path_type=Path))
@JOBS
@CLUSTER
@STORE
@JSON
def command(config: Path, jobs: int | None, cluster: str | None, store: Path | None, as_json: bool) -> int:
    """Play the tournament that CONFIG describes, a TOML file such as those in configs/tournaments.

    Every game is kept in the store as it ends; `gameplay resume` goes on with what is missing. The head of
    `gameplay/runs/plan.py` shows such a file, `gameplay config schema` tells every field.
    """
    from gameplay.runs import planning

    return begin(planning.read(config), store, jobs, cluster, as_json)
