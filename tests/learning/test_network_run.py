"""Runs of networks in folders, their files of weights, and `gameplay learn --network`."""

import json
import math
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from gameplay import Limit, file_io, registry
from gameplay.display.reports.learning.curve import head
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.evaluation import FunctionEvaluation, select_evaluation
from gameplay.learning.generations import digest_of
from gameplay.learning.network_run import NetworkRun, NetworkSettings
from gameplay.native.packing import pack, scale_of
from gameplay.networks import weights
from gameplay.networks.network import Network, weights_of
from gameplay.networks.weights import NetworkEvaluation
from gameplay.ntuples.cells import Cells
from tests.support import learning_runs
from tests.support.learning import check_rejected, learn_status

pytestmark = pytest.mark.once  # both builds learn the same: test_network_td.py

SMALL = NetworkSettings("tictactoe", 40, "5x4")
BACKGAMMON = NetworkSettings("backgammon", 20, "4", explore=0.0)


@pytest.fixture(scope="module", params=[SMALL, BACKGAMMON], ids=["cells", "own inputs"])
def finished_run(request, tmp_path_factory):
    """A small, finished run."""
    run = NetworkRun.begin(tmp_path_factory.mktemp("run") / "whole", request.param)
    assert len(list(run.learn())) == NetworkRun.generations
    return run


def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    played = 7 * finished_run.settings.games // NetworkRun.generations
    learning_runs.check_interrupted(
        NetworkRun, finished_run.folder, tmp_path / "killed", 7, played, monkeypatch
    )


def test_compiled_search_with_a_network_equals_python(finished_run):
    """The value and line are equal whether the network runs in C or through a Python function."""
    game = registry.game(finished_run.settings.game)
    learned = select_evaluation(str(finished_run.weights), game.new())
    reports = []
    for evaluation in (learned, FunctionEvaluation("plain", learned.evaluate)):
        position = game.new()
        for number in (1, 0, 2):
            position.make(position.moves()[number % len(position.moves())])
        position.evaluation = evaluation
        engine = registry.engine("expectiminimax" if position.chance else "alphabeta")[0]
        report = engine.search(position, Limit(depth=1 if position.chance else 3))
        reports.append((position.evaluate(), pytest.approx(report.value, abs=1e-9), report.pv))
    assert reports[0] == reports[1] and reports[0][0]


def test_weights_in_the_file_are_those_of_the_learner(finished_run):
    """The file rounds to 16 bits."""
    position = registry.game(finished_run.settings.game).new()
    position.make(position.moves()[0])
    learner = finished_run.open_learner()
    kernel = select_evaluation(str(finished_run.weights), position)
    own = learner.estimator.of(position)
    assert kernel.evaluate_for(position, 0) == pytest.approx(own * learner.estimator.points, abs=2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('game = " -> game = "x', "and this is"),
        ("version = 1 -> version = 2", "version 2: expected 1"),
        ('file = "weights.bin" -> file = "../weights.bin"', "expected the name of a file in the same folder"),
        ("scale = -> scale = 1.5 #", "the checksum is not that of the weights"),
        ("goal = -> goal = 7.0 #", "the checksum is not that of the weights"),
        ("levels = -> levels = 4 #", "levels is 4: expected 1 to 3"),
        ("hidden = [ -> hidden = [513, ", "sizes out of range"),
        ("hidden = [ -> hidden = [0, ", "sizes out of range"),
        ("hidden = [ -> hidden = ['a', ", "hidden: expected numbers of units"),
        ("hidden = [ -> hidden = [1, 1, 1, ", "sizes out of range"),
        ("hidden = -> hidden = [9] #", "weights: expected"),
        ("rows = -> rows = 3000 #", "expected"),
        ("columns = -> columns = 0 #", "expected"),
        ("columns = -> columns = 100000000 #", "expected"),
        ("levels -> stages", "levels is missing"),
    ],
)
def test_wrong_file_of_weights_is_rejected_in_one_line(finished_run, tmp_path, change, words):
    learning_runs.check_broken_weights(
        finished_run.folder, tmp_path / "broken", finished_run.settings.game, change, words
    )


