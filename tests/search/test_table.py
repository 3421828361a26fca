"""Transposition tables: what searches store and look up. Only the pure build permits Python access."""

from itertools import pairwise
from typing import Any

import pytest

from gameplay import Position, registry
from gameplay.adapter import kernel_of
from gameplay.engines.multiplayer.search import MultiplayerSearch, row_table_bits
from gameplay.engines.pathfinding.search import PathSearch
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.table import Table
from gameplay.search.tree import TreeSearch
from gameplay.value import EXACT, LOWER, MAX_EVAL, MAX_PLY, UPPER, WIN

pytestmark = pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")

KEYS = (0, 1, 2**64 - 1, 0x123456789ABCDEF)
BIG = 0xFFFFFF  # moves from here on are not kept
LOW = 10.0**300  # below or above all bounds


def open_search(spec: str, game: str, table: Table | None = None) -> Any:
    engine = registry.engine(spec)[0]
    return engine.open(kernel_of(registry.game(game).new()), Control(0, 0.0), table)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("value", "ply", "at", "expected"),
    [
        (0, 3, 7, 0),
        (-120, 3, 7, -120),
        (MAX_EVAL, 3, 7, MAX_EVAL),
        (-MAX_EVAL, 3, 7, -MAX_EVAL),
        (WIN - 9, 4, 6, WIN - 9 + 4 - 6),  # a win in 5 from there
        (9 - WIN, 4, 6, 9 - WIN - 4 + 6),
        (MAX_EVAL + 1, 0, 0, MAX_EVAL + 1),
        (-MAX_EVAL - 1, 2, 2, -MAX_EVAL - 1),
    ],
)
def test_table_returns_stored_results_with_adjusted_win_distances(
    key: int, value: int, ply: int, at: int, expected: int
) -> None:
    table = Table(12)
    table.new_search()
    search = open_search("iterative:table=64KB", "connect4", table)
    assert not search.lookup(key, at) and search.found_move == -1
    for depth, alpha, beta, bound, move, kept, complete in (
        (0, value - 1, value + 1, EXACT, 5, 5, True),
        (255, value, value + 1, UPPER, -1, -1, False),
        (9, value - 1, value, LOWER, BIG - 1, BIG - 1, False),
        (1, value - 5, value - 1, LOWER, BIG, -1, True),
    ):
        search.remember(key, ply, depth, value, alpha, beta, move, complete)
        assert search.lookup(key, at)
        facts = (search.found_value, search.found_depth, search.found_bound, search.found_move)
        assert facts == (expected, depth, bound, kept) and search.found_complete == complete
    assert not search.lookup(key ^ 1 << 63, at), "another position"
    table.new_search(keep=True)
    assert search.lookup(key, at)
    table.new_search()
    assert not search.lookup(key, at), "an older search"


def test_table_entries_are_spread_over_the_table() -> None:
    table = Table(10)
    table.new_search()
    search = open_search("iterative:table=16KB", "connect4", table)
    for number in range(600):
        search.remember(number * 0x5DEECE66D, 0, 1, 0, -1, 1, 3, True)
    held = [place for place in range(1024) if table.slots[2 * place + 1]]
    assert 400 < len(held) < 600 and table.fill() == len([place for place in held if place < 1000]) / 1000
    assert all(table.slots[2 * place + 1] >> 40 == 4 for place in held)


@pytest.mark.parametrize(
    ("bound", "value", "alpha", "beta", "enough", "high"),
    [
        (EXACT, 0, 5, 6, True, False),
        (LOWER, 6, 5, 6, True, True),
        (LOWER, 5, 4, 6, False, False),
        (UPPER, 5, 5, 6, True, False),
        (UPPER, 6, 5, 6, False, False),
        (EXACT, 6, 5, 6, True, False),
    ],
)
def test_stored_bound_beyond_the_window_cuts_off(
    bound: int, value: int, alpha: int, beta: int, enough: bool, high: bool
) -> None:
    search = open_search("alphabeta", "connect4")
    search.found_bound, search.found_value = bound, value
    assert (search.entry_suffices(alpha, beta), search.fails_high(beta)) == (enough, high)


# -- expectations -------------------------------------------------------------------------------------


def star() -> tuple[Any, Table]:
    engine = registry.engine("expectiminimax:prune=star1,table=16KB")[0]
    table = engine.new_table(engine.table_bits)
    table.new_search()
    return open_search("expectiminimax:prune=star1,table=16KB", "pig:goal=20", table), table


def bounds(search: Any) -> tuple[float, float, int, int, bool]:
    return (
        search.lower_found,
        search.upper_found,
        search.found_depth,
        search.found_move,
        search.found_complete,
    )


