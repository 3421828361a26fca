"""Custom code that hangs ends with a one-line error."""

import re
import signal
import threading
from types import SimpleNamespace

import pytest

from gameplay.errors import Fault
from gameplay.usercode import watchdog
from gameplay.usercode.watchdog import Abandoned, locate, stop_thread, time_limit

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
        pytest.raises(Fault, match=r"^moves\(\) did not return within 0\.05 seconds$"),
        time_limit(0.05, "moves()"),
    ):
        hang()


def test_returning_code_is_not_interrupted():
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(0.05, "moves()"):
        result = sum(range(10))
    assert result == 45
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_exceptions_of_watched_code_propagate():
    with pytest.raises(ZeroDivisionError), time_limit(1, "moves()"):
        1 / 0  # noqa: B018
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_outer_time_limit_holds_after_the_inner_one():
    with pytest.raises(Fault, match="outer"), time_limit(0.05, "outer"):
        with time_limit(10, "inner"):
            pass
        forever()


def test_the_inner_patience_ends_before_the_outer():
    with time_limit(10, "outer"), pytest.raises(Fault, match="inner"), time_limit(0.05, "inner"):
        forever()


def test_another_thread_waits_for_ever():
    came_back = []

    def work():
        with time_limit(0.01, "moves()"):
            threading.Event().wait(0.05)
        came_back.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert came_back == [True]


def test_a_thread_is_found_in_a_module_and_ended(tmp_path):
    """At the innermost line of that module, whatever is called from there."""
    lines = ("def run(wait):", " try:", "  begun.set()", "  while True:", "   wait(0.01)")
    source = "\n".join([*lines, " except BaseException as error:", "  begun.error = error"])
    (tmp_path / "whose.py").write_text(source)
    begun = threading.Event()
    names = {"__name__": "mine.inner", "begun": begun}
    exec(compile(source, str(tmp_path / "whose.py"), "exec"), names)
    thread = threading.Thread(target=names["run"], args=(threading.Event().wait,), daemon=True)
    thread.start()
    begun.wait()
    place = locate(thread, "mine")
    assert re.fullmatch(r" \(whose\.py, line [345]\)", place)
    assert locate(thread, "inner") == locate(thread, "mine.inner") == ""
    stop_thread(thread)
    assert not thread.is_alive() and isinstance(begun.error, Abandoned)
    assert locate(thread, "mine") == "", "it is nowhere any more"


def test_nested_watchdogs_keep_the_outer_deadline(monkeypatch):
    """The inner deadline holds while it lasts; then the outer one, which is overdue, ends its code."""
    now = [100.0]
    monkeypatch.setattr("gameplay.usercode.watchdog.time.monotonic", lambda: now[0])
    with pytest.raises(Fault, match="outer did not return within 3 seconds"), time_limit(3, "outer"):
        with time_limit(10, "inner"):
            now[0] = 105.0
            watchdog._on_alarm(signal.SIGALRM, None)
        watchdog._on_alarm(signal.SIGALRM, None)


def test_a_thread_that_does_not_end_is_abandoned_after_a_second():
    waited = []
    stubborn = SimpleNamespace(ident=None, join=waited.append, is_alive=lambda: True)
    stop_thread(stubborn)
    assert waited == [0.05] * 20


def test_previous_alarm_and_its_handler_are_restored():
    def previous_handler(number, frame):
        pass

    before = signal.signal(signal.SIGALRM, previous_handler)
    due = signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with time_limit(100_000, "outer"):
            ours = signal.getsignal(signal.SIGALRM)
            assert ours is not previous_handler
            with time_limit(10, "inner"):
                assert signal.getsignal(signal.SIGALRM) is ours
            assert signal.getsignal(signal.SIGALRM) is ours
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 10, "the alarm of the inner one"
            with time_limit(50, "inner"), time_limit(1, "innermost"):
                assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1
            watchdog._on_alarm(signal.SIGALRM, None)
            assert 10 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100_000, "the outer goes on"
        assert signal.getsignal(signal.SIGALRM) is previous_handler
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, *due)
        signal.signal(signal.SIGALRM, before)


def test_early_alarm_does_nothing():
    assert watchdog._active == [] and watchdog._on_alarm(signal.SIGALRM, None) is None
    with time_limit(10, "moves()") as inner:
        assert watchdog._on_alarm(signal.SIGALRM, None) is None
        inner.ends = 0.0
        with pytest.raises(watchdog._Timeout) as rung:
            watchdog._on_alarm(signal.SIGALRM, None)
        assert rung.value.args == (inner,)
    assert watchdog._active == [] and watchdog._previous_alarm == []


def test_watchdog_without_alarm_waits_forever(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    with time_limit(0.01, "moves()") as waiting:
        assert waiting.supported is False and watchdog._active == []
