# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Phase 2, expansion: a leaf gets its children, with the priors of its moves.  Types: expansion.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.engines.mcts.simulation import evaluate
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.barrier import barrier
    from cython.cimports.gameplay.value import HUGE
else:
    from gameplay.engines.mcts.simulation import evaluate
    from gameplay.position import CHANCE
    from gameplay.search.barrier import barrier
    from gameplay.value import HUGE


def expand(tree, kernel, node):
    """Give a leaf its children; false if there is no room for them."""
    chance: cython.bint = kernel.turn == CHANCE
    count: cython.int = kernel.gen_chances(0) if chance else kernel.gen(0)
    if kernel.failed:
        return False
    if tree.prior == 2 and not chance and tree.node_limit and tree.nodes + count >= tree.node_limit:
        return False  # each move's evaluation is a node
    first: cython.int = tree.reserve_nodes(count)
    if first < 0:
        return False
    nodes = tree.arena.nodes
    i: cython.int
    for i in range(count):
        tree.add_leaf(first + i, kernel.stack[i])
        if chance:
            nodes[first + i].odds = kernel.odds[i]
    if not chance and (tree.prior or tree.widen):
        set_priors(tree, kernel, first, count)
    nodes[node].mover = kernel.turn
    nodes[node].count = count
    barrier()
    nodes[node].first = first  # from here on other threads see them
    return True


def set_priors(tree, kernel, first, count):
    """Set the priors of unvisited moves, from 0 to 1, and sort them, the best first."""
    if tree.guided:
        set_policy(tree, kernel, first, count)
    else:
        set_estimates(tree, kernel, first, count)
    # A stable sort.
    nodes = tree.arena.nodes
    i: cython.int
    for i in range(first + 1, first + count):
        move: cython.int = nodes[i].move
        odds: cython.double = nodes[i].odds
        k: cython.int = i
        while k > first and nodes[k - 1].odds < odds:
            nodes[k].move, nodes[k].odds = nodes[k - 1].move, nodes[k - 1].odds
            k -= 1
        nodes[k].move, nodes[k].odds = move, odds


def set_policy(tree, kernel, first, count):
    """Set the priors to the probabilities of the learned policy."""
    nodes = tree.arena.nodes
    i: cython.int
    for i in range(count):
        kernel.stack[i] = nodes[first + i].move
    if tree.guide.prefer(kernel, count):
        for i in range(count):
            nodes[first + i].odds = kernel.odds[i]


def set_estimates(tree, kernel, first, count):
    """Set the priors by the evaluation or by hints, from the worst to the best of a position."""
    nodes = tree.arena.nodes
    i: cython.int
    mover: cython.int = kernel.turn
    low: cython.double = HUGE
    high: cython.double = -HUGE
    for i in range(first, first + count):
        if tree.prior == 2:
            kernel.push(nodes[i].move)
            tree.nodes += 1
            if kernel.result():
                nodes[i].odds = kernel.payoff(mover)
            else:
                evaluate(tree, kernel)
                nodes[i].odds = tree.gains[mover]
            kernel.pop(nodes[i].move)
        else:
            nodes[i].odds = kernel.hint(nodes[i].move)
        low = min(low, nodes[i].odds)
        high = max(high, nodes[i].odds)
    if tree.prior == 2 and tree.min_payoff > -HUGE:
        low, high = (tree.min_payoff, tree.max_payoff) if mover == 0 else (-tree.max_payoff, -tree.min_payoff)
    for i in range(first, first + count):
        nodes[i].odds = (nodes[i].odds - low) / (high - low) if high > low else 0.5
