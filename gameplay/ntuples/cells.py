"""The contents of a game's cells as codes: the input of learned evaluations.

A cell is a cell of `board()`, row by row from the top, or in a game without a board a part of its `key()`.
Its code is an index into `letters`; 0 also stands for contents that occurred in no random game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.ntuples.reader import cell_codes
from gameplay.position import AbstractPosition
from gameplay.weights import flatten

NATIVE, BOARD, KEY = "native", "board", "key"  # source of cells: `Kernel.read_cells`, `board()`, `key()`
MAX_LETTERS = 255

Image = tuple[int, ...]  # for each cell its source under a symmetry


@dataclass(frozen=True)
class Cells:
    """The source of a game's cells, their codes and the size of the grid."""

    source: str  # NATIVE, BOARD or KEY
    letters: tuple[str, ...]  # the contents of each code
    rows: int
    columns: int

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def of(self, position: AbstractPosition) -> bytes:
        """The code of each cell. Raises Usage if the position has another number of cells."""
        if isinstance(position, Kernel) and self.source == NATIVE:
            return self._check_codes(position.cell_shape, cell_codes(position))
        contents = contents_of(position, self.source)
        codes = self._codes
        shape = len(contents), len(contents[0]) if contents else 0
        return self._check_codes(shape, bytes([codes.get(content, 0) for row in contents for content in row]))

    @cached_property
    def _codes(self) -> dict[str, int]:
        """The code of each letter, the first of equal ones."""
        return {letter: code for code, letter in reversed(list(enumerate(self.letters)))}

    def _check_codes(self, shape: tuple[int, int], codes: bytes) -> bytes:
        if shape != (self.rows, self.columns):
            raise Usage(f"expected {self.rows} by {self.columns} cells, found {shape[0]} by {shape[1]}")
        return codes

    def images(self) -> Iterator[tuple[str, Image]]:
        """Yield the symmetries of the board with their names, the identity first."""
        places = [[row * self.columns + column for column in range(self.columns)] for row in range(self.rows)]
        grids = [places]
        if self.rows == self.columns:
            grids.append([list(column) for column in zip(*places, strict=True)])
        for transposed, grid in enumerate(grids):
            for flipped, rows in enumerate((grid, grid[::-1])):
                for mirrored in (0, 1):
                    image = tuple([place for row in rows for place in (row[::-1] if mirrored else row)])
                    words = (transposed and "transpose", flipped and "upside down", mirrored and "mirror")
                    yield " ".join([word for word in words if word]) or "identity", image

    def images_of(self, names: Sequence[str]) -> list[Image]:
        """The symmetries of these names. Raises KeyError."""
        images = dict(self.images())
        return [images[name] for name in names]


def contents_of(position: AbstractPosition, source: str) -> list[list[str]]:
    """The contents of each cell, in rows of equal length."""
    if source == KEY:
        return [[str(part) for part in flatten(position.key())]]
    board = position.board()
    assert board is not None
    width = max((len(row) for row in board.cells), default=0)
    rows = [[*row, *[None] * (width - len(row))] for row in board.cells]
    if not board.counts:
        return [[letter or "" for letter in row] for row in rows]
    return [
        [f"{letter or ''}{board.counts.get((y, x), '')}" for x, letter in enumerate(row)]
        for y, row in enumerate(rows)
    ]
