"""Several threads at once: searches of one position, one session, and the first use of each cache."""

import pickle
import sys
import threading
from collections.abc import Callable

import pytest

from gameplay import Limit, registry
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.position import twin
from gameplay.search.session import Session
from gameplay.suites import perft

THREADS = 8
SEARCHED = [  # engine, game: one of every kind of search and of position
    ("alphabeta:depth=3", "connect4"),
    ("iterative:depth=3" if compiled() else "iterative:depth=2", "chess"),
    ("selective:depth=3", "othello"),
    ("mcts:seed=1,sims=60", "go:size=5"),
    ("expectiminimax:depth=1", "pig"),
    ("maxn:depth=2", "connect4:players=3"),
    ("pns:nodes=300", "tictactoe"),
    ("astar", "puzzle15:columns=3,rows=2,shuffle=6"),
    ("perfect", "nim"),
    ("alphabeta:depth=2", "connect4:columns=12,rows=12"),
    ("ismcts:seed=1,sims=40", "kuhn"),
    ("pimc:seed=1,nodes=200", "leduc"),
]


@pytest.fixture(autouse=True)
def frequent_switches():
    """Switch threads as often as Python can."""
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(kept)


def together(work: Callable[[int], object], threads: int = THREADS) -> list[object]:
    """The result of `work(number)` in each of `threads` simultaneous threads, or its exception."""
    gate, results = threading.Barrier(threads), [None] * threads

    def run(number: int) -> None:
        gate.wait()
        try:
            results[number] = work(number)
        except Exception as error:
            results[number] = error

    running = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(120)
        assert not thread.is_alive()
    return results


def position_after_start(game: str):
    """A position of the game a few moves after its start, with a player to move."""
    position = registry.game(game).new()
    plies = 0
    while plies < 2 or position.turn < 0:
        moves = position.moves()
        position.make(moves[plies % len(moves)])
        plies += 1
    return position


def facts(position) -> tuple[object, ...]:
    """The public facts of a position."""
    return str(position), position.key(), position.turn, list(position.moves()), position.evaluate()


@pytest.mark.parametrize(("engine", "game"), SEARCHED)
def test_eight_threads_search_one_position_and_each_gets_the_result_of_a_lone_search(engine, game):
    position, before = position_after_start(game), facts(position_after_start(game))
    searcher, limit = registry.engine(engine)
    limit = limit or Limit(seconds=60)
    alone = registry.engine(engine)[0].search(position_after_start(game), limit)

    def reads(number: int) -> bool:  # uncompiled, reading needs a lock
        return compiled() and number % 4 == 3

    def work(number: int):
        if reads(number):
            return [facts(position) for _ in range(10)]
        return searcher.search(position, limit)

    for number, result in enumerate(together(work)):
        if reads(number):
            assert result == [before] * 10
        else:
            assert (result.move, result.value, result.nodes) == (alone.move, alone.value, alone.nodes)
    assert facts(position) == before


@pytest.mark.parametrize(("game", "depth"), [("chess", 2), ("connect4", 4), ("pig", 3), ("hearts", 1)])
def test_eight_threads_count_the_lines_of_one_position(game, depth):
    position, before = position_after_start(game), facts(position_after_start(game))
    expected = perft.count(position_after_start(game), depth).nodes
    by_move = [(word, count.nodes) for word, count in perft.divide(position_after_start(game), depth)]
    assert sum(nodes for _, nodes in by_move) == expected > 0

    def work(number: int):
        if number % 2:
            return [(word, count.nodes) for word, count in perft.divide(position, depth)]
        return [perft.count(position, depth).nodes for _ in range(5)]

    for number, result in enumerate(together(work)):
        assert result == (by_move if number % 2 else [expected] * 5)
    assert facts(position) == before


def test_position_reads_as_before_while_it_is_searched():
    position = position_after_start("connect4")
    before, seen = facts(position), []
    registry.engine("alphabeta:depth=5")[0].search(
        position, Limit(depth=7, seconds=20), watch=lambda report: seen.append(facts(position))
    )
    assert seen == [before] * len(seen)
    report = registry.engine("minimax")[0].search(
        position, Limit(depth=3), trace=lambda event: seen.append(facts(position))
    )
    assert report.nodes > 100
    assert len(seen) > 100
    assert seen == [before] * len(seen)


def test_position_is_copied_and_pickled_while_it_is_searched():
    position = position_after_start("othello")
    searcher = registry.engine("minimax")[0]

    def work(number: int):
        if number < 2:
            return searcher.search(position, Limit(depth=4)).value
        return [pickle.loads(pickle.dumps(position)) == twin(position) == position for _ in range(20)]

    first, second, *copies = together(work)
    assert first == second == searcher.search(position, Limit(depth=4)).value
    assert copies == [[True] * 20] * (THREADS - 2)


def test_session_refuses_a_second_search_at_the_same_time():
    session = Session(registry.engine("minimax")[0])
    refused: list[Exception] = []

    def once_more(report) -> bool:
        try:
            session.search(position_after_start("tictactoe"), Limit(depth=1))
        except Usage as error:
            refused.append(error)
        return True

    session.search(position_after_start("connect4"), Limit(depth=30), watch=once_more)
    assert "searching already" in str(refused[0])
    # The session can be used again.
    assert session.search(position_after_start("tictactoe"), Limit(depth=1)).move is not None


def test_session_used_by_eight_threads_searches_or_raises_usage():
    session, alone = Session(registry.engine("mcts:seed=1,sims=200")[0]), Limit(simulations=200)
    results = together(lambda number: session.search(position_after_start("othello"), alone))
    refused = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(error, Usage) for error in refused)
    assert len(refused) < THREADS


def test_caches_are_filled_once_when_eight_threads_ask_at_once(tmp_path):
    code = "from gameplay import Position\nclass Counting(Position):\n    def moves(self): return [0]\n"
    (tmp_path / "counting.py").write_text(code)
    games = together(lambda number: registry.game(f"{tmp_path}/counting.py"))
    assert len({id(game.cls) for game in games}) == 1
    wide = together(lambda number: registry.game("connect4:columns=13,rows=11"))
    assert len({id(game.cls) for game in wide}) == 1
    engines = together(lambda number: registry.engine_class("mcts"))
    assert len({id(cls) for cls in engines}) == 1
