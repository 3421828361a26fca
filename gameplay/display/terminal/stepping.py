"""Steps through a search on a terminal: its lines, the board, and the path to the node with its windows.

Lines after the cursor are faint. All lines are kept in memory, so a search that reports more than MAX_LINES
ends there.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.reports.trace import TraceLines, leaf_lines
from gameplay.display.terminal.canvas import BOLD, DIM, REVERSED, apply_style
from gameplay.display.terminal.prompt_loop import run_prompt
from gameplay.plural import plural
from gameplay.tracing.leaves import LeafCount
from gameplay.tracing.proving import pair
from gameplay.tracing.pseudocode import CodePointer
from gameplay.tracing.replay import replay_steps
from gameplay.tracing.trace import TraceStep, format_traced
from gameplay.visible import one_line, visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

    from gameplay.display.terminal.screen import Screen
    from gameplay.position import AbstractPosition
    from gameplay.tracing.pseudocode import Pseudocode

MAX_LINES = 50_000
ENTERING_STEPS = ("enter", "select", "expand")  # lead to a position, if they have a move
MIN_SIDE_WIDTH = 66  # columns from which the board is drawn beside the lines
MIN_FULL_HEIGHT = 12  # lines; smaller screens shorten texts in favour of the trace
MIN_TRACE_WIDTH = 54  # columns for the trace beside the pseudocode
MAX_WINDOWS = 4  # nodes whose windows are shown below the lines
MIN_TRACE_LINES = 10  # lines of the trace above a board drawn below them
KEYS = "space: step  b: back  c: next cut  C: cut before  Enter: collapse  /: find  g: go to node  q: leave"
CODE_KEY = "  s: code"
SEARCH_HELP = "a word of a line, or the moves from the root; Enter: find, Esc: cancel"


class TooManyLines(Exception):
    """The search has reported MAX_LINES lines."""


@dataclass(slots=True)
class TraceRow:
    """A line of the trace with its step."""

    text: str
    step: TraceStep
    code: int | None = None  # the line of the pseudocode that it executes, from 0


class TraceRows:
    """Called with each step: stores its lines. Raises TooManyLines."""

    def __init__(self, unit: int, code: "Pseudocode | None" = None) -> None:
        self.rows: list[TraceRow] = []
        self.lines = TraceLines(self._line, unit, None if code is None else CodePointer(code))
        self.count = LeafCount()

    def __call__(self, step: TraceStep) -> None:
        self.lines(step)
        self.count(step)
        if len(self.rows) >= MAX_LINES:
            raise TooManyLines

    def close(self) -> None:
        """End of the search: store pending lines, and the count of leaves."""
        self.lines.close()
        self.count.close()
        self.lines.code = None
        for text in leaf_lines(self.count):
            if text:
                self._line(text)

    def _line(self, text: str) -> None:
        about = self.lines.about
        assert about is not None
        self.rows.append(TraceRow(one_line(text.rstrip("\n")), about, self.lines.code))


class TraceStepper:
    """Steps through `rows`. position: the root, used only here. graph: the rows are those of astar.

    code: shown with its current line if the terminal is wide enough, or after the key `s`.
    """

    def __init__(
        self,
        screen: "Screen",
        title: str,
        rows: list[TraceRow],
        position: "AbstractPosition",
        graph: bool,
        code: "Pseudocode | None" = None,
    ) -> None:
        self.screen = screen
        self.title = one_line(title)
        self.rows = rows
        self.position = position
        self.graph = graph
        self.code = code
        self.code_shown: bool | None = None  # None: shown if it fits beside the lines
        self.found_at: dict[int, list[int]] = {}  # in a graph: the lines that find a path to a node
        for number, row in enumerate(rows if graph else ()):
            if row.step.what == "generate" and row.step.why != "dearer":
                self.found_at.setdefault(row.step.node, []).append(number)
        self.has_windows = any(row.step.what == "window" for row in rows)
        self.at = 0
        self.folded: set[int] = set()  # rows whose nodes are collapsed
        self.shown = list(range(len(rows)))
        self.typing = ""  # "/" or "g" and the text typed after it
        self.search_text = ""
        self.error = ""

    def run(self) -> None:
        """Run until the user leaves."""
        try:
            run_prompt(self.screen, self.frame, self._keys())
        finally:
            self.screen.close()

    # -- moving ------------------------------------------------------------------------------------

    def step(self, lines: int) -> None:
        """Move by `lines` of the shown lines."""
        place = self._cursor_index() + lines
        self.at = self.shown[max(0, min(len(self.shown) - 1, place))]

    def _cursor_index(self) -> int:
        """The index of the cursor in the shown lines."""
        return next((n for n, row in enumerate(self.shown) if row >= self.at), len(self.shown) - 1)

    def seek(self, direction: int, wanted: Callable[[int], bool], what: str) -> None:
        """Go to the next line for which `wanted` is true, collapsed or not; sets `error` if there is none."""
        number = self.at + direction
        while 0 <= number < len(self.rows) and not wanted(number):
            number += direction
        if 0 <= number < len(self.rows):
            self.go_to(number)
        else:
            self.error = f"there is no {what} {'from here on' if direction > 0 else 'before this'}"

    def go_to(self, number: int) -> None:
        """Go to a line, expanding the nodes that hide it."""
        self.at = number
        if number not in self.shown:
            self.folded = {row for row in self.folded if not row < number <= self._last_line(row)}
            self._update_shown()

    def is_cut(self, number: int) -> bool:
        """True for a cut."""
        return self.rows[number].step.what == "cut"

    def toggle_fold(self) -> None:
        """Collapse or expand the node of the line."""
        step, number = self.rows[self.at].step, self.at
        while number and not (self._enters_node(number) and self._enters_node_of(number, step)):
            number -= 1
        if number in self.folded:
            self.folded.discard(number)
        elif self._last_line(number) > number:
            self.folded.add(number)
        self.at = number
        self._update_shown()

    def _enters_node(self, number: int) -> bool:
        return self.rows[number].step.what in (*ENTERING_STEPS, "simulation", "threshold")

    def _enters_node_of(self, number: int, step: TraceStep) -> bool:
        """True if a line enters the node of a step, or the parent of a generated move."""
        entered = self.rows[number].step
        above = not self.graph and step.what == "generate" and entered.level < step.level
        return entered.node == step.node or above

    def _last_line(self, number: int) -> int:
        """The last line of the subtree of a line."""
        level, end = self.rows[number].step.level, number
        while end + 1 < len(self.rows):
            below = self.rows[end + 1].step
            if self.graph and (below.what != "generate" or self.rows[number].step.what == "generate"):
                break
            same = below.node == self.rows[number].step.node and below.what not in (
                *ENTERING_STEPS,
                "question",
            )
            if below.level <= level and not same:
                break
            end += 1
        return end

    def _update_shown(self) -> None:
        """Update the list of shown lines."""
        self.shown, number = [], 0
        while number < len(self.rows):
            self.shown.append(number)
            number = (self._last_line(number) if number in self.folded else number) + 1

    def submit(self) -> None:
        """Execute the typed search."""
        typed, self.typing = self.typing, ""
        words = typed[1:].strip()
        if typed.startswith("g"):
            if words.isdecimal():
                wanted = int(words)
                self.at, before = -1, self.at
                self.seek(1, lambda n: self.rows[n].step.node == wanted, f"node {wanted}")
                self.at = before if self.error else self.at
            return
        self.search_text = words or self.search_text
        self.find(1)

    def find(self, direction: int) -> None:
        """Go to the next line that contains the search text, or ends its moves."""
        if self.search_text:
            words = self.search_text.lower()
            line = self.search_text.split()

            def wanted(number: int) -> bool:
                if words in self.rows[number].text.lower():
                    return True
                step = self.rows[number].step
                return step.level == len(line) and step.word == line[-1] and self._line(number) == line

            self.seek(direction, wanted, f"'{self.search_text}'")

    # -- the position --------------------------------------------------------------------------------

    def path(self, number: int) -> list[TraceStep]:
        """The steps from the root to the position of a line."""
        if self.graph:
            return self._graph_path(number)
        path: list[TraceStep] = []
        level = self.rows[number].step.level
        while level > 0 and number >= 0:
            step = self.rows[number].step
            leads = step.what in ENTERING_STEPS or (step.what == "generate" and not path)
            if step.level == level and leads and (step.word or step.name):
                path.append(step)
                level -= 1
            number -= 1
        return path[::-1]

    def _graph_path(self, number: int) -> list[TraceStep]:
        """The path in a graph: the best one known at that line."""
        step = self.rows[number].step
        steps = [step] if step.what == "generate" else []
        node = step.parent if steps else step.node
        while lines := self.found_at.get(node):
            entered = self.rows[max(line for line in lines if line <= number)].step
            steps.append(entered)
            node = entered.parent
        return steps[::-1]

    def _line(self, number: int) -> list[str]:
        return [step.word for step in self.path(number)]

    def board(self) -> tuple[Board | None, str]:
        """The board of the line's position, or its text."""
        position = self.position
        with replay_steps(position, self.path(self.at)) as last:
            drawn = position.board(None, last)
            return drawn, "" if drawn is not None else position.show()

    # -- drawing -------------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> tuple[list[str], None]:
        """The picture: title, lines, board and keys."""
        more = height > MIN_FULL_HEIGHT
        code, fits_beside = self._code_lines(width, height)
        below = textwrap.wrap(visible(self._status_text()), max(1, width - 1))[: 3 + more]
        if width < MIN_SIDE_WIDTH:  # below the lines: the one of the cursor in full, then the board
            step_lines = textwrap.wrap(self.rows[self.at].text.lstrip("| "), max(1, width - 1))[:5]
            if self.has_windows and more:
                step_lines += [self._truncate(line, width - 1) for line in self._path_lines()[-MAX_WINDOWS:]]
            rows = height - len(step_lines) - len(below) - MIN_TRACE_LINES
            board = self._board_lines(width - 1, rows)
            fits = len(board) <= rows and max(map(_visible_width, board), default=0) < width
            below = [*step_lines, *(board if fits and not code else []), *below]
        if code and not fits_beside:
            room = max(0, height - len(below) - 5)  # for the title and the lines around the current one
            first = max(0, min((self._current_code_line() or 0) - room // 2, len(code) - 1 - room))
            below = [code[0], *code[1 + first :][:room], *below]
        head = [apply_style(line, BOLD) for line in textwrap.wrap(self.title, max(1, width - 1))[: 1 + more]]
        room = max(3, height - len(below) - len(head))
        aside = (
            self._side_lines(width // 3, room, code if fits_beside else []) if width >= MIN_SIDE_WIDTH else []
        )
        wide = max(1, width - (max(width // 3, *map(_visible_width, aside)) + 2 if aside else 0) - 1)
        place = self._cursor_index()
        first = max(0, min(place - room // 2, len(self.shown) - room))
        lines = []
        for line, number in enumerate(self.shown[first : first + room]):
            text = self.rows[number].text
            if number in self.folded:
                text += f"  ({self._last_line(number) - number:,} lines)"
            if number == self.at:
                text = apply_style(f"{self._truncate(text, wide):<{wide}}", REVERSED)
            else:
                text = f"{self._truncate(text, wide):<{wide}}"
                text = apply_style(text, DIM) if number > self.at else text
            beside = aside[line] if line < len(aside) else ""
            lines.append(f"{text}  {beside}" if aside else text)
        for line in range(len(lines), len(aside)):
            lines.append(f"{'':<{wide}}  {aside[line]}")
        return [*head, *lines[:room], *below], None

    def _code_lines(self, width: int, height: int) -> tuple[list[str], bool]:
        """The pseudocode with the current line marked, if it is shown; true if it fits beside the lines."""
        if self.code is None:
            return [], False
        lines = self.code.lines
        long = max(map(len, lines)) + 2
        beside = width - long - 3 >= MIN_TRACE_WIDTH and height >= len(lines) + MIN_FULL_HEIGHT
        if not (beside if self.code_shown is None else self.code_shown):
            return [], beside
        current = self._current_code_line()
        room = long if beside else width - 1
        title = apply_style(f"{self.code.title}:"[:room], BOLD)
        marked = [
            apply_style(f"> {line}"[:room].ljust(min(long, room)), REVERSED)
            if number == current
            else f"  {line}"[:room]
            for number, line in enumerate(lines)
        ]
        return [title, *marked], beside

    def _current_code_line(self) -> int | None:
        """The line of the pseudocode that is executed, from 0."""
        return next((row.code for row in self.rows[self.at :: -1] if row.code is not None), None)

    def show_code(self) -> None:
        """Show or hide the pseudocode."""
        size = self.screen.theme.console.size
        if self.code is None:
            self.error = "no pseudocode for this search"
        else:
            self.code_shown = not self._code_lines(size.width, size.height)[0]

    def _truncate(self, text: str, width: int) -> str:
        """Truncate a line to a width, with an ellipsis."""
        dots = "…" if self.screen.theme.unicode else "..."
        return text if len(text) <= width else (text[: max(0, width - len(dots))] + dots)[:width]

    def _status_text(self) -> str:
        """The typed text, an error, or the line number and the keys."""
        if self.typing:
            return f"{self.typing[0]} {self.typing[1:]}_   {SEARCH_HELP if self.typing[0] == '/' else ''}"
        if self.error:
            return self.error
        return f"line {self.at + 1:,} of {len(self.rows):,}  {KEYS}{CODE_KEY if self.code else ''}"

    def _side_lines(self, width: int, room: int, code: list[str]) -> list[str]:
        """The code, the board, the path from the root with its windows, and the line in full."""
        if code:
            room -= len(code) + 1
            width = max(width, _visible_width(code[-1]))
            return [*code, "", *self._side_lines(width, room, [])]
        lines = self._board_lines(width, max(4, room - 8))[:room]
        if len(lines) > room - 4 and self.has_windows:
            lines = []
        whole = textwrap.wrap(self.rows[self.at].text.lstrip("| "), width)
        path = [one_line(line) for line in self._path_lines()]
        return [*lines, *path[-max(1, room - len(lines) - len(whole) - 1) :], "", *whole][:room]

    def _board_lines(self, width: int, room: int) -> list[str]:
        """The lines of the board, as large as fits."""
        drawn, text = self.board()
        if drawn is None:
            return [line[:width] for line in visible(text).split("\n")][: room // 2]
        theme = self.screen.theme
        with theme.console.capture() as caught:
            theme.console.print(boards.draw(drawn, theme, boards.largest(drawn, width, room, theme)))
        return [line for line in caught.get().split("\n") if line.strip()]

    def _step_text(self, step: TraceStep) -> str:
        """A move of the path: with its window, the cost of the path, or its simulations."""
        if step.proving:
            most = "until " if step.what == "enter" else ""
            return f"{step.word} {step.role} {most}{pair(step.numbers)}"
        if step.what == "select":
            visits = plural(step.visits, "visit")
            return (
                f"{step.word} {visits}, mean {format_traced(step.value, self._unit())}"
                if step.visits
                else step.word
            )
        if step.what in ("expand", "generate"):
            return f"{step.word} at least {step.value:,g}" if step.value is not None else step.word
        alpha, beta = (format_traced(bound, self._unit()) for bound in (step.alpha, step.beta))
        return f"{step.word} [{alpha}, {beta}]"

    def _path_lines(self) -> list[str]:
        """The nodes of the path with their current windows, or other facts."""
        path = self.path(self.at)
        windows = self._windows()
        if not windows:
            return [self._step_text(step) for step in path]
        root = next(row.step for row in self.rows[self.at :: -1] if row.step.level == 0)
        return [
            f"{step.word if step.level else 'root'} {step.role} "
            f"{self._window_text(windows.get(step.node, step))}"
            for step in (root, *path)
        ]

    def _windows(self) -> dict[int, TraceStep]:
        """The last step up to the line that set the window of each node; {} without windows."""
        windows: dict[int, TraceStep] = {}
        for row in self.rows[: self.at + 1] if self.has_windows else ():
            if row.step.what in ("enter", "window"):
                windows[row.step.node] = row.step
        return windows

    def _window_text(self, step: TraceStep) -> str:
        """The window of a node, and the move that changed it."""
        text = f"[{format_traced(step.alpha, self._unit())}, {format_traced(step.beta, self._unit())}]"
        return f"{text} ({step.why} from {step.word or 'standing pat'})" if step.what == "window" else text

    def _unit(self) -> int:
        return int(self.position.unit)

    # -- keys ----------------------------------------------------------------------------------------

    def _keys(self) -> Any:
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        typing = Condition(lambda: bool(self.typing))

        def key(*names: str, action: Callable[[], None]) -> None:
            def act(event: "KeyPressEvent") -> None:
                self.error = ""
                action()

            for name in names:
                keys.add(name, filter=~typing)(act)

        def page() -> int:
            return max(1, int(self.screen.theme.console.size.height) - 5)

        key(" ", "right", "down", "n", action=lambda: self.step(1))
        key("b", "left", "up", "p", action=lambda: self.step(-1))
        key("pagedown", action=lambda: self.step(page()))
        key("pageup", action=lambda: self.step(-page()))
        key("home", action=lambda: self.go_to(0))
        key("end", "G", action=lambda: self.go_to(len(self.rows) - 1))
        key("c", action=lambda: self.seek(1, self.is_cut, "cut"))
        key("C", action=lambda: self.seek(-1, self.is_cut, "cut"))
        key("enter", "f", action=self.toggle_fold)
        key("/", action=lambda: setattr(self, "typing", "/"))
        key("g", action=lambda: setattr(self, "typing", "g"))
        key("s", action=self.show_code)
        key("N", action=lambda: self.find(-1))
        key(".", action=lambda: self.find(1))
        keys.add("q", filter=~typing)(lambda event: event.app.exit())
        keys.add("c-c")(lambda event: event.app.exit())
        keys.add("c-d")(lambda event: event.app.exit())
        keys.add("<sigint>")(lambda event: event.app.exit())

        @keys.add("<any>", filter=typing)
        def _(event: "KeyPressEvent") -> None:
            if event.data.isprintable():
                self.typing += event.data

        @keys.add("backspace", filter=typing)
        def _(event: "KeyPressEvent") -> None:
            self.typing = self.typing[:-1]

        @keys.add("enter", filter=typing)
        def _(event: "KeyPressEvent") -> None:
            self.submit()

        @keys.add("escape", filter=typing)
        def _(event: "KeyPressEvent") -> None:
            self.typing = ""

        return keys


def _visible_width(line: str) -> int:
    """The width of a line without colours."""
    from rich.text import Text

    return int(Text.from_ansi(line).cell_len)
