# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The root of searches with float values: expectations and multiplayer values.  Types: expected.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from bisect import insort

from gameplay.search.tree import TreeSearch


class ExpectedSearch(TreeSearch):
    """Searches the root's moves in order and keeps the best `multipv`."""

    # -- for engines to override -----------------------------------------------------------------

    def try_move(self, kernel, base, move, depth, floor):
        """Search a move of the root. False if its value is not above `floor`."""
        return False

    def candidate(self, move, depth, bound):
        """The Candidate of the move searched last."""
        raise NotImplementedError

    def emit_root(self, best):
        """Report to the trace that the root is searched; `best`: its first Candidate."""
        raise NotImplementedError

    # -- the root --------------------------------------------------------------------------------

    def search_moves(self, depth: cython.int, floor: cython.double):
        """Search all moves of the root once; among equal moves the first one stays first.

        floor: only moves with a greater value are reported.
        """
        kernel: Kernel = self.kernel
        bound = "expectation" if kernel.chance else "exact"
        base: cython.int = len(self.moves)
        move: cython.int
        candidates = []
        cut = False
        self.tried = 0
        self.current_depth = depth
        if self.count():
            return
        for move in self.moves:
            self.horizon = False
            if kernel.python:
                better: cython.bint = self.try_move(kernel, base, move, depth - 1, floor)
            else:
                with cython.nogil:
                    better = self.try_move(kernel, base, move, depth - 1, floor)
            if self.stopped:
                break
            cut = cut or self.horizon
            if better:
                self.update_pv(0, move)
                insort(candidates, self.candidate(move, depth, bound), key=lambda candidate: -candidate.value)
                del candidates[self.multipv :]
                if len(candidates) == self.multipv:
                    floor = candidates[self.multipv - 1].value
            self.tried += 1
            if candidates and not (self.deepens and self.best[1]):
                self.best = (tuple(candidates), 0, False)
        self.check()
        if not self.stopped:
            if self.tracing:
                self.emit_root(candidates[0])
            self.horizon = cut
            self.best = (tuple(candidates), self.best[1], False)
            self.finish(depth)
            self.check()
