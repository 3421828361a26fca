"""Connect Four notation: the columns played, `44455`; on boards wider than nine with spaces between."""

import re
from typing import TYPE_CHECKING

from gameplay.errors import BadInput, IllegalMove

if TYPE_CHECKING:
    from gameplay.board import Board
    from gameplay.kernel import Kernel

    class Columns(Kernel):
        """A game whose moves are columns."""

        columns: int


def format_moves(game: "Kernel", discs: int, columns: int) -> str | None:
    """The columns played so far; None inside a search, which does not record its moves."""
    if len(game.made) != discs:
        return None
    return ("" if columns <= 9 else " ").join([game.format(move) for move in game.made])


def drawing(board: "Board") -> str:
    """The rows from the top, and the last digits of the column numbers below them."""
    rows = [" ".join([cell or "." for cell in row]) for row in board.cells]
    return "\n".join([*rows, " ".join([name[-1] for name in board.columns])])


def format_column(_game: "Kernel", move: int) -> str:
    """The name of a column: its number, 1 from the left."""
    return str(move + 1)


def why_illegal(game: "Columns", text: str) -> str:
    """Why a column is illegal in a game in progress; "" if the text is not a number."""
    columns = game.columns
    if not re.fullmatch("0|[1-9][0-9]{0,3}", text):
        return ""
    return f"column {text} is full" if 1 <= int(text) <= columns else f"the columns go from 1 to {columns}"


def replay(game: "Columns", text: str) -> None:
    """Play the columns in `text` from the empty board: `44455`, or with spaces between.

    Raises BadInput for a word that is not a column, IllegalMove for an illegal column.
    """
    columns = game.columns
    while game.made:
        game.unmake()
    words = text.split() if columns > 9 else [letter for letter in text if letter != " "]
    for number, word in enumerate(words, 1):
        where = f"'{text}', {'column' if columns > 9 else 'character'} {number}"
        if not word.isdecimal() or not 1 <= int(word) <= columns:
            raise BadInput(f"{where}: '{word}' is not a column from 1 to {columns}")
        if game.outcome() is not None:
            raise IllegalMove(f"{where}: the game is over before '{word}'")
        if int(word) - 1 not in game.moves():
            raise IllegalMove(f"{where}: column {word} is full")
        game.make(int(word) - 1)
