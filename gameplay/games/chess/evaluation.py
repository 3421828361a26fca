# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of chess, in hundredths of a pawn.  C types: evaluation.pxd.

`kinds` are the squares of the pawns, knights, bishops, rooks, queens and kings, `colours` those of White and
Black, as 64 bits each (a1 is bit 0, h1 bit 7, h8 bit 63; see attacks.py). The weights are in weights.toml.
Three forms, by their index in EVALUATIONS:

    1  classic    a sum of weighted terms, blended from middle game to ending
    2  material   the lecture's: queen 9, rook 5, bishop and knight 3, pawn 1, one side's less the other's
    3  turing     the quotient W/B of the sides' material, as Turing's paper machine compared positions

The default, `correction`, adds a network to `classic`, see correction.py. `linear`, a sum of the terms in
terms.toml, is computed in terms.py.

A weight of `classic` is a pair, for the middle game and the ending, packed into one int, so that one sum
adds both:

    weight = middle game + 65536 * ending            sum:  |  ending  | middle game |
                                                              16 bits     16, signed

At the end the two are mixed by how many pieces are left (the phase: 24 at the start, 0 with none). The sum
is linear in the weights but for the danger of a king, which is squared, and the scaling of drawish endings.
All terms look at the board from the side of their colour, and make no difference between the left and the
right half: positions mirrored either way have the same score.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from itertools import accumulate
from math import log
from pathlib import Path

from gameplay.evaluation import Evaluation, kept, listed, summed
from gameplay.games.chess.correction import CorrectedEvaluation

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import bishop, forward, king, knight, left, right, rook
    from cython.cimports.gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import spread
else:
    from gameplay.games.chess.attacks import bishop, forward, king, knight, left, right, rook
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from gameplay.native.hashing import spread

MIDDLE = cython.declare(cython.ulonglong, 0x3C3C3C3C3C3C3C3C)  # files c to f
WHITE_CAMP = cython.declare(cython.ulonglong, 0x000000FFFFFFFFFF)
BLACK_CAMP = cython.declare(cython.ulonglong, 0xFFFFFFFFFF000000)
SCALE = 16384  # weights of `linear` are in 16384ths of a hundredth of a pawn

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
_CLASSIC = kept(
    "classic",
    "material, squares, mobility, pawns and kings",
    Path(__file__).with_name("weights.toml"),
    2000,
)
EVALUATIONS = listed(
    "chess",
    CorrectedEvaluation(_CLASSIC),
    _CLASSIC,
    Evaluation("material", "queen 9, rook 5, bishop and knight 3, pawn 1"),
    Evaluation("turing", "the quotient of both sides' material"),
    summed(__file__, "linear", "a sum of named terms, for learning", SCALE, most=1 << 24, fixed=PIECES),
)

