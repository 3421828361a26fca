"""The bridge to OpenSpiel: its games can be played here, and the games of this program there.

`library.py` loads games of OpenSpiel, `game.py` adapts them (`openspiel:kuhn_poker`), `export.py` exports
games to it. The library is imported on first use.
"""

from importlib import import_module


def register(*names: str) -> list[str]:
    """Register games of this program with OpenSpiel, all by default.

    Afterwards `pyspiel.load_game("gameplay_connect4(columns=5)")` finds them. Returns the names under which
    they are registered. Raises Usage for an unknown game, for one that does not fit, and without OpenSpiel.
    """
    registered: list[str] = import_module("gameplay.openspiel.export").register(*names)
    return registered
