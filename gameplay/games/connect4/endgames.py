"""Connect Four endgame exercises: positions with many discs, which the solver values at once."""

from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending
from gameplay.games.connect4.game import Connect4
from gameplay.position import AbstractPosition


def random_position(least: int, most: int, rng: Random) -> str:
    """The moves of a random game with this many discs in which no win in one is missed or allowed."""
    position = Connect4()
    for _ in range(rng.randint(least, most)):
        if position.outcome() is not None:
            break
        position.make(_random_safe_move(position, rng))
    text: str = position.text()
    return text


def _random_safe_move(position: AbstractPosition, rng: Random) -> int:
    """Return an immediate win, else a random move that does not allow one."""
    moves = list(position.moves())
    rng.shuffle(moves)
    wins = _winning_moves(position)
    if wins:
        return wins[0]
    for move in moves:
        position.make(move)
        lost = position.outcome() is None and _winning_moves(position)
        position.unmake()
        if not lost:
            return move
    return moves[0]


def _winning_moves(position: AbstractPosition) -> list[int]:
    """The moves that win immediately."""
    moves = []
    mover = position.turn
    for move in position.moves():
        position.make(move)
        payoffs = position.outcome()
        position.unmake()
        if payoffs is not None and payoffs[mover] > 0:
            moves.append(move)
    return moves


ENDGAMES = Endgames(
    oracle="solver",
    levels=(3, 5, 8, 12),
    endings=(
        Ending("late", "28 to 33 discs on the board", partial(random_position, 28, 33)),
        Ending("middle", "22 to 27 discs on the board", partial(random_position, 22, 27), holds=True),
        Ending("early", "17 to 21 discs on the board", partial(random_position, 17, 21), holds=True),
    ),
)
