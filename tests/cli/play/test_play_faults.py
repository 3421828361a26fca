"""`play` with failing games, disks, pipes and signals."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.store import saved
from tests.support.play import STICKS, Play, play

pytestmark = pytest.mark.once

assert play  # fixture

BAD = STICKS.read_text().replace("class Sticks", "class Bad")


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        (
            BAD.replace("        self.sticks -= move", "        self.sticks -= move / 0"),
            5,
            "ZeroDivisionError",
        ),
        (BAD + "    def __str__(self):\n        return 1 / 0\n", 5, "__str__() raised ZeroDivisionError"),
        (BAD.replace("self.turn = 1 - self.turn", "self.turn = 5"), 5, "turn is 5, not a player from 0 to 1"),
        ("this isn't Python", 6, "is not Python"),
        ("import gameplay\n", 6, "holds no game"),
    ],
)
def test_failing_game_prints_one_line_and_is_saved(
    play: Play, tmp_path: Path, source: str, status: int, words: str
) -> None:
    file = tmp_path / f"bad{abs(hash(source))}.py"
    file.write_text(source)
    ran = play(str(file), "--players", "random,random")
    assert ran.status == status
    assert words in ran.err and ran.err.count("\n") == 1


def test_a_full_disk_does_not_end_the_game(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved, "write_record", full)
    ran = play("tictactoe", "--players", "human,human", typed="a1\na2\nb1\nb2\nc1\n")
    assert "result: x wins" in ran.lines
    assert ran.status == 75
    assert ran.err.count("No space left on device") == 1


def test_output_without_unicode_replaces_characters(tmp_path: Path) -> None:
    file = tmp_path / "queens.py"
    file.write_text(STICKS.read_text() + "\n    def __str__(self):\n        return '\\u2655' * self.sticks\n")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = subprocess.run(
        [sys.executable, "-m", "gameplay", "play", str(file)],
        input=b"",
        capture_output=True,
        env=os.environ | plain,
    )
    assert ran.returncode == 4, ran.stderr
    assert b"?" * 20 in ran.stdout


def test_a_closed_pipe_ends_quietly() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gameplay", "play", "tictactoe", "--players", "human,human"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    assert child.stdout.readline() == "game: tictactoe\n"
    child.stdout.close()
    child.stdin.write("b2\n")
    child.stdin.flush()
    assert child.wait(60) == 141
    assert child.stderr.read() == ""


def test_output_for_a_closed_pipe_is_discarded() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-m", "gameplay", "games"], stdout=writer, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", ["games", "--version", "play tictactoe --players random,random"])
def test_output_to_a_full_disk_is_an_error_in_one_line(words: str) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "gameplay", *words.split()],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=60,
        )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (75, b"gameplay: the output: No space left on device\n")


def test_ctrl_c_ends_a_game_of_engines_without_a_screen() -> None:
    engines = "--players=iterative:time=600,iterative:time=600"
    child = subprocess.Popen(
        [sys.executable, "-m", "gameplay", "play", "connect4", engines],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    while not child.stdout.readline().startswith("orange"):
        assert child.poll() is None
    time.sleep(0.5)  # now the first engine searches
    child.send_signal(2)
    assert child.communicate(timeout=60)[1].endswith("interrupted\n") and child.returncode == 130


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_signals_end_play_after_saving(signal: int, status: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gameplay", "play", "tictactoe", "--engine", "random"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write("b2\n")
    child.stdin.flush()
    for line in child.stdout:
        if line.startswith("o plays"):
            break
    while child.poll() is None and not any(len(game.record.moves) == 2 for game in saved.saved_games()):
        time.sleep(0.01)
    child.send_signal(signal)
    _, err = child.communicate(timeout=60)
    assert child.returncode == status
    assert "Traceback" not in err
    assert ("play --resume" in err) is (signal == 2)
    assert len(saved.saved_games()[0].record.moves) == 2


def test_home_that_is_not_a_folder_is_refused_at_the_start(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    monkeypatch.setenv("GAMEPLAY_HOME", str(file))
    for command in ("play", "selfplay", "status", "settings", "review"):
        words = {"status": (), "settings": (), "review": ("last",)}.get(command, ("tictactoe",))
        ran = play(*words, command=command, typed="a1\n")
        assert ran.status == 6 and ran.out == ""
        assert ran.err.startswith(f"gameplay: GAMEPLAY_HOME is {file}, which is not a folder. ")
        assert len(ran.err.splitlines()) == 1
    monkeypatch.delenv("GAMEPLAY_HOME")
    ran = play("tictactoe", "--store", str(file / "x.db"), command="selfplay")
    error = f"gameplay: {file} is a file, not a folder; choose another --store FILE\n"
    assert (ran.status, ran.err) == (6, error)


def test_unwritable_folder_is_refused_before_the_first_move(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "games").write_text("no folder")
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "home"))
    ran = play("tictactoe", typed="quit\n")
    assert ran.status == 6 and ran.err.startswith("gameplay: the game cannot be saved: ")
    assert ran.err.count("\n") == 1, "the reason is printed once"


@pytest.mark.parametrize(
    ("source", "command", "words"),
    [
        ("no_outcome", ["games", "FILE"], "Bad has no outcome()"),
        (
            "no_outcome",
            ["learn", "FILE", "--method", "td", "--games", "5", "--out", "x"],
            "Bad has no outcome()",
        ),
        ("bad_outcome", ["book", "build", "FILE", "--solve", "--out", "x.book"], "payoff a player"),
        ("no_moves", ["games", "FILE"], "moves() is empty although outcome() is None"),
        (
            "no_moves",
            ["quiz", "--sheet", "1", "--game", "FILE"],
            "moves() is empty although outcome() is None",
        ),
    ],
)
def test_game_that_breaks_the_contract_is_no_internal_error(
    source: str,
    command: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    sources = {
        "no_outcome": BAD.replace("def outcome", "def result"),
        "bad_outcome": BAD.replace("return (1, -1) if", "return 1 if"),
        "no_moves": BAD.replace("if take <= self.sticks", "if take > 100"),
    }
    file = tmp_path / f"{source}.py"
    file.write_text(sources[source])
    status = run(router, "gameplay", [str(file) if word == "FILE" else word for word in command])
    error = capsys.readouterr().err
    assert status == 5 and words in error and len(error.splitlines()) == 1, error
