"""Plays games in this process, one at a time, for classes that other processes cannot import."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gameplay.runs import job
from gameplay.runs.job import Job
from gameplay.runs.workers import BatchResult, work


class InProcess:
    """A `workers.WorkerPool` of this process.

    Unlike `workers.Local`, it has no protection from a game that hangs or ends the process.
    """

    slots = 1

    def __init__(self) -> None:
        self._jobs: Sequence[Job] = ()

    @property
    def free(self) -> int:
        """See `WorkerPool`."""
        return 0 if self._jobs else 1

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `WorkerPool`. The games are played by `wait`."""
        self._jobs = jobs

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `WorkerPool`. Plays the games without a time limit; returns nothing if `seconds` is 0.

        After Ctrl-C the games are lost.
        """
        jobs, self._jobs = self._jobs, ()
        if not jobs or not seconds:
            return []
        try:
            with _interruptible():
                done, error = work(jobs)
        except KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)  # for the handler of the runner, which ends the run
            return [BatchResult(jobs, lost=True)]
        return [BatchResult(jobs, done, error)]

    def close(self) -> None:
        """See `WorkerPool`."""
        job.close()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, as searches require."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)
