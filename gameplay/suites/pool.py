"""Processes for tasks that are soon done, of which each may die alone."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

Task = TypeVar("Task")

PATIENCE = 3600.0  # seconds that a task may take


class Pool:
    """So many processes. A task that ends its process is told of; the others are done again."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """End every process, whatever it does."""
        if self.pool is not None:
            for process in list((self.pool._processes or {}).values()):
                process.kill()
            self.pool.shutdown(cancel_futures=True)
        self.pool = None

    def each(self, work: Callable[[Task], Any], tasks: Iterable[Task]) -> Iterator[Any]:
        """What `work` makes of each task, in their order; words for one that ended its process."""
        left = iter(tasks)
        waiting: deque[tuple[Task, Future[Any]]] = deque()
        while True:
            for task in islice(left, 2 * self.jobs - len(waiting)):
                waiting.append((task, self.submit(work, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            try:
                result = future.result(PATIENCE)
            except TimeoutError:
                self.end()
                result = f"no end after {PATIENCE:g} seconds: it hung"
                waiting = deque((task, self.submit(work, task)) for task, _ in waiting)
            except BrokenProcessPool:
                self.end()
                try:
                    result = self.submit(work, task).result()  # alone: if it dies again, it is to blame
                except BrokenProcessPool:
                    self.end()
                    result = "the process that ran it died: it crashed, was killed, or had no memory left"
                waiting = deque((task, self.submit(work, task)) for task, _ in waiting)
            yield result

    def submit(self, work: Callable[[Task], Any], task: Task) -> Future[Any]:
        """Submit, to new processes if the old ones are dead."""
        try:
            if self.pool is not None:
                return self.pool.submit(work, task)
        except BrokenProcessPool:
            self.end()
        self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin)
        return self.pool.submit(work, task)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End with the parent, even if it was killed: nobody would hear of the result."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
