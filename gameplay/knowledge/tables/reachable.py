# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Finds and solves all positions reachable from a start, for any game.  Types: reachable.pxd.

    1. walk()       depth-first search with make and unmake; a position is identified by its 64-bit key
    2. propagate()  the theorem of `retrograde.py` on the stored graph: decided positions, in order of plies,
                    propagate to their predecessors
    3. sort()       by key, as in the file

A state, by place:      bits 0-1  if the game is over: 1 lost, 2 drawn, 3 won for the mover; 0: not over
                        bit 2     the player who moves         bit 3     its moves were generated

Positions with the same key are not distinguished. The expected number of such pairs among n positions is
n^2 / 2^65, 0.0003 for 10^8.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay import value as scale
from gameplay.errors import Fault, Usage
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.native.pointers import uchars, uints, ulonglongs, ushorts
else:
    from gameplay.native.hashing import spread
    from gameplay.native.pointers import uchars, uints, ulonglongs, ushorts

MAX_MOVES = 4096  # maximum moves of a position
_MAX_MOVES = cython.declare(cython.longlong, MAX_MOVES)
EXPANDED = cython.declare(cython.int, 8)
LOST = cython.declare(cython.int, scale.LOST)
WON = cython.declare(cython.int, scale.WON)
DONE, MORE, GROW, FAILED, TOO_MANY_MOVES = 0, 1, 2, 3, 4
_DONE, _MORE, _GROW, _FAILED, _TOO_MANY_MOVES = (
    cython.declare(cython.int, DONE),
    cython.declare(cython.int, MORE),
    cython.declare(cython.int, GROW),
    cython.declare(cython.int, FAILED),
    cython.declare(cython.int, TOO_MANY_MOVES),
)


