"""Input of a human player: lines from a pipe or screen reader, and the prompt at a terminal.

prompt-toolkit is imported when the first prompt is shown.
"""

import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import structs

from gameplay.capabilities import HasTricks
from gameplay.display.board.pointing import next_cell
from gameplay.display.terminal import keyboard, panel
from gameplay.display.terminal.canvas import NO_PASTE, PASTE
from gameplay.display.terminal.screen import PROMPT
from gameplay.errors import Unfinished
from gameplay.plural import plural
from gameplay.visible import visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

    from gameplay.board import Board, Cell
    from gameplay.display.terminal.line import PlainOutput
    from gameplay.display.terminal.screen import Screen
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import MatchControl

TICK = 0.2  # seconds between updates of a running clock
SETTLE = 0.4  # seconds after the start of a turn in which Enter still counts as type-ahead
LONG = 2.0  # seconds; longer commands are announced with their duration
PANEL_KEY = "f6"  # changes the detail of the search panel
TRICK_KEY = "f7"  # shows the last trick
STEPS = {"<": "undo", ">": "redo"}  # keys in analysis mode
LINES_BELOW = 2  # maximum lines below the input line

Frame = Callable[[int, int], tuple[list[str], tuple[int, int] | None]]  # of columns and rows: lines, cursor


class LineReader:
    """Reads input line by line; `plain_output` shows the position before each `prompt_text`."""

    def __init__(self, source: TextIO, plain_output: "PlainOutput", prompt_text: str = "") -> None:
        self.source = source
        self.output = plain_output
        self.prompt_text = prompt_text
        self.turns = TypeAheadGuard()
        self.news: Callable[[], bool] | None = None  # as `Screen.news`: `source` returns an empty line then

    def read(self, match: "MatchControl", interpreter: "Interpreter") -> str:
        """The next non-empty line. Raises Unfinished at the end of input."""
        if self.prompt_text and self.output.needs_cover(match.seat):
            self.output.cover(handover_message(match))
            keyboard.discard_input()  # input typed by the other player does not confirm it
            self.source.readline()
            start_clock(match)
        self.output.holder = match.seat
        surprising = not interpreter.escape_command and self.turns.has_unseen_moves(match)
        if surprising and self.prompt_text and keyboard.discard_input():
            self.output.write("what was typed before your turn is dropped")
        self.output.turn(match)
        warned = False
        while True:
            self.output.prompt(self.prompt_text)
            try:
                line = self.source.readline()
            except KeyboardInterrupt:
                if interpreter.escape_command:
                    self.output.prompt("\n")
                    raise
                if warned or not self.prompt_text:
                    raise
                warned = True
                self.output.write("\n" + leave_warning(match, interpreter))
                continue
            if not line:
                made = panel.count_moves(match)
                raise Unfinished(f"the input ended after {plural(made, 'move')}, before the game did")
            if self.news is not None and not line.strip() and self.news():
                return ""
            line = keyboard.SEQUENCE.sub("", line)  # drop escape sequences of keys
            line = line if line.strip() else interpreter.default_command(match)
            if line.strip():
                seconds = interpreter.estimated_seconds(line, match)
                self.output.write(progress_message(line, seconds) if seconds >= LONG else "")
                return line
            warned = False

    def show_answer(self, text: str) -> None:
        """Write it, line by line."""
        self.output.write(text)


