"""User code that holds the interpreter, ends the process or writes to descriptor 1: the program copes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gameplay.runs.job import Job, Seat
from gameplay.runs.workers import BatchResult, Local
from gameplay.usercode import supervisor
from gameplay.usercode.supervisor import Heartbeat
from tests.support.paths import TESTS

pytestmark = [pytest.mark.once, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]

# Two ways to hold the interpreter for years: with work, or waiting, which leaves the cores to other tests.
REGEX = 're.match(r"(a+)+$", "a" * 64 + "b")'
LOCK = "[lock(one) for lock, one in [(ctypes.PyDLL(None).pthread_mutex_lock, bytes(64))] for _ in range(2)]"
HANGS = f"import re\nfrom pathlib import Path\n\ndef choose(position):\n    Path(MARK).touch()\n    {REGEX}\n"
CRASHES = "import ctypes\n\ndef choose(position):\n    ctypes.string_at(0)\n"
STICKS = (TESTS / "examples" / "games" / "sticks.py").read_text().replace("sticks=20", "sticks=9")
HANG = "        if self.sticks < 6:\n            HANG\n"
GAME = "import ctypes\n" + STICKS.replace("        return [take", f"{HANG}        return [take")
NOISE = """import ctypes, os, sys

def noise():
    print("noise", file=sys.stdout)
    sys.stdout.buffer.write(b"noise\\n")
    sys.__stdout__.write("noise\\n")
    os.write(1, b"noise\\n")
    os.write(sys.stdout.fileno(), b"noise\\n")
    libc = ctypes.CDLL(None)
    libc.puts(b"noise")
    libc.fflush(None)

