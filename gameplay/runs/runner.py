"""Plays the missing games of a run: submits jobs to the workers, stores results, and decides when to stop.

games      are created lazily in the order of the schedule; a void one is repeated, up to MAX_ATTEMPTS times
commits    one transaction for all games that finish within COMMIT_INTERVAL
SPRT       ends the run as soon as it is decided (see `standing`); games of later pairs do not count
faults     the run ends if a player fails too often, or if the game's code fails
the disk   if games cannot be stored, no new ones start; finished ones stay in memory while storing is
           retried, and are finally written to a separate file
signals    Ctrl-C ends the run at once; games in progress are played again when it is resumed
"""

import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from gameplay.errors import BadInput, GameplayError, TryLater
from gameplay.runs.job import LOSSES, VOID, GameResult, Job, void_result
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import BatchResult, WorkerPool

COMMIT_INTERVAL = 0.1  # seconds
TICK = 0.02  # seconds between two checks of signals, deadlines and requests to stop
STOP_POLL = 0.5  # seconds between two queries for a stop request
MAX_ATTEMPTS = 3  # void games of one pair and leg before it is left out
STOP_GRACE = 1.5  # seconds that running games have to finish once the run has failed or is decided
BATCH_BELOW = 0.02  # seconds; shorter games are submitted in batches
BATCH_SECONDS = 0.05  # target duration of a batch
MAX_BATCH = 64  # games in a batch
MAX_RETRIES = 7  # of storing games: after COMMIT_INTERVAL, then with doubled intervals

COMPLETE = "complete"  # every game is played
DECIDED = "decided"  # the SPRT accepted a hypothesis
STOPPED = "stopped"  # stopped on request
INTERRUPTED = "interrupted"  # by a signal
FAILED = "failed"  # a player failed too often
INCOMPLETE = "incomplete"  # some games had no result at any attempt

AFTER_STOP, QUARANTINED = "after_stop", "quarantined"  # states of games that do not count

Finished = tuple[Job, GameResult]
ByState = Sequence[tuple[str | None, Sequence[Finished]]]  # games by the state to store, see `Keeper`


class Keeper(Protocol):
    """Stores finished games."""

    def keep(self, played: Sequence[Finished], state: str | None = None) -> None:
        """Store games, all or none; `state` None: by their result. Raises TryLater or OSError."""
        ...

    def stop_requested(self) -> bool:
        """True if the run should end after the games in progress."""
        ...

    def emergency(self, played: ByState) -> str:
        """Write games that cannot be stored somewhere else; returns a description of the place."""
        ...


class Listener(Protocol):
    """Receives the events of a run."""

    def games_stored(self, played: Sequence[Finished], standing: Standing) -> object:
        """Called with stored games, void ones included. If true, the run ends after the games in progress."""
        ...

    def print_line(self, message: str) -> None:
        """Print a line that must be shown."""
        ...


