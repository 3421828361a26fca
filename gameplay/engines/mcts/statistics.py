# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The statistics of the root's moves as candidates of the report.  Types: statistics.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math

from gameplay import value as scale
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.tree import MonteCarloTree
from gameplay.search.report import Candidate

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.position import CHANCE

SHOWN = 5  # candidates whose visits are reported


def candidates(tree: MonteCarloTree):
    """The visited moves of the root; the first is the best, the others follow by visits.

    The best is the most visited unproved move, or the proved move with the best value if that is at least as
    good; proved moves that are worse come last. With sequential halving it is the one with the best mean of
    those with more than half as many visits as the most visited one.
    """
    arena: Arena = tree.arena
    visited = [make_candidate(tree, node) for node in contenders(tree)]
    if not visited:
        return tree.best
    open_moves = [candidate for candidate in visited if not candidate.proven]
    favourite = max(open_moves, key=_visits, default=None)
    if tree.halving and favourite is not None:  # the last two are visited equally often
        favourite = max(
            [candidate for candidate in open_moves if 2 * candidate.visits > favourite.visits], key=_value
        )
    best = max([candidate for candidate in visited if candidate.proven], key=_value, default=None)
    if best is not None and (arena.nodes[0].proven or favourite is None or best.value >= favourite.value):
        favourite = best
    visited.sort(key=_visits, reverse=True)
    tree.visited = tuple(visited[:SHOWN])
    visited.sort(
        key=lambda candidate: (
            candidate is not favourite,
            candidate.proven and candidate.value < favourite.value,
        )
    )
    return (tuple(visited[: tree.multipv]), 0, bool(arena.nodes[0].proven))


def contenders(tree: MonteCarloTree):
    """The nodes of the visited root moves that can be the best or be reported.

    With sequential halving all; else the proved ones and the most visited others: computing a line for each
    move would take as long as hundreds of simulations.
    """
    i: cython.int
    arena: Arena = tree.arena
    mover: cython.int = arena.nodes[0].mover
    proved, others = [], []
    for i in range(1, 1 + arena.nodes[0].count):
        visits: cython.int = arena.tallies[i].visits
        if not visits:
            continue
        if tree.halving or arena.nodes[i].proven:
            proved.append(i)
        else:
            total: cython.double = arena.tallies[i].mean
            if arena.players:
                total = arena.shares[i * tree.players + mover] / visits
            others.append((-visits, -total, i))
    return sorted(proved + [i for _, _, i in sorted(others)[: max(SHOWN, tree.multipv)]])


def make_candidate(tree: MonteCarloTree, node: cython.int):
    """A move of the root with its value, visits, line and standard error."""
    arena: Arena = tree.arena
    mover: cython.int = arena.nodes[0].mover
    sure = bool(arena.nodes[node].proven)
    pv = line(tree, node)
    if arena.players:
        values = means(tree, node)
        value = values[mover]
    else:
        values = ()
        value = arena.tallies[node].mean + tree.floor
        if sure:
            value = arena.nodes[node].low if mover == 0 else -arena.nodes[node].low
    i: cython.int = node - 1
    error = 0.0
    if tree.tries[i] > 1 and not sure:
        mean = tree.sums[i] / tree.tries[i]
        variance = max(0.0, tree.squares[i] / tree.tries[i] - mean * mean)
        error = math.sqrt(variance / arena.tallies[node].visits)
    bound = "expectation"
    if sure and not arena.players:
        value, bound = proved_value(tree, value, len(pv))
    visits = arena.tallies[node].visits
    return Candidate(
        arena.nodes[node].move, value, bound, visits, pv, proven=sure, values=values, error=error
    )


def proved_value(tree: MonteCarloTree, payoff, plies):
    """A proved payoff as a search value, and its bound."""
    if tree.kernel.scored:
        return (int(payoff), "exact") if payoff == int(payoff) else (payoff, "expectation")
    if abs(payoff) == tree.unit:
        value = scale.TB_WIN - min(plies, scale.MAX_PLY)
        return (value if payoff > 0 else -value), "exact"
    return (0, "exact") if payoff == 0 else (payoff, "expectation")


def means(tree: MonteCarloTree, node: cython.int):
    """Each player's mean payoff in the simulations of a node."""
    i: cython.int
    count = 1 if tree.arena.nodes[node].proven else tree.arena.tallies[node].visits
    return tuple([tree.arena.shares[node * tree.players + i] / count for i in range(tree.players)])


def line(tree: MonteCarloTree, node: cython.int):
    """The most visited moves, starting with a node's own, up to the first chance node.

    Below a proved node, the moves that prove it.
    """
    nodes = tree.arena.nodes
    tallies = tree.arena.tallies
    moves = [nodes[node].move]
    i: cython.int
    while nodes[node].first and nodes[node].mover != CHANCE and len(moves) < scale.MAX_PLY:
        first: cython.int = nodes[node].first
        best: cython.int = -1
        for i in range(first, first + nodes[node].count):
            if (
                tree.two_player_zero_sum
                and nodes[node].proven
                and not (nodes[i].proven and nodes[i].low == nodes[node].low)
            ):
                continue
            if best < 0 or tallies[i].visits > tallies[best].visits:
                best = i
        if best < 0 or not (tallies[best].visits or nodes[best].proven):
            break
        moves.append(nodes[best].move)
        node = best
    return tuple(moves)


def _visits(candidate):
    return (candidate.visits, candidate.value)


def _value(candidate):
    return candidate.value
