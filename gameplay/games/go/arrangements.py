# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""How many legal positions a board of Go has.  C types: arrangements.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.games.go.board import EMPTY
else:
    from gameplay.games.go.board import EMPTY


def sound(board):
    """Has every chain a liberty? By the colours of the points alone."""
    c: cython.int
    i: cython.int
    p: cython.int
    q: cython.int
    way: cython.int
    at: cython.int
    count: cython.int
    found: cython.bint
    board.marks += 1
    for i in range(board.area):
        p = board.order[i]
        c = board.colour[p]
        if c == EMPTY or board.mark[p] == board.marks:
            continue
        board.mark[p] = board.marks
        board.walk[0] = p
        at, count, found = 0, 1, False
        while at < count:
            p = board.walk[at]
            at += 1
            for way in range(4):
                q = p + board.ways[way]
                if board.colour[q] == EMPTY:
                    found = True
                elif board.colour[q] == c and board.mark[q] != board.marks:
                    board.mark[q] = board.marks
                    board.walk[count] = q
                    count += 1
        if not found:
            return False
    return True


def legal_positions(board, number, colours):
    """How many ways there are to go on from the first points' colours so that every chain has a liberty.

    `colours` is 1 while there is no stone: the first is black, and counts for a white one too.
    """
    if number == board.area:
        return sound(board)
    p: cython.int = board.order[number]
    total: cython.longlong = legal_positions(board, number + 1, colours)
    c: cython.int
    for c in range(1, colours + 1):
        board.colour[p] = c
        total += legal_positions(board, number + 1, 2) * (3 - colours)
    board.colour[p] = EMPTY
    return total
