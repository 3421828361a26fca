# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A small network that corrects `classic`: the default chess evaluation.  C types: correction.pxd.

The weights are in correction.toml and correction.bin, and in files that `gameplay learn chess --method
correction` writes. The network has two perspectives, one from each side:

    input    384 * (the other side's piece) + 64 * kind + square      768 a side
             squares are counted from the side's own first rank, and from the h-file if its king stands on
             files e to h: positions mirrored either way have the same value
    sum      bias + the weights of the active inputs                  32 a side, 256ths
    unit     the square of the sum, clipped to 0 to 255               256ths
    output   bias + a weighted sum of the units of both sides, the mover's first, in 16ths of a hundredth of a
             pawn; the output is one of four, for up to 8, 16, 24 and 32 pieces

The weights are 16-bit numbers: of the inputs, row by row, the biases of the units, the weights of each output
in turn, the biases of the outputs. The sums are updated incrementally from those of the
last position, as in NNUE.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from functools import cached_property
from hashlib import blake2b

from gameplay.evaluation import Evaluation, PackedEvaluation

if cython.compiled:
    from cython.cimports.gameplay.native.bits import lowest, popcount
    from cython.cimports.gameplay.native.pointers import shorts
else:
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import lowest, popcount
    from gameplay.native.pointers import shorts

    UNITS, OUTPUTS, INPUTS = 32, 4, 768
    UNIT_BIASES = INPUTS * UNITS
    OUTPUT_WEIGHTS = UNIT_BIASES + UNITS
    OUTPUT_BIASES = OUTPUT_WEIGHTS + 2 * UNITS * OUTPUTS
    TOTAL = OUTPUT_BIASES + OUTPUTS

    def add(sums, at, weights, row):
        """Add the weights of an input."""
        for j in range(UNITS):
            sums[at + j] += weights[row + j]

    def subtract(sums, at, weights, row):
        """Subtract them."""
        for j in range(UNITS):
            sums[at + j] -= weights[row + j]

    def weighted_sum(sums, at, weights, row):
        """The weighted sum of the units of a side: sums[at:], weights[row:]."""
        units = [min(255, max(0, total)) ** 2 >> 8 for total in sums[at : at + UNITS]]
        return sum([unit * weights[row + j] for j, unit in enumerate(units)])


SIZE = 2 * TOTAL  # bytes of the weights
SHAPE = (INPUTS, UNITS, OUTPUTS)
ONE = 256  # a sum, or a unit, of 1
PARTS = 16  # of a hundredth of a pawn, in outputs
CUT = cython.declare(cython.int, ONE)
SHIFT = cython.declare(cython.int, (ONE * PARTS).bit_length() - 1)


class CorrectedEvaluation(PackedEvaluation):
    """`classic` plus the correction of a network. The weights are those of the network."""

    stored = "correction.toml"
    name = "correction"
    words = "classic, corrected by a small network that was learned by self-play"
    size = SIZE

    def __init__(self, classic):
        """`classic`: the evaluation that it was learned for."""
        PackedEvaluation.__init__(self)
        self.classic = classic

    @property
    def checksum(self):
        """16 hex digits of the network and of `classic`."""
        return blake2b(self.classic.checksum.encode() + self.weights, digest_size=8).hexdigest()

    @cached_property
    def numbers(self):
        """The weights as games share them."""
        return memoryview(bytearray(self.weights)).cast("h")

    def with_weights(self, weights, file=None):
        """This evaluation with another network."""
        other = Evaluation.with_weights(self, weights, file)
        vars(other).pop("numbers", None)
        return other

    def parts(self, position):
        """The values of `classic` and of the correction."""
        classic = self.classic.evaluate(position)
        return {"classic": classic, "correction": self.evaluate(position) - classic}


class ChessCorrection:
    """Computes corrections. Holds the sums of one position: one per thread; the weights are shared."""

    def __init__(self, weights):
        """`weights`: `CorrectedEvaluation.numbers`."""
        self.owner = weights
        self.weights = shorts(weights)
        self.is_valid = False
        if not cython.compiled:
            self.last_pieces, self.mirrored, self.sums = [0] * 12, [0] * 2, [0] * (2 * UNITS)

    def of(self, kinds, colours, turn):
        """The correction of a position given as two sequences of ints, for Python. The mover's view."""
        if not cython.compiled:
            return self.value(kinds, colours, turn)
        boards: cython.ulonglong[6]
        sides: cython.ulonglong[2]
        i: cython.int
        for i in range(6):
            boards[i] = kinds[i]
        sides[0] = colours[0]
        sides[1] = colours[1]
        return self.value(boards, sides, turn)

    @cython.final
    def value(self, kinds, colours, turn):
        """The correction for the side to move, `turn`, in hundredths of a pawn."""
        side: cython.int
        kind: cython.int
        colour: cython.int
        # 1. If a king has changed wings, all squares of its side are mirrored: sum anew.
        stale: cython.int = 0
        for side in range(2):
            wing: cython.int = (lowest(kinds[KING] & colours[side]) >> 2) & 1
            if wing != self.mirrored[side] or not self.is_valid:
                self.mirrored[side] = wing
                stale |= 1 << side
        # 2. Pieces that have appeared or disappeared.
        for colour in range(2):
            for kind in range(6):
                squares: cython.ulonglong = kinds[kind] & colours[colour]
                changed: cython.ulonglong = squares ^ self.last_pieces[6 * colour + kind]
                self.last_pieces[6 * colour + kind] = squares
                while changed and stale != 3:
                    square: cython.int = lowest(changed)
                    changed &= changed - 1
                    appears: cython.bint = (squares >> square) & 1
                    for side in range(2):
                        if not (stale >> side) & 1:
                            self.update_sums(side, colour, kind, square, appears)
        for side in range(2):
            if (stale >> side) & 1:
                self.refresh(side, kinds, colours)
        self.is_valid = True
        # 3. The output of the bucket of this number of pieces.
        bucket: cython.int = (popcount(colours[0] | colours[1]) - 1) >> 3
        total: cython.int = self.weights[OUTPUT_BIASES + bucket] * CUT
        for side in range(2):
            row: cython.int = OUTPUT_WEIGHTS + UNITS * (2 * bucket + side)
            total += weighted_sum(self.sums, UNITS * (side ^ turn), self.weights, row)
        return total >> SHIFT

    @cython.final
    def update_sums(self, side, colour, kind, square, appears):
        """Add or subtract the weights of a piece on a square."""
        at: cython.int = UNITS * side
        square ^= (56 if side else 0) ^ (7 if self.mirrored[side] else 0)
        row: cython.int = UNITS * (384 * (colour ^ side) + 64 * kind + square)
        if appears:
            add(self.sums, at, self.weights, row)
        else:
            subtract(self.sums, at, self.weights, row)

    @cython.final
    def refresh(self, side, kinds, colours):
        """Sum up the weights of all pieces."""
        j: cython.int
        kind: cython.int
        colour: cython.int
        for j in range(UNITS):
            self.sums[UNITS * side + j] = self.weights[UNIT_BIASES + j]
        for colour in range(2):
            for kind in range(6):
                rest: cython.ulonglong = kinds[kind] & colours[colour]
                while rest:
                    self.update_sums(side, colour, kind, lowest(rest), True)
                    rest &= rest - 1
