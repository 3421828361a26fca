"""Counts of results, from the first player's worst to the best; a match's figures are computed from them.

    games   losses, draws, wins
    pairs   of games from one opening with the seats exchanged: the numbers of pairs with 0, 1/2, 1, 3/2 and 2
            points (the pentanomial)

`rating`, `sprt` and `joint` compute figures from such counts; `rating` explains why pairs are preferred.
"""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """The counts of finished games, which may be added in any order.

    A pair has `legs` games, one for each seat of the game, and `pairs` has 2 * legs + 1 counts.
    """

    legs: int = 2
    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(init=False)
    # Points of the games of incomplete pairs.
    _incomplete: dict[int, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pairs = [0] * (2 * self.legs + 1)

    def add(self, pair: int, points: float) -> None:
        """Count a game of pair number `pair` in which the first player scored `points`, 0 to 1."""
        self.games[1 + (points > 0.5) - (points < 0.5)] += 1
        legs = self._incomplete.setdefault(pair, [])
        legs.append(points)
        if len(legs) == self.legs:
            self.pairs[int(2 * sum(self._incomplete.pop(pair)))] += 1

    @property
    def total(self) -> int:
        """The number of games counted."""
        return sum(self.games)

    @property
    def points(self) -> float:
        """The points of the first player: 1 for a win, 1/2 for a draw."""
        return self.games[2] + self.games[1] / 2
