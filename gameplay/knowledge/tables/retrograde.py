# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Retrograde analysis: the values of all positions of slices, backwards from the end of the game.

C types: retrograde.pxd.

Theorem: a position is won in n plies if n - 1 is the least number of plies in which one of its successors
is lost; lost in n if all its successors are won and n - 1 is the most of their plies; and drawn otherwise:
the side to move then always has a move to another drawn position, and neither side can force a win (Zermelo
1913; as a method K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 1986). Distances are
plies to the end of the game.

    1. look()    for every number of the slices: the values of its moves to other, solved slices; and the
                   number of moves that stay within these slices
    2. spread()  ply by ply: the positions lost in n make their predecessors won in n + 1; those won in n
                   decrement the counters of their predecessors, which are lost when a counter reaches zero
    3. settle()  all remaining positions are drawn

A code is an unsigned short: 0 drawn, n + 1 decided in n plies, lost for the mover if n is even and won if
it is odd, since turns change; NONE for a number without a position. Moves that lead to the same number
count once.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay import value as scale
from gameplay.errors import Fault
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import longlongs, uchars, ushorts
else:
    from gameplay.native.pointers import longlongs, uchars, ushorts

NONE = 65535
_NONE = cython.declare(cython.int, NONE)
SAFE = cython.declare(cython.int, 255)  # of `left`: the position cannot be lost
MOST = cython.declare(cython.int, 254)
ONGOING = cython.declare(cython.int, scale.ONGOING)
LOST = cython.declare(cython.int, scale.LOST)
DRAWN = cython.declare(cython.int, scale.DRAWN)
FAULTS = (
    "",
    "a move leads to a position that no slice holds",
    "a game ends in another way than drawn or lost for the mover",
    "a position has more than 254 successors in its slices",
    "its moves and the moves that lead back to it do not agree",
    "a game is longer than 65533 plies",
)
FOREIGN = cython.declare(cython.int, 1)
STRANGE = cython.declare(cython.int, 2)
MANY = cython.declare(cython.int, 3)
TWISTED = cython.declare(cython.int, 4)
LONG = cython.declare(cython.int, 5)


