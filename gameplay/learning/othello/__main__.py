"""`python -m gameplay.learning.othello --out FILE.toml`: fit the weights of `patterns` to self-play games.

The games of each round are played by the weights fitted to the previous one, the first by `classic`; the last
fit is to the last two rounds. The weights do not depend on the number of processes.
`python -m gameplay.learning.othello.corrections` then improves them.
"""

import argparse
import os
import time
from pathlib import Path

from gameplay import weights
from gameplay.errors import Usage
from gameplay.games.othello.evaluation import EVALUATIONS
from gameplay.learning.othello.fit import fit
from gameplay.learning.othello.self_play import FIELDS, play_games
from gameplay.learning.program import check_out, library, run

ROUNDS = (1, 2, 5, 6)  # fourteenths of the games


def main() -> None:
    """Play and fit in rounds, each by the weights of the previous one; the last fit is to the last two."""
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
    check_out(args.out)
    if args.jobs < 1:
        raise Usage(f"--jobs expects at least 1, not {args.jobs}")
    rows = np.zeros(0, FIELDS)
    evaluation = EVALUATIONS["classic"]
    for number, share in enumerate(ROUNDS):
        count = share * args.games // sum(ROUNDS)
        began = time.monotonic()
        played = play_games(count, evaluation, args.seed + number, args.jobs)
        seconds = time.monotonic() - began
        print(f"{count} games by {evaluation.name}: {len(played)} positions, {seconds:.0f} s")
        rows = np.concatenate([rows, played]) if number == len(ROUNDS) - 1 else played
        began = time.monotonic()
        evaluation = EVALUATIONS["patterns"].with_weights(fit(rows))
        print(f"fitted in {time.monotonic() - began:.0f} s")
        weights.write(evaluation, args.out, f"Learned from {args.games} games, seed {args.seed}.")
        print(args.out)


if __name__ == "__main__":
    run(main)
