"""The game on the whole screen: board, panel, list of moves, input line and mouse.

A single thread draws, reads input and runs the match. On a human's turn the event loop runs until the answer;
during an engine's search it runs briefly at each report, twenty times a second, and between two moves of
engines for as long as a move is shown. contents.py draws the panes, layout.py arranges them, keys.py and
mouse.py handle input, state.py holds the shared state.
"""

import asyncio
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import create_output

from gameplay.display.fullscreen.contents import Contents
from gameplay.display.fullscreen.keys import Keys
from gameplay.display.fullscreen.layout import layout
from gameplay.display.fullscreen.mouse import Mouse
from gameplay.display.fullscreen.panes import color_depth
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.terminal import editing, panel
from gameplay.display.terminal.line_input import LineInput, PieceSelection
from gameplay.display.terminal.pacing import in_deal
from gameplay.display.terminal.prompt import (
    TypeAheadGuard,
    handover_message,
    leave_warning,
    progress_message,
    start_clock,
)
from gameplay.display.terminal.prompt_loop import TICK
from gameplay.display.terminal.screen import MIN_SIDE_WIDTH, REDRAW_INTERVAL, breaks_layout
from gameplay.errors import Terminated
from gameplay.visible import terminal, visible

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from gameplay.display.theme import Theme
    from gameplay.matches.match import Event
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import ClockView, MatchControl, Turn
    from gameplay.search.report import Report

MOMENT = 0.005  # seconds of the event loop at each report of a search
MAX_MESSAGE_LINES = 6  # of a message beside the board; longer ones are shown as a page


