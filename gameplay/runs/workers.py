"""Worker processes that play games, on this machine or in a dask cluster.

    workers = Local(2)             or Cluster("tcp://host:8786")
    workers.submit(jobs)           while workers.free; a batch is played in one process, game by game
    for result in workers.wait(0.1): ...
    workers.close()

Each batch yields one `BatchResult`. If its process died or hung, a batch of one game reports it as `died`; a
longer one is `lost` and is repeated game by game, so that the failure is attributed to the right game.
"""

import logging
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol

from gameplay import specs
from gameplay.errors import Fault, GameplayError, TryLater, Usage
from gameplay.extras import library
from gameplay.runs.job import GameResult, Job, blamed_result, play
from gameplay.runs.pool import Ended, Pool, TaskPool

# A worker counts as hung after a game of DEADLINE_FACTOR times the move timeout, or SLOWDOWN_FACTOR times the
# longest game so far, whichever is longer.
DEADLINE_FACTOR = 10
SLOWDOWN_FACTOR = 20


@dataclass
class BatchResult:
    """The result of a batch: the games played, and an error or how its process died."""

    jobs: Sequence[Job]
    done: Sequence[GameResult] = ()
    error: GameplayError | None = None  # the code of the game failed: the run ends
    died: str = ""  # how the process ended; no player is at fault
    lost: bool = False  # the games have no result and must be repeated


class WorkerPool(Protocol):
    """Plays batches of games."""

    @property
    def free(self) -> int:
        """The number of batches that can be submitted now."""
        ...

    @property
    def slots(self) -> int:
        """The number of batches that run concurrently."""
        ...

    def submit(self, jobs: Sequence[Job]) -> None:
        """Submit a batch."""
        ...

    def wait(self, seconds: float) -> list[BatchResult]:
        """Wait up to `seconds` for batches that end; returns their results, possibly none."""
        ...

    def close(self) -> None:
        """End every process."""
        ...


def work(jobs: Sequence[Job]) -> tuple[list[GameResult], GameplayError | None]:
    """In the worker: play the games until the code of the game fails."""
    done: list[GameResult] = []
    for job in jobs:
        try:
            done.append(play(job))
        except GameplayError as error:
            return done, type(error)(f"game {job.number + 1}: {error}")
    return done, None


