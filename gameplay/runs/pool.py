"""A pool of worker processes, each of which may die without affecting the others.

    with Pool(2) as pool:
        for result in pool.each(work, tasks): ...   in the order of the tasks; a message if a process died

or, for callers that do other work meanwhile, `submit` while a slot is `free`, and `wait` for `Ended` tasks.
Each slot is an executor of one process, so that the death of a process breaks one slot only, is attributed to
its task, and the slot is replaced. The processes end with their parent and ignore Ctrl-C, which the parent
handles. They are copies of one process that has imported what they need (see `START`).
"""

import atexit
import multiprocessing
import os
import signal
import sys
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, Self, TypeVar

from gameplay.once import pin_files
from gameplay.runs.job import close
from gameplay.usercode.supervisor import Heartbeat
from gameplay.visible import escape_output

Task = TypeVar("Task")
Result = TypeVar("Result")

TASK_TIMEOUT = 3600.0  # seconds that a task of `each` may take
TICK = 1.0  # seconds between checks for timeouts
# Exits caused by code, not by the machine.
CRASH_SIGNALS = tuple(
    f"by signal {signal.Signals[name]:d}"
    for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV")
    if name in signal.Signals.__members__  # Windows has no SIGBUS
)
STOP_GRACE = 2.0  # seconds for an idle process to end
START = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
# Imported once, before processes start: importing them takes 0.3 CPU seconds in each process.
PRELOADED_MODULES = ["gameplay.cli", "gameplay.runs.workers"]
# Blocked while a process starts.
BLOCKED_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class Ended:
    """A finished task: its result, its exception, or how its process died."""

    task: Any
    number: int | None  # passed to `submit`
    result: Any = None
    error: Exception | None = None
    died: str = ""
    held: bool = False  # it died since user code blocked the interpreter or ended the process
    seat: int | None = None  # of the user engine whose code was running


