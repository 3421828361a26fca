"""Reachable positions, found and solved, compared with graphs solved here by iteration."""

from array import array
from random import Random
from typing import Any

import pytest

from gameplay import Position
from gameplay.adapter import kernel_of
from gameplay.errors import Fault, Usage
from gameplay.knowledge.tables.reachable import ReachableGraph

ROOM = 1 << 26

# By number: the key, who moves, what each gets where it is over, and where the moves lead.
Graph = list[tuple[int, int, tuple[int, int] | None, list[int]]]


class Walk(Position):
    """A game along the edges of a graph."""

    remembers = True

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.way = [0]
        self.turn = graph[0][1]

    @property
    def node(self) -> tuple[int, int, tuple[int, int] | None, list[int]]:
        return self.graph[self.way[-1]]

    def moves(self) -> list[int]:
        return list(range(len(self.node[3])))

    def make(self, move: int) -> None:
        if self.node[3][move] < 0:
            raise ZeroDivisionError("an edge that breaks")
        self.way.append(self.node[3][move])
        self.turn = self.node[1]

    def unmake(self) -> None:
        self.way.pop()
        self.turn = self.node[1]

    def outcome(self) -> tuple[int, int] | None:
        return self.node[2]

    def key(self) -> int:
        return self.node[0]


def explore(graph: Graph, memory: int = ROOM, steps: int = 1 << 20) -> Any:
    explored_graph = ReachableGraph(kernel_of(Walk(graph)), memory)
    while explored_graph.explore(steps):
        pass
    return explored_graph


def at_random(seed: int, size: int = 120) -> Graph:
    """A random graph with ends, cycles, repeated turns of a player, and keys that partly agree."""
    rng = Random(seed)
    keys: set[int] = set()
    while len(keys) < size:
        parts = [rng.choice((0, 1, 2, 7, 65535, rng.randrange(65536))) for _ in range(4)]
        keys.add(sum(part << 16 * i for i, part in enumerate(parts)))
    graph: Graph = []
    for key in rng.sample(sorted(keys), size):
        number = len(graph)
        ends = rng.random() < 0.25 and number > 3
        paid = rng.choice(((1, -1), (-1, 1), (0, 0))) if ends else None
        edges = [rng.randrange(size) if rng.random() < 0.4 else min(size - 1, number + rng.randint(1, 9))
                 for _ in range(rng.randint(1, 4))]  # fmt: skip
        graph.append((key, rng.randrange(2), paid, [] if ends else edges))
    return graph


def places(graph: Graph) -> list[int]:
    """The numbers in order of discovery: the moves of a position together, then the first child's."""
    results = [0]
    looked: set[int] = set()

    def look(number: int) -> None:
        looked.add(number)
        for other in graph[number][3]:
            if other not in results:
                results.append(other)
        for other in graph[number][3]:
            if other not in looked:
                look(other)

    look(0)
    return results


def solve_graph(graph: Graph, among: list[int]) -> dict[int, tuple[int, int]]:
    """The result (0 drawn, 1 won, 2 lost for the mover) and the distance in plies, computed ply by ply."""
    known: dict[int, tuple[int, int]] = {}
    for number in among:
        _, turn, paid, _ = graph[number]
        if paid is not None:
            known[number] = ((0, 1, 2)[paid[turn]], 0)
    for level in range(1, len(graph) + 1):
        new = {}
        for number in among:
            if number in known:
                continue
            successors = [
                (graph[edge][1] == graph[number][1], known.get(edge, (0, 0))) for edge in graph[number][3]
            ]
            good = [bool(result) and (result == 1) == same for same, (result, _) in successors]
            if any(good):
                new[number] = (1, level)
            elif all(result for _, (result, _) in successors):
                new[number] = (2, level)
        known |= new
    return {number: known.get(number, (0, 0)) for number in among}


@pytest.mark.parametrize("seed", range(6))
def test_a_graph_is_found_and_solved(seed: int) -> None:
    graph = at_random(seed)
    order = places(graph)
    right = solve_graph(graph, order)
    solved_graph = explore(graph)
    assert solved_graph.count == len(order) and solved_graph.links == sum(
        len(graph[number][3]) for number in order
    )
    assert [solved_graph.key_of(place) for place in range(solved_graph.count)] == [
        graph[number][0] for number in order
    ]
    solved_graph.solve()
    values = [solved_graph.value_at(place) for place in range(solved_graph.count)]
    assert values == [right[number] for number in order]
    assert solved_graph.max_plies == max(plies for _, plies in values)
    totals = [[0, 0, 0], [0, 0, 0]]
    for number, (result, _) in zip(order, values, strict=True):
        totals[graph[number][1]][result] += 1
    assert solved_graph.census() == totals
    wins = [plies if result == 1 else -1 for result, plies in values]
    assert solved_graph.longest() == (wins.index(max(wins)) if max(wins) >= 0 else -1)
    for place, number in enumerate(order):
        walk = Walk(graph)
        for step in solved_graph.path(place):
            walk.make(step)
        assert walk.way[-1] == number and walk.way[:-1].count(number) == 0


