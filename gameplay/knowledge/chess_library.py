"""What books and tables of chess share: the library `chess`, an extra, imported when it is needed.

Its boards and moves are `Any` in signatures: the library may be missing.
"""

from typing import TYPE_CHECKING, Any

from gameplay import extras
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.notation import InUci, in_uci

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def must_be_chess(words: str, position: "AbstractPosition", hint: str = "") -> None:
    """Raise Usage, `words` first and `hint` last, where a game is none of chess."""
    if in_uci(position) is None:
        raise Usage(f"{words} for chess, and this is {name_of(position)}{hint}")


def point(position: "AbstractPosition") -> InUci:
    """The position as its game says it in UCI."""
    uci_position = in_uci(position)
    assert uci_position is not None, "refused before by must_be_chess"
    return uci_position


def board_of(position: InUci, option: str) -> Any:
    """The library's board of a position, without its past."""
    return library("chess", option).Board(position.fen(), chess960=position.chess960)


def library(module: str, option: str) -> Any:
    """A module of the library. Raises Usage if it is not installed."""
    return extras.library(module, option, "chess")
