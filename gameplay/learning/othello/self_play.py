"""Plays the games of Othello that weights are fitted to.

Games begin with random moves, continue with 1-ply searches by a given evaluation and are solved exactly for
the last SOLVED squares.
"""

import random
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Any

from gameplay.games.othello.evaluation import EVALUATIONS
from gameplay.games.othello.game import Othello
from gameplay.learning.program import library
from gameplay.position import AbstractEvaluation

SOLVED = 11  # positions with at most this many empty squares are solved
OPENING = (6, 14)  # random plies at the beginning: minimum and maximum
MAX_OPENING_VALUE = 1200  # hundredths of a disc: openings with a greater value are dropped
RANDOM_MOVE = 0.01  # probability of a random move after the opening; positions before it are dropped
BATCH = 500  # games per generator

Row = tuple[int, int, int, int]
FIELDS = [("mover", "u8"), ("other", "u8"), ("result", "f4"), ("turn", "i1")]  # of a row


def play_game(position: Othello, rng: random.Random) -> list[Row]:
    """Play a game; return a row per position: the mover's discs, the opponent's, the result, the turn.

    The result is the mover's disc difference. Empty if the opening is uneven or the game ends early.
    """
    position.setup("")
    for _ in range(rng.randint(*OPENING)):
        if position.outcome() is not None:
            return []
        position.make(rng.choice(position.moves()))
    if abs(position.evaluate()) > MAX_OPENING_VALUE:
        return []
    unsolved: list[tuple[int, int, int]] = []  # (turn, mover's discs, opponent's)
    while position.outcome() is None and empty_squares(position) > SOLVED:
        unsolved.append((position.turn, position.pos, position.opp))
        if rng.random() < RANDOM_MOVE:
            unsolved.clear()
            position.make(rng.choice(position.moves()))
        else:
            position.make(choose(position, rng))
    if position.outcome() is not None:
        return []
    result = position.exact()[0] * (1 if position.turn == 0 else -1)
    rows = [(p, o, result if turn == 0 else -result, turn) for turn, p, o in unsolved]
    while position.outcome() is None:
        rows.append((position.pos, position.opp, position.exact()[0], position.turn))
        position.make(choose(position, rng))
    return rows


def empty_squares(position: Othello) -> int:
    """The number of empty squares."""
    return 64 - int(position.pos | position.opp).bit_count()


def choose(position: Othello, rng: random.Random) -> int:
    """The best move by a 1-ply search, with noise of up to 0.6 discs."""
    moves = position.moves()
    best_value, best = -(10**6), int(moves[0])
    turn = position.turn
    for move in moves:
        position.make(move)
        value = position.evaluate() if position.turn == turn else -position.evaluate()
        position.unmake()
        value += rng.randrange(60)
        if value > best_value:
            best_value, best = value, move
    return best


def play_games(count: int, evaluation: AbstractEvaluation, seed: int, jobs: int = 1) -> Any:
    """Play `count` games; return their positions, an array of FIELDS, the same for any `jobs`."""
    weights = evaluation.weights if evaluation.name == "patterns" else None
    sizes = [min(BATCH, count - start) for start in range(0, count, BATCH)]
    seeds = [f"{seed}/{start}" for start in range(0, count, BATCH)]
    return map_batches(jobs, play_batch, sizes, seeds, repeat(weights))


def map_batches(jobs: int, function: Callable[..., Any], *arguments: Iterable[Any]) -> Any:
    """Concatenate the arrays that a function returns for each batch, computed by `jobs` processes."""
    np = library("numpy")
    if jobs == 1:
        return np.concatenate(list(map(function, *arguments)))
    with ProcessPoolExecutor(jobs) as pool:
        return np.concatenate(list(pool.map(function, *arguments)))


def play_batch(count: int, seed: str, weights: bytes | None) -> Any:
    """Play `count` games by `patterns` with these weights, or by `classic`; return their positions."""
    np = library("numpy")
    position = Othello()
    position.evaluation = EVALUATIONS["patterns"].with_weights(weights) if weights else EVALUATIONS["classic"]
    rng = random.Random(seed)
    rows = [row for _ in range(count) for row in play_game(position, rng)]
    return np.array(rows, dtype=FIELDS)
