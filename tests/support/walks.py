"""Positions of random games."""

from collections.abc import Iterator
from random import Random
from typing import Any

from gameplay.registry import Game


def random_walk(game: Game, games: int, seed: int) -> Iterator[Any]:
    """Each position of so many random games that is not over. It is made on: leave it as it is."""
    rng = Random(seed)
    for _ in range(games):
        position = game.new()
        while position.outcome() is None:
            yield position
            position.make(rng.choice(position.moves()))
