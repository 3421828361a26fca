"""Backgammon of others, run by the Python of the peers: `gammon.py turns GAMES`, `gammon.py play`.

`turns` prints as JSON how many turns OpenSpiel generated in random games, how many lists of them it was asked
for, and the CPU seconds. `play` reads a line a decision: who plays (gnubg or pubeval), two dice, the men of
the side that waits and of the side on roll (points 1 to 24, the bar). It answers with a turn.
"""

import json
import random
import sys
import time


def turns(games):
    import pyspiel

    rules = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    draw, states = random.Random(1), []
    for _ in range(games):
        state = rules.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                states.append(state.clone())
            state.apply_action(draw.choice(state.legal_actions()))
    start = time.process_time()
    found = sum(len(state.legal_actions()) for state in states)
    print(json.dumps({"turns": found, "asked": len(states), "seconds": time.process_time() - start}))


def play():
    import gnubg_nn

    for line in sys.stdin:
        who, high, low, *numbers = line.split()
        men = list(map(int, numbers))
        board = [men[:25], men[25:]]
        if who == "pubeval":
            given = [point + 1 for point in gnubg_nn.pub_best_move(board, int(high), int(low))]
            steps = list(zip(given[::2], given[1::2], strict=True))
        else:
            steps = gnubg_nn.best_move(board, int(high), int(low), 0)
        print(" ".join(f"{source}/{max(to, 0)}" for source, to in steps), flush=True)


if __name__ == "__main__":
    turns(int(sys.argv[2])) if sys.argv[1] == "turns" else play()
