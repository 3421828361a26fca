"""A run in generations of equally many self-play games.

    games.jsonl    a game of the learner against itself after each generation

`generations.py` lists the other files.
"""

import json
import time
from abc import abstractmethod
from collections import deque
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from gameplay import file_io
from gameplay.learning.batches import Batches, Each, self_play_seed
from gameplay.learning.generations import STOP_CHECK_INTERVAL, GenerationRun, Seeded

MATCH, MIN_MATCH = 200, 20  # games against random moves after each generation, at most and at least
PLIES = 400  # of a game at most


class SelfPlayer(Seeded, Protocol):
    """A learner by self-play."""

    positions: int  # learned so far

    def play(self, games: int, /) -> Any:
        """Play `games` games and learn from each immediately."""

    def record(self, rng_state: int, /) -> Any:  # Any: the input of `learn`
        """Play a game with this generator state without learning; returns the input of `learn`."""

    def learn(self, record: Any, /) -> Any:  # Any: the result of `record`
        """Learn from a game of `record`."""

    def greedy_game(self) -> Any:
        """The moves of a game without exploration; nothing is learned."""


class GamesPoint(Protocol):
    """A point of a curve."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def positions(self) -> int:
        """The number of positions learned so far."""


LearnerT = TypeVar("LearnerT", bound=SelfPlayer)
PointT = TypeVar("PointT", bound=GamesPoint)


class GamesRun(GenerationRun[LearnerT, PointT]):
    """A stored run; `learn` plays the missing games.
    The setting `batch` is the number of games played with the same weights (`batches.py`). With 1 the learner
    learns during each game. If `overlapping`, a batch is learned while the next one of the generation is
    played, with the weights before; this needs as much time as the longer of the two.
    """

    overlapping: ClassVar[bool] = False

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises Usage for an unknown game, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (settings.games and settings.batch):
            raise ValueError("settings out of range")
        self.batches = Batches(self)
        self._unlearned: deque[tuple[LearnerT, Any]] = deque()  # records of the batch before

    @abstractmethod
    def fresh_learner(self, rng_state: int) -> LearnerT:
        """A learner with this generator state and initial weights."""

    @abstractmethod
    def guides(self, learner: LearnerT) -> list[memoryview]:
        """The weights that its games depend on."""

    def new_learner(self, rng_state: int) -> LearnerT:
        return self.fresh_learner(rng_state)

    def open_learner(self) -> LearnerT:
        learner = super().open_learner()
        if self.curve:
            learner.positions = self.curve[-1].positions
        return learner

    @property
    def match_games(self) -> int:
        """Games against random moves after a generation."""
        return max(MIN_MATCH, min(MATCH, self.total // self.generations))

    def spread(self, each: Each) -> None:
        self.batches.each = each

    def advance(self, learner: LearnerT) -> None:
        if self.settings.batch == 1:
            self._advance_at_once(learner)
            return
        end = self.played_by(self.generation + 1)
        self._unlearned.clear()
        with self.batches.cleanup():
            for start in range(self.played, end, self.settings.batch):
                numbers = range(start, min(end, start + self.settings.batch))
                records = []
                for record in self.batches.play(learner, numbers):
                    records.append(record)
                    self.step(start + len(records))
                self._learn_all()
                self._unlearned.extend((learner, record) for record in records)
                if not self.overlapping:
                    self._learn_all()
            self._learn_all()
        learner.rng_state = self_play_seed(self.settings.seed, end)

    def idle(self) -> bool:
        return super().idle() or self._learn_next()

    def _learn_next(self) -> bool:
        """Learn from the next record, if any."""
        if not self._unlearned:
            return False
        learner, record = self._unlearned.popleft()
        learner.learn(record)
        return True

    def _learn_all(self) -> None:
        while self._learn_next():
            pass

    def _advance_at_once(self, learner: LearnerT) -> None:
        played, end, count = self.played, self.played_by(self.generation + 1), 1
        while played < end:  # a few at a time, to notice Ctrl-C and stop requests
            self.step(played)
            count = min(count, end - played)
            began = time.monotonic()
            learner.play(count)
            played += count
            count = 2 * count if time.monotonic() - began < STOP_CHECK_INTERVAL else max(1, count // 2)

    def store_game(self, learner: LearnerT) -> None:
        """Write a self-play game."""
        line = {"games": self.played, "moves": learner.greedy_game()}
        path = self.folder / "games.jsonl"
        held = file_io.content(path).splitlines(keepends=True) if path.exists() else []
        file_io.write(path, [*held[: self.generation - 1], json.dumps(line).encode() + b"\n"])