@dataclass(eq=False)
class Runner:
    """Plays one run to its end: `Runner(...).run()`.

    `settled`: pairs and legs that have a result; `voids`: the number of void games of each. Afterwards
    `reason` is one of the constants above, `message` explains it, and `number` is that of a signal.
    """

    schedule: Schedule
    standing: Standing
    workers: WorkerPool
    keeper: Keeper
    listener: Listener
    settled: set[tuple[int, int]] = field(default_factory=set)
    voids: Counter[tuple[int, int]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.offences: Counter[str] = Counter()
        self.quarantined = 0
        self.reason = ""
        self.message = ""
        self.number = 0
        self._error: GameplayError | None = None
        self._signals: list[int] = []
        self._to_repeat: deque[Job] = deque()  # to repeat, each outside of a batch
        self._next = (0, 0)  # position in the schedule: index of the pair, leg
        self._in_flight = 0  # games in progress
        self._finished: list[Finished] = []  # not yet stored
        self._seconds = 0.0  # moving average of a game's duration
        self._deadline: float | None = None  # when games in progress are abandoned
        self._committed = self._polled = 0.0
        self._tries = 0
        self._retry = 0.0

    def run(self) -> str:
        """Play until the end; returns `reason`. Closes the workers in any case.

        Raises the error of the game's code after finished games were stored, and TryLater if games could not
        be stored.
        """
        if self.standing.last is not None:
            self.reason = DECIDED
            self.workers.close()
            return self.reason
        try:
            with self._record_signals():
                self._play()
        finally:
            self.workers.close()
        if self._error is not None:
            raise self._error
        if not self.reason:
            self.reason = INCOMPLETE if self.quarantined else COMPLETE
        return self.reason

    @property
    def is_complete(self) -> bool:
        """True if no game is missing, which is possible even for a failed run."""
        places = ((n, leg) for n, pair in enumerate(self.standing.pairs) for leg in range(pair.legs))
        return all(place in self.settled for place in places) and not self.standing.extend_pairs()

    # -- inside ------------------------------------------------------------------------------

    def _play(self) -> None:
        while True:
            self._poll_requests()
            self._fill()
            if not self._in_flight and not self._finished and (self._is_ending or not self._due()):
                return
            if self._in_flight:
                self._wait()
                self._fill()  # before storing games: workers need not wait for the disk
            elif self._tries:
                time.sleep(TICK)
            now = time.monotonic()
            if self._deadline is not None and now >= self._deadline:
                self._in_flight = 0
            if self._finished and (now - self._committed >= COMMIT_INTERVAL or not self._in_flight):
                self._keep(now)

    def _wait(self) -> None:
        stopping = self.number or self._signals  # then take only finished results
        try:
            for result in self.workers.wait(0.0 if stopping else TICK):
                self._process_result(result)
        except TryLater as error:  # the workers are unreachable: store what is finished
            self._error, self._in_flight = error, 0

    @property
    def _is_ending(self) -> bool:
        return bool(self.reason) or self._error is not None

    def _end(self, reason: str, message: str, wait: float | None = STOP_GRACE) -> None:
        """Start no new games; those in progress may finish within `wait` seconds (None: without a limit)."""
        if not self.reason:
            self.reason, self.message = reason, message
        if wait is not None:
            self._deadline = min(self._deadline or float("inf"), time.monotonic() + wait)

    def _poll_requests(self) -> None:
        """Process signals and stop requests."""
        while self._signals:
            self.number = self.number or self._signals[0]
            del self._signals[0]
            self._end(INTERRUPTED, "interrupted", 0.0)
        now = time.monotonic()
        if not self._is_ending and now - self._polled >= STOP_POLL:
            self._polled = now
            try:
                is_requested = self.keeper.stop_requested()
            except (TryLater, OSError):
                return
            if is_requested:
                self._end(STOPPED, "stopped on request", None)

    def _fill(self) -> None:
        while not self._is_ending and not self._signals and not self._tries and self.workers.free:
            jobs = self._batch()
            if not jobs:
                return
            try:
                self.workers.submit(jobs)
            except OSError as error:
                self._error = TryLater(f"no process can be started: {error.strerror or error}")
                self._deadline = time.monotonic() + STOP_GRACE
                return
            self._in_flight += len(jobs)

    def _batch(self) -> list[Job]:
        if self._to_repeat:
            return [self._to_repeat.popleft()]
        size = 1
        if 0 < self._seconds < BATCH_BELOW:
            size = max(1, min(MAX_BATCH, int(BATCH_SECONDS / self._seconds)))
        jobs: list[Job] = []
        while len(jobs) < size and self._due():
            pair, leg = self._next
            jobs.append(self.schedule.job(self.standing.pairs[pair], leg, self.voids[pair, leg] + 1))
            self._next = pair, leg + 1
        return jobs

    def _due(self) -> bool:
        """True if there is a game to play; sets `_next` to its position."""
        if self._to_repeat:
            return True
        pair, leg = self._next
        while True:
            pairs = self.standing.pairs
            if pair == len(pairs):
                if self._in_flight or self._finished or not self.standing.extend_pairs():
                    self._next = pair, 0
                    return False
                pairs = self.standing.pairs
            if leg == pairs[pair].legs:
                pair, leg = pair + 1, 0
            elif (pair, leg) in self.settled:
                leg += 1
            else:
                self._next = pair, leg
                return True

    def _process_result(self, result: BatchResult) -> None:
        """Process the result of a batch."""
        self._in_flight -= len(result.jobs)
        if result.lost:
            self._to_repeat.extend(result.jobs)
            return
        if result.died:
            self._finished += [(job, void_result(job, result.died)) for job in result.jobs]
            return
        self._finished += zip(result.jobs, result.done, strict=False)
        for done in result.done:
            self._seconds = 0.8 * self._seconds + 0.2 * done.seconds if self._seconds else done.seconds
        if result.error is not None and self._error is None:
            self._error = result.error
            self._deadline = time.monotonic()

    def _keep(self, now: float) -> None:
        """Store the finished games, then count them."""
        if now < self._retry:
            return
        try:
            for state, played in self._by_state():
                self.keeper.keep(played, state)
                stored = set(map(id, played))
                self._finished = [finished for finished in self._finished if id(finished) not in stored]
                self._count(played, state)
                if self.listener.games_stored(played, self.standing):
                    self._end(STOPPED, "stopped on request", None)
        except (TryLater, BadInput, OSError) as error:
            self._handle_store_error(error, now)
            return
        if self._tries:
            self.listener.print_line("games can be stored again")
        self._tries, self._committed = 0, now

    def _by_state(self) -> Iterator[tuple[str | None, list[Finished]]]:
        """The finished games by the state to store."""
        counted: list[Finished] = []
        after_stop: list[Finished] = []
        quarantined: list[Finished] = []
        for finished in self._finished:
            job, done = finished
            place = job.pair, job.leg
            if done.termination == VOID and self.voids[place] + 1 >= MAX_ATTEMPTS:
                quarantined.append(finished)
            elif done.counts and self.standing.last is not None and job.pair > self.standing.last:
                after_stop.append(finished)
            else:
                counted.append(finished)
        for state, played in ((None, counted), (AFTER_STOP, after_stop), (QUARANTINED, quarantined)):
            if played:
                yield state, played

    def _count(self, played: list[Finished], state: str | None) -> None:
        for job, done in played:
            place = job.pair, job.leg
            if state == QUARANTINED:
                self.quarantined += 1
                self.settled.add(place)
            elif not done.counts:
                self.voids[place] += 1
                again = self.schedule.job(self.standing.pairs[job.pair], job.leg, self.voids[place] + 1)
                self._to_repeat.append(again)
            else:
                self.settled.add(place)
                if state is None:
                    self._update_standing(job, done)

    def _update_standing(self, job: Job, done: GameResult) -> None:
        if done.claim and done.offender is not None and self.schedule.plan.strict:
            self._end(FAILED, f"{job.seats[done.offender].name}: {done.claim}")
        self.standing.add(job.pair, job.leg, done.payoffs)
        if self.standing.last is not None:
            self._end(DECIDED, "decided")
        if done.termination in LOSSES and done.termination != "time_forfeit" and done.offender is not None:
            name = job.seats[done.offender].name
            self.offences[name] += 1
            if self.offences[name] >= self.schedule.plan.faults:
                first = done.fault.partition("\n")[0]
                self._end(FAILED, f"{name} failed {self.offences[name]} times, the last time: {first}")

    def _handle_store_error(self, error: Exception, now: float) -> None:
        """Handle a failure to store games: schedule a retry, or write them elsewhere and raise."""
        message = str(error.strerror or error) if isinstance(error, OSError) else str(error)
        damaged = isinstance(error, BadInput)  # the store is damaged
        if not self._tries and not damaged:
            self.listener.print_line(f"{message}; no new games until the finished ones can be stored")
        self._tries += 1
        self._retry = now + COMMIT_INTERVAL * 2 ** (self._tries - 1)
        if self._tries > MAX_RETRIES or self.number or damaged:
            where = self.keeper.emergency(list(self._by_state()))
            kind = BadInput if damaged else TryLater
            raise kind(f"{message}; {len(self._finished)} finished games {where}")

    @contextmanager
    def _record_signals(self) -> Iterator[None]:
        """Record signals instead of raising; the loop polls them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        old: dict[int, Any] = {}
        for name in names:
            number = int(getattr(signal, name))
            old[number] = signal.signal(number, lambda number, frame: self._signals.append(number))
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
