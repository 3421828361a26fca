# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Move ordering: the better the first move, the more alpha-beta prunes.  Types: ordering.pxd.

    generated    in the order of generation
    random       shuffled, from a seed
    evaluation   by the static evaluation of each child, best for the mover first
    shallow      at the root, by a search of two plies (done by the tree search)
    hint         by Kernel.hint(): in chess captures first, by most valuable victim
    killer       moves that caused a cutoff at the same ply (Huberman 1968; Akl and Newborn 1977)
    countermove  the move that last refuted the opponent's last move (Uiterwijk 1992)
    history      moves that caused cutoffs anywhere, weighted by depth (Schaeffer 1983)
    continuation history for each previous move ("continuation history")

Orders can be combined (`killer+history`). Every order is stable.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale

if cython.compiled:
    from cython.cimports.gameplay.search import trace as steps
else:
    from gameplay.search import trace as steps

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN

ORDERS = {  # values of the option `order` with descriptions, for `gameplay engines NAME`
    "generated": "As the game lists the moves",
    "random": "Shuffled by the option seed",
    "evaluation": "By the static evaluation of the position after each move, the best for the mover first",
    "shallow": "At the root, by a search of two plies",
    "hint": "By what the game says of its moves: in chess, captures by most valuable victim",
    "killer": "Killer moves first: quiet moves that caused a beta cutoff at the same ply (Huberman 1968)",
    "countermove": "First the move that refuted the opponent's last move elsewhere (Uiterwijk 1992)",
    "history": "By the history heuristic: moves that caused beta cutoffs anywhere, deep ones counting more"
    " (Schaeffer 1983)",
    "continuation": "By continuation history: the history heuristic, kept for each move that was answered",
}

PLACES = cython.declare(cython.int, 4096)  # Kernel.history_index
PAIRED = cython.declare(cython.int, 1024)  # move indices that continuation history distinguishes
MOST = cython.declare(cython.int, 1 << 20)  # maximum history score
PLIES = cython.declare(cython.int, scale.MAX_PLY + 1)
FIRST = cython.declare(cython.int, 1 << 30)
GOOD = cython.declare(cython.int, 2 * scale.KILLER)  # positive hint
KILLER = cython.declare(cython.int, scale.KILLER)
BAD = cython.declare(cython.int, -scale.KILLER)  # loses material by SEE, or negative hint
WIN = cython.declare(cython.int, scale.WIN)


