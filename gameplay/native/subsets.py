# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Indexes of sets of squares: the combinatorial number system.  C types: subsets.pxd.

The sets of k squares, as bits, are indexed from 0 in increasing order of their bits as a number:
the set s1 < s2 < ... < sk has the index C(s1, 1) + C(s2, 2) + ... + C(sk, k) (Knuth, The Art of Computer
Programming 4A, 7.2.1.3, theorem L). A set has at most MAX_SIZE of 64 squares.
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

MAX_SIZE = 8

if not cython.compiled:
    CHOOSE = [0] * 585

    def choose(squares, count):
        """The binomial coefficient: the number of sets of `count` squares."""
        return CHOOSE[65 * count + squares]


for _count in range(MAX_SIZE + 1):
    for _squares in range(65):
        CHOOSE[65 * _count + _squares] = comb(_squares, _count)


def subset_index(squares):
    """The index of a set among the sets of its size."""
    number: cython.longlong = 0
    count: cython.int = 1
    while squares:
        number += CHOOSE[65 * count + lowest(squares)]
        squares &= squares - 1
        count += 1
    return number


def subset_from_index(number, count):
    """The set of `count` squares with this index."""
    squares: cython.ulonglong = 0
    at: cython.int = 63
    while count:
        while CHOOSE[65 * count + at] > number:
            at -= 1
        squares |= ONE << at
        number -= CHOOSE[65 * count + at]
        count -= 1
    return squares
