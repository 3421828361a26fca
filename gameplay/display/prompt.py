"""Where a human reads and writes: lines of a pipe or a screen reader, and the prompt at a terminal.

All of prompt-toolkit is here, loaded when the first prompt is needed.
"""

import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from gameplay.display.board import toward
from gameplay.errors import Unfinished

if TYPE_CHECKING:
    from gameplay.display.line import Teller
    from gameplay.display.screen import Screen
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import Conducted

PROMPT = "> "
TICK = 0.2  # seconds between two looks at a running clock


class Lines:
    """A desk of lines. `teller` shows the position before each question; `ask` is written before reading."""

    def __init__(self, source: TextIO, teller: "Teller", ask: str = "") -> None:
        self.source = source
        self.teller = teller
        self.ask = ask

    def read(self, match: "Conducted", interpreter: "Interpreter") -> str:
        """The next line that is not empty. Raises Unfinished where the input ends."""
        if self.ask and self.teller.covered(match.seat):
            self.teller.cover(_pass(match))
            self.source.readline()
            _begin(match)
        self.teller.holder = match.seat
        self.teller.turn(match)
        while True:
            self.teller.prompt(self.ask)
            line = self.source.readline()
            if not line:
                made = len(match.turns)
                raise Unfinished(
                    f"the input ended after {made} move{'' if made == 1 else 's'}, before the game did"
                )
            if line.strip():
                return line

    def say(self, text: str) -> None:
        """Write it, line by line."""
        self.teller.write(text)


class Prompt:
    """A line to type in below the picture of the game.

    With an empty line the arrow keys move a cursor on the board and Enter plays there; Tab completes,
    Ctrl-P and Ctrl-N go through what was typed before, Ctrl-C leaves.
    """

    def __init__(self, screen: "Screen") -> None:
        self.screen = screen
        self.message = ""
        self.history: Any = None

    def say(self, text: str) -> None:
        """Shown in the next picture."""
        self.message = text

    def read(self, match: "Conducted", interpreter: "Interpreter") -> str:
        """Draw the game, wait for a line that makes sense, leave the game drawn while it is obeyed."""
        self.screen.close()
        if self.screen.covered(match.seat):
            _wait(self.screen, _pass(match))
            _begin(match)
        self.screen.holder = match.seat
        self.screen.picture(80, 24)  # what a game does wrong when it is drawn comes out here
        pointing = "; arrows point" if self.screen.board() is not None and not match.over() else ""
        entry = Entry(
            self.screen,
            match,
            lambda text: interpreter.meaning(text, match),
            lambda text: interpreter.completions(text, match),
            lambda: interpreter.invitation(match) + pointing,
            self.message,
            Hand(interpreter, match),
        )
        text = self._run(entry)
        self.message = ""
        self.screen.hold(f"{text.strip()} ...")
        return text

    def _run(self, entry: "Entry") -> str:
        from prompt_toolkit.history import InMemoryHistory

        self.history = self.history or InMemoryHistory()
        return entry.run(self.history)


class Hand:
    """Takes a piece and puts it down: what is selected, as typed or in the picture."""

    def __init__(self, interpreter: "Interpreter", match: "Conducted") -> None:
        self.interpreter = interpreter
        self.match = match

    def holds(self, text: str = "") -> str:
        """The square of the piece that `text` begins to move, else of the one that is selected."""
        return self.interpreter.square(text, self.match) or self.interpreter.selected(self.match)

    def take(self, square: str) -> bool:
        """Select the piece on a square, if it can move. An empty string puts down what is held."""
        if square and not self.interpreter.targets(square, self.match):
            return False
        self.interpreter.select(square, self.match)
        return True


