"""CFR of OpenSpiel, run by the Python of the peers: `peer_cfr.py GAME SOLVER ITERATIONS`.

SOLVER is `c++` or `python`. Prints the CPU seconds per iteration and the exploitability of the average
strategy.
"""

import sys
import time

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability


def main() -> None:
    """Time the iterations; building the tree is not included."""
    name, language, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRSolver(game) if language == "c++" else cfr.CFRSolver(game)
    start = time.process_time()
    for _ in range(count):
        solver.evaluate_and_update_policy()
    seconds = time.process_time() - start
    measure = pyspiel.exploitability if language == "c++" else exploitability.exploitability
    print(seconds / count, measure(game, solver.average_policy()))


if __name__ == "__main__":
    main()