class Retrograde:
    """Solves `own`, slices that lead into one another, given the solved `others`.
    Both are lists of (slice, span). codes: the codes of all numbers, slice by slice; those of `others` are
    given, and to verify a solved slice its own too.
    """

    def __init__(self, kernel: Kernel, own, others, codes):
        i: cython.int
        slices = [*own, *others]
        if len(slices) > 512:
            raise Fault(f"{len(slices)} slices lead into one another; 512 are the most")
        self.kernel = kernel
        self.own = len(own)
        self.count = len(slices)
        self.found = 0
        self.spans = [span for _, span in slices]
        self.codes = codes
        self.left = bytearray(sum([span for _, span in own]))
        self.code, self.rest = ushorts(codes), uchars(self.left)
        if not cython.compiled:
            self.slices, self.starts, self.seen = [0] * 512, [0] * 512, [0] * 1024
        start: cython.longlong = 0
        for i in range(len(slices)):
            self.slices[i], span = slices[i]
            self.starts[i] = start
            start += span
        if start != len(codes):
            raise Fault(f"{len(codes)} codes for {start} numbers")
        self.top = self.bad = 0
        kernel.reserve(2 * kernel.max_moves + 1024)

    # -- Python interface, a range of numbers at a time ------------------------------------------

    def begin(self, own: cython.int, first: cython.int, stop: cython.int):
        """Step 1 for a range of numbers of a slice. Raises Fault if the game is inconsistent."""
        with cython.nogil:
            at: cython.int = self.look(self.kernel, own, first, stop)
        self.judge(own, at)

    def step(self, own: cython.int, first: cython.int, stop: cython.int, level: cython.int):
        """Step 2 for the numbers with the code `level` in a range of a slice; returns their count."""
        with cython.nogil:
            count: cython.longlong = self.spread(self.kernel, own, first, stop, level)
        if count < 0:
            self.judge(own, -1 - count)
        return count

    def settle(self):
        """Step 3; frees memory that only building needs."""
        i: cython.longlong
        for i in range(len(self.left)):
            if self.code[i] & 1 and self.code[i] != _NONE and self.rest[i]:
                self.code[i] = 0

    def wrong(self, own: cython.int, first: cython.int, stop: cython.int):
        """The first number in a range whose code is not the best of its successors; -1 if there is none."""
        with cython.nogil:
            at: cython.int = self.check(self.kernel, own, first, stop)
        if self.bad:
            self.judge(own, at)
        return at

    def census(self, own: cython.int, first: cython.int, stop: cython.int, totals):
        """Add to `totals` (131072 of "q") the count of each code and of positions."""
        sums: cython.p_longlong = longlongs(totals)
        with cython.nogil:
            self.count_up(self.kernel, own, first, stop, sums)

    def pack(self, first: cython.longlong, stop: cython.longlong, results, distances):
        """Write the results, four per byte from the low bits, and distances of a range into bytearrays.
        A result is 0 drawn, 1 won, 2 lost. Numbers without a position repeat the previous entry. `distances`
        has one byte per place, or two if it is twice as long.
        """
        wide: cython.bint = len(distances) >= 2 * (stop - first)
        i: cython.longlong
        result: cython.int = 0
        plies: cython.int = 0
        packed: cython.p_uchar = uchars(results)
        near: cython.p_uchar = uchars(distances)
        for i in range(stop - first):
            code: cython.int = self.code[first + i]
            if code != _NONE:
                result = 0 if code == 0 else 2 if code & 1 else 1
                if code:
                    plies = code - 1
            packed[i >> 2] |= result << (2 * (i & 3))
            if wide:
                near[2 * i] = plies & 255
                near[2 * i + 1] = plies >> 8
            else:
                near[i] = plies

    def unpack(
        self,
        first: cython.longlong,
        stop: cython.longlong,
        results: bytes,
        distances: bytes,
        skip: cython.longlong,
        wide: cython.bint,
    ):
        """Restore the codes of a range from the output of pack(), after `skip` entries. False if invalid."""
        i: cython.longlong
        packed: cython.p_uchar = results
        near: cython.p_uchar = distances
        for i in range(skip, skip + stop - first):
            result: cython.int = (packed[i >> 2] >> (2 * (i & 3))) & 3
            plies: cython.int = near[2 * i] | near[2 * i + 1] << 8 if wide else near[i]
            if result == 3 or plies > 65533 or (result and (plies & 1) != (result == 1)):
                return False
            self.code[first + i - skip] = plies + 1 if result else 0
        return True

    def judge(self, own, at):
        """Raise Fault if a number of a slice was inconsistent."""
        if self.bad:
            words, self.bad = FAULTS[self.bad], 0
            raise Fault(f"number {at} of slice {self.kernel.called(self.slices[own])}: {words}")

    # -- the work -------------------------------------------------------------------------------

    def find(self, slice):
        """The index of a slice; -1 if unknown."""
        i: cython.int
        if self.slices[self.found] == slice:
            return self.found
        for i in range(self.count):
            if self.slices[i] == slice:
                self.found = i
                return i
        return -1

    def gather(self, kernel, own, number, whole):
        """Examine the successors of a number; False for a number without a position.

        The least code of a lost successor is in `quick`, the greatest of a won one in `slow`, each 0 if
        there is none, and `open` says if one is drawn. Successors within our own slices are gathered in
        `seen`, `kept` of them, each once, and count only if `whole`. 1: it is over and lost; 2: over and
        drawn; 3: it goes on.
        """
        self.quick = self.slow = self.kept = 0
        self.open = False
        if not kernel.unrank(self.slices[own], number) or kernel.rank() != number:
            return 0
        over: cython.int = kernel.result()
        if over == LOST:
            return 1
        if over == DRAWN:
            return 2
        if over != ONGOING:
            self.bad = STRANGE
            return 0
        end: cython.int = kernel.gen(0)
        i: cython.int
        for i in range(end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            child: cython.int = kernel.rank()
            slice: cython.int = kernel.slice
            over = kernel.result() if child < 0 else ONGOING
            kernel.pop(move)
            code: cython.int = 0
            if child < 0:
                if over != LOST and over != DRAWN:
                    self.bad = FOREIGN if over == ONGOING else STRANGE
                    return 0
                code = 1 if over == LOST else 0
            else:
                at: cython.int = self.find(slice)
                if at < 0:
                    self.bad = FOREIGN
                    return 0
                place: cython.longlong = self.starts[at] + child
                if at < self.own:
                    j: cython.int = 0
                    while j < self.kept and self.seen[j] != place:
                        j += 1
                    if j == self.kept:
                        if self.kept == MOST:
                            self.bad = MANY
                            return 0
                        self.seen[self.kept] = place
                        self.kept += 1
                    if not whole:
                        continue
                code = self.code[place]
                if code == _NONE:
                    self.bad = FOREIGN
                    return 0
            if code == 0:
                self.open = True
            elif code & 1:
                if not self.quick or code < self.quick:
                    self.quick = code
            elif code > self.slow:
                self.slow = code
        return 3

    def look(self, kernel, own, first, stop):
        number: cython.int
        for number in range(first, stop):
            place: cython.longlong = self.starts[own] + number
            state: cython.int = self.gather(kernel, own, number, False)
            if self.bad:
                return number
            self.rest[place] = SAFE
            self.code[place] = 0
            if state == 0:
                self.code[place] = _NONE
            elif state == 1:
                self.code[place] = 1
                self.rest[place] = 0
            elif state == 3:
                if self.quick:
                    self.code[place] = self.quick + 1
                elif not self.open:
                    self.code[place] = self.slow + 1 if self.slow else 0
                    self.rest[place] = self.kept
            if self.code[place] != _NONE and self.code[place] > self.top:
                self.top = self.code[place]
        return -1

    def spread(self, kernel, own, first, stop, level):
        lost: cython.bint = level & 1 != 0
        count: cython.longlong = 0
        number: cython.int
        i: cython.int
        for number in range(first, stop):
            place: cython.longlong = self.starts[own] + number
            if self.code[place] != level or (lost and self.rest[place]):
                continue
            count += 1
            if not kernel.unrank(self.slices[own], number):
                self.bad = TWISTED
                return -1 - number
            end: cython.int = kernel.gen_before(0)
            kept: cython.int = 0
            for i in range(end):
                at: cython.int = self.find(kernel.weight[i])
                if at < 0 or at >= self.own or kept == 1024:
                    self.bad = FOREIGN
                    return -1 - number
                place = self.starts[at] + kernel.stack[i]
                j: cython.int = 0
                while j < kept and self.seen[j] != place:
                    j += 1
                if j < kept:
                    continue
                self.seen[kept] = place
                kept += 1
                code: cython.int = self.code[place]
                if code == _NONE:
                    self.bad = TWISTED
                    return -1 - number
                if lost:
                    if code == 0 or code & 1 or code > level + 1:
                        self.code[place] = level + 1
                        self.rest[place] = SAFE
                elif self.rest[place] != SAFE:
                    if not self.rest[place]:
                        self.bad = TWISTED
                        return -1 - number
                    self.rest[place] -= 1
                    if not self.rest[place] and code <= level:
                        self.code[place] = level + 1
                if self.code[place] > self.top:
                    self.top = self.code[place]
        if level + 1 >= _NONE - 1:
            self.bad = LONG
            return -1 - first
        return count

    def check(self, kernel, own, first, stop):
        number: cython.int
        for number in range(first, stop):
            code: cython.int = self.code[self.starts[own] + number]
            state: cython.int = self.gather(kernel, own, number, True)
            if self.bad:
                return number
            right: cython.int = 0
            if state == 0:
                continue
            if state == 1:
                right = 1
            elif state == 3:
                if self.quick:
                    right = self.quick + 1
                elif not self.open:
                    right = self.slow + 1
            if code != right:
                return number
        return -1

    def count_up(self, kernel, own, first, stop, totals):
        number: cython.int
        for number in range(first, stop):
            if not kernel.unrank(self.slices[own], number) or kernel.rank() != number:
                continue
            code: cython.int = self.code[self.starts[own] + number]
            totals[2 * code] += 1
            totals[2 * code + 1] += kernel.orbit_size()


def room(count):
    """An array for so many codes, zero."""
    return array("H", bytes(2 * count))
