"""Positions of random games."""

from collections.abc import Iterator
from random import Random
from typing import Any

from gameplay.registry import Game


def random_walk(game: Game, games: int, seed: int) -> Iterator[Any]:
    """Each unfinished position of so many random games. The position object is reused: do not modify it."""
    rng = Random(seed)
    for _ in range(games):
        position = game.new()
        while position.outcome() is None:
            yield position
            position.make(rng.choice(position.moves()))
