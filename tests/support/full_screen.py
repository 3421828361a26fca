"""Themes of the full screen that tests share."""

from gameplay.display.theme import Theme
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"


def theme(colour: bool = True, unicode: bool = True) -> Theme:
    return Theme(colour=colour, unicode=unicode, interactive=True)
