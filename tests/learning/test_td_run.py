"""Runs of TD(lambda) in folders, their ground truth, their files of weights, and `gameplay learn`."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gameplay import Limit, registry
from gameplay.display.reports.learning.curve import truth_line
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from gameplay.learning.ground_truth import GroundTruth, ground_truth
from gameplay.learning.td_run import TdRun, TdSettings
from gameplay.search.report import Report
from tests.support import learning_runs
from tests.support.learning import check_rejected, learn_status

EXAMPLES = Path(__file__).parents[1] / "examples" / "games"
pytestmark = pytest.mark.once  # both builds learn the same: test_temporal_difference.py

SMALL = TdSettings("tictactoe", games=40, tuples=4, length=3)


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """The folder of a small, finished run."""
    folder = tmp_path_factory.mktemp("run") / "whole"
    run = TdRun.begin(folder, SMALL)
    assert [point.games for point in run.learn()] == [
        2 * number for number in range(1, TdRun.generations + 1)
    ]
    return folder


def test_run_of_a_file_that_has_changed_is_rejected_until_the_file_is_restored(tmp_path):
    file = tmp_path / "sticks.py"
    source = (EXAMPLES / "sticks.py").read_text()
    file.write_text(source)
    run = TdRun.begin(tmp_path / "run", TdSettings(f"{file}:Sticks", games=3))
    next(iter(run.learn()))
    contents = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    for changed in (source.replace("(1, -1)", "(-1, 1)"), None):
        file.unlink() if changed is None else file.write_text(changed)
        with pytest.raises(BadInput, match=r"a run of another version of .*sticks\.py"):
            TdRun.load(run.folder)
        assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == contents
    file.write_text(source)
    assert [point.games for point in TdRun.load(run.folder).learn()] == [2, 3]


def test_run_of_few_games_has_a_generation_per_game(tmp_path):
    few = replace(SMALL, games=3)
    run = TdRun.begin(tmp_path / "whole", few)
    assert [point.games for point in run.learn()] == [1, 2, 3]
    begun = learning_runs.interrupt_run(TdRun, tmp_path / "whole", tmp_path / "begun", 1)
    resumed = TdRun.load(begun)
    assert (len(list(resumed.learn())), resumed.done) == (2, True)
    assert (begun / "state.json").read_bytes() == (tmp_path / "whole" / "state.json").read_bytes()
    assert TdRun.begin(tmp_path / "none", replace(SMALL, games=1)).generations == 1


def test_older_run_of_few_games_keeps_its_generations(tmp_path, monkeypatch):
    monkeypatch.setattr(TdRun, "total", 40)  # as many generations as before
    run = TdRun.begin(tmp_path / "run", replace(SMALL, games=3))
    monkeypatch.undo()
    assert run.generations == TdRun.generations and len(list(run.learn())) == TdRun.generations
    loaded = TdRun.load(tmp_path / "run")
    assert (loaded.done, loaded.generations, loaded.played) == (True, TdRun.generations, 3)


# -- runs ------------------------------------------------------------------------------------------------


def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    learning_runs.check_interrupted(TdRun, finished_run, tmp_path / "killed", 7, 14, monkeypatch)
    learning_runs.check_stopped(TdRun, finished_run, tmp_path / "stopped", 3, "measuring")


@pytest.mark.parametrize("generations", [8, TdRun.generations - 1])
def test_run_that_is_killed_between_two_files_ends_with_the_same_bytes(
    finished_run, tmp_path, monkeypatch, generations
):
    """The process is killed after writing 0, 1, ... 4 of the five files of a generation."""
    begun = learning_runs.interrupt_run(TdRun, finished_run, tmp_path / "begun", generations)
    for files in range(5):
        folder = learning_runs.copy_run(begun, tmp_path / str(files))
        learning_runs.check_killed(TdRun, finished_run, folder, generations, files, monkeypatch)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("run.json", {"decay": 7.0}),
        ("run.json", {"tuples": -1}),
        ("run.json", {"seed": "x"}),
        ("run.json", {"games": 1.5}),
        ("run.json", {"games": float("inf")}),
        ("run.json", {"games": 10**10}),
        ("run.json", {"games": True}),
        ("run.json", {"tuples": 10**8}),
        ("state.json", {"generation": float("inf")}),
        ("state.json", {"curve": [{"games": 2**63, "positions": 0, "wrong": 0, "wins": 0, "draws": 0}]}),
        ("state.json", {"generation": 21}),
        ("state.json", {"curve": []}),
        ("truth.json", {"positions": [[[99], [0]]]}),
        ("truth.json", {"positions": [[[0], [0]]]}),
        ("truth.json", {"positions": [[[0], []]]}),
    ],
)
def test_file_that_was_written_by_hand_is_rejected(finished_run, tmp_path, name, change):
    learning_runs.check_crafted(TdRun, finished_run, tmp_path / "crafted", name, change)


def test_folder_of_another_person_runs_no_code(tmp_path, monkeypatch, capsys):
    executed = tmp_path / "executed"
    source = (EXAMPLES / "sticks.py").read_text()
    (tmp_path / "sticks.py").write_text(source + f"\nopen({str(executed)!r}, 'a').write('x')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "mine"))
    assert learn_status(["./sticks.py", "--games", "20", "--out", "run"]) == 0
    assert learn_status(["status", "run"]) == 0, "what the user typed is trusted"
    before = executed.read_text()
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "theirs"))
    for word in ("status", "resume", "stop"):
        command = [sys.executable, "-m", "gameplay", "learn", word, "run"]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode and "Traceback" not in ran.stderr, word
        assert word == "stop" or f"gameplay trust {tmp_path / 'sticks.py'}" in ran.stderr
    assert executed.read_text() == before
    capsys.readouterr()


def test_weights_of_a_run_are_those_that_it_measured(finished_run):
    """The file rounds to 16 bits; a search of one ply prefers the same moves as the learner."""
    run = TdRun.load(finished_run)
    trainer = run.open_learner()
    engine = registry.engine(f"alphabeta:depth=1,eval={finished_run / 'weights.toml'}")[0]
    truth = ground_truth(registry.game("tictactoe"), 1)
    for question in truth.positions[::40]:
        position = registry.game("tictactoe").new()
        for move in question.moves:
            position.make(move)
        scores = {}
        for move in position.moves():
            position.make(move)
            over = position.outcome()
            scores[move] = (
                over[1 - position.turn]
                if over
                else -trainer.ntuples.of(position) * (1 if position.turn == 0 else -1)
            )
            position.unmake()
        best = engine.search(position, Limit(depth=1)).pv[0]
        assert scores[best] >= max(scores.values()) - 2e-3


@pytest.mark.parametrize("name", ["run.json", "state.json", "truth.json", "tables-20.bin"])
def test_damaged_file_of_a_run_is_rejected_and_nothing_changes(finished_run, tmp_path, name):
    learning_runs.check_damage(TdRun, finished_run, tmp_path / "damaged", name)


def test_games_that_cannot_be_learned_are_rejected_with_the_alternative(tmp_path):
    for spec, words in {
        "holdem": "imperfect information. Try: gameplay learn holdem --method deepcfr",
        "puzzle15": "is a puzzle. Try: gameplay patterns",
        "connect4:players=3": "is for 3 players. Try: gameplay play connect4:players=3",
    }.items():
        with pytest.raises(Usage, match=words):
            TdRun.begin(tmp_path / "none", TdSettings(spec, 20))
    assert not (tmp_path / "none").exists()


# -- ground truth ----------------------------------------------------------------------------------------


def test_ground_truth_of_sticks_is_the_theory():
    """Leaving 1, 5, 9, ... sticks wins: there every move loses, elsewhere one move wins."""
    game = registry.game(f"{EXAMPLES / 'sticks.py'}:Sticks")
    truth = ground_truth(game, 1)
    assert truth.whole
    for question in truth.positions:
        remaining = game.new().sticks - sum(question.moves)
        assert question.best == {(remaining - 1) % 4} and (remaining - 1) % 4
    starts = {
        (game.new().sticks - sum(position.moves), len(position.moves) % 2) for position in truth.positions
    }
    assert len(starts) == len(truth.positions)


def test_ground_truth_of_tictactoe_is_that_of_a_plain_minimax():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    values: dict[str, int] = {}
    wrong_possible = 0

    def value(board: str, mover: str) -> int:
        nonlocal wrong_possible
        other = "O" if mover == "X" else "X"
        if any(all(board[place] == other for place in line) for line in lines):
            return -1
        if "." not in board:
            return 0
        if board not in values:
            results = [
                -value(board[:place] + mover + board[place + 1 :], other)
                for place in range(9)
                if board[place] == "."
            ]
            values[board] = max(results)
            wrong_possible += len(set(results)) > 1
        return values[board]

    assert value("." * 9, "X") == 0
    game = registry.game("tictactoe")
    truth = ground_truth(game, 1)
    assert truth.whole and len(truth.positions) == wrong_possible == 3191
    assert GroundTruth.restore(json.loads(json.dumps(truth.stored())), game) == truth


def test_ground_truth_of_a_larger_game_is_a_sample_and_of_chance_none(monkeypatch):
    assert ground_truth(registry.game("pig:goal=8"), 1) is None
    monkeypatch.setattr("gameplay.learning.ground_truth.POSITIONS", 8)
    truth = ground_truth(registry.game("connect4:columns=4,rows=4"), 1)
    assert not truth.whole and len(truth.positions) == 8


def test_status_names_the_reason_for_a_missing_ground_truth(tmp_path, monkeypatch):
    monkeypatch.setattr("gameplay.learning.generations.ground_truth", lambda *rest: None)
    for game, reason in (("tictactoe", "no solver values its positions"), ("pig:goal=8", "it has chance")):
        run = TdRun.begin(tmp_path / game.partition(":")[0], replace(SMALL, game=game))
        before = "none for this game: it has chance" if game.startswith("pig") else "not computed yet"
        assert truth_line(run) == f"Ground truth: {before}."
        next(iter(run.learn()))
        assert truth_line(TdRun.load(run.folder)) == f"Ground truth: none for this game: {reason}."


def test_error_against_ground_truth_reaches_zero_on_tictactoe(tmp_path):
    run = TdRun.begin(tmp_path / "run", TdSettings("tictactoe", games=20_000, explore=0.5))
    points = list(run.learn())
    assert points[0].wrong > 100 and points[-1].wrong == 0
    assert points[-1].losses < 5


# -- files of weights ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('game = "tictactoe" -> game = "connect4"', "holds weights for connect4, and this is tictactoe"),
        ("version = 1 -> version = 2", "version 2: expected 1"),
        ('file = "weights.bin" -> file = "../weights.bin"', "expected the name of a file in the same folder"),
        ("scale = -> scale = 1.5 #", "the checksum is not that of the weights"),
        ("rows = 3 -> rows = 3000", "3000 by 3 cells: expected at most 512"),
        ("chance = false -> chance = true", "weights: expected"),
        ("scale = -> scale = 1e400 #", "scale is inf: expected a number"),
        ("scale = -> scale = nan #", "scale is nan: expected a number"),
        ("scale = -> scale = 1e-300 #", "scale is 1e-300: expected a number from 1e-06 to 1048576"),
        ('file = "weights.bin" -> file = "a\\nb"', "expected the name of a file in the same folder"),
        ('evaluation = "ntuples" -> evaluation = ["ntuples"]', "unknown field 'scale'"),
        pytest.param(
            "symmetries = [ -> symmetries = [" + 1025 * '"identity", ', "at most 1024 images", id="images"
        ),
        ('"identity" -> "sideways"', "symmetries: expected names of symmetries"),
        ('letters = ["", "X", "O"] -> letters = []', "letters: expected a list of 1 to 255 strings"),
        ("tuples = [ -> tuples = [[0, 99, 1],", "tuples: a cell is not on the board"),
        ("tuples = [ -> tuples = [[0],", "tuples: expected lists of one length"),
        ("columns = 3 -> ", "columns is missing"),
    ],
)
def test_wrong_file_of_weights_is_rejected_in_one_line(finished_run, tmp_path, change, words):
    learning_runs.check_broken_weights(finished_run, tmp_path / "broken", "tictactoe", change, words)


def test_weights_that_are_cut_inflated_or_changed_are_rejected(finished_run, tmp_path):
    learning_runs.check_broken_numbers(finished_run, tmp_path, "tictactoe", "weights.bin")


def test_weights_for_another_board_are_rejected(finished_run):
    with pytest.raises(
        BadInput, match="another board or version of the game: expected 3 by 3 cells, found 4 by 4"
    ):
        select_evaluation(
            str(finished_run / "weights.toml"), registry.game("tictactoe:width=4,height=4").new()
        )


def test_tables_are_never_used_for_another_board(finished_run):
    others = ("tictactoe:width=4", "connect4", "tictactoe:players=3")
    learning_runs.check_other_boards(finished_run / "weights.toml", "tictactoe", others)


# -- the command -----------------------------------------------------------------------------------------


def test_command_learns_a_game_in_a_file_and_names_the_weights(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("sticks.py").write_text((EXAMPLES / "sticks.py").read_text())
    assert learn_status(["./sticks.py", "--games", "200"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "sticks: TD(0.5), explore 0.1, 200 games, seed 1"
    assert [line.split()[0] for line in shown if line.startswith("   ")][1:] == [
        f"{games}" for games in range(10, 201, 10)
    ]
    last = next(line for line in reversed(shown) if line.startswith("   "))
    assert last.split()[:2] == ["200", "0.0"], "all positions of Sticks are played right"
    assert shown[-1].endswith("--engine alphabeta:eval=learned-sticks/weights.toml")
    assert learn_status(["status", "learned-sticks", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["played"] == 200 and facts["curve"][-1]["wrong"] == 0 and facts["truth"]["whole"]
    assert learn_status(["resume", "learned-sticks"]) == 0
    assert "all 200 games are done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["tictactoe", "--method", "td", "--depth", "3"],
            "--depth is for --method samuel, rote, logistic, tdleaf, spsa and signature, not td",
        ),
        (["checkers", "--lambda", "0.3"], "--lambda is for --method td and tdleaf, not samuel"),
        (["nim", "--age", "9"], "--age is for --method rote, not td"),
        (["nim", "--explain"], "--explain is for --method samuel and rote, not td"),
        (["nim", "--lambda", "1.5"], "is not a number from 0 to 1"),
        (["nim", "--lambda", "nan"], "--lambda: 'nan' is not a number from 0 to 1"),
        (["nim", "--explore", "nan"], "--explore: 'nan' is not a number from 0 to 1"),
        (["tictactoe", "--method", "td", "--tuples", "500x3"], "too many tuples: 500 with 8 images each"),
        (["nim", "--tuples", "7"], "'7' is not COUNTxLENGTH: expected at most 500 tuples"),
        (["nim", "--tuples", "4x99"], "a tuple of 99 cells is too long"),
        (
            ["kuhn", "--method", "td"],
            "kuhn has imperfect information. Try: gameplay learn kuhn --method deepcfr",
        ),
    ],
)
def test_command_rejects_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_rejected(capsys, words, message)


def test_stop_of_a_run_that_no_process_plays(finished_run, capsys):
    assert learn_status(["stop", str(finished_run)]) == 2
    assert "no learning run is in progress in" in capsys.readouterr().err


def test_stop_and_interruption_are_noticed_while_positions_are_solved(tmp_path, monkeypatch, capsys):
    settings = TdSettings("connect4:columns=5,rows=4", games=20, tuples=2, length=2)
    run = TdRun.begin(tmp_path / "run", settings)
    seen = []

    def stop(done, doing):
        seen.append((done, doing))
        run.request_stop()

    run.observe = stop
    assert list(run.learn()) == [] and seen == [(0, "solving positions")]
    assert not run.has_ground_truth and not run.stop_requested
    assert learn_status(["status", str(run.folder)]) == 0
    assert "Ground truth: not computed yet." in capsys.readouterr().out

    class Interrupted:
        def search(self, position, limit):
            return Report(stopped="interrupted")

    monkeypatch.setattr(registry, "engine", lambda spec: (Interrupted(), {}))
    with pytest.raises(KeyboardInterrupt):
        ground_truth(run.game, 1)
