"""`python -m gameplay.learning.othello --out FILE.toml`: fit the weights of `patterns` to self-play games.

Games begin with random moves, continue with 1-ply searches by the evaluation of the previous round (`classic`
at first) and are solved exactly for the last SOLVED squares. Solved positions are labelled with the exact
disc difference, the others with a mix of the game's result and the predicted value LOOKAHEAD plies later
(temporal differences, Sutton 1988). Ridge regression fits the weights of each phase of five discs, the last
phase first, to its positions and those MARGIN discs before and after it (Buro 2002), weighting close games
more. The weights do not depend on the number of processes.
"""

import argparse
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

from gameplay import weights
from gameplay.errors import Usage
from gameplay.games.othello.evaluation import EVALUATIONS, KINDS, classes, images
from gameplay.games.othello.game import Othello
from gameplay.learning.program import library, run
from gameplay.position import AbstractEvaluation

SOLVED = 11  # positions with at most this many empty squares are solved
OPENING = (6, 14)  # random plies at the beginning: minimum and maximum
MAX_OPENING_VALUE = 1200  # hundredths of a disc: openings with a greater value are dropped
CLOSE = 24  # discs: a position with a label of this size has half weight
RANDOM_MOVE = 0.01  # probability of a random move after the opening; positions before it are dropped
PHASES, MARGIN = 12, 4  # a phase is fitted to positions this many discs before and after it, too
RIDGE = (40.0, 3.0)  # penalty in the first phase and in the last, in positions
MAX_POSITIONS = 8_000_000  # per phase
BATCH = 500  # games per generator
LOOKAHEAD, BOOTSTRAP = 10, 0.7  # plies, and the share in the label, of the predicted value
STEPS = 30  # of conjugate gradients
ROUNDS = (1, 2, 5, 6)  # fourteenths of the games


Row = tuple[int, int, int, int]
FIELDS = [("mover", "u8"), ("other", "u8"), ("result", "f4"), ("turn", "i1")]  # of a row in an array


def play(position: Othello, rng: random.Random) -> list[Row]:
    """Play a game; return a row per position: the mover's discs, the opponent's, the result, the turn.

    The result is the mover's disc difference. Empty if the opening is uneven or the game ends early.
    """
    position.setup("")
    for _ in range(rng.randint(*OPENING)):
        if position.outcome() is not None:
            return []
        position.make(rng.choice(position.moves()))
    if abs(position.evaluate()) > MAX_OPENING_VALUE:
        return []
    unsolved: list[tuple[int, int, int]] = []  # (turn, mover's discs, opponent's)
    while position.outcome() is None and empty_squares(position) > SOLVED:
        unsolved.append((position.turn, position.pos, position.opp))
        if rng.random() < RANDOM_MOVE:
            unsolved.clear()
            position.make(rng.choice(position.moves()))
        else:
            position.make(choose(position, rng))
    if position.outcome() is not None:
        return []
    result = position.exact()[0] * (1 if position.turn == 0 else -1)
    rows = [(p, o, result if turn == 0 else -result, turn) for turn, p, o in unsolved]
    while position.outcome() is None:
        rows.append((position.pos, position.opp, position.exact()[0], position.turn))
        position.make(choose(position, rng))
    return rows


def empty_squares(position: Othello) -> int:
    """The number of empty squares."""
    return 64 - int(position.pos | position.opp).bit_count()


def choose(position: Othello, rng: random.Random) -> int:
    """The best move by a 1-ply search, with noise of up to 0.6 discs."""
    moves = position.moves()
    best_value, best = -(10**6), int(moves[0])
    turn = position.turn
    for move in moves:
        position.make(move)
        value = position.evaluate() if position.turn == turn else -position.evaluate()
        position.unmake()
        value += rng.randrange(60)
        if value > best_value:
            best_value, best = value, move
    return best


def games(count: int, evaluation: AbstractEvaluation, seed: int, jobs: int = 1) -> Any:
    """Play `count` games; return their positions, an array of FIELDS, the same for any `jobs`."""
    np = library("numpy")
    weights = evaluation.weights if evaluation.name == "patterns" else None
    sizes = [min(BATCH, count - start) for start in range(0, count, BATCH)]
    seeds = [f"{seed}/{start}" for start in range(0, count, BATCH)]
    if jobs == 1:
        return np.concatenate(list(map(batch, sizes, seeds, repeat(weights))))
    with ProcessPoolExecutor(jobs) as pool:
        return np.concatenate(list(pool.map(batch, sizes, seeds, repeat(weights))))


def batch(count: int, seed: str, weights: bytes | None) -> Any:
    """Play `count` games by `patterns` with these weights, or by `classic`; return their positions."""
    np = library("numpy")
    position = Othello()
    position.evaluation = EVALUATIONS["patterns"].weighed(weights) if weights else EVALUATIONS["classic"]
    rng = random.Random(seed)
    rows = [row for _ in range(count) for row in play(position, rng)]
    return np.array(rows, dtype=FIELDS)


