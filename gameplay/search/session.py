"""Runs the searches of one engine, one at a time, each on a worker thread.

The calling thread passes reports to `watch`, enforces the deadline and maps Ctrl-C to the stop flag of the
`Control`. A session is independent of the search algorithm: it only requests reports. State shared by the
searches of one game, such as the transposition table, is kept here.

A search works on a copy of the caller's position, so that any number of threads may search one position at
once, each with a session, and read it meanwhile. Two threads cannot search in one session at once: the second
gets a Usage error.
"""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import msgspec

from gameplay.catalogue import name_of
from gameplay.errors import BrokenContract, EngineFault, Fault, GameplayError, Terminated, Usage
from gameplay.position import CHANCE, AbstractEvaluation, AbstractPosition, twin
from gameplay.search import threads
from gameplay.search.control import INTERVAL, Control
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.trace import TraceEvent
from gameplay.usercode import fence, supervisor, watchdog
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge

CALL_TIMEOUT = 10.0  # seconds that a game written in Python may take for one call
DEFAULT_MOVE_TIME = 60.0  # seconds a move for a user engine without a time limit
MAX_GRACE, MIN_GRACE = 2.0, 0.5  # seconds of grace at most and at least, see `grace`
UNLIMITED_ENGINE_GRACE = 0.25  # seconds of grace of a user engine that does not receive its limit
MAX_EXAMPLES = 5  # chance outcomes listed as examples

Watch = Callable[[Report], object]  # called about twenty times a second; returning true ends the search
Trace = Callable[[TraceEvent], object]  # called with each step


def grace(seconds: float | None) -> float:
    """Seconds beyond a limit of `seconds`, or after a request to stop, until a player counts as hung.

    As long as the limit itself, MIN_GRACE to MAX_GRACE seconds; MAX_GRACE without a limit.
    """
    return MAX_GRACE if not seconds else min(MAX_GRACE, max(MIN_GRACE, seconds))


def chance_turn_message(position: AbstractPosition) -> str:
    """The error for a search at a chance node, with example outcomes."""
    words: list[str] = []
    while position.outcome() is None and position.turn == CHANCE and len(words) < MAX_EXAMPLES:
        move = position.moves()[0]
        words.append(position.format(move))
        position.make(move)
    dealt = position.turn != CHANCE
    for _ in words:
        position.unmake()
    first = f"make its moves first, such as {' '.join(words)}" if dealt else "make its moves first"
    return f"it is chance's turn, there is no decision to search: {first}"


class SearchMemory(Protocol):
    """The memory shared by the searches of one game: a transposition table, a tree, a solver, a strategy."""

    @property
    def bits(self) -> int:
        """Its size, `table_bits` of the engine."""
        ...

    def new_search(self, keep: bool, /) -> None:
        """Begin a search; its entries of earlier searches stay visible only with `keep`."""
        ...

    def make_resident(self) -> None:
        """Use all of its memory once, since the first use of new memory is slow."""
        ...


class SearchSetup(msgspec.Struct, frozen=True):
    """A position to search, and the state that its searches share."""

    position: AbstractPosition
    limit: Limit
    control: Control
    table: SearchMemory | None = None
    trace: Trace | None = None
    knowledge: "Sequence[Knowledge]" = ()


class Searched(Protocol):
    """The kernel of a search, or a substitute."""

    @property
    def python(self) -> bool:
        """True for a game written in Python whose methods may hang."""
        ...


class Unwatched:
    """Substitute of the kernel of a search that has none: calls of the game have no timeout."""

    python = False


class Search(Protocol):
    """A search that a session can run.

    `search.root.RootSearch` implements all members except `run` and `report`.
    """

    @property
    def kernel(self) -> Searched: ...

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        ...

    node_limit: int  # 0: none
    multipv: int  # candidates wanted at the root
    deepens: bool  # an engine with a fixed depth deepens iteratively, see Limit
    helper: int  # 0: the search itself; 1, 2, ...: a helper on a separate thread
    helpers: "list[Search]"  # the helpers of the search itself
    shared: bool  # there are helpers

    def restrict_moves(self, moves: tuple[int, ...]) -> None:
        """Search only these moves at the root. Raises Usage if none of them is legal."""

    def set_trace(self, trace: Trace | None) -> None:
        """Call `trace` with each step."""

    def run(self, depth: int) -> None:
        """Search to at most `depth` plies, until done or stopped. Runs on a worker thread."""

    def check(self) -> None:
        """Reraise an exception of the game or of `trace` that `run` did not raise."""

    def report(self) -> Report:
        """The current report; called from another thread while `run` is running."""


