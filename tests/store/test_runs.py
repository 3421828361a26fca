"""The store of runs: no game that was acknowledged is lost, none counts twice, and damage is told."""

import itertools
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gameplay import __version__, cli
from gameplay.cli.runs.status import summary
from gameplay.errors import BadInput, TryLater, Usage
from gameplay.runs import stored
from gameplay.runs.job import GameResult, Job, Seat, hash_moves
from gameplay.runs.pairing import points
from gameplay.runs.plan import Entrant, Plan, decode
from gameplay.runs.played import from_job, from_store, to_store
from gameplay.runs.stored import new
from gameplay.store import carry, database, lines, owner, totals
from gameplay.store import runs as kept
from gameplay.store.lines import AFTER_STOP, COUNTED, QUARANTINED, VOID, Kept
from gameplay.store.record import Ply, Record
from gameplay.store.runs import FINISHED, OPEN, Store, default_path
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.once

PLAN = Plan(
    game="tictactoe",
    players=[Entrant(player="minimax", name="new"), Entrant(player="random", name="old")],
    games=40,
)
NAMES = ("new", "old")
RESULTS = ((1.0, -1.0), (0.0, 0.0), (-1.0, 1.0))


def job_of(pair: int, leg: int, attempt: int = 1) -> Job:
    names = NAMES if leg == 0 else NAMES[::-1]
    seated = tuple(Seat(player="random", name=name, seed=pair) for name in names)
    return Job(pair=pair, leg=leg, attempt=attempt, game="tictactoe", seats=seated, seed=pair, first=leg)


def done_of(job: Job, seconds: float = 0.0) -> GameResult:
    """A result that pair and leg decide, as an engine limited by nodes would."""
    payoffs = RESULTS[(job.pair * 2 + job.leg) % 5 % 3]
    moves = [Ply("a1", 0), Ply("b2", 1, value=7, depth=3, nodes=40 + job.pair)]
    record = Record(1, "tictactoe", "", ["x", "y"], job.pair, moves, list(payoffs), "rules", "0.1.0")
    return GameResult(
        job.pair, job.leg, job.attempt, "rules", record, points(payoffs)[job.first], payoffs,
        seconds=seconds, times=(0.0, seconds),
        moves_hash=hash_moves(job.first, "", ["a1", "b2", str(job.pair)]),
    )  # fmt: skip


def void_of(job: Job) -> GameResult:
    return GameResult(job.pair, job.leg, job.attempt, "void", fault="the worker died")


def played(*places: tuple[int, ...]) -> list[Kept]:
    return [to_store(job, done_of(job, 0.5)) for job in itertools.starmap(job_of, places)]


def schedule(pairs: int = 20) -> list[tuple[int, int]]:
    return list(itertools.product(range(pairs), range(2)))


def exported(store: Store, run: str, bare: bool = False) -> bytes:
    return b"".join(carry.export(store, store.run(run), bare))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.db") as found:
        yield found


# -- what is kept -------------------------------------------------------------------------------


def test_a_run_is_found_by_its_words(store):
    first, second = store.create(new(PLAN)), store.create(new(msgspec.structs.replace(PLAN, title="nightly")))
    assert first.startswith("tictactoe-") and first != second
    assert decode(store.run(first).plan) == PLAN
    assert store.run(first).identity == PLAN.identity()
    assert store.run("last").id == store.run("nightly").id == second
    assert store.run(first.partition("-")[2]).id == first
    assert [run.id for run in store.runs()] == [second, first]
    with pytest.raises(Usage, match="can be any of these runs"):
        store.run("tictactoe")
    with pytest.raises(Usage, match=f"there is no run '{first}x'; did you mean '{first}'"):
        store.run(first + "x")


@pytest.mark.parametrize(("game", "word"), [("/x/My_Game-2.toml:a=b", "mygame2"), (":x=1", "run")])
def test_a_run_is_called_by_its_game_and_three_syllables(store, game, word):
    made = msgspec.structs.replace(new(PLAN), plan=msgspec.json.encode({"game": game}))
    found = store.create(made)
    assert re.fullmatch(rf"{word}-([bdklmnrtvz][aiou]){{3}}", found)
    assert store.find(found).id == found and store.find(found[:-1]) is None


def test_a_word_that_calls_no_run_is_told(store):
    with pytest.raises(Usage) as refused:
        store.run("last")
    assert str(refused.value) == f"there is no run 'last': {store.path} holds none"
    store.create(new(PLAN))
    with pytest.raises(Usage, match=r"there is no run '' \(gameplay run status lists them\)"):
        store.run("")


def test_no_two_runs_are_called_alike(store, monkeypatch):
    """Where a word is taken three more syllables are drawn."""
    letters = iter("babababababadadudi")
    monkeypatch.setattr(random, "SystemRandom", lambda: SimpleNamespace(choice=lambda among: next(letters)))
    assert [store.create(new(PLAN)) for _ in range(2)] == ["tictactoe-bababa", "tictactoe-dadudi"]


def test_which_run_is_meant_where_several_could_be(store):
    """The one with that id, or else that title, or else those whose id begins so or ends so."""
    for name, title in (("nim-bado", "go-zu"), ("go-zu", "x"), ("go-zuma", "x"), ("nim-zuma", "")):
        store.begin(msgspec.structs.replace(new(PLAN), id=name, title=title))
    for word, found in (
        ("go-zu", "go-zu"),
        ("bado", "nim-bado"),
        ("go-zum", "go-zuma"),
        ("nim-b", "nim-bado"),
    ):
        assert store.run(word).id == found
    for word, both in (("x", "go-zuma, go-zu"), ("zuma", "nim-zuma, go-zuma"), ("nim", "nim-zuma, nim-bado")):
        with pytest.raises(Usage) as refused:
            store.run(word)
        assert str(refused.value) == f"'{word}' can be any of these runs: {both}"
    with pytest.raises(Usage) as refused:
        store.run("go-zumi")
    near = "; did you mean 'go-zuma'?"
    assert str(refused.value) == f"there is no run 'go-zumi'{near} (gameplay run status lists them)"


def test_many_games_are_read_in_their_order(store):
    run = store.create(new(PLAN))
    places = schedule(201)
    store.record(run, played(*reversed(places)))
    assert [game.place[:2] for game in store.games(run)] == places
    assert [game.place for game in store.games(run, VOID, COUNTED)] == [(*place, 1) for place in places]
    assert list(store.games(run, VOID)) == []


def test_when_another_host_was_heard_of(monkeypatch):
    """Never in the future, though its clock may be fast; of this host nothing need be said."""
    here = owner.me()
    assert kept._since(here, 0.0) == ""
    there = msgspec.structs.replace(here, host="elsewhere")
    monkeypatch.setattr(kept.time, "time", lambda: 1000.0)
    for ago, told in ((90.4, 90), (-50, 0)):
        assert kept._since(there, 1000 - ago) == (
            f", heard of {told} s ago (after 600 s of silence its place is free)"
        )


def test_notes_are_told_in_their_order(store):
    run = store.create(new(PLAN))
    with store.transaction():
        store.add_notes(run, [("later", "b"), ("before", "a")])
    assert store.notes(run) == [("later", "b"), ("before", "a")]


