"""Learning runs in a folder: the same bytes after any interruption, and damage that is reported."""

import json
import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput, TryLater, Usage
from gameplay.evaluation import select_evaluation
from gameplay.learning.run import LearningRun, LearningSettings
from gameplay.learning.samuel import Correction
from tests.support.learning import finish_run, learn_status

FILES = ("run.json", "state.json", "games.jsonl", "weights.toml")
SMALL = LearningSettings("checkers", "samuel", games=4, depth=1, plies=30)

pytestmark = pytest.mark.once  # what is learned is the same in both builds: test_samuel.py


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def test_run_that_is_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    finish_run(tmp_path / "whole", SMALL)
    started = LearningRun.begin(tmp_path / "killed", SMALL)
    games = started.learn()
    list(islice(games, 2))
    games.close()
    # The third game was written, its state was not.
    with (tmp_path / "killed/games.jsonl").open("ab") as file:
        file.write(b'{"game": 3, "result": 1, "al')
    resumed = LearningRun.load(tmp_path / "killed")
    assert resumed.learner.games == 2
    assert [played.number for played in resumed.learn()] == [2, 3]
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert list(LearningRun.load(tmp_path / "killed").learn()) == []


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_and_resume_on_the_command_line(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "gameplay"]
    options = ["--games", "8", "--depth", "2", "--plies", "40"]
    folder = tmp_path / "killed"
    with subprocess.Popen(
        [*program, "learn", "checkers", *options, "--out", str(folder)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline(), process.stdout.readline()  # two games
        process.send_signal(signal.SIGKILL)
    played = LearningRun.load(folder).learner.games
    assert 2 <= played < 8
    assert learn_status(["resume", str(folder)]) == 0
    finish_run(tmp_path / "whole", LearningSettings("checkers", "samuel", games=8, depth=2, plies=40))
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.skipif(os.name != "posix", reason="SIGINT")
def test_ctrl_c_ends_the_run_after_the_last_stored_game(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    program = [sys.executable, "-m", "gameplay", "learn", "checkers", "--games", "500", "--out", str(folder)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and f"resume with: gameplay learn resume {folder}" in error
    assert 1 <= LearningRun.load(folder).learner.games < 500


def test_weights_are_an_evaluation_with_their_source(tmp_path: Path) -> None:
    run = finish_run(tmp_path / "run", SMALL)
    position = registry.game("checkers").new()
    learned = select_evaluation(str(tmp_path / "run/weights.toml"), position)
    assert learned.name == "samuel" and learned.weights == run.learned.weights
    # The weight of the piece advantage is fixed.
    assert learned.weights["man"] == position.evaluations["samuel"].weights["man"]
    head = (tmp_path / "run/weights.toml").read_text().partition("game =")[0]
    assert "gameplay learn checkers --method samuel" in head and "4 games" in head and "seed 1" in head


def test_games_are_listed_with_results_and_polynomials(tmp_path: Path) -> None:
    run = finish_run(tmp_path / "run", SMALL)
    lines = run.lines()
    results = [sum(line["result"] == result for line in lines) for result in (1, 0, -1)]
    assert results == run.learner.results
    assert [line["alpha"] for line in lines] == [0, 1, 0, 1]
    # Each opening is played from both sides.
    assert lines[0]["moves"][:2] == lines[1]["moves"][:2] != lines[2]["moves"][:2]
    assert all(len(line["polynomial"]) == 16 for line in lines)
    for line in lines:
        position = registry.game("checkers").new()
        for move in line["moves"]:
            assert move in position.moves()
            position.make(move)


@pytest.mark.parametrize("name", ["run.json", "state.json"])
def test_damage_is_reported_and_nothing_is_changed(name: str, tmp_path: Path) -> None:
    finish_run(tmp_path / "run", SMALL)
    path = tmp_path / "run" / name
    for text in ("", "{", "[]", "null", path.read_text().replace("1", "2", 1), "\x00" * 50):
        path.write_text(text)
        before = contents(tmp_path / "run")
        with pytest.raises(BadInput, match=f"{name} is damaged"):
            LearningRun.load(tmp_path / "run")
        assert contents(tmp_path / "run") == before


def test_lost_games_are_reported_and_nothing_is_changed(tmp_path: Path) -> None:
    finish_run(tmp_path / "run", SMALL)
    path = tmp_path / "run/games.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    run = LearningRun.load(tmp_path / "run")
    with pytest.raises(BadInput, match="has 1 games, and 4 were played"):
        list(run.learn())
    assert len(path.read_bytes().splitlines()) == 1


def test_one_process_learns_at_a_time_and_a_request_stops_it(tmp_path: Path) -> None:
    run = LearningRun.begin(tmp_path / "run", SMALL)
    games = run.learn()
    next(games)
    assert run.learning == os.getpid()
    with pytest.raises(TryLater, match="another process"):
        next(LearningRun.load(tmp_path / "run").learn())
    run.request_stop()
    assert list(games) == [] and run.learner.games == 1
    assert run.learning == 0 and not (tmp_path / "run/stop").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kuhn", "--method", "rote"], "requires perfect information; kuhn has imperfect"),
        (["pig", "--method", "samuel"], "pig has chance. Try: gameplay learn pig --method td"),
        (["connect4:players=3"], "learn requires a zero-sum game for two"),
        (["puzzle15", "--method", "rote"], "learn requires two players; puzzle15 is a puzzle"),
        (["go", "--method", "samuel"], "sum of named terms; go has none. Try: gameplay learn go --method td"),
        (["checkers", "--eval", "strong"], "strong of checkers is not a sum of named terms. Try: --eval"),
        (["checkers", "--eval", "strnog"], "unknown evaluation 'strnog'"),
        (["chekers"], "unknown game 'chekers'"),
        (["checkers", "--games", "0"], "gameplay learn checkers: --games: '0' is not a whole number from 1"),
        (["checkers", "--method", "tdl"], "'tdl' is not one of 'samuel', 'rote', 'logistic', "),
        (["nim", "--method", "zz"], "'zz' is not one of 'td', 'alphazero'. Try: gameplay learn nim --help"),
        (["status", "nowhere"], "nowhere holds no learning run: start one with"),
        (["resume", "nowhere"], "nowhere holds no learning run"),
        (["stop", "nowhere"], "nowhere holds no learning run"),
    ],
)  # fmt: skip
def test_learn_refuses_unsupported_games_in_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    status = learn_status(arguments)
    error = capsys.readouterr().err
    assert status == 2 and words in error.replace("\n", " ")
    assert list(tmp_path.glob("learned-*")) == []


def test_folder_in_use_is_refused(tmp_path: Path) -> None:
    finish_run(tmp_path / "run", SMALL)
    with pytest.raises(Usage, match="holds a learning run: resume it with"):
        LearningRun.begin(tmp_path / "run", SMALL)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine.txt").write_text("mine")
    with pytest.raises(Usage, match="is not an empty folder"):
        LearningRun.begin(tmp_path / "other", SMALL)


def test_game_of_a_run_is_explained_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line printed by --explain during the run, and a sum that follows from its numbers."""
    folder = str(tmp_path / "run")
    options = ["--games", "3", "--depth", "1", "--plies", "30", "--out", folder]
    assert learn_status(["checkers", *options, "--explain"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert learn_status(["status", folder, "--game", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    first, last = (
        next(at for at, line in enumerate(printed) if line.startswith(f"game {n} ")) for n in (2, 3)
    )
    assert " ".join(" ".join(shown).split()) == " ".join(" ".join(printed[first:last]).split())
    _, played = LearningRun.load(tmp_path / "run").replay(2)
    event = next(event for event in played.events if isinstance(event, Correction))
    name, count, _, after = event.terms[0]
    row = next(line for line in shown if line.startswith(f"    {name:<8}{count:+4d}"))
    assert row.endswith(f"-> {after:+.3f}") and f"contributed {event.contributions[0] / 100:+6.2f}" in row
    assert any(line.endswith(" of 32") and "least correlated" in line for line in shown)
    assert learn_status(["status", folder, "--game", "4"]) == 2
    assert "game 4 has not been played" in capsys.readouterr().err
    lines = (tmp_path / "run/games.jsonl").read_text().splitlines()
    game = json.loads(lines[1])
    (tmp_path / "run/games.jsonl").write_text(
        "\n".join([lines[0], json.dumps(game | {"moves": game["moves"][:-1]}), lines[2]]) + "\n"
    )
    assert learn_status(["status", folder, "--game", "2"]) == 6
    assert "game 2 of" in capsys.readouterr().err


def test_screens_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    options = ["--games", "3", "--depth", "1", "--plies", "30", "--out", folder]
    assert learn_status(["checkers", *options, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\ngame ") + shown.startswith("game ") == 3
    assert "delta" in shown and "correlation" in shown and "coefficients:" in shown
    assert learn_status(["status", folder, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["played"] == facts["wins"] + facts["draws"] + facts["losses"] == 3
    assert len(facts["terms"]) == 16
    assert learn_status(["status", folder]) == 0
    shown = capsys.readouterr().out
    for term in facts["terms"]:
        assert f"\n{term['term']} " in shown
    assert "3 of 3 games at depth 1, seed 1; 0.00 hours" in shown
    assert 0 < LearningRun.load(tmp_path / "run").seconds < 3600
    (tmp_path / "run/seconds").write_text("?")  # not part of the result
    assert LearningRun.load(tmp_path / "run").seconds == 0
    assert "Samuel, 42 games" in shown
    row = next(line for line in shown.splitlines() if line.startswith("adv "))
    assert row.endswith("-2^8")  # Appendix C
    assert learn_status(["stop", folder]) == 2
    assert "no learning run is in progress in" in capsys.readouterr().err
