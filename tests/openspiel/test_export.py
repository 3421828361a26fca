"""Games of this program as games of OpenSpiel, tried with what OpenSpiel tries its own games with."""

import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from gameplay import catalogue, openspiel, registry
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import Mixed
from gameplay.errors import Usage

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.once

export = pytest.importorskip("gameplay.openspiel.export")
QUICK = ["tictactoe", "connect4", "kuhn", "leduc", "nim", "pig", "phantom-tictactoe", "liars-dice", "othello"]


def loaded(name: str, parameters: str = "") -> Any:
    (there,) = openspiel.register(name)
    return pyspiel.load_game(there + parameters)


@pytest.mark.parametrize("name", QUICK)
def test_openspiels_own_test_passes(name: str) -> None:
    """Random games with all its checks: legal actions, chance, returns, strings, tensors, copies, records."""
    stored = name != "nim"  # OpenSpiel reads back no text that begins as a number, such as 3+4+5
    pyspiel.random_sim_test(loaded(name), num_sims=2, serialize=stored, verbose=False)


def test_every_game_fits_or_says_why_not() -> None:
    unfit = {name: export.misfit(name) for name in catalogue.games() if export.misfit(name)}
    assert unfit.keys() == UNFIT
    assert openspiel.register("kuhn") == ["gameplay_kuhn"]
    with pytest.raises(Usage, match="puzzle"):
        openspiel.register("puzzle15")
    with pytest.raises(Usage, match="did you mean 'kuhn'"):
        openspiel.register("kuhnn")


UNFIT = {"bridge", "puzzle15", "tree"}


def test_exploitability_there_is_ours_and_that_of_openspiels_game() -> None:
    """Of the uniform strategy in Kuhn poker, by OpenSpiel's best response on our game and on its own."""
    game, own = loaded("kuhn"), pyspiel.load_game("kuhn_poker")
    there = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    here = Mixed(ExtensiveForm(registry.game("kuhn").new())).exploitability()
    assert there == pytest.approx(here, abs=1e-9)
    assert there == pytest.approx(pyspiel.exploitability(own, pyspiel.UniformRandomPolicy(own)), abs=1e-9)


def test_a_search_of_openspiel_plays_our_game() -> None:
    """Its MCTS wins in one move."""
    from open_spiel.python.algorithms import mcts

    rng = np.random.RandomState(1)
    game = loaded("tictactoe")
    state = game.new_initial_state()
    for word in ("a1", "a2", "b1", "b2"):
        state.apply_action(state.string_to_action(word))
    bot = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert state.action_to_string(bot.step(state)) == "c1"


def test_parameters_are_ours() -> None:
    game = loaded("connect4", "(columns=5,rows=4)")
    assert game.num_distinct_actions() == 5
    assert list(game.observation_tensor_shape())[:2] == [4, 5]


def test_a_copy_of_a_state_is_its_own() -> None:
    state = loaded("leduc").new_initial_state()
    rng = Random(1)
    while not state.is_terminal():
        other = state.clone()
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        other.apply_action(rng.choice(actions))
        assert state.history() != other.history()
        state = other
    assert sum(state.returns()) == 0


def test_a_program_that_registers_games_ends_quietly() -> None:
    program = (
        "import gameplay.openspiel as o, pyspiel; o.register('kuhn'); pyspiel.load_game('gameplay_kuhn')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
