"""Runs of AlphaZero in folders, their files of weights, and `gameplay learn --method alphazero`."""

import json
from pathlib import Path

import pytest

from gameplay import Limit, file_io, registry
from gameplay.errors import BadInput
from gameplay.evaluation import files_of, select_evaluation
from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings, default_opening
from tests.support import learning_runs
from tests.support.learning import check_rejected, learn_status

EXAMPLES = Path(__file__).parents[1] / "examples" / "games"
pytestmark = pytest.mark.once  # both builds learn the same: test_alphazero.py

GAME = "nim:heaps=2+3"
SMALL = AlphaZeroSettings(GAME, games=20, simulations=4, opening=2)


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """The folder of a small, finished run."""
    folder = tmp_path_factory.mktemp("run") / "whole"
    points = list(AlphaZeroRun.begin(folder, SMALL).learn())
    assert [point.games for point in points] == list(range(1, 21))
    return folder


def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    learning_runs.check_interrupted(AlphaZeroRun, finished_run, tmp_path / "killed", 7, 7, monkeypatch)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("run.json", {"simulations": 1}),
        ("run.json", {"simulations": 10**9}),
        ("run.json", {"opening": -1}),
        ("run.json", {"games": "x"}),
        ("state.json", {"curve": []}),
        ("truth.json", {"positions": [[[], [0], 0.0]]}),
        ("truth.json", {"positions": [[[], [99], 2.0]]}),
    ],
)
def test_file_that_was_written_by_hand_is_rejected(finished_run, tmp_path, name, change):
    learning_runs.check_crafted(AlphaZeroRun, finished_run, tmp_path / "crafted", name, change)


@pytest.mark.parametrize("change", [{"error": 3.0}, {"error": "0.1"}, {"policy": -1}, {"search": 0.5}])
def test_curve_that_no_run_has_is_rejected(finished_run, tmp_path, change):
    learning_runs.check_crafted_point(AlphaZeroRun, finished_run, tmp_path / "crafted", change)


def test_value_out_of_range_in_the_truth_is_rejected(finished_run, tmp_path):
    folder = learning_runs.copy_run(finished_run, tmp_path / "crafted")
    truth = file_io.read_checked(folder / "truth.json")
    for value in (1.5, "1", None, float("nan")):
        rows = [[moves, best, value] for moves, best, _ in truth["positions"]]
        file_io.write_checked(folder / "truth.json", truth | {"positions": rows})
        with pytest.raises(BadInput):
            AlphaZeroRun.load(folder)


def test_truth_of_nim_is_that_of_bouton(finished_run):
    """The mover wins if the nim-sum of the heaps is not 0."""
    truth = AlphaZeroRun.load(finished_run).truth
    assert truth.whole and truth.positions
    for solved in truth.positions:
        position = registry.game(GAME).new()
        for move in solved.moves:
            position.make(move)
        heaps = [int(heap) for heap in position.text().split()[0].split("+")]
        wins = heaps[0] ^ heaps[1] if len(heaps) == 2 else heaps[0]
        assert solved.value == (1 if bool(wins) == (position.turn == 0) else -1)


def test_file_of_a_run_has_the_policy_and_the_value_that_were_measured(finished_run):
    run = AlphaZeroRun.load(finished_run)
    learner, position = run.open_learner(), run.game.new()
    evaluation = select_evaluation(str(run.weights), position)
    assert files_of(str(run.weights)) == [
        run.weights,
        *(run.folder / name for name in ("weights.bin", "weights-policy.bin")),
    ]
    guide = evaluation.policy(position)
    assert guide is evaluation.policy(run.game.new())
    value, policy = guide.of(learner.kernel)
    expected, shares = learner.guide.of(learner.kernel)
    assert value == pytest.approx(expected, abs=1e-3) and policy == pytest.approx(shares, abs=1e-3)
    assert sum(policy.values()) == pytest.approx(1)
    engine, _ = registry.engine(f"mcts:eval={run.weights},solver=off")
    report = engine.search(position, Limit(simulations=SMALL.simulations, multipv=9))
    assert max(report.candidates, key=lambda candidate: candidate.visits).move == learner.search_choice([])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("policy_scale -> policy_size", "policy or policy_scale is wrong or missing"),
        ("policy_scale = -> policy_scale = 1.5 #", "the checksum is not that of the weights"),
        ("policy_scale = -> policy_scale = 1e-9 #", "policy_scale is 1e-09: expected a number from 1e-06"),
        ("policy_scale = -> policy_scale = -1.0 #", "policy_scale is -1.0: expected a number"),
        ('"weights-policy.bin" -> "../weights-policy.bin"', "expected the name of a file in the same folder"),
        ('"weights-policy.bin" -> "weights.bin"', "the checksum is not that of the weights"),
        ('"weights-policy.bin" -> "none.bin"', "there is no file"),
        ('policy = "weights-policy.bin" -> ', "the checksum is not that of the weights"),
    ],
)
def test_wrong_policy_is_rejected_in_one_line(finished_run, tmp_path, change, words):
    learning_runs.check_broken_weights(finished_run, tmp_path / "broken", GAME, change, words)


def test_policy_that_was_cut_inflated_or_changed_is_rejected(finished_run, tmp_path):
    learning_runs.check_broken_numbers(finished_run, tmp_path, GAME, "weights-policy.bin")


def test_opening_length_follows_random_games_up_to_a_limit():
    assert default_opening(registry.game(GAME), 1) <= 5
    assert default_opening(registry.game("tictactoe"), 1) == 8
    assert default_opening(registry.game("connect4"), 1) == 20


def test_command_learns_a_game_in_a_file_and_shows_the_curve(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("heap.py").write_text((EXAMPLES / "sticks.py").read_text())
    assert learn_status(["./heap.py", "--method", "alphazero", "--games", "60", "--simulations", "8"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("sticks: AlphaZero, 8 simulations a move, up to ")
    rows = [line.split() for line in shown if line.startswith("    ")]
    assert rows[0][:3] == ["wrong", "moves", "of"] and rows[1][:4] == ["games", "policy", "value", "search"]
    assert [row[0] for row in rows[2:]] == [str(games) for games in range(3, 61, 3)]
    assert shown[-1].endswith("--engine mcts:eval=learned-sticks/weights.toml")
    assert learn_status(["status", "learned-sticks", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    last = facts["curve"][-1]
    assert facts["played"] == 60 and facts["simulations"] == 8 and facts["truth"]["whole"]
    assert last["search"] < facts["curve"][0]["policy"] and 0 <= last["error"] < 1
    assert learn_status(["resume", "learned-sticks"]) == 0
    assert "all 60 games are done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["kuhn"], "kuhn has imperfect information. Try: gameplay learn kuhn --method deepcfr"),
        (["backgammon"], "backgammon has chance. Try: gameplay learn backgammon --method td"),
        (["15puzzle"], "puzzle15 is a puzzle. Try: gameplay patterns"),
        (["nim:players=3"], "is for 3 players. Try: gameplay play nim:players=3"),
        (["nim", "--lambda", "0.5"], "--lambda is for --method td and tdleaf, not alphazero"),
        (["nim", "--simulations", "1"], "--simulations"),
        (["nim", "--opening", "21"], "--opening"),
    ],
)
def test_command_rejects_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_rejected(capsys, [words[0], "--method", "alphazero", *words[1:]], message)
