"""What a series has come to so far, from the first engine's view."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gameplay.statistics.guards import duplicates
from gameplay.statistics.rating import NoRating, Rating, rate


@dataclass(frozen=True)
class Effort:
    """What one engine spent on a game, or on many."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    timed: int = 0  # the nodes that took those seconds: games read from a file may come without times

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(
            self.moves + other.moves,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
            self.timed + other.timed,
        )

    @property
    def nps(self) -> float:
        """Nodes a second; 0 if nothing was timed."""
        return self.timed / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Played:
    """A finished game, as far as a tally wants to know."""

    pair: int
    first: int  # the seat of the first player
    points: float  # of the first player: 1, 0.5 or 0
    plies: int  # the opening among them
    trail: str  # equal for games that are alike move for move, with the same players on the same seats
    efforts: tuple[Effort, Effort]  # of the first and the second player


def played(
    pair: int, first: int, points: float, moves: Iterable[Any], trail: str, times: Iterable[float] = ()
) -> Played:
    """A finished game for a tally. `moves` are those of a record; `times` the seconds of each, if known."""
    plies = list(moves)
    spent = [ply.seconds or 0.0 for ply in plies]
    for number, seconds in enumerate(times):
        spent[number] = seconds or spent[number]
    efforts = [Effort(), Effort()]
    for ply, seconds in zip(plies, spent, strict=True):
        if ply.nodes is not None and ply.player >= 0:
            efforts[ply.player ^ first] += Effort(1, ply.nodes, seconds, ply.nodes if seconds else 0)
    return Played(pair, first, points, len(plies), trail, (efforts[0], efforts[1]))


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
    refused: str = ""  # why no rating can be told, whatever the games come to
    efforts: list[Effort] = field(default_factory=lambda: [Effort(), Effort()])
    _half: dict[int, int] = field(default_factory=dict)  # pairs of which one leg is finished
    _trails: set[str] = field(default_factory=set)

    def add(self, played: Played) -> None:
        """Count a finished game."""
        pair, half_points = played.pair, int(2 * played.points)
        self.results[played.first][half_points] += 1
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
        if self.refused:
            raise NoRating(self.refused)
        doubt = duplicates(self.games, self.repeats)
        if doubt is not None and doubt.refuses:
            raise NoRating(str(doubt))
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
