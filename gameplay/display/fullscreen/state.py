"""The state of the full screen, which its panes, keys and mouse read and change."""

from typing import TYPE_CHECKING, Any

from gameplay.display.terminal.screen import Screen

if TYPE_CHECKING:
    from gameplay.display.terminal.line_input import LineInput
    from gameplay.display.theme import Theme
    from gameplay.players.interpreter import Interpreter


class Browsing:
    """A page of text or an earlier position that is shown instead of the current one."""

    def __init__(self) -> None:
        self.page: list[str] = []  # its lines
        self.first: int | None = None  # its first visible line; None without a page
        self.viewed_ply: int | None = None  # of the earlier position in view; None: the current position
        self.list_length = 0  # lines of the list of moves
        self.scrolled = 0  # lines by which it is scrolled up

    def open(self, text: str) -> None:
        """Show a page of text."""
        self.page, self.first = text.splitlines(), 0

    def back(self) -> None:
        """Return to the current position."""
        self.first, self.viewed_ply, self.scrolled = None, None, 0

    def scroll(self, down: int) -> None:
        """Scroll the page or the list of moves by `down` lines."""
        if self.first is not None:
            self.first = max(0, min(len(self.page) - 1, self.first + down))
        else:
            self.scrolled = max(0, min(self.list_length - 1, self.scrolled - down))


class FullScreenState(Screen):
    """The game on the screen, the pending prompt and the line being typed."""

    def __init__(self, theme: "Theme", viewer: int | None = None) -> None:
        super().__init__(theme, viewer)
        self.app: Any = None  # prompt-toolkit's application, while the screen is open
        self.buffer: Any = None  # the line being typed
        self.failure: BaseException | None = None  # raised by the event loop's caller
        self.pending_answer: Any = None  # a future with the user's answer; None: no prompt
        self.entry: LineInput | None = None
        self.interpreter: Interpreter | None = None  # interprets the answers
        self.handover = ""  # the instruction shown alone while the keyboard is passed on
        self.notice = ""  # the last message
        self.interrupted = False  # Ctrl-C: the search should end
        self.lines: list[str] = []  # entered while no prompt was pending
        self.choices: list[str] = []  # moves to choose from after an ambiguous click
        self.armed = ""  # the command whose button was pressed once
        self.browsing = Browsing()

    def answer(self, answer: str) -> None:
        """Resolve the pending prompt with `answer`."""
        if self.pending_answer is not None and not self.pending_answer.done():
            self.pending_answer.set_result(answer)
            self.buffer.reset()  # further keys begin a new line

    def on_error(self, error: BaseException | None) -> None:
        """Store an error of the event loop and end the pending prompt, which raises it."""
        self.failure = self.failure or error
        self.answer("")

    def look_at(self, plies: int) -> None:
        """Show the position after `plies` moves; not available while information is hidden."""
        if not self.match.secrets:
            self.browsing.viewed_ply = plies if 0 <= plies < len(self.match.turns) else None
        elif self.entry is not None:
            self.entry.error = "earlier positions of an imperfect-information game are shown once it is over"

    def look_by(self, plies: int) -> None:
        """View the position `plies` moves later, or earlier if negative."""
        viewed_ply = self.browsing.viewed_ply
        self.look_at(max(0, (len(self.match.turns) if viewed_ply is None else viewed_ply) + plies))
