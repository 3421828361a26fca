"""Keeps user code from ending, copying, replacing or killing the process that runs it.

    os._exit(0)   would end it without a message, with status 0, and leave the terminal as in mid-game
    os.fork()     would leave two processes playing, only one of which receives Ctrl-C and SIGTERM
    os.exec*()    would replace the program

Such a call raises Forbidden in the calling line instead, and is reported like any other exception of a game
or an engine. Calls by other code are unaffected, and so is code that starts and ends its own processes
(`subprocess`). Code that ends the process without Python is not caught: the shell reports it.

Engines are also kept from the terminal while a game is on the screen or JSON is written.
"""

import builtins
import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from gameplay.errors import brief

WOULD = {
    "_exit": "end",
    "abort": "end",
    "fork": "copy",  # `multiprocessing` forks too, unless set to spawn
    "forkpty": "copy",
    "execv": "replace",  # what all of exec* come to
    "execve": "replace",
    "kill": "kill",
    "killpg": "kill",
    "raise_signal": "kill",
}

STREAMS = ("gameplay.usercode.output", "gameplay.visible")  # write on behalf of the caller

_strangers: set[str] = set()  # first words of the names of modules that are not ours
_silent: set[str] = set()  # ... those of them that are to leave the terminal alone


class Forbidden(RuntimeError):
    """What code from outside may not do to the process that runs it."""


def fence(module: str) -> None:
    """From now on code of this module, of its submodules, and whatever that calls, is kept from it."""
    if not _strangers:
        for place in (os, sys.modules[os.name], signal, sys.modules["_signal"]):
            for name in WOULD.keys() & vars(place).keys():
                setattr(place, name, _guarded(name, getattr(place, name)))
    _strangers.add(_root(module))


def silence(module: str) -> None:
    """From now on code of this module, and whatever that calls, can neither print nor ask for input."""
    if not _silent:
        builtins.print = _muted(builtins.print)
        builtins.input = _deaf(builtins.input)
    _silent.add(_root(module))


def inside() -> bool:
    """True while fenced code runs on this thread, whatever it calls."""
    return _inside(sys._getframe())


def is_fenced(module: str) -> bool:
    """True for the name of a module that is fenced, and of its submodules."""
    return _root(module) in _strangers


def foreign() -> bool:
    """True if the caller was called by fenced code, with no code of the package in between."""
    frame: FrameType | None = sys._getframe(2) if _strangers else None
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if _root(name) in _strangers:
            return True
        if _root(name) == "gameplay" and name not in STREAMS:
            return False
        frame = frame.f_back
    return False


def blames(error: BaseException) -> bool:
    """True if it was raised in fenced code."""
    return bool(culprit(error))


def culprit(error: BaseException) -> str:
    """The fenced module that raised it, as the first part of its name; or ""."""
    name = ""
    trace = error.__traceback__
    while trace is not None:
        if _strange(trace.tb_frame):
            name = _root(str(trace.tb_frame.f_globals.get("__name__", "")))
        trace = trace.tb_next
    return name


def _guarded(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded(*arguments: Any, **named: Any) -> Any:
        if _ours(name, arguments) and _inside(sys._getframe()):
            raise Forbidden(f"{name}() would {WOULD[name]} the process that plays the game")
        return call(*arguments, **named)

    return guarded


def describe(error: BaseException) -> str:
    """The exception and its place in fenced code: `KeyError: 3 (mine.py, line 12)`."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        if _strange(trace.tb_frame):
            place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return brief(text.removesuffix(":"), 500) + place


def _muted(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def muted(*words: Any, file: Any = None, **named: Any) -> None:
        if file in (None, sys.stdout, sys.__stdout__) and _inside(sys._getframe(), _silent):
            raise Forbidden("print() would spoil the screen of the game: print to sys.stderr or to a file")
        call(*words, file=file, **named)

    return muted


def _deaf(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def deaf(*prompt: Any) -> Any:
        if _inside(sys._getframe(), _silent):
            raise Forbidden("input() would take what the players type")
        return call(*prompt)

    return deaf


def _ours(name: str, arguments: tuple[Any, ...]) -> bool:
    """True if the call is about this process, not about another one."""
    if name not in ("kill", "killpg") or len(arguments) < 2:
        return True
    whom, number = arguments
    group = os.getpgrp() if hasattr(os, "getpgrp") else 0
    own = (0, group) if name == "killpg" else (0, -1, os.getpid(), -group)
    return bool(number) and whom in own


def _inside(frame: FrameType | None, modules: set[str] = _strangers) -> bool:
    while frame is not None:
        if _strange(frame, modules):
            return True
        frame = frame.f_back
    return False


def _strange(frame: FrameType, modules: set[str] = _strangers) -> bool:
    return _root(str(frame.f_globals.get("__name__", ""))) in modules


def _root(module: str) -> str:
    return module.partition(".")[0]
