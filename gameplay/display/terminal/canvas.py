"""Lines at the bottom of a terminal, rewritten in their place: only what changes is written, nothing is
cleared first, and each picture goes out in one piece.

The terminal is asked to show each picture at once (synchronized output, private mode 2026). Terminals that do
not know the mode ignore it, as ECMA-48 has it; some very old ones are not sent it.
"""

import os
import re
from collections.abc import Callable, Sequence
from typing import TextIO

from gameplay.visible import one_line, visible

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # synchronized output
NO_WRAP, WRAP = "\x1b[?7l", "\x1b[?7h"
CLEAR_LINE, CLEAR_DOWN, PLAIN = "\x1b[K", "\x1b[J", "\x1b[0m"
CLEAR, CLEAR_SCROLLED = "\x1b[H\x1b[2J", "\x1b[3J"  # the screen; what was scrolled out of it
PASTE, NO_PASTE = "\x1b[?2004h", "\x1b[?2004l"  # what is pasted comes in brackets
NO_SYNC = re.compile(r"(linux|ansi|cygwin|eterm|vt\d)")  # terminals that have no synchronized output

STYLE = re.compile(r"\x1b\[([\d;]*)m")
GAP = 6  # so few unchanged cells are written again: going past them costs as much

BOLD, DIM, REVERSED = "1", "2", "7"

StyledCell = tuple[str, str]  # a cell's style, as escape sequences, and its character; "" behind a wide one


class Canvas:
    """Shows lines in place. `size`: columns and rows of the terminal, asked at each picture."""

    def __init__(self, out: TextIO, size: Callable[[], tuple[int, int]], term: str | None = None) -> None:
        self.out = out
        self.size = size
        simple = NO_SYNC.match(os.environ.get("TERM", "") if term is None else term)
        self.frame = ("", "") if simple else (BEGIN, END)
        self.rows: list[list[StyledCell]] = []  # what the terminal shows; none: nothing of ours
        self.row = 0  # the cursor's, from the first of ours
        self.within = (0, 0)  # the size of the terminal when they were written
        self.cursor: tuple[int, int] | None = None
        self.hidden = False
        self.lines: list[str] = []  # the picture that they came from
        self.last: tuple[list[str], tuple[int, int] | None] = [], None  # the picture painted last

    def paint(self, lines: Sequence[str], cursor: tuple[int, int] | None = None) -> None:
        """Show these lines, as many as the terminal has rows, and the cursor at (row, column) or nowhere.

        Lines may hold colours (SGR); other escape sequences are shown as text. Each is cut at the right edge.
        Text from outside must be made visible before it is put into a line: its colours would be obeyed.
        """
        columns, height = size = self.size()
        lines = list(lines[:height])
        out: list[str] = []
        if self.rows and size != self.within:  # the terminal has rewrapped its lines: layout unknown
            out.append(CLEAR)
            self.forget()
        fresh = not self.rows
        if fresh:
            out.append("\r")
        elif self.lines == lines and cursor == self.cursor:
            return
        style = ""
        for y, line in enumerate(lines):
            if y < len(self.lines) and self.lines[y] == line:
                continue
            new = parse_cells(line, columns)
            new_row = y >= len(self.rows)
            old = [] if new_row else self.rows[y]
            if new_row:
                out.append((PLAIN if style else "") + self._down(y))
                style = ""
                self.rows.append(new)
            elif old == new:
                continue
            for first, last in _spans(old, new):
                out.append(self._to(y, first))
                for one, sign in new[first:last]:
                    if one != style:
                        out.append((PLAIN if style else "") + one)
                        style = one
                    out.append(sign)
            if new_row or len(new) < len(old):
                out.append((PLAIN if style else "") + self._to(y, len(new)))
                style = ""
                if len(new) < columns:
                    out.append(CLEAR_LINE)
            self.rows[y] = new
        out.append(PLAIN if style else "")
        if len(lines) < len(self.rows):
            out.append(self._to(len(lines), 0) + CLEAR_DOWN)
            del self.rows[len(lines) :]
        self.lines, self.within = lines, size
        drawn = "".join(out)
        if drawn:
            drawn = NO_WRAP + drawn + WRAP
        self.cursor = cursor
        self.last = lines, cursor
        self._write(drawn + (self._to(*cursor) if cursor is not None else ""), cursor is not None)

    def again(self) -> None:
        """Show the picture again after `close` or foreign output."""
        lines, cursor = self.last
        self.forget()
        self.paint(lines, cursor)

    def close(self) -> None:
        """Take the picture away: the cursor is where the picture began."""
        if self.rows:
            self._write(self._to(0, 0) + CLEAR_DOWN, True)
        else:
            self._write("", True)
        self.forget()

    def keep(self) -> None:
        """Leave the picture where it is: the cursor is below it."""
        if self.rows:
            self._write(self._to(len(self.rows) - 1, 0) + "\r\n", True)
        self.forget()

    def wipe(self) -> None:
        """Clear the screen and the scrollback, which may contain information hidden from other players."""
        self.forget()
        self._write(CLEAR + CLEAR_SCROLLED, not self.hidden)

    def redraw(self) -> None:
        """Clear the screen and show the picture again at its top."""
        lines, cursor = self.last
        self.forget()
        self._write(CLEAR, not self.hidden)
        self.paint(lines, cursor)

    def forget(self) -> None:
        """The terminal no longer shows what was painted; the next picture is painted whole."""
        self.rows, self.lines, self.row, self.cursor = [], [], 0, None

    def send(self, text: str) -> None:
        """Write what moves nothing on the terminal: modes."""
        self.out.write(text)
        self.out.flush()

    def _down(self, y: int) -> str:
        """To the beginning of a row that is not ours yet."""
        if y == 0:
            self.row = 0
            return "\r"
        steps = self._to(y - 1, 0)
        self.row = y
        return steps + "\r\n"

    def _to(self, y: int, x: int) -> str:
        rows, self.row = y - self.row, y
        steps = f"\x1b[{rows}B" if rows > 0 else f"\x1b[{-rows}A" if rows else ""
        return steps + (f"\x1b[{x + 1}G" if x else "\r")

    def _write(self, text: str, cursor: bool) -> None:
        """Write a picture in one piece, the cursor hidden meanwhile."""
        if text or cursor == self.hidden:
            hide = "" if self.hidden else HIDE if text else ""
            show = SHOW if cursor else "" if self.hidden or text else HIDE
            self.hidden = not cursor
            self.out.write(self.frame[0] + hide + text + show + self.frame[1])
            self.out.flush()


