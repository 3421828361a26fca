"""Small boards of Go solved on one core, beside what was published.

`python -m benchmarks go` takes some minutes; `go:boards=3x5+4x4` some boards, `go:minutes=60` gives each more
time than the usual 40 minutes. Each row is what Black can force, by searches two plies deeper each time: the
plies of the last one, the positions that all of them visited, and their CPU time.
"""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.table import Table

from benchmarks import timing
from gameplay.errors import Usage
from gameplay.games._go_solver import GoSolver

PUBLISHED = "published, 5x5: 4,472 million nodes, 22 plies, about 4 h on a Pentium 4 of 2 GHz"
DEEPEST = 60


@dataclass(frozen=True)
class Board:
    """A board, the published margin, and how it is searched."""

    rows: int
    columns: int
    margin: int
    superko: bool = False  # it hangs on a rule of repetition
    centre: bool = False  # Black's first move is made
    size: int = 24  # of the table: 2**size entries of 8 bytes

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
    Board(5, 5, 25, centre=True, size=27),
)


def solve(board: Board, seconds: float) -> tuple[int | None, int, int, float]:
    """The plies that prove the margin, None in that time; those searched, the nodes, CPU seconds."""
    solver = GoSolver(board.columns, board.rows, board.size)
    stones, turn = board.stones(), int(board.centre)
    found: list[int] = []
    searched = [0]

    def deepen() -> None:
        for depth in range(1 + turn, DEEPEST, 2):
            answer = solver.proves(stones, turn, 0, board.margin, depth, board.superko)
            if answer is None:
                return
            searched[0] = depth
            if answer:
                found.append(depth)
                return

    began = time.process_time()
    thread = threading.Thread(target=deepen)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        solver.stopped = True
        thread.join()
    return found[0] if found else None, searched[0], solver.nodes, time.process_time() - began


def tables(boards: str = "+".join(board.name for board in BOARDS), minutes: str = "40") -> Iterator[Table]:
    """One table, a row for each board."""
    known = {board.name: board for board in BOARDS}
    table = Table(title="boards of Go solved on one core: what Black forces, by area")
    for heading in ("board", "margin", "first", "superko", "plies", "nodes", "CPU s", "million/s"):
        table.add_column(heading, justify="left" if heading in ("board", "first", "superko") else "right")
    timing.pin()
    try:
        for name in boards.split("+"):
            if name not in known:
                raise Usage(f"there is no board {name} (there are: {', '.join(known)})")
            board = known[name]
            plies, searched, nodes, seconds = solve(board, 60 * float(minutes))
            told = f"{plies}" if plies else f"more than {searched}"
            row = [name, f"{board.margin:+d}"]
            row += ["centre" if board.centre else "any", "yes" if board.superko else ""]
            rate = nodes / max(seconds, 1e-9) / 1e6
            table.add_row(*row, told, f"{nodes:,}", f"{seconds:.1f}", f"{rate:.2f}")
    finally:
        timing.unpin()
    table.caption = PUBLISHED
    yield table