class TaskPool(AbstractContextManager["TaskPool"]):
    """Executes tasks, several at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    @abstractmethod
    def slots(self) -> int:
        """The maximum number of concurrent tasks."""

    @property
    @abstractmethod
    def free(self) -> int:
        """The number of tasks that can be submitted now."""

    @abstractmethod
    def submit(
        self, work: Callable[[Any], Any], task: Any, seconds: float, number: int | None = None
    ) -> None:
        """Submit a task; after `seconds` it counts as hung."""

    @abstractmethod
    def wait(self, seconds: float) -> list[Ended]:
        """Wait up to `seconds` for tasks that end; returns them, possibly none."""

    @abstractmethod
    def abandon(self) -> None:
        """Abort the running tasks."""

    @abstractmethod
    def close(self) -> None:
        """End every task and release the workers."""

    def each(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Task],
        idle: Callable[[], object] = lambda: None,
    ) -> Iterator[Result | str]:
        """Yield `work(task)` for each task, in order; a message for one whose process died.

        `idle` is called before each wait for a task: a true result ends the wait immediately, otherwise it
        lasts up to a second. Raises the exceptions of `work` and `idle`. If the caller stops iterating,
        running tasks are killed.
        """
        numbered = enumerate(tasks)
        ended: dict[int | None, Ended] = {}
        due = submitted = 0
        try:
            while True:
                while self.free and submitted - due < 3 * self.slots:
                    following = next(numbered, None)
                    if following is None:
                        break
                    number, task = following
                    self.submit(work, task, TASK_TIMEOUT, number)
                    submitted += 1
                if due == submitted:
                    return
                if due not in ended:
                    ended |= {worker.number: worker for worker in self.wait(0 if idle() else TICK)}
                    continue
                done = ended.pop(due)
                due += 1
                if done.error is not None:
                    raise done.error
                yield done.died or done.result
        finally:
            self.abandon()


@dataclass
class _Slot:
    pool: ProcessPoolExecutor | None = None
    process: BaseProcess | None = None
    task: Any = None
    future: Future[Any] | None = None
    heartbeat: Heartbeat | None = None
    number: int | None = field(init=False)
    seconds: float = field(init=False)  # limit of the task
    ends: float = field(init=False)  # monotonic time at which it counts as hung


class Pool(TaskPool):
    """A fixed number of processes on this machine, each started when first needed."""

    def __init__(self, slots: int) -> None:
        self._slots = [_Slot() for _ in range(slots)]

    @property
    def slots(self) -> int:
        return len(self._slots)

    @property
    def free(self) -> int:
        return sum(slot.future is None for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The ids of the current processes."""
        return [slot.process.pid for slot in self._slots if slot.process is not None and slot.process.pid]

    def abandon(self) -> None:
        for slot in self._slots:
            if slot.future is not None:
                self._end(slot)

    def submit(
        self, work: Callable[[Any], Any], task: Any, seconds: float, number: int | None = None
    ) -> None:
        slot = next(slot for slot in self._slots if slot.future is None)
        slot.task, slot.number = task, number
        try:
            self._submit(slot, work)
        except BrokenProcessPool:  # it died while idle
            self._end(slot)
            slot.task, slot.number = task, number
            self._submit(slot, work)
        slot.seconds, slot.ends = seconds, time.monotonic() + seconds

    def wait(self, seconds: float) -> list[Ended]:
        busy = {slot.future: slot for slot in self._slots if slot.future is not None}
        if not busy:
            return []
        finished, running = wait(busy, seconds, FIRST_COMPLETED)
        ended = [self._end_task(busy[future]) for future in finished]
        now = time.monotonic()
        for future in running:
            slot = busy[future]
            if slot.heartbeat is not None and slot.heartbeat.is_hung and not future.done():
                since = time.monotonic() - slot.heartbeat.last
                words = f"a call has not returned for {since:.0f} seconds, and cannot be interrupted"
                ended.append(self._end_dead_task(slot, words, held=True))
            elif now > slot.ends and not future.done():
                took = now - slot.ends + slot.seconds
                ended.append(self._end_dead_task(slot, f"no end after {took:.0f} seconds: the worker hung"))
        return ended

    def close(self) -> None:
        """End every process; idle ones may first end the programs that they started."""
        idle = [slot for slot in self._slots if slot.future is None and slot.pool is not None]
        for slot in idle:
            if slot.pool is not None:
                slot.pool.shutdown(wait=False)
        ends = time.monotonic() + STOP_GRACE
        for slot in idle:
            if slot.process is not None:
                slot.process.join(max(0, ends - time.monotonic()))
        for slot in self._slots:
            self._end(slot)

    # -- inside ------------------------------------------------------------------------------

    def _end_task(self, slot: _Slot) -> Ended:
        assert slot.future is not None
        try:
            ended = Ended(slot.task, slot.number, slot.future.result())
        except BrokenProcessPool:
            words = _describe_exit(slot)
            return self._end_dead_task(slot, f"the worker process ended {words}", held=words in CRASH_SIGNALS)
        except Exception as error:  # of the task, or of its result on the way between processes
            ended = Ended(slot.task, slot.number, error=error)
        slot.future, slot.task = None, None
        return ended

    def _end_dead_task(self, slot: _Slot, words: str, held: bool = False) -> Ended:
        seat = slot.heartbeat.seat if slot.heartbeat is not None else None
        ended = Ended(slot.task, slot.number, died=words, held=held, seat=seat)
        self._end(slot)
        return ended

    def _end(self, slot: _Slot) -> None:
        if slot.process is not None:
            slot.process.kill()
        if slot.pool is not None:
            slot.pool.shutdown(cancel_futures=True)
        slot.pool, slot.process, slot.future, slot.task, slot.heartbeat = None, None, None, None, None

    def _submit(self, slot: _Slot, work: Callable[[Any], Any]) -> None:
        """Submit a task. A process started for it must ignore Ctrl-C from its first instruction."""
        if slot.pool is not None:
            slot.future = slot.pool.submit(work, slot.task)
            return
        others = set(multiprocessing.active_children())
        context = multiprocessing.get_context(START)
        if START == "forkserver":
            context.set_forkserver_preload(PRELOADED_MODULES)
        shared = Heartbeat.memory(context)
        slot.heartbeat = Heartbeat(shared)
        slot.pool = ProcessPoolExecutor(1, context, _initialize_worker, (shared, dict(os.environ)))
        masked = hasattr(signal, "pthread_sigmask")
        if masked:
            signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED_SIGNALS)
        try:
            with _without_main():
                slot.future = slot.pool.submit(work, slot.task)
            slot.process = next(iter(set(multiprocessing.active_children()) - others), None)
        finally:  # a signal since then raises here: the process must be known, to be ended
            if masked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, BLOCKED_SIGNALS)


@contextmanager
def _without_main() -> Iterator[None]:
    """New processes do not import the main module.

    A script without `if __name__ == "__main__"` would play its matches again.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _describe_exit(slot: _Slot) -> str:
    """Describe how the process of a slot ended.

    The executor's thread waits for the process too, and only one thread may read the exit code: a second one
    would find the pipe empty and record status 255.
    """
    if slot.process is None or slot.pool is None:
        return "in an unknown way"
    if not connection.wait([slot.process.sentinel], STOP_GRACE):
        slot.process.kill()  # still alive: its result was unreadable
    slot.pool.shutdown()  # waits for the thread, which waits for the process
    code = slot.process.exitcode
    return f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"


def _initialize_worker(shared: Any, environment: dict[str, str]) -> None:
    """Initialize the worker, before its first task."""
    os.environ.clear()  # inherited from the start of the fork server
    os.environ.update(environment)
    escape_output()  # a game's or an engine's code may print control characters
    pin_files()
    Heartbeat(shared).begin()
    # The parent decides what a signal to the group means. Programs that the worker starts inherit no handler.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, BLOCKED_SIGNALS)  # for what the worker starts itself
    atexit.register(close)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent ends, even if it was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