# Where each group of weights begins.
_WEIGHTS = _CLASSIC.weights
_SIZES = list(map(len, _WEIGHTS.values()))
_AT = dict(zip(_WEIGHTS, accumulate([0, *_SIZES]), strict=False))
SQUARE = cython.declare(cython.int, _AT["square"])
MATERIAL = cython.declare(cython.int, _AT["material"])
MOBILITY = cython.declare(cython.int, _AT["mobility"])
PAIR = cython.declare(cython.int, _AT["bishop_pair"])
COLOUR_PAWNS = cython.declare(cython.int, _AT["bishop_pawns"])
OUTPOST = cython.declare(cython.int, _AT["outpost"])
SHIELDED = cython.declare(cython.int, _AT["shielded"])
KING_FAR = cython.declare(cython.int, _AT["king_far"])
ROOK_FILE = cython.declare(cython.int, _AT["rook_file"])
ISOLATED = cython.declare(cython.int, _AT["isolated"])
DOUBLED = cython.declare(cython.int, _AT["doubled"])
BACKWARD = cython.declare(cython.int, _AT["backward"])
SUPPORTED = cython.declare(cython.int, _AT["supported"])
PHALANX = cython.declare(cython.int, _AT["phalanx"])
CANDIDATE = cython.declare(cython.int, _AT["candidate"])
PASSED = cython.declare(cython.int, _AT["passed"])
PASSED_OURS = cython.declare(cython.int, _AT["passed_own_king"])
PASSED_THEIRS = cython.declare(cython.int, _AT["passed_their_king"])
PASSED_STEP = cython.declare(cython.int, _AT["passed_step"])
PASSED_PATH = cython.declare(cython.int, _AT["passed_path"])
PASSED_ROOK = cython.declare(cython.int, _AT["passed_rook"])
RUNNER = cython.declare(cython.int, _AT["runner"])
THREAT = cython.declare(cython.int, _AT["threat"])
HANGING = cython.declare(cython.int, _AT["hanging"])
PUSH = cython.declare(cython.int, _AT["push_threat"])
RESTRICTED = cython.declare(cython.int, _AT["restricted"])
SPACE = cython.declare(cython.int, _AT["space"])
SHELTER = cython.declare(cython.int, _AT["shelter"])
STORM = cython.declare(cython.int, _AT["storm"])
TEMPO = cython.declare(cython.int, _AT["tempo"])
DANGER_PIECE = cython.declare(cython.int, _AT["danger_piece"])
DANGER_CHECK = cython.declare(cython.int, _AT["danger_check"])
DANGER = cython.declare(cython.int, _AT["danger"])

if not cython.compiled:
    REACH, LOGARITHM = [0] * 6, [0] * 256


def _fill():
    """Fill the tables that all evaluations share."""
    # Where a kind of piece begins among the mobilities: knights, with 0 to 8 squares, come first.
    REACH[BISHOP], REACH[ROOK], REACH[QUEEN] = 9, 23, 38
    n: cython.int
    for n in range(256):
        LOGARITHM[n] = round(4000 * log(max(n, 1)))


_fill()


def nearest(squares, us):
    """The rank, as the colour counts from 0, of the nearest of some squares ahead on a file; 0 if none."""
    if not squares:
        return 0
    return 7 - (highest(squares) >> 3) if us else lowest(squares) >> 3


def camp(home, us):
    """The own five ranks, on the five files round a king (three at an edge)."""
    file: cython.ulonglong = FILE_A << (home & 7)
    files: cython.ulonglong = file | ((file & ~FILE_A) >> 1) | ((file & ~FILE_H) << 1)
    files |= ((files & ~FILE_A) >> 1) | ((files & ~FILE_H) << 1)
    return files & (BLACK_CAMP if us else WHITE_CAMP)


def apart(a, b):
    """The moves of a king from square to square."""
    across: cython.int = (a & 7) - (b & 7)
    up: cython.int = (a >> 3) - (b >> 3)
    across = -across if across < 0 else across
    up = -up if up < 0 else up
    return across if across > up else up


