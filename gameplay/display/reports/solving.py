"""A position being solved: its moves with exact values, best first."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.terminal.live_picture import LivePicture
from gameplay.display.terminal.panel import format_count
from gameplay.suites.solving import MoveSolved, rank_moves

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gameplay.players.player import MatchControl


def format_value(match: "MatchControl", value: int) -> str:
    """A value in full: `blue wins in 35 plies`, `draw`, `white +4 discs`."""
    position = match.position
    sides = [match.side(seat) for seat in range(2)]
    return scale.format_for_side(value, position, sides, position.turn, 0, exact=True)


def verdict(match: "MatchControl", rows: Sequence[MoveSolved]) -> str:
    """The value of the position, or a bound if not all moves are solved; empty if unknown."""
    values = [row.value for row in rows if row.value is not None]
    if not values:
        return ""
    if len(values) == len(rows):
        return format_value(match, max(values))
    return f"{format_value(match, max(values))} at least" if max(values) >= 0 else ""


def format_effort(rows: Sequence[MoveSolved]) -> str:
    """Positions and time that the solving took, and moves solved before."""
    nodes = sum(row.nodes for row in rows if not row.kept)
    seconds = sum(row.seconds for row in rows if not row.kept)
    kept = sum(row.kept for row in rows)
    parts = []
    if kept:
        parts.append(f"{kept} of {len(rows)} moves were solved before")
    if nodes:
        rate = f", {format_count(nodes / seconds)} a second" if seconds >= 0.1 else ""
        parts.append(f"{nodes:,} positions in {seconds:.1f} s{rate}")
    return "; ".join(parts)


def plain(match: "MatchControl", rows: Sequence[MoveSolved]) -> list[str]:
    """The moves as text, for pipes and screen readers."""
    lines = []
    for row in rank_moves(list(rows)):
        if row.value is None:
            lines.append(f"{row.word}: not solved")
        else:
            lines.append(f"{row.word}: {format_value(match, row.value)}; line {' '.join(row.line)}")
    return lines


def picture(match: "MatchControl", rows: Sequence[MoveSolved], width: int) -> "RenderableType":
    """The table of moves."""
    from rich.table import Table

    best_first = rank_moves(list(rows))
    values = [
        format_value(match, row.value) if row.value is not None else _format_progress(row)
        for row in best_first
    ]
    room = width - max(map(len, values)) - max(len(row.word) for row in rows) - 8
    lined = width >= MIN_WIDTH and room >= MIN_LINE_WIDTH
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("move", "value", *(["best line"] if lined else [])):
        shown.add_column(name, no_wrap=True)
    for row, value in zip(best_first, values, strict=True):
        shown.add_row(row.word, value, *([_cut_line(row.line, room)] if lined else []))
    return shown


def _format_progress(row: MoveSolved) -> str:
    return f"{format_count(row.nodes)} positions, {row.seconds:.0f} s" if row.nodes else "waiting"


def _cut_line(line: Sequence[str], room: int) -> str:
    """Truncate a line between words."""
    words = " ".join(line)
    return words if len(words) <= room else words[: room - 3].rpartition(" ")[0] + " ..."


MIN_WIDTH = 60  # columns of a terminal from which best lines are shown
MIN_LINE_WIDTH = 16  # columns of a best line
REPORT_INTERVAL = 10.0  # seconds between two progress lines without a terminal


class SolvingShown(LivePicture):
    """The table of moves, redrawn on a terminal while it grows.

    Elsewhere a progress line is printed on standard error every REPORT_INTERVAL seconds.
    """

    latest: float = 0.0  # when the last line was printed

    def show(self, rows: Sequence[MoveSolved]) -> None:
        """Show the state while a move is being solved."""
        if self.live is not None:
            self.draw(picture(self.match, rows, self.theme.console.width))
            return
        now = time.monotonic()
        self.latest = self.latest or now
        if now - self.latest >= REPORT_INTERVAL:
            self.latest = now
            print(progress(rows), file=sys.stderr, flush=True)

    def done(self, row: MoveSolved) -> None:
        """Print a solved move, if there is no terminal."""
        if self.live is None and not self.quiet:
            print(plain(self.match, [row])[0], flush=True)

    def finish(self, rows: Sequence[MoveSolved]) -> None:
        """Show the final state: without a terminal also the moves solved before."""
        if self.live is not None:
            self.show(rows)
            return
        for row in rows:
            if row.kept:
                self.done(row)


def progress(rows: Sequence[MoveSolved]) -> str:
    """The progress line: solved moves, and the effort on the current one."""
    solved = sum(row.value is not None for row in rows)
    current = next(
        (f"; {row.word}: {_format_progress(row)}" for row in rows if row.value is None and row.nodes), ""
    )
    keeps = "; Ctrl-C keeps them" if solved else ""
    return f"{solved} of {len(rows)} moves solved{current}{keeps}"