class Prompt:
    """An input line below the drawn game.

    With an empty line the arrow keys move a cursor on the board and Enter plays there; Tab completes,
    Ctrl-P and Ctrl-N go through the history, Ctrl-C twice leaves. Text typed during other players' turns is
    put into the line when the turn begins; it is played only when Enter is pressed again.
    """

    def __init__(self, screen: "Screen") -> None:
        self.screen = screen
        self.message = ""
        self.history: Any = None
        self.turns = TypeAheadGuard()
        self.confirm = False  # a move needs a second Enter

    def show_answer(self, text: str) -> None:
        """Show a message with the next drawing."""
        self.message = visible(text)

    def read(self, match: "MatchControl", interpreter: "Interpreter") -> str:
        """Draw the game and return the next valid line; the drawing stays while it is executed."""
        if self.screen.needs_cover(match.seat):
            _wait_for_player(self.screen, handover_message(match))
            start_clock(match)
        self.screen.holder, self.screen.page = match.seat, 0
        self.message, self.screen.notice = self.message or self.screen.notice, ""
        self.screen.picture(80, 24)  # raises errors of the game's drawing before the prompt opens
        board = self.screen.board() if not match.over() else None
        action = "" if board is None else "move" if board.arrows else "point"
        arrows = f"; arrows {action}" if action else ""
        entry = LineInput(
            self.screen,
            match,
            lambda text: interpreter.meaning(text, match),
            lambda text: interpreter.completions(text, match),
            lambda: interpreter.invitation(match) + arrows,
            self.message,
            PieceSelection(interpreter, match),
        )
        entry.escape_command = interpreter.escape_command
        entry.default_command = lambda: interpreter.default_command(match)
        entry.confirm = self.confirm and not entry.escape_command
        entry.leaving = "" if entry.escape_command else leave_warning(match, interpreter)
        text = self._run(entry, not entry.escape_command and self.turns.has_unseen_moves(match))
        self.message = ""
        self.screen.show_message(
            progress_message(text, interpreter.estimated_seconds(text, match), "; Ctrl-C: answer now")
        )
        return text

    def _run(self, entry: "LineInput", surprised: bool) -> str:
        from prompt_toolkit.history import InMemoryHistory

        self.history = self.history or InMemoryHistory()
        return entry.run(self.history, surprised)


class TypeAheadGuard:
    """Detects input that was typed before the latest moves were shown."""

    def __init__(self) -> None:
        self.match: MatchControl | None = None
        self.seen = 0  # number of moves at the last call

    def has_unseen_moves(self, match: "MatchControl") -> bool:
        """True if an engine or chance has moved since the last call."""
        seen = self.seen if match is self.match else 0
        self.match, self.seen = match, len(match.turns)
        return any(
            turn.player < 0 or match.players[turn.player].spec != "human" for turn in match.turns[seen:]
        )


def progress_message(text: str, seconds: float, more: str = "") -> str:
    """The message while `text` is executed; `seconds`: its maximum duration."""
    slow = f": thinking, up to {seconds:.0f} s{more}"
    return text.strip() + (slow if seconds >= LONG else " ...")


def leave_warning(match: "MatchControl", interpreter: "Interpreter") -> str:
    """The message after the first Ctrl-C."""
    begun = any(turn.player >= 0 for turn in match.turns)
    return "press Ctrl-C again to leave" + (f"; {interpreter.after_leaving(match)}" if begun else "")


class PieceSelection:
    """The piece selected by typing or on the board, and the steps of an unfinished move."""

    def __init__(self, interpreter: "Interpreter", match: "MatchControl") -> None:
        self.interpreter = interpreter
        self.match = match

    def square(self, text: str = "") -> str:
        """The square of the piece that `text` begins to move, else of the selected one; or ""."""
        return self.interpreter.square(text, self.match) or self.interpreter.selected(self.match)

    def move(self, text: str) -> str:
        """The move that `text` names, or ""."""
        return self.interpreter.move(text, self.match)

    def continues(self, text: str) -> bool:
        """True if `text` completes a move of the selected piece, so that it selects no other piece."""
        return self.interpreter.continues(text, self.match)

    def open_promotion_question(self, moves: Sequence[int]) -> bool:
        """Ask for the promotion piece if these moves differ only in it; True if asked."""
        return self.interpreter.open_promotion_question(moves, self.match)

    def steps(self) -> list[tuple[str, str]]:
        """The steps of a move entered so far."""
        return self.interpreter.steps(self.match)

    def step(self, start: str, end: str) -> None:
        """Enter one more step of a move."""
        self.interpreter.set_steps([*self.steps(), (start, end)], self.match)

    def clear_steps(self) -> None:
        """Discard the steps that were entered."""
        self.interpreter.set_steps([], self.match)

    def select(self, square: str) -> bool:
        """Select the piece on a square; False if it cannot move. "" clears the selection."""
        if square and not self.interpreter.targets(square, self.match):
            return False
        self.interpreter.select(square, self.match)
        return True


