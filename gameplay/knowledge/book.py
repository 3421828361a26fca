"""An opening book in Polyglot's format (Fabien Letouzey, 2007): what to play in positions known by heart.

A file of entries of 16 bytes, big-endian, ordered by the key of the position:

    key 8 bytes | move 2 | weight 2 | learn 4        move: bits 14-12 becomes, 11-6 from, 5-0 to

Castling goes to the square of the rook.
"""

import os
from functools import cache
from random import Random
from typing import Any

from gameplay.errors import BadInput
from gameplay.knowledge.aids import BOOK, Advice, library

ENTRY = 16  # bytes
LOOKS = 4096  # entries whose order is looked at


class Book:
    """Chooses among its moves by their weights; those of weight 0 it never plays."""

    def __init__(self, path: str) -> None:
        """Raises BadInput if there is no such file, or it is no book; Usage without the library."""
        self.path = path
        self.reader = _reader(path)

    def advise(self, match: Any, seed: int) -> Advice | None:
        """A move drawn by seed and ply: the same game again if both are the same."""
        position = match.position
        board = library("chess", BOOK).Board(position.fen(), chess960=position.chess960)
        entries = list(self.reader.find_all(board))
        if not entries:
            return None
        weights = [entry.weight for entry in entries]
        entry = Random(f"{seed}/book/{len(match.turns)}").choices(entries, weights)[0]
        return Advice((position.from_uci(entry.move.uci()),), "book")


@cache
def _reader(path: str) -> Any:
    """Reads a book. Raises BadInput where its size or its order is none of a book."""
    if not os.path.isfile(path):
        raise BadInput(f"there is no book {path}" + (": it is a folder" if os.path.isdir(path) else ""))
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
