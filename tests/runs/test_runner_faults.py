"""The runner: void games, lost workers, full disks, players that fail."""

import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from gameplay.errors import BadInput, Fault, TryLater
from gameplay.kernel import compiled
from gameplay.runs import job as single
from gameplay.runs import planning, stored
from gameplay.runs import runner as running
from gameplay.runs.job import VOID, Job, Seat, is_timed, play, void_result
from gameplay.runs.played import to_store
from gameplay.runs.runner import Runner
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import BatchResult, Local
from gameplay.store import run_export
from gameplay.store import runs as kept
from gameplay.store.runs import FAILED, FINISHED, STOPPED, Store
from tests.support.paths import TESTS
from tests.support.runner import GAMES, LocalPool, Memory, export_run, play_stored, run, small_plan, sprt_plan

pytestmark = pytest.mark.once

MOCK = f"ugi:{sys.executable} -I -S {TESTS / 'support' / 'mock_engine.py'}"
TROUBLED = """        self.turn = 1 - self.turn
        if self.sticks < 8 and multiprocessing.parent_process() is not None:
            TROUBLE
"""
PLAIN = (GAMES / "sticks.py").read_text()
STICKS = PLAIN.replace("        self.turn = 1 - self.turn\n", TROUBLED)
STICKS = STICKS.replace("from gameplay", "import ctypes, multiprocessing, os, signal, time\nfrom gameplay", 1)


def sticks(tmp_path, trouble):
    file = tmp_path / "sticks.py"
    file.write_text(STICKS.replace("TROUBLE", trouble))
    return str(file)


@pytest.fixture
def singly(monkeypatch):
    """Play games singly, without batches."""
    monkeypatch.setattr(running, "BATCH_BELOW", 0)


# -- trouble ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"sprt": {"elo0": 0, "elo1": 10}}])
def test_games_count_for_the_first_player_whichever_seat_they_had(options):
    """A first player who wins, loses or draws with either seat has 1 and 0, 0 and 0, 1/2 and 1/2 points."""
    standing = Standing(Schedule(small_plan(**options)))
    games = [(1, -1), (1, -1), (-1, 1), (1, -1), (0, 0), (0, 0)]
    for number, payoffs in enumerate(games):
        standing.add(number // 2, number % 2, payoffs)
    assert standing.results == {0: (1.0, 1.0), 1: (0.0, 2.0), 2: (1.0, 1.0)}
    assert (standing.tally.games, standing.tally.pairs) == ([3, 2, 1], [1, 0, 2, 0, 0])
    assert standing.complete_tally.games == ([3, 2, 1] if options else [0, 0, 0])


def test_a_void_game_is_played_again(singly):
    died = []

    def once(jobs):
        if (jobs[0].pair, jobs[0].leg) == (2, 1) and not died:
            died.append(jobs)
            return BatchResult(jobs, died="the worker process ended by signal 9")
        return None

    reason, _, memory = run(small_plan(), LocalPool(2, trouble=once))
    assert reason == running.COMPLETE
    void, again = ((job, done) for job, done, _ in memory.games if (job.pair, job.leg) == (2, 1))
    assert (void[0].attempt, void[1].termination, void[1].points) == (1, VOID, None)
    assert "signal 9" in void[1].fault
    assert again[0].attempt == 2 and again[1].counts
    assert memory.counted_games == run(small_plan(), LocalPool())[2].counted_games


def test_three_void_games_are_given_up_and_the_others_are_played(singly):
    def always(jobs):
        return BatchResult(jobs, died="killed") if (jobs[0].pair, jobs[0].leg) == (1, 0) else None

    reason, runner, memory = run(small_plan(), LocalPool(2, trouble=always))
    assert reason == running.INCOMPLETE and runner.quarantined == 1
    states = [state for job, _, state in memory.games if (job.pair, job.leg) == (1, 0)]
    assert states == [None, None, "quarantined"]
    assert len(memory.counted_games) == 11


def test_a_lost_batch_is_played_game_by_game():
    seen = []

    def lose(jobs):
        seen.append([job.number for job in jobs])
        return BatchResult(jobs, lost=True) if len(jobs) > 1 and len(seen) < 12 else None

    reason, _, memory = run(small_plan(100, ("random", "random")), LocalPool(2, trouble=lose))
    assert reason == running.COMPLETE and len(memory.counted_games) == 100
    assert any(len(batch) > 1 for batch in seen)
    assert all(job.attempt == 1 for job, _, _ in memory.games), "nobody knows whose fault it was"


def test_a_killed_worker_costs_nothing(tmp_path):
    nodes = 500 if compiled() else 60
    plan = planning.build("connect4", ["iterative", "alphabeta"], nodes=nodes, games=40)
    pool = Local(2)
    victims = iter([3, 15])
    due = [next(victims)]

    class Killer(Memory):
        def games_stored(self, played, standing):
            if due[0] and standing.games >= due[0]:
                due[0] = next(victims, 0)
                os.kill(random.choice(pool.pids), signal.SIGKILL)

    with Store(tmp_path / "runs.db") as store:
        run = store.run(stored.begin(store, Schedule(plan)))
        with stored.lock_run(store, run):
            runner = stored.play(store, run, Schedule(plan), pool, Killer())
        assert runner.reason == running.COMPLETE and due == [0]
        assert export_run(store, run.id) == play_stored(tmp_path, plan, LocalPool(), "other.db")[1]
    assert multiprocessing.active_children() == []


def test_a_worker_that_always_dies(tmp_path):
    plan = planning.build(sticks(tmp_path, "ctypes.CDLL(None)._exit(9)"), ["random", "random"], games=4)
    reason, runner, memory = run(plan, Local(2))
    assert (reason, runner.quarantined) == (running.INCOMPLETE, 4)
    assert all(done.fault == "the worker process ended with status 9" for _, done, _ in memory.games)
    assert multiprocessing.active_children() == []


def test_a_worker_that_hangs_is_killed(tmp_path):
    trouble = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]); time.sleep(1000)"
    seated = (Seat("random", "a", 1), Seat("random", "b", 2))
    job = Job(0, 0, 1, sticks(tmp_path, trouble), seated, 1, deadline=1.0)
    pool = Local(1)
    pool.submit([job])
    results = []
    while not results:
        results = pool.wait(0.1)
    assert "the worker hung" in results[0].died
    assert pool.free == 1
    pool.close()
    assert multiprocessing.active_children() == []


