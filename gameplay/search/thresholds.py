# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Evaluation thresholds: positions beyond them are leaves, since one side has practically lost.

Positions whose evaluation, from the view of MAX, is beyond `max_threshold` or `min_threshold` are leaves; the
root is always searched. The value of the search is that of the tree with these leaves.  C types:
thresholds.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from math import floor

if cython.compiled:
    from cython.cimports.gameplay.search.trace import CUT, MAX_THRESHOLD, MIN_THRESHOLD
    from cython.cimports.gameplay.value import INF
else:
    from gameplay.search.trace import CUT, MAX_THRESHOLD, MIN_THRESHOLD
    from gameplay.value import INF

OFF = "off"


class Thresholds:
    """`low`, `high`: in the game's `unit` from the view of MAX, the player to move in `kernel`, the root."""

    def __init__(self, kernel, low, high):
        self.low = low
        self.high = high
        self.maximizer = kernel.turn
        self.value = 0

    def reached(self, search, kernel, ply):
        """True if the evaluation, `value` from the mover's view, is beyond a threshold."""
        self.value = kernel.score()
        for_max: cython.int = self.value if kernel.turn == self.maximizer else -self.value
        if self.low <= for_max <= self.high:
            return False
        search.horizon = True
        search.frames[ply].length = 0
        if search.tracing:
            search.emit(CUT, ply, -1, self.value, MAX_THRESHOLD if for_max > self.high else MIN_THRESHOLD)
        return True


def thresholds(engine, kernel):
    """The thresholds of an engine's options; None if both are off."""
    if engine.max_threshold == engine.min_threshold == OFF:
        return None
    low = -INF if engine.min_threshold == OFF else -at_most(-float(engine.min_threshold), kernel.unit)
    high = INF if engine.max_threshold == OFF else at_most(float(engine.max_threshold), kernel.unit)
    return Thresholds(kernel, low, high)


def at_most(points, unit):
    """Points in the game's `unit`, rounded down, within -INF to INF."""
    return floor(max(-INF, min(INF, round(points * unit, 6))))  # 0.29 * 100 is 28.999...
