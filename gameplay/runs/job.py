"""One game of a match as plain data: the job for a worker and its result.

    Job          a game to play; all randomness follows from its seeds, so it is reproducible in any process
    play         plays it; a fault of a player is a loss, a fault of this machine makes the game void
    GameResult   its result

`play` raises Fault only if the code of the game fails: that ends the run.
"""

import time
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gameplay import registry
from gameplay.errors import EngineFault, Fault
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import RESIGNED, RULES, TIME, UNFINISHED, Event, Listener, Match
from gameplay.players import seats
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, MatchControl, Player, Turn
from gameplay.players.ponder import PonderListener
from gameplay.runs.adjudication import RESIGN, Arbiter
from gameplay.runs.pairing import points
from gameplay.runs.plan import Adjudication
from gameplay.search.limit import Limit
from gameplay.store.jsonl import NORMAL_TERMINATIONS
from gameplay.store.record import Record, record_of
from gameplay.usercode import supervisor

if TYPE_CHECKING:
    from gameplay.registry import Game

MOVE_TIMEOUT = 60.0  # seconds per move without a clock
MAX_SUSPENDED = 1.0  # seconds of suspension of the machine that void a game with clocks
MAX_PLIES = 5_000  # of a game

VOID = "void"  # not counted; the game is repeated as the next attempt
LOSSES = ("crash", "hang", "time_forfeit", "illegal_move", "protocol_error")  # for the offender
START = "start"  # a player failed to start: void at the first attempt, then a crash


class Seat(Struct, frozen=True, omit_defaults=True):
    """A player at a seat: spec, name, seed and limits."""

    player: str
    name: str
    seed: int
    depth: int | None = None
    nodes: int | None = None
    sims: int | None = None
    time: float | None = None
    clock: str = ""

    @property
    def limit(self) -> Limit | None:
        """The limit of a move; None without one."""
        return Limit(self.depth, self.nodes, self.time, simulations=self.sims) or None


class Job(Struct, frozen=True, omit_defaults=True):
    """A game to play. `first`: the seat of the pairing's first player, 0 in leg 0."""

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
    patience: float = MOVE_TIMEOUT  # seconds per move without a clock
    deadline: float = 0.0  # seconds per game until its process counts as hung; 0: chosen by the workers

    @property
    def number(self) -> int:
        """The index of the game in its match, from 0."""
        return len(self.seats) * self.pair + self.leg


class GameResult(Struct, frozen=True):
    """The result of a job.

    `record` is reproducible unless a clock or time limit influenced the game; times are stored separately. A
    void game has neither points nor payoffs.
    """

    pair: int
    leg: int
    attempt: int
    termination: str  # rules, resign, draw, exact, plies, one of LOSSES, or void
    record: Record | None = None  # None: the worker died
    points: float | None = None  # of the pairing's first player: see `pairing.points`
    payoffs: tuple[float, ...] = ()  # by seat
    fault: str = ""  # the error; after a regular end a result that a program claimed against the rules
    offender: int | None = None  # the seat that caused it
    seconds: float = 0.0  # wall time
    times: tuple[float, ...] = ()  # seconds of each ply; 0 for chance
    moves_hash: str = ""  # equal for games with the same moves and seats

    @property
    def counts(self) -> bool:
        """True if the game has a result."""
        return self.termination != VOID

    @property
    def claim(self) -> str:
        """A result that a program claims against the rules; without consequence for the game."""
        return self.fault if self.termination in NORMAL_TERMINATIONS else ""


