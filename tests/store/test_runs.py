"""The store of runs: names, games, totals, disks that fail, and damaged files."""

import os
import random
import re
import shutil
import socket
import sqlite3
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from gameplay import __version__
from gameplay.errors import BadInput, TryLater, Usage
from gameplay.runs.job import Job
from gameplay.runs.plan import decode
from gameplay.runs.played import to_store
from gameplay.runs.stored import new
from gameplay.store import database, jsonl, run_export, run_lock, run_queries
from gameplay.store import runs as kept
from gameplay.store.jsonl import AFTER_STOP, COUNTED, QUARANTINED, VOID
from gameplay.store.runs import FINISHED, OPEN, Store, default_path
from tests.support.run_store import (
    PLAN,
    RESULTS,
    job_of,
    missing_games,
    result_of,
    schedule,
    stored_games,
    summarize_run,
    void_result,
)

pytestmark = pytest.mark.once


# -- what is kept -------------------------------------------------------------------------------


def test_a_run_is_found_by_its_words(store):
    first, second = store.create(new(PLAN)), store.create(new(msgspec.structs.replace(PLAN, title="nightly")))
    assert first.startswith("tictactoe-") and first != second
    assert decode(store.run(first).plan) == PLAN
    assert store.run(first).identity == PLAN.identity()
    assert store.run("last").id == store.run("nightly").id == second
    assert store.run(first.partition("-")[2]).id == first
    assert [run.id for run in store.runs()] == [second, first]
    with pytest.raises(Usage, match="is ambiguous; runs"):
        store.run("tictactoe")
    with pytest.raises(Usage, match=f"there is no run '{first}x'; did you mean '{first}'"):
        store.run(first + "x")


@pytest.mark.parametrize(("game", "word"), [("/x/My_Game-2.toml:a=b", "mygame2"), (":x=1", "run")])
def test_a_run_is_called_by_its_game_and_three_syllables(store, game, word):
    run = msgspec.structs.replace(new(PLAN), plan=msgspec.json.encode({"game": game}))
    run_id = store.create(run)
    assert re.fullmatch(rf"{word}-([bdklmnrtvz][aiou]){{3}}", run_id)
    assert store.find(run_id).id == run_id and store.find(run_id[:-1]) is None


def test_unknown_run_name_is_refused(store):
    with pytest.raises(Usage) as refused:
        store.run("last")
    assert str(refused.value) == f"there is no run 'last': {store.path} has no runs"
    store.create(new(PLAN))
    with pytest.raises(Usage, match=r"there is no run '' \(gameplay run status --store \S+ lists them\)"):
        store.run("")


def test_run_names_are_unique(store, monkeypatch):
    """For a name in use three more syllables are drawn."""
    letters = iter("babababababadadudi")
    monkeypatch.setattr(random, "SystemRandom", lambda: SimpleNamespace(choice=lambda among: next(letters)))
    assert [store.create(new(PLAN)) for _ in range(2)] == ["tictactoe-bababa", "tictactoe-dadudi"]


def test_ambiguous_run_names_are_resolved_or_refused(store):
    """The run with that id, or else that title, or else those whose id begins or ends with it."""
    for name, title in (("nim-bado", "go-zu"), ("go-zu", "x"), ("go-zuma", "x"), ("nim-zuma", "")):
        store.insert_run(msgspec.structs.replace(new(PLAN), id=name, title=title))
    for word, expected in (
        ("go-zu", "go-zu"),
        ("bado", "nim-bado"),
        ("go-zum", "go-zuma"),
        ("nim-b", "nim-bado"),
    ):
        assert store.run(word).id == expected
    for word, both in (("x", "go-zuma, go-zu"), ("zuma", "nim-zuma, go-zuma"), ("nim", "nim-zuma, nim-bado")):
        with pytest.raises(Usage) as refused:
            store.run(word)
        assert str(refused.value) == f"'{word}' is ambiguous; runs: {both}"
    with pytest.raises(Usage) as refused:
        store.run("go-zumi")
    near = "; did you mean 'go-zuma'?"
    assert str(refused.value) == f"there is no run 'go-zumi'{near} ({store.command('status')} lists them)"
    assert store.command("status") == f"gameplay run status --store {store.path}"


def test_many_games_are_read_in_their_order(store):
    run = store.create(new(PLAN))
    places = schedule(201)
    store.record(run, stored_games(*reversed(places)))
    assert [game.place[:2] for game in store.games(run)] == places
    assert [game.place for game in store.games(run, VOID, COUNTED)] == [(*place, 1) for place in places]
    assert list(store.games(run, VOID)) == []