@pytest.mark.parametrize("key", KEYS)
def test_bounds_of_an_expectation_combine_if_they_have_one_depth(key: int) -> None:
    search, table = star()
    assert (
        not search.lookup_bounds(key, 3)
        and search.found_move == -1
        and (search.probes, search.hits) == (1, 0)
    )
    search.store_bounds(key, 3, 0.25, LOWER, 7, True)
    assert search.lookup_bounds(key, 3) and (search.probes, search.hits) == (2, 1)
    least, most, *rest = bounds(search)
    assert (least, rest) == (0.25, [3, 7, True]) and most >= LOW and search.found_bound == LOWER
    search.store_bounds(key, 3, 0.75, UPPER, 2, True)
    assert search.lookup_bounds(key, 3) and bounds(search) == (0.25, 0.75, 3, 2, True)
    search.store_bounds(key, 3, 0.5, LOWER, 1, False)
    assert search.lookup_bounds(key, 3) and bounds(search) == (0.5, 0.75, 3, 1, False)
    search.store_bounds(key, 3, 0.75, LOWER, 1, True)
    assert search.lookup_bounds(key, 3) and bounds(search) == (0.75, 0.75, 3, 1, False), (
        "one of the two was not"
    )
    assert search.found_bound == EXACT
    search.store_bounds(key, 3, 0.5, UPPER, 1, True)  # below what is known at least: a search that saw more
    assert search.lookup_bounds(key, 3) and bounds(search)[:2][1] == 0.5 and bounds(search)[0] <= -LOW
    search.store_bounds(key, 3, 0.4, EXACT, -1, True)
    assert search.lookup_bounds(key, 3) and bounds(search) == (0.4, 0.4, 3, -1, True)
    search.store_bounds(key, 4, 0.6, UPPER, BIG - 1, True)
    assert (
        search.lookup_bounds(key, 4)
        and bounds(search)[0] <= -LOW
        and bounds(search)[1:] == (0.6, 4, BIG - 1, True)
    )
    search.store_bounds(key, 5, 0.6, LOWER, BIG, True)
    assert search.lookup_bounds(key, 5) and search.found_move == -1
    hits = search.hits
    assert not search.lookup_bounds(key ^ 1 << 63, 5) and search.hits == hits
    table.new_search()
    assert not search.lookup_bounds(key, 5)
    search.store_bounds(key, 5, 0.9, UPPER, 4, True)
    assert search.lookup_bounds(key, 5) and bounds(search)[0] <= -LOW, (
        "what an older search knew does not count"
    )


@pytest.mark.parametrize(
    ("kept", "complete", "asked", "use"),
    [(3, True, 3, True), (3, False, 3, True), (3, True, 4, True), (3, False, 4, False), (3, True, 2, False)],
)
def test_a_stored_result_is_used_up_to_its_depth_or_at_any_depth_if_complete(
    kept: int, complete: bool, asked: int, use: bool
) -> None:
    search, _ = star()
    search.store_bounds(9, kept, 0.5, EXACT, 3, complete)
    assert bool(search.lookup_bounds(9, asked)) is use and search.found_move == 3
    many = open_search("maxn:table=16KB", "pig:players=3,goal=20")
    many.gains[:3] = [1.0, 2.0, -3.0]
    many.store_row(9, 0, kept, EXACT, 3, complete)
    assert bool(many.lookup_row(9, MAX_PLY, asked)) is use and many.hits == use


# -- many players ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_multiplayer_payoffs_are_stored_with_their_bound(key: int) -> None:
    search = open_search("maxn:table=16KB", "pig:players=3,goal=20")
    assert not search.lookup_row(key, 5, 2) and (search.probes, search.hits, search.fill()) == (1, 0, 0.0)
    for depth, bound, move, complete in (
        (0, EXACT, -1, True),
        (254, LOWER, BIG + 9, False),
        (7, UPPER, 0, True),
    ):
        search.gains[3:6] = [1.5, -2.5, depth]
        search.store_row(key, 1, depth, bound, move, complete)
        search.gains[15:18] = [0.0] * 3
        assert search.lookup_row(key, 5, depth)
        facts = (search.found_depth, search.found_bound, search.found_move, search.found_complete)
        assert facts == (depth, bound, move, complete) and search.gains[15:18] == [1.5, -2.5, depth]
    assert not search.lookup_row(key ^ 1 << 63 if key else 1 << 54, 5, 7)
    assert search.hits == 3 and search.fill() in (0.0, 1 / 256)
    for number in range(120):
        search.store_row(number * 0x5DEECE66D, 1, 2, EXACT, 1, True)
    assert 0.3 < search.fill() < 0.5
    assert open_search("maxn:table=off", "pig:players=3,goal=20").fill() == 0.0


