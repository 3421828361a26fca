"""Worker pools that play games and build tables, with simulated processes and clusters."""

import sys
from concurrent.futures import CancelledError, Future
from types import SimpleNamespace

import pytest

from gameplay.errors import BadInput, Fault, TryLater, Usage
from gameplay.knowledge.tables.building import Endgame
from gameplay.runs import tables, workers
from gameplay.runs.job import GameResult, Job
from gameplay.runs.pool import Ended
from gameplay.runs.workers import BatchResult, Cluster, Local, Remote
from tests.support.pools import FakePool

pytestmark = pytest.mark.once


def job(pair=0, patience=10.0, deadline=0.0):
    return Job(pair, 1, 1, "tictactoe", ("a", "b"), 1, patience=patience, deadline=deadline)


def test_games_are_played_until_one_shows_that_the_game_is_broken(monkeypatch):
    def play(asked):
        if asked.pair == 2:
            raise BadInput("no such move")
        return GameResult(asked.pair, 0, 1, "rules")

    monkeypatch.setattr(workers, "play", play)
    assert workers.work([job(0), job(1)]) == (
        [GameResult(0, 0, 1, "rules"), GameResult(1, 0, 1, "rules")],
        None,
    )
    done, error = workers.work([job(1), job(2), job(3)])
    assert done == [GameResult(1, 0, 1, "rules")]
    assert (type(error), str(error)) == (BadInput, "game 6: no such move"), "2 * 2 + 1 were before it"


class RecordingPool:
    """A pool that records its tasks."""

    free, pids = 3, [7]

    def __init__(self, slots):
        self.log, self.ended = [slots], []

    def submit(self, *given):
        self.log.append(given)

    def wait(self, seconds):
        self.log.append(seconds)
        return self.ended

    def close(self):
        self.log.append("closed")


def test_batches_end_as_their_processes_do(monkeypatch):
    """A single game that dies is blamed; in a batch the culprit is unknown, and all games are returned."""
    monkeypatch.setattr(workers, "Pool", RecordingPool)
    local = Local(4)
    pool = local._pool
    assert (local.slots, local.free, local.pids) == (4, 3, [7])
    pair, single = [job(0), job(1)], [job(2)]
    played = [GameResult(0, 0, 1, "rules", seconds=40.0), GameResult(1, 0, 1, "rules", seconds=2.0)]
    broken = BadInput("broken")
    pool.ended = [
        Ended(pair, 0, (played, broken)),
        Ended(single, 0, died="by signal 9"),
        Ended(pair, 0, died="by signal 9"),
        Ended(single, 0, error=ValueError("no pickle")),
        Ended(pair, 0, error=ValueError("no pickle")),
    ]
    assert local.wait(0.25) == [
        BatchResult(pair, played, broken),
        BatchResult(single, died="by signal 9"),
        BatchResult(pair, lost=True),
        BatchResult(single, died="the worker failed: ValueError: no pickle"),
        BatchResult(pair, lost=True),
    ]
    assert local.longest == 40.0
    local.close()
    assert pool.log == [4, 0.25, "closed"]


def test_task_timeout_is_ten_times_the_game_timeout_or_twenty_times_the_longest_game(monkeypatch):
    monkeypatch.setattr(workers, "Pool", RecordingPool)
    local = Local(1)
    batches = [[job(patience=3)], [job(patience=3), job(deadline=7)]]
    for longest in (0.0, 1.0, 2.0):
        local.longest = longest
        for jobs in batches:
            local.submit(jobs)
    assert all(given[0] is workers.work for given in local._pool.log[1:])
    assert [given[1] for given in local._pool.log[1:]] == batches * 3
    assert [given[2] for given in local._pool.log[1:]] == [30, 37, 30, 50, 40, 80]


