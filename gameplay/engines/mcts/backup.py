# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Phase 4, backup: the nodes of a simulation are updated with its payoffs.  Types: backup.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.engines.mcts.tree import MARKS as _MARKS

if cython.compiled:
    from cython.cimports.gameplay.engines.mcts.solver import update_bounds
    from cython.cimports.gameplay.engines.mcts.trace import emit_backed_up
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from gameplay.engines.mcts.solver import update_bounds
    from gameplay.engines.mcts.trace import emit_backed_up
    from gameplay.position import CHANCE

MARKS = cython.declare(cython.int, _MARKS)


def back_up(tree, kernel, ply, end):
    """Undo the moves of the tree; if the simulation counts, update their nodes."""
    nodes = tree.arena.nodes
    tallies = tree.arena.tallies
    shares = tree.arena.shares
    changed: cython.bint = tree.proved
    chooser: cython.int = CHANCE
    i: cython.int
    if tree.rave and not tree.stopped:
        tree.number += tree.players
        for i in range(end - 1, -1, -1):  # in reverse, so that the first player of a move remains
            if kernel.weight[i] >= 0:
                tree.marks[kernel.stack[i] & (MARKS - 1)] = tree.number + kernel.weight[i]
    tree.proved = False
    while ply >= 0:
        node: cython.int = tree.path[ply]
        if ply:
            chooser = nodes[tree.path[ply - 1]].mover
        if tree.stopped:
            visits: cython.int = tree.count_visit(node, -1)
            if ply and visits:
                tallies[node].mean += tallies[node].mean / visits
                tallies[node].inv_sqrt = 1.0 / sqrt(visits)
        else:
            visits = tallies[node].visits
            if changed and nodes[node].first:
                changed = update_bounds(tree, node)
            if ply and chooser >= 0:
                tallies[node].mean += (tree.gains[chooser] - tree.floor) / visits
                if ply == 1:
                    tree.tries[node - 1] += 1
                    tree.sums[node - 1] += tree.gains[chooser]
                    tree.squares[node - 1] += tree.gains[chooser] * tree.gains[chooser]
            if tree.arena.players and not nodes[node].proven:
                for i in range(tree.players):
                    shares[node * tree.players + i] += tree.gains[i]
            if tree.rave:
                update_amaf(tree, node)
                if ply and chooser >= 0:
                    tree.marks[nodes[node].move & (MARKS - 1)] = tree.number + chooser
            if tree.tracing:
                emit_backed_up(tree, ply, chooser if ply else CHANCE)
        if ply:
            kernel.pop(nodes[node].move)
        ply -= 1


def update_amaf(tree, node):
    """Update the AMAF values of a node's moves that their player made later in the simulation."""
    nodes = tree.arena.nodes
    first: cython.int = nodes[node].first
    mover: cython.int = nodes[node].mover
    i: cython.int
    if not first or mover == CHANCE:
        return
    for i in range(first, first + nodes[node].count):
        if tree.marks[nodes[i].move & (MARKS - 1)] == tree.number + mover:
            nodes[i].amaf_visits += 1
            nodes[i].amaf_sum += tree.gains[mover] - tree.floor
