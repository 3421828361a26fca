"""Random moves for openings and quiz questions."""

from random import Random

from gameplay.position import CHANCE, AbstractPosition


def random_move(position: AbstractPosition, rng: Random) -> int:
    """A random legal move; at a chance node by its probabilities."""
    moves = position.moves()
    if position.turn == CHANCE:
        return int(rng.choices(moves, position.chances())[0])
    return int(moves[rng.randrange(len(moves))])
