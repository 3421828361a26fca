"""Counts results, from the first player's worst to their best; all figures of a match come from these counts.

    games   lost, drawn, won
    pairs   of games from one opening with the seats exchanged: how many brought 0, 1/2, 1, 3/2 and 2 points
            (the pentanomial)

`rating`, `sprt` and `joint` compute figures from such counts; `rating` says why pairs are preferred to games.
"""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """The counts of finished games, which may be added in any order.

    A pair has `legs` games, as many as the game has seats: `pairs` then has 2 * legs + 1 counts.
    """

    legs: int = 2
    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(init=False)
    _begun: dict[int, list[float]] = field(default_factory=dict)  # points of pairs that are not complete

    def __post_init__(self) -> None:
        self.pairs = [0] * (2 * self.legs + 1)

    def add(self, pair: int, points: float) -> None:
        """Count a game of pair number `pair` that brought the first player `points`, 0 to 1."""
        self.games[1 + (points > 0.5) - (points < 0.5)] += 1
        legs = self._begun.setdefault(pair, [])
        legs.append(points)
        if len(legs) == self.legs:
            self.pairs[int(2 * sum(self._begun.pop(pair)))] += 1

    @property
    def total(self) -> int:
        """The number of games counted."""
        return sum(self.games)

    @property
    def points(self) -> float:
        """The points of the first player: 1 for a win, 1/2 for a draw."""
        return self.games[2] + self.games[1] / 2
