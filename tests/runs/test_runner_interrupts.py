"""The runner killed and interrupted."""

import multiprocessing
import os
import random
import re
import signal
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay.errors import TryLater
from gameplay.runs import planning
from gameplay.runs import runner as running
from gameplay.runs.workers import Local
from gameplay.store.runs import OPEN, Store
from tests.support.processes import is_group_gone
from tests.support.runner import (
    SHALLOW,
    LocalPool,
    Memory,
    export_run,
    play_stored,
    run,
    small_plan,
    start_command,
)

pytestmark = pytest.mark.once


def count_stored(path):
    """The number of counted games; 0 while there is no file yet."""
    import sqlite3

    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
        count = db.execute("SELECT count(*) FROM game WHERE state = 'counted'").fetchone()[0]
        db.close()
    except sqlite3.Error:
        return 0
    return count


def playing(process):
    """True if a worker of a run ignores Ctrl-C and no longer blocks the signal."""
    for child in children(process.pid):
        for worker in children(child):
            status = Path(f"/proc/{worker}/status").read_text()
            ignored, blocked = (
                int(re.search(rf"{name}:\s*(\w+)", status)[1], 16) for name in ("SigIgn", "SigBlk")
            )
            if (ignored & ~blocked) >> (signal.SIGINT - 1) & 1:
                return True
    return False


def children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def wait_for_games(process, path, games):
    while process.poll() is None and count_stored(path) < games:
        time.sleep(0.005)


def test_repeatedly_killed_run_equals_an_uninterrupted_one(tmp_path):
    file = tmp_path / "runs.db"
    chance = random.Random(7)
    process = start_command(file)
    for due in (1, 15, 40):
        wait_for_games(process, file, due)
        time.sleep(chance.random() * 0.1)
        process.kill()
        process.communicate()
        assert is_group_gone(process.pid), "a worker is left behind"
        process = start_command(file, "resume", "last", "--store", str(file))
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "60 of 60 games" in out
    plan = planning.build("connect4", ["iterative", "alphabeta"], nodes=400, games=60)
    with Store(file) as store:
        exported = export_run(store, "last")
        assert Counter(game.state for game in store.games(store.run("last").id)) == {"counted": 60}
    assert exported == play_stored(tmp_path, plan, Local(2), "other.db")[1]


def test_an_interrupt_ends_the_run_without_waiting_for_games():
    def interrupt(jobs):
        if jobs[0].pair == 0 and jobs[0].leg == 1:
            signal.raise_signal(signal.SIGINT)

    pool = LocalPool(3, trouble=interrupt)
    reason, _, memory = run(planning.build("tictactoe", ["random", SHALLOW], games=60), pool)
    assert reason == running.INTERRUPTED
    assert pool.batches, "what is in progress is left"
    assert 0 < len(memory.counted_games) < 60 and not memory.messages


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_run_prints_the_resume_command(tmp_path, number, status):
    file = tmp_path / "runs.db"
    process = start_command(file, games=3000)
    wait_for_games(process, file, 3)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == status
    with Store(file) as store:
        name = store.run("last").id
        assert store.run("last").state == OPEN
    assert f"of 3,000 games; resume with: gameplay run resume {name} --store {file}" in err
    assert err.count("\n") == 1
    assert name in out
    assert is_group_gone(process.pid), "a worker is left behind"


def test_a_game_that_never_ends_does_not_delay_the_interrupt(tmp_path):
    process = start_command(tmp_path / "runs.db", nodes=10**12)
    try:
        while process.poll() is None and not playing(process):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)  # the first signal decides the status
        process.communicate(timeout=30)
    finally:
        process.kill()
    late = -signal.SIGTERM  # on a busy machine the second comes when the run has ended
    assert process.returncode in (130, late)
    assert is_group_gone(process.pid)


def test_two_cannot_play_the_same_run(tmp_path):
    file = tmp_path / "runs.db"
    process = start_command(file, games=3000)
    wait_for_games(process, file, 1)
    other = start_command(file, "resume", "last", "--store", str(file))
    _, err = other.communicate(timeout=30)
    assert other.returncode == 75
    assert f"is being played by process {process.pid}" in err
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)


def test_many_games_leave_nothing_behind(tmp_path):
    """After 500 games no processes, descriptors or memory are in use beyond those at the start."""
    resource = pytest.importorskip("resource")
    run(small_plan(20, ("random", "random")), Local(2))
    descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    plan = planning.build("tictactoe:width=4,height=4", ["random", "random"], games=500)
    runner, lines, _ = play_stored(tmp_path, plan, Local(2))
    assert (runner.reason, lines.count(b"\n")) == (running.COMPLETE, 501)
    assert multiprocessing.active_children() == []
    if descriptors:
        assert len(os.listdir("/proc/self/fd")) <= descriptors + 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < memory + 50_000


@pytest.mark.parametrize("short", [0, 1])
def test_storing_is_retried_with_doubled_delays(short, monkeypatch):
    """Seven times; results that cannot be stored are then written elsewhere.

    The unit is a tenth of a second.
    """
    now, tried = [0], []

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(running, "COMMIT_INTERVAL", 1)
    monkeypatch.setattr(running, "TICK", 1)

    class Full(Memory):
        def keep(self, played, state=None):
            tried.append(now[0])
            super().keep(played, state)

    memory = Full(fail=8 - short)
    waits = [0, 1, 3, 7, 15, 31, 63, 127]
    if short:
        assert (
            run(small_plan(2), LocalPool(2), memory)[0] == running.COMPLETE and len(memory.counted_games) == 2
        )
    else:
        with pytest.raises(TryLater, match="the disk is full; 2 finished games are elsewhere"):
            run(small_plan(2), LocalPool(2), memory)
    assert tried == waits
    words = ["the disk is full; no new games until the finished ones can be stored"]
    assert memory.messages == words + ["games can be stored again"] * short
