"""Games played in this process, one after the other: for classes that no other process can load."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gameplay.runs import job
from gameplay.runs.job import Job
from gameplay.runs.workers import BatchResult, work


class InProcess:
    """A `workers.WorkerPool` of this process.

    A game that hangs, or that ends the process, is not survived: `workers.Local` survives both.
    """

    slots = 1

    def __init__(self) -> None:
        self._jobs: Sequence[Job] = ()

    @property
    def free(self) -> int:
        """See `WorkerPool`."""
        return 0 if self._jobs else 1

    def submit(self, jobs: Sequence[Job]) -> None:
        """See `WorkerPool`. They are played by `wait`."""
        self._jobs = jobs

    def wait(self, seconds: float) -> list[BatchResult]:
        """See `WorkerPool`. Plays them, however long that takes, unless `seconds` is 0: none is ready then.

        Ctrl-C ends them, and they are lost.
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
    """Within this, Ctrl-C raises KeyboardInterrupt, as a search expects."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)
