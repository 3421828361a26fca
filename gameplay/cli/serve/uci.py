"""`gameplay uci`: our engines for chess programs, by the Universal Chess Interface."""

import click

from gameplay.cli.common.options import GAME
from gameplay.cli.common.server import SERVER, Server


@click.command(short_help="Play chess for other programs, speaking UCI")
@click.argument("game", type=GAME, default="chess")
@SERVER
def command(game: str, server: Server) -> int:
    """Play GAME (default: chess) for another program, which speaks UCI on standard input and output.

    Give a chess program `gameplay uci` as the command of the engine. Limits of --engine hold beside
    those of `go`, whichever comes first. The commands `bench` and `d` are for people.

    \b
    gameplay uci --engine selective:table=256MB
    gameplay uci connect4
    """
    from gameplay import registry
    from gameplay.protocols.uci import understand
    from gameplay.protocols.uci_side import UciSide

    return server.answer(server.chess(registry.game(game), "UCI", UciSide, understand))