class FullScreen(FullScreenState):
    """A full screen: it listens to a match, and the input of the human players."""

    def __init__(
        self, theme: "Theme", viewer: int | None = None, input: Any = None, output: Any = None
    ) -> None:
        """`input` and `output` are prompt-toolkit's; None: the terminal's."""
        super().__init__(theme, viewer)
        self.streams = {"input": input, "output": output or create_output(terminal(sys.stdout))}
        self.loop: Any = None
        self.running: Any = None  # the application's task
        self.signals: dict[int, Any] = {}  # their handlers before
        self.turns = TypeAheadGuard()
        self.confirm = False  # a move is played at the second Enter
        self.history: Any = None
        self.keys = Keys(self)
        self.contents = Contents(self, self.keys)
        self.mouse = Mouse(self, self.contents)

    # -- opening and closing -------------------------------------------------------------------

    def open(self) -> None:
        """Enter full screen, if not active."""
        if self.app is not None:
            return
        self.history = self.history or InMemoryHistory()
        self.buffer = editing.empty_line(self.history, self._fitting)
        self.buffer.on_text_changed += lambda _: self.keys.typed()
        self.loop = asyncio.new_event_loop()
        self.failure = None
        self.app = Application(
            layout=Layout(layout(self, self.contents, self.mouse), focused_element=self.buffer),
            key_bindings=self.keys.bindings(),
            full_screen=True,
            mouse_support=True,
            color_depth=color_depth(self.theme),
            include_default_pygments_style=False,
            min_redraw_interval=0.03,
            **self.streams,
        )
        self.app.ttimeoutlen = 0.1  # Esc alone
        self.running = self.loop.create_task(
            self.app.run_async(set_exception_handler=False, handle_sigint=False)
        )
        self.loop.set_exception_handler(lambda loop, context: self.on_error(context.get("exception")))
        for number, error in ((signal.SIGINT, KeyboardInterrupt()), (signal.SIGTERM, Terminated(143))):
            self.signals[number] = signal.getsignal(number)
            with suppress(NotImplementedError):  # on Windows they raise in the running code
                self.loop.add_signal_handler(number, self.on_error, error)
        self.pump(MOMENT)

    def close(self) -> None:
        """Restore the terminal."""
        if self.app is None:
            return
        app, self.app = self.app, None
        if app.is_running and not app.is_done:
            app.exit()
        else:
            self.running.cancel()
        try:
            self.loop.run_until_complete(asyncio.wait((self.running,), timeout=1.0))
            if self.running.done() and not self.running.cancelled():
                self.running.exception()  # already reported, or the terminal is gone
        finally:
            self.loop.close()
            for number, handler in self.signals.items():
                signal.signal(number, handler)

    def show_final(self) -> None:
        """Leave full screen and print the result."""
        self.close()
        ending = f"{panel.title(self.match, self.heading)}: {panel.describe_result(self.match, self.viewer)}"
        self.theme.console.print(ending, soft_wrap=True)

    def pump(self, seconds: float) -> None:
        """Run the event loop for `seconds`. Raises its errors."""
        self._until(asyncio.sleep(seconds))

    def _until(self, something: "Awaitable[object]") -> None:
        """Run the event loop until `something` is done or the application has ended."""
        waiting = asyncio.ensure_future(something, loop=self.loop)
        both = asyncio.wait((waiting, self.running), return_when=asyncio.FIRST_COMPLETED)
        self.loop.run_until_complete(both)
        if self.failure is not None:
            error, self.failure = self.failure, None
            raise error
        if self.running.done():
            raise KeyboardInterrupt  # the terminal is gone

    def _refresh(self) -> None:
        self.open()
        self.app.invalidate()
        self.pump(MOMENT)

    # -- a match's listener ----------------------------------------------------------------------

    def __call__(self, event: "Event") -> bool:
        """Handle an event of the match; true to end the search."""
        if event.kind == "report" and event.report is not None:
            return self._reported(event.report)
        if event.kind == "move":
            self.browsing.scrolled = 0
            self.on_move(event.turn)
        elif event.kind in ("undo", "redo", "restart"):
            self.forget()
            self.browsing.viewed_ply = None
            if event.kind == "redo":
                self.on_move(event.turn)
        if event.kind in ("begin", "move", "end"):
            self._refresh()
        if event.kind in ("begin", "move") and self.watching:
            if not in_deal(self.match, event.turn):
                self._show_move()
        elif event.kind == "move":
            self._pause(event.turn)
        if event.kind == "end" and self.watching and self.match.payoffs is not None:
            self._wait_to_leave()
        return False

    def _reported(self, report: "Report") -> bool:
        self.on_report(report)
        now = time.monotonic()
        if now - self.drawn >= REDRAW_INTERVAL:
            self.drawn = now
            self._refresh()
        elif self.app is not None:
            self.pump(MOMENT)
        interrupted, self.interrupted = self.interrupted, False
        return self._left() or interrupted

    def _show_move(self) -> None:
        """In engine games: show each move for a while, and wait while paused."""

        def wait(seconds: float) -> None:
            self.pump(seconds)
            if self.interrupted:
                raise KeyboardInterrupt

        self.watch.wait_after_move(wait)
        self._left()

    def _pause(self, turn: "Turn | None") -> None:
        seconds = self.pacing.seconds(self.match, turn) if turn is not None else 0.0
        if seconds:
            self.pump(seconds)

    def _wait_to_leave(self) -> None:
        """Show the final position of an engine match until the user leaves."""
        while not self.interrupted and not self.watch.leaving:
            self.pump(0.05)
        self.interrupted = False

    def show_message(self, message: str = "") -> None:
        """Show a message until the next one."""
        self.notice = message
        self._refresh()

    def poll_interrupt(self) -> bool:
        """True if Ctrl-C was pressed during a search."""
        self.pump(MOMENT)
        interrupted, self.interrupted = self.interrupted, False
        return interrupted

    # -- input of a human player -------------------------------------------------------------------------

    def show_answer(self, text: str) -> None:
        """Show a message until the next answer; long ones as a page."""
        self.notice = visible(text)
        self.browsing.first = None

    def read(self, match: "MatchControl", interpreter: "Interpreter") -> str:
        """Wait for a valid line, or a move by mouse."""
        self._refresh()  # input so far was typed during other players' moves
        if self.needs_cover(match.seat):
            self._pass_on(match)
        self.holder = match.seat
        entry = LineInput(
            self,
            match,
            lambda text: interpreter.meaning(text, match),
            lambda text: interpreter.completions(text, match),
            lambda: interpreter.invitation(match) + "; or click" * (self.board() is not None),
            "",
            PieceSelection(interpreter, match),
        )
        entry.escape_command = interpreter.escape_command
        entry.default_command = lambda: interpreter.default_command(match)
        entry.leaving = "" if entry.escape_command else leave_warning(match, interpreter)
        self.interpreter = interpreter
        answer = self._ask(entry, match)
        self.notice, seconds = "", interpreter.estimated_seconds(answer, match)
        if seconds:
            self.show_message(progress_message(answer, seconds, "; Ctrl-C: answer now"))
        return answer

    def _ask(self, entry: LineInput, match: "MatchControl") -> str:
        """Return the answer to `entry`. Raises KeyboardInterrupt when the user leaves."""
        self.open()
        entry.buffer, entry.confirm = self.buffer, self.confirm and not entry.escape_command
        unseen = not entry.escape_command and self.turns.has_unseen_moves(match)
        self.entry, entry.start_time = entry, time.monotonic()
        if self.lines and unseen:  # none is executed; the first can be entered again
            self.buffer.document = Document(self.lines[0])
            self.lines.clear()
        entry.type_ahead = self.buffer.text if unseen else ""
        self.pending_answer = self.loop.create_future()
        if self.lines:
            self.loop.call_soon(self._execute_line)
        clock = match.clock if not match.over() else None
        ticks = clock is not None or self.analysis is not None or self.news is not None
        ticking = self.loop.create_task(self._tick(clock)) if ticks else None
        long = len(self.contents.message_lines(MIN_SIDE_WIDTH)) > MAX_MESSAGE_LINES or breaks_layout(
            self.notice, MIN_SIDE_WIDTH
        )
        if long and not match.over():
            self.browsing.open(self.notice)
        self.app.invalidate()
        try:
            self._until(self.pending_answer)
            return str(self.pending_answer.result())
        finally:
            if ticking is not None:
                ticking.cancel()
            self.pending_answer = self.entry = None
            self.choices, self.armed = [], ""
            self.browsing.viewed_ply = self.browsing.first = None

    def _execute_line(self) -> None:
        """Execute the first line entered before this prompt; if it is invalid, drop the others."""
        typed, lines = self.buffer.text, self.lines[1:]
        self.buffer.document = Document(self.lines[0])
        self.lines = []
        self.keys.enter()
        if self.pending_answer is not None and self.pending_answer.done():
            self.lines = lines
            self.buffer.document = Document(typed)

    async def _tick(self, clock: "ClockView | None") -> None:
        """Redraw periodically; a flag fall ends the pending question."""
        while True:
            await asyncio.sleep(TICK)
            if (clock is not None and clock.flag_fallen()) or (self.news is not None and self.news()):
                self.answer("")
            if self.app is not None:
                self.app.invalidate()

    def _pass_on(self, match: "MatchControl") -> None:
        """Hide the game until the next player presses Enter."""
        self.handover = handover_message(match)
        self.notice, self.report = "", None
        self.browsing.viewed_ply = self.browsing.first = None
        self.history = self.buffer.history = InMemoryHistory()  # hide the other player's input
        self.buffer.reset()
        self.pending_answer = self.loop.create_future()
        self.app.invalidate()
        try:
            self._until(self.pending_answer)
            self.pending_answer.result()
        finally:
            self.pending_answer, self.handover = None, ""
            self.buffer.reset()
        start_clock(match)

    def _fitting(self, typed: str) -> list[str]:
        return self.entry.completions(typed) if self.entry is not None else []
