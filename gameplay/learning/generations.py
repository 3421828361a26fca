"""A run in generations, each a point of the learning curve; resumable with identical results.

    state.json     the generation, the generator, the curve, the digest of the arrays; with a checksum
    tables-N.bin   the arrays of the learner after generation N; the last one only
    truth.json     the solved positions that the curve is measured on, with a checksum
    weights.toml   the learned weights, for `eval=FILE`; written after each generation

`folder.py` lists the files that every run has. A run that was killed within a generation repeats it.
"""

import math
import time
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from hashlib import blake2b
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from gameplay import file_io, registry
from gameplay.errors import BadInput
from gameplay.learning.batches import Each
from gameplay.learning.folder import StoredRun
from gameplay.learning.ground_truth import GroundTruth, ground_truth
from gameplay.position import AbstractEvaluation

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

STOP_CHECK_INTERVAL = 0.1  # seconds between checks for a stop request
MAX_BYTES = 1 << 33  # bytes of arrays
MEASURING, SOLVING = "measuring", "solving positions"


class StopRequested(Exception):
    """Ends an incomplete generation."""


class Seeded(Protocol):
    """A learner with a generator."""

    rng_state: int  # the state of its generator, 64 bits


LearnerT = TypeVar("LearnerT", bound=Seeded)
PointT = TypeVar("PointT", bound="DataclassInstance")


def check_unchanged(name: str, evaluation: AbstractEvaluation, digest: str) -> None:
    """Raise BadInput if the weights of the evaluation `name` have changed since the run began.

    digest: their checksum then; empty: the run begins now.
    """
    if digest not in ("", evaluation.checksum):
        raise BadInput(f"{name} has changed since the run began: restore it from a copy")


def check_counts(numbers: Iterable[int | None]) -> None:
    """Raise ValueError or TypeError unless all are integers from 0 to 2 ** 63 - 1, or None."""
    if not all(0 <= index(number) < 1 << 63 for number in numbers if number is not None):
        raise ValueError("a number of the curve is out of range")


def digest_of(content: bytes) -> str:
    """A digest of 16 hex digits."""
    return blake2b(content, digest_size=8).hexdigest()