@dataclass(eq=False)
class LineInput:
    """One line being edited, its meaning or error, and the cursor on the board.

    meaning: returns whether a text is valid, and its effect or error. match: None for input without a board.
    """

    screen: "Screen"
    match: "MatchControl | None"
    meaning: Callable[[str], tuple[bool, str]]
    completions: Callable[[str], list[str]]
    invitation: Callable[[], str]
    message: str = ""
    selection: PieceSelection | None = None

    def __post_init__(self) -> None:
        self.cursor: Cell | None = None
        self.error = ""
        self.buffer: Any = None
        self.leaving = ""  # message after the first Ctrl-C; "": one Ctrl-C leaves
        self.escape_command = ""  # answer to Escape without a selection; if set, < and > step through moves
        self.default_command: Callable[[], str] = str  # the command for Enter on an empty line; "": none
        self.type_ahead = ""  # the type-ahead, until it is changed
        self.entered = False  # the type-ahead ended with Enter
        self.start_time = 0.0
        self.confirm = False
        self.confirmed = ""  # the line whose confirmation was asked for
        self._show_steps()

    def _show_steps(self) -> None:
        """Show the steps of the next move entered so far."""
        if self.match is not None and self.selection is not None:
            self.screen.entered_steps = (len(self.match.turns), self.selection.steps())

    def run(self, history: Any, surprised: bool = False) -> str:
        """Return the line once it is valid, or the name of a move chosen on the picture.

        surprised: the pending text was typed before the latest moves were shown.
        """
        from prompt_toolkit.document import Document
        from prompt_toolkit.input.defaults import create_input
        from prompt_toolkit.input.typeahead import get_typeahead

        from gameplay.display.terminal import editing

        self.buffer = editing.empty_line(history, self.completions)
        keys = self.screen.keyboard
        keys.acquire()
        keys.begin_prompt()
        if surprised:
            keys.ahead.feed("".join(key.data for key in get_typeahead(create_input())))
            ahead = keys.read_ahead()
            self.type_ahead, self.entered = ahead.text, ahead.entered
            self.buffer.document = Document(ahead.text)
        else:
            unread_keys(keys.keys_read)
        self.start_time = time.monotonic()
        self.buffer.on_text_changed += lambda _: self.changed()
        clocked = self.match is not None and self.match.clock is not None
        ticking = self.screen.analysis is not None or self.screen.news is not None or clocked
        expired = self._is_expired if ticking else None
        answer = str(run_prompt(self.screen, self.frame, self._keys(), self.buffer, expired))
        if not answer and self.screen.news is not None:
            unread_keys(self.buffer.text)  # an event does not discard the text being typed
        return answer

    def changed(self) -> None:
        """The line was edited: clear its error and confirmation."""
        self.error = self.type_ahead = self.confirmed = ""

    def _is_expired(self) -> bool:
        """True if time ran out or an event arrived, which ends the input."""
        if self.screen.news is not None and self.screen.news():
            return True
        clock = self.match.clock if self.match is not None else None
        return clock is not None and bool(clock.fallen())

    def frame(self, width: int, height: int) -> tuple[list[str], tuple[int, int]]:
        """The lines of the terminal, and the row and column of the cursor."""
        from rich.cells import cell_len

        self.buffer.load_history_if_not_yet_loaded()
        above = self.picture(width, height)
        lines = above.split("\n") if above else []
        text, at = self.buffer.text, self.buffer.cursor_position
        room = max(1, width - len(PROMPT) - 1)
        first = max(0, at - room)  # a long line is scrolled
        below = visible(self.below()).splitlines()[: LINES_BELOW - self.screen.tight]
        lines = lines[: max(0, height - 1 - len(below))]
        place = len(lines), len(PROMPT) + cell_len(text[first:at])
        return [*lines, PROMPT + text[first : first + room], *below], place

    def picture(self, width: int, height: int) -> str:
        """The drawing above the line."""
        if self.match is None:
            return ""
        self.screen.update_analysis()
        board = self.screen.board()
        square = self.selection.square(self.buffer.text) if self.selection is not None else ""
        selected = board.find(square) if board is not None and square else None
        return self.screen.ansi(width, height, cursor=self.cursor, message=self.message, selected=selected)

    def below(self) -> str:
        """The text below the line."""
        width = max(20, self.screen.theme.console.size.width - 1)
        return "\n".join(textwrap.wrap(self.prompt_text(), width, max_lines=LINES_BELOW, placeholder=" ..."))

    def prompt_text(self) -> str:
        """The error of the line, or its effect, or a list of possible inputs."""
        text = self.error or self.meaning(self.buffer.text or self.cursor_word())[1]
        if not text:
            message = self.message if self.screen.tight and "\n" not in self.message else ""
            text = message or self.invitation()
        if self.type_ahead and not self.error:
            text = f"typed before your turn: {text}"
        return text

    def cursor_word(self) -> str:
        """On a card table: the card or the call under the cursor."""
        board = self.screen.board() if self.match is not None and self.cursor is not None else None
        if board is None or board.table is None or self.cursor not in board.moves:
            return ""
        return board.cell_name(self.cursor)

    def arrow(self, event: "KeyPressEvent", key: str, down: int, right: int) -> None:
        """Handle an arrow key: make its move in games with such moves, else move the cursor."""
        word = self.arrow_move(key)
        if word is None:
            self.move_cursor(down, right)
        elif word:
            event.app.exit(result=word)
        else:
            self.error = f"{key} is not a legal move here"

    def arrow_move(self, key: str) -> str | None:
        """The move of an arrow key, "" if it is illegal now; None if the game has no such moves."""
        board = self.screen.board() if self.match is not None and not self.match.over() else None
        if self.match is None or board is None or not board.arrows:
            return None
        return str(self.match.position.format(board.arrows[key])) if key in board.arrows else ""

    def move_cursor(self, down: int, right: int) -> None:
        """Move the cursor on the board to the next playable cell."""
        board = self.screen.board() if self.match is not None else None
        self.error = ""
        if board is not None:
            self.cursor = next_cell(
                structs.replace(board, moves=self._targets(board)), self.cursor, down, right
            )

    def _targets(self, board: "Board") -> "dict[Cell, tuple[int, ...]]":
        """The cells the cursor can reach: those with moves, or a selected piece and its targets."""
        square = self.selection.square() if self.selection is not None else ""
        cell = board.find(square) if square else None
        return dict(board.moves) if cell is None else {cell: (), **board.targets(cell)}

    def _enter_at_cursor(self) -> str | None:
        """Handle Enter at the cursor: return a move, or None after selecting or releasing a piece."""
        board = self.screen.board()
        assert self.match is not None and board is not None and self.cursor is not None
        moves = self._targets(board).get(self.cursor, ())
        if self.selection is not None and not moves:
            self.selection.select("")
        elif self.selection is not None and not self.selection.square():
            name = board.cell_name(self.cursor)
            if name and self.selection.select(name):
                return None
        words = [self.match.position.format(move) for move in moves]
        if len(words) == 1:
            return str(words[0])
        if self.selection is not None and board.steps and self.selection.square() and moves:
            self.selection.step(self.selection.square(), board.cell_name(self.cursor))
            self._show_steps()
            return None
        if self.selection is not None and self.selection.open_promotion_question(moves):
            return None  # the invitation lists the choices
        self.error = "type one of these: " + " ".join(words) if words else ""
        return None

    def enter(self) -> str | None:
        """Handle Enter: return the answer, or None with an `error` or a changed state."""
        text = self.buffer.text
        if self.type_ahead and time.monotonic() - self.start_time < SETTLE:
            self.entered = True  # typed before the turn began
            return None
        if not text.strip() and self.screen.pages:
            self.screen.page += 1
            if self.screen.page == self.screen.pages:
                self.message, self.screen.page = "", 0
            return None
        if not text.strip() and self.cursor is not None:
            word = self._enter_at_cursor()
            return word if word is None or not self._needs_confirmation(word) else None
        if not text.strip() and (command := self.default_command()):
            return command
        valid, meaning = self.meaning(text)
        if (
            valid
            and self.selection is not None
            and not self.selection.continues(text)
            and self.selection.square(text) == text.strip().lower() != self.selection.square()
        ):
            self.selection.select(text.strip().lower())
            self.buffer.reset()
            return None
        if valid and text.strip() and self._needs_confirmation(text):
            return None
        if valid and text.strip():
            self.buffer.append_to_history()
            return str(text)
        self.error = meaning or self.invitation()
        return None

    def _needs_confirmation(self, text: str) -> bool:
        """True, with a request in `error`, if a move needs a second Enter and this was the first."""
        move = self.selection.move(text) if self.confirm and self.selection is not None else ""
        if not move or text == self.confirmed:
            return False
        if self.buffer.text != text:
            self.buffer.text = text
            self.buffer.cursor_position = len(text)
        self.confirmed, self.error = text, f"play {move}? Enter plays it, Escape does not"
        return True

    def release_piece(self) -> str:
        """Handle Escape: clear the line and the selection; if both were empty, return `escape_command`."""
        selected = self.selection is not None and bool(self.selection.square() or self.selection.steps())
        out = "" if selected or self.buffer.text or self.error else self.escape_command
        self.buffer.reset()
        self.error = self.confirmed = ""
        if self.selection is not None:
            if not self.selection.square():
                self.selection.clear_steps()
                self._show_steps()
            self.selection.select("")
        return out

    def replaces_line(self) -> bool:
        """True if the next character replaces the line: it is invalid, or was typed before the turn."""
        obsolete = bool(self.error) or bool(self.type_ahead and self.entered)
        return obsolete and self.buffer.cursor_position == len(self.buffer.text)

    def _keys(self) -> Any:
        from prompt_toolkit.filters import Condition

        from gameplay.display.terminal import editing

        buffer = self.buffer
        keys = editing.bindings(buffer, self.replaces_line)
        empty = Condition(lambda: not buffer.text)
        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            keys.add(key, filter=empty)(
                lambda event, key=key, down=down, right=right: self.arrow(event, key, down, right)
            )
        keys.add("c-d", filter=empty)(lambda event: event.app.exit(result="quit"))
        trying = Condition(lambda: bool(self.escape_command) and not buffer.text)
        for key, word in STEPS.items():
            keys.add(key, filter=trying)(lambda event, word=word: event.app.exit(result=word))

        if self.match is not None and not self.escape_command:
            keys.add(PANEL_KEY, filter=empty)(lambda event: event.app.exit(result="panel"))
        if self.match is not None and isinstance(self.match.position, HasTricks):
            keys.add(TRICK_KEY, filter=empty)(lambda event: event.app.exit(result="trick"))

        @keys.add("escape", eager=True)
        def _(event: "KeyPressEvent") -> None:
            if out := self.release_piece():
                event.app.exit(result=out)

        @keys.add("enter")
        def _(event: "KeyPressEvent") -> None:
            answer = self.enter()
            if answer is not None:
                event.app.exit(result=answer)

        @keys.add("c-c")
        def _(event: "KeyPressEvent") -> None:
            if not self.leaving or self.error == self.leaving:
                event.app.exit(exception=KeyboardInterrupt())
            buffer.reset()
            self.error = self.leaving

        keys.add("<sigint>")(lambda event: event.app.exit(exception=KeyboardInterrupt()))
        return keys


