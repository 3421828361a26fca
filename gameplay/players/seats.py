"""Creates players from specs (see `gameplay.specs`) and resolves the seats of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.errors import Usage, brief, nearest, unknown_name
from gameplay.knowledge.books.book import NO_BOOK, Book
from gameplay.players.engine import EnginePlayer
from gameplay.players.knowledge import default_knowledge
from gameplay.players.level import LevelPlayer, level_engine, level_settings
from gameplay.players.player import Player
from gameplay.position import AbstractPosition, side_names
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
    """Create the player that `spec` names. `limit` applies in addition to the limit in the spec.

    Levels ignore it: their own limits define their strength.

    Raises Usage if there is no such player or it cannot play this game.
    """
    parsed = specs.parse(spec)
    if isinstance(parsed, HumanSpec) and human is not None:
        return human()
    if isinstance(parsed, ProgramSpec):
        return _program(parsed, spec, game, limit)
    if isinstance(parsed, ScriptSpec):
        from gameplay.players.script import Script

        return Script(spec)
    if isinstance(parsed, LevelSpec):
        engine = level_engine(game)
        chosen: EnginePlayer = LevelPlayer(engine, level_settings(engine, game, parsed.level), seed)
    else:
        engine, own_limit = _engine(parsed, [specs.HUMAN] if human else [])
        if limit is not None and not engine.instant:
            own_limit = engine.combine_limits(own_limit, limit)
        chosen = EnginePlayer(engine, own_limit, seed)
    chosen.check(game.new())
    paths = default_knowledge(chosen.engine, game) | parsed.knowledge
    chosen.set_knowledge({name: open_knowledge(name, path, game) for name, path in paths.items()})
    return chosen


def _program(parsed: ProgramSpec, spec: str, game: Game, limit: Limit | None) -> Player:
    """An external player: a local process, or a remote program."""
    from gameplay.players.process import ProcessPlayer
    from gameplay.players.remote.dxp import RemotePlayer

    program = RemotePlayer(spec, limit) if parsed.protocol == specs.DXP else ProcessPlayer(spec, limit)
    program.check(game.new())
    return program


def without_book(spec: str) -> str:
    """The spec of the same player without a book."""
    parsed = specs.parse(spec).without(Book.option)
    if isinstance(parsed, EngineSpec) and _engine(parsed)[0].probes_root:
        parsed = parsed.with_knowledge({**parsed.knowledge, Book.option: NO_BOOK})
    return str(parsed)


def with_knowledge(spec: str, sources: Mapping[str, str]) -> str:
    """The spec of the same player with this knowledge added, if it is an engine or a level without it."""
    return str(specs.parse(spec).with_defaults(sources))


def with_pondering(player: Player) -> Player:
    """The same player with pondering, if it is an engine or program that can ponder."""
    from gameplay.players.process import ProcessPlayer

    if isinstance(player, ProcessPlayer):
        player.enable_pondering()
    if type(player) is not EnginePlayer or not player.engine.thinks:
        return player
    from gameplay.players.ponder import Ponderer

    return Ponderer(player)


def check_pondering(players: Sequence[str]) -> None:
    """Raises Usage if no player can ponder during a person's turn. A level plays without pondering."""
    if specs.HUMAN not in players:
        raise Usage("--ponder searches during a person's turns, and no person plays; leave it out")
    if not any(ponders(spec) or specs.is_level(spec) for spec in players):
        raise Usage("--ponder is for engines that search, and none plays; leave it out")


def ponders(spec: str) -> bool:
    """True if the player that `spec` names can search during a person's turn."""
    parsed = specs.parse(spec)
    return parsed.protocol in specs.PONDERING if isinstance(parsed, ProgramSpec) else searches(spec)


def analysis_engine(spec: str) -> "tuple[Engine, Limit]":
    """The engine and the limit that `spec` names for an analysis: built-in, or an analysis program.

    Raises Usage and BadInput as `registry.engine`; Usage for a program that only plays.
    """
    if not specs.is_program(spec):
        return registry.engine(spec)
    from gameplay.players.remote.analyst import analysis_program

    return analysis_program(spec)


def ponders_by_spec(spec: str) -> bool:
    """True for a program whose spec enables pondering."""
    parsed = specs.parse(spec) if specs.is_program(spec) else None
    return isinstance(parsed, ProgramSpec) and parsed.ponder


