"""Searches for a cheapest path: dfid, idastar and astar against brute force, in Python and compiled games."""

import heapq
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gameplay import Heuristic, Limit, Position, Report, registry, undoable
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.engine import Engine
from gameplay.search.session import SearchSetup
from gameplay.search.trace import TraceEvent
from gameplay.value import MAX_PLY, WIN
from tests.support.searches import search_limited

EXAMPLES = settings(
    max_examples=120 if compiled() else 60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
BLIND = ("dfid",)
GUIDED = ("idastar", "astar")


class Graph(Position):
    """Walk along the edges of a directed graph, from node 0 to a goal. A move is an edge number."""

    players = 1
    zero_sum = False
    heuristics = {
        "perfect": Heuristic("perfect", "what is left"),
        "some": Heuristic("some", "some of it", consistent=False),
    }

    def __init__(self, arrows, goals, share=None):
        super().__init__()
        self.arrows = arrows  # node -> (node, cost)
        self.goals = goals
        self.node = 0
        self.left = distances(arrows, goals)
        self.share = share or [1]

    def moves(self):
        return list(range(len(self.arrows[self.node])))

    @undoable
    def make(self, move):
        self.node = self.arrows[self.node][move][0]

    def outcome(self):
        if self.node in self.goals:
            return (1,)
        return None if self.arrows[self.node] else (0,)

    def key(self):
        return self.node

    def estimate(self):
        left = self.left.get(self.node, 30)
        if self.heuristic == "some":
            return left * self.share[self.node % len(self.share)] // 100
        return left


class Dear(Graph):
    """The same, but with the cost of each edge."""

    def cost(self, move):
        return self.arrows[self.node][move][1]


def distances(arrows, goals):
    """The cost of a cheapest path to a goal, by node."""
    back: dict[int, list[tuple[int, int]]] = {}
    for node, out in enumerate(arrows):
        for to, cost in out if node not in goals else ():
            back.setdefault(to, []).append((node, cost))
    distances = dict.fromkeys(goals, 0)
    heap = [(0, goal) for goal in goals]
    while heap:
        cost, node = heapq.heappop(heap)
        for other, step in back.get(node, ()):
            if cost + step < distances.get(other, cost + step + 1):
                distances[other] = cost + step
                heapq.heappush(heap, (cost + step, other))
    return distances


@st.composite
def graphs(draw: Any, dear: bool) -> Graph:
    count = draw(st.integers(2, 12))
    costs = st.integers(1, 5) if dear else st.just(1)
    arrow = st.tuples(st.integers(0, count - 1), costs)
    arrows = draw(st.lists(st.lists(arrow, max_size=3), min_size=count, max_size=count))
    arrows = [[child for child in out if child[0] != node] for node, out in enumerate(arrows)]
    if not arrows[0]:
        arrows[0] = [(1, 1)]
    goals = draw(st.sets(st.integers(1, count - 1), max_size=2))
    share = draw(st.lists(st.integers(0, 100), min_size=1, max_size=count))
    return (Dear if dear else Graph)(arrows, goals, share)


def solution_cost(position: Any, report: Report) -> int:
    """The cost of a report's line, which leads to a goal."""
    cost = 0
    for move in report.pv:
        assert position.outcome() is None and move in position.moves()
        cost += position.cost(move)
        position.make(move)
    assert position.outcome()[0] > 0
    for _ in report.pv:
        position.unmake()
    return cost


def cheapest(engine: str, position: Graph) -> None:
    """Compare one search with brute force."""
    before = position.key()
    least = distances(position.arrows, position.goals).get(0)
    # Without a way the thresholds rise for ever where the graph goes round.
    report = (
        search_limited(engine, position, nodes=400) if least is None else search_limited(engine, position)
    )
    assert position.key() == before and report.engine == engine
    if least is None:
        assert (report.exact and report.value == -WIN) or report.stopped == "nodes"
        assert not engine.startswith("astar") or report.stopped == "proven"
        return
    assert (report.value, report.bound, report.exact, report.stopped) == (-least, "exact", True, "solved")
    assert report.move == report.pv[0]
    assert solution_cost(position, report) == least
    assert report.seldepth >= len(report.pv), "it was at the goal"
    assert list(report.thresholds) == sorted(set(report.thresholds)) and report.thresholds[-1] == least
    assert 0 < report.expanded <= report.nodes


@EXAMPLES
@given(graphs(dear=False), st.sampled_from([*BLIND, *GUIDED, *(f"{name}:heuristic=some" for name in GUIDED)]))
def test_path_has_the_fewest_moves(position: Graph, engine: str) -> None:
    cheapest(engine, position)


@EXAMPLES
@given(graphs(dear=True), st.sampled_from([*GUIDED, *(f"{name}:heuristic=some" for name in GUIDED)]))
def test_path_has_the_least_cost(position: Graph, engine: str) -> None:
    cheapest(engine, position)
    if engine == "astar":
        assert search_limited(engine, position, nodes=400).reopened == 0, "the estimate is consistent"


@EXAMPLES
@given(graphs(dear=True), st.sampled_from(GUIDED), st.integers(0, 2))
def test_path_search_is_restricted_to_given_moves(position: Graph, engine: str, number: int) -> None:
    """A search of one root move finds a path that begins with it, if a path without reversals exists."""
    move = position.moves()[number % len(position.moves())]
    to, cost = position.arrows[0][move]
    without = [out if node else [] for node, out in enumerate(position.arrows)]
    left = distances(without, position.goals).get(to)
    if left is None:
        return
    report = search_limited(engine, position, moves=(move,))
    assert report.move == move and solution_cost(position, report) == -report.value <= cost + left


def test_a_position_that_is_reached_cheaper_later_is_opened_again() -> None:
    # 0 -> 1 -> 3 -> 4 for 1 + 1 + 9, 0 -> 2 -> 3 for 3 + 1; the estimate of 1 is so high that 2 comes first.
    arrows = [[(1, 1), (2, 3)], [(3, 1)], [(3, 1)], [(4, 9)], []]
    position = Dear(arrows, {4}, [0, 99, 0, 0, 0])
    report = search_limited("astar:heuristic=some", position)
    assert (-report.value, report.reopened) == (11, 1)


def walkable(graph: Graph) -> Graph:
    """The same without dead ends."""
    return type(graph)([out or [(0, 1)] for out in graph.arrows], graph.goals, graph.share)


@settings(EXAMPLES, max_examples=40 if compiled() else 15)
@given(graphs(dear=True).map(walkable))
def test_reopened_nodes_were_closed(position: Graph) -> None:
    """Counted from the events, as is the search depth."""
    events: list[TraceEvent] = []
    report = registry.engine("astar:heuristic=some")[0].search(
        position, Limit(nodes=400), trace=events.append
    )
    plies, closed, again, node, deepest = {0: 0}, set(), 0, 0, 0
    for event in events:
        if event.what == "expand":
            node = event.node
            assert event.ply == plies[node] and node not in closed
            closed.add(node)
        elif event.what == "generate" and event.why != "dearer":
            assert event.ply == plies[node] + 1 and (event.why == "cheaper") == (event.node in plies)
            again += event.node in closed
            closed.discard(event.node)
            plies[event.node] = event.ply
            deepest = max(deepest, event.ply)  # what is opened again may lie less deep then
    assert report.reopened == again
    assert report.seldepth == (len(report.pv) if report.stopped == "solved" else deepest)


class Tiles(Position):
    """The 8-puzzle in plain Python, with its rules only."""

    players = 1
    zero_sum = False

    def __init__(self, text):
        super().__init__()
        self.cells = [int(word) for word in text.split()]

    def moves(self):
        y, x = divmod(self.cells.index(0), 3)
        return [move for move, free in enumerate((y > 0, x > 0, x < 2, y < 2)) if free]

    def make(self, move):
        blank = self.cells.index(0)
        other = blank + (-3, -1, 1, 3)[move]
        self.cells[blank], self.cells[other] = self.cells[other], 0
        self.__dict__.setdefault("past", []).append(move)

    def unmake(self):
        move = self.past.pop()
        self.make(3 - move)
        self.past.pop()

    def outcome(self):
        return (1,) if self.cells == sorted(self.cells) else None

    def key(self):
        return tuple(self.cells)

    def estimate(self):
        return sum(
            abs(tile // 3 - cell // 3) + abs(tile % 3 - cell % 3)
            for cell, tile in enumerate(self.cells)
            if tile
        )


@pytest.mark.parametrize("engine", ["idastar", "astar", "dfid"])
@pytest.mark.parametrize("seed", [5, 9])
def test_python_game_is_searched_like_the_compiled_one(engine: str, seed: int) -> None:
    """Also: the combined call of the puzzle returns the same as the kernel's separate slots."""
    fast = registry.game(f"puzzle15:rows=3,columns=3,shuffle=14,seed={seed}").new()
    slow = Tiles(fast.text())
    spec = engine if engine == "dfid" else f"{engine}:heuristic=manhattan"
    first, second = search_limited(spec, fast), search_limited(engine, slow)
    facts = ("value", "pv", "nodes", "expanded", "thresholds", "memory", "stopped")
    assert [getattr(first, fact) for fact in facts] == [getattr(second, fact) for fact in facts]


# -- limits ------------------------------------------------------------------------------------------------


def test_stopped_path_search_reports_a_lower_bound() -> None:
    position = registry.game("puzzle15").new("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    for engine in ("idastar:heuristic=manhattan", "astar:heuristic=manhattan"):
        report = search_limited(engine, position, nodes=5_000)
        assert (report.bound, report.stopped, report.exact) == ("upper", "nodes", False)
        assert 41 <= -report.value <= 57 and report.move in position.moves()
        assert 5_000 <= report.nodes < 5_000 + 5, "a position's moves are counted at once"
    report = search_limited("dfid", position, depth=8)
    assert (report.bound, report.value, report.stopped) == ("upper", -8, "depth")


@pytest.mark.parametrize("name", ["dfid", "idastar:heuristic=manhattan", "astar:heuristic=manhattan"])
def test_stopped_path_search_does_not_descend(name: str) -> None:
    """From the deepest position it returns directly to the root, without trying other branches."""
    position = registry.game("puzzle15").new("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    control = Control()
    engine: Engine = registry.engine(name)[0]
    position.heuristic = engine.heuristic_for(position)
    (search,) = engine.searches(SearchSetup(position, Limit(), control))
    control.stop = True  # seen at the first look
    search.run(MAX_PLY)
    assert search.nodes < 20


def test_astar_stops_if_its_memory_is_full() -> None:
    position = registry.game("puzzle15").new()
    report = search_limited("astar:memory=64KB,heuristic=manhattan", position)
    assert report.stopped == "memory" and report.memory <= 64 * 1024 < 2 * report.memory
    assert report.bound == "upper"


@pytest.mark.parametrize("engine", [*BLIND, *GUIDED])
def test_depth_limits_the_length_of_the_path(engine: str) -> None:
    """With fewer moves nothing is found, and longer paths are left open."""
    position = Graph([[(1, 1), (4, 1)], [(2, 1)], [(3, 1)], [], []], {3})
    short, enough = search_limited(engine, position, depth=2), search_limited(engine, position, depth=3)
    assert (enough.value, enough.bound, enough.exact, enough.stopped) == (-3, "exact", True, "solved")
    assert not short.exact and (short.bound, short.stopped) == ("upper", "depth")


# -- who plays what ---------------------------------------------------------------------------------------


def test_path_searches_are_for_one_player() -> None:
    puzzle, game = registry.game("puzzle15").new(), registry.game("connect4").new()
    assert registry.default_engine(puzzle).name == "idastar"
    assert (
        registry.engine_class("alphabeta").incompatibility(puzzle)
        == "it is for two players, and puzzle15 has 1"
    )
    assert (
        registry.engine_class("idastar").incompatibility(game) == "it is for one player, and connect4 has 2"
    )
    assert "have costs" in registry.engine_class("dfid").incompatibility(Dear([[(1, 2)], []], {1}))


def test_points_are_no_goal() -> None:
    position = Graph([[(1, 1)], []], {1})
    assert not registry.engine_class("astar").incompatibility(position)
    position.scored = True
    assert "is scored in points and has no goal" in registry.engine_class("astar").incompatibility(position)


def test_a_heuristic_is_one_of_the_games() -> None:
    position = registry.game("puzzle15").new()
    engine: Engine = registry.engine("idastar:heuristic=manhatan")[0]
    with pytest.raises(Usage, match="manhattan, pattern or pattern-7-8, not 'manhatan'"):
        engine.search(position)
