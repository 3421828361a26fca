"""Custom code that hangs becomes one line."""

import re
import signal
import threading
from types import SimpleNamespace

import pytest

from gameplay.errors import Fault
from gameplay.usercode import watchdog
from gameplay.usercode.watchdog import GivenUp, end, patience, where_in

pytestmark = pytest.mark.once


def forever() -> None:
    while True:
        pass


def stubborn() -> None:
    while True:
        try:
            forever()
        except Exception:
            continue


@pytest.mark.parametrize("hang", [forever, stubborn])
def test_code_that_hangs_is_a_fault(hang):
    with (
        pytest.raises(Fault, match=r"^moves\(\) did not come back within 0\.05 seconds$"),
        patience(0.05, "moves()"),
    ):
        hang()


def test_returning_code_is_not_interrupted():
    before = signal.getsignal(signal.SIGALRM)
    with patience(0.05, "moves()"):
        result = sum(range(10))
    assert result == 45
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_exceptions_of_watched_code_propagate():
    with pytest.raises(ZeroDivisionError), patience(1, "moves()"):
        1 / 0  # noqa: B018
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_outer_patience_holds_again_after_the_inner():
    with pytest.raises(Fault, match="outer"), patience(0.05, "outer"):
        with patience(10, "inner"):
            pass
        forever()


def test_the_inner_patience_ends_before_the_outer():
    with patience(10, "outer"), pytest.raises(Fault, match="inner"), patience(0.05, "inner"):
        forever()


def test_another_thread_waits_for_ever():
    came_back = []

    def work():
        with patience(0.01, "moves()"):
            threading.Event().wait(0.05)
        came_back.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert came_back == [True]


def test_a_thread_is_found_in_a_module_and_ended(tmp_path):
    """Where it is: the innermost line of that module, whatever is called from there."""
    lines = ("def run(wait):", " try:", "  begun.set()", "  while True:", "   wait(0.01)")
    source = "\n".join([*lines, " except BaseException as error:", "  begun.error = error"])
    (tmp_path / "whose.py").write_text(source)
    begun = threading.Event()
    names = {"__name__": "mine.inner", "begun": begun}
    exec(compile(source, str(tmp_path / "whose.py"), "exec"), names)
    thread = threading.Thread(target=names["run"], args=(threading.Event().wait,), daemon=True)
    thread.start()
    begun.wait()
    place = where_in(thread, "mine")
    assert re.fullmatch(r" \(whose\.py, line [345]\)", place)
    assert where_in(thread, "inner") == where_in(thread, "mine.inner") == ""
    end(thread)
    assert not thread.is_alive() and isinstance(begun.error, GivenUp)
    assert where_in(thread, "mine") == "", "it is nowhere any more"


def test_nested_watchdogs_keep_the_outer_deadline(monkeypatch):
    """The inner one holds while it lasts; then the outer one, which is overdue, ends its code."""
    now = [100.0]
    monkeypatch.setattr("gameplay.usercode.watchdog.time.monotonic", lambda: now[0])
    with pytest.raises(Fault, match="outer did not come back within 3 seconds"), patience(3, "outer"):
        with patience(10, "inner"):
            now[0] = 105.0
            watchdog._ring(signal.SIGALRM, None)
        watchdog._ring(signal.SIGALRM, None)


def test_a_thread_that_does_not_end_is_left_after_a_second():
    waited = []
    stubborn = SimpleNamespace(ident=None, join=waited.append, is_alive=lambda: True)
    end(stubborn)
    assert waited == [0.05] * 20


def test_previous_alarm_and_its_handler_are_restored():
    def theirs(number, frame):
        pass

    before = signal.signal(signal.SIGALRM, theirs)
    due = signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with patience(100_000, "outer"):
            ours = signal.getsignal(signal.SIGALRM)
            assert ours is not theirs
            with patience(10, "inner"):
                assert signal.getsignal(signal.SIGALRM) is ours
            assert signal.getsignal(signal.SIGALRM) is ours
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 10, "the alarm of the inner one"
            with patience(50, "inner"), patience(1, "innermost"):
                assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1
            watchdog._ring(signal.SIGALRM, None)
            assert 10 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100_000, "the outer goes on"
        assert signal.getsignal(signal.SIGALRM) is theirs
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, *due)
        signal.signal(signal.SIGALRM, before)


def test_early_alarm_does_nothing():
    assert watchdog._waiting == [] and watchdog._ring(signal.SIGALRM, None) is None
    with patience(10, "moves()") as inner:
        assert watchdog._ring(signal.SIGALRM, None) is None
        inner.ends = 0.0
        with pytest.raises(watchdog._Overtime) as rung:
            watchdog._ring(signal.SIGALRM, None)
        assert rung.value.args == (inner,)
    assert watchdog._waiting == [] and watchdog._before == []


def test_watchdog_without_alarm_waits_forever(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    with patience(0.01, "moves()") as waiting:
        assert waiting.able is False and watchdog._waiting == []
