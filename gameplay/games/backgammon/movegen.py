# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Legal moves of backgammon: rolls, checker plays, and cube actions.  C types: movegen.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.backgammon.state import BackgammonState

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import finalize
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.native.hashing import finalize


class BackgammonMoves(BackgammonState):
    """Move generation by stage. Of the turns that lead to the same position one is generated."""

    def __init__(self, match: cython.int, cube: cython.bint, jacoby: cython.bint):
        BackgammonState.__init__(self, match, cube, jacoby)
        self.call = 0
        if not cython.compiled:
            self.seen_keys = [0] * SLOTS
            self.seen_in = [0] * SLOTS
        i: cython.int
        for i in range(SLOTS):
            self.seen_in[i] = 0

    def gen(self, base):
        stage: cython.int = self.state[STAGE]
        if stage == PLAY:
            me: cython.int = OTHER * self.turn
            high: cython.int = self.state[HIGH]
            low: cython.int = self.state[LOW]
            end: cython.int
            if high == low:
                self.longest = 1
                self.first = base
                end = self.gen_double(base, me, BAR, high, 0, 0)
            else:
                self.call += 1
                end = self.gen_both_dice(base, me, high, low, 0)
                end = self.gen_both_dice(end, me, low, high, LATER)
                if end == base:
                    end = self.gen_one_die(base, me, high, 0)
                if end == base:
                    end = self.gen_one_die(base, me, low, LATER)
            if end == base:
                self.stack[end] = 0
                end += 1
            return end
        if stage in (OFFER, ANSWER, RESIGNED):
            first: cython.int = ROLL if stage == OFFER else TAKE if stage == ANSWER else ACCEPT
            self.stack[base] = ACTION | first
            self.stack[base + 1] = ACTION | (first + 1)
            return base + 2
        second: cython.int
        for first in range(1, 7):
            for second in range(1, 7):
                if (stage == ROLLING and second <= first) or (stage == OPENING and second != first):
                    self.stack[base] = ROLLED | first | second << 3
                    base += 1
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        opening: cython.bint = self.state[STAGE] == OPENING
        i: cython.int
        for i in range(base, end):
            if opening:
                self.odds[i] = 1.0 / 30
            else:
                self.odds[i] = 1.0 / 36 if (self.stack[i] & 7) == (self.stack[i] >> 3 & 7) else 2.0 / 36
        return end

    def gen_double(self, base, me, limit, die, depth, path):
        """Write the longest plays of a double that continue `path` with checkers on `limit` or below.

        Checkers move from the highest point down: every play has such an order, and exactly one.
        """
        has_moved: cython.bint = False
        source: cython.int
        if depth < 4:
            for source in range(limit, 0, -1):
                if self.state[me + source] <= 0:
                    continue
                if self.can_move(me, source, die):
                    has_moved = True
                    hit: cython.bint = self.step(me, source, die)
                    base = self.gen_double(base, me, source, die, depth + 1, path | source << (5 * depth))
                    self.undo_step(me, source, die, hit)
                if source == BAR:
                    break
        if not has_moved and depth >= self.longest:
            if depth > self.longest:
                self.longest = depth
                base = self.first
            self.stack[base] = path
            base += 1
        return base

    def gen_both_dice(self, base, me, first, second, order):
        """Write the plays of both dice in this order that lead to new positions."""
        source: cython.int
        other: cython.int
        for source in range(BAR, 0, -1):
            if self.state[me + source] <= 0:
                continue
            if self.can_move(me, source, first):
                hit: cython.bint = self.step(me, source, first)
                for other in range(BAR, 0, -1):
                    if self.state[me + other] <= 0:
                        continue
                    if self.can_move(me, other, second):
                        also: cython.bint = self.step(me, other, second)
                        if not self.is_duplicate():
                            self.stack[base] = source | other << 5 | order
                            base += 1
                        self.undo_step(me, other, second, also)
                    if other == BAR:
                        break
                self.undo_step(me, source, first, hit)
            if source == BAR:
                break
        return base

    def gen_one_die(self, base, me, die, order):
        """Write the plays of one die."""
        source: cython.int
        for source in range(BAR, 0, -1):
            if self.state[me + source] <= 0:
                continue
            if self.can_move(me, source, die):
                self.stack[base] = source | order
                base += 1
            if source == BAR:
                break
        return base

    def is_duplicate(self):
        """True if this call of gen() has reached the position before; records it."""
        slot: cython.int = cython.cast(cython.int, finalize(self.sum) & (SLOTS - 1))
        while self.seen_in[slot] == self.call:
            if self.seen_keys[slot] == self.sum:
                return True
            slot = (slot + 1) & (SLOTS - 1)
        self.seen_in[slot] = self.call
        self.seen_keys[slot] = self.sum
        return False
