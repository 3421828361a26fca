"""`gameplay tournament`: a plan in a file, played: round robin, gauntlet, knockout, Swiss, or a match."""

from pathlib import Path

import click

from gameplay.cli.common.options import FILE, RUNNING, Running
from gameplay.cli.common.running import begin


@click.command(short_help="Play the tournament that a file describes")
@click.argument("config", type=FILE)
@RUNNING
def command(config: Path, running: Running) -> int:
    """Play the tournament that CONFIG describes, a TOML file such as those in configs/tournaments.

    Every game is stored as it ends; `gameplay run resume` plays the missing games. `gameplay toml schema`
    lists every field of such a file, `gameplay toml check FILE` checks one.
    """
    from gameplay.runs import planning

    return begin(planning.read(config), running)
