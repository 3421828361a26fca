# mypy: ignore-errors
"""The one way down a tree; `descend.pxd` holds the C that compiled searches use instead."""


def descend(tree, kernel, base, ply, move, depth, alpha, beta):
    """The value of `move` for the player who makes it, fail-soft in the window alpha..beta.

    Plays the move, counts the position, values it and takes the move back. A finished game has its value,
    at the tree's `leaf_depth` the evaluation stands for it, and all else is visited, with `depth` plies to
    go. The new position lies at `ply` and may use the move stack from `base` up. Where
    the mover changes, window and value change sign (negamax); where they move again they do not.
    """
    tree.nodes += 1
    if depth == tree.quick_depth and tree.nodes < tree.next_poll and kernel.leaf(move):
        tree.horizon = True
        return kernel.leaf_score
    mover = kernel.turn
    kernel.push(move)
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
