"""Gymnasium environments: puzzles, and games against engines."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gameplay
import gameplay.environments  # registers the ids
from gameplay.errors import EngineFault, Usage

AGAINST = [
    ("connect4", "random", 0),
    ("leduc", "random", 1),
    ("backgammon", "random", 1),
    ("hearts", "random", 2),
]


def check_silently(env):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*alternative render modes.*")  # made without an id
        check_env(env)


def test_gymnasium_accepts_puzzles():
    check_silently(gameplay.gym("puzzle15"))
    check_silently(gameplay.gym("puzzle15", rows=3, columns=3, max_steps=4))


@pytest.mark.parametrize(("game", "opponent", "seat"), AGAINST)
def test_gymnasium_accepts_games_against_engines(game, opponent, seat):
    check_silently(gameplay.gym(game, opponent=opponent, seat=seat))


def test_a_puzzle_is_solved():
    """The moves from the goal to the start, reversed; the puzzle is solved in one move."""
    env = gameplay.gym("puzzle15", rows=3, columns=3, shuffle=1, seed=5)
    for action in range(4):
        _, info = env.reset()
        if not info["action_mask"][action]:
            continue
        _, reward, over, cut, _ = env.step(action)
        if over:
            assert reward == 0 and not cut  # 1 for the goal, less the move
            with pytest.raises(Usage, match="puzzle15: the episode is over; call reset"):
                env.step(action)
            return
        assert reward == -1
    pytest.fail("no move solved it")


def test_an_illegal_action_of_a_puzzle_costs_a_move():
    env = gameplay.gym("puzzle15")
    before, info = env.reset(seed=2)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, cut, info = env.step(illegal)
    assert np.array_equal(before, after) and (reward, over, cut) == (-1, False, False)
    assert info["illegal_action"] == illegal


def test_an_illegal_action_loses_the_game():
    env = gameplay.gym("connect4", opponent=first)
    env.reset()
    for _ in range(3):
        env.step(0)
    _, reward, over, cut, info = env.step(0)
    assert (reward, over, cut, info["illegal_action"]) == (-1, True, False, 0)
    assert not info["action_mask"].any() and not env.action_masks().any()
    with pytest.raises(Usage, match="call reset"):
        env.step(1)


def first(position):
    """An engine that plays the first column."""
    return min(position.moves())


def test_an_engine_moves_in_between():
    env = gameplay.gym("tictactoe", opponent="alphabeta", seat=1)
    seen, _ = env.reset(seed=1)
    assert seen[:, :, 1].sum() == 1 and (seen[:, :, 0] == 1).all()
    rewards = []
    for _ in range(5):
        seen, reward, over, _, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
        rewards.append(reward)
        if over:
            break
        assert seen[:, :, 1].sum() == seen[:, :, 2].sum() + 1 and info["infoset"] is not None
    assert over and rewards[-1] in (0, -1)  # alphabeta does not lose


def test_an_engine_of_a_hidden_game_does_not_see_the_cards():
    """It receives a sampled position: over many games the cards equal the true ones only by chance."""
    seen = []

    def spy(position):
        seen.append(position.cards)
        return position.moves()[0]

    env = gameplay.gym("kuhn", opponent=spy, seat=1)
    true = []
    for seed in range(30):
        env.reset(seed=seed)
        true.append(env.episode.position.cards)
    assert all(first[0] == second[0] for first, second in zip(seen, true, strict=True))
    assert any(first[1] != second[1] for first, second in zip(seen, true, strict=True))


def test_the_same_seed_is_the_same_game():
    def game(seed):
        env = gameplay.gym("pig", opponent="random", goal=20)
        rng = np.random.default_rng(1)
        env.reset(seed=seed)
        results = []
        for _ in range(30):
            seen, reward, over, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            results.append((seen.tobytes(), reward, over))
            if over:
                break
        return results

    assert game(1) == game(1) != game(2)


def test_ids_are_registered():
    env = gymnasium.make("gameplay/puzzle15-v0", rows=3, columns=3, render_mode="ansi")
    env.reset(seed=1)
    assert len(env.render().splitlines()) == 3 and env.observation_space.shape == (3, 3, 9)
    env = gymnasium.make("gameplay/connect4-v0", opponent="random", columns=8, max_episode_steps=1)
    env.reset(seed=1)
    assert env.action_space.n == 8 and env.step(0)[3]


@pytest.mark.parametrize("answer", [99, None])
def test_an_engine_that_makes_no_legal_move_is_an_error(answer):
    env = gameplay.gym("connect4", opponent=lambda position: answer, seat=1)
    with pytest.raises(EngineFault, match=f"returned (the move )?{answer}"):
        env.reset()


@pytest.mark.parametrize(
    ("game", "arguments", "message"),
    [
        ("connect4", {}, "connect4 is for 2 players, .* name an opponent, .* or take gameplay.env"),
        ("connect4", {"opponent": "mtcs"}, "unknown engine 'mtcs'; did you mean 'mcts'"),
        ("connect4", {"opponent": "random", "seat": 2}, "seat is 2; connect4 has the seats 0 to 1"),
        ("kuhn", {"opponent": "alphabeta"}, "alphabeta cannot play this: kuhn has chance in it"),
        ("puzzle15", {"opponent": "random"}, "puzzle15 is for one player; expected no opponent and no seat"),
        ("puzzle15", {"seat": 1}, "puzzle15 is for one player"),
    ],
)
def test_wrong_arguments(game, arguments, message):
    with pytest.raises(Usage, match=message):
        gameplay.gym(game, **arguments)
