"""Go: small boards solved on one core, compared with published results, and games against GNU Go.

`python -m benchmarks go` does both, which takes hours; `go:only=boards` and `go:only=games` one of them:

    go:only=boards,boards=3x5+4x4     some boards; 5x5 is solved only on request
    go:boards=5x5,minutes=120         time limit of each board, 40 minutes by default; 5x5 takes about 70
    go:boards=5x5,keep=FOLDER         save unfinished searches (2 GB for 5x5), and resume them in the next run
    go:only=games,games=20,sims=5000  fewer games against each level of GNU Go, fewer simulations a move

A row of the boards shows whether the published margin of Black was proved within the time limit, the nodes
and the CPU time. The games are on 9x9 with komi 7.5 by Chinese rules, with alternating colours. The limit of
a move is a number of simulations, so results do not depend on the load of the machine.
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
from gameplay.errors import Usage, unknown_name
from gameplay.games.go.solver import GoSolver

PUBLISHED = "published for 5x5: 4,472 million nodes, 22 plies, about 4 h on a 2 GHz Pentium 4"
GNUGO = "--mode gtp --chinese-rules --positional-superko --capture-all-dead --level"
GAMES, SIMS = 100, 20_000  # games against each level of GNU Go, simulations a move
GOALS = {1: 0.90, 10: 0.50}  # score by level of GNU Go


@dataclass(frozen=True)
class Board:
    """A board, its published margin, and the parameters of its search."""

    rows: int
    columns: int
    margin: int
    superko: bool = False  # the margin depends on positional superko
    centre: bool = False  # Black's first move, in the centre, is made
    size: int = 22  # log2 of the table's entries, of 16 bytes each

    @property
    def name(self) -> str:
        """The name in the option `boards`."""
        return f"{self.rows}x{self.columns}"

    def stones(self) -> list[list[str]]:
        """The initial stones by row and column: "X" for Black, "" for empty."""
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
DEFAULT_BOARDS = "3x3+3x4+3x5+3x6+4x4+4x5"


def solve(board: Board, seconds: float, save_file: Path | None = None) -> tuple[bool | None, int, float]:
    """Search whether Black forces the margin: the result, None after `seconds`; total nodes and CPU seconds.

    save_file: an unfinished search is saved there; an existing file is loaded and its search resumed. Raises
    Usage if the file is of another board, OSError.
    """
    solver = GoSolver(board.columns, board.rows, board.size)
    solver.set_question(0, board.margin, board.superko)
    header, nodes, cpu_seconds = f"{board}\n".encode(), 0, 0.0
    if save_file and save_file.exists():
        with save_file.open("rb") as file:
            is_same_board, counters = file.readline() == header, file.readline().split()
            if not is_same_board or file.readinto(solver.table) < solver.table.nbytes:
                raise Usage(f"{save_file} is not a saved search of {board}")
        nodes, cpu_seconds = int(counters[0]), float(counters[1])
        solver.path_results = solver.line_too_long = True
    results: list[bool | None] = []

    def prove() -> None:
        results.append(solver.proves(board.stones(), int(board.centre), 0, board.margin, board.superko))

    start = time.process_time()
    thread = threading.Thread(target=prove)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        solver.stopped = True
        thread.join()
        nodes, cpu_seconds = nodes + solver.nodes, cpu_seconds + time.process_time() - start
        if save_file and results[0] is None:
            part = save_file.with_suffix(".part")
            with part.open("wb") as file:
                file.write(header + f"{nodes} {cpu_seconds:.0f}\n".encode())
                file.write(solver.table)
            part.replace(save_file)
    return results[0], nodes, cpu_seconds


def tables(
    only: str = "",
    boards: str = DEFAULT_BOARDS,
    minutes: str = "40",
    keep: str = "",
    games: str = str(GAMES),
    sims: str = str(SIMS),
    jobs: str = "",
) -> Iterator[Table]:
    """The boards, the games, or `only` one of them.

    boards: sizes joined by plus signs, each searched for at most `minutes`. keep: a folder for unfinished
    searches. games: against each level of GNU Go, with `sims` simulations a move, `jobs` games at a time.
    """
    if only not in ("", "boards", "games"):
        raise Usage(f"only must be boards or games, not '{only}'")
    if keep and not Path(keep).is_dir():
        raise Usage(f"keep must be an existing folder, not '{keep}'")
    if only != "games":
        yield _boards(boards, 60 * float(minutes), Path(keep) if keep else None)
    if only != "boards":
        yield _games(int(games), int(sims), int(jobs or os.cpu_count() or 1))


def _boards(boards: str, seconds: float, folder: Path | None) -> Table:
    by_name = {board.name: board for board in BOARDS}
    table = Table(title="Go: margins that Black forces on small boards, area scoring, one core")
    for heading in (
        "board",
        "margin",
        "first move",
        "superko",
        "proved",
        "nodes",
        "CPU s",
        "million nodes/s",
    ):
        left = heading in ("board", "first move", "superko", "proved")
        table.add_column(heading, justify="left" if left else "right")
    timing.pin()
    try:
        for name in boards.split("+"):
            if name not in by_name:
                raise Usage(unknown_name("board", name, by_name))
            progress.show(f"solving {name}, at most {seconds:.0f} s")
            board = by_name[name]
            result, nodes, cpu_seconds = solve(board, seconds, folder and folder / f"{name}.table")
            table.add_row(
                name,
                f"{board.margin:+d}",
                "centre" if board.centre else "any",
                "yes" if board.superko else "",
                "time limit" if result is None else "yes" if result else "no",
                f"{nodes:,}",
                f"{cpu_seconds:.1f}",
                f"{nodes / max(cpu_seconds, 1e-9) / 1e6:.2f}",
            )
    finally:
        timing.unpin()
    table.caption = PUBLISHED
    return table


def _games(games: int, sims: int, jobs: int) -> Table:
    table = Table(title=f"Go 9x9: mcts, {sims:,} simulations a move, against GNU Go, {games} games a level")
    for heading in ("level", "won", "drawn", "lost", "score", "faults", "its faults", "goal", ""):
        table.add_column(heading, justify="right")
    program = environment.find_program("gnugo")
    if program is None:
        environment.report_missing({"gnugo": "not installed"})
        return table
    for level, goal in GOALS.items():
        progress.show(f"games against level {level}")
        opponent = f"gtp:{shlex.quote(program)} {GNUGO} {level}"
        score, cells = strength.match("go", f"mcts:sims={sims}", opponent, jobs, games=games)
        del cells[4]  # Elo: all games start from the same opening, so its interval would be too narrow
        table.add_row(str(level), *cells, f"{100 * goal:.0f} %", timing.verdict(score >= goal))
    return table
