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
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gameplay.errors import EngineFault, Fault, GameplayError, Terminated, Usage
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

PATIENCE = 10.0  # seconds that a game written in Python may take for one call
LONGEST = 60.0  # seconds a move for a user engine without a time limit
GRACE, LEAST = 2.0, 0.5  # seconds of grace at most and at least, see `grace`
LATE = 0.25  # seconds of grace of a user engine that does not receive its limit
DEALT = 5  # moves of chance that are named as an example

Watch = Callable[[Report], object]  # called about twenty times a second; returning true ends the search
Trace = Callable[[TraceEvent], object]  # called with each step


def grace(seconds: float | None) -> float:
    """Seconds beyond a limit of `seconds`, or after a request to stop, until a player counts as hung.

    As long as the limit itself, LEAST to GRACE seconds; GRACE without a limit.
    """
    return GRACE if not seconds else min(GRACE, max(LEAST, seconds))


def chance_turn_message(position: AbstractPosition) -> str:
    """Why there is nothing to search where chance moves, and what could come first."""
    words: list[str] = []
    while position.outcome() is None and position.turn == CHANCE and len(words) < DEALT:
        move = position.moves()[0]
        words.append(position.format(move))
        position.make(move)
    dealt = position.turn != CHANCE
    for _ in words:
        position.unmake()
    first = f"make its moves first, such as {' '.join(words)}" if dealt else "make its moves first"
    return f"it is chance's turn, there is no decision to search: {first}"


class SearchMemory(Protocol):
    """What the searches of one game share: a transposition table, a tree, a solver, a strategy."""

    @property
    def bits(self) -> int:
        """Its size, as `table_bits` of the engine asked for it."""
        ...

    def new_search(self, keep: bool, /) -> None:
        """Another search begins, which uses what the last ones left only with `keep`."""
        ...


@dataclass(frozen=True)
class SearchSetup:
    """A position to search, and what the searches of it share."""

    position: AbstractPosition
    limit: Limit
    control: Control
    table: SearchMemory | None = None
    trace: Trace | None = None
    knowledge: "Sequence[Knowledge]" = ()


class Searched(Protocol):
    """The kernel of a search, or what stands for it."""

    @property
    def python(self) -> bool:
        """True for a game written in Python whose methods may hang."""
        ...


class Unwatched:
    """Stands for the kernel of a search that has none: its game is not watched."""

    python = False


class Search(Protocol):
    """What a session can run: a tree search, Monte Carlo, anything that thinks for a while.

    `search.root.RootSearch` has all of it but `run` and `report`.
    """

    @property
    def kernel(self) -> Searched: ...

    @property
    def nodes(self) -> int:
        """Positions visited: grows while it is alive."""
        ...

    most: int  # the limit of nodes, 0: none; beside it the `Control` says when to stop
    multipv: int  # candidates wanted at the root
    deepens: bool  # of an engine with a fixed depth: nodes or time are limited, see Limit
    helper: int  # 0: the search itself; 1, 2, ...: a helper on a separate thread
    helpers: "list[Search]"  # of the search itself: those
    shared: bool  # there are such threads

    def only(self, moves: tuple[int, ...]) -> None:
        """Search none but these at the root. Raises Usage where none of them is legal."""

    def listen(self, trace: Trace | None) -> None:
        """Call `trace` with each step."""

    def run(self, depth: int) -> None:
        """Search until done, `depth` plies at most, or until its `Control` says stop. On its own thread."""

    def check(self) -> None:
        """Raise what the game or a listener raised meanwhile, if `run` did not."""

    def report(self) -> Report:
        """What is known now; asked from another thread while `run` is at work."""


class OutsideSearch:
    """A search by a program or by user code: its position and its limit hold what it is asked.

    The session watches for its hanging. What it raises comes out by itself, and it cannot be traced.
    """

    helper = most = 0
    shared = deepens = False

    def __init__(self, move: int) -> None:
        """`move` is legal: it stands for the choice until there is one."""
        self.kernel = Unwatched()
        self.helpers: list[Search] = []
        self.nodes = 0
        self.latest = Report(move=move, pv=(move,), bound="unknown")

    def only(self, moves: tuple[int, ...]) -> None:
        pass

    def listen(self, trace: Trace | None) -> None:
        pass

    def check(self) -> None:
        pass

    def report(self) -> Report:
        """What it said last."""
        return self.latest


@runtime_checkable
class UserSearch(Protocol):
    """A search by user code: its move counts from the first report on, with or without a value."""

    named: bool  # it has reported a move