def test_no_game_is_kept_of_a_run_that_is_not_there(store):
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store.record("nobody", played((0, 0)))


def test_a_drive_that_others_write_is_told_by_its_kind(tmp_path, monkeypatch):
    path = tmp_path / "a" / "runs.db"
    for mounts, shared in (
        (f"d / ext4 rw\ns:/x {tmp_path} nfs4 rw\ntorn\n", True),
        (f"s:/x {tmp_path} cifs rw\nd {path.parent} ext4 rw\n", False),
        (f"s:/x {path.parent} 9p\n", True),
        ("d / ext4 rw", False),
        ("", False),
    ):
        monkeypatch.setattr(Path, "read_text", lambda file, text=mounts: text)
        assert database._shared(path) is shared

    def none(file):
        raise OSError

    monkeypatch.setattr(Path, "read_text", none)
    assert database._shared(path) is False


def test_where_no_store_can_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TryLater) as refused:
        Store(tmp_path / "file" / "runs.db")
    assert str(refused.value) == f"{tmp_path / 'file'} is a file: name a place for runs, --store FILE"
    with pytest.raises(TryLater) as refused:
        Store(tmp_path / "file" / "deep" / "runs.db")
    refusal = "cannot be made: Not a directory; name a place for runs with --store FILE"
    assert str(refused.value) == f"{tmp_path / 'file' / 'deep'} {refusal}"
    with pytest.raises(BadInput, match="nothing was kept there"):
        Store(tmp_path / "none.db", repair=True)


def test_the_default_file(home, tmp_path):
    assert default_path() == home / "runs.db"
    with Store() as found:
        assert found.path == home / "runs.db" and found.path.exists()
    with pytest.raises(BadInput, match="there is no store"):
        Store(tmp_path / "none.db", make=False)
    with pytest.raises(BadInput, match="is a folder"):
        Store(tmp_path)


def test_the_code_of_a_run_is_every_file_of_the_package(tmp_path, monkeypatch):
    """Rules, types, weights, and what is dropped in next year; not what is made from them."""
    package = tmp_path / "gameplay"
    shutil.copytree(Path(kept.__file__).parents[1], package, ignore=shutil.ignore_patterns("__pycache__"))
    there = kept.code()
    version, digits = there.split()
    assert version == __version__ and len(digits) == 8 and int(digits, 16) >= 0
    monkeypatch.setattr(kept, "__file__", str(package / "store" / "runs.py"))
    assert kept.code() == there
    for file in package.rglob("*"):
        if file.is_file() and file.stat().st_size > 100_000:
            file.write_bytes(b"1")  # what is long is hashed slowly, and no other way
    before = kept.code()
    sources = [file for file in package.rglob("*") if file.is_file() and file.suffix not in (".so", ".pyd")]
    assert {".py", ".pxd", ".bin", ".toml"} <= {file.suffix for file in sources}
    one_each = {(file.parent, file.suffix): file for file in sources}  # of a folder and a kind
    for file in one_each.values():
        text = file.read_bytes()
        file.write_bytes(text + b"\n")
        assert kept.code() != before, f"{file} may change unseen"
        file.write_bytes(text)
    assert kept.code() == before
    (package / "knowledge" / "other").mkdir()
    (package / "knowledge" / "other" / "kpk.bin").write_bytes(b"1")
    assert kept.code() != before
    shutil.rmtree(package / "knowledge" / "other")
    for made in (
        "kernel.cpython-311-x86_64-linux-gnu.so",
        "__pycache__/kernel.cpython-311.pyc",
        ".kernel.swp",
    ):
        (package / made).parent.mkdir(exist_ok=True)
        (package / made).write_bytes(b"1")
    assert kept.code() == before


def test_a_file_of_the_package_under_another_name_is_other_code(tmp_path, monkeypatch):
    package = tmp_path / "gameplay"
    (package / "store").mkdir(parents=True)
    monkeypatch.setattr(kept, "__file__", str(package / "store" / "runs.py"))
    codes = set()
    for name in ("a.bin", "b.bin", "store/a.bin"):
        (package / name).write_bytes(b"1")
        codes.add(kept.code())
        (package / name).unlink()
    assert len(codes) == 3


def test_a_game_comes_back_as_it_was(store):
    run = store.create(new(PLAN))
    job = job_of(3, 1)
    done = done_of(job, 0.5)
    assert store.record(run, [to_store(job, done)]) == 1
    [game] = store.games(run)
    assert game.read() == done.record
    assert msgspec.json.decode(game.job, type=Job) == job
    assert game.place == (3, 1, 1)
    assert (game.names, game.first, game.points) == (["old", "new"], 1, done.points)
    assert (game.payoffs, game.times, game.seconds) == (list(done.payoffs), [0.0, 0.5], 0.5)
    assert (game.state, game.termination, game.plies, game.host) == (
        COUNTED,
        "rules",
        2,
        socket.gethostname(),
    )


def summed(store, run):
    return summary(["new", "old"], totals.results(store, run))


def test_totals_are_counted_by_hand(store):
    run = store.create(new(PLAN))
    store.record(run, played(*schedule(10), (11, 0)))
    store.record(run, [to_store(job_of(12, 0), void_of(job_of(12, 0)))])
    wins, draws, losses, pairs = 0, 0, 0, [0] * 5
    for pair in range(10):
        points = [done_of(job_of(pair, leg)).points for leg in (0, 1)]
        pairs[int(2 * sum(points))] += 1
        wins, draws, losses = wins + points.count(1), draws + points.count(0.5), losses + points.count(0)
    last = done_of(job_of(11, 0)).points
    wins, draws, losses = wins + (last == 1), draws + (last == 0.5), losses + (last == 0)
    found = summed(store, run)
    assert found.together("new") == [losses, draws, wins] and found.together("old") == [wins, draws, losses]
    assert found.in_row.pairs == found.duel.pairs == pairs
    assert sum(pairs) == 10 and wins and draws and losses
    assert totals.states(store, run) == {COUNTED: 21, VOID: 1, AFTER_STOP: 0, QUARANTINED: 0}
    assert totals.terminations(store, run) == {"rules": 21}
    assert totals.lengths(store, run) == (2, 2, pytest.approx(10.5))
    assert [(t.pair, t.leg, t.fault) for t in totals.troubles(store, run)] == [(12, 0, "the worker died")]
    assert totals.repeats(store, run) == 0


