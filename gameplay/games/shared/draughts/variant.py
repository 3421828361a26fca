"""Facts of draughts variants, and the numbers, bits and names of their squares."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """The facts of one variant."""

    name: str
    size: int  # rows, and columns, of the board
    men: int  # of each side at the start
    majority: bool  # the capture of the most pieces is mandatory
    passing: bool  # a man that reaches the last row during a capture continues as a king
    letters: bool  # squares have names, a1 to h8; else numbers
    draw_plies: int  # plies until a draw, see `idle`
    pdn: str  # the GameType of PDN
    example: str  # a FEN
    sides: tuple[str, str] = ("white", "black")  # player 0, who moves first, and player 1
    idle: str = "of kings alone"  # which plies count towards a draw; a capture also resets the count
    stride: int = 11  # bits of two rows: one more than the ten squares of the widest board

    @property
    def squares(self) -> int:
        """Dark squares of the board."""
        return self.size * self.size // 2

    def bit(self, square: int) -> int:
        """The bit of a square, from 1; see board.py of the game."""
        row, place = divmod(square - 1, self.size // 2)
        return self.stride * (row // 2) + self.stride // 2 * (row % 2) + place

    def square(self, bit: int) -> int:
        """The square, from 1, of a bit of the board."""
        pairs, rest = divmod(bit, self.stride)
        row, place = divmod(rest, self.stride // 2)
        return (2 * pairs + row) * (self.size // 2) + place + 1

    def cell(self, square: int) -> tuple[int, int]:
        """The row from the top and the column from the left of a square, from 1."""
        row, place = divmod(square - 1, self.size // 2)
        return row, 2 * place + 1 - row % 2

    def mask(self, squares: Iterable[int]) -> int:
        """Squares, from 1, as bits."""
        return sum(1 << self.bit(square) for square in squares)

    @property
    def diagonal(self) -> int:
        """The long diagonal, as bits: from the lower left corner to the upper right one."""
        cells = {self.cell(square): square for square in range(1, self.squares + 1)}
        return self.mask([cells[row, self.size - 1 - row] for row in range(self.size)])

    def square_name(self, square: int) -> str:
        """The name of a square, from 1: its number, or a letter and the number of its row."""
        if not self.letters:
            return str(square)
        row, column = self.cell(square)
        return "abcdefgh"[column] + str(self.size - row)

    def square_number(self, name: str) -> int:
        """The number of the square with this name, in letters or numbers; 0 if there is none."""
        if name.isdecimal():
            return int(name) if 1 <= int(name) <= self.squares else 0
        if not self.letters:
            return 0
        return next((square for square in range(1, self.squares + 1) if self.square_name(square) == name), 0)
