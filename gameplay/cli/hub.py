"""`gameplay hub`: our engines for programs that play draughts, by the Hub protocol."""

import sys
from typing import Any

import click

from gameplay.cli import STATUSES
from gameplay.registry import engine_names


def _engines(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in engine_names() if name.startswith(typed)]


@click.command(
    short_help="Play checkers for other programs, by the protocol Hub",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--engine", metavar="SPEC", shell_complete=_engines, help="Who answers [the default engine].")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Of an engine that draws lots [0]."
)
def command(engine: str | None, seed: int) -> int:
    """Play English draughts with another program, which speaks Hub, version 2, on standard input and output.

    Limits of --engine hold until the other program says `level`.
    """
    from gameplay import __version__, registry
    from gameplay.errors import Usage
    from gameplay.matches.hosted import Hosted
    from gameplay.players import seats
    from gameplay.protocols.hub_side import HubSide, understand

    found = registry.game("checkers")
    spec = engine or seats.opponent(found)
    if seats.is_process(spec) or seats.is_script(spec) or spec.startswith("level:"):
        raise Usage("--engine is an engine of ours")
    player = seats.player(spec, found, seed)

    def say(line: str) -> None:
        print(line, flush=True)

    title = f"gameplay {__version__} {player.name}"
    HubSide(title, player, Hosted(found, player, understand), say).listen(sys.stdin.fileno())
    return 0
