# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of chess, in hundredths of a pawn.  C types: evaluation.pxd.

`kinds` are bitboards of the pawns, knights, bishops, rooks, queens and kings, `colours` those of White and
Black (a1 is bit 0, h1 bit 7, h8 bit 63; see attacks.py). The weights are in weights.toml. By index in
EVALUATIONS:

    1  classic    a tapered sum of weighted terms
    2  material   queen 9, rook 5, bishop and knight 3, pawn 1: the difference of both sides
    3  turing     the quotient W/B of both sides' material, as in Turing's paper machine

The default, `correction`, adds a network to `classic`, see correction.py. `linear`, a sum of the terms in
terms.toml, is computed in terms.py.

A weight of `classic` is a pair, for the middle game and the ending, packed into one int. One addition adds
both:

    weight = middle game + 65536 * ending            sum:  |  ending  | middle game |
                                                              16 bits     16, signed

The two sums are interpolated by phase (24 with all pieces, 0 without pieces). The sum is
linear in the weights except for king danger, which is squared, and the scaling of drawish endings. All terms
are computed from their colour's point of view and are symmetric: mirrored positions have the same score.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from itertools import accumulate
from math import log
from pathlib import Path

from gameplay.evaluation import Evaluation, by_name, linear_evaluation, load_evaluation
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
_CLASSIC = load_evaluation(
    "classic",
    "material, squares, mobility, pawns and kings",
    Path(__file__).with_name("weights.toml"),
    2000,
)
EVALUATIONS = by_name(
    "chess",
    CorrectedEvaluation(_CLASSIC),
    _CLASSIC,
    Evaluation("material", "queen 9, rook 5, bishop and knight 3, pawn 1"),
    Evaluation("turing", "the quotient of both sides' material"),
    linear_evaluation(
        __file__, "linear", "a sum of named terms, for learning", SCALE, max_weight=1 << 24, fixed=PIECES
    ),
)

# Offsets of the groups of weights.
_WEIGHTS = _CLASSIC.weights
_SIZES = list(map(len, _WEIGHTS.values()))
_OFFSETS = dict(zip(_WEIGHTS, accumulate([0, *_SIZES]), strict=False))
SQUARE = cython.declare(cython.int, _OFFSETS["square"])
MATERIAL = cython.declare(cython.int, _OFFSETS["material"])
MOBILITY = cython.declare(cython.int, _OFFSETS["mobility"])
PAIR = cython.declare(cython.int, _OFFSETS["bishop_pair"])
COLOUR_PAWNS = cython.declare(cython.int, _OFFSETS["bishop_pawns"])
OUTPOST = cython.declare(cython.int, _OFFSETS["outpost"])
SHIELDED = cython.declare(cython.int, _OFFSETS["shielded"])
KING_FAR = cython.declare(cython.int, _OFFSETS["king_far"])
ROOK_FILE = cython.declare(cython.int, _OFFSETS["rook_file"])
ISOLATED = cython.declare(cython.int, _OFFSETS["isolated"])
DOUBLED = cython.declare(cython.int, _OFFSETS["doubled"])
BACKWARD = cython.declare(cython.int, _OFFSETS["backward"])
SUPPORTED = cython.declare(cython.int, _OFFSETS["supported"])
PHALANX = cython.declare(cython.int, _OFFSETS["phalanx"])
CANDIDATE = cython.declare(cython.int, _OFFSETS["candidate"])
PASSED = cython.declare(cython.int, _OFFSETS["passed"])
PASSED_OURS = cython.declare(cython.int, _OFFSETS["passed_own_king"])
PASSED_THEIRS = cython.declare(cython.int, _OFFSETS["passed_their_king"])
PASSED_STEP = cython.declare(cython.int, _OFFSETS["passed_step"])
PASSED_PATH = cython.declare(cython.int, _OFFSETS["passed_path"])
PASSED_ROOK = cython.declare(cython.int, _OFFSETS["passed_rook"])
RUNNER = cython.declare(cython.int, _OFFSETS["runner"])
THREAT = cython.declare(cython.int, _OFFSETS["threat"])
HANGING = cython.declare(cython.int, _OFFSETS["hanging"])
PUSH = cython.declare(cython.int, _OFFSETS["push_threat"])
RESTRICTED = cython.declare(cython.int, _OFFSETS["restricted"])
SPACE = cython.declare(cython.int, _OFFSETS["space"])
SHELTER = cython.declare(cython.int, _OFFSETS["shelter"])
STORM = cython.declare(cython.int, _OFFSETS["storm"])
TEMPO = cython.declare(cython.int, _OFFSETS["tempo"])
DANGER_PIECE = cython.declare(cython.int, _OFFSETS["danger_piece"])
DANGER_CHECK = cython.declare(cython.int, _OFFSETS["danger_check"])
DANGER = cython.declare(cython.int, _OFFSETS["danger"])

