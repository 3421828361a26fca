"""Input of a human player: lines from a pipe or screen reader, and the prompt at a terminal.

prompt-toolkit is imported when the first prompt is shown.
"""

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from gameplay.display.terminal import keyboard, panel
from gameplay.display.terminal.line_input import LineInput, PieceSelection
from gameplay.display.terminal.prompt_loop import run_prompt
from gameplay.errors import Unfinished
from gameplay.plural import plural
from gameplay.visible import visible

if TYPE_CHECKING:
    from gameplay.display.terminal.line import PlainOutput
    from gameplay.display.terminal.screen import Screen
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import MatchControl

LONG = 2.0  # seconds; longer commands are announced with their duration


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

    def _run(self, entry: LineInput, surprised: bool) -> str:
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