def test_the_game_itself_failing_ends_the_run(tmp_path):
    plan = planning.build(sticks(tmp_path, "self.nothing"), ["random", "random"], games=4)
    with pytest.raises(
        Fault, match=r"^game \d: sticks: make\(\d\) raised AttributeError.*sticks.py, line 22"
    ):
        run(plan, Local(2))
    assert multiprocessing.active_children() == []


def test_a_game_that_fails_in_a_search_is_not_the_players_fault(tmp_path):
    plan = planning.build(sticks(tmp_path, "self.nothing"), ["alphabeta:depth=9", "random"], games=2)
    with pytest.raises(Fault, match="AttributeError"):
        run(plan, Local(1))


def test_a_game_without_end_is_a_fault(tmp_path, monkeypatch):
    file = tmp_path / "endless.py"
    file.write_text(
        "from gameplay import Position, undoable\n\n\nclass Endless(Position):\n    def moves(self):\n"
        "        return [0, 1]\n\n    @undoable\n    def make(self, move):\n"
        "        self.turn = 1 - self.turn\n\n"
        "    def outcome(self):\n        return None\n"
    )
    monkeypatch.setattr("gameplay.runs.job.MAX_PLIES", 100)
    with pytest.raises(Fault, match="endless has not ended after 100 plies"):
        play(Job(0, 0, 1, str(file), (Seat("random", "a", 1), Seat("random", "b", 2)), 1))


def test_a_full_disk_stops_new_games_and_is_tried_again():
    memory = Memory(fail=3)
    pool = LocalPool(2)
    reason, _, _ = run(small_plan(), pool, memory)
    assert reason == running.COMPLETE and len(memory.counted_games) == 12
    assert "the disk is full; no new games" in memory.messages[0]
    assert memory.messages[1] == "games can be stored again"
    assert pool.closed


def test_a_disk_that_stays_full_loses_nothing(monkeypatch):
    monkeypatch.setattr(running, "COMMIT_INTERVAL", 0.001)
    memory = Memory(fail=1000)
    schedule = Schedule(small_plan())
    runner = Runner(schedule, Standing(schedule), LocalPool(2), memory, memory)
    with pytest.raises(TryLater, match=r"the disk is full; \d+ finished games are elsewhere"):
        runner.run()
    assert memory.rescued and not memory.counted_games
    assert runner.standing.games == 0, "what is not kept does not count"


def test_a_damaged_store_is_not_tried_again():
    class Damaged(Memory):
        def keep(self, played, state=None):
            raise BadInput("the store is damaged")

    memory = Damaged()
    with pytest.raises(BadInput, match="the store is damaged; 1 finished games are elsewhere"):
        run(small_plan(), LocalPool(), memory)
    assert len(memory.rescued) == 1


