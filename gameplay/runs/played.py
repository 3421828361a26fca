"""A finished game, independent of where it is stored, and the search effort of its players."""

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
class MatchGame:
    """A finished game. `opening` is the number of moves that the plan prescribed."""

    pair: int
    leg: int
    names: tuple[str, ...]  # by seat
    payoffs: tuple[float, ...]  # by seat; empty without a result
    termination: str
    record: Record | None
    opening: int = 0
    state: str = COUNTED
    attempt: int = 1
    offender: str = ""
    fault: str = ""
    times: tuple[float, ...] = ()  # seconds by ply
    seconds: float = 0.0
    moves_hash: str = ""  # equal for games with the same moves and seats

    @property
    def claim(self) -> str:
        """A result that a program claimed against the rules; without consequence for the game."""
        return self.fault if self.termination in NORMAL_TERMINATIONS else ""

    @property
    def points(self) -> dict[str, float]:
        """Points by player: 1, 0.5 or 0 in a game for two (see `pairing.points`)."""
        return dict(zip(self.names, points(self.payoffs), strict=True))


class _Opening(Struct):
    """The part of a job that holds the prescribed moves."""

    moves: list[str] = []


def from_store(game: StoredGame) -> MatchGame:
    """A game of a run. Raises BadInput if its record or its job is damaged."""
    where = f"pair {game.pair}, leg {game.leg}, attempt {game.attempt}"
    return MatchGame(
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
        moves_hash=game.trail,
    )


def to_store(job: Job, done: GameResult, state: str | None = None) -> StoredGame:
    """Convert a game just played to its stored form; `state` None: counted, or void without a result."""
    names = [seat.name for seat in job.seats]
    if state is None:
        state = COUNTED if done.counts else VOID
    return StoredGame(
        pair=done.pair, leg=done.leg, attempt=done.attempt, state=state, names=names, first=job.first,
        points=done.points if done.points is None else float(done.points),
        payoffs=[float(pay) for pay in done.payoffs], termination=done.termination,
        offender="" if done.offender is None else names[done.offender], fault=done.fault,
        plies=len(done.record.moves) if done.record is not None else 0, seconds=float(done.seconds),
        times=list(map(float, done.times)), host=gethostname(), finished=now(), trail=done.moves_hash,
        job=Raw(json.encode(job)), record=encode_record(done.record),
    )  # fmt: skip


@dataclass
class Work:
    """The search effort of a player."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    timed_nodes: int = 0  # of moves with both nodes and a time
    timed_seconds: float = 0.0  # of the same moves
    move_times: list[float] = field(default_factory=list)  # seconds of each timed move

    @property
    def nps(self) -> float:
        """Nodes per second; 0 if unknown."""
        return self.timed_nodes / self.timed_seconds if self.timed_seconds else 0.0

    @property
    def median_time(self) -> float:
        """The median time of a move in seconds."""
        return median(self.move_times) if self.move_times else 0.0

    @property
    def longest_time(self) -> float:
        """The longest time of a move in seconds."""
        return max(self.move_times, default=0.0)

    def add(self, nodes: int | None, seconds: float) -> None:
        """Count a move."""
        self.moves += 1
        self.nodes += nodes or 0
        self.seconds += seconds
        if seconds:
            self.move_times.append(seconds)
            if nodes is not None:
                self.timed_nodes += nodes
                self.timed_seconds += seconds
