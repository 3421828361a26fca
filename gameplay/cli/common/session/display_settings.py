"""Display settings that can be changed during a game: theme, pieces, coordinates, bar, panel."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gameplay.cli.common import themes
from gameplay.errors import BadInput, GameplayError
from gameplay.store import settings

if TYPE_CHECKING:
    from gameplay.board import Board
    from gameplay.display.theme import Theme

COMMANDS = {  # by name of the command and setting: what it changes
    "theme": "the colours",
    "pieces": "how pieces are drawn",
    "coordinates": "names of rows and columns: on or off",
    "bar": "the evaluation bar: on or off",
    "panel": "what is shown of a search: off, quiet or full",
}


def change(theme: "Theme", name: str, value: str) -> tuple["Theme", str]:
    """The theme with a setting changed, and a message; without a value the next one is set.

    The value is stored for later games, except a theme in a file. Raises Usage for an unknown value,
    BadInput for a file.
    """
    new_theme, value = (_with_setting(theme, name, value), value) if value else _next(theme, name)
    if name == "theme" and value.endswith(".toml"):
        folder = settings.path().parent / "themes"
        return new_theme, f"not remembered; to keep it, copy the file to {folder}"
    try:
        settings.change(name, value)
    except (OSError, GameplayError) as error:
        return new_theme, f"{name}: {value}, for this game only ({error})"
    return new_theme, f"{name}: {value}"


def is_same_drawing(board: "Board", one: "Theme", other: "Theme") -> bool:
    """True if two themes draw a board the same: discs look alike for all settings of pieces but letters."""
    from gameplay.display.board.drawing import draw, largest

    size = one.console.size
    pictures = [draw(board, each, largest(board, size.width, size.height, each)) for each in (one, other)]
    return one != other and pictures[0] == pictures[1]


def setting_lines(theme: "Theme") -> list[str]:
    """The settings with their current and possible values."""
    wide = max(map(len, COMMANDS))
    return [
        f"{name:<{wide}}  {_current(theme, name):<8}  {', '.join(settings.choices(name))}"
        for name in COMMANDS
    ]


def _next(theme: "Theme", name: str) -> tuple["Theme", str]:
    """The theme with the next value of a setting, and the value; files that are not themes are skipped."""
    choices = settings.choices(name)
    current = _current(theme, name)
    start = choices.index(current) + 1 if current in choices else 0
    for value in (*choices[start:], *choices[:start]):
        try:
            return _with_setting(theme, name, value), value
        except BadInput:
            continue
    raise AssertionError("built-in values are valid")


def _with_setting(theme: "Theme", name: str, value: str) -> "Theme":
    if name == "theme":
        return theme.with_palette(themes.find_theme(value))
    return replace(theme, **{"show_bar" if name == "bar" else name: settings.parse(name, value)})


def _current(theme: "Theme", name: str) -> str:
    """The current value of a setting, as it is typed."""
    if name == "theme":
        return theme.palette.name
    value = theme.show_bar if name == "bar" else getattr(theme, name)
    return str(value) if isinstance(value, str) else "on" if value else "off"
