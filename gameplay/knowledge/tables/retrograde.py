# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Retrograde analysis: the values of all positions of slices, backwards from the end of the game.

C types: retrograde.pxd.

Theorem: a position is won in n plies if n - 1 is the least number of plies in which one of its successors
is lost; lost in n if all its successors are won and n - 1 is the most of their plies; and drawn otherwise:
the side to move then always has a move to another drawn position, and neither side can force a win (Zermelo
1913; as a method K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 1986). Distances are
plies to the end of the game.

    1. init_numbers()  for every number of the slices: the values of its moves to other, solved slices; and
                       the number of moves that stay within these slices
    2. propagate()     ply by ply: the positions lost in n make their predecessors won in n + 1; those won in
                       n decrement the counters of their predecessors, which are lost at a counter of zero
    3. mark_draws()    all remaining positions are drawn

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
NOT_LOST = cython.declare(cython.int, 255)  # of `remaining`: the position cannot be lost
MAX_SUCCESSORS = cython.declare(cython.int, 254)
ONGOING = cython.declare(cython.int, scale.ONGOING)
LOST = cython.declare(cython.int, scale.LOST)
DRAWN = cython.declare(cython.int, scale.DRAWN)
ERRORS = (
    "",
    "a move leads to a position outside all slices",
    "a game ends with a result other than a draw or a loss for the mover",
    "a position has more than 254 successors in its slices",
    "its moves and generated predecessors disagree",
    "a game is longer than 65533 plies",
)
NO_SLICE = cython.declare(cython.int, 1)
BAD_RESULT = cython.declare(cython.int, 2)
TOO_MANY = cython.declare(cython.int, 3)
INCONSISTENT = cython.declare(cython.int, 4)
TOO_LONG = cython.declare(cython.int, 5)