def test_weights_that_are_cut_inflated_or_changed_are_rejected(finished_run, tmp_path):
    learning_runs.check_broken_numbers(
        finished_run.folder, tmp_path, finished_run.settings.game, "weights.bin"
    )


def test_networks_are_never_used_for_another_board_or_other_points(finished_run):
    others = {
        "tictactoe": ("tictactoe:width=4", "connect4", "tictactoe:players=3"),
        "backgammon": ("backgammon:cube=on", "backgammon:match=5", "pig"),
    }
    learning_runs.check_other_boards(
        finished_run.weights, finished_run.settings.game, others[finished_run.settings.game]
    )


def test_weights_for_points_serve_in_a_match_to_one_point(tmp_path):
    """Such a network gives 3/4 for a win, half of them gammons, whatever the position."""
    position = registry.game("backgammon").new()
    inputs = Cells(weights.GAME_INPUTS, (), 1, position.network_inputs().count)
    network = Network((inputs.count, 4, 6), None)
    chances = (0.75, 0.375, 0.001, 0.25, 0.001, 0.001)
    for place, chance in enumerate(chances, len(network.weights_owner) - len(chances)):
        network.weights_owner[place] = math.log(chance / (1 - chance))
    scale = scale_of(network.weights_owner)
    packed = pack(network.weights_owner, scale)
    path = tmp_path / "weights.toml"
    weights.write(path, "backgammon", NetworkEvaluation(inputs, (4,), 3, 3000.0, True, scale, packed), "")
    for spec, expected in (("backgammon", 1000 * (0.5 + 0.375 - 0.001)), ("backgammon:match=1", 500)):
        position = registry.game(spec).new("4HPwATDgc/ABMA")
        evaluation = select_evaluation(str(path), position)
        assert evaluation.evaluate_for(position, 0) == pytest.approx(expected, abs=2), spec


def test_weights_for_one_point_are_refused_for_more(tmp_path):
    run = NetworkRun.begin(tmp_path / "run", replace(BACKGAMMON, game="backgammon:match=1"))
    assert len(list(run.learn())) == NetworkRun.generations
    for spec, message in (("backgammon", "goal is 1000: expected 3000"), ("backgammon:match=2", "the score")):
        position = registry.game(spec).new()
        with pytest.raises(BadInput, match=message):
            select_evaluation(str(run.weights), position).evaluate(position)


@pytest.mark.parametrize("spec", ["backgammon:match=2", "backgammon:cube=on"])
def test_networks_cannot_learn_a_cube_or_a_score_that_they_do_not_see(spec, tmp_path):
    with pytest.raises(Usage, match="networks see neither the cube nor the score"):
        NetworkRun.begin(tmp_path / "run", replace(BACKGAMMON, game=spec))
    assert not (tmp_path / "run").exists()


def test_a_cell_network_is_refused_for_games_with_their_own_inputs(tmp_path):
    position = registry.game("backgammon").new()
    cells = Cells("native", tuple(position.cell_letters), *position.cell_shape)
    packed = bytes(2 * weights_of((cells.count * len(cells.letters) + 3, 4, 6)))
    path = tmp_path / "weights.toml"
    weights.write(path, "backgammon", NetworkEvaluation(cells, (4,), 3, 3000.0, True, 1.0, packed), "")
    with pytest.raises(BadInput, match="inputs differ from those of this game"):
        select_evaluation(str(path), position)


@pytest.mark.parametrize("name", ["run.json", "state.json", "tables-20.bin"])
def test_damaged_file_of_a_run_is_rejected_and_nothing_changes(finished_run, tmp_path, name):
    learning_runs.check_damage(NetworkRun, finished_run.folder, tmp_path / "damaged", name)


