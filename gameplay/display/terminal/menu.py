"""A menu on a terminal: an entry is chosen with the arrow keys or by typing part of its name."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay.visible import terminal

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

MARGIN = 4  # lines for the title, the keys and an empty line above each


@dataclass(frozen=True)
class Entry:
    """An entry: its name, one line about it, and the heading of its group."""

    name: str
    text: str = ""
    heading: str = ""


class Menu:
    """The entries, the filter typed so far, and the selected entry."""

    def __init__(self, title: str, entries: Sequence[Entry], back: bool = False) -> None:
        """back: Escape is offered, and `choose` then returns None."""
        self.title = title
        self.entries = entries
        self.back = back
        self.typed = ""
        self.at = 0  # index of the selected one among the matching entries

    def matching(self) -> list[int]:
        """Indices of the entries whose names match the filter; if none does, whose texts match."""
        word = self.typed.strip().lower()
        plain = word.replace(" ", "").replace("-", "")
        named = [
            number
            for number, entry in enumerate(self.entries)
            if plain in entry.name.lower().replace(" ", "").replace("-", "")
        ]
        named.sort(key=lambda number: not self.entries[number].name.lower().startswith(plain))
        return named or [n for n, entry in enumerate(self.entries) if word in entry.text.lower()]

    def type(self, text: str) -> None:
        """Extend the filter; a text that would match no entry is refused."""
        before, self.typed = self.typed, self.typed + text
        if not self.matching():
            self.typed = before
        self.at = 0

    def erase(self) -> None:
        """Delete the last character of the filter."""
        self.typed, self.at = self.typed[:-1], 0

    def step(self, by: int) -> None:
        """Move the selection down (by > 0) or up, wrapping around."""
        self.at = (self.at + by) % max(1, len(self.matching()))

    def chosen(self) -> int:
        """The index of the selected entry."""
        return self.matching()[self.at]

    def lines(self, width: int, height: int, unicode: bool = True) -> list[tuple[str, str]]:
        """The menu as (style, text) lines for a terminal of this size; the selected entry is visible."""
        numbers = self.matching()
        wide = max(len(self.entries[number].name) for number in numbers)
        rows: list[tuple[str, str]] = []
        chosen, heading = 0, ""
        for place, number in enumerate(numbers):
            entry = self.entries[number]
            if entry.heading != heading and not self.typed:
                heading = entry.heading
                rows.append(("bold", heading))
            if place == self.at:
                chosen = len(rows)
            mark = ("❯ " if unicode else "> ") if place == self.at else "  "
            line = f"{mark}{entry.name:<{wide}}  {entry.text}".rstrip()
            rows.append(("reverse" if place == self.at else "", _cut(line, width)))
        room = max(1, height - MARGIN)
        first = max(0, min(chosen - room // 2, len(rows) - room))
        keys = "up and down or type a name; Enter: choose"
        keys += "; Esc: back" if self.back else "; Ctrl-C: leave"
        title = f"{self.title}  {self.typed}" if self.typed else self.title
        return [("bold", _cut(title, width)), *rows[first : first + room], ("", ""), ("", _cut(keys, width))]


def choose(menu: Menu, theme: "Theme", input: Any = None, output: Any = None) -> int | None:
    """Show the menu; the index of the chosen entry, or None for Escape if the menu has `back`.

    input, output: of prompt-toolkit; None: the terminal. Raises KeyboardInterrupt for Ctrl-C.
    """
    from prompt_toolkit.application import Application, get_app
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.output import create_output

    keys = KeyBindings()
    for name, by in (("up", -1), ("down", 1), ("c-p", -1), ("c-n", 1), ("pageup", -8), ("pagedown", 8)):
        keys.add(name)(lambda event, by=by: menu.step(by))
    keys.add("enter")(lambda event: event.app.exit(result=menu.chosen()))
    keys.add("backspace")(lambda event: menu.erase())
    keys.add(Keys.Any)(lambda event: menu.type(event.data) if event.data.isprintable() else None)
    keys.add("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    keys.add("c-d")(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    if menu.back:
        keys.add("escape", eager=True)(lambda event: event.app.exit(result=None))

    def content() -> Any:
        size = get_app().output.get_size()
        lines = menu.lines(size.columns, size.rows, theme.unicode)
        return [(style, text + "\n") for style, text in lines[:-1]] + [lines[-1]]

    control = FormattedTextControl(content, focusable=True, show_cursor=False)
    application: Application[int | None] = Application(
        layout=Layout(Window(control, wrap_lines=False)),
        key_bindings=keys,
        erase_when_done=True,
        input=input,
        output=output or create_output(terminal(sys.stdout)),
    )
    application.renderer.cpr_not_supported_callback = None  # some terminals do not support it
    return application.run()


def _cut(text: str, width: int) -> str:
    return text if len(text) < width else text[: max(0, width - 4)] + "..."
