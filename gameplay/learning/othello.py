"""`python -m gameplay.learning.othello --out FILE.toml [--games N] [--seed N]`: learns to value Othello.

Plays games against itself from random openings, one ply deep by the evaluation it has so far, and solves the
last LAST squares exactly. The last positions are labelled with the difference of discs that the exact search
says; the others partly with what their game comes to, partly with what the position AHEAD plies later looks
worth, for less goes wrong on the way there (Sutton 1988: temporal differences). Ridge regression finds the
weights of each phase of five discs, the last phase first, from the positions a little before and after it
too (Buro 2002); those of close games weigh more. The first games are played by `classic`, the others by what
these taught, and from openings that it thinks even. `eval=FILE.toml` plays by what was learned. Needs numpy.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

from gameplay import weights
from gameplay.errors import Usage
from gameplay.games.othello import evaluation as forms
from gameplay.games.othello.game import Othello
from gameplay.learning.program import library, run
from gameplay.position import AbstractEvaluation

LAST = 13  # squares left from which on every position is solved
OPENING = (6, 14)  # random plies at the beginning
EVEN = 1200  # hundredths of a disc: no opening is better for a side
CLOSE = 24  # discs: a game won by so many weighs half
BLUNDER = 0.01  # how often a random move is played later; what came before it is then forgotten
PHASES, MARGIN = 12, 4  # positions so many discs before and after a phase count for it
RIDGE = (40.0, 3.0)  # positions' worth of belief that a weight is 0, in the first phase and the last
ENOUGH = 600_000  # positions for a phase
AHEAD, TRUST = 10, 0.7  # what a position so many plies later looks worth is so much of a label
STEPS = 30  # of conjugate gradients


Row = tuple[int, int, int, int]


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


def games(count: int, evaluation: AbstractEvaluation, seed: int) -> list[Row]:
    """The positions of so many games."""
    position = Othello()
    position.evaluation = evaluation
    rng = random.Random(seed)
    rows: list[Row] = []
    for _ in range(count):
        rows += play(position, rng)
    return rows


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


def fit(rows: list[Row]) -> bytes:
    """The contents of the file of weights, unpacked, from positions and their results."""
    np = library("numpy")
    p = np.array([row[0] for row in rows], dtype=np.uint64)
    o = np.array([row[1] for row in rows], dtype=np.uint64)
    y = np.array([row[2] for row in rows], dtype=np.float64)
    discs = np.bitwise_count(p | o).astype(int)
    cells = [
        ((p >> np.uint64(s)) & np.uint64(1)).astype(np.uint8)
        + 2 * ((o >> np.uint64(s)) & np.uint64(1)).astype(np.uint8)
        for s in range(64)
    ]
    columns, start = [], 0
    for kind in forms.KINDS:
        classed, count = forms.classes(kind)
        table = np.array(classed, dtype=np.int32)
        for squares in forms.images(kind):
            index = sum(np.int32(3**i) * cells[square] for i, square in enumerate(squares))
            columns.append(table[index] + start)
        start += count
    where = np.stack(columns, 1)
    more = features(p, o)
    guess = y.copy()
    turn = np.array([row[3] for row in rows])
    later = np.minimum(np.arange(len(rows)) + AHEAD, len(rows) - 1)
    later = np.where((discs[later] > discs) & (64 - discs > LAST), later, -1)  # of the same game, or none
    sign = np.where(turn[later] == turn, 1, -1)
    linear: list[Any] = []
    classes: list[Any] = []
    for phase in reversed(range(PHASES)):
        low, high = 4 + 5 * phase - MARGIN, 4 + 5 * phase + 5 + MARGIN
        chosen = np.flatnonzero((discs >= low) & (discs < high))
        if len(chosen) > ENOUGH:
            chosen = chosen[:: len(chosen) // ENOUGH + 1]
        ahead = later[chosen]
        trust = np.where(ahead >= 0, TRUST, 0.0)
        label = (1 - trust) * y[chosen] + trust * sign[chosen] * guess[ahead]
        v, w, error = solve(where[chosen], more[chosen], label, start, phase)
        here = np.flatnonzero((discs - 4) // 5 == phase)
        guess[here] = np.clip(w[where[here]].sum(1) + more[here] @ v, -64, 64)
        print(f"  {low:2d}..{high - 1:2d} discs  {len(chosen):7d} positions  error {error:.2f} discs")
        linear.insert(0, np.clip(np.rint(100 * v), -32000, 32000).astype("<i2"))
        classes.insert(0, np.clip(np.rint(10 * w), -127, 127).astype(np.int8))
    body = []
    start = 0
    for kind in forms.KINDS:
        count = forms.classes(kind)[1]
        body += [w[start : start + count].tobytes() for w in classes]
        start += count
    return b"".join([v.tobytes() for v in linear] + body)


def solve(where: Any, more: Any, y: Any, size: int, phase: int) -> tuple[Any, Any, float]:
    """Ridge regression by conjugate gradients, each unknown scaled by how often it occurs."""
    np = library("numpy")
    if not len(y):  # too few games for this phase: nothing is believed of it
        return np.zeros(6), np.zeros(size), 0.0
    ridge = RIDGE[0] + (RIDGE[1] - RIDGE[0]) * phase / (PHASES - 1)
    wide = where.shape[1]
    flat = where.ravel()
    count = np.bincount(flat, minlength=size)
    scale = np.concatenate([(more**2).sum(0) + ridge, count + ridge]) ** -0.5

    root = (1 + (y / CLOSE) ** 2) ** -0.5  # of the weight of each position

    def forward(x: Any) -> Any:
        x = x * scale
        return root * (x[6:][where].sum(1) + more @ x[:6])

    def backward(r: Any) -> Any:
        r = r * root
        return np.concatenate([more.T @ r, np.bincount(flat, np.repeat(r, wide), size)]) * scale

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
    """Play, fit, play better games, fit again, play still better ones, fit for good, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=45_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    library("numpy")
    if options.games < 10:
        raise Usage(f"--games is at least 10, not {options.games}")
    if options.out.suffix != ".toml":
        raise Usage(f"--out is a file that ends with .toml, not {options.out}")
    rows: list[Row] = []
    plain, learned = forms.EVALUATIONS["classic"], forms.EVALUATIONS["patterns"]
    for part, (tenths, evaluation) in enumerate(((1, plain), (2, learned), (7, learned))):
        count = tenths * options.games // 10
        began = time.process_time()
        more = games(count, learned if part else evaluation, options.seed + part)
        spent = time.process_time() - began
        print(f"{count} games by {evaluation.name}: {len(more)} positions, {spent:.0f} s")
        rows = rows + more if part == 2 else more
        began = time.process_time()
        learned = learned.weighed(fit(rows))
        print(f"fitted in {time.process_time() - began:.0f} s")
        weights.write(learned, options.out, f"Learned from {options.games} games, seed {options.seed}.")
        print(options.out)


if __name__ == "__main__":
    run(main)