if not cython.compiled:
    MOBILITY_OFFSET, LOGARITHM = [0] * 6, [0] * 256


def _fill_tables():
    """Fill the tables that all evaluations share."""
    # Knights, with 0 to 8 squares, come first.
    MOBILITY_OFFSET[BISHOP], MOBILITY_OFFSET[ROOK], MOBILITY_OFFSET[QUEEN] = 9, 23, 38
    n: cython.int
    for n in range(256):
        LOGARITHM[n] = round(4000 * log(max(n, 1)))


_fill_tables()


def nearest_rank(squares, us):
    """The relative rank, from 0, of the nearest of some squares on a file; 0 if there is none."""
    if not squares:
        return 0
    return 7 - (highest(squares) >> 3) if us else lowest(squares) >> 3


def king_flank(king_square, us):
    """The five ranks of a colour on the five files around its king (three at an edge)."""
    file: cython.ulonglong = FILE_A << (king_square & 7)
    files: cython.ulonglong = file | ((file & ~FILE_A) >> 1) | ((file & ~FILE_H) << 1)
    files |= ((files & ~FILE_A) >> 1) | ((files & ~FILE_H) << 1)
    return files & (BLACK_CAMP if us else WHITE_CAMP)


def king_distance(a, b):
    """The distance of two squares in king moves."""
    across: cython.int = (a & 7) - (b & 7)
    up: cython.int = (a >> 3) - (b >> 3)
    across = -across if across < 0 else across
    up = -up if up < 0 else up
    return across if across > up else up