def test_heartbeat_of_another_host(monkeypatch):
    """Never in the future, though its clock may be fast; for this host none is shown."""
    here = run_lock.this_process()
    assert kept._format_last_renewal(here, 0.0) == ""
    there = msgspec.structs.replace(here, host="elsewhere")
    monkeypatch.setattr(kept.time, "time", lambda: 1000.0)
    for ago, expected in ((90.4, 90), (-50, 0)):
        assert kept._format_last_renewal(there, 1000 - ago) == (
            f", last seen {expected} s ago (its lock expires after 600 s)"
        )


def test_notes_are_listed_in_order(store):
    run = store.create(new(PLAN))
    with store.transaction():
        store.add_notes(run, [("later", "b"), ("before", "a")])
    assert store.notes(run) == [("later", "b"), ("before", "a")]


def test_no_game_is_stored_for_a_missing_run(store):
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store.record("nobody", stored_games((0, 0)))


def test_network_drive_is_detected_by_its_kind(tmp_path, monkeypatch):
    path = tmp_path / "a" / "runs.db"
    for mounts, shared in (
        (f"d / ext4 rw\ns:/x {tmp_path} nfs4 rw\ntorn\n", True),
        (f"s:/x {tmp_path} cifs rw\nd {path.parent} ext4 rw\n", False),
        (f"s:/x {path.parent} 9p\n", True),
        ("d / ext4 rw", False),
        ("", False),
    ):
        monkeypatch.setattr(Path, "read_text", lambda file, text=mounts: text)
        assert database._is_on_network_drive(path) is shared

    def none(file):
        raise OSError

    monkeypatch.setattr(Path, "read_text", none)
    assert database._is_on_network_drive(path) is False


def test_impossible_store_paths_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput) as refused:
        Store(tmp_path / "file" / "runs.db")
    assert str(refused.value) == f"{tmp_path / 'file'} is a file, not a folder; choose another --store FILE"
    with pytest.raises(BadInput) as refused:
        Store(tmp_path / "file" / "deep" / "runs.db")
    refusal = "cannot be created: Not a directory; choose another --store FILE"
    assert str(refused.value) == f"{tmp_path / 'file' / 'deep'} {refusal}"
    with pytest.raises(BadInput, match="nothing has been stored there"):
        Store(tmp_path / "none.db", repair=True)


def test_the_default_file(home, tmp_path):
    assert default_path() == home / "runs.db"
    assert Store().command("status", "RUN") == "gameplay run status RUN"
    with Store() as store:
        assert store.path == home / "runs.db" and store.path.exists()
    with pytest.raises(BadInput, match="there is no store"):
        Store(tmp_path / "none.db", make=False)
    with pytest.raises(BadInput, match="is a folder"):
        Store(tmp_path)


def hash_code() -> str:
    """The code version of a run that starts now; other tests hash the package once."""
    return kept.code_version.__wrapped__()


def test_the_code_of_a_run_is_every_file_of_the_package(tmp_path, monkeypatch):
    """Rules, types, weights, and files added later; not the files generated from them."""
    package = tmp_path / "gameplay"
    shutil.copytree(Path(kept.__file__).parents[1], package, ignore=shutil.ignore_patterns("__pycache__"))
    there = hash_code()
    version, digits = there.split()
    assert version == __version__ and len(digits) == 8 and int(digits, 16) >= 0
    monkeypatch.setattr(kept, "__file__", str(package / "store" / "runs.py"))
    assert hash_code() == there
    for file in package.rglob("*"):
        if file.is_file() and file.stat().st_size > 100_000:
            file.write_bytes(b"1")  # what is long is hashed slowly, and no other way
    sources = [file for file in package.rglob("*") if file.is_file() and file.suffix not in (".so", ".pyd")]
    assert {".py", ".pxd", ".bin", ".toml"} <= {file.suffix for file in sources}
    one_each = {(file.parent, file.suffix): file for file in sources}  # of a folder and a kind
    for file in {*sources} - {*one_each.values()}:
        file.unlink()
    before = hash_code()
    for file in one_each.values():
        text = file.read_bytes()
        file.write_bytes(text + b"\n")
        assert hash_code() != before, f"{file} may change unseen"
        file.write_bytes(text)
    assert hash_code() == before
    (package / "knowledge" / "other").mkdir()
    (package / "knowledge" / "other" / "kpk.bin").write_bytes(b"1")
    assert hash_code() != before
    shutil.rmtree(package / "knowledge" / "other")
    for name in (
        "kernel.cpython-311-x86_64-linux-gnu.so",
        "__pycache__/kernel.cpython-311.pyc",
        ".kernel.swp",
    ):
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_bytes(b"1")
    assert hash_code() == before


