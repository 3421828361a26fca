"""Games of this program in OpenSpiel, with OpenSpiel's own tests."""

import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from gameplay import catalogue, engine, openspiel, registry
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.errors import Usage

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.once

SHORT = {  # games that take over a third of a second, with what shortens them
    "bridge": "(contract=4S)",
    "chinese-checkers": "(rounds=30)",
    "monopoly": "(rounds=10)",
    "puzzle15": "(max_steps=50)",
    "stratego": "(quiet=20)",
}
VARIANTS = [("holdem", "(antes='1',players=3)"), ("stratego", "(army=barrage,start=chosen,quiet=20)")]
VARIANTS += [("tree", "(file=random;chance:on;players:3)"), ("tree", "(file=card-game)"), ("bridge", "")]


def load(name: str, parameters: str = "") -> Any:
    (there,) = openspiel.register(name)
    return pyspiel.load_game(there + parameters)


@pytest.mark.parametrize(
    ("name", "parameters"), [*((name, SHORT.get(name, "")) for name in catalogue.games()), *VARIANTS]
)
def test_openspiels_own_tests_pass(name: str, parameters: str) -> None:
    """A random game with all checks: legal actions, chance, returns, strings, tensors, copies, texts."""
    pyspiel.random_sim_test(load(name, parameters), num_sims=1, serialize=True, verbose=False)


def test_all_games_are_registered_by_default() -> None:
    assert openspiel.register("kuhn") == ["gameplay_kuhn"]
    assert openspiel.register() == [f"gameplay_{name.replace('-', '_')}" for name in catalogue.games()]
    with pytest.raises(Usage, match="did you mean 'kuhn'"):
        openspiel.register("kuhnn")


def test_copies_and_pickles_contain_no_tables() -> None:
    """Copying the 1,924 action keys of chess with each state would take 25 ms, and 60 kB in its text."""
    state = load("chess").new_initial_state()
    assert state.clone().terms is state.terms
    assert len(state.serialize()) < 1000


# -- games of other kinds ----------------------------------------------------------------------------


def test_a_puzzle_costs_a_point_a_move() -> None:
    """Near the goal the shortest solution by IDA* pays 1 minus its length."""
    solution = engine("idastar").search(registry.game("puzzle15:shuffle=8,seed=3").new())
    state = load("puzzle15", "(shuffle=8,seed=3)").new_initial_state()
    rewards = []
    for move in solution.pv:
        state.apply_action(move)
        rewards.append(state.rewards())
    assert state.is_terminal() and len(rewards) > 2
    assert rewards == [[-1.0]] * (len(rewards) - 1) + [[0.0]]
    assert state.returns() == [1.0 - len(rewards)]


def test_a_puzzle_ends_after_its_moves() -> None:
    state = load("puzzle15", "(max_steps=3)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [-3.0] and state.get_game().min_utility() == -3.0
    with pytest.raises(Usage, match="max_steps=0; expected a whole number from 1 up"):
        load("puzzle15", "(max_steps=0)")


@pytest.mark.parametrize(("file", "value"), [("lecture", 3), ("two-ply", 3), ("alpha-cutoff", 4)])
def test_openspiel_search_values_our_trees(file: str, value: int) -> None:
    from open_spiel.python.algorithms import minimax

    assert minimax.alpha_beta_search(load("tree", f"(file={file})"))[0] == value


def test_unknown_leaves_of_a_tree_have_values() -> None:
    game = load("tree", "(file=lecture;x:100;y:-100)")
    assert str(game) == "gameplay_tree(file=lecture;x:100;y:-100)"
    assert game.new_initial_state().position.value == registry.game("tree:lecture,x=100,y=-100").new().value


def test_bridge_partners_have_equal_returns() -> None:
    rng, state = Random(1), load("bridge", "(contract=1N)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    north, east, south, west = state.returns()
    assert north == south == -east == -west != 0


def test_strings_that_read_as_numbers_are_quoted() -> None:
    assert str(load("nim", "(heaps='1+2')")) == "gameplay_nim(heaps='1+2',misere=False,players=2)"
    assert str(pyspiel.load_game("gameplay_nim", {"heaps": "1+2"})) == str(load("nim", "(heaps='1+2')"))
    assert load("nim", "(heaps='1+2')").num_distinct_actions() == 3


# -- OpenSpiel's algorithms --------------------------------------------------------------------------


def test_exploitability_in_openspiel_equals_ours() -> None:
    """The uniform strategy in Kuhn poker, by OpenSpiel's best response on both games."""
    game, own = load("kuhn"), pyspiel.load_game("kuhn_poker")
    there = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    here = StrategyProfile(ExtensiveForm(registry.game("kuhn").new())).exploitability()
    assert there == pytest.approx(here, abs=1e-9)
    assert there == pytest.approx(pyspiel.exploitability(own, pyspiel.UniformRandomPolicy(own)), abs=1e-9)


def test_openspiel_mcts_plays_our_game() -> None:
    """It wins in one move."""
    from open_spiel.python.algorithms import mcts

    rng = np.random.RandomState(1)
    game = load("tictactoe")
    state = game.new_initial_state()
    for word in ("a1", "a2", "b1", "b2"):
        state.apply_action(state.string_to_action(word))
    bot = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert state.action_to_string(bot.step(state)) == "c1"


def test_parameters_are_ours() -> None:
    game = load("connect4", "(columns=5,rows=4)")
    assert game.num_distinct_actions() == 5
    assert list(game.observation_tensor_shape())[:2] == [4, 5]


def test_copies_of_a_state_are_independent() -> None:
    state = load("leduc").new_initial_state()
    rng = Random(1)
    while not state.is_terminal():
        other = state.clone()
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        other.apply_action(rng.choice(actions))
        assert state.history() != other.history()
        state = other
    assert sum(state.returns()) == 0


def test_process_that_registers_games_exits_cleanly() -> None:
    program = (
        "import gameplay.openspiel as o, pyspiel; o.register('kuhn'); pyspiel.load_game('gameplay_kuhn')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