def test_what_went_wrong_is_told_apart_from_what_was_claimed(store):
    """A game that ended as usual counts, whatever a program said of it; one that did not is trouble."""
    run, other = store.create(new(PLAN)), store.create(new(PLAN))

    def keep(pair, run=run, **facts):
        job = job_of(pair, 0)
        store.record(run, [to_store(job, msgspec.structs.replace(done_of(job), **facts))])

    keep(0)
    keep(1, fault="it said 1-0")
    keep(2, termination="crash", offender=1, fault="it died", moves_hash="")
    keep(3, termination="draw", fault="it said 0-1")
    keep(5, run=other, fault="elsewhere")
    store.record(run, [to_store(job_of(4, 0), void_of(job_of(4, 0)))])
    store.record(run, [to_store(job_of(6, 0), void_of(job_of(6, 0)), QUARANTINED)])
    found = [
        (one.pair, one.leg, one.attempt, one.state, one.termination) for one in totals.troubles(store, run)
    ]
    assert found == [
        (2, 0, 1, COUNTED, "crash"), (4, 0, 1, VOID, VOID), (6, 0, 1, QUARANTINED, VOID),
    ]  # fmt: skip
    assert [(one.offender, one.fault) for one in totals.troubles(store, run)] == [
        ("old", "it died"), ("", "the worker died"), ("", "the worker died"),
    ]  # fmt: skip
    assert [(one.pair, one.termination, one.fault) for one in totals.claims(store, run)] == [
        (1, "rules", "it said 1-0"), (3, "draw", "it said 0-1"),
    ]  # fmt: skip
    assert totals.states(store, run) == {COUNTED: 4, VOID: 1, AFTER_STOP: 0, QUARANTINED: 1}
    assert list(totals.terminations(store, run).items()) == [("rules", 2), ("crash", 1), ("draw", 1)]
    assert [row[:3] for row in totals.results(store, run)] == [(pair, 0, ["new", "old"]) for pair in range(4)]
    assert [row[3] for row in totals.results(store, run)] == [
        list(RESULTS[pair * 2 % 5 % 3]) for pair in range(4)
    ]
    empty = store.create(new(PLAN))
    assert totals.lengths(store, empty) == (0, 0, 0) and totals.terminations(store, empty) == {}
    assert (
        totals.states(store, empty) == dict.fromkeys(totals.STATES, 0) and totals.repeats(store, empty) == 0
    )


def test_games_that_repeat_others_are_counted(store):
    """Move for move, with the same players on the same seats; what has no moves repeats nothing."""
    run = store.create(new(PLAN))
    trails = {(0, 0): "a", (0, 1): "a", (1, 0): "a", (2, 0): "a", (3, 0): "b", (4, 0): "", (5, 0): ""}
    for (pair, leg), trail in trails.items():
        job = job_of(pair, leg)
        store.record(run, [to_store(job, msgspec.structs.replace(done_of(job), moves_hash=trail))])
    assert totals.repeats(store, run) == 2


def test_only_the_row_of_complete_pairs_is_judged(store):
    run = store.create(new(PLAN))
    store.record(run, played((0, 0), (0, 1), (1, 0), (2, 0), (2, 1)))
    assert sum(summed(store, run).duel.pairs) == 2
    assert sum(summed(store, run).in_row.pairs) == 1


def test_games_after_the_stop_do_not_count_until_the_run_goes_on(store):
    run = store.create(new(PLAN))
    store.record(run, played(*schedule(4)))
    store.settle(run, FINISHED, "H1 accepted", after=1)
    assert totals.states(store, run)[AFTER_STOP] == 4
    assert [game.pair for game in store.games(run, COUNTED)] == [0, 0, 1, 1]
    assert (store.run(run).state, store.run(run).verdict) == (FINISHED, "H1 accepted")
    assert list(store.missing(run, schedule(4))) == []
    store.settle(run, OPEN)
    assert totals.states(store, run)[COUNTED] == 8


# -- one process a run --------------------------------------------------------------------------


def test_asking_to_stop_reaches_another_process(store):
    run = store.create(new(PLAN))
    store.lock(run)
    assert not store.stop_requested(run)
    with Store(store.path) as other:
        other.request_stop(run)
    assert store.stop_requested(run)
    store.settle(run, OPEN)  # what was asked of the owner holds, also while they begin
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
    """One that was killed is there for a moment; one that goes on keeps the run."""
    run = store.create(new(PLAN))
    other = owner.me()
    store.lock(run)
    alive = iter([True, True, False])
    monkeypatch.setattr(owner, "me", lambda: msgspec.structs.replace(other, pid=other.pid + 1))
    monkeypatch.setattr(owner, "alive", lambda holder, renewed: holder == other and next(alive))
    store.lock(run)
    assert list(alive) == [] and store.playing(run) is None
    monkeypatch.setattr(owner, "alive", lambda holder, renewed: True)
    monkeypatch.setattr(owner, "me", lambda: other)
    monkeypatch.setattr(kept, "ENDING", 0.0)
    with pytest.raises(TryLater, match="is being played by process"):
        store.lock(run)


def test_a_second_process_is_told_who_plays_and_a_dead_one_gives_way(store):
    run = store.create(new(PLAN))
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, store.path, run], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(TryLater, match=rf"{run} is being played by process {holder.pid} on "):
            store.lock(run)
        assert store.playing(run).pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    assert store.playing(run) is None
    store.lock(run)
    assert store.playing(run).pid == os.getpid()
    store.close()
    with Store(store.path) as again:
        assert again.playing(run) is None


def held_by(store: Store, run: str, renewed: float, **other: object) -> None:
    text = msgspec.json.encode(msgspec.structs.replace(owner.me(), **other)).decode()
    store._db.execute("REPLACE INTO lock VALUES (?, ?, ?)", (run, text, renewed))


@pytest.mark.parametrize(
    ("ago", "other", "free"),
    [
        (1, {"host": "elsewhere"}, False),
        (owner.SILENCE + 60, {"host": "elsewhere"}, True),
        (1, {"pid": os.getppid(), "since": "1"}, True),  # the pid was given to another process
        (1, {"boot": "before"}, True),
    ],
)
def test_a_lock_that_nobody_holds_any_more(store, ago, other, free):
    run = store.create(new(PLAN))
    held_by(store, run, time.time() - ago, **other)
    if free:
        store.lock(run)
    else:
        with pytest.raises(
            TryLater, match=r"on elsewhere, heard of 1 s ago \(after 600 s of silence its place is free\)"
        ):
            store.lock(run)


def test_who_was_taken_over_keeps_nothing_more(store):
    run = store.create(new(PLAN))
    store.lock(run)
    held_by(store, run, time.time(), host="elsewhere")
    with pytest.raises(TryLater, match=f"{run} was taken over by process {os.getpid()} on elsewhere"):
        store.record(run, played((0, 0)))
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
    ours = owner.me()
    assert str(ours) == f"process {os.getpid()} on {socket.gethostname()}" and owner.alive(ours, 0.0)
    other = msgspec.structs.replace(ours, host="elsewhere")
    monkeypatch.setattr(owner.time, "time", lambda: 10_000.0)
    heard = {
        9401: True,
        9400: False,
        10_599: True,
        10_600: False,
    }  # ten minutes: clocks may differ either way
    assert {at: owner.alive(other, at) for at in heard} == heard

    def forbidden(pid, number):
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    assert owner.alive(ours, 0.0), "somebody else's process is one"

    def unknown(path):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", unknown)
    ours = owner.me()
    assert (ours.boot, ours.since) == ("", "") and owner.alive(ours, 0.0), "a system that tells less"


def test_when_a_process_began_is_what_linux_says(monkeypatch):
    """proc(5): the 22nd field, of which the second, a name in brackets, may hold anything."""
    fields = " ".join(["S", *map(str, range(4, 53))])
    monkeypatch.setattr(Path, "read_text", lambda path: {"/proc/7/stat": f"7 (a) b (c) {fields}"}[str(path)])
    assert owner._began(7) == "22" and owner._stat(7)[:2] == ["S", "4"]
    monkeypatch.setattr(Path, "read_text", lambda path: "7 (short) S 1")
    assert owner._began(7) == ""


