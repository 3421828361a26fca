"""Notations of other programs that a game supports besides its own, listed in its `notations`.

"uci"   chess as UCI, Polyglot and Syzygy have it: the game fills `InUci`
"""

from typing import TYPE_CHECKING, Protocol, TypeGuard

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

UCI = "uci"


class InUci(Protocol):
    """The attributes of a chess position that UCI programs need."""

    turn: int  # 0: White
    chess960: bool  # castling is written as the king taking the rook; may be set

    def fen(self) -> str:
        """The position without its past, in Forsyth-Edwards notation."""
        ...

    def uci(self, move: int) -> str:
        """A legal move in four or five characters: `e2e4`, `e7e8q`."""
        ...

    def from_uci(self, text: str) -> int:
        """The legal move that `text` names. Raises IllegalMove."""
        ...


def in_uci(position: "AbstractPosition") -> InUci | None:
    """The position as one that speaks UCI's chess; None if its game does not."""
    return position if _speaks_uci(position) else None


def _speaks_uci(position: "AbstractPosition") -> TypeGuard[InUci]:
    return UCI in position.notations


def missing_declarations(position: "AbstractPosition") -> list[str]:
    """The missing declarations of a game: unknown notations, and absent methods of those that it names."""
    unknown = [f"notation {name!r}" for name in position.notations if name != UCI]
    words = (*InUci.__annotations__, *(name for name in vars(InUci) if not name.startswith("_")))
    return unknown + [name for name in words if in_uci(position) is not None and not hasattr(position, name)]
