"""Creates players from specs (see `gameplay.specs`) and resolves the seats of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.errors import Usage, nearest, unknown
from gameplay.knowledge.books.book import NO_BOOK, Book
from gameplay.players.engine import EnginePlayer
from gameplay.players.knowledge import default_knowledge
from gameplay.players.level import LevelPlayer, level_engine, level_settings
from gameplay.players.player import Player
from gameplay.position import AbstractPosition, side
from gameplay.registry import Game, open_knowledge
from gameplay.search.limit import Limit
from gameplay.specs import EngineSpec, HumanSpec, LevelSpec, ProgramSpec, ScriptSpec

if TYPE_CHECKING:
    from gameplay.search.engine import Engine


def player(
    spec: str,
    game: Game,
    seed: int = 0,
    limit: Limit | None = None,
    human: Callable[[], Player] | None = None,
) -> Player:
    """The player that `spec` names. `limit` applies in addition to that of the spec: whichever comes first.

    A level has its own limits, which define its strength, and takes no others.

    Raises Usage if there is no such player or it cannot play this game.
    """
    asked = specs.parse(spec)
    if isinstance(asked, HumanSpec) and human is not None:
        return human()
    if isinstance(asked, ProgramSpec):
        return _program(asked, spec, game, limit)
    if isinstance(asked, ScriptSpec):
        from gameplay.players.script import Script

        return Script(spec)
    if isinstance(asked, LevelSpec):
        thinking = level_engine(game)
        made: EnginePlayer = LevelPlayer(thinking, level_settings(thinking, game, asked.level), seed)
    else:
        engine, own = _engine(asked, [specs.HUMAN] if human else [])
        if limit is not None and not engine.instant:
            own = engine.combined(own, limit)
        made = EnginePlayer(engine, own, seed)
    made.check(game.new())
    paths = default_knowledge(made.engine, game) | asked.knowledge
    made.set_knowledge({name: open_knowledge(name, path, game) for name, path in paths.items()})
    return made


def _program(asked: ProgramSpec, spec: str, game: Game, limit: Limit | None) -> Player:
    """An external player: a program started here, or one at another address."""
    from gameplay.players.process import ProcessPlayer
    from gameplay.players.remote.dxp import RemotePlayer

    program = RemotePlayer(spec, limit) if asked.protocol == specs.DXP else ProcessPlayer(spec, limit)
    program.check(game.new())
    return program


def without_book(spec: str) -> str:
    """The spec of the same player without a book."""
    asked = specs.parse(spec).without(Book.option)
    if isinstance(asked, EngineSpec) and _engine(asked)[0].asks:
        asked = asked.with_knowledge({**asked.knowledge, Book.option: NO_BOOK})
    return str(asked)


def with_knowledge(spec: str, asked: Mapping[str, str]) -> str:
    """The spec of the same player with this knowledge added, if it is an engine or a level without it."""
    return str(specs.parse(spec).with_defaults(asked))


def with_pondering(player: Player) -> Player:
    """The same player with pondering, if it is an engine or a program that can ponder."""
    from gameplay.players.process import ProcessPlayer

    if isinstance(player, ProcessPlayer):
        player.think_ahead()
    if type(player) is not EnginePlayer or not player.engine.thinks:
        return player
    from gameplay.players.ponder import Ponderer

    return Ponderer(player)


def check_pondering(players: Sequence[str]) -> None:
    """Raises Usage if no player can ponder during a person's turn. A level plays without pondering."""
    if specs.HUMAN not in players:
        raise Usage("--ponder searches during a person's turns, and no person plays; leave it out")
    if not any(ponders(spec) or specs.is_level(spec) for spec in players):
        raise Usage("--ponder is for engines that look ahead, and none plays; leave it out")


def ponders(spec: str) -> bool:
    """True if the player that `spec` names can search during a person's turn."""
    asked = specs.parse(spec)
    return asked.protocol in specs.PONDERING if isinstance(asked, ProgramSpec) else searches(spec)


def analysis_engine(spec: str) -> "tuple[Engine, Limit]":
    """The engine and the limit that `spec` names for an analysis: one of ours, or a program that analyses.

    Raises Usage and BadInput as `registry.engine`; Usage for a program that only plays.
    """
    if not specs.is_program(spec):
        return registry.engine(spec)
    from gameplay.players.remote.analyst import analysis_program

    return analysis_program(spec)


