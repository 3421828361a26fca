"""Hash functions of 64 bits in plain Python; `hashing.pxd` holds the C that compiled modules use instead.

Keys of positions, seeds, and the playouts and books made from them depend on these numbers.
"""

from gameplay.native.bits import M64

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, odd
MIX_1 = 0xBF58476D1CE4E5B9  # odd numbers of Stafford's mix 13
MIX_2 = 0x94D049BB133111EB
XX_2 = 0xC2B2AE3D27D4EB4F  # the second prime of Collet's xxHash


def spread(key: int) -> int:
    """`key` times GOLDEN: its upper bits are an index to a table (Fibonacci hashing, Knuth 1973, 6.4)."""
    return (key * GOLDEN) & M64


def fold(key: int, number: int) -> int:
    """The key of a sequence, extended by a number."""
    return ((key ^ number) * GOLDEN) & M64


def finalize(z: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014): one to one, and mixes well."""
    z = ((z ^ (z >> 30)) * MIX_1) & M64
    z = ((z ^ (z >> 27)) * MIX_2) & M64
    return z ^ (z >> 31)


def splitmix(state: int) -> int:
    """The output of SplitMix64 in this state. The state after it is `state + GOLDEN`."""
    return finalize((state + GOLDEN) & M64)
