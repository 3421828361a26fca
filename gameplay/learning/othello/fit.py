"""Fits weights of patterns to positions of games, or to their labels, by ridge regression.

Solved positions are labelled with the exact disc difference, the others with a mix of the game's result and
the predicted value LOOKAHEAD plies later (temporal differences, Sutton 1988). Each phase of five discs, the
last first, is fitted to its positions and those MARGIN discs before and after it (Buro 2002), weighting close
games more.
"""

from itertools import accumulate, pairwise
from typing import Any

from gameplay.games.othello.evaluation import KINDS, classes, images
from gameplay.learning.othello.self_play import FIELDS, SOLVED
from gameplay.learning.program import library

CLOSE = 24  # discs: a position with a label of this size has half weight
PHASES, MARGIN = 12, 4  # a phase is fitted to positions up to this many discs before and after it, too
RIDGE = (40.0, 3.0)  # penalty in the first phase and in the last, in positions
MAX_POSITIONS = 8_000_000  # per phase
LOOKAHEAD, BOOTSTRAP = 10, 0.7  # plies, and the share in the label, of the predicted value
STEPS = 30  # iterations of conjugate gradients


def shift(x: Any, step: int) -> Any:
    """Shift bitboards by `step` squares; discs do not wrap around the edges."""
    np = library("numpy")
    if step in (1, 9, -7):
        x = x & np.uint64(0x7F7F7F7F7F7F7F7F)
    elif step in (-1, -9, 7):
        x = x & np.uint64(0xFEFEFEFEFEFEFEFE)
    return x << np.uint64(step) if step > 0 else x >> np.uint64(-step)


DIRECTIONS = (1, -1, 8, -8, 7, -7, 9, -9)


def features(p: Any, o: Any) -> Any:
    """Mobility and potential mobility of both sides, and a constant for each parity of the empty squares."""
    np = library("numpy")
    empty = ~(p | o)

    def moves(p: Any, o: Any) -> Any:
        targets = np.zeros_like(p)
        for step in DIRECTIONS:
            run = shift(p, step) & o
            for _ in range(5):
                run |= shift(run, step) & o
            targets |= shift(run, step) & empty
        return np.bitwise_count(targets)

    def potential(o: Any) -> Any:
        near = o.copy()
        for step in DIRECTIONS:
            near |= shift(o, step)
        return np.bitwise_count(near & empty)

    odd = np.bitwise_count(empty) & 1
    columns = [moves(p, o), moves(o, p), potential(o), potential(p), 1 - odd, odd]
    return np.stack(columns, 1).astype(np.float64)


def columns(p: Any, o: Any) -> list[tuple[Any, slice]]:
    """For each pattern: the class of each position, and the slice of the weights of its kind."""
    np = library("numpy")
    one = np.uint64(1)
    cells = [((p >> np.uint64(s)) & one).astype(np.uint16) for s in range(64)]
    for s, cell in enumerate(cells):
        cell += 2 * ((o >> np.uint64(s)) & one).astype(np.uint16)
    indexed = []
    for kind, part in zip(KINDS, kind_slices(), strict=True):
        table = np.array(classes(kind)[0], dtype=np.intp)  # the type that `bincount` and indexing need
        for squares in images(kind):
            index = sum(np.uint16(3**i) * cells[square] for i, square in enumerate(squares))
            indexed.append((table[index], part))
    return indexed


def predict(patterns: list[tuple[Any, slice]], amounts: Any, w: Any, v: Any) -> Any:
    """The values of positions: the weights `w` of their pattern classes, and `v` times their features."""
    total = amounts @ v
    for indices, part in patterns:
        total += w[part][indices]
    return total


