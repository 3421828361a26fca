"""A session that waits for a search: its reports, ends and timeouts. No real clock runs."""

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.errors import EngineFault, Fault, Usage
from gameplay.position import CHANCE
from gameplay.search import session
from gameplay.search import solver as solving
from gameplay.search.control import Control
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Report
from gameplay.search.session import Session, TimeoutGuard, chance_turn_message
from gameplay.usercode import watchdog
from gameplay.value import WIN

pytestmark = pytest.mark.once


def stub(where: str, respects_limits: bool = True) -> SimpleNamespace:
    """A stub of an engine that does not return."""
    return SimpleNamespace(
        name="mine",
        respects_limits=respects_limits,
        where=where,
        executing="",
        abandon=lambda thread: watchdog.stop_thread(thread),
    )


class Clock:
    """The clock of a session: it advances only by `tick`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Bell:
    """Rings at once, each time; `step` advances the clock after calling `then`."""

    def __init__(self, clock: Clock, step: float, then: Any) -> None:
        self.clock, self.step, self.then = clock, step, then
        self.waited: list[float] = []
        self.rung = threading.Event()

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.then(len(self.waited))
        self.clock.now += self.step

    def clear(self) -> None:
        self.rung.clear()

    def set(self) -> None:
        self.rung.set()


class Slow:
    """A search that runs until released, with `nodes` and `kernel` set by the test."""

    def __init__(self, python: bool = False) -> None:
        self.kernel = SimpleNamespace(python=python)
        self.nodes = 0
        self.let_go = threading.Event()
        self.ran: list[int] = []
        self.thread: Any = None
        self.checked = 0

    def run(self, depth: int) -> None:
        self.thread = threading.current_thread()
        self.ran.append(depth)
        self.let_go.wait()

    def check(self) -> None:
        self.checked += 1

    def report(self) -> Report:
        return Report(move=1, nodes=self.nodes)


def finish(search: Slow) -> None:
    """End the search; its thread has reported this on return."""
    while search.thread is None:
        time.sleep(0.001)
    search.let_go.set()
    search.thread.join()


def waited_for(
    search: Slow,
    control: Control,
    then: Any,
    watch: Any = None,
    step: float = 1.0,
    guard: Any = None,
    helpers: Any = (),
) -> tuple[Report, Bell]:
    clock = Clock()
    session.time = clock
    bell = Bell(clock, step, then)
    report = session.run([search, *helpers], control, 7, watch, "mine", bell)
    return report, bell


@pytest.fixture(autouse=True)
def clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "time", session.time)


@pytest.mark.parametrize(
    ("nodes", "deadline", "stop", "reason", "why"),
    [
        (0, 0.0, False, "", "depth"),
        (5, 0.0, True, "", "nodes"),
        (5, 999.0, True, "", "nodes"),
        (5, 102.0, True, "", "time"),
        (0, 0.0, True, "proven", "proven"),
        (0, 0.0, False, "proven", "proven"),
    ],
)
def test_stop_reason_is_reported_or_follows_from_the_limit(
    nodes: int, deadline: float, stop: bool, reason: str, why: str
) -> None:
    """It ends at 102 seconds on the clock, having begun at 100."""
    search, control = Slow(), Control(nodes, deadline)

    def then(number: int) -> None:
        if number == 2:
            control.stop, control.reason = stop, reason
            finish(search)

    report, bell = waited_for(search, control, then)
    assert (report.stopped, report.final, report.engine, report.seconds) == (why, True, "mine", 2.0)
    assert control.stop and bell.waited == [session.INTERVAL] * 2
    assert (search.ran, search.checked) == ([7], 1)


def test_reports_are_passed_on_until_watch_returns_true() -> None:
    search, control, seen = Slow(), Control(), []

    def then(number: int) -> None:
        search.nodes = 10 * number
        if number == 5:
            assert control.stop and control.reason == "interrupted"
            finish(search)

    def watch(report: Report) -> bool:
        seen.append((report.nodes, report.seconds, report.final, report.engine))
        return len(seen) == 2

    report, _ = waited_for(search, control, then, watch)
    assert seen == [(10, 1.0, False, "mine"), (20, 2.0, False, "mine")]
    assert report.stopped == "interrupted" and report.nodes == 50


def test_a_deadline_stops_a_search_when_it_is_reached() -> None:
    search, control, reports = Slow(), Control(0, 103.0), []

    def then(number: int) -> None:
        reports.append((control.stop, control.reason))
        if number == 5:
            finish(search)

    report, _ = waited_for(search, control, then)
    assert reports == [(False, "")] * 3 + [(True, "time")] * 2 and report.stopped == "time"


def test_ctrl_c_stops_a_search_that_has_been_stopped_before() -> None:
    search, control = Slow(), Control()

    def then(number: int) -> None:
        if number == 2:
            control.halt("time")
            raise KeyboardInterrupt
        if number == 4:
            finish(search)

    report, _ = waited_for(search, control, then)
    assert report.stopped == "interrupted" and report.seconds == 3.0


@pytest.mark.parametrize(
    ("python", "step", "looks", "fault"),
    [(True, 5.0, 6, False), (True, 5.1, 6, True), (False, 5.1, 7, False), (True, 4.0, 7, True)],
)
def test_python_game_that_hangs_for_ten_seconds_is_a_fault(
    python: bool, step: float, looks: int, fault: bool
) -> None:
    """It is polled at this interval; its nodes grow until the third poll, and it ends at the last."""
    search, control = Slow(python), Control()

    def then(number: int) -> None:
        search.nodes = min(number, 3)
        if number == looks:
            finish(search)

    if not fault:
        report, _ = waited_for(search, control, then, step=step)
        assert report.stopped == "depth"
        return
    with pytest.raises(Fault) as caught:
        waited_for(search, control, then, step=step)
    assert control.reason == "hung" and control.stop
    assert "() has not returned for 10 seconds (" in str(caught.value)
    finish(search)


def test_hang_outside_the_game_names_no_line() -> None:
    gone = threading.Thread(target=lambda: None)
    gone.start()
    gone.join()
    assert session._where(gone) == "the game has not answered for 10 seconds"


def test_helpers_run_too_and_are_waited_for() -> None:
    search, control, helper = Slow(), Control(), Slow()

    def then(number: int) -> None:
        helper.let_go.set()
        if number == 2:
            finish(search)

    waited_for(search, control, then, helpers=[helper])
    assert helper.ran == [7] and helper.checked == 0


def test_exceptions_of_a_search_propagate() -> None:
    search = Slow()
    search.check = lambda: 1 // 0
    with pytest.raises(ZeroDivisionError):
        waited_for(search, Control(), lambda number: finish(search))


# -- engines of somebody's own ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hang_timeout", "limit", "respects_limits", "given"),
    [
        (None, Limit(), True, (60.0, 0.0)),
        (None, Limit(nodes=5), False, (60.0, 0.0)),
        (None, Limit(seconds=3), True, (5.0, 3)),
        (None, Limit(seconds=3), False, (3.25, 3)),
        (7.0, Limit(seconds=3), True, (7.0, 0.0)),
        (7.0, Limit(), True, (7.0, 0.0)),
    ],
)
def test_custom_engine_has_its_time_and_a_margin(
    hang_timeout: float | None, limit: Limit, respects_limits: bool, given: tuple[float, float]
) -> None:
    session = Session(SimpleNamespace(respects_limits=respects_limits))
    session.hang_timeout = hang_timeout
    guard = session._guard(limit)
    assert (guard.seconds, guard.limit, guard.stopped) == (*given, 0.0)


@pytest.mark.parametrize(
    ("message", "reason", "stopped", "now", "limit", "outcome"),
    [
        (True, "", False, 105.0, 3.0, False),
        (True, "", False, 105.1, 3.0, True),
        (True, "", False, 105.1, 0.0, "mine has not moved in 5 s (here)"),
        (False, "", False, 105.1, 3.0, "mine has not moved in 3 s, its time limit (here)"),
        (False, "interrupted", True, 103.9, 3.0, False),
        (False, "interrupted", True, 104.1, 3.0, "mine has not moved 2 s after the stop request (here)"),
        (True, "interrupted", True, 104.0, 0.0, False),
        (True, "interrupted", True, 104.1, 0.0, True),
        (True, "time", True, 104.1, 3.0, False),
    ],
)
def test_hung_search_plays_its_last_report(
    message: bool,
    reason: str,
    stopped: bool,
    now: float,
    limit: float,
    outcome: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It began at 100 seconds with five to use; it was stopped at 102."""
    ended: list[Any] = []
    monkeypatch.setattr(watchdog, "stop_thread", ended.append)
    monkeypatch.setattr(watchdog, "locate", lambda thread, module: " (here)")
    clock = Clock()
    session.time = clock
    guard = TimeoutGuard(stub(" (there)"), 5.0, limit)
    control, thread, search = Control(), threading.current_thread(), SimpleNamespace()
    search.report = lambda: Report(bound="exact" if message else "unknown")
    clock.now = 102.0
    control.stop, control.reason = stopped, reason
    assert guard.gives_up(thread, search, control) is False and not ended
    clock.now = now
    if isinstance(outcome, bool):
        assert guard.gives_up(thread, search, control) is outcome
        assert ended == [thread] * outcome and control.reason == reason
        return
    with pytest.raises(EngineFault) as caught:
        guard.gives_up(thread, search, control)
    assert (str(caught.value), caught.value.kind, ended) == (outcome, "hang", [thread])
    assert control.stop and control.reason == (reason or "hung")


