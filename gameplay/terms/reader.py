# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The terms of a linear evaluation in a position, all at once.  C types: reader.pxd.

`Evaluation.counts` evaluates a position once for each term. A compiled game that counts all its terms in one
pass derives a `TermReader` and returns it from `term_reader` (`capabilities.HasTermReader`); for all other
games `AskedTerms` calls `counts`.
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

MOST_TERMS = 64


class TermReader:
    """Counts the terms that `names` lists, in their order. Threads share it."""

    def __init__(self, names):
        if len(names) > MOST_TERMS:
            raise ValueError(f"{len(names)} terms: expected at most {MOST_TERMS}")
        self.names = tuple(names)
        self.size = len(self.names)

    def read(self, position, counts):
        """Write the count of each term from the mover's view. C slot.

        False on an error of the game, which the position then holds.
        """
        return False

    def of(self, kernel: Kernel):
        """The counts as a list. Reraises what the game raised."""
        counts = cython.declare(cython.int[64])
        if not cython.compiled:
            counts = [0] * MOST_TERMS
        i: cython.int
        if not self.read(kernel, counts):
            error = kernel.error
            kernel.failed, kernel.error = False, None
            raise error
        values = []
        for i in range(self.size):
            values.append(counts[i])
        return values


class AskedTerms(TermReader):
    """The terms of any linear evaluation, each counted by an evaluation of its own."""

    def __init__(self, evaluation):
        TermReader.__init__(self, list(evaluation.weights))
        self.evaluation = evaluation

    def read(self, position, counts):
        i: cython.int
        with cython.gil:
            try:
                values = position.call_python(self.asked, (position,))
                for i in range(self.size):
                    counts[i] = values[i]
                return True
            except BaseException as error:
                position.failed, position.error = True, error
                return False

    def asked(self, kernel):
        """The counts in a list."""
        position = kernel.position if isinstance(kernel, PositionKernel) else kernel
        counts = self.evaluation.counts(position)
        return [counts[name] for name in self.names]


def term_reader(evaluation, position):
    """What counts the terms of a linear evaluation in positions. Raises Usage if it is not linear."""
    from gameplay.capabilities import HasTermReader

    if evaluation.scale and isinstance(position, HasTermReader):
        reader = position.term_reader(evaluation)
        if reader is not None:
            return reader
    evaluation.counts(position)  # raises Usage
    return AskedTerms(evaluation)
