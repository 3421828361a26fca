"""Lines at the bottom of a terminal, updated in place: only changes are written, nothing is cleared first,
and each picture is sent in one write.

Pictures use synchronized output (private mode 2026). Terminals without the mode ignore it (ECMA-48); it is
not sent to some very old ones.
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
CLEAR, CLEAR_SCROLLBACK = "\x1b[H\x1b[2J", "\x1b[3J"  # the screen; the scrollback
PASTE, NO_PASTE = "\x1b[?2004h", "\x1b[?2004l"  # bracketed paste
NO_SYNC = re.compile(r"(linux|ansi|cygwin|eterm|vt\d)")  # terminals without synchronized output

STYLE = re.compile(r"\x1b\[([\d;]*)m")
MAX_REWRITTEN_GAP = 6  # unchanged cells; rewriting so few costs no more than skipping them

BOLD, DIM, REVERSED = "1", "2", "7"

StyledCell = tuple[str, str]  # a cell's style, as escape sequences, and its character; "" after a wide one


class Canvas:
    """Shows lines in place. size: returns the columns and rows of the terminal, called for each picture."""

    def __init__(self, out: TextIO, size: Callable[[], tuple[int, int]], term: str | None = None) -> None:
        self.out = out
        self.size = size
        simple = NO_SYNC.match(os.environ.get("TERM", "") if term is None else term)
        self.sync_marks = ("", "") if simple else (BEGIN, END)
        self.rows: list[list[StyledCell]] = []  # what the terminal shows; empty: no picture
        self.row = 0  # the cursor's row, from our first
        self.painted_size = (0, 0)  # terminal size at the last picture
        self.cursor: tuple[int, int] | None = None
        self.hidden = False
        self.lines: list[str] = []  # the lines of `rows`
        # Lines and cursor of the last picture.
        self.last_picture: tuple[list[str], tuple[int, int] | None] = ([], None)

    def paint(self, lines: Sequence[str], cursor: tuple[int, int] | None = None) -> None:
        """Show these lines, as many as the terminal has rows, and the cursor at (row, column) or nowhere.

        Lines may hold colours (SGR); other escape sequences are shown as text. Each is cut at the right edge.
        External text must be escaped (`visible`) before it is put into a line, else its colours take effect.
        """
        columns, height = size = self.size()
        lines = list(lines[:height])
        out: list[str] = []
        if self.rows and size != self.painted_size:  # the terminal has rewrapped its lines: layout unknown
            out.append(CLEAR)
            self.forget()
        first_picture = not self.rows
        if first_picture:
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
                out.append((PLAIN if style else "") + self._move_down(y))
                style = ""
                self.rows.append(new)
            elif old == new:
                continue
            for first, last in _spans(old, new):
                out.append(self._move_to(y, first))
                for glyph, sign in new[first:last]:
                    if glyph != style:
                        out.append((PLAIN if style else "") + glyph)
                        style = glyph
                    out.append(sign)
            if new_row or len(new) < len(old):
                out.append((PLAIN if style else "") + self._move_to(y, len(new)))
                style = ""
                if len(new) < columns:
                    out.append(CLEAR_LINE)
            self.rows[y] = new
        out.append(PLAIN if style else "")
        if len(lines) < len(self.rows):
            out.append(self._move_to(len(lines), 0) + CLEAR_DOWN)
            del self.rows[len(lines) :]
        self.lines, self.painted_size = lines, size
        drawn = "".join(out)
        if drawn:
            drawn = NO_WRAP + drawn + WRAP
        self.cursor = cursor
        self.last_picture = lines, cursor
        self._write(drawn + (self._move_to(*cursor) if cursor is not None else ""), cursor is not None)

    def repaint(self) -> None:
        """Show the picture again after `close` or foreign output."""
        lines, cursor = self.last_picture
        self.forget()
        self.paint(lines, cursor)

    def close(self) -> None:
        """Remove the picture; the cursor is where it began."""
        if self.rows:
            self._write(self._move_to(0, 0) + CLEAR_DOWN, True)
        else:
            self._write("", True)
        self.forget()

    def leave_below(self) -> None:
        """Leave the picture on the terminal, the cursor below it."""
        if self.rows:
            self._write(self._move_to(len(self.rows) - 1, 0) + "\r\n", True)
        self.forget()

    def clear_scrollback(self) -> None:
        """Clear the screen and the scrollback, which may contain information hidden from other players."""
        self.forget()
        self._write(CLEAR + CLEAR_SCROLLBACK, not self.hidden)

    def redraw(self) -> None:
        """Clear the screen and show the picture again at its top."""
        lines, cursor = self.last_picture
        self.forget()
        self._write(CLEAR, not self.hidden)
        self.paint(lines, cursor)

    def forget(self) -> None:
        """Forget what the terminal shows: the next picture is painted in full."""
        self.rows, self.lines, self.row, self.cursor = [], [], 0, None

    def send(self, text: str) -> None:
        """Write escape sequences that change no cell: modes."""
        self.out.write(text)
        self.out.flush()

    def _move_down(self, y: int) -> str:
        """Move to the start of a row below the picture."""
        if y == 0:
            self.row = 0
            return "\r"
        steps = self._move_to(y - 1, 0)
        self.row = y
        return steps + "\r\n"

    def _move_to(self, y: int, x: int) -> str:
        rows, self.row = y - self.row, y
        steps = f"\x1b[{rows}B" if rows > 0 else f"\x1b[{-rows}A" if rows else ""
        return steps + (f"\x1b[{x + 1}G" if x else "\r")

    def _write(self, text: str, cursor: bool) -> None:
        """Write a picture at once, with the cursor hidden."""
        if text or cursor == self.hidden:
            hide = "" if self.hidden else HIDE if text else ""
            show = SHOW if cursor else "" if self.hidden or text else HIDE
            self.hidden = not cursor
            self.out.write(self.sync_marks[0] + hide + text + show + self.sync_marks[1])
            self.out.flush()


def apply_style(text: str, style: str) -> str:
    """A text in a style, such as BOLD."""
    return f"\x1b[{style}m{visible(text)}{PLAIN}"


def parse_cells(line: str, columns: int) -> list[StyledCell]:
    """The cells of a line, at most `columns`, without trailing blanks."""
    from rich.cells import get_character_cell_size as width_of

    row: list[StyledCell] = []
    style, at = "", 0
    for sequence in [*STYLE.finditer(line), None]:
        text = one_line(line[at : sequence.start() if sequence else len(line)])
        for sign in text:
            width = 1 if " " <= sign <= "~" else width_of(sign)
            if width == 0 and row:
                row[-1] = (row[-1][0], row[-1][1] + sign)
            elif width > 0 and len(row) + width <= columns:
                row.append((style, sign))
                row += [(style, "")] * (width - 1)
        if sequence:
            at = sequence.end()
            style = "" if sequence[1] in ("", "0") else style + sequence[0]
    while row and row[-1] == ("", " "):
        row.pop()
    return row


def _spans(old: list[StyledCell], new: list[StyledCell]) -> list[tuple[int, int]]:
    """The spans of a row to rewrite: (first, one after the last)."""
    spans: list[tuple[int, int]] = []
    for x, glyph in enumerate(new):
        if x < len(old) and old[x] == glyph:
            continue
        first = x - 1 if not glyph[1] and x else x  # a wide character as a whole
        if spans and first - spans[-1][1] <= MAX_REWRITTEN_GAP:
            spans[-1] = (spans[-1][0], x + 1)
        else:
            spans.append((first, x + 1))
    return [(first, _character_end(new, last)) for first, last in spans]


def _character_end(row: list[StyledCell], last: int) -> int:
    while last < len(row) and not row[last][1]:
        last += 1
    return last
