"""Shared by the servers: a player answers another program on standard input and output."""

import sys
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import ENGINE, Integer, group
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.matches.hosted import Reader
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.player import Player
    from gameplay.protocols.side import Side
    from gameplay.protocols.uci_side import UciSide
    from gameplay.registry import Game
    from gameplay.search.engine import Engine
    from gameplay.specs import Spec


class Server:
    """The player of a server: the one that `--engine` names, or the default engine of the game."""

    def __init__(self, engine: str | None, seed: int) -> None:
        self.spec = engine
        self.seed = seed

    def player(self, game: "Game", protocol: str) -> "Player":
        """Any player of this program. Raises Usage for an external program, or a game not for two."""
        from gameplay.players import seats
        from gameplay.specs import ProgramSpec

        spec = self._spec(game, protocol)
        if isinstance(spec, ProgramSpec):
            raise Usage(f"--engine is '{spec}', another program; expected an engine. Try: gameplay engines")
        return seats.player(str(spec), game, self.seed)

    def searcher(self, game: "Game", protocol: str) -> "EnginePlayer":
        """The same, if it must be an engine."""
        from gameplay.players.engine import EnginePlayer
        from gameplay.specs import EngineSpec

        if not isinstance(self._spec(game, protocol), EngineSpec):
            raise Usage(f"--engine is '{self.spec}'; expected an engine. Try: gameplay engines")
        player = self.player(game, protocol)
        assert isinstance(player, EnginePlayer)
        return player

    def chess(self, game: "Game", protocol: str, kind: "type[UciSide]", read: "Reader") -> "UciSide":
        """The side of a protocol for chess programs, with levels and knowledge; `read` parses moves."""
        from functools import partial

        from msgspec import structs

        from gameplay.knowledge.kinds import supported_options
        from gameplay.matches.hosted import Hosted
        from gameplay.players.level import LevelPlayer, ladder, level_settings
        from gameplay.registry import open_knowledge

        player = self.searcher(game, protocol)
        levels = len(ladder(game, player.engine)) if player.engine.anytime else 0

        def level(number: int, engine: "Engine") -> LevelPlayer:
            chosen_rung = level_settings(engine, game, number)
            if number == levels:  # the engine as it is, within the limits of the other program
                chosen_rung = structs.replace(chosen_rung, evaluation="")
            return LevelPlayer(engine, chosen_rung, self.seed)

        opens = {name: partial(open_knowledge, name, game=game) for name in supported_options(game.new())}
        host = Hosted(game, player, read, _without_claims(game))
        return kind(engine_title(player), player, host, send_line, level if levels else None, levels, opens)

    def _spec(self, game: "Game", protocol: str) -> "Spec":
        from gameplay.players import seats
        from gameplay.specs import parse

        count = game.new().players
        if count != 2:
            raise Usage(f"{protocol} is for two players, and {game.name} has {count}")
        return parse(self.spec or seats.opponent(game))

    @staticmethod
    def answer(side: "Side") -> int:
        """Answer until the other program leaves; the exit status."""
        side.listen(sys.stdin.fileno())
        return 0


def _without_claims(game: "Game") -> "Game | None":
    """The game with draw claims off, since the other program may not claim; None if nothing changes."""
    from gameplay import registry
    from gameplay.position import parameters
    from gameplay.specs import join, split

    if "claims" not in parameters(game.cls) or "claims" in game.parameters:
        return None
    head, options = split(game.spec)
    return registry.game(join(head, {**options, "claims": "off"}))


def send_line(line: str) -> None:
    """Send a line to the other program, flushed."""
    print(line, flush=True)


def engine_title(player: "Player") -> str:
    """The engine's name in the protocol."""
    from gameplay import __version__

    return f"gameplay {__version__} {player.name}"


SERVER = group(
    "server",
    Server,
    click.option(
        "--engine",
        type=ENGINE,
        metavar="SPEC",
        help="Engine that answers [the game's default engine].",
    ),
    click.option("--seed", type=Integer(0), default=0, help="Seed of the engine's random choices [0]."),
)
