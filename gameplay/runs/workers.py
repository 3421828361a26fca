"""Processes that play games: a slot each on this machine, or those of a dask cluster.

    crew = Local(2)             or Cluster("tcp://host:8786")
    crew.submit(jobs)           while crew.free: a batch, played one after the other in one process
    for result in crew.wait(0.1): ...
    crew.close()

A batch of games comes back as one `BatchResult`. Of a batch of one whose process died or hung, that is said;
a longer one comes back `lost`, to be played game by game, so that a death is put down to the right game.

Each slot of a `Local` is an executor of one process, so that a death breaks one slot and is mended there.
"""

import atexit
import importlib
import logging
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from gameplay.errors import GameplayError, TryLater, Usage
from gameplay.runs.job import Done, Job, close, play

DEADLINE = 10  # times the patience of a move: what a game may take at least before its worker counts as hung
GRACE = 2.0  # seconds that a process which has nothing to do may take to end
SLOWER = 20  # ... or times the longest game so far


@dataclass
class BatchResult:
    """What came of a batch: games played, then the error that ended the run, or how its process failed."""

    jobs: Sequence[Job]
    done: Sequence[Done] = ()
    error: GameplayError | None = None  # the game's own code failed: of no use to go on
    died: str = ""  # how the process ended, in words: nobody's fault in the game
    lost: bool = False  # nothing is known of these games, and none of them is to blame


class Crew(Protocol):
    """Who plays games."""

    @property
    def free(self) -> int:
        """How many batches can be submitted now."""
        ...

    @property
    def slots(self) -> int:
        """How many batches run at once."""
        ...

    def submit(self, jobs: Sequence[Job]) -> None:
        """Have a batch played."""
        ...

    def wait(self, seconds: float) -> list[BatchResult]:
        """The batches that ended, at the latest after so many seconds; perhaps none."""
        ...

    def close(self) -> None:
        """End every process, whatever it does."""
        ...


def work(jobs: Sequence[Job]) -> tuple[list[Done], GameplayError | None]:
    """In the worker: play the games until one of them shows that the game itself is broken."""
    done: list[Done] = []
    for job in jobs:
        try:
            done.append(play(job))
        except GameplayError as error:
            return done, type(error)(f"game {job.number + 1}: {error}")
    return done, None


@dataclass
class _Slot:
    pool: ProcessPoolExecutor | None = None
    process: BaseProcess | None = None
    jobs: Sequence[Job] = ()
    future: Future[Any] | None = None
    ends: float = 0.0  # monotonic seconds at which it counts as hung


