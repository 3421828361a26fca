# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go solver for boards of up to 25 points: proof-number search with unconditional life.  Types: solver.pxd.

The question is whether one side, the attacker, can end at least `margin` points ahead by area, without komi
and without suicide. The search is df-pn, as in `engines/pns.py`.

Theorem: with `superko` (positional: no move repeats an earlier board, of the line or of `past`) both answers
are exact for any history. The value of a position then depends on the set of earlier boards (graph-history
interaction, M. Campbell, 1985). Two kinds of results are therefore stored separately:

- A result that depends on a move of the loser being illegal, since it repeats a board before the position, is
  stored under the path: a hash of `past` and of the boards of the line, without symmetries.
- Any other holds on every path on which the moves of the winner's proof are legal. It is stored for the
  position, with stones that the winner has on every board that the winner makes in the proof (`kept_stones`).
  It is used if no earlier board has all of them: then the proof repeats no board. Otherwise the proof may not
  hold, and the position is searched again. Testing a proof on each path before its use follows A. Kishimoto
  and M. Mueller, A general solution to the graph history interaction problem, 2004, who replay it.

Safe points count only if no earlier board has all living stones, for the same reason. "No" becomes "unknown"
once a line exceeds 126 plies. Path hashes have 47 bits; all other keys are exact.

Theorem: without `superko`, by simple ko and without history, yes means that the attacker can force the margin
in a finite number of moves: repetition counts against the attacker, and each position of a proof was proved
before those that lead to it. No is the opposite, within 126 plies; if the margin depends on a repetition
rule, as on 2x2, the answer is no.

1. Unconditional life (see `bitboard.py`) ends lines early: the attacker has the
   margin in unconditional territory, or the defender has too much of it.
2. Moves after which the other side can end the game at once are pruned. Such replies are generated once, in
   the position before, and checked after each move.
3. The table stores each position once for all its symmetric images. Its keys are the positions themselves:
   there are no collisions.
4. The proof and disproof numbers of a new position are initialized from stones, liberties, chains and
   regions, with weights fitted by logistic regression to solved positions. They affect the order of search,
   never the result.

Gains, in positions visited to prove 3x5 (15 points) and 3x6 (18 points): all techniques 18,000 and 426,000;
without 2 34,000 and 775,000; with sums in place of weak proof numbers 43,000 and more than 1.5 million; with
all numbers initialized to 1 235,000 and more than 20 million; initialized only by the defender's potential
eyes 72,000 and 6 million. Alpha-beta with the same safe points, deepened by two plies per iteration, visited
280,000 on 3x5, 710,000 on 4x4 (this search: 56,000), and had not proved 3x6 after 10 million.

5x5 was first solved by van der Werf, van den Herik and Uiterwijk, Solving Go on small boards, 2003, with the
same safe points (see `bitboard.py`). `tests/games/go/test_solver.py` compares the answers with
those of all positions of smaller boards, `test_solver_history.py` with all lines of play.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math

from gameplay.games.go.bitboard import GoBitboard
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import fold, spread
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.native.bits import M32, ONE, lowest, popcount
    from gameplay.native.hashing import fold, spread

M48 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFF)

MAX_PLIES = cython.declare(cython.int, 126)  # the longest line; longer ones count against the attacker
MAX_MOVES = cython.declare(cython.int, 32)  # more than the moves of a position
PASS = cython.declare(cython.int, 63)  # a move; others are the bit of a point
INFINITE = cython.declare(cython.uint, 1 << 30)  # the number of a disproved goal
MAX_FINITE = cython.declare(cython.uint, (1 << 30) - 1)  # the greatest finite number
# Greater than any ply: the result does not depend on the path.
NO_DEPENDENCY = cython.declare(cython.int, 1 << 20)
# The attacker's result, in entries of paths.
WON, LOST = (cython.declare(cython.uint, 2), cython.declare(cython.uint, 1))

