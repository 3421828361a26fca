"""What a player may take a position for: all of it, counted out, where a game is small enough.

A world is a position that a player cannot tell from the true one. It weighs what chance gives the moves
that lead there; what others chose unseen counts as if all their choices were alike, whoever they are.
`determinize` draws worlds by these weights; engines that believe more of the others weigh them once more.
"""

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gameplay.position import CHANCE

DRAWS, EACH = 200, 20  # draws, and more for each world
SIGMAS = 5  # by which what is drawn may miss what is right


@dataclass
class Worlds:
    """What a player takes for possible: the weight of each position, by its key; moves to two of them."""

    player: int
    weights: dict[Hashable, float] = field(default_factory=dict)
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()

    def drawn(self, position: Any, seed: int) -> str:
        """What is wrong with the positions that `determinize` draws at one of these worlds; "" for nothing.

        They are held against the weights by Pearson's chi-square test; what is right fails once in millions.
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


def of(position: Any, most: int, plies: int | None = None) -> list[Worlds] | None:
    """What players may take positions for, from `position` on while the game goes on: one for each infoset.

    None if there are more positions than `most`; with `plies`, none that lie deeper.
    """
    found: dict[Hashable, Worlds] = {}
    path: list[int] = []
    left = most

    def visit(odds: float) -> bool:
        nonlocal left
        left -= 1
        if position.outcome() is not None:
            return left >= 0
        for player in range(position.players):
            here = found.setdefault((player, position.infoset(player)), Worlds(player))
            key = position.key()
            here.first = here.first if here.weights else tuple(path)
            here.last = tuple(path)
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

    return list(found.values()) if visit(1.0) else None
