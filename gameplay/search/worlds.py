"""Enumerates the positions of each information set, in games that are small enough.

A world is a position that a player cannot distinguish from the true one. Its weight is the probability of the
chance outcomes that lead there; hidden choices count as equally likely, for every player.
`determinize` samples worlds by these weights; engines with an opponent model reweight them.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gameplay.capabilities import unchecked
from gameplay.errors import Usage
from gameplay.position import CHANCE, AbstractPosition, Position, parameters

ESTIMATE_FACTOR = 1000  # a game with an estimated size beyond this multiple of the maximum is not enumerated
RANDOM_GAMES = 64  # to estimate the size of a game
MAX_PLIES = 500  # of such a game
CACHED_GAMES = 4  # games whose worlds are cached
MIN_SAMPLES, SAMPLES_PER_WORLD = 200, 20
SIGMAS = 5  # accepted deviation of sample counts from their expectation


class Stopped(Exception):
    """The caller has stopped the enumeration."""


@dataclass
class Worlds:
    """The worlds of an information set: weights of positions by key, and lines of moves with probabilities.

    The probabilities are those of chance; several lines may lead to one position.
    """

    player: int
    weights: dict[Hashable, float] = field(default_factory=dict)
    lines: dict[tuple[int, ...], float] = field(default_factory=dict)

    def sampling_error(self, position: AbstractPosition, seed: int) -> str:
        """Describe an error in the distribution of `determinize` at one of these worlds; "" if there is none.

        Pearson's chi-square test against the weights; a correct game fails once in millions.
        """
        samples = MIN_SAMPLES + SAMPLES_PER_WORLD * len(self.weights)
        counts: Counter[Hashable] = Counter()
        for number in range(samples):
            counts[position.determinize(self.player, Random(f"{seed}/{number}")).key()] += 1
        first = position.determinize(self.player, Random(f"{seed}/0")).key()
        if first != position.determinize(self.player, Random(f"{seed}/0")).key():
            return "determinize() samples different positions from the same seed"
        if inconsistent := [key for key in counts if key not in self.weights]:
            return f"determinize() sampled {inconsistent[0]}, which is not in the information set"
        total = sum(self.weights.values())
        expected = {key: samples * weight / total for key, weight in self.weights.items()}
        freedom = len(expected) - 1
        chi_square = sum((counts[key] - count) ** 2 / count for key, count in expected.items())
        if chi_square <= freedom + SIGMAS * math.sqrt(2 * freedom) + SIGMAS**2:
            return ""
        key = max(expected, key=lambda key: (counts[key] - expected[key]) ** 2 / expected[key])
        return f"determinize() sampled {key} {counts[key]} times in {samples}; expected {expected[key]:.1f}"


def enumerate_worlds(
    position: AbstractPosition,
    limit: int,
    plies: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> dict[Hashable, Worlds] | None:
    """The worlds of each (player, information set) from `position` to the end of the game.

    limit: maximum number of positions; None is returned if there are more. plies: maximum depth. Raises
    Stopped once `stop()` is true.
    """
    max_estimate = ESTIMATE_FACTOR * limit
    if plies is None and estimate_size(position, max_estimate) > max_estimate:
        return None
    infosets: dict[Hashable, Worlds] = {}
    path: list[int] = []
    remaining, make = limit, unchecked(position)

    def visit(probability: float) -> bool:
        """Enumerate the subtree; return False if the limit is exceeded."""
        nonlocal remaining
        remaining -= 1
        if stop is not None and stop():
            raise Stopped
        if position.outcome() is not None:
            return remaining >= 0
        for player in range(position.players):
            worlds = infosets.setdefault((player, position.infoset(player)), Worlds(player))
            key = position.key()
            worlds.lines[tuple(path)] = probability
            worlds.weights[key] = worlds.weights.get(key, 0.0) + probability
        if plies is not None and len(path) >= plies:
            return remaining >= 0
        moves = list(position.moves())
        factors = position.chances() if position.turn == CHANCE else [1.0] * len(moves)
        for move, factor in zip(moves, factors, strict=True):
            if factor > 0:
                path.append(move)
                make(move)
                complete = visit(probability * factor)
                position.unmake()
                path.pop()
                if not complete:
                    return False
        return True

    return infosets if visit(1.0) else None


def consistent_lines(
    position: AbstractPosition, limit: int, stop: Callable[[], bool] | None = None
) -> dict[tuple[int, ...], float] | None:
    """The lines from the start to the mover's information set, each with its chance probability.

    None if the game has more positions than `limit`, or its start does not lead here. Raises Stopped once
    `stop()` is true.
    """
    if not limit:
        return None
    game = type(position)
    options = tuple([getattr(position, name, None) for name in parameters(game)])
    hashable = all(isinstance(value, int | float | str) for value in options)
    if game.initial is Position.initial and hashable:
        infosets = _cached_worlds(game, options, limit, stop)
    else:
        try:
            infosets = enumerate_worlds(position.initial(), limit, stop=stop)
        except Usage:  # its initial position is unknown
            return None
    if infosets is None:
        return None
    worlds = infosets.get((position.turn, position.infoset(position.turn)))
    return None if worlds is None else worlds.lines


_cache: dict[Hashable, dict[Hashable, Worlds] | None] = {}  # of the last CACHED_GAMES games


def _cached_worlds(
    game: type[AbstractPosition], options: tuple[Any, ...], limit: int, stop: Callable[[], bool] | None
) -> dict[Hashable, Worlds] | None:
    key = game, options, limit
    if key not in _cache:
        new: Callable[..., AbstractPosition] = game
        start = new(**dict(zip(parameters(game), options, strict=True)))
        infosets = enumerate_worlds(start, limit, stop=stop)
        while len(_cache) >= CACHED_GAMES:
            del _cache[next(iter(_cache))]
        _cache[key] = infosets
    return _cache[key]


def estimate_size(start: AbstractPosition, limit: float = math.inf) -> float:
    """Estimate the number of positions of a game from random games; transpositions count several times.

    Stops once the estimate exceeds `limit`.

    Donald Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. The
    estimate is unbiased, so it is n times too large with a probability of at most 1/n.
    """
    make, rng, total = unchecked(start), Random(0), 0.0
    for _ in range(RANDOM_GAMES):
        width, plies = 1.0, 0
        while start.outcome() is None and plies < MAX_PLIES:
            moves = start.moves()
            width *= len(moves)
            total += width
            if total > RANDOM_GAMES * limit:
                break
            make(moves[rng.randrange(len(moves))])
            plies += 1
        for _ in range(plies):
            start.unmake()
    return 1 + total / RANDOM_GAMES
