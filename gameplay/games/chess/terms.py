# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The chess evaluation `linear`: a sum of named terms.  C types: terms.pxd.

`kinds` and `colours` are those of board.py. A term is the mover's count less the opponent's; terms.toml
describes each. The value is the sum of weight times term over SCALE, rounded towards 0, in
hundredths of a pawn. Pawns, knights, bishops, rooks and queens are the piece advantage, which Samuel's method
does not learn. Each side is rated by four methods: its pieces, its pawns, its king, and what it attacks.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.chess.evaluation import EVALUATIONS, SCALE

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import bishop, forward, king, knight, left, right, rook
    from cython.cimports.gameplay.native.bits import lowest, popcount
else:
    from gameplay.games.chess.attacks import bishop, forward, king, knight, left, right, rook
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import lowest, popcount

NAMES = tuple(EVALUATIONS["linear"].weights)
UNIT = cython.declare(cython.int, SCALE)
COUNT = cython.declare(cython.int, 28)
ROWS = cython.declare(cython.ulonglong, 0xFF)  # the first rank
CENTRE = cython.declare(cython.ulonglong, 0x0000001818000000)  # d4, e4, d5, e5

# The first five terms are the numbers of pieces, by kind.
MOBILITY = cython.declare(cython.int, NAMES.index("knight_mobility") - 1)  # and bishop, rook, queen
CENTRE_PAWNS = cython.declare(cython.int, NAMES.index("centre_pawns"))
CENTRE_ATTACKS = cython.declare(cython.int, NAMES.index("centre_attacks"))
PASSED = cython.declare(cython.int, NAMES.index("passed"))
PASSED_RANKS = cython.declare(cython.int, NAMES.index("passed_ranks"))
DOUBLED = cython.declare(cython.int, NAMES.index("doubled"))
ISOLATED = cython.declare(cython.int, NAMES.index("isolated"))
SUPPORTED = cython.declare(cython.int, NAMES.index("supported"))
ADVANCE = cython.declare(cython.int, NAMES.index("advance"))
BISHOP_PAIR = cython.declare(cython.int, NAMES.index("bishop_pair"))
DEVELOPED = cython.declare(cython.int, NAMES.index("developed"))
OUTPOSTS = cython.declare(cython.int, NAMES.index("outposts"))
OPEN_FILES = cython.declare(cython.int, NAMES.index("open_files"))
HALF_OPEN_FILES = cython.declare(cython.int, NAMES.index("half_open_files"))
SEVENTH = cython.declare(cython.int, NAMES.index("seventh"))
KING_SHELTER = cython.declare(cython.int, NAMES.index("king_shelter"))
KING_FILES = cython.declare(cython.int, NAMES.index("king_files"))
KING_ATTACKS = cython.declare(cython.int, NAMES.index("king_attacks"))
THREATS = cython.declare(cython.int, NAMES.index("threats"))
HANGING = cython.declare(cython.int, NAMES.index("hanging"))


def files(squares):
    """All squares on the files of some squares."""
    squares |= squares >> 32
    squares |= squares >> 16
    squares |= squares >> 8
    return (squares & ROWS) * FILE_A


def beside(squares):
    """The adjacent squares to the left and right."""
    return ((squares & ~FILE_A) >> 1) | ((squares & ~FILE_H) << 1)


def ahead(squares, us):
    """All squares in front, on the same files."""
    squares = forward(squares, us)
    if us:
        squares |= squares >> 8
        squares |= squares >> 16
        return squares | (squares >> 32)
    squares |= forward(squares, 0)
    squares |= forward(forward(squares, 0), 0)
    return squares | forward(forward(forward(forward(squares, 0), 0), 0), 0)


