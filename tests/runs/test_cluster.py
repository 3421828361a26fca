"""A real dask cluster on loopback: the same games, though a worker dies and the scheduler disappears."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from gameplay import registry
from gameplay.errors import TryLater, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.tables import building
from gameplay.runs import planning, stored, tables
from gameplay.runs.runner import COMPLETE
from gameplay.runs.schedule import Schedule
from gameplay.runs.workers import Cluster, Local
from gameplay.store import run_export
from gameplay.store.runs import Store

pytestmark = pytest.mark.once

pytest.importorskip("distributed")


def free_port():
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        return connection.getsockname()[1]


class Site:
    """A scheduler and its workers, in separate processes."""

    def __init__(self):
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.workers = None

    def start(self):
        self.scheduler = self.process(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"
        )
        return self

    def work(self, count):
        options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "60")
        self.workers = [self.process("dask_worker", self.address, *options) for _ in range(count)]
        return self

    def process(self, module, *words):
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end(self):
        for process in [self.scheduler, *(self.workers or [])]:
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@pytest.fixture
def site():
    cluster = Site().start().work(2)
    yield cluster
    cluster.end()


class Watcher:
    """A listener that acts once, after this number of games."""

    def __init__(self, games, act):
        self.games, self.act = games, act

    def games_stored(self, played, standing):
        if self.act is not None and standing.games >= self.games:
            act, self.act = self.act, None
            act()

    def print_line(self, words):
        pass


def played_out(path, plan, pool, listener):
    with Store(path) as store:
        run = store.run(stored.begin(store, Schedule(plan)))
        with stored.lock_run(store, run):
            runner = stored.play(store, run, Schedule(plan), pool, listener)
        assert runner.reason == COMPLETE
        assert listener.act is None, "it was over before anything happened"
        return b"".join(run_export.export(store, store.run(run.id), bare=True))


def plan_of(games):
    nodes = 1000 if compiled() else 60
    return planning.build("connect4", ["iterative", "alphabeta"], nodes=nodes, games=games)


def test_run_survives_a_lost_worker_and_a_restarted_scheduler(site, tmp_path):
    """The games are those of a local run, whatever happens during the run."""
    plan = plan_of(30)
    local = played_out(tmp_path / "local.db", plan, Local(2), Watcher(0, lambda: None))
    pool = patient(site.address)

    def lose_a_worker():
        os.killpg(site.workers[0].pid, signal.SIGKILL)

    assert played_out(tmp_path / "one.db", plan, pool, Watcher(5, lose_a_worker)) == local

    pool = patient(site.address)

    def start_anew():
        site.end()
        site.start().work(2)

    assert played_out(tmp_path / "two.db", plan, pool, Watcher(5, start_anew)) == local
    assert endgames(tmp_path / "cluster", site.address) == endgames(tmp_path / "here", None)


def endgames(folder, cluster):
    """The endgame table files of checkers with two pieces, built on a cluster or locally."""
    groups = building.groups(registry.game("checkers").new(), 2)
    jobs = [tables.TableJob("checkers", "checkers", str(folder), group) for group in groups]
    assert len(list(tables.build_all(jobs, 1, 1 << 30, cluster=cluster))) == 3
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def patient(address):
    """A pool of the cluster, once it has started."""
    for _ in range(3):
        try:
            return Cluster(address)
        except TryLater:
            continue
    raise AssertionError("the scheduler does not come up")


def test_unreachable_cluster_is_named(tmp_path):
    words = ["match", "random", "random", "--games", "2", "--game", "tictactoe"]
    place = ["--store", str(tmp_path / "runs.db"), "--cluster", f"tcp://127.0.0.1:{free_port()}"]
    completed = subprocess.run(
        [sys.executable, "-m", "gameplay", *words, *place], capture_output=True, text=True
    )
    assert completed.returncode == 75, completed.stderr
    assert "no dask scheduler answers at tcp://127.0.0.1" in completed.stderr
    assert completed.stderr.count("\n") == 1


@pytest.mark.parametrize("address", ["here", "tcp://here", "here:one", "ftp://here:1"])
def test_invalid_cluster_address_is_refused_at_once(address):
    with pytest.raises(Usage, match="is not an address of a scheduler; right is tcp://host:8786"):
        Cluster(address)
