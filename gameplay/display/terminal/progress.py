"""A progress bar on standard error; nothing if that is not a terminal."""

import os
import sys
from typing import Any, Self

from gameplay.display.theme import BARS, GREYS, detect_theme
from gameplay.visible import one_line

WIDE = 72  # columns required for a bar and the remaining time


class Progress:
    """Shows a bar: `with Progress(100, 40) as progress: progress.advance("won 3")` begins at 40 of 100."""

    def __init__(self, total: int, done: int = 0, units: str = "games") -> None:
        self.total = total
        self.units = units
        self.done = done
        self.bar: Any = None
        self.narrow = False  # room for figures only

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM", "") not in ("dumb", ""):
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
            from rich.theme import Theme

            console = detect_theme(stdout=sys.stderr).console_on(sys.stderr)
            self.narrow = console.width < WIDE
            text = TextColumn("{task.completed:,} of {task.total:,} " + self.units + ", {task.description}")
            console.push_theme(Theme({"progress.remaining": "none"}))  # cyan, too pale on a light background
            bar = BarColumn(style=GREYS[1], complete_style=BARS[0], finished_style=BARS[0])
            columns = [text] if self.narrow else [bar, text, TimeRemainingColumn()]
            self.bar = Progress(*columns, console=console, transient=True)
            self.bar.start()
            self.task = self.bar.add_task("begun", total=self.total, completed=self.done)
        return self

    def advance(self, text: str) -> None:
        """Count one more unit."""
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=text)

    def show(self, done: int, text: str) -> None:
        """Set the number of completed units."""
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=text)

    def print_line(self, text: str) -> None:
        """Print a line above the bar, or on standard error without a bar."""
        if self.bar is not None:
            self.bar.console.print(text)
        else:
            print(one_line(text), file=sys.stderr, flush=True)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