def test_games_after_the_stop_are_rescued_as_such(tmp_path):
    class Full(Memory):
        def keep(self, played, state=None):
            if state is not None:
                raise BadInput("the store is damaged")
            super().keep(played, state)

        def emergency(self, played):
            games = [to_store(*result, state) for state, some in played for result in some]
            run_export.write_unsaved(stored_run, games, tmp_path / "rescued.jsonl")
            return super().emergency(played)

    with Store(tmp_path / "runs.db") as store:
        stored_run = store.run(stored.begin(store, Schedule(sprt_plan())))
        memory = Full()
        with pytest.raises(BadInput, match="are elsewhere"):
            run(sprt_plan(), LocalPool(7, random.Random(4)), memory)
        states = {state for *_, state in memory.rescued}
        assert running.AFTER_STOP in states
        file = (tmp_path / "rescued.jsonl").read_bytes().splitlines(keepends=True)
        run_export.import_run(store, file, "rescued")
        after = {(game.pair, game.leg) for game in store.games(stored_run.id, "after_stop")}
    assert after == {(job.pair, job.leg) for job, _, state in memory.rescued if state == running.AFTER_STOP}


def test_no_process_left_ends_the_run_and_keeps_what_is_finished(singly):
    class Exhausted(LocalPool):
        def submit(self, jobs):
            if jobs[0].pair == 3:
                raise BlockingIOError(11, "Resource temporarily unavailable")
            super().submit(jobs)

    memory = Memory()
    with pytest.raises(TryLater, match="no process can be started: Resource temporarily unavailable"):
        run(small_plan(40), Exhausted(2), memory)
    assert set(memory.counted_games) == {(pair, leg) for pair in range(3) for leg in (0, 1)}


def test_games_are_written_to_a_file_if_the_store_is_full(tmp_path, monkeypatch, home):
    monkeypatch.setattr(running, "COMMIT_INTERVAL", 0.001)
    plan = small_plan()
    with Store(tmp_path / "runs.db") as store:
        run = store.run(stored.begin(store, Schedule(plan)))
        with stored.lock_run(store, run):

            def full(*_):
                raise TryLater("the disk is full")

            monkeypatch.setattr(store, "record", full)
            with pytest.raises(TryLater, match="gameplay run import"):
                stored.play(store, run, Schedule(plan), LocalPool(), Memory())
            monkeypatch.undo()
        [file] = home.glob("*.jsonl")
        brought = run_export.import_run(store, file.read_bytes().splitlines(keepends=True), str(file))
        assert brought.new == brought.games > 0
        with stored.lock_run(store, run):
            stored.play(store, run, Schedule(plan), LocalPool(), Memory())
        assert export_run(store, run.id) == play_stored(tmp_path, plan, LocalPool(), "other.db")[1]


def test_stop_on_request_and_resume(tmp_path, singly):
    plan = small_plan(40)
    whole = play_stored(tmp_path, plan, LocalPool(), "whole.db")[1]
    with Store(tmp_path / "runs.db") as store:
        run = store.run(stored.begin(store, Schedule(plan)))
        store.lock(run.id)
        requests = []

        class Asker(Memory):
            def games_stored(self, played, standing):
                if not requests:
                    store.request_stop(run.id)
                requests.append(1)
                time.sleep(running.STOP_POLL)

        runner = stored.play(store, run, Schedule(plan), LocalPool(), Asker())
        assert runner.reason == running.STOPPED and store.run(run.id).state == STOPPED
        assert 0 < stored.count_games(store, run) < 40
        runner = stored.play(store, run, stored.resume(store.run(run.id)), LocalPool(), Memory())
        assert runner.reason == running.COMPLETE
        assert export_run(store, run.id) == whole


