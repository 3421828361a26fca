from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch

cdef inline int descend(TreeSearch tree, Kernel kernel, int base, int ply, int move, int depth, int alpha, int beta) noexcept nogil:
    cdef int mover, floor, result, value
    cdef bint same
    mover = kernel.turn
    kernel.push(move)
    same = kernel.turn == mover
    if not same:
        floor = alpha
        alpha = -beta
        beta = -floor
    tree.nodes += 1
    if tree.nodes >= tree.next_poll:
        value = tree.arrive(kernel, base, ply, move, depth, alpha, beta)
    else:
        result = kernel.result()
        if result:
            value = tree.end(kernel, result, ply)
        elif depth == 0 and tree.plain:
            value = kernel.score()
            tree.horizon = True
        else:
            value = tree.visit(kernel, base, ply, depth, alpha, beta)
    kernel.pop(move)
    return value if same else -value