NEW_BOARD = cython.declare(cython.int, -2)  # less than any ply: the board is new
MAX_PAST = cython.declare(cython.int, 512)  # boards before the root, at most
POLL_INTERVAL = cython.declare(cython.longlong, 1024)  # positions between two polls of `control`

# A key, from the lowest bit: 40 bits of the board in base 3, 5 of the ko, the side to move, whether the last
# move was a pass, 1. The key of a path: 47 bits of a hash, 0. An entry: a key and above it the logarithm of
# the work; then two proof numbers of 32 bits, of the side to move and of the other side. In a solved position
# one is 0 and the other INFINITE + the stones that the winner keeps, a bit each, on the canonical board. In
# an entry of a path: the winner and, above it, those stones; then 1 + the lowest ply that the result depends
# on.

# Weights for the attacker: stones, liberties, private liberties, stones on the edge, chains, chains in atari,
# stones in atari, enclosed regions; the same of the defender; a constant.
ATTACKER_WEIGHTS = (17, 2, 1, -10, -6, -10, 1, 9, -13, -5, -6, 8, 24, -16, 12, -36, 2)
DEFENDER_WEIGHTS = (10, 1, 3, -11, -11, -3, -9, 16, -6, -7, -5, 2, 18, -7, 6, -23, -3)
MAX_SUM = cython.declare(cython.int, 250)  # sums are clamped to it


