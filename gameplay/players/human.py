"""A human, and the prompt at a terminal where he types or points at the board.

All of prompt-toolkit is here, loaded when the first prompt is needed.
"""

import textwrap
from collections.abc import Callable
from typing import Any, Protocol

from gameplay.players.player import Choice
from gameplay.players.words import Words

PROMPT = "> "


class Desk(Protocol):
    """Where a human reads and writes."""

    def read(self, match: Any, words: Words) -> str:
        """One line of what the human wants. Raises KeyboardInterrupt, or Unfinished when there is no more."""
        ...

    def say(self, text: str) -> None:
        """Tell the human something, before the next `read` at the latest."""
        ...


class Human:
    """Chooses what somebody at a desk types."""

    spec = "human"
    name = "human"

    def __init__(self, desk: Desk, words: Words) -> None:
        self.desk = desk
        self.words = words

    def choose(self, match: Any) -> Choice | None:
        """Ask until there is a legal move, or until a word has changed the match."""
        while True:
            answer = self.words.obey(self.desk.read(match, self.words), match)
            if answer.text:
                self.desk.say(answer.text)
            if answer.done or answer.choice is not None:
                return answer.choice


class Prompt:
    """A line to type in below the picture of the game.

    With an empty line the arrow keys move a cursor on the board and Enter plays there; Tab completes,
    Ctrl-P and Ctrl-N go through what was typed before, Ctrl-C leaves.
    """

    def __init__(self, screen: Any) -> None:
        self.screen = screen
        self.message = ""
        self.history: Any = None

    def say(self, text: str) -> None:
        """Shown in the next picture."""
        self.message = text

    def read(self, match: Any, words: Words) -> str:
        """Draw the game, wait for a line that makes sense, leave the game drawn while it is obeyed."""
        self.screen.close()
        self.screen.picture(
            80, 24
        )  # what a game does wrong when it is drawn is found here, not at the prompt
        text = self.ask(
            lambda cursor, width, height: str(self.screen.ansi(width, height, cursor, self.message)),
            lambda text: words.meaning(text, match),
            lambda text: words.completions(text, match),
            words.invitation(match) + ("; arrows point" if self.screen.board() is not None else ""),
            match,
        )
        self.screen.hold(f"{text.strip()} ...")
        return text

    def question(self, draw: Callable[[Any, int, int], str], choices: dict[str, str]) -> str:
        """One of `choices` (word: what it does), typed in full or by its beginning."""

        def fitting(text: str) -> list[str]:
            return [word for word in choices if word.startswith(text.strip().lower())]

        def meaning(text: str) -> tuple[bool, str]:
            if not text.strip():
                return True, ""
            found = fitting(text)
            listed = ", ".join(choices)
            return (True, f"{found[0]}: {choices[found[0]]}") if found else (False, f"one of: {listed}")

        text = self.ask(draw, meaning, fitting, "  ".join(f"{k}: {v}" for k, v in choices.items()), None)
        return fitting(text)[0]

    def ask(
        self,
        draw: Callable[[Any, int, int], str],
        meaning: Callable[[str], tuple[bool, str]],
        completions: Callable[[str], list[str]],
        invitation: str,
        match: Any,
    ) -> str:
        """The line that somebody typed, once it makes sense; the name of a move if he pointed at it."""
        from prompt_toolkit.application import Application
        from prompt_toolkit.application.current import get_app
        from prompt_toolkit.buffer import Buffer
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.formatted_text import ANSI
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.layout import HSplit, Layout, VSplit, Window
        from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
        from prompt_toolkit.output import ColorDepth

        self.history = self.history or InMemoryHistory()
        cursor: Any = None
        complaint = ""

        class Fitting(Completer):
            def get_completions(self, document: Any, complete_event: Any) -> Any:
                typed = document.text_before_cursor
                for word in completions(typed):
                    yield Completion(word, start_position=-len(typed))

        buffer = Buffer(multiline=False, history=self.history, completer=Fitting())
        keys = KeyBindings()
        empty = Condition(lambda: not buffer.text)

        def picture() -> Any:
            size = get_app().output.get_size()
            return ANSI(draw(cursor, size.columns, size.rows).rstrip("\n"))

        def below() -> str:
            width = get_app().output.get_size().columns
            words = complaint or meaning(buffer.text)[1] or invitation
            return "\n".join(textwrap.wrap(words, max(20, width - 1)))

        def steer(down: int, right: int) -> Callable[[Any], None]:
            def move(event: Any) -> None:
                nonlocal cursor
                board = self.screen.board() if match is not None else None
                if board is not None:
                    from gameplay.display.board import toward

                    cursor = toward(board, cursor, down, right)

            return move

        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            keys.add(key, filter=empty)(steer(down, right))

        @keys.add("enter")
        def _(event: Any) -> None:
            nonlocal complaint
            text = buffer.text
            if not text.strip() and cursor is not None:
                moves = self.screen.board().moves.get(cursor, ())
                if len(moves) == 1:
                    event.app.exit(result=match.position.format(moves[0]))
                else:
                    complaint = "here: " + " ".join(match.position.format(move) for move in moves)
                return
            fine, complaint = meaning(text)
            if fine and text.strip():
                buffer.append_to_history()
                event.app.exit(result=text)
            elif fine:
                complaint = invitation

        @keys.add("tab")
        def _(event: Any) -> None:
            if buffer.complete_state:
                buffer.complete_next()
            else:
                buffer.start_completion(select_first=True)

        @keys.add("c-p")
        def _(event: Any) -> None:
            buffer.history_backward()

        @keys.add("c-n")
        def _(event: Any) -> None:
            buffer.history_forward()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: Any) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        @keys.add("c-d", filter=empty)
        def _(event: Any) -> None:
            event.app.exit(result="quit")

        def typed(_: Any) -> None:
            nonlocal complaint
            complaint = ""

        buffer.on_text_changed += typed
        colour = self.screen.theme.colour
        app: Application[str] = Application(
            layout=Layout(
                HSplit(
                    [
                        Window(FormattedTextControl(picture), dont_extend_height=True),
                        VSplit(
                            [
                                Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1),
                                Window(BufferControl(buffer), height=1),
                            ]
                        ),
                        Window(FormattedTextControl(below), height=2, wrap_lines=True),
                    ]
                )
            ),
            key_bindings=keys,
            erase_when_done=True,
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
        )
        result = app.run()
        self.message = ""
        return result