class Local:
    """A fixed number of processes on this machine (see `pool`)."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.longest = 0.0  # seconds of the longest game so far
        self._pool = Pool(slots)

    @property
    def free(self) -> int:
        """See `WorkerPool`."""
        return self._pool.free

    @property
    def pids(self) -> list[int]:
        """The ids of the current processes."""
        return self._pool.pids

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `WorkerPool`."""
        self._pool.submit(work, jobs, sum(self._deadline(job) for job in jobs))

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `WorkerPool`."""
        return [self._result(ended) for ended in self._pool.wait(seconds)]

    def close(self) -> None:
        """See `WorkerPool`. Idle processes first end the programs that they started."""
        self._pool.close()

    def _deadline(self, job: Job) -> float:
        return max(job.deadline or DEADLINE_FACTOR * job.patience, SLOWDOWN_FACTOR * self.longest)

    def _result(self, ended: Ended) -> BatchResult:
        if ended.died:
            return _death_result(ended)
        if ended.error is not None:
            return _failure_result(ended.task, _transfer_error(ended.error))
        done, error = ended.result
        self.longest = max([self.longest, *(result.seconds for result in done)])
        return BatchResult(ended.task, done, error)


def _failure_result(jobs: Sequence[Job], message: str) -> BatchResult:
    return BatchResult(jobs, died=message) if len(jobs) == 1 else BatchResult(jobs, lost=True)


def _death_result(ended: Ended) -> BatchResult:
    """A worker died or hung: a loss of the running user engine, or a fault of a user-defined game."""
    jobs = ended.task
    if len(jobs) == 1 and ended.seat is not None:
        return BatchResult(
            jobs, [blamed_result(jobs[0], ended.died, ended.seat, "has not returned" in ended.died)]
        )
    if len(jobs) == 1 and ended.held and specs.is_file(jobs[0].game):
        return BatchResult(jobs, error=Fault(f"game {jobs[0].number + 1}: {jobs[0].game}: {ended.died}"))
    return _failure_result(jobs, ended.died)


def _transfer_error(error: Exception) -> str:
    """The message for an exception in the transfer of a batch or its result."""
    return f"the worker failed: {type(error).__name__}: {error}"


class Cluster:
    """The workers of a dask.distributed cluster, through its executor.

    They need this package, and the files of games and players at the same paths. Workers may come and go;
    while the scheduler is unreachable, games wait. Batches that it forgot are `lost`.
    """

    SCHEDULER_TIMEOUT = 60.0  # seconds that the scheduler may be unreachable

    def __init__(self, address: str) -> None:
        """Raises TryLater if nothing answers there, Usage for no address or if the extra is not installed."""
        self._dask = library("distributed", "--cluster", "cluster")
        if not re.fullmatch(r"((tcp|tls|wss?)://)?[^/\s]+:\d{1,5}", address):
            raise Usage(f"--cluster: '{address}' is not an address of a scheduler; right is tcp://host:8786")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in our own words
        self.address = address
        self._jobs: dict[Future[Any], tuple[Sequence[Job], float]] = {}
        self._refused: list[BatchResult] = []
        self._client: Any = None
        self._counted = (0.0, 0)
        self._connect(10.0)

    @property
    def slots(self) -> int:
        """See `WorkerPool`. The threads of all workers, queried once a second."""
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
        """See `WorkerPool`. Twice `slots` are submitted, to hide the network latency."""
        return max(0, 2 * self.slots - len(self._jobs))

    @property
    def executor(self) -> Any:
        """The executor for the tasks of `Remote`."""
        return self._executor

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `WorkerPool`."""
        ends = time.monotonic() + self.SCHEDULER_TIMEOUT + sum(DEADLINE_FACTOR * job.patience for job in jobs)
        try:
            self._jobs[self._executor.submit(work, jobs)] = jobs, ends
        except Exception:  # the scheduler is unreachable; `wait` reconnects
            self._refused.append(BatchResult(jobs, lost=True))

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `WorkerPool`. Raises TryLater if the scheduler stays unreachable."""
        results, self._refused = self._refused, []
        if self._client.status != "running":
            return results + self._reconnect()
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
        """See `WorkerPool`. The cluster itself is not closed."""
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
            if type(failure).__name__ in ("FutureCancelledError", "CancelledError"):
                return BatchResult(jobs, lost=True)
            return _failure_result(jobs, _transfer_error(failure))
        return BatchResult(jobs, done, error)

    def _reconnect(self) -> list[BatchResult]:
        """Reconnect to the scheduler; the batches in flight are lost."""
        lost = [BatchResult(jobs, lost=True) for jobs, _ in self._jobs.values()]
        self._jobs.clear()
        self._client.close(timeout=1)
        self._connect(self.SCHEDULER_TIMEOUT)
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


class Remote(TaskPool):
    """The workers of a cluster, for tasks other than games; they must have access to the files of a task.

    A task whose worker died is repeated by another.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._tasks: dict[Future[Any], tuple[Any, int | None]] = {}

    @property
    def slots(self) -> int:
        return self._cluster.slots

    @property
    def free(self) -> int:
        return max(0, self._cluster.slots - len(self._tasks))

    def submit(
        self, work: Callable[[Any], Any], task: Any, seconds: float, number: int | None = None
    ) -> None:
        self._tasks[self._cluster.executor.submit(work, task)] = task, number

    def wait(self, seconds: float) -> list[Ended]:
        finished = wait(list(self._tasks), seconds, FIRST_COMPLETED)[0] if self._tasks else set()
        return [self._ended(future, *self._tasks.pop(future)) for future in finished]

    def abandon(self) -> None:
        for future in self._tasks:
            future.cancel()
        self._tasks.clear()

    def close(self) -> None:
        self.abandon()
        self._cluster.close()

    def _ended(self, future: Future[Any], task: Any, number: int | None) -> Ended:
        try:
            return Ended(task, number, future.result())
        except GameplayError as error:
            return Ended(task, number, error=error)
        except (Exception, CancelledError) as error:  # the worker died, or the scheduler went away
            return Ended(task, number, died=f"the cluster lost it: {type(error).__name__}")
