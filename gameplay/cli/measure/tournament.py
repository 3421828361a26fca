"""`gameplay tournament`: a plan in a file, played: round robin, gauntlet, knockout, Swiss, or a match."""

from pathlib import Path

import click

from gameplay.cli import usage_message
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import FILE, RUNNING, Running
from gameplay.cli.common.running import start_run
from gameplay.errors import Usage


class TournamentCommand(click.Command):
    """The command `tournament`; its errors for players and options of `match` suggest that command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As in click. Raises Usage."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter:
            raise
        except click.UsageError as error:
            hint = "name players and limits in the file, see gameplay toml schema plan"
            if not words[0].endswith(".toml"):
                hint = command_line("gameplay", "match", *words)
            raise Usage(f"{usage_message(error)}; expected one TOML file. Try: {hint}") from None


@click.command(cls=TournamentCommand, short_help="Play the tournament that a file describes")
@click.argument("config", type=FILE)
@RUNNING
def command(config: Path, running: Running) -> int:
    """Play the tournament that CONFIG describes, a TOML file such as those in configs/tournaments.

    Every game is stored as it ends; `gameplay run resume` plays the missing games. `gameplay toml schema
    plan` lists every field of such a file, `gameplay toml check FILE` checks one. To play two engines without
    a file: gameplay match.
    """
    from gameplay.runs import planning

    return start_run(planning.read(config), running)