def unread_keys(keys: str) -> None:
    """Return keys to the input of the next prompt, after its own unread keys."""
    from prompt_toolkit.input.defaults import create_input
    from prompt_toolkit.input.typeahead import store_typeahead
    from prompt_toolkit.input.vt100_parser import Vt100Parser

    pressed: list[Any] = []
    parser = Vt100Parser(pressed.append)
    parser.feed_and_flush(keys.replace("\n", "\r"))  # between two questions the terminal turns Enter into \n
    store_typeahead(create_input(), pressed)


def run_prompt(
    screen: "Screen", frame: Frame, keys: Any, buffer: Any = None, expired: Callable[[], bool] | None = None
) -> Any:
    """Show a frame in place after each key until one of `keys` ends the prompt; returns its result.

    expired: called every TICK seconds with a redraw; ends the prompt with "" once true.
    prompt-toolkit reads and edits; the screen's canvas draws.
    """
    from prompt_toolkit.application import Application
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
    from prompt_toolkit.output import DummyOutput
    from prompt_toolkit.renderer import Renderer

    class CanvasRenderer(Renderer):
        """Delegates all drawing to the screen."""

        def render(self, app: Any, layout: Any, is_done: bool = False) -> None:
            if not is_done:
                screen.keyboard.save_modes()
                size = screen.theme.console.size
                screen.paint(*frame(size.width, size.height))

        def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:
            self._last_screen = None

        def erase(self, leave_alternate_screen: bool = True) -> None: ...

        def clear(self) -> None:
            screen.canvas.redraw()

        def request_absolute_cursor_position(self) -> None: ...

    shown = FormattedTextControl("", focusable=True) if buffer is None else BufferControl(buffer)
    keys.add("c-z")(lambda event: screen.keyboard.suspend())
    application: Any = Application(layout=Layout(Window(shown)), key_bindings=keys, output=DummyOutput())
    application.renderer = CanvasRenderer(application.renderer.style, application.output)

    def tick(app: Any) -> None:
        if expired is not None and expired() and app.is_running and not app.is_done:
            app.exit(result="")

    if expired is not None:
        application.refresh_interval = TICK
        application.before_render += tick
    screen.keyboard.acquire()
    screen.keyboard.begin_prompt()
    screen.canvas.send(PASTE)
    try:
        return application.run()
    finally:
        screen.canvas.send(NO_PASTE)
        screen.keyboard.end_prompt()


def start_clock(match: "MatchControl") -> None:
    """Start the clock of the player on turn, who sees the game now."""
    if match.clock is not None:
        match.clock.start(match.turn)


def handover_message(match: "MatchControl") -> str:
    """The instruction shown before the next of several human players sees the game."""
    side, name = match.side(match.turn), match.players[match.turn].display_name
    player = f"{name} ({side})" if name else side
    return f"Pass the keyboard to {player}. {name or side}: press Enter to see the game"


def _wait_for_player(screen: "Screen", message: str) -> None:
    """Show nothing but `message` until the user presses Enter. Raises KeyboardInterrupt.

    Clears the screen and the scrollback first, and discards the keys typed so far.
    """
    from prompt_toolkit.input.defaults import create_input
    from prompt_toolkit.input.typeahead import get_typeahead
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()
    keys.add("enter")(lambda event: event.app.exit())
    for name in ("c-c", "<sigint>", "c-d"):
        keys.add(name, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    screen.keyboard.acquire()
    if screen.holder is not None:
        screen.canvas.clear_scrollback()
    get_typeahead(create_input())
    screen.keyboard.read_ahead()
    message = visible(message)
    run_prompt(screen, lambda width, height: (textwrap.wrap(message, max(8, width - 1)), None), keys)
