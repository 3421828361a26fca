"""The positions consistent with what a player knows, enumerated, where a game is small enough.

A world is a position that a player cannot distinguish from the true one. Its weight is the chance probability
of the moves that lead there; hidden choices count as equally likely, for every player.
`determinize` samples worlds by these weights; engines with an opponent model reweight them.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from gameplay.errors import Usage
from gameplay.position import CHANCE, AbstractPosition, Position, parameters

if TYPE_CHECKING:
    pass

FAR = 1000  # a game with an estimated size beyond this multiple of the maximum is not enumerated
PROBES = 64  # random games from which the size of a game is estimated
DEEPEST = 500  # maximum length of such a game
GAMES = 4  # games whose worlds are cached
DRAWS, EACH = 200, 20  # samples, and additional ones per world
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
    ways: dict[tuple[int, ...], float] = field(default_factory=dict)

    def drawn(self, position: AbstractPosition, seed: int) -> str:
        """The error in the distribution of `determinize` at one of these worlds; "" if there is none.

        Pearson's chi-square test against the weights; a correct game fails once in millions.
        """
        draws = DRAWS + EACH * len(self.weights)
        count: Counter[Hashable] = Counter()
        for draw in range(draws):
            count[position.determinize(self.player, Random(f"{seed}/{draw}")).key()] += 1
        again = position.determinize(self.player, Random(f"{seed}/0")).key()
        if again != position.determinize(self.player, Random(f"{seed}/0")).key():
            return "determinize() draws another position from the same seed"
        if strange := [key for key in count if key not in self.weights]:
            return f"determinize() drew {strange[0]}, which cannot have come about"
        whole = sum(self.weights.values())
        expected = {key: draws * weight / whole for key, weight in self.weights.items()}
        freedom = len(expected) - 1
        spread = sum((count[key] - share) ** 2 / share for key, share in expected.items())
        if spread <= freedom + SIGMAS * math.sqrt(2 * freedom) + SIGMAS**2:
            return ""
        key = max(expected, key=lambda key: (count[key] - expected[key]) ** 2 / expected[key])
        return f"determinize() drew {key} {count[key]} times of {draws}, where {expected[key]:.1f} is right"


def of(
    position: AbstractPosition, most: int, plies: int | None = None, stop: Callable[[], bool] | None = None
) -> dict[Hashable, Worlds] | None:
    """The worlds of each (player, information set) from `position` to the end of the game.

    None if there are more positions than `most`; `plies` limits the depth. Raises Stopped once
    `stop()` is true.
    """
    if plies is None and estimated(position, FAR * most) > FAR * most:
        return None
    found: dict[Hashable, Worlds] = {}
    path: list[int] = []
    left = most

    def visit(odds: float) -> bool:
        nonlocal left
        left -= 1
        if stop is not None and stop():
            raise Stopped
        if position.outcome() is not None:
            return left >= 0
        for player in range(position.players):
            here = found.setdefault((player, position.infoset(player)), Worlds(player))
            key = position.key()
            here.ways[tuple(path)] = odds
            here.weights[key] = here.weights.get(key, 0.0) + odds
        if plies is not None and len(path) >= plies:
            return left >= 0
        moves = list(position.moves())
        shares = position.chances() if position.turn == CHANCE else [1.0] * len(moves)
        for move, share in zip(moves, shares, strict=True):
            if share > 0:
                path.append(move)
                position.make(move)
                whole = visit(odds * share)
                position.unmake()
                path.pop()
                if not whole:
                    return False
        return True

    return found if visit(1.0) else None


def fitting(
    position: AbstractPosition, most: int, stop: Callable[[], bool] | None = None
) -> dict[tuple[int, ...], float] | None:
    """The lines consistent with what the mover knows, each with its chance probability.

    None if the game has more positions than `most`, or its start does not lead here. Raises Stopped once
    `stop()` is true.
    """
    if not most:
        return None
    game = type(position)
    given = tuple([getattr(position, name, None) for name in parameters(game)])
    plain = all(isinstance(each, int | float | str) for each in given)
    if game.initial is Position.initial and plain:
        found = _kept(game, given, most, stop)
    else:
        try:
            found = of(position.initial(), most, stop=stop)
        except Usage:  # its initial position is unknown
            return None
    if found is None:
        return None
    here = found.get((position.turn, position.infoset(position.turn)))
    return None if here is None else here.ways


_games: dict[Hashable, dict[Hashable, Worlds] | None] = {}  # the last GAMES games


def _kept(
    game: type[AbstractPosition], given: tuple[Any, ...], most: int, stop: Callable[[], bool] | None
) -> dict[Hashable, Worlds] | None:
    key = game, given, most
    if key not in _games:
        new: Callable[..., AbstractPosition] = game
        made = of(new(**dict(zip(parameters(game), given, strict=True))), most, stop=stop)
        while len(_games) >= GAMES:
            del _games[next(iter(_games))]
        _games[key] = made
    return _games[key]


def estimated(start: AbstractPosition, enough: float = math.inf) -> float:
    """Estimated number of positions of a game, from random games; transpositions count several times.

    Stops once the estimate exceeds `enough`.

    Donald Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. The
    estimate is unbiased, so it is n times too large with a probability of at most 1/n.
    """
    rng, total = Random(0), 0.0
    for _ in range(PROBES):
        width, plies = 1.0, 0
        while start.outcome() is None and plies < DEEPEST:
            moves = start.moves()
            width *= len(moves)
            total += width
            if total > PROBES * enough:
                break
            start.make(moves[rng.randrange(len(moves))])
            plies += 1
        for _ in range(plies):
            start.unmake()
    return 1 + total / PROBES
