"""Keeps somebody else's code from ending, copying, replacing or killing the process that plays its game.

    os._exit(0)   would end it with no word and status 0, the terminal as it was left in the middle of a game
    os.fork()     would have two processes play on, of which only one hears of Ctrl-C and SIGTERM
    os.exec*()    would put another program in its place

Such a call raises Forbidden instead, in the line of the game that makes it, so that it is told as whatever
else a game may raise. Calls by anybody else are as ever, and so is a game that starts and ends processes of
its own (`subprocess`). Code that ends the process without Python is beyond this: the shell tells of it.
"""

import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

WOULD = {
    "_exit": "end",
    "abort": "end",
    "fork": "copy",  # `multiprocessing` forks too, unless told to spawn
    "forkpty": "copy",
    "execv": "replace",  # what all of exec* come to
    "execve": "replace",
    "kill": "kill",
    "killpg": "kill",
    "raise_signal": "kill",
}

_strangers: set[str] = set()  # first words of the names of modules that are not ours


class Forbidden(RuntimeError):
    """What a game may not do to the process that plays it."""


def fence(module: str) -> None:
    """From now on code of this module, of its submodules, and whatever that calls, is kept from it."""
    if not _strangers:
        for place in (os, sys.modules[os.name], signal, sys.modules["_signal"]):
            for name in WOULD.keys() & vars(place).keys():
                setattr(place, name, _guarded(name, getattr(place, name)))
    _strangers.add(module.partition(".")[0])


def blames(error: BaseException) -> bool:
    """True if it was raised in code that `fence` was told of."""
    trace = error.__traceback__
    while trace is not None:
        if _strange(trace.tb_frame):
            return True
        trace = trace.tb_next
    return False


def _guarded(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded(*arguments: Any, **named: Any) -> Any:
        if _ours(name, arguments) and _inside(sys._getframe(1)):
            raise Forbidden(f"{name}() would {WOULD[name]} the process that plays the game")
        return call(*arguments, **named)

    return guarded


def _ours(name: str, arguments: tuple[Any, ...]) -> bool:
    """True if the call is about this process, not about another one."""
    if name not in ("kill", "killpg") or len(arguments) < 2:
        return True
    whom, number = arguments
    group = os.getpgrp() if hasattr(os, "getpgrp") else 0
    own = (0, group) if name == "killpg" else (0, -1, os.getpid(), -group)
    return bool(number) and whom in own


def _inside(frame: FrameType | None) -> bool:
    while frame is not None:
        if _strange(frame):
            return True
        frame = frame.f_back
    return False


def _strange(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in _strangers
