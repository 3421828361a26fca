# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Weights that are 32-bit floats in memory and 16-bit integers in files."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import floats, shorts
    from cython.cimports.libc.math import fabs, floor
else:
    from math import fabs, floor

    from gameplay.native.pointers import floats, shorts

MAX_NUMBER = 32767  # number in a file
MAX_SCALE = 1 << 20


def scale_of(held):
    """The largest scale by which all weights fit into a file."""
    weights: cython.p_float = floats(held)
    total: cython.longlong = len(held)
    most: cython.double = 1e-9
    i: cython.longlong
    for i in range(total):
        most = max(most, fabs(weights[i]))
    return min(float(MAX_SCALE), MAX_NUMBER / most)


def pack(held, scale: cython.double):
    """The weights in a memoryview of floats as 16-bit whole numbers, `scale` of which make 1."""
    total: cython.longlong = len(held)
    numbers = array("h", bytes(2 * total))
    weights: cython.p_float = floats(held)
    places: cython.p_short = shorts(memoryview(numbers))
    i: cython.longlong
    for i in range(total):
        if weights[i] != 0:
            places[i] = cython.cast(cython.int, floor(weights[i] * scale + 0.5))
    return numbers.tobytes()


def unpack(packed: bytes, scale: cython.double, held):
    """Write the weights that `pack` packed. Raises ValueError if their number is another."""
    total: cython.longlong = len(held)
    if len(packed) != 2 * total:
        raise ValueError(f"expected {total} weights, found {len(packed) // 2}")
    weights: cython.p_float = floats(held)
    numbers = array("h", packed)
    places: cython.p_short = shorts(memoryview(numbers))
    i: cython.longlong
    for i in range(total):
        if places[i]:
            weight: cython.double = places[i] / scale
            weights[i] = cython.cast(cython.float, weight)
