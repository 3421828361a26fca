# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Counts the terms of a linear evaluation in a position.  C types: reader.pxd.

`Evaluation.counts` evaluates a position once for each term. A compiled game that counts all its terms in one
pass derives from `TermReader`, and returns an instance from `term_reader` (`capabilities.HasTermReader`).
`CountsReader` calls `counts` in all other games.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.adapter import PositionKernel

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
else:
    from gameplay.kernel import Kernel

MAX_TERMS = 64


class TermReader:
    """Counts the terms in `names`, in this order. An instance may be shared by threads."""

    def __init__(self, names):
        if len(names) > MAX_TERMS:
            raise ValueError(f"{len(names)} terms: expected at most {MAX_TERMS}")
        self.names = tuple(names)
        self.size = len(self.names)

    def read(self, position, counts):
        """Write the count of each term from the mover's view. C slot.

        False if the game raised an error, which is then stored in the position.
        """
        return False

    def of(self, kernel: Kernel):
        """The counts as a list. Re-raises errors of the game."""
        counts = cython.declare(cython.int[64])
        if not cython.compiled:
            counts = [0] * MAX_TERMS
        i: cython.int
        if not self.read(kernel, counts):
            kernel.reraise()
        values = []
        for i in range(self.size):
            values.append(counts[i])
        return values


class CountsReader(TermReader):
    """Counts the terms of any linear evaluation by `Evaluation.counts`."""

    def __init__(self, evaluation):
        TermReader.__init__(self, list(evaluation.weights))
        self.evaluation = evaluation

    def read(self, position, counts):
        i: cython.int
        with cython.gil:
            try:
                values = position.call_python(self.counts, (position,))
                for i in range(self.size):
                    counts[i] = values[i]
                return True
            except BaseException as error:
                position.failed, position.error = True, error
                return False

    def counts(self, kernel):
        """The counts in a list."""
        position = kernel.position if isinstance(kernel, PositionKernel) else kernel
        counts = self.evaluation.counts(position)
        return [counts[name] for name in self.names]


def term_reader(evaluation, position):
    """A reader of the terms of a linear evaluation. Raises Usage if it is not linear."""
    from gameplay.capabilities import HasTermReader

    if evaluation.scale and isinstance(position, HasTermReader):
        reader = position.term_reader(evaluation)
        if reader is not None:
            return reader
    evaluation.counts(position)  # raises Usage
    return CountsReader(evaluation)