def _engine(spec: specs.Spec, others: Sequence[str] = ()) -> "tuple[Engine, Limit]":
    """The engine and its limit. Raises Usage that lists all kinds of players if the engine is unknown."""
    name = str(spec.with_knowledge({}))
    try:
        return registry.engine(name)
    except Usage:
        if ":" in name or name.endswith(".toml") or specs.is_file(name):
            raise
        if name in registry.game_names():
            hint = f"minimax or level:5; match takes the game as --game {name}"
            raise Usage(f"'{name}' is a game, not a player. Try: {hint}") from None
        if name == specs.HUMAN and specs.HUMAN not in others:
            raise Usage("people play with gameplay play only; expected an engine. Try: level:5") from None
        candidates = [*registry.engine_names(), *others]
        hint = "other players are level:5, script:MOVES, uci:COMMAND and programs of other protocols"
        raise Usage(unknown_name("player", name, candidates, "gameplay engines", hint)) from None


def searches(spec: str) -> bool:
    """True if the player that `spec` names is a searching engine, to which limits apply."""
    parsed = specs.parse(spec)
    if isinstance(parsed, ProgramSpec):
        return parsed.protocol not in ("gtp", specs.DXP)
    return isinstance(parsed, EngineSpec) and bool(_engine(parsed)[0].thinks)


def limit_of(spec: str) -> Limit:
    """The limit in the spec of a player. Loads no code that a data file names."""
    if isinstance(spec, specs.Recorded):
        parsed = specs.parse(str(spec))
        return parsed.limit if isinstance(parsed, ProgramSpec) else specs.typed_limit(parsed)
    parsed = specs.parse(spec)
    if isinstance(parsed, ProgramSpec):
        return parsed.limit
    return _engine(parsed)[1] if searches(spec) else Limit()


def opponent(game: Game) -> str:
    """The name of the game's default engine."""
    return str(registry.default_engine(game.new()).name)


def second_engine(game: Game) -> str:
    """The default opponent of `opponent`: alphabeta, else the engine with the second highest suitability.

    Random if no other engine supports the game.
    """
    position = game.new()
    if registry.engine_class("alphabeta").suitability(position):
        return "alphabeta"
    best = opponent(game)
    candidates = [name for name in registry.engine_names() if name not in (best, "random")]
    second = max(candidates, key=lambda name: registry.engine_class(name).suitability(position))
    return second if registry.engine_class(second).suitability(position) else "random"


def with_threads(spec: str, threads: int) -> str:
    """The spec of the same player with `threads`, if its engine has that option."""
    parsed = specs.parse(spec)
    if not isinstance(parsed, EngineSpec) or "threads" in parsed.options:
        return spec
    engine, _ = _engine(parsed)
    return str(parsed.with_option("threads", threads)) if "threads" in engine.options() else spec


def all_with_threads(players: Sequence[str], threads: int) -> list[str]:
    """Apply `with_threads` to all players. Raises Usage if that changes none of them."""
    changed = [with_threads(spec, threads) for spec in players]
    if changed == list(players):
        able = [
            name for name in registry.engine_names() if "threads" in registry.engine_class(name).options()
        ]
        raise Usage(f"--threads is for {', '.join(able)}, and no player here takes it; leave it out")
    return changed


def seat(word: str, position: AbstractPosition) -> int:
    """The number of the seat that `word` names: first, second, 3, or a side: x, red. Raises Usage."""
    count, sides = position.players, side_names(position)
    names = {side.lower(): number for number, side in enumerate(sides)}
    names |= {name.lower(): number for name, number in position.aliases.items()}
    names |= {str(number + 1): number for number in range(count)}
    names |= dict(list({"first": 0, "second": 1, "third": 2, "fourth": 3}.items())[:count])
    if word.lower() not in names:
        aliases = [
            sorted(name for name, seat in names.items() if seat == number and name != side.lower())
            for number, side in enumerate(sides)
        ]
        sides_text = ", ".join(
            f"{side} ({', '.join(words)})" for side, words in zip(sides, aliases, strict=True)
        )
        raise Usage(f"unknown side '{brief(word)}'{nearest(word, names)}; the sides are {sides_text}")
    return names[word.lower()]
