"""PettingZoo environments: rewards, masks, illegal actions, the end, and wrong arguments."""

import pickle
import sys

import numpy as np
import pytest

import gameplay
from gameplay.errors import BadInput, Usage

STICKS = "tests/examples/games/sticks.py"


def play_actions(env, actions):
    """Play actions; the final reward of each agent."""
    env.reset(seed=1)
    for action in actions:
        env.step(action)
    return dict(env.rewards)


def test_payoffs_are_rewards():
    env = gameplay.env("connect4")
    assert play_actions(env, (0, 1, 0, 1, 0, 1)) == {"player_0": 0, "player_1": 0}
    assert not any(env.terminations.values())
    env.step(0)
    assert env.rewards == {"player_0": 1, "player_1": -1} and all(env.terminations.values())
    for _ in range(2):
        observation, reward, over, cut, _ = env.last()
        assert over and not cut and reward == (1 if env.agent_selection == "player_0" else -1)
        assert not observation["action_mask"].any()
        env.step(None)
    assert env.agents == []


def test_points_are_rewards():
    """Kuhn poker: the first bets, the second folds and loses the ante; after a call two chips are lost."""
    env = gameplay.env("kuhn")
    assert play_actions(env, (1, 0)) == {"player_0": 1, "player_1": -1}
    assert sorted(play_actions(env, (1, 1)).values()) == [-2, 2]


def test_planes_show_the_board_and_the_player_to_move():
    env = gameplay.env("connect4")
    env.reset()
    env.step(3)
    seen = env.observe("player_1")
    board = seen["observation"]
    assert board.shape == (6, 7, 4) and (board[:, :, 0] == 1).all()
    assert np.argwhere(board[:, :, 1]).tolist() == [[5, 3]] and not board[:, :, 2].any()
    landing = [[4, 3], *([5, column] for column in (0, 1, 2, 4, 5, 6))]
    assert np.argwhere(board[:, :, 3]).tolist() == landing
    assert seen["action_mask"].tolist() == [1] * 7 and not env.observe("player_0")["action_mask"].any()
    assert env.unwrapped.format_action(3) == "4"


def test_planes_of_chess_show_castling_and_en_passant():
    env = gameplay.env("chess").unwrapped
    env.reset()
    for word in ("e4", "a6", "e5", "d5", "Ke2"):
        if word == "Ke2":
            seen = env.observe("player_0")["observation"]
            assert np.argwhere(seen[:, :, 13]).tolist() == [[0, 0], [0, 7], [7, 0], [7, 7]]  # the rooks
            assert np.argwhere(seen[:, :, 14]).tolist() == [[2, 3]]  # d6
        move = env.episode.position.parse(word)
        env.step(next(action for action, legal in env.episode.legal.items() if legal == move))
    seen = env.observe("player_1")["observation"]
    assert np.argwhere(seen[:, :, 13]).tolist() == [[0, 0], [0, 7]] and not seen[:, :, 14].any()
    assert (seen[:, :, 0] == 1).all() and seen[6, 4, 6]  # black is to move; the white king is on e2


def test_a_plane_of_go_shows_that_a_pass_ends_the_game():
    env = gameplay.env("go", size=3)
    env.reset()
    ends = []
    for action in (4, 9, 9):
        env.step(action)
        ends.append(int(env.observe(env.agent_selection)["observation"][0, 0, 3]))
    assert ends == [0, 1, 0] and all(env.terminations.values())


def test_a_player_sees_their_own_card():
    env = gameplay.env("leduc")
    cards = set()
    for seed in range(20):
        env.reset(seed=seed)
        hands = env.unwrapped.episode.position.state.hands
        for player in (0, 1):
            seen = env.observe(f"player_{player}")["observation"]
            assert seen[:2].tolist() == [player == 0, player == 1]
            assert np.flatnonzero(seen[2:8]).tolist() == [hands[player]]
            cards.add(hands[player])
    assert cards == set(range(6))


def test_a_puzzle_pays_the_cost_of_its_moves():
    env = gameplay.env("puzzle15", rows=2, columns=2, shuffle=1, seed=1)
    env.reset()
    for action in np.flatnonzero(env.last()[0]["action_mask"]):
        env.reset()
        env.step(int(action))
        solved = env.terminations["player_0"]
        assert env.rewards["player_0"] == (0 if solved else -1)  # 1 for the goal, less the move
        if solved:
            return
    pytest.fail("a position one move from the goal was not solved by a move")


def test_each_seed_has_a_different_puzzle():
    env = gameplay.env("puzzle15")
    starts = []
    for seed in (1, 2, 1):
        env.reset(seed=seed)
        starts.append(env.observe("player_0")["observation"].tobytes())
    assert starts[0] == starts[2] != starts[1]


def test_an_illegal_action_loses():
    env = gameplay.env("connect4")
    assert play_actions(env, (0,) * 7) == {"player_0": -1, "player_1": 0}
    assert all(env.terminations.values())


def test_an_illegal_action_of_a_game_of_points_has_the_least_payoff():
    env = gameplay.env("leduc")
    assert play_actions(env, (0,)) == {"player_0": -13, "player_1": 0}  # there is no bet to fold to


