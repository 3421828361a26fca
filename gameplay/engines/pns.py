# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Proof-number search, depth first (df-pn): does the mover win, yes or no?  Types: pns.pxd.

L. Victor Allis, Maarten van der Meulen and Jaap van den Herik, "Proof-number search", Artificial Intelligence
66, 1994; depth first with a table as in Ayumu Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002; with the thresholds of Jakub Pawlewicz and Łukasz Lew, "Improving depth-first PN-search:
1 + ε trick", 2007.

Theorem: a player reported to win can force the win within the reported number of plies. A player reported
not to win cannot, where infinite repetition does not count as a win.

The attacker is the side whose win is to be proved; the other side defends.

1. The proof number of a position is the minimum number of leaves whose proof as wins would prove it won; the
   disproof number is the minimum to disprove it. At the attacker's nodes the proof number is the minimum over
   the moves and the disproof number the sum; at the defender's nodes it is the other way round. Phi and delta
   are the numbers from the view of the side to move: phi is the minimum, delta the sum.
2. The most-proving leaf is found by descending to the move with the smallest phi.
3. The search stays in a subtree as long as the most-proving leaf lies there, until one of the numbers reaches
   its limit. That of phi is a quarter above the second best move's, so that the search does not alternate
   between two moves.
4. The table stores the numbers of a position, and replaces the entry that took fewer nodes.

