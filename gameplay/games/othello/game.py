# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Othello (Reversi) on bitboards, on 8x8, 6x6 and 4x4 boards.  Types: game.pxd.

A square is a bit, a1 on the upper left; the smaller boards lie in the same corner:

             a  b  c  d  e  f  g  h
        1    0  1  2  3  4  5  6  7        `pos` holds the discs of the side to move, `opp` the other's.
        2    8  9 10 11 12 13 14 15
        3   16 17 18 19 20 21 22 23        A move is a square, or 64: a pass.
        4   24 25 26 ...
        ...
        8   56 57 58 59 60 61 62 63

Flips are in discs.py, the exact endgame search in endgame.py, and evaluations in evaluation.py.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.othello.evaluation import EVALUATIONS
from gameplay.games.shared import grid
from gameplay.kernel import Kernel
from gameplay.plural import plural
from gameplay.terms.reader import TermReader

if cython.compiled:
    from cython.cimports.gameplay.games.othello.discs import flips, move_targets, stable
    from cython.cimports.gameplay.games.othello.endgame import OthelloEndgame
    from cython.cimports.gameplay.games.othello.evaluation import classic, with_neighbours
    from cython.cimports.gameplay.games.othello.terms import OthelloTerms
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2
    from cython.cimports.gameplay.value import USER_DEFINED
else:
    from gameplay.games.othello.discs import flips, move_targets, stable
    from gameplay.games.othello.endgame import OthelloEndgame
    from gameplay.games.othello.evaluation import classic, with_neighbours
    from gameplay.games.othello.terms import OthelloTerms
    from gameplay.native.bits import M64, ONE, lowest, popcount
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2
    from gameplay.value import USER_DEFINED

LINEAR = cython.declare(cython.int, list(EVALUATIONS).index("linear"))
PASS = cython.declare(cython.int, 64)
UNIT = cython.declare(cython.int, 100)

SOLVE_EMPTIES = cython.declare(cython.int, 10)  # with at most this many empty squares solve() is immediate
MAX_MOVES = cython.declare(cython.int, 34)  # more moves than any position has (33)

# The rank of a square for move ordering, 0 the best, by its distances from the nearest borders.
SQUARE_RANKS = ((0, 4, 1, 1), (4, 5, 3, 3), (1, 3, 1, 2), (1, 3, 2, 2))


