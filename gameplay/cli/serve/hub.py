"""`gameplay hub`: our engines for programs that play draughts, by the Hub protocol."""

from typing import TYPE_CHECKING

import click

from gameplay.cli.common.server import SERVER, Server, engine_title, send_line

if TYPE_CHECKING:
    from gameplay.players.engine import EnginePlayer
    from gameplay.protocols.side import MatchHost


@click.command(short_help="Play draughts as a Hub engine")
@SERVER
def command(server: Server) -> int:
    """Play draughts as a Hub engine (version 2), on standard input and output.

    The parameter variant is normal, international draughts, or english, checkers. A search ends at the first
    of the limits of --engine and those of `level`. Hub engines can play here:

    \b
    gameplay play draughts --players "human,hub:scan hub,time=1"
    """
    from gameplay import registry
    from gameplay.capabilities import PlaysDraughts
    from gameplay.matches.hosted import Hosted
    from gameplay.protocols.hub import VARIANTS, parse_move
    from gameplay.protocols.hub_side import HubSide
    from gameplay.store.formats.pdn import GAMES

    games = {variant: registry.game(GAMES[number]) for number, variant in VARIANTS.items()}

    def seat(variant: str) -> "tuple[EnginePlayer, MatchHost, PlaysDraughts]":
        player = server.searcher(games[variant], "Hub")
        start = games[variant].new()
        assert isinstance(start, PlaysDraughts)
        return player, Hosted(games[variant], player, parse_move), start

    named = engine_title(server.searcher(games["normal"], "Hub"))
    return server.answer(HubSide(named, seat, send_line))
