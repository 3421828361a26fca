"""`gameplay uci`: our engines for chess programs, by the Universal Chess Interface."""

import sys
from typing import Any

import click

from gameplay.cli import STATUSES
from gameplay.registry import engine_names, game_names

GAME = "chess"


def _games(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in game_names() if name.startswith(typed)]


def _engines(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in engine_names() if name.startswith(typed)]


@click.command(
    short_help="Be a UCI engine for chess programs",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("game", required=False, shell_complete=_games)
@click.option("--engine", metavar="SPEC", shell_complete=_engines, help="Who answers [the default engine].")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Of an engine that draws lots [0]."
)
def command(game: str | None, engine: str | None, seed: int) -> int:
    """Play GAME (default: chess) for another program, which speaks UCI on standard input and output.

    Give a chess program `gameplay uci` as the command of the engine. Limits of --engine hold where `go`
    gives none. `bench` and `d` are for people.

    \b
    gameplay uci --engine selective:table=256MB
    gameplay uci connect4
    """
    from gameplay import __version__, registry
    from gameplay.errors import Usage
    from gameplay.knowledge import aids
    from gameplay.matches.hosted import Hosted
    from gameplay.players import seats
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.level import LEVELS, LevelPlayer
    from gameplay.protocols.uci import understand
    from gameplay.protocols.uci_side import UciSide

    found = registry.game(game or GAME)
    position = found.new()
    if position.players != 2:
        raise Usage(f"UCI is for two players, and {found.name} has {position.players}")
    spec = engine or seats.opponent(found)
    if seats.is_process(spec) or spec.startswith("level:"):
        raise Usage("--engine is one of ours; its level is the option Level, another program needs no help")
    player = seats.player(spec, found, seed)
    assert isinstance(player, EnginePlayer)
    levels = len(getattr(found.cls, "levels", LEVELS)) if player.engine.endless else 0

    def level(number: int, thinker: Any) -> LevelPlayer:
        return LevelPlayer(thinker, number, found, seed)

    def aid(name: str, path: str) -> aids.Aid:
        return aids.opened(name, path, position)

    def say(line: str) -> None:
        print(line, flush=True)

    title = f"gameplay {__version__} {player.name}"
    house = Hosted(found, player, understand, _lasting(found))
    UciSide(title, player, house, say, level if levels else None, levels, aid).listen(sys.stdin.fileno())
    return 0


def _lasting(game: Any) -> Any:
    """The game without draws that somebody claims, for the other program may not; None if it has no other."""
    from gameplay import registry
    from gameplay.position import parameters

    if "claims" not in parameters(game.cls) or "claims" in game.parameters:
        return None
    return registry.game(f"{game.spec}{',' if ':' in game.spec else ':'}claims=off")