class Entry:
    """One line while it is typed: what it would mean, what is wrong with it, where the cursor points.

    `meaning` tells whether a text makes sense, and what it would do or what is wrong. Without a `match`
    there is no picture and nothing to point at.
    """

    def __init__(
        self,
        screen: "Screen",
        match: "Conducted | None",
        meaning: Callable[[str], tuple[bool, str]],
        completions: Callable[[str], list[str]],
        invitation: Callable[[], str],
        message: str = "",
        hand: Hand | None = None,
    ) -> None:
        self.screen = screen
        self.match = match
        self.meaning = meaning
        self.completions = completions
        self.invitation = invitation
        self.message = message
        self.hand = hand
        self.cursor: Any = None
        self.complaint = ""
        self.buffer: Any = None

    def run(self, history: Any) -> str:
        """The line, once it makes sense; the name of a move if somebody pointed at it."""
        from prompt_toolkit.buffer import Buffer
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.layout import VSplit, Window
        from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

        completions = self.completions

        class Fitting(Completer):
            def get_completions(self, document: Any, complete_event: Any) -> Any:
                typed = document.text_before_cursor
                for text in completions(typed):
                    yield Completion(text, start_position=-len(typed))

        def typed(_: Any) -> None:
            self.complaint = ""

        self.buffer = Buffer(multiline=False, history=history, completer=Fitting())
        self.buffer.on_text_changed += typed
        line = VSplit(
            [
                Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1),
                Window(BufferControl(self.buffer), height=1),
            ]
        )
        below = Window(FormattedTextControl(self.below), height=2, wrap_lines=True)
        app = _application(self.screen, self.picture, [line, below], self._keys(), erase=True)
        if self.match is not None and self.match.clock is not None:
            app.refresh_interval = TICK
            app.before_render += self._late
        return str(app.run())

    def _late(self, app: Any) -> None:
        """Before each picture: nobody goes on typing when their time is up."""
        assert self.match is not None and self.match.clock is not None
        if self.match.clock.fallen() and app.is_running and not app.is_done:
            app.exit(result="")

    def picture(self, width: int, height: int) -> str:
        """What stands above the line."""
        if self.match is None:
            return ""
        board = self.screen.board()
        square = self.hand.holds(self.buffer.text) if self.hand is not None else ""
        selected = board.find(square) if board is not None and square else None
        return str(self.screen.ansi(width, height, self.cursor, self.message, selected))

    def below(self) -> str:
        """What stands below it: what is wrong, or what it would do, or what can be typed."""
        width = self.screen.theme.console.size.width
        text = self.complaint or self.meaning(self.buffer.text)[1] or self.invitation()
        return "\n".join(textwrap.wrap(text, max(20, width - 1)))

    def steer(self, down: int, right: int) -> None:
        """Move the cursor on the board to the next cell that can be played."""
        board = self.screen.board() if self.match is not None else None
        if board is not None:
            self.cursor = toward(replace(board, moves=self._pointed(board)), self.cursor, down, right)

    def _pointed(self, board: Any) -> dict[Any, tuple[int, ...]]:
        """What can be pointed at: cells with moves; where a piece is selected, that and where it can go."""
        square = self.hand.holds() if self.hand is not None else ""
        cell = board.find(square) if square else None
        return dict(board.moves) if cell is None else {cell: (), **board.targets(cell)}

    def _point(self) -> str | None:
        """Enter at the cursor: a move, or a piece is taken or put down."""
        assert self.match is not None
        board = self.screen.board()
        moves = self._pointed(board).get(self.cursor, ())
        if self.hand is not None and not moves:
            self.hand.take("")
        elif self.hand is not None and not self.hand.holds() and self.hand.take(board.called(self.cursor)):
            return None
        words = [self.match.position.format(move) for move in moves]
        if len(words) == 1:
            return str(words[0])
        self.complaint = "here: " + " ".join(words) if words else ""
        return None

    def enter(self) -> str | None:
        """What Enter makes of the line: the answer, or None and a complaint."""
        text = self.buffer.text
        if not text.strip() and self.cursor is not None:
            return self._point()
        fine, about = self.meaning(text)
        if (
            fine
            and self.hand is not None
            and self.hand.holds(text) == text.strip().lower() != self.hand.holds()
        ):
            self.hand.take(text.strip().lower())
            self.buffer.reset()
            return None
        if fine and text.strip():
            self.buffer.append_to_history()
            return str(text)
        self.complaint = about or self.invitation()
        return None

    def let_go(self) -> None:
        """Escape: an empty line, and nothing is selected."""
        self.buffer.reset()
        self.complaint = ""
        if self.hand is not None:
            self.hand.take("")

    def refused(self) -> bool:
        """Whether the line was wrong and nobody has begun to mend it: what is typed next takes its place."""
        return bool(self.complaint) and self.buffer.cursor_position == len(self.buffer.text)

    def _keys(self) -> Any:
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        buffer = self.buffer
        empty = Condition(lambda: not buffer.text)
        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            keys.add(key, filter=empty)(lambda event, down=down, right=right: self.steer(down, right))
        keys.add("c-p")(lambda event: buffer.history_backward())
        keys.add("c-n")(lambda event: buffer.history_forward())
        keys.add("escape", eager=True)(lambda event: self.let_go())
        keys.add("c-d", filter=empty)(lambda event: event.app.exit(result="quit"))

        @keys.add("enter")
        def _(event: Any) -> None:
            answer = self.enter()
            if answer is not None:
                event.app.exit(result=answer)

        @keys.add("<any>", filter=Condition(lambda: self.refused()))
        def _(event: Any) -> None:
            buffer.reset()
            buffer.insert_text(event.data)

        @keys.add("tab")
        def _(event: Any) -> None:
            if buffer.complete_state:
                buffer.complete_next()
            else:
                buffer.start_completion(select_first=True)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: Any) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        return keys


def _application(
    screen: "Screen", picture: Callable[[int, int], str], below: list[Any], keys: Any, erase: bool
) -> Any:
    """A picture and what stands below it, on the terminal, until a key ends it."""
    from prompt_toolkit.application import Application
    from prompt_toolkit.application.current import get_app
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.layout import HSplit, Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.output import ColorDepth

    def drawn() -> Any:
        size = get_app().output.get_size()
        return ANSI(picture(size.columns, size.rows).rstrip("\n"))

    return Application(
        layout=Layout(HSplit([Window(FormattedTextControl(drawn), dont_extend_height=True), *below])),
        key_bindings=keys,
        erase_when_done=erase,
        color_depth=None if screen.theme.colour else ColorDepth.DEPTH_1_BIT,
        include_default_pygments_style=False,
    )


def _begin(match: "Conducted") -> None:
    """Time runs from when the person on turn sees the game."""
    if match.clock is not None:
        match.clock.start(match.turn)


def _pass(match: "Conducted") -> str:
    """What to do before the next one of several people may look."""
    side = match.side(match.turn)
    return f"{side} is to move: pass the keyboard; {side}, press Enter to see the game"


def _wait(screen: "Screen", message: str) -> None:
    """Show nothing but `message` until somebody presses Enter. Raises KeyboardInterrupt."""
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.layout import Window
    from prompt_toolkit.layout.controls import FormattedTextControl

    keys = KeyBindings()
    keys.add("enter")(lambda event: event.app.exit())
    for name in ("c-c", "<sigint>", "c-d"):
        keys.add(name, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    line = Window(FormattedTextControl(message, focusable=True), wrap_lines=True, dont_extend_height=True)
    _application(screen, lambda width, height: "", [line], keys, erase=True).run()
