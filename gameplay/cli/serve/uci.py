"""`gameplay uci`: our engines for chess programs, by the Universal Chess Interface."""

import click

from gameplay.cli.common.options import GAME
from gameplay.cli.common.server import SERVER, Server


@click.command(short_help="Play chess as a UCI engine")
@click.argument("game", type=GAME, default="chess")
@SERVER
def command(game: str, server: Server) -> int:
    """Play GAME (default: chess) as a UCI engine, on standard input and output.

    Name `gameplay uci` as the command of the engine in your chess program. A search ends at the first of the
    limits of --engine and those of `go`. The commands `bench` and `d` are for people.

    \b
    gameplay uci --engine selective:table=256MB
    gameplay uci connect4
    """
    from gameplay import registry
    from gameplay.protocols.uci import parse_move
    from gameplay.protocols.uci_side import UciSide

    return server.answer(server.chess(registry.game(game), "UCI", UciSide, parse_move))