class SearchingEngine(Protocol):
    """What a session needs of an engine, see `gameplay.search.engine.Engine`."""

    @property
    def name(self) -> str: ...

    @property
    def place(self) -> str: ...

    @property
    def where(self) -> str: ...

    @property
    def executing(self) -> str: ...

    @property
    def heeds(self) -> bool: ...

    @property
    def keeps(self) -> bool: ...

    @property
    def endless(self) -> bool: ...

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

    def guide(self, position: AbstractPosition) -> str | None: ...

    def at_once(self, position: AbstractPosition, limit: Limit) -> Report: ...

    def searches(self, setup: SearchSetup) -> list[Search]: ...


class Session:
    """The searches of `engine`. `search` is its only call that takes time; any thread may `nudge`.

    One search at a time: a second one, of another thread or of a `watch`, raises Usage.
    """

    def __init__(self, engine: SearchingEngine) -> None:
        self.engine = engine
        self.knowledge: Sequence[Knowledge] = ()  # what searches ask inside the tree, see `search.probe`
        self.patience: float | None = None  # seconds that a user engine may take, see `_guard`
        self.interrupted = False  # Ctrl-C or `watch` ended the last search
        self._bell = threading.Event()
        self._searching = threading.Lock()
        self._table: SearchMemory | None = None
        self._game = False  # begin() was called: the table serves a whole game
        self._fresh = True  # ... and no search of that game has used it yet

    def begin(self) -> None:
        """A new game begins: from now on its searches build on each other, where the engine can."""
        self._game = self._fresh = True
        self.engine.begin()

    def nudge(self) -> None:
        """Have the `watch` of a search called now, from any thread: there is news for it."""
        self._bell.set()

    def table(self, nodes: int = 0, again: bool = False) -> SearchMemory | None:
        """The table for a new search of at most `nodes` positions (0: no limit); None if it is off.

        Empty, unless the engine keeps what it learned in this game, or the same position is searched `again`.
        A search that is limited to few nodes gets no more room than it can fill: small tables are fast.
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
        """One search on a position that no other thread uses."""
        engine = self.engine
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
        watched = nullcontext() if guard is None else supervisor.allowed(guard.seconds)
        kept = position.evaluation
        position.evaluation = engine.evaluation(position) or kept  # without an option eval: the position's
        guided, position.heuristic = position.heuristic, engine.guide(position)
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
        except (GameplayError, Terminated):
            raise
        except (Exception, SystemExit) as error:
            if engine.place and fence.culprit(error) == type(engine).__module__.partition(".")[0]:
                raise EngineFault(f"{engine.name} raised {fence.describe(error)}", "crash") from error
            raise
        finally:
            position.evaluation, position.heuristic = kept, guided

    def _guard(self, limit: Limit) -> "TimeoutGuard":
        """The time guard of a user engine: `patience`, or else the time of `limit`."""
        if self.patience is not None or limit.seconds is None:
            return TimeoutGuard(self.engine, LONGEST if self.patience is None else self.patience)
        spare = grace(limit.seconds) if self.engine.heeds else LATE
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
        """Ends the thread; what to say of it, with the line where the engine's own code is."""
        engine = self.engine
        place = engine.executing or watchdog.where_in(thread, type(engine).__module__.partition(".")[0])
        engine.abandon(thread)
        wait = f"in {self.seconds:.3g} s"
        if deaf:
            wait = f"{grace(self.limit):g} s after the stop request"
        elif self.limit:
            wait = f"in {self.limit:g} s, its time limit"
        advice = ""
        if self.limit and not engine.heeds and not deaf:
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

    def until_given_up() -> None:
        with suppress(watchdog.GivenUp):  # which may come when the search has just ended
            work()

    started = time.monotonic()
    seen, moved = -1, started
    watched = watch is not None

    def report() -> None:
        """Pass a report to `watch`, until it asks for a stop."""
        nonlocal watched
        if watched and watch is not None and watch(first.report().ended(engine, time.monotonic() - started)):
            control.halt("interrupted")
            watched = False

    try:
        thread = threads.start(until_given_up, "search")
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
                    elif now - moved > PATIENCE and first.kernel.python:
                        control.halt("hung")
                        raise Fault(_where(thread))
            except KeyboardInterrupt:
                control.reason = ""  # also of a search that does not heed its limit
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
    return first.report().ended(engine, time.monotonic() - started, control.reason, final=True)


def _reason(control: Control) -> str:
    """Why a search ended that was not halted."""
    if not control.stop:
        return "depth"
    if control.deadline and time.monotonic() >= control.deadline:
        return "time"
    return "nodes"


def _where(thread: threading.Thread) -> str:
    """The line of the game's code that does not come back."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and "gameplay/" in frame.f_code.co_filename.replace("\\", "/"):
        frame = frame.f_back
    if frame is None:
        return f"the game has not answered for {PATIENCE:g} seconds"
    code = frame.f_code
    return (
        f"{code.co_name}() has not returned for {PATIENCE:g} seconds "
        f"({code.co_filename}, line {frame.f_lineno})"
    )
