# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""In which order to try the moves: the better the first, the more alpha-beta cuts off.  Types: ordering.pxd.

    generated    as the game lists them
    random       shuffled, from a seed
    evaluation   the child that looks best to the mover first, by one call of evaluate() each
    shallow      at the root, by a search of two plies (done by the searcher)
    killer       moves that cut off at the same ply elsewhere (Huberman 1968; Akl and Newborn 1977)
    history      moves that cut off anywhere, more for deep cutoffs (Schaeffer 1983)

Orders add up (`killer+history`). Ties stay as generated: every order is stable.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from gameplay.search import value as scale

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free

ORDERS = ("generated", "random", "evaluation", "shallow", "killer", "history")

MOVES = cython.declare(cython.int, 4096)  # moves above share their history
MOST = cython.declare(cython.int, 1 << 20)  # no move gains more
PLIES = cython.declare(cython.int, scale.MAX_PLY + 1)
FIRST = cython.declare(cython.int, 1 << 30)
KILLER = cython.declare(cython.int, 1 << 28)
WIN = cython.declare(cython.int, scale.WIN)
M64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


class Ordering:
    """`orders`: names from ORDERS; `seed`: for `random`, from 0 up."""

    def __init__(self, orders, seed=0):
        self.random = "random" in orders
        self.evaluation = "evaluation" in orders
        self.killer = "killer" in orders
        self.history = "history" in orders
        self.idle = not (self.random or self.evaluation or self.killer or self.history)
        self.state = ((seed + 1) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        if cython.compiled:
            self.killers = cython.cast(cython.p_int, PyMem_Calloc(2 * PLIES, cython.sizeof(cython.int)))
            self.gains = cython.cast(cython.p_int, PyMem_Calloc(2 * MOVES, cython.sizeof(cython.int)))
            if self.killers == cython.NULL or self.gains == cython.NULL:
                raise MemoryError
        else:
            self.killers = [0] * (2 * PLIES)
            self.gains = [0] * (2 * MOVES)
        i: cython.int
        for i in range(2 * PLIES):
            self.killers[i] = -1

    def __dealloc__(self):
        PyMem_Free(self.killers)
        PyMem_Free(self.gains)

    def arrange(self, kernel, base, end, ply, first):
        """Sort stack[base:end], `first` (-1: none) before all others."""
        i: cython.int
        move: cython.int
        weight: cython.int
        mover: cython.int = kernel.turn & 1
        for i in range(base, end):
            move = kernel.stack[i]
            weight = 0
            if move == first:
                weight = FIRST
            elif self.killer and move == self.killers[2 * ply]:
                weight = KILLER + 1
            elif self.killer and move == self.killers[2 * ply + 1]:
                weight = KILLER
            elif self.random:
                self.state ^= (self.state << 13) & M64  # Marsaglia's xorshift, 2003
                self.state ^= self.state >> 7
                self.state ^= (self.state << 17) & M64
                weight = cython.cast(cython.int, (self.state >> 40) & 0xFFFFFF)
            else:
                if self.evaluation:
                    weight = self.promise(kernel, move)
                if self.history:
                    weight += self.gains[mover * MOVES + (move & (MOVES - 1))]
            kernel.weight[i] = weight
        self.sort(kernel, base, end)

    def sort(self, kernel, base, end):
        """Stable insertion sort by weight, the greatest first."""
        i: cython.int
        j: cython.int
        move: cython.int
        weight: cython.int
        for i in range(base + 1, end):
            move = kernel.stack[i]
            weight = kernel.weight[i]
            j = i
            while j > base and kernel.weight[j - 1] < weight:
                kernel.stack[j] = kernel.stack[j - 1]
                kernel.weight[j] = kernel.weight[j - 1]
                j -= 1
            kernel.stack[j] = move
            kernel.weight[j] = weight

    def promise(self, kernel, move):
        """What the position after `move` looks like to the mover."""
        mover: cython.int = kernel.turn
        value: cython.int
        kernel.push(move)
        result: cython.int = kernel.result()
        if result == 0:
            value = kernel.score()
        elif result == 4:
            value = kernel.points()
        else:
            value = (result - 2) * WIN
        if kernel.turn != mover:
            value = -value
        kernel.pop(move)
        return value

    def reward(self, mover, ply, depth, move):
        """`move` cut off at `ply` with `depth` plies to go."""
        if self.killer and self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        if self.history:
            i: cython.int = (mover & 1) * MOVES + (move & (MOVES - 1))
            self.gains[i] = min(MOST, self.gains[i] + depth * depth)
