"""`gameplay hub`: our engines for programs that play draughts, by the Hub protocol."""

import click

from gameplay.cli.common.server import SERVER, Server, say, title


@click.command(short_help="Play checkers as a Hub engine")
@SERVER
def command(server: Server) -> int:
    """Play English draughts as a Hub engine (version 2), on standard input and output.

    A search ends at the first of the limits of --engine and those of `level`. Hub engines can play here:

    \b
    gameplay play checkers --players "human,hub:./engine,time=1"
    """
    from gameplay import registry
    from gameplay.matches.hosted import Hosted
    from gameplay.protocols.hub import understand
    from gameplay.protocols.hub_side import HubSide

    game = registry.game("checkers")
    player = server.searcher(game, "Hub")
    return server.answer(HubSide(title(player), player, Hosted(game, player, understand), say))
