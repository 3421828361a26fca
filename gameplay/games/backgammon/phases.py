# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The phase of a game of backgammon: networks have separate input weights for each.  C types: phases.pxd.

    0    neither side has a checker behind, or there is no contact: a race, or nearly one
    1    only the opponent of the player on roll has a checker behind
    2    only the player on roll
    3    both

A checker is behind on the bar or in the opponent's home board.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if not cython.compiled:
    from gameplay.games.backgammon.layout import *

    PHASES = 4

BEHIND = cython.declare(cython.int, 19)  # the opponent's home board begins here


def highest_point(checkers, me):
    """The highest point, or the bar, with a checker of the side whose checkers begin at `me`; 0: none."""
    point: cython.int = BAR
    while point and not checkers[me + point]:
        point -= 1
    return point


def phase_of(checkers, me):
    """The phase for the player on roll, whose checkers begin at `me`."""
    own: cython.int = highest_point(checkers, me)
    other: cython.int = highest_point(checkers, OTHER - me)
    if own + other < BAR:
        return 0
    return 2 * (own >= BEHIND) + (other >= BEHIND)
