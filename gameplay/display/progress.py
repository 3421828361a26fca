"""A bar on standard error while a series runs; nothing where that is no terminal."""

import os
import sys
from typing import Any, Self

from gameplay.display.theme import BARS, decide
from gameplay.visible import one_line


class Progress:
    """`with Progress(100, 40) as progress: progress.advance("won 3")`. 40 of the 100 are done already."""

    def __init__(self, total: int, done: int = 0) -> None:
        self.total = total
        self.done = done
        self.bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM", "") not in ("dumb", ""):
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                BarColumn(complete_style=BARS[0], finished_style=BARS[0]),
                TextColumn("{task.completed} of {task.total} games, {task.description}"),
                TimeRemainingColumn(),
                console=decide(stdout=sys.stderr).console_on(sys.stderr),
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task("begun", total=self.total, completed=self.done)
        return self

    def advance(self, text: str) -> None:
        """One more is done."""
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=text)

    def say(self, text: str) -> None:
        """A line above the bar, or on standard error where there is none."""
        if self.bar is not None:
            self.bar.console.print(text)
        else:
            print(one_line(text), file=sys.stderr, flush=True)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
