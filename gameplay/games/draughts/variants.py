"""The games of draughts with flying kings that share one board: what their rules differ in.

Draw rules. FMJD, Annex 1, Official rules of international draughts, article 6; FMJD-64, rules of draughts-64
(Russian and Brazilian), article 7.2. Moves are counted for each side, here in plies.
"""

from dataclasses import dataclass

from gameplay.errors import BadInput, unknown


@dataclass(frozen=True)
class Variant:
    """The facts of one game."""

    name: str
    size: int  # rows, and columns, of the board
    men: int  # of each side at the start
    majority: bool  # the capture of the most pieces is mandatory
    passing: bool  # a man that passes the last row while it captures goes on as a king
    letters: bool  # squares are called a1 to h8; else by their numbers
    patience: int  # plies of kings alone, without a capture, that draw
    pdn: str  # the GameType of PDN

    @property
    def squares(self) -> int:
        """Dark squares of the board."""
        return self.size * self.size // 2

    def bit(self, square: int) -> int:
        """The bit of a square, from 1; see board.py."""
        row, place = divmod(square - 1, self.size // 2)
        return 11 * (row // 2) + 5 * (row % 2) + place

    def square(self, bit: int) -> int:
        """The square, from 1, of a bit of the board."""
        pairs, rest = divmod(bit, 11)
        row, place = 2 * pairs + rest // 5, rest % 5
        return row * (self.size // 2) + place + 1

    def cell(self, square: int) -> tuple[int, int]:
        """The row from the top and the column from the left of a square, from 1."""
        row, place = divmod(square - 1, self.size // 2)
        return row, 2 * place + 1 - row % 2

    def mask(self, squares: "range | list[int]") -> int:
        """Squares, from 1, as bits."""
        return sum(1 << self.bit(square) for square in squares)

    @property
    def diagonal(self) -> int:
        """The long diagonal, as bits: from the lower left corner to the upper right one."""
        cells = {self.cell(square): square for square in range(1, self.squares + 1)}
        return self.mask([cells[row, self.size - 1 - row] for row in range(self.size)])

    def called(self, square: int) -> str:
        """How a square, from 1, is written: its number, or a letter and the number of its row."""
        if not self.letters:
            return str(square)
        row, column = self.cell(square)
        return "abcdefgh"[column] + str(self.size - row)


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("international", 10, 20, True, False, False, 50, "20,W,10,10,N2,0"),
        Variant("russian", 8, 12, False, True, True, 30, "25,W,8,8,A0,0"),
        Variant("brazilian", 8, 12, True, False, True, 30, "26,W,8,8,A0,0"),
    )
}


def variant_named(name: str) -> Variant:
    """The variant of that name. Raises BadInput."""
    if name not in VARIANTS:
        raise BadInput(unknown("variant", name, VARIANTS))
    return VARIANTS[name]
