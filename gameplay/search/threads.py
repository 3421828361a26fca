"""Threads, if they can be started: not in a browser, nor beyond a limit of the system.

`GAMEPLAY_THREADS=off` in the environment starts none. Searches then run on the caller's thread, without
helpers, and call `watch` themselves (`Control.callback`).
"""

import os
from collections.abc import Callable
from threading import Thread


def start(work: Callable[[], object], name: str) -> Thread | None:
    """Start a thread that ends with the process; None if none can be started."""
    if os.environ.get("GAMEPLAY_THREADS") == "off":
        return None
    thread = Thread(target=work, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # can't start new thread
        return None
    return thread


def available(wanted: int) -> int:
    """The number of threads for a search that requests `wanted`: 1 if none can be started."""
    return wanted if wanted > 1 and start(lambda: None, "probe") is not None else 1
