"""The encoding of pieces, moves and sets of squares; `layout.pxd` has the C constants.

A move encodes all that it changes, so that it can be made, unmade and ordered without a lookup:

    bit   21    20 19 18   17 16 15   14 13 12   11 ... 6   5 ... 0
        colour    how        taken     kind        from       to        kind: pawn 0, knight, bishop,
                                                                        rook, queen, king 5
    how:   0 plain   1-4 promotes to knight ... queen 5 castling   6 en passant         7 pawn's double step
    taken: kind + 1, 0 nothing. Castling is encoded as king takes rook, as in Chess960.

The numbers of the squares are drawn in `attacks.py`.
"""

from functools import lru_cache
from typing import NamedTuple

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
CASTLE, EN_PASSANT, DOUBLE = 5, 6, 7  # `how`; 1 to 4: promotion to that kind

FILE_A = 0x0101010101010101
FILE_H = 0x8080808080808080
RANK_1 = 0xFF
RANK_3 = 0xFF0000
RANK_4 = 0xFF000000
RANK_5 = 0xFF00000000
RANK_6 = 0xFF0000000000
RANK_8 = 0xFF00000000000000
DARK = 0xAA55AA55AA55AA55

LETTERS = "PNBRQK"  # by kind
FILE_NAMES = "abcdefgh"
SQUARES = [file + rank for rank in "12345678" for file in FILE_NAMES]


class ChessMove(NamedTuple):
    """The parts of a move."""

    start: int
    to: int  # castling: the rook's square
    kind: int
    taken: int  # kind + 1; 0: nothing
    how: int

    @property
    def promotion(self) -> int:
        """The kind of a promotion; 0: none."""
        return self.how if self.how < CASTLE else 0

    @property
    def end(self) -> int:
        """The target square; of the king in castling."""
        if self.how == CASTLE:
            return (self.start & 56) + (6 if self.to > self.start else 2)
        return self.to


@lru_cache(1 << 14)  # the notation decodes every legal move to find the one that a word means
def decode(move: int) -> ChessMove:
    """The parts of a move."""
    return ChessMove(move >> 6 & 63, move & 63, move >> 12 & 7, move >> 15 & 7, move >> 18 & 7)
