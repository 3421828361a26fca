# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Self-play games of TD learning, for any approximator.  C types: td_games.pxd.

The mover plays the move with the best next position, and with probability `explore` a random one. Chance
nodes are positions like others, and rolls are sampled. Derived classes define:

    expect(position)        the expected result for the first player, from -1 to 1
    begin_game()            a game begins
    add_position()          the kernel reached a position; false on an error of the game
    cut_trace()             the last move was explored: no position before it learns from later ones
    bootstrap()             the last move was the best: the position before it may learn from the new one
    learn_result(result)    the game ended after such a move
    cut_game()              the game reached its maximum length, or ended after an explored move

A game is learned while it is played (`play`), or recorded (`record`) and learned later (`learn`).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.native.pointers import ints
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.kernel import Kernel
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.native.pointers import ints
    from gameplay.position import CHANCE

ULP = cython.declare(cython.double, 2.0**-53)
FAILED = cython.declare(cython.int, -2)
CUT = cython.declare(cython.int, 2)  # a game that reached its maximum length


class TdGames:
    """Plays self-play games on `kernel`, at most `plies` long; a payoff of `goal` counts as 1."""

    def __init__(self, kernel, explore, goal, plies, seed):
        self.kernel = kernel
        self.explore, self.goal, self.plies = explore, goal, plies
        self.rng_state, self.positions, self.made = seed, 0, 0
        self.explored_owner = memoryview(bytearray(4 * plies)).cast("i")
        self.explored = ints(self.explored_owner)
        if kernel.max_moves:
            kernel.reserve((plies + 2) * kernel.max_moves)

    def expect(self, position):
        return 0.0

    def begin_game(self):
        pass

    def add_position(self):
        return True

    def cut_trace(self):
        pass

    def bootstrap(self):
        pass

    def learn_result(self, result):
        pass

    def cut_game(self):
        pass

    def play(self, games: cython.int):
        """Play and learn `games` games. Raises errors of games written in Python."""
        kernel: Kernel = self.kernel
        _number: cython.int
        with cython.nogil:
            for _number in range(games):
                if self.game(kernel, True, True, -1) == FAILED:
                    break
        kernel.reraise()

    def record(self, rng_state):
        """Play a game with this generator state without learning; returns the record for `learn`:
        the generator state after the game and its moves, `~move` if explored.
        """
        kernel: Kernel = self.kernel
        i: cython.int
        self.rng_state = rng_state
        with cython.nogil:
            self.game(kernel, True, False, -1)
        kernel.reraise()
        moves = array("i", bytes(4 * self.made))
        for i in range(self.made):
            moves[i] = ~kernel.stack[i] if self.explored[i] else kernel.stack[i]
        return self.rng_state, moves

    def learn(self, record):
        """Learn from a game of `record`, possibly played with other weights."""
        kernel: Kernel = self.kernel
        self.rng_state, moves = record
        self.made = 0  # the move stack is free from 0
        made: cython.int = 0
        count: cython.int = len(moves)
        self.begin_game()
        going: cython.bint = self.add_position()
        while going and made < count:
            explored: cython.bint = moves[made] < 0
            move: cython.int = ~moves[made] if explored else moves[made]
            kernel.push(move)
            made += 1
            going = not kernel.failed and self.learn_move(kernel, explored)
        if going:
            self.cut_game()
        while made:
            made -= 1
            kernel.pop(~moves[made] if moves[made] < 0 else moves[made])
        kernel.reraise()

    def match(self, games: cython.int):
        """Wins, draws and losses of the greedy player against random moves; nothing is learned.

        It alternates seats. A game that reaches the maximum length is drawn.
        """
        kernel: Kernel = self.kernel
        counts = [0, 0, 0]
        number: cython.int
        for number in range(games):
            seat: cython.int = number & 1
            with cython.nogil:
                result: cython.int = self.game(kernel, False, False, 1 - seat)
            kernel.reraise()
            result = 0 if result == CUT else result if seat == 0 else -result
            counts[1 - result] += 1
        return tuple(counts)

    def best(self, moves):
        """The greedy player's move after these moves of a new game."""
        kernel: Kernel = self.kernel
        move: cython.int
        i: cython.int
        for move in moves:
            kernel.push(move)
        end: cython.int = kernel.gen(0)
        chosen: cython.int = self.choose(kernel, 0, end)
        for i in range(len(moves) - 1, -1, -1):
            kernel.pop(moves[i])
        kernel.reraise()
        return kernel.stack[chosen]

    def greedy_game(self):
        """The moves of a game without exploration; nothing is learned."""
        kernel: Kernel = self.kernel
        with cython.nogil:
            self.game(kernel, False, False, -1)
        kernel.reraise()
        return [kernel.stack[ply] for ply in range(self.made)]

    def game(self, kernel, exploring, learning, random_seat):
        """Play a game and unmake its moves; return its sign for the first player, CUT or FAILED.

        The player in `random_seat` plays random moves.
        """
        end: cython.int
        move: cython.int
        ply: cython.int
        sign: cython.int = CUT
        result: cython.double
        self.made = 0
        if learning:
            self.begin_game()
            if not self.add_position():
                return FAILED
        while self.made < self.plies and not kernel.failed:
            # 1. Roll, explore, or choose the best move. The moves made are below the legal ones on the stack.
            base: cython.int = self.made
            if base + 1 + kernel.max_moves >= kernel.capacity:
                kernel.extend(base + 2 + kernel.max_moves)
            explored: cython.bint = False
            if kernel.turn == CHANCE:
                end = kernel.gen_chances(base)
                rest: cython.double = self.random_unit()
                chosen: cython.int = base
                while chosen < end - 1 and rest >= kernel.odds[chosen]:
                    rest -= kernel.odds[chosen]
                    chosen += 1
            else:
                end = kernel.gen(base)
                explored = kernel.turn == random_seat or (exploring and self.random_unit() < self.explore)
                if explored:
                    chosen = base + cython.cast(cython.int, ((self.random_bits() >> 32) * (end - base)) >> 32)
                else:
                    chosen = self.choose(kernel, base, end)
            if kernel.failed or chosen < base or chosen >= end:
                break
            move = kernel.stack[chosen]
            kernel.stack[base] = move
            self.explored[base] = explored
            kernel.push(move)
            self.made += 1
            # 2. Learn: the position before the move, and earlier ones, from the next.
            if kernel.failed:
                break
            if kernel.result():
                result = self.result()
                sign = 1 if result > 0 else -1 if result < 0 else 0
            if learning and not self.learn_move(kernel, explored):
                break
            if sign != CUT:
                break
        if learning and sign == CUT and not kernel.failed:
            self.cut_game()
        for ply in range(self.made - 1, -1, -1):
            kernel.pop(kernel.stack[ply])
        return FAILED if kernel.failed else sign

    def learn_move(self, kernel, explored):
        """Learn from the position after a move; false if the game is over, or on an error."""
        if kernel.result():
            if explored:
                self.cut_game()
            else:
                self.learn_result(self.result())
            return False
        if explored:
            self.cut_trace()
        else:
            self.bootstrap()
        return self.add_position()

    def choose(self, kernel, base, end):
        """The stack index of the best move for the mover, the first of equal ones; -1 on an error."""
        best: cython.int = -1
        best_value: cython.double = 0.0
        sign: cython.int = 1 if kernel.turn == 0 else -1
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            value: cython.double = self.result() if kernel.result() else self.expect(kernel)
            value *= sign
            kernel.pop(move)
            if kernel.failed:
                return -1
            if best < 0 or value > best_value:
                best = i
                best_value = value
        return best

    def result(self):
        """The result of a finished game for the first player, from -1 to 1."""
        result: cython.double = self.kernel.payoff(0) / self.goal
        return -1.0 if result < -1.0 else 1.0 if result > 1.0 else result

    def random_bits(self):
        """64 random bits: SplitMix64 (Steele, Lea and Flood 2014)."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return finalize(self.rng_state)

    def random_unit(self):
        """A random number in [0, 1)."""
        return (self.random_bits() >> 11) * ULP