The value of a position may depend on the path: a repetition on the path is not a win, nor is a position after
too many moves without progress (Murray Campbell, "The graph-history interaction: on ignoring position
history", 1985). A proof of a win does not: each position in it was proved before those that lead to it, so
nothing in it repeats; and it is used only if move counters leave enough plies for it. A disproof is stored
with the lowest ply that it depends on. If that ply is above the position, it holds on this path only and is
stored under the key of the path (after Akihiro Kishimoto and Martin Müller, "A general solution to the graph
history interaction problem", 2004).

It first tries to prove a win of the mover, then of the other side; if neither, it is a draw. It may not
terminate in games with cycles (Kishimoto and Müller, "About the completeness of depth-first proof-number
search", 2008).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math
from dataclasses import dataclass

from gameplay.catalogue import name_of
from gameplay.kernel import ENDLESS, Kernel
from gameplay.native.memory import memory
from gameplay.search.engine import Engine
from gameplay.search.options import needed_table_option, option
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch
from gameplay.search.table import table_bits
from gameplay.search.trace import EVENTS, REASONS, TraceEvent

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, highest
    from cython.cimports.gameplay.native.hashing import MIX_1, spread
    from cython.cimports.gameplay.native.pointers import uints, ulonglongs
    from cython.cimports.gameplay.search import trace as steps
    from cython.cimports.gameplay.value import MAX_PLY, TB_WIN, WIN
else:
    from gameplay.native.bits import M64, highest
    from gameplay.native.hashing import MIX_1, spread
    from gameplay.native.pointers import uints, ulonglongs
    from gameplay.search import trace as steps
    from gameplay.value import MAX_PLY, TB_WIN, WIN

ALIASES = ("dfpn", "proofnumber")

MAX_NUMBER = (1 << 28) - 1
INFINITE = cython.declare(cython.uint, MAX_NUMBER)
MAX_FINITE = cython.declare(cython.uint, MAX_NUMBER - 1)
MAX_DEPTH = cython.declare(cython.int, 250)  # plies
MAX_STACK = cython.declare(cython.int, 1 << 17)  # moves on the move stack

# A table entry, from the lowest bit: disproof number 28, proof number 28, logarithm of the nodes searched 8.
# If one number is 0 the other is INFINITE, and its bits hold the detail instead: for a proof its length in
# plies at most; for a disproof 1 + the lowest ply that it depends on, or INFINITE if on none.


class PnsSearch(RootSearch):
    """Proves or disproves a win in one position, for the mover and then for the other side."""

    def __init__(self, kernel: Kernel, control, size, mobility=True, weak=True):
        RootSearch.__init__(self, kernel, control)
        self.size = size
        self.mobility = mobility
        self.weak = weak
        self.owner = memoryview(memory(16 << size)).cast("Q")
        self.owners = [memoryview(memory(4 << 17)).cast("I") for _ in range(3)]
        self.entries = ulonglongs(self.owner)
        self.phi = uints(self.owners[0])
        self.delta = uints(self.owners[1])
        self.details = uints(self.owners[2])
        if not cython.compiled:
            self.path, self.path_counts = [0] * 256, [0] * 4096
        kernel.reserve((MAX_DEPTH + 2) * max(kernel.max_moves, 64))
        self.counts_moves = kernel.plies_until_draw() < ENDLESS
        self.attacker = kernel.turn
        self.root_proof = self.root_disproof = 1
        self.path_key = 0
        self.proof = self.disproof = self.detail = self.stack_end = 0
        self.best_index = self.reason = 0
        self.max_depth = MAX_DEPTH
        self.root_count = len(self.moves)
        self.path_dependent = self.restricted = self.truncated = False

    def restrict_moves(self, moves):
        before = len(self.moves)
        RootSearch.restrict_moves(self, moves)
        self.restricted = len(self.moves) < before
        self.root_count = len(self.moves)

    def run(self, depth):
        mover = self.kernel.turn
        self.max_depth = min(depth, MAX_DEPTH)
        if self.count():
            return
        won = self.prove_win(mover)
        sure: cython.bint = not self.truncated
        if self.stopped:
            self.set_best(self.best_index, 0, "unknown")
        elif won:
            self.set_proved(1)
        else:
            self.set_best(0, 0, "upper" if sure else "unknown")
            lost = self.prove_win(1 - mover)
            if self.stopped or (self.truncated and not lost):
                self.set_best(self.best_index, 0, "upper" if sure else "unknown")
            elif lost:
                self.set_proved(-1)
            else:
                self.set_best(self.best_index, 0, "exact" if sure else "lower")
        if not self.stopped:
            self.control.halt("depth" if self.truncated else "proven")

    def prove_win(self, attacker):
        """True if `attacker` can force a win; false if disproved, truncated or stopped."""
        kernel: Kernel = self.kernel
        i: cython.int
        self.attacker = attacker
        self.salt = spread(attacker + 1)
        self.path_dependent = self.truncated = False
        self.min_gain = WIN
        self.root_proof = self.root_disproof = 1
        self.root_count = len(self.moves)
        for i in range(self.root_count):
            kernel.stack[i] = self.moves[i]
        if self.tracing:
            self.emit(steps.QUESTION, 0, -1, attacker, 0, 0, 0, 0)
            self.emit(steps.ENTER, 0, -1, kernel.turn, 0, INFINITE, INFINITE, INFINITE)
        if kernel.python:
            self.visit(kernel, 0, 0, INFINITE, INFINITE)
        else:
            with cython.nogil:
                self.visit(kernel, 0, 0, INFINITE, INFINITE)
        if self.tracing:
            self.emit_leave(kernel, 0, -1)
        self.check()
        return not self.stopped and self.proof == 0

    def set_best(self, number, value, bound, line=()):
        """Set the result, and the best move of the root."""
        sure = bound == "exact"
        line = line or (self.moves[number],)
        self.best = ((Candidate(line[0], value, bound, pv=line, proven=sure),), 0, sure)

    def set_proved(self, sign):
        """Record a proved win of the mover (`sign` 1) or of the other side (-1), and the best move.

        If the game is scored in points, the value is the smallest gain at any won leaf, a bound; otherwise
        a win within the length of the proof, if that is known.
        """
        i: cython.int
        moves = [i for i in range(self.root_count) if sign < 0 or self.phi[i] == 0]
        chosen = (min if sign > 0 else max)(moves, key=self.proof_length)
        plies = self.proof_length(chosen) + 1
        value: cython.int = sign * cython.cast(cython.int, self.min_gain)
        bound = "lower" if sign > 0 else "upper"
        if not self.kernel.scored:
            value = sign * (TB_WIN if plies > MAX_PLY else WIN - plies)
            if plies > MAX_PLY or plies == 1:
                bound = "exact"
        line = self.winning_line(self.moves[chosen])
        self.set_best(chosen, value, bound, line)
        self.seldepth = max(self.seldepth, len(line))
        self.truncated = False

    def proof_length(self, i: cython.int):
        """The length in plies of the proof of a root move."""
        return self.details[i]

    def winning_line(self, first):
        """The attacker's winning line after this move, against the longest defence.

        It ends where the table has no entry, or at the first position in the endgame tables, which do not
        store the winning line.
        """
        kernel: Kernel = self.kernel
        made = [first]
        kernel.push(first)
        while kernel.result() == 0 and len(made) < MAX_DEPTH:
            i: cython.int
            attacking: cython.bint = kernel.turn == self.attacker
            if self.probe is not None and self.probe.probe(
                kernel, len(made), 0 if attacking else -1, 1 if attacking else 0
            ):
                break
            lines = []
            for move in [kernel.stack[i] for i in range(kernel.gen(0))]:
                kernel.push(move)
                self.set_numbers(kernel, -1)
                kernel.pop(move)
                if self.proof == 0:
                    lines.append((self.detail, move))
            if not lines:
                break
            wanted: cython.uint = (min if attacking else max)(lines)[0]
            move = next(move for plies, move in lines if plies == wanted)
            made.append(move)
            kernel.push(move)
        for move in reversed(made):
            kernel.pop(move)
        return tuple(made)

    def report(self):
        """The result so far, with the numbers of the root."""
        candidates, _, exact = self.best
        return Report.of(
            candidates,
            seldepth=self.seldepth,
            nodes=self.nodes,
            memory=cython.cast(cython.longlong, 16) << self.size,
            exact=exact,
            claimant=self.attacker,
            proof=None if self.root_proof == MAX_NUMBER else self.root_proof,
            disproof=None if self.root_disproof == MAX_NUMBER else self.root_disproof,
        )

    # -- the table ---------------------------------------------------------------------------------

    def lookup(self, key):
        """True if the table has the position; sets `proof`, `disproof` and `detail`."""
        i: cython.size_t = (spread(key) >> (64 - self.size)) & ~cython.cast(cython.size_t, 1)
        k: cython.size_t
        for k in range(i, i + 2):
            numbers: cython.ulonglong = self.entries[2 * k + 1]
            if numbers and self.entries[2 * k] == key:
                self.proof = cython.cast(cython.uint, (numbers >> 28) & INFINITE)
                self.disproof = cython.cast(cython.uint, numbers & INFINITE)
                if self.proof == 0:
                    self.detail = self.disproof
                    self.disproof = INFINITE
                elif self.disproof == 0:
                    self.detail = INFINITE if self.proof == INFINITE else self.proof - 1
                    self.proof = INFINITE
                return True
        return False

    def store(self, key, work):
        """Store the numbers of a position; `work`: nodes searched for them."""
        i: cython.size_t = (spread(key) >> (64 - self.size)) & ~cython.cast(cython.size_t, 1)
        if self.entries[2 * i] != key and (
            self.entries[2 * i + 2] == key or self.entries[2 * i + 3] >> 56 < self.entries[2 * i + 1] >> 56
        ):
            i += 1
        proof: cython.ulonglong = min(self.detail + 1, INFINITE) if self.disproof == 0 else self.proof
        disproof: cython.ulonglong = self.detail if self.proof == 0 else self.disproof
        effort: cython.ulonglong = highest(work + 1) + 1
        self.entries[2 * i] = key
        self.entries[2 * i + 1] = (effort << 56) | (proof << 28) | disproof

    # -- the search --------------------------------------------------------------------------------

    def path_ply(self, key, ply):
        """The ply of the position with this key on the path; -1 if it is not there."""
        k: cython.int
        if self.path_counts[key & 4095]:
            for k in range(ply, -1, -1):
                if self.path[k] == key:
                    return k
        return -1

    def set_numbers(self, kernel, ply):
        """Set the numbers of the position reached by a move from `ply`."""
        key: cython.ulonglong = kernel.hash()
        repeated_ply: cython.int = self.path_ply(key, ply)
        won: cython.bint = False
        detail: cython.uint = 0
        # 1. A repetition is not a win, nor is the end of a game without one.
        if repeated_ply >= 0:
            self.path_dependent = True
            self.reason = steps.REPETITION
            detail = repeated_ply
        elif kernel.result():
            self.reason = steps.GAME_END
            gain: cython.double = kernel.payoff(self.attacker)
            won = gain > 0
            if won:
                self.min_gain = min(self.min_gain, gain)
            else:
                detail = INFINITE
                if self.counts_moves and kernel.plies_to_draw() <= 0:
                    self.path_dependent = True
                    detail = 0
        else:
            # 2. The table: a proof, if move counters leave it enough plies, or a disproof.
            stored: cython.bint = self.lookup(key ^ self.salt)
            if (
                stored
                and self.proof == 0
                and self.counts_moves
                and cython.cast(cython.longlong, self.detail) > kernel.plies_to_draw()
            ):
                stored = False
            self.reason = steps.BY_TABLE
            if stored and (self.proof == 0 or self.disproof == 0):
                return
            if self.path_dependent and self.lookup(key ^ self.salt ^ self.path_key):
                self.reason = steps.PATH_DEPENDENT
                return
            # 3. Endgame tables, which do not give the distance.
            attacking: cython.bint = kernel.turn == self.attacker
            if self.probe is not None and self.probe.probe(
                kernel, ply + 1, 0 if attacking else -1, 1 if attacking else 0
            ):
                gain = self.probe.value if attacking else -self.probe.value
                won = gain > 0
                if won:
                    self.min_gain = min(self.min_gain, gain)
                self.reason = steps.IS_KNOWN
                self.set_decided(won, MAX_FINITE if won else INFINITE)
                self.store(key ^ self.salt, 0)
            elif not stored:
                self.proof = self.disproof = 1
                self.reason = 0
                if self.mobility:
                    self.reason = steps.MOBILITY
                    number: cython.int = max(kernel.gen(self.stack_end) - self.stack_end, 1)
                    if attacking:
                        self.disproof = number
                    else:
                        self.proof = number
            return
        self.set_decided(won, detail)

    def set_decided(self, won, detail):
        """Set the numbers of a decided position: `won` for the attacker or not."""
        self.proof = 0 if won else INFINITE
        self.disproof = INFINITE if won else 0
        self.detail = detail

    def init_child(self, kernel, i, ply, attacking):
        """Set the numbers of the move at stack[i]."""
        kernel.push(kernel.stack[i])
        self.count()
        self.set_numbers(kernel, ply)
        if self.tracing:
            self.emit_generated(kernel, ply + 1, kernel.stack[i])
        kernel.pop(kernel.stack[i])
        self.phi[i] = self.proof if attacking else self.disproof
        self.delta[i] = self.disproof if attacking else self.proof
        self.details[i] = self.detail

    def visit(self, kernel, base, ply, proof_limit, disproof_limit):
        # 1. The limits from the view of the side to move.
        attacking: cython.bint = kernel.turn == self.attacker
        phi_limit: cython.uint = proof_limit if attacking else disproof_limit
        delta_limit: cython.uint = disproof_limit if attacking else proof_limit
        key: cython.ulonglong = kernel.hash()
        before: cython.longlong = self.nodes
        least: cython.uint = 0
        second: cython.uint
        total: cython.uint = 0
        top: cython.uint = 0
        others: cython.uint = 0
        i: cython.int
        best: cython.int = base
        end: cython.int = self.root_count
        if ply:
            end = kernel.gen(base)
        if ply > self.seldepth:
            self.seldepth = ply

        # 2. Too deep, or too many moves for the stack: counts as no win, but then "no win" is not proved.
        if ply >= self.max_depth or end > MAX_STACK:
            self.path_dependent = self.truncated = True
            self.set_decided(False, 0)
            if self.tracing:
                self.emit(steps.CUT, ply, -1, kernel.turn, steps.TOO_DEEP, 0, 0, 0)
            return

        # 3. The numbers of each move; one that decides is enough.
        complete: cython.bint = ply > 0 or not self.restricted
        if complete:
            self.path[ply] = key
            self.path_counts[key & 4095] += 1
        else:
            self.path[ply] = ~key & M64
        self.path_key = (self.path_key + mix_key(key)) & M64
        self.stack_end = end
        for i in range(base, end):
            self.init_child(kernel, i, ply, attacking)
            if self.stopped or (self.phi[i] == 0 and (attacking or self.details[i] == INFINITE)):
                if self.tracing and not self.stopped and i + 1 < end:
                    self.emit(steps.CUT, ply, kernel.stack[i], kernel.turn, steps.DECIDED, 0, 0, 0)
                end = i + 1
                break
        if not ply:
            self.root_count = end

        while True:
            # 4. Phi is the minimum over the moves, delta the sum or its weak variant.
            least = second = INFINITE
            total = top = others = 0
            best = base
            for i in range(base, end):
                if self.phi[i] < least:
                    second = least
                    least = self.phi[i]
                    best = i
                elif self.phi[i] < second:
                    second = self.phi[i]
                if self.delta[i] == INFINITE or total == INFINITE:
                    total = INFINITE
                elif self.delta[i]:
                    if self.weak:
                        top = max(top, self.delta[i])
                        total = min(top + others, MAX_FINITE)
                        others += 1
                    else:
                        total = min(total + self.delta[i], MAX_FINITE)
            if least == 0:
                total = INFINITE
            if not ply and not self.stopped:
                self.best_index = best
                self.root_proof = least if attacking else total
                self.root_disproof = total if attacking else least
            if least >= phi_limit or total >= delta_limit or self.stopped or kernel.failed:
                break

            # 5. Descend to the most-proving move while it remains so.
            phi_bound: cython.uint = min(
                phi_limit, second + second // 4 + 1 if second < MAX_FINITE else INFINITE
            )
            delta_bound: cython.uint = INFINITE
            if delta_limit < INFINITE:
                delta_bound = delta_limit - (others - 1 if self.weak else total - self.delta[best])
            kernel.push(kernel.stack[best])
            if self.tracing and attacking:
                self.emit(
                    steps.ENTER, ply + 1, kernel.stack[best], kernel.turn, 0, phi_bound, delta_bound, second
                )
            elif self.tracing:
                self.emit(
                    steps.ENTER, ply + 1, kernel.stack[best], kernel.turn, 0, delta_bound, phi_bound, second
                )
            if attacking:
                self.visit(kernel, end, ply + 1, phi_bound, delta_bound)
            else:
                self.visit(kernel, end, ply + 1, delta_bound, phi_bound)
            if self.tracing and not self.stopped:
                self.emit_leave(kernel, ply + 1, kernel.stack[best])
            kernel.pop(kernel.stack[best])
            self.phi[best] = self.proof if attacking else self.disproof
            self.delta[best] = self.disproof if attacking else self.proof
            self.details[best] = self.detail

        # 6. The detail of a decided position: the attacker minimizes the length of a proof, the defender
        #    maximizes it; a disproof depends on the lowest ply that its moves depend on.
        if least == 0 or total == 0:
            self.detail = INFINITE if attacking else 0
            for i in range(base, end):
                if least == 0 and self.phi[i]:
                    continue
                if (self.details[i] < self.detail) == attacking:
                    self.detail = self.details[i]
            if (least == 0) == attacking:
                self.detail = min(self.detail + 1, MAX_FINITE)
            elif self.detail >= cython.cast(cython.uint, ply):
                self.detail = INFINITE
        self.path_key = (self.path_key - mix_key(key)) & M64
        if complete:
            self.path_counts[key & 4095] -= 1
        self.proof = least if attacking else total
        self.disproof = total if attacking else least

        # 7. Store: for all paths, or for this path only.
        if not self.stopped and complete:
            key ^= self.salt
            if self.disproof == 0 and self.detail < INFINITE:
                key ^= self.path_key
            self.store(key, self.nodes - before)

    # -- the trace ---------------------------------------------------------------------------------

    def emit(self, what, ply, move, mover, why, proof, disproof, second):
        """Trace a step: `what` and `why` as numbered in `search.trace`; INFINITE is reported as inf."""
        with cython.gil:
            if self.failure is not None or self.kernel.failed:
                return
            try:
                numbers, second_number, plies = (), 0, 0
                if what in (steps.ENTER, steps.GENERATE, steps.LEAVE):
                    numbers = (event_number(proof), event_number(disproof))
                if what == steps.ENTER:
                    second_number = event_number(second)
                elif numbers and proof == 0 and self.detail < MAX_FINITE:
                    plies = self.detail
                names = (EVENTS[what], REASONS[why])
                self.trace(
                    TraceEvent(
                        names[0], ply, move, mover, plies, 0, second_number, why=names[1], numbers=numbers
                    )
                )
            except BaseException as error:
                self.fail(error)

    def emit_generated(self, kernel, ply, move):
        """Emit the numbers of the position after a move."""
        self.emit(steps.GENERATE, ply, move, kernel.turn, self.reason, self.proof, self.disproof, INFINITE)

    def emit_leave(self, kernel, ply, move):
        """Emit the numbers backed up and the reason; for the root of a stopped search its last numbers."""
        proof: cython.uint = self.proof
        disproof: cython.uint = self.disproof
        why: cython.int = steps.THRESHOLD
        if self.stopped:
            proof = cython.cast(cython.uint, self.root_proof)
            disproof = cython.cast(cython.uint, self.root_disproof)
            why = 0
        elif proof == 0:
            why = steps.PROVEN
        elif disproof == 0:
            why = steps.PATH_DEPENDENT if self.detail < INFINITE else steps.DISPROVEN
        self.emit(steps.LEAVE, ply, move, kernel.turn, why, proof, disproof, INFINITE)


def mix_key(key):
    """A hash of a key for sums: different sets of positions have different sums."""
    z: cython.ulonglong = (spread(key) + MIX_1) & M64
    z = ((z ^ (z >> 29)) * MIX_1) & M64
    return z ^ (z >> 32)


def event_number(number):
    """A proof or disproof number for an event of the trace: inf for INFINITE."""
    return math.inf if number >= INFINITE else number


@dataclass
class Pns(Engine):
    """Proof-number search, depth first (df-pn): proves or disproves a win; fast where the tree is narrow."""

    name = "pns"
    anytime = True
    probes = True
    view = "attacker"
    priority = 1

    table: str = needed_table_option("64MB", "the table of proof and disproof numbers")

    mobility: bool = option(
        True,
        "Initialize the numbers of a position by its number of moves, in place of 1",
        source="Allis 1994",
    )
    weak: bool = option(
        True,
        "Weak proof-number search: replace the sum by the largest number plus one for each other, so that"
        " transpositions do not count several times",
        source="Ueda, Hashimoto, Hashimoto and Iida 2008",
    )

    @classmethod
    def incompatibility(cls, position):
        """As in `Engine`; legal moves must not depend on the history."""
        why = super().incompatibility(position)
        if (
            not why
            and isinstance(position, Kernel)
            and position.remembers
            and position.plies_until_draw() >= ENDLESS
        ):
            return f"legal moves of {name_of(position)} depend on the history, which its table does not store"
        return why

    @property
    def table_bits(self) -> int:
        """No shared table: each search has its own."""
        return 0

    def open(self, kernel, control, table):
        return PnsSearch(kernel, control, table_bits(self.table), self.mobility, self.weak)
