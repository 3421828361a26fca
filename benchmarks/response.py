"""Response time: from the user's move to their next turn, each game at its default level on one core.

`play GAME --plain` runs in this process; a simulated user types random legal moves. A wait starts when a line
has been read and ends at the next prompt or the end of the game; the time until the first prompt of a game
counts, too. Pauses of `pace` are not included: plain mode has none.

    response:game=hearts+bridge,turns=100,seed=7    the games, the number of turns of each, and the seed
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

GOAL = 1.5  # seconds of the longest wait
TURNS = 60
EXCLUDED = ("tree",)  # requires a file
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


class SimulatedUser(io.TextIOBase):
    """Standard input of a user who types `random` and, after the end of a game, `again`."""

    def __init__(self, output: io.StringIO, turns: int) -> None:
        self.output = output
        self.turns = turns
        self.waits: list[tuple[float, int]] = []  # seconds, number of the turn in its game
        self.made = 0  # turns of the current game
        self.start = time.perf_counter()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line; "", the end of the input, after `turns` turns."""
        self.waits.append((time.perf_counter() - self.start, self.made + 1))
        is_over = "\nresult: " in self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        self.made = 0 if is_over else self.made + 1
        self.start = time.perf_counter()
        if len(self.waits) >= self.turns:
            return ""
        return "again\n" if is_over else "random\n"


def measure_waits(arguments: str, turns: int, seed: int) -> list[tuple[float, int]]:
    """The wait of each turn in seconds, and the number of the turn in its game.

    arguments: of `play`. Raises ValueError if the command ends before `turns` turns.
    """
    output, errors = io.StringIO(), io.StringIO()
    user = SimulatedUser(output, turns)
    command = ["play", *arguments.split(), "--plain", "--seed", str(seed)]
    with (
        tempfile.TemporaryDirectory() as home,
        mock.patch.dict(os.environ, GAMEPLAY_HOME=home),
        mock.patch.object(sys, "stdin", user),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        run(router, "gameplay", command)
    if len(user.waits) < turns:
        raise ValueError(f"{' '.join(command)} ended after {len(user.waits)} turns: {errors.getvalue()}")
    return user.waits


def tables(game: str = "", turns: str = str(TURNS), seed: str = "1") -> Iterator[Table]:
    """One table, the slowest game first. game: games joined by plus signs."""
    names = [name for name in registry.game_names() if name not in EXCLUDED]
    games = game.split("+") if game else sorted([*names, *VARIANTS])
    timing.pin()
    rows = []
    for number, arguments in enumerate(games):
        progress.count(number, len(games), "games")
        waits = measure_waits(arguments, int(turns), int(seed))
        longest, turn = max(waits)
        rows.append((longest, arguments, statistics.median(seconds for seconds, _ in waits), turn))
    timing.unpin()
    table = Table(title=f"Response time: seconds from a move to the next turn, {turns} turns, one core")
    for heading in ("game", "median", "longest", "at turn", "goal", ""):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for longest, arguments, median, turn in sorted(rows, reverse=True):
        verdict = timing.verdict(longest < GOAL)
        table.add_row(arguments, f"{median:.2f}", f"{longest:.2f}", str(turn), f"< {GOAL}", verdict)
    yield table
