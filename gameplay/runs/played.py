"""A game that was played, the same wherever it was kept, and what its players spent on it."""

from dataclasses import dataclass, field
from socket import gethostname
from statistics import median

from msgspec import Raw, Struct, json

from gameplay.runs.job import GameResult, Job
from gameplay.runs.pairing import points
from gameplay.store import document
from gameplay.store.jsonl import COUNTED, NORMAL_TERMINATIONS, VOID, StoredGame, encode_record
from gameplay.store.record import Record
from gameplay.store.runs import now


@dataclass(frozen=True)
class Played:
    """A game that was played. `opening` says how many of its moves were given."""

    pair: int
    leg: int
    names: tuple[str, ...]  # by seat
    payoffs: tuple[float, ...]  # by seat; empty if it has no result
    termination: str
    record: Record | None
    opening: int = 0
    state: str = COUNTED
    attempt: int = 1
    offender: str = ""
    fault: str = ""
    times: tuple[float, ...] = ()  # seconds by ply
    seconds: float = 0.0
    trail: str = ""  # of its moves: equal for games that are alike

    @property
    def claim(self) -> str:
        """What a program said of the result against the rules; the game counts all the same."""
        return self.fault if self.termination in NORMAL_TERMINATIONS else ""

    @property
    def points(self) -> dict[str, float]:
        """What each player got: 1, 0.5 or 0 where there are two."""
        return dict(zip(self.names, points(self.payoffs), strict=True))


class _Opening(Struct):
    """Of a job: the moves that are given."""

    moves: list[str] = []


def from_store(game: StoredGame) -> Played:
    """A game of a run. Raises BadInput if its record or its job is none."""
    where = f"pair {game.pair}, leg {game.leg}, attempt {game.attempt}"
    return Played(
        pair=game.pair,
        leg=game.leg,
        names=tuple(game.names),
        payoffs=tuple(game.payoffs),
        termination=game.termination,
        record=game.read(),
        opening=len(document.decode(bytes(game.job), _Opening, where, "the job of a game").moves),
        state=game.state,
        attempt=game.attempt,
        offender=game.offender,
        fault=game.fault,
        times=tuple(game.times),
        seconds=game.seconds,
        trail=game.trail,
    )


def to_store(job: Job, done: GameResult, state: str | None = None) -> StoredGame:
    """A game as a run keeps it, played here and now; `state` None: counted, or void if it has no result."""
    names = [seat.name for seat in job.seats]
    if state is None:
        state = COUNTED if done.counts else VOID
    return StoredGame(
        pair=done.pair, leg=done.leg, attempt=done.attempt, state=state, names=names, first=job.first,
        points=done.points if done.points is None else float(done.points),
        payoffs=[float(pay) for pay in done.payoffs], termination=done.termination,
        offender="" if done.offender is None else names[done.offender], fault=done.fault,
        plies=len(done.record.moves) if done.record is not None else 0, seconds=float(done.seconds),
        times=[float(one) for one in done.times], host=gethostname(), finished=now(), trail=done.moves_hash,
        job=Raw(json.encode(job)), record=encode_record(done.record),
    )  # fmt: skip


@dataclass
class Work:
    """What a player spent on their moves."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    timed: int = 0  # nodes of moves that took time,
    took: float = 0.0  # ... and that time: nodes may come without times, and times without nodes
    takes: list[float] = field(default_factory=list)  # seconds of each move that was timed

    @property
    def nps(self) -> float:
        """Nodes a second; 0 where nothing was timed."""
        return self.timed / self.took if self.took else 0.0

    @property
    def usual(self) -> float:
        """The median of the seconds of a move."""
        return median(self.takes) if self.takes else 0.0

    @property
    def longest(self) -> float:
        """The seconds of the longest move."""
        return max(self.takes, default=0.0)

    def add(self, nodes: int | None, seconds: float) -> None:
        """Count a move."""
        self.moves += 1
        self.nodes += nodes or 0
        self.seconds += seconds
        if seconds:
            self.takes.append(seconds)
            if nodes is not None:
                self.timed += nodes
                self.took += seconds
