"""Response time: from a person's move to the next turn, each game at its default level on one core.

`play GAME --plain` is run in this process, with random legal moves typed as a person would. A wait begins
when a line has been read and ends when the next one is asked for, or when the game is over; the first one
of a game, until the first turn, counts too. The pauses of `pace` are left out: plain mode has none.

    response:game=hearts+bridge,turns=100,seed=7    these games, so many turns of each, other moves and dice
"""

import contextlib
import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from unittest import mock

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.cli import router, run

GOAL = 1.5  # seconds of the slowest wait
TURNS = 60
LEFT_OUT = ("tree",)  # it needs a file
VARIANTS = (
    "backgammon:cube=on",
    "bridge --match",
    "chinese-checkers:players=6",
    "go:size=19",
    "hearts:players=3",
    "holdem:players=6",
    "monopoly:players=4",
)
SMALLEST = ({"game": "nim+kuhn", "turns": "3"},)


class Typist(io.TextIOBase):
    """Standard input at which a person types `random` and, when a game is over, `again`."""

    def __init__(self, output: io.StringIO, turns: int) -> None:
        self.output = output
        self.turns = turns
        self.waits: list[tuple[float, str]] = []  # seconds, and the position in the game
        self.made = 0  # turns of the current game
        self.since = time.perf_counter()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line; "", the end of the input, after so many turns."""
        self.waits.append((time.perf_counter() - self.since, f"turn {self.made + 1}"))
        over = "\nresult: " in self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        self.made = 0 if over else self.made + 1
        self.since = time.perf_counter()
        if len(self.waits) >= self.turns:
            return ""
        return "again\n" if over else "random\n"


def waits(words: str, turns: int, seed: int) -> list[tuple[float, str]]:
    """The waits of so many turns, in seconds, each with its place in the game. Raises ValueError."""
    output, errors = io.StringIO(), io.StringIO()
    typist = Typist(output, turns)
    command = ["play", *words.split(), "--plain", "--seed", str(seed)]
    with (
        tempfile.TemporaryDirectory() as home,
        mock.patch.dict(os.environ, GAMEPLAY_HOME=home),
        mock.patch.object(sys, "stdin", typist),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        run(router, "gameplay", command)
    if len(typist.waits) < turns:
        raise ValueError(f"{' '.join(command)} ended after {len(typist.waits)} turns: {errors.getvalue()}")
    return typist.waits


def tables(game: str = "", turns: str = str(TURNS), seed: str = "1") -> Iterator[Table]:
    """One table, the slowest game first."""
    names = [name for name in registry.game_names() if name not in LEFT_OUT]
    games = game.split("+") if game else sorted([*names, *VARIANTS])
    timing.pin()
    rows = []
    for number, words in enumerate(games):
        progress.count(number, len(games), "games")
        measured = waits(words, int(turns), int(seed))
        slowest, where = max(measured)
        rows.append((slowest, words, statistics.median(wait for wait, _ in measured), where))
    timing.unpin()
    table = Table(title=f"Seconds from a person's move to their next turn, {turns} turns a game, one core")
    for heading in ("game", "median", "slowest", "at", "goal", ""):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for slowest, words, median, where in sorted(rows, reverse=True):
        verdict = timing.verdict(slowest < GOAL)
        table.add_row(words, f"{median:.2f}", f"{slowest:.2f}", where, f"< {GOAL}", verdict)
    yield table
