"""`gameplay ugi`: our engines for other programs, by the Universal Game Interface."""

import sys
from typing import Any

import click

from gameplay.cli import STATUSES
from gameplay.registry import engine_names, game_names

GAME = "connect4"


def _games(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in game_names() if name.startswith(typed)]


def _engines(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in engine_names() if name.startswith(typed)]


@click.command(
    short_help="Play for other programs, by the protocol UGI",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("game", required=False, shell_complete=_games)
@click.option("--engine", metavar="SPEC", shell_complete=_engines, help="Who answers [the default engine].")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Of an engine that draws lots [0]."
)
def command(game: str | None, engine: str | None, seed: int) -> int:
    """Play GAME (default: connect4) with another program, which speaks UGI on standard input and output.

    UGI is UCI for any game of two players (https://github.com/kz04px/cutegames/blob/master/ugi.md). Limits
    of --engine hold where `go` gives none.

    \b
    gameplay ugi tictactoe --engine alphabeta:depth=6
    gameplay play connect4 --players "human,ugi:gameplay ugi connect4"
    """
    from gameplay import __version__, registry
    from gameplay.errors import Usage
    from gameplay.matches.hosted import Hosted
    from gameplay.players import seats
    from gameplay.protocols.ugi import UgiSide

    found = registry.game(game or GAME)
    position = found.new()
    if position.players != 2:
        raise Usage(f"UGI is for two players, and {found.name} has {position.players}")
    spec = engine or seats.opponent(found)
    if seats.is_process(spec):
        raise Usage("--engine is one of ours; another program can be asked without us")
    player = seats.player(spec, found, seed)

    def say(line: str) -> None:
        print(line, flush=True)

    title = f"gameplay {__version__} {player.name}"
    UgiSide(title, player, Hosted(found, player), say, fixed=spec.startswith("level:")).listen(
        sys.stdin.fileno()
    )
    return 0
