"""Many games at once: the same as single games, action by action, in every game."""

from random import Random

import numpy as np
import pytest

import gameplay
from gameplay import registry
from gameplay.environments.episode import Episode, make_setting
from gameplay.errors import Usage
from tests.environments.test_every_game import OTHERS, each

GAMES = [name for name in registry.game_names() if name != "tree"]
COUNT, STEPS, CUT = 3, 40, 25


def start_episode(game, number):
    """A single game as started by the vector environment."""
    episode = Episode(make_setting(gameplay.game(game), {}, CUT))
    episode.begin(number)
    return episode


@pytest.mark.parametrize("spec", each([*GAMES, *OTHERS]))
def test_vector_environment_equals_single_games(spec):
    vector = gameplay.vector_env(spec, COUNT, max_steps=CUT)
    singles, rng = [start_episode(spec, 7 + number) for number in range(COUNT)], Random(spec)
    seen, infos = vector.reset(seed=7)
    ended = 0
    for _ in range(STEPS):
        for number, single in enumerate(singles):
            assert np.array_equal(seen[number], single.observation(single.position.turn))
            assert np.array_equal(infos["action_mask"][number], single.mask())
            assert infos["turn"][number] == single.position.turn
        actions = [rng.choice(list(single.legal)) for single in singles]
        assert [vector.format_action(number, action) for number, action in enumerate(actions)] == [
            single.format_action(action) for single, action in zip(singles, actions, strict=True)
        ]
        seen, rewards, over, cut, infos = vector.step(np.array(actions))
        for number, (single, action) in enumerate(zip(singles, actions, strict=True)):
            mover, players = single.position.turn, single.position.players
            cost = single.position.cost(single.move(action)) if players == 1 else 0
            single.act(action)
            expected = [-float(cost)] * players
            if single.outcome is not None:
                expected = [single.payoff(player) - cost for player in range(players)]
            assert infos["rewards"][number].tolist() == expected and rewards[number] == expected[mover]
            assert (over[number], cut[number]) == (single.outcome is not None, single.cut_off)
            if over[number] or cut[number]:
                assert np.array_equal(infos["final_obs"][number], single.observation(mover))
                single.begin(None)
                ended += 1
    assert ended >= COUNT


def test_observations_are_in_their_space():
    vector = gameplay.vector_env("connect4", 5)
    seen, infos = vector.reset(seed=1)
    assert vector.observation_space.contains(seen) and seen.shape == (5, 6, 7, 4)
    assert infos["action_mask"].shape == (5, 7) and vector.action_space.contains(np.zeros(5, np.int64))
    assert vector.single_action_space.n == 7 and vector.num_envs == 5


def test_arrays_are_new_in_each_step():
    vector = gameplay.vector_env("connect4", 2)
    first, infos = vector.reset(seed=1)
    before = first.copy()
    infos["action_mask"][:] = 0
    second, *_ = vector.step(np.array([3, 3]))
    assert np.array_equal(first, before) and not np.array_equal(first, second)


def test_illegal_actions_end_games_with_the_least_payoff():
    vector = gameplay.vector_env("connect4", 2)
    vector.reset(seed=1)
    for _ in range(6):
        vector.step(np.array([0, 1]))
    vector.reset(seed=1)
    for column in (0, 0, 0, 0, 0, 0):
        vector.step(np.array([column, 5]))
    seen, rewards, over, _, infos = vector.step(np.array([0, 6]))
    assert rewards.tolist() == [-1, 0] and over.tolist() == [True, False]
    assert infos["rewards"].tolist() == [[-1, 0], [0, 0]] and infos["illegal_action"].tolist() == [
        True,
        False,
    ]
    assert not seen[0, :, :, 1:3].any() and infos["turn"].tolist() == [0, 1]


def test_an_illegal_action_of_a_puzzle_costs_a_move():
    vector = gameplay.vector_env("puzzle15", 2)
    before, infos = vector.reset(seed=3)
    actions = infos["action_mask"].argmin(axis=1)  # the first that is not legal
    for game in np.flatnonzero(infos["action_mask"].all(axis=1)):
        actions[game] = 0
    after, rewards, over, _, infos = vector.step(actions)
    for game, illegal in enumerate(infos["illegal_action"]):
        assert rewards[game] == -1 and not over[game]
        assert np.array_equal(before[game], after[game]) == illegal


def test_without_a_seed_games_differ_and_go_on():
    left, right = gameplay.vector_env("leduc", 20), gameplay.vector_env("leduc", 20)
    assert not np.array_equal(left.reset()[0], right.reset()[0])
    first, _ = left.reset(seed=4)
    second, _ = left.reset()
    assert not np.array_equal(first, second)
    assert np.array_equal(right.reset(seed=4)[0], first) and np.array_equal(right.reset()[0], second)


def test_positions_are_drawn():
    vector = gameplay.vector_env("tictactoe", 2, render_mode="ansi")
    vector.reset()
    vector.step(np.array([0, 4]))
    first, second = vector.render()
    assert first.startswith("x..") and second.split("\n")[1] == ".x."
    assert gameplay.vector_env("tictactoe", 2).render() is None


class Failing(gameplay.Position):
    """It raises at its third move, once it is broken."""

    broken = False
    plies = 0

    def moves(self):
        return [0, 1]

    def make(self, move):
        if self.plies == 2 and Failing.broken:
            raise ZeroDivisionError("of the game")
        self.plies += 1

    def unmake(self):
        self.plies -= 1

    def outcome(self):
        return (0, 0) if self.plies == 5 else None


def test_errors_of_games_arrive(monkeypatch):
    vector = gameplay.vector_env(Failing, 2, actions=2, length=30)
    vector.reset()
    monkeypatch.setattr(Failing, "broken", True)
    with pytest.raises(ZeroDivisionError, match="of the game"):
        for _ in range(3):
            vector.step(np.array([0, 0]))


def test_too_few_actions_are_an_error():
    with pytest.raises(Usage, match=r"beyond the 2 actions of the environment. Try: actions=4"):
        gameplay.vector_env("tests/examples/games/sticks.py", 2, actions=2).reset()


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0], r"actions are an array \(1,\) of int64; expected 2 whole numbers, one a game"),
        ([0.0, 1.0], r"actions are an array \(2,\) of float64"),
        ([0, 7], "connect4: 7 is not an action, in game 1; expected numbers from 0 to 6"),
        ([-1, 0], "-1 is not an action, in game 0"),
    ],
)
def test_wrong_actions(actions, message):
    vector = gameplay.vector_env("connect4", 2)
    with pytest.raises(Usage, match=r"step\(\) before the first reset\(\)"):
        vector.step(np.array([0, 0]))
    vector.reset()
    with pytest.raises(Usage, match=message):
        vector.step(np.array(actions))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "connect4", "num_envs": 0}, "num_envs is 0; expected a number from 1 up"),
        ({"game": "conect4", "num_envs": 2}, "did you mean 'connect4'"),
        ({"game": "connect4", "num_envs": 2, "colums": 3}, "unknown parameter 'colums'"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(Usage, match=message):
        gameplay.vector_env(**arguments)
