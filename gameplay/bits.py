"""Bit tricks in plain Python; `bits.pxd` holds the C that compiled modules use instead."""


def popcount(x):
    """How many bits are set."""
    return x.bit_count()


def lowest(x):
    """Index of the lowest set bit; x is not 0."""
    return (x & -x).bit_length() - 1
