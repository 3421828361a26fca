# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Evaluations of checkers, in hundredths of a man.  C types: evaluation.pxd.

`samuel` is a polynomial of Samuel's 38 terms (games/checkers/samuel.py). By default it is the lecture's
f = 6 K + 4 M + U: kings, men and undenied mobility, each the mover's minus the opponent's. Undenied mobility
counts the squares that a side could step to (were it its turn, and jumps aside) on which the piece could not
be jumped at once. In `samuel-moves` U counts the moves to these squares instead: a square that two pieces can
step to counts twice.

`strong` is a sum of terms from the checkers literature, each with a weight for a full board and one for an
empty one, interpolated linearly. The weights are fitted to results of self-play by logistic regression
(M. Buro 1995), except the two for the pursuit by kings: results do not contain the length of a game.
Against `samuel`, at equal nodes, it scored 78 % (100 games, 10,000 nodes a move, from 3 random plies).

The bits of the boards are those of games/checkers/board.py.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import tomllib
from functools import cache
from pathlib import Path

from gameplay.evaluation import Evaluation, by_name

if cython.compiled:
    from cython.cimports.gameplay.native.bits import lowest, popcount
else:
    from gameplay.native.bits import lowest, popcount

ALL = cython.declare(cython.ulonglong, 0x7FBFDFEFF)
CORNER = cython.declare(cython.ulonglong, 0x440000011)  # the double corners: squares 1, 5, 28 and 32
EVEN_ROWS = cython.declare(cython.ulonglong, 0x0783C1E0F)  # the columns of squares 1 to 4
MAX_PURSUIT_PIECES = cython.declare(cython.int, 10)  # the pursuit by kings counts with at most this many

WEIGHTS = tomllib.loads(Path(__file__).with_name("strong.toml").read_text())

# The weights of `samuel`: men and kings; the 26 simple terms of Samuel's Appendix C; the 12 binary
# connectives of DENY and MOB, MOBIL and DENY, MOBIL and CENT.
NAMES = (
    "man", "king",
    "adv", "apex", "back", "cent", "cntr", "corn", "cramp", "deny", "dia", "diav", "dyke", "exch", "expos",
    "fork", "gap", "guard", "hole", "kcent", "mob", "mobil", "move", "node", "oreo", "pole", "recap", "thret",
    "demo", "demmo", "ddemo", "ddmm",
    "mode1", "mode2", "mode3", "mode4",
    "moc1", "moc3", "moc2", "moc4",
)  # fmt: skip
SCALE = 8192  # parts of a hundredth of a man in these weights
POLYNOMIAL = {"man": 100 * SCALE, "king": 150 * SCALE}  # 6 K + 4 M, 25 hundredths each
MEANINGS = {"man": "men, M", "king": "kings, K"}

EVALUATIONS = by_name(
    "checkers",
    Evaluation(
        "strong", "piece-square tables, mobility and terms from the literature", WEIGHTS, max_weight=1000
    ),
    Evaluation(
        "samuel",
        "Samuel's polynomial; by default 6 K + 4 M + U: kings, men, squares of undenied mobility",
        dict.fromkeys(NAMES, 0) | POLYNOMIAL | {"mobil": 25 * SCALE},
        max_weight=1 << 21,
        scale=SCALE,
        fixed=("man", "king"),
        meanings=MEANINGS | {"mobil": "undenied squares, U (moves: samuel-moves)"},
    ),
    Evaluation(
        "samuel-moves",
        "6 K + 4 M + U with U in moves: a square counts once for each piece that can step there",
        POLYNOMIAL | {"moves": 25 * SCALE},
        max_weight=1 << 21,
        scale=SCALE,
        fixed=("man", "king"),
        meanings=MEANINGS | {"moves": "undenied moves, U (squares: samuel)"},
    ),
)