@dataclass
class Local:
    """So many processes of this machine. They follow this process into death and are deaf to Ctrl-C."""

    slots: int
    longest: float = 0.0  # seconds of the longest game so far
    _slots: list[_Slot] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._slots = [_Slot() for _ in range(self.slots)]

    @property
    def free(self) -> int:
        """See `Crew`."""
        return sum(slot.future is None for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes that are there now."""
        return [slot.process.pid for slot in self._slots if slot.process is not None and slot.process.pid]

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `Crew`."""
        slot = next(slot for slot in self._slots if slot.future is None)
        slot.jobs = jobs
        try:
            slot.future = self._submit(slot)
        except BrokenProcessPool:  # it died while it had nothing to do
            self._end(slot)
            slot.future = self._submit(slot)
        slot.ends = time.monotonic() + sum(self._deadline(job) for job in jobs)

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `Crew`."""
        busy = {slot.future: slot for slot in self._slots if slot.future is not None}
        if not busy:
            return []
        finished, running = wait(busy, seconds, FIRST_COMPLETED)
        results = [self._result(busy[future]) for future in finished]
        now = time.monotonic()
        for future in running:
            slot = busy[future]
            if now > slot.ends and not future.done():
                took = now - slot.ends + sum(self._deadline(job) for job in slot.jobs)
                results.append(self._failed(slot, f"no end after {took:.0f} seconds: the worker hung"))
        return results

    def close(self) -> None:
        """See `Crew`. Those that have nothing to do end the outside programs that wait with them."""
        idle = [slot for slot in self._slots if slot.future is None and slot.pool is not None]
        for slot in idle:
            if slot.pool is not None:
                slot.pool.shutdown(wait=False)
        ends = time.monotonic() + GRACE
        for slot in idle:
            if slot.process is not None:
                slot.process.join(max(0, ends - time.monotonic()))
        for slot in self._slots:
            self._end(slot)

    def _deadline(self, job: Job) -> float:
        return max(job.deadline or DEADLINE * job.patience, SLOWER * self.longest)

    def _result(self, slot: _Slot) -> BatchResult:
        assert slot.future is not None
        try:
            done, error = slot.future.result()
        except BrokenProcessPool:
            how = _end_of(slot.process)
            return self._failed(slot, f"the worker process ended {how}")
        except Exception as failure:  # what a job or its outcome raises on its way between processes
            return self._failed(slot, f"the worker failed: {type(failure).__name__}: {failure}")
        result = BatchResult(slot.jobs, done, error)
        slot.future, slot.jobs = None, ()
        self.longest = max([self.longest, *(one.seconds for one in done)])
        return result

    def _failed(self, slot: _Slot, words: str) -> BatchResult:
        jobs = slot.jobs
        self._end(slot)
        return BatchResult(jobs, died=words) if len(jobs) == 1 else BatchResult(jobs, lost=True)

    def _end(self, slot: _Slot) -> None:
        if slot.process is not None:
            slot.process.kill()
        if slot.pool is not None:
            slot.pool.shutdown(cancel_futures=True)
        slot.pool, slot.process, slot.future, slot.jobs = None, None, None, ()

    def _submit(self, slot: _Slot) -> Future[Any]:
        """Submit, which may start a process: it must be deaf to Ctrl-C from its first instruction."""
        if slot.pool is not None:
            return slot.pool.submit(work, slot.jobs)
        others = set(multiprocessing.active_children())
        slot.pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)
        masked = hasattr(signal, "pthread_sigmask")
        if masked:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            future = slot.pool.submit(work, slot.jobs)
        finally:
            if masked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        slot.process = next(iter(set(multiprocessing.active_children()) - others), None)
        return future


def _end_of(process: BaseProcess | None) -> str:
    """How a process ended. The thread that manages its pool asks for it as well, and one is told."""
    code = None
    ends = time.monotonic() + GRACE
    while process is not None and code is None and time.monotonic() < ends:
        process.join(0.01)
        code = process.exitcode
    if code is None:
        return "in an unknown way"
    return f"by signal {-code}" if code < 0 else f"with status {code}"


def _begin() -> None:
    """In the worker, before its first game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # for what the worker starts itself
    atexit.register(close)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End with the parent, even if it was killed: nobody would read what is played."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Cluster:
    """The workers of a dask.distributed cluster, through its executor.

    They must have this package, and the files that games and players are named by, at the same places.
    Workers may come and go; while the scheduler is away, games wait. What it has forgotten comes back `lost`.
    """

    PATIENCE = 60.0  # seconds that a scheduler may be away

    def __init__(self, address: str) -> None:
        """Raises TryLater if nobody answers there, Usage for no address or if the extra is not installed."""
        try:
            self._dask: Any = importlib.import_module("distributed")
        except ImportError:
            raise Usage("--cluster needs dask.distributed: pip install 'gameplay[cluster]'") from None
        if not re.fullmatch(r"((tcp|tls|wss?)://)?[^/\s]+:\d{1,5}", address):
            raise Usage(f"--cluster: '{address}' is no address of a scheduler; right is tcp://host:8786")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told in our words
        self.address = address
        self._jobs: dict[Future[Any], tuple[Sequence[Job], float]] = {}
        self._refused: list[BatchResult] = []
        self._client: Any = None
        self._counted = (0.0, 0)
        self._connect(10.0)

    @property
    def slots(self) -> int:
        """See `Crew`. As many as the workers that are there have threads; asked anew every second."""
        since, count = self._counted
        now = time.monotonic()
        if now - since > 1:
            try:
                count = sum(self._client.nthreads().values())
            except Exception:  # the scheduler is away
                count = 0
            self._counted = now, count
        return max(1, count)

    @property
    def free(self) -> int:
        """See `Crew`. Twice as many as run: the way to a worker is long."""
        return max(0, 2 * self.slots - len(self._jobs))

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `Crew`."""
        ends = time.monotonic() + self.PATIENCE + sum(DEADLINE * job.patience for job in jobs)
        try:
            self._jobs[self._executor.submit(work, jobs)] = jobs, ends
        except Exception:  # the scheduler went away a moment ago; `wait` looks after that
            self._refused.append(BatchResult(jobs, lost=True))

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `Crew`. Raises TryLater if the scheduler stays away."""
        results, self._refused = self._refused, []
        if self._client.status != "running":
            return results + self._again()
        if not self._jobs:
            return results
        finished, running = wait(list(self._jobs), seconds, FIRST_COMPLETED)
        results += [self._result(future) for future in finished]
        now = time.monotonic()
        for future in running:
            jobs, ends = self._jobs[future]
            if now > ends:
                future.cancel()
                del self._jobs[future]
                results.append(BatchResult(jobs, died="no worker has finished the game in time"))
        return results

    def close(self) -> None:
        """See `Crew`. The cluster itself goes on."""
        for future in self._jobs:
            future.cancel()
        self._jobs.clear()
        self._client.close(timeout=2)

    def _result(self, future: Future[Any]) -> BatchResult:
        jobs, _ = self._jobs.pop(future)
        try:
            done, error = future.result()
        except CancelledError:
            return BatchResult(jobs, lost=True)
        except Exception as failure:
            name = type(failure).__name__
            if name in ("FutureCancelledError", "CancelledError"):
                return BatchResult(jobs, lost=True)
            words = f"the worker failed: {name}: {failure}"
            return BatchResult(jobs, died=words) if len(jobs) == 1 else BatchResult(jobs, lost=True)
        return BatchResult(jobs, done, error)

    def _again(self) -> list[BatchResult]:
        """Meet a scheduler that was away again; what was in flight is lost."""
        lost = [BatchResult(jobs, lost=True) for jobs, _ in self._jobs.values()]
        self._jobs.clear()
        self._client.close(timeout=1)
        self._connect(self.PATIENCE)
        return lost

    def _connect(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while True:
            try:
                self._client = self._dask.Client(self.address, timeout=min(5, seconds), set_as_default=False)
                break
            except OSError:
                if time.monotonic() > ends:
                    raise TryLater(f"no dask scheduler answers at {self.address}") from None
                time.sleep(0.5)
        self._executor = self._client.get_executor(pure=False, retries=0)
        self._counted = (0.0, 0)
