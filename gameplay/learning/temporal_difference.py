# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD(lambda) for n-tuples: a game against itself teaches each position what the next one says.  C types:
temporal_difference.pxd.

With v(t) the expected result of the position at ply t and r the result of the game, the error at ply t is

    delta = v(t + 1) - v(t)          r - v(t) at the last position

and every position at a ply k <= t that lies at most `horizon` plies back is corrected for it: each of its
`active` weights changes by

    rate / active * delta * lambda ** (t - k) * (1 - v(k) ** 2)        the last is the derivative of tanh

(Sutton 1988; Tesauro 1992). `rate` is the weight's own: |sum of its changes| / sum of their sizes, so that a
weight whose changes cancel out comes to rest (temporal coherence, Beal and Smith 1999; for n-tuples Bagheri,
Thill, Koch and Konen 2014). The mover plays the move with the best next position, and with probability
`explore` any legal move: a position is not taught by such a move, nor are those before it. Chance nodes are
positions like others, and rolls are sampled.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.native.memory import address_of
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.math import fabs, tanh
else:
    from math import fabs, tanh

    from gameplay.kernel import Kernel
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.position import CHANCE

ULP = cython.declare(cython.double, 2.0**-53)
FAILED = cython.declare(cython.int, -2)
CUT = cython.declare(cython.int, 2)  # a game that reached its longest
FAINT = 0.01  # a correction of less than this share is left out


