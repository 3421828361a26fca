"""Somebody else's code that hangs becomes one line."""

import signal
import threading

import pytest

from gameplay.errors import Fault
from gameplay.watchdog import patience

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


def test_code_that_comes_back_is_left_alone():
    before = signal.getsignal(signal.SIGALRM)
    with patience(0.05, "moves()"):
        result = sum(range(10))
    assert result == 45
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_what_the_code_raises_passes():
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