@pytest.mark.parametrize("units", ["513", "0", "-1", "8x8x8", "x", ""])
def test_settings_of_networks_that_were_written_by_hand_are_rejected(finished_run, tmp_path, units):
    change = {"network": units}
    learning_runs.check_crafted(NetworkRun, finished_run.folder, tmp_path / "crafted", "run.json", change)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_rejected(finished_run, tmp_path, wrong):
    folder = learning_runs.copy_run(finished_run.folder, tmp_path / "crafted")
    crafted = NetworkRun.load(folder)
    learner = crafted.open_learner()
    learner.estimator.network.weights_owner[0] = wrong
    content = bytes(learner.estimator.network.weights_owner)
    (folder / "tables-20.bin").write_bytes(zlib.compress(content))
    state = file_io.read_checked(folder / "state.json")
    file_io.write_checked(folder / "state.json", state | {"tables": digest_of(content)})
    with pytest.raises(BadInput, match="holds a number that is not finite"):
        NetworkRun.load(folder).open_learner()


def test_truth_of_a_game_with_chance_is_rejected(finished_run, tmp_path):
    """None of its positions is solved, and learners expect a player to move in solved ones."""
    if not finished_run.game.new().chance:
        pytest.skip("the game has no chance")
    change = {"positions": [[[], [1], 0.0]], "whole": False}
    learning_runs.check_crafted(NetworkRun, finished_run.folder, tmp_path / "crafted", "truth.json", change)


# -- a run that begins with the network of another -------------------------------------------------------


def beginning(finished_run, **changes):
    settings = finished_run.settings
    units = "x".join(str(2 * int(units)) for units in settings.network.split("x"))
    return replace(settings, network=units, evaluation=str(finished_run.weights), **changes)


def test_run_begins_with_the_values_of_another_network(finished_run, tmp_path):
    after = NetworkRun.begin(tmp_path / "after", beginning(finished_run))
    position = finished_run.game.new()
    start = select_evaluation(str(finished_run.weights), position).estimator(position)
    learner = after.open_learner()
    for _ in range(3):
        assert learner.estimator.of(position) == pytest.approx(start.of(position), abs=1e-6)
        position.make(position.moves()[0])
    assert learner.estimator.of(position) != 0


@pytest.mark.parametrize("finished_run", [BACKGAMMON], indirect=True)
def test_run_begins_with_a_second_layer_on_the_network_of_another(finished_run, tmp_path):
    settings = replace(beginning(finished_run), network=f"{finished_run.settings.network}x31")
    after = NetworkRun.begin(tmp_path / "after", settings)
    position = finished_run.game.new()
    start = select_evaluation(str(finished_run.weights), position).estimator(position)
    assert after.open_learner().estimator.of(position) == pytest.approx(start.of(position), abs=0.03)
    list(after.learn())
    assert after.open_learner().estimator.network.sizes[2:] == (31, 6)


def test_interrupted_run_that_began_with_a_network_ends_with_the_same_bytes(
    finished_run, tmp_path, monkeypatch
):
    whole = NetworkRun.begin(tmp_path / "whole", beginning(finished_run))
    list(whole.learn())
    assert f"--eval {finished_run.weights}" in whole.weights.read_text()
    played = 7 * finished_run.settings.games // NetworkRun.generations
    learning_runs.check_interrupted(NetworkRun, whole.folder, tmp_path / "killed", 7, played, monkeypatch)


@pytest.mark.parametrize("finished_run", [BACKGAMMON], indirect=True)
def test_interrupted_run_of_expected_updates_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    whole = NetworkRun.begin(tmp_path / "whole", beginning(finished_run, expected=True))
    list(whole.learn())
    assert "--expected --eval" in whole.weights.read_text()
    assert head(whole)[0] == "backgammon: TD, expected updates, explore 0, 20 games, seed 1"
    learning_runs.check_interrupted(NetworkRun, whole.folder, tmp_path / "killed", 7, 7, monkeypatch)