def test_resume_counts_the_void_attempts_of_before(tmp_path, singly):
    """Two attempts were void before the run was stopped: one remains, the last."""
    plan = small_plan()
    whole = play_stored(tmp_path, plan, LocalPool(), "whole.db")[1]

    def store_run(name):
        store = Store(tmp_path / name)
        stored_run = store.run(stored.begin(store, Schedule(plan)))
        schedule = Schedule(plan)
        for attempt in (1, 2):
            job = schedule.job(schedule.pairs({})[1], 0, attempt)
            store.record(stored_run.id, [to_store(job, void_result(job, "killed"))])
        store.lock(stored_run.id)
        return store, stored_run

    def always(jobs):
        played.extend((job.pair, job.leg, job.attempt) for job in jobs)
        return BatchResult(jobs, died="killed") if (jobs[0].pair, jobs[0].leg) == (1, 0) else None

    played = []
    store, open_run = store_run("dies.db")
    with store:
        runner = stored.play(store, open_run, stored.resume(open_run), LocalPool(trouble=always), Memory())
        assert runner.reason == running.INCOMPLETE and runner.quarantined == 1
        assert [place for place in played if place[:2] == (1, 0)] == [(1, 0, 3)]
        assert [game.state for game in store.games(open_run.id) if (game.pair, game.leg) == (1, 0)] == [
            *["void"] * 2, "quarantined"
        ]  # fmt: skip
        played.clear()
        runner = stored.play(store, open_run, stored.resume(open_run), LocalPool(trouble=always), Memory())
        assert played == [], "what was given up stays given up"
        assert runner.reason == running.INCOMPLETE and runner.quarantined == 1
    store, open_run = store_run("lives.db")
    with store:
        runner = stored.play(store, open_run, stored.resume(open_run), LocalPool(), Memory())
        assert runner.reason == running.COMPLETE and runner.quarantined == 0
        attempts = [game.attempt for game in store.games(open_run.id) if (game.pair, game.leg) == (1, 0)]
        assert attempts == [1, 2, 3]
        assert export_run(store, open_run.id) == whole


def test_run_resumes_only_with_an_unchanged_plan(tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("a1\nb2\n")
    with Store(tmp_path / "runs.db") as store:
        plan = small_plan(4, openings={"file": str(book)})
        run = store.run(stored.begin(store, Schedule(plan)))
        book.write_text("a1\nb1\n")
        with pytest.raises(BadInput, match=r"cannot be resumed: the openings' file"):
            stored.resume(run)
        book.write_text("a1\nb2\n")
        stored.resume(run)
        run.code = "0.0.1 abc"
        with pytest.raises(BadInput, match=r"code: 0.0.1 abc before"):
            stored.resume(run)


def test_a_run_does_not_go_on_with_other_weights(tmp_path, monkeypatch):
    package = tmp_path / "gameplay"
    ours = Path(kept.__file__).parents[1]
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    monkeypatch.setattr(kept, "__file__", str(package / "store" / "runs.py"))
    with Store(tmp_path / "runs.db") as store:
        run = store.run(stored.begin(store, Schedule(small_plan(4))))
        stored.resume(run)
        for weights in [*package.glob("games/*/*.bin"), *package.glob("games/*/weights.toml")]:
            text = weights.read_bytes()
            weights.write_bytes(bytes([text[0] ^ 1]) + text[1:])
            kept.code_version.cache_clear()
            with pytest.raises(BadInput, match=r"cannot be resumed: code: .* before, .* now\."):
                stored.resume(run)
            weights.write_bytes(text)
        kept.code_version.cache_clear()
        stored.resume(run)


# -- players that fail --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "termination"),
    [
        ("exit@ply:2", "crash"),
        ("segv@ply:2", "crash"),
        ("hang@ply:2,timeout=1", "hang"),  # its first move must come in time
        ("illegal@ply:2", "illegal_move"),
        ("malformed@ply:2", "illegal_move"),
        ("flood@ply:2", "protocol_error"),
        ("nostdout@ply:2", "crash"),
    ],
)
def test_failing_player_loses(tmp_path, fault, termination):
    player = f"bad={MOCK} --fault {fault}"
    plan = small_plan(2, (player, "good=random"), openings={"plies": 0})
    reason, _, memory = run(plan, LocalPool())
    assert reason == running.COMPLETE
    bad = [done for job, done, _ in memory.games if job.first == 0]
    assert [(done.termination, done.points, done.offender) for done in bad] == [(termination, 0.0, 0)]
    assert bad[0].fault
    assert len(bad[0].record.moves) == 2 and bad[0].record.result == [-1, 1]


def test_a_clock_that_runs_out_is_a_loss():
    player = f"late={MOCK} --fault slow@ply:2"  # moves only when it is stopped
    plan = small_plan(2, (player, "good=random"), openings={"plies": 0}, clock="1/move", margin=0.02)
    _, _, memory = run(plan, LocalPool())
    late = next(done for job, done, _ in memory.games if job.first == 0)
    assert (late.termination, late.points, late.offender) == ("time_forfeit", 0.0, 0)


def test_too_many_faults_end_the_run(tmp_path):
    player = f"bad={MOCK} --fault exit@ply:2 --fault exit@ply:3"
    plan = small_plan(40, (player, "good=random"), openings={"plies": 0, "reuse": True}, faults=3)
    runner, _, run = play_stored(tmp_path, plan, LocalPool())
    assert runner.reason == running.FAILED
    assert runner.message.startswith("bad failed 3 times, the last time: ")
    assert run.state == FAILED and not runner.is_complete
    assert runner.standing.games < 40


