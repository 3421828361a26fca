"""Languages of programs outside that a game may speak besides its own. It says so itself: `notations`.

"uci"   chess as UCI, Polyglot and Syzygy have it: the game fills `InUci`
"""

from typing import Any, Protocol

UCI = "uci"


class InUci(Protocol):
    """What a game of chess has for these programs."""

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


def in_uci(position: Any) -> InUci | None:
    """The position as one that speaks UCI's chess; None if its game does not."""
    return position if UCI in position.notations else None
