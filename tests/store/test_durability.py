"""No acknowledged game is lost or counted twice: kill -9, and random sequences of operations."""

import itertools
import random
import signal
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gameplay.runs.played import to_store
from gameplay.runs.stored import new
from gameplay.store import run_export
from gameplay.store.jsonl import AFTER_STOP, COUNTED, QUARANTINED, VOID
from gameplay.store.runs import FINISHED, OPEN, Store
from tests.support.run_store import (
    PLAN,
    export_run,
    job_of,
    missing_games,
    result_of,
    schedule,
    start_child,
    stored_games,
    summarize_run,
    void_result,
)

pytestmark = pytest.mark.once


# -- kill -9 ------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is of Unix")
def test_no_acknowledged_game_is_lost_by_kill_9(tmp_path):
    path, pairs = tmp_path / "runs.db", 20_000
    with Store(path) as store:
        run = store.create(new(PLAN))
    acknowledged: set[str] = set()
    draw = random.Random(9)
    kills = 0
    while kills < 5 or len(acknowledged) <= 10:  # a busy machine may take longer for the first game
        kills += 1
        process = start_child(path, run, pairs)
        time.sleep(draw.uniform(0.002, 0.15))
        process.kill()
        output, _ = process.communicate()
        acknowledged |= set(output.decode().rpartition("\n")[0].split())
        with Store(path) as store:
            kept = {f"{game.pair}.{game.leg}" for game in store.games(run, COUNTED)}
            assert acknowledged <= kept
            assert store.lock_owner(run) is None
    count = max(int(place.partition(".")[0]) for place in kept) + 5
    process = start_child(path, run, count)
    process.communicate()
    assert process.returncode == 0
    with Store(path) as store, Store(tmp_path / "whole.db", synchronous="NORMAL") as whole:
        other = whole.create(new(PLAN))
        jobs = itertools.starmap(job_of, schedule(count))
        whole.record(other, [to_store(job, result_of(job)) for job in jobs])
        assert export_run(store, run, bare=True) == export_run(whole, other, bare=True)


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
        return missing_games(self.store, self.run, schedule(PAIRS))

    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        due = self.missing()
        some = data.draw(st.lists(st.sampled_from(due), unique=True, max_size=5)) if due else []
        assert self.store.record(self.run, stored_games(*some)) == len(some)
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
        assert (
            self.store.record(self.run, [to_store(job, void_result(job), QUARANTINED if last else None)]) == 1
        )
        self.attempts[place[:2]] = place[2]
        if last:
            self.settled[place[:2]] = QUARANTINED

    @rule(data=st.data())
    def hand_in_late(self, data: st.DataObject) -> None:
        """Deliver a game again, from a worker that was abandoned: it changes nothing."""
        places = [place for place in self.settled if self.settled[place] != QUARANTINED]
        if places:
            pair, leg = data.draw(st.sampled_from(places))
            late = data.draw(st.sampled_from([self.attempts[pair, leg], self.attempts[pair, leg] + 1]))
            assert self.store.record(self.run, stored_games((pair, leg, late))) == 0

    @rule()
    def kill(self) -> None:
        self.store._db.close()
        self.store = self.open()
        self.store.lock(self.run)

    @rule()
    def kill_inside_a_commit(self) -> None:
        due = self.missing()
        self.store._db.execute("BEGIN IMMEDIATE")
        self.store.insert_games(self.run, stored_games(*due[:3]))
        self.kill()

    @rule(after=st.integers(0, PAIRS))
    def decide(self, after: int) -> None:
        self.store.set_state(self.run, FINISHED, "decided", after)
        for place, state in self.settled.items():
            if state == COUNTED and place[0] > after:
                self.settled[place] = AFTER_STOP

    @rule()
    def resume(self) -> None:
        self.store.set_state(self.run, OPEN)
        for place, state in self.settled.items():
            if state == AFTER_STOP:
                self.settled[place] = COUNTED

    @rule()
    def carry_over(self) -> None:
        text = export_run(self.store, self.run)
        self.store.close()
        self.path = self.path.with_name(self.path.name + "x")
        self.store = self.open()
        run_export.import_run(self.store, text.splitlines(keepends=True), "x")
        assert export_run(self.store, self.run) == text
        self.store.lock(self.run)

    @precondition(lambda self: self.settled)
    @rule()
    def equals_a_run_without_trouble(self) -> None:
        with Store(self.path.with_name("whole.db"), synchronous="OFF") as whole:
            run = whole.create(new(PLAN))
            counted = sorted(place for place, state in self.settled.items() if state == COUNTED)
            whole.record(run, stored_games(*counted))
            assert export_run(whole, run, bare=True) == export_run(self.store, self.run, bare=True)

    @invariant()
    def the_books_are_right(self) -> None:
        if not hasattr(self, "run"):
            return
        results: dict[tuple[int, int], str] = {}
        for game in self.store.games(self.run):
            if game.state != VOID:
                assert (game.pair, game.leg) not in results, "a leg counts twice"
                results[game.pair, game.leg] = game.state
        assert results == self.settled
        due = {place[:2]: place[2] for place in self.missing()}
        assert set(due) == set(schedule(PAIRS)) - set(self.settled)
        assert all(attempt == self.attempts.get(place, 0) + 1 for place, attempt in due.items())
        counted = [place for place, state in self.settled.items() if state == COUNTED]
        results = summarize_run(self.store, self.run)
        new, old = results.total_results("new"), results.total_results("old")
        assert new == old[::-1] == results.match_tally.games and sum(new) == len(counted)
        assert results.match_tally.points == sum(result_of(job_of(*place)).points for place in counted)
        single = sum((pair, 1 - leg) not in counted for pair, leg in counted)
        assert len(counted) == 2 * sum(results.match_tally.pairs) + single


# -- any sequence of all that -------------------------------------------------------------------


TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
