"""How often each result came, from the first of two players' worst to their best: the one place that counts.

    games   lost, drawn, won
    pairs   of games from one opening with the seats exchanged: how many brought 0, 1/2, 1, 3/2 and 2 points
            (the pentanomial)

`rating`, `sprt` and `joint` say what such counts are worth, and why pairs are the better ones.
"""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """Fed with finished games in any order. A pair has `legs` games: as many as a game has seats."""

    legs: int = 2
    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(init=False)
    _begun: dict[int, list[float]] = field(default_factory=dict)  # points of pairs that are not complete

    def __post_init__(self) -> None:
        self.pairs = [0] * (2 * self.legs + 1)

    def add(self, pair: int, points: float) -> None:
        """Count a game of that pair which brought the first player so many points, 0 to 1."""
        self.games[1 + (points > 0.5) - (points < 0.5)] += 1
        legs = self._begun.setdefault(pair, [])
        legs.append(points)
        if len(legs) == self.legs:
            self.pairs[int(2 * sum(self._begun.pop(pair)))] += 1

    @property
    def total(self) -> int:
        """How many games are counted."""
        return sum(self.games)

    @property
    def points(self) -> float:
        """What the games brought, a draw half a point."""
        return self.games[2] + self.games[1] / 2
