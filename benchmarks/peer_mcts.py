"""Monte Carlo tree search of OpenSpiel, run by the Python of the peers: `peer_mcts.py GAME COUNT`.

Prints the CPU seconds of a search of COUNT simulations from the initial position.
"""

import sys
import time

import pyspiel


def main() -> None:
    """Time one search, after a short one as warm-up."""
    name, count = sys.argv[1], int(sys.argv[2])
    game = pyspiel.load_game(name)
    seconds = 0.0
    for simulations in (count // 10, count):
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(
            game, evaluator, 1.41, simulations, 1000, False, 1, False, pyspiel.ChildSelectionPolicy.UCT
        )
        start = time.process_time()
        bot.step(game.new_initial_state())
        seconds = time.process_time() - start
    print(seconds)


if __name__ == "__main__":
    main()
