# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Numbers of sets of squares: the combinatorial number system.  C types: subsets.pxd.

The sets of k squares, each a set of bits, have the numbers from 0 up in the order of the bits as numbers:
the set s1 < s2 < ... < sk has the number C(s1, 1) + C(s2, 2) + ... + C(sk, k) (Knuth, The Art of Computer
Programming 4A, 7.2.1.3, theorem L). That of one square is the square. Sets have up to MOST squares of 64.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from math import comb

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, lowest
else:
    from gameplay.native.bits import ONE, lowest

MOST = 8

if not cython.compiled:
    CHOOSE = [0] * 585

    def choose(squares, count):
        """How many sets of `count` squares there are."""
        return CHOOSE[65 * count + squares]


for _count in range(MOST + 1):
    for _squares in range(65):
        CHOOSE[65 * _count + _squares] = comb(_squares, _count)


def number_of(squares):
    """The number of a set among those of its size."""
    number: cython.longlong = 0
    count: cython.int = 1
    while squares:
        number += CHOOSE[65 * count + lowest(squares)]
        squares &= squares - 1
        count += 1
    return number


def numbered(number, count):
    """The set of `count` squares that has this number."""
    squares: cython.ulonglong = 0
    at: cython.int = 63
    while count:
        while CHOOSE[65 * count + at] > number:
            at -= 1
        squares |= ONE << at
        number -= CHOOSE[65 * count + at]
        count -= 1
    return squares