class Ordering:
    """`orders`: names from ORDERS; `seed`: for `random`, from 0 up."""

    def __init__(self, orders, seed=0, exchanges=False):
        self.exchanges = exchanges
        self.hint = "hint" in orders
        self.countermove = "countermove" in orders
        self.random = "random" in orders
        self.evaluation = "evaluation" in orders
        self.killer = "killer" in orders
        self.history = "history" in orders
        self.continuation = "continuation" in orders
        self.answers = self.countermove or self.continuation
        self.idle = not (
            self.random or self.evaluation or self.hint or self.killer or self.answers or self.history
        )
        self.state = ((seed + 1) * GOLDEN) & M64
        if cython.compiled:
            self.killers = cython.cast(cython.p_int, zeroed(2 * PLIES, cython.sizeof(cython.int)))
            self.gains = cython.cast(cython.p_int, zeroed(2 * PLACES, cython.sizeof(cython.int)))
            self.counters = cython.cast(cython.p_int, zeroed(2 * PLACES, cython.sizeof(cython.int)))
            if self.continuation:
                self.pairs = cython.cast(cython.p_int, zeroed(PAIRED * PAIRED, cython.sizeof(cython.int)))
        else:
            self.killers = [0] * (2 * PLIES)
            self.gains = [0] * (2 * PLACES)
            self.counters = [0] * (2 * PLACES)
            self.pairs = [0] * (PAIRED * PAIRED) if self.continuation else []
        i: cython.int
        for i in range(2 * PLACES):
            self.counters[i] = -1
        for i in range(2 * PLIES):
            self.killers[i] = -1

    def __dealloc__(self):
        PyMem_Free(self.killers)
        PyMem_Free(self.gains)
        PyMem_Free(self.counters)
        PyMem_Free(self.pairs)

    def sort(self, kernel, base, end, ply, first, last):
        """Sort stack[base:end] by score, `first` (-1: none) in front. `last`: see `score_moves`."""
        i: cython.int
        self.score_moves(kernel, base, end, ply, first, last)
        for i in range(base, end):
            self.pick(kernel, i, end)

    def score_moves(self, kernel, base, end, ply, first, last):
        """Score the moves stack[base:end], in weight[base:end], for `pick`.

        last: history index of the previous move, with its player in bit 12; -1: none.
        """
        i: cython.int
        mover: cython.int = kernel.turn & 1
        counter: cython.int = self.counters[last] if self.countermove and last >= 0 else -1
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            if move == first:
                kernel.weight[i] = FIRST
                continue
            weight: cython.int = kernel.hint(move) if self.hint else 0
            if weight > 0 and self.exchanges and kernel.see(move) < 0:
                weight += BAD
            elif weight > 0:
                weight += GOOD
            elif weight < 0:
                weight += BAD
            elif self.killer and move == self.killers[2 * ply]:
                weight = KILLER + 1
            elif self.killer and move == self.killers[2 * ply + 1]:
                weight = KILLER
            elif move == counter:
                weight = KILLER - 1
            elif self.random:
                self.state ^= (self.state << 13) & M64  # Marsaglia's xorshift, 2003
                self.state ^= self.state >> 7
                self.state ^= (self.state << 17) & M64
                weight = cython.cast(cython.int, (self.state >> 40) & 0xFFFFFF)
            else:
                if self.evaluation:
                    weight = move_score(kernel, move)
                place: cython.int = kernel.history_index(move)
                if self.history:
                    weight += self.gains[mover * PLACES + place]
                if self.continuation and last >= 0:
                    weight += self.pairs[(last & (PAIRED - 1)) * PAIRED + (place & (PAIRED - 1))]
            kernel.weight[i] = weight

    def reason(self, kernel, ply, move, weight, last):
        """The reason of `search.trace` for the score of a move; 0: generation order."""
        if self.hint and kernel.hint(move) > 0:
            return steps.HINT
        if self.killer and (move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]):
            return steps.KILLER_MOVE
        if self.countermove and last >= 0 and move == self.counters[last]:
            return steps.COUNTERMOVE
        if self.random:
            return steps.LOT
        if self.evaluation:
            return steps.EVALUATION
        return steps.HISTORY if weight > 0 else 0

    def pick(self, kernel, at, end):
        """Move the best-scored move of stack[at:end] to `at`; the others keep their order."""
        i: cython.int
        best: cython.int = at
        weight: cython.int = kernel.weight[at]
        for i in range(at + 1, end):
            if kernel.weight[i] > weight:
                weight = kernel.weight[i]
                best = i
        move: cython.int = kernel.stack[best]
        i = best
        while i > at:
            kernel.stack[i] = kernel.stack[i - 1]
            kernel.weight[i] = kernel.weight[i - 1]
            i -= 1
        kernel.stack[at] = move
        kernel.weight[at] = weight
        return move

    def record_cutoff(self, ply, move, last):
        """Record a beta cutoff by `move` at `ply`: a killer, and the countermove to `last`."""
        if self.killer and self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        if self.countermove and last >= 0:
            self.counters[last] = move

    def update_history(self, kernel, mover, depth, move, last):
        """Add depth squared to the history of `move` after a beta cutoff at remaining depth `depth`."""
        place: cython.int = kernel.history_index(move)
        if self.history:
            i: cython.int = (mover & 1) * PLACES + place
            self.gains[i] = min(MOST, self.gains[i] + depth * depth)
        if self.continuation and last >= 0:
            i = (last & (PAIRED - 1)) * PAIRED + (place & (PAIRED - 1))
            self.pairs[i] = min(MOST, self.pairs[i] + depth * depth)

    def adjust_history(self, kernel, mover, move, bonus, last):
        """Add `bonus`, -400 to 400, to the history of a move, with gravity: see `drawn`."""
        place: cython.int = kernel.history_index(move)
        if self.history:
            i: cython.int = (mover & 1) * PLACES + place
            self.gains[i] = drawn(self.gains[i], bonus)
        if self.continuation and last >= 0:
            i = (last & (PAIRED - 1)) * PAIRED + (place & (PAIRED - 1))
            self.pairs[i] = drawn(self.pairs[i], bonus)


def move_score(kernel, move):
    """The static evaluation of the position after `move`, or its value if over, from the mover's view."""
    mover: cython.int = kernel.turn
    kernel.push(move)
    result: cython.int = kernel.result()
    if result == 0:
        value: cython.int = kernel.score_for(mover)
    else:
        value = kernel.points() if result == 4 else (result - 2) * WIN
        if kernel.turn != mover:
            value = -value
    kernel.pop(move)
    return value


def drawn(gain, bonus):
    """History gravity: `gain` plus 32 * bonus - gain * |bonus| / 512, which stays within -16384 and 16384."""
    fade: cython.int = gain * abs(bonus)
    # Round towards zero explicitly: // of negatives differs between C and Python.
    return gain + bonus * 32 - (fade // 512 if fade >= 0 else -(-fade // 512))
