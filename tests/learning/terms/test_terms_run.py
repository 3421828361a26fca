"""Runs of logistic, tdleaf and spsa in folders, and `gameplay learn` with these methods."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli.knowledge.learning.workers import parallel_games
from gameplay.errors import BadInput, Fault, Usage
from gameplay.evaluation import select_evaluation
from gameplay.learning import generations
from gameplay.learning.generations import StopRequested, digest_of
from gameplay.learning.ground_truth import GroundTruth, SolvedPosition
from gameplay.learning.terms import contest, learner, run, spsa
from gameplay.learning.terms.games import TrainingGame, play_task
from gameplay.learning.terms.run import METHODS, TermsRun, TermsSettings
from gameplay.runs.pool import Ended, Pool
from tests.support import learning_runs
from tests.support.learning import learn_status

RECORDS = Path(__file__).parents[2] / "examples" / "records"
pytestmark = pytest.mark.once  # both builds: test_same_weights_in_both_builds in test_regression.py


def settings(method: str) -> TermsSettings:
    return TermsSettings("connect4:columns=4,rows=4", "threats", method, games=12, depth=1, opening=3)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fewer games, and tests that accept any weights that win a pair more than they lose."""
    monkeypatch.setattr(TermsRun, "generations", 3)
    monkeypatch.setattr(learner, "CALIBRATION", 3)
    monkeypatch.setattr(spsa, "STEP", 3.0)
    monkeypatch.setattr(contest, "PAIRS", 4)
    monkeypatch.setattr(contest, "ELO0", -900.0)
    monkeypatch.setattr(run, "AGAINST_START", 3)
    monkeypatch.setattr(run, "ON_LADDER", 1)

    solved = (SolvedPosition((), frozenset({1, 2}), 1.0), SolvedPosition((0,), frozenset({1}), -1.0))
    truth = GroundTruth(solved, False)
    monkeypatch.setattr(generations, "ground_truth", lambda *_: truth)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of complete runs, by method; filled by `complete`."""
    return {"": tmp_path_factory.mktemp("whole")}


def complete(whole: dict[str, Path], method: str) -> Path:
    if method not in whole:
        whole[method] = whole[""] / method
        assert len(list(TermsRun.begin(whole[method], settings(method)).learn())) == 3
    return whole[method]


@pytest.mark.parametrize(("method", "files"), [("logistic", 0), ("logistic", 1), ("tdleaf", 1), ("spsa", 1)])
def test_run_that_is_killed_between_two_files_ends_with_the_same_bytes(
    whole: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, files: int
) -> None:
    """The process is killed after writing `files` of the two files of a generation."""
    finished = complete(whole, method)
    folder = learning_runs.interrupt_run(TermsRun, finished, tmp_path / "killed", 1)
    assert TermsRun.load(folder).played == 4
    learning_runs.check_killed(TermsRun, finished, folder, 1, files, monkeypatch)


@pytest.mark.parametrize("method", METHODS)
def test_curve_counts_played_games(whole: dict[str, Path], method: str) -> None:
    done = TermsRun.load(complete(whole, method))
    assert [point.games for point in done.curve] == [4, 8, 12] and done.done
    kept = [point.kept for point in done.curve]
    assert any(kept) or method == "spsa", "the test of this file accepts nearly anything"
    assert method == "spsa" or list(done.open_learner().values) != [100.0, 1200.0, 500.0]
    for point in done.curve:
        assert sum(point.tested) <= 4
        assert [sum(pairs) for pairs in point.ladder] == [1] * 4 and point.wrong is not None
        assert (point.loss is None) == (method == "spsa") and bool(point.positions) == (method != "spsa")
        assert not point.kept or sum(point.start) == 3
    for before, point in zip(done.curve, done.curve[1:], strict=False):
        assert point.kept or (point.start, point.ladder) == (before.start, before.ladder)
    weights = select_evaluation(str(done.weights), done.game.new())
    assert (
        weights is not None
        and weights.weights == done.open_learner().reference.weights == done.learned.weights
    )


@pytest.mark.parametrize("doing", ["learning", "testing the new weights", "measuring"])
def test_stopped_generation_is_repeated(whole: dict[str, Path], tmp_path: Path, doing: str) -> None:
    learning_runs.check_stopped(TermsRun, complete(whole, "tdleaf"), tmp_path / "stopped", 0, doing)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("run.json", {"decay": 7.0}),
        ("run.json", {"depth": 0}),
        ("run.json", {"weights": [1]}),
        ("run.json", {"method": "logistics"}),
        ("state.json", {"generation": 2}),
        ("state.json", {"curve": [{"games": 4}] * 3}),
    ],
)
def test_file_that_was_written_by_hand_is_rejected(
    whole: dict[str, Path], tmp_path: Path, name: str, change: dict[str, object]
) -> None:
    learning_runs.check_crafted(TermsRun, complete(whole, "tdleaf"), tmp_path / "crafted", name, change)


@pytest.mark.parametrize(
    "row",
    [
        {"ladder": [[0] * 5] * 3},
        {"start": [0] * 4},
        {"tested": [-1, 0, 0, 0, 0]},
        {"kept": 1},
        {"games": -1},
        {"positions": 2**63},
    ],
)
def test_point_of_no_run_is_rejected(whole: dict[str, Path], tmp_path: Path, row: dict[str, object]) -> None:
    learning_runs.check_crafted_point(TermsRun, complete(whole, "tdleaf"), tmp_path / "crafted", row)


# -- given games ---------------------------------------------------------------------------------------------


def test_given_games_are_learned_from_in_their_order(tmp_path: Path, whole: dict[str, Path]) -> None:
    """With all weights fixed, a run's own games as given games produce the weights of that run."""
    plain = settings("logistic")
    source = TermsRun.begin(tmp_path / "own", plain)
    own_games = [play_task(source.games.task(number, source.evaluation)) for number in range(4)]
    games = [TrainingGame("", game.moves, game.result) for game in own_games]
    run = TermsRun.of_games(tmp_path / "given", plain, games)
    assert run.settings.games == 4
    learner = run.new_learner(0)
    own = source.new_learner(0)
    for candidate in (learner, own):
        candidate.calibrate()
        list(candidate.play(range(4)))
        candidate.finish()
    assert learner.positions == own.positions > 10 and learner.values == own.values
    list(run.learn())
    assert TermsRun.load(run.folder).done
    (run.folder / "given.jsonl").write_text("[]")
    with pytest.raises(BadInput, match=r"given\.jsonl is damaged"):
        TermsRun.load(run.folder).open_learner()


