"""Processes that run tasks: in order, each with its own failure."""

import os

import pytest

from gameplay.runs.pool import Pool
from tests.support.processes import is_group_gone

pytestmark = pytest.mark.once

DIES, SLEEPS = "__import__('os')._exit(3)", "__import__('time').sleep(60)"


def test_pool_returns_results_in_task_order():
    slow = "__import__('time').sleep(0.3) or 0"
    with Pool(2) as pool:
        assert list(pool.each(eval, [slow, *map(str, range(1, 9))])) == list(range(9))
        assert list(pool.each(eval, [])) == []


def test_dead_worker_fails_only_its_task():
    with Pool(2) as pool:
        results = list(pool.each(eval, ["1", DIES, "2", "3", DIES, "4"]))
    died = "the worker process ended with status 3"
    assert results == [1, died, 2, 3, died, 4]


def test_pool_calls_idle_until_it_has_no_more_work():
    calls = []

    def idle():
        calls.append(len(calls))
        return len(calls) < 50

    with Pool(1) as pool:
        assert list(pool.each(eval, ["__import__('time').sleep(0.5) or 7"], idle)) == [7]
    assert 50 <= len(calls) < 60


def test_a_signal_to_the_group_ends_no_task():
    """`timeout` and service managers send SIGTERM to all processes; the parent decides what it means."""
    ended = "__import__('os').kill(__import__('os').getpid(), 15) or __import__('time').sleep(0.1) or 7"
    with Pool(1) as pool:
        assert list(pool.each(eval, [ended, "8"])) == [7, 8]


def test_workers_escape_control_characters_in_their_output():
    with Pool(1) as pool:
        (streams,) = pool.each(
            eval, ["[type(s).__name__ for s in (lambda m: (m.stdout, m.stderr))(__import__('sys'))]"]
        )
    assert streams == ["VisibleStream"] * 2


def test_pool_raises_exceptions_of_tasks():
    with Pool(1) as pool, pytest.raises(ZeroDivisionError):
        list(pool.each(eval, ["1", "1 / 0", "2"]))


def test_a_task_that_hangs_is_ended():
    with Pool(1) as pool:
        pool.submit(eval, SLEEPS, 0.5, number=7)
        results = []
        while not results:
            results = pool.wait(0.1)
        assert results[0].number == 7 and results[0].died.endswith("the worker hung")
        assert pool.free == 1 and list(pool.each(eval, ["5"])) == [5]


def test_closing_a_pool_early_leaves_no_process():
    with Pool(2) as pool:
        for result in pool.each(eval, ["1", SLEEPS, SLEEPS]):
            assert result == 1
            break
        assert pool.free == 2
        pids = pool.pids
    assert all(is_group_gone(pid, os.kill) for pid in pids)
