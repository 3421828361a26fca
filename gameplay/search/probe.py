# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Probes of endgame tables and solvers within a tree search.  Types: probe.pxd.

Theorem: a search that ends where `probe` is true has the value of one that goes on to the end of the game, if
the probed values are correct; a win of unknown length stands for all of them (`value.SURE`).

The cost: none if there is nothing to probe (there is no `Probe` then, see `probe_of`); one comparison at a
node with too many pieces; else taking the GIL and the probe itself.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.adapter import PositionKernel
from gameplay.kernel import Kernel

GUESS = cython.declare(cython.int, scale.GUESS)
EXACT = cython.declare(cython.int, scale.EXACT)
LOWER = cython.declare(cython.int, scale.LOWER)


class Probe:
    """Asks `sources`, which are `knowledge.knowledge.Knowledge`, about where `kernel` is. One a thread."""

    def __init__(self, kernel: Kernel, sources, most=0):
        self.position = kernel.position if isinstance(kernel, PositionKernel) else kernel
        self.sources = list(sources)
        self.most = most
        self.probes = self.cutoffs = 0
        self.value = self.bound = 0
        self.move = -1

    def probe(self, kernel, ply, alpha, beta):
        """Is the value known, as far as the window asks? It is in `value` then, fail-soft, and `bound`.

        The value counts wins from the root, as all values of a search do, `ply` plies above. `move` is a good
        one to try first, -1 where none was named, also when the answer is no.
        """
        # 1. What needs no interpreter.
        self.move = -1
        if self.most and kernel.pieces() > self.most:
            return False

        # 2. The rest is Python.
        answer: cython.bint = False
        with cython.gil:
            try:
                answer = self.probe_sources(ply, alpha, beta)
            except BaseException as error:
                if not kernel.failed:
                    kernel.failed = True
                    kernel.error = error
        return answer

    def probe_sources(self, ply, alpha, beta):
        """Ask one after the other until the window is settled."""
        self.probes += 1
        for source in self.sources:
            advice = source.probe(self.position)
            if advice is None:
                continue
            if advice.moves and self.move < 0:
                self.move = advice.moves[0]
            if not advice.exact or advice.value is None:  # a guess is the evaluation's business
                continue
            value: cython.int = advice.value
            if value > GUESS:
                value = max(value - ply, GUESS + 1)
            elif value < -GUESS:
                value = min(value + ply, -GUESS - 1)
            self.value = value
            self.bound = advice.bound
            if self.bound == EXACT or (value >= beta if self.bound == LOWER else value <= alpha):
                self.cutoffs += 1
                return True
        return False

    def answer(self, kernel: Kernel, ply: cython.int, alpha: cython.int, beta: cython.int):
        """`probe` for callers in Python: (value, bound) where it settles the window, else None."""
        known = self.probe(kernel, ply, alpha, beta)
        if kernel.failed:
            error = kernel.error
            kernel.failed, kernel.error = False, None
            raise error
        return (self.value, self.bound) if known else None


def probe_of(kernel: Kernel, sources, chosen=False):
    """The probe for a search from where `kernel` is; None where there is nothing to ask below.

    Sources that are not cheap enough to be asked there (`inner`) are left out. `chosen`: only some moves of
    the root are searched. Where all sources go by the pieces left, and the root has few enough, these are
    moves of equal worth that they named, and they have something to add only when there are fewer.
    """
    inner = [source for source in sources if source.inner]
    if not inner:
        return None
    numbers = [source.most for source in inner]
    most: cython.int = max(numbers) if min(numbers) else 0
    pieces: cython.int = kernel.pieces()
    if chosen and most and pieces:
        most = min(most, pieces - 1)
        if not most:
            return None
    return Probe(kernel, inner, most)
