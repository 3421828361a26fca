"""What a series has come to so far, from the first engine's view."""

from dataclasses import dataclass, field
from typing import Any

from gameplay.matches.rating import NoRating, Rating, rate
from gameplay.matches.series import Effort, Played


@dataclass
class Tally:
    """Counts of finished games, added in any order.

    `results[seat]` counts losses, draws and wins of the first engine on that seat; `pairs` counts finished
    pairs by the half points they brought it, 0 to 4.
    """

    results: list[list[int]] = field(default_factory=lambda: [[0, 0, 0], [0, 0, 0]])
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    plies: int = 0
    repeats: int = 0  # games that are alike another one move for move
    efforts: list[Effort] = field(default_factory=lambda: [Effort(), Effort()])
    _half: dict[int, int] = field(default_factory=dict)  # pairs of which one leg is finished
    _trails: set[bytes] = field(default_factory=set)

    def add(self, played: Played) -> None:
        """Count a finished game."""
        pair, leg = divmod(played.number, 2)
        half_points = int(2 * played.points)
        self.results[leg][half_points] += 1
        if pair in self._half:
            self.pairs[self._half.pop(pair) + half_points] += 1
        else:
            self._half[pair] = half_points
        self.plies += played.plies
        self.repeats += played.trail in self._trails
        self._trails.add(played.trail)
        for i in range(2):
            self.efforts[i] += played.efforts[i]

    @property
    def together(self) -> list[int]:
        """Losses, draws and wins on both seats."""
        return [a + b for a, b in zip(*self.results, strict=True)]

    @property
    def games(self) -> int:
        """How many are finished."""
        return sum(self.together)

    @property
    def length(self) -> float:
        """Average length of a game in plies, the opening included; 0 if there is none."""
        return self.plies / self.games if self.games else 0.0

    def rating(self) -> Rating:
        """What the finished pairs are worth. Raises NoRating, with the reason, if that is nothing."""
        if self.repeats:
            raise NoRating(
                f"{self.repeats} of {self.games} games repeat another move for move and prove nothing new; "
                "begin from random openings (--openings 4)"
            )
        return rate(self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        try:
            rating, why = self.rating().as_dict(), None
        except NoRating as reason:
            rating, why = None, str(reason)
        words = ("losses", "draws", "wins")
        return {
            "games": self.games,
            **dict(zip(words, self.together, strict=True)),
            "seats": [dict(zip(words, counts, strict=True)) for counts in self.results],
            "pairs": self.pairs,
            "rating": rating,
            "no_rating": why,
            "repeats": self.repeats,
            "length": round(self.length, 3),
            "efforts": [
                {"moves": e.moves, "nodes": e.nodes, "seconds": round(e.seconds, 3), "nps": round(e.nps)}
                for e in self.efforts
            ],
        }