class ChessEvaluation:
    """Computes the static evaluation. Holds scratch memory and caches: one per thread."""

    def __init__(self):
        if not cython.compiled:
            self.weights = [0] * 512
            self.front_file, self.front_neighbours, self.half_square = [0] * 128, [0] * 128, [0] * 128
            self.king_squares, self.king_zone = [0] * 2, [0] * 2
            self.attacked, self.attacked_twice, self.attacked_by = [0] * 2, [0] * 2, [0] * 12
            self.king_attackers_count, self.king_attackers_weight = [0] * 2, [0] * 2
            self.king_attacks_count, self.non_pawn_material = [0] * 2, [0] * 2
            self.cached_pawns, self.cached_passed, self.cached_scores = [0] * 4096, [0] * 2048, [0] * 2048
        self.passed = self.middle = self.ending = self.phase = self.scale_factor = 0
        us: cython.int
        square: cython.int
        for us in range(2):
            for square in range(64):
                bit: cython.ulonglong = forward(ONE << square, us)
                while bit:
                    self.front_file[64 * us + square] |= bit
                    bit = forward(bit, us)
                bit = self.front_file[64 * us + square]
                self.front_neighbours[64 * us + square] = ((bit & ~FILE_A) >> 1) | ((bit & ~FILE_H) << 1)
                file: cython.int = square & 7
                rank: cython.int = 7 - (square >> 3) if us else square >> 3
                self.half_square[64 * us + square] = 4 * rank + (file if file < 4 else 7 - file)
        self.set_weights(_WEIGHTS)

    def set_weights(self, weights):
        """Set the weights: pairs by name, as in weights.toml."""
        index: cython.int = 0
        for pairs in weights.values():
            for middle, ending in pairs:
                self.weights[index] = middle + 65536 * ending
                index += 1
        for index in range(2048):  # the cached scores are stale
            self.cached_pawns[2 * index] = self.cached_pawns[2 * index + 1] = 0
            self.cached_passed[index] = 0
            self.cached_scores[index] = 0

    def value(self, kinds, colours, turn, index=1):
        """The score from the mover's view of a position given as two sequences of ints, for Python."""
        if not cython.compiled:
            return self.score(kinds, colours, turn, index)
        boards: cython.ulonglong[6]
        sides: cython.ulonglong[2]
        i: cython.int
        for i in range(6):
            boards[i] = kinds[i]
        sides[0] = colours[0]
        sides[1] = colours[1]
        return self.score(boards, sides, turn, index)

    def sums(self):
        """Parts of the last `classic` value: middle game, ending (White's view), phase, scale in 64ths."""
        return self.middle, self.ending, self.phase, self.scale_factor

    def score(self, kinds, colours, turn, index):
        """The value for the side to move, `turn`, by the evaluation with this index."""
        own: cython.ulonglong = colours[turn]
        enemy: cython.ulonglong = colours[turn ^ 1]
        if index == 2:
            return self.material(kinds, own) - self.material(kinds, enemy)
        if index == 3:
            return self.quotient(kinds, own) - self.quotient(kinds, enemy)
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
        """4000 times the logarithm of Turing's material.

        The difference of both sides is 4000 ln(W/B): monotonic in the quotient, and antisymmetric. A pawn
        more at the start is about 100. An even exchange favours the leader, as with the quotient.
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
        """The tapered sum of weighted terms, from White's view."""
        self.occupied = colours[0] | colours[1]
        total: cython.int = self.pawns(kinds[PAWN] & colours[0], kinds[PAWN] & colours[1])
        self.init_attacks(kinds, colours, 0)
        self.init_attacks(kinds, colours, 1)
        total += self.pieces(kinds, colours, 0) - self.pieces(kinds, colours, 1)
        total += self.threats(kinds, colours, 0) - self.threats(kinds, colours, 1)
        total += self.danger(kinds, colours, 0) - self.danger(kinds, colours, 1)
        total += self.passers(kinds, colours, 0) - self.passers(kinds, colours, 1)
        total += -self.weights[TEMPO] if turn else self.weights[TEMPO]
        self.middle = ((total + 32768) & 65535) - 32768
        self.ending = (total - self.middle) // 65536
        self.phase = (
            popcount(kinds[KNIGHT] | kinds[BISHOP]) + 2 * popcount(kinds[ROOK]) + 4 * popcount(kinds[QUEEN])
        )
        if self.phase > 24:
            self.phase = 24
        unscaled: cython.int = self.middle * self.phase + self.ending * (24 - self.phase)
        strong: cython.int = 1 if unscaled < 0 else 0
        self.scale_factor = self.scale(kinds, colours, strong) if unscaled else 64
        # In 1536ths, and rounded towards 0, so that both colours round the same way.
        total_value: cython.int = (
            self.middle * self.phase * (self.scale_factor if self.scale_factor < 16 else 64)
        )
        total_value += self.ending * (24 - self.phase) * self.scale_factor
        total_value = -(-total_value // 1536) if total_value < 0 else total_value // 1536
        edge_bonus: cython.int = self.drive_to_edge(kinds, colours, strong) if unscaled else 0
        return total_value - edge_bonus if strong else total_value + edge_bonus

    def pawns(self, white, black):
        """The score of the pawn structure, cached, from White's view. Sets `passed`."""
        slot: cython.int = spread(white ^ ((black << 1) & M64) ^ (black >> 63)) >> 53
        if self.cached_pawns[2 * slot] != white or self.cached_pawns[2 * slot + 1] != black:
            self.passed = 0
            self.cached_scores[slot] = self.structure(white, black, 0) - self.structure(black, white, 1)
            self.cached_passed[slot] = self.passed
            self.cached_pawns[2 * slot] = white
            self.cached_pawns[2 * slot + 1] = black
        self.passed = self.cached_passed[slot]
        return self.cached_scores[slot]

    def structure(self, own_pawns, enemy_pawns, us):
        """The score of one side's pawns: squares and structure."""
        total: cython.int = 0
        pawn_attacks: cython.ulonglong = left(own_pawns, us) | right(own_pawns, us)
        enemy_attacks: cython.ulonglong = left(enemy_pawns, us ^ 1) | right(enemy_pawns, us ^ 1)
        left_of: cython.ulonglong = (own_pawns & ~FILE_A) >> 1
        right_of: cython.ulonglong = ((own_pawns & ~FILE_H) << 1) & M64
        rest: cython.ulonglong = own_pawns
        while rest:
            square: cython.int = lowest(rest)
            bit: cython.ulonglong = rest & -rest
            rest &= rest - 1
            at: cython.int = 64 * us + square
            rank: cython.int = self.half_square[at] >> 2
            total += self.weights[MATERIAL + PAWN] + self.weights[SQUARE + self.half_square[at]]
            front: cython.ulonglong = self.front_file[at]
            sides: cython.ulonglong = self.front_neighbours[at]
            behind: cython.ulonglong = self.front_neighbours[64 * (us ^ 1) + square]
            level: cython.ulonglong = ((bit & ~FILE_A) >> 1) | ((bit & ~FILE_H) << 1)
            opposed: cython.int = 1 if front & enemy_pawns else 0
            if front & own_pawns:
                total += self.weights[DOUBLED]
            elif not (front | sides) & enemy_pawns:
                self.passed |= bit
            elif not front & enemy_pawns and popcount(sides & enemy_pawns) <= popcount(
                (behind | level) & own_pawns
            ):
                total += self.weights[CANDIDATE + rank]
            if pawn_attacks & bit:
                total += self.weights[SUPPORTED + rank]
            if bit & (left_of | right_of):
                total += self.weights[PHALANX + rank]
            elif not pawn_attacks & bit:
                if not own_pawns & (sides | behind | level):
                    total += self.weights[ISOLATED + opposed]
                elif not own_pawns & behind and forward(bit, us) & (enemy_attacks | enemy_pawns):
                    total += self.weights[BACKWARD + opposed]
        return total

    def init_attacks(self, kinds, colours, us):
        """Initialize the attacks of a side with those of its pawns and king."""
        pawns: cython.ulonglong = kinds[PAWN] & colours[us]
        left_attacks: cython.ulonglong = left(pawns, us)
        right_attacks: cython.ulonglong = right(pawns, us)
        square: cython.int = lowest(kinds[KING] & colours[us])
        steps: cython.ulonglong = king(square)
        self.king_squares[us] = square
        self.attacked_by[6 * us + PAWN] = left_attacks | right_attacks
        self.attacked_by[6 * us + KNIGHT] = self.attacked_by[6 * us + BISHOP] = 0
        self.attacked_by[6 * us + ROOK] = self.attacked_by[6 * us + QUEEN] = 0
        self.attacked_by[6 * us + KING] = steps
        self.attacked[us] = left_attacks | right_attacks | steps
        self.attacked_twice[us] = (left_attacks & right_attacks) | ((left_attacks | right_attacks) & steps)
        # The zone of a king at the edge has nine squares, too.
        file: cython.int = square & 7
        rank: cython.int = square >> 3
        file = 1 if file == 0 else 6 if file == 7 else file
        rank = 1 if rank == 0 else 6 if rank == 7 else rank
        self.king_zone[us] = king(8 * rank + file) | (ONE << (8 * rank + file))
        self.king_attackers_count[us] = self.king_attackers_weight[us] = self.king_attacks_count[us] = 0

    def pieces(self, kinds, colours, us):
        """The score of one side's pieces; also updates the attack maps and counts of king attackers."""
        own: cython.ulonglong = colours[us]
        own_pawns: cython.ulonglong = kinds[PAWN] & own
        their_pawns: cython.ulonglong = kinds[PAWN] & colours[us ^ 1]
        low_ranks: cython.ulonglong = 0x00FFFF0000000000 if us else 0x0000000000FFFF00
        blocked_pawns: cython.ulonglong = own_pawns & (low_ranks | forward(self.occupied, us ^ 1))
        mobility_area: cython.ulonglong = ~(
            self.attacked_by[6 * (us ^ 1)] | blocked_pawns | ((kinds[QUEEN] | kinds[KING]) & own)
        )
        shield: cython.ulonglong = forward(kinds[PAWN], us ^ 1)
        zone: cython.ulonglong = self.king_zone[us ^ 1]
        king_ring: cython.ulonglong = self.attacked_by[6 * (us ^ 1) + KING]
        king_square: cython.int = self.king_squares[us]
        total: cython.int = self.weights[SQUARE + 32 * KING + self.half_square[64 * us + king_square]]
        kind: cython.int
        if kinds[BISHOP] & own & DARK and kinds[BISHOP] & own & ~DARK:
            total += self.weights[PAIR]
        for kind in range(KNIGHT, KING):
            rest: cython.ulonglong = kinds[kind] & own
            while rest:
                square: cython.int = lowest(rest)
                bit: cython.ulonglong = rest & -rest
                rest &= rest - 1
                at: cython.int = 64 * us + square
                # X-rays: a bishop through the queen, a rook through rook and queen.
                attacks: cython.ulonglong
                if kind == KNIGHT:
                    attacks = knight(square)
                elif kind == BISHOP:
                    attacks = bishop(square, self.occupied ^ (kinds[QUEEN] & own))
                elif kind == ROOK:
                    attacks = rook(square, self.occupied ^ ((kinds[ROOK] | kinds[QUEEN]) & own & ~bit))
                else:
                    attacks = bishop(square, self.occupied) | rook(square, self.occupied)
                self.attacked_twice[us] |= self.attacked[us] & attacks
                self.attacked[us] |= attacks
                self.attacked_by[6 * us + kind] |= attacks
                near: cython.int = 1 if attacks & zone else 0  # branch-free
                self.king_attackers_count[us] += near
                self.king_attackers_weight[us] += near * self.weights[DANGER_PIECE + kind]
                self.king_attacks_count[us] += popcount(attacks & king_ring)
                total += (
                    self.weights[MATERIAL + kind] + self.weights[SQUARE + 32 * kind + self.half_square[at]]
                )
                total += self.weights[MOBILITY + MOBILITY_OFFSET[kind] + popcount(attacks & mobility_area)]
                if kind <= BISHOP:
                    total += self.weights[KING_FAR + kind - KNIGHT] * king_distance(square, king_square)
                    total += self.weights[SHIELDED] * (1 if bit & shield else 0)
                    if (
                        bit & self.attacked_by[6 * us]
                        and 3 <= self.half_square[at] >> 2 <= 5
                        and not self.front_neighbours[at] & their_pawns
                    ):
                        total += self.weights[OUTPOST + kind - KNIGHT]
                    if kind == BISHOP:
                        same_colour: cython.ulonglong = DARK if bit & DARK else ~DARK
                        total += self.weights[COLOUR_PAWNS] * popcount(own_pawns & same_colour)
                elif kind == ROOK and not (FILE_A << (square & 7)) & own_pawns:
                    total += self.weights[ROOK_FILE + (0 if (FILE_A << (square & 7)) & their_pawns else 1)]
        return total

    def sum_by_kind(self, kinds, squares, at):
        """The sum of weights by kind, from offset `at`, over the pieces on `squares`."""
        total: cython.int = 0
        kind: cython.int
        for kind in range(PAWN, KING):
            if squares & kinds[kind]:
                total += self.weights[at + kind] * popcount(squares & kinds[kind])
        return total

    def threats(self, kinds, colours, us):
        """The score of one side's attacks on pieces of higher value or without sufficient defence."""
        them: cython.int = us ^ 1
        total: cython.int = 0
        enemy: cython.ulonglong = colours[them]
        enemy_pieces: cython.ulonglong = enemy & ~kinds[PAWN] & ~kinds[KING]
        strongly_protected: cython.ulonglong = self.attacked_by[6 * them] | (
            self.attacked_twice[them] & ~self.attacked_twice[us]
        )
        weak: cython.ulonglong = enemy & ~strongly_protected & self.attacked[us] & ~kinds[KING]
        minors: cython.ulonglong = self.attacked_by[6 * us + KNIGHT] | self.attacked_by[6 * us + BISHOP]
        pawns: cython.ulonglong = kinds[PAWN] & colours[us] & (~self.attacked[them] | self.attacked[us])
        pawn_threats: cython.ulonglong = (left(pawns, us) | right(pawns, us)) & enemy_pieces
        minor_threats: cython.ulonglong = (enemy_pieces | weak) & minors
        rook_threats: cython.ulonglong = weak & self.attacked_by[6 * us + ROOK]
        king_threats: cython.ulonglong = weak & self.attacked_by[6 * us + KING]
        if pawn_threats:
            total += self.sum_by_kind(kinds, pawn_threats, THREAT)
        if minor_threats:
            total += self.sum_by_kind(kinds, minor_threats, THREAT + 6)
        if rook_threats:
            total += self.sum_by_kind(kinds, rook_threats, THREAT + 12)
        if king_threats:
            total += self.sum_by_kind(kinds, king_threats, THREAT + 18)
        if weak:
            total += self.weights[HANGING] * popcount(
                weak & (~self.attacked[them] | (enemy_pieces & self.attacked_twice[us]))
            )
        # Pawn pushes to safe squares that attack a piece.
        third_rank: cython.ulonglong = 0x0000FF0000000000 if us else 0x0000000000FF0000
        steps: cython.ulonglong = forward(kinds[PAWN] & colours[us], us) & ~self.occupied
        steps |= forward(steps & third_rank, us) & ~self.occupied
        steps &= ~self.attacked_by[6 * them] & (self.attacked[us] | ~self.attacked[them])
        total += self.weights[PUSH] * popcount((left(steps, us) | right(steps, us)) & enemy_pieces)
        total += self.weights[RESTRICTED] * popcount(
            self.attacked[them] & ~strongly_protected & self.attacked[us]
        )
        own_half: cython.ulonglong = 0x00FFFFFF00000000 if us else 0x00000000FFFFFF00
        space: cython.ulonglong = (
            MIDDLE & own_half & ~(kinds[PAWN] & colours[us]) & ~self.attacked_by[6 * them]
        )
        return total + self.weights[SPACE] * popcount(space) * popcount(colours[us] & ~kinds[PAWN])

    def shelter(self, own_pawns, enemy_pawns, us):
        """The pawn shelter of a king, and the pawn storm against it."""
        total: cython.int = 0
        king_square: cython.int = self.king_squares[us]
        centre: cython.int = king_square & 7
        centre = 1 if centre == 0 else 6 if centre == 7 else centre
        file: cython.int
        for file in range(centre - 1, centre + 2):
            # From the king's rank on, on this file.
            at: cython.int = 64 * us + (king_square & 56) + file
            path: cython.ulonglong = self.front_file[at] | (ONE << ((king_square & 56) + file))
            own_rank: cython.int = nearest_rank(own_pawns & path, us)
            enemy_rank: cython.int = nearest_rank(enemy_pawns & path, us)
            total += self.weights[SHELTER + 8 * (file if file < 4 else 7 - file) + own_rank]
            total += self.weights[STORM + (8 if own_rank and own_rank + 1 == enemy_rank else 0) + enemy_rank]
        return total

    def danger(self, kinds, colours, us):
        """King safety: the shelter minus the squared danger."""
        them: cython.int = us ^ 1
        total: cython.int = self.shelter(kinds[PAWN] & colours[us], kinds[PAWN] & colours[them], us)
        king_square: cython.int = self.king_squares[us]
        weak: cython.ulonglong = (
            self.attacked[them]
            & ~self.attacked_twice[us]
            & (~self.attacked[us] | self.attacked_by[6 * us + KING] | self.attacked_by[6 * us + QUEEN])
        )
        safe: cython.ulonglong = ~colours[them] & (~self.attacked[us] | (weak & self.attacked_twice[them]))
        occupied: cython.ulonglong = self.occupied & ~(kinds[QUEEN] & colours[us])
        rook_lines: cython.ulonglong = rook(king_square, occupied)
        bishop_lines: cython.ulonglong = bishop(king_square, occupied)
        knight_checks: cython.ulonglong = knight(king_square) & self.attacked_by[6 * them + KNIGHT]
        king_danger: cython.int = (
            self.weights[DANGER]
            + self.king_attackers_weight[them]
            + self.weights[DANGER + 1] * self.king_attackers_count[them]
        )
        king_danger += self.weights[DANGER + 2] * self.king_attacks_count[them]
        king_danger += self.weights[DANGER + 3] * popcount(self.king_zone[us] & weak)
        flank: cython.ulonglong = king_flank(king_square, us)
        king_danger += self.weights[DANGER + 6] * popcount(flank & self.attacked[them])
        king_danger += self.weights[DANGER + 7] * popcount(flank & self.attacked_twice[them])
        king_danger += self.weights[DANGER + 8] * popcount(flank & self.attacked[us])
        checks: cython.ulonglong = rook_lines & self.attacked_by[6 * them + ROOK]
        unsafe_checks: cython.ulonglong = (knight_checks | checks) & ~safe
        if checks & safe:
            king_danger += self.weights[DANGER_CHECK + ROOK]
        checks = bishop_lines & self.attacked_by[6 * them + BISHOP]
        unsafe_checks |= checks & ~safe
        if checks & safe:
            king_danger += self.weights[DANGER_CHECK + BISHOP]
        if knight_checks & safe:
            king_danger += self.weights[DANGER_CHECK + KNIGHT]
        if (
            (rook_lines | bishop_lines)
            & self.attacked_by[6 * them + QUEEN]
            & safe
            & ~self.attacked_by[6 * us + QUEEN]
        ):
            king_danger += self.weights[DANGER_CHECK + QUEEN]
        king_danger += self.weights[DANGER + 4] * popcount(unsafe_checks & ~colours[them])
        if not kinds[QUEEN] & colours[them]:
            king_danger += self.weights[DANGER + 5]
        if king_danger > 0:
            total -= king_danger * king_danger // 4096 + 65536 * (king_danger // 16)
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
            rank: cython.int = self.half_square[at] >> 2
            stop: cython.int = square - 8 if us else square + 8
            total += self.weights[PASSED + rank]
            total += self.weights[PASSED_OURS + rank] * king_distance(self.king_squares[us], stop)
            total += self.weights[PASSED_THEIRS + rank] * king_distance(self.king_squares[them], stop)
            heavy: cython.ulonglong = self.front_file[64 * them + square] & (kinds[ROOK] | kinds[QUEEN])
            if heavy & colours[us]:
                total += self.weights[PASSED_ROOK]
            elif heavy:
                total += self.weights[PASSED_ROOK + 1]
            if not (self.occupied >> stop) & 1:
                if not (self.attacked[them] >> stop) & 1:
                    total += self.weights[PASSED_STEP + rank]
                if not self.front_file[at] & (self.occupied | self.attacked[them]):
                    total += self.weights[PASSED_PATH + rank]
            # Rule of the square: a king without other pieces cannot catch the pawn.
            if not colours[them] & ~kinds[PAWN] & ~kinds[KING] and not self.front_file[at] & colours[us]:
                steps: cython.int = 7 - rank - (1 if rank == 1 else 0)
                goal: cython.int = (square & 7) + (0 if us else 56)
                if king_distance(self.king_squares[them], goal) > steps + 1:
                    total += self.weights[RUNNER]
        return total

    # -- endings -------------------------------------------------------------------------------

    def scale(self, kinds, colours, strong):
        """The scale factor of an endgame advantage, in 64ths; below 16: drawn or almost drawn."""
        weak: cython.int = strong ^ 1
        side: cython.int
        for side in range(2):
            self.non_pawn_material[side] = (
                3 * popcount((kinds[KNIGHT] | kinds[BISHOP]) & colours[side])
                + 5 * popcount(kinds[ROOK] & colours[side])
                + 9 * popcount(kinds[QUEEN] & colours[side])
            )
        pawns: cython.ulonglong = kinds[PAWN] & colours[strong]
        bishops: cython.ulonglong = kinds[BISHOP]
        own_material: cython.int = self.non_pawn_material[strong]
        other_material: cython.int = self.non_pawn_material[weak]
        if not pawns:
            if own_material - other_material <= 3:
                return 0 if own_material <= 3 else 6
            if own_material == 6 and not bishops & colours[strong]:  # two knights
                return 0
        elif own_material == 3 and bishops & colours[strong] and other_material == 0:
            # Wrong bishop: it does not control the promotion corner of its rook pawns, where the king stands.
            edge: cython.ulonglong = FILE_A if pawns & FILE_A else FILE_H
            if not pawns & ~edge:
                corner: cython.int = (0 if edge & 1 else 7) + (0 if strong else 56)
                promotion_colour: cython.ulonglong = DARK if (DARK >> corner) & 1 else ~DARK
                if (
                    not bishops & colours[strong] & promotion_colour
                    and king_distance(self.king_squares[weak], corner) <= 1
                ):
                    return 0
        if (
            popcount(bishops & colours[0]) == 1
            and popcount(bishops & colours[1]) == 1
            and popcount(bishops & DARK) == 1
        ):
            return 36 if own_material == 3 and other_material == 3 else 58
        if own_material + other_material == 0:  # pawn endings are more decisive than their score
            return 110 if popcount(kinds[PAWN]) > 1 else self.scale_last_pawn(lowest(pawns), strong)
        factor: cython.int = 52 + 4 * popcount(pawns)
        return factor if factor < 64 else 64

    def scale_last_pawn(self, square, strong):
        """The scale factor of KPK: a win if the king holds a key square or the pawn cannot be caught.

        A pawn has three adjacent key squares two ranks ahead, from its fifth rank on also one rank ahead. A
        rook pawn has one, next to its promotion square (Averbakh).
        """
        weak: cython.int = strong ^ 1
        rank: cython.int = self.half_square[64 * strong + square] >> 2
        file: cython.int = square & 7
        goal: cython.int = file + (0 if strong else 56)
        steps: cython.int = 7 - rank - (1 if rank == 1 else 0)
        if king_distance(self.king_squares[weak], goal) > steps + 1:
            return 110
        king_rank: cython.int = self.half_square[64 * strong + self.king_squares[strong]] >> 2
        file_distance: cython.int = (self.king_squares[strong] & 7) - file
        if file_distance < 0:
            file_distance = -file_distance
        if file == 0 or file == 7:
            return 110 if king_rank >= 6 and file_distance == 1 else 10
        if file_distance <= 1 and king_rank > rank and (king_rank >= rank + 2 or rank >= 4):
            return 110
        return 20

    def drive_to_edge(self, kinds, colours, strong):
        """A bonus for driving a king without pawns to the edge, if the other side is at least a rook ahead.

        With bishop and knight alone: to a corner of the bishop's colour.
        """
        weak: cython.int = strong ^ 1
        lead: cython.int = self.non_pawn_material[strong] - self.non_pawn_material[weak]
        if kinds[PAWN] & colours[weak] or lead < 5:
            return 0
        knights: cython.ulonglong = kinds[KNIGHT] & colours[strong]
        bishops: cython.ulonglong = kinds[BISHOP] & colours[strong]
        lone_king: cython.bint = self.non_pawn_material[weak] == 0
        if kinds[PAWN] & colours[strong] and not lone_king:
            return 0
        if not kinds[PAWN] and self.non_pawn_material[strong] == 6 and not (lone_king and bishops):
            return 0
        king_square: cython.int = self.king_squares[weak]
        file: cython.int = king_square & 7
        rank: cython.int = king_square >> 3
        edge_distance: cython.int = (3 - file if file < 4 else file - 4) + (
            3 - rank if rank < 4 else rank - 4
        )
        value: cython.int = 8 * (7 - king_distance(self.king_squares[0], self.king_squares[1]))
        if lone_king and not kinds[PAWN] and self.non_pawn_material[strong] == 6 and knights:
            # The distance from the diagonal between the wrong corners, 7 in a right corner.
            distance: cython.int = file - rank if bishops & ~DARK else file + rank - 7
            value += 50 * (-distance if distance < 0 else distance)
        else:
            value += 16 * edge_distance
        return value + 400 if lone_king else value
