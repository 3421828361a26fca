# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Reads the code of each cell of a position, see `gameplay.ntuples.cells`.  C types: reader.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
else:
    from gameplay.kernel import Kernel

MAX_CELLS = 512


def cell_codes(kernel: Kernel):
    """The code of each cell, row by row, in a game that implements `read_cells`."""
    rows, columns = kernel.cell_shape
    contents = bytearray(rows * columns)
    codes: cython.p_uchar = contents
    kernel.read_cells(codes)
    return bytes(contents)


class CellReader:
    """Reads the codes of cells by `reader(position)`; None: by `read_cells` of the game."""

    def __init__(self, cells, reader=None):
        """Raises ValueError for too many cells."""
        if cells > MAX_CELLS:
            raise ValueError(f"{cells} cells: expected at most {MAX_CELLS}")
        self.cells, self.reader, self.native = cells, reader, reader is None

    def read(self, position, codes):
        """Write the code of each cell. False on an error, which the position then holds."""
        if self.native:
            position.read_cells(codes)
            return True
        i: cython.int
        with cython.gil:
            try:
                contents: bytes = position.call_python(self.reader, (position,))
                for i in range(self.cells):
                    codes[i] = contents[i]
                return True
            except BaseException as error:
                position.failed, position.error = True, error
                return False
