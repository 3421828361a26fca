"""Locks of runs: one process plays a run; stale and lost locks are detected."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from gameplay.errors import TryLater
from gameplay.runs.stored import new
from gameplay.store import jsonl, run_export, run_lock
from gameplay.store import runs as kept
from gameplay.store.runs import OPEN, Store
from tests.support.run_store import PLAN, export_run, stored_games

pytestmark = pytest.mark.once


def test_asking_to_stop_reaches_another_process(store):
    run = store.create(new(PLAN))
    store.lock(run)
    assert not store.stop_requested(run)
    with Store(store.path) as other:
        other.request_stop(run)
    assert store.stop_requested(run)
    store.set_state(run, OPEN)  # what was asked of the owner holds, also while they begin
    assert store.stop_requested(run)
    store.unlock(run)
    store.lock(run)  # of the next one it was not asked
    assert not store.stop_requested(run)


HOLDER = """
import sys, time
from gameplay.store.runs import Store
store = Store(sys.argv[1])
store.lock(sys.argv[2])
print("locked", flush=True)
time.sleep(60)
"""


def test_lock_waits_for_a_process_that_is_ending(store, monkeypatch):
    """A killed process exists for a moment; one that continues holds the run."""
    run = store.create(new(PLAN))
    other = run_lock.this_process()
    store.lock(run)
    alive = iter([True, True, False])
    monkeypatch.setattr(run_lock, "this_process", lambda: msgspec.structs.replace(other, pid=other.pid + 1))
    monkeypatch.setattr(run_lock, "is_alive", lambda holder, renewed: holder == other and next(alive))
    store.lock(run)
    assert list(alive) == [] and store.lock_owner(run) is None
    monkeypatch.setattr(run_lock, "is_alive", lambda holder, renewed: True)
    monkeypatch.setattr(run_lock, "this_process", lambda: other)
    monkeypatch.setattr(kept, "PROCESS_EXIT_TIME", 0.0)
    with pytest.raises(TryLater, match="is being played by process"):
        store.lock(run)


def test_second_process_is_refused_and_a_dead_owner_replaced(store):
    run = store.create(new(PLAN))
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, store.path, run], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(TryLater, match=rf"{run} is being played by process {holder.pid} on "):
            store.lock(run)
        assert store.lock_owner(run).pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    assert store.lock_owner(run) is None
    store.lock(run)
    assert store.lock_owner(run).pid == os.getpid()
    store.close()
    with Store(store.path) as again:
        assert again.lock_owner(run) is None


def held_by(store: Store, run: str, renewed: float, **other: object) -> None:
    text = msgspec.json.encode(msgspec.structs.replace(run_lock.this_process(), **other)).decode()
    store._db.execute("REPLACE INTO lock VALUES (?, ?, ?)", (run, text, renewed))


@pytest.mark.parametrize(
    ("ago", "other", "free"),
    [
        (1, {"host": "elsewhere"}, False),
        (run_lock.EXPIRY + 60, {"host": "elsewhere"}, True),
        (1, {"pid": os.getppid(), "since": "1"}, True),  # the pid was given to another process
        (1, {"boot": "before"}, True),
    ],
)
def test_abandoned_lock_is_taken_over(store, ago, other, free):
    run = store.create(new(PLAN))
    held_by(store, run, time.time() - ago, **other)
    if free:
        store.lock(run)
    else:
        with pytest.raises(
            TryLater, match=r"on elsewhere, last seen 1 s ago \(its lock expires after 600 s\)"
        ):
            store.lock(run)


def test_replaced_owner_stores_nothing_more(store):
    run = store.create(new(PLAN))
    store.lock(run)
    held_by(store, run, time.time(), host="elsewhere")
    with pytest.raises(TryLater, match=f"{run} was taken over by process {os.getpid()} on elsewhere"):
        store.record(run, stored_games((0, 0)))
    assert list(store.games(run)) == []


def test_a_lock_is_renewed_now_and_then(store, monkeypatch):
    run = store.create(new(PLAN))
    store.lock(run)
    store._db.execute("UPDATE lock SET renewed = 5")
    store.stop_requested(run)
    assert store._holder(run)[1] == 5
    monkeypatch.setattr(kept.time, "monotonic", lambda: store._renewed + 30)
    store.stop_requested(run)
    assert store._holder(run)[1] == 5, "30 seconds are not over"
    monkeypatch.setattr(kept.time, "monotonic", lambda: begun + 30.5)
    begun = store._renewed
    store.stop_requested(run)
    assert time.time() - store._holder(run)[1] < 60 and store._renewed == begun + 30.5


def test_an_owner_lives_as_long_as_its_process(monkeypatch):
    ours = run_lock.this_process()
    assert str(ours) == f"process {os.getpid()} on {socket.gethostname()}" and run_lock.is_alive(ours, 0.0)
    other = msgspec.structs.replace(ours, host="elsewhere")
    monkeypatch.setattr(run_lock.time, "time", lambda: 10_000.0)
    # A lock is valid for ten minutes in both directions, as clocks of hosts differ.
    states = {9401: True, 9400: False, 10_599: True, 10_600: False}
    assert {at: run_lock.is_alive(other, at) for at in states} == states

    def forbidden(pid, number):
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    assert run_lock.is_alive(ours, 0.0), "somebody else's process is one"

    def missing_file(path):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing_file)
    ours = run_lock.this_process()
    assert (ours.boot, ours.since) == ("", "") and run_lock.is_alive(ours, 0.0), "a system that tells less"


def test_process_start_time_equals_that_of_linux(monkeypatch):
    """proc(5): the 22nd field; the second, a name in brackets, may contain any characters."""
    fields = " ".join(["S", *map(str, range(4, 53))])
    monkeypatch.setattr(Path, "read_text", lambda path: {"/proc/7/stat": f"7 (a) b (c) {fields}"}[str(path)])
    assert run_lock._start_time(7) == "22" and run_lock._process_fields(7)[:2] == ["S", "4"]
    monkeypatch.setattr(Path, "read_text", lambda path: "7 (short) S 1")
    assert run_lock._start_time(7) == ""


def test_processes_count_as_alive_where_they_cannot_be_queried(monkeypatch):
    """A signal would end them on Windows."""
    monkeypatch.setattr(run_lock, "os", SimpleNamespace(name="nt", getpid=os.getpid))
    ours = run_lock.this_process()
    assert run_lock.is_alive(ours, 0.0)
    assert not run_lock.is_alive(msgspec.structs.replace(ours, since="other"), 0.0)
    assert not run_lock.is_alive(msgspec.structs.replace(ours, boot="other"), 0.0)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="zombies are of Unix")
def test_ended_process_owns_no_lock():
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = msgspec.structs.replace(
        run_lock.this_process(), pid=child.pid, since=run_lock._start_time(child.pid)
    )
    assert not run_lock.is_alive(ended, 0.0)
    child.wait()
    assert not run_lock.is_alive(msgspec.structs.replace(ended, since=""), 0.0)


def test_missing_lock_counts_as_lost(store):
    run = store.create(new(PLAN))
    store.lock(run)
    store._db.execute("DELETE FROM lock")
    with pytest.raises(TryLater) as refused:
        store.record(run, stored_games((0, 0)))
    assert str(refused.value) == f"{run} was taken over: this process did not renew its lock in time"
    assert store.record(run, stored_games((0, 0))) == 1, "it is no longer ours, and anybody's"


def test_owner_of_a_run_may_import_games(store):
    run = store.create(new(PLAN))
    text = [*export_run(store, run).splitlines(keepends=True), *map(jsonl.encode_line, stored_games((0, 0)))]
    store.lock(run)
    with Store(store.path) as other, pytest.raises(TryLater) as refused:
        other.owned.clear()
        run_export.import_run(other, text, "x")
    assert (
        str(refused.value)
        == f"{run} is being played by {run_lock.this_process()}; import it when that is finished"
    )
    assert run_export.import_run(store, text, "x") == run_export.Imported(run, 1, 1)
