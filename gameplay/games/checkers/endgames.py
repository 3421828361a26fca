"""Checkers endgame exercises: endings of two to four pieces, by the names of their tables."""

from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending


def random_position(material: str, rng: Random) -> str:
    """A random position of an ending (KMvK: K king, M man), either side to move, as PDN FEN."""
    first, _, second = material.partition("v")
    squares = rng.sample(range(1, 33), len(first) + len(second))
    sides = [
        ",".join(f"{piece.removeprefix('M')}{squares.pop()}" for piece in side) for side in (first, second)
    ]
    rng.shuffle(sides)
    return f"{rng.choice('BW')}:W{sides[0]}:B{sides[1]}"


_ENDINGS = (  # name, words, holds and offered of each, see Ending
    ("KKvK", "two kings against one", False, True),
    ("KvK", "king against king", True, True),
    ("KMvK", "king and man against king", True, True),
    ("KKvM", "two kings against a man", True, True),
    ("MMvK", "two men against a king", True, True),
    ("KMvM", "king and man against a man", True, True),
    ("MMvM", "two men against one", True, True),
    ("KKvKM", "two kings against king and man", True, False),
    ("KMvKM", "king and man against king and man", True, False),
    ("MMvMM", "two men against two", True, False),
    ("KKKvK", "three kings against one", False, False),
)
ENDGAMES = Endgames(
    oracle="tables",
    endings=tuple(
        [
            Ending(name, words, partial(random_position, name), holds, offered)
            for name, words, holds, offered in _ENDINGS
        ]
    ),
)