def styled(text: str, style: str) -> str:
    """A text in a style, such as BOLD."""
    return f"\x1b[{style}m{visible(text)}{PLAIN}"


def parse_cells(line: str, columns: int) -> list[StyledCell]:
    """The cells of a line, at most so many; without the blanks at its end."""
    from rich.cells import get_character_cell_size as width_of

    row: list[StyledCell] = []
    style, at = "", 0
    for sequence in [*STYLE.finditer(line), None]:
        text = one_line(line[at : sequence.start() if sequence else len(line)])
        for sign in text:
            wide = 1 if " " <= sign <= "~" else width_of(sign)
            if wide == 0 and row:
                row[-1] = (row[-1][0], row[-1][1] + sign)
            elif wide > 0 and len(row) + wide <= columns:
                row.append((style, sign))
                row += [(style, "")] * (wide - 1)
        if sequence:
            at = sequence.end()
            style = "" if sequence[1] in ("", "0") else style + sequence[0]
    while row and row[-1] == ("", " "):
        row.pop()
    return row


def _spans(old: list[StyledCell], new: list[StyledCell]) -> list[tuple[int, int]]:
    """Where a row must be written again: (first, one behind the last)."""
    spans: list[tuple[int, int]] = []
    for x, one in enumerate(new):
        if x < len(old) and old[x] == one:
            continue
        first = x - 1 if not one[1] and x else x  # never the second half of a wide character alone
        if spans and first - spans[-1][1] <= GAP:
            spans[-1] = (spans[-1][0], x + 1)
        else:
            spans.append((first, x + 1))
    return [(first, _whole(new, last)) for first, last in spans]


def _whole(row: list[StyledCell], last: int) -> int:
    while last < len(row) and not row[last][1]:
        last += 1
    return last
