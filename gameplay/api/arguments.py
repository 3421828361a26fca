"""Checks the arguments of public functions: a wrong type raises a one-line error, not an internal traceback.

An argument has the same name and meaning in every public function; `ARGUMENTS` lists each once.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from numbers import Real
from operator import index
from typing import Any, NamedTuple, TypeVar

from gameplay.errors import BadInput
from gameplay.options import refusal

Function = TypeVar("Function", bound=Callable[..., Any])


class Argument(NamedTuple):
    """The check of an argument: a description, an example, and `read`, which returns the converted value.

    `read` raises TypeError for a wrong type, and BadInput for an impossible path.
    """

    expected: str
    example: str
    read: Callable[[Any], Any]


def check_arguments(function: Function) -> Function:
    """Check the arguments that `ARGUMENTS` lists before `function` is called.

    Defaults are accepted. Raises Usage, which names the argument, and BadInput for an impossible path.
    """
    parameters = inspect.signature(function).parameters
    places = [
        name for name, parameter in parameters.items() if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    places = places if "players" not in parameters or "players" in places else []  # *players come first

    def fit(name: str, value: Any) -> Any:
        parameter = parameters.get(name)
        argument = FLAG if parameter is not None and parameter.annotation is bool else ARGUMENTS.get(name)
        if parameter is None or argument is None or value is parameter.default:
            return value
        expected, example, read = argument
        try:
            return read(value)
        except TypeError:
            raise refusal("", name, value, expected, example) from None

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        first = [fit(name, value) for name, value in zip(places, arguments, strict=False)]
        named = {name: fit(name, value) for name, value in keywords.items()}
        return function(*first, *arguments[len(first) :], **named)

    return call  # type: ignore[return-value]


def _whole(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    return index(value)  # also numbers of numpy


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError
    return float(value)


def _of(*types: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, types):
            raise TypeError
        return value

    return read


def _text(value: Any) -> Any:
    """Raises TypeError also for text with a lone surrogate, which no file can hold."""
    try:
        _of(str)(value).encode()
    except UnicodeEncodeError:
        raise TypeError from None
    return value


def _path(value: Any) -> Any:
    """Raises TypeError, and BadInput for a name that is too long or has a NUL or a lone surrogate."""
    _of(str, os.PathLike)(value)
    try:
        os.stat(value)
    except ValueError as error:
        wrong = "a lone surrogate" if isinstance(error, UnicodeError) else "a NUL character"
        raise BadInput(f"a path cannot contain {wrong}: {os.fspath(value)!r}") from None
    except OSError as error:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError, PermissionError)):
            raise BadInput(f"{os.fspath(value)}: {error.strerror}") from None
    return value


def _store(value: Any) -> Any:
    return value if isinstance(value, bool) else _path(value)


def _openings(value: Any) -> Any:
    from gameplay.runs.plan import Openings

    if isinstance(value, Openings):
        return value
    return _path(value) if isinstance(value, (str, os.PathLike)) else _whole(value)


def _adjudication(value: Any) -> Any:
    from gameplay.runs.plan import Adjudication

    return _of(Adjudication)(value)


def _watch(value: Any) -> Any:
    if not callable(value):
        raise TypeError
    return value


def _several(value: Any) -> list[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError
    return list(value)


def _words(value: Any) -> list[str]:
    return [_text(word) for word in _several(value)]


FLAG = Argument("True or False", "True", _of(bool))  # every argument that is a bool
ARGUMENTS = {
    "actions": Argument("a whole number", "100", _whole),
    "adjudicate": Argument("a gameplay.Adjudication", "gameplay.Adjudication(plies=200)", _adjudication),
    "clock": Argument("a time control in words", "'10+0.1'", _text),
    "file": Argument("a path", "'games.pgn'", _path),
    "form": Argument("a word", "'swiss'", _text),
    "games": Argument("a whole number", "100", _whole),
    "jobs": Argument("a whole number", "2", _whole),
    "length": Argument("a whole number", "100", _whole),
    "max_steps": Argument("a whole number", "500", _whole),
    "most": Argument("a whole number", "100", _whole),
    "moves": Argument("a list of moves in words", "['e4', 'e5']", _words),
    "num_envs": Argument("a whole number", "8", _whole),
    "openings": Argument("a number of random plies, a path, or a gameplay.Openings", "4", _openings),
    "players": Argument("a list of players", "['minimax', 'random']", _several),
    "rounds": Argument("a whole number", "5", _whole),
    "run": Argument("the id or the title of a run, or 'last'", "'last'", _text),
    "seat": Argument("a whole number", "0", _whole),
    "seconds": Argument("a number of seconds over 0", "60", _number),
    "seed": Argument("a whole number", "1", _whole),
    "start": Argument("a position in the notation of the game", "''", _text),
    "store": Argument("True, for your own store, a path, or False", "True", _store),
    "table": Argument("a size in words", "'64MB'", _text),
    "tables": Argument("the path of a folder", "'tables'", _path),
    "title": Argument("a text", "'new against old'", _text),
    "watch": Argument("a function", "print", _watch),
}
