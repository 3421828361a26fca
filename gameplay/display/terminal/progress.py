"""A bar on standard error while a series runs; nothing where that is no terminal."""

import os
import sys
from typing import Any, Self

from gameplay.display.theme import BARS, GREYS, detect_theme
from gameplay.visible import one_line

WIDE = 72  # columns of a terminal that has room for a bar and the remaining time


class Progress:
    """`with Progress(100, 40) as progress: progress.advance("won 3")`. 40 of the 100 are done already."""

    def __init__(self, total: int, done: int = 0, units: str = "games") -> None:
        self.total = total
        self.units = units
        self.done = done
        self.bar: Any = None
        self.narrow = False  # the line has room for figures only

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
        """One more is done."""
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=text)

    def show(self, done: int, text: str) -> None:
        """So many are done."""
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=text)

    def say(self, text: str) -> None:
        """A line above the bar, or on standard error where there is none."""
        if self.bar is not None:
            self.bar.console.print(text)
        else:
            print(one_line(text), file=sys.stderr, flush=True)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