class OutsideSearch:
    """A search by an external program or user code, which gets the position and the limit.

    The session detects when it hangs. Exceptions propagate from `run`; it cannot be traced.
    """

    helper = node_limit = 0
    shared = deepens = False

    def __init__(self, move: int) -> None:
        """`move`: a legal move to report until the search has one."""
        self.kernel = Unwatched()
        self.helpers: list[Search] = []
        self.nodes = 0
        self.latest = Report(move=move, pv=(move,), bound="unknown")

    def restrict_moves(self, moves: tuple[int, ...]) -> None:
        pass

    def set_trace(self, trace: Trace | None) -> None:
        pass

    def check(self) -> None:
        pass

    def report(self) -> Report:
        """The last report."""
        return self.latest


@runtime_checkable
class UserSearch(Protocol):
    """A search by user code: its move counts from the first report on, with or without a value."""

    named: bool  # it has reported a move


class SearchingEngine(Protocol):
    """The interface of an engine that a session uses, see `gameplay.search.engine.Engine`."""

    @property
    def name(self) -> str: ...

    @property
    def place(self) -> str: ...

    @property
    def where(self) -> str: ...

    @property
    def executing(self) -> str: ...

    @property
    def respects_limits(self) -> bool: ...

    @property
    def keeps(self) -> bool: ...

    @property
    def anytime(self) -> bool: ...

    @property
    def simulates(self) -> bool: ...

    @property
    def instant(self) -> bool: ...

    @property
    def table_bits(self) -> int: ...

    @property
    def sources(self) -> "Callable[[AbstractPosition], Sequence[Knowledge]] | None": ...

    def begin(self) -> None: ...

    def abandon(self, thread: threading.Thread) -> None: ...

    def new_table(self, bits: int) -> SearchMemory: ...

    def check(self, position: AbstractPosition) -> None: ...

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit: ...

    def evaluation(self, position: AbstractPosition) -> AbstractEvaluation | None: ...

    def heuristic_for(self, position: AbstractPosition) -> str | None: ...

    def at_once(self, position: AbstractPosition, limit: Limit) -> Report: ...

    def searches(self, setup: SearchSetup) -> list[Search]: ...