class TemporalDifference:
    """Plays games of `kernel` against itself and corrects the weights of `ntuples`."""

    def __init__(self, kernel, ntuples, decay, explore, goal, plies, seed):
        self.kernel, self.ntuples = kernel, ntuples
        self.decay, self.explore, self.goal, self.plies = decay, explore, goal, plies
        self.lots, self.positions = seed, 0
        reach = plies if decay == 1 else math.log(FAINT) / math.log(decay) if decay > 0 else 0
        self.horizon = 1 + int(min(reach, plies))
        self.held = self.first = self.made = 0
        self.sums_owner = memoryview(bytearray(4 * ntuples.total)).cast("f")
        self.sizes_owner = memoryview(bytearray(4 * ntuples.total)).cast("f")
        self.found_owner = memoryview(bytearray(4 * self.horizon * ntuples.active)).cast("i")
        self.values_owner = memoryview(bytearray(8 * self.horizon)).cast("d")
        if cython.compiled:
            self.sums = cython.cast(cython.p_float, address_of(self.sums_owner))
            self.sizes = cython.cast(cython.p_float, address_of(self.sizes_owner))
            self.found = cython.cast(cython.p_int, address_of(self.found_owner))
            self.values = cython.cast(cython.p_double, address_of(self.values_owner))
        else:
            self.sums, self.sizes = self.sums_owner, self.sizes_owner
            self.found, self.values = self.found_owner, self.values_owner
        if kernel.max_moves:
            kernel.reserve((plies + 2) * kernel.max_moves)

    def play(self, games: cython.int):
        """Learn from so many games. Raises what a game written in Python raised."""
        kernel: Kernel = self.kernel
        _number: cython.int
        with cython.nogil:
            for _number in range(games):
                if self.game(kernel, True, -1) == FAILED:
                    break
        self.check()

    def match(self, games: cython.int):
        """Wins, draws and losses of the greedy player against random moves, in both seats in turn.

        A game that reaches its longest is drawn. Nothing is learned.
        """
        kernel: Kernel = self.kernel
        counts = [0, 0, 0]
        number: cython.int
        for number in range(games):
            seat: cython.int = number & 1
            with cython.nogil:
                result: cython.int = self.game(kernel, False, 1 - seat)
            self.check()
            result = 0 if result == CUT else result if seat == 0 else -result
            counts[1 - result] += 1
        return tuple(counts)

    def best(self, moves):
        """The move that the greedy player makes after these moves of a new game."""
        kernel: Kernel = self.kernel
        move: cython.int
        i: cython.int
        for move in moves:
            kernel.push(move)
        end: cython.int = kernel.gen(0)
        chosen: cython.int = self.choose(kernel, 0, end)
        for i in range(len(moves) - 1, -1, -1):
            kernel.pop(moves[i])
        self.check()
        return kernel.stack[chosen]

    def greedy_game(self):
        """The moves of a game in which both players are greedy and chance is sampled. Nothing is learned."""
        kernel: Kernel = self.kernel
        with cython.nogil:
            self.game(kernel, False, -1)
        self.check()
        return [kernel.stack[ply] for ply in range(self.made)]

    def check(self):
        """Raise what the game raised."""
        if self.kernel.failed:
            error = self.kernel.error
            self.kernel.failed, self.kernel.error = False, None
            raise error

    def game(self, kernel, learning, random_seat):
        """Play a game and take its moves back; its sign for the first player, CUT or FAILED.

        Explores where it learns; the player in `random_seat` plays at random.
        """
        base: cython.int = 0
        made: cython.int = 0
        end: cython.int
        move: cython.int
        sign: cython.int = CUT
        after: cython.double
        self.held = self.first = 0
        if learning and not self.remember():
            return FAILED
        while made < self.plies and not kernel.failed:
            # 1. The move: rolled, explored, or the best.
            if base + 1 + kernel.max_moves >= kernel.capacity:
                kernel.extend(base + 2 + kernel.max_moves)
            explored: cython.bint = False
            if kernel.turn == CHANCE:
                end = kernel.gen_chances(base)
                left: cython.double = self.share()
                chosen: cython.int = base
                while chosen < end - 1 and left >= kernel.odds[chosen]:
                    left -= kernel.odds[chosen]
                    chosen += 1
            else:
                end = kernel.gen(base)
                explored = kernel.turn == random_seat or (learning and self.share() < self.explore)
                if explored:
                    chosen = base + cython.cast(cython.int, ((self.draw() >> 32) * (end - base)) >> 32)
                else:
                    chosen = self.choose(kernel, base, end)
            if kernel.failed or chosen < base or chosen >= end:
                break
            move = kernel.stack[chosen]
            kernel.stack[base] = move  # the moves made lie below those to choose from
            base += 1
            kernel.push(move)
            made += 1
            # 2. What the position before it, and those before that, learn from the next.
            if kernel.failed:
                break
            if kernel.result():
                after = self.result()
                sign = 1 if after > 0 else -1 if after < 0 else 0
                if learning and not explored:
                    self.learn(after)
                break
            if learning:
                if explored:
                    self.held = 0
                else:
                    self.learn(self.ntuples.expect(kernel))
                if not self.remember():
                    break
        self.made = made
        while made:
            made -= 1
            kernel.pop(kernel.stack[made])
        return FAILED if kernel.failed else sign

    def choose(self, kernel, base, end):
        """The place of the best move for the mover, the first of equal ones; -1 on an error."""
        best: cython.int = -1
        most: cython.double = 0.0
        sign: cython.int = 1 if kernel.turn == 0 else -1
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            value: cython.double = self.result() if kernel.result() else self.ntuples.expect(kernel)
            value *= sign
            kernel.pop(move)
            if kernel.failed:
                return -1
            if best < 0 or value > most:
                best = i
                most = value
        return best

    def result(self):
        """The result of a finished game for the first player, from -1 to 1."""
        share: cython.double = self.kernel.payoff(0) / self.goal
        return -1.0 if share < -1.0 else 1.0 if share > 1.0 else share

    def remember(self):
        """Add the position to those that learn."""
        if self.held == self.horizon:
            self.first = (self.first + 1) % self.horizon
            self.held -= 1
        row: cython.int = (self.first + self.held) % self.horizon
        if cython.compiled:
            indices: cython.p_int = self.found + row * self.ntuples.active
        else:
            indices = self.found[row * self.ntuples.active : (row + 1) * self.ntuples.active]
        if not self.ntuples.find(self.kernel, indices):
            return False
        self.values[row] = tanh(self.ntuples.sum(indices))
        self.held += 1
        return True

    def learn(self, after):
        """Correct the positions held for the difference between the newest and what followed it."""
        if not self.held:
            return
        newest: cython.int = (self.first + self.held - 1) % self.horizon
        delta: cython.double = after - self.values[newest]
        trace: cython.double = 1.0 / self.ntuples.active
        back: cython.int
        i: cython.int
        self.positions += 1
        for back in range(self.held):
            row: cython.int = (newest - back + self.horizon) % self.horizon
            change: cython.double = delta * trace * (1.0 - self.values[row] * self.values[row])
            for i in range(row * self.ntuples.active, (row + 1) * self.ntuples.active):
                index: cython.int = self.found[i]
                size: cython.double = self.sizes[index]
                rate: cython.double = fabs(self.sums[index]) / size if size > 0 else 1.0
                # Sums of doubles, rounded once: C would add floats as floats, Python cannot.
                total: cython.double = self.ntuples.weights[index] + rate * change
                self.ntuples.weights[index] = cython.cast(cython.float, total)
                total = self.sums[index] + change
                self.sums[index] = cython.cast(cython.float, total)
                total = size + fabs(change)
                self.sizes[index] = cython.cast(cython.float, total)
            trace *= self.decay
            if trace == 0:
                break

    def draw(self):
        """64 random bits: SplitMix64 (Steele, Lea and Flood 2014)."""
        self.lots = (self.lots + GOLDEN) & M64
        return finalize(self.lots)

    def share(self):
        """A random number from 0 up to, not including, 1."""
        return (self.draw() >> 11) * ULP