def test_a_file_of_the_package_under_another_name_is_other_code(tmp_path, monkeypatch):
    package = tmp_path / "gameplay"
    (package / "store").mkdir(parents=True)
    monkeypatch.setattr(kept, "__file__", str(package / "store" / "runs.py"))
    codes = set()
    for name in ("a.bin", "b.bin", "store/a.bin"):
        (package / name).write_bytes(b"1")
        codes.add(hash_code())
        (package / name).unlink()
    assert len(codes) == 3


def test_stored_game_round_trips(store):
    run = store.create(new(PLAN))
    job = job_of(3, 1)
    done = result_of(job, 0.5)
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


def test_totals_are_counted_by_hand(store):
    run = store.create(new(PLAN))
    store.record(run, stored_games(*schedule(10), (11, 0)))
    store.record(run, [to_store(job_of(12, 0), void_result(job_of(12, 0)))])
    wins, draws, losses, pairs = 0, 0, 0, [0] * 5
    for pair in range(10):
        points = [result_of(job_of(pair, leg)).points for leg in (0, 1)]
        pairs[int(2 * sum(points))] += 1
        wins, draws, losses = wins + points.count(1), draws + points.count(0.5), losses + points.count(0)
    last = result_of(job_of(11, 0)).points
    wins, draws, losses = wins + (last == 1), draws + (last == 0.5), losses + (last == 0)
    summary = summarize_run(store, run)
    assert summary.total_results("new") == [losses, draws, wins] and summary.total_results("old") == [
        wins,
        draws,
        losses,
    ]
    assert summary.complete_tally.pairs == summary.match_tally.pairs == pairs
    assert sum(pairs) == 10 and wins and draws and losses
    assert run_queries.count_states(store, run) == {COUNTED: 21, VOID: 1, AFTER_STOP: 0, QUARANTINED: 0}
    assert run_queries.count_terminations(store, run) == {"rules": 21}
    assert run_queries.game_lengths(store, run) == (2, 2, pytest.approx(10.5))
    assert [(t.pair, t.leg, t.fault) for t in run_queries.failed_games(store, run)] == [
        (12, 0, "the worker died")
    ]
    assert run_queries.count_repeats(store, run) == 0


def test_faults_and_claims_are_counted_separately(store):
    """A game that ended normally counts despite a program's claim; one that did not is a fault."""
    run, other = store.create(new(PLAN)), store.create(new(PLAN))

    def keep(pair, run=run, **facts):
        job = job_of(pair, 0)
        store.record(run, [to_store(job, msgspec.structs.replace(result_of(job), **facts))])

    keep(0)
    keep(1, fault="it said 1-0")
    keep(2, termination="crash", offender=1, fault="it died", moves_hash="")
    keep(3, termination="draw", fault="it said 0-1")
    keep(5, run=other, fault="elsewhere")
    store.record(run, [to_store(job_of(4, 0), void_result(job_of(4, 0)))])
    store.record(run, [to_store(job_of(6, 0), void_result(job_of(6, 0)), QUARANTINED)])
    results = [
        (game.pair, game.leg, game.attempt, game.state, game.termination)
        for game in run_queries.failed_games(store, run)
    ]
    assert results == [
        (2, 0, 1, COUNTED, "crash"), (4, 0, 1, VOID, VOID), (6, 0, 1, QUARANTINED, VOID),
    ]  # fmt: skip
    assert [(game.offender, game.fault) for game in run_queries.failed_games(store, run)] == [
        ("old", "it died"), ("", "the worker died"), ("", "the worker died"),
    ]  # fmt: skip
    assert [(game.pair, game.termination, game.fault) for game in run_queries.disputed_games(store, run)] == [
        (1, "rules", "it said 1-0"), (3, "draw", "it said 0-1"),
    ]  # fmt: skip
    assert run_queries.count_states(store, run) == {COUNTED: 4, VOID: 1, AFTER_STOP: 0, QUARANTINED: 1}
    assert list(run_queries.count_terminations(store, run).items()) == [
        ("rules", 2),
        ("crash", 1),
        ("draw", 1),
    ]
    assert [row[:3] for row in run_queries.results(store, run)] == [
        (pair, 0, ["new", "old"]) for pair in range(4)
    ]
    assert [row[3] for row in run_queries.results(store, run)] == [
        list(RESULTS[pair * 2 % 5 % 3]) for pair in range(4)
    ]
    empty = store.create(new(PLAN))
    assert (
        run_queries.game_lengths(store, empty) == (0, 0, 0)
        and run_queries.count_terminations(store, empty) == {}
    )
    assert (
        run_queries.count_states(store, empty) == dict.fromkeys(run_queries.STATES, 0)
        and run_queries.count_repeats(store, empty) == 0
    )