class ChessEvaluation:
    """Values positions of chess for one game; a second thread needs a second one."""

    def __init__(self):
        if not cython.compiled:
            self.w = [0] * 512
            self.ahead, self.beside, self.half = [0] * 128, [0] * 128, [0] * 128
            self.home, self.zone, self.all, self.twice, self.by = [0] * 2, [0] * 2, [0] * 2, [0] * 2, [0] * 12
            self.hunters, self.hunting, self.hits, self.force = [0] * 2, [0] * 2, [0] * 2, [0] * 2
            self.met, self.met_passed, self.met_score = [0] * 4096, [0] * 2048, [0] * 2048
        self.passed = self.middle = self.ending = self.phase = self.counts = 0
        us: cython.int
        square: cython.int
        for us in range(2):
            for square in range(64):
                bit: cython.ulonglong = forward(ONE << square, us)
                while bit:
                    self.ahead[64 * us + square] |= bit
                    bit = forward(bit, us)
                bit = self.ahead[64 * us + square]
                self.beside[64 * us + square] = ((bit & ~FILE_A) >> 1) | ((bit & ~FILE_H) << 1)
                file: cython.int = square & 7
                rank: cython.int = 7 - (square >> 3) if us else square >> 3
                self.half[64 * us + square] = 4 * rank + (file if file < 4 else 7 - file)
        self.weigh(_WEIGHTS)

    def weigh(self, weights):
        """Set the weights: pairs by name, as in weights.toml."""
        at: cython.int = 0
        for pairs in weights.values():
            for middle, ending in pairs:
                self.w[at] = middle + 65536 * ending
                at += 1
        for at in range(2048):  # what was remembered is out of date
            self.met[2 * at] = self.met[2 * at + 1] = 0
            self.met_passed[at] = 0
            self.met_score[at] = 0

    def value(self, kinds, colours, turn, form=1):
        """The score of a position given as two sequences of ints, for Python. The mover's view."""
        if not cython.compiled:
            return self.score(kinds, colours, turn, form)
        boards: cython.ulonglong[6]
        sides: cython.ulonglong[2]
        i: cython.int
        for i in range(6):
            boards[i] = kinds[i]
        sides[0] = colours[0]
        sides[1] = colours[1]
        return self.score(boards, sides, turn, form)

    def sums(self):
        """Of the last `classic` value: middle game and ending (White's), phase, and 64ths that count."""
        return self.middle, self.ending, self.phase, self.counts

    def score(self, kinds, colours, turn, form):
        """The value for the side to move, `turn`, by one of the three forms."""
        ours: cython.ulonglong = colours[turn]
        theirs: cython.ulonglong = colours[turn ^ 1]
        if form == 2:
            return self.material(kinds, ours) - self.material(kinds, theirs)
        if form == 3:
            return self.quotient(kinds, ours) - self.quotient(kinds, theirs)
        value: cython.int = self.classic(kinds, colours, turn)
        return -value if turn else value

    def material(self, kinds, us):
        """Queen 9, rook 5, bishop 3, knight 3, pawn 1."""
        return (
            100 * popcount(kinds[PAWN] & us)
            + 300 * popcount((kinds[KNIGHT] | kinds[BISHOP]) & us)
            + 500 * popcount(kinds[ROOK] & us)
            + 900 * popcount(kinds[QUEEN] & us)
        )

    def quotient(self, kinds, us):
        """Turing's material as 4000 times its logarithm.

        The difference of two is 4000 ln(W/B): it puts positions in the order of the quotient, says 0 where
        the sides are equal and the opposite to the opponent, and about 100 for a pawn more at the start.
        An exchange that leaves the difference of the sides alone favours the leader, as with the quotient.
        """
        return LOGARITHM[
            2 * popcount(kinds[PAWN] & us)
            + 6 * popcount(kinds[KNIGHT] & us)
            + 7 * popcount(kinds[BISHOP] & us)
            + 10 * popcount(kinds[ROOK] & us)
            + 20 * popcount(kinds[QUEEN] & us)
        ]

    # -- classic -------------------------------------------------------------------------------

    def classic(self, kinds, colours, turn):
        """The weighted sum, White's view."""
        self.occupied = colours[0] | colours[1]
        total: cython.int = self.pawns(kinds[PAWN] & colours[0], kinds[PAWN] & colours[1])
        self.prepare(kinds, colours, 0)
        self.prepare(kinds, colours, 1)
        total += self.pieces(kinds, colours, 0) - self.pieces(kinds, colours, 1)
        total += self.threats(kinds, colours, 0) - self.threats(kinds, colours, 1)
        total += self.danger(kinds, colours, 0) - self.danger(kinds, colours, 1)
        total += self.passers(kinds, colours, 0) - self.passers(kinds, colours, 1)
        total += -self.w[TEMPO] if turn else self.w[TEMPO]
        self.middle = ((total + 32768) & 65535) - 32768
        self.ending = (total - self.middle) // 65536
        self.phase = (
            popcount(kinds[KNIGHT] | kinds[BISHOP]) + 2 * popcount(kinds[ROOK]) + 4 * popcount(kinds[QUEEN])
        )
        if self.phase > 24:
            self.phase = 24
        lean: cython.int = self.middle * self.phase + self.ending * (24 - self.phase)
        strong: cython.int = 1 if lean < 0 else 0
        self.counts = self.scale(kinds, colours, strong) if lean else 64
        # In 1536ths, and rounded towards 0, so that both colours round the same way.
        blend: cython.int = self.middle * self.phase * (self.counts if self.counts < 16 else 64)
        blend += self.ending * (24 - self.phase) * self.counts
        blend = -(-blend // 1536) if blend < 0 else blend // 1536
        more: cython.int = self.chase(kinds, colours, strong) if lean else 0
        return blend - more if strong else blend + more

    def pawns(self, white, black):
        """The pawn structure, cached. Sets `passed`."""
        slot: cython.int = spread(white ^ ((black << 1) & M64) ^ (black >> 63)) >> 53
        if self.met[2 * slot] != white or self.met[2 * slot + 1] != black:
            self.passed = 0
            self.met_score[slot] = self.structure(white, black, 0) - self.structure(black, white, 1)
            self.met_passed[slot] = self.passed
            self.met[2 * slot] = white
            self.met[2 * slot + 1] = black
        self.passed = self.met_passed[slot]
        return self.met_score[slot]

    def structure(self, ours, theirs, us):
        """One side's pawns: where they stand, and how they stand to each other."""
        total: cython.int = 0
        flank: cython.ulonglong = left(ours, us) | right(ours, us)
        guarded: cython.ulonglong = left(theirs, us ^ 1) | right(theirs, us ^ 1)
        left_of: cython.ulonglong = (ours & ~FILE_A) >> 1
        right_of: cython.ulonglong = ((ours & ~FILE_H) << 1) & M64
        rest: cython.ulonglong = ours
        while rest:
            square: cython.int = lowest(rest)
            bit: cython.ulonglong = rest & -rest
            rest &= rest - 1
            at: cython.int = 64 * us + square
            rank: cython.int = self.half[at] >> 2
            total += self.w[MATERIAL + PAWN] + self.w[SQUARE + self.half[at]]
            front: cython.ulonglong = self.ahead[at]
            sides: cython.ulonglong = self.beside[at]
            behind: cython.ulonglong = self.beside[64 * (us ^ 1) + square]
            level: cython.ulonglong = ((bit & ~FILE_A) >> 1) | ((bit & ~FILE_H) << 1)
            opposed: cython.int = 1 if front & theirs else 0
            if front & ours:
                total += self.w[DOUBLED]
            elif not (front | sides) & theirs:
                self.passed |= bit
            elif not front & theirs and popcount(sides & theirs) <= popcount((behind | level) & ours):
                total += self.w[CANDIDATE + rank]
            if flank & bit:
                total += self.w[SUPPORTED + rank]
            if bit & (left_of | right_of):
                total += self.w[PHALANX + rank]
            elif not flank & bit:
                if not ours & (sides | behind | level):
                    total += self.w[ISOLATED + opposed]
                elif not ours & behind and forward(bit, us) & (guarded | theirs):
                    total += self.w[BACKWARD + opposed]
        return total

    def prepare(self, kinds, colours, us):
        """Note what pawn and king attack, before the pieces are looked at."""
        ours: cython.ulonglong = kinds[PAWN] & colours[us]
        one: cython.ulonglong = left(ours, us)
        other: cython.ulonglong = right(ours, us)
        square: cython.int = lowest(kinds[KING] & colours[us])
        steps: cython.ulonglong = king(square)
        self.home[us] = square
        self.by[6 * us + PAWN] = one | other
        self.by[6 * us + KNIGHT] = self.by[6 * us + BISHOP] = 0
        self.by[6 * us + ROOK] = self.by[6 * us + QUEEN] = 0
        self.by[6 * us + KING] = steps
        self.all[us] = one | other | steps
        self.twice[us] = (one & other) | ((one | other) & steps)
        # The zone has nine squares also for a king at the edge.
        file: cython.int = square & 7
        rank: cython.int = square >> 3
        file = 1 if file == 0 else 6 if file == 7 else file
        rank = 1 if rank == 0 else 6 if rank == 7 else rank
        self.zone[us] = king(8 * rank + file) | (ONE << (8 * rank + file))
        self.hunters[us] = self.hunting[us] = self.hits[us] = 0

    def pieces(self, kinds, colours, us):
        """Each piece: its value, square, mobility and outpost; records the squares that it attacks."""
        ours: cython.ulonglong = colours[us]
        own_pawns: cython.ulonglong = kinds[PAWN] & ours
        their_pawns: cython.ulonglong = kinds[PAWN] & colours[us ^ 1]
        low: cython.ulonglong = 0x00FFFF0000000000 if us else 0x0000000000FFFF00
        stuck: cython.ulonglong = own_pawns & (low | forward(self.occupied, us ^ 1))
        area: cython.ulonglong = ~(self.by[6 * (us ^ 1)] | stuck | ((kinds[QUEEN] | kinds[KING]) & ours))
        shield: cython.ulonglong = forward(kinds[PAWN], us ^ 1)
        zone: cython.ulonglong = self.zone[us ^ 1]
        ring: cython.ulonglong = self.by[6 * (us ^ 1) + KING]
        home: cython.int = self.home[us]
        total: cython.int = self.w[SQUARE + 32 * KING + self.half[64 * us + home]]
        kind: cython.int
        if kinds[BISHOP] & ours & DARK and kinds[BISHOP] & ours & ~DARK:
            total += self.w[PAIR]
        for kind in range(KNIGHT, KING):
            rest: cython.ulonglong = kinds[kind] & ours
            while rest:
                square: cython.int = lowest(rest)
                bit: cython.ulonglong = rest & -rest
                rest &= rest - 1
                at: cython.int = 64 * us + square
                # Sliders look through their own: a queen behind a bishop, a rook behind a rook.
                reach: cython.ulonglong
                if kind == KNIGHT:
                    reach = knight(square)
                elif kind == BISHOP:
                    reach = bishop(square, self.occupied ^ (kinds[QUEEN] & ours))
                elif kind == ROOK:
                    reach = rook(square, self.occupied ^ ((kinds[ROOK] | kinds[QUEEN]) & ours & ~bit))
                else:
                    reach = bishop(square, self.occupied) | rook(square, self.occupied)
                self.twice[us] |= self.all[us] & reach
                self.all[us] |= reach
                self.by[6 * us + kind] |= reach
                near: cython.int = 1 if reach & zone else 0  # counted without a jump, here as below
                self.hunters[us] += near
                self.hunting[us] += near * self.w[DANGER_PIECE + kind]
                self.hits[us] += popcount(reach & ring)
                total += self.w[MATERIAL + kind] + self.w[SQUARE + 32 * kind + self.half[at]]
                total += self.w[MOBILITY + REACH[kind] + popcount(reach & area)]
                if kind <= BISHOP:
                    total += self.w[KING_FAR + kind - KNIGHT] * apart(square, home)
                    total += self.w[SHIELDED] * (1 if bit & shield else 0)
                    if (
                        bit & self.by[6 * us]
                        and 3 <= self.half[at] >> 2 <= 5
                        and not self.beside[at] & their_pawns
                    ):
                        total += self.w[OUTPOST + kind - KNIGHT]
                    if kind == BISHOP:
                        shade: cython.ulonglong = DARK if bit & DARK else ~DARK
                        total += self.w[COLOUR_PAWNS] * popcount(own_pawns & shade)
                elif kind == ROOK and not (FILE_A << (square & 7)) & own_pawns:
                    total += self.w[ROOK_FILE + (0 if (FILE_A << (square & 7)) & their_pawns else 1)]
        return total

    def sort(self, kinds, squares, at):
        """The sum over the men on some squares of weights by kind that begin at `at`."""
        total: cython.int = 0
        kind: cython.int
        for kind in range(PAWN, KING):
            if squares & kinds[kind]:
                total += self.w[at + kind] * popcount(squares & kinds[kind])
        return total

    def threats(self, kinds, colours, us):
        """The pieces attacked by one side that have a higher value or are badly defended."""
        them: cython.int = us ^ 1
        total: cython.int = 0
        theirs: cython.ulonglong = colours[them]
        men: cython.ulonglong = theirs & ~kinds[PAWN] & ~kinds[KING]
        firm: cython.ulonglong = self.by[6 * them] | (self.twice[them] & ~self.twice[us])
        weak: cython.ulonglong = theirs & ~firm & self.all[us] & ~kinds[KING]
        minors: cython.ulonglong = self.by[6 * us + KNIGHT] | self.by[6 * us + BISHOP]
        pawns: cython.ulonglong = kinds[PAWN] & colours[us] & (~self.all[them] | self.all[us])
        bites: cython.ulonglong = (left(pawns, us) | right(pawns, us)) & men
        targets: cython.ulonglong = (men | weak) & minors
        prey: cython.ulonglong = weak & self.by[6 * us + ROOK]
        crown: cython.ulonglong = weak & self.by[6 * us + KING]
        if bites:
            total += self.sort(kinds, bites, THREAT)
        if targets:
            total += self.sort(kinds, targets, THREAT + 6)
        if prey:
            total += self.sort(kinds, prey, THREAT + 12)
        if crown:
            total += self.sort(kinds, crown, THREAT + 18)
        if weak:
            total += self.w[HANGING] * popcount(weak & (~self.all[them] | (men & self.twice[us])))
        # Pawns that threaten by their next step, onto a safe square.
        third: cython.ulonglong = 0x0000FF0000000000 if us else 0x0000000000FF0000
        steps: cython.ulonglong = forward(kinds[PAWN] & colours[us], us) & ~self.occupied
        steps |= forward(steps & third, us) & ~self.occupied
        steps &= ~self.by[6 * them] & (self.all[us] | ~self.all[them])
        total += self.w[PUSH] * popcount((left(steps, us) | right(steps, us)) & men)
        total += self.w[RESTRICTED] * popcount(self.all[them] & ~firm & self.all[us])
        camp: cython.ulonglong = 0x00FFFFFF00000000 if us else 0x00000000FFFFFF00
        room: cython.ulonglong = MIDDLE & camp & ~(kinds[PAWN] & colours[us]) & ~self.by[6 * them]
        return total + self.w[SPACE] * popcount(room) * popcount(colours[us] & ~kinds[PAWN])

    def shelter(self, ours, theirs, us):
        """The pawns in front of a king, and those that come to meet him."""
        total: cython.int = 0
        home: cython.int = self.home[us]
        middle: cython.int = home & 7
        middle = 1 if middle == 0 else 6 if middle == 7 else middle
        file: cython.int
        for file in range(middle - 1, middle + 2):
            # The king's rank and all in front of it, on this file.
            at: cython.int = 64 * us + (home & 56) + file
            way: cython.ulonglong = self.ahead[at] | (ONE << ((home & 56) + file))
            own: cython.int = nearest(ours & way, us)
            their: cython.int = nearest(theirs & way, us)
            total += self.w[SHELTER + 8 * (file if file < 4 else 7 - file) + own]
            total += self.w[STORM + (8 if own and own + 1 == their else 0) + their]
        return total

    def danger(self, kinds, colours, us):
        """King safety: the shelter less the squared danger."""
        them: cython.int = us ^ 1
        total: cython.int = self.shelter(kinds[PAWN] & colours[us], kinds[PAWN] & colours[them], us)
        home: cython.int = self.home[us]
        weak: cython.ulonglong = (
            self.all[them]
            & ~self.twice[us]
            & (~self.all[us] | self.by[6 * us + KING] | self.by[6 * us + QUEEN])
        )
        safe: cython.ulonglong = ~colours[them] & (~self.all[us] | (weak & self.twice[them]))
        open_: cython.ulonglong = self.occupied & ~(kinds[QUEEN] & colours[us])
        lines: cython.ulonglong = rook(home, open_)
        slants: cython.ulonglong = bishop(home, open_)
        leaps: cython.ulonglong = knight(home) & self.by[6 * them + KNIGHT]
        units: cython.int = self.w[DANGER] + self.hunting[them] + self.w[DANGER + 1] * self.hunters[them]
        units += self.w[DANGER + 2] * self.hits[them]
        units += self.w[DANGER + 3] * popcount(self.zone[us] & weak)
        flank: cython.ulonglong = camp(home, us)
        units += self.w[DANGER + 6] * popcount(flank & self.all[them])
        units += self.w[DANGER + 7] * popcount(flank & self.twice[them])
        units += self.w[DANGER + 8] * popcount(flank & self.all[us])
        checks: cython.ulonglong = lines & self.by[6 * them + ROOK]
        loose: cython.ulonglong = (leaps | checks) & ~safe
        if checks & safe:
            units += self.w[DANGER_CHECK + ROOK]
        checks = slants & self.by[6 * them + BISHOP]
        loose |= checks & ~safe
        if checks & safe:
            units += self.w[DANGER_CHECK + BISHOP]
        if leaps & safe:
            units += self.w[DANGER_CHECK + KNIGHT]
        if (lines | slants) & self.by[6 * them + QUEEN] & safe & ~self.by[6 * us + QUEEN]:
            units += self.w[DANGER_CHECK + QUEEN]
        units += self.w[DANGER + 4] * popcount(loose & ~colours[them])
        if not kinds[QUEEN] & colours[them]:
            units += self.w[DANGER + 5]
        if units > 0:
            total -= units * units // 4096 + 65536 * (units // 16)
        return total

    def passers(self, kinds, colours, us):
        """Passed pawns: rank, free path, and distance to the kings."""
        them: cython.int = us ^ 1
        total: cython.int = 0
        rest: cython.ulonglong = self.passed & colours[us]
        while rest:
            square: cython.int = lowest(rest)
            rest &= rest - 1
            at: cython.int = 64 * us + square
            rank: cython.int = self.half[at] >> 2
            stop: cython.int = square - 8 if us else square + 8
            total += self.w[PASSED + rank]
            total += self.w[PASSED_OURS + rank] * apart(self.home[us], stop)
            total += self.w[PASSED_THEIRS + rank] * apart(self.home[them], stop)
            heavy: cython.ulonglong = self.ahead[64 * them + square] & (kinds[ROOK] | kinds[QUEEN])
            if heavy & colours[us]:
                total += self.w[PASSED_ROOK]
            elif heavy:
                total += self.w[PASSED_ROOK + 1]
            if not (self.occupied >> stop) & 1:
                if not (self.all[them] >> stop) & 1:
                    total += self.w[PASSED_STEP + rank]
                if not self.ahead[at] & (self.occupied | self.all[them]):
                    total += self.w[PASSED_PATH + rank]
            # Without pieces to help, a king outside the square comes too late.
            if not colours[them] & ~kinds[PAWN] & ~kinds[KING] and not self.ahead[at] & colours[us]:
                steps: cython.int = 7 - rank - (1 if rank == 1 else 0)
                goal: cython.int = (square & 7) + (0 if us else 56)
                if apart(self.home[them], goal) > steps + 1:
                    total += self.w[RUNNER]
        return total

    # -- endings -------------------------------------------------------------------------------

    def scale(self, kinds, colours, strong):
        """How much of an advantage in the ending counts, in 64ths; below 16 it is a draw, or nearly."""
        weak: cython.int = strong ^ 1
        side: cython.int
        for side in range(2):
            self.force[side] = (
                3 * popcount((kinds[KNIGHT] | kinds[BISHOP]) & colours[side])
                + 5 * popcount(kinds[ROOK] & colours[side])
                + 9 * popcount(kinds[QUEEN] & colours[side])
            )
        pawns: cython.ulonglong = kinds[PAWN] & colours[strong]
        bishops: cython.ulonglong = kinds[BISHOP]
        mine: cython.int = self.force[strong]
        theirs: cython.int = self.force[weak]
        if not pawns:
            if mine - theirs <= 3:
                return 0 if mine <= 3 else 6
            if mine == 6 and not bishops & colours[strong]:  # two knights
                return 0
        elif mine == 3 and bishops & colours[strong] and theirs == 0:
            # A bishop that does not hold the corner where its rook pawns queen, and a king that stands there.
            edge: cython.ulonglong = FILE_A if pawns & FILE_A else FILE_H
            if not pawns & ~edge:
                corner: cython.int = (0 if edge & 1 else 7) + (0 if strong else 56)
                shade: cython.ulonglong = DARK if (DARK >> corner) & 1 else ~DARK
                if not bishops & colours[strong] & shade and apart(self.home[weak], corner) <= 1:
                    return 0
        if (
            popcount(bishops & colours[0]) == 1
            and popcount(bishops & colours[1]) == 1
            and popcount(bishops & DARK) == 1
        ):
            return 36 if mine == 3 and theirs == 3 else 58
        if mine + theirs == 0:  # pawns alone decide more than they seem to
            return 110 if popcount(kinds[PAWN]) > 1 else self.last(lowest(pawns), strong)
        few: cython.int = 52 + 4 * popcount(pawns)
        return few if few < 64 else 64

    def last(self, square, strong):
        """The same with one pawn in all: it wins if its king holds a key square, or if it cannot be caught.

        The key squares of a pawn are three, side by side: two ranks ahead, from its fifth rank on one rank
        ahead too. A pawn at the edge has one: beside the last square on its way. (Averbakh.)
        """
        weak: cython.int = strong ^ 1
        rank: cython.int = self.half[64 * strong + square] >> 2
        file: cython.int = square & 7
        goal: cython.int = file + (0 if strong else 56)
        steps: cython.int = 7 - rank - (1 if rank == 1 else 0)
        if apart(self.home[weak], goal) > steps + 1:
            return 110
        king_rank: cython.int = self.half[64 * strong + self.home[strong]] >> 2
        aside: cython.int = (self.home[strong] & 7) - file
        if aside < 0:
            aside = -aside
        if file == 0 or file == 7:
            return 110 if king_rank >= 6 and aside == 1 else 10
        if aside <= 1 and king_rank > rank and (king_rank >= rank + 2 or rank >= 4):
            return 110
        return 20

    def chase(self, kinds, colours, strong):
        """The value of driving the king of a side without pawns to the edge, where mates are.

        Only where the other side is ahead by a rook or by bishop and knight. With these two alone the
        corner must be one of the bishop's colour.
        """
        weak: cython.int = strong ^ 1
        lead: cython.int = self.force[strong] - self.force[weak]
        if kinds[PAWN] & colours[weak] or lead < 5:
            return 0
        knights: cython.ulonglong = kinds[KNIGHT] & colours[strong]
        bishops: cython.ulonglong = kinds[BISHOP] & colours[strong]
        bare: cython.bint = self.force[weak] == 0
        if kinds[PAWN] & colours[strong] and not bare:
            return 0
        if not kinds[PAWN] and self.force[strong] == 6 and not (bare and bishops):
            return 0
        hunted: cython.int = self.home[weak]
        file: cython.int = hunted & 7
        rank: cython.int = hunted >> 3
        out: cython.int = (3 - file if file < 4 else file - 4) + (3 - rank if rank < 4 else rank - 4)
        value: cython.int = 8 * (7 - apart(self.home[0], self.home[1]))
        if bare and not kinds[PAWN] and self.force[strong] == 6 and knights:
            # Away from the diagonal between the wrong corners: 7 steps in a right one.
            off: cython.int = file - rank if bishops & ~DARK else file + rank - 7
            value += 50 * (-off if off < 0 else off)
        else:
            value += 16 * out
        return value + 400 if bare else value
