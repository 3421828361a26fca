# mypy: ignore-errors
"""Makes a move and searches the child node; compiled searches use the C version in `descend.pxd`."""


def prefetch(tree, kernel):
    """Load the table entry of a position into a cache while the rules look for the end of the game.

    Does nothing in plain Python.
    """


def descend(tree, kernel, base, ply, move, depth, alpha, beta):
    """The value of `move` for the player who makes it, fail-soft in the window alpha..beta.

    Makes the move, counts the position, values it and unmakes the move. A finished game has its value, a
    position at the tree's `leaf_depth` its evaluation; others are visited with remaining depth `depth`. The
    child is at `ply` and uses the move stack from `base`. Window and value are negated (negamax) unless the
    same player moves again.
    """
    tree.nodes += 1
    if depth == tree.quick_depth and tree.nodes < tree.next_poll and kernel.leaf(move):
        tree.horizon = True
        return kernel.leaf_score
    mover = kernel.turn
    kernel.push(move)
    if depth >= tree.table_depth:
        prefetch(tree, kernel)
    same = kernel.turn == mover
    if tree.nodes >= tree.next_poll:
        if same:
            value = tree.enter_node(kernel, base, ply, move, depth, alpha, beta)
        else:
            value = tree.enter_node(kernel, base, ply, move, depth, -beta, -alpha)
    else:
        result = kernel.result()
        if result:
            value = tree.end(kernel, result, ply)
        elif depth == tree.leaf_depth:
            value = kernel.score()
            tree.horizon = True
        elif same:
            value = tree.visit(kernel, base, ply, depth, alpha, beta)
        else:
            value = tree.visit(kernel, base, ply, depth, -beta, -alpha)
    kernel.pop(move)
    return value if same else -value
