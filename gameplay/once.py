"""Values that are computed once per process, even if several threads request them at the same time."""

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


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
