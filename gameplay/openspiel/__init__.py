"""OpenSpiel in both directions: its games are games here, and the games of this program are games there.

`library.py` loads games of OpenSpiel, `game.py` adapts them (`openspiel:kuhn_poker`), `export.py` is the
other direction. The library is imported when one of them is first used.
"""

from importlib import import_module


def register(*names: str) -> list[str]:
    """Register games of this program with OpenSpiel, all by default.

    Afterwards `pyspiel.load_game("gameplay_connect4(columns=5)")` finds them. Returns the names under which
    they are registered. Raises Usage for an unknown game, for one that does not fit, and without OpenSpiel.
    """
    registered: list[str] = import_module("gameplay.openspiel.export").register(*names)
    return registered
