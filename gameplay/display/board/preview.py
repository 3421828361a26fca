"""Preview of a theme: small boards side by side."""

from typing import TYPE_CHECKING

from gameplay.board import Board
from gameplay.display.board import drawing as boards

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

CHESS = Board(
    cells=(("r", "n", "k", ""), ("p", "", "p", "Q"), ("", "p", "N", ""), ("P", "", "P", "K")),
    columns=tuple("abcd"),
    rows=tuple("4321"),
    owners=dict.fromkeys("KQNP", 0) | dict.fromkeys("krnp", 1),
    last=((1, 3),),
    ground="chequered",
    white=0,
    glyphs=dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)),
)
OTHELLO = Board(
    cells=(("", "", "O", ""), ("", "O", "X", ""), ("X", "X", "X", ""), ("", "O", "", "")),
    columns=tuple("abcd"),
    rows=tuple("1234"),
    owners={"X": 0, "O": 1},
    last=((2, 0),),
    moves={(1, 0): (1,), (1, 3): (2,)},
    ground="felt",
    white=1,
    glyphs={"X": "●", "O": "○"},
)
RACK = Board(
    cells=(("", "", "", ""), ("", "O", "", ""), ("X", "X", "O", ""), ("O", "X", "X", "O")),
    columns=tuple("1234"),
    rows=("",) * 4,
    owners={"X": 0, "O": 1},
    last=((1, 1),),
    ground="rack",
    glyphs={"X": "●", "O": "○"},
)


def print_all(theme: "Theme") -> None:
    """Print the boards, as many side by side as fit."""
    from rich.columns import Columns

    drawings = [boards.draw(board, theme, 0) for board in (CHESS, OTHELLO, RACK)]
    theme.console.print(Columns(drawings, padding=(0, 3)))
    theme.console.print()