def fit(rows: Any) -> bytes:
    """Fit all phases to positions and their results; return the packed weights."""
    np = library("numpy")
    p, o, y, turn = (rows[name] for name, _ in FIELDS)
    discs = np.bitwise_count(p | o).astype(np.int8)
    predicted = y.copy()
    later = np.minimum(np.arange(len(rows)) + LOOKAHEAD, len(rows) - 1)
    later = np.where((discs[later] > discs) & (64 - discs > SOLVED), later, -1)  # in the same game; -1: none
    linear: list[Any] = []
    weights: list[Any] = []
    for phase in reversed(range(PHASES)):
        begin, end = 4 + 5 * phase - MARGIN, 4 + 5 * phase + 5 + MARGIN
        used = np.flatnonzero((discs >= begin) & (discs < end))
        if len(used) > MAX_POSITIONS:
            used = used[:: len(used) // MAX_POSITIONS + 1]
        next_row = later[used]
        share = np.where(next_row >= 0, BOOTSTRAP, 0.0)
        sign = np.where(turn[next_row] == turn[used], 1, -1)
        label = (1 - share) * y[used] + share * sign * predicted[next_row]
        ridge = RIDGE[0] + (RIDGE[1] - RIDGE[0]) * phase / (PHASES - 1)
        terms = columns(p[used], o[used]), features(p[used], o[used])
        v, w, error = solve(*terms, label, closeness(label), ridge)
        in_phase = np.flatnonzero((discs - 4) // 5 == phase)
        for part in np.array_split(in_phase, 1 + len(rows) // MAX_POSITIONS):
            values = predict(columns(p[part], o[part]), features(p[part], o[part]), w, v)
            predicted[part] = np.clip(values, -64, 64)
        print(f"  {begin:2d}..{end - 1:2d} discs  {len(used):7d} positions  error {error:.2f} discs")
        linear.insert(0, v)
        weights.insert(0, w)
    return pack(np.array(linear), np.array(weights))


def kind_slices() -> list[slice]:
    """For each kind of pattern the slice of its weights."""
    ends = list(accumulate(classes(kind)[1] for kind in KINDS))
    return [slice(start, end) for start, end in pairwise([0, *ends])]


def pack(linear: Any, weights: Any) -> bytes:
    """Round weights, in discs, to the contents of a file; a row of each array is a phase."""
    np = library("numpy")
    linear = np.clip(np.rint(100 * linear), -32000, 32000).astype("<i2")
    weights = np.clip(np.rint(10 * weights), -127, 127).astype(np.int8)
    return b"".join([linear.tobytes(), *(weights[:, part].tobytes() for part in kind_slices())])


def unpack(packed: bytes) -> tuple[Any, Any]:
    """The weights of features and of pattern classes in discs, a row a phase, of a packed file."""
    np = library("numpy")
    count = 6 * PHASES
    linear = np.frombuffer(packed, "<i2", count).reshape(PHASES, 6) / 100
    numbers = np.frombuffer(packed, np.int8, offset=2 * count)
    parts = [numbers[PHASES * part.start : PHASES * part.stop] for part in kind_slices()]
    return linear, np.concatenate([part.reshape(PHASES, -1) for part in parts], 1) / 10


def closeness(y: Any) -> Any:
    """The weight of each position: 1 for a label of 0 discs, 1/2 for CLOSE."""
    return 1 / (1 + (y / CLOSE) ** 2)


def solve(
    patterns: list[tuple[Any, slice]], amounts: Any, y: Any, importance: Any, ridge: float
) -> tuple[Any, Any, float]:
    """Ridge regression by conjugate gradients, each unknown scaled by its frequency.

    `patterns`: as of `columns`; `amounts`: of the features; `importance`: the weight of each position;
    `ridge`: the penalty, in positions. Returns the weights of the features, those of the pattern classes, and
    the root mean square error.
    """
    np = library("numpy")
    size = patterns[-1][1].stop
    if not len(y):  # no position of this phase
        return np.zeros(6), np.zeros(size), 0.0

    def class_sums(r: Any) -> Any:
        """For each class the sum of `r` over the positions with it."""
        total = np.zeros(size)
        for indices, part in patterns:
            total[part] += np.bincount(indices, r, part.stop - part.start)
        return total

    scale = np.concatenate([(amounts**2).sum(0) + ridge, class_sums(np.ones(len(y))) + ridge]) ** -0.5
    root = importance**0.5

    def forward(x: Any) -> Any:
        x = x * scale
        return root * predict(patterns, amounts, x[6:], x[:6])

    def backward(r: Any) -> Any:
        r = r * root
        return np.concatenate([amounts.T @ r, class_sums(r)]) * scale

    penalty = ridge * scale**2
    x = np.zeros(size + 6)
    y = root * y
    r = backward(y)
    d = r.copy()
    norm = r @ r
    for _ in range(STEPS):
        if not norm:
            break
        q = backward(forward(d)) + penalty * d
        step = norm / (d @ q)
        x += step * d
        r -= step * q
        norm, old = r @ r, norm
        d = r + norm / old * d
    error = float(np.sqrt(np.sum((forward(x) - y) ** 2) / np.sum(root**2)))
    x *= scale
    return x[:6], x[6:], error
