"""Steps through a search on a terminal: its lines, the board, and the path to the node with its windows.

Lines up to the cursor have happened; the lines after it are faint. All lines shown are kept in memory, so
their number is limited: a search that reports more ends there.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.reports.trace import TraceLines, leaf_lines
from gameplay.display.terminal.canvas import BOLD, DIM, REVERSED, styled
from gameplay.display.terminal.prompt import ask
from gameplay.plural import plural
from gameplay.tracing.leaves import LeafCount
from gameplay.tracing.proving import pair
from gameplay.tracing.pseudocode import CodePointer
from gameplay.tracing.replay import replayed
from gameplay.tracing.trace import TraceStep, format_value
from gameplay.visible import one_line, visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

    from gameplay.display.terminal.screen import Screen
    from gameplay.position import AbstractPosition
    from gameplay.tracing.pseudocode import Pseudocode

MAX_LINES = 50_000  # lines
DOWN = ("enter", "select", "expand")  # steps that lead to a position, if they have a move
BESIDE = 66  # columns from which on the board stands beside the lines
LOW = 12  # lines of a screen in which words are cut to leave room for the trace
CODED = 54  # columns that the lines of the trace need beside the pseudocode
OPEN = 4  # nodes whose windows are shown below the lines
LINES = 10  # of the trace, that are left where the board stands below them
KEYS = "space: step  b: back  c: next cut  C: cut before  Enter: collapse  /: find  g: go to node  q: leave"
CODE_KEY = "  s: code"
FINDING = "a word of a line, or the moves from the root; Enter finds, Esc forgets"


class Enough(Exception):
    """The search has reported as many lines as are kept."""


@dataclass(slots=True)
class Row:
    """A line of the trace, and the step that it describes."""

    text: str
    step: TraceStep
    code: int | None = None  # the line of the pseudocode that it executes, from 0


class TraceRows:
    """Called with each step: keeps the lines, MOST of them."""

    def __init__(self, unit: int, code: "Pseudocode | None" = None) -> None:
        self.kept: list[Row] = []
        self.lines = TraceLines(self._line, unit, None if code is None else CodePointer(code))
        self.count = LeafCount()

    def __call__(self, step: TraceStep) -> None:
        self.lines(step)
        self.count(step)
        if len(self.kept) >= MAX_LINES:
            raise Enough

    def close(self) -> None:
        """The search has ended: keep what was held back, and the count of the leaves."""
        self.lines.close()
        self.count.close()
        self.lines.code = None
        for text in leaf_lines(self.count):
            if text:
                self._line(text)

    def _line(self, text: str) -> None:
        about = self.lines.about
        assert about is not None
        self.kept.append(Row(one_line(text.rstrip("\n")), about, self.lines.code))


class Stepping:
    """Steps through `rows`. `position` is its own, at the root; `graph`: they are those of astar.

    `code` is shown with its current line where the terminal is wide enough, or after the key `s`.
    """

    def __init__(
        self,
        screen: "Screen",
        title: str,
        rows: list[Row],
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
        self.coding: bool | None = None  # is the pseudocode shown? None: where it fits beside the lines
        self.reached: dict[int, list[int]] = {}  # of a graph: the lines that find a way to a position
        for number, row in enumerate(rows if graph else ()):
            if row.step.what == "generate" and row.step.why != "dearer":
                self.reached.setdefault(row.step.node, []).append(number)
        self.windowed = any(row.step.what == "window" for row in rows)
        self.at = 0
        self.folded: set[int] = set()  # rows whose nodes are collapsed
        self.shown = list(range(len(rows)))
        self.typing = ""  # "/" or "g" and what is typed behind it
        self.sought = ""
        self.complaint = ""

    def run(self) -> None:
        """Run until the user leaves."""
        try:
            ask(self.screen, self.frame, self._keys())
        finally:
            self.screen.close()

    # -- moving ------------------------------------------------------------------------------------

    def step(self, lines: int) -> None:
        """So many lines on, or back, of those that are shown."""
        place = self._place() + lines
        self.at = self.shown[max(0, min(len(self.shown) - 1, place))]

    def _place(self) -> int:
        """Where the cursor is among the lines that are shown."""
        return next((n for n, row in enumerate(self.shown) if row >= self.at), len(self.shown) - 1)

    def seek(self, direction: int, wanted: Callable[[int], bool], what: str) -> None:
        """To the next line that is wanted, collapsed or not; a complaint where there is none."""
        number = self.at + direction
        while 0 <= number < len(self.rows) and not wanted(number):
            number += direction
        if 0 <= number < len(self.rows):
            self.go(number)
        else:
            self.complaint = f"there is no {what} {'from here on' if direction > 0 else 'before this'}"

    def go(self, number: int) -> None:
        """To a line; what hides it is opened."""
        self.at = number
        if number not in self.shown:
            self.folded = {row for row in self.folded if not row < number <= self._end(row)}
            self._show()

    def cut(self, number: int) -> bool:
        """True of a line that is a cut."""
        return self.rows[number].step.what == "cut"

    def fold(self) -> None:
        """Collapse the node of this line, or open it again."""
        step, number = self.rows[self.at].step, self.at
        while number and not (self._entered(number) and self._within(number, step)):
            number -= 1
        if number in self.folded:
            self.folded.discard(number)
        elif self._end(number) > number:
            self.folded.add(number)
        self.at = number
        self._show()

    def _entered(self, number: int) -> bool:
        return self.rows[number].step.what in (*DOWN, "simulation", "threshold")

    def _within(self, number: int, step: TraceStep) -> bool:
        """True of a line that enters the node of this step, or one above a move that was generated."""
        entered = self.rows[number].step
        above = not self.graph and step.what == "generate" and entered.level < step.level
        return entered.node == step.node or above

    def _end(self, number: int) -> int:
        """The last line of what lies below a line."""
        level, end = self.rows[number].step.level, number
        while end + 1 < len(self.rows):
            below = self.rows[end + 1].step
            if self.graph and (below.what != "generate" or self.rows[number].step.what == "generate"):
                break
            same = below.node == self.rows[number].step.node and below.what not in (*DOWN, "question")
            if below.level <= level and not same:
                break
            end += 1
        return end

    def _show(self) -> None:
        """Which lines are shown."""
        self.shown, number = [], 0
        while number < len(self.rows):
            self.shown.append(number)
            number = (self._end(number) if number in self.folded else number) + 1

    def enter(self) -> None:
        """Find what was typed."""
        typed, self.typing = self.typing, ""
        words = typed[1:].strip()
        if typed.startswith("g"):
            if words.isdecimal():
                wanted = int(words)
                self.at, before = -1, self.at
                self.seek(1, lambda n: self.rows[n].step.node == wanted, f"node {wanted}")
                self.at = before if self.complaint else self.at
            return
        self.sought = words or self.sought
        self.find(1)

    def find(self, direction: int) -> None:
        """The next line with the words that were looked for, or that ends the moves looked for."""
        if self.sought:
            words = self.sought.lower()
            line = self.sought.split()

            def wanted(number: int) -> bool:
                if words in self.rows[number].text.lower():
                    return True
                step = self.rows[number].step
                return step.level == len(line) and step.word == line[-1] and self._line(number) == line

            self.seek(direction, wanted, f"'{self.sought}'")

    # -- where it is ---------------------------------------------------------------------------------

    def path(self, number: int) -> list[TraceStep]:
        """The steps that lead from the root to the position of a line."""
        if self.graph:
            return self._graph_path(number)
        path: list[TraceStep] = []
        level = self.rows[number].step.level
        while level > 0 and number >= 0:
            step = self.rows[number].step
            leads = step.what in DOWN or (step.what == "generate" and not path)
            if step.level == level and leads and (step.word or step.name):
                path.append(step)
                level -= 1
            number -= 1
        return path[::-1]

    def _graph_path(self, number: int) -> list[TraceStep]:
        """The same in a graph: by the best ways that are known at that line."""
        step = self.rows[number].step
        steps = [step] if step.what == "generate" else []
        node = step.parent if steps else step.node
        while lines := self.reached.get(node):
            entered = self.rows[max(line for line in lines if line <= number)].step
            steps.append(entered)
            node = entered.parent
        return steps[::-1]

    def _line(self, number: int) -> list[str]:
        return [step.word for step in self.path(number)]

    def board(self) -> tuple[Board | None, str]:
        """How to draw the position of the line, or its text."""
        position = self.position
        with replayed(position, self.path(self.at)) as last:
            drawn = position.board(None, last)
            return drawn, "" if drawn is not None else position.show()

    # -- showing -------------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> tuple[list[str], None]:
        """The lines, the board beside them or none, and the keys."""
        more = height > LOW
        code, fits_beside = self._code(width, height)
        below = textwrap.wrap(visible(self._below()), max(1, width - 1))[: 3 + more]
        if width < BESIDE:  # nothing stands beside the lines: the one of the cursor in full, then the board
            step_lines = textwrap.wrap(self.rows[self.at].text.lstrip("| "), max(1, width - 1))[:5]
            if self.windowed and more:
                step_lines += [self._truncate(line, width - 1) for line in self._path_lines()[-OPEN:]]
            rows = height - len(step_lines) - len(below) - LINES
            board = self._board_lines(width - 1, rows)
            fits = len(board) <= rows and max(map(_visible_width, board), default=0) < width
            below = [*step_lines, *(board if fits and not code else []), *below]
        if code and not fits_beside:
            room = max(0, height - len(below) - 5)  # for the title and the lines around the current one
            first = max(0, min((self._current() or 0) - room // 2, len(code) - 1 - room))
            below = [code[0], *code[1 + first :][:room], *below]
        head = [styled(line, BOLD) for line in textwrap.wrap(self.title, max(1, width - 1))[: 1 + more]]
        room = max(3, height - len(below) - len(head))
        aside = self._side_lines(width // 3, room, code if fits_beside else []) if width >= BESIDE else []
        wide = max(1, width - (max(width // 3, *map(_visible_width, aside)) + 2 if aside else 0) - 1)
        place = self._place()
        first = max(0, min(place - room // 2, len(self.shown) - room))
        lines = []
        for line, number in enumerate(self.shown[first : first + room]):
            text = self.rows[number].text
            if number in self.folded:
                text += f"  ({self._end(number) - number:,} lines)"
            if number == self.at:
                text = styled(f"{self._truncate(text, wide):<{wide}}", REVERSED)
            else:
                text = f"{self._truncate(text, wide):<{wide}}"
                text = styled(text, DIM) if number > self.at else text
            beside = aside[line] if line < len(aside) else ""
            lines.append(f"{text}  {beside}" if aside else text)
        for line in range(len(lines), len(aside)):
            lines.append(f"{'':<{wide}}  {aside[line]}")
        return [*head, *lines[:room], *below], None

    def _code(self, width: int, height: int) -> tuple[list[str], bool]:
        """The pseudocode with the current line marked, if it is shown; true if it stands beside the lines."""
        if self.code is None:
            return [], False
        lines = self.code.lines
        long = max(map(len, lines)) + 2
        beside = width - long - 3 >= CODED and height >= len(lines) + LOW
        if not (beside if self.coding is None else self.coding):
            return [], beside
        current = self._current()
        room = long if beside else width - 1
        title = styled(f"{self.code.title}:"[:room], BOLD)
        marked = [
            styled(f"> {line}"[:room].ljust(min(long, room)), REVERSED)
            if number == current
            else f"  {line}"[:room]
            for number, line in enumerate(lines)
        ]
        return [title, *marked], beside

    def _current(self) -> int | None:
        """The line of the pseudocode that is executed, from 0."""
        return next((row.code for row in self.rows[self.at :: -1] if row.code is not None), None)

    def show_code(self) -> None:
        """Show or leave out the pseudocode."""
        size = self.screen.theme.console.size
        if self.code is None:
            self.complaint = "there is no pseudocode of this search"
        else:
            self.coding = not self._code(size.width, size.height)[0]

    def _truncate(self, text: str, width: int) -> str:
        """A line as it fits: one that is cut ends with an ellipsis."""
        dots = "…" if self.screen.theme.unicode else "..."
        return text if len(text) <= width else (text[: max(0, width - len(dots))] + dots)[:width]

    def _below(self) -> str:
        """What the line says in full, or what is being typed, and the keys."""
        if self.typing:
            return f"{self.typing[0]} {self.typing[1:]}_   {FINDING if self.typing[0] == '/' else ''}"
        if self.complaint:
            return self.complaint
        return f"line {self.at + 1:,} of {len(self.rows):,}  {KEYS}{CODE_KEY if self.code else ''}"

    def _side_lines(self, width: int, room: int, code: list[str]) -> list[str]:
        """The board, then the way from the root with its windows, then the line in full; first the code."""
        if code:
            room -= len(code) + 1
            width = max(width, _visible_width(code[-1]))
            return [*code, "", *self._side_lines(width, room, [])]
        lines = self._board_lines(width, max(4, room - 8))[:room]
        if len(lines) > room - 4 and self.windowed:
            lines = []
        whole = textwrap.wrap(self.rows[self.at].text.lstrip("| "), width)
        path = [one_line(line) for line in self._path_lines()]
        return [*lines, *path[-max(1, room - len(lines) - len(whole) - 1) :], "", *whole][:room]

    def _board_lines(self, width: int, room: int) -> list[str]:
        """The board in lines, as large as there is room for, or as small as it can be."""
        drawn, text = self.board()
        if drawn is None:
            return [line[:width] for line in visible(text).split("\n")][: room // 2]
        theme = self.screen.theme
        with theme.console.capture() as caught:
            theme.console.print(boards.draw(drawn, theme, boards.largest(drawn, width, room, theme)))
        return [line for line in caught.get().split("\n") if line.strip()]

    def _step_text(self, step: TraceStep) -> str:
        """A move of the way from the root: with its window, what the way costs, or its simulations."""
        if step.proving:
            most = "until " if step.what == "enter" else ""
            return f"{step.word} {step.role} {most}{pair(step.numbers)}"
        if step.what == "select":
            visits = plural(step.visits, "visit")
            return (
                f"{step.word} {visits}, mean {format_value(step.value, self._unit())}"
                if step.visits
                else step.word
            )
        if step.what in ("expand", "generate"):
            return f"{step.word} at least {step.value:,g}" if step.value is not None else step.word
        return (
            f"{step.word} [{format_value(step.alpha, self._unit())}, {format_value(step.beta, self._unit())}]"
        )

    def _path_lines(self) -> list[str]:
        """The open nodes from the root with their current windows, or what else is known of each."""
        path = self.path(self.at)
        windows = self._windows()
        if not windows:
            return [self._step_text(step) for step in path]
        root = next(row.step for row in self.rows[self.at :: -1] if row.step.level == 0)
        return [
            f"{step.word if step.level else 'root'} {step.role} {self._window(windows.get(step.node, step))}"
            for step in (root, *path)
        ]

    def _windows(self) -> dict[int, TraceStep]:
        """The last step that set the window of each node, up to the line; {} of a search without windows."""
        windows: dict[int, TraceStep] = {}
        for row in self.rows[: self.at + 1] if self.windowed else ():
            if row.step.what in ("enter", "window"):
                windows[row.step.node] = row.step
        return windows

    def _window(self, step: TraceStep) -> str:
        """The window of a node, and by which move its end moved."""
        text = f"[{format_value(step.alpha, self._unit())}, {format_value(step.beta, self._unit())}]"
        return f"{text} ({step.why} from {step.word or 'standing pat'})" if step.what == "window" else text

    def _unit(self) -> int:
        return int(self.position.unit)

    # -- keys ----------------------------------------------------------------------------------------

    def _keys(self) -> Any:
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        typing = Condition(lambda: bool(self.typing))

        def key(*names: str, deed: Callable[[], None]) -> None:
            def act(event: "KeyPressEvent") -> None:
                self.complaint = ""
                deed()

            for name in names:
                keys.add(name, filter=~typing)(act)

        def page() -> int:
            return max(1, int(self.screen.theme.console.size.height) - 5)

        key(" ", "right", "down", "n", deed=lambda: self.step(1))
        key("b", "left", "up", "p", deed=lambda: self.step(-1))
        key("pagedown", deed=lambda: self.step(page()))
        key("pageup", deed=lambda: self.step(-page()))
        key("home", deed=lambda: self.go(0))
        key("end", "G", deed=lambda: self.go(len(self.rows) - 1))
        key("c", deed=lambda: self.seek(1, self.cut, "cut"))
        key("C", deed=lambda: self.seek(-1, self.cut, "cut"))
        key("enter", "f", deed=self.fold)
        key("/", deed=lambda: setattr(self, "typing", "/"))
        key("g", deed=lambda: setattr(self, "typing", "g"))
        key("s", deed=self.show_code)
        key("N", deed=lambda: self.find(-1))
        key(".", deed=lambda: self.find(1))
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
            self.enter()

        @keys.add("escape", filter=typing)
        def _(event: "KeyPressEvent") -> None:
            self.typing = ""

        return keys


def _visible_width(line: str) -> int:
    """How wide a line is, colours aside."""
    from rich.text import Text

    return int(Text.from_ansi(line).cell_len)
