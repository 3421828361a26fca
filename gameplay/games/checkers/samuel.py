# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Samuel's 38 terms of checkers, and his polynomial.  C types: samuel.pxd.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, Appendix C. A term is the rating of the mover minus that of the opponent. Four
details differ from the paper:

- Both sides are rated on the same board. Samuel rated each side after its own last move.
- A term of what a side can do next (MOB, THRET, ...) counts for the side that can do it. Samuel credits all
  terms to the passive side and leaves the sign to the coefficient.
- DENY does not ask whether the capture would be answered, so that MOBIL is the U of 6 K + 4 M + U.
  Evaluation `samuel-moves` counts moves in its place.
- DIAV is counted in halves, so that it is a whole number.

The squares of CENT, CNTR and KCENT, "11, 12, 15, 16, 20, 21, 24 and 25", are bits of Samuel's board word (his
Figure A-1): the eight squares in the middle of the board, 10, 11, 14, 15, 18, 19, 22 and 23. The other terms
name squares as books do. The second neighbour of White's cramping square 20 is printed as 20; it is 24.

The value is the sum of weight times term in hundredths of a man, where SCALE is one hundredth: the largest
coefficient of the paper, 2^18, gives a term a weight of 32. The weights of men and kings are the piece
advantage, which the paper computes apart.

The boards are those of game.py; a side is rated on a board turned so that it moves from bit 0 up.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.checkers.evaluation import EVALUATIONS, NAMES, SCALE

if cython.compiled:
    from cython.cimports.gameplay.games.checkers.evaluation import Mobility
    from cython.cimports.gameplay.native.bits import ONE, popcount, reversed_bits
else:
    from gameplay.games.checkers.evaluation import Mobility
    from gameplay.native.bits import ONE, popcount, reversed_bits

UNIT = cython.declare(cython.int, SCALE)
SIZE = cython.declare(cython.int, 40)
ALL = cython.declare(cython.ulonglong, 0x7FBFDFEFF)
ROWS_3_4 = cython.declare(cython.ulonglong, 0x00001FE00)
ROWS_5_6 = cython.declare(cython.ulonglong, 0x003FC0000)
LAST_ROW = cython.declare(cython.ulonglong, 0x780000000)
EDGE = cython.declare(cython.ulonglong, 0x7C060301F)
CENTER = cython.declare(cython.ulonglong, 0x00198CC00)  # 10, 11, 14, 15, 18, 19, 22, 23
APEX = cython.declare(cython.ulonglong, 0x010000040)  # 7 and 26
BRIDGE = cython.declare(cython.ulonglong, 0x000000005)  # 1 and 3
OREO = cython.declare(cython.ulonglong, 0x000000046)  # 2, 3 and 7
CORNER = cython.declare(cython.ulonglong, 0x440000011)  # 1, 5, 28 and 32
CRAMP = cython.declare(cython.ulonglong, 0x000002000)  # 13
CRAMP_NEAR = cython.declare(cython.ulonglong, 0x000004200)  # 9 and 14
CRAMPED = cython.declare(cython.ulonglong, 0x008C40000)  # 17, 21, 22 and 25
DIAGONALS = cython.declare(cython.ulonglong, 0x46318C631)  # from 1 to 28 and from 5 to 32
ONE_AWAY = cython.declare(cython.ulonglong, 0x210A52842)
TWO_AWAY = cython.declare(cython.ulonglong, 0x108401084)
EVEN_ROWS = cython.declare(cython.ulonglong, 0x0783C1E0F)  # the files of squares 1 to 4

_INDEX = {name: index for index, name in enumerate(NAMES)}
MAN = cython.declare(cython.int, _INDEX["man"])
KING = cython.declare(cython.int, _INDEX["king"])
ADV = cython.declare(cython.int, _INDEX["adv"])
APEX_TERM = cython.declare(cython.int, _INDEX["apex"])
BACK = cython.declare(cython.int, _INDEX["back"])
CENT = cython.declare(cython.int, _INDEX["cent"])
CNTR = cython.declare(cython.int, _INDEX["cntr"])
CORN = cython.declare(cython.int, _INDEX["corn"])
CRAMP_TERM = cython.declare(cython.int, _INDEX["cramp"])
DENY = cython.declare(cython.int, _INDEX["deny"])
DIA = cython.declare(cython.int, _INDEX["dia"])
DIAV = cython.declare(cython.int, _INDEX["diav"])
DYKE = cython.declare(cython.int, _INDEX["dyke"])
EXCH = cython.declare(cython.int, _INDEX["exch"])
EXPOS = cython.declare(cython.int, _INDEX["expos"])
FORK = cython.declare(cython.int, _INDEX["fork"])
GAP = cython.declare(cython.int, _INDEX["gap"])
GUARD = cython.declare(cython.int, _INDEX["guard"])
HOLE = cython.declare(cython.int, _INDEX["hole"])
KCENT = cython.declare(cython.int, _INDEX["kcent"])
MOB = cython.declare(cython.int, _INDEX["mob"])
MOBIL = cython.declare(cython.int, _INDEX["mobil"])
MOVE = cython.declare(cython.int, _INDEX["move"])
NODE = cython.declare(cython.int, _INDEX["node"])
OREO_TERM = cython.declare(cython.int, _INDEX["oreo"])
POLE = cython.declare(cython.int, _INDEX["pole"])
RECAP = cython.declare(cython.int, _INDEX["recap"])
THRET = cython.declare(cython.int, _INDEX["thret"])
DEMO = cython.declare(cython.int, _INDEX["demo"])
MODE1 = cython.declare(cython.int, _INDEX["mode1"])
MOC1 = cython.declare(cython.int, _INDEX["moc1"])

