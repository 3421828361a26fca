"""Steps of a random agent in environments of the peers: `peer_stepping.py LIBRARY GAME STEPS GAMES`.

LIBRARY is `pettingzoo` (its own games), `state` (a loop over OpenSpiel's states) or `vector` (OpenSpiel's
vector environment with GAMES games). Prints the CPU seconds per step, including the choice of the action.
"""

import random
import sys
import time

NAMES = {"connect4": "connect_four", "tictactoe": "tic_tac_toe"}


def pettingzoo(game, steps, _):
    """One game after another, with observations and action masks."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    env = {"connect4": connect_four_v3, "tictactoe": tictactoe_v3}[game].env()
    env.reset()
    take_steps(env, steps)


def take_steps(env, steps):
    """Take random legal actions in a PettingZoo environment."""
    for _ in range(steps):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset()
            observation = env.last()[0]
        env.step(int(random.choice(observation["action_mask"].nonzero()[0])))


def state(game, steps, _):
    """One game after another, with the observation tensor of each state."""
    import pyspiel

    spiel_game = pyspiel.load_game(NAMES[game])
    position = spiel_game.new_initial_state()
    for _ in range(steps):
        if position.is_terminal():
            position.returns()
            position = spiel_game.new_initial_state()
        position.observation_tensor()
        position.apply_action(random.choice(position.legal_actions()))


def vector(game, steps, games):
    """`games` games in parallel; each call takes a step in every game."""
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    envs = vector_env.SyncVectorEnv([rl_environment.Environment(NAMES[game]) for _ in range(games)])
    time_steps = envs.reset()
    for _ in range(max(1, steps // games)):
        outputs = []
        for time_step in time_steps:
            player = time_step.observations["current_player"]
            action = random.choice(time_step.observations["legal_actions"][player])
            outputs.append(StepOutput(action, None))
        time_steps, _, _, _ = envs.step(outputs, reset_if_done=True)


def main() -> None:
    """Time the steps, after a tenth of their number as warm-up."""
    library, game, steps, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    run = {"pettingzoo": pettingzoo, "state": state, "vector": vector}[library]
    random.seed(1)
    run(game, steps // 10, games)
    start = time.process_time()
    run(game, steps, games)
    print((time.process_time() - start) / (steps if library != "vector" else max(1, steps // games) * games))


if __name__ == "__main__":
    main()