class GoSolver(GoBitboard):
    """Solves one board size; `nodes` counts all positions visited. Set `stopped` to end a search."""

    def __init__(self, columns: cython.int, rows: cython.int, size: cython.int = 15):
        """A board, and a table of 2**size entries of 16 bytes each. Raises Usage for a board too large."""
        GoBitboard.__init__(self, columns, rows)
        i: cython.int
        self.size = max(3, size)
        self.nodes = 0
        self.stopped = False
        self.question = None
        self.control = None
        self.node_limit = self.next_poll = 0
        if not cython.compiled:
            self.proofs, self.disproofs = [0] * 512, [0] * 512
            self.attackers, self.defenders, self.ko, self.passed, self.line_keys, self.path_hash = (
                [0] * 128 for _ in range(6)
            )
            self.pruned, self.past_attackers, self.past_defenders = [0] * 128, [0] * MAX_PAST, [0] * MAX_PAST
            self.next_key, self.next_symmetry, self.phi, self.delta = ([0] * 4096 for _ in range(4))
            self.dependency_ply, self.solved, self.kept_stones = ([0] * 4096 for _ in range(3))
            self.threats = [0] * 32
        for i in range(34):
            self.weights[i] = (ATTACKER_WEIGHTS + DEFENDER_WEIGHTS)[i]
        for i in range(2 * MAX_SUM + 1):
            self.proofs[i] = int(64 * math.exp(-0.04 * (i - MAX_SUM))) + 1
            self.disproofs[i] = int(64 * math.exp(0.005 * (i - MAX_SUM))) + 1
        self.clear()

    def clear(self):
        """Discard all results."""
        self.path_results = self.line_too_long = False
        self.table = memoryview(memory(cython.cast(cython.size_t, 16) << self.size)).cast("Q")
        if cython.compiled:
            self.entries = cython.cast(cython.p_ulonglong, address_of(self.table))
        else:
            self.entries = self.table

    # -- the table -----------------------------------------------------------------------------

    def path_key(self, ply, attackers, defenders, ko, passed):
        """The key of a position at a ply together with its path, without symmetries."""
        mixed: cython.ulonglong = fold(self.path_hash[ply], attackers ^ spread(defenders))
        mixed = fold(mixed, ko << 1 | cython.cast(cython.ulonglong, passed))
        return max(ONE, (mixed ^ mixed >> 31) >> 17)  # 0 is an empty entry

    def probe(self, key):
        """The index of a key's entry; -1: there is none."""
        start: cython.long = cython.cast(cython.long, spread(key) >> (66 - self.size)) * 8
        i: cython.long
        for i in range(start, start + 8, 2):
            if self.entries[i] & M48 == key:
                return i
        return -1

    def store(self, key, phi, delta, work):
        """Store an entry; in a bucket of four the one with the least work is replaced."""
        start: cython.long = cython.cast(cython.long, spread(key) >> (66 - self.size)) * 8
        i: cython.long
        at: cython.long = start
        log_work: cython.ulonglong = 0
        while work:
            log_work += 1
            work >>= 1
        for i in range(start, start + 8, 2):
            if self.entries[i] & M48 == key:
                at = i
                log_work = max(log_work, self.entries[i] >> 48)
                break
            if self.entries[i] >> 48 < self.entries[at] >> 48 or not self.entries[i]:
                at = i
        self.entries[at] = log_work << 48 | key
        self.entries[at + 1] = cython.cast(cython.ulonglong, delta) << 32 | phi

    # -- the search ----------------------------------------------------------------------------

    def init_proof_numbers(self, number, mover):
        """Initialize the numbers `phi` and `delta` of a new position after a move of `mover`."""
        own: cython.ulonglong = self.next_own[number]
        other: cython.ulonglong = self.next_other[number]
        empty: cython.ulonglong = self.board & ~(own | other)
        first: cython.int = 0 if mover else 17
        total: cython.int = self.weights[first + 16]
        eyes: cython.ulonglong = self.board & ~(other if mover else own)
        if mover:
            own, other = other, own
        total += self.weighted_features(own, other, empty, first) + self.weighted_features(
            other, own, empty, first + 8
        )
        total = max(0, min(total + MAX_SUM, 2 * MAX_SUM))
        # The defender's potential eyes: points with no attacker next to them.
        proof: cython.uint = self.proofs[total] + 4 * popcount(eyes & ~self.neighbours(own))
        disproof: cython.uint = self.disproofs[total]
        self.phi[number] = proof if mover else disproof
        self.delta[number] = disproof if mover else proof

    def mark_solved(self, number, won, dependency_ply):
        """Mark the position after a move as won or lost for its mover; `dependency_ply`: see `visit`."""
        self.phi[number] = INFINITE if won else 0
        self.delta[number] = 0 if won else INFINITE
        self.dependency_ply[number] = dependency_ply
        self.solved[number] = True

    def generate_moves(self, ply, mover):
        """Write the moves of a ply; return their number, or -1 if one wins at once."""
        attackers: cython.ulonglong = self.attackers[ply]
        defenders: cython.ulonglong = self.defenders[ply]
        own: cython.ulonglong = defenders if mover else attackers
        other: cython.ulonglong = attackers if mover else defenders
        empty: cython.ulonglong = self.board & ~(attackers | defenders)
        # The safe points that decide at once: what the attacker needs, or more than the defender may lose.
        required: cython.int = self.area + 1 - self.required_points if mover else self.required_points
        base: cython.int = MAX_MOVES * ply
        last: cython.int = MAX_MOVES * (MAX_PLIES + 1)
        count: cython.int = 0
        threats: cython.int = 0
        remaining: cython.int = 0
        i: cython.int
        j: cython.int
        secured: cython.int
        is_pruned: cython.bint
        rest: cython.ulonglong = empty & ~self.ko[ply]
        region: cython.ulonglong = self.single_region(own)
        # 1. A second pass.
        self.pruned[ply] = self.board
        if self.passed[ply] and mover ^ (self.area_lead(attackers, defenders) >= self.margin):
            self.result_stones = self.board
            return -1
        # 2. Moves after which enough points are safe.
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            secured = self.secures(own, other, i, base + count, region, required)
            if secured > 0 and self.is_sound(ply, base + count, mover):
                self.result_stones = self.living_stones
                return -1
            if secured >= 0:
                count += 1
        if not self.passed[ply]:
            i = base + count
            self.next_own[i], self.next_other[i], self.next_ko[i] = own, other, 0
            self.moves[i] = PASS
            count += 1
        # 3. The other side's threats to do so: prune moves that allow one.
        required = self.area + 1 - required
        region = self.single_region(other)
        while empty:
            i = lowest(empty)
            empty &= empty - 1
            if self.secures(other, own, i, last, region, required) > 0:
                self.threats[threats] = i
                threats += 1
        if not threats:
            return count
        for i in range(base, base + count):
            own, other = self.next_own[i], self.next_other[i]
            rest = self.board & ~(own | other | self.next_ko[i])
            is_pruned = False
            for j in range(threats):
                if (
                    rest >> self.threats[j] & 1
                    and self.secures(other, own, self.threats[j], last, 0, required) > 0
                    and (not self.superko or self.living_stones & ~other)
                    and self.is_sound(ply, last, 1 - mover)
                ):
                    self.pruned[ply] &= self.living_stones
                    # Test that threat first for the next moves.
                    self.threats[j], self.threats[0] = self.threats[0], self.threats[j]
                    is_pruned = True
                    break
            if not is_pruned:
                self.copy(i, base + remaining)
                remaining += 1
        return remaining

    def copy(self, source, target):
        """Copy a move from one index to another."""
        self.next_own[target] = self.next_own[source]
        self.next_other[target] = self.next_other[source]
        self.next_ko[target] = self.next_ko[source]
        self.moves[target] = self.moves[source]

    def position_repetition(self, ply, number):
        """The ply of the line with the position after this move; -1: there is none."""
        i: cython.int
        for i in range(ply, -1, -1):
            if self.line_keys[i] == self.next_key[number]:
                return i
        return -1

    def board_repetition(self, ply, number, mover):
        """The ply of the line with the board after this move; -1: before the root.

        NEW_BOARD: the board is new, or the move is a pass.
        """
        attackers: cython.ulonglong = self.next_other[number] if mover else self.next_own[number]
        defenders: cython.ulonglong = self.next_own[number] if mover else self.next_other[number]
        i: cython.int
        if self.moves[number] != PASS:
            for i in range(ply, -1, -1):
                if self.attackers[i] == attackers and self.defenders[i] == defenders:
                    return i
            for i in range(self.past_count):
                if self.past_attackers[i] == attackers and self.past_defenders[i] == defenders:
                    return -1
        return NEW_BOARD

    def may_repeat(self, ply, kept_stones, side):
        """True if a board before this ply or the root had all these stones of a side (0: the attacker).

        Otherwise no board on which the winner keeps them repeats an earlier one.
        """
        i: cython.int
        for i in range(ply):
            if not kept_stones & ~(self.defenders[i] if side else self.attackers[i]):
                return True
        for i in range(self.past_count):
            if not kept_stones & ~(self.past_defenders[i] if side else self.past_attackers[i]):
                return True
        return False

    def is_sound(self, ply, number, side):
        """True if the move is legal and no earlier board can repeat while `living_stones` live."""
        if not self.superko:
            return True
        return self.board_repetition(ply, number, side) == NEW_BOARD and not self.may_repeat(
            ply + 1, self.living_stones, side
        )

    def probe_child(self, ply, number, mover, new):
        """Probe the table for the position after a move; initialize its numbers if it is `new`."""
        key: cython.ulonglong = self.next_key[number]
        i: cython.long = self.probe(key)
        phi: cython.uint
        delta: cython.uint
        word: cython.ulonglong
        winner: cython.int
        if i < 0:
            if new:
                self.init_proof_numbers(number, mover)
            return
        phi = cython.cast(cython.uint, self.entries[i + 1] & M32)
        delta = cython.cast(cython.uint, self.entries[i + 1] >> 32)
        if phi == 0 or delta == 0:
            winner = mover if delta == 0 else 1 - mover
            self.kept_stones[number] = self.inverse_transform(
                (phi | delta) & ~INFINITE, self.next_symmetry[number]
            )
            if not self.superko or not self.may_repeat(ply + 1, self.kept_stones[number], winner):
                self.mark_solved(number, delta == 0, NO_DEPENDENCY)
                return
            # The stored proof may not hold on this path.
            if new:
                self.init_proof_numbers(number, mover)
        else:
            self.phi[number], self.delta[number] = phi, delta
        if self.path_results:
            i = self.probe(
                self.path_key(
                    ply + 1,
                    self.next_other[number] if mover else self.next_own[number],
                    self.next_own[number] if mover else self.next_other[number],
                    self.next_ko[number],
                    self.moves[number] == PASS,
                )
            )
            if i >= 0:
                word = self.entries[i + 1] & M32
                self.kept_stones[number] = self.inverse_transform(word >> 2, self.next_symmetry[number])
                self.mark_solved(
                    number,
                    ((word & 3) == WON) ^ (mover != 0),
                    cython.cast(cython.int, self.entries[i + 1] >> 32) - 1,
                )

    def visit(self, ply, phi_limit, delta_limit):
        """Search a position until one of its numbers reaches its limit; set `result_phi`, `result_delta`.

        They are the proof numbers of the side to move and of the other side. If one is 0, `result_ply` is the
        lowest ply that the result depends on.
        """
        mover: cython.int = (self.first + ply) & 1
        base: cython.int = MAX_MOVES * ply
        before: cython.longlong = self.nodes
        kept_stones: cython.ulonglong = 0
        symmetry: cython.int
        winner: cython.int
        i: cython.int
        j: cython.int
        count: cython.int
        best: cython.int
        unsolved: cython.int
        dependency_ply: cython.int = NO_DEPENDENCY
        repetition_ply: cython.int = NO_DEPENDENCY
        repeated: cython.int
        path_dependent: cython.bint
        phi: cython.uint
        second: cython.uint
        max_child: cython.uint
        delta: cython.uint
        child_delta_limit: cython.uint
        child_phi_limit: cython.uint
        new: cython.bint = True
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        # 1. A line that is too long counts against the attacker.
        if ply >= MAX_PLIES:
            self.result_phi = 0 if mover else INFINITE
            self.result_delta = INFINITE if mover else 0
            self.result_ply, self.result_stones = -1, 0
            self.path_results = self.line_too_long = True
            return
        key: cython.ulonglong = self.key(
            self.attackers[ply], self.defenders[ply], self.ko[ply], mover, self.passed[ply]
        )
        symmetry = self.symmetry
        self.line_keys[ply] = key
        path_key: cython.ulonglong = self.path_key(
            ply, self.attackers[ply], self.defenders[ply], self.ko[ply], self.passed[ply]
        )
        self.path_hash[ply + 1] = path_key
        # 2. The moves. A move that wins at once ends the visit.
        count = self.generate_moves(ply, mover)
        if count < 0:
            self.store(
                key, 0, INFINITE | cython.cast(cython.uint, self.transform(self.result_stones, symmetry)), 1
            )
            self.result_phi, self.result_delta, self.result_ply = 0, INFINITE, NO_DEPENDENCY
            return
        # 3. Repetitions: they are illegal with superko, else good for the defender.
        i = base
        for j in range(base, base + count):
            if self.superko:
                repeated = self.board_repetition(ply, j, mover)
                if repeated != NEW_BOARD:
                    self.path_results = True
                    repetition_ply = min(repetition_ply, repeated)
                    continue
            if i != j:
                self.copy(j, i)
            if mover:
                self.next_key[i] = self.key(
                    self.next_other[i], self.next_own[i], self.next_ko[i], 0, self.moves[i] == PASS
                )
            else:
                self.next_key[i] = self.key(
                    self.next_own[i], self.next_other[i], self.next_ko[i], 1, self.moves[i] == PASS
                )
            self.next_symmetry[i] = self.symmetry
            self.dependency_ply[i] = NO_DEPENDENCY
            self.kept_stones[i] = 0
            self.solved[i] = False
            if not self.superko:
                repeated = self.position_repetition(ply, i)
                if repeated >= 0:
                    self.path_results = True
                    self.mark_solved(i, mover != 0, repeated)
            i += 1
        count = i - base
        while True:
            # 4. The numbers of the position: the minimum, and the weak proof number in place of the sum.
            phi = second = INFINITE
            max_child = 0
            unsolved = 0
            best = base
            for i in range(base, base + count):
                if not self.solved[i]:
                    self.probe_child(ply, i, mover, new)
                if self.delta[i] < phi:
                    second = phi
                    phi = self.delta[i]
                    best = i
                elif self.delta[i] < second:
                    second = self.delta[i]
                if self.phi[i]:
                    unsolved += 1
                    max_child = max(max_child, self.phi[i])
            new = False
            if phi == 0 or max_child == INFINITE:
                delta = INFINITE
            elif unsolved == 0:
                delta = 0
            else:
                delta = min(max_child + unsolved - 1, MAX_FINITE)
            if delta == 0:
                phi = INFINITE
            # 5. A limit is reached.
            if self.stopped or phi >= phi_limit or delta >= delta_limit or phi == 0:
                break
            # 6. Visit the best move until its number exceeds the second best by an eighth.
            child_delta_limit = delta_limit if delta_limit == INFINITE else delta_limit - (unsolved - 1)
            child_phi_limit = INFINITE
            if second < INFINITE:
                child_phi_limit = min(second + max(1, second >> 3), MAX_FINITE)
            self.attackers[ply + 1] = self.next_other[best] if mover else self.next_own[best]
            self.defenders[ply + 1] = self.next_own[best] if mover else self.next_other[best]
            self.ko[ply + 1] = self.next_ko[best]
            self.passed[ply + 1] = self.moves[best] == PASS
            self.visit(ply + 1, child_delta_limit, min(phi_limit, child_phi_limit))
            self.phi[best], self.delta[best] = self.result_phi, self.result_delta
            if self.result_phi == 0 or self.result_delta == 0:
                self.dependency_ply[best] = self.result_ply
                self.kept_stones[best] = self.result_stones
                self.solved[best] = True
        # 7. The dependency ply and the kept stones: of the winning move, or of all moves.
        if phi == 0:
            dependency_ply = NEW_BOARD
            for i in range(base, base + count):
                if self.delta[i] == 0 and self.dependency_ply[i] > dependency_ply:
                    dependency_ply = self.dependency_ply[i]
                    kept_stones = (
                        self.kept_stones[i]
                        if self.moves[i] == PASS
                        else self.kept_stones[i] & self.next_own[i]
                    )
        elif delta == 0:
            dependency_ply = repetition_ply
            kept_stones = self.pruned[ply]
            for i in range(base, base + count):
                dependency_ply = min(dependency_ply, self.dependency_ply[i])
                kept_stones &= self.kept_stones[i]
        if phi == 0 or delta == 0:
            winner = mover if phi == 0 else 1 - mover
            path_dependent = dependency_ply < ply
            if not path_dependent:
                self.store(
                    key,
                    phi | cython.cast(cython.uint, self.transform(kept_stones, symmetry) if phi else 0),
                    delta | cython.cast(cython.uint, self.transform(kept_stones, symmetry) if delta else 0),
                    self.nodes - before,
                )
                dependency_ply = NO_DEPENDENCY
            if path_dependent or (self.superko and self.may_repeat(ply, kept_stones, winner)):
                self.path_results = True
                self.store(
                    path_key,
                    cython.cast(cython.uint, self.transform(kept_stones, symmetry) << 2)
                    | (LOST if winner else WON),
                    dependency_ply + 1,
                    self.nodes - before,
                )
            if path_dependent and self.probe(key) < 0:
                self.store(key, 1, 1, self.nodes - before)
        elif not self.stopped:
            self.store(key, phi, delta, self.nodes - before)
        self.result_phi, self.result_delta, self.result_ply, self.result_stones = (
            phi,
            delta,
            dependency_ply,
            kept_stones,
        )

    def poll(self):
        """Called when `nodes` reaches `next_poll`: stop at `node_limit` or if `control` expired."""
        if self.node_limit and self.nodes >= self.node_limit:
            self.stopped = True
        with cython.gil:
            if self.control is not None and self.control.expired():
                self.stopped = True
        self.next_poll = self.nodes + POLL_INTERVAL
        if self.node_limit and self.next_poll > self.node_limit:
            self.next_poll = self.node_limit

    def set_question(self, attacker: cython.int, margin: cython.int, superko: cython.bint = False):
        """Select a question of `proves` and discard the results of any other.

        Results are stored in `table`; a caller that fills it also sets `path_results` and `line_too_long`.
        """
        if (attacker, margin, superko) != self.question:
            self.clear()
            self.question = (attacker, margin, superko)

    def proves(
        self,
        stones,
        turn: cython.int,
        attacker: cython.int,
        margin: cython.int,
        superko: cython.bint = False,
        passed: cython.bint = False,
        ko: cython.int = 0,
        past=(),
    ):
        """True if `attacker` can force a lead of `margin` points by area.

        stones: the rows from the top, as `Go.stones()`. turn, attacker: 0 Black, 1 White. passed: the last
        move was a pass. ko: 1 + the number of the point, row by row from A1, that ko forbids; 0: none.
        past: with `superko` the earlier boards, each as `stones`.
        None if stopped (the same question then continues), or if with `superko` a line exceeded MAX_PLIES.
        """
        self.set_question(attacker, margin, superko)
        self.first = turn ^ attacker
        self.attackers[0], self.defenders[0] = (
            self.parse_stones(stones, attacker),
            self.parse_stones(stones, 1 - attacker),
        )
        self.passed[0] = passed
        self.ko[0] = ONE << ((ko - 1) // self.columns * self.stride + (ko - 1) % self.columns) if ko else 0
        self.margin = margin
        self.required_points = (margin + self.area + 1) // 2 if margin > -self.area else 0
        self.superko = superko
        if not self.set_past(past, attacker):
            return None
        self.next_poll = self.nodes + 1
        # If enough points are safe already, there is nothing to search.
        if not passed:
            if popcount(self.secure(self.attackers[0], self.defenders[0])) >= self.required_points and not (
                superko and self.may_repeat(0, self.living_stones, 0)
            ):
                return True
            if popcount(
                self.secure(self.defenders[0], self.attackers[0])
            ) > self.area - self.required_points and not (
                superko and self.may_repeat(0, self.living_stones, 1)
            ):
                return False
        with cython.nogil:
            self.visit(0, INFINITE, INFINITE)
        if self.result_phi and self.result_delta:
            return None
        proved = (self.result_phi == 0) ^ (self.first == 1)
        return None if superko and self.line_too_long and not proved else proved

    def set_past(self, past, attacker: cython.int):
        """Store the boards before the root, each once. False: there are more than MAX_PAST."""
        attackers: cython.ulonglong
        defenders: cython.ulonglong
        boards = {
            (self.parse_stones(stones, attacker), self.parse_stones(stones, 1 - attacker)) for stones in past
        }
        boards.discard((self.attackers[0], self.defenders[0]))
        self.past_count = 0
        self.path_hash[0] = 1 + self.first
        if len(boards) > MAX_PAST:
            return False
        for attackers, defenders in sorted(boards):
            self.past_attackers[self.past_count], self.past_defenders[self.past_count] = attackers, defenders
            self.path_hash[0] = fold(self.path_hash[0] + 1, attackers ^ spread(defenders))
            self.past_count += 1
        return True
