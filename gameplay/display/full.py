"""The game on the whole screen: board, panel, list of moves, a line to type in, and a mouse for all of them.

One thread draws, reads and referees. While a person is on turn the event loop runs until they have answered;
while an engine searches it runs for a moment at each report of the search, twenty times a second, and between
two moves of engines for as long as a move stays on the screen.
"""

import asyncio
import signal
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    DynamicContainer,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

from gameplay.display import board as boards
from gameplay.display import panel
from gameplay.display.panes import Button, Line, Pane, depth, lines, row
from gameplay.display.pointing import Spots, meant, nearest, spots
from gameplay.display.prompt import Entry, Hand, Turns
from gameplay.display.screen import BESIDE, PROMPT, REDRAW, Screen
from gameplay.display.watching import PACES
from gameplay.errors import Terminated
from gameplay.position import CHANCE, Cell

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import Conducted

TICK = 0.2  # seconds between two pictures of a running clock
MOMENT = 0.005  # seconds for keys and drawing while something else goes on
SETTLE = 0.4  # seconds in which Enter still belongs to what was typed before the turn began
TALK = 6  # lines that something said may take beside the board; what is longer gets a page
LEAST = 3  # lines of moves that shall be seen, if there are so many
AFTER = ("again", "swap", "undo", "replay")  # what people want most when a game is over
HELPS = ("help", "h", "?", ":help", "/help")
HELP = """mouse       click a piece and where it goes, or drag it; a cell; a move of the list; a button
arrows      move a cursor on the board, Enter plays there (with an empty line)
Tab         completes a word; Ctrl-P, Ctrl-N: what was typed before
PgUp PgDn   scroll the list of moves, as the wheel does
< >         look at the position a move earlier, later; Esc: back to now
F1 or ?     this page; F2 hint, F3 undo, F4 flip, F8 resign, F10 leave
Ctrl-C      while an engine thinks: it moves at once; else, twice: leave, the game is saved
Ctrl-L      draw the screen again; Ctrl-Z: to the shell, fg comes back
engines     p pause, space a step, + faster, - slower, q leave (where nobody else plays)"""


@dataclass(frozen=True)
class Placing:
    """Where things are: the board beside the panel or above it, and its place in characters and lines."""

    beside: bool
    wide: int
    high: int

    def fits(self, width: int, height: int) -> bool:
        """True if there is so much room."""
        return self.wide <= width and self.high <= height