def play(job: Job) -> GameResult:
    """Play a game. Raises Fault if the game's code fails or never ends, Usage for an invalid player."""
    began, suspended_before = time.monotonic(), _suspended_seconds()
    game = registry.game(job.game)
    players: list[Player] = []
    match: Match | None = None
    claims: dict[int, str] = {}
    healthy = False
    try:
        for number, seat in enumerate(job.seats):
            players.append(_player(seat, game, number, job.patience))
        match = Match(game, players, job.start, job.moves, job.seed, clock=_clock(job))
        match.listeners.append(_guard(match))
        if job.adjudicate is not None:
            match.listeners.append(Arbiter(match, job.adjudicate))
        if any(seats.ponders_by_spec(seat.player) for seat in job.seats):
            bell = PonderListener()
            bell.match = match
            match.listeners.append(bell)
        match.play()
        healthy = match.reason != TIME
        if healthy:
            claims = _claims(match, players)
    except Fault as fault:
        if not fault.kind or fault.seat is None or _is_game_fault(fault, players):
            raise
        return _lost_result(job, match, fault, time.monotonic() - began)
    except (OSError, MemoryError) as error:  # out of processes, memory or descriptors: not a player's fault
        message = f"{type(error).__name__}: {error}"
        return _result(job, match, VOID, time.monotonic() - began, fault=message)
    finally:
        for seat, player in zip(job.seats, players, strict=False):
            _release(seat, job.game, player, healthy)
    suspended = _suspended_seconds() - suspended_before
    if suspended > MAX_SUSPENDED and any(seat.clock or seat.time is not None for seat in job.seats):
        return _result(
            job,
            match,
            VOID,
            time.monotonic() - began,
            fault=f"the machine slept for {suspended:.0f} s",
        )
    if match.reason == TIME:
        loser = match.payoffs.index(-1) if match.payoffs else None
        seconds = time.monotonic() - began
        return _result(job, match, "time_forfeit", seconds, match.payoffs or (), match.note, loser)
    termination = {RESIGNED: RESIGN, UNFINISHED: VOID}.get(match.reason, match.reason)
    seconds = time.monotonic() - began
    message = "; ".join(claims.values())
    return _result(
        job, match, termination, seconds, tuple(match.payoffs or ()), message, next(iter(claims), None)
    )


def _claims(match: Match, players: list[Player]) -> dict[int, str]:
    """The results that programs claim against the rules, by seat."""
    claims = {seat: player.contradiction(match) for seat, player in enumerate(players)}
    return {seat: message for seat, message in claims.items() if message}


def _suspended_seconds() -> float:
    """Seconds that this machine has been suspended since boot, if the system reports it."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


def _is_game_fault(fault: Fault, players: list[Player]) -> bool:
    """True if the game's code failed during the search of a built-in engine."""
    assert fault.seat is not None
    seen = len(players) > fault.seat and isinstance(players[fault.seat], EnginePlayer)
    return seen and fault.kind == "crash" and not isinstance(fault, EngineFault)


_idle: dict[tuple[str, Seat], list[Player]] = {}  # players that wait for their next game


def _player(seat: Seat, game: "Game", number: int, move_timeout: float) -> Player:
    waiting = _idle.get((game.spec, _without_seed(seat)))
    with suppress(IndexError):  # another thread may have been faster
        if waiting:
            player = waiting.pop()
            player.reseed(seat.seed)
            return player
    try:
        player = seats.player(seat.player, game, seat.seed, seat.limit)
        player.set_move_timeout(move_timeout)
        if isinstance(player, EnginePlayer) and player.engine.place:
            _announce_user_code(player, number)
        return player
    except Fault as fault:
        if fault.kind:
            fault.seat = number
        raise


def _announce_user_code(player: Player, seat: int) -> None:
    """Report to the worker's parent when this user engine's code runs, to attribute a hang to it."""
    choose = player.choose

    def announcing_choose(match: MatchControl) -> Choice | None:
        supervisor.set_running_seat(seat)
        try:
            return choose(match)
        finally:
            supervisor.set_running_seat(None)

    player.choose = announcing_choose  # type: ignore[method-assign]


def _release(seat: Seat, game: str, player: Player, healthy: bool) -> None:
    """Keep a reusable player for the next game if this one ended without a fault, else close it."""
    if healthy and player.reusable:
        player.stop_pondering()
        _idle.setdefault((game, _without_seed(seat)), []).append(player)
    else:
        player.close()


