# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The four phases of a simulation as events of the trace.  Types: trace.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

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
            )
        )


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
        if tree.arena.nodes[node].sure and tree.arena.players:
            values = tuple([tree.arena.shares[node * tree.players + i] for i in range(tree.players)])
        elif tree.arena.nodes[node].sure:
            values = (tree.arena.nodes[node].low, -tree.arena.nodes[node].low)
        tree.emit(
            steps.TraceEvent(
                "backup",
                ply,
                tree.arena.nodes[node].move,
                chooser,
                value=mean_of(tree, node, chooser),
                why="proven" if tree.arena.nodes[node].sure else "",
                values=values,
                visits=tree.arena.tallies[node].visits,
            )
        )


def mean_of(tree: MonteCarloTree, node: cython.int, chooser: cython.int):
    """The mean payoff of the player who chose this node; 0 if it is unvisited or chosen by chance."""
    if chooser == CHANCE or not tree.arena.tallies[node].visits:
        return 0.0
    return tree.arena.tallies[node].mean + tree.floor
