"""Progress on standard error: the current activity of a section, when it starts and then every 10 seconds."""

import sys
import threading
import time

INTERVAL = 10.0  # seconds between two lines


class Progress:
    """Prints the section and its current activity; a context manager around the run of a section."""

    def __init__(self) -> None:
        self.section = ""
        self.activity = ""
        self.started = 0.0
        self._done = threading.Event()

    def begin(self, section: str) -> "Progress":
        """Set the section that runs next."""
        self.section, self.activity = section, ""
        return self

    def __enter__(self) -> "Progress":
        self.started = time.monotonic()
        self._done = threading.Event()
        threading.Thread(target=self._repeat, args=(self._done,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()

    def show(self, activity: str) -> None:
        """Print a new activity; it is printed again every INTERVAL until the next one."""
        self.activity = activity
        self._print()

    def count(self, done: int, total: int, noun: str) -> None:
        """Set the activity to the progress of a loop; it is first printed with the next repeated line."""
        self.activity = f"{done:,} of {total:,} {noun}"

    def _print(self) -> None:
        elapsed = f", {time.monotonic() - self.started:.0f} s" if self.started else ""
        print(f"{self.section}: {self.activity or 'running'}{elapsed}", file=sys.stderr, flush=True)

    def _repeat(self, done: threading.Event) -> None:
        while not done.wait(INTERVAL):
            self._print()


progress = Progress()