@pytest.mark.parametrize(
    "line", ["[", "[" * 9000, "7", '["", [], 2]', '["", [4000000000], 1]', '["", "x", 1]', '["?", [], 1]', ""]
)
def test_given_games_that_were_written_by_hand_are_rejected(tmp_path: Path, line: str) -> None:
    """The digest of the file is right, but its games are invalid."""
    crafted = replace(settings("logistic"), games=1, given=digest_of(line.encode()))
    run = TermsRun.begin(tmp_path / "run", crafted)
    (run.folder / "given.jsonl").write_text(line)
    with pytest.raises(BadInput, match=r"is not a game of|expected 1$"):
        TermsRun.load(run.folder).open_learner()


def test_command_learns_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generations, "ground_truth", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    words = ["checkers", "--method", "logistic", "--depth", "1", "--plies", "20", "--out", "run"]
    assert learn_status([*words, "--from", str(RECORDS / "checkers.pdn")]) == 0
    shown = capsys.readouterr()
    assert "logistic regression on results, 2 given games at depth 1" in shown.out
    assert "checkers.pdn: 1 game without a result left out" in shown.err
    rows = [json.loads(line) for line in (tmp_path / "run/given.jsonl").read_text().splitlines()]
    assert [result for _, _, result in rows] == [1.0, 0.0]
    position = registry.game("checkers").new()
    for move in rows[0][1]:
        position.make(move)
    assert len(rows[0][1]) == 59 and position.outcome() is None, "the loser resigned"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "nix.pdn"], "there is no file nix.pdn"),
        (["--from", str(RECORDS / "chess.pgn")], "holds no finished game of checkers"),
    ],
)
def test_source_without_games_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert learn_status(["checkers", "--method", "logistic", *words]) in (BadInput.status, Usage.status)
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# -- the command -------------------------------------------------------------------------------------------


