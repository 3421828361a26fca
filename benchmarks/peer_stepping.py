"""Steps of a random agent in environments of other projects: `peer_stepping.py LIBRARY GAME STEPS GAMES`.

LIBRARY is `pettingzoo` (its own rules), `state` (OpenSpiel's states, in a loop), or `vector` (OpenSpiel's
vector environment of so many games). Prints CPU seconds a step, the choice of a random legal action included.
"""

import random
import sys
import time

NAMES = {"connect4": "connect_four", "tictactoe": "tic_tac_toe"}


def pettingzoo(game, steps, _):
    """One game after another, with observations and masks."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    env = {"connect4": connect_four_v3, "tictactoe": tictactoe_v3}[game].env()
    env.reset()
    step(env, steps)


def step(env, steps):
    """Random legal actions in an environment of this kind."""
    for _ in range(steps):
        observation, _, over, cut, _ = env.last()
        if over or cut:
            env.reset()
            observation = env.last()[0]
        env.step(int(random.choice(observation["action_mask"].nonzero()[0])))


def state(game, steps, _):
    """One game after another, with the tensor of each position."""
    import pyspiel

    rules = pyspiel.load_game(NAMES[game])
    position = rules.new_initial_state()
    for _ in range(steps):
        if position.is_terminal():
            position.returns()
            position = rules.new_initial_state()
        position.observation_tensor()
        position.apply_action(random.choice(position.legal_actions()))


def vector(game, steps, games):
    """Many games, a step each in turn."""
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    envs = vector_env.SyncVectorEnv([rl_environment.Environment(NAMES[game]) for _ in range(games)])
    found = envs.reset()
    for _ in range(max(1, steps // games)):
        legal = [one.observations["legal_actions"][one.observations["current_player"]] for one in found]
        found, _, _, _ = envs.step(
            [StepOutput(random.choice(one), None) for one in legal], reset_if_done=True
        )


def main() -> None:
    """So many steps, after a tenth of them that warms up."""
    library, game, steps, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    play = {"pettingzoo": pettingzoo, "state": state, "vector": vector}[library]
    random.seed(1)
    play(game, steps // 10, games)
    start = time.process_time()
    play(game, steps, games)
    print((time.process_time() - start) / (steps if library != "vector" else max(1, steps // games) * games))


if __name__ == "__main__":
    main()
