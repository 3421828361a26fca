"""Resolves a theme by name: built-in, user-defined, or a file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay.display.board.palette import PALETTES, Colour, Ground, Palette
from gameplay.errors import BadInput, Usage, unknown_name

if TYPE_CHECKING:
    from gameplay.store.themes import GroundShades, Shade


def find_theme(word: str) -> Palette:
    """The theme of that name, or in that file. Raises Usage if there is none, BadInput for its file."""
    from gameplay.store import settings

    if word in PALETTES:
        return PALETTES[word]
    if word.endswith(".toml"):
        return _read_theme(Path(os.path.expanduser(word)))
    own = settings.user_themes()
    if word not in own:
        raise Usage(unknown_name("theme", word, [*PALETTES, *own]))
    return _read_theme(own[word])


def all_themes() -> dict[str, Palette | BadInput]:
    """Built-in and user-defined themes by name; for a file that is not a theme, the error."""
    from gameplay.store import settings

    found: dict[str, Palette | BadInput] = dict(PALETTES)
    for name, file in settings.user_themes().items():
        try:
            found[name] = _read_theme(file)
        except BadInput as error:
            found[name] = error
    return found


def _read_theme(file: Path) -> Palette:
    """The theme in a file. With 16 colours and fewer it looks as its base."""

    from gameplay.store import themes

    theme = themes.read(file)
    base = PALETTES[theme.base]
    marks = {name: _colour(getattr(theme.marks, name), base.marks[name]) for name in base.marks}
    pairs = zip(theme.sides, base.sides, strict=False)  # the rest stay as they are
    sides = [
        (_colour(side, base_side), _colour(ink, base_ink)) for (side, ink), (base_side, base_ink) in pairs
    ]
    return structs.replace(
        base,
        name=file.stem,
        words=f"from {file}",
        chequered=_ground(theme.chequered, base.chequered),
        felt=_ground(theme.felt, base.felt),
        rack=_ground(theme.rack, base.rack),
        goban=_ground(theme.goban, base.goban),
        marks=marks,
        inks=(_colour(theme.white, base.inks[0]), _colour(theme.black, base.inks[1])),
        sides=(*sides, *base.sides[len(sides) :]),
        chips=base.chips if theme.chips is None else theme.chips,
    )


def _ground(shades: "GroundShades", base: Ground) -> Ground:
    return Ground(
        _colour(shades.light, base.light), _colour(shades.dark, base.dark), _colour(shades.faint, base.faint)
    )


def _colour(shade: "Shade | None", base: Colour) -> Colour:
    from gameplay.store import themes

    number = None if shade is None else themes.colour_number(shade)
    return base if number is None else (number, base[1])
