# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Finds and solves all positions reachable from a start, for any game. C types: reachable.pxd.

    1. walk()        depth-first search with make and unmake; a position is identified by its 64-bit key
    2. propagate()   the theorem of `retrograde.py` on the stored graph: decided positions, in order of plies,
                     propagate to their predecessors
    3. radix_sort()  by key, as in the file

A state, by index:      bits 0-1  if the game is over: 1 lost, 2 drawn, 3 won for the mover; 0: not over
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
        self.capacity = self.link_capacity = self.frame_capacity = 0
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
        previous = self.arrays.get(name)
        grown = array(code)
        used = sum([len(existing) * existing.itemsize for existing in self.arrays.values()])
        if used + size * grown.itemsize > self.memory:
            raise Usage(
                f"more than {self.count:,} positions are reachable, which exceeds the memory limit of "
                f"{self.memory / 2**20:,.0f} MB. Try: a larger --memory"
            )
        grown.frombytes(bytes(size * grown.itemsize))
        if previous is not None:
            grown[: len(previous)] = previous
        self.arrays[name] = grown
        return grown

    def enlarge(self):
        """Enlarge the arrays of positions, moves or depth as needed."""
        if self.capacity - self.count <= MAX_MOVES:
            capacity = max(4 * MAX_MOVES, 2 * self.capacity)
            if capacity >= 1 << 31:
                raise Usage("more than 1,073,741,824 positions are reachable; a table holds no more")
            for name, code in (
                ("keys", "Q"),
                ("starts", "I"),
                ("states", "B"),
                ("parents", "I"),
                ("remaining", "H"),
            ):
                self.resize(name, code, capacity + 1)
            self.capacity = capacity
        if self.link_capacity - self.links <= MAX_MOVES:
            size = max(16 * MAX_MOVES, 2 * self.link_capacity)
            if size >= 1 << 32:
                raise Usage("the positions have more than 4,294,967,295 moves; a table holds no more")
            self.resize("successors", "I", size)
            self.link_capacity = size
        if self.frame_capacity - self.depth <= 2:
            self.resize("frames", "I", max(4 * 1024, 8 * self.frame_capacity))
            self.frame_capacity = max(1024, 2 * self.frame_capacity)
        if self.mask + 1 < 2 * self.capacity:
            size = 1 << (2 * self.capacity - 1).bit_length()
            self.arrays.pop("slots", None)
            self.resize("slots", "I", size)
            self.mask = size - 1
        self.update_pointers()

    def update_pointers(self):
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
        index: cython.longlong
        for index in range(self.count):
            slot: cython.longlong = self.find(self.keys[index])
            self.slots[slot] = index + 1

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
        kernel.reraise()
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

    def sort_by_key(self):
        """Step 3: order the positions by key."""
        for name in ("predecessor_starts", "predecessors", "successors", "remaining"):
            self.arrays.pop(name, None)
        order = self.arrays["queue"]
        spare = self.resize("spare", "I", max(1, self.count))
        counts = self.resize("counts", "I", 65536)
        a: cython.p_uint = uints(order)
        b: cython.p_uint = uints(spare)
        c: cython.p_uint = uints(counts)
        with cython.nogil:
            self.radix_sort(a, b, c)

    def census(self):
        """By player to move, 0 and 1: the numbers of drawn, won and lost positions."""
        index: cython.longlong
        totals = [[0, 0, 0], [0, 0, 0]]
        for index in range(self.count):
            totals[(self.states[index] >> 2) & 1][self.results[index]] += 1
        return totals

    def value_at(self, index: cython.longlong):
        """The result for the mover, 0 drawn, 1 won, 2 lost, and the plies to the end."""
        return self.results[index], self.plies[index]

    def longest(self):
        """The index of a position with the longest win; -1 if there is none."""
        index: cython.longlong
        longest_index: cython.longlong = -1
        for index in range(self.count):
            if self.results[index] == 1 and (
                longest_index < 0 or self.plies[index] > self.plies[longest_index]
            ):
                longest_index = index
        return longest_index

    def path(self, index: cython.longlong):
        """The move indices of a path from the start to a position. Call before sort_by_key()."""
        steps = []
        i: cython.longlong
        while index:
            parent: cython.longlong = self.parents[index]
            for i in range(self.starts[parent], self.starts[parent] + MAX_MOVES):
                if self.successors[i] >> 1 == index:
                    steps.append(i - self.starts[parent])
                    break
            index = parent
        return steps[::-1]

    def find_mismatch(self, results, plies):
        """The index of a position whose value is not the best of its successors; -1 if there is none.

        Call before sort_by_key(). results ("B"), plies ("H"): the values to verify, by index.
        """
        index: cython.longlong
        i: cython.longlong
        stored: cython.p_uchar = uchars(results)
        distances: cython.p_ushort = ushorts(plies)
        for index in range(self.count):
            terminal: cython.int = self.states[index] & 3
            min_lost: cython.int = 0
            max_won: cython.int = 0
            has_drawn: cython.bint = terminal == 2
            for i in range(self.starts[index], self.starts[index] + self.remaining[index]):
                successor: cython.longlong = self.successors[i] >> 1
                steps: cython.int = distances[successor] + 1
                if not stored[successor]:
                    has_drawn = True
                elif (stored[successor] == 1) == (self.successors[i] & 1 == 1):
                    if not min_lost or steps < min_lost:
                        min_lost = steps
                elif steps > max_won:
                    max_won = steps
            result: cython.int = 1 if terminal == WON or min_lost else 0 if has_drawn else 2
            expected: cython.int = 0 if terminal else min_lost if result == 1 else max_won if result else 0
            if stored[index] != result or (result and distances[index] != expected):
                return index
        return -1

    def key_of(self, index: cython.longlong):
        """The key of a position."""
        return self.keys[index]

    def pack(self, first: cython.longlong, stop: cython.longlong, keys, results, distances):
        """Write keys, results and distances of rows, as in `retrograde.py`. Call after sort_by_key()."""
        two_bytes: cython.bint = len(distances) >= 2 * (stop - first)
        i: cython.longlong
        for i in range(stop - first):
            index: cython.longlong = self.queue[first + i]
            keys[i] = self.keys[index]
            results[i >> 2] |= self.results[index] << (2 * (i & 3))
            if two_bytes:
                distances[2 * i] = self.plies[index] & 255
                distances[2 * i + 1] = self.plies[index] >> 8
            else:
                distances[i] = self.plies[index]

    # -- compiled part -----------------------------------------------------------------------------------

    def find(self, key):
        """The slot that holds a key, or the free slot for it."""
        slot: cython.longlong = (spread(key) >> 20) & self.mask
        while self.slots[slot] and self.keys[self.slots[slot] - 1] != key:
            slot = (slot + 1) & self.mask
        return slot

    def walk(self, kernel, steps):
        while steps > 0:
            if self.pending:
                base: cython.int = self.frames[4 * (self.depth - 1) + 2] if self.depth else 0
                state: cython.int = self.expand(kernel, base)
                if state != _DONE:
                    return state
                self.pending = False
                steps -= 1
            # A frame has four words: position, next move, end of the moves, the move made.
            i: cython.longlong = 4 * (self.depth - 1)
            if self.frames[i + 1] == self.frames[i + 2]:
                self.depth -= 1
                if not self.depth:
                    return _DONE
                kernel.pop(self.frames[4 * (self.depth - 1) + 3])
                continue
            index: cython.longlong = self.frames[i]
            # The successors of a position are in the order of its moves.
            number: cython.longlong = self.frames[i + 1]
            base = self.frames[i - 2] if self.depth > 1 else 0
            child: cython.longlong = self.successors[self.starts[index] + number - base] >> 1
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
            self.capacity - self.count <= _MAX_MOVES
            or self.link_capacity - self.links <= _MAX_MOVES
            or self.frame_capacity - self.depth <= 2
            or (kernel.max_moves and base + 2 * kernel.max_moves > kernel.capacity)
        ):
            return _GROW
        end: cython.int = base
        terminal: cython.int = kernel.result()
        index: cython.longlong = self.current
        i: cython.int
        if terminal:
            self.states[index] |= terminal
        elif not kernel.failed:
            end = kernel.gen(base)
        if kernel.failed:
            return _FAILED
        if end - base >= _MAX_MOVES:
            return _TOO_MANY_MOVES
        self.states[index] |= EXPANDED
        self.starts[index] = self.links
        self.remaining[index] = end - base
        mover: cython.int = kernel.turn
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            key: cython.ulonglong = kernel.hash()
            turn: cython.int = kernel.turn
            kernel.pop(move)
            if kernel.failed:
                return _FAILED
            slot: cython.longlong = self.find(key)
            if not self.slots[slot]:
                self.keys[self.count] = key
                self.states[self.count] = turn << 2
                self.parents[self.count] = index
                self.count += 1
                self.slots[slot] = self.count
            self.successors[self.links] = ((self.slots[slot] - 1) << 1) | (1 if turn == mover else 0)
            self.links += 1
        self.frames[4 * self.depth] = index
        self.frames[4 * self.depth + 1] = base
        self.frames[4 * self.depth + 2] = end
        self.depth += 1
        return _DONE

    def propagate(self):
        index: cython.longlong
        i: cython.longlong
        # 1. Reverse the graph.
        for i in range(self.links):
            self.predecessor_starts[(self.successors[i] >> 1) + 2] += 1
        for index in range(1, self.count + 2):
            self.predecessor_starts[index] += self.predecessor_starts[index - 1]
        for index in range(self.count):
            terminal: cython.int = self.states[index] & 3
            if terminal == LOST:
                self.results[index] = 2
            elif terminal == WON:
                self.results[index] = 1
        queued: cython.longlong = 0
        for index in range(self.count):
            i = self.starts[index]
            stop: cython.longlong = i + self.remaining[index]
            while i < stop:
                neighbour: cython.longlong = self.successors[i] >> 1
                self.predecessors[self.predecessor_starts[neighbour + 1]] = (index << 1) | (
                    self.successors[i] & 1
                )
                self.predecessor_starts[neighbour + 1] += 1
                i += 1

        # 2. Decided positions propagate to their predecessors.
        for index in range(self.count):
            if self.results[index]:
                self.queue[queued] = index
                queued += 1
        head: cython.longlong = 0
        while head < queued:
            index = self.queue[head]
            head += 1
            for i in range(self.predecessor_starts[index], self.predecessor_starts[index + 1]):
                neighbour = self.predecessors[i] >> 1
                if self.results[neighbour] or self.states[neighbour] & 3:
                    continue
                wins: cython.bint = (self.results[index] == 1) == (self.predecessors[i] & 1 == 1)
                if not wins:
                    self.remaining[neighbour] -= 1
                    if self.remaining[neighbour]:
                        continue
                self.results[neighbour] = 1 if wins else 2
                if self.plies[index] + 1 > self.max_plies:
                    self.max_plies = self.plies[index] + 1
                self.plies[neighbour] = self.plies[index] + 1
                self.queue[queued] = neighbour
                queued += 1

    def radix_sort(self, order, spare, counts):
        """Radix sort by the 64-bit keys, sixteen bits at a time from the lowest."""
        digit: cython.int
        i: cython.longlong
        for i in range(self.count):
            order[i] = i
        for digit in range(4):
            for i in range(65536):
                counts[i] = 0
            for i in range(self.count):
                counts[(self.keys[i] >> (16 * digit)) & 65535] += 1
            index: cython.longlong = 0
            for i in range(65536):
                bucket: cython.longlong = counts[i]
                counts[i] = index
                index += bucket
            for i in range(self.count):
                bucket = (self.keys[order[i]] >> (16 * digit)) & 65535
                spare[counts[bucket]] = order[i]
                counts[bucket] += 1
            for i in range(self.count):
                order[i] = spare[i]
