"""Batches of self-play games: all games of a batch are played with the same weights, then learned in order.

    batch.bin   the weights of a batch, for other processes; removed after the run

Each game has its own generator, seeded by its number, so the weights after a batch depend only on the
settings, not on the process that plays a game. Games that take less time than the transfer of the weights are
played in this process.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from gameplay import file_io
from gameplay.errors import Fault

Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]  # as `map`

FILE = "batch.bin"
QUICK = 0.02  # seconds of games not worth sending to another process
TASK = 0.02  # ... of games per task
SPEED = 5e8  # approximate bytes of weights written and read per second


def self_play_seed(seed: int, number: int) -> int:
    """The 64-bit seed of a game's generator."""
    return int.from_bytes(blake2b(f"{seed}/game/{number}".encode(), digest_size=8).digest(), "little")


class BatchRun(Protocol):
    """A run that plays its games in batches; see `games_run.py`."""

    folder: Path
    settings: Any  # frozen, hence hashable

    def fresh_learner(self, rng_state: int) -> Any: ...

    def guides(self, learner: Any) -> list[memoryview]: ...


@dataclass(frozen=True)
class BatchTask:
    """Some games of a batch, for any process with access to the run's folder."""

    kind: Callable[[Path, Any], BatchRun]
    settings: Any
    file: Path
    batch: int  # its first game
    numbers: range


class Batches:
    """Plays the games of a run batch by batch, with `each` if several processes pay off."""

    def __init__(self, run: BatchRun) -> None:
        self.run = run
        self.each: Each | None = None  # None: in this process
        self.pace = 0.0  # seconds per game; 0: unknown

    def play(self, learner: Any, numbers: range) -> Iterator[Any]:
        """Play the games of a batch; yield their records in order, without learning."""
        cost = QUICK + sum(part.nbytes for part in self.run.guides(learner)) / SPEED
        at = numbers.start
        while at < numbers.stop and (self.each is None or self.pace * (numbers.stop - at) <= cost):
            began = time.monotonic()
            yield learner.record(self_play_seed(self.run.settings.seed, at))
            spent = time.monotonic() - began
            self.pace += (spent - self.pace) / 10 if self.pace else spent
            at += 1
        if self.each is not None and at < numbers.stop:
            for records in self.each(play_task, self._tasks(learner, numbers.start, range(at, numbers.stop))):
                yield from records

    def _tasks(self, learner: Any, batch: int, numbers: range) -> list[BatchTask]:
        """Create tasks for other processes, and the file that they read."""
        kind, settings, file = type(self.run), self.run.settings, self.run.folder.resolve() / FILE
        _write(file, batch, self.run.guides(learner))
        size = max(1, int(TASK / self.pace)) if self.pace else 1
        parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        return [BatchTask(kind, settings, file, batch, part) for part in parts]

    @contextmanager
    def cleanup(self) -> Iterator[None]:
        """Remove the file before and after the batches."""
        file = self.run.folder / FILE
        file.unlink(missing_ok=True)  # a killed run leaves it
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def play_task(task: BatchTask) -> list[Any]:
    """Play the games of a task; return their records."""
    return _player(task.kind, task.settings).play(task)


class _Player:
    """A learner in another process, with weights from a file."""

    def __init__(self, run: BatchRun) -> None:
        self.run = run
        self.learner = run.fresh_learner(0)
        self.loaded: tuple[Path, int] | None = None

    def play(self, task: BatchTask) -> list[Any]:
        if self.loaded != (task.file, task.batch):
            self.loaded = None
            _read(task.file, task.batch, self.run.guides(self.learner))
            self.loaded = task.file, task.batch
        return [self.learner.record(self_play_seed(task.settings.seed, number)) for number in task.numbers]


@lru_cache(maxsize=1)
def _player(kind: Callable[[Path, Any], BatchRun], settings: Any) -> _Player:
    """The player of a run, created once per process."""
    return _Player(kind(Path(), settings))


def _write(path: Path, batch: int, parts: list[memoryview]) -> None:
    """Write the weights of a batch: its first game, 8 bytes, then all parts."""
    with file_io.naming(path), open(path, "wb") as file:
        file.write(batch.to_bytes(8, "little"))
        for part in parts:
            file.write(part.cast("B"))


def _read(path: Path, batch: int, parts: list[memoryview]) -> None:
    """Fill the parts. Raises Fault if the file is not that of the batch."""
    try:
        with open(path, "rb") as file:
            whole = int.from_bytes(file.read(8), "little") == batch
            whole = whole and all(file.readinto(part.cast("B")) == part.nbytes for part in parts)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}. Workers must see the folder of the run") from None
    if not whole:
        raise Fault(f"{path} holds other weights than those of the batch")
