"""The game on a terminal: one picture, redrawn in place.

The panel is beside the board if there is room, else below it.
"""

import io
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gameplay.board import Board, Cell
from gameplay.capabilities import HasTerritory
from gameplay.display.board import drawing as boards
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.canvas import Canvas
from gameplay.display.terminal.keyboard import Keyboard
from gameplay.display.terminal.listener import MatchListener
from gameplay.display.terminal.pacing import Pacing, in_deal
from gameplay.display.terminal.watching import Watching
from gameplay.position import CHANCE
from gameplay.search.report import Report
from gameplay.visible import terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gameplay.capabilities import TerritoryEstimate
    from gameplay.display.text import Text
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Event
    from gameplay.matches.views import View
    from gameplay.players.analysis import Analysis
    from gameplay.players.player import MatchControl, Turn

REDRAW_INTERVAL = 0.09  # seconds between two pictures during a search
MIN_LINES_BELOW = 9  # lines for players, bar and search below a board
MIN_SIDE_WIDTH = 28  # characters of a panel beside the board
INPUT_LINES = 3  # kept free below the picture
PROMPT = "> "
TYPED_AHEAD = "typed ahead: on your turn Enter plays it"


class Screen(MatchListener):
    """Listens to a match and draws it. `viewer`: the seat of the only human; None if there is no single one.

    `picture` and `ansi` return the picture for any size and write nothing; the other methods show it on the
    terminal, in the lines below the cursor.
    """

    def __init__(self, theme: "Theme", viewer: int | None = None) -> None:
        super().__init__(theme, viewer)
        self.watching = False  # the user watches engines play
        self.accepts_commands = True  # the user can type commands: not in a replay
        self.task = ""  # the title of an exercise, above the board; "" in a game
        self.drawn = 0.0  # time of the last picture
        self.scale = 0  # of the last drawn board
        self.page = self.pages = 0  # of a message in place of the board, in the last picture
        self.tight = False  # the last picture left a line less than usual below it
        self.pacing = Pacing()
        self.analysis: Analysis | None = None  # None outside analysis mode
        self.news: Callable[[], bool] | None = None  # true if an event ends the pending question
        self.reset()
        self.canvas = Canvas(terminal(sys.stdout), self._size)
        self.keyboard = Keyboard(self.canvas.close, self.canvas.repaint)
        self.watch = Watching(self.keyboard)

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        self.notice = ""  # the message before the first move
        # The number of moves made, and the entered steps of the next one.
        self.entered_steps: tuple[int, list[tuple[str, str]]] = (0, [])
        self.estimate: tuple[list[str], TerritoryEstimate] | None = None  # moves made, and the estimate then
        self.territory = False  # draw the estimated territory
        self.forget()

    def forget(self) -> None:
        """Drop the searches of another match, position or engine."""
        self.report: Report | None = None  # the last search, by the player `mover`, after `at` moves
        self.progress: Report | None = None  # ... its progress, by the player `searcher`, visible to all
        self.searcher = 0
        self.mover = self.at = 0
        self.thinking = False  # a search is running
        self.last_searches: dict[int, tuple[Report, int]] = {}  # by seat: report and ply

    def continue_from(self, other: "Screen") -> None:
        """Show the match of another kind of screen, with its viewers and searches."""
        self.match = other.match
        self.viewer, self.holder, self.watching = other.viewer, other.holder, other.watching
        self.heading, self.flip, self.territory = other.heading, other.flip, other.territory
        self.report, self.mover, self.at = other.report, other.mover, other.at
        self.last_searches = other.last_searches

    # -- events --------------------------------------------------------------------------------

    def __call__(self, event: "Event") -> bool:
        """Handle an event of the match; true if Ctrl-C was pressed, to end the search."""
        if event.kind == "report":
            assert event.report is not None
            self.on_report(event.report)
            now = time.monotonic()
            if now - self.drawn >= REDRAW_INTERVAL:
                self.drawn, self.thinking = now, True
                self._show("" if self.watching else "Ctrl-C: move now")
            return self._left() or self.keyboard.poll_interrupt()
        if event.kind == "move":
            self.thinking = False
            self.on_move(event.turn)
            if self.watching:
                self._show()
                if not in_deal(self.match, event.turn):
                    self.watch.wait_after_move(self._wait)
                if not self._left() and self.keyboard.poll_interrupt():
                    raise KeyboardInterrupt
            else:
                self._pause(event.turn)
        elif event.kind in ("undo", "redo", "restart"):
            self.forget()
            if event.kind == "redo":
                self.on_move(event.turn)
        elif event.kind == "begin":
            self.notice = "\n".join((*panel.start_notices(self.match), *self.notices))
            if self.watching:
                self._show()
        return False

    def on_report(self, report: Report) -> None:
        """Store the mover's report; if it reveals hidden information, only its progress."""
        self.progress, self.searcher = report, self.match.position.turn
        if not panel.human_viewers(self.match):
            self._remember(report, self.match.position.turn, len(self.match.turns))

    def on_move(self, turn: "Turn | None") -> None:
        """Store the search of the move just made, if there was one."""
        report = turn.report if turn is not None else None
        if turn is not None:
            self.progress, self.searcher = report, turn.player
        if turn is None or report is None or panel.human_viewers(self.match):
            return
        if report.valued:
            self._remember(report, turn.player, len(self.match.turns) - 1)

    def _remember(self, report: Report, mover: int, at: int) -> None:
        self.report, self.mover, self.at = report, mover, at
        self.last_searches[mover] = (report, at)

    def _left(self) -> bool:
        """Leave the match if the user asked to; true if so."""
        if self.watch.leaving and not self.match.over():
            self.match.leave()
        return self.watch.leaving

    def show_search(self, number: int) -> None:
        """Show the search of move `number` (from 0) of the match, if an engine made it."""
        turn = self.match.turns[number] if number >= 0 else None
        self.report = turn.report if turn is not None else None
        self.mover, self.at = (turn.player if turn is not None else 0), number

    def update_analysis(self) -> None:
        """Take over the latest report of the analysis, if there is one."""
        if self.analysis is not None:
            self.report, self.thinking = self.analysis.report(), True
            self.mover, self.at = self.match.turn, len(self.match.turns)

    def _pause(self, turn: "Turn | None") -> None:
        """Show a move for a moment if other moves follow at once; a key ends the pause."""
        seconds = self.pacing.seconds(self.match, turn) if turn is not None else 0.0
        if seconds:
            self._show()
            self.keyboard.wait(seconds)

    def _wait(self, seconds: float) -> None:
        """Wait for a key, and draw what it changes."""
        self.keyboard.wait(seconds)
        if self.watch.listen():
            self._show()

    def show_message(self, message: str = "") -> None:
        """Show the picture with a message until the next one."""
        self._show(message)

    def poll_interrupt(self) -> bool:
        """True if Ctrl-C was pressed since the last call; polled during a search for an answer."""
        return self.keyboard.poll_interrupt()

    def _show(self, message: str = "") -> None:
        self.keyboard.acquire()
        if self.watching:
            self.watch.listen()
            self.paint(self.ansi(*self._size(), message=self.watch.line(self.thinking)).split("\n"))
            return
        lines = self.ansi(*self._size(), message=message).split("\n")
        ahead = self.keyboard.read_ahead()
        self.paint([*lines, PROMPT + ahead.text, TYPED_AHEAD] if ahead.text else lines)

    def paint(self, lines: Sequence[str], cursor: tuple[int, int] | None = None) -> None:
        """Replace the lines on the terminal; cursor: (row, column), None hides it."""
        with self.keyboard.defer_signals():
            self.canvas.paint(lines, cursor)

    def _size(self) -> tuple[int, int]:
        size = self.theme.console.size
        return size.width, size.height

    def close(self) -> None:
        """Erase the picture and release the keyboard."""
        self.thinking = False
        self.canvas.close()
        self.keyboard.release()

    def show_final(self) -> None:
        """Leave the last picture on the terminal, with the result."""
        if len(panel.human_viewers(self.match)) > 1:
            self.holder = None  # the final picture is for all players
        self.thinking = False
        self.paint(self.ansi(*self._size(), message=self.result_text()).split("\n"))
        self.canvas.leave_below()

    def result_text(self) -> str:
        """The result of the match and its summary."""
        return "\n".join([panel.describe_result(self.match, self.viewer), *panel.match_summary(self.match)])

    # -- pictures ------------------------------------------------------------------------------

    def ansi(self, width: int, height: int, **shown: Any) -> str:
        """The `picture` as text with escape sequences."""
        out = io.StringIO()
        console = self.theme.console_on(out, width)
        console._color_system = self.theme.console._color_system  # although `out` is not a terminal
        console.print(self.picture(width, height, **shown), end="")
        return out.getvalue().rstrip("\n")

    def view(self) -> "View | None":
        """The match as the viewers may see it; None if another viewer, with other information, is on turn."""
        viewers = panel.human_viewers(self.match)
        if len(viewers) < 2:
            return self.match.view(*viewers)
        on_turn = self.holder is not None and self.match.turn in (self.holder, CHANCE)
        return self.match.view(self.holder) if on_turn else None

    def board(self) -> Board | None:
        """The board as it is shown now; None if the game has no drawing model."""
        match = self.view()
        board = match.board() if match is not None else None
        if match is None or board is None:
            return None
        turn = match.turn
        if match.over() or not (turn >= 0 and match.players[turn].spec == "human"):
            board = structs.replace(board, moves={}, paths={})  # no move can be chosen
        board = self._with_search_marks(board, match)
        plies, steps = self.entered_steps
        if steps and plies == len(match.turns):
            cells = [(board.find(start), board.find(end)) for start, end in steps]
            board = board.after(
                [(start, end) for start, end in cells if start is not None and end is not None]
            )
        return boards.orient_board(board, self.flip, self.viewer)

    def _with_search_marks(self, board: Board, match: "MatchControl") -> Board:
        """The board with the ranks of the most visited moves, and with the estimated territory."""
        searching = self.report is not None and self.thinking and self.at == len(match.turns)
        if board.lattice() and searching and self.detail() == "full":
            assert self.report is not None
            cells = {move: cell for cell, moves in board.moves.items() for move in moves}
            seen = [cells[candidate.move] for candidate in self.report.visited if candidate.move in cells]
            board = structs.replace(board, ranks={cell: rank for rank, cell in enumerate(seen, 1)})
        if self.territory and isinstance(match.position, HasTerritory):
            moves = match.words()
            if self.estimate is None or self.estimate[0] != moves:
                position = match.replica()
                assert isinstance(position, HasTerritory)
                self.estimate = moves, match.call_game("territory()", position.territory)
            board = structs.replace(board, owned=self.estimate[1].owned)
        return board

    def picture(
        self,
        width: int,
        height: int,
        cursor: Cell | None = None,
        message: str = "",
        selected: Cell | None = None,
    ) -> "RenderableType":
        """The whole picture, for a terminal of this size.

        A message too long to fit beside the board replaces it, split into `self.pages` pages, of which
        `self.page` is drawn. A notice replaces the board if the window is too small for it.
        """
        from rich.console import Group
        from rich.table import Table

        from gameplay.display.text import Text

        match, theme = self.view(), self.theme
        room = height - INPUT_LINES
        self.pages, self.tight = 0, False
        if match is None:
            return Text(message)
        board = self.board()
        if board is None:
            shown = match.show()
            drawn = Text(shown, no_wrap=True, overflow="crop")
            wide, high = max(map(len, shown.splitlines()), default=0), len(shown.splitlines())
        else:
            scale = boards.largest(board, width - MIN_SIDE_WIDTH - 3, room - 1, theme)
            if not scale:  # no room beside it: leave some below
                scale = min(1, boards.largest(board, width, room - MIN_LINES_BELOW, theme))
            self.scale = scale
            drawn = boards.draw(board, theme, scale, cursor, selected)
            wide, high = boards.size(board, scale, theme)
        named = self.task or panel.title(match, self.heading) + ": analysis" * (self.analysis is not None)
        title = [Text(named, style="bold", no_wrap=True, overflow="crop")]
        if high >= room:
            title = []
        if high > room:
            self.tight, room = True, height - INPUT_LINES + 1
        if wide > width or high > room:
            drawn, high = self._too_small(width, height, wide, high)
            title, self.tight, room = [], False, height - INPUT_LINES
        space = room - high - len(title)
        beside = width - wide - 3
        talk = _wrap(message, min(beside, 60) if beside >= MIN_SIDE_WIDTH else width)
        if beside >= MIN_SIDE_WIDTH and wide <= width:
            if len(talk) > max(1, room - len(match.players) - 2) or breaks_layout(message, min(beside, 60)):
                return self._message_page(message, width, height)
            side = self._side(match, min(beside, 60), max(high, room) - len(title), message)
            table = Table.grid(padding=(0, 3, 0, 0))
            table.add_column(min_width=wide, no_wrap=True)
            table.add_row(drawn, side)
            return Group(*title, table)
        if len(talk) > max(1, min(3, space), space - 3):
            return self._message_page(message, width, height)
        return Group(*title, drawn, *self._below(match, width, space, message))

    def _too_small(self, width: int, height: int, wide: int, high: int) -> tuple["Text", int]:
        """The notice in a window too small for the board, and its number of lines."""
        from gameplay.display.text import Text

        commands = "show or moves" if self.accepts_commands and not self.watching else ""
        lines = _wrap(too_small_message(wide, high + INPUT_LINES - 1, width, height, commands), width)
        return Text("\n".join(lines)), len(lines)

    def _message_page(self, message: str, width: int, height: int) -> "RenderableType":
        """A page of a message that replaces the board."""
        from gameplay.display.text import Text

        lines = _wrap(message, width)
        step = max(1, height - INPUT_LINES - 1)
        self.pages = -(-len(lines) // step)
        self.page = min(self.page, self.pages - 1)
        shown = lines[self.page * step : (self.page + 1) * step]
        more = "Enter: more" if self.page + 1 < self.pages else "Enter: the board"
        where = f"page {self.page + 1} of {self.pages}; " if self.pages > 1 else ""
        return Text("\n".join([*shown, where + more]))

    def detail(self) -> str:
        """The detail in which the search is shown now: see `search_panel.detail_level`."""
        return search_panel.detail_level(
            self.match, self.theme.panel, self.match.over(), self.analysis is not None
        )

    def progress_line(self, match: "MatchControl", width: int) -> str:
        """The progress of the current or last search, if its value is not shown, else ""."""
        report = self.progress
        if self.detail() != "quiet" or report is None or not report.nodes:
            return ""
        name = panel.searcher_name(match, self.searcher, report)
        return search_panel.format_progress(report, name, self.thinking, width)

    def _shows_bar(self, match: "MatchControl") -> bool:
        """True if the evaluation bar is shown."""
        has_value = self.report is not None and self.report.bound != "unknown"
        return self.theme.show_bar and match.position.players == 2 and has_value

    def _side(self, match: "MatchControl", width: int, height: int, message: str) -> "RenderableType":
        from rich.console import Group

        from gameplay.display.text import Text

        seats = self.heading_text(match, width)
        parts: list[RenderableType] = [seats, Text("")]
        left = height - seats.plain.count("\n") - 2
        talk = _wrap(message, width)
        left -= len(talk) + (1 if talk else 0)
        if more := panel.board_facts(match, width, left - 5, self.scale):
            parts += [Text("\n".join(more)), Text("")]
            left -= len(more) + 1
        if (line := self.progress_line(match, width)) and left >= 2:
            parts += [Text(line), Text("")]
            left -= 2
        elif self.report is not None and self.detail() == "full" and left >= 3:
            if self._shows_bar(match):
                parts.append(panel.evaluation_bar(match, self.theme, self.report, self.mover, min(width, 44)))
                left -= 1
            facts = self.facts(match, self.report, self.at, width, left - 3)
            lines = facts.plain.count("\n") + 1
            others = self.other_searches(match, width)
            if left >= lines + 2 + len(others):
                facts = Text("\n".join([facts.plain, *others]))
                lines += len(others)
            if left >= lines + 2:
                parts.append(facts)
                left -= lines
            else:
                parts.append(Text(search_panel.describe_value(match, self.report, self.mover)))
                left -= 1
            parts.append(Text(""))
            left -= 1
        if match.turns and left >= 1:
            parts.append(panel.move_list(match, width, min(left, 6)))
        if talk:
            parts += [Text("")] if match.turns and left >= 1 else []
            parts.append(Text("\n".join(talk)))
        return Group(*parts)

    def heading_text(self, match: "MatchControl", width: int) -> "Text":
        """The players; in an analysis its heading."""
        if self.analysis is None:
            return panel.players_text(match, self.theme, self.viewer, width)
        return search_panel.analysis_heading(match, self.report, self.analysis.state(), width)

    def facts(self, match: "MatchControl", report: Report, at: int, width: int, rows: int) -> "Text":
        """The facts of the search; in an analysis its lines of play first, in at most `rows` rows."""
        if self.analysis is not None and not report.thresholds:
            return search_panel.analysis_lines(match, report, at, width, rows)
        return search_panel.search_facts(match, report, at, width)

    def other_searches(self, match: "MatchControl", width: int) -> list[str]:
        """For spectators: the last search of each player who is not searching now, a line each."""
        if not self.watching:
            return []
        searches = sorted(self.last_searches.items())
        others = [(seat, *search) for seat, search in searches if seat != self.mover]
        return [search_panel.last_search_line(match, report, at, seat, width) for seat, report, at in others]

    def _below(self, match: "MatchControl", width: int, room: int, message: str) -> "list[RenderableType]":
        from gameplay.display.text import Text

        parts: list[RenderableType] = []
        talk = _wrap(message, width)
        room -= len(talk)
        line = self.heading_text(match, width)
        lines = line.plain.count("\n") + 1
        if room >= lines:
            parts.append(line)
            room -= lines
        if (progress := self.progress_line(match, width)) and room >= 2:
            parts.append(Text(progress))
            room -= 1
        elif self.report is not None and self.detail() == "full" and room >= 2:
            trying = self.analysis is not None
            facts = self.facts(match, self.report, self.at, width, room - (room > 3))
            if self._shows_bar(match) and (not trying or room > facts.plain.count("\n") + 2):
                parts.append(panel.evaluation_bar(match, self.theme, self.report, self.mover, min(width, 44)))
                room -= 1
            if trying or (self.thinking and room >= 4):
                shown = facts.split("\n")[: room if trying else room - 1]
                parts.extend(shown)
                room -= len(shown)
            else:
                parts.append(Text(search_panel.describe_value(match, self.report, self.mover)))
                room -= 1
        for other in self.other_searches(match, width)[: max(0, room - 1)]:
            parts.append(Text(other))
            room -= 1
        if match.turns and room >= 1:
            parts.append(panel.move_list(match, width, min(room, 3)))
        if talk:
            parts.append(Text("\n".join(talk)))
        return parts


def too_small_message(wide: int, high: int, width: int, height: int, commands: str) -> str:
    """The notice for a window too small for the board: the size needed, and the commands to type instead."""
    needed = f"The board needs a window of {wide} columns and {high} rows; this one has {width} and {height}."
    return f"{needed} Enlarge it, or type {commands}." if commands else f"{needed} Enlarge it."


def breaks_layout(message: str, width: int) -> bool:
    """True if wrapping a message of several lines to `width` would break columns or split a word."""
    return "\n" in message and any(
        len(line) > width and ("  " in line.strip() or max(map(len, line.split()), default=0) > width)
        for line in message.splitlines()
    )


def _wrap(message: str, width: int) -> list[str]:
    import textwrap

    lines: list[str] = []
    for line in message.splitlines():
        lines += textwrap.wrap(line, width, subsequent_indent="  ") or [""]
    return lines
