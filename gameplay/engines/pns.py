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

1. The proof number of a position is the least number of leaves that would have to be won to prove that it is
   won, its disproof number the least to disprove it. Where the attacker moves the one is the least of what
   their moves leave, the other the sum; where the defender moves they change places.
2. The most-proving leaf is found by descending to the move with the least number.
3. The search need not return to the root after each leaf: it stays in a subtree as long as the most-proving
   leaf lies there, until one of the numbers reaches a threshold. That of the least is a quarter above the
   second best move's, so that the search does not alternate between two moves.
4. What is known of a position stands in the table, in place of what took fewer positions to find out.

The value of a position may depend on the path: a repetition on the path is no win, nor is a position after
too many moves without progress (Murray Campbell, "The graph-history interaction: on ignoring position
history", 1985). A win never depends on that: each position of its proof was proved before those that lead to
it, so that nothing in it repeats; and it is used only if move counters leave enough plies for it. A failure
is stored with the lowest ply that it depends on. If that is above the position it holds for this path alone,
and is stored under the key of the path (after Akihiro Kishimoto and Martin Müller, "A general solution to the
graph history interaction problem", 2004).

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
    from cython.cimports.gameplay.value import MAX_PLY, SURE, WIN
else:
    from gameplay.native.bits import M64, highest
    from gameplay.native.hashing import MIX_1, spread
    from gameplay.native.pointers import uints, ulonglongs
    from gameplay.search import trace as steps
    from gameplay.value import MAX_PLY, SURE, WIN

ALIASES = ("dfpn", "proofnumber")

MOST = (1 << 28) - 1
NEVER = cython.declare(cython.uint, MOST)  # an infinite number
FEW = cython.declare(cython.uint, MOST - 1)  # the greatest of others
DEEPEST = cython.declare(cython.int, 250)  # plies
ROOM = cython.declare(cython.int, 1 << 17)  # moves on the path

# The numbers in the table, from the lowest bit: disproof 28, proof 28, the logarithm of the work 8.
# Where one of the first two is 0 the other could only be NEVER; there stands `more` in its place: of a proof
# how many plies it takes at most, of a failure one more than the lowest ply that it depends on, or NEVER.


class PnsSearch(RootSearch):
    """Proves or disproves wins of both sides in one position."""

    def __init__(self, kernel: Kernel, control, size, mobility=True, weak=True):
        RootSearch.__init__(self, kernel, control)
        self.size = size
        self.mobility = mobility
        self.weak = weak
        self.owner = memoryview(memory(16 << size)).cast("Q")
        self.owners = [memoryview(memory(4 << 17)).cast("I") for _ in range(3)]
        self.entries = ulonglongs(self.owner)
        self.one = uints(self.owners[0])
        self.two = uints(self.owners[1])
        self.more = uints(self.owners[2])
        if not cython.compiled:
            self.line, self.met = [0] * 256, [0] * 4096
        kernel.reserve((DEEPEST + 2) * max(kernel.max_moves, 64))
        self.counts = kernel.waits() < ENDLESS
        self.claimant = kernel.turn
        self.left_to_prove = self.left_to_disprove = 1
        self.way = 0
        self.proof = self.disproof = self.rest = self.free = 0
        self.leading = self.reason = 0
        self.deepest = DEEPEST
        self.width = len(self.moves)
        self.ways = self.narrowed = self.broken = False

    def restrict_moves(self, moves):
        before = len(self.moves)
        RootSearch.restrict_moves(self, moves)
        self.narrowed = len(self.moves) < before
        self.width = len(self.moves)

    def run(self, depth):
        mover = self.kernel.turn
        self.deepest = min(depth, DEEPEST)
        if self.count():
            return
        won = self.ask(mover)
        sure: cython.bint = not self.broken
        if self.stopped:
            self.note(self.leading, 0, "unknown")
        elif won:
            self.settle(1)
        else:
            self.note(0, 0, "upper" if sure else "unknown")
            lost = self.ask(1 - mover)
            if self.stopped or (self.broken and not lost):
                self.note(self.leading, 0, "upper" if sure else "unknown")
            elif lost:
                self.settle(-1)
            else:
                self.note(self.leading, 0, "exact" if sure else "lower")
        if not self.stopped:
            self.control.halt("depth" if self.broken else "proven")

    def ask(self, attacker):
        """Search whether `attacker` can force a win."""
        kernel: Kernel = self.kernel
        i: cython.int
        self.attacker = self.claimant = attacker
        self.salt = spread(attacker + 1)
        self.ways = self.broken = False
        self.margin = WIN
        self.left_to_prove = self.left_to_disprove = 1
        self.width = len(self.moves)
        for i in range(self.width):
            kernel.stack[i] = self.moves[i]
        if self.tracing:
            self.emit(steps.QUESTION, 0, -1, attacker, 0, 0, 0, 0)
            self.emit(steps.ENTER, 0, -1, kernel.turn, 0, NEVER, NEVER, NEVER)
        if kernel.python:
            self.visit(kernel, 0, 0, NEVER, NEVER)
        else:
            with cython.nogil:
                self.visit(kernel, 0, 0, NEVER, NEVER)
        if self.tracing:
            self.emit_left(kernel, 0, -1)
        self.check()
        return not self.stopped and self.proof == 0

    def note(self, number, value, bound, line=()):
        """Set the result, and the best move of the root."""
        sure = bound == "exact"
        line = line or (self.moves[number],)
        self.best = ((Candidate(line[0], value, bound, pv=line, proven=sure),), 0, sure)

    def settle(self, sign):
        """Note that the mover wins (`sign` 1) or the other side (-1), and the move that is best then.

        In a game of points that is by the least that any end brought which was found to be won, or more; in
        another a win within the plies that its proof takes, where these were counted.
        """
        i: cython.int
        moves = [i for i in range(self.width) if sign < 0 or self.one[i] == 0]
        chosen = (min if sign > 0 else max)(moves, key=self.lasting)
        plies = self.lasting(chosen) + 1
        value: cython.int = sign * cython.cast(cython.int, self.margin)
        bound = "lower" if sign > 0 else "upper"
        if not self.kernel.scored:
            value = sign * (SURE if plies > MAX_PLY else WIN - plies)
            if plies > MAX_PLY or plies == 1:
                bound = "exact"
        line = self.proved(self.moves[chosen])
        self.note(chosen, value, bound, line)
        self.seldepth = max(self.seldepth, len(line))
        self.broken = False

    def lasting(self, i: cython.int):
        """The length in plies of the proof of a root move."""
        return self.more[i]

    def proved(self, first):
        """The attacker's winning line after this move, against the longest defence.

        It ends where the table has no entry, or at the first position in the endgame tables, which do not
        store the winning line.
        """
        kernel: Kernel = self.kernel
        made = [first]
        kernel.push(first)
        while kernel.result() == 0 and len(made) < DEEPEST:
            i: cython.int
            attacking: cython.bint = kernel.turn == self.attacker
            if self.probe is not None and self.probe.probe(
                kernel, len(made), 0 if attacking else -1, 1 if attacking else 0
            ):
                break
            lines = []
            for move in [kernel.stack[i] for i in range(kernel.gen(0))]:
                kernel.push(move)
                self.judge(kernel, -1)
                kernel.pop(move)
                if self.proof == 0:
                    lines.append((self.rest, move))
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
        """What is known now."""
        candidates, _, exact = self.best
        return Report.of(
            candidates,
            seldepth=self.seldepth,
            nodes=self.nodes,
            memory=cython.cast(cython.longlong, 16) << self.size,
            exact=exact,
            claimant=self.claimant,
            proof=None if self.left_to_prove == MOST else self.left_to_prove,
            disproof=None if self.left_to_disprove == MOST else self.left_to_disprove,
        )

    # -- the table ---------------------------------------------------------------------------------

    def find(self, key):
        """Is the position known? Its numbers are in `proof` and `disproof` then, and in `rest`."""
        i: cython.size_t = (spread(key) >> (64 - self.size)) & ~cython.cast(cython.size_t, 1)
        k: cython.size_t
        for k in range(i, i + 2):
            numbers: cython.ulonglong = self.entries[2 * k + 1]
            if numbers and self.entries[2 * k] == key:
                self.proof = cython.cast(cython.uint, (numbers >> 28) & NEVER)
                self.disproof = cython.cast(cython.uint, numbers & NEVER)
                if self.proof == 0:
                    self.rest = self.disproof
                    self.disproof = NEVER
                elif self.disproof == 0:
                    self.rest = NEVER if self.proof == NEVER else self.proof - 1
                    self.proof = NEVER
                return True
        return False

    def keep(self, key, work):
        """Note the numbers of a position, which took so many others to find out."""
        i: cython.size_t = (spread(key) >> (64 - self.size)) & ~cython.cast(cython.size_t, 1)
        if self.entries[2 * i] != key and (
            self.entries[2 * i + 2] == key or self.entries[2 * i + 3] >> 56 < self.entries[2 * i + 1] >> 56
        ):
            i += 1
        proof: cython.ulonglong = min(self.rest + 1, NEVER) if self.disproof == 0 else self.proof
        disproof: cython.ulonglong = self.rest if self.proof == 0 else self.disproof
        effort: cython.ulonglong = highest(work + 1) + 1
        self.entries[2 * i] = key
        self.entries[2 * i + 1] = (effort << 56) | (proof << 28) | disproof

    # -- the search --------------------------------------------------------------------------------

    def since(self, here, ply):
        """The ply of the position with this key on the path; -1: it is not on it."""
        k: cython.int
        if self.met[here & 4095]:
            for k in range(ply, -1, -1):
                if self.line[k] == here:
                    return k
        return -1

    def judge(self, kernel, ply):
        """The numbers of the position after a move from this ply."""
        here: cython.ulonglong = kernel.hash()
        circle: cython.int = self.since(here, ply)
        won: cython.bint = False
        rest: cython.uint = 0
        # 1. A position that comes again is no win, nor is a game that ended without one.
        if circle >= 0:
            self.ways = True
            self.reason = steps.REPETITION
            rest = circle
        elif kernel.result():
            self.reason = steps.GAME_END
            gain: cython.double = kernel.payoff(self.attacker)
            won = gain > 0
            if won:
                self.margin = min(self.margin, gain)
            else:
                rest = NEVER
                if self.counts and kernel.plies_to_draw() <= 0:
                    self.ways = True
                    rest = 0
        else:
            # 2. The table: a proof, if the rule that counts moves leaves it the time, or a failure.
            stored: cython.bint = self.find(here ^ self.salt)
            if (
                stored
                and self.proof == 0
                and self.counts
                and cython.cast(cython.longlong, self.rest) > kernel.plies_to_draw()
            ):
                stored = False
            self.reason = steps.BY_TABLE
            if stored and (self.proof == 0 or self.disproof == 0):
                return
            if self.ways and self.find(here ^ self.salt ^ self.way):
                self.reason = steps.THIS_WAY
                return
            # 3. Endgame tables, which do not give the distance.
            attacking: cython.bint = kernel.turn == self.attacker
            if self.probe is not None and self.probe.probe(
                kernel, ply + 1, 0 if attacking else -1, 1 if attacking else 0
            ):
                gain = self.probe.value if attacking else -self.probe.value
                won = gain > 0
                if won:
                    self.margin = min(self.margin, gain)
                self.reason = steps.IS_KNOWN
                self.decide(won, FEW if won else NEVER)
                self.keep(here ^ self.salt, 0)
            elif not stored:
                self.proof = self.disproof = 1
                self.reason = 0
                if self.mobility:
                    self.reason = steps.MOBILITY
                    number: cython.int = max(kernel.gen(self.free) - self.free, 1)
                    if attacking:
                        self.disproof = number
                    else:
                        self.proof = number
            return
        self.decide(won, rest)

    def decide(self, won, rest):
        """The position is won for the attacker, or is not; what is `more` of that."""
        self.proof = 0 if won else NEVER
        self.disproof = NEVER if won else 0
        self.rest = rest

    def look(self, kernel, i, ply, attacking):
        """Write beside the move at place i of the stack what is known of it."""
        kernel.push(kernel.stack[i])
        self.count()
        self.judge(kernel, ply)
        if self.tracing:
            self.emit_generated(kernel, ply + 1, kernel.stack[i])
        kernel.pop(kernel.stack[i])
        self.one[i] = self.proof if attacking else self.disproof
        self.two[i] = self.disproof if attacking else self.proof
        self.more[i] = self.rest

    def visit(self, kernel, base, ply, most_proof, most_disproof):
        # 1. The numbers from the view of the side to move: its own goal, and the opponent's.
        attacking: cython.bint = kernel.turn == self.attacker
        most_one: cython.uint = most_proof if attacking else most_disproof
        most_two: cython.uint = most_disproof if attacking else most_proof
        here: cython.ulonglong = kernel.hash()
        before: cython.longlong = self.nodes
        least: cython.uint = 0
        second: cython.uint
        total: cython.uint = 0
        top: cython.uint = 0
        others: cython.uint = 0
        i: cython.int
        best: cython.int = base
        end: cython.int = self.width
        if ply:
            end = kernel.gen(base)
        if ply > self.seldepth:
            self.seldepth = ply

        # 2. Too deep, or too wide for the memory: counts as no win, and the answer no is then void.
        if ply >= self.deepest or end > ROOM:
            self.ways = self.broken = True
            self.decide(False, 0)
            if self.tracing:
                self.emit(steps.CUT, ply, -1, kernel.turn, steps.TOO_DEEP, 0, 0, 0)
            return

        # 3. What is known of each move; one that decides is enough.
        lone: cython.bint = ply > 0 or not self.narrowed
        if lone:
            self.line[ply] = here
            self.met[here & 4095] += 1
        else:
            self.line[ply] = ~here & M64
        self.way = (self.way + mixed(here)) & M64
        self.free = end
        for i in range(base, end):
            self.look(kernel, i, ply, attacking)
            if self.stopped or (self.one[i] == 0 and (attacking or self.more[i] == NEVER)):
                if self.tracing and not self.stopped and i + 1 < end:
                    self.emit(steps.CUT, ply, kernel.stack[i], kernel.turn, steps.DECIDED, 0, 0, 0)
                end = i + 1
                break
        if not ply:
            self.width = end

        while True:
            # 4. The numbers of the position: the least, and the sum, or what stands for it.
            least = second = NEVER
            total = top = others = 0
            best = base
            for i in range(base, end):
                if self.one[i] < least:
                    second = least
                    least = self.one[i]
                    best = i
                elif self.one[i] < second:
                    second = self.one[i]
                if self.two[i] == NEVER or total == NEVER:
                    total = NEVER
                elif self.two[i]:
                    if self.weak:
                        top = max(top, self.two[i])
                        total = min(top + others, FEW)
                        others += 1
                    else:
                        total = min(total + self.two[i], FEW)
            if least == 0:
                total = NEVER
            if not ply and not self.stopped:
                self.leading = best
                self.left_to_prove = least if attacking else total
                self.left_to_disprove = total if attacking else least
            if least >= most_one or total >= most_two or self.stopped or kernel.failed:
                break

            # 5. Descend to the most-proving move while it remains so.
            limit: cython.uint = min(most_one, second + second // 4 + 1 if second < FEW else NEVER)
            room: cython.uint = NEVER
            if most_two < NEVER:
                room = most_two - (others - 1 if self.weak else total - self.two[best])
            kernel.push(kernel.stack[best])
            if self.tracing and attacking:
                self.emit(steps.ENTER, ply + 1, kernel.stack[best], kernel.turn, 0, limit, room, second)
            elif self.tracing:
                self.emit(steps.ENTER, ply + 1, kernel.stack[best], kernel.turn, 0, room, limit, second)
            if attacking:
                self.visit(kernel, end, ply + 1, limit, room)
            else:
                self.visit(kernel, end, ply + 1, room, limit)
            if self.tracing and not self.stopped:
                self.emit_left(kernel, ply + 1, kernel.stack[best])
            kernel.pop(kernel.stack[best])
            self.one[best] = self.proof if attacking else self.disproof
            self.two[best] = self.disproof if attacking else self.proof
            self.more[best] = self.rest

        # 6. Of what is decided: how long the proof, from where on the failure. The attacker takes the least
        #    of what decides, the defender the most.
        if least == 0 or total == 0:
            self.rest = NEVER if attacking else 0
            for i in range(base, end):
                if least == 0 and self.one[i]:
                    continue
                if (self.more[i] < self.rest) == attacking:
                    self.rest = self.more[i]
            if (least == 0) == attacking:
                self.rest = min(self.rest + 1, FEW)
            elif self.rest >= cython.cast(cython.uint, ply):
                self.rest = NEVER
        self.way = (self.way - mixed(here)) & M64
        if lone:
            self.met[here & 4095] -= 1
        self.proof = least if attacking else total
        self.disproof = total if attacking else least

        # 7. Store: for all paths, or for this one.
        if not self.stopped and lone:
            here ^= self.salt
            if self.disproof == 0 and self.rest < NEVER:
                here ^= self.way
            self.keep(here, self.nodes - before)

    # -- the trace ---------------------------------------------------------------------------------

    def emit(self, what, ply, move, mover, why, proof, disproof, second):
        """Trace a step: `what` and `why` as numbered in `search.trace`; NEVER is reported as inf."""
        with cython.gil:
            if self.failure is not None or self.kernel.failed:
                return
            try:
                numbers, compared, plies = (), 0, 0
                if what in (steps.ENTER, steps.GENERATE, steps.LEAVE):
                    numbers = (endless(proof), endless(disproof))
                if what == steps.ENTER:
                    compared = endless(second)
                elif numbers and proof == 0 and self.rest < FEW:
                    plies = self.rest
                names = (EVENTS[what], REASONS[why])
                self.trace(
                    TraceEvent(names[0], ply, move, mover, plies, 0, compared, why=names[1], numbers=numbers)
                )
            except BaseException as error:
                self.fail(error)

    def emit_generated(self, kernel, ply, move):
        """Emit the numbers of the position after a move."""
        self.emit(steps.GENERATE, ply, move, kernel.turn, self.reason, self.proof, self.disproof, NEVER)

    def emit_left(self, kernel, ply, move):
        """Emit the numbers backed up and the reason; for the root of a stopped search its last numbers."""
        proof: cython.uint = self.proof
        disproof: cython.uint = self.disproof
        why: cython.int = steps.THRESHOLD
        if self.stopped:
            proof = cython.cast(cython.uint, self.left_to_prove)
            disproof = cython.cast(cython.uint, self.left_to_disprove)
            why = 0
        elif proof == 0:
            why = steps.PROVEN
        elif disproof == 0:
            why = steps.THIS_WAY if self.rest < NEVER else steps.DISPROVEN
        self.emit(steps.LEAVE, ply, move, kernel.turn, why, proof, disproof, NEVER)


def mixed(here):
    """The key of a position, so that no sum of some is the sum of others."""
    z: cython.ulonglong = (spread(here) + MIX_1) & M64
    z = ((z ^ (z >> 29)) * MIX_1) & M64
    return z ^ (z >> 32)


def endless(number):
    """A number as reported: inf for NEVER."""
    return math.inf if number >= NEVER else number


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
        """Why it cannot play a game; also if legal moves depend on the history."""
        why = super().incompatibility(position)
        if not why and isinstance(position, Kernel) and position.remembers and position.waits() >= ENDLESS:
            return f"legal moves of {name_of(position)} depend on the history, which its table does not store"
        return why

    @property
    def table_bits(self) -> int:
        """No shared table: each search has its own."""
        return 0

    def open(self, kernel, control, table):
        return PnsSearch(kernel, control, table_bits(self.table), self.mobility, self.weak)