class Session:
    """The searches of `engine`, one at a time: a second one (another thread, or `watch`) raises Usage.

    Only `search` takes time. Any thread may call `nudge`.
    """

    def __init__(self, engine: SearchingEngine) -> None:
        self.engine = engine
        self.knowledge: Sequence[Knowledge] = ()  # sources that searches probe, see `search.probe`
        self.hang_timeout: float | None = None  # in seconds, of a user engine; see `_guard`
        self.interrupted = False  # Ctrl-C or `watch` ended the last search
        self._bell = threading.Event()
        self._searching = threading.Lock()
        self._table: SearchMemory | None = None
        self._game = False  # begin() was called: the table serves a whole game
        self._fresh = True  # ... and no search of that game has used it yet

    def begin(self) -> None:
        """Begin a new game: its searches share the table if the engine `keeps` it."""
        self._game = self._fresh = True
        self.engine.begin()

    def reserve(self) -> None:
        """Allocate the table before the first search, whose time limit would include it otherwise.

        Does nothing during a search.
        """
        if (
            self._table is not None
            or not self.engine.table_bits
            or not self._searching.acquire(blocking=False)
        ):
            return
        try:
            self._table = self.engine.new_table(self.engine.table_bits)
            self._table.make_resident()
        finally:
            self._searching.release()

    def close(self) -> None:
        """Release the table: the next session reuses its memory."""
        self._table = None

    def nudge(self) -> None:
        """Call the `watch` of the current search at once. Thread-safe."""
        self._bell.set()

    def table(self, nodes: int = 0, again: bool = False) -> SearchMemory | None:
        """The table for a new search of at most `nodes` positions (0: no limit); None if it is off.

        Empty, unless the engine `keeps` it during the game or the same position is searched `again`. A small
        node limit gives a table of no more entries than the search can fill: small tables are fast.
        """
        bits = self.engine.table_bits
        if not bits:
            return None
        keep = self.engine.keeps and self._game
        if nodes:
            bits = min(bits, max(10, ((16 if keep else 2) * nodes).bit_length()))
        if self._table is None or self._table.bits != bits:
            self._table = self.engine.new_table(bits)
        self._table.new_search(again or (keep and not self._fresh))
        self._fresh = False
        return self._table

    def search(
        self,
        position: AbstractPosition,
        limit: Limit | None = None,
        watch: Watch | None = None,
        trace: Trace | None = None,
        again: bool = False,
        copy: bool = True,
    ) -> Report:
        """Choose a move for `position`, which is left unmodified.

        `watch(report)` is called about twenty times a second on the calling thread while another searches;
        returning true ends the search. Ctrl-C ends it as well: the best move so far is returned. `trace` is
        called with each step, on the thread that searches (see `search.trace`). `again`: the position is that
        of the last search, and this one continues with the contents of its table. `copy=False`: search on
        `position` itself, which no other thread may use until the search returns; without it a copy is
        searched (0.1 ms in most compiled games), and other threads may read `position` or search it too.
        Raises Usage if the engine cannot play the game, the game is over or the session is searching already,
        and whatever the game raises.
        """
        if not self._searching.acquire(blocking=False):
            raise Usage(
                f"this session of {self.engine.name} is searching already: one search at a time. "
                "Give each thread a session, or call engine.search(), which opens one"
            )
        try:
            own = twin(position) if copy else position
            return self._search(own, limit, watch, trace, again)
        finally:
            self._searching.release()

    def _search(
        self,
        position: AbstractPosition,
        limit: Limit | None,
        watch: Watch | None,
        trace: Trace | None,
        again: bool,
    ) -> Report:
        """One search of a position that no other thread uses."""
        engine = self.engine
        if not isinstance(position.unit, int) or position.unit < 1:
            name = name_of(position)
            raise Fault(f"{name}: unit is {position.unit!r}; expected a whole number from 1 up")
        engine.check(position)
        if position.outcome() is not None:
            raise Usage("the game is over: there is nothing to search")
        if position.turn == CHANCE:
            raise Usage(chance_turn_message(position))
        limit = Limit() if limit is None else limit
        if engine.sources is not None and not self.knowledge:
            self.knowledge = engine.sources(position)
        guard = self._guard(limit) if engine.place else None
        limit = engine.default_limit(position, limit)
        watched = nullcontext() if guard is None else supervisor.allow_seconds(guard.seconds)
        kept = position.evaluation
        position.evaluation = engine.evaluation(position) or kept  # without an option eval: the position's
        guided, position.heuristic = position.heuristic, engine.heuristic_for(position)
        try:
            if engine.instant:
                return engine.at_once(position, limit).ended(str(engine), 0.0, "depth", final=True)
            started = time.monotonic()
            control = Control(limit.nodes or 0, started + limit.seconds if limit.seconds else 0.0)
            table = self.table(control.nodes, again)
            setup = SearchSetup(position, limit, control, table, trace, self.knowledge)

            def opened() -> list[Search]:
                return engine.searches(setup)

            depth = limit.depth or MAX_PLY
            with watched:
                searches = opened() if guard is None else guard.call(opened)
                try:
                    return run(searches, control, depth, watch, str(engine), self._bell, guard)
                finally:
                    self.interrupted = control.reason == "interrupted"
        except BrokenContract as error:
            raise Fault(f"{name_of(position)}: {error}") from error
        except (GameplayError, Terminated):
            raise
        except (Exception, SystemExit) as error:
            if engine.place and fence.failing_module(error) == type(engine).__module__.partition(".")[0]:
                raise EngineFault(f"{engine.name} raised {fence.describe(error)}", "crash") from error
            raise
        finally:
            position.evaluation, position.heuristic = kept, guided

    def _guard(self, limit: Limit) -> "TimeoutGuard":
        """The time guard of a user engine: `hang_timeout`, or else the time of `limit`."""
        if self.hang_timeout is not None or limit.seconds is None:
            return TimeoutGuard(
                self.engine, DEFAULT_MOVE_TIME if self.hang_timeout is None else self.hang_timeout
            )
        spare = grace(limit.seconds) if self.engine.respects_limits else UNLIMITED_ENGINE_GRACE
        return TimeoutGuard(self.engine, limit.seconds + spare, limit.seconds)


class TimeoutGuard:
    """Stops waiting for a user engine that does not return within `seconds`.

    `limit` is the time limit that the caller set, 0 for none. On timeout, or if the engine ignores a stop
    request, its last reported move is played; if it has reported none, that is an EngineFault.
    """

    def __init__(self, engine: SearchingEngine, seconds: float, limit: float = 0.0) -> None:
        self.engine = engine
        self.seconds = seconds
        self.limit = limit
        self.began = time.monotonic()
        self.stopped = 0.0  # when a stop was requested

    def call(self, work: Callable[[], list[Search]]) -> list[Search]:
        """Run `work` on a separate thread; return or raise what it does. Raises EngineFault if it hangs.

        Where no thread can be started it runs on this one, and is waited for however long it takes.
        """
        found: list[list[Search]] = []
        failure: list[BaseException] = []

        def working() -> None:
            try:
                found.append(work())
            except BaseException as error:
                failure.append(error)

        thread = threads.start(working, "engine")
        if thread is None:
            return work()
        thread.join(self.seconds)
        if thread.is_alive():
            raise self.fault(thread)
        if failure:
            raise failure[0]
        return found[0]

    def gives_up(self, thread: threading.Thread, search: Search, control: Control) -> bool:
        """True if the last reported move is to be played now. Raises EngineFault if there is none."""
        now = time.monotonic()
        if control.stop and not self.stopped:
            self.stopped = now
        deaf = control.reason == "interrupted" and now - self.stopped > grace(self.limit)
        if not deaf and now - self.began <= self.seconds:
            return False
        named = search.named if isinstance(search, UserSearch) else search.report().bound != "unknown"
        if named and (deaf or self.limit):
            self.engine.abandon(thread)
            return True
        control.halt("hung")
        raise self.fault(thread, deaf)

    def fault(self, thread: threading.Thread, deaf: bool = False) -> EngineFault:
        """End the thread and return the error, with the current line of the engine's code."""
        engine = self.engine
        place = engine.executing or watchdog.locate(thread, type(engine).__module__.partition(".")[0])
        engine.abandon(thread)
        wait = f"in {self.seconds:.3g} s"
        if deaf:
            wait = f"{grace(self.limit):g} s after the stop request"
        elif self.limit:
            wait = f"in {self.limit:g} s, its time limit"
        advice = ""
        if self.limit and not engine.respects_limits and not deaf:
            advice = ": give its function a parameter limit, which holds the time left"
        return EngineFault(f"{engine.name} has not moved {wait}{advice}{place or engine.where}", "hang")


