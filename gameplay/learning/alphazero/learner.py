# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""AlphaZero with n-tuples: a policy and a value learned by self-play.  C types: learner.pxd.

Each move of a game is chosen by a search of `simulations` simulations, guided by the policy and the value
(see `search.py`). With n(m) its visits of the moves m and r the result of the game, a position learns

    policy     pi(m) = n(m) / sum of n         the gradient of the cross entropy by s(m): p(m) - pi(m)
    value      r                               that of (r - v)^2 / 2 by the sum: -(r - v) (1 - v^2)

(Silver and others 2017, 2018). The sum of a position's weights changes by the negative gradient
times the rates of the weights, see `ntuples.coherence`. The positions of a game are learned once, in order,
after the game.

The first plies of a game, a random number up to `opening`, are random, so that rare positions are reached;
nothing is learned from them. In the next `sampled` plies a move is chosen with the probability pi(m), then
the one with the most visits.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.learning.alphazero.search import AlphaZeroSearch
from gameplay.ntuples.coherence import CoherentLearner
from gameplay.ntuples.tables import MAX_ACTIVE

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.pointers import ints
    from cython.cimports.libc.math import tanh
else:
    from math import tanh

    from gameplay.kernel import Kernel
    from gameplay.native.pointers import ints


class AlphaZero:
    """Plays games of self-play on `kernel` and updates the tables of `guide`."""

    def __init__(self, kernel, guide, simulations, opening, sampled, plies, seed):
        self.kernel, self.guide = kernel, guide
        self.opening, self.sampled, self.plies = opening, sampled, plies
        self.search = AlphaZeroSearch(kernel, guide, simulations)
        self.values = CoherentLearner(guide.values)
        self.preferences = CoherentLearner(guide.preferences)
        self.positions = 0
        self.length = self.room = self.made = 0
        self.result = 0.0
        self.line_owner = memoryview(bytearray(4 * plies)).cast("i")
        self.line = ints(self.line_owner)
        self.make_room(1 << 12)
        self.rng_state = seed

    @property
    def rng_state(self):
        """The state of the generator."""
        return self.kernel.rng_state

    @rng_state.setter
    def rng_state(self, rng_state):
        self.kernel.rng_state = rng_state

    def make_room(self, count: cython.int):
        """Ensure that the record has room for `count` numbers."""
        longer = memoryview(bytearray(4 * count)).cast("i")
        if self.room:
            longer[: self.length] = self.record_owner[: self.length]
        self.record_owner, self.room = longer, count
        self.numbers = ints(longer)

    # -- playing and learning ----------------------------------------------------------------------

    def play(self, games: cython.int):
        """Play and learn `games` games. Raises errors of games written in Python."""
        kernel: Kernel = self.kernel
        _number: cython.int
        with cython.nogil:
            for _number in range(games):
                self.game(kernel, True)
                self.study_game(kernel)
                if kernel.failed:
                    break
        kernel.reraise()

    def record(self, rng_state):
        """Play a game with this generator state without learning; returns the record for `learn`:
        the result and the numbers that `game` describes.
        """
        kernel: Kernel = self.kernel
        self.rng_state = rng_state
        with cython.nogil:
            self.game(kernel, True)
        kernel.reraise()
        return self.result, bytes(self.record_owner[: self.length])

    def learn(self, record):
        """Learn from a game of `record`, possibly played with other weights."""
        kernel: Kernel = self.kernel
        self.result, packed = record
        numbers = memoryview(packed).cast("i")
        self.length = 0
        if len(numbers) > self.room:
            self.make_room(len(numbers))
        self.length = len(numbers)
        self.record_owner[: self.length] = numbers
        with cython.nogil:
            self.study_game(kernel)
        kernel.reraise()

    def random(self, count):
        """A random integer from 0 to `count` - 1."""
        return cython.cast(cython.int, ((self.kernel.random_bits() >> 32) * count) >> 32)

    def game(self, kernel, exploring):
        """Play a game and unmake its moves, setting `record` and `result`.
        exploring: False plays without noise and random moves. For each ply the record has the move, the
        number of moves searched (0 if random), and each of these with its visits.
        """
        i: cython.int
        count: cython.int
        self.length = self.made = 0
        self.result = 0.0
        opening: cython.int = self.random(self.opening + 1) if exploring else 0
        sampled: cython.int = opening + self.sampled if exploring else 0
        while self.made < self.plies and not kernel.failed:
            if kernel.result():
                self.result = self.final()
                break
            random: cython.bint = self.made < opening
            count = kernel.gen(0) if random else self.search.search(kernel, exploring)
            if kernel.failed:
                break
            if self.length + 2 + 2 * count > self.room:
                self.extend_record(2 * (self.length + 2 + 2 * count))
            move: cython.int
            if random:
                move = kernel.stack[self.random(count)]
                count = 0
            else:
                move = self.chosen(count, self.made < sampled)
            self.numbers[self.length] = move
            self.numbers[self.length + 1] = count
            self.length += 2
            for i in range(count):
                self.numbers[self.length] = self.search.move_of(i)
                self.numbers[self.length + 1] = self.search.visits_of(i)
                self.length += 2
            self.line[self.made] = move
            kernel.push(move)
            self.made += 1
        self.take_back(kernel)

    def extend_record(self, count):
        """As `make_room`, without the GIL."""
        with cython.gil:
            self.make_room(count)

    def take_back(self, kernel):
        """Unmake the moves of the game."""
        while self.made:
            self.made -= 1
            kernel.pop(self.line[self.made])

    def final(self):
        """The result of a finished game for the first player, from -1 to 1."""
        share: cython.double = self.kernel.payoff(0) / self.guide.goal
        return -1.0 if share < -1.0 else 1.0 if share > 1.0 else share

    def chosen(self, count, sampled):
        """The move to play after a search: with the probability of its visits, or the one with the most."""
        i: cython.int
        best: cython.int = 0
        total: cython.int = 0
        for i in range(count):
            total += self.search.visits_of(i)
            if self.search.visits_of(i) > self.search.visits_of(best):
                best = i
        if sampled:
            rest: cython.int = self.random(total)
            for i in range(count):
                rest -= self.search.visits_of(i)
                if rest < 0:
                    return self.search.move_of(i)
        return self.search.move_of(best)

    def study_game(self, kernel):
        """Learn the positions of the record."""
        place: cython.int = 0
        while place < self.length and not kernel.failed:
            move: cython.int = self.numbers[place]
            count: cython.int = self.numbers[place + 1]
            place += 2
            if count:
                self.study(kernel, place, count)
                place += 2 * count
            self.line[self.made] = move
            kernel.push(move)
            self.made += 1
        self.take_back(kernel)

    def study(self, kernel, place, count):
        """Learn a position: the visits of `count` moves in the record, from `place` on, and the result."""
        indices = cython.declare(cython.int[1024])
        if not cython.compiled:
            indices = [0] * MAX_ACTIVE
        i: cython.int
        self.positions += 1
        if not self.guide.values.find(kernel, indices):
            return
        value: cython.double = tanh(self.guide.values.sum(indices))
        self.values.correct(indices, 0, (self.result - value) * (1.0 - value * value))
        # The policy as used by the search, then one step towards the visits.
        visits: cython.double = 0.0
        for i in range(count):
            kernel.stack[i] = self.numbers[place + 2 * i]
            visits += self.numbers[place + 2 * i + 1]
        if not self.guide.prefer(kernel, count):
            return
        for i in range(count):
            share: cython.double = self.numbers[place + 2 * i + 1] / visits
            if not self.guide.find(kernel, self.numbers[place + 2 * i], indices):
                return
            self.preferences.correct(indices, 0, share - kernel.odds[i])

    # -- measuring -----------------------------------------------------------------------------------

    def greedy_game(self):
        """The moves of a game without noise and random moves; nothing is learned."""
        kernel: Kernel = self.kernel
        place: cython.int = 0
        with cython.nogil:
            self.game(kernel, False)
        kernel.reraise()
        moves = []
        while place < self.length:
            moves.append(self.numbers[place])
            place += 2 + 2 * self.numbers[place + 1]
        return moves

    def match(self, games: cython.int):
        """Wins, draws and losses of the policy, without a search, against random moves.

        It alternates seats. A game that reaches the maximum length is drawn.
        """
        kernel: Kernel = self.kernel
        counts = [0, 0, 0]
        number: cython.int
        for number in range(games):
            result: cython.double = 0.0
            while self.made < self.plies and not kernel.failed:
                if kernel.result():
                    result = self.final() if number & 1 == 0 else -self.final()
                    break
                move: cython.int
                if kernel.turn == number & 1:
                    move = self.preferred_move(kernel)
                else:
                    count: cython.int = kernel.gen(0)
                    move = kernel.stack[self.random(count)]
                if kernel.failed:
                    break
                self.line[self.made] = move
                kernel.push(move)
                self.made += 1
            self.take_back(kernel)
            kernel.reraise()
            counts[0 if result > 0 else 1 if result == 0 else 2] += 1
        return tuple(counts)

    def policy_choice(self, moves):
        """The policy's best move after these moves."""
        return self.after(moves, self.preferred_move)

    def value_choice(self, moves):
        """The move with the best value one ply ahead."""
        return self.after(moves, self.best_valued_move)

    def search_choice(self, moves):
        """The move that a search visits most, without noise."""
        return self.after(moves, self.searched)

    def value(self, moves):
        """The expected result for the first player, from -1 to 1."""
        return self.after(moves, self.guide.values.of)

    def after(self, moves, function):
        """Apply a function to the kernel after these moves."""
        kernel: Kernel = self.kernel
        move: cython.int
        for move in moves:
            kernel.push(move)
        value = function(kernel)
        for move in reversed(moves):
            kernel.pop(move)
        kernel.reraise()
        return value

    def preferred_move(self, kernel: Kernel):
        """The policy's best move, the first of equal ones."""
        i: cython.int
        best: cython.int = 0
        count: cython.int = kernel.gen(0)
        self.guide.prefer(kernel, count)
        for i in range(count):
            if kernel.odds[i] > kernel.odds[best]:
                best = i
        return kernel.stack[best]

    def best_valued_move(self, kernel: Kernel):
        """The move with the best value for the mover, the first of equal ones."""
        i: cython.int
        best: cython.int = 0
        best_value: cython.double = 0.0
        sign: cython.int = 1 if kernel.turn == 0 else -1
        count: cython.int = kernel.gen(0)
        for i in range(count):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            value: cython.double = sign * (self.final() if kernel.result() else self.guide.expect(kernel))
            kernel.pop(move)
            if not i or value > best_value:
                best = i
                best_value = value
        return kernel.stack[best]

    def searched(self, kernel: Kernel):
        """The most visited move of a search, the first of equal ones in policy order."""
        count: cython.int = self.search.search(kernel, False)
        return self.chosen(count, False) if count else -1