def test_where_processes_cannot_be_asked_they_live(monkeypatch):
    """A signal would end them on Windows."""
    monkeypatch.setattr(owner, "os", SimpleNamespace(name="nt", getpid=os.getpid))
    ours = owner.me()
    assert owner.alive(ours, 0.0)
    assert not owner.alive(msgspec.structs.replace(ours, since="other"), 0.0)
    assert not owner.alive(msgspec.structs.replace(ours, boot="other"), 0.0)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="zombies are of Unix")
def test_a_process_that_ended_owns_nothing_whether_or_not_it_was_waited_for():
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = msgspec.structs.replace(owner.me(), pid=child.pid, since=owner._began(child.pid))
    assert not owner.alive(ended, 0.0)
    child.wait()
    assert not owner.alive(msgspec.structs.replace(ended, since=""), 0.0)


def test_a_lock_that_is_gone_was_taken_from_us(store):
    run = store.create(new(PLAN))
    store.lock(run)
    store._db.execute("DELETE FROM lock")
    with pytest.raises(TryLater) as refused:
        store.record(run, played((0, 0)))
    assert str(refused.value) == f"{run} was taken over from us: this process was not heard of for too long"
    assert store.record(run, played((0, 0))) == 1, "it is no longer ours, and anybody's"


def test_who_plays_a_run_may_bring_games_into_it(store):
    run = store.create(new(PLAN))
    text = [*exported(store, run).splitlines(keepends=True), *map(lines.line, played((0, 0)))]
    store.lock(run)
    with Store(store.path) as other, pytest.raises(TryLater) as refused:
        other.owned.clear()
        carry.bring(other, text, "x")
    assert str(refused.value) == f"{run} is being played by {owner.me()}; import when it is done"
    assert carry.bring(store, text, "x") == carry.Imported(run, 1, 1)


# -- trouble ------------------------------------------------------------------------------------


def test_a_full_disk_keeps_all_of_a_batch_or_nothing(store, tmp_path):
    run = store.create(new(PLAN))
    store.record(run, played((0, 0)))
    pages = store.ask("PRAGMA page_count")[0][0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 1}")
    batch = played(*schedule(20)[1:])
    with pytest.raises(TryLater, match=r"runs\.db: the disk is full"):
        store.record(run, batch)
    assert [game.place for game in store.games(run)] == [(0, 0, 1)]
    saved = tmp_path / "saved.jsonl"
    carry.rescue(store.run(run), batch, saved)
    store._db.execute("PRAGMA max_page_count = 100000")
    found, torn = lines.whole(saved.read_bytes())
    assert not torn
    assert carry.bring(store, found, "saved") == carry.Imported(run, 39, 39)
    assert list(store.missing(run, schedule())) == []
    assert carry.bring(store, found, "saved") == carry.Imported(run, 39, 0)


def test_a_drive_that_cannot_be_written(store, monkeypatch):
    run = store.create(new(PLAN))
    store._db.execute("PRAGMA query_only = 1")
    with pytest.raises(TryLater, match="cannot be written"):
        store.record(run, played((0, 0)))
    store.close()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Store(store.path) as seen:
        assert seen.run(run).id == run and not seen.writable
        with pytest.raises(TryLater, match="cannot be written"):
            seen.request_stop(run)


@contextmanager
def powerless():
    """As somebody who may write nothing of root's; nothing changes for those who are not root."""
    if os.geteuid():
        yield
        return
    if not hasattr(os, "setresuid"):
        pytest.skip("nothing is read-only for root")
    os.setresgid(65534, 65534, 0)
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)