class GenerationRun(StoredRun, Generic[LearnerT, PointT]):
    """A stored run; `learn` plays the missing generations."""

    point_class: ClassVar[type[Any]]  # a dataclass; raises ValueError or TypeError for invalid fields
    generations = 20  # of a run; a run of fewer games has one per game
    solves = True  # the curve includes wrong moves in solved positions

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises Usage for an unknown game."""
        super().__init__(folder, settings)
        self.game = registry.game(settings.game)
        self.generation = 0
        self.generations = max(1, min(type(self).generations, self.total))
        self.curve: list[PointT] = []
        self.truth: GroundTruth | None = None
        self.observe: Callable[[int, str], None] | None = None  # games done, activity
        self._digest = ""  # of the arrays
        self._rng_state = int(settings.seed)

    # -- what a method defines -------------------------------------------------------------------------------

    @abstractmethod
    def new_learner(self, rng_state: int) -> LearnerT:
        """An untrained learner with this generator state."""

    @abstractmethod
    def arrays(self, learner: LearnerT) -> list[memoryview]:
        """The arrays of its state: stored after a generation, filled on resume."""

    @abstractmethod
    def advance(self, learner: LearnerT) -> None:
        """Play and learn the next generation, with a `step` before each game."""

    def spread(self, each: Each) -> None:
        """Play independent games with `each`, a parallel `map`."""
        raise NotImplementedError

    def idle(self) -> bool:
        """Called while other processes play; returns true to be called again immediately.

        Raises StopRequested after `request_stop`.
        """
        self.check_stop()
        return False

    @abstractmethod
    def measure(self, learner: LearnerT) -> PointT:
        """The point of the curve, with a `step` before each game; the generator is restored afterwards."""

    @abstractmethod
    def store_results(self, learner: LearnerT) -> None:
        """Write the weights and other results, reproducibly for each generation."""

    # -- the run ---------------------------------------------------------------------------------------------

    def restore(self) -> None:
        if self.has_ground_truth:
            stored = file_io.read_checked(self.folder / "truth.json")
            self.truth = GroundTruth.restore(stored, self.game) if stored.get("positions") else None
        if (self.folder / "state.json").exists():
            state = file_io.read_checked(self.folder / "state.json")
            self.generation, self._rng_state = int(state["generation"]), int(state["lots"])
            most = type(self).generations
            self.generations = int(state.get("generations", most))  # older runs of few games have all
            self.curve = [self.point_class(**row) for row in state["curve"]]
            self._digest = str(state["tables"])
            if not 0 < self.generation == len(self.curve) <= self.generations <= most:
                raise ValueError("no curve of such a run")

    @property
    def total(self) -> int:
        """The games of the whole run."""
        return int(self.settings.games)

    @property
    def played(self) -> int:
        """The games of completed generations."""
        return self.played_by(self.generation)

    def played_by(self, generation: int) -> int:
        """The games up to the end of a generation."""
        return self.total * generation // self.generations

    @property
    def done(self) -> bool:
        """True if all generations are complete."""
        return self.generation == self.generations

    @property
    def has_ground_truth(self) -> bool:
        """True if the positions that the curve is measured on have been solved."""
        return (self.folder / "truth.json").exists()

    @property
    def weights(self) -> Path:
        """The file of the learned weights."""
        return self.folder / "weights.toml"

    def learn(self) -> Iterator[PointT]:
        """Play the missing generations; yields each point after it is stored.

        Raises TryLater if another process plays the run, BadInput if its arrays are damaged.
        """
        with self.lock():
            learner = self.open_learner()
            self._drop_older_arrays()
            spent = self.seconds
            try:
                self._find_truth()
                while not self.done:
                    began = time.monotonic()
                    self.step(self.played)
                    self.advance(learner)
                    self.generation += 1
                    rng_state = learner.rng_state
                    point = self.measure(learner)
                    learner.rng_state = rng_state
                    self.curve.append(point)
                    self._store(learner)
                    spent += time.monotonic() - began
                    self.write_seconds(spent)
                    yield point
            except StopRequested:
                pass
            finally:
                self.generation = len(self.curve)

    def step(self, done: int, doing: str = "learning") -> None:
        """Report how many of `total` are done. Raises StopRequested after `request_stop`."""
        self.check_stop()
        if self.observe is not None:
            self.observe(done, doing)

    def check_stop(self) -> None:
        """Raise StopRequested after `request_stop`."""
        if self.stop_requested:
            raise StopRequested

    def wrong(self, best: Callable[[Sequence[int]], int]) -> int | None:
        """Count the positions of the ground truth in which the move `best(moves)` is wrong."""
        if self.truth is None:
            return None

        def best_with_step(moves: Sequence[int]) -> int:
            self.step(self.played, MEASURING)
            return best(moves)

        return self.truth.wrong(best_with_step)

    def open_learner(self) -> LearnerT:
        """The learner after the last generation. Raises BadInput."""
        learner = self.new_learner(self._rng_state & (1 << 64) - 1)
        if self.generation:
            path, parts = self._arrays_file, [part.cast("B") for part in self.arrays(learner)]
            size = sum(map(len, parts))
            try:
                content = zlib.decompressobj().decompress(file_io.content(path, MAX_BYTES), size + 1)
            except zlib.error:
                content = b""
            if len(content) != size or digest_of(content) != self._digest:
                raise BadInput(f"{path} is damaged: restore it from a copy, or start a new run")
            at = 0
            for part in parts:
                part[:] = content[at : at + len(part)]
                at += len(part)
            floats = [part for part in self.arrays(learner) if part.format in "fd"]
            if not all(math.isfinite(sum(part)) for part in floats):  # a sum with nan or inf is not finite
                raise BadInput(f"{path} holds a number that is not finite: start a new run")
        return learner

    # -- inside ----------------------------------------------------------------------------------------------

    def _find_truth(self) -> None:
        """Solve the positions of the ground truth, once per run."""
        if self.solves and not self.has_ground_truth:
            self.truth = ground_truth(self.game, self.settings.seed, lambda: self.step(self.played, SOLVING))
            file_io.write_checked(
                self.folder / "truth.json", self.truth.stored() if self.truth else {"positions": []}
            )

    def _store(self, learner: LearnerT) -> None:
        """Store a generation, the state last, so that a killed run repeats the generation."""
        content = b"".join(self.arrays(learner))
        file_io.write(self._arrays_file, [zlib.compress(content, 1)])
        self._rng_state, self._digest = learner.rng_state, digest_of(content)
        self.store_results(learner)
        learner.rng_state = self._rng_state
        state = {
            "generation": self.generation,
            "lots": self._rng_state,
            "tables": self._digest,
            "curve": [asdict(point) for point in self.curve],
        }
        if self.generations != type(self).generations:
            state["generations"] = self.generations
        file_io.write_checked(self.folder / "state.json", state)
        self._drop_older_arrays()

    @property
    def _arrays_file(self) -> Path:
        return self.folder / f"tables-{self.generation}.bin"

    def _drop_older_arrays(self) -> None:
        for path in self.folder.glob("tables-*.bin"):
            if path != self._arrays_file:
                path.unlink()