class Full(Screen):
    """A full screen: it listens to a match, and is the desk of the people who play."""

    def __init__(
        self, theme: "Theme", reading: int | None = None, input: Any = None, output: Any = None
    ) -> None:
        """`input` and `output` are prompt-toolkit's; None: the terminal's."""
        super().__init__(theme, reading)
        self.streams = {"input": input, "output": output}
        self.loop: Any = None
        self.app: Any = None
        self.running: Any = None  # the application's task
        self.failure: BaseException | None = None
        self.signals: dict[int, Any] = {}  # what was done about them before
        self.asked: Any = None  # a future: what a person is asked for; None: nobody is asked
        self.entry: Entry | None = None
        self.interpreter: Interpreter | None = None  # whose words they are
        self.curtain = ""  # what stands there alone while the keyboard is passed on
        self.told = ""  # what was said last
        self.sheet: int | None = None  # the first line shown of a page of text; None: there is none
        self.sheets: list[str] = []
        self.looked: int | None = None  # the moves made in the position that is looked at; None: now
        self.up = 0  # lines that the list of moves is scrolled up
        self.links: dict[int, list[tuple[int, int, int]]] = {}  # line of the panel: from, to, moves made
        self.listed = 0  # lines of the list of moves
        self.hidden: list[str] = []  # what there was no room for
        self.drawing: tuple[Any, int] | None = None  # the board as it is drawn, and its scale
        self.spots: Spots | None = None
        self.grip: Cell | None = None  # where the mouse went down
        self.choices: list[str] = []  # moves to choose from, where one click may mean several
        self.early = ""  # what stood in the line when the turn began
        self.since = 0.0
        self.hurry = False  # the search is to end
        self.queued = False  # Enter was pressed between two questions
        self.armed = ""  # the word whose button was pressed once
        self.turns = Turns()
        self.confirm = False  # a move is played at the second Enter
        self.lowest: list[tuple[int, int, Button]] = []
        self.history: Any = None
        self.buffer: Any = None

    # -- coming and going ----------------------------------------------------------------------

    def open(self) -> None:
        """Take the whole screen, if it is not taken."""
        if self.app is not None:
            return
        self.history = self.history or InMemoryHistory()
        self.buffer = Buffer(multiline=False, history=self.history, completer=_Fitting(self))
        self.buffer.on_text_changed += lambda _: self._typed()
        self.loop = asyncio.new_event_loop()
        self.failure = None
        self.app = Application(
            layout=Layout(self._layout(), focused_element=self.buffer),
            key_bindings=self._keys(),
            full_screen=True,
            mouse_support=True,
            color_depth=depth(self.theme),
            include_default_pygments_style=False,
            min_redraw_interval=0.03,
            **self.streams,
        )
        self.app.ttimeoutlen = 0.1  # Esc alone
        self.running = self.loop.create_task(
            self.app.run_async(set_exception_handler=False, handle_sigint=False)
        )
        self.loop.set_exception_handler(lambda loop, context: self._failed(context.get("exception")))
        for number, error in ((signal.SIGINT, KeyboardInterrupt()), (signal.SIGTERM, Terminated(143))):
            self.signals[number] = signal.getsignal(number)
            with suppress(NotImplementedError):  # on Windows they are raised where they meet us
                self.loop.add_signal_handler(number, self._failed, error)
        self.pump(MOMENT)

    def close(self) -> None:
        """Give the terminal back as it was."""
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
                self.running.exception()  # has been told already, or the terminal is gone
        finally:
            self.loop.close()
            for number, handler in self.signals.items():
                signal.signal(number, handler)

    def final(self) -> None:
        """Leave the whole screen; how the match ended stays on the terminal."""
        self.close()
        match = self.match
        title = match.game.spec if "/" not in match.game.spec else match.game.name
        self.theme.console.print(f"{title}: {panel.result(match, self.reading)}", soft_wrap=True)

    def pump(self, seconds: float) -> None:
        """Read keys and draw for so long. Raises what went wrong meanwhile."""
        self._until(asyncio.sleep(seconds))

    def _until(self, something: Any) -> None:
        """Let the event loop run until something is done, or the application has ended."""
        waiting = asyncio.ensure_future(something, loop=self.loop)
        both = asyncio.wait((waiting, self.running), return_when=asyncio.FIRST_COMPLETED)
        self.loop.run_until_complete(both)
        if self.failure is not None:
            error, self.failure = self.failure, None
            raise error
        if self.running.done():
            raise KeyboardInterrupt  # the terminal is gone

    def _failed(self, error: BaseException | None) -> None:
        """Something went wrong where nobody catches it: whoever waits is told."""
        self.failure = self.failure or error
        if self.asked is not None and not self.asked.done():
            self.asked.set_result("")

    def _refresh(self) -> None:
        self.open()
        self.app.invalidate()
        self.pump(MOMENT)

    # -- a match's listener ----------------------------------------------------------------------

    def __call__(self, event: Any) -> bool:
        """A match's listener; true if the search is to end."""
        if event.kind == "report":
            return self._reported(event.report)
        if event.kind == "move":
            self._moved(event.turn)
        elif event.kind in ("undo", "redo", "restart"):
            self.report, self.looked = None, None
        if event.kind in ("begin", "move", "end"):
            self._refresh()
        if event.kind in ("begin", "move") and self.watching:
            self._linger()
        if event.kind == "end" and self.watching and self.match.payoffs is not None:
            self._stay()
        return False

    def _reported(self, report: Any) -> bool:
        if not panel.people(self.match):
            self.report, self.mover = report, self.match.position.turn
            self.at = len(self.match.turns)
            self.thought[self.mover] = (report, self.at)
        now = time.monotonic()
        if now - self.drawn >= REDRAW:
            self.drawn = now
            self._refresh()
        elif self.app is not None:
            self.pump(MOMENT)
        hurry, self.hurry = self.hurry, False
        return self._left() or hurry

    def _moved(self, turn: Any) -> None:
        self.up = 0
        report = None if panel.people(self.match) else turn.report  # it tells what its player saw
        if report is not None and (report.depth or report.known):
            self.report, self.mover = report, turn.player
            self.at = len(self.match.turns) - 1
            self.thought[self.mover] = (report, self.at)

    def _linger(self) -> None:
        """Engines play: let a move be looked at, and wait while they are paused."""
        self.watch.stepping = False
        began = time.monotonic()
        while not self._left() and not self.watch.stepping:
            left = began + PACES[self.watch.pace] - time.monotonic()
            if left <= 0 and not self.watch.paused:
                break
            self.pump(min(0.05, max(0.0, left)) if not self.watch.paused else 0.05)
            if self.hurry:
                raise KeyboardInterrupt

    def _stay(self) -> None:
        """Engines have played: the end stays until somebody has seen it."""
        while not self.hurry and not self.watch.leaving:
            self.pump(0.05)
        self.hurry = False

    def hold(self, message: str = "") -> None:
        """Nothing to hold: the screen stays."""

    # -- a person's desk -------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Shown until the next answer; what is long gets a page."""
        self.told = text
        self.sheet = None

    def read(self, match: "Conducted", interpreter: "Interpreter") -> str:
        """Wait for a line that makes sense, or a move that was pointed at."""
        self._refresh()  # what was typed by now was typed while others moved
        if self.covered(match.seat):
            self._pass_on(match)
        self.holder = match.seat
        entry = Entry(
            self,
            match,
            lambda text: interpreter.meaning(text, match),
            lambda text: interpreter.completions(text, match),
            lambda: interpreter.invitation(match) + "; or click" * (self.board() is not None),
            "",
            Hand(interpreter, match),
        )
        self.interpreter = interpreter
        answer = self._ask(entry, match)
        self.told = ""
        return answer

    def _ask(self, entry: Entry, match: Any) -> str:
        """What is answered to `entry`. Raises KeyboardInterrupt when somebody leaves."""
        self.open()
        entry.buffer, entry.confirm = self.buffer, self.confirm
        surprising = self.turns.surprising(match)
        self.entry, self.since = entry, time.monotonic()
        self.early = self.buffer.text if surprising else ""
        self.asked = self.loop.create_future()
        if self.queued and not surprising:
            self.loop.call_soon(self._enter)
        self.queued = False
        clock = match.clock if not match.over() else None
        ticking = self.loop.create_task(self._tick(clock)) if clock is not None else None
        if len(self._talk(BESIDE)) > TALK and not match.over():
            self._open_page(self.told)
        self.app.invalidate()
        try:
            self._until(self.asked)
            return str(self.asked.result())
        finally:
            if ticking is not None:
                ticking.cancel()
            self.asked = self.entry = None
            self.choices, self.armed, self.looked, self.sheet = [], "", None, None
            self.buffer.reset()

    async def _tick(self, clock: Any) -> None:
        """Show the clock as it runs, until the time is up: then nobody needs to answer."""
        while True:
            await asyncio.sleep(TICK)
            if clock.fallen() and self.asked is not None and not self.asked.done():
                self.asked.set_result("")
            if self.app is not None:
                self.app.invalidate()

    def _pass_on(self, match: "Conducted") -> None:
        """Show nothing of the game until somebody presses Enter."""
        side = match.side(match.turn)
        self.curtain = f"{side} is to move: pass the keyboard; {side}, press Enter to see the game"
        self.told, self.sheet, self.looked, self.report = "", None, None, None
        self.history = self.buffer.history = InMemoryHistory()  # what one has typed is not the other's to see
        self.buffer.reset()
        self.asked = self.loop.create_future()
        self.app.invalidate()
        try:
            self._until(self.asked)
            self.asked.result()
        finally:
            self.asked, self.curtain = None, ""
            self.buffer.reset()
        if match.clock is not None:
            match.clock.start(match.turn)

    def _give(self, answer: str) -> None:
        """Whoever asked gets this answer."""
        if self.asked is not None and not self.asked.done():
            self.asked.set_result(answer)

    # -- what keys and clicks do -------------------------------------------------------------------

    def _typed(self) -> None:
        self.early = self.early if self.buffer.text == self.early else ""
        if self.entry is not None:
            self.entry.complaint = ""
            self.choices = []
        if self.buffer.text != self.armed:
            self.armed = ""

    def _enter(self) -> None:
        if self.curtain:
            self._give("")
        elif self.sheet is not None:
            self.sheet = None
        elif self.watching:
            self.hurry = self.match.over()
        elif self.entry is None:
            self.queued = True
        elif self.entry is not None:
            if self.buffer.text.strip().lower() in HELPS:
                self.buffer.reset()
                self._help()
                return
            if self.early and time.monotonic() - self.since < SETTLE:
                return  # it was on its way when the turn began
            self.looked = None
            answer = self.entry.enter()
            if answer is not None:
                self._give(answer)

    def _escape(self) -> None:
        self.sheet, self.looked, self.up = None, None, 0
        if self.entry is not None:
            self.entry.let_go()
            self.entry.cursor = None
            self.choices, self.armed = [], ""

    def _interrupt(self) -> None:
        """Ctrl-C: a search ends; at the prompt the second one leaves."""
        if self.asked is None or self.watching:
            self.hurry = True
        elif self.curtain:
            self.asked.set_exception(KeyboardInterrupt())
        elif self.entry is not None:
            leaving = "press Ctrl-C again to leave" + ("; the game is saved" if self.match.turns else "")
            if self.entry.complaint == leaving and not self.asked.done():
                self.asked.set_exception(KeyboardInterrupt())
            self.buffer.reset()
            self.entry.complaint, self.armed = leaving, ""

    def _word(self, word: str, sure: bool = True) -> None:
        """A button with a command: what is not `sure` needs Enter, or the same again."""
        if self.entry is None:
            return
        if sure or self.armed == word:
            self.looked = None
            self._give(word)
            return
        self.buffer.document = Document(word)
        self.armed = word

    def _turn_round(self) -> None:
        self.flip = not self.flip

    def _help(self) -> None:
        known = self.interpreter.known(self.match) if self.interpreter is not None else {}
        commands = [f"{f'{name} {one.argument}':<12}{one.help}" for name, one in known.items()]
        self._open_page("\n".join([HELP, "", "type a move, or:", *commands] if commands else [HELP]))

    def _open_page(self, text: str) -> None:
        self.sheets, self.sheet = text.splitlines(), 0

    def _scroll(self, down: int) -> None:
        """The wheel, PgUp and PgDn: the page, or the list of moves."""
        if self.sheet is not None:
            self.sheet = max(0, min(len(self.sheets) - 1, self.sheet + down))
        else:
            self.up = max(0, min(self.listed - 1, self.up - down))

    def _look(self, plies: int) -> None:
        """Look at the position after so many moves; those who may not see it now see nothing of before."""
        made = len(self.match.turns)
        if self.match.secrets:
            if self.entry is not None:
                self.entry.complaint = "this game hides something: nobody looks back before it is over"
            return
        self.looked = plies if 0 <= plies < made else None

    def _look_by(self, plies: int) -> None:
        made = len(self.match.turns)
        self._look(max(0, (made if self.looked is None else self.looked) + plies))

    def _drive(self, key: str) -> None:
        """Engines play among themselves: pause, step, faster, slower."""
        self.watch.press(key)

    # -- the mouse ---------------------------------------------------------------------------------

    def _cell(self, line: int, character: int) -> Cell | None:
        """The cell at a place of the board's pane."""
        if self.drawing is None:
            return None
        if self.spots is None:
            self.spots = spots(self.drawing[0], self.theme, self.drawing[1])
        return nearest(self.spots, line, character)

    def _press(self, line: int, character: int) -> None:
        cell = self._cell(line, character)
        self.grip = None
        if self.looked is not None:
            self.looked = None
        elif self.sheet is None and cell is not None and self.entry is not None:
            self.grip = cell
            self._click(cell)

    def _release(self, line: int, character: int) -> None:
        """A piece that was dragged is put down."""
        cell, grip, self.grip = self._cell(line, character), self.grip, None
        entry = self.entry
        if entry is None or entry.hand is None or cell is None or grip is None or cell == grip:
            return
        board = self.board()
        if board is not None and cell in board.targets(board.find(entry.hand.holds()) or grip):
            self._click(cell)

    def _click(self, cell: Cell) -> None:
        """A cell: the place of a move, the piece to move, or where it goes."""
        entry, board = self.entry, self.board()
        if entry is None or entry.match is None or entry.hand is None or board is None:
            return
        self.buffer.reset()
        self.armed = ""
        held = board.find(entry.hand.holds())
        pointed = dict(board.moves) if held is None else {held: (), **board.targets(held)}
        cell = meant(board, cell, pointed)
        if cell not in pointed and held is not None:
            entry.hand.take("")  # another piece, perhaps
            pointed = dict(board.moves)
        if cell not in pointed:
            entry.complaint = f"{board.called(cell)}: nothing can be played there now"
            return
        entry.cursor = cell
        answer = entry.enter()
        entry.cursor = None
        if answer is not None:
            self._give(answer)
        elif held is not None or entry.hand.holds() != board.called(cell):  # else a piece was taken up
            self.choices = [entry.match.position.format(move) for move in pointed[cell]]

    def _press_panel(self, line: int, character: int) -> None:
        for start, end, plies in self.links.get(line, ()):
            if start <= character < end:
                self._look(plies)
                self.looked = self.looked if plies != len(self.match.turns) else None

    def _press_button(self, line: int, character: int) -> None:
        for start, end, button in self.lowest:
            if start <= character < end:
                button.act()

    def _buttons(self) -> list[Button]:
        """What can be clicked now."""
        if self.curtain:
            return [Button("Show the game", "Enter", self._enter)]
        if self.choices:
            return [Button(word, "", partial(self._give, word)) for word in self.choices]
        flip = Button("Flip", "F4", self._turn_round)
        if self.watching and self.asked is None:
            if self.match.over():
                return [flip, Button("Leave", "q", partial(self._drive, "q"))]
            keys = {"p": "Go on" if self.watch.paused else "Pause", " ": "Step", "+": "Faster", "-": "Slower"}
            steer = [
                Button(name, "Space" if key == " " else key, partial(self._drive, key))
                for key, name in keys.items()
            ]
            return [*steer, flip, Button("Leave", "q", partial(self._drive, "q"))]
        match = self.match
        mover = match.players[match.turn] if match.turn >= 0 and not match.over() else None
        if self.entry is None and mover is not None and mover.spec != "human":
            return [Button("Move now", "Ctrl-C", self._interrupt), flip, Button("Help", "F1", self._help)]
        if self.match.over():
            known = self.interpreter.known(self.match) if self.interpreter is not None else {}
            after = [word for word in AFTER if word in known]
            return [Button(word.title(), "", partial(self._word, word)) for word in (*after, "quit")]
        return [
            Button("Help", "F1", self._help),
            Button("Hint", "F2", partial(self._word, "hint")),
            Button("Undo", "F3", partial(self._word, "undo")),
            flip,
            Button("Resign", "F8", partial(self._word, "resign", False)),
            Button("Leave", "F10", partial(self._word, "quit", False)),
        ]

    # -- drawing -----------------------------------------------------------------------------------

    def _shown(self) -> Any:
        """The board as it is seen: now, or after the moves that are looked at. None: the game has none."""
        if self.looked is None:
            return self.board()
        match = self.match
        position = match.replica(self.looked)
        last = match.turns[self.looked - 1].move if self.looked else None
        board = match.ask("board()", partial(position.board, last=last))
        if board is None:
            return None
        return boards.seated(replace(board, moves={}, paths={}), self.flip, self.reading)

    def _plan(self, width: int, height: int) -> Placing:
        """The board as large as it can be beside the panel; where that is nothing, above it."""
        match = self.view()
        if match is None:
            return Placing(True, width, height)
        board = self.board()
        if board is None:
            shown = match.show().splitlines()
            wide, high = max(map(len, shown), default=0), len(shown)
            return Placing(width - wide - 2 >= BESIDE, wide, high)
        scale = boards.largest(board, width - BESIDE - 2, height, self.theme)
        wide, high = boards.size(board, scale, self.theme)
        if wide <= width - BESIDE - 2 and high <= height:
            return Placing(True, wide, high)
        above = height - len(match.players) - 1
        wide, high = boards.size(board, boards.largest(board, width, above, self.theme), self.theme)
        return Placing(False, wide, high)

    def _draw_title(self, width: int, height: int) -> list[Line]:
        match = self.view()
        if match is None:
            return []
        name = match.game.spec if "/" not in match.game.spec else match.game.name
        state = "paused" if self.watch.paused else ""
        if self.looked is not None:
            state = f"after {self.looked} of {len(match.turns)} moves; Esc: now"
        elif match.over():
            state = panel.result(self.match, self.reading)
        elif match.turn != CHANCE and not self.watch.paused:
            thinks = match.players[match.turn].spec != "human"
            state = f"{match.side(match.turn)} {'is thinking' if thinks else 'to move'}"
        title = f"{name}  {state}"
        hidden = f"no room for {', '.join(self.hidden)}" if self.hidden and self.sheet is None else ""
        room = width - len(title) - 2
        return [[("bold", name), ("", f"  {state}  {hidden[:room]:>{room}}" if room > 0 else f"  {state}")]]

    def _draw_board(self, width: int, height: int) -> list[Line]:
        from rich.text import Text

        self.drawing = self.spots = None
        match = self.view()
        if match is None:
            return [[("", one)] for one in textwrap.wrap(self.curtain, max(20, width))]
        board = self._shown()
        if board is None:
            return lines(self.theme, Text(match.show(), no_wrap=True, overflow="crop"), width)
        scale = boards.largest(board, width, height, self.theme)
        wide, high = boards.size(board, scale, self.theme)
        if wide > width or high > height:
            missing = (
                f"the board needs {wide} columns and {high} lines here, and there are {width} and {height}: "
            )
            missing += "enlarge the window, or type line for the line mode"
            return [[("", one)] for one in textwrap.wrap(missing, max(8, width))]
        self.drawing = board, scale
        entry = self.entry if self.looked is None else None
        square = entry.hand.holds(self.buffer.text) if entry is not None and entry.hand is not None else ""
        selected = board.find(square) if square else None
        cursor = entry.cursor if entry is not None else None
        return lines(self.theme, boards.draw(board, self.theme, scale, cursor, selected), width)

    def _draw_panel(self, width: int, height: int) -> list[Line]:
        """Who plays, how it stands, what the search says, the moves, and what was said last."""
        self.links = {}
        match = self.view()
        if match is None:
            return []
        hidden: list[str] = []
        report, mover, at = self.report, self.mover, self.at
        if self.looked is not None:
            turn = match.turns[self.looked - 1] if self.looked else None
            report = turn.report if turn is not None else None
            mover, at = (turn.player if turn is not None else 0), self.looked - 1
        talk: list[Line] = [[("", one)] for one in self._talk(width)]
        talk = [[], *talk] if talk and len(talk) < height - 4 else talk
        found = lines(self.theme, panel.players(match, self.theme, self.reading, width), width)
        room = height - len(found) - len(talk) - min(LEAST, len(match.turns)) - 1
        if report is not None and room >= 1 and (report.depth or report.known or report.nodes):
            if match.position.players == 2 and room >= 2 and report.bound != "unknown":
                bar = panel.bar(match, self.theme, report, mover, min(width - 1, 44))
                found += [[], *lines(self.theme, bar, width)]
                room -= 2
            facts = lines(self.theme, panel.search(match, report, at, width - 1), width)
            if self.looked is None:
                facts += [[("", one)] for one in self._others(match, width - 1)]
            hidden += ["the search"] if len(facts) > room else []
            found += facts if len(facts) <= room else [[("", panel.verdict(match, report, mover))]]
        elif report is not None:
            hidden.append("the search")
        if height - len(found) - len(talk) >= 2 and match.turns:
            found.append([])
            self._list(found, match, width, height - len(found) - len(talk))
        elif match.turns:
            hidden.append("the moves")
        found += talk
        if hidden != self.hidden:
            self.hidden = hidden
            self.app.invalidate()
        return found[:height]

    def _talk(self, width: int) -> list[str]:
        """What was said last, in lines."""
        if self.sheet is not None:
            return []
        return [
            part for one in self.told.splitlines() for part in textwrap.wrap(one, max(8, width - 1)) or [""]
        ]

    def _list(self, found: list[Line], match: Any, width: int, height: int) -> None:
        """Add the moves made, a round a line, to what is drawn; the one that is looked at stands out."""
        rows = _rounds(match)
        self.listed = len(rows)
        seen = len(rows) - 1
        if self.looked:
            seen = next(n for n, one in enumerate(rows) if any(ply == self.looked for _, ply in one))
        self.up = max(0, min(self.up, len(rows) - height))
        end = len(rows) - self.up
        if self.looked and not end - height <= seen < end:
            end = min(len(rows), max(height, seen + 1))
        here = len(match.turns) if self.looked is None else self.looked
        for one in rows[max(0, end - height) : end]:
            line: Line = []
            at = 0
            for text, ply in one:
                line.append(("bold reverse" if ply == here else "", text))
                if ply:
                    self.links.setdefault(len(found), []).append((at, at + len(text), ply))
                at += len(text)
            found.append(line)

    def _draw_page(self, width: int, height: int) -> list[Line]:
        shown = [
            part
            for one in self.sheets
            for part in textwrap.wrap(
                one, max(8, width - 1), subsequent_indent=" " * 12, drop_whitespace=False
            )
            or [""]
        ]
        first = min(self.sheet or 0, max(0, len(shown) - (height - 1)))
        self.sheet = first if self.sheet is not None else None
        rest = len(shown) - first - (height - 1)
        foot = "Esc: back to the game" + (f"; PgDn: {rest} more lines" if rest > 0 else "")
        return [*([("", one)] for one in shown[first : first + height - 1]), [("bold", foot)]]

    def _draw_meaning(self, width: int, height: int) -> list[Line]:
        if self.curtain:
            return []
        if self.entry is None:
            waits = (
                ""
                if self.watching or self.match.over()
                else "it is not your turn: what you type waits in the line"
            )
            return [[("", waits)]] if self.buffer.text else []
        text = self.entry.complaint or self.entry.meaning(self.buffer.text)[1] or self.entry.invitation()
        if self.early and not self.entry.complaint:
            text = f"typed before your turn: {text}"
        if self.armed:
            text = f"{text} (Enter, or press it again)"
        wrapped = textwrap.wrap(text, max(20, width - 1))
        if len(wrapped) > height:
            wrapped = [*wrapped[: height - 1], wrapped[height - 1][: width - 5] + " ..."]
        return [[("", one)] for one in wrapped]

    def _draw_buttons(self, width: int, height: int) -> list[Line]:
        line, self.lowest = row(self._buttons(), width)
        return [line]

    # -- layout and keys ---------------------------------------------------------------------------

    def _layout(self) -> Any:
        def pane(draw: Any, *, width: Any = None, height: Any = None, **told: Any) -> Window:
            return Window(Pane(draw, self._failed, **told), width=width, height=height)

        def room() -> tuple[int, int]:
            size = get_app().output.get_size()
            return size.columns, size.rows - 3 - meaning()

        def meaning() -> int:
            return 2 if get_app().output.get_size().rows >= 24 else 1

        def body() -> Any:
            if self.sheet is not None:
                return page
            try:
                plan = self._plan(*room())
            except BaseException as error:
                self._failed(error)
                return page
            places.update(wide=plan.wide + 2, high=plan.high)
            if self.view() is None or not plan.fits(*room()):
                return alone
            return side if plan.beside else over

        places: dict[str, int] = {"wide": 1, "high": 1}
        mouse = {"pressed": self._press, "released": self._release}
        listing: dict[str, Callable[..., None]] = {"pressed": self._press_panel, "turned": self._scroll}
        page = pane(self._draw_page, turned=self._scroll)
        alone = pane(self._draw_board)
        side = VSplit(
            [
                pane(self._draw_board, width=lambda: places["wide"], **mouse),
                pane(self._draw_panel, **listing),
            ]
        )
        over = HSplit(
            [
                pane(self._draw_board, height=lambda: places["high"], **mouse),
                pane(self._draw_panel, **listing),
            ]
        )
        line = VSplit(
            [
                Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1),
                Window(BufferControl(self.buffer), height=1),
            ]
        )
        return HSplit(
            [
                pane(self._draw_title, height=1),
                DynamicContainer(body),
                line,
                pane(self._draw_meaning, height=meaning),
                pane(self._draw_buttons, height=1, pressed=self._press_button),
            ]
        )

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        buffer = self.buffer
        empty = Condition(lambda: not buffer.text and self.sheet is None and not self.curtain)
        watching = Condition(lambda: self.watching and self.asked is None)
        replaced = Condition(
            lambda: self.entry is not None and bool(buffer.text) and bool(self.armed or self.entry.refused())
        )

        def steer(down: int, right: int) -> None:
            if self.entry is not None:
                self.looked = None
                self.entry.steer(down, right)

        def bind(action: Callable[[], None], *names: str, **more: Any) -> None:
            for name in names:
                keys.add(name, **more)(lambda event: action())

        for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            bind(partial(steer, down, right), name, filter=empty)
        bind(partial(self._look_by, -1), "<", filter=empty)
        bind(partial(self._look_by, 1), ">", filter=empty)
        bind(self._help, "f1")
        bind(self._help, "?", filter=empty)
        bind(partial(self._word, "hint"), "f2")
        bind(partial(self._word, "undo"), "f3")
        bind(self._turn_round, "f4")
        bind(partial(self._word, "resign", False), "f8")
        bind(partial(self._word, "quit", False), "f10")
        bind(partial(self._scroll, -5), "pageup")
        bind(partial(self._scroll, 5), "pagedown")
        bind(self._enter, "enter")
        bind(self._escape, "escape", eager=True)  # at once, not as Alt with the next key
        bind(self._interrupt, "c-c", "<sigint>")
        bind(buffer.history_backward, "c-p")
        bind(buffer.history_forward, "c-n")
        bind(partial(self._word, "quit", False), "c-d", filter=empty)
        for name in ("p", " ", "+", "-", "q"):
            bind(partial(self._drive, name), name, filter=watching, eager=True)

        @keys.add("<any>", filter=replaced)
        def _(event: Any) -> None:
            buffer.reset()
            buffer.insert_text(event.data)

        @keys.add("tab")
        def _(event: Any) -> None:
            if buffer.complete_state:
                buffer.complete_next()
            else:
                buffer.start_completion(select_first=True)

        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        keys.add("c-l")(lambda event: event.app.renderer.clear())
        return keys