def shifted(x: Any, step: int) -> Any:
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
            run = shifted(p, step) & o
            for _ in range(5):
                run |= shifted(run, step) & o
            targets |= shifted(run, step) & empty
        return np.bitwise_count(targets)

    def potential(o: Any) -> Any:
        near = o.copy()
        for step in DIRECTIONS:
            near |= shifted(o, step)
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
    indexed, start = [], 0
    for kind in KINDS:
        class_of, count = classes(kind)
        table = np.array(class_of, dtype=np.intp)  # the type that `bincount` and indexing need
        for squares in images(kind):
            index = sum(np.uint16(3**i) * cells[square] for i, square in enumerate(squares))
            indexed.append((table[index], slice(start, start + count)))
        start += count
    return indexed


def predict(patterns: list[tuple[Any, slice]], linear: Any, w: Any, v: Any) -> Any:
    """The values of positions: weights `w` of their pattern classes, `v` of their features."""
    total = linear @ v
    for indices, part in patterns:
        total += w[part][indices]
    return total


def fit(rows: Any) -> bytes:
    """Fit all phases to positions and their results; return the packed weights."""
    np = library("numpy")
    p, o, y, turn = (rows[name] for name, _ in FIELDS)
    discs = np.bitwise_count(p | o).astype(np.int8)
    size = sum(classes(kind)[1] for kind in KINDS)
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
        v, w, error = solve(columns(p[used], o[used]), features(p[used], o[used]), label, size, phase)
        in_phase = np.flatnonzero((discs - 4) // 5 == phase)
        for part in np.array_split(in_phase, 1 + len(rows) // MAX_POSITIONS):
            values = predict(columns(p[part], o[part]), features(p[part], o[part]), w, v)
            predicted[part] = np.clip(values, -64, 64)
        print(f"  {begin:2d}..{end - 1:2d} discs  {len(used):7d} positions  error {error:.2f} discs")
        linear.insert(0, np.clip(np.rint(100 * v), -32000, 32000).astype("<i2"))
        weights.insert(0, np.clip(np.rint(10 * w), -127, 127).astype(np.int8))
    body = []
    start = 0
    for kind in KINDS:
        count = classes(kind)[1]
        body += [w[start : start + count].tobytes() for w in weights]
        start += count
    return b"".join([v.tobytes() for v in linear] + body)


def solve(
    patterns: list[tuple[Any, slice]], linear: Any, y: Any, size: int, phase: int
) -> tuple[Any, Any, float]:
    """Ridge regression by conjugate gradients, each unknown scaled by its frequency.

    Returns the weights of the features, those of the pattern classes, and the root mean square error.
    """
    np = library("numpy")
    if not len(y):  # no position of this phase
        return np.zeros(6), np.zeros(size), 0.0
    ridge = RIDGE[0] + (RIDGE[1] - RIDGE[0]) * phase / (PHASES - 1)

    def class_sums(r: Any) -> Any:
        """For each class the sum of `r` over the positions with it."""
        total = np.zeros(size)
        for indices, part in patterns:
            total[part] += np.bincount(indices, r, part.stop - part.start)
        return total

    scale = np.concatenate([(linear**2).sum(0) + ridge, class_sums(np.ones(len(y))) + ridge]) ** -0.5
    root = (1 + (y / CLOSE) ** 2) ** -0.5  # square root of the weight of each position

    def forward(x: Any) -> Any:
        x = x * scale
        return root * predict(patterns, linear, x[6:], x[:6])

    def backward(r: Any) -> Any:
        r = r * root
        return np.concatenate([linear.T @ r, class_sums(r)]) * scale

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


def main() -> None:
    """Play and fit in rounds, each with games by the weights of the previous one; the last fit uses two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1_400_000, help="games of all rounds [1,400,000]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes [all cores]")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.toml", help="file to write")
    args = parser.parse_args()
    np = library("numpy")
    if args.games < sum(ROUNDS):
        raise Usage(f"--games expects at least {sum(ROUNDS)}, not {args.games}")
    if args.out.suffix != ".toml":
        raise Usage(f"--out expects a file that ends with .toml, not {args.out}")
    if args.jobs < 1:
        raise Usage(f"--jobs expects at least 1, not {args.jobs}")
    rows = np.zeros(0, FIELDS)
    evaluation = EVALUATIONS["classic"]
    for number, share in enumerate(ROUNDS):
        count = share * args.games // sum(ROUNDS)
        began = time.monotonic()
        played = games(count, evaluation, args.seed + number, args.jobs)
        seconds = time.monotonic() - began
        print(f"{count} games by {evaluation.name}: {len(played)} positions, {seconds:.0f} s")
        rows = np.concatenate([rows, played]) if number == len(ROUNDS) - 1 else played
        began = time.monotonic()
        evaluation = EVALUATIONS["patterns"].weighed(fit(rows))
        print(f"fitted in {time.monotonic() - began:.0f} s")
        weights.write(evaluation, args.out, f"Learned from {args.games} games, seed {args.seed}.")
        print(args.out)


if __name__ == "__main__":
    run(main)