class ReachableGraph:
    """Finds and solves all positions reachable from that of `kernel`. memory: maximum bytes."""

    def __init__(self, kernel: Kernel, memory):
        self.kernel = kernel
        self.memory = memory
        self.count = self.links = self.depth = self.max_plies = self.current = 0
        self.room = self.link_room = self.frame_room = 0
        self.mask = -1
        self.arrays = {}
        self.pending = True
        self.enlarge()
        self.keys[0] = kernel.hash()
        self.states[0] = kernel.turn << 2
        self.parents[0] = 0
        self.count = 1
        self.rehash()

    # -- memory ---------------------------------------------------------------------------------

    def resize(self, name, code, size):
        """Resize an array to `size`, keeping its content. Raises Usage if total memory would be exceeded."""
        old = self.arrays.get(name)
        grown = array(code)
        taken = sum([len(one) * one.itemsize for one in self.arrays.values()])
        if taken + size * grown.itemsize > self.memory:
            raise Usage(
                f"more than {self.count:,} positions can be reached: that takes more memory than --memory "
                f"allows, {self.memory / 2**20:,.0f} MB"
            )
        grown.frombytes(bytes(size * grown.itemsize))
        if old is not None:
            grown[: len(old)] = old
        self.arrays[name] = grown
        return grown

    def enlarge(self):
        """Enlarge the arrays of positions, moves or depth as needed."""
        if self.room - self.count <= MAX_MOVES:
            room = max(4 * MAX_MOVES, 2 * self.room)
            if room >= 1 << 31:
                raise Usage("more than 1,073,741,824 positions can be reached: too many for one table")
            for name, code in (
                ("keys", "Q"),
                ("starts", "I"),
                ("states", "B"),
                ("parents", "I"),
                ("remaining", "H"),
            ):
                self.resize(name, code, room + 1)
            self.room = room
        if self.link_room - self.links <= MAX_MOVES:
            size = max(16 * MAX_MOVES, 2 * self.link_room)
            if size >= 1 << 32:
                raise Usage("the positions have more than 4,294,967,295 moves: too many for one table")
            self.resize("successors", "I", size)
            self.link_room = size
        if self.frame_room - self.depth <= 2:
            self.resize("frames", "I", max(4 * 1024, 8 * self.frame_room))
            self.frame_room = max(1024, 2 * self.frame_room)
        if self.mask + 1 < 2 * self.room:
            size = 1 << (2 * self.room - 1).bit_length()
            self.arrays.pop("slots", None)
            self.resize("slots", "I", size)
            self.mask = size - 1
        self.uci_position()

    def uci_position(self):
        """Update the addresses of the arrays."""
        self.keys = ulonglongs(self.arrays["keys"])
        self.starts = uints(self.arrays["starts"])
        self.states = uchars(self.arrays["states"])
        self.parents = uints(self.arrays["parents"])
        self.remaining = ushorts(self.arrays["remaining"])
        self.successors = uints(self.arrays["successors"])
        self.frames = uints(self.arrays["frames"])
        self.slots = uints(self.arrays["slots"])

    def rehash(self):
        """Rehash all positions."""
        place: cython.longlong
        for place in range(self.count):
            at: cython.longlong = self.find(self.keys[place])
            self.slots[at] = place + 1

    # -- from Python ------------------------------------------------------------------------------

    def explore(self, steps: cython.longlong):
        """Step 1 for `steps` positions; true while there are more. Raises Usage, Fault, and errors of the
        game.
        """
        kernel: Kernel = self.kernel
        if kernel.max_moves and (self.depth + 4) * kernel.max_moves > kernel.capacity:
            kernel.reserve(2 * (self.depth + 4) * kernel.max_moves)
        with cython.nogil:
            state: cython.int = self.walk(kernel, steps)
        if kernel.failed:
            error = kernel.error
            kernel.failed, kernel.error = False, None
            raise error
        if state == TOO_MANY_MOVES:
            raise Fault(f"a position has more than {MAX_MOVES} moves")
        if state == GROW:
            slots = self.mask
            self.enlarge()
            if self.mask != slots:
                self.rehash()
        return state != DONE

    def solve(self):
        """Step 2. Raises Fault for a win longer than 65534 plies."""
        count: cython.longlong = self.count
        for name in ("slots", "frames"):
            del self.arrays[name]
        predecessor_starts = self.resize("predecessor_starts", "I", count + 2)
        predecessors = self.resize("predecessors", "I", max(1, self.links))
        queue = self.resize("queue", "I", max(1, count))
        plies = self.resize("plies", "H", count)
        results = self.resize("results", "B", count)
        self.predecessor_starts, self.predecessors, self.queue = (
            uints(predecessor_starts),
            uints(predecessors),
            uints(queue),
        )
        self.plies, self.results = ushorts(plies), uchars(results)
        with cython.nogil:
            self.propagate()
        if self.max_plies > 65534:
            raise Fault("a win takes more than 65534 plies")

    def sort_places(self):
        """Step 3: the places in the order of their keys."""
        for name in ("predecessor_starts", "predecessors", "successors", "remaining"):
            self.arrays.pop(name, None)
        order = self.arrays["queue"]
        spare = self.resize("spare", "I", max(1, self.count))
        counts = self.resize("counts", "I", 65536)
        a: cython.p_uint = uints(order)
        b: cython.p_uint = uints(spare)
        c: cython.p_uint = uints(counts)
        with cython.nogil:
            self.sort(a, b, c)

    def census(self):
        """By player to move, 0 and 1: the numbers of drawn, won and lost positions."""
        place: cython.longlong
        totals = [[0, 0, 0], [0, 0, 0]]
        for place in range(self.count):
            totals[(self.states[place] >> 2) & 1][self.results[place]] += 1
        return totals

    def value_at(self, place: cython.longlong):
        """The result for the mover, 0 drawn, 1 won, 2 lost, and the plies to the end."""
        return self.results[place], self.plies[place]

    def longest(self):
        """A place with the longest win; -1 if there is none."""
        place: cython.longlong
        best: cython.longlong = -1
        for place in range(self.count):
            if self.results[place] == 1 and (best < 0 or self.plies[place] > self.plies[best]):
                best = place
        return best

    def path(self, place: cython.longlong):
        """The indices of the moves on a path from the start to a place. Call before sort_places()."""
        steps = []
        i: cython.longlong
        while place:
            above: cython.longlong = self.parents[place]
            for i in range(self.starts[above], self.starts[above] + MAX_MOVES):
                if self.successors[i] >> 1 == place:
                    steps.append(i - self.starts[above])
                    break
            place = above
        return steps[::-1]

    def find_mismatch(self, results, plies):
        """A place whose value is not the best of its successors; -1 if there is none.

        Call before sort_places(). results ("B"), plies ("H"): the values to verify, by place.
        """
        place: cython.longlong
        i: cython.longlong
        stored: cython.p_uchar = uchars(results)
        near: cython.p_ushort = ushorts(plies)
        for place in range(self.count):
            over: cython.int = self.states[place] & 3
            min_lost: cython.int = 0
            max_won: cython.int = 0
            drawn: cython.bint = over == 2
            for i in range(self.starts[place], self.starts[place] + self.remaining[place]):
                other: cython.longlong = self.successors[i] >> 1
                steps: cython.int = near[other] + 1
                if not stored[other]:
                    drawn = True
                elif (stored[other] == 1) == (self.successors[i] & 1 == 1):
                    if not min_lost or steps < min_lost:
                        min_lost = steps
                elif steps > max_won:
                    max_won = steps
            result: cython.int = 1 if over == WON or min_lost else 0 if drawn else 2
            expected: cython.int = 0 if over else min_lost if result == 1 else max_won if result else 0
            if stored[place] != result or (result and near[place] != expected):
                return place
        return -1

    def key_of(self, place: cython.longlong):
        """The key of a place."""
        return self.keys[place]

    def pack(self, first: cython.longlong, stop: cython.longlong, keys, results, distances):
        """Write keys, results and distances of rows, as in `retrograde.py`. Call after sort_places()."""
        wide: cython.bint = len(distances) >= 2 * (stop - first)
        i: cython.longlong
        for i in range(stop - first):
            place: cython.longlong = self.queue[first + i]
            keys[i] = self.keys[place]
            results[i >> 2] |= self.results[place] << (2 * (i & 3))
            if wide:
                distances[2 * i] = self.plies[place] & 255
                distances[2 * i + 1] = self.plies[place] >> 8
            else:
                distances[i] = self.plies[place]

    # -- compiled part -----------------------------------------------------------------------------------

    def find(self, key):
        """The slot that holds a key, or the free slot for it."""
        at: cython.longlong = (spread(key) >> 20) & self.mask
        while self.slots[at] and self.keys[self.slots[at] - 1] != key:
            at = (at + 1) & self.mask
        return at

    def walk(self, kernel, steps):
        while steps > 0:
            if self.pending:
                base: cython.int = self.frames[4 * (self.depth - 1) + 2] if self.depth else 0
                state: cython.int = self.expand(kernel, base)
                if state != _DONE:
                    return state
                self.pending = False
                steps -= 1
            # A frame has four words: place, next move, end of the moves, the move made.
            i: cython.longlong = 4 * (self.depth - 1)
            if self.frames[i + 1] == self.frames[i + 2]:
                self.depth -= 1
                if not self.depth:
                    return _DONE
                kernel.pop(self.frames[4 * (self.depth - 1) + 3])
                continue
            place: cython.longlong = self.frames[i]
            # The successors of a place lie in the order of its moves.
            number: cython.longlong = self.frames[i + 1]
            base = self.frames[i - 2] if self.depth > 1 else 0
            child: cython.longlong = self.successors[self.starts[place] + number - base] >> 1
            self.frames[i + 1] += 1
            if self.states[child] & EXPANDED:
                continue
            self.frames[i + 3] = kernel.stack[number]
            kernel.push(kernel.stack[number])
            if kernel.failed:
                return _FAILED
            self.current = child
            self.pending = True
        return _MORE

    def expand(self, kernel, base):
        """Generate the moves of the position at `current` and push its frame."""
        if (
            self.room - self.count <= _MAX_MOVES
            or self.link_room - self.links <= _MAX_MOVES
            or self.frame_room - self.depth <= 2
            or (kernel.max_moves and base + 2 * kernel.max_moves > kernel.capacity)
        ):
            return _GROW
        end: cython.int = base
        over: cython.int = kernel.result()
        place: cython.longlong = self.current
        i: cython.int
        if over:
            self.states[place] |= over
        elif not kernel.failed:
            end = kernel.gen(base)
        if kernel.failed:
            return _FAILED
        if end - base >= _MAX_MOVES:
            return _TOO_MANY_MOVES
        self.states[place] |= EXPANDED
        self.starts[place] = self.links
        self.remaining[place] = end - base
        mover: cython.int = kernel.turn
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            key: cython.ulonglong = kernel.hash()
            turn: cython.int = kernel.turn
            kernel.pop(move)
            if kernel.failed:
                return _FAILED
            at: cython.longlong = self.find(key)
            if not self.slots[at]:
                self.keys[self.count] = key
                self.states[self.count] = turn << 2
                self.parents[self.count] = place
                self.count += 1
                self.slots[at] = self.count
            self.successors[self.links] = ((self.slots[at] - 1) << 1) | (1 if turn == mover else 0)
            self.links += 1
        self.frames[4 * self.depth] = place
        self.frames[4 * self.depth + 1] = base
        self.frames[4 * self.depth + 2] = end
        self.depth += 1
        return _DONE

    def propagate(self):
        place: cython.longlong
        i: cython.longlong
        # 1. Reverse the graph.
        for i in range(self.links):
            self.predecessor_starts[(self.successors[i] >> 1) + 2] += 1
        for place in range(1, self.count + 2):
            self.predecessor_starts[place] += self.predecessor_starts[place - 1]
        for place in range(self.count):
            over: cython.int = self.states[place] & 3
            if over == LOST:
                self.results[place] = 2
            elif over == WON:
                self.results[place] = 1
        queued: cython.longlong = 0
        for place in range(self.count):
            i = self.starts[place]
            stop: cython.longlong = i + self.remaining[place]
            while i < stop:
                other: cython.longlong = self.successors[i] >> 1
                self.predecessors[self.predecessor_starts[other + 1]] = (place << 1) | (
                    self.successors[i] & 1
                )
                self.predecessor_starts[other + 1] += 1
                i += 1

        # 2. Decided positions propagate to their predecessors.
        for place in range(self.count):
            if self.results[place]:
                self.queue[queued] = place
                queued += 1
        done: cython.longlong = 0
        while done < queued:
            place = self.queue[done]
            done += 1
            for i in range(self.predecessor_starts[place], self.predecessor_starts[place + 1]):
                other = self.predecessors[i] >> 1
                if self.results[other] or self.states[other] & 3:
                    continue
                wins: cython.bint = (self.results[place] == 1) == (self.predecessors[i] & 1 == 1)
                if not wins:
                    self.remaining[other] -= 1
                    if self.remaining[other]:
                        continue
                self.results[other] = 1 if wins else 2
                if self.plies[place] + 1 > self.max_plies:
                    self.max_plies = self.plies[place] + 1
                self.plies[other] = self.plies[place] + 1
                self.queue[queued] = other
                queued += 1

    def sort(self, order, spare, counts):
        """Radix sort by the 64-bit keys, sixteen bits at a time from the lowest."""
        part: cython.int
        i: cython.longlong
        for i in range(self.count):
            order[i] = i
        for part in range(4):
            for i in range(65536):
                counts[i] = 0
            for i in range(self.count):
                counts[(self.keys[i] >> (16 * part)) & 65535] += 1
            place: cython.longlong = 0
            for i in range(65536):
                bucket: cython.longlong = counts[i]
                counts[i] = place
                place += bucket
            for i in range(self.count):
                bucket = (self.keys[order[i]] >> (16 * part)) & 65535
                spare[counts[bucket]] = order[i]
                counts[bucket] += 1
            for i in range(self.count):
                order[i] = spare[i]