class ChessTerms:
    """The terms and their weights. Counts and attacks are scratch memory for one position."""

    def __init__(self, weights=EVALUATIONS["linear"].weights):
        i: cython.int
        if not cython.compiled:
            self.weight, self.count = [0] * 28, [0] * 28
            self.by_pawns, self.attacked = [0] * 2, [0] * 2
        given = [weights[name] for name in NAMES]
        for i in range(COUNT):
            self.weight[i] = given[i]

    def value(self, kinds, colours, turn):
        """The sum, from the mover's view, in hundredths of a pawn."""
        i: cython.int
        total: cython.longlong = 0
        self.tally(kinds, colours)
        for i in range(COUNT):
            total += self.weight[i] * self.count[i]
        if turn:
            total = -total
        return total // UNIT if total >= 0 else -(-total // UNIT)  # symmetric for both sides

    def tally(self, kinds, colours):
        """Count all terms: White's less Black's."""
        i: cython.int
        us: cython.int
        for i in range(COUNT):
            self.count[i] = 0
        for us in range(2):
            pawns: cython.ulonglong = kinds[0] & colours[us]
            self.by_pawns[us] = left(pawns, us) | right(pawns, us)
        for us in range(2):
            self.rate_pieces(kinds, colours, us, -1 if us else 1)
            self.rate_pawns(kinds, colours, us, -1 if us else 1)
        for us in range(2):
            self.rate_king(kinds, colours, us, -1 if us else 1)
            self.rate_attacks(kinds, colours, us, -1 if us else 1)

    def rate_pieces(self, kinds, colours, us, sign):
        """Pieces: number, mobility and placement. Records the squares that they attack."""
        them: cython.int = us ^ 1
        own: cython.ulonglong = colours[us]
        occupied: cython.ulonglong = colours[0] | colours[1]
        area: cython.ulonglong = ~(own | self.by_pawns[them])
        ring: cython.ulonglong = king(lowest(kinds[KING] & colours[them]))
        all_of: cython.ulonglong = self.by_pawns[us] | king(lowest(kinds[KING] & own))
        kind: cython.int
        for kind in range(5):
            self.count[kind] += sign * popcount(kinds[kind] & own)
        for kind in range(KNIGHT, KING):
            rest: cython.ulonglong = kinds[kind] & own
            while rest:
                square: cython.int = lowest(rest)
                rest &= rest - 1
                if kind == KNIGHT:
                    attacks: cython.ulonglong = knight(square)
                else:
                    attacks = 0
                    if kind != ROOK:
                        attacks |= bishop(square, occupied)
                    if kind != BISHOP:
                        attacks |= rook(square, occupied)
                all_of |= attacks
                self.count[MOBILITY + kind] += sign * popcount(attacks & area)
                self.count[KING_ATTACKS] += sign * popcount(attacks & ring)
        self.attacked[us] = all_of

        bishops: cython.ulonglong = kinds[BISHOP] & own
        minors: cython.ulonglong = (kinds[KNIGHT] | kinds[BISHOP]) & own
        if bishops & DARK and bishops & ~DARK:
            self.count[BISHOP_PAIR] += sign
        self.count[DEVELOPED] += sign * popcount(minors & ~(ROWS << 56 if us else ROWS))
        # An outpost is guarded by a pawn, and no pawn of the opponent can come to attack it.
        enemy_pawns: cython.ulonglong = kinds[0] & colours[them]
        reached: cython.ulonglong = ahead(enemy_pawns, them) | enemy_pawns
        reached = left(reached, them) | right(reached, them)
        half: cython.ulonglong = 0x000000FFFFFF0000 if us else 0x0000FFFFFF000000
        self.count[OUTPOSTS] += sign * popcount(minors & half & self.by_pawns[us] & ~reached)
        rooks: cython.ulonglong = kinds[ROOK] & own & ~files(kinds[0] & own)
        self.count[OPEN_FILES] += sign * popcount(rooks & ~files(enemy_pawns))
        self.count[HALF_OPEN_FILES] += sign * popcount(rooks & files(enemy_pawns))
        self.count[SEVENTH] += sign * popcount(kinds[ROOK] & own & (ROWS << 8 if us else ROWS << 48))

    def rate_pawns(self, kinds, colours, us, sign):
        """Pawn structure and passed pawns."""
        pawns: cython.ulonglong = kinds[0] & colours[us]
        enemy_pawns: cython.ulonglong = kinds[0] & colours[us ^ 1]
        stopped: cython.ulonglong = ahead(enemy_pawns, us ^ 1)
        stopped |= beside(stopped) | ahead(pawns, us ^ 1)
        passed: cython.ulonglong = pawns & ~stopped
        rank: cython.int
        for rank in range(1, 7):
            row: cython.ulonglong = ROWS << (56 - 8 * rank if us else 8 * rank)
            self.count[ADVANCE] += sign * (rank - 1) * popcount(pawns & row)
            self.count[PASSED_RANKS] += sign * (rank - 1) * popcount(passed & row)
        self.count[PASSED] += sign * popcount(passed)
        self.count[DOUBLED] += sign * popcount(pawns & ahead(pawns, us ^ 1))
        self.count[ISOLATED] += sign * popcount(pawns & ~beside(files(pawns)))
        self.count[SUPPORTED] += sign * popcount(pawns & self.by_pawns[us])
        self.count[CENTRE_PAWNS] += sign * popcount(pawns & CENTRE)

    def rate_king(self, kinds, colours, us, sign):
        """King shelter and open files near the king."""
        pawns: cython.ulonglong = kinds[0] & colours[us]
        front: cython.ulonglong = kinds[KING] & colours[us]
        front |= beside(front)
        self.count[KING_FILES] += sign * popcount(files(front) & ~files(pawns) & ROWS)
        front = forward(front, us)
        self.count[KING_SHELTER] += sign * popcount(pawns & (front | forward(front, us)))

    def rate_attacks(self, kinds, colours, us, sign):
        """Attacks on the centre and on pieces of the opponent."""
        pieces: cython.ulonglong = colours[us ^ 1] & ~kinds[KING]
        self.count[CENTRE_ATTACKS] += sign * popcount(self.attacked[us] & CENTRE)
        self.count[THREATS] += sign * popcount(self.by_pawns[us] & pieces & ~kinds[0])
        self.count[HANGING] += sign * popcount(self.attacked[us] & pieces & ~self.attacked[us ^ 1])