@pytest.mark.parametrize(
    ("bound", "known", "use"),
    [(EXACT, 0.5, True), (LOWER, 2.0, True), (LOWER, 1.9, False), (UPPER, 1.0, True), (UPPER, 1.1, False)],
)
def test_single_payoff_beyond_the_window_cuts_off(bound: int, known: float, use: bool) -> None:
    for complete in (True, False):
        search = open_search("paranoid:table=16KB", "pig:players=3,goal=20")
        search.gains[0] = known
        search.store_row(11, 0, 4, bound, 2, complete)
        search.horizon = False
        assert search.probe_table(11, 1, 4, 1.0, 2.0) is use
        assert search.horizon is (use and not complete) and search.gains[1] == known
        assert not search.probe_table(12, 1, 4, 1.0, 2.0)


@pytest.mark.parametrize(
    ("best", "bound"), [(0.9, UPPER), (1.0, UPPER), (1.5, EXACT), (2.0, LOWER), (2.5, LOWER)]
)
def test_window_results_are_stored_as_bounds(best: float, bound: int) -> None:
    search = open_search("paranoid:table=16KB", "pig:players=3,goal=20")
    for horizon in (True, False):
        search.horizon = horizon
        search.store_value(5, 2, 3, 1.0, 2.0, best, 1)
        assert search.gains[2] == best and search.lookup_row(5, 4, 3)
        assert (search.found_bound, search.found_complete, search.gains[4]) == (bound, not horizon, best)


def test_evaluations_are_stored_as_shares_of_a_win() -> None:
    """`value.share`: an evaluation of `half` is half a win."""
    search = open_search("maxn", "connect4")
    kernel = search.kernel
    kernel.score_for = lambda player: (search.half, -3 * search.half)[player]
    assert search.half > 0 and [search.estimate(kernel, player) for player in (0, 1)] == [
        search.unit / 2,
        -3 * search.unit / 4,
    ]


@pytest.mark.parametrize(("width", "places"), [(1, 512), (2, 512), (3, 256), (6, 256), (7, 128)])
def test_a_table_of_many_gains_has_fewer_places(width: int, places: int) -> None:
    """Sixteen bytes plus eight a payoff, within 16 KB."""
    assert 1 << row_table_bits("16KB", width) == places and (16 + 8 * width) * places <= 16 << 10
    assert (
        row_table_bits("off", width) == 0
        and row_table_bits("32KB", width) == row_table_bits("16KB", width) + 1
    )


def test_engine_additions_are_absent_before_the_search() -> None:
    """Searches of a tree, of a path and of many players, each without an engine's own fields."""
    two, three = (kernel_of(registry.game(game).new()) for game in ("connect4", "pig:players=3,goal=20"))
    puzzle = kernel_of(registry.game("puzzle15").new())
    tree, path = TreeSearch(two, Control(0, 0.0)), PathSearch(puzzle, Control(0, 0.0))
    many = MultiplayerSearch(three, Control(0, 0.0), [0, 1, 2], 0, 3)
    for search in (tree, path):
        with pytest.raises(NotImplementedError):
            search.run(3)
    assert tree.visit(two, 0, 1, 2, -5, 5) == 0 and many.try_move(three, 0, 1, 2, 0.0) is False
    assert path.expand(puzzle, 7, 3, -1) == 7 and path.visit(puzzle, 0, 2, 1, 3, -1) is False


def test_search_counts_nodes_and_polls_at_intervals() -> None:
    """Every 16 positions of a Python game; otherwise every 16, growing to 1024; and at its limit."""
    for kernel, interval in ((kernel_of(registry.game("connect4").new()), 1024), (kernel_of(Two()), 16)):
        control = Control(3000, 0.0)
        search = TreeSearch(kernel, control)
        looks = []
        poll = search.poll
        search.poll = lambda poll=poll, search=search, looks=looks: looks.append(search.nodes) or poll()
        while not search.count():
            pass
        assert search.nodes == 3000 and control.stop and search.stopped
        assert looks[:3] == [1, 17, 33] and looks[-1] == 3000
        gaps = [later - earlier for earlier, later in pairwise(looks)]
        assert 16 <= max(gaps[:-1]) <= interval
    timed = TreeSearch(kernel_of(Two()), Control(0, 5.0))
    assert timed.count() and timed.control.stop, "the clock is far beyond five seconds"
    tree_search = TreeSearch(kernel_of(Two()), Control(0, 0.0))
    assert not tree_search.count() and tree_search.next_poll == 17
    tree_search.set_trace(print)
    assert tree_search.tracing and not tree_search.poll() and tree_search.next_poll == 0
    tree_search.set_trace(None)
    assert not tree_search.tracing
    tree_search.fail(KeyError("first"))
    tree_search.fail(KeyError("second"))
    assert tree_search.stopped and tree_search.control.stop
    for wrong in ("first", None):
        if wrong:
            with pytest.raises(KeyError, match=wrong):
                tree_search.check()
        else:
            tree_search.check()


class Two(Position):
    """Two moves."""

    def moves(self) -> list[int]:
        return [5, 6]

    def outcome(self) -> None:
        return None
