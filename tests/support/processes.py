"""Processes that a test has started."""

import os
import time
from collections.abc import Callable


def is_group_gone(group: int, kill: Callable[[int, int], None] = os.killpg) -> bool:
    """True once no process of the group remains, or with os.kill no such process; waits at most a minute."""
    for _ in range(6000):
        try:
            kill(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
