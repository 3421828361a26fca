"""Games, engines and positions by name, or from classes and objects of the calling program."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.catalogue import engines, name_of
from gameplay.options import refusal
from gameplay.position import AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit, check_seconds

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

GameLike = str | type[AbstractPosition] | Game


class StartedGame(Game, frozen=True):
    """A game with a given start position."""

    start: AbstractPosition | None = None

    def new(self, text: str | None = None) -> AbstractPosition:
        """See `Game.new`."""
        return super().new(text) if text or self.start is None else self.start.twin()


def game(spec: GameLike) -> Game:
    """A game with its parameters; `.new()` gives its start, `.new(text)` another position.

    `spec`: a name with parameters ("connect4:columns=9"), a file ("sticks.py:Sticks", "tree.toml") or a class
    of the calling program, which is registered under its name in lower case.
    Raises Usage for an unknown name or parameter, BadInput for a file or a class that is not a game.
    """
    if isinstance(spec, Game):
        return spec
    return registry.game(spec) if isinstance(spec, str) else registry.register_game(spec)


def engine(spec: "str | type | Callable[..., object] | object") -> "Engine":
    """An engine with its options; `.search(position, limit)` returns a `Report`.

    `spec`: a name with options and limits ("alphabeta:depth=6,order=killer"), a file ("mine.py"), or a class
    or object of the calling program with `search(position, limit, watch)`, or a function `choose(position)`.
    Limits in the spec apply to each search in addition to its own limit. Raises Usage for an unknown name,
    option or value, BadInput for an object that is not an engine.
    """
    from gameplay.search.engine import Engine

    if isinstance(spec, Engine) and spec.name in engines():
        return spec
    instance, limit = registry.engine(spec if isinstance(spec, str) else registry.register_engine(spec))
    instance.own_limit, instance.formats_pv = limit, True
    return instance


def game_spec(given: GameLike) -> str:
    """The spec of a game for `registry.game`. Raises as `game`."""
    return given if isinstance(given, str) else game(given).spec


def player_spec(given: "str | Engine | type | Callable[..., object] | object") -> str:
    """The spec of a player: as given, or for an engine its name, options and limits."""
    from gameplay.search.engine import Engine

    if isinstance(given, str):
        return given
    if isinstance(given, Engine) and (given.name in engines() or registry.is_registered(given.place)):
        head, options = specs.split(str(given))
        return specs.join(head, options | dict(given.known) | specs.limit_options(given.own_limit))
    return registry.register_engine(given)


def game_at(position: AbstractPosition) -> Game:
    """The game of a position, starting there. Raises Usage if it is not a position."""
    if not isinstance(position, AbstractPosition):
        raise refusal("", "position", position, "a position of a game", "gameplay.game('tictactoe').new()")
    origin = registry.game_of(position)
    name = origin.name or name_of(position)
    spec = origin.spec if origin.name else f"{name}{origin.spec}"
    return StartedGame(spec, name, origin.cls, origin.parameters, position.twin())


def limits(depth: int | None, nodes: int | None, time: float | None, sims: int | None) -> Limit:
    """Create a limit. Raises Usage for a value out of range or of the wrong type."""
    return Limit(depth, nodes, check_seconds(time, "time"), simulations=sims)
