"""Processes that a test has started."""

import os
import time


def gone(group: int) -> bool:
    """True once no process of the group is left; it waits a minute for that."""
    for _ in range(6000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
