"""Endgames of checkers to train: endings of two to four pieces, by the names of their tables."""

from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending


def drawn(material: str, rng: Random) -> str:
    """The pieces of an ending (KMvK: K king, M man) on random squares, either side to move, as PDN FEN."""
    first, _, second = material.partition("v")
    squares = rng.sample(range(1, 33), len(first) + len(second))
    sides = [
        ",".join(f"{piece.removeprefix('M')}{squares.pop()}" for piece in side) for side in (first, second)
    ]
    rng.shuffle(sides)
    return f"{rng.choice('BW')}:W{sides[0]}:B{sides[1]}"


def _ending(name: str, words: str, holds: bool = False, offered: bool = True) -> Ending:
    return Ending(name, words, partial(drawn, name), holds, offered)


ENDGAMES = Endgames(
    oracle="tables",
    endings=(
        _ending("KKvK", "two kings against one"),
        _ending("KvK", "king against king", holds=True),
        _ending("KMvK", "king and man against king", holds=True),
        _ending("KKvM", "two kings against a man", holds=True),
        _ending("MMvK", "two men against a king", holds=True),
        _ending("KMvM", "king and man against a man", holds=True),
        _ending("MMvM", "two men against one", holds=True),
        _ending("KKvKM", "two kings against king and man", holds=True, offered=False),
        _ending("KMvKM", "king and man against king and man", holds=True, offered=False),
        _ending("MMvMM", "two men against two", holds=True, offered=False),
        _ending("KKKvK", "three kings against one", offered=False),
    ),
)
