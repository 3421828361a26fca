"""`gameplay run`: the commands on stored runs, each a file of `cli/runs/`."""

import click

from gameplay.cli import Commands


@click.group(
    cls=Commands, folders=["runs"], short_help="Status, stop, resume, report, compare, verify, export, import"
)
def command() -> None:
    """Work with stored runs: the matches and tournaments played by selfplay, match and tournament.

    \b
    gameplay run status
    gameplay run resume last
    gameplay run report last --html report.html
    """
