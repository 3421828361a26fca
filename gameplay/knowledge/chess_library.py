"""Access to the optional library `chess`, which reads books and tables of chess; imported on first use.

Its boards and moves are `Any` in signatures: the library may be missing.
"""

from typing import TYPE_CHECKING, Any

from gameplay import extras
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.notation import InUci, in_uci

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def require_chess(requirement: str, position: "AbstractPosition", hint: str = "") -> None:
    """Raise Usage unless the game is chess or a variant. The message: `requirement`, the game, `hint`."""
    if in_uci(position) is None:
        raise Usage(f"{requirement} for chess, and this is {name_of(position)}{hint}")


def uci_position(position: "AbstractPosition") -> InUci:
    """The position with its UCI methods."""
    uci = in_uci(position)
    assert uci is not None, "checked by require_chess"
    return uci


def to_board(position: InUci, option: str) -> Any:
    """The library's board of a position, without history."""
    return library("chess", option).Board(position.fen(), chess960=position.chess960)


def library(module: str, option: str) -> Any:
    """A module of the library. Raises Usage if it is not installed."""
    return extras.library(module, option, "chess")