@pytest.fixture
def drive():
    """A folder that anybody may read. `lock(folder)` makes it and what is in it read-only."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
        Path(name).chmod(0o755)


def lock(folder):
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize("wal", ["", "empty"])
def test_a_closed_store_on_a_read_only_drive_can_be_read(drive, wal):
    with Store(drive / "runs.db") as store:
        run = store.create(new(PLAN))
        store.record(run, played((0, 0), (0, 1)))
    if wal:
        (drive / "runs.db-wal").write_bytes(b"")
    before = sorted(drive.iterdir())
    lock(drive)
    with powerless():
        with Store(drive / "runs.db", make=False) as seen:
            assert not seen.writable
            assert len(list(seen.games(run))) == 2
            with pytest.raises(TryLater, match=r"runs\.db: it cannot be written: .* a read-only drive$"):
                seen.create(new(PLAN))
        with pytest.raises(TryLater):
            Store(drive / "other.db")
    assert sorted(drive.iterdir()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize("tails", [("", "-wal", "-shm"), ("", "-wal")])
def test_a_store_that_is_being_written_is_read_whole_or_not_at_all(drive, tmp_path, tails):
    """What is in the log alone is not left out: with the shared memory it is read, without it refused."""
    with Store(tmp_path / "runs.db") as store:
        run = store.create(new(PLAN))
        store.record(run, played((0, 0)))
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.record(run, played((0, 1)))
        assert (tmp_path / "runs.db-wal").stat().st_size
        for tail in tails:
            shutil.copyfile(tmp_path / f"runs.db{tail}", drive / f"runs.db{tail}")
    lock(drive)
    with powerless():
        if "-shm" in tails:
            with Store(drive / "runs.db", make=False) as seen:
                assert not seen.writable and len(list(seen.games(run))) == 2
        else:
            with pytest.raises(TryLater, match=r"runs\.db: it cannot be opened$"):
                Store(drive / "runs.db", make=False)


# -- earlier versions ---------------------------------------------------------------------------

VERSIONS = sorted((TESTS / "examples" / "records").glob("runs-*.db"))


def test_a_store_of_every_version_is_kept():
    """Before a version is added to `MIGRATIONS`, a store of the one before is put there."""
    numbers = [int(file.stem.partition("-")[2]) for file in VERSIONS]
    assert numbers == list(range(1, len(database.MIGRATIONS) + 1))
    for number, file in zip(numbers, VERSIONS, strict=True):
        with sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (number,)
        db.close()


@pytest.mark.parametrize("file", VERSIONS, ids=lambda file: file.stem)
def test_a_store_of_an_earlier_version_is_opened_and_goes_on(file, tmp_path, capsys):
    path = tmp_path / "runs.db"
    shutil.copyfile(file, path)
    with Store(path) as store:
        [run] = store.runs()
        assert (run.id, run.title, run.state, run.seed) == ("tictactoe-zutika", "nightly", FINISHED, 1)
        assert decode(run.plan).game == "tictactoe"
        assert summed(store, run.id).together("new") == [1, 1, 2]
        games = list(store.games(run.id))
        assert [len(game.read().moves) for game in games] == [game.plies for game in games]
        found = exported(store, run.id)
        again = store.create(new(PLAN))
        store.record(again, played((0, 0)))
        with pytest.raises(BadInput, match=r"cannot go on as what it was \(code: 0\.1\.0 b9c796bc before"):
            stored.resume(store, run)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(database.MIGRATIONS),)
    db.close()
    with Store(tmp_path / "other.db") as other:
        carry.bring(other, found.splitlines(keepends=True), "x")
        assert exported(other, run.id) == found
    for words in (["status", "tictactoe-zutika"], ["report", "tictactoe-zutika"]):
        assert cli.run(cli.router, "gameplay", [*words, "--store", str(path)]) == 0
        assert "nightly" in capsys.readouterr().out


@pytest.mark.parametrize("file", VERSIONS, ids=lambda file: file.stem)
def test_a_store_of_an_earlier_version_is_verified(file, tmp_path, capsys):
    shutil.copyfile(file, tmp_path / "runs.db")
    words = ["verify", "last", "--store", str(tmp_path / "runs.db")]
    assert cli.run(cli.router, "gameplay", words) == 0
    assert "4 games: moves, results and node counts are as recorded" in capsys.readouterr().out


def test_a_writer_that_does_not_end(store):
    run = store.create(new(PLAN))
    with Store(store.path) as other, other.transaction():
        store._db.execute("PRAGMA busy_timeout = 10")
        with pytest.raises(TryLater, match="another process has been writing it"):
            store.record(run, played((0, 0)))
    assert store.record(run, played((0, 0))) == 1


def test_modes_of_the_file(tmp_path, monkeypatch):
    with Store(tmp_path / "a.db") as store:
        assert store.ask("PRAGMA journal_mode") == [("wal",)]
        assert store.ask("PRAGMA synchronous") == [(2,)], "full"
    monkeypatch.setattr(database, "_shared", lambda path: True)
    with Store(tmp_path / "a.db", synchronous="NORMAL") as store:
        assert store.ask("PRAGMA journal_mode") == [("delete",)]
        assert store.ask("PRAGMA synchronous") == [(2,)], "full"
        run = store.create(new(PLAN))
        assert store.record(run, played((0, 0))) == 1


def test_a_row_that_was_changed_is_told(store):
    run = store.create(new(PLAN))
    store.record(run, played((0, 0), (0, 1)))
    store._db.execute("UPDATE game SET payoffs = '[1.0,-1.0]' WHERE leg = 1")
    with pytest.raises(BadInput, match="pair 0, leg 1, attempt 1 was changed"):
        list(store.games(run))


def test_a_damaged_file_is_refused_and_the_rest_of_it_saved(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, played(*schedule(100)))
    page = 4096
    text = bytearray(path.read_bytes())
    draw = random.Random(5)
    pages = len(text) // page
    for number in (pages // 3, pages // 2, pages - 2):
        text[number * page : number * page + 8] = draw.randbytes(8)  # the head of a page
    path.write_bytes(text)
    with pytest.raises(BadInput, match=r"runs\.db is damaged .*gameplay run export RUN --repair") as refusal:
        Store(path)
    assert "\n" not in str(refusal.value)
    with Store(path, repair=True) as store:
        games = list(carry.salvage(store, store.run(run)))
    assert 100 < len(games) < 200
    for game in games:
        assert game.read() == done_of(job_of(*game.place)).record


def test_a_whole_file_is_salvaged_whole(tmp_path, monkeypatch):
    """Every row up to the last one, by place; where the last cannot be told, as many as there is room for."""
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        games = played((2, 0), (0, 1), (0, 0), (1, 1))
        store.record(run, games)
        other = store.create(new(PLAN))
        store.record(other, played((5, 0)))
    with Store(path, repair=True) as store:
        assert store._highest("game") == 5
        found = list(carry.salvage(store, store.run(run)))
        assert [game.place for game in found] == sorted(game.place for game in games)
        assert [game.place for game in carry.salvage(store, store.run(other))] == [(5, 0, 1)]

        def fails(query, kind):
            raise BadInput("damaged")

        monkeypatch.setattr(store, "ask", fails)
        assert store._highest("game") == path.stat().st_size // 50 + 10


def test_games_that_are_saved_lie_on_the_disk(store, tmp_path, monkeypatch):
    run = store.run(store.create(new(PLAN)))
    games = played((0, 0), (0, 1))
    text = lines.line(carry.header(run)) + b"".join(map(lines.line, games))
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    carry.rescue(run, games, tmp_path / "saved.jsonl")
    assert (tmp_path / "saved.jsonl").read_bytes() == text and synced == [len(text)]


def test_a_file_that_was_cut_short(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, played(*schedule(100)))
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)
    with pytest.raises(BadInput, match="is damaged"):
        Store(path)
    with Store(path, repair=True) as store:
        assert len(list(carry.salvage(store, store.run(run)))) > 50


def test_what_sqlite_says_is_told_in_words(store):
    """By the lowest byte of its code: the rest says where it happened."""
    words = {
        "SQLITE_FULL": "the disk is full",
        "SQLITE_READONLY": "it cannot be written: no permission, or a read-only drive",
        "SQLITE_BUSY": "another process has been writing it for more than 10 seconds",
        "SQLITE_LOCKED": "another process writes it",
        "SQLITE_CANTOPEN": "it cannot be opened",
        "SQLITE_IOERR": "the drive reports an error",
        "SQLITE_PERM": "no permission",
    }
    for name, told in words.items():
        for more in (0, 1 << 8, 7 << 8):
            error = sqlite3.OperationalError("x")
            error.sqlite_errorcode = getattr(sqlite3, name) | more
            with pytest.raises(TryLater) as refused, store._translated():
                raise error
            assert str(refused.value) == f"{store.path}: {told}"
    rescue = "save what can be read: gameplay run export RUN --repair --store FILE"
    for name, told in (
        ("SQLITE_CORRUPT", f"is damaged (x); {rescue}"),
        ("SQLITE_NOTADB", "is not a store of runs: it is no SQLite file"),
    ):
        error = sqlite3.DatabaseError("x")
        error.sqlite_errorcode = getattr(sqlite3, name)
        with pytest.raises(BadInput) as refused, store._translated():
            raise error
        assert str(refused.value) == f"{store.path} {told}"
    for error in (sqlite3.IntegrityError("x"), sqlite3.ProgrammingError("y"), KeyError("z")):
        with pytest.raises(type(error)) as passed, store._translated():
            raise error
        assert passed.value is error


def test_what_fails_within_a_transaction_is_taken_back(store):
    run = store.create(new(PLAN))
    for error in (KeyboardInterrupt(), KeyError("x")):
        with pytest.raises(type(error)), store.transaction():
            store.insert(run, played((0, 0)))
            raise error
        assert not store._db.in_transaction and list(store.games(run)) == []
    with pytest.raises(sqlite3.OperationalError, match="no transaction"), store.transaction():
        store._db.execute("COMMIT")
    assert not store._db.in_transaction


def test_a_store_that_cannot_be_opened_lets_go_of_its_file(tmp_path, monkeypatch):
    with Store(tmp_path / "a.db") as store:
        store.create(new(PLAN))
    opened = []
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *how, **more: opened.append(connect(*how, **more)) or opened[-1]
    )
    for step in ("_know", "_safe", "_migrate", "_sound"):

        def fails(*_):
            raise BadInput("no")

        with monkeypatch.context() as patch:
            patch.setattr(Store, step, fails)
            with pytest.raises(BadInput, match=r"^no$"):
                Store(tmp_path / "a.db")
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            opened[-1].execute("SELECT 1")


def test_a_damaged_file_is_copied_with_its_log_and_its_length(tmp_path, monkeypatch):
    """Pages of so many bytes, so many of them: at 16 and 28 of the head (SQLite, file format, 1.3)."""
    path = tmp_path / "a.db"
    head = bytearray(100)
    head[16:18], head[28:32] = (512).to_bytes(2, "big"), (3).to_bytes(4, "big")
    path.write_bytes(head)
    (tmp_path / "a.db-wal").write_bytes(b"log")
    with database._copy(path) as folder:
        copy = Path(folder) / "copy.db"
        assert copy.read_bytes() == bytes(head) + bytes(3 * 512 - 100)
        assert copy.with_name("copy.db-wal").read_bytes() == b"log" and len(os.listdir(folder)) == 2
    assert path.stat().st_size == 100 and not Path(folder).exists()
    for size, most, length in ((3 * 512, 1 << 36, 3 * 512), (5000, 1 << 36, 5000), (100, 3 * 512, 100)):
        path.write_bytes(bytes(head) + bytes(size - 100))
        monkeypatch.setattr(database, "LARGEST", most)
        with database._copy(path) as folder:
            assert (Path(folder) / "copy.db").stat().st_size == length
    (tmp_path / "a.db-wal").unlink()
    with Store(tmp_path / "s.db") as store:
        store.create(new(PLAN))
    with Store(tmp_path / "s.db", repair=True) as store:
        folder = store._copy.name
        assert store.runs() and not store.writable and Path(folder).exists()
        store._db.execute("DELETE FROM run")
    assert not Path(folder).exists()
    with Store(tmp_path / "s.db") as store:
        assert store.runs(), "the copy alone was touched"


def test_files_of_others_are_left_alone(tmp_path):
    text = tmp_path / "text.db"
    text.write_text("this is not a database, however long it may be; " * 100)
    with pytest.raises(BadInput, match="is not a store of runs"):
        Store(text)
    theirs = tmp_path / "theirs.db"
    with sqlite3.connect(theirs) as other:
        other.execute("CREATE TABLE song (name TEXT)")
    other.close()
    before = theirs.read_bytes()
    with pytest.raises(BadInput, match="is the file of another program"):
        Store(theirs)
    assert theirs.read_bytes() == before


# -- versions -----------------------------------------------------------------------------------


def shape(path: Path) -> list[tuple[str, ...]]:
    with Store(path) as store:
        return sorted(store.ask("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def test_every_older_version_becomes_the_present_one(tmp_path):
    newest = shape(tmp_path / "new.db")
    for version in range(len(database.MIGRATIONS)):
        path = tmp_path / f"{version}.db"
        old = sqlite3.connect(path)
        for script in database.MIGRATIONS[:version]:
            old.executescript(script)
        old.execute(f"PRAGMA user_version = {version}")
        if version:
            old.execute(f"PRAGMA application_id = {database.APPLICATION}")
        old.close()
        assert shape(path) == newest


def test_a_migration_keeps_the_games_or_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, played((0, 0)))
    fine = "ALTER TABLE run ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"
    monkeypatch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, fine, fine))
    with pytest.raises(BadInput, match="duplicate column"):
        Store(path)
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:-1])
    with Store(path) as store:
        assert store.ask("PRAGMA user_version") == [(len(database.MIGRATIONS),)]
        assert store.ask("SELECT mood FROM run") == [("calm",)]
        assert len(list(store.games(run))) == 1
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:-1])
    count = len(database.MIGRATIONS)
    with pytest.raises(BadInput) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} was written by a later gameplay (its version is {count + 1}, and this one knows {count}): "
        "update gameplay"
    )


# -- carried elsewhere --------------------------------------------------------------------------


@pytest.fixture
def carried(store):
    run = store.create(new(PLAN))
    store.record(run, [to_store(job_of(2, 0), void_of(job_of(2, 0)))])
    store.record(run, played((1, 1), (0, 0), (2, 0, 2), (0, 1)))
    store.note(run, "begun on a quiet evening")
    return run, exported(store, run)


def test_there_and_back_is_the_same_byte_for_byte(carried, tmp_path):
    run, text = carried
    with Store(tmp_path / "other.db") as other:
        assert carry.bring(other, text.splitlines(keepends=True), "x") == carry.Imported(run, 5, 5)
        assert exported(other, run) == text
    places = [msgspec.json.decode(line) for line in text.splitlines()[1:]]
    order = [(game["pair"], game["leg"], game["attempt"]) for game in places]
    assert order == sorted(order) and len(order) == 5


def test_bare_lines_tell_nothing_of_the_machine(store, carried, tmp_path):
    run, _ = carried
    bare = exported(store, run, bare=True)
    assert socket.gethostname().encode() not in bare and run.encode() not in bare and b"void" not in bare
    with Store(tmp_path / "other.db") as other:
        came = carry.bring(other, bare.splitlines(keepends=True), "x")
        assert came.games == 4 and came.run.startswith("tictactoe-")
        assert exported(other, came.run, bare=True) == bare


def test_a_line_that_was_changed_brings_nothing(carried, tmp_path):
    _, text = carried
    for changed in (text.replace(b'"plies":2', b'"plies":3', 1), text.replace(b'"seed":1', b'"seed":2', 1)):
        assert changed != text
        with Store(tmp_path / "other.db") as other:
            with pytest.raises(BadInput, match=r"x, line \d was changed or damaged: its crc is wrong"):
                carry.bring(other, changed.splitlines(keepends=True), "x")
            assert other.runs() == []
    with pytest.raises(BadInput, match="x, line 1 is not the header of a run"):
        lines.read([b'{"serial":1}\n'], "x")
    with pytest.raises(BadInput, match="x was written by an earlier selfplay"):
        lines.read([b'{"series":1}\n'], "x")
    with pytest.raises(BadInput, match="x is empty"):
        lines.read([], "x")


def header_of(**changes) -> lines.RunHeader:
    usual = {"id": "nim-bado", "title": "t", "plan": msgspec.Raw(b'{"game":"nim"}'), "facts": {"seed": "1"}}
    usual |= {"identity": "12", "code": "0.1.0 ab", "seed": 1, "created": "now", "state": "stopped"}
    return lines.RunHeader(**(usual | {"verdict": "H1", "notes": [("now", "so")]} | changes))


def line_of(text: bytes) -> bytes:
    """Its crc as the file tells it: that of the line without it."""
    return text[:-1] + b',"crc":"%08x"}\n' % zlib.crc32(text)


HEAD = (
    b'{"runs":1,"id":"nim-bado","title":"t","plan":{"game":"nim"},"facts":{"seed":"1"},"identity":"12",'
    b'"code":"0.1.0 ab","seed":1,"created":"now","state":"stopped","verdict":"H1","notes":[["now","so"]]}'
)


def test_a_line_is_json_with_its_crc():
    assert lines.line(header_of()) == line_of(HEAD)
    assert lines.crc(header_of()) == zlib.crc32(HEAD)
    assert lines.read([line_of(HEAD)], "x")[0] == header_of()
    bare = HEAD.replace(b'"stopped"', b'"open"').replace(b'[["now","so"]]', b"[]")
    for word in (b"nim-bado", b"t", b"0.1.0 ab", b"now", b"H1"):
        bare = bare.replace(b'"%b"' % word, b'""')
    assert lines.line(lines.bare_header(header_of())) == line_of(bare)
    with pytest.raises(TypeError, match="positional"):
        lines.RunHeader("nim-bado")
    with pytest.raises(TypeError, match="positional"):
        Kept(0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"\n", "x is empty: it holds no run"),
        (line_of(HEAD.replace(b'"runs":1', b'"runs":2')), "x: the file has schema 2; this version reads 1"),
        (line_of(HEAD.replace(b"stopped", b"ended")), "x, line 1: there is no state 'ended' of a run"),
        (line_of(HEAD[:-1] + b',"mood":1}'), "x, line 1 is not the header of a run: Object contains unknown"),
        (HEAD + b"\n", "x, line 1 is not the header of a run: it does not end with its crc"),
        (line_of(HEAD)[:-2] + b" }\n", "x, line 1 is not the header of a run: it does not end with its crc"),
        (line_of(HEAD)[:-3] + b'")\n', "x, line 1 is not the header of a run: it does not end with its crc"),
        (b'{"series":1}\n', "x was written by an earlier selfplay: gameplay replay x shows its games"),
        (
            b'{"series":1,"game":"nim","first":"a b","second":"c","games":4,"seed":2,"openings":3}',
            "shows its games; play them again with: "
            "selfplay nim --first 'a b' --second c --games 4 --seed 2 --openings 3",
        ),
        (
            b'{"series":1,"game":"nim","first":"a","second":"c","games":4,"seed":2,"openings":["1"]}',
            "--openings FILE (with the openings of its first line)",
        ),
    ],
)
def test_what_is_no_header_is_refused(text, told):
    with pytest.raises(BadInput) as refused:
        lines.read([text], "x")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"state": "lost"}, "x, line 2: there is no state 'lost' of a game"),
        ({"state": VOID}, "x, line 2: a game that ended by rules is not void"),
        ({"state": QUARANTINED}, "x, line 2: a game that ended by rules is not quarantined"),
        ({"termination": VOID}, "x, line 2: a game that ended by void is not counted"),
        ({"state": QUARANTINED, "termination": VOID, "points": None}, ""),
        ({"points": 0.25}, "x, line 2: a game brings 0, 0.5 or 1 point, not 0.25"),
        ({"names": ["a", "b", "c"], "points": 0.25}, ""),
        ({"names": ["a", "b", "c"], "points": 0.3}, "a game brings 0, 0.25, 0.5, 0.75 or 1 point, not 0.3"),
        ({"names": ["a"], "points": 0.5}, ""),
        ({"names": ["a"], "points": 2.0}, "x, line 2: a game brings 0, 0.5 or 1 point, not 2"),
    ],
)
def test_a_game_that_no_run_can_have_is_refused(changes, told):
    [game] = played((0, 0))
    text = lines.line(msgspec.structs.replace(game, **changes))
    found = lines.read([line_of(HEAD), text], "x")[1]
    if not told:
        assert lines.line(next(found)) == text
        return
    with pytest.raises(BadInput) as refused:
        next(found)
    assert told in str(refused.value)


def test_a_game_that_stands_twice_is_refused():
    both = [lines.line(game) for game in played((0, 0), (0, 1), (0, 0))]
    with pytest.raises(BadInput, match="x, line 4: the game of line 2 once more"):
        list(lines.read([line_of(HEAD), *both], "x")[1])


def test_a_bare_game_tells_nothing_of_its_moment():
    [game] = played((3, 1, 2))
    bare = lines.bare_game(game)
    assert (bare.attempt, bare.seconds, bare.times, bare.host, bare.finished) == (1, 0.0, [], "", "")
    assert msgspec.json.decode(bare.job, type=Job) == job_of(3, 1) and bare.record == game.record
    assert lines.line(lines.bare_game(bare)) == lines.line(bare)
    assert bare.read() == done_of(job_of(3, 1)).record
    assert to_store(job_of(0, 0), void_of(job_of(0, 0))).read() is None


def test_a_game_in_the_store_is_the_one_that_was_played():
    """It is told alike, whether it was just played or comes out of the store."""
    job = msgspec.structs.replace(job_of(3, 1, 2), moves=("a1",))
    done = done_of(job, 0.5)
    lost = msgspec.structs.replace(
        done, termination="crash", offender=0, fault="it died", payoffs=(-1.0, 1.0)
    )
    for one in (done, lost):
        assert from_store(to_store(job, one)) == from_job(job, one)
    found = from_job(job, lost)
    assert (found.pair, found.leg, found.attempt, found.opening, found.seconds) == (3, 1, 2, 1, 0.5)
    assert (found.offender, found.fault, found.claim, found.state) == ("old", "it died", "", COUNTED)
    assert found.points == {"old": 0.0, "new": 1.0} and found.trail == done.moves_hash
    void = from_store(to_store(job, void_of(job)))
    assert (void.state, void.record, void.payoffs, void.fault) == (VOID, None, (), "the worker died")


def test_a_job_is_kept_with_what_differs_from_the_usual():
    seat = Seat(player="random", name="a", seed=5)
    job = Job(pair=1, leg=0, attempt=1, game="nim", seats=(seat,), seed=2)
    text = (
        b'{"pair":1,"leg":0,"attempt":1,"game":"nim",'
        b'"seats":[{"player":"random","name":"a","seed":5}],"seed":2}'
    )
    assert msgspec.json.encode(job) == text
    assert msgspec.structs.asdict(msgspec.json.decode(text, type=Job)) == {
        "pair": 1, "leg": 0, "attempt": 1, "game": "nim", "seats": (seat,), "seed": 2, "start": "",
        "moves": (), "first": 0, "adjudicate": None, "margin": 0.05, "patience": 60.0, "deadline": 0.0,
    }  # fmt: skip
    assert (job.number, job_of(3, 1).number) == (1, 7), "games of a match from 0"


def test_a_torn_last_line_is_left_out(carried):
    _, text = carried
    found, torn = lines.whole(text[:-9])
    assert torn and len(found) == 5
    assert lines.whole(text) == (text.splitlines(keepends=True), False)


def test_another_run_of_the_same_name_is_refused(carried, store, tmp_path):
    run, text = carried
    with Store(tmp_path / "other.db") as other:
        other.begin(msgspec.structs.replace(store.run(run), identity="another"))
        with pytest.raises(BadInput, match=f"has another run {run}"):
            carry.bring(other, text.splitlines(keepends=True), "x")


class Noted:
    """A game with a format of its own."""

    export_formats = {".txt": lambda header, game: f"{header.id} {game.pair}.{game.leg}\n"}


def test_the_door_for_formats_of_games(tmp_path):
    assert lines.writer(Noted, None) is lines.writer(Noted, Path("a.jsonl")) is None
    assert lines.writer(Noted, Path("a.TXT")) is Noted.export_formats[".txt"]
    with pytest.raises(Usage, match=r"Noted has no format '\.pgn' \(there is: \.jsonl, \.txt\)"):
        lines.writer(Noted, Path("a.pgn"))


# -- kill -9 ------------------------------------------------------------------------------------

CHILD = """
import sys
sys.path.insert(0, sys.argv[3])
from tests.store.test_runs import Store, job_of, done_of, schedule, to_store
store = Store(sys.argv[1])
store.lock(sys.argv[2])
due = [job_of(*place) for place in store.missing(sys.argv[2], schedule(int(sys.argv[4])))]
print("ready", flush=True)
size = 1
while due:
    some, due = due[:size], due[size:]
    store.record(sys.argv[2], [to_store(job, done_of(job)) for job in some])
    print(*[f"{job.pair}.{job.leg}" for job in some], flush=True)
    size = size % 3 + 1
