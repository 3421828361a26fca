"""`gameplay ugi`: our engines for other programs, by the Universal Game Interface."""

import click

from gameplay.cli.common.options import GAME
from gameplay.cli.common.server import SERVER, Server, engine_title, send_line


@click.command(short_help="Play any two-player game as a UGI engine")
@click.argument("game", type=GAME, default="connect4")
@SERVER
def command(game: str, server: Server) -> int:
    """Play GAME (default: connect4) as a UGI engine, on standard input and output.

    UGI is UCI for any game of two players (https://github.com/kz04px/cutegames/blob/master/ugi.md). A search
    ends at the first of the limits of --engine and those of `go`.

    \b
    gameplay ugi tictactoe --engine alphabeta:depth=6
    gameplay play connect4 --players "human,ugi:gameplay ugi connect4"
    """
    from gameplay import registry
    from gameplay.matches.hosted import Hosted
    from gameplay.players.level import LevelPlayer
    from gameplay.protocols.ugi import UgiSide

    chosen_game = registry.game(game)
    player = server.player(chosen_game, "UGI")
    fixed = isinstance(player, LevelPlayer)
    return server.answer(UgiSide(engine_title(player), player, Hosted(chosen_game, player), send_line, fixed))
