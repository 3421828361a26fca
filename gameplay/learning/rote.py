"""Samuel's rote learning: positions of games are stored with their values, and looked up by later searches.

Alpha plays Beta. Both use one polynomial, which does not change; only Alpha's searches look up stored
positions (`gameplay.knowledge.rote`). Each position of a game, of either side, is searched with the stored
positions, and stored with the value of this search.

The invariant: the value of a record is backed up over `plies` plies. If the principal variation ends at a
record, its plies are added to those of the search: the effective depth grows from game to game.

Aging: a new record has `first_age`. Each use halves its age ("refreshing"). Every MERGE moves the age of all
records grows by one, and those of the greatest age are forgotten. If there are too many records, those with
the fewest plies are discarded.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, "Rote learning and its variants" and "Cataloging and culling stored
information". The paper calls the first and the greatest age and the limit arbitrary, the reduction for each
ply a small amount, and gives about 20 moves between two merges.

Differences: symmetric positions are stored once, but colours are not exchanged; a record that is stored again
keeps its value if that was backed up over more plies; all games are self-play. As in the paper, coefficients
are learned separately, since records are valid for one polynomial only. `--eval FILE` uses a learned
polynomial, as the paper proposes.
"""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from gameplay.evaluation import RoteEvaluation
from gameplay.knowledge.books.fingerprint import fingerprint
from gameplay.knowledge.rote import RoteRecord, decode_records, discount, encode_records
from gameplay.learning.samuel import LearningGame
from gameplay.learning.self_play import SelfPlay
from gameplay.position import AbstractPosition

if TYPE_CHECKING:
    from gameplay.search.report import Report

OLDEST = 512  # age at which a record is forgotten
MAX_RECORDS = 50_000
MERGE = 20  # moves after which records age by one


def first_age(oldest: int) -> int:
    """The age of a new record: if it is never used, it is forgotten after a quarter of the ages."""
    return oldest - oldest // 4


@dataclass
class RoteMemory:
    """The records and statistics of a run, which stores them as plain data."""

    most: int
    oldest: int
    records: dict[int, RoteRecord] = field(default_factory=dict)
    games: int = 0
    moves: int = 0  # positions that were searched and stored
    recalled: int = 0  # ... whose value came from a record
    lookups: int = 0  # records that searches used
    forgotten: int = 0
    discarded: int = 0  # for lack of space
    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # Alpha's wins, draws, losses

    def refresh(self, keys: set[int]) -> None:
        """Halve the age of used records."""
        for key in keys:
            self.records[key].age //= 2

    def store(self, key: int, value: int, plies: int) -> bool:
        """Store a position; a record of more plies keeps its value. True if the position is new."""
        record = self.records.get(key)
        if record is None:
            self.records[key] = RoteRecord(value, plies, first_age(self.oldest))
            return True
        if plies >= record.plies:
            record.value, record.plies = value, plies
        return False

    def age(self) -> None:
        """Increase the age of all records by one; forget those of the greatest age."""
        for record in self.records.values():
            record.age += 1
        old = [key for key, record in self.records.items() if record.age >= self.oldest]
        for key in old:
            del self.records[key]
        self.forgotten += len(old)

    def cull(self) -> None:
        """If there are too many records, discard those of fewest plies, the oldest first."""
        if len(self.records) <= self.most:
            return
        order = sorted((record.plies, -record.age, key) for key, record in self.records.items())
        surplus = order[: len(order) - self.most * 3 // 4]
        for *_, key in surplus:
            del self.records[key]
        self.discarded += len(surplus)

    def stored(self) -> dict[str, Any]:
        """The data to store as JSON."""
        return asdict(self) | {"records": encode_records(self.records)}

    @classmethod
    def restore(cls, data: dict[str, Any]) -> "RoteMemory":
        """Restore the result of `stored`; other entries are ignored."""
        facts = {name: data[name] for name in cls.__dataclass_fields__}
        return cls(**facts | {"records": decode_records(data["records"])})


@dataclass(frozen=True)
class Storing:
    """A stored position of a game, for reports."""

    ply: int
    move: int  # the best move, found with the records
    value: int  # from the mover's view
    plies: int  # over which the value is backed up
    source: int  # plies to the record that the value comes from; 0: from the evaluation
    used: int  # records that the search looked up
    new: bool


@dataclass(eq=False)
class RoteTrainer(SelfPlay):
    """Plays games of Alpha, which looks up stored positions, against Beta, and stores positions."""

    most: int = MAX_RECORDS
    oldest: int = OLDEST

    def __post_init__(self) -> None:
        self.learner = RoteMemory(self.most, self.oldest)

    def play(self) -> LearningGame:
        """Play one game, and store its positions."""
        memory = self.learner
        number = memory.games
        seat, position, moves = self._begin(number)
        events = []
        while self._continues(position, moves):
            stored = self.think(position, len(moves))
            events.append(stored)
            move = stored.move if position.turn == seat else self._search(position, self.evaluation).move
            assert move is not None
            moves.append(move)
            position.make(move)
        result = self._result(position, seat)
        memory.games += 1
        memory.results[1 - result] += 1
        return LearningGame(number, seat, tuple(moves), result, False, "", tuple(events))

    def think(self, position: AbstractPosition, ply: int) -> Storing:
        """Search a position with the records, and store it."""
        memory = self.learner
        evaluation = RoteEvaluation(self.evaluation, memory.records, self.depth)
        report = self._search(position, evaluation)
        assert report.move is not None
        value = int(report.value)
        plies, source = self._span(position, report, evaluation)
        key = fingerprint(position)
        memory.refresh(evaluation.used | ({key} & memory.records.keys()))
        new = memory.store(key, value, plies)
        memory.moves += 1
        memory.recalled += source > 0
        memory.lookups += len(evaluation.used)
        if memory.moves % MERGE == 0:
            memory.age()
        memory.cull()
        return Storing(ply, report.move, value, plies, source, len(evaluation.used), new)

    def _span(
        self, position: AbstractPosition, report: "Report", evaluation: RoteEvaluation
    ) -> tuple[int, int]:
        """The plies over which the value was backed up, and those to the record it comes from (0: none)."""
        mover, made = position.turn, 0
        for move in report.pv:
            position.make(move)
            made += 1
            if position.outcome() is not None:
                break
        ended = position.outcome() is not None
        record = None if ended else self.learner.records.get(fingerprint(position))
        if record is not None:
            value = discount(record.value, self.depth)
            value = value if position.turn == mover else -value
            if value != report.value or fingerprint(position) not in evaluation.used:
                record = None
        for _ in range(made):
            position.unmake()
        if record is not None:
            return made + record.plies, made
        return (made if ended else max(made, self.depth)), 0

    def stored(self) -> dict[str, Any]:
        """The data to store as JSON: the records, and what a search needs to use them."""
        return {
            "game": self.game.spec,
            "evaluation": self.evaluation.name,
            "weights": dict(self.evaluation.weights),
            "depth": self.depth,
            **self.learner.stored(),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the result of `stored`."""
        self.learner = RoteMemory.restore(data)

    def line(self, played: LearningGame) -> dict[str, Any]:
        """The statistics of a game for games.jsonl."""
        events = [event for event in played.events if isinstance(event, Storing)]
        return {
            "records": len(self.learner.records),
            "searched": len(events),
            "recalled": sum(event.source > 0 for event in events),
            "lookups": sum(event.used for event in events),
            "plies": max((event.plies for event in events), default=0),
        }