def test_too_many_faults_in_the_last_games_complete_the_run(tmp_path):
    player = f"bad={MOCK} --fault exit@ply:1"  # in every second game, the last among them
    plan = small_plan(6, (player, "good=random"), openings={"plies": 0, "reuse": True}, faults=3)
    runner, _, run = play_stored(tmp_path, plan, LocalPool())
    assert (runner.reason, runner.standing.games) == (running.FAILED, 6)
    assert runner.is_complete and run.state == FINISHED


@pytest.mark.parametrize("strict", [False, True])
def test_wrong_claims_of_a_program_are_stored_with_the_game(strict):
    player = f"bad={MOCK} --fault claim@ply:2"
    opponents = (player, "good=alphabeta:depth=9")
    plan = small_plan(2, opponents, openings={"plies": 0}, strict=strict)
    reason, runner, memory = run(plan, LocalPool())
    done = memory.games[0][1]  # the mock moves first, and does not win
    assert (done.termination, done.offender) == ("rules", 0) and done.points < 1
    assert "claims that the result is 'p1win', and by the rules" in done.claim
    assert reason == (running.FAILED if strict else running.COMPLETE)
    assert runner.message == (f"bad: {done.claim}" if strict else "")
    if not strict:
        assert memory.games[1][1].claim == "", "there the first player has won"


def test_player_that_does_not_start_is_reported_before_the_first_game(tmp_path, monkeypatch):
    monkeypatch.setattr("gameplay.players.process.START_UP", 0.3)
    with Store(tmp_path / "runs.db") as store:
        with pytest.raises(Fault):
            stored.begin(store, Schedule(small_plan(2, (f"{MOCK} --fault mute@ply:0", "random"))))
        with pytest.raises(BadInput, match=r"nowhere: No such file"):
            stored.begin(store, Schedule(small_plan(2, (f"ugi:{tmp_path}/nowhere", "random"))))
        assert store.runs() == []


def test_player_failing_to_restart_is_void_once():
    seated = (Seat(f"{MOCK} --fault dienew@ply:0", "bad", 0), Seat("random", "good", 1))
    first = play(Job(0, 0, 1, "tictactoe", seated, 0))
    second = play(Job(0, 0, 2, "tictactoe", seated, 0))
    assert (second.termination, second.offender, second.points) == ("crash", 0, 0.0)
    assert first.termination in (VOID, "crash")


@pytest.mark.parametrize(
    ("fault", "clock", "ends", "starts"),
    [
        ("", "", "rules", 1),  # one program plays both games
        (" --fault illegal@ply:2", "", "illegal_move", 2),  # who knows what it believes now
        (" --fault late@ply:2", "0.1/move", "time_forfeit", 2),
    ],
)
def test_program_is_reused_only_after_a_clean_game(monkeypatch, fault, clock, ends, starts):
    begun = []
    player = single.seats.player
    monkeypatch.setattr(
        single.seats, "player", lambda spec, *given: begun.append(spec) or player(spec, *given)
    )
    mock = f"{MOCK}{fault} --mark {starts}{ends}"
    seated = (Seat(mock, "program", 0, clock=clock), Seat("random", "good", 1))
    try:
        for pair in range(2):
            done = play(Job(pair, 0, 1, "tictactoe", seated, pair, margin=0.02))
            assert done.termination == ends
    finally:
        single.close()
    assert begun.count(mock) == starts


def test_sleep_voids_a_game_with_clocks(monkeypatch):
    slept = iter([0.0, 3600.0])
    monkeypatch.setattr("gameplay.runs.job._suspended_seconds", lambda: next(slept))
    seated = (Seat("random", "a", 1, clock="10"), Seat("random", "b", 2, clock="10"))
    done = play(Job(0, 0, 1, "tictactoe", seated, 0))
    assert (done.termination, done.points) == (VOID, None)
    assert "slept for 3600 s" in done.fault


def test_time_losses_are_recorded():
    def job(*players, **options):
        return Job(0, 0, 1, "tictactoe", tuple(Seat(p, p, 0, **options) for p in players), 0)

    assert is_timed(job("alphabeta:time=1", "random"))
    assert is_timed(job("random", "iterative")), "its default limit is time"
    assert is_timed(job("random", "alphabeta:nodes=10", clock="10"))
    assert not is_timed(job("alphabeta:nodes=100", "random"))
