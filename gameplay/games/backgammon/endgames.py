"""Backgammon endgame exercises: bear-offs with few checkers a side."""

from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending
from gameplay.games.backgammon.game import Backgammon


def draw_start(most: int, rng: Random) -> str:
    """A random position: two to `most` checkers a side on points 1 to 6, and a roll."""
    position = Backgammon()
    position.lay_out(*(_checkers(rng.randint(2, most), rng) for _ in range(2)))
    rolls = position.moves()
    (roll,) = rng.choices(rolls, position.chances())
    position.make(roll)
    text: str = position.text()
    return text


def _checkers(count: int, rng: Random) -> list[int]:
    points = [0] * 6
    for _ in range(count):
        points[rng.randrange(6)] += 1
    return points


ENDGAMES = Endgames(
    oracle="bearoff",
    levels=(5, 10, 20, 40),
    endings=(
        Ending("bearoff-4", "bearing off, up to 4 checkers a side", partial(draw_start, 4), pieces=4),
        Ending(
            "bearoff-6",
            "bearing off, up to 6 checkers a side",
            partial(draw_start, 6),
            offered=False,
            pieces=6,
        ),
    ),
)