def ponders_by_spec(spec: str) -> bool:
    """True for a program that is to ponder by its own spec."""
    asked = specs.parse(spec) if specs.is_program(spec) else None
    return isinstance(asked, ProgramSpec) and asked.ponder


def _engine(spec: specs.Spec, others: Sequence[str] = ()) -> "tuple[Engine, Limit]":
    """The engine and its limit; where there is none of that name, every kind of player is listed."""
    plain = str(spec.with_knowledge({}))
    try:
        return registry.engine(plain)
    except Usage:
        if ":" in plain or plain.endswith(".toml") or specs.is_file(plain):
            raise
        if plain in registry.game_names():
            raise Usage(f"'{plain}' is a game, not a player. Try: minimax or level:5") from None
        names = [*registry.engine_names(), *others]
        more = "other players are level:5, script:MOVES, uci:COMMAND and programs of other protocols"
        raise Usage(unknown("player", plain, names, "gameplay engines", more)) from None


def searches(spec: str) -> bool:
    """True if the player that `spec` names is an engine that looks ahead, so that a limit matters to it."""
    asked = specs.parse(spec)
    if isinstance(asked, ProgramSpec):
        return asked.protocol not in ("gtp", specs.DXP)
    return isinstance(asked, EngineSpec) and bool(_engine(asked)[0].thinks)


def limit_of(spec: str) -> Limit:
    """The limit in the spec of a player. Loads no code that a data file names."""
    if isinstance(spec, specs.Recorded):
        plain = specs.parse(str(spec))
        return plain.limit if isinstance(plain, ProgramSpec) else specs.typed_limit(plain)
    asked = specs.parse(spec)
    if isinstance(asked, ProgramSpec):
        return asked.limit
    return _engine(asked)[1] if searches(spec) else Limit()


def opponent(game: Game) -> str:
    """The default engine: of those that support the game, the one that suits it best."""
    return str(registry.default_engine(game.new()).name)


def second_engine(game: Game) -> str:
    """The default engine to play against `opponent`: alphabeta, or the one that suits the game second best.

    If no other engine supports the game: random.
    """
    position = game.new()
    if registry.engine_class("alphabeta").suitability(position):
        return "alphabeta"
    best = opponent(game)
    others = [name for name in registry.engine_names() if name not in (best, "random")]
    second = max(others, key=lambda name: registry.engine_class(name).suitability(position))
    return second if registry.engine_class(second).suitability(position) else "random"


def with_threads(spec: str, threads: int) -> str:
    """The spec of the same player, searching with so many threads if it is an engine that can."""
    asked = specs.parse(spec)
    if not isinstance(asked, EngineSpec) or "threads" in asked.options:
        return spec
    engine, _ = _engine(asked)
    return str(asked.with_option("threads", threads)) if "threads" in engine.options() else spec


def all_with_threads(players: Sequence[str], threads: int) -> list[str]:
    """The specs of the same players, see `with_threads`. Raises Usage if that changes none of them."""
    changed = [with_threads(spec, threads) for spec in players]
    if changed == list(players):
        able = [
            name for name in registry.engine_names() if "threads" in registry.engine_class(name).options()
        ]
        raise Usage(f"--threads is for {', '.join(able)}, and no player here takes it; leave it out")
    return changed


def seat(word: str, position: AbstractPosition) -> int:
    """The number of the seat that `word` names: first, second, 3, or a side: x, red. Raises Usage."""
    count = position.players
    names = {side(position, number).lower(): number for number in range(count)}
    names |= {name.lower(): number for name, number in position.aliases.items()}
    names |= {str(number + 1): number for number in range(count)}
    names |= dict(list({"first": 0, "second": 1, "third": 2, "fourth": 3}.items())[:count])
    if word.lower() not in names:
        others = (
            ", ".join(sorted(name for name, seat in names.items() if seat == number and name != own.lower()))
            for number, own in enumerate(side(position, number) for number in range(count))
        )
        sides = " and ".join(f"{side(position, n)} ({text})" for n, text in enumerate(others))
        raise Usage(f"there is no side '{word}'{nearest(word, names)}; the sides are {sides}")
    return names[word.lower()]
