from gameplay.kernel cimport Kernel
from gameplay.native.hashing cimport spread
from gameplay.search.tree cimport TreeSearch

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_prefetch(address) __builtin_prefetch(address)
    #else
      #define gameplay_prefetch(address) ((void)0)
    #endif
    """
    void load "gameplay_prefetch" (void* address) noexcept nogil

cdef inline void prefetch(TreeSearch tree, Kernel kernel) noexcept nogil:
    load(&tree.table.slots[(spread(kernel.hash()) >> tree.table.shift) * 2])

cdef inline int descend(TreeSearch tree, Kernel kernel, int base, int ply, int move, int depth, int alpha, int beta) noexcept nogil:
    cdef int mover, result, value
    cdef bint same
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
