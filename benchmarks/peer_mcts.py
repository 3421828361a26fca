"""OpenSpiel's Monte Carlo tree search, timed by the Python it is installed for: `peer_mcts.py GAME COUNT`.

Prints the CPU seconds of one search of so many simulations from the first position.
"""

import sys
import time

import pyspiel


def main() -> None:
    """One search, after a short one that warms up."""
    game, count = sys.argv[1], int(sys.argv[2])
    rules = pyspiel.load_game(game)
    seconds = 0.0
    for simulations in (count // 10, count):
        playouts = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(
            rules, playouts, 1.41, simulations, 1000, False, 1, False, pyspiel.ChildSelectionPolicy.UCT
        )
        start = time.process_time()
        bot.step(rules.new_initial_state())
        seconds = time.process_time() - start
    print(seconds)


if __name__ == "__main__":
    main()
