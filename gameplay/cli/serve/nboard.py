"""`gameplay nboard`: our engines for programs that play Othello, by the NBoard protocol."""

import click

from gameplay.cli.common.server import SERVER, Server, engine_title, send_line


@click.command(short_help="Play Othello as an NBoard engine")
@SERVER
def command(server: Server) -> int:
    """Play Othello as an NBoard engine (version 2), on standard input and output.

    A search ends at the first of the limits of --engine and `set depth`. NBoard engines can play here:

    \b
    gameplay play othello --players "human,nboard:edax -nboard,depth=6"
    """
    from gameplay import registry
    from gameplay.matches.hosted import Hosted
    from gameplay.protocols.nboard_side import NBoardSide

    game = registry.game("othello")
    player = server.searcher(game, "NBoard")
    return server.answer(NBoardSide(engine_title(player), player, Hosted(game, player), send_line))