def test_games_that_repeat_others_are_counted(store):
    """Move for move, with the same players in the same seats; a game without moves repeats nothing."""
    run = store.create(new(PLAN))
    trails = {(0, 0): "a", (0, 1): "a", (1, 0): "a", (2, 0): "a", (3, 0): "b", (4, 0): "", (5, 0): ""}
    for (pair, leg), trail in trails.items():
        job = job_of(pair, leg)
        store.record(run, [to_store(job, msgspec.structs.replace(result_of(job), moves_hash=trail))])
    assert run_queries.count_repeats(store, run) == 2


def test_only_the_row_of_complete_pairs_is_judged(store):
    run = store.create(new(PLAN))
    store.record(run, stored_games((0, 0), (0, 1), (1, 0), (2, 0), (2, 1)))
    assert sum(summarize_run(store, run).match_tally.pairs) == 2
    assert sum(summarize_run(store, run).complete_tally.pairs) == 1


def test_games_after_the_stop_count_once_the_run_resumes(store):
    run = store.create(new(PLAN))
    store.record(run, stored_games(*schedule(4)))
    store.set_state(run, FINISHED, "H1 accepted", after=1)
    assert run_queries.count_states(store, run)[AFTER_STOP] == 4
    assert [game.pair for game in store.games(run, COUNTED)] == [0, 0, 1, 1]
    assert (store.run(run).state, store.run(run).verdict) == (FINISHED, "H1 accepted")
    assert missing_games(store, run, schedule(4)) == []
    store.set_state(run, OPEN)
    assert run_queries.count_states(store, run)[COUNTED] == 8


# -- trouble ------------------------------------------------------------------------------------


def test_a_full_disk_keeps_all_of_a_batch_or_nothing(store, tmp_path):
    run = store.create(new(PLAN))
    store.record(run, stored_games((0, 0)))
    pages = store.query("PRAGMA page_count")[0][0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 1}")
    batch = stored_games(*schedule(20)[1:])
    with pytest.raises(TryLater, match=r"runs\.db: the disk is full"):
        store.record(run, batch)
    assert [game.place for game in store.games(run)] == [(0, 0, 1)]
    saved = tmp_path / "saved.jsonl"
    run_export.write_unsaved(store.run(run), batch, saved)
    store._db.execute("PRAGMA max_page_count = 100000")
    lines, torn = jsonl.complete_lines(saved.read_bytes())
    assert not torn
    assert run_export.import_run(store, lines, "saved") == run_export.Imported(run, 39, 39)
    assert missing_games(store, run, schedule()) == []
    assert run_export.import_run(store, lines, "saved") == run_export.Imported(run, 39, 0)


def test_read_only_folder_is_reported(store, monkeypatch):
    run = store.create(new(PLAN))
    store._db.execute("PRAGMA query_only = 1")
    with pytest.raises(TryLater, match="not writable"):
        store.record(run, stored_games((0, 0)))
    store.close()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Store(store.path) as seen:
        assert seen.run(run).id == run and not seen.writable
        with pytest.raises(BadInput, match="not writable"):
            seen.request_stop(run)