class Client:
    """A client of a scheduler that is present, disappears and returns."""

    def __init__(self, address, timeout, set_as_default):
        self.log = [(address, timeout, set_as_default)]
        self.status, self.threads, self.closed = "running", {"a": 1, "b": 2}, []
        self.futures = []
        Client.made.append(self)
        if Client.away:
            Client.away -= 1
            raise OSError

    def nthreads(self):
        self.log.append("nthreads")
        if self.threads is None:
            raise ValueError
        return self.threads

    def get_executor(self, pure, retries):
        assert (pure, retries) == (False, 0)
        return self

    def submit(self, work, jobs):
        assert work is workers.work
        if self.status != "running":
            raise RuntimeError
        self.futures.append(Future())
        return self.futures[-1]

    def close(self, timeout):
        self.closed.append(timeout)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only sleep advances."""
    now = [100.0]
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    monkeypatch.setattr(Client, "made", [], raising=False)
    monkeypatch.setattr(Client, "away", 0, raising=False)

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(workers, "wait", lambda futures, seconds, when: (
        {future for future in futures if future.done()}, {future for future in futures if not future.done()}
    ))  # fmt: skip
    return now


def test_a_cluster_takes_twice_as_many_batches_as_it_has_threads(clock):
    cluster = Cluster("tcp://here:8786")
    (client,) = Client.made
    assert client.log == [("tcp://here:8786", 5, False)]
    assert (cluster.slots, cluster.free, client.log.count("nthreads")) == (3, 6, 1)
    client.threads = {"a": 5}
    clock[0] += 1
    assert cluster.slots == 3, "it is asked anew every second"
    clock[0] += 0.5
    assert (cluster.slots, cluster.free, client.log.count("nthreads")) == (5, 10, 2)
    client.threads = None
    clock[0] += 2
    assert (cluster.slots, cluster.free) == (1, 2), "while the scheduler is away, one"
    for pair in range(3):
        cluster.submit([job(pair)])
    assert cluster.free == 0
    assert cluster.executor is client


def test_batches_of_a_cluster_end_as_their_futures_do(clock):
    cluster = Cluster("here:8786")
    (client,) = Client.made
    assert cluster.wait(0.1) == []
    jobs = [
        [job(0)],
        [job(1)],
        [job(2)],
        [job(3), job(4)],
        [job(5)],
        [job(6, patience=2), job(7, patience=3)],
    ]
    for batch in jobs:
        cluster.submit(batch)
    futures = client.futures
    futures[0].set_result((["played"], None))
    futures[1].set_exception(CancelledError())
    futures[2].set_exception(ValueError("no"))
    futures[3].set_exception(ValueError("no"))
    futures[4].set_exception(type("FutureCancelledError", (Exception,), {})())
    results = cluster.wait(0.1)
    assert sorted(results, key=lambda result: result.jobs[0].pair) == [
        BatchResult(jobs[0], ["played"], None),
        BatchResult(jobs[1], lost=True),
        BatchResult(jobs[2], died="the worker failed: ValueError: no"),
        BatchResult(jobs[3], lost=True),
        BatchResult(jobs[4], lost=True),
    ]
    clock[0] += 60 + 10 * (2 + 3)
    assert cluster.wait(0.1) == []
    clock[0] += 0.1
    assert cluster.wait(0.1) == [BatchResult(jobs[5], died="no worker has finished the game in time")]
    assert futures[5].cancelled() and cluster.wait(0.1) == []


def test_tasks_of_a_lost_scheduler_are_lost(clock):
    cluster = Cluster("here:8786")
    (client,) = Client.made
    cluster.submit([job(0)])
    client.status = "closed"
    cluster.submit([job(1)])
    assert cluster.wait(0.1) == [BatchResult([job(1)], lost=True), BatchResult([job(0)], lost=True)]
    assert client.closed == [1]
    again = Client.made[1]
    assert again.log == [("here:8786", 5, False)]
    cluster.submit([job(2)])
    cluster.close()
    assert again.closed == [2] and again.futures[0].cancelled() and cluster.wait(0.1) == []
    again.status = "closed"
    Client.away = 1000
    with pytest.raises(TryLater, match="no dask scheduler answers at here:8786"):
        cluster.wait(0.1)
    assert clock[0] == 160.5 and len(Client.made) == 124, "asked every half second for a minute"


def test_a_scheduler_has_ten_seconds_to_answer_first(clock):
    Client.away = 20
    Cluster("here:8786")
    assert clock[0] == 110.0
    Client.away = 1000
    with pytest.raises(TryLater):
        Cluster("here:8786")
    assert clock[0] == 120.5


def test_a_cluster_needs_its_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Usage) as error:
        Cluster("here:8786")
    assert str(error.value) == "--cluster needs distributed: pip install 'gameplay[cluster]'"


# -- tables ----------------------------------------------------------------------------------------------


def group(name, slices, leads=()):
    return tables.TableJob("chess", "chess", "here", Endgame(name, 3, slices, leads))


class Builders(FakePool):
    """Slots that build a group at the next wait, the last submitted first."""

    def __init__(self, slots, fates):
        super().__init__(slots)
        self.fates = fates

    def submit(self, work, job, seconds):
        assert work is tables.build and seconds == 30 * 86400
        self.running.append(job)
        self.log.append(job.group.name)

    def wait(self, seconds):
        assert seconds == 1.0
        job = self.running.pop()
        return [Ended(job, 0, f"built {job.group.name}", **self.fates.get(job.group.name, {}))]


def spread(jobs, slots, memory, costs, tell=None, **fates):
    builders = Builders(slots, fates)
    return builders, tables._build_in_pool(jobs, builders, memory, costs, tell)


def test_group_is_built_after_its_successors_within_memory():
    jobs = [group("a", (1, 2)), group("b", (3,), (2,)), group("c", (4,)), group("d", (5,), (9,))]
    costs = {"a": 5, "b": 1, "c": 4, "d": 6}
    builders, builder = spread(jobs, 3, 10, costs)
    assert next(builder) == "built c" and builders.log == ["a", "c"], "d would be too much beside them"
    assert next(builder) == "built a"
    assert list(builder) == ["built d", "built b"]
    assert builders.log == ["a", "c", "b", "d", "closed"]
    log = []
    builders, builder = spread(jobs, 1, 10, costs)
    assert list(builder) == ["built a", "built b", "built c", "built d"]
    list(spread(jobs, 3, 10, costs, lambda *words: log.append(words))[1])
    expected_log = (("a, c", 0), ("a", 1), ("b, d", 2), ("b", 3))
    assert log == [(names, "built", done, 4) for names, done in expected_log]


def test_failed_table_build_ends_the_pool():
    jobs = [group("a", (1,)), group("b", (2,), (1,))]
    builders, builder = spread(jobs, 2, 10, {"a": 1, "b": 1}, a={"error": BadInput("wrong")})
    with pytest.raises(BadInput, match="wrong"):
        next(builder)
    assert builders.log == ["a", "closed"]
    builders, builder = spread(jobs, 2, 10, {"a": 1, "b": 1}, b={"died": "by signal 9"})
    assert next(builder) == "built a"
    with pytest.raises(Fault) as error:
        next(builder)
    assert str(error.value) == "b: by signal 9" and builders.log == ["a", "b", "closed"]


def test_groups_are_built_here_there_or_not_at_all(monkeypatch):
    def build(job, tell=None):
        if tell:
            tell(1, 2)
        return f"built {job.group.name}"

    costs = {"a": 3 << 20, "b": 2000 << 20}
    monkeypatch.setattr(tables.building, "memory_needed", lambda kernel, group: costs[group.name])
    monkeypatch.setattr(
        tables, "build", lambda job, tell=None: (tell and tell(1, 2)) or f"built {job.group.name}"
    )
    monkeypatch.setattr(
        tables,
        "_build_in_pool",
        lambda jobs, builders, memory, costs, tell: iter([(jobs, builders, memory, costs)]),
    )
    monkeypatch.setattr(tables, "Pool", lambda slots: f"pool of {slots}")
    monkeypatch.setattr(tables, "Cluster", lambda address: address)
    monkeypatch.setattr(tables, "Remote", lambda cluster: f"remote {cluster}")
    jobs, lines = [group("a", (1,)), group("b", (2,))], []
    assert list(tables.build_all([], 1, 0)) == []
    with pytest.raises(Usage) as refused:
        next(tables.build_all(jobs, 1, (1999 << 20) + 1))
    assert str(refused.value) == "b needs 2,000 MB; --memory is 1,999. Try: --memory 2000"
    most = 2000 << 20
    assert list(tables.build_all(jobs, 1, most)) == ["built a", "built b"]
    list(tables.build_all(jobs, 1, most, lambda *words: lines.append(words)))
    assert lines == [("a", 1, 2), ("b", 1, 2)]
    for processes, pool in ((2, "pool of 2"), (7, "pool of 2")):
        assert list(tables.build_all(jobs, processes, most)) == [(jobs, pool, most, costs)]
    assert list(tables.build_all(jobs, 1, most, None, "here:1")) == [(jobs, "remote here:1", most, costs)]


def test_groups_on_a_cluster_end_as_their_futures_do(monkeypatch):
    futures, log = [], []

    def submit(work, job):
        futures.append(Future())
        return futures[-1]

    executor = SimpleNamespace(submit=submit)
    cluster = SimpleNamespace(slots=4, executor=executor, close=lambda: log.append("closed"))
    jobs = [group(name, ()) for name in "abcd"]
    with Remote(cluster) as remote:
        assert remote.wait(0.01) == [] and remote.free == 4
        for task in jobs:
            remote.submit(tables.build, task, 5.0)
        assert remote.free == 0
        cluster.slots = 2
        assert remote.free == 0
        wrong = BadInput("wrong")
        futures[0].set_result("built a")
        futures[1].set_exception(wrong)
        futures[2].set_exception(KeyError("x"))
        results = sorted(remote.wait(0.01), key=lambda result: result.task.group.name)
        assert results == [
            Ended(jobs[0], None, "built a"),
            Ended(jobs[1], None, error=wrong),
            Ended(jobs[2], None, died="the cluster lost it: KeyError"),
        ]
        assert remote.free == 1
    assert futures[3].cancelled() and log == ["closed"]
