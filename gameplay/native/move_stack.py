# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The move stack of a kernel: moves with their weights and probabilities.  C types: move_stack.pxd.

The moves of ply k are stack[base_k:base_k+1]. A second stack is for evaluations written in Python, which may
request legal moves while a search uses the first.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import resized


class MoveStack:
    """Moves of all plies of a search, in memory that grows."""

    def __init__(self):
        self.capacity = self.spare_capacity = 0
        if not cython.compiled:
            self.spare, self.spare_weight, self.spare_odds = [], [], []

    def __dealloc__(self):
        PyMem_Free(self.stack)
        PyMem_Free(self.weight)
        PyMem_Free(self.odds)
        PyMem_Free(self.spare)
        PyMem_Free(self.spare_weight)
        PyMem_Free(self.spare_odds)

    def reserve(self, count):
        """Make room for `count` moves on the stack. Engines call this before a search."""
        if count <= self.capacity:
            return
        if cython.compiled:
            size: cython.size_t = count * cython.sizeof(cython.int)
            self.stack = cython.cast(cython.p_int, resized(self.stack, size))
            self.weight = cython.cast(cython.p_int, resized(self.weight, size))
            size = count * cython.sizeof(cython.double)
            self.odds = cython.cast(cython.p_double, resized(self.odds, size))
        else:
            more = count - (len(self.stack) if self.capacity else 0)
            self.stack = [*self.stack, *[0] * more] if self.capacity else [0] * more
            self.odds = [*self.odds, *[0.0] * more] if self.capacity else [0.0] * more
            self.weight = [*self.weight, *[0] * more] if self.capacity else [0] * more
        self.capacity = count

    def holds(self, end, move):
        """True if `move` is in stack[:end]; of the usual kind of number without a list of them."""
        i: cython.int = 0
        if type(move) is not int or not 0 <= move < 1 << 31:
            return move in [self.stack[i] for i in range(end)]
        sought: cython.int = move
        while i < end and self.stack[i] != sought:
            i += 1
        return i < end

    def extend(self, count):
        """Grow the stack if it is shorter than `count`; without the GIL."""
        with cython.gil:
            self.reserve(2 * count)

    def exchange_stacks(self):
        """Switch to the other stack."""
        self.stack, self.spare = self.spare, self.stack
        self.weight, self.spare_weight = self.spare_weight, self.weight
        self.odds, self.spare_odds = self.spare_odds, self.odds
        self.capacity, self.spare_capacity = self.spare_capacity, self.capacity