class Othello(Kernel):
    """Place a disc so that it flanks a line of opposing discs; all flanked discs turn over.

    A move is a square, `f5`, with a1 at the upper left; a player who cannot turn over a disc must `pass`.
    The game ends when neither side can move. Its score is the difference of discs; on the 8x8 board the
    winner also gets the empty squares, as in tournaments. Black's discs are X, white's O, and black begins.

    A position is the moves so far, `f5d6c3` (passes may be left out), or the squares from a1, b1 to h8 and
    the side to move: 64 of X, O and -, then X or O (also * and ., and B, W). size: 8, 6 or 4.
    """

    sides = ("black", "white")
    records = ".txt"  # the format of its files
    aliases = {"x": 0, "o": 1}
    scored = True
    solves = True
    quiet_margin = 300  # a disc is 100
    unit = 100
    unit_names = ("disc", "discs")
    phases = ("opening", "midgame", "endgame")
    stake = property(lambda self: self.size * self.size)  # resigning loses every disc
    evaluations = EVALUATIONS
    cell_shape = property(lambda self: (self.size, self.size))
    cell_letters = ("", "X", "O")

    def __init__(self, size: cython.int = 8):
        if size not in (4, 6, 8):
            raise BadInput(f"size must be 4, 6 or 8, not {size}")
        Kernel.__init__(self, MAX_MOVES)
        self.empty_when_over = True
        self.size = size
        self.area = size * size
        if not cython.compiled:
            self.undo = [0] * 132
            self.ranked_squares = [0] * 6
            self.index = [0] * 48
        self.endgame = OthelloEndgame(size)
        self.tables = EVALUATIONS["patterns"].tables if size == 8 else None
        self.terms = OthelloTerms(size)
        self.cells = 0
        i: cython.int
        x: cython.int
        y: cython.int
        for i in range(6):
            self.ranked_squares[i] = 0
        for y in range(size):
            for x in range(size):
                i = SQUARE_RANKS[min(y, size - 1 - y)][min(x, size - 1 - x)]
                self.ranked_squares[i] |= ONE << (8 * y + x)
                self.cells |= ONE << (8 * y + x)
        self.begin()

    @staticmethod
    def fits(size=8):
        """True: every board has at most 64 squares."""
        return True

    def begin(self):
        """Set up the four discs of the start."""
        h: cython.int = self.size // 2
        white: cython.ulonglong = (ONE << (9 * h - 9)) | (ONE << (9 * h))
        black: cython.ulonglong = (ONE << (9 * h - 8)) | (ONE << (9 * h - 1))
        self.place_discs(black, white, 0)

    def place_discs(self, black, white, turn):
        """Set up a position without history."""
        self.pos = white if turn else black
        self.opp = black if turn else white
        self.turn = turn
        self.ply = 0
        self.start = None
        self.made.clear()

    # -- slots ---------------------------------------------------------------------------------

    def legal_moves(self, p, o):
        """The squares that `p` can move to."""
        return move_targets(p, o) & ~(p | o) & self.cells

    def gen(self, base):
        moves: cython.ulonglong = self.legal_moves(self.pos, self.opp)
        if not moves:
            if self.legal_moves(self.opp, self.pos):
                self.stack[base] = PASS
                base += 1
            return base
        i: cython.int
        for i in range(6):
            squares: cython.ulonglong = moves & self.ranked_squares[i]
            while squares:
                self.stack[base] = lowest(squares)
                base += 1
                squares &= squares - 1
        return base

    def push(self, move):
        p: cython.ulonglong = self.pos
        flipped: cython.ulonglong = 0
        if move != PASS:
            flipped = flips(move, p, self.opp)
            p |= flipped | (ONE << move)
        self.undo[self.ply] = flipped
        self.ply += 1
        self.pos = self.opp ^ flipped
        self.opp = p
        self.turn ^= 1

    def pop(self, move):
        self.ply -= 1
        flipped: cython.ulonglong = self.undo[self.ply]
        p: cython.ulonglong = self.opp ^ flipped
        if move != PASS:
            p ^= ONE << move
        self.opp = self.pos | flipped
        self.pos = p
        self.turn ^= 1

    def result(self):
        if self.legal_moves(self.pos, self.opp) or self.legal_moves(self.opp, self.pos):
            return 0
        return 4

    def playout(self, base, room):
        if base + 2 * self.area > self.capacity:
            self.extend(base + 2 * self.area)
        end: cython.int = base
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        turn: cython.int = self.turn
        while True:
            moves: cython.ulonglong = self.legal_moves(p, o)
            if not moves and not self.legal_moves(o, p):
                break
            if end - base == room:
                self.finished = False
                return end
            move: cython.int = PASS
            if moves:
                skip: cython.int = cython.cast(
                    cython.int, ((self.random_bits() >> 32) * popcount(moves)) >> 32
                )
                while skip:
                    moves &= moves - 1
                    skip -= 1
                move = lowest(moves)
                flipped: cython.ulonglong = flips(move, p, o)
                p |= flipped | (ONE << move)
                o ^= flipped
            self.stack[end] = move
            self.weight[end] = turn
            end += 1
            p, o = o, p
            turn ^= 1
        self.finished = True
        self.gains[turn] = UNIT * self.endgame.difference(p, o)
        self.gains[turn ^ 1] = -self.gains[turn]
        return end

    def points(self):
        return UNIT * self.endgame.difference(self.pos, self.opp)

    def read_cells(self, codes):
        x: cython.int
        y: cython.int
        for y in range(self.size):
            for x in range(self.size):
                bit: cython.ulonglong = ONE << (8 * y + x)
                place: cython.int = y * self.size + x
                codes[place] = 0
                if (self.pos | self.opp) & bit:
                    codes[place] = 1 + (self.turn if self.pos & bit else 1 - self.turn)

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        moves: cython.ulonglong = self.legal_moves(p, o)
        replies: cython.ulonglong = self.legal_moves(o, p)
        move_count: cython.int = popcount(moves)
        reply_count: cython.int = popcount(replies)
        stable_discs: cython.int = 0
        if self.evaluation_index and self.size == 8:
            stable_discs = popcount(stable(p, o)) - popcount(stable(o, p))
        if self.evaluation_index == LINEAR:
            return self.terms.value(p, o, moves, replies, stable_discs)
        if self.evaluation_index or self.size < 8:
            return classic(p, o, self.cells, self.size, move_count, reply_count, stable_discs)
        return self.tables.patterns(p, o, move_count, reply_count, self.index)

    def term_reader(self, evaluation):
        """The reader of the terms of `feature_weights`."""
        return LinearOthelloTerms(evaluation.weights)

    def count_terms(self, counts):
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        stable_discs: cython.int = 0
        if self.size == 8:
            stable_discs = popcount(stable(p, o)) - popcount(stable(o, p))
        self.terms.tally(p, o, self.legal_moves(p, o), self.legal_moves(o, p), stable_discs, counts)

    def load_weights(self, evaluation):
        """Select the weights of an evaluation."""
        if evaluation.scale:
            self.terms = OthelloTerms(self.size, evaluation.weights)
        elif evaluation.size and self.size == 8:
            self.tables = evaluation.tables
        elif evaluation.size and evaluation is not EVALUATIONS[evaluation.name]:
            raise Usage(
                f"the weights of {evaluation.name} are for the 8x8 board, not {self.size}x{self.size}"
            )

    def hash(self):
        x: cython.ulonglong = (self.pos * MIX_1) & M64
        x = ((x ^ (x >> 32)) + self.opp) & M64
        x = ((x ^ (x >> 29)) * MIX_2) & M64
        x ^= x >> 32
        return x ^ GOLDEN if self.turn else x

    def hint(self, move):
        if move == PASS:
            return 0
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        flipped: cython.ulonglong = flips(move, p, o)
        p |= flipped | (ONE << move)
        o ^= flipped
        empty: cython.ulonglong = ~(p | o) & self.cells
        replies: cython.ulonglong = move_targets(o, p) & empty
        value: cython.int = 300 - 4 * (popcount(replies) + popcount(replies & self.ranked_squares[0]))
        value -= popcount(with_neighbours(p) & empty)
        if self.ranked_squares[0] & (ONE << move):
            value += 12
        return value

    def leaves(self, base, depth):
        return self.count_lines(self.pos, self.opp, depth)

    def count_lines(self, p, o, depth):
        """The number of lines of `depth` plies, shorter finished games included, as in perft tables."""
        moves: cython.ulonglong = self.legal_moves(p, o)
        if not moves:
            if not self.legal_moves(o, p):
                return 1
            return self.count_lines(o, p, depth - 1) if depth > 1 else 1
        if depth <= 1:
            return popcount(moves)
        total: cython.longlong = 0
        while moves:
            square: cython.int = lowest(moves)
            moves &= moves - 1
            flipped: cython.ulonglong = flips(square, p, o)
            total += self.count_lines(o ^ flipped, p | flipped | (ONE << square), depth - 1)
        return total

    def moves_left(self):
        n: cython.int = self.area - popcount(self.pos | self.opp)
        return n if n <= SOLVE_EMPTIES else -n

    def solve(self, alpha, beta):
        value: cython.int = self.endgame.solve(self.pos, self.opp, alpha, beta)
        self.solver_nodes = self.endgame.solver_nodes
        return value

    def exact(self, alpha=-64, beta=64):
        """The final difference with best play, for about the last 20 squares, and the positions visited.

        In whole discs, from the mover's view; a result outside `alpha` to `beta` is a bound.
        """
        return self.endgame.exact(self.pos, self.opp, alpha, beta)

    # -- for people ----------------------------------------------------------------------------

    def phase(self):
        """The phase, by thirds of the squares empty at the start."""
        laid: cython.int = max(popcount(self.pos | self.opp) - 4, 0)
        return min(2, 3 * laid // (self.area - 4))

    def format(self, move):
        """The name of a square, `f5`, or `pass`."""
        return "pass" if move == 64 else "abcdefgh"[move & 7] + str((move >> 3) + 1)

    def text(self):
        """The squares from a1, b1 on, row by row, and the side to move."""
        return "".join([self.disc(y, x) or "-" for y in range(self.size) for x in range(self.size)]) + (
            " O" if self.turn else " X"
        )

    def diagram(self):
        """The canonical text under the four symmetries of the start position.

        Opening names use it: the four first moves are equivalent. The start is invariant under rotation by
        180 degrees and reflection in a diagonal.
        """
        cells = self.text()[: self.area]
        mirrored = "".join([cells[file :: self.size] for file in range(self.size)])
        return min(cells, cells[::-1], mirrored, mirrored[::-1]) + "XO"[self.turn]

    def setup(self, text):
        """Set up the squares and the side to move as `text()` gives them, or play moves: `f5d6c3`."""
        letters = "".join(text.split())
        if any(letter.isdigit() for letter in letters) or letters[:4].lower() in ("", "pass"):
            self.begin()
            self.replay(text)
            return
        black: cython.ulonglong = 0
        white: cython.ulonglong = 0
        seen: cython.int = 0
        turn = -1
        for place, letter in enumerate(text, 1):
            if letter.isspace():
                continue
            side = 0 if letter in "Xx*Bb" else 1 if letter in "OoWw" else -1
            if turn >= 0:
                raise BadInput(f"character {place}: '{letter}' after the side to move")
            if side < 0 and (letter not in "-." or seen == self.area):
                right = "X or O, the side to move" if seen == self.area else "X, O or -"
                raise BadInput(f"character {place}: '{letter}' is not {right}")
            if seen == self.area:
                turn = side
                continue
            bit: cython.ulonglong = ONE << (seen // self.size * 8 + seen % self.size)
            if side == 0:
                black |= bit
            elif side == 1:
                white |= bit
            seen += 1
        if seen < self.area:
            raise BadInput(f"'{text}' has {seen} squares; the board has {self.area}")
        if turn < 0:
            message = f"'{text}' has {seen} squares but no side to move"
            raise BadInput(f"{message}: add X or O, or the square that is missing")
        self.place_discs(black, white, turn)
        self.start = text

    def replay(self, text):
        """Play the moves of a transcript; omitted passes are added."""
        place = 0
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            word = text[place : place + 4].lower()
            word = word if word == "pass" else word[:2].strip()
            where = f"character {place + 1}"
            if self.result():
                raise IllegalMove(f"{where}: the game is over before '{word}'")
            if word != "pass":
                files, ranks = "abcdefgh"[: self.size], "12345678"[: self.size]
                if len(word) < 2 or word[0] not in files or word[1] not in ranks:
                    last = files[self.size - 1] + ranks[self.size - 1]
                    raise BadInput(f"{where}: '{word}' is not a square from a1 to {last}, or pass")
                if self.moves() == [64]:
                    self.make(64)
            move = 64 if word == "pass" else ord(word[0]) - 97 + 8 * (int(word[1]) - 1)
            if move not in self.moves():
                raise IllegalMove(f"{where}: {self.explain_illegal(move)}")
            self.make(move)
            place += len(word)

    def why_illegal(self, text):
        """The reason why a square or `pass` is illegal."""
        if text.lower() == "pass":
            return self.explain_illegal(64)
        square = grid.parse_cell(text, self.size, self.size)
        if square is None:
            return grid.why_off_board(text, self.size, self.size)
        if self.moves() == [64]:
            return f"{self.sides[self.turn]} has no move that flips a disc; type pass"
        return self.explain_illegal(square // self.size * 8 + square % self.size)

    def explain_illegal(self, move):
        """The reason why a move is illegal."""
        side = self.sides[self.turn]
        if move == 64:
            return f"{side} cannot pass while there is a move, such as {self.format(self.moves()[0])}"
        if (self.pos | self.opp) & (ONE << move):
            return f"there is a disc on {self.format(move)} already"
        return f"{side} flips no disc on {self.format(move)}"

    def disc(self, y, x):
        """X, O or nothing on a square, the row from the top and the file from the left."""
        bit: cython.ulonglong = ONE << (8 * y + x)
        if not (self.pos | self.opp) & bit:
            return ""
        return "XO"[self.turn if self.pos & bit else 1 - self.turn]

    def board(self, viewer=None, last=None):
        """The drawing of the position, row 1 on top."""
        over = self.result() != 0
        shown = self.text()[: self.area]
        return Board(
            cells=tuple([tuple([self.disc(y, x) for x in range(self.size)]) for y in range(self.size)]),
            columns=tuple("abcdefgh"[: self.size]),
            rows=tuple("12345678"[: self.size]),
            owners={"X": 0, "O": 1},
            last=() if last is None or last == 64 else (divmod(last, 8),),
            moves={} if over else {divmod(move, 8): (move,) for move in self.moves() if move != 64},
            ground="felt",
            white=1,
            glyphs={"X": "●", "O": "○"},
            notes={0: plural(shown.count("X"), "disc"), 1: plural(shown.count("O"), "disc")},
        )

    def __str__(self):
        rows = [
            " ".join([str(y + 1), *[self.disc(y, x) or "." for x in range(self.size)]])
            for y in range(self.size)
        ]
        return "\n".join(["  " + " ".join("abcdefgh"[: self.size]), *rows])


class LinearOthelloTerms(TermReader):
    """All terms of `feature_weights`."""

    def read(self, position, counts):
        cython.cast(Othello, position).count_terms(counts)
        return True
