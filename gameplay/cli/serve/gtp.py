"""`gameplay gtp`: our engines for programs that play Go, by the Go Text Protocol."""

from functools import partial
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import GAME
from gameplay.cli.common.server import SERVER, Server, engine_title, send_line

if TYPE_CHECKING:
    from pathlib import Path

    from gameplay.players.player import Player
    from gameplay.protocols.side import MatchHost
    from gameplay.registry import Game


@click.command(short_help="Play Go as a GTP engine")
@click.argument("game", type=GAME, default="go")
@SERVER
def command(game: str, server: Server) -> int:
    """Play GAME (default: go) as a GTP engine (version 2), on standard input and output.

    Name `gameplay gtp` as the command of the engine in your Go program. A search ends at the first of the
    limits of --engine and those of the clock. GTP engines can play here, as in the last example:

    \b
    gameplay gtp --engine mcts:time=5
    gameplay gtp go:rules=tromp-taylor
    gameplay play go --players "human,gtp:gnugo --mode gtp"
    """
    from gameplay import registry
    from gameplay.capabilities import GoBoard
    from gameplay.matches.hosted import Hosted
    from gameplay.players.level import LevelPlayer
    from gameplay.protocols.gtp_go import GoSide
    from gameplay.protocols.gtp_side import GtpSide
    from gameplay.specs import join, split

    chosen_game = registry.game(game)
    head, options = split(chosen_game.spec)

    def seat(terms: dict[str, str]) -> "tuple[Player, MatchHost]":
        board = ("size", "columns", "rows")
        sets_board = any(name in terms for name in board)
        own = {name: value for name, value in options.items() if not sets_board or name not in board}
        chosen = registry.game(join(head, {**own, **terms}))
        simple_ko = registry.game(join(head, {**own, **terms, "ko": "simple"})) if go else None
        player = server.player(chosen, "GTP")
        return player, Hosted(chosen, player, spare=simple_ko)

    go = isinstance(chosen_game.new(), GoBoard)
    player = server.player(chosen_game, "GTP")
    fixed = isinstance(player, LevelPlayer)
    if go:
        return server.answer(
            GoSide(engine_title(player), seat, send_line, fixed, load=partial(_load, chosen_game))
        )
    return server.answer(GtpSide(engine_title(player), seat, send_line, fixed))


def _load(expected: "Game", path: "Path") -> tuple[dict[str, str], str, list[str]]:
    """The game in a file: its parameters, its start and its moves. Raises BadInput for another game."""
    from gameplay import registry
    from gameplay.errors import BadInput
    from gameplay.specs import split
    from gameplay.store.saved import read

    record = read(path, find=registry.game)
    recorded = registry.game(record.game)
    if recorded.cls is not expected.cls:
        name = expected.name
        raise BadInput(f"{path} holds no game of {name}, but one of {recorded.name}. Try: a record of {name}")
    return dict(split(record.game)[1]), record.start, record.words
