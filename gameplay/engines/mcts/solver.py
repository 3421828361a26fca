# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""MCTS solver: proofs of payoffs in the tree (the option `solver`).  Types: solver.pxd.

`low` and `high` bound the payoff of the first player below a node. At the end of the game both are the
payoff; a decision node has the best bounds of its moves, a chance node their mean. Moves that cannot beat
the guaranteed value of another are not selected again. Mark Winands, Yngvi Björnsson and Jahn-Takeshi
Saito, "Monte-Carlo tree search solver", CG 2008; with bounds, so that draws and points count: Tristan
Cazenave and Abdallah Saffidine, "Score bounded Monte-Carlo tree search", CG 2010. With more than two
players or a general sum a node is proved when all its children are, and those that tie for the mover have
the same payoffs for each player.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import HUGE
else:
    from gameplay.position import CHANCE
    from gameplay.value import HUGE


def prove(tree, node):
    """Mark a node as proved, with the payoffs in `gains`."""
    if not tree.solver:
        return
    i: cython.int
    tree.proved = True
    if tree.two_player_zero_sum:
        tree.arena.nodes[node].low = tree.arena.nodes[node].high = tree.gains[0]
    else:
        for i in range(tree.players):
            tree.arena.shares[node * tree.players + i] = tree.gains[i]
    tree.arena.nodes[node].proven = True


def update_bounds(tree, node):
    """Update a node's bounds from its children's; true if they became tighter."""
    if not tree.two_player_zero_sum:
        return update_proof(tree, node)
    nodes = tree.arena.nodes
    tallies = tree.arena.tallies
    first: cython.int = nodes[node].first
    mover: cython.int = nodes[node].mover
    low: cython.double = 0.0 if mover == CHANCE else -HUGE if mover == 0 else HUGE
    high: cython.double = low
    i: cython.int
    for i in range(first, first + nodes[node].count):
        if mover == CHANCE:
            low += nodes[i].odds * nodes[i].low
            high += nodes[i].odds * nodes[i].high
        elif mover == 0:
            low = max(low, nodes[i].low)
            high = max(high, nodes[i].high)
        else:
            low = min(low, nodes[i].low)
            high = min(high, nodes[i].high)
    closer: cython.bint = low > nodes[node].low or high < nodes[node].high
    nodes[node].low = max(low, nodes[node].low)
    nodes[node].high = min(high, nodes[node].high)
    nodes[node].proven = nodes[node].low >= nodes[node].high
    if mover != CHANCE:
        for i in range(first, first + nodes[node].count):
            tallies[i].dominated = (
                nodes[i].high <= nodes[node].low if mover == 0 else nodes[i].low >= nodes[node].high
            )
    return closer


def update_proof(tree, node):
    """Prove a node of a game of many players or a general sum if its children allow it; true if they do."""
    nodes = tree.arena.nodes
    shares = tree.arena.shares
    first: cython.int = nodes[node].first
    end: cython.int = first + nodes[node].count
    mover: cython.int = nodes[node].mover
    best: cython.int = first
    i: cython.int
    k: cython.int
    for i in range(first, end):
        if not nodes[i].proven:
            return False
    if mover != CHANCE:
        for i in range(first, end):
            if shares[i * tree.players + mover] > shares[best * tree.players + mover]:
                best = i
        for i in range(first, end):
            if shares[i * tree.players + mover] < shares[best * tree.players + mover]:
                continue
            for k in range(tree.players):
                if shares[i * tree.players + k] != shares[best * tree.players + k]:
                    return False  # a tie for the mover, not for the others
    for k in range(tree.players):
        payoff: cython.double = shares[best * tree.players + k]
        if mover == CHANCE:
            payoff = 0.0
            for i in range(first, end):
                payoff += nodes[i].odds * shares[i * tree.players + k]
        shares[node * tree.players + k] = payoff
    nodes[node].proven = True
    return True
