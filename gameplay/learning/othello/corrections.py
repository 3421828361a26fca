"""`python -m gameplay.learning.othello.corrections --out FILE.toml`: correct weights of `patterns` by search.

Positions of self-play games, as many with each number of discs, are labelled with their values by `alphabeta`
a few plies deep (DEPTHS), or with their exact values near the end. Ridge regression fits the difference
between label and evaluation: weights of frequent patterns are corrected, those of rare patterns stay
(RootStrap: Veness and others, "Bootstrapping from game tree search", 2009). The weights do not depend on the
number of processes.
"""

import argparse
import os
import time
from itertools import repeat
from pathlib import Path
from typing import Any

from gameplay import weights
from gameplay.engines.alphabeta import AlphaBeta
from gameplay.errors import Usage
from gameplay.games.othello.evaluation import EVALUATIONS
from gameplay.games.othello.game import Othello
from gameplay.learning.othello.fit import (
    PHASES,
    closeness,
    columns,
    features,
    pack,
    predict,
    solve,
    unpack,
)
from gameplay.learning.othello.self_play import map_batches, play_games
from gameplay.learning.program import check_out, library, run
from gameplay.search.limit import Limit

DISCS = range(8, 53)  # numbers of discs of the positions
DEPTHS = ((32, 4), (42, 5), (49, 6))  # below this number of discs, the plies of a search; else exact
MARGIN = 3  # a phase is corrected by positions up to this many discs before and after it, too
RIDGE = 30.0  # penalty of a correction, in positions
BATCH = 500  # positions per batch


def sample(rows: Any, count: int, seed: int) -> Any:
    """Draw positions from rows of `play_games`: `count` with each number of discs, or all there are."""
    np = library("numpy")
    rng = np.random.default_rng(seed)
    discs = np.bitwise_count(rows["mover"] | rows["other"])
    groups = [np.flatnonzero(discs == number) for number in DISCS]
    drawn = [rng.choice(group, min(count, len(group)), replace=False) for group in groups]
    return rows[np.concatenate(drawn)]


def label(rows: Any, packed: bytes, jobs: int = 1) -> Any:
    """Search positions with packed weights; return their values in discs, from the mover's view."""
    np = library("numpy")
    parts = np.array_split(rows, max(1, len(rows) // BATCH))
    return map_batches(jobs, label_batch, parts, repeat(packed))


def label_batch(rows: Any, packed: bytes) -> Any:
    """Label the positions of a batch."""
    np = library("numpy")
    position = Othello()
    position.evaluation = EVALUATIONS["patterns"].with_weights(packed)
    engine = AlphaBeta()
    values = []
    for mover, other in zip(rows["mover"].tolist(), rows["other"].tolist(), strict=True):
        squares = ["X" if mover >> s & 1 else "O" if other >> s & 1 else "-" for s in range(64)]
        position.setup("".join(squares) + " X")
        discs = (mover | other).bit_count()
        depth = next((plies for limit, plies in DEPTHS if discs < limit), None)
        if depth is None:
            values.append(float(position.exact()[0]))
        else:
            values.append(engine.search(position, Limit(depth=depth)).value / 100)
    return np.array(values)


def correct(rows: Any, y: Any, packed: bytes) -> bytes:
    """Correct packed weights by labelled positions; print the error of each phase before and after."""
    np = library("numpy")
    p, o = rows["mover"], rows["other"]
    discs = np.bitwise_count(p | o).astype(np.int8)
    linear, weights = unpack(packed)
    for phase in range(PHASES):
        begin, end = 4 + 5 * phase - MARGIN, 4 + 5 * phase + 5 + MARGIN
        used = np.flatnonzero((discs >= begin) & (discs < end))
        if not np.any((discs - 4) // 5 == phase):
            continue  # neighbouring phases alone do not show what this one misses
        terms = columns(p[used], o[used]), features(p[used], o[used])
        close = closeness(y[used])
        missing = y[used] - np.clip(predict(*terms, weights[phase], linear[phase]), -64, 64)
        v, w, error = solve(*terms, missing, close, RIDGE)
        before = float(np.sqrt(np.sum(close * missing**2) / np.sum(close)))
        errors = f"error {before:.2f} -> {error:.2f} discs"
        print(f"  {begin:2d}..{end - 1:2d} discs  {len(used):7d} positions  {errors}")
        linear[phase] += v
        weights[phase] += w
    return pack(linear, weights)


def main() -> None:
    """Play games, label their positions, correct the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000, help="self-play games [100,000]")
    parser.add_argument("--positions", type=int, default=30_000, help="with each number of discs [30,000]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes [all cores]")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.toml", help="file to write")
    args = parser.parse_args()
    for name in ("games", "positions", "jobs"):
        if getattr(args, name) < 1:
            raise Usage(f"--{name} expects at least 1, not {getattr(args, name)}")
    check_out(args.out)
    evaluation = EVALUATIONS["patterns"]
    began = time.monotonic()
    rows = sample(play_games(args.games, evaluation, args.seed, args.jobs), args.positions, args.seed)
    print(f"{args.games} games: {len(rows)} positions, {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    y = label(rows, evaluation.weights, args.jobs)
    print(f"searched in {time.monotonic() - began:.0f} s")
    corrected = evaluation.with_weights(correct(rows, y, evaluation.weights))
    note = f"Corrected by the values of {len(rows)} positions of {args.games} games, seed {args.seed}."
    weights.write(corrected, args.out, note)
    print(args.out)


if __name__ == "__main__":
    run(main)
