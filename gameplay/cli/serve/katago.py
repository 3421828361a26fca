"""`gameplay katago`: our engines for programs that analyse Go, by KataGo's analysis protocol."""

from typing import TYPE_CHECKING

import click

from gameplay.cli.common.server import SERVER, Server, engine_title, send_line

if TYPE_CHECKING:
    from gameplay.players.engine import EnginePlayer
    from gameplay.protocols.side import MatchHost


@click.command(short_help="Answer queries of KataGo's analysis protocol")
@SERVER
def command(server: Server) -> int:
    """Answer queries in the JSON protocol of `katago analysis`, on standard input and output.

    Name `gameplay katago` as the command of the engine in a program that uses KataGo's analysis engine. A
    search ends at the first of the limits of --engine and those of the query. KataGo can play here, as in the
    second example:

    \b
    gameplay katago --engine mcts:threads=2
    gameplay play go --engine "katago:katago analysis -config a.cfg"
    """
    from gameplay import registry
    from gameplay.errors import Usage
    from gameplay.matches.hosted import Hosted
    from gameplay.protocols.katago_side import KatagoSide
    from gameplay.specs import join

    def seat(terms: dict[str, str]) -> "tuple[EnginePlayer, MatchHost]":
        chosen, simple_ko = (registry.game(join("go", terms | more)) for more in ({}, {"ko": "simple"}))
        player = server.searcher(chosen, "KataGo's protocol")
        if player.engine is None or not player.engine.thinks:
            raise Usage("--engine must search. Try: --engine mcts")
        return player, Hosted(chosen, player, spare=simple_ko)

    player, _ = seat({})
    return server.answer(KatagoSide(engine_title(player), seat, send_line))
