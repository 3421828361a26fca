"""The rating that the results of a match show: score, Elo, its 95 % interval, likelihood of superiority.

Everything is from the view of the first side: plus means that the first is stronger.
Counts go from its worst result to its best: `(losses, draws, wins)` of single games, or the five sums of
pairs of games from one opening with colours swapped: `(0, 1/2, 1, 3/2, 2 points)`. Pairs are the better
count: the two games of a pair share the opening's luck, so games taken singly give a wrong interval.

    mean m and deviation s of one result on the scale 0 to 1, n results, standard error e = s / sqrt(n)
    Elo(x)   = -400 log10(1/x - 1)                             (A. Elo, The Rating of Chessplayers, 1978)
    interval = Elo(m - 1.96 e) to Elo(m + 1.96 e)              (normal approximation, as Fishtest's)
    LOS      = Phi((m - 1/2) / e)
    nElo     = 800 / ln 10 * (m - 1/2) / d                     (M. Van den Bergh, Normalized Elo, 2020)
    interval = nElo +- 1.96 * 800 / ln 10 / sqrt(games)        d: deviation of a game: s, of pairs s * sqrt(2)

Normalized Elo measures how easily the difference is seen: games that are mostly drawn shrink Elo, not nElo.

Where every result is a win, s is 0 and says nothing. The chance of n best results in a row is at most
m ** n for any distribution with mean m (Markov), so m is at least 0.025 ** (1/n) with 97.5 % confidence.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
_TAIL = (1 - CONFIDENCE) / 2
_Z = NormalDist().inv_cdf(1 - _TAIL)
NELO = 800 / math.log(10)  # makes a normalized Elo about a logistic one where no game is drawn


class NoRating(ValueError):
    """No rating can be computed from these results; the message says why."""


@dataclass(frozen=True)
class Rating:
    """How much stronger the first side is, in Elo. An end without a bound is infinite."""

    score: float  # share of the points, 0 to 1
    elo: float
    low: float  # the ends of the 95 % interval
    high: float
    los: float  # likelihood of superiority: how sure it is that the first side is stronger, 0 to 1
    nelo: float = math.inf  # normalized, and the ends of its 95 % interval
    nelo_low: float = -math.inf
    nelo_high: float = math.inf

    def __str__(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return f"{round(self.elo):+d}, without a bound on either side"
        if math.isinf(self.high):
            return f">= {round(self.low):+d}"
        if math.isinf(self.low):
            return f"<= {round(self.high):+d}"
        return f"{round(self.elo):+d} [{round(self.low):+d}, {round(self.high):+d}]"

    def sentence(self, first: str, second: str) -> str:
        """One line for people: `first against second: +12 [-3, +27] Elo, LOS 94.1 %`."""
        return f"{first} against {second}: {self} Elo, LOS {100 * self.los:.1f} %"

    def as_dict(self) -> dict[str, float | None]:
        """The fields as plain data for JSON, rounded to 6 decimals; None for infinite ones."""
        return {k: None if math.isinf(v) else round(v, 6) for k, v in vars(self).items()}


def elo(score: float) -> float:
    """The rating difference at which `score` (0 to 1) is expected; infinite at 0 and at 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def rate(counts: Sequence[int]) -> Rating:
    """The rating of the first side from `counts`.

    `counts` are (losses, draws, wins) of games, or the five counts of pairs (the pentanomial). Where all
    results are wins, or all losses, only a bound is known. Raises NoRating if nothing was counted, or if all
    results are the same and neither.
    """
    steps = len(counts) - 1
    total = sum(counts)
    if not total:
        raise NoRating("no pair of games is finished")
    mean = sum(count * i for i, count in enumerate(counts)) / (steps * total)
    if counts[-1] == total:
        return Rating(1.0, math.inf, elo(_TAIL ** (1 / total)), math.inf, 1 - 0.5**total)
    if counts[0] == total:
        return Rating(0.0, -math.inf, -math.inf, elo(1 - _TAIL ** (1 / total)), 0.5**total, -math.inf)
    spread = deviation(counts)
    if spread == 0:
        raise NoRating("every pair ended alike, so there is no spread to compute an interval from")
    games = total * steps // 2
    error = spread / math.sqrt(games)
    los = NormalDist().cdf((mean - 0.5) / error)
    normal, half = NELO * (mean - 0.5) / spread, _Z * NELO / math.sqrt(games)
    return Rating(
        score=mean,
        elo=elo(mean),
        low=elo(mean - _Z * error),
        high=elo(mean + _Z * error),
        los=los,
        nelo=normal,
        nelo_low=normal - half,
        nelo_high=normal + half,
    )


def deviation(counts: Sequence[int]) -> float:
    """The standard deviation of the points of one game (0 to 1), from three or five counts; 0 if all are 0.

    For pairs it is the deviation of the mean of both games times sqrt(2), as if the two were independent.
    """
    steps, total = len(counts) - 1, sum(counts)
    if not total:
        return 0.0
    mean = sum(count * i for i, count in enumerate(counts)) / (steps * total)
    variance = sum(count * (i / steps - mean) ** 2 for i, count in enumerate(counts)) / total
    return math.sqrt(variance * steps / 2)
