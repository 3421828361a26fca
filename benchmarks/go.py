"""Go: small boards solved on one core, compared with published results, and games against GNU Go.

`python -m benchmarks go` prints both; `go:only=boards` and `go:only=games` one of them. The games take hours:

    go:only=boards,boards=3x5+4x4     some boards; 5x5, which takes long, only where it is asked for
    go:boards=5x5,minutes=120         more time for each than the usual 40 minutes; 5x5 takes some 70
    go:boards=5x5,keep=FOLDER         goes on where it was stopped before; a file of 2 GB for 5x5
    go:only=games,games=20,sims=5000  fewer games against each level, fewer simulations a move

A row of the boards is what Black can force: whether that was proved in the time, the positions visited for
it, and their CPU time. The games are on 9x9 with komi 7.5 by Chinese rules, either side Black in turn.
Simulations are counted, not seconds: a busy machine changes no game.
"""

import os
import shlex
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from benchmarks import environment, strength, timing
from benchmarks.progress import progress
from gameplay.errors import Usage
from gameplay.games.go.solver import GoSolver

PUBLISHED = "published, 5x5: 4,472 million nodes, 22 plies, about 4 h on a Pentium 4 of 2 GHz"
GNUGO = "--mode gtp --chinese-rules --positional-superko --capture-all-dead --level"
GAMES, SIMS = 100, 20_000  # against GNU Go, and simulations of a move
GOALS = {1: 0.90, 10: 0.50}  # our score, by its level


@dataclass(frozen=True)
class Board:
    """A board, the published margin, and how it is searched."""

    rows: int
    columns: int
    margin: int
    superko: bool = False  # it hangs on a rule of repetition
    centre: bool = False  # Black's first move is made
    size: int = 22  # of the table: 2**size entries of 16 bytes

    @property
    def name(self) -> str:
        """As it is asked for."""
        return f"{self.rows}x{self.columns}"

    def stones(self) -> list[list[str]]:
        """What stands on it, row by row."""
        rows = [[""] * self.columns for _ in range(self.rows)]
        if self.centre:
            rows[self.rows // 2][self.columns // 2] = "X"
        return rows


# Margins: Drange and others 1998; van der Werf and others 2003; van der Werf and Winands 2009.
BOARDS = (
    Board(3, 3, 9),
    Board(3, 4, 4),
    Board(3, 5, 15),
    Board(3, 6, 18),
    Board(4, 4, 2, superko=True),
    Board(4, 5, 20),
    Board(5, 5, 25, centre=True, size=27),
)
SMALLEST = ({"boards": "3x3", "games": "2", "sims": "10"},)
USUAL = "3x3+3x4+3x5+3x6+4x4+4x5"


def solve(board: Board, seconds: float, keep: Path | None = None) -> tuple[bool | None, int, float]:
    """Whether Black forces the margin, None if that is not known in the time; the nodes, CPU seconds.

    With `keep`, a file, it goes on from the table, the nodes and the seconds of the time before. Raises
    Usage for a file that is not of this board, OSError.
    """
    solver = GoSolver(board.columns, board.rows, board.size)
    solver.set_question(0, board.margin, board.superko)
    head, nodes, spent = f"{board}\n".encode(), 0, 0.0
    if keep and keep.exists():
        with keep.open("rb") as file:
            same, told = file.readline() == head, file.readline().split()
            if not same or file.readinto(solver.table) < solver.table.nbytes:
                raise Usage(f"{keep} is not of {board}")
        nodes, spent, solver.path_results, solver.line_too_long = int(told[0]), float(told[1]), True, True
    found: list[bool | None] = []

    def ask() -> None:
        found.append(solver.proves(board.stones(), int(board.centre), 0, board.margin, board.superko))

    began = time.process_time()
    thread = threading.Thread(target=ask)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        solver.stopped = True
        thread.join()
        nodes, spent = nodes + solver.nodes, spent + time.process_time() - began
        if keep and found[0] is None:
            part = keep.with_suffix(".part")
            with part.open("wb") as file:
                file.write(head + f"{nodes} {spent:.0f}\n".encode())
                file.write(solver.table)
            part.replace(keep)
    return found[0], nodes, spent


def tables(
    only: str = "",
    boards: str = USUAL,
    minutes: str = "40",
    keep: str = "",
    games: str = str(GAMES),
    sims: str = str(SIMS),
    jobs: str = "",
) -> Iterator[Table]:
    """The boards and the games; `only` names one of them."""
    if only not in ("", "boards", "games"):
        raise Usage(f"only is boards or games, not {only}")
    if keep and not Path(keep).is_dir():
        raise Usage(f"there is no folder {keep} to keep tables in")
    if only != "games":
        yield _boards(boards, 60 * float(minutes), Path(keep) if keep else None)
    if only != "boards":
        yield _games(int(games), int(sims), int(jobs or os.cpu_count() or 1))


def _boards(boards: str, seconds: float, keep: Path | None) -> Table:
    known = {board.name: board for board in BOARDS}
    table = Table(title="boards of Go solved on one core: what Black forces, by area")
    for heading in ("board", "margin", "first", "superko", "proved", "nodes", "CPU s", "million/s"):
        table.add_column(
            heading, justify="left" if heading in ("board", "first", "superko", "proved") else "right"
        )
    timing.pin()
    try:
        for name in boards.split("+"):
            if name not in known:
                raise Usage(f"there is no board {name} (there are: {', '.join(known)})")
            progress.say(f"solving {name}, at most {seconds:.0f} s")
            board = known[name]
            answer, nodes, took = solve(board, seconds, keep and keep / f"{name}.table")
            told = "not in the time" if answer is None else "yes" if answer else "no"
            row = [name, f"{board.margin:+d}"]
            row += ["centre" if board.centre else "any", "yes" if board.superko else ""]
            table.add_row(*row, told, f"{nodes:,}", f"{took:.1f}", f"{nodes / max(took, 1e-9) / 1e6:.2f}")
    finally:
        timing.unpin()
    table.caption = PUBLISHED
    return table


def _games(games: int, sims: int, jobs: int) -> Table:
    table = Table(title=f"mcts at {sims:,} simulations a move, {games} games each, against GNU Go")
    for heading in ("level", "won", "drawn", "lost", "score", "our faults", "theirs", "goal", ""):
        table.add_column(heading, justify="right")
    program = environment.program("gnugo")
    if program is None:
        table.caption = "gnugo is left out: it is not installed"
        return table
    for level, goal in GOALS.items():
        progress.say(f"games against level {level}")
        theirs = f"gtp:{shlex.quote(program)} {GNUGO} {level}"
        score, cells = strength.match("go", f"mcts:sims={sims}", theirs, jobs, games=games)
        del cells[4]  # Elo, which games from one opening do not tell
        table.add_row(str(level), *cells, f"{100 * goal:.0f} %", timing.verdict(score >= goal))
    return table
