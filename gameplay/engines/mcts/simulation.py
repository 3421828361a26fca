# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Phase 3, simulation: payoffs of a leaf by a playout, the evaluation or a search.  Types: simulation.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython


if cython.compiled:
    from cython.cimports.gameplay.engines.mcts.solver import prove
    from cython.cimports.gameplay.search.trace import EVALUATION, GAME_END, MIXED, PROVEN
    from cython.cimports.gameplay.search.trace import SEARCH as BY_SEARCH
    from cython.cimports.gameplay.value import ENDLESS, INF, MAX_EVAL
else:
    from gameplay.engines.mcts.solver import prove
    from gameplay.search.trace import EVALUATION, GAME_END, MIXED, PROVEN
    from gameplay.search.trace import SEARCH as BY_SEARCH
    from gameplay.value import ENDLESS, INF, MAX_EVAL


def simulate(tree, kernel, node):
    """Compute each player's `gains` at a node; return the end of the playout's moves on the stack."""
    i: cython.int
    end: cython.int = 0
    nodes = tree.arena.nodes
    shares = tree.arena.shares
    if tree.stopped:
        return 0
    if nodes[node].proven:
        tree.source = PROVEN
        if tree.two_player_zero_sum:
            tree.gains[0] = nodes[node].low
            tree.gains[1] = -tree.gains[0]
        else:
            for i in range(tree.players):
                tree.gains[i] = shares[node * tree.players + i]
        return 0
    if tree.leaf == 1 or tree.plies:
        tree.source = BY_SEARCH if tree.plies else EVALUATION
        if kernel.result():
            tree.source = GAME_END
            for i in range(tree.players):
                tree.gains[i] = kernel.payoff(i)
            prove(tree, node)
        elif tree.plies:
            if search_leaf(tree, kernel):
                prove(tree, node)
        else:
            evaluate(tree, kernel)
        if kernel.failed:
            tree.stopped = True
    else:
        room: cython.int = ENDLESS
        if tree.node_limit and tree.node_limit - tree.nodes < ENDLESS:
            room = cython.cast(cython.int, tree.node_limit - tree.nodes)
        end = kernel.playout(0, room)
        tree.nodes += end
        if tree.nodes >= tree.next_poll:
            tree.poll()
        if not kernel.finished and end < ENDLESS:
            tree.stopped = True
        if tree.stopped:
            return 0
        if not kernel.finished:
            for i in range(tree.players):
                kernel.gains[i] = 0.0
        tree.source = GAME_END if not end else MIXED if tree.leaf else 0
        if tree.leaf and end:
            evaluate(tree, kernel)
        for i in range(tree.players):
            tree.gains[i] = (
                kernel.gains[i] if not tree.leaf or not end else (0.5 * (kernel.gains[i] + tree.gains[i]))
            )
        if not end:
            prove(tree, node)
    if tree.guided:  # a learned value predicts wins, not points
        tree.gains[0] = min(max(tree.gains[0], tree.min_payoff), tree.max_payoff)
        tree.gains[1] = -tree.gains[0]
    for i in range(tree.players):
        tree.min_seen = min(tree.min_seen, tree.gains[i])
        tree.max_seen = max(tree.max_seen, tree.gains[i])
    return end


def evaluate(tree, kernel):
    """Set `gains` by the evaluation."""
    i: cython.int
    if tree.guided:
        tree.gains[0] = tree.guide.expect(kernel) * tree.guide.goal
        tree.gains[1] = -tree.gains[0]
        return
    for i in range(tree.players):
        value: cython.double = kernel.score_for(i)
        if tree.half:
            value = tree.unit * value / (abs(value) + tree.half)
        tree.gains[i] = value
    if tree.two_player_zero_sum:
        tree.gains[0] = min(max(tree.gains[0], tree.min_payoff), tree.max_payoff)
        tree.gains[1] = -tree.gains[0]


def search_leaf(tree, kernel):
    """Set `gains` by an alpha-beta search; true if no line of it ended at the depth limit."""
    mover: cython.int = kernel.turn
    tree.leaf_search.horizon = False
    before: cython.longlong = tree.leaf_search.nodes
    score: cython.int = tree.leaf_search.visit(kernel, 0, 0, tree.plies, -INF, INF)
    tree.nodes += tree.leaf_search.nodes - before
    if tree.leaf_search.stopped:
        tree.stopped = True
    value: cython.double = score
    proved: cython.bint = not tree.leaf_search.horizon
    if score > MAX_EVAL or score < -MAX_EVAL:
        value = tree.unit if score > 0 else -tree.unit
        proved = True
    elif tree.half and not proved:
        value = tree.unit * value / (abs(value) + tree.half)
    tree.gains[mover] = value
    tree.gains[1 - mover] = -value
    return proved
