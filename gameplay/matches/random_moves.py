"""Random moves for openings and quiz questions."""

from random import Random

from gameplay.errors import Fault
from gameplay.position import CHANCE, AbstractPosition


def random_move(position: AbstractPosition, rng: Random) -> int:
    """A random legal move; at a chance node by its probabilities. Raises Fault where there is none."""
    moves = position.moves()
    if position.turn == CHANCE:
        return int(rng.choices(moves, position.chances())[0])
    if not moves:
        raise Fault("moves() is empty although outcome() is None")
    return int(moves[rng.randrange(len(moves))])
