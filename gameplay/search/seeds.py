"""Seeds for the generators of random numbers: independent of each other, and reproducible in any process."""

from hashlib import blake2b


def seed_of(*parts: object) -> int:
    """A 63-bit seed, hashed from the `str` of each part.

    The seed of a game is seed_of(run seed, pair, leg), so that games can run in any order.
    """
    text = "\0".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