class Mobility:
    """Undenied mobility; `movers` are the pieces with such moves. Holds one position."""

    def safe_squares(self, down, up, their_down, their_up, empty):
        """The squares to which `down` (pieces that go down) or `up` can step without being jumped at once."""
        # A piece can be jumped from ahead (attack) if the square behind it is empty, as the square that it
        # came from always is.
        attack_a: cython.ulonglong = their_up >> 4
        attack_b: cython.ulonglong = their_up >> 5
        attack_c: cython.ulonglong = their_down << 4
        attack_d: cython.ulonglong = their_down << 5
        risk_a: cython.ulonglong = attack_a & (empty << 4)
        risk_b: cython.ulonglong = attack_b & (empty << 5)
        risk_c: cython.ulonglong = attack_c & (empty >> 4)
        risk_d: cython.ulonglong = attack_d & (empty >> 5)
        to_a: cython.ulonglong = (down << 4) & empty & ~(attack_a | risk_b | risk_c | risk_d)
        to_b: cython.ulonglong = (down << 5) & empty & ~(risk_a | attack_b | risk_c | risk_d)
        to_c: cython.ulonglong = (up >> 4) & empty & ~(risk_a | risk_b | attack_c | risk_d)
        to_d: cython.ulonglong = (up >> 5) & empty & ~(risk_a | risk_b | risk_c | attack_d)
        self.movers = (to_a >> 4) | (to_b >> 5) | (to_c << 4) | (to_d << 5)
        return to_a | to_b | to_c | to_d


