# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Evaluations of Othello: the expected final difference in hundredths of a disc. Types: evaluation.pxd.

`patterns` sums the weights of 46 line and corner patterns, indexed by their squares, and of mobility, by game
phase (Buro, "Improving heuristic mini-max search by supervised learning", 2002).
The weights, in `weights.toml` and `weights.bin`, were fitted by `gameplay.learning.othello` to games of
self-play whose ends were solved, and to values of searches. `classic` is a hand-made evaluation: mobility,
frontier, corners and the squares next to them, stable discs, and parity. `linear` is a sum of named terms
(terms.py).

An index has a digit of base 3 for each square, 0 empty, 1 the mover's, 2 the other's, the first square the
lowest. It is a sum over the rows of the board: SHARES[row, byte of the mover's discs] + 2 SHARES[row, byte of
the other's].
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from functools import cached_property

from gameplay.evaluation import Evaluation, PackedEvaluation, by_name, linear_evaluation

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, ONE, popcount
else:
    from gameplay.native.bits import M64, ONE, popcount

# One pattern of each kind; the others are its symmetric images.
KINDS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 9, 14),  # an edge and the X-squares next to it
    (0, 1, 2, 8, 9, 10, 16, 17, 18),  # a corner of 3x3
    (8, 9, 10, 11, 12, 13, 14, 15),  # rows and columns
    (16, 17, 18, 19, 20, 21, 22, 23),
    (24, 25, 26, 27, 28, 29, 30, 31),
    (0, 9, 18, 27, 36, 45, 54, 63),  # diagonals
    (1, 10, 19, 28, 37, 46, 55),
    (2, 11, 20, 29, 38, 47),
    (3, 12, 21, 30, 39),
    (4, 13, 22, 31),
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),  # a corner of 2x5
)
COUNT = cython.declare(cython.int, 46)  # of patterns
STRIDE = cython.declare(cython.int, 48)  # padded for vector instructions
SIZE = cython.declare(cython.int, 167265)  # of the weights of a phase: the sum of 3 ** len(kind)
PHASES = cython.declare(cython.int, 12)  # of five discs each
# Mobility and potential mobility of both sides, and the parity of the empty squares, even and odd.
FEATURES = cython.declare(cython.int, 6)
MAX_VALUE = cython.declare(cython.int, 6400)  # the maximum difference

NOT_A = cython.declare(cython.ulonglong, 0xFEFEFEFEFEFEFEFE)
NOT_H = cython.declare(cython.ulonglong, 0x7F7F7F7F7F7F7F7F)

if not cython.compiled:
    SHARES = [0] * 98304
    OFFSET = [0] * 48


def image(square, turn):
    """The image of a square under one of eight symmetries, 0 the identity."""
    y, x = square >> 3, square & 7
    if turn & 1:
        y, x = x, y
    return 8 * (7 - y if turn & 2 else y) + (7 - x if turn & 4 else x)


def images(kind):
    """The patterns of a kind: every image of its squares, each set of squares once."""
    patterns = {}
    for turn in range(8):
        squares = tuple([image(square, turn) for square in kind])
        patterns.setdefault(frozenset(squares), squares)
    return list(patterns.values())


def classes(kind):
    """The class of each index of a kind, from 0, and their number: mirror images share a class."""
    mirror = kind
    for turn in range(8):
        squares = tuple([image(square, turn) for square in kind])
        if squares != kind and set(squares) == set(kind):
            mirror = squares
    back = [0]
    for square in kind:
        power = 3 ** mirror.index(square)
        back = back + [index + power for index in back] + [index + 2 * power for index in back]
    numbers = []
    count = 0
    for index, other in enumerate(back):
        if other < index:
            numbers.append(numbers[other])
        else:
            numbers.append(count)
            count += 1
    return numbers, count


def init_tables():
    """Fill the tables that do not depend on weights: the offset of each pattern, and SHARES."""
    number: cython.int = 0
    start: cython.int = 0
    byte: cython.int
    share: cython.int = 0
    for kind in KINDS:
        for squares in images(kind):
            OFFSET[number] = start
            share = 1
            for square in squares:
                row: cython.int = square >> 3
                bit: cython.int = square & 7
                for byte in range(256):
                    if (byte >> bit) & 1:
                        SHARES[(row * 256 + byte) * STRIDE + number] += share
                share *= 3
            number += 1
        start += share


def with_neighbours(x):
    """The squares of `x` and their neighbours; may set bits beyond the board."""
    x |= ((x << 1) & NOT_A) | ((x >> 1) & NOT_H)
    return x | (x << 8) | (x >> 8)


