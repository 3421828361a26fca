"""`gameplay nboard`: our engines for programs that play Othello, by the NBoard protocol."""

import sys
from typing import Any

import click

from gameplay.cli import STATUSES
from gameplay.registry import engine_names


def _engines(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in engine_names() if name.startswith(typed)]


@click.command(
    short_help="Play Othello for other programs, by the protocol NBoard",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--engine", metavar="SPEC", shell_complete=_engines, help="Who answers [the default engine].")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Of an engine that draws lots [0]."
)
def command(engine: str | None, seed: int) -> int:
    """Play Othello with another program, which speaks NBoard, version 2, on standard input and output.

    Limits of --engine hold until the other program says `set depth`. The other way round, a program that
    speaks NBoard is a player:

    \b
    gameplay play othello --players "human,nboard:edax -nboard,depth=6"
    """
    from gameplay import __version__, registry
    from gameplay.errors import Usage
    from gameplay.matches.hosted import Hosted
    from gameplay.players import seats
    from gameplay.protocols.nboard_side import NBoardSide

    found = registry.game("othello")
    spec = engine or seats.opponent(found)
    if seats.is_process(spec) or seats.is_script(spec) or spec.startswith("level:"):
        raise Usage("--engine is an engine of ours")
    player = seats.player(spec, found, seed)

    def say(line: str) -> None:
        print(line, flush=True)

    title = f"gameplay {__version__} {player.name}"
    NBoardSide(title, player, Hosted(found, player), say).listen(sys.stdin.fileno())
    return 0
