"""Values that are computed once per process, folder or content of a file, by whichever thread comes first."""

import functools
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_pinned = threading.Event()  # set by pin_files()


def once(function: Function) -> Function:
    """`functools.cache` under a lock: no two threads compute the same value, so that all get the same object.

    Loading a module twice would make two classes of one game.
    """
    lock, kept = threading.RLock(), functools.cache(function)

    @functools.wraps(function)
    def locked(*arguments: Any, **keywords: Any) -> Any:
        with lock:
            return kept(*arguments, **keywords)

    locked.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
    return locked  # type: ignore[return-value]


def once_per_folder(function: Function) -> Function:
    """`once` for a function of text with relative paths: they are other files in another current folder."""

    @once
    def in_folder(folder: str, *arguments: Any) -> Any:
        return function(*arguments)

    @functools.wraps(function)
    def placed(*arguments: Any) -> Any:
        try:
            folder = os.getcwd()
        except OSError:  # it was removed
            folder = ""
        return in_folder(folder, *arguments)

    placed.cache_clear = in_folder.cache_clear  # type: ignore[attr-defined]
    return placed  # type: ignore[return-value]


def pin_files() -> None:
    """Keep files as they were first read in this process: a run plays all games with the same weights."""
    _pinned.set()


def once_per_file(function: Function) -> Function:
    """`once` for a function whose first argument is a file's path: a file that has changed is read again.

    After `pin_files` it is not.
    """
    lock = threading.RLock()
    kept: dict[Any, tuple[Any, Any]] = {}

    @functools.wraps(function)
    def locked(path: Path, *arguments: Any) -> Any:
        key = (os.path.abspath(path), *arguments)  # the same relative path is another file in another folder
        try:
            facts = os.stat(path)
        except (OSError, ValueError):
            return function(path, *arguments)  # it reports the reason
        state = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
        with lock:
            if key not in kept or (kept[key][0] != state and not _pinned.is_set()):
                kept[key] = (state, function(path, *arguments))
            return kept[key][1]

    locked.cache_clear = kept.clear  # type: ignore[attr-defined]
    return locked  # type: ignore[return-value]
