"""Tasks for processes: what a pool on this machine and a cluster have in common."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Self, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE = 3600.0  # seconds that a task of `each` may take
TICK = 1.0  # seconds between two looks at whether one has taken longer


@dataclass
class Ended:
    """A task that was done: what came of it, or what it raised, or how its process died, in words."""

    task: Any
    number: int | None  # that `submit` was given
    result: Any = None
    error: Exception | None = None
    died: str = ""
    held: bool = False  # ... because user code held the interpreter, or ended the process itself
    seat: int | None = None  # ... that of the user engine whose code ran


class TaskPool(AbstractContextManager["TaskPool"]):
    """What does tasks, several at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    @abstractmethod
    def slots(self) -> int:
        """How many tasks are done at once."""

    @property
    @abstractmethod
    def free(self) -> int:
        """How many tasks can be submitted now."""

    @abstractmethod
    def submit(
        self, work: Callable[[Any], Any], task: Any, seconds: float, number: int | None = None
    ) -> None:
        """Have a task done; after so many seconds it counts as hung."""

    @abstractmethod
    def wait(self, seconds: float) -> list[Ended]:
        """The tasks that ended, after so many seconds at the latest; there may be none."""

    @abstractmethod
    def abandon(self) -> None:
        """End the tasks that are being done."""

    @abstractmethod
    def close(self) -> None:
        """End every task, and free what does them."""

    def each(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Task],
        idle: Callable[[], object] = lambda: None,
    ) -> Iterator[Result | str]:
        """What `work` makes of each task, in their order; words for one whose process died.

        `idle` is called about once a second. Raises what `work` or `idle` raised. A caller who has enough may
        leave: the tasks that are being done are ended.
        """
        numbered = enumerate(tasks)
        ended: dict[int | None, Ended] = {}
        due = given = 0
        try:
            while True:
                while self.free and given - due < 3 * self.slots:
                    following = next(numbered, None)
                    if following is None:
                        break
                    number, task = following
                    self.submit(work, task, PATIENCE, number)
                    given += 1
                if due == given:
                    return
                while due not in ended:
                    ended |= {one.number: one for one in self.wait(TICK)}
                    idle()
                done = ended.pop(due)
                due += 1
                if done.error is not None:
                    raise done.error
                yield done.died or done.result
        finally:
            self.abandon()