@contextmanager
def powerless():
    """Act as a user without permission to write root's files; no effect for other users."""
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
    """A folder readable by all users. `lock(folder)` makes it and its contents read-only."""
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
        store.record(run, stored_games((0, 0), (0, 1)))
    if wal:
        (drive / "runs.db-wal").write_bytes(b"")
    before = sorted(drive.iterdir())
    lock(drive)
    with powerless():
        with Store(drive / "runs.db", make=False) as seen:
            assert not seen.writable
            assert len(list(seen.games(run))) == 2
            with pytest.raises(BadInput, match=r"runs\.db: not writable: .* a read-only drive; choose"):
                seen.create(new(PLAN))
        with pytest.raises(BadInput):
            Store(drive / "other.db")
    assert sorted(drive.iterdir()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize("tails", [("", "-wal", "-shm"), ("", "-wal")])
def test_reader_sees_a_consistent_store_during_writes(drive, tmp_path, tails):
    """Entries in the log are read if the shared memory exists; otherwise the store is refused."""
    with Store(tmp_path / "runs.db") as store:
        run = store.create(new(PLAN))
        store.record(run, stored_games((0, 0)))
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.record(run, stored_games((0, 1)))
        assert (tmp_path / "runs.db-wal").stat().st_size
        for tail in tails:
            shutil.copyfile(tmp_path / f"runs.db{tail}", drive / f"runs.db{tail}")
    lock(drive)
    with powerless():
        if "-shm" in tails:
            with Store(drive / "runs.db", make=False) as seen:
                assert not seen.writable and len(list(seen.games(run))) == 2
        else:
            with pytest.raises(BadInput, match=r"runs\.db: the file cannot be opened; choose another"):
                Store(drive / "runs.db", make=False)


# -- earlier versions ---------------------------------------------------------------------------


def test_a_writer_that_does_not_end(store):
    run = store.create(new(PLAN))
    with Store(store.path) as other, other.transaction():
        store._db.execute("PRAGMA busy_timeout = 10")
        with pytest.raises(TryLater, match="another process has held the write lock"):
            store.record(run, stored_games((0, 0)))
    assert store.record(run, stored_games((0, 0))) == 1


def test_modes_of_the_file(tmp_path, monkeypatch):
    with Store(tmp_path / "a.db") as store:
        assert store.query("PRAGMA journal_mode") == [("wal",)]
        assert store.query("PRAGMA synchronous") == [(2,)], "full"
    monkeypatch.setattr(database, "_is_on_network_drive", lambda path: True)
    with Store(tmp_path / "a.db", synchronous="NORMAL") as store:
        assert store.query("PRAGMA journal_mode") == [("delete",)]
        assert store.query("PRAGMA synchronous") == [(2,)], "full"
        run = store.create(new(PLAN))
        assert store.record(run, stored_games((0, 0))) == 1


def test_changed_row_is_reported(store):
    run = store.create(new(PLAN))
    store.record(run, stored_games((0, 0), (0, 1)))
    store._db.execute("UPDATE game SET payoffs = '[1.0,-1.0]' WHERE leg = 1")
    with pytest.raises(BadInput, match="pair 0, leg 1, attempt 1 was modified"):
        list(store.games(run))


def test_a_damaged_file_is_refused_and_the_rest_of_it_saved(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, stored_games(*schedule(100)))
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
        games = list(run_export.undamaged_games(store, store.run(run)))
    assert 100 < len(games) < 200
    for game in games:
        assert game.read() == result_of(job_of(*game.place)).record


def test_undamaged_file_is_salvaged_completely(tmp_path, monkeypatch):
    """Every row up to the last one, by position; if the last is unknown, as many as there is room for."""
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        games = stored_games((2, 0), (0, 1), (0, 0), (1, 1))
        store.record(run, games)
        other = store.create(new(PLAN))
        store.record(other, stored_games((5, 0)))
    with Store(path, repair=True) as store:
        assert store._max_row("game") == 5
        results = list(run_export.undamaged_games(store, store.run(run)))
        assert [game.place for game in results] == sorted(game.place for game in games)
        assert [game.place for game in run_export.undamaged_games(store, store.run(other))] == [(5, 0, 1)]

        def fails(query, kind):
            raise BadInput("damaged")

        monkeypatch.setattr(store, "query", fails)
        assert store._max_row("game") == path.stat().st_size // 50 + 10


def test_games_that_are_saved_lie_on_the_disk(store, tmp_path, monkeypatch):
    run = store.run(store.create(new(PLAN)))
    games = stored_games((0, 0), (0, 1))
    text = jsonl.encode_line(run_export.header(run)) + b"".join(map(jsonl.encode_line, games))
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    run_export.write_unsaved(run, games, tmp_path / "saved.jsonl")
    assert (tmp_path / "saved.jsonl").read_bytes() == text and synced == [len(text)]


def test_a_file_that_was_cut_short(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, stored_games(*schedule(100)))
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)
    with pytest.raises(BadInput, match="is damaged"):
        Store(path)
    with Store(path, repair=True) as store:
        assert len(list(run_export.undamaged_games(store, store.run(run)))) > 50


