"""Every game is a PettingZoo environment: its own tests pass; actions and observations are valid."""

import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import gameplay
from gameplay import registry
from gameplay.environments.episode import Episode, make_setting

GAMES = [name for name in registry.game_names() if name != "tree"]
_OTHERS = """
    tree:card-game tree:three-players tree:chance tictactoe:players=3,width=4,height=4
    connect4:columns=20,rows=30 leduc:players=3 nim:players=3 holdem:bets=limit holdem:bets=any,players=3
    go:size=5 chess:start=0 stratego:start=chosen,army=barrage monopoly:trades=on,players=3
    backgammon:match=3 scrabble:challenge=double,players=3 tests/examples/games/sticks.py
    tests/examples/games/kuhn.py tests/examples/games/tricks.py tests/examples/games/morris.py
"""
OTHERS = _OTHERS.split()
HIDDEN = [spec for spec in (*GAMES, *OTHERS) if gameplay.game(spec).new().hidden]
SLOW = ("scrabble", "scrabble:challenge=double,players=3")  # in pure Python
PLIES = 60


def each(specs):
    """The games as parameters of a test; slow ones are tested compiled only."""
    return [pytest.param(spec, marks=pytest.mark.once if spec in SLOW else ()) for spec in specs]


def random_game(spec, seed):
    """A random game of an environment, after each action."""
    episode, rng = Episode(make_setting(gameplay.game(spec), {})), Random(seed)
    episode.begin(seed)
    yield episode
    for _ in range(PLIES):
        if episode.outcome is not None:
            return
        episode.act(rng.choice(list(episode.legal)))
        yield episode


@pytest.mark.parametrize("spec", each([*GAMES, *OTHERS]))
def test_pettingzoo_api_test_passes(spec, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation space for each agent probably")  # a dict, for masks
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation numpy array is all zeros")  # an empty board
        api_test(gameplay.env(spec), num_cycles=8)
    seed_test(lambda: gameplay.env(spec), num_cycles=4)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("spec", each([*GAMES, *OTHERS]))
def test_each_legal_move_is_one_action(spec):
    seen = 0
    for episode in random_game(spec, 5):
        if episode.outcome is not None:
            break
        moves, actions = list(episode.position.moves()), list(episode.legal.values())
        assert actions and len(set(actions)) == len(actions) and set(actions) <= set(moves)
        assert max(episode.legal) < episode.setting.actions.count
        assert not episode.setting.actions.exact or len(actions) == len(moves)
        assert episode.mask().sum() == len(actions)
        seen += 1
    assert seen


@pytest.mark.parametrize("spec", each([*GAMES, *OTHERS]))
def test_observations_lie_in_their_space(spec):
    observer = make_setting(gameplay.game(spec), {}).observer
    different = set()
    for episode in random_game(spec, 6):
        for player in range(episode.position.players):
            seen = episode.observation(player)
            assert seen.shape == observer.shape and seen.dtype == observer.dtype
            assert observer.low <= seen.min() and seen.max() <= observer.high
            different.add(seen.tobytes())
    assert len(different) > 1 and len(observer.parts) > 0


@pytest.mark.parametrize("spec", each(HIDDEN))
def test_equal_infosets_have_equal_observations(spec):
    rng, samples = Random(spec), 0
    for episode in random_game(spec, 7):
        if episode.steps % 6 not in (0, 1):
            continue
        position = episode.position
        for player in range(position.players):
            own = episode.observation(player)
            for _ in range(2):
                other = position.determinize(player, rng)
                assert other.infoset(player) == position.infoset(player)
                assert np.array_equal(episode.setting.observer.observe(other, player), own)
                samples += 1
    assert samples


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice", "phantom-tictactoe", "tree:card-game"])
def test_different_infosets_are_observed_differently(spec):
    observed = {}
    for seed in range(60):
        for episode in random_game(spec, seed):
            player = episode.position.turn
            if episode.outcome is None:
                known = repr((player, episode.position.infoset(player)))
                seen = episode.observation(player).tobytes()
                assert observed.setdefault(known, seen) == seen
    assert len(set(observed.values())) == len(observed) > 2


def test_a_seed_determines_the_later_episodes_too():
    first, second = (Episode(make_setting(gameplay.game("backgammon"), {})) for _ in range(2))
    for seed in (1, None, None):
        first.begin(seed)
        second.begin(seed)
        assert first.position == second.position
    second.begin(2)
    first.begin(None)
    assert first.position != second.position
