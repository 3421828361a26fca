# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The four phases of a simulation as events of the trace.  Types: trace.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from math import inf, log, sqrt

from gameplay.engines.mcts.tree import MonteCarloTree
from gameplay.search import trace as steps

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.position import CHANCE


def emit_selected(tree, ply, node):
    """Report that a move was selected, before it is counted."""
    with cython.gil:
        mover: cython.int = tree.arena.nodes[tree.path[ply - 1]].mover
        visits: cython.int = tree.arena.tallies[node].visits
        tree.emit(
            steps.TraceEvent(
                "select",
                ply,
                tree.arena.nodes[node].move,
                mover,
                beta=0.0 if mover == CHANCE else tree.selected_score,
                value=mean_of(tree, node, mover),
                why="lot" if mover == CHANCE else "" if visits else "untried",
                visits=visits,
                numbers=()
                if mover == CHANCE
                else (tree.arena.tallies[tree.path[ply - 1]].visits - 1, tree.c),
                children=() if mover == CHANCE else selection_scores(tree, tree.path[ply - 1]),
            )
        )


def selection_scores(tree: MonteCarloTree, node: cython.int):
    """The children of a node that selection compares, by the same formula as `uct.select`.

    For each the move, its visits, its mean as a payoff from 0 to 1, and its selection score: inf if it is
    unvisited, -inf if it is proved to be no better than another one. With PUCT also the policy's probability.
    """
    nodes = tree.arena.nodes
    tallies = tree.arena.tallies
    first: cython.int = nodes[node].first
    end: cython.int = first + nodes[node].count
    span = 1.0 / (tree.max_seen - tree.min_seen) if tree.max_seen > tree.min_seen else 0.0
    shift = tree.floor - tree.min_seen
    parent_visits = tallies[node].visits - 1
    spread = 0.0
    if parent_visits > 0:
        spread = tree.c * (sqrt(parent_visits) if tree.guided else sqrt(log(parent_visits)))
    if tree.widen:
        end = min(end, first + 1 + int(tree.widen * sqrt(parent_visits)))
    rows = []
    i: cython.int
    for i in range(first, end):
        visits = tallies[i].visits
        mean = (tallies[i].mean + shift) * span if visits else 0.0
        policy = (nodes[i].odds,) if tree.guided else ()
        if tallies[i].dominated:
            rows.append((nodes[i].move, visits, mean, -inf, *policy))
            continue
        value, has_value = mean, visits > 0
        if tree.prior_visits:
            value = (mean * visits + nodes[i].odds * tree.prior_visits) / (visits + tree.prior_visits)
            has_value = True
        if tree.rave and nodes[i].amaf_visits:
            others = nodes[i].amaf_visits
            tried = visits + tree.prior_visits
            weight = others / (tried + others + tried * others / tree.rave)
            value += weight * ((nodes[i].amaf_sum / others + shift) * span - value)
            has_value = True
        if tree.guided:
            mean = value if has_value else tree.fpu
            score = mean + spread * nodes[i].odds / (1.0 + visits)
        else:
            score = value + spread * tallies[i].inv_sqrt if has_value else tree.fpu or inf
        rows.append((nodes[i].move, visits, mean, score, *policy))
    return tuple(rows)


def emit_expanded(tree, ply, node):
    """Report that a leaf was expanded."""
    with cython.gil:
        move = tree.arena.nodes[node].move
        mover = tree.arena.nodes[tree.path[ply - 1]].mover if ply else CHANCE
        tree.emit(steps.TraceEvent("expand", ply, move, mover, value=tree.arena.nodes[node].count))


def emit_simulated(tree, kernel, ply, end):
    """Report each player's payoff and the moves of the playout."""
    with cython.gil:
        i: cython.int
        if tree.stopped:
            return
        move = tree.arena.nodes[tree.path[ply]].move
        mover: cython.int = tree.arena.nodes[tree.path[ply - 1]].mover if ply else CHANCE
        values = tuple([tree.gains[i] for i in range(tree.players)])
        tree.emit(
            steps.TraceEvent(
                "simulate",
                ply,
                move,
                mover,
                value=0 if mover == CHANCE else values[mover],
                why=steps.REASONS[tree.source],
                values=values,
                line=tuple([kernel.stack[i] for i in range(end)]),
            )
        )


def emit_backed_up(tree, ply, chooser):
    """Report the updated statistics of a node of the simulation; `chooser` made the move to it."""
    with cython.gil:
        i: cython.int
        node: cython.int = tree.path[ply]
        values = ()
        if tree.arena.nodes[node].proven and tree.arena.players:
            values = tuple([tree.arena.shares[node * tree.players + i] for i in range(tree.players)])
        elif tree.arena.nodes[node].proven:
            values = (tree.arena.nodes[node].low, -tree.arena.nodes[node].low)
        tree.emit(
            steps.TraceEvent(
                "backup",
                ply,
                tree.arena.nodes[node].move,
                chooser,
                value=mean_of(tree, node, chooser),
                why="proven" if tree.arena.nodes[node].proven else "",
                values=values,
                visits=tree.arena.tallies[node].visits,
            )
        )


def mean_of(tree: MonteCarloTree, node: cython.int, chooser: cython.int):
    """The mean payoff of the player who chose this node; 0 if it is unvisited or chosen by chance."""
    if chooser == CHANCE or not tree.arena.tallies[node].visits:
        return 0.0
    return tree.arena.tallies[node].mean + tree.floor
