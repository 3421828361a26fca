"""A position being solved: its moves with exact values, best first."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.terminal.panel import count
from gameplay.display.terminal.redrawn import Redrawn
from gameplay.suites.solving import MoveSolved, ranked

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gameplay.players.player import MatchControl


def value_text(match: "MatchControl", value: int) -> str:
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
        return value_text(match, max(values))
    return f"{value_text(match, max(values))} at least" if max(values) >= 0 else ""


def effort(rows: Sequence[MoveSolved]) -> str:
    """What it took."""
    nodes = sum(row.nodes for row in rows if not row.kept)
    seconds = sum(row.seconds for row in rows if not row.kept)
    kept = sum(row.kept for row in rows)
    parts = []
    if kept:
        parts.append(f"{kept} of {len(rows)} moves were solved before")
    if nodes:
        rate = f", {count(nodes / seconds)} a second" if seconds >= 0.1 else ""
        parts.append(f"{nodes:,} positions in {seconds:.1f} s{rate}")
    return "; ".join(parts)


def plain(match: "MatchControl", rows: Sequence[MoveSolved]) -> list[str]:
    """In lines of text, for pipes and screen readers."""
    lines = []
    for row in ranked(list(rows)):
        if row.value is None:
            lines.append(f"{row.word}: not solved")
        else:
            lines.append(f"{row.word}: {value_text(match, row.value)}; line {' '.join(row.line)}")
    return lines


def picture(match: "MatchControl", rows: Sequence[MoveSolved], width: int) -> "RenderableType":
    """The table of moves."""
    from rich.table import Table

    best_first = ranked(list(rows))
    values = [
        value_text(match, row.value) if row.value is not None else _meanwhile(row) for row in best_first
    ]
    room = width - max(map(len, values)) - max(len(row.word) for row in rows) - 8
    lined = width >= WIDE and room >= NARROW
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("move", "value", *(["best line"] if lined else [])):
        shown.add_column(name, no_wrap=True)
    for row, value in zip(best_first, values, strict=True):
        shown.add_row(row.word, value, *([_cut(row.line, room)] if lined else []))
    return shown


def _meanwhile(row: MoveSolved) -> str:
    return f"{count(row.nodes)} positions, {row.seconds:.0f} s" if row.nodes else "waiting"


def _cut(line: Sequence[str], room: int) -> str:
    """As many words of a line as there is room for."""
    words = " ".join(line)
    return words if len(words) <= room else words[: room - 3].rpartition(" ")[0] + " ..."


WIDE = 60  # columns of a screen from which lines are shown beside
NARROW = 16  # the least room for a line
REPORTED = 10.0  # seconds between two lines on what is being solved, where nothing is redrawn


class SolvingShown(Redrawn):
    """The table on the screen: redrawn while it grows on a terminal.

    Elsewhere standard error has a line on the move that is being solved every `REPORTED` seconds.
    """

    latest: float = 0.0  # when the last line was printed

    def show(self, rows: Sequence[MoveSolved]) -> None:
        """Show the state while a move is being solved."""
        if self.live is not None:
            self.draw(picture(self.match, rows, self.theme.console.width))
            return
        now = time.monotonic()
        self.latest = self.latest or now
        if now - self.latest >= REPORTED:
            self.latest = now
            print(progress(rows), file=sys.stderr, flush=True)

    def done(self, row: MoveSolved) -> None:
        """A move that was solved, for those without a terminal."""
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
    """How many moves are solved, and the effort on the one that is being solved, in a line."""
    solved = sum(row.value is not None for row in rows)
    current = next(
        (f"; {row.word}: {_meanwhile(row)}" for row in rows if row.value is None and row.nodes), ""
    )
    keeps = "; Ctrl-C keeps them" if solved else ""
    return f"{solved} of {len(rows)} moves solved{current}{keeps}"
