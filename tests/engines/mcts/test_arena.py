"""The arena of a Monte Carlo tree: nodes that remain after trimming and moves, node by node."""

from random import Random
from typing import Any

import pytest

from gameplay.engines.mcts.arena import Arena, PlainArenaNode
from gameplay.kernel import compiled
from gameplay.search.control import Control

pytestmark = pytest.mark.skipif(compiled(), reason="compiled, nodes are no Python objects")

FACTS = [name for name in PlainArenaNode.__slots__ if name not in ("first", "count")]


def build_random_tree(arena: Arena, rng: Random, most: int) -> None:
    """A random tree: no child has more visits than its parent; all other facts differ."""
    leaves: list[int] = []

    def plant(count: int, visits: int) -> int:
        first = arena.allocate(count)
        for number in range(first, first + count):
            node = arena.nodes[number]
            for name in FACTS:
                setattr(node, name, rng.random())
            node.first = node.count = 0
            node.visits = rng.randint(0, visits)
            for player in range(arena.players):
                arena.shares[number * arena.players + player] = rng.random()
            leaves.append(number)
        return first

    plant(1, 5000)
    arena.nodes[0].visits = 5000
    while arena.node_count < most:
        node = arena.nodes[leaves.pop(rng.choice((0, rng.randrange(len(leaves)))))]
        node.count = rng.randint(1, 9)
        node.first = plant(node.count, node.visits)


def snapshot(arena: Arena, node: int) -> tuple[Any, ...]:
    """The facts and payoffs of a node, and the same of its children in order."""
    entry = arena.nodes[node]
    facts = [getattr(entry, name) for name in FACTS]
    shares = arena.shares[node * arena.players : (node + 1) * arena.players]
    below = (
        [snapshot(arena, child) for child in range(entry.first, entry.first + entry.count)]
        if entry.first
        else []
    )
    return entry.visits, facts, list(shares), below


def prune(tree: tuple[Any, ...], least: int) -> tuple[Any, ...]:
    """The same tree without the children of nodes with fewer visits than `least`."""
    visits, facts, shares, below = tree
    return visits, facts, shares, [prune(child, least) for child in below] if visits >= least else []


def size(tree: tuple[Any, ...]) -> int:
    return 1 + sum(map(size, tree[3]))


@pytest.mark.parametrize("players", [0, 3])
def test_trimming_drops_the_least_visited_nodes_to_a_third(players: int) -> None:
    arena = Arena(1, players)
    build_random_tree(arena, Random(players), arena.capacity * 3 // 4)
    least = 2
    for trims in (1, 2):  # the second time it begins where the first one ended
        before = snapshot(arena, 0)
        while size(prune(before, least)) > arena.capacity // 3:
            least *= 2
        arena.full = True
        arena.trim(Control())
        assert snapshot(arena, 0) == prune(before, least)
        assert (arena.node_count, arena.trims) == (size(prune(before, least)), trims)
        assert (arena.min_visits, arena.full) == (least, False)
    assert least > 2


def test_new_root_preserves_its_subtree_if_it_fits() -> None:
    arena = Arena(1, 2)
    build_random_tree(arena, Random(7), arena.capacity * 3 // 4)
    child, _, _ = max(arena.children(0), key=lambda entry: size(snapshot(arena, entry[0])))
    whole = snapshot(arena, child)
    assert 1 < size(whole) <= arena.capacity // 3
    arena.reroot(child, Control())
    assert snapshot(arena, 0) == whole and arena.node_count == size(whole) and arena.trims == 0


@pytest.mark.parametrize("deadline", [0.0, 1e-9])
def test_a_search_that_must_stop_does_not_wait_for_the_tree(deadline: float) -> None:
    """If it is stopped or out of time, trimming changes nothing; a new root begins with an empty tree."""
    arena, control = Arena(1, 2), Control(0, deadline)
    control.stop = not deadline
    build_random_tree(arena, Random(7), arena.capacity * 3 // 4)
    arena.full = True
    before, used = snapshot(arena, 0), arena.node_count
    arena.trim(control)
    assert snapshot(arena, 0) == before and arena.node_count == used and arena.full
    arena.reroot(arena.children(0)[0][0], control)
    assert arena.node_count == 0 and not arena.full


def test_arena_size_follows_from_the_memory() -> None:
    """Three quarters are the tree, a third of whose nodes fit in the rest; a share is 8 bytes."""
    assert [Arena(2**24, players).capacity for players in (0, 2, 5)] == [
        2**24 * 3 // 4 // each for each in (80, 96, 120)
    ]
    arena = Arena(1)
    assert (arena.capacity, arena.copy_capacity) == (4096, 1365)
    assert arena.allocate(4000) == 0 and arena.allocate(96) == 4000 and not arena.full and arena.fill == 1
    assert arena.allocate(1) == -1 and arena.full and arena.node_count == 4096
    arena.empty()
    assert (arena.node_count, arena.full, arena.fill) == (0, False, 0)


def test_new_leaf_has_no_visits_or_value() -> None:
    arena = Arena(1, 2)
    build_random_tree(arena, Random(1), 50)
    arena.clear(3, 8)
    known = [name for name in (*FACTS, "first", "count") if name not in ("low", "high")]  # set when it grows
    facts = {name: getattr(arena.nodes[3], name) for name in known}
    assert facts.pop("move") == 8 and facts.pop("inv_sqrt") == 1
    assert not any(facts.values()) and arena.shares[6:8] == [0, 0]
    assert arena.children(3) == []


def test_arena_lists_children_by_visits() -> None:
    arena = Arena(1)
    build_random_tree(arena, Random(4), 60)
    children = arena.children(0)
    first, count = arena.nodes[0].first, arena.nodes[0].count
    assert sorted(node for node, _, _ in children) == list(range(first, first + count)) and count > 1
    assert all(move == arena.nodes[node].move for node, move, _ in children)
    assert [visits for _, _, visits in children] == sorted(
        (arena.nodes[node].visits for node, _, _ in children), reverse=True
    )
