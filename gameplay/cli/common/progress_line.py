"""A progress line on standard error, on a terminal only."""

import shutil
import sys
import time
from contextlib import AbstractContextManager

from gameplay.visible import one_line, terminal

INTERVAL = 0.1  # seconds between two lines


class ProgressLine(AbstractContextManager["ProgressLine"]):
    """Replaces its line, at most every INTERVAL; silent without a terminal or if not `wanted`."""

    def __init__(self, wanted: bool = True) -> None:
        self.shown = wanted and sys.stderr.isatty()
        self.at = 0.0

    def __call__(self, words: str) -> None:
        now = time.monotonic()
        if self.shown and now >= self.at + INTERVAL:
            self.at = now
            words = one_line(words)[: shutil.get_terminal_size().columns - 1]
            terminal(sys.stderr).write(f"\r{words}\033[K")
            sys.stderr.flush()

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """Clear the line."""
        if self.at:
            terminal(sys.stderr).write("\r\033[K")
            sys.stderr.flush()
