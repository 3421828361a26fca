"""Prevents user code from exiting, forking, replacing or killing the process that runs it.

    os._exit(0)   would exit with status 0 without a message, and not restore the terminal
    os.fork()     would leave two processes, only one of which receives Ctrl-C and SIGTERM
    os.exec*()    would replace the program

Such a call raises Forbidden instead, which is reported like any other exception of a game or an engine. Calls
by other code and child processes of user code (`subprocess`) are unaffected. Exits outside of Python are not
caught: the shell reports them.

Engines are also denied the terminal while a game is on the screen or JSON is written.
"""

import builtins
import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from gameplay.errors import exception_text

FORBIDDEN_CALLS = {
    "_exit": "end",
    "abort": "end",
    "fork": "copy",  # `multiprocessing` forks too, unless set to spawn
    "forkpty": "copy",
    "execv": "replace",  # all of exec* call it
    "execve": "replace",
    "kill": "kill",
    "killpg": "kill",
    "raise_signal": "kill",
}

STREAMS = ("gameplay.usercode.output", "gameplay.visible")  # write on behalf of the caller

_fenced: set[str] = set()  # top-level names of user modules
_silenced: set[str] = set()  # those that may not use the terminal


class Forbidden(RuntimeError):
    """Raised by a call that user code may not make."""


def fence(module: str) -> None:
    """Fence this module and its submodules, with everything that they call, from now on."""
    if not _fenced:
        for place in (os, sys.modules[os.name], signal, sys.modules["_signal"]):
            for name in FORBIDDEN_CALLS.keys() & vars(place).keys():
                setattr(place, name, _guard(name, getattr(place, name)))
    _fenced.add(_root(module))


def silence(module: str) -> None:
    """From now on this module, and everything that it calls, can neither print nor read input."""
    if not _silenced:
        builtins.print = _guard_print(builtins.print)
        builtins.input = _guard_input(builtins.input)
    _silenced.add(_root(module))


def is_running() -> bool:
    """True while fenced code, or code that it called, runs on this thread."""
    return _inside(sys._getframe())


def is_fenced(module: str) -> bool:
    """True for the name of a fenced module or one of its submodules."""
    return _root(module) in _fenced


def called_by_user_code() -> bool:
    """True if fenced code called the caller, with no code of the package in between."""
    frame: FrameType | None = sys._getframe(2) if _fenced else None
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if _root(name) in _fenced:
            return True
        if _root(name) == "gameplay" and name not in STREAMS:
            return False
        frame = frame.f_back
    return False


def is_user_error(error: BaseException) -> bool:
    """True if the exception was raised in fenced code."""
    return bool(failing_module(error))


def failing_module(error: BaseException) -> str:
    """The top-level name of the fenced module that raised the exception; or ""."""
    name = ""
    trace = error.__traceback__
    while trace is not None:
        if _is_in(trace.tb_frame):
            name = _root(str(trace.tb_frame.f_globals.get("__name__", "")))
        trace = trace.tb_next
    return name


def _guard(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded(*arguments: Any, **named: Any) -> Any:
        if _targets_this_process(name, arguments) and _inside(sys._getframe()):
            raise Forbidden(f"{name}() would {FORBIDDEN_CALLS[name]} the process that plays the game")
        return call(*arguments, **named)

    return guarded


def describe(error: BaseException) -> str:
    """The exception and its place in fenced code: `KeyError: 3 (mine.py, line 12)`."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        if _is_in(trace.tb_frame):
            place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return exception_text(error) + place


def _guard_print(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded_print(*words: Any, file: Any = None, **named: Any) -> None:
        if file in (None, sys.stdout, sys.__stdout__) and _inside(sys._getframe(), _silenced):
            raise Forbidden("print() would corrupt the screen: print to sys.stderr or to a file")
        call(*words, file=file, **named)

    return guarded_print


def _guard_input(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded_input(*prompt: Any) -> Any:
        if _inside(sys._getframe(), _silenced):
            raise Forbidden("input() would consume the players' input")
        return call(*prompt)

    return guarded_input


def _targets_this_process(name: str, arguments: tuple[Any, ...]) -> bool:
    """True if the call affects this process, not another one."""
    if name not in ("kill", "killpg") or len(arguments) < 2:
        return True
    whom, number = arguments
    group = os.getpgrp() if hasattr(os, "getpgrp") else 0
    own = (0, group) if name == "killpg" else (0, -1, os.getpid(), -group)
    return bool(number) and whom in own


def _inside(frame: FrameType | None, modules: set[str] = _fenced) -> bool:
    while frame is not None:
        if _is_in(frame, modules):
            return True
        frame = frame.f_back
    return False


def _is_in(frame: FrameType, modules: set[str] = _fenced) -> bool:
    return _root(str(frame.f_globals.get("__name__", ""))) in modules


def _root(module: str) -> str:
    return module.partition(".")[0]