def test_command_learns_and_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["connect4:columns=4,rows=4", "--games", "12", "--depth", "1", "--opening", "3", "--out", "run"]
    assert learn_status([*words, "--method", "tdleaf", "--lambda", "0.6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "connect4:columns=4,rows=4: TD-leaf(0.6), 12 games at depth 1, seed 1"
    assert learn_status(["status", "run"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[: len(lines) - 1] == lines[:-1]
    assert "right_row" in shown and "\n      4" in shown
    assert learn_status(["status", "run", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["lambda"] == 0.6 and facts["played"] == 12 and len(facts["curve"]) == 3
    loaded = TermsRun.load(tmp_path / "run")
    assert [row["kept"] for row in facts["curve"]] == [point.kept for point in loaded.curve]
    assert learn_status(["resume", "run"]) == 0
    assert "all 12 games are done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("kuhn", "imperfect information"),
        ("backgammon", "has chance. Try: gameplay learn backgammon --method td"),
        ("nim", "that is a sum of named terms; nim has none. Try: gameplay learn nim --method td"),
        ("puzzle15", "puzzle15 is a puzzle. Try: gameplay patterns"),
        (
            "chess --eval material",
            "evaluation material of chess is not a sum of named terms. Try: --eval linear",
        ),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_game_that_cannot_be_learned_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    game: str,
    message: str,
    method: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert learn_status([*game.split(), "--method", method]) == Usage.status
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_options_of_other_methods_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert learn_status(["connect4", "--method", "logistic", "--lambda", "0.5"]) == Usage.status
    assert "--lambda is for --method td and tdleaf, not logistic" in capsys.readouterr().err
    assert learn_status(["connect4", "--method", "spsa", "--explain"]) == Usage.status
    assert "--explain is for --method samuel and rote, not spsa" in capsys.readouterr().err
    assert learn_status(["connect4", "--method", "samuel", "--jobs", "2"]) == Usage.status
    error = capsys.readouterr().err
    assert "--jobs is for --method td, alphazero, logistic, tdleaf, spsa and correction, not samuel" in error


# -- several processes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["logistic", "spsa"])
def test_weights_do_not_depend_on_the_number_of_processes(
    whole: dict[str, Path], tmp_path: Path, method: str
) -> None:
    first, plan = complete(whole, method), settings(method)
    several = TermsRun.begin(tmp_path / "several", plan)
    with parallel_games(several, 2, None):
        list(several.learn())
    for name in ("weights.toml", "tables-3.bin", "state.json"):
        assert (several.folder / name).read_bytes() == (first / name).read_bytes()


def test_a_game_that_kills_its_process_ends_the_run_resumably(
    whole: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = TermsRun.begin(tmp_path / "run", settings("logistic"))
    with monkeypatch.context() as patched:
        patched.setattr(Pool, "each", lambda pool, work, tasks, idle: iter(["the worker process ended"]))
        lost = "a game was lost, the worker process ended; resume with: gameplay learn resume"
        with parallel_games(run, 2, None), pytest.raises(Fault, match=lost):
            list(run.learn())
    resumed = TermsRun.load(run.folder)
    list(resumed.learn())
    assert resumed.weights.read_bytes() == (complete(whole, "logistic") / "weights.toml").read_bytes()


def test_stop_ends_games_of_other_processes(tmp_path: Path) -> None:
    run = TermsRun.begin(tmp_path / "run", settings("logistic"))

    class Waiting(Pool):
        def wait(self, seconds: float) -> list[Ended]:
            run.request_stop()
            return []

    with Waiting(2) as pool, pytest.raises(StopRequested):
        next(pool.each(abs, [1, 2, 3], run.check_stop))
    assert pool.free == 2
