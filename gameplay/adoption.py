"""Wraps a user-defined class or function as an Engine, or reports what it lacks.

`gameplay.search.user_engine` describes such classes and functions.
"""

import dataclasses
import inspect
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from gameplay.errors import BadInput
from gameplay.once import once
from gameplay.search.engine import Engine
from gameplay.search.user_engine import SUPPLIED, UserEngine, where
from gameplay.usercode import fence

DEFAULT_FUNCTION = "choose"  # the engine in a file of several functions
ENGINE_FORMS = (
    "a function choose(position) that returns a move, or a class with search(position, limit, watch)"
)


def engine_candidates(module: ModuleType) -> dict[str, Any]:
    """The classes of a module that can be engines, by name; without any its functions, or `choose` alone."""
    defined = {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    }
    classes: dict[str, Any] = {
        name: thing for name, thing in defined.items() if inspect.isclass(thing) and is_engine(thing)
    }
    functions: dict[str, Any] = {name: thing for name, thing in defined.items() if inspect.isfunction(thing)}
    return classes or (
        {DEFAULT_FUNCTION: functions[DEFAULT_FUNCTION]} if DEFAULT_FUNCTION in functions else functions
    )


def is_engine(thing: Any) -> bool:
    """True for a class with `search`, a subclass of Engine, or a function."""
    if not inspect.isclass(thing):
        return callable(thing)
    return thing not in (Engine, UserEngine) and (issubclass(thing, Engine) or hasattr(thing, "search"))


def engine_of(thing: Any, name: str, place: str, quiet: bool = True) -> type[Engine]:
    """Wrap a user-defined class or function as an Engine class.

    `place`: the spec that loads it again. `quiet`: discard what its module prints, which would damage the
    screen of a game. Raises BadInput, naming what is missing, if `thing` cannot be an engine.
    """
    if not is_engine(thing):
        raise BadInput(f"{place} is not an engine; expected {ENGINE_FORMS}")
    return _engine_of(thing, name, place, quiet)


@once
def _engine_of(thing: Any, name: str, place: str, quiet: bool) -> type[Engine]:
    if quiet:
        fence.silence(thing.__module__)
    if not inspect.isclass(thing):
        return _wrap(thing, "", name, place)
    if not issubclass(thing, Engine):
        return _wrap(thing, "search", thing.__dict__.get("name") or name, place)
    thing.name = thing.name or name
    if thing.search is not Engine.search:
        return _wrap(thing, "search", thing.name, place)
    opens = thing.open is not Engine.open or thing.searches is not Engine.searches
    if thing.at_once is not Engine.at_once and not (opens and thing.thinks):
        return _wrap(thing, "at_once", thing.name, place)
    if not opens:
        raise BadInput(
            f"{place} has no search(position, limit, watch) that returns a move or a Report (nor"
            " at_once(position, limit) that returns a Report, nor open() that returns the search)"
        )
    thing.place, thing.where = place, where(thing)
    return thing


def _wrap(thing: Any, method: str, name: str, place: str) -> type[Engine]:
    names = _search_parameters(thing, method, place)
    call = getattr(thing, method) if method else thing
    facts: dict[str, Any] = {
        "name": name,
        "place": place,
        "where": where(call),
        "thing": thing if method else staticmethod(thing),
        "method": method,
        "respects_limits": any(name in names for name in SUPPLIED) or inspect.isgeneratorfunction(call),
        "__doc__": inspect.getdoc(thing) or "An engine of your own.",
        "__module__": thing.__module__,
    }
    for fact in ("players", "chance", "hidden", "general_sum", "thinks", "priority", "multipv"):
        if method and hasattr(thing, fact):
            facts[fact] = getattr(thing, fact)
    if method and issubclass(thing, Engine):
        for check in ("incompatibility", "suitability", "check", "default_limit"):
            override = inspect.getattr_static(thing, check)
            if override is not Engine.__dict__[check]:
                facts[check] = override
    facts["players"] = _player_range(facts.get("players", UserEngine.players), place)
    options = _options(thing, method, place)
    made = dataclasses.make_dataclass(thing.__name__, options, bases=(UserEngine,), namespace=facts)
    made.__module__ = thing.__module__
    return made


def _search_parameters(thing: Any, method: str, place: str) -> Sequence[str]:
    """The parameter names of the search function. Raises BadInput for parameters without a value."""
    call = getattr(thing, method) if method else thing
    parameters = list(_parameters(call).values())
    if method and inspect.isfunction(inspect.getattr_static(thing, method)):
        parameters = parameters[1:]  # self
    what = f"{place}: {getattr(call, '__qualname__', 'it')}()"
    example = "search(self, position, limit, watch)" if method else "choose(position)"
    if not parameters:
        raise BadInput(f"{what} takes no position: write def {example}{where(call)}")
    for parameter in parameters[1:]:
        if (
            parameter.default is parameter.empty
            and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            and parameter.name not in SUPPLIED
        ):
            hint = (
                f"give {parameter.name} a default to make it an option"
                if not method
                else f"write def {example}"
            )
            raise BadInput(f"{what} has a parameter without a value, {parameter.name}: {hint}{where(call)}")
    return [parameter.name for parameter in parameters]


def _options(thing: Any, method: str, place: str) -> list[Any]:
    """The options as fields: the parameters of the constructor, or those of a function with a default."""
    parameters = _parameters(thing)
    fields = dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()
    metadata = {field.name: field.metadata for field in fields}
    options = []
    for name, parameter in list(parameters.items())[0 if method else 1 :]:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) or (
            not method and name in SUPPLIED
        ):
            continue
        if parameter.default is parameter.empty:
            hint = "give it a default to make it an option"
            raise BadInput(f"{place}: the constructor needs {name}: {hint}{where(thing)}")
        field = dataclasses.field(default=parameter.default, metadata=metadata.get(name, {}))
        options.append((name, type(parameter.default), field))
    return options


def _parameters(call: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(call).parameters)
    except (TypeError, ValueError):  # a built-in function without a signature
        return {"position": inspect.Parameter("position", inspect.Parameter.POSITIONAL_OR_KEYWORD)}


def _player_range(players: Any, place: str) -> range:
    """The supported numbers of players, from an int, a range or a collection."""
    if isinstance(players, range):
        return players
    numbers = [players] if isinstance(players, int) else []
    if isinstance(players, list | tuple | set):
        numbers = list(players)
    if not numbers or not all(isinstance(number, int) and number > 0 for number in numbers):
        raise BadInput(f"{place}: players is {players!r}. Try: players = 2, or range(2, 5) for 2 to 4")
    return range(min(numbers), max(numbers) + 1)
