"""Deep CFR: traversals and memories compared with tabular CFR, runs, `gameplay learn --method deepcfr`."""

import json

import pytest

from gameplay import registry
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.training import RegretMinimizer
from gameplay.errors import BadInput, Usage
from gameplay.learning.deepcfr import run as deepcfr
from gameplay.learning.deepcfr.encoding import encode_infosets
from gameplay.learning.deepcfr.run import DeepCfrPoint, DeepCfrRun, DeepCfrSettings
from gameplay.learning.deepcfr.traversal import DeepTraversals, Reservoir
from gameplay.networks.network import Network
from tests.support import learning_runs
from tests.support.learning import check_rejected, learn_status

SMALL = DeepCfrSettings("kuhn", iterations=20, traversals=6, units=4)


@pytest.fixture(scope="module", autouse=True)
def small():
    with pytest.MonkeyPatch.context() as patched:
        for name, number in {"STEPS": 3, "STRATEGY_STEPS": 3, "MEMORY": 40}.items():
            patched.setattr(deepcfr, name, number)
        yield


@pytest.fixture(scope="module")
def kuhn():
    start = registry.game("kuhn").new().initial()
    form = ExtensiveForm(start)
    return form, *encode_infosets(form, start)


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "whole"
    assert [point.iterations for point in DeepCfrRun.begin(folder, SMALL).learn()][-1] == 20
    return folder


# -- what is sampled, and what is learned of it ----------------------------------------------------------


def test_infosets_differ_and_share_words(kuhn):
    form, encoding, inputs, outputs = kuhn
    assert outputs == 4  # check, bet, fold, call
    assert inputs == 13  # the player; J, Q, K of either; what was bet
    traversals = DeepTraversals(form, encoding, 10, 1)
    network = Network((inputs, 8, outputs), 5)
    assert len({tuple(traversals.strategy_of(network, number)) for number in range(12)}) == 12


def test_traversals_visit_what_external_sampling_visits(kuhn):
    """With the uniform strategy the mean advantage of a move is its regret per visit."""
    form, encoding, *_ = kuhn
    traversals, tabular = DeepTraversals(form, encoding, 4000, 3), StrategyProfile(form)
    traversals.begin_iteration()
    traversals.traverse(0, 2000)
    memory = traversals.advantages[0]
    infosets, iterations, targets = memory.owners
    assert set(iterations[: memory.size]) == {1}
    exact = tabular.move_values(0)
    for number, infoset in enumerate(form.infosets[:6]):
        places = [at for at in range(memory.size) if infosets[at] == number]
        values = [exact[infoset.slot + k] for k in range(2)]
        for k in range(2):
            mean = sum(targets[at * 2 + k] for at in places) / len(places)
            assert 2 * mean == pytest.approx(values[k] - sum(values) / 2, abs=0.12)  # 2: the greatest payoff
    assert {form.infosets[at].player for at in traversals.strategies.owners[0][:100]} == {1}


def test_network_fitted_to_a_memory_returns_the_mean_of_its_samples(kuhn):
    form, encoding, inputs, outputs = kuhn
    traversals = DeepTraversals(form, encoding, 400, 3)
    traversals.begin_iteration()
    traversals.traverse(0, 60)
    network = Network((inputs, 12, outputs), 5)
    traversals.fit(network, traversals.strategies, 120, 16, 0.02, True, 7)
    for number in range(6, 12):  # the second player's: all moves alike
        assert traversals.strategy_of(network, number) == pytest.approx([0.5, 0.5], abs=0.05)


def test_memory_that_is_full_is_a_uniform_sample():
    memory = Reservoir(2, 1)
    if hasattr(memory, "add"):  # a slot of C where it is compiled
        assert [memory.add(share, 7, 1) for share in (0.9, 0.9, 0.9, 0.4, 0.1)] == [0, 1, -1, 1, 0]
        assert (memory.size, memory.seen) == (2, 5)


def test_tables_that_are_compared_with_visit_as_many_nodes(finished_run):
    point = DeepCfrRun.load(finished_run).curve[-1]
    form = ExtensiveForm(registry.game("kuhn").new().initial())
    regrets = RegretMinimizer(form, "external", 1)
    while regrets.visited < point.nodes:
        regrets.iterate(1)
    assert regrets.average().exploitability() == point.tabular