# The terms that need mobility, and those that a connective needs.
_MOVES = ("cntr", "corn", "deny", "exch", "fork", "mob", "mobil", "recap", "thret")
MOBILITY_TERMS = cython.declare(cython.ulonglong, sum(1 << _INDEX[name] for name in _MOVES))
DEMO_TERMS = cython.declare(cython.ulonglong, 15 << _INDEX["demo"])
MODE_TERMS = cython.declare(cython.ulonglong, 15 << _INDEX["mode1"])
MOC_TERMS = cython.declare(cython.ulonglong, 15 << _INDEX["moc1"])


def rotate(board):
    """A board turned by half a turn: square s becomes 33 - s, bit b 34 - b."""
    return reversed_bits(board) >> 29


def surrounded_squares(board, least):
    """The squares with at least 3 or 4 (`least`) of their four neighbours on a board."""
    a: cython.ulonglong = board << 4
    b: cython.ulonglong = board << 5
    c: cython.ulonglong = board >> 4
    d: cython.ulonglong = board >> 5
    if least == 4:
        return a & b & c & d & ALL
    return ((a & b & (c | d)) | (c & d & (a | b))) & ALL


class SamuelTerms(Mobility):
    """The terms with weights. `count` and the rated board are working memory of one position."""

    def __init__(self, weights=EVALUATIONS["samuel"].weights):
        i: cython.int
        given = [weights.get(name, 0) for name in NAMES]
        self.by_moves = "moves" in weights
        if self.by_moves:
            given[MOBIL] = weights["moves"]
        if not cython.compiled:
            self.weight = [0] * 40
            self.count = [0] * 40
        self.needed = 0
        for i in range(SIZE):
            self.weight[i] = given[i]
            if given[i]:
                self.needed |= ONE << i
        if self.needed & DEMO_TERMS:
            self.needed |= (ONE << DENY) | (ONE << MOB)
        if self.needed & MODE_TERMS:
            self.needed |= (ONE << MOBIL) | (ONE << DENY)
        if self.needed & MOC_TERMS:
            self.needed |= (ONE << MOBIL) | (ONE << CENT)

    def value(self, black, white, kings, turn):
        """The polynomial, from the mover's view, in hundredths of a man."""
        i: cython.int
        total: cython.int = 0
        self.tally(black, white, kings, turn)
        for i in range(SIZE):
            total += self.weight[i] * self.count[i]
        return total // UNIT if total >= 0 else -(-total // UNIT)  # symmetric for both sides

    def tally(self, black, white, kings, turn):
        """Count the terms needed."""
        i: cython.int
        for i in range(SIZE):
            self.count[i] = 0

        # 1. The mover's ratings, minus the opponent's on the turned board.
        if turn:
            self.place_side(rotate(white), rotate(black), rotate(kings))
        else:
            self.place_side(black, white, kings)
        self.rate_pieces(1)
        if self.needed & MOBILITY_TERMS:
            self.rate_moves(1)
        self.place_side(rotate(self.other), rotate(self.own), rotate(self.own_kings | self.other_kings))
        self.rate_pieces(-1)
        if self.needed & MOBILITY_TERMS:
            self.rate_moves(-1)

        # 2. Opposition ("the move"): the mover's if an odd number of pieces is in its files.
        if self.needed >> MOVE & 1:
            own_material: cython.int = 2 * popcount(self.other) + popcount(self.other_kings)
            other_material: cython.int = 2 * popcount(self.own) + popcount(self.own_kings)
            if own_material == other_material and own_material + other_material < 24:
                files: cython.ulonglong = (black | white) & (ALL ^ EVEN_ROWS if turn else EVEN_ROWS)
                self.count[MOVE] = 1 if popcount(files) & 1 else -1

        # 3. The binary connectives.
        if self.needed & DEMO_TERMS:
            self.connect(DEMO, self.count[DENY], self.count[MOB])
        if self.needed & MODE_TERMS:
            self.connect(MODE1, self.count[MOBIL], self.count[DENY])
        if self.needed & MOC_TERMS:
            self.connect(MOC1, self.count[MOBIL], self.count[CENT])

    def place_side(self, own, other, kings):
        """Set the side to be rated."""
        self.own = own
        self.other = other
        self.own_kings = own & kings
        self.other_kings = other & kings
        self.empty = ALL & ~(own | other)

    def connect(self, first, a, b):
        """The four connectives of two terms: a and b, a and not b, not a and b, neither."""
        self.count[first] = (a > 0 and b > 0) - (a < 0 and b < 0)
        self.count[first + 1] = (a > 0 and b <= 0) - (a < 0 and b >= 0)
        self.count[first + 2] = (a <= 0 and b > 0) - (a >= 0 and b < 0)
        self.count[first + 3] = (a <= 0 and b <= 0) - (a >= 0 and b >= 0)

    def rate_pieces(self, sign):
        """The terms of piece placement."""
        needed: cython.ulonglong = self.needed
        own: cython.ulonglong = self.own
        men: cython.ulonglong = own ^ self.own_kings
        empty: cython.ulonglong = self.empty
        self.count[MAN] += sign * popcount(men)
        self.count[KING] += sign * popcount(self.own_kings)
        if needed >> ADV & 1:
            self.count[ADV] += sign * (popcount(men & ROWS_5_6) - popcount(men & ROWS_3_4))
        if needed >> APEX_TERM & 1 and not (self.own_kings | self.other_kings):
            self.count[APEX_TERM] -= sign * (self.other & APEX != 0 and own & APEX == 0)
        bridge: cython.bint = own & BRIDGE == BRIDGE
        oreo: cython.bint = own & OREO == OREO
        if not self.other_kings:
            self.count[BACK] += sign * bridge
            self.count[GUARD] += sign * (bridge or oreo)
        if not self.own_kings:
            self.count[OREO_TERM] += sign * oreo
        if needed >> CENT & 1:
            self.count[CENT] += sign * popcount(men & CENTER)
        if needed >> KCENT & 1:
            self.count[KCENT] += sign * popcount(self.own_kings & CENTER)
        if own & CRAMP and own & CRAMP_NEAR and self.other & CRAMPED == CRAMPED:
            self.count[CRAMP_TERM] += 2 * sign
        if needed >> DIA & 1:
            self.count[DIA] += sign * popcount(own & DIAGONALS)
        if needed >> DIAV & 1:
            self.count[DIAV] += sign * (
                3 * popcount(own & DIAGONALS) + 2 * popcount(own & ONE_AWAY) + popcount(own & TWO_AWAY)
            )
        if needed >> DYKE & 1:
            self.count[DYKE] += sign * (
                popcount(own & (own >> 4) & (own >> 8)) + popcount(own & (own >> 5) & (own >> 10))
            )
        if needed >> EXPOS & 1:
            board: cython.ulonglong = ((empty << 4) & (empty >> 4)) | ((empty << 5) & (empty >> 5))
            self.count[EXPOS] += sign * popcount(own & board)
        if needed >> GAP & 1:
            board = ((own << 4) & (own >> 4)) | ((own << 5) & (own >> 5))
            board |= EDGE & ((own << 4) | (own >> 4) | (own << 5) | (own >> 5))
            self.count[GAP] += sign * popcount(empty & board)
        if needed >> HOLE & 1:
            self.count[HOLE] += sign * popcount(empty & surrounded_squares(own, 3))
        if needed >> NODE & 1:
            self.count[NODE] += sign * popcount(own & surrounded_squares(empty, 3))
        if needed >> POLE & 1:
            self.count[POLE] += sign * popcount(men & surrounded_squares(empty, 4))

    def rate_moves(self, sign):
        """The terms of mobility by steps, ignoring jumps."""
        needed: cython.ulonglong = self.needed
        own: cython.ulonglong = self.own
        kings: cython.ulonglong = self.own_kings
        empty: cython.ulonglong = self.empty
        squares: cython.ulonglong = ((own << 4) | (own << 5) | (kings >> 4) | (kings >> 5)) & empty
        self.count[MOB] += sign * popcount(squares)
        if needed & ((ONE << MOBIL) | (ONE << DENY)):
            safe: cython.int = popcount(self.safe_squares(own, kings, self.other_kings, self.other, empty))
            self.count[MOBIL] += sign * (self.safe_moves() if self.by_moves else safe)
            self.count[DENY] += sign * (popcount(squares) - safe)
        if needed >> CNTR & 1:
            self.count[CNTR] += sign * popcount(CENTER & (own | squares))
        if needed >> CORN & 1:
            own_material: cython.int = 2 * popcount(own) + popcount(kings)
            other_material: cython.int = 2 * popcount(self.other) + popcount(self.other_kings)
            self.count[CORN] += sign * (
                own_material <= 6 and own_material < other_material and squares & CORNER != 0
            )
        if needed & ((ONE << EXCH) | (ONE << RECAP)):
            safe = sign * self.destinations(squares, True)
            self.count[EXCH] += safe
            self.count[RECAP] += safe
        if needed >> THRET & 1:
            self.count[THRET] += sign * self.destinations(squares, False)
        if needed >> FORK & 1:
            # Two pieces x and x + 1 of a row: the square above them is x - 4, with x + 4 and x + 6 behind
            # them; the one below is x + 5, with x - 5 and x - 3 behind. Only kings threaten from below.
            pairs: cython.ulonglong = self.other & (self.other >> 1)
            safe = popcount(squares & (pairs >> 4) & (empty >> 8) & (empty >> 10))
            squares = ((kings << 4) | (kings << 5) | (kings >> 4) | (kings >> 5)) & empty
            safe += popcount(squares & (pairs << 5) & (empty << 10) & (empty << 8))
            self.count[FORK] += sign * safe

    def safe_moves(self):
        """The number of steps to squares where the piece cannot be jumped at once."""
        total: cython.int = 0
        pieces: cython.ulonglong = self.own
        while pieces:
            piece: cython.ulonglong = pieces & (~pieces + 1)
            pieces ^= piece
            kings: cython.ulonglong = piece & self.own_kings
            total += popcount(self.safe_squares(piece, kings, self.other_kings, self.other, self.empty))
        return total

    def destinations(self, squares, exchange):
        """The number of squares a piece can step to that force an exchange, or threaten a capture."""
        total: cython.int = 0
        while squares:
            at: cython.ulonglong = squares & (~squares + 1)
            squares ^= at
            starts: cython.ulonglong = ((at >> 4) | (at >> 5)) & self.own
            starts |= ((at << 4) | (at << 5)) & self.own_kings
            while starts:
                start: cython.ulonglong = starts & (~starts + 1)
                starts ^= start
                if self.exchanges(start, at) if exchange else self.threatens(start, at):
                    total += 1
                    break
        return total

    def threatens(self, start, at):
        """True if a piece that steps from `start` to `at` could jump from there."""
        empty: cython.ulonglong = self.empty | start
        if ((at << 4) & self.other and (at << 8) & empty) or ((at << 5) & self.other and (at << 10) & empty):
            return True
        if not start & self.own_kings and not at & LAST_ROW:
            return False
        return ((at >> 4) & self.other and (at >> 8) & empty) or (
            (at >> 5) & self.other and (at >> 10) & empty
        )

    def exchanges(self, start, at):
        """True if a piece that steps from `start` to `at` can be jumped, and each such jump be answered."""
        empty: cython.ulonglong = self.empty | start
        own: cython.ulonglong = self.own ^ start
        kings: cython.ulonglong = self.other_kings
        jumped: cython.bint = False
        if (at << 4) & self.other and (at >> 4) & empty:
            jumped = True
            if not self.retakes(own, at >> 4, (empty ^ (at >> 4)) | at | (at << 4)):
                return False
        if (at << 5) & self.other and (at >> 5) & empty:
            jumped = True
            if not self.retakes(own, at >> 5, (empty ^ (at >> 5)) | at | (at << 5)):
                return False
        if (at >> 4) & kings and (at << 4) & empty:
            jumped = True
            if not self.retakes(own, at << 4, (empty ^ (at << 4)) | at | (at >> 4)):
                return False
        if (at >> 5) & kings and (at << 5) & empty:
            jumped = True
            if not self.retakes(own, at << 5, (empty ^ (at << 5)) | at | (at >> 5)):
                return False
        return jumped

    def retakes(self, own, at, empty):
        """True if a piece of `own` can jump over the square `at`."""
        kings: cython.ulonglong = own & self.own_kings
        return (
            ((at >> 4) & own and (at << 4) & empty)
            or ((at >> 5) & own and (at << 5) & empty)
            or ((at << 4) & kings and (at >> 4) & empty)
            or ((at << 5) & kings and (at >> 5) & empty)
        ) != 0