class CheckersEvaluation(Mobility):
    """The tables, a row for each number of pieces on the board. Holds one position."""

    def __init__(self, evaluation=EVALUATIONS["strong"]):
        if not cython.compiled:
            self.man = [0] * 900
            self.king = [0] * 900
            self.back = [0] * 400
            self.term = [0] * 500
        man, king, back, term = interpolated_tables(evaluation)
        i: cython.int
        for i in range(900):
            self.man[i] = man[i]
            self.king[i] = king[i]
        for i in range(400):
            self.back[i] = back[i]
        for i in range(500):
            self.term[i] = term[i]

    @cython.final
    def piece_square_sum(self, table, row, black, white):
        """The piece-square sum of black minus that of white."""
        value: cython.int = 0
        while black:
            value += table[row + lowest(black)]
            black &= black - 1
        while white:
            value -= table[row + 34 - lowest(white)]
            white &= white - 1
        return value

    def strong(self, black, white, kings, turn):
        """The sum of all terms."""
        empty: cython.ulonglong = ALL & ~(black | white)
        black_kings: cython.ulonglong = black & kings
        white_kings: cython.ulonglong = white & kings
        black_men: cython.ulonglong = black ^ black_kings
        white_men: cython.ulonglong = white ^ white_kings
        black_count: cython.int = popcount(black)
        white_count: cython.int = popcount(white)
        n: cython.int = black_count + white_count
        value: cython.int = 0

        # 1. Piece-square tables, mirrored for white.
        row: cython.int = n * 36
        value += self.piece_square_sum(self.man, row, black_men, white_men)
        value += self.piece_square_sum(self.king, row, black_kings, white_kings)

        # 2. The back row guard.
        w: cython.ulonglong = white_men >> 31
        guard: cython.int = ((w >> 3) & 1) | ((w >> 1) & 2) | ((w << 1) & 4) | ((w << 3) & 8)
        value += self.back[n * 16 + (black_men & 15)] - self.back[n * 16 + guard]

        # 3. Mobility, and pieces without any.
        row = n * 20
        value += self.term[row + 1] * popcount(
            self.safe_squares(black, black_kings, white_kings, white, empty)
        )
        stuck: cython.ulonglong = black & ~self.movers
        value += self.term[row + 2] * popcount(stuck & black_men)
        if stuck & kings:
            value += self.term[row + 3] * popcount(stuck & kings)
        value -= self.term[row + 1] * popcount(
            self.safe_squares(white_kings, white, black, black_kings, empty)
        )
        stuck = white & ~self.movers
        value -= self.term[row + 2] * popcount(stuck & white_men)
        if stuck & kings:
            value -= self.term[row + 3] * popcount(stuck & kings)

        # 4. Men with a piece behind them; the dog hole; runaway men.
        value += self.term[row + 4] * (
            popcount(black_men & ((black << 4) | (black << 5)))
            - popcount(white_men & ((white >> 4) | (white >> 5)))
        )
        if (black_men >> 30) & (white >> 34) & 1:
            value += self.term[row + 5]
        if (white_men >> 4) & black & 1:
            value -= self.term[row + 5]
        value += self.runaways(black_men, white, 0, row) - self.runaways(white_men, black, 1, row)

        # 5. The lead in pieces, relative to their number; near the end, the pursuit by kings.
        if black_count > white_count:
            value += self.term[row + 13] * ((24 * (black_count - white_count)) // n)
            if n <= MAX_PURSUIT_PIECES:
                value += self.term[row + 14] * self.pursuit(black_kings, white)
                value += self.term[row + 15] * popcount(white_kings & CORNER)
        elif white_count > black_count:
            value -= self.term[row + 13] * ((24 * (white_count - black_count)) // n)
            if n <= MAX_PURSUIT_PIECES:
                value -= self.term[row + 14] * self.pursuit(white_kings, black)
                value -= self.term[row + 15] * popcount(black_kings & CORNER)
        if turn:
            value = -value

        # 6. Tempo and opposition ("the move"): an odd number of pieces in the own columns.
        value += self.term[row]
        if black_count == white_count:
            pieces: cython.ulonglong = black | white
            pieces &= ~EVEN_ROWS if turn else EVEN_ROWS
            value += self.term[row + 12] if popcount(pieces) & 1 else -self.term[row + 12]
        if turn:
            pieces = white
            stuck = (black & ((((empty >> 4) & pieces) >> 4) | (((empty >> 5) & pieces) >> 5))) | (
                black_kings & ((((empty << 4) & pieces) << 4) | (((empty << 5) & pieces) << 5))
            )
        else:
            pieces = black
            stuck = (white_kings & ((((empty >> 4) & pieces) >> 4) | (((empty >> 5) & pieces) >> 5))) | (
                white & ((((empty << 4) & pieces) << 4) | (((empty << 5) & pieces) << 5))
            )
        if stuck:
            value += self.term[row + 16] * popcount(stuck)
        return value

    def runaways(self, men, other, turn, row):
        """The value of the men with none of the other side's pieces ahead, diagonally within reach."""
        _row: cython.int
        for _row in range(6):
            if turn:
                other |= (other << 4) | (other << 5)
            else:
                other |= (other >> 4) | (other >> 5)
            other &= ALL
        men &= ~other
        value: cython.int = 0
        while men:
            bit: cython.int = lowest(men)
            far: cython.int = (bit - bit // 9) >> 2
            if not turn:
                far = 7 - far
            if far < 7:
                value += self.term[row + 5 + far]
            men &= men - 1
        return value

    def pursuit(self, hunters, hunted):
        """The sum over hunters of 7 minus the steps to the nearest hunted piece."""
        total: cython.int = 0
        while hunters:
            a: cython.int = lowest(hunters)
            a -= a // 9
            near: cython.int = 7
            others: cython.ulonglong = hunted
            while others:
                b: cython.int = lowest(others)
                b -= b // 9
                far: cython.int = (a >> 2) - (b >> 2)
                across: cython.int = 2 * ((a & 3) - (b & 3)) - ((a >> 2) & 1) + ((b >> 2) & 1)
                far = max(far, -far, across, -across)
                if far < near:
                    near = far
                others &= others - 1
            total += 7 - near
            hunters &= hunters - 1
        return total


@cache
def interpolated_tables(evaluation):
    """The tables of an evaluation, a row for each number of pieces on the board; cached."""
    weights = evaluation.weights
    man, king, back, term = [0] * 900, [0] * 900, [0] * 400, [0] * 500
    for n in range(25):
        for i in range(32):
            bit = i + i // 8
            if i < 28:
                man[n * 36 + bit] = interpolate(weights["man_opening"][i], weights["man_ending"][i], n)
            king[n * 36 + bit] = interpolate(weights["king_opening"][i], weights["king_ending"][i], n)
        for i in range(16):
            back[n * 16 + i] = interpolate(weights["back_opening"][i], weights["back_ending"][i], n)
        for i, (opening, ending) in enumerate(weights["terms"]):
            term[n * 20 + i] = interpolate(opening, ending, n)
    return man, king, back, term


def interpolate(opening, ending, pieces):
    """A weight interpolated for a number of pieces on the board."""
    return round((opening * pieces + ending * (24 - pieces)) / 24)