def browse(screen: Any, last: int, go: Callable[[int], str]) -> None:
    """Step through a game with keys. `go(ply)` moves it to a ply from 0 to `last` and says where it is."""
    from prompt_toolkit.application import Application
    from prompt_toolkit.application.current import get_app
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.layout import HSplit, Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.output import ColorDepth

    ply, where = 0, go(0)
    keys = KeyBindings()

    def picture() -> Any:
        size = get_app().output.get_size()
        return ANSI(screen.ansi(size.columns, size.rows, message=where).rstrip("\n"))

    def to(target: Callable[[], int]) -> Callable[[Any], None]:
        def move(event: Any) -> None:
            nonlocal ply, where
            ply = max(0, min(last, target()))
            where = go(ply)

        return move

    steps: tuple[tuple[tuple[str, ...], Callable[[], int]], ...] = (
        (("right", "down", "space", "enter", "n"), lambda: ply + 1),
        (("left", "up", "backspace", "p"), lambda: ply - 1),
        (("home", "g"), lambda: 0),
        (("end", "G"), lambda: last),
    )
    for names, target in steps:
        for name in names:
            keys.add(name)(to(target))
    for name in ("q", "escape", "c-c", "<sigint>", "c-d"):
        keys.add(name, eager=True)(lambda event: event.app.exit())
    hint = "right: forward   left: back   home, end   q: leave"
    app: Application[None] = Application(
        layout=Layout(
            HSplit(
                [
                    Window(FormattedTextControl(picture, focusable=True), dont_extend_height=True),
                    Window(FormattedTextControl(hint), height=1),
                ]
            )
        ),
        key_bindings=keys,
        color_depth=None if screen.theme.colour else ColorDepth.DEPTH_1_BIT,
        include_default_pygments_style=False,
    )
    app.run()