def test_without_wrappers_an_illegal_action_is_an_error_and_changes_nothing():
    env = gameplay.env("leduc").unwrapped
    env.reset(seed=1)
    with pytest.raises(
        Usage, match=r"leduc: action 0 is not legal for first; legal are 1 \(check\), 2 \(bet\)"
    ):
        env.step(0)
    with pytest.raises(Usage, match="3 is not an action; expected a number from 0 to 2"):
        env.step(3)
    with pytest.raises(Usage, match="not an action"):
        env.step("check")
    env.step(1)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("action", [7, -1, None, "d", 2.0])
def test_illegal_action_is_an_error(action):
    env = gameplay.env("connect4")
    env.reset()
    with pytest.raises(Usage, match=f"connect4: {action!r} is not an action; expected a number from 0 to 6"):
        env.step(action)
    env.step(np.int64(3))
    assert env.agent_selection == "player_1"


def test_a_copy_plays_on():
    """Programs copy environments to send them to other processes."""
    env = gameplay.env("leduc")
    env.reset(seed=1)
    env.step(1)
    other = pickle.loads(pickle.dumps(env))
    assert other.unwrapped.episode.position == env.unwrapped.episode.position
    for environment in (env, other):
        environment.step(2)
        environment.step(1)
    assert np.array_equal(env.last()[0]["observation"], other.last()[0]["observation"])


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True])
def test_wrong_seeds(seed):
    environments = (
        gameplay.env("kuhn"),
        gameplay.gym("kuhn", opponent="random"),
        gameplay.vector_env("kuhn", 2),
    )
    for env in environments:
        with pytest.raises(Usage, match=f"seed is {seed!r}; expected a whole number from 0 up, or None"):
            env.reset(seed=seed)
        env.reset(seed=np.int64(3))


def test_an_unknown_agent_is_named():
    env = gameplay.env("kuhn")
    env.reset()
    with pytest.raises(Usage, match="'player_2' is not an agent; expected one of: player_0, player_1"):
        env.observe("player_2")


def test_steps_after_the_end():
    env = gameplay.env("kuhn")
    play_actions(env, (1, 0))
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(1)
    env.step(None)
    env.step(None)
    env.step(None)  # a warning of the log, as in all environments
    assert env.agents == []


def test_a_game_is_cut_off():
    env = gameplay.env("connect4", max_steps=3)
    play_actions(env, (0, 1, 2))
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_rendering_is_from_the_view_of_the_player_to_move():
    env = gameplay.env("connect4", columns=5, render_mode="ansi")
    env.reset()
    env.step(2)
    assert env.render() == str(env.unwrapped.episode.position) and "X" in env.render()
    env = gameplay.env("kuhn", render_mode="ansi")
    env.reset(seed=3)
    cards = ["JQK"[card] for card in env.unwrapped.episode.position.cards]
    assert cards[0] in env.render() and cards[1] not in env.render()
    assert gameplay.env("kuhn").unwrapped.render() is None


def test_a_class_is_a_game_too():
    class Countdown(gameplay.Position):
        """Take one or two; the last one wins."""

        def __init__(self, start: int = 7):
            super().__init__()
            self.left = self.start = start

        def moves(self):
            return [1, 2][: self.left]

        @gameplay.undoable
        def make(self, move):
            self.left -= move
            self.turn = 1 - self.turn

        def outcome(self):
            return None if self.left else (1, -1) if self.turn else (-1, 1)

    env = gameplay.env(Countdown, start=3)
    assert play_actions(env, (1, 2)) == {"player_0": -1, "player_1": 1}
    assert env.action_space("player_0").n == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "conect4"}, "unknown game 'conect4'; did you mean 'connect4'?"),
        ({"game": "connect4", "colums": 5}, "unknown parameter 'colums'"),
        ({"game": "connect4", "columns": 99}, "a board must have 1 to 64 columns and rows, not 99x6"),
        (
            {"game": "connect4", "render_mode": "human"},
            "render_mode is 'human'; expected one of: ansi, or None",
        ),
        ({"game": "connect4", "max_steps": 0}, "max_steps is 0; expected a number from 1 up, or None"),
        ({"game": "connect4", "actions": 9}, "actions=9: connect4 has a fixed number of actions, 7"),
        ({"game": "connect4", "length": 9}, r"length=9: observations of connect4 have the shape \(6, 7, 4\)"),
        ({"game": "scrabble", "actions": 0}, "actions is 0; expected a number from 1 up"),
        ({"game": "tree"}, "tree needs file"),
        ({"game": STICKS, "length": "9"}, "length must be a whole number, not '9'"),
        ({"game": 12}, "is not a game"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises((Usage, BadInput), match=message):
        gameplay.env(**arguments)


def test_a_game_of_the_user_may_need_more_room():
    with pytest.raises(Usage, match=r"is number \d, beyond the 2 actions of the environment. Try: actions=4"):
        gameplay.env(STICKS, actions=2)
    with pytest.raises(Usage, match=r"beyond the 1 of the observation. Try: length="):
        gameplay.env("tests/examples/games/kuhn.py", length=1).unwrapped.episode.observation(0)


@pytest.mark.parametrize(("name", "library"), [("env", "pettingzoo"), ("gym", "gymnasium")])
def test_a_missing_library_is_named(name, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        Usage, match=rf"gameplay.{name} needs {library}: pip install 'gameplay\[environments\]'"
    ):
        getattr(gameplay, name)("connect4")
