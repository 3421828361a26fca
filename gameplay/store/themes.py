"""The user's themes: `themes/NAME.toml` in the configuration folder, or any file.

A theme overrides some colours of a built-in one. A colour is a number of xterm's 256 (16 to 255, which
terminal settings do not change) or a name in `COLOURS`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from gameplay.errors import BadInput, nearest
from gameplay.store import toml

COLOURS = {
    "black": 16,
    "white": 231,
    "grey": 244,
    "light_grey": 250,
    "dark_grey": 238,
    "red": 160,
    "dark_red": 88,
    "pink": 218,
    "orange": 208,
    "yellow": 220,
    "cream": 230,
    "green": 34,
    "light_green": 120,
    "dark_green": 22,
    "cyan": 37,
    "blue": 26,
    "light_blue": 117,
    "dark_blue": 18,
    "purple": 91,
    "magenta": 127,
    "brown": 94,
    "tan": 180,
}

Shade = Annotated[int, msgspec.Meta(ge=16, le=255)] | str
Sides = Annotated[list[tuple[Shade, Shade]], msgspec.Meta(max_length=6)]


class GroundShades(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The board: light and dark cells, and faint text on empty ones."""

    light: Annotated[Shade | None, msgspec.Meta(description="Light cells")] = None
    dark: Annotated[Shade | None, msgspec.Meta(description="Dark cells")] = None
    faint: Annotated[Shade | None, msgspec.Meta(description="Writing on empty cells")] = None


class MarkShades(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Highlighted cells."""

    cursor: Annotated[Shade | None, msgspec.Meta(description="The cell under the cursor")] = None
    selected: Annotated[Shade | None, msgspec.Meta(description="The selected piece")] = None
    line: Annotated[Shade | None, msgspec.Meta(description="A winning line")] = None
    last: Annotated[Shade | None, msgspec.Meta(description="The last move")] = None
    target: Annotated[Shade | None, msgspec.Meta(description="Where the selected piece can go")] = None


class ThemeFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A theme: a built-in one (`base`), and the colours that differ from it.

    white, black: pieces of the two sides. sides: for up to six players, the colour and that of text on it.
    chips: draw each piece on a chip of its side's colour.
    """

    base: Annotated[
        Literal["wood", "night", "paper", "contrast", "blue"],
        msgspec.Meta(description="The built-in theme that it changes"),
    ] = "wood"
    white: Annotated[Shade | None, msgspec.Meta(description="White's pieces")] = None
    black: Annotated[Shade | None, msgspec.Meta(description="Black's pieces")] = None
    chips: Annotated[
        bool | None, msgspec.Meta(description="Each piece stands on a chip of its side's colour")
    ] = None
    chequered: Annotated[GroundShades, msgspec.Meta(description="Chess, checkers and others")] = (
        GroundShades()
    )
    felt: Annotated[GroundShades, msgspec.Meta(description="Othello's board")] = GroundShades()
    rack: Annotated[GroundShades, msgspec.Meta(description="Connect Four's rack")] = GroundShades()
    goban: Annotated[GroundShades, msgspec.Meta(description="Go's board")] = GroundShades()
    marks: Annotated[MarkShades, msgspec.Meta(description="Marked cells")] = MarkShades()
    sides: Annotated[Sides, msgspec.Meta(description="A colour of each player, and of text on it")] = []


def read(file: Path) -> ThemeFile:
    """The theme in a file. Raises BadInput."""
    theme, text = toml.read(file, ThemeFile)
    for keys, shade in _iter_colours(msgspec.to_builtins(theme), []):
        if isinstance(shade, str) and colour_number(shade) is None:
            raise BadInput(
                f"{file}, line {toml.line(text, keys)}: {toml.format_keys(keys)}unknown colour '{shade}'"
                f"{nearest(shade, COLOURS)} (choose from: {', '.join(COLOURS)}; or a number from 16 to 255)"
            )
    return theme


def colour_number(shade: Shade) -> int | None:
    """The number of a colour; None for an unknown name."""
    if isinstance(shade, int):
        return shade
    return COLOURS.get(shade)


def _iter_colours(data: Any, keys: list[str | int]) -> Iterator[tuple[list[str | int], Any]]:
    """Every colour in the data of a theme, and its keys."""
    if isinstance(data, dict | list | tuple):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            if key != "base":
                yield from _iter_colours(value, [*keys, key])
    elif data is not None and not isinstance(data, bool):
        yield keys, data