class Retrograde:
    """Solves `own`, slices that lead into one another, by the values of the `solved` slices they lead to.

    Both are lists of (slice, span). codes: the codes of all numbers, slice by slice; those of `solved` must
    be set, and to verify also those of `own`.
    """

    def __init__(self, kernel: Kernel, own, solved, codes):
        i: cython.int
        slices = [*own, *solved]
        if len(slices) > 512:
            raise Fault(f"{len(slices)} slices lead into one another; the maximum is 512")
        self.kernel = kernel
        self.own_count = len(own)
        self.count = len(slices)
        self.last_found = 0
        self.spans = [span for _, span in slices]
        self.codes = codes
        self.remaining = bytearray(sum([span for _, span in own]))
        self.code, self.counters = ushorts(codes), uchars(self.remaining)
        if not cython.compiled:
            self.slices, self.starts, self.neighbours = [0] * 512, [0] * 512, [0] * 1024
        start: cython.longlong = 0
        for i in range(len(slices)):
            self.slices[i], span = slices[i]
            self.starts[i] = start
            start += span
        if start != len(codes):
            raise Fault(f"{len(codes)} codes for {start} numbers")
        self.max_code = self.error = 0
        kernel.reserve(2 * kernel.max_moves + 1024)

    # -- Python interface, a range of numbers at a time ------------------------------------------

    def init_range(self, own_index: cython.int, first: cython.int, stop: cython.int):
        """Step 1 for a range of numbers of a slice. Raises Fault if the game is inconsistent."""
        with cython.nogil:
            number: cython.int = self.init_numbers(self.kernel, own_index, first, stop)
        self.raise_error(own_index, number)

    def step(self, own_index: cython.int, first: cython.int, stop: cython.int, level: cython.int):
        """Step 2 for the numbers with the code `level` in a range of a slice; returns their count."""
        with cython.nogil:
            count: cython.longlong = self.propagate(self.kernel, own_index, first, stop, level)
        if count < 0:
            self.raise_error(own_index, -1 - count)
        return count

    def mark_draws(self):
        """Step 3; frees memory that only building needs."""
        i: cython.longlong
        for i in range(len(self.remaining)):
            if self.code[i] & 1 and self.code[i] != _NONE and self.counters[i]:
                self.code[i] = 0

    def find_mismatch(self, own_index: cython.int, first: cython.int, stop: cython.int):
        """The first number in a range whose code is not the best of its successors; -1 if all are."""
        with cython.nogil:
            number: cython.int = self.verify_range(self.kernel, own_index, first, stop)
        if self.error:
            self.raise_error(own_index, number)
        return number

    def census(self, own_index: cython.int, first: cython.int, stop: cython.int, totals):
        """Add to `totals` (131072 of "q") the count of each code and of positions."""
        sums: cython.p_longlong = longlongs(totals)
        with cython.nogil:
            self.count_up(self.kernel, own_index, first, stop, sums)

    def pack(self, first: cython.longlong, stop: cython.longlong, results, distances):
        """Write the results, four per byte from the low bits, and distances of a range into bytearrays.
        A result is 0 drawn, 1 won, 2 lost. Numbers without a position repeat the previous entry. `distances`
        has one byte per number, or two if it is twice as long.
        """
        two_bytes: cython.bint = len(distances) >= 2 * (stop - first)
        i: cython.longlong
        result: cython.int = 0
        plies: cython.int = 0
        packed: cython.p_uchar = uchars(results)
        distance_bytes: cython.p_uchar = uchars(distances)
        for i in range(stop - first):
            code: cython.int = self.code[first + i]
            if code != _NONE:
                result = 0 if code == 0 else 2 if code & 1 else 1
                if code:
                    plies = code - 1
            packed[i >> 2] |= result << (2 * (i & 3))
            if two_bytes:
                distance_bytes[2 * i] = plies & 255
                distance_bytes[2 * i + 1] = plies >> 8
            else:
                distance_bytes[i] = plies

    def unpack(
        self,
        first: cython.longlong,
        stop: cython.longlong,
        results: bytes,
        distances: bytes,
        skip: cython.longlong,
        two_bytes: cython.bint,
    ):
        """Restore the codes of a range from the output of pack(), after `skip` entries. False if invalid."""
        i: cython.longlong
        packed: cython.p_uchar = results
        distance_bytes: cython.p_uchar = distances
        for i in range(skip, skip + stop - first):
            result: cython.int = (packed[i >> 2] >> (2 * (i & 3))) & 3
            plies: cython.int = distance_bytes[2 * i if two_bytes else i]
            if two_bytes:
                plies |= distance_bytes[2 * i + 1] << 8
            if result == 3 or plies > 65533 or (result and (plies & 1) != (result == 1)):
                return False
            self.code[first + i - skip] = plies + 1 if result else 0
        return True

    def raise_error(self, own_index, number):
        """Raise Fault if `error` is set, for a number of a slice."""
        if self.error:
            message, self.error = ERRORS[self.error], 0
            raise Fault(
                f"number {number} of slice {self.kernel.slice_name(self.slices[own_index])}: {message}"
            )

    # -- compiled part -------------------------------------------------------------------------------

    def find(self, slice):
        """The index of a slice; -1 if unknown."""
        i: cython.int
        if self.slices[self.last_found] == slice:
            return self.last_found
        for i in range(self.count):
            if self.slices[i] == slice:
                self.last_found = i
                return i
        return -1

    def examine_successors(self, kernel, own_index, number, include_own):
        """Examine the successors of a number; returns 0 none, 1 over and lost, 2 over and drawn, 3 ongoing.

        Sets `min_lost`, the minimum code of a lost successor, `max_won`, the maximum of a won one (0 if there
        is none), and `has_drawn`. Successors within the own slices are listed once in `neighbours`,
        `neighbour_count` of them, and contribute to these values only if `include_own`.
        """
        self.min_lost = self.max_won = self.neighbour_count = 0
        self.has_drawn = False
        if not kernel.unrank(self.slices[own_index], number) or kernel.rank() != number:
            return 0
        terminal: cython.int = kernel.result()
        if terminal == LOST:
            return 1
        if terminal == DRAWN:
            return 2
        if terminal != ONGOING:
            self.error = BAD_RESULT
            return 0
        end: cython.int = kernel.gen(0)
        i: cython.int
        for i in range(end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            child: cython.int = kernel.rank()
            slice: cython.int = kernel.slice
            terminal = kernel.result() if child < 0 else ONGOING
            kernel.pop(move)
            code: cython.int = 0
            if child < 0:
                if terminal != LOST and terminal != DRAWN:
                    self.error = NO_SLICE if terminal == ONGOING else BAD_RESULT
                    return 0
                code = 1 if terminal == LOST else 0
            else:
                slice_index: cython.int = self.find(slice)
                if slice_index < 0:
                    self.error = NO_SLICE
                    return 0
                index: cython.longlong = self.starts[slice_index] + child
                if slice_index < self.own_count:
                    j: cython.int = 0
                    while j < self.neighbour_count and self.neighbours[j] != index:
                        j += 1
                    if j == self.neighbour_count:
                        if self.neighbour_count == MAX_SUCCESSORS:
                            self.error = TOO_MANY
                            return 0
                        self.neighbours[self.neighbour_count] = index
                        self.neighbour_count += 1
                    if not include_own:
                        continue
                code = self.code[index]
                if code == _NONE:
                    self.error = NO_SLICE
                    return 0
            if code == 0:
                self.has_drawn = True
            elif code & 1:
                if not self.min_lost or code < self.min_lost:
                    self.min_lost = code
            elif code > self.max_won:
                self.max_won = code
        return 3

    def init_numbers(self, kernel, own_index, first, stop):
        number: cython.int
        for number in range(first, stop):
            index: cython.longlong = self.starts[own_index] + number
            state: cython.int = self.examine_successors(kernel, own_index, number, False)
            if self.error:
                return number
            self.counters[index] = NOT_LOST
            self.code[index] = 0
            if state == 0:
                self.code[index] = _NONE
            elif state == 1:
                self.code[index] = 1
                self.counters[index] = 0
            elif state == 3:
                if self.min_lost:
                    self.code[index] = self.min_lost + 1
                elif not self.has_drawn:
                    self.code[index] = self.max_won + 1 if self.max_won else 0
                    self.counters[index] = self.neighbour_count
            if self.code[index] != _NONE and self.code[index] > self.max_code:
                self.max_code = self.code[index]
        return -1

    def propagate(self, kernel, own_index, first, stop, level):
        is_loss: cython.bint = level & 1 != 0
        count: cython.longlong = 0
        number: cython.int
        i: cython.int
        for number in range(first, stop):
            index: cython.longlong = self.starts[own_index] + number
            if self.code[index] != level or (is_loss and self.counters[index]):
                continue
            count += 1
            if not kernel.unrank(self.slices[own_index], number):
                self.error = INCONSISTENT
                return -1 - number
            end: cython.int = kernel.gen_before(0)
            neighbour_count: cython.int = 0
            for i in range(end):
                slice_index: cython.int = self.find(kernel.weight[i])
                if slice_index < 0 or slice_index >= self.own_count or neighbour_count == 1024:
                    self.error = NO_SLICE
                    return -1 - number
                index = self.starts[slice_index] + kernel.stack[i]
                j: cython.int = 0
                while j < neighbour_count and self.neighbours[j] != index:
                    j += 1
                if j < neighbour_count:
                    continue
                self.neighbours[neighbour_count] = index
                neighbour_count += 1
                code: cython.int = self.code[index]
                if code == _NONE:
                    self.error = INCONSISTENT
                    return -1 - number
                if is_loss:
                    if code == 0 or code & 1 or code > level + 1:
                        self.code[index] = level + 1
                        self.counters[index] = NOT_LOST
                elif self.counters[index] != NOT_LOST:
                    if not self.counters[index]:
                        self.error = INCONSISTENT
                        return -1 - number
                    self.counters[index] -= 1
                    if not self.counters[index] and code <= level:
                        self.code[index] = level + 1
                if self.code[index] > self.max_code:
                    self.max_code = self.code[index]
        if level + 1 >= _NONE - 1:
            self.error = TOO_LONG
            return -1 - first
        return count

    def verify_range(self, kernel, own_index, first, stop):
        number: cython.int
        for number in range(first, stop):
            code: cython.int = self.code[self.starts[own_index] + number]
            state: cython.int = self.examine_successors(kernel, own_index, number, True)
            if self.error:
                return number
            expected: cython.int = 0
            if state == 0:
                continue
            if state == 1:
                expected = 1
            elif state == 3:
                if self.min_lost:
                    expected = self.min_lost + 1
                elif not self.has_drawn:
                    expected = self.max_won + 1
            if code != expected:
                return number
        return -1

    def count_up(self, kernel, own_index, first, stop, totals):
        number: cython.int
        for number in range(first, stop):
            if not kernel.unrank(self.slices[own_index], number) or kernel.rank() != number:
                continue
            code: cython.int = self.code[self.starts[own_index] + number]
            totals[2 * code] += 1
            totals[2 * code + 1] += kernel.orbit_size()


def allocate_codes(count):
    """A zeroed array for `count` codes."""
    return array("H", bytes(2 * count))
