"""From words to players: who sits where.

A player is `human`, an engine as the registry knows it (`alphabeta:depth=6,order=killer`, a .toml file), or
`level:5`, both perhaps with a book and endgame tables (`selective:book=FILE`, see `gameplay.knowledge.aids`),
or a program that speaks UGI, UCI, GTP or NBoard (`ugi:./engine`, see `gameplay.players.process`), or moves
written down (`script:4 4 3`, see `gameplay.players.script`). A list of them is parted at commas that are not
quoted; a part that reads NAME=VALUE belongs to the player before it.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from gameplay import registry
from gameplay.errors import Usage, unknown
from gameplay.knowledge import aids
from gameplay.players.engine import EnginePlayer
from gameplay.players.level import LevelPlayer
from gameplay.players.player import Player
from gameplay.position import side
from gameplay.search.limit import Limit

HUMAN = "human"
PROTOCOLS = ("ugi", "uci", "gtp", "nboard")


def split(text: str) -> list[str]:
    """`human,alphabeta:depth=6,order=killer` as `human` and `alphabeta:depth=6,order=killer`."""
    specs: list[str] = []
    for part in parts(text):
        name = r"[\w .-]+=.*" if specs and is_process(specs[-1]) else r"[a-z_]+=[^:]*|(book|syzygy)=.*"
        if specs and re.fullmatch(name, part):
            specs[-1] += "," + part
        elif part:
            specs.append(part)
    return specs


def parts(text: str) -> list[str]:
    """What stands between the commas, those in quotes excepted; the quotes stay."""
    found = re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*'|["'])+""", text)
    return [part.strip() for part in found]


def is_process(spec: str) -> bool:
    """True for a program outside: `ugi:COMMAND`, `uci:COMMAND`, `gtp:COMMAND`, `nboard:COMMAND`."""
    word, colon, _ = spec.partition(":")
    return bool(colon) and word in PROTOCOLS


def is_script(spec: str) -> bool:
    """True for moves written down: `script:4 4 3`, `script:FILE`."""
    return spec.startswith("script:") or spec == "script"


def player(
    spec: str, game: Any, seed: int = 0, limit: Limit | None = None, human: Callable[[], Player] | None = None
) -> Player:
    """The player that `spec` names. `limit` holds as far as the spec itself says nothing.

    Raises Usage if there is no such player or it cannot play this game.
    """
    spec, asked = aids.apart(spec)
    word, _, rest = spec.partition(":")
    if word == HUMAN and not rest and human is not None:
        return human()
    if is_process(spec):
        from gameplay.players.process import ProcessPlayer

        outside = ProcessPlayer(spec, limit)
        outside.check(game.new())
        return outside
    if is_script(spec):
        from gameplay.players.script import Script

        return Script(spec)
    if word == "level":
        if not rest.isdecimal():
            raise Usage(f"'{spec}': a level is a number, as in level:5")
        engine = registry.usual_engine(game.new())()
        if not engine.thinks:
            raise Usage(f"'{spec}': a level looks ahead, and no engine that does can play {game.name}")
        made: EnginePlayer = LevelPlayer(engine, int(rest), game, seed)
    else:
        engine, own = _engine(spec, [HUMAN] if human else [])
        if limit is not None and engine.thinks:
            own = Limit(own.depth or limit.depth, own.nodes or limit.nodes, own.seconds or limit.seconds)
        made = EnginePlayer(engine, own, seed)
    made.check(game.new())
    made.aid({name: aids.opened(name, path, game.new()) for name, path in asked.items()})
    return made


def aided(spec: str, asked: dict[str, str]) -> str:
    """The spec of the same player with these aids where it names none, if it is an engine or a level."""
    if spec == HUMAN or is_script(spec) or is_process(spec):
        return spec
    return aids.joined(spec, asked | aids.apart(spec)[1])


def pondering(player: Player) -> Player:
    """The same player, thinking on while the other does, if it is an engine of ours that looks ahead."""
    if type(player) is not EnginePlayer or not player.engine.thinks:
        return player
    from gameplay.players.ponder import Ponderer

    return Ponderer(player)


def check_pondering(specs: Sequence[str]) -> None:
    """Raises Usage where nobody can think on a person's time."""
    if HUMAN not in specs:
        raise Usage("--ponder is to think while a person does, and no person plays")
    if not any(searches(spec) and not is_process(spec) for spec in specs):
        raise Usage("--ponder is for an engine of ours that looks ahead, and for no level")


def rest(players: Sequence[Player]) -> None:
    """Nobody ponders any more."""
    for player in players:
        getattr(player, "rest", lambda: None)()


def _engine(spec: str, others: Sequence[str] = ()) -> tuple[Any, Limit]:
    """The engine and its limit; where there is none of that name, every kind of player is told."""
    try:
        return registry.engine(spec)
    except Usage:
        if ":" in spec or spec.endswith(".toml"):
            raise
        known = [*registry.engine_names(), *others, "level:5", "script:MOVES", "uci:COMMAND", "ugi:COMMAND"]
        raise Usage(unknown("player", spec, known)) from None


def searches(spec: str) -> bool:
    """True if the player that `spec` names is an engine that looks ahead, so that a limit matters to it."""
    if spec == HUMAN or spec.startswith("level:") or is_script(spec):
        return False
    if is_process(spec):
        return not spec.startswith("gtp:")
    engine, _ = _engine(aids.apart(spec)[0])
    return bool(engine.thinks)


def opponent(game: Any) -> str:
    """The engine that plays where nobody named one: of those that can, the one that suits the game best."""
    return str(registry.usual_engine(game.new()).name)


def threaded(spec: str, threads: int) -> str:
    """The spec of the same player, searching with so many threads if it is an engine that can."""
    if spec == HUMAN or spec.startswith("level:") or is_script(spec) or is_process(spec):
        return spec
    engine, _ = _engine(aids.apart(spec)[0])
    if "threads" not in engine.options() or "threads=" in spec:
        return spec
    return f"{spec}{',' if ':' in spec else ':'}threads={threads}"


def seat(word: str, position: Any) -> int:
    """The number of the seat that `word` names: first, second, 3, or a side: x, red. Raises Usage."""
    count = position.players
    names = {side(position, number).lower(): number for number in range(count)}
    names |= {name.lower(): number for name, number in position.aliases.items()}
    names |= {str(number + 1): number for number in range(count)}
    names |= dict(list({"first": 0, "second": 1, "third": 2, "fourth": 3}.items())[:count])
    if word.lower() not in names:
        raise Usage(unknown("side", word, names))
    return names[word.lower()]
