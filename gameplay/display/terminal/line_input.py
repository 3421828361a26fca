"""The input line below the drawn game: editing, selection of pieces, and the cursor on the board."""

import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gameplay.capabilities import HasTricks
from gameplay.display.board.pointing import next_cell
from gameplay.display.terminal.prompt_loop import run_prompt, unread_keys
from gameplay.display.terminal.screen import PROMPT
from gameplay.visible import visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

    from gameplay.board import Board, Cell
    from gameplay.display.terminal.screen import Screen
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import MatchControl

SETTLE = 0.4  # seconds after the start of a turn in which Enter still counts as type-ahead
PANEL_KEY = "f6"  # changes the detail of the search panel
TRICK_KEY = "f7"  # shows the last trick
STEPS = {"<": "undo", ">": "redo"}  # keys in analysis mode
LINES_BELOW = 2  # maximum lines below the input line


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
        return clock is not None and bool(clock.flag_fallen())

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