"""


def child(path: Path, run: str, pairs: int) -> subprocess.Popen[bytes]:
    here = str(ROOT)
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), run, here, str(pairs)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    return process


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is of Unix")
def test_no_acknowledged_game_is_lost_by_kill_9(tmp_path):
    path, pairs = tmp_path / "runs.db", 20_000
    with Store(path) as store:
        run = store.create(new(PLAN))
    acknowledged: set[str] = set()
    draw = random.Random(9)
    for _ in range(10):
        process = child(path, run, pairs)
        time.sleep(draw.uniform(0.002, 0.15))
        process.kill()
        told, _ = process.communicate()
        acknowledged |= set(told.decode().rpartition("\n")[0].split())
        with Store(path) as store:
            kept = {f"{game.pair}.{game.leg}" for game in store.games(run, COUNTED)}
            assert acknowledged <= kept
            assert store.playing(run) is None
    assert len(acknowledged) > 10
    count = max(int(place.partition(".")[0]) for place in kept) + 5
    process = child(path, run, count)
    process.communicate()
    assert process.returncode == 0
    with Store(path) as store, Store(tmp_path / "whole.db", synchronous="NORMAL") as whole:
        other = whole.create(new(PLAN))
        jobs = itertools.starmap(job_of, schedule(count))
        whole.record(other, [to_store(job, done_of(job)) for job in jobs])
        assert exported(store, run, bare=True) == exported(whole, other, bare=True)


# -- any sequence of all that -------------------------------------------------------------------

PAIRS = 6


class Keeping(RuleBasedStateMachine):
    """Start, finish, fault, kill, resume, stop, export and import in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "runs.db"
        self.store = self.open()
        self.settled: dict[tuple[int, int], str] = {}
        self.attempts: dict[tuple[int, int], int] = {}

    def open(self) -> Store:
        return Store(self.path, synchronous="OFF")

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @initialize()
    def start(self) -> None:
        self.run = self.store.create(new(PLAN))
        self.store.lock(self.run)

    def missing(self) -> list[tuple[int, int, int]]:
        return list(self.store.missing(self.run, schedule(PAIRS)))

    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        due = self.missing()
        some = data.draw(st.lists(st.sampled_from(due), unique=True, max_size=5)) if due else []
        assert self.store.record(self.run, played(*some)) == len(some)
        for pair, leg, attempt in some:
            self.settled[pair, leg] = COUNTED
            self.attempts[pair, leg] = attempt

    @rule(data=st.data())
    def fault(self, data: st.DataObject) -> None:
        due = self.missing()
        if not due:
            return
        place = data.draw(st.sampled_from(due))
        job = job_of(*place)
        last = place[2] == 3
        assert self.store.record(self.run, [to_store(job, void_of(job), QUARANTINED if last else None)]) == 1
        self.attempts[place[:2]] = place[2]
        if last:
            self.settled[place[:2]] = QUARANTINED

    @rule(data=st.data())
    def hand_in_late(self, data: st.DataObject) -> None:
        """A game comes again, of a worker that was given up: it changes nothing."""
        places = [place for place in self.settled if self.settled[place] != QUARANTINED]
        if places:
            pair, leg = data.draw(st.sampled_from(places))
            late = data.draw(st.sampled_from([self.attempts[pair, leg], self.attempts[pair, leg] + 1]))
            assert self.store.record(self.run, played((pair, leg, late))) == 0

    @rule()
    def kill(self) -> None:
        self.store._db.close()
        self.store = self.open()
        self.store.lock(self.run)

    @rule()
    def kill_inside_a_commit(self) -> None:
        due = self.missing()
        self.store._db.execute("BEGIN IMMEDIATE")
        self.store.insert(self.run, played(*due[:3]))
        self.kill()

    @rule(after=st.integers(0, PAIRS))
    def decide(self, after: int) -> None:
        self.store.settle(self.run, FINISHED, "decided", after)
        for place, state in self.settled.items():
            if state == COUNTED and place[0] > after:
                self.settled[place] = AFTER_STOP

    @rule()
    def resume(self) -> None:
        self.store.settle(self.run, OPEN)
        for place, state in self.settled.items():
            if state == AFTER_STOP:
                self.settled[place] = COUNTED

    @rule()
    def carry_over(self) -> None:
        text = exported(self.store, self.run)
        self.store.close()
        self.path = self.path.with_name(self.path.name + "x")
        self.store = self.open()
        carry.bring(self.store, text.splitlines(keepends=True), "x")
        assert exported(self.store, self.run) == text
        self.store.lock(self.run)

    @precondition(lambda self: self.settled)
    @rule()
    def equals_a_run_without_trouble(self) -> None:
        with Store(self.path.with_name("whole.db"), synchronous="OFF") as whole:
            run = whole.create(new(PLAN))
            counted = sorted(place for place, state in self.settled.items() if state == COUNTED)
            whole.record(run, played(*counted))
            assert exported(whole, run, bare=True) == exported(self.store, self.run, bare=True)

    @invariant()
    def the_books_are_right(self) -> None:
        if not hasattr(self, "run"):
            return
        found: dict[tuple[int, int], str] = {}
        for game in self.store.games(self.run):
            if game.state != VOID:
                assert (game.pair, game.leg) not in found, "a leg counts twice"
                found[game.pair, game.leg] = game.state
        assert found == self.settled
        due = {place[:2]: place[2] for place in self.missing()}
        assert set(due) == set(schedule(PAIRS)) - set(self.settled)
        assert all(attempt == self.attempts.get(place, 0) + 1 for place, attempt in due.items())
        counted = [place for place, state in self.settled.items() if state == COUNTED]
        found = summed(self.store, self.run)
        new, old = found.together("new"), found.together("old")
        assert new == old[::-1] == found.duel.games and sum(new) == len(counted)
        assert found.duel.points == sum(done_of(job_of(*place)).points for place in counted)
        single = sum((pair, 1 - leg) not in counted for pair, leg in counted)
        assert len(counted) == 2 * sum(found.duel.pairs) + single


TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_a_file_that_was_cut_in_its_first_line_is_called_so(carried, tmp_path, capsys):
    from gameplay.cli import router, run

    file = tmp_path / "cut.jsonl"
    file.write_bytes(carried[1][:200])
    assert run(router, "gameplay", ["import", str(file)]) == 6
    told = f"gameplay: {file} was cut off in its first line, which describes the run\n"
    assert capsys.readouterr().err == told
