# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Games of a learner against itself, whatever learns from them.  C types: td_games.pxd.

The mover plays the move with the best next position, and with probability `explore` any legal move. Chance
nodes are positions like others, and rolls are sampled. Derived classes learn:

    expect(position)    the expected result for the first player, from -1 to 1
    begin()             a game begins
    remember()          the position of the kernel was reached; false on an error of the game
    forget()            the last move was explored: no position before it learns from what follows
    follow()            the last move was the best: the position before it may learn from the new one
    finish(result)      the game ended after such a move
    leave()             the game was cut off, or ended after an explored move

A game is learned while it is played (`play`), or played now (`record`) and learned later (`learn`).
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
CUT = cython.declare(cython.int, 2)  # a game that reached its longest


class TdGames:
    """Plays games of `kernel` against itself, of `plies` at most; a payoff of `goal` counts as 1."""

    def __init__(self, kernel, explore, goal, plies, seed):
        self.kernel = kernel
        self.explore, self.goal, self.plies = explore, goal, plies
        self.lots, self.positions, self.made = seed, 0, 0
        self.explored_owner = memoryview(bytearray(4 * plies)).cast("i")
        self.explored = ints(self.explored_owner)
        if kernel.max_moves:
            kernel.reserve((plies + 2) * kernel.max_moves)

    def expect(self, position):
        return 0.0

    def begin(self):
        pass

    def remember(self):
        return True

    def forget(self):
        pass

    def follow(self):
        pass

    def finish(self, result):
        pass

    def leave(self):
        pass

    def play(self, games: cython.int):
        """Learn from so many games. Raises what a game written in Python raised."""
        kernel: Kernel = self.kernel
        _number: cython.int
        with cython.nogil:
            for _number in range(games):
                if self.game(kernel, True, True, -1) == FAILED:
                    break
        self.check()

    def record(self, lots):
        """Play a game with the generator in this state, and learn nothing; what `learn` learns it from.

        That is the state of the generator after the game, and its moves, ~move where it was explored.
        """
        kernel: Kernel = self.kernel
        i: cython.int
        self.lots = lots
        with cython.nogil:
            self.game(kernel, True, False, -1)
        self.check()
        moves = array("i", bytes(4 * self.made))
        for i in range(self.made):
            moves[i] = ~kernel.stack[i] if self.explored[i] else kernel.stack[i]
        return self.lots, moves

    def learn(self, record):
        """Learn from a game of `record`, whose weights may have been others."""
        kernel: Kernel = self.kernel
        self.lots, moves = record
        self.made = 0  # none of them lies on the stack
        made: cython.int = 0
        count: cython.int = len(moves)
        going: cython.bint = True
        self.begin()
        going = self.remember()
        while going and made < count:
            explored: cython.bint = moves[made] < 0
            move: cython.int = ~moves[made] if explored else moves[made]
            kernel.push(move)
            made += 1
            going = not kernel.failed and self.reached(kernel, explored)
        if going:
            self.leave()
        while made:
            made -= 1
            kernel.pop(~moves[made] if moves[made] < 0 else moves[made])
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
                result: cython.int = self.game(kernel, False, False, 1 - seat)
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
            self.game(kernel, False, False, -1)
        self.check()
        return [kernel.stack[ply] for ply in range(self.made)]

    def check(self):
        """Raise what the game raised."""
        if self.kernel.failed:
            error = self.kernel.error
            self.kernel.failed, self.kernel.error = False, None
            raise error

    def game(self, kernel, exploring, learning, random_seat):
        """Play a game and take its moves back; its sign for the first player, CUT or FAILED.

        The player in `random_seat` plays at random.
        """
        end: cython.int
        move: cython.int
        ply: cython.int
        sign: cython.int = CUT
        after: cython.double
        self.made = 0
        if learning:
            self.begin()
            if not self.remember():
                return FAILED
        while self.made < self.plies and not kernel.failed:
            # 1. The move: rolled, explored, or the best. The moves made lie below those to choose from.
            base: cython.int = self.made
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
                explored = kernel.turn == random_seat or (exploring and self.share() < self.explore)
                if explored:
                    chosen = base + cython.cast(cython.int, ((self.draw() >> 32) * (end - base)) >> 32)
                else:
                    chosen = self.choose(kernel, base, end)
            if kernel.failed or chosen < base or chosen >= end:
                break
            move = kernel.stack[chosen]
            kernel.stack[base] = move
            self.explored[base] = explored
            kernel.push(move)
            self.made += 1
            # 2. What the position before it, and those before that, learn from the next.
            if kernel.failed:
                break
            if kernel.result():
                after = self.result()
                sign = 1 if after > 0 else -1 if after < 0 else 0
            if learning and not self.reached(kernel, explored):
                break
            if sign != CUT:
                break
        if learning and sign == CUT and not kernel.failed:
            self.leave()
        for ply in range(self.made - 1, -1, -1):
            kernel.pop(kernel.stack[ply])
        return FAILED if kernel.failed else sign

    def reached(self, kernel, explored):
        """Learn from the position that a move led to; false where the game is over, or failed."""
        if kernel.result():
            if explored:
                self.leave()
            else:
                self.finish(self.result())
            return False
        if explored:
            self.forget()
        else:
            self.follow()
        return self.remember()

    def choose(self, kernel, base, end):
        """The place of the best move for the mover, the first of equal ones; -1 on an error."""
        best: cython.int = -1
        most: cython.double = 0.0
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
            if best < 0 or value > most:
                best = i
                most = value
        return best

    def result(self):
        """The result of a finished game for the first player, from -1 to 1."""
        share: cython.double = self.kernel.payoff(0) / self.goal
        return -1.0 if share < -1.0 else 1.0 if share > 1.0 else share

    def draw(self):
        """64 random bits: SplitMix64 (Steele, Lea and Flood 2014)."""
        self.lots = (self.lots + GOLDEN) & M64
        return finalize(self.lots)

    def share(self):
        """A random number from 0 up to, not including, 1."""
        return (self.draw() >> 11) * ULP
