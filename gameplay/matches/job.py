"""One game of a match as plain data: what a worker needs to play it, and what came of it.

    Job    what to play. Everything random in it is a seed, so a job is the same in any process, at any time.
    play   plays it. A player's fault is a lost game, trouble of this machine a void one; never an exception.
    Done   what came of it.

Only the game's own code ends the whole run: it raises Fault.
"""

import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from gameplay import registry
from gameplay.errors import Fault, GameplayError
from gameplay.matches.match import RULES, Match
from gameplay.matches.plan import Adjudication
from gameplay.players import seats
from gameplay.players.player import Choice, Player
from gameplay.search.limit import Limit
from gameplay.store.record import Record, record_of

PLIES = 5_000  # no game may take longer: a game that turns in circles never ends

VOID = "void"  # not counted; the same game is played again as the next attempt
LOSSES = ("crash", "hang", "time_forfeit", "illegal_move", "protocol_error")  # ... of the offender
START = "start"  # a player that did not come up: void the first time, then a crash


class Seat(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat: a player's spec, what it is called, its seed, and what limits its moves."""

    player: str
    name: str
    seed: int
    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: str = ""

    @property
    def limit(self) -> Limit | None:
        """What limits a move; None if only a clock does, or nothing."""
        return Limit(self.depth, self.nodes, self.time) or None


class Job(Struct, frozen=True, omit_defaults=True):
    """What to play. `first` is the seat on which the pairing's first player sits, so that leg 0 has 0."""

    pair: int
    leg: int
    attempt: int  # from 1
    game: str
    seats: tuple[Seat, ...]
    seed: int  # of the chance moves: the same in all legs of a pair
    start: str = ""
    moves: tuple[str, ...] = ()
    first: int = 0
    adjudicate: Adjudication | None = None
    margin: float = 0.05
    patience: float = 60.0


class Done(Struct, frozen=True, omit_defaults=True):
    """What came of a job.

    `record` is the same at every playing of the same job unless a clock or a limit of time had a say; the
    times of the plies, which never are, stand beside it. A void game has neither points nor payoffs.
    """

    pair: int
    leg: int
    attempt: int
    termination: str  # rules, resign, draw, exact, plies, one of LOSSES, or void
    record: Record | None = None  # None: nothing is known, the worker died
    points: float | None = None  # of the pairing's first player: 1, 0.5 or 0
    payoffs: tuple[float, ...] = ()  # by seat
    fault: str = ""  # what went wrong, in words
    offender: int | None = None  # the seat that did it
    seconds: float = 0.0  # wall time
    times: tuple[float, ...] = ()  # seconds of each ply; 0 where nobody thought
    trail: str = ""  # equal for games that are alike move for move with the same players on the same seats

    @property
    def counts(self) -> bool:
        """True if the game has a result."""
        return self.termination != VOID


class Offence(Exception):
    """A player's fault. Not a GameplayError: it ends a game and nothing else."""

    def __init__(self, seat: int, kind: str, words: str) -> None:
        super().__init__(words)
        self.seat = seat
        self.kind = kind


class Guarded:
    """A player whose faults carry his seat. `Fault.kind` tells a player's faults from the game's own."""

    def __init__(self, player: Player, seat: int) -> None:
        self.player = player
        self.seat = seat
        self.spec = player.spec
        self.name = player.name
        self.limit = getattr(player, "limit", None)
        self.engine = getattr(player, "engine", None)

    def choose(self, match: Match) -> Choice | None:
        """As the player does. Raises Offence."""
        try:
            choice = self.player.choose(match)
        except GameplayError as error:
            kind = getattr(error, "kind", "")
            if not kind:
                raise
            raise Offence(self.seat, kind, str(error)) from error
        if choice is not None and choice.move not in match.moves():
            words = f'{self.name} made an illegal move, {choice.move!r}, after "{" ".join(match.words())}"'
            raise Offence(self.seat, "illegal_move", words)
        return choice


def play(job: Job) -> Done:
    """Play a game. Raises Fault if the game's own code fails, or no end comes; Usage for a wrong player."""
    began = time.monotonic()
    game = registry.game(job.game)
    players: list[Guarded] = []
    match: Match | None = None
    try:
        for number, seat in enumerate(job.seats):
            players.append(Guarded(_player(seat, game, number), number))
        match = Match(game, players, job.start, job.moves, job.seed)
        match.listeners.append(_patient(match))
        match.play()
    except Offence as offence:
        return _lost(job, match, offence, time.monotonic() - began)
    except (OSError, MemoryError) as error:  # no process, no memory, no descriptor left: nobody's fault here
        words = f"{type(error).__name__}: {error}"
        return _done(job, match, VOID, time.monotonic() - began, fault=words)
    finally:
        for one in players:
            close = getattr(one.player, "close", None)
            if close is not None:
                close()
    assert match.payoffs is not None
    return _done(job, match, match.reason, time.monotonic() - began, tuple(match.payoffs))


def _player(seat: Seat, game: Any, number: int) -> Player:
    try:
        return seats.player(seat.player, game, seat.seed, seat.limit)
    except GameplayError as error:
        kind = getattr(error, "kind", "")
        if not kind:
            raise
        raise Offence(number, kind, str(error)) from error


def _patient(match: Match) -> Callable[[Any], None]:
    def listen(event: Any) -> None:
        if len(match.turns) > PLIES:
            raise Fault(
                f"{match.game.name} has not ended after {PLIES:,} plies: its rules must end it at some time"
            )

    return listen


def _lost(job: Job, match: Match | None, offence: Offence, seconds: float) -> Done:
    kind = offence.kind
    if kind == START:
        kind = VOID if job.attempt == 1 else "crash"
    payoffs: tuple[float, ...] = ()
    if kind != VOID:
        others = len(job.seats) - 1
        payoffs = tuple(-1 if n == offence.seat else 1 / others for n in range(len(job.seats)))
    return _done(job, match, kind, seconds, payoffs, str(offence), offence.seat)


def _done(
    job: Job,
    match: Match | None,
    termination: str,
    seconds: float,
    payoffs: tuple[float, ...] = (),
    fault: str = "",
    offender: int | None = None,
) -> Done:
    record: Record | None = None
    times: tuple[float, ...] = ()
    trail = ""
    if match is not None:
        if termination != RULES:
            match.payoffs, match.reason = payoffs or None, termination
        record = record_of(match, times=clocked(job, match.players))
        times = tuple(round(turn.report.seconds, 6) if turn.report else 0.0 for turn in match.turns)
        trail = trail_of(job.first, match.start, match.words())
    points = None
    if payoffs:
        points = points_of(payoffs, job.first)
    return Done(
        job.pair, job.leg, job.attempt, termination, record, points, payoffs, fault, offender,
        round(seconds, 6), times, trail,
    )  # fmt: skip


def clocked(job: Job, players: Sequence[Any]) -> bool:
    """True if a clock has a say in the game, so that it need not come out alike when played again."""
    position = registry.game(job.game).new()
    for seat, player in zip(job.seats, players, strict=True):
        limit, engine = getattr(player, "limit", None), getattr(player, "engine", None)
        if limit is not None and engine is not None:
            limit = engine.default_limit(position, limit)
        if seat.clock or (limit is not None and limit.seconds is not None):
            return True
    return False


def points_of(payoffs: tuple[float, ...], seat: int) -> float:
    """1, 0.5 or 0: whether that seat has more than the best of the others, as much, or less."""
    mine = payoffs[seat]
    best = max(pay for number, pay in enumerate(payoffs) if number != seat)
    return 1.0 if mine > best else 0.0 if mine < best else 0.5


def trail_of(first: int, start: str, words: list[str]) -> str:
    """16 hex digits of the moves and of who made them."""
    return blake2b("\0".join([str(first), start, *words]).encode(), digest_size=8).hexdigest()
