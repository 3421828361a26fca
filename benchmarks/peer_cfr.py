"""OpenSpiel's CFR, timed by the Python it is installed for: `peer_cfr.py GAME SOLVER ITERATIONS`.

SOLVER is `c++` or `python`. Prints CPU seconds an iteration and the exploitability of the average strategy.
"""

import sys
import time

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability


def main() -> None:
    """So many iterations, the tree built before."""
    name, solver, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    game = pyspiel.load_game(name)
    found = pyspiel.CFRSolver(game) if solver == "c++" else cfr.CFRSolver(game)
    start = time.process_time()
    for _ in range(count):
        found.evaluate_and_update_policy()
    seconds = time.process_time() - start
    measure = pyspiel.exploitability if solver == "c++" else exploitability.exploitability
    print(seconds / count, measure(game, found.average_policy()))


if __name__ == "__main__":
    main()