noise()
"""
GUARD = 60  # seconds after which a test gives up
SHORT = (
    "from gameplay import cli; from gameplay.usercode import supervisor; "
    "supervisor.MAX_SILENCE, supervisor.STOP_GRACE = {}, 0.5; cli.main()"
)


def file(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(text.replace("MARK", repr(str(folder / "mark"))).replace("HANG", LOCK))
    return str(path)


def start_command(*words: str, held: float = 2.0) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", SHORT.format(held), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_command(*words: str, typed: str = "", held: float = 2.0) -> tuple[int, str, str]:
    process = start_command(*words, held=held)
    out, err = process.communicate(typed, timeout=GUARD)
    return process.returncode, out, err


# -- one process ------------------------------------------------------------------------------------


def test_engine_that_holds_the_interpreter_ends_the_command(tmp_path: Path) -> None:
    """It ends after its time and grace period, however long the code holds the interpreter."""
    engine = file(tmp_path, "hangs", HANGS)
    status, out, err = run_command("analyse", "nim", "--engines", engine, "--time", "0.5", held=10_000.0)
    assert (status, out) == (5, "")
    assert f"{engine} (line 6) has not returned for " in err and err.count("\n") == 1


def test_game_that_holds_the_interpreter_ends_the_command(tmp_path: Path) -> None:
    game = file(tmp_path, "sticks", GAME)
    status, out, err = run_command("play", game, "--players", "random,random", "--json")
    assert (status, out) == (5, "") and f"{game} (line 16) has not returned for " in err


def test_game_of_a_stored_run_that_holds_the_interpreter_ends_the_command(tmp_path: Path) -> None:
    """The store is not yet open when the program forks."""
    text = f"from pathlib import Path\n{GAME}\nif Path(MARK).exists():\n    HANG\n"
    game = file(tmp_path, "sticks", text.replace(HANG, ""))
    store = ("--store", str(tmp_path / "runs.db"))
    assert run_command("match", "random", "random", "--game", game, "--games", "2", *store, held=60.0)[0] == 0
    (tmp_path / "mark").touch()
    for words in (("resume", "last"), ("report", "last"), ("status",)):
        status, out, err = run_command(*words, *store)
        assert (status, out) == (5, "") and f"{game} (line " in err and " has not returned for " in err
    store_of_import = ("--store", str(tmp_path / "other.db"))
    for words in (("export", "last", "--repair", *store), ("stop", "last", *store)):
        assert " has not returned " not in run_command(*words, held=60.0)[2], "these run no code of the game"
    (tmp_path / "run.jsonl").write_text(run_command("export", "last", *store, held=60.0)[1])
    assert run_command("import", str(tmp_path / "run.jsonl"), *store_of_import, held=60.0)[0] == 0


def test_book_of_a_run_whose_game_hangs_in_make_ends_the_command(tmp_path: Path) -> None:
    text = f"from pathlib import Path\n{GAME}".replace(HANG, "")
    text = text.replace(
        "        self.sticks -= move\n", "        Path(MARK).exists() and HANG\n        self.sticks -= move\n"
    )
    game = file(tmp_path, "sticks", text)
    store = ("--store", str(tmp_path / "runs.db"))
    assert run_command("match", "random", "random", "--game", game, "--games", "2", *store, held=60.0)[0] == 0
    (tmp_path / "mark").touch()
    status, out, err = run_command("book", "build", game, "last", "--out", str(tmp_path / "a.book"), *store)
    assert (status, out) == (5, "") and f"{game} (line 20) has not returned for " in err
    assert not (tmp_path / "a.book").exists()


def test_process_may_be_silent_until_the_search_of_its_engine_must_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now[0])
    pulse = Heartbeat([0.0] * Heartbeat.SIZE)
    monkeypatch.setattr(supervisor, "heartbeat", pulse)
    assert not pulse.is_hung, "it has not begun"
    pulse.beat()
    with supervisor.allow_seconds(30.0):
        with supervisor.allow_seconds(5.0):  # another thread's
            assert pulse.shared[2] == 130.0
        now[0] = 130.0
        assert not pulse.is_hung
        now[0] = 130.1
        assert pulse.is_hung
        pulse.beat()
        assert not pulse.is_hung, "it is late, and not held"
    now[0] += supervisor.MAX_SILENCE
    assert not pulse.is_hung
    now[0] += 0.1
    assert pulse.is_hung and pulse.shared[2] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["play", "ugi"])
def test_signal_ends_a_process_whose_interpreter_is_held(
    tmp_path: Path, number: signal.Signals, command: str
) -> None:
    engine = file(tmp_path, "hangs", HANGS)
    words = ("play", "nim", "--players", f"{engine},random")
    if command == "ugi":
        words = ("ugi", "nim", "--engine", engine)
    process = start_command(*words, held=10_000.0)
    assert process.stdin is not None
    if command == "ugi":
        process.stdin.write("position startpos\ngo\n")
        process.stdin.flush()
    limit = time.monotonic() + GUARD
    while not (tmp_path / "mark").exists():
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)  # it is in the regular expression now
    process.send_signal(number)
    process.communicate(timeout=GUARD)
    assert process.returncode in (128 + number, -number)


def test_native_crash_is_reported_in_one_line(tmp_path: Path) -> None:
    engine = file(tmp_path, "crashes", CRASHES)
    status, out, err = run_command("analyse", "nim", "--engines", engine)
    assert (status, out) == (5, "") and f"the process that ran {engine} ended by signal 11" in err


def test_supervised_program_ends_with_its_own_status(tmp_path: Path) -> None:
    engine = file(tmp_path, "plays", "def choose(position):\n    return position.moves()[0]\n")
    status, out, err = run_command("analyse", "nim", "--engines", engine)
    assert status == 0 and "plays" in out and err == ""
    assert run_command("analyse", "nim", "--engines", f"{engine}:depth=x")[0] == 2


# -- matches ----------------------------------------------------------------------------------------


def play_batch(monkeypatch: pytest.MonkeyPatch, game: str, *players: str) -> BatchResult:
    monkeypatch.setattr(supervisor, "MAX_SILENCE", 2.0 if game.endswith(".py") else 10_000.0)
    seats = tuple(Seat(player, player, 1, time=0.5) for player in players)
    pool = Local(1)
    try:
        pool.submit([Job(0, 0, 1, game, seats, 1)])
        limit = time.monotonic() + GUARD
        while time.monotonic() < limit:
            for result in pool.wait(0.2):
                return result
        raise AssertionError("the game has not ended")
    finally:
        pool.close()


@pytest.mark.parametrize(("text", "termination"), [(HANGS, "hang"), (CRASHES, "crash")])
def test_worker_that_a_user_engine_hangs_or_kills_is_its_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, termination: str
) -> None:
    engine = file(tmp_path, termination, text)
    (done,) = play_batch(monkeypatch, "nim", "random", engine).done
    assert (done.termination, done.offender, done.payoffs) == (termination, 1, (1.0, -1))
    assert engine in done.fault


def test_worker_that_a_user_game_hangs_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = file(tmp_path, "sticks", GAME)
    result = play_batch(monkeypatch, game, "random", "random")
    assert result.error is not None and result.error.status == 5 and game in str(result.error)


# -- output -----------------------------------------------------------------------------------------


def test_engine_that_prints_at_import_leaves_json_alone(tmp_path: Path) -> None:
    text = NOISE + "\ndef choose(position):\n    return position.moves()[0]\n"
    engine = file(tmp_path, "noisy", text)
    status, out, err = run_command("analyse", "nim", "--engines", engine, "--json")
    assert status == 0 and json.loads(out)["game"] == "nim" and err.count("noise\n") == 6


@pytest.mark.parametrize("command", ["play", "show", "ugi", "trace"])
def test_game_that_prints_leaves_machine_output_alone(tmp_path: Path, command: str) -> None:
    text = NOISE + GAME.replace(HANG, "        noise()\n")
    game = file(tmp_path, "noisy", text)
    typed = "ugi\nposition startpos\ngo depth 1\nquit\n" if command == "ugi" else ""
    words = {
        "play": ("play", game, "--players", "random,random", "--jsonl"),
        "show": ("show", game, "--json"),
        "ugi": ("ugi", game, "--engine", "minimax:depth=1"),
        "trace": ("trace", game, "--engine", "minimax:depth=1", "--json"),
    }[command]
    status, out, err = run_command(*words, typed=typed)
    assert status == 0 and "noise" in err and "noise" not in out
    if command in ("play", "trace"):
        assert all(json.loads(line) for line in out.splitlines())
    elif command == "show":
        assert json.loads(out)
    else:
        assert out.splitlines()[-1].startswith("bestmove ")
