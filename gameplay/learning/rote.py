"""Samuel's rote learning: positions of play are stored with their values, used by later searches, forgotten.

Alpha plays Beta. Both play by one polynomial, which does not change; Alpha's searches look up stored
positions as well (`gameplay.knowledge.rote`), Beta's do not. Each position of a game, of either side, is
searched with the stored positions and stored in its turn, with the value that this search backs up.

The invariant: the value of a record is backed up over `plies` plies. If the search of a position ends at a
record, the plies of this record are added to those of the search: the effective depth grows game by game.

Ageing: a new record has `first_age`. Whenever it is looked up or stored again, its age is divided by two
("refreshing"). After each MERGE moves all records become older by one, and those of the greatest age are
forgotten. If there are too many records, those of the fewest plies are discarded.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, "Rote learning and its variants" and "Cataloging and culling stored
information". The paper calls the first and the greatest age and the limit arbitrary, the reduction for each
ply a small amount, and gives about 20 moves between two merges.

Differences: positions that symmetry makes one are stored once, but colours are not exchanged; a record that
is stored again keeps its value if that was backed up over more plies; the program plays itself alone.
Learning the coefficients is a separate procedure, as in the paper: records of an earlier polynomial would be
wrong under the next one. `--eval FILE` begins with a polynomial that has been learned, as the paper proposes.
"""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from gameplay.evaluation import RoteEvaluation
from gameplay.knowledge.books.fingerprint import fingerprint
from gameplay.knowledge.rote import RoteRecord, packed, reduced, unpacked
from gameplay.learning.samuel import LearningGame
from gameplay.learning.self_play import SelfPlay
from gameplay.position import AbstractPosition

if TYPE_CHECKING:
    from gameplay.search.report import Report

OLDEST = 512  # age at which a record is forgotten
MOST = 50_000  # records
MERGE = 20  # moves after which records age by one


def first_age(oldest: int) -> int:
    """The age of a new record: one that is never used is forgotten after a quarter of the ages."""
    return oldest - oldest // 4


@dataclass
class RoteMemory:
    """The records, and what became of others; as plain data it is what a run stores."""

    most: int
    oldest: int
    records: dict[int, RoteRecord] = field(default_factory=dict)
    games: int = 0
    moves: int = 0  # positions that were searched and stored
    recalled: int = 0  # of which the value is that of a record
    lookups: int = 0  # records that searches used
    forgotten: int = 0
    discarded: int = 0  # for want of room
    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # Alpha's wins, draws, losses

    def refresh(self, keys: set[int]) -> None:
        """Halve the age of records that were used."""
        for key in keys:
            self.records[key].age //= 2

    def store(self, key: int, value: int, plies: int) -> bool:
        """Store a position; one of more plies keeps its value. True if it is new."""
        record = self.records.get(key)
        if record is None:
            self.records[key] = RoteRecord(value, plies, first_age(self.oldest))
            return True
        if plies >= record.plies:
            record.value, record.plies = value, plies
        return False

    def age(self) -> None:
        """All records become older by one; those of the greatest age are forgotten."""
        for record in self.records.values():
            record.age += 1
        old = [key for key, record in self.records.items() if record.age >= self.oldest]
        for key in old:
            del self.records[key]
        self.forgotten += len(old)

    def cull(self) -> None:
        """If there are too many records, discard those of the fewest plies, of these the oldest first."""
        if len(self.records) <= self.most:
            return
        order = sorted((one.plies, -one.age, key) for key, one in self.records.items())
        surplus = order[: len(order) - self.most * 3 // 4]
        for *_, key in surplus:
            del self.records[key]
        self.discarded += len(surplus)

    def stored(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"records": packed(self.records)}

    @classmethod
    def restored(cls, data: dict[str, Any]) -> "RoteMemory":
        """From what `stored` returned; other entries are ignored."""
        facts = {name: data[name] for name in cls.__dataclass_fields__}
        return cls(**facts | {"records": unpacked(data["records"])})


@dataclass(frozen=True)
class Storing:
    """A position of play that was stored, for those who watch."""

    ply: int
    move: int  # the best one, with the records
    value: int  # from the mover's view
    plies: int  # over which it is backed up
    source: int  # plies to the record whose value it is; 0 if it is the evaluation's
    used: int  # records that the search looked up
    new: bool


@dataclass(eq=False)
class RoteTrainer(SelfPlay):
    """Plays games of Alpha, who looks up stored positions, against Beta, and stores positions."""

    most: int = MOST
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
        """Over how many plies a value was backed up, and how many of them lead to a record (0: to none)."""
        mover, made = position.turn, 0
        for move in report.pv:
            position.make(move)
            made += 1
            if position.outcome() is not None:
                break
        ended = position.outcome() is not None
        record = None if ended else self.learner.records.get(fingerprint(position))
        if record is not None:
            value = reduced(record.value, self.depth)
            value = value if position.turn == mover else -value
            if value != report.value or fingerprint(position) not in evaluation.used:
                record = None
        for _ in range(made):
            position.unmake()
        if record is not None:
            return made + record.plies, made
        return (made if ended else max(made, self.depth)), 0

    def stored(self) -> dict[str, Any]:
        """What a run stores: the records with all that a search needs to use them."""
        return {
            "game": self.game.spec,
            "evaluation": self.evaluation.name,
            "weights": dict(self.evaluation.weights),
            "depth": self.depth,
            **self.learner.stored(),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from what `stored` returned."""
        self.learner = RoteMemory.restored(data)

    def line(self, played: LearningGame) -> dict[str, Any]:
        """What a run lists of a game: records after it, values taken from records, the longest span."""
        events = [event for event in played.events if isinstance(event, Storing)]
        return {
            "records": len(self.learner.records),
            "searched": len(events),
            "recalled": sum(event.source > 0 for event in events),
            "lookups": sum(event.used for event in events),
            "plies": max((event.plies for event in events), default=0),
        }