# -- runs ------------------------------------------------------------------------------------------------


def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    learning_runs.check_interrupted(DeepCfrRun, finished_run, tmp_path / "killed", 11, 11, monkeypatch)
    learning_runs.check_stopped(DeepCfrRun, finished_run, tmp_path / "stopped", 4, "learning")


def test_strategy_file_is_measured_as_the_run_says(finished_run, capsys):
    from gameplay.cli import load
    from tests.support.learning import run_command

    assert (
        run_command(
            load("exploit"),
            "gameplay exploit",
            ["kuhn", "--engine", f"strategy:{finished_run}/strategy.toml"],
        )
        == 0
    )
    printed = capsys.readouterr().out
    exploitability = float(printed.split("exploitability")[1].split()[0])
    assert exploitability == pytest.approx(DeepCfrRun.load(finished_run).curve[-1].exploitability, abs=2e-6)


def test_weights_are_the_same_in_both_builds(finished_run):
    assert (finished_run / "strategy.toml").read_text().splitlines()[6] == "exploitability = 0.432036269"


@pytest.mark.parametrize("name", ["run.json", "state.json", "tables-20.bin"])
def test_damaged_file_of_a_run_is_rejected_and_nothing_changes(finished_run, tmp_path, name):
    learning_runs.check_damage(DeepCfrRun, finished_run, tmp_path / "damaged", name)


def test_crafted_memories_are_refused(finished_run, tmp_path):
    """Indices in a memory are checked before a network is trained on them."""
    folder = learning_runs.copy_run(finished_run, tmp_path / "crafted")
    run = DeepCfrRun.load(folder)
    learner = run.open_learner()
    memory = learner.traversals.advantages[0]
    for place, wrong in ((memory.owners[0], 12), (memory.owners[0], -1), (memory.owners[1], 99)):
        kept, place[0] = place[0], wrong
        run._store(learner)
        with pytest.raises(BadInput, match="no memory of this game"):
            DeepCfrRun.load(folder).open_learner()
        place[0] = kept


def test_games_and_settings_that_cannot_be_learned_are_refused(tmp_path, monkeypatch):
    for spec, message in [
        ("connect4", "connect4 has perfect information. Try: gameplay learn connect4 --method samuel"),
        ("hearts", "zero-sum game for two; hearts is for 4 players"),
    ]:
        with pytest.raises(Usage, match=message):
            DeepCfrRun(tmp_path, DeepCfrSettings(spec))
    monkeypatch.setattr(deepcfr, "MAX_NODES", 50)
    with pytest.raises(Usage, match=r"too large: .* Try: gameplay learn leduc --method deepcfr"):
        DeepCfrRun(tmp_path, DeepCfrSettings("kuhn"))
    monkeypatch.undo()
    with pytest.raises(ValueError, match="out of range"):
        DeepCfrRun(tmp_path, DeepCfrSettings("kuhn", iterations=0))
    with pytest.raises(ValueError, match="out of range"):
        DeepCfrPoint(1, 1, -1.0, 0.0, 0.0)


def test_command_learns_kuhn_without_being_asked_for_a_method(tmp_path, capsys):
    words = f"kuhn --iterations 2 --traversals 2 --units 2 --json --out {tmp_path / 'run'}"
    assert learn_status(words.split()) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["method"], facts["played"], facts["infosets"]) == ("deepcfr", 2, 12)
    assert learn_status(["status", str(tmp_path / "run")]) == 0
    assert "strategy:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("kuhn --games 5", "--games has no effect on --method deepcfr"),
        ("kuhn --depth 3", "not deepcfr"),
        ("connect4 --method deepcfr", "Try: gameplay learn connect4 --method samuel"),
        ("kuhn --units 0", "--units"),
        ("kuhn --traversals 9999999999", "'9999999999' is not a whole number from 1 to 1000000000"),
    ],
)
def test_command_rejects_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_rejected(capsys, words.split(), message)