def test_sqlite_errors_are_translated(store):
    """The lowest byte of the code is the error; the other bytes are the operation."""
    words = {
        "SQLITE_FULL": "the disk is full",
        "SQLITE_READONLY": "not writable: no permission, or a read-only drive",
        "SQLITE_BUSY": "another process has held the write lock for more than 10 seconds",
        "SQLITE_LOCKED": "locked by another process",
        "SQLITE_CANTOPEN": "the file cannot be opened",
        "SQLITE_IOERR": "the drive reports an error",
        "SQLITE_PERM": "no permission",
    }
    for name, message in words.items():
        for more in (0, 1 << 8, 7 << 8):
            error = sqlite3.OperationalError("x")
            error.sqlite_errorcode = getattr(sqlite3, name) | more
            with pytest.raises(TryLater) as refused, store._translate_errors():
                raise error
            assert str(refused.value) == f"{store.path}: {message}"
        permanent = name in ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
        with pytest.raises(BadInput if permanent else TryLater), store._translate_errors(opening=True):
            raise error
    rescue = "save what can be read: gameplay run export RUN --repair --store FILE"
    for name, message in (
        ("SQLITE_CORRUPT", f"is damaged (x); {rescue}"),
        ("SQLITE_NOTADB", "is not a store of runs: it is not an SQLite file"),
    ):
        error = sqlite3.DatabaseError("x")
        error.sqlite_errorcode = getattr(sqlite3, name)
        with pytest.raises(BadInput) as refused, store._translate_errors():
            raise error
        assert str(refused.value) == f"{store.path} {message}"
    for error in (sqlite3.IntegrityError("x"), sqlite3.ProgrammingError("y"), KeyError("z")):
        with pytest.raises(type(error)) as passed, store._translate_errors():
            raise error
        assert passed.value is error


def test_failed_transaction_is_rolled_back(store):
    run = store.create(new(PLAN))
    for error in (KeyboardInterrupt(), KeyError("x")):
        with pytest.raises(type(error)), store.transaction():
            store.insert_games(run, stored_games((0, 0)))
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
    for step in ("_check_owner", "_set_durability", "_migrate", "_check_integrity"):

        def fails(*_):
            raise BadInput("no")

        with monkeypatch.context() as patch:
            patch.setattr(Store, step, fails)
            with pytest.raises(BadInput, match=r"^no$"):
                Store(tmp_path / "a.db")
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            opened[-1].execute("SELECT 1")


def test_a_damaged_file_is_copied_with_its_log_and_its_length(tmp_path, monkeypatch):
    """Page size and number of pages are at 16 and 28 of the header (SQLite, file format, 1.3)."""
    path = tmp_path / "a.db"
    head = bytearray(100)
    head[16:18], head[28:32] = (512).to_bytes(2, "big"), (3).to_bytes(4, "big")
    path.write_bytes(head)
    (tmp_path / "a.db-wal").write_bytes(b"log")
    with database._copy_damaged(path) as folder:
        copy = Path(folder) / "copy.db"
        assert copy.read_bytes() == bytes(head) + bytes(3 * 512 - 100)
        assert copy.with_name("copy.db-wal").read_bytes() == b"log" and len(os.listdir(folder)) == 2
    assert path.stat().st_size == 100 and not Path(folder).exists()
    for size, most, length in ((3 * 512, 1 << 36, 3 * 512), (5000, 1 << 36, 5000), (100, 3 * 512, 100)):
        path.write_bytes(bytes(head) + bytes(size - 100))
        monkeypatch.setattr(database, "MAX_SIZE", most)
        with database._copy_damaged(path) as folder:
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
    with pytest.raises(BadInput, match="belongs to another program"):
        Store(theirs)
    assert theirs.read_bytes() == before


# -- any sequence of all that -------------------------------------------------------------------


def test_a_file_cut_in_its_first_line_is_reported_as_cut(carried, tmp_path, capsys):
    from gameplay.cli import router, run

    file = tmp_path / "cut.jsonl"
    file.write_bytes(carried[1][:200])
    assert run(router, "gameplay", ["import", str(file)]) == 6
    message = f"gameplay: {file} was cut off in its first line, which describes the run\n"
    assert capsys.readouterr().err == message