def run(
    searches: list[Search],
    control: Control,
    depth: int,
    watch: Watch | None,
    engine: str,
    bell: threading.Event,
    guard: TimeoutGuard | None = None,
) -> Report:
    """Run a search to `depth` plies and return its last report; its seconds are those of the search alone.

    The first of `searches` is the search; the others help it through shared state, each on a separate thread,
    and end with it. Setting the `bell` makes it call `watch` at once. Raises what the game raised, Fault when
    a method of a game written in Python does not return, and what the `guard` of an engine raises.
    """
    first, *helpers = searches
    done = abandoned = False
    failure: list[BaseException] = []

    def work() -> None:
        nonlocal done
        try:
            first.run(depth)
            first.check()
        except BaseException as error:
            failure.append(error)
        finally:
            done = True
            bell.set()

    def run_until_abandoned() -> None:
        with suppress(watchdog.Abandoned):  # it may be raised just after the search has ended
            work()

    started = time.monotonic()
    seen, moved = -1, started
    watched = watch is not None

    def report() -> None:
        """Pass a report to `watch`, until it requests a stop."""
        nonlocal watched
        if watched and watch is not None and watch(first.report().ended(engine, time.monotonic() - started)):
            control.halt("interrupted")
            watched = False

    try:
        thread = threads.start(run_until_abandoned, "search")
        others = [threads.start(partial(helper.run, depth), "helper") for helper in helpers]
        if thread is None:
            control.set_callback(report)
            work()
            control.set_callback(None)
            failure[:0] = [control.error] if control.error is not None else []
            if failure and isinstance(failure[0], KeyboardInterrupt):
                failure.clear()
                control.halt("interrupted")
        while thread is not None and not done and not abandoned:
            try:
                while True:
                    bell.wait(INTERVAL)
                    bell.clear()
                    if done:
                        break
                    now = time.monotonic()
                    if control.deadline and now >= control.deadline:
                        control.halt("time")
                    if guard is not None and guard.gives_up(thread, first, control):
                        abandoned = True
                        break
                    report()
                    if first.nodes != seen:
                        seen, moved = first.nodes, now
                    elif now - moved > CALL_TIMEOUT and first.kernel.python:
                        control.halt("hung")
                        raise Fault(_where(thread))
            except KeyboardInterrupt:
                control.reason = ""  # also of a search that ignores its limit
                control.halt("interrupted")
    finally:  # Ctrl-C may come before the loop: no thread goes on without its caller
        if not control.reason:
            control.reason = _reason(control)
        control.stop = True
    for other in others:
        if other is not None:
            other.join()
    if failure and not abandoned:
        raise failure[0]
    last = first.report()
    reason = "proven" if last.exact and control.reason == "depth" else control.reason
    return last.ended(engine, time.monotonic() - started, reason, final=True)


def _reason(control: Control) -> str:
    """The reason why a search ended that was not stopped."""
    if not control.stop:
        return "depth"
    if control.deadline and time.monotonic() >= control.deadline:
        return "time"
    return "nodes"


def _where(thread: threading.Thread) -> str:
    """The error for a hanging game, with the current line of its code."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and "gameplay/" in frame.f_code.co_filename.replace("\\", "/"):
        frame = frame.f_back
    if frame is None:
        return f"the game has not answered for {CALL_TIMEOUT:g} seconds"
    code = frame.f_code
    return (
        f"{code.co_name}() has not returned for {CALL_TIMEOUT:g} seconds "
        f"({code.co_filename}, line {frame.f_lineno})"
    )
