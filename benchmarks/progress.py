"""Progress on standard error: what a section does now, at once and then every 10 seconds."""

import sys
import threading
import time

EVERY = 10.0  # seconds between two lines


class Progress:
    """Prints the section and its activity; a context manager around the run of a section."""

    def __init__(self) -> None:
        self.section = ""
        self.activity = ""
        self.begun = 0.0
        self._ended = threading.Event()

    def begin(self, section: str) -> "Progress":
        """Name the section that runs now."""
        self.section, self.activity = section, ""
        return self

    def __enter__(self) -> "Progress":
        self.begun = time.monotonic()
        self._ended = threading.Event()
        threading.Thread(target=self._repeat, args=(self._ended,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()

    def say(self, activity: str) -> None:
        """Print what is done now, and repeat it while it goes on."""
        self.activity = activity
        self._print()

    def count(self, done: int, total: int, noun: str) -> None:
        """Note how far a loop is; the next repeated line has it."""
        self.activity = f"{done:,} of {total:,} {noun}"

    def _print(self) -> None:
        took = f", {time.monotonic() - self.begun:.0f} s" if self.begun else ""
        print(f"{self.section}: {self.activity or 'running'}{took}", file=sys.stderr, flush=True)

    def _repeat(self, ended: threading.Event) -> None:
        while not ended.wait(EVERY):
            self._print()


progress = Progress()
