"""Opening books of chess in Polyglot's format (Fabien Letouzey, 2007).

Entries of 16 bytes, big-endian, sorted by the key of the position:

    key 8 bytes | move 2 | weight 2 | learn 4        move: bits 14-12 promotion, 11-6 from, 5-0 to

Castling is encoded as king takes rook.
"""

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.knowledge.chess_library import library, require_chess, to_board, uci_position
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

BOOK = "book"
ENTRY_SIZE = 16  # bytes
ORDER_SAMPLES = 4096  # entries whose order is checked


class Polyglot(Knowledge):
    """Returns moves with their weights; moves of weight 0 are never played."""

    option = BOOK

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if the file is missing or not a book; Usage without the library."""
        super().__init__(path, game)
        self.reader = _open_reader(path)

    @classmethod
    def check_supported(cls, position: "AbstractPosition") -> None:
        hint = "; books for other games are lines of moves, book=FILE.txt"
        require_chess("book: books in Polyglot's format are", position, hint)

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """The entries of the position."""
        chess = uci_position(position)
        weights: dict[int, int] = {}
        for entry in self.reader.find_all(to_board(chess, BOOK)):
            move = chess.from_uci(entry.move.uci())
            weights[move] = weights.get(move, 0) + entry.weight
        return Advice("book", tuple(weights), tuple(weights.values())) if weights else None


@cache
def _open_reader(path: str) -> Any:
    """Open a book. Raises BadInput if its size or order is wrong."""
    if not os.path.isfile(path):
        raise BadInput(file_io.no_file(path, "book"))
    polyglot = library("chess.polyglot", BOOK)
    size = os.path.getsize(path)
    if not size or size % ENTRY_SIZE:
        raise BadInput(f"{path} is not a Polyglot book: its {size} bytes are not entries of {ENTRY_SIZE}")
    try:
        reader = polyglot.open_reader(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    keys = [reader[index].key for index in range(0, len(reader), -(-len(reader) // ORDER_SAMPLES))]
    if keys != sorted(keys):
        raise BadInput(f"{path} is not a Polyglot book: its entries are not in order")
    return reader