def test_expected_updates_are_refused_in_a_game_without_dice(tmp_path):
    with pytest.raises(Usage, match="--expected: tictactoe has no dice; expected a game with dice"):
        NetworkRun.begin(tmp_path / "new", replace(SMALL, expected=True))


def test_run_does_not_begin_with_weights_that_changed(finished_run, tmp_path):
    folder = learning_runs.copy_run(finished_run.folder, tmp_path / "first")
    first = NetworkRun.load(folder)
    NetworkRun.begin(tmp_path / "second", beginning(first))
    other = NetworkRun.begin(tmp_path / "other", replace(finished_run.settings, seed=9))
    list(other.learn())
    for name in ("weights.toml", "weights.bin"):
        (folder / name).write_bytes((other.folder / name).read_bytes())
    weights.read.cache_clear()  # as in another process
    with pytest.raises(BadInput, match="has changed since the run began"):
        NetworkRun.load(tmp_path / "second").open_learner()


@pytest.mark.parametrize("finished_run", [BACKGAMMON], indirect=True)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": "3"}, "a network of 4 hidden units cannot be extended to 3"),
        ({"network": "4x4"}, "expected layers as wide or wider, or a second one of 30"),
        ({"evaluation": "terms"}, "terms is not a network: expected weights learned with --network"),
        ({"evaluation": "missing.toml"}, "there is no file"),
    ],
)
def test_network_that_cannot_begin_a_run_is_rejected(finished_run, changes, message, tmp_path):
    settings = replace(finished_run.settings, network="4", evaluation=str(finished_run.weights))
    with pytest.raises(GameplayError, match=message):
        NetworkRun.begin(tmp_path / "new", replace(settings, **changes))
    assert not (tmp_path / "new").exists()


# -- the command -----------------------------------------------------------------------------------------


def test_command_learns_with_a_network_and_names_the_weights(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert learn_status(["backgammon", "--network", "4", "--games", "20", "--seed", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[:2] == [
        "backgammon: TD(0.5), explore 0, 20 games in batches of 100, seed 2",
        "network of 808 x 4 x 6 units, 3,266 weights; symmetries: none",
    ]
    assert shown[-1].endswith("--engine expectiminimax:eval=learned-backgammon/weights.toml")
    text = Path("learned-backgammon/weights.toml").read_text()
    assert "--seed 2 --lambda 0.5 --explore 0 --batch 100 --network 4 --rate 0.03`, after 20 games" in text
    assert learn_status(["status", "learned-backgammon", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["evaluation"], facts["hidden"], facts["rate"]) == ("network", [4], 0.03)
    assert facts["played"] == 20 and "tuples" not in facts
    assert learn_status(["resume", "learned-backgammon"]) == 0
    assert "all 20 games are done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--network", "0"], "'0' is not UNITS or UNITSxUNITS: expected for example 80 or 80x32"),
        (["--network", "80x"], "'80x' is not UNITS or UNITSxUNITS"),
        (["--network", "8x8x8"], "'8x8x8' is not UNITS or UNITSxUNITS"),
        (["--network", "513"], "each 1 to 512"),
        (["--network", "8", "--tuples", "4x3"], "--tuples and --network exclude each other"),
        (["--rate", "0.1"], "--rate requires --network"),
        (["--network", "8", "--rate", "0"], "is not a number from 0.0001 to 1"),
        (["--eval", "linear"], "--eval requires --network here; tables begin with zeros"),
        (["--expected"], "--expected requires --network"),
        (["--network", "8", "--expected", "--lambda", "0.7"], "--lambda has no effect with --expected"),
        (["--network", "8", "--depth", "3"], "--depth is for --method samuel, rote"),
    ],
)
def test_command_rejects_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_rejected(capsys, ["backgammon", *words], message)