def first_wrong(graph: Graph, order: list[int], results: Any, plies: Any) -> int:
    """The first place whose value is not the best of its moves."""
    at = {number: place for place, number in enumerate(order)}
    for place, number in enumerate(order):
        _, turn, paid, edges = graph[number]
        outcomes = [(graph[edge][1] == turn, results[at[edge]], plies[at[edge]] + 1) for edge in edges]
        good = [steps for same, result, steps in outcomes if result and (result == 1) == same]
        bad = [steps for same, result, steps in outcomes if result and (result == 1) != same]
        if paid is not None:
            expected = ((0, 1, 2)[paid[turn]], 0 if paid[turn] else plies[place])
        elif good:
            expected = (1, min(good))
        elif all(result for _, result, _ in outcomes):
            expected = (2, max(bad))
        else:
            expected = (0, plies[place])
        if (results[place], plies[place]) != expected:
            return place
    return -1


def test_wrong_value_is_detected_at_any_position() -> None:
    graph = at_random(1)
    order = places(graph)
    solved_graph = explore(graph)
    right = solve_graph(graph, order)
    for place in range(-1, solved_graph.count):
        for result in (0, 1, 2):
            for more in (0, 1):
                results = array("B", [right[number][0] for number in order])
                plies = array("H", [right[number][1] for number in order])
                if place >= 0:
                    results[place] = result
                    plies[place] += more
                assert solved_graph.find_mismatch(results, plies) == first_wrong(graph, order, results, plies)


@pytest.mark.parametrize("seed", [2, 3])
def test_rows_go_by_their_keys(seed: int) -> None:
    graph = at_random(seed)
    order = places(graph)
    right = {graph[number][0]: value for number, value in solve_graph(graph, order).items()}
    rows = sorted(right)
    solved_graph = explore(graph)
    solved_graph.solve()
    solved_graph.sort_by_key()
    for first, stop in ((0, len(rows)), (3, 12), (5, 6)):
        for wide in (False, True):
            count = stop - first
            keys, values = array("Q", bytes(8 * count)), bytearray((count + 3) // 4)
            near = bytearray(count * (2 if wide else 1))
            solved_graph.pack(first, stop, keys, values, near)
            assert list(keys) == rows[first:stop]
            results = [values[i >> 2] >> 2 * (i & 3) & 3 for i in range(count)]
            plies = [
                int.from_bytes(near[2 * i : 2 * i + 2], "little") if wide else near[i] for i in range(count)
            ]
            assert list(zip(results, plies, strict=True)) == [right[key] for key in rows[first:stop]]


def test_a_long_way_is_counted_and_has_two_bytes() -> None:
    """Deeper than the first estimate of memory; the mover at the end has lost."""
    length = 2600
    graph: Graph = [(7 * i, i & 1, None, [i + 1]) for i in range(length)]
    graph.append((1 << 63, 0, (-1, 1), []))
    solved_graph = explore(graph, steps=100)
    solved_graph.solve()
    assert (solved_graph.count, solved_graph.links, solved_graph.max_plies) == (length + 1, length, length)
    assert solved_graph.value_at(0) == (2, length) and solved_graph.value_at(1) == (1, length - 1)
    assert solved_graph.longest() == 1 and solved_graph.path(length) == [0] * length
    solved_graph.sort_by_key()
    keys, values, near = array("Q", bytes(24)), bytearray(1), bytearray(6)
    solved_graph.pack(0, 3, keys, values, near)
    plies = [near[2 * i] + 256 * near[2 * i + 1] for i in range(3)]
    assert plies == [2600, 2599, 2598] and values[0] == 2 | 1 << 2 | 2 << 4


def fan(*branches: int) -> Graph:
    """A start, and positions below it, each with so many ends."""
    graph: Graph = [(1, 0, None, [])]
    for count in branches:
        graph[0][3].append(len(graph))
        first = len(graph) + 1
        graph.append((len(graph) + 1, 1, None, list(range(first, first + count))))
        graph += [(first + i + 1, 0, (0, 0), []) for i in range(count)]
    return graph


def test_enumeration_grows_its_arrays_or_refuses() -> None:
    graph = fan(4000, 4000, 4000, 4000, 5)
    solved_graph = explore(graph)
    assert solved_graph.count == len(graph) == 16011 and solved_graph.links == 16010
    solved_graph.solve()
    assert solved_graph.census() == [[16006, 0, 0], [5, 0, 0]] and solved_graph.longest() == -1
    with pytest.raises(Usage) as refused:
        explore(graph, 1 << 20)
    message = (
        "more than {} positions are reachable, which exceeds the memory limit of {} MB. "
        "Try: a larger --memory"
    )
    assert str(refused.value) == message.format("16,006", 1)
    with pytest.raises(Usage) as refused:
        explore(graph, 0)
    assert str(refused.value) == message.format(0, 0)


def test_number_of_moves_of_a_position_is_limited() -> None:
    assert explore(fan(4095)).count == 4097
    with pytest.raises(Fault) as refused:
        explore(fan(4096))
    assert str(refused.value) == "a position has more than 4096 moves"


def test_exceptions_of_the_game_end_the_enumeration() -> None:
    graph: Graph = [(1, 0, None, [1, 2]), (2, 1, None, [0, -1]), (3, 1, (0, 0), [])]
    kernel = kernel_of(Walk(graph))
    explored_graph = ReachableGraph(kernel, ROOM)
    with pytest.raises(ZeroDivisionError, match="an edge that breaks"):
        while explored_graph.explore(1):
            pass


def test_enumeration_stops_at_its_limit() -> None:
    graph = at_random(4)
    count = len(places(graph))
    for steps in (1, 3, count, count + 1):
        explored_graph = ReachableGraph(kernel_of(Walk(graph)), ROOM)
        calls = 0
        while explored_graph.explore(steps):
            calls += 1
        assert explored_graph.count == count and calls == count // steps