def _without_seed(seat: Seat) -> Seat:
    """The key for reusing a player: everything but the seed."""
    return structs.replace(seat, seed=0)


def close() -> None:
    """Close all idle players."""
    for waiting in _idle.values():
        for player in waiting:
            player.close()
    _idle.clear()


def _clock(job: Job) -> Clock | None:
    if not any(seat.clock for seat in job.seats):
        return None
    return Clock([parse_time_control(seat.clock) if seat.clock else None for seat in job.seats], job.margin)


def _guard(match: Match) -> Listener:
    """A listener that ends the game after MAX_PLIES, and on Ctrl-C, which only stops the search."""

    def listen(event: Event) -> None:
        report = match.turns[-1].report if match.turns else None
        if report is not None and report.stopped == "interrupted":
            raise KeyboardInterrupt
        if len(match.turns) > MAX_PLIES:
            raise Fault(
                f"{match.game.name} has not ended after {MAX_PLIES:,} plies; its rules must end every game"
            )

    return listen


def _lost_result(job: Job, match: Match | None, fault: Fault, seconds: float) -> GameResult:
    kind = fault.kind
    if kind == START:
        kind = VOID if job.attempt == 1 else "crash"
    payoffs: tuple[float, ...] = ()
    if kind != VOID:
        others = len(job.seats) - 1
        payoffs = tuple(-1 if seat == fault.seat else 1 / others for seat in range(len(job.seats)))
    message = "\n".join([str(fault), *fault.log])
    return _result(job, match, kind, seconds, payoffs, message, fault.seat)


def _result(
    job: Job,
    match: Match | None,
    termination: str,
    seconds: float,
    payoffs: tuple[float, ...] = (),
    fault: str = "",
    offender: int | None = None,
) -> GameResult:
    record: Record | None = None
    times: tuple[float, ...] = ()
    moves_hash = ""
    if match is not None:
        if termination != RULES:
            match.payoffs, match.reason = payoffs or None, termination
        record = record_of(match, times=False)
        times = tuple(_seconds(turn) for turn in match.turns)
        moves_hash = hash_moves(job.first, match.start, match.words())
    return GameResult(
        pair=job.pair,
        leg=job.leg,
        attempt=job.attempt,
        termination=termination,
        record=record,
        points=points(payoffs)[job.first] if payoffs else None,
        payoffs=payoffs,
        fault=fault,
        offender=offender,
        seconds=round(seconds, 6),
        times=times,
        moves_hash=moves_hash,
    )


def _seconds(turn: Turn) -> float:
    if turn.seconds is not None:
        return round(float(turn.seconds), 6)
    return round(float(turn.report.seconds), 6) if turn.report else 0.0


def void_result(job: Job, message: str) -> GameResult:
    """A void game without a record: its process died or hung."""
    return GameResult(job.pair, job.leg, job.attempt, VOID, fault=message)


def blamed_result(job: Job, message: str, seat: int, hung: bool) -> GameResult:
    """A game lost by a user engine whose code hung or ended its process."""
    fault = Fault(f"{job.seats[seat].name}: {message}", "hang" if hung else "crash")
    fault.seat = seat
    return _lost_result(job, None, fault, 0.0)


def is_timed(job: Job) -> bool:
    """True if a clock or a time limit influences the game, so that a repetition may differ."""
    game = registry.game(job.game)
    position = game.new()
    for seat in job.seats:
        if seat.clock or seat.time is not None or seats.ponders_by_spec(seat.player):
            return True
        player = seats.player(seat.player, game, seat.seed, seat.limit)
        if isinstance(player, EnginePlayer):
            limit = player.engine.default_limit(position, player.limit)
            if limit.seconds is not None:
                return True
    return False


def hash_moves(first: int, start: str, words: list[str]) -> str:
    """A hash of the moves and of the players' seats: 16 hex digits."""
    return blake2b("\0".join([str(first), start, *words]).encode(), digest_size=8).hexdigest()
