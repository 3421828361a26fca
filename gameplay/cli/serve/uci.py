"""`gameplay uci`: our engines for chess programs, by the Universal Chess Interface."""

from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import GAME
from gameplay.cli.common.server import SERVER, Server, say, title

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.engine import Engine


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
    from functools import partial

    from gameplay import registry
    from gameplay.knowledge.kinds import fitting
    from gameplay.matches.hosted import Hosted
    from gameplay.players.knowledge import opened
    from gameplay.players.level import LevelPlayer, ladder, rung
    from gameplay.protocols.uci import understand
    from gameplay.protocols.uci_side import UciSide

    chosen_game = registry.game(game)
    player = server.searcher(chosen_game, "UCI")
    levels = len(ladder(chosen_game, player.engine)) if player.engine.endless else 0

    def level(number: int, engine: "Engine") -> LevelPlayer:
        return LevelPlayer(engine, rung(engine, chosen_game, number), server.seed)

    opens = {name: partial(opened, name, game=chosen_game) for name in fitting(chosen_game.new())}

    house = Hosted(chosen_game, player, understand, _lasting(chosen_game))
    return server.answer(UciSide(title(player), player, house, say, level if levels else None, levels, opens))


def _lasting(game: "Game") -> "Game | None":
    """The game with draw claims off, since the other program may not claim; None if nothing changes."""
    from gameplay import registry
    from gameplay.position import parameters
    from gameplay.specs import join, split

    if "claims" not in parameters(game.cls) or "claims" in game.parameters:
        return None
    head, options = split(game.spec)
    return registry.game(join(head, {**options, "claims": "off"}))
