"""Backgammon of the peers, run by their Python: `gammon.py generate GAMES`, `gammon.py play MATCH`.

`generate` generates the legal moves of the positions of random games in OpenSpiel, and prints the numbers of
moves and positions and the CPU seconds as JSON. `play` reads a line per decision: the player (gnubg or
pubeval), two dice, the checkers of the opponent and of the player on roll (points 1 to 24, then the bar). It
prints the move. With MATCH 1 GNU Backgammon plays a match to one point, in which gammons do not count, with 0
for points.
"""

import json
import random
import sys
import time


def generate(games):
    import pyspiel

    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    rng, states = random.Random(1), []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                states.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
    start = time.process_time()
    moves = sum(len(state.legal_actions()) for state in states)
    print(json.dumps({"moves": moves, "positions": len(states), "seconds": time.process_time() - start}))


def play(match):
    import gnubg_nn

    if match:
        gnubg_nn.set.score(match, match)
    for line in sys.stdin:
        player, high, low, *numbers = line.split()
        checkers = list(map(int, numbers))
        board = [checkers[:25], checkers[25:]]
        if player == "pubeval":
            points = [point + 1 for point in gnubg_nn.pub_best_move(board, int(high), int(low))]
            steps = list(zip(points[::2], points[1::2], strict=True))
        else:
            steps = gnubg_nn.best_move(board, int(high), int(low), 0)
        print(" ".join(f"{origin}/{max(target, 0)}" for origin, target in steps), flush=True)


if __name__ == "__main__":
    {"generate": generate, "play": play}[sys.argv[1]](int(sys.argv[2]))
