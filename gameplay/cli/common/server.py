"""What the servers share: one of our players answers another program on standard input and output."""

import sys
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import ENGINE, Integer, group
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.player import Player
    from gameplay.protocols.side import Side
    from gameplay.registry import Game
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
            raise Usage("--engine cannot be another program: ask that program directly")
        return seats.player(str(spec), game, self.seed)

    def searcher(self, game: "Game", protocol: str) -> "EnginePlayer":
        """The same, if it must be an engine."""
        from gameplay.players.engine import EnginePlayer
        from gameplay.specs import EngineSpec

        if not isinstance(self._spec(game, protocol), EngineSpec):
            raise Usage("--engine must be one of those that `gameplay engines` lists")
        player = self.player(game, protocol)
        assert isinstance(player, EnginePlayer)
        return player

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


def say(line: str) -> None:
    """To the other program, at once."""
    print(line, flush=True)


def title(player: "Player") -> str:
    """The name that this program gives itself."""
    from gameplay import __version__

    return f"gameplay {__version__} {player.name}"


SERVER = group(
    "server",
    Server,
    click.option(
        "--engine",
        type=ENGINE,
        metavar="SPEC",
        help="Engine that answers [the one that suits the game best].",
    ),
    click.option("--seed", type=Integer(0), default=0, help="Seed of an engine that plays at random [0]."),
)
