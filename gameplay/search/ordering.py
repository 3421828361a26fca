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
    "generated": "In the order of generation",
    "random": "Shuffled by the option seed",
    "evaluation": "By the static evaluation of the position after each move, the best for the mover first",
    "shallow": "At the root, by a search of two plies",
    "hint": "By the game's own hints: in chess, captures by most valuable victim",
    "killer": "Killer moves first: quiet moves that caused a beta cutoff at the same ply (Huberman 1968)",
    "countermove": "The countermove first: it refuted the opponent's last move elsewhere (Uiterwijk 1992)",
    "history": "By the history heuristic: moves that caused beta cutoffs anywhere, deep ones counting more"
    " (Schaeffer 1983)",
    "continuation": "By continuation history: the history heuristic for each previous move",
}

HISTORY_SIZE = cython.declare(cython.int, 4096)  # values of Kernel.history_index
CONTINUATION_SIZE = cython.declare(cython.int, 1024)  # move indices distinguished by continuation history
MAX_HISTORY = cython.declare(cython.int, 1 << 20)  # maximum history score
PLIES = cython.declare(cython.int, scale.MAX_PLY + 1)
FIRST_WEIGHT = cython.declare(cython.int, 1 << 30)
GOOD_WEIGHT = cython.declare(cython.int, 2 * scale.KILLER)  # positive hint
KILLER_WEIGHT = cython.declare(cython.int, scale.KILLER)
BAD_WEIGHT = cython.declare(cython.int, -scale.KILLER)  # loses material by SEE, or negative hint
WIN = cython.declare(cython.int, scale.WIN)


class Ordering:
    """Scores and sorts moves. orders: names in ORDERS; seed: of `random`, from 0; uses_see: captures that
    lose material by static exchange evaluation come last.
    """

    def __init__(self, orders, seed=0, uses_see=False):
        self.uses_see = uses_see
        self.hint = "hint" in orders
        self.countermove = "countermove" in orders
        self.random = "random" in orders
        self.evaluation = "evaluation" in orders
        self.killer = "killer" in orders
        self.history = "history" in orders
        self.continuation = "continuation" in orders
        self.uses_previous_move = self.countermove or self.continuation
        self.keeps_order = not (
            self.random
            or self.evaluation
            or self.hint
            or self.killer
            or self.uses_previous_move
            or self.history
        )
        self.seed = seed
        if cython.compiled:
            self.killers = cython.cast(cython.p_int, zeroed(2 * PLIES, cython.sizeof(cython.int)))
            self.history_scores = cython.cast(
                cython.p_int, zeroed(2 * HISTORY_SIZE, cython.sizeof(cython.int))
            )
            self.countermoves = cython.cast(cython.p_int, zeroed(2 * HISTORY_SIZE, cython.sizeof(cython.int)))
            if self.continuation:
                self.continuation_scores = cython.cast(
                    cython.p_int, zeroed(CONTINUATION_SIZE * CONTINUATION_SIZE, cython.sizeof(cython.int))
                )
        else:
            self.killers = [0] * (2 * PLIES)
            self.history_scores = [0] * (2 * HISTORY_SIZE)
            self.countermoves = [0] * (2 * HISTORY_SIZE)
            self.continuation_scores = (
                [0] * (CONTINUATION_SIZE * CONTINUATION_SIZE) if self.continuation else []
            )
        i: cython.int
        for i in range(2 * HISTORY_SIZE):
            self.countermoves[i] = -1
        self.begin_search()

    def __dealloc__(self):
        PyMem_Free(self.killers)
        PyMem_Free(self.history_scores)
        PyMem_Free(self.countermoves)
        PyMem_Free(self.continuation_scores)

    def begin_search(self):
        """Clear the killer moves, which belong to plies, and begin `random` at the seed; keep the history."""
        self.rng_state = ((self.seed + 1) * GOLDEN) & M64
        i: cython.int
        for i in range(2 * PLIES):
            self.killers[i] = -1

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
        counter: cython.int = self.countermoves[last] if self.countermove and last >= 0 else -1
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            if move == first:
                kernel.weight[i] = FIRST_WEIGHT
                continue
            weight: cython.int = kernel.hint(move) if self.hint else 0
            if weight > 0 and self.uses_see and kernel.see(move) < 0:
                weight += BAD_WEIGHT
            elif weight > 0:
                weight += GOOD_WEIGHT
            elif weight < 0:
                weight += BAD_WEIGHT
            elif self.killer and move == self.killers[2 * ply]:
                weight = KILLER_WEIGHT + 1
            elif self.killer and move == self.killers[2 * ply + 1]:
                weight = KILLER_WEIGHT
            elif move == counter:
                weight = KILLER_WEIGHT - 1
            elif self.random:
                self.rng_state ^= (self.rng_state << 13) & M64  # Marsaglia's xorshift, 2003
                self.rng_state ^= self.rng_state >> 7
                self.rng_state ^= (self.rng_state << 17) & M64
                weight = cython.cast(cython.int, (self.rng_state >> 40) & 0xFFFFFF)
            else:
                if self.evaluation:
                    weight = move_score(kernel, move)
                index: cython.int = kernel.history_index(move)
                if self.history:
                    weight += self.history_scores[mover * HISTORY_SIZE + index]
                if self.continuation and last >= 0:
                    weight += self.continuation_scores[continuation_index(last, index)]
            kernel.weight[i] = weight

    def reason(self, kernel, ply, move, weight, last):
        """The reason of `search.trace` for the score of a move; 0: generation order."""
        if self.hint and kernel.hint(move) > 0:
            return steps.HINT
        if self.killer and (move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]):
            return steps.KILLER_MOVE
        if self.countermove and last >= 0 and move == self.countermoves[last]:
            return steps.COUNTERMOVE
        if self.random:
            return steps.RANDOM_CHOICE
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
            self.countermoves[last] = move

    def update_history(self, kernel, mover, depth, move, last):
        """Add depth squared to the history of `move` after a beta cutoff at remaining depth `depth`."""
        index: cython.int = kernel.history_index(move)
        if self.history:
            i: cython.int = (mover & 1) * HISTORY_SIZE + index
            self.history_scores[i] = min(MAX_HISTORY, self.history_scores[i] + depth * depth)
        if self.continuation and last >= 0:
            i = continuation_index(last, index)
            self.continuation_scores[i] = min(MAX_HISTORY, self.continuation_scores[i] + depth * depth)

    def adjust_history(self, kernel, mover, move, bonus, last):
        """Add `bonus`, -400 to 400, to the history of a move: see `apply_gravity`."""
        index: cython.int = kernel.history_index(move)
        if self.history:
            i: cython.int = (mover & 1) * HISTORY_SIZE + index
            self.history_scores[i] = apply_gravity(self.history_scores[i], bonus)
        if self.continuation and last >= 0:
            i = continuation_index(last, index)
            self.continuation_scores[i] = apply_gravity(self.continuation_scores[i], bonus)


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


def continuation_index(last, index):
    """The index of a move's score in continuation history, after the move with history index `last`."""
    return (last & (CONTINUATION_SIZE - 1)) * CONTINUATION_SIZE + (index & (CONTINUATION_SIZE - 1))


def apply_gravity(score, bonus):
    """A history score plus 32 * bonus - score * |bonus| / 512, which stays within -16384 and 16384."""
    decay: cython.int = score * abs(bonus)
    # Round towards zero explicitly: // of negatives differs between C and Python.
    return score + bonus * 32 - (decay // 512 if decay >= 0 else -(-decay // 512))