def classic(p, o, cells, size, move_count, reply_count, stable):
    """The hand-made evaluation; `stable`: the mover's known stable discs minus the opponent's."""
    empty: cython.ulonglong = ~(p | o) & cells
    empties: cython.int = popcount(empty)
    area: cython.int = size * size
    discs: cython.int = popcount(p) - popcount(o)
    # 1. Mobility, relative to all moves, and the frontier: discs beside empty squares.
    value: cython.int = 2000 // (move_count + reply_count + 2) * (move_count - reply_count)
    edge: cython.ulonglong = with_neighbours(empty)
    value -= 35 * (popcount(p & edge) - popcount(o & edge))
    # 2. Corners; next to an empty one the X-square and the C-squares.
    far: cython.int = size - 1
    i: cython.int
    for i in range(4):
        down: cython.int = -8 if i & 2 else 8
        right: cython.int = -1 if i & 1 else 1
        corner: cython.int = (8 * far if i & 2 else 0) + (far if i & 1 else 0)
        if p & (ONE << corner):
            value += 700
        elif o & (ONE << corner):
            value -= 700
        else:
            before: cython.ulonglong = ONE << (corner + down + right)
            beside: cython.ulonglong = (ONE << (corner + down)) | (ONE << (corner + right))
            value -= 350 * (popcount(p & before) - popcount(o & before))
            value -= 120 * (popcount(p & beside) - popcount(o & beside))
    # 3. Stable discs, and, towards the end, discs.
    value += 90 * stable
    if 2 * empties < area:
        value += 100 * (area - 2 * empties) // area * discs
    # 4. Parity: the side that makes the last move.
    if empties & 1:
        value += 150
    return MAX_VALUE if value > MAX_VALUE else -MAX_VALUE if value < -MAX_VALUE else value


class OthelloEvaluation:
    """The tables of a set of weights; all games and threads that use it share them."""

    def __init__(self, data):
        """data: 72 little-endian 16-bit ints for `feature_weights`, then a byte a class and phase."""
        if not cython.compiled:
            self.weights = [0] * 2007180
            self.feature_weights = [0] * 72
        if not SHARES[STRIDE]:
            init_tables()
        start: cython.int = 0
        phase: cython.int
        i: cython.int
        place: cython.int = 2 * PHASES * FEATURES
        for i in range(PHASES * FEATURES):
            self.feature_weights[i] = int.from_bytes(data[2 * i : 2 * i + 2], "little", signed=True)
        packed: cython.p_uchar = data
        for kind in KINDS:
            classed, count = classes(kind)
            length: cython.int = len(classed)
            number: cython.int = count
            for i in range(length):
                one: cython.int = classed[i]
                for phase in range(PHASES):
                    byte: cython.int = packed[place + phase * number + one]
                    self.weights[phase * SIZE + start + i] = byte - 256 if byte > 127 else byte
            place += PHASES * number
            start += length

    def patterns(self, p, o, move_count, reply_count, index):
        """The evaluation by patterns; `index`: a buffer of STRIDE ints."""
        row: cython.int
        i: cython.int
        for i in range(STRIDE):
            index[i] = 0
        for row in range(8):
            a: cython.int = (row * 256 + cython.cast(cython.int, (p >> (8 * row)) & 255)) * STRIDE
            b: cython.int = (row * 256 + cython.cast(cython.int, (o >> (8 * row)) & 255)) * STRIDE
            for i in range(STRIDE):
                index[i] += SHARES[a + i] + 2 * SHARES[b + i]
        discs: cython.int = popcount(p | o)
        phase: cython.int = (discs - 4) // 5 if discs > 4 else 0
        if phase >= PHASES:
            phase = PHASES - 1
        a = phase * SIZE
        b = 0
        for i in range(COUNT):
            b += self.weights[a + OFFSET[i] + index[i]]
        a = phase * FEATURES
        empty: cython.ulonglong = ~(p | o) & M64
        b = (
            10 * b
            + self.feature_weights[a] * move_count
            + self.feature_weights[a + 1] * reply_count
            + self.feature_weights[a + 2] * popcount(with_neighbours(o) & empty)
            + self.feature_weights[a + 3] * popcount(with_neighbours(p) & empty)
            + self.feature_weights[a + 4 + (discs & 1)]
        )
        return MAX_VALUE if b > MAX_VALUE else -MAX_VALUE if b < -MAX_VALUE else b


class Patterns(PackedEvaluation):
    """Weights of lines and corners of the board, by the number of discs."""

    name = "patterns"
    size = 1366668

    @cached_property
    def tables(self):
        """The weights, unpacked for the search."""
        return OthelloEvaluation(self.weights)

    def with_weights(self, weights, file=None):
        """This evaluation with other weights."""
        other = Evaluation.with_weights(self, weights, file)
        vars(other).pop("tables", None)
        return other


SCALE = 2048  # weights of `feature_weights` are in 2048ths of a hundredth of a disc

EVALUATIONS = by_name(
    "othello",
    Patterns(version=2),
    Evaluation("classic", "mobility, frontier, corners and the squares beside them, stable discs, parity"),
    linear_evaluation(__file__, "linear", "a sum of named terms, for learning", SCALE, max_weight=1 << 21),
)
