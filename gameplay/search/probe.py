# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Probes of endgame tables and solvers within a tree search.  Types: probe.pxd.

Theorem: if the probed values are correct, a search that stops where `probe` is true has the value of a search
to the end of the game, up to the distance of wins (`value.TB_WIN`: a win of unknown distance).

Cost: none without sources (`probe_of` returns None); one comparison at a node with too many pieces; otherwise
the GIL and the probe itself.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.adapter import PositionKernel
from gameplay.kernel import Kernel

MAX_EVAL = cython.declare(cython.int, scale.MAX_EVAL)
EXACT = cython.declare(cython.int, scale.EXACT)
LOWER = cython.declare(cython.int, scale.LOWER)


class Probe:
    """Probes `sources` (`knowledge.knowledge.Knowledge`) for the position of `kernel`. One per thread."""

    def __init__(self, kernel: Kernel, sources, most=0):
        self.position = kernel.position if isinstance(kernel, PositionKernel) else kernel
        self.sources = list(sources)
        self.most = most
        self.probes = self.cutoffs = 0
        self.value = self.bound = 0
        self.move = -1

    def probe(self, kernel, ply, alpha, beta):
        """True if a source's result suffices for the window: see `value` (fail-soft) and `bound`.

        Wins are scored by distance from the root, `ply` plies above. `move` is a recommended first move, -1
        for none, whatever the result.
        """
        # 1. Checks without the GIL.
        self.move = -1
        if self.most and kernel.pieces() > self.most:
            return False

        # 2. The sources, in Python.
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
        """Probe the sources in order until a result suffices for the window."""
        self.probes += 1
        for source in self.sources:
            advice = source.probe(self.position)
            if advice is None:
                continue
            if advice.moves and self.move < 0:
                self.move = advice.moves[0]
            if not advice.exact or advice.value is None:  # an estimate does not replace the evaluation
                continue
            value: cython.int = advice.value
            if value > MAX_EVAL:
                value = max(value - ply, MAX_EVAL + 1)
            elif value < -MAX_EVAL:
                value = min(value + ply, -MAX_EVAL - 1)
            self.value = value
            self.bound = advice.bound
            if self.bound == EXACT or (value >= beta if self.bound == LOWER else value <= alpha):
                self.cutoffs += 1
                return True
        return False

    def answer(self, kernel: Kernel, ply: cython.int, alpha: cython.int, beta: cython.int):
        """`probe` for Python callers: (value, bound) if it suffices for the window, else None."""
        known = self.probe(kernel, ply, alpha, beta)
        kernel.reraise()
        return (self.value, self.bound) if known else None


def probe_of(kernel: Kernel, sources, chosen=False):
    """The probe for a search from the position of `kernel`; None if there is nothing to probe.

    Only sources with `in_search` are fast enough. chosen: the root is restricted to some moves. If all
    sources depend on the number of pieces and cover the root, these moves have equal values by the sources,
    so probes can only help once there are fewer pieces.
    """
    sources = [source for source in sources if source.in_search]
    if not sources:
        return None
    numbers = [source.max_pieces for source in sources]
    most: cython.int = max(numbers) if min(numbers) else 0
    pieces: cython.int = kernel.pieces()
    if chosen and most and pieces:
        most = min(most, pieces - 1)
        if not most:
            return None
    return Probe(kernel, sources, most)
