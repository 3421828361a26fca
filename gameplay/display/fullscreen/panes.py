"""The panes of the full screen: they draw rich's text and report mouse clicks."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth

from gameplay.visible import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.style import Style

    from gameplay.display.theme import Theme

Line = list[Any]  # parts of a line, each a style of prompt-toolkit and a text
DEPTHS = {
    "standard": ColorDepth.DEPTH_4_BIT,
    "windows": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "truecolor": ColorDepth.DEPTH_24_BIT,
}
ANSI_COLOURS = (
    *("black", "red", "green", "yellow", "blue", "magenta", "cyan", "gray"),
    *("brightblack", "brightred", "brightgreen", "brightyellow"),
    *("brightblue", "brightmagenta", "brightcyan", "white"),
)


def color_depth(theme: "Theme") -> ColorDepth:
    """The colour depth of the terminal, for prompt-toolkit."""
    return DEPTHS.get(theme.console.color_system or "", ColorDepth.DEPTH_1_BIT)


def render_lines(theme: "Theme", shown: "RenderableType", width: int) -> list[Line]:
    """Render with rich at this width, as lines for prompt-toolkit."""
    console = theme.console_on(io.StringIO(), max(1, width))
    rendered = console.render_lines(shown, console.options.update(width=max(1, width)), pad=False)
    return [
        [(_style(theme.colour, part.style), part.text) for part in line if not part.control]
        for line in rendered
    ]


@lru_cache(maxsize=1000)  # asked for each part of a line, many times a second
def _style(colour: bool, style: "Style | None") -> str:
    """Translate rich's style to prompt-toolkit's."""
    if style is None:
        return ""
    words = [
        word for word, on in (("bold", style.bold), ("reverse", style.reverse), ("dim", style.dim)) if on
    ]
    if colour:
        words += [
            f"{ground}:{_colour(colour)}"
            for ground, colour in (("fg", style.color), ("bg", style.bgcolor))
            if colour is not None and not colour.is_default
        ]
    return " ".join(words)


def _colour(colour: Any) -> str:
    """A colour of rich: one of the terminal's sixteen by name, any other as RGB."""
    if colour.number is not None and colour.number < len(ANSI_COLOURS) and colour.type.name == "STANDARD":
        return f"ansi{ANSI_COLOURS[colour.number]}"
    return str(colour.get_truecolor().hex)


def _pad(line: Line, width: int) -> Line:
    """The line padded with spaces to the width."""
    from rich.cells import cell_len

    return [*line, ("", " " * max(0, width - sum(cell_len(text) for _, text in line)))]


@dataclass(eq=False)
class Pane(UIControl):
    """A part of the screen. `draw(width, height)` returns its lines.

    on_press(line, character), on_release: called when the mouse button goes down and up. on_scroll(lines):
    called for the wheel; positive: down. on_error: receives errors, which the event loop would swallow.
    """

    draw: Callable[[int, int], list[Line]]
    on_error: Callable[[BaseException], None]
    on_press: Callable[[int, int], None] | None = None
    on_release: Callable[[int, int], None] | None = None
    on_scroll: Callable[[int], None] | None = None

    def create_content(self, width: int, height: int) -> UIContent:
        """See prompt-toolkit."""
        try:
            drawn = [
                [(style, one_line(text)) for style, text in line]
                for line in self.draw(width, height)[:height]
            ]
            rows = [_pad(line, width) for line in drawn]
        except BaseException as error:
            self.on_error(error)
            rows = []
        rows += [[("", " " * width)]] * (height - len(rows))  # so that clicks anywhere are reported
        return UIContent(lambda number: rows[number], len(rows), show_cursor=False)

    def preferred_height(self, width: int, max_height: int, wrap: bool, prefix: Any) -> int | None:
        """None: no preference."""
        return None

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        """See prompt-toolkit."""
        place, kind = mouse_event.position, mouse_event.event_type
        try:
            if kind == MouseEventType.MOUSE_DOWN and self.on_press is not None:
                self.on_press(place.y, place.x)
            elif kind == MouseEventType.MOUSE_UP and self.on_release is not None:
                self.on_release(place.y, place.x)
            elif (
                kind in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN) and self.on_scroll is not None
            ):
                self.on_scroll(3 if kind == MouseEventType.SCROLL_DOWN else -3)
            else:
                return NotImplemented
        except BaseException as error:
            self.on_error(error)
        return None


@dataclass(frozen=True)
class Button:
    """A button on the last line: its label, the equivalent key, and the action."""

    name: str
    key: str
    act: Callable[[], None]

    @property
    def text(self) -> str:
        """The label with the key."""
        return f" {self.key} {self.name} " if self.key else f" {self.name} "


def button_row(buttons: list[Button], width: int) -> tuple[Line, list[tuple[int, int, Button]]]:
    """The line of buttons, with their keys if there is room, and the (start, end) of each.

    If the labels alone do not fit, buttons before the last are dropped; the last one leaves the game.
    """
    line: Line = []
    places: list[tuple[int, int, Button]] = []
    at = 0
    narrow = sum(len(button.text) + 1 for button in buttons) > width
    buttons = list(buttons)
    while narrow and len(buttons) > 2 and sum(len(button.name) + 1 for button in buttons) > width + 1:
        del buttons[-2]
    for button in buttons:
        text = button.name if narrow else button.text
        end = at + len(text)
        if end > width:
            break
        line += [("reverse", text), ("", " ")]
        places.append((at, end, button))
        at = end + 1
    return line, places
