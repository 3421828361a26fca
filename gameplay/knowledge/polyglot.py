"""An opening book of chess in Polyglot's format (Fabien Letouzey, 2007).

A file of entries of 16 bytes, big-endian, ordered by the key of the position:

    key 8 bytes | move 2 | weight 2 | learn 4        move: bits 14-12 becomes, 11-6 from, 5-0 to

Castling goes to the square of the rook.
"""

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.knowledge.chess_library import board_of, library, must_be_chess, point
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

BOOK = "book"
ENTRY = 16  # bytes
LOOKS = 4096  # entries whose order is looked at


class Polyglot(Knowledge):
    """Gives moves and their weights; those of weight 0 are never played."""

    option = BOOK

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if there is no such file, or it is no book; Usage without the library."""
        super().__init__(path, game)
        self.reader = _reader(path)

    @classmethod
    def fits(cls, position: "AbstractPosition") -> None:
        hint = "; books for other games are lines of moves, book=FILE.txt"
        must_be_chess("book: books in Polyglot's format are", position, hint)

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """The moves it has for the position."""
        chess = point(position)
        weights: dict[int, int] = {}
        for entry in self.reader.find_all(board_of(chess, BOOK)):
            move = chess.from_uci(entry.move.uci())
            weights[move] = weights.get(move, 0) + entry.weight
        return Advice("book", tuple(weights), tuple(weights.values())) if weights else None


@cache
def _reader(path: str) -> Any:
    """Reads a book. Raises BadInput where its size or its order is none of a book."""
    if not os.path.isfile(path):
        raise BadInput(file_io.no_file(path, "book"))
    polyglot = library("chess.polyglot", BOOK)
    size = os.path.getsize(path)
    if not size or size % ENTRY:
        raise BadInput(f"{path} is not a Polyglot book: its {size} bytes are not entries of {ENTRY}")
    try:
        reader = polyglot.open_reader(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    keys = [reader[at].key for at in range(0, len(reader), -(-len(reader) // LOOKS))]
    if keys != sorted(keys):
        raise BadInput(f"{path} is not a Polyglot book: its entries are not in order")
    return reader