class _Fitting(Completer):
    """What fits to the line, as the one who is asked may answer."""

    def __init__(self, full: Full) -> None:
        self.full = full

    def get_completions(self, document: Any, complete_event: Any) -> Any:
        """See prompt-toolkit."""
        typed = document.text_before_cursor
        for text in self.full.entry.completions(typed) if self.full.entry is not None else ():
            yield Completion(text, start_position=-len(typed))


def _rounds(match: Any) -> list[list[tuple[str, int]]]:
    """The moves made in rows of parts: a text, and after how many moves it stands (0: it is no move)."""
    seats = len(match.players)
    if match.position.chance or match.position.hidden or seats != 2:
        return [
            [
                (f"{number}. {'' if turn.player == CHANCE else match.side(turn.player)} ", 0),
                (turn.word, number),
            ]
            for number, turn in enumerate(match.turns, 1)
        ]
    late = match.turns[0].player if match.turns else 0
    wide = max((len(turn.word) for turn in match.turns), default=1) + 1
    rows: list[list[tuple[str, int]]] = []
    for number, turn in enumerate(match.turns, 1):
        place = number - 1 + late
        if place % 2 == 0 or not rows:
            rows.append([(f"{place // 2 + 1:>3}. ", 0)])
            if place % 2:
                rows[-1] += [("..." + " " * (wide - 2), 0)]
        rows[-1] += [(turn.word, number), (" " * (wide + 1 - len(turn.word)), 0)]
    return rows
