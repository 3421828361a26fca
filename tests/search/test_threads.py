"""Searches without threads: the same results, reports while they run, every way to stop."""

import signal
import threading

import pytest

from gameplay import Limit, registry
from gameplay.errors import Fault
from gameplay.search import threads
from tests.support.custom_engines import OPENS, search, write_engine

assert write_engine  # fixture

AMPLE = Limit(seconds=10**6)  # without a limit searches end after a second or two, also of a busy machine
SEARCHES = [
    ("connect4", "alphabeta", Limit(depth=4)),
    ("connect4", "iterative:threads=2", Limit(nodes=400)),
    ("chess", "selective", Limit(depth=2)),
    ("tictactoe", "mcts:seed=1", Limit(simulations=60)),
    ("connect4", "mcts:threads=2", Limit(nodes=80)),
    ("nim", "pns", Limit(nodes=300)),
    ("pig:goal=10", "expectiminimax", Limit(depth=2)),
    ("nim:players=3", "maxn", Limit(depth=2)),
    ("kuhn", "ismcts:seed=1", Limit(simulations=40)),
    ("leduc", "pimc:seed=2", Limit(simulations=4)),
    ("holdem", "miximax:seed=2", Limit(simulations=1)),
    ("puzzle15", "idastar", Limit(nodes=300)),
    *(
        (game, spec, AMPLE)
        for game, spec in (("nim:heaps=2+3", "perfect"), ("kuhn", "cfr"), ("tictactoe", "random:seed=3"))
    ),
]
LONG = {"alphabeta": Limit(depth=40), "mcts": Limit(simulations=10**8), "perfect": AMPLE}
ONE = {"iterative:threads=2": "iterative", "mcts:threads=2": "mcts"}  # what several threads come to


def start_position(spec):
    position = registry.game(spec).new()
    while position.turn < 0:
        position.make(position.moves()[0])
    return position


def search_facts(spec, engine, limit, watch=None):
    report = registry.engine(engine)[0].search(start_position(spec), limit, watch)
    return report.move, report.value, report.pv, report.nodes, report.stopped


@pytest.fixture
def off(monkeypatch):
    """Threads are off, as in a browser."""
    monkeypatch.setenv("GAMEPLAY_THREADS", "off")


@pytest.mark.parametrize(("spec", "engine", "limit"), SEARCHES)
def test_result_is_that_of_a_search_on_a_thread(spec, engine, limit, monkeypatch):
    expected = search_facts(spec, ONE.get(engine, engine), limit)

    def start(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert search_facts(spec, engine, limit) == expected


def test_no_thread_is_started(off, monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", pytest.fail)
    assert threads.start(pytest.fail, "search") is None and threads.available(2) == 1
    assert search_facts("tictactoe", "iterative:threads=2", Limit(depth=3))[4] == "depth"


@pytest.mark.parametrize("engine", ["alphabeta", "mcts", "perfect"])
def test_watch_sees_nodes_and_stops_the_search(off, engine):
    nodes = []

    def watch(report):
        nodes.append(report.nodes)
        return len(nodes) == 2

    assert search_facts("connect4", engine, LONG[engine], watch)[4] == "interrupted"
    assert len(nodes) == 2 and nodes[0] < nodes[1]


def test_error_of_watch_ends_the_search(off):
    def watch(report):
        raise Fault("the display has gone")

    with pytest.raises(Fault, match="the display has gone"):
        search_facts("connect4", "alphabeta", Limit(depth=40), watch)


def test_time_limit_ends_the_search(off):
    assert search_facts("connect4", "alphabeta", Limit(depth=40, seconds=0.05))[4] == "time"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer signal")
@pytest.mark.parametrize("engine", ["alphabeta", "mcts"])
def test_ctrl_c_ends_the_search_with_its_best_move(off, engine):
    def raise_interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, raise_interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        move, *_, stopped = search_facts("connect4", engine, LONG[engine], lambda _: None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert stopped == "interrupted" and move in start_position("connect4").moves()


WAITS = "def choose(position, watch):\n  while not watch((4, 1)):\n    pass\n  return 4\n"


def test_user_engine_is_stopped_by_its_time_and_by_the_caller(off, write_engine):
    engine = write_engine(WAITS)
    assert search(engine, Limit(seconds=0.05)).stopped == "time"
    reports = []

    def watch(report):
        reports.append((report.move, report.value))
        return len(reports) == 2

    report = search(engine, Limit(), watch)
    assert (report.move, report.value, report.stopped) == (4, 1, "interrupted")
    assert reports == [(4, 1)] * 2


def test_user_engine_that_opens_a_search_needs_no_thread(off, write_engine, monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", pytest.fail)
    text = OPENS + "  def open(self, *given):\n    return super().open(*given)\n"
    assert search(write_engine(text), Limit(depth=2)).stopped == "depth"