def test_engine_without_limit_argument_is_explained() -> None:
    def fault(limit: float, respects_limits: bool, deaf: bool = False) -> str:
        engine = stub(" (mine.py, line 3)", respects_limits)
        gone = threading.Thread(target=lambda: None)
        gone.start()
        gone.join()
        return str(TimeoutGuard(engine, 0.3333, limit).fault(gone, deaf))

    advice = ": give its function a parameter limit, which holds the time left"
    assert fault(0.0, False) == "mine has not moved in 0.333 s (mine.py, line 3)"
    assert fault(2.5, False) == f"mine has not moved in 2.5 s, its time limit{advice} (mine.py, line 3)"
    assert fault(2.5, True) == "mine has not moved in 2.5 s, its time limit (mine.py, line 3)"
    assert fault(2.5, False, True) == "mine has not moved 2 s after the stop request (mine.py, line 3)"


def test_work_runs_on_its_own_thread() -> None:
    engine = stub(" (there)")
    guard, long = TimeoutGuard(engine, 60.0), threading.Event()
    assert guard.call(lambda: [threading.current_thread().name]) == ["engine"]
    with pytest.raises(ZeroDivisionError):
        guard.call(lambda: [1 // 0])
    with pytest.raises(EngineFault, match=r"^mine has not moved in 0.01 s \(there\)$"):
        TimeoutGuard(engine, 0.01).call(lambda: [long.wait(0.2)])


# -- the table --------------------------------------------------------------------------------------


class RecordingEngine:
    """An engine with a table that records its calls."""

    def __init__(self, bits: int, keeps: bool) -> None:
        self.table_bits, self.keeps, self.sizes, self.calls = bits, keeps, [], []

    def begin(self) -> None:
        self.calls.append("begin")

    def new_table(self, bits: int) -> Any:
        self.sizes.append(bits)
        return SimpleNamespace(bits=bits, new_search=self.calls.append)


def test_a_table_is_no_larger_than_a_search_can_fill() -> None:
    """2n positions; 16n if later searches of the game reuse it."""
    recorder = RecordingEngine(20, True)
    session = Session(recorder)
    for nodes in (1, 511, 512, 1 << 17, 1 << 30, 0):
        session.table(nodes)
    assert recorder.sizes == [10, 11, 19, 20]
    session.begin()
    recorder.sizes.clear()
    for nodes in (63, 64, 65_535, 65_536):
        session.table(nodes)
    assert recorder.sizes == [10, 11, 20] and Session(RecordingEngine(0, True)).table() is None


def test_searches_of_a_game_share_state_if_the_engine_keeps_it() -> None:
    for keeps in (True, False):
        recorder = RecordingEngine(12, keeps)
        session = Session(recorder)
        for again in (False, True, False):
            session.table(0, again)
        session.begin()
        for again in (False, False, True):
            session.table(0, again)
        session.begin()
        session.table()
        results = [False, True, False, "begin", False, keeps, True, "begin", False]
        assert recorder.calls == results and recorder.sizes == [12]


def test_a_nudge_rings_the_bell_and_a_game_that_is_over_is_not_searched() -> None:
    session = Session(registry.engine("minimax")[0])
    session.nudge()
    assert (
        session._bell.is_set()
        and not session.interrupted
        and session.hang_timeout is None
        and session.knowledge == ()
    )
    with pytest.raises(Usage, match=r"^the game is over: there is nothing to search$"):
        session.search(registry.game("tictactoe").new("xxx/oo./..."))
    with pytest.raises(Usage, match=r"^it is chance's turn, .*: make its moves first, such as 12$"):
        Session(registry.engine("mcts")[0]).search(registry.game("backgammon").new())
    dealt = registry.game("kuhn").new()
    assert chance_turn_message(dealt).endswith(": make its moves first, such as J Q") and dealt.turn == CHANCE
    assert chance_turn_message(registry.game("bridge").new()).endswith(": make its moves first")


# -- searches in plain Python ------------------------------------------------------------------------


def test_a_plain_search_begins_with_its_first_move_and_stops_at_its_limit() -> None:
    position = registry.game("tictactoe").new("xo./.../...")
    control = Control(3, 0.0)
    whole = PlainSearch(position, Limit(multipv=2), control)
    assert whole.moves == position.moves() and whole.multipv == 2 and not whole.kernel.python
    first = whole.moves[0]
    assert whole.report() == Report(move=first, pv=(first,), bound="unknown")
    assert (whole.helper, whole.helpers, whole.deepens, whole.shared) == (0, [], False, False)
    for nodes, stopped in ((2, False), (3, True)):
        whole.nodes = nodes
        assert whole.stopped() is stopped is control.stop
    assert control.reason == "nodes"
    endless, reports = PlainSearch(position, Limit(), Control()), Control()
    endless.nodes = 10**9
    assert not endless.stopped()
    reports.stop = True
    assert PlainSearch(position, Limit(), reports).stopped()
    some = PlainSearch(position, Limit(moves=(99, first + 1, first)), reports)
    assert some.moves == [move for move in (first, first + 1) if move in position.moves()]
    with pytest.raises(Usage, match=r"^none of the moves to search, 98, 99, is legal here$"):
        PlainSearch(position, Limit(moves=(98, 99)), reports)
    with pytest.raises(NotImplementedError):
        whole.run(3)


# -- a solver by searches --------------------------------------------------------------------------------


def test_solver_counts_all_searches_and_stops_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[Any] = []
    results = [Report(value=3.0, nodes=40, exact=True), Report(value=-5, nodes=70)]
    results.append(Report(value=WIN - 3, nodes=1, stopped="proven"))
    stopped: list[bool] = []
    seen: list[int] = []
    counts: list[int] = []

    class Searches:
        def begin(self) -> None:
            requests.append("begin")

        def search(self, position: Any, limit: Limit, watch: Any, again: bool) -> Report:
            requests.append((limit, again))
            stopped.append(watch(Report(nodes=9)))
            seen.append(solver.nodes)
            return results.pop(0)

    monkeypatch.setattr(solving, "Session", lambda engine: Searches())
    solver = solving.TreeSolver("engine")
    assert (solver.nodes, solver.node_limit, solver.depth, solver.control) == (0, 0, None, None)
    assert solver.value(None) == 3 and solver.nodes == 40
    solver.node_limit, solver.depth, solver.control = 100, 6, Control()
    solver.callback = lambda report: counts.append(report.nodes)
    assert solver.value(None) is None and solver.nodes == 110
    solver.control.stop = True
    assert solver.value(None) == WIN - 3 and solver.nodes == 111
    limits = [Limit(seconds=10.0**9), Limit(depth=6, nodes=60), Limit(depth=6, nodes=1)]
    assert requests == ["begin", *[(limit, True) for limit in limits]]
    assert (stopped, seen, counts) == ([False, False, True], [9, 49, 119], [9, 9])
