"""Othello endgame exercises: the last moves of random games, solved exactly."""

from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending
from gameplay.games.othello.game import Othello

MAX_MARGIN = 6  # discs; after a larger margin few moves lose the win


def random_position(last: int, rng: Random) -> str:
    """The position `last` moves before the end of a random game that ends near a draw; passes count."""
    while True:
        position = Othello()
        made = 0
        while (payoffs := position.outcome()) is None:
            moves = position.moves()
            position.make(moves[rng.randrange(len(moves))])
            made += 1
        if abs(payoffs[0]) <= MAX_MARGIN and made > last:
            break
    for _ in range(last):
        position.unmake()
    text: str = position.text()
    return text


ENDGAMES = Endgames(
    oracle="solver",
    levels=(5, 6, 7, 8),
    endings=tuple(
        Ending(f"last-{last}", f"the last {last} moves", partial(random_position, last))
        for last in (8, 10, 12)
    ),
)
