# mypy: ignore-errors
"""Bit tricks in plain Python; `bits.pxd` holds the C that compiled modules use instead."""

ONE = 1  # 64 bits wide in C, where `1 << n` has 32
M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF  # mask for 64-bit arithmetic with Python ints; no effect in C


def popcount(x):
    """The number of set bits."""
    return x.bit_count()


def lowest(x):
    """Index of the lowest set bit; x is not 0."""
    return (x & -x).bit_length() - 1


def highest(x):
    """Index of the highest set bit; x is not 0."""
    return x.bit_length() - 1


def reversed_bits(x):
    """The 64 bits in the opposite order."""
    return int(f"{x:064b}"[::-1], 2)


def runs(p, step, length):
    """The lowest bits of all runs of `length` set bits, `step` apart."""
    have = 1
    while have < length:
        more = min(have, length - have)
        p &= p >> (more * step)
        have += more
    return p


def four(p, stride):
    """True for four in a row, in any direction, on a board whose columns are `stride` bits apart."""
    for step in (stride, stride - 1, stride + 1, 1):
        pairs = p & (p >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


def gaps(p, step, length):
    """The bits, set or not, that would make a run of `length` with the others of it set, `step` apart.

    May set bits beyond the board: the caller masks them.
    """
    found = 0
    for missing in range(length):
        rest = -1
        for away in range(-missing, length - missing):
            if away:
                rest &= p >> (away * step) if away > 0 else p << (-away * step)
        found |= rest
    return found
