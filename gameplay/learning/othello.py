"""`python -m gameplay.learning.othello --out FILE.toml`: fit the weights of `patterns` to games of self-play.

Games begin with random moves, go on one ply deep by the evaluation of the round before (`classic` at first)
and are solved exactly for the last LAST squares. Positions of the solved part are labelled with the exact
difference of discs; the others partly with that of their game, partly with the value of the position AHEAD
plies later, since fewer mistakes lie between (Sutton 1988: temporal differences). Ridge regression fits the
weights of each phase of five discs, the last phase first, to its positions and those a little before and
after it (Buro 2002); those of close games count more. The weights do not depend on the number of processes.
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
from gameplay.games.othello import evaluation as forms
from gameplay.games.othello.game import Othello
from gameplay.learning.program import library, run
from gameplay.position import AbstractEvaluation

LAST = 11  # squares left from which on every position is solved
OPENING = (6, 14)  # random plies at the beginning
EVEN = 1200  # hundredths of a disc: no opening is better for a side
CLOSE = 24  # discs: a game won by so many weighs half
BLUNDER = 0.01  # how often a random move is played later; what came before it is then forgotten
PHASES, MARGIN = 12, 4  # positions so many discs before and after a phase count for it
RIDGE = (40.0, 3.0)  # positions' worth of belief that a weight is 0, in the first phase and the last
ENOUGH = 8_000_000  # positions for a phase
BATCH = 500  # games with one generator
AHEAD, TRUST = 10, 0.7  # what a position so many plies later looks worth is so much of a label
STEPS = 30  # of conjugate gradients
ROUNDS = (1, 2, 5, 6)  # fourteenths of the games; each round is played by what the one before taught


Row = tuple[int, int, int, int]
FIELDS = [("mover", "u8"), ("other", "u8"), ("result", "f4"), ("turn", "i1")]  # of a row in an array


def play(position: Othello, rng: random.Random) -> list[Row]:
    """Of each position of a game the mover's discs, the other's, what the mover comes to, and the turn."""
    position.setup("")
    for _ in range(rng.randint(*OPENING)):
        if position.outcome() is not None:
            return []
        position.make(rng.choice(position.moves()))
    if abs(position.evaluate()) > EVEN:
        return []
    seen: list[tuple[int, int, int]] = []  # (turn, mover's discs, other's)
    while position.outcome() is None and left(position) > LAST:
        seen.append((position.turn, position.pos, position.opp))
        if rng.random() < BLUNDER:
            seen.clear()
            position.make(rng.choice(position.moves()))
        else:
            position.make(choose(position, rng))
    if position.outcome() is not None:
        return []
    rows = []
    result = position.exact()[0] * (1 if position.turn == 0 else -1)
    rows += [(p, o, result if turn == 0 else -result, turn) for turn, p, o in seen]
    while position.outcome() is None:
        rows.append((position.pos, position.opp, position.exact()[0], position.turn))
        position.make(choose(position, rng))
    return rows


def left(position: Othello) -> int:
    """The empty squares."""
    return 64 - int(position.pos | position.opp).bit_count()


def choose(position: Othello, rng: random.Random) -> int:
    """The move to the position that looks worst for the other side."""
    moves = position.moves()
    best, found = -(10**6), int(moves[0])
    turn = position.turn
    for move in moves:
        position.make(move)
        value = position.evaluate() if position.turn == turn else -position.evaluate()
        position.unmake()
        value += rng.randrange(60)
        if value > best:
            best, found = value, move
    return found


def games(count: int, evaluation: AbstractEvaluation, seed: int, jobs: int = 1) -> Any:
    """The positions of so many games, an array of FIELDS, the same for any number of processes."""
    np = library("numpy")
    weights = evaluation.weights if evaluation.name == "patterns" else None
    sizes = [min(BATCH, count - start) for start in range(0, count, BATCH)]
    seeds = [f"{seed}/{start}" for start in range(0, count, BATCH)]
    if jobs == 1:
        return np.concatenate(list(map(batch, sizes, seeds, repeat(weights))))
    with ProcessPoolExecutor(jobs) as pool:
        return np.concatenate(list(pool.map(batch, sizes, seeds, repeat(weights))))


def batch(count: int, seed: str, weights: bytes | None) -> Any:
    """The positions of some games, by `patterns` with the weights given, or by `classic`."""
    np = library("numpy")
    kinds = forms.EVALUATIONS
    position = Othello()
    position.evaluation = kinds["patterns"].weighed(weights) if weights else kinds["classic"]
    rng = random.Random(seed)
    rows = [row for _ in range(count) for row in play(position, rng)]
    return np.array(rows, dtype=FIELDS)


def shifted(x: Any, step: int) -> Any:
    """Bitboards moved by so many squares, none of them over the border."""
    np = library("numpy")
    if step in (1, 9, -7):
        x = x & np.uint64(0x7F7F7F7F7F7F7F7F)
    elif step in (-1, -9, 7):
        x = x & np.uint64(0xFEFEFEFEFEFEFEFE)
    return x << np.uint64(step) if step > 0 else x >> np.uint64(-step)


STEPS_OF_A_KING = (1, -1, 8, -8, 7, -7, 9, -9)


def features(p: Any, o: Any) -> Any:
    """Mobility and its promise of both sides, and the constant by the parity of the squares left."""
    np = library("numpy")
    empty = ~(p | o)

    def moves(p: Any, o: Any) -> Any:
        found = np.zeros_like(p)
        for step in STEPS_OF_A_KING:
            run = shifted(p, step) & o
            for _ in range(5):
                run |= shifted(run, step) & o
            found |= shifted(run, step) & empty
        return np.bitwise_count(found)

    def promise(o: Any) -> Any:
        near = o.copy()
        for step in STEPS_OF_A_KING:
            near |= shifted(o, step)
        return np.bitwise_count(near & empty)

    odd = np.bitwise_count(empty) & 1
    columns = [moves(p, o), moves(o, p), promise(o), promise(p), 1 - odd, odd]
    return np.stack(columns, 1).astype(np.float64)


def columns(p: Any, o: Any) -> list[tuple[Any, slice]]:
    """Of each pattern the classes of so many positions, and the place of the weights of its kind."""
    np = library("numpy")
    one = np.uint64(1)
    cells = [((p >> np.uint64(s)) & one).astype(np.uint16) for s in range(64)]
    for s, cell in enumerate(cells):
        cell += 2 * ((o >> np.uint64(s)) & one).astype(np.uint16)
    found, start = [], 0
    for kind in forms.KINDS:
        classed, count = forms.classes(kind)
        table = np.array(classed, dtype=np.intp)  # as `bincount` and indexing want them
        for squares in forms.images(kind):
            index = sum(np.uint16(3**i) * cells[square] for i, square in enumerate(squares))
            found.append((table[index], slice(start, start + count)))
        start += count
    return found


def values(where: list[tuple[Any, slice]], more: Any, w: Any, v: Any) -> Any:
    """What the weights of classes and features come to."""
    total = more @ v
    for classes, place in where:
        total += w[place][classes]
    return total


def fit(rows: Any) -> bytes:
    """The contents of the file of weights, unpacked, from an array of positions and their results."""
    np = library("numpy")
    p, o, y, turn = (rows[name] for name, _ in FIELDS)
    discs = np.bitwise_count(p | o).astype(np.int8)
    size = sum(forms.classes(kind)[1] for kind in forms.KINDS)
    guess = y.copy()
    later = np.minimum(np.arange(len(rows)) + AHEAD, len(rows) - 1)
    later = np.where((discs[later] > discs) & (64 - discs > LAST), later, -1)  # of the same game, or none
    linear: list[Any] = []
    weights: list[Any] = []
    for phase in reversed(range(PHASES)):
        low, high = 4 + 5 * phase - MARGIN, 4 + 5 * phase + 5 + MARGIN
        chosen = np.flatnonzero((discs >= low) & (discs < high))
        if len(chosen) > ENOUGH:
            chosen = chosen[:: len(chosen) // ENOUGH + 1]
        ahead = later[chosen]
        trust = np.where(ahead >= 0, TRUST, 0.0)
        sign = np.where(turn[ahead] == turn[chosen], 1, -1)
        label = (1 - trust) * y[chosen] + trust * sign * guess[ahead]
        v, w, error = solve(columns(p[chosen], o[chosen]), features(p[chosen], o[chosen]), label, size, phase)
        for here in np.array_split(np.flatnonzero((discs - 4) // 5 == phase), 1 + len(rows) // ENOUGH):
            found = values(columns(p[here], o[here]), features(p[here], o[here]), w, v)
            guess[here] = np.clip(found, -64, 64)
        print(f"  {low:2d}..{high - 1:2d} discs  {len(chosen):7d} positions  error {error:.2f} discs")
        linear.insert(0, np.clip(np.rint(100 * v), -32000, 32000).astype("<i2"))
        weights.insert(0, np.clip(np.rint(10 * w), -127, 127).astype(np.int8))
    body = []
    start = 0
    for kind in forms.KINDS:
        count = forms.classes(kind)[1]
        body += [w[start : start + count].tobytes() for w in weights]
        start += count
    return b"".join([v.tobytes() for v in linear] + body)


def solve(where: list[tuple[Any, slice]], more: Any, y: Any, size: int, phase: int) -> tuple[Any, Any, float]:
    """Ridge regression by conjugate gradients, each unknown scaled by how often it occurs."""
    np = library("numpy")
    if not len(y):  # too few games for this phase: its weights are 0
        return np.zeros(6), np.zeros(size), 0.0
    ridge = RIDGE[0] + (RIDGE[1] - RIDGE[0]) * phase / (PHASES - 1)

    def counted(r: Any) -> Any:
        """For each class the sum of `r` over the positions that have it."""
        total = np.zeros(size)
        for classes, place in where:
            total[place] += np.bincount(classes, r, place.stop - place.start)
        return total

    scale = np.concatenate([(more**2).sum(0) + ridge, counted(np.ones(len(y))) + ridge]) ** -0.5
    root = (1 + (y / CLOSE) ** 2) ** -0.5  # of the weight of each position

    def forward(x: Any) -> Any:
        x = x * scale
        return root * values(where, more, x[6:], x[:6])

    def backward(r: Any) -> Any:
        r = r * root
        return np.concatenate([more.T @ r, counted(r)]) * scale

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
    """Play and fit in rounds, each with better games than the one before; the last fit is to the last two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1_400_000, help="games of all rounds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.toml")
    options = parser.parse_args()
    np = library("numpy")
    if options.games < sum(ROUNDS):
        raise Usage(f"--games is at least {sum(ROUNDS)}, not {options.games}")
    if options.out.suffix != ".toml":
        raise Usage(f"--out is a file that ends with .toml, not {options.out}")
    if options.jobs < 1:
        raise Usage(f"--jobs is at least 1, not {options.jobs}")
    rows = np.zeros(0, FIELDS)
    learned = forms.EVALUATIONS["classic"]
    for part, share in enumerate(ROUNDS):
        count = share * options.games // sum(ROUNDS)
        began = time.monotonic()
        more = games(count, learned, options.seed + part, options.jobs)
        spent = time.monotonic() - began
        print(f"{count} games by {learned.name}: {len(more)} positions, {spent:.0f} s")
        rows = np.concatenate([rows, more]) if part == len(ROUNDS) - 1 else more
        began = time.monotonic()
        learned = forms.EVALUATIONS["patterns"].weighed(fit(rows))
        print(f"fitted in {time.monotonic() - began:.0f} s")
        weights.write(learned, options.out, f"Learned from {options.games} games, seed {options.seed}.")
        print(options.out)


if __name__ == "__main__":
    run(main)
