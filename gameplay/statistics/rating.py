"""The rating of one side from the results of a match: score, Elo and its 95 % interval, LOS.

LOS is the likelihood of superiority. All figures are from the first side's view: positive if it is stronger.
Counts go from its worst result to its best: `(losses, draws, wins)` of single games, or the five totals `(0,
1/2, 1, 3/2, 2 points)` of pairs of games from one opening with colours swapped. Count pairs where possible:
the two games of a pair share the opening's luck, so single games give a wrong interval.

    score, its interval and LOS: `interval.estimate` of the results on the scale 0 to 1, against 1/2
    Elo(x)   = -400 log10(1/x - 1)                             (A. Elo, The Rating of Chessplayers, 1978)
    nElo(x)  = 800 / ln 10 * (x - 1/2) / d                     (M. Van den Bergh, Normalized Elo, 2020)
               d: deviation of a game: that of the results, of pairs times sqrt(2)

Both are applied to the score and to the ends of its interval. Normalized Elo measures how many games it takes
to see the difference: frequent draws reduce Elo, not nElo.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.plural import plural
from gameplay.statistics.interval import NoRating, estimate

NELO = 800 / math.log(10)  # normalized Elo is about logistic Elo if no game is drawn

LOGISTIC = math.log(10) / 400  # natural logarithm of the odds, per Elo
NO_BOUND = "no bound on either side"


@dataclass(frozen=True)
class Rating:
    """The rating difference of the first side to the second, in Elo. An end without a bound is infinite."""

    score: float  # share of the points, 0 to 1
    elo: float
    low: float  # the ends of the 95 % interval
    high: float
    los: float  # likelihood of superiority: the confidence that the first side is stronger, 0 to 1
    nelo: float  # normalized Elo, and the ends of its 95 % interval; infinite without a spread
    nelo_low: float
    nelo_high: float

    def __str__(self) -> str:
        return format_interval(self.elo, self.low, self.high, self.measured)

    @property
    def in_elo(self) -> str:
        """`__str__` with the unit: `+12 [-3, +27] Elo`, `+191 Elo, no bound on either side`."""
        if math.isfinite(self.low) or math.isfinite(self.high):
            return f"{self} Elo"
        return f"{self.elo:+.0f} Elo, {NO_BOUND}" if math.isfinite(self.elo) else f"an Elo with {NO_BOUND}"

    @property
    def measured(self) -> bool:
        """False if all results are equal: the ends are then bounds from their number, without any spread."""
        finite = math.isfinite(self.low) or math.isfinite(self.high)
        return not finite or math.isfinite(self.nelo_low) or math.isfinite(self.nelo_high)

    @property
    def normalized(self) -> str:
        """The normalized Elo in the format of `__str__`; "" without a bound."""
        if math.isinf(self.nelo_low) and math.isinf(self.nelo_high):
            return ""
        return format_interval(self.nelo, self.nelo_low, self.nelo_high)

    def basis(self, pairs: int) -> str:
        """The kind of the ends and the number of pairs: `95 % interval from 20 pairs`."""
        noun = plural(pairs, "pair")
        if math.isinf(self.low) and math.isinf(self.high):
            return f"{noun}, too few for an interval"
        if math.isinf(self.low) or math.isinf(self.high):
            return f"95 % bound from {noun}"
        if self.measured:
            return f"95 % interval from {noun}"
        return f"no interval: {noun} without any spread" + ("" if pairs == 1 else ", all ended alike")

    @property
    def reversed(self) -> "Rating":
        """The rating from the second side's view."""
        return Rating(
            score=1 - self.score,
            elo=-self.elo,
            low=-self.high,
            high=-self.low,
            los=1 - self.los,
            nelo=-self.nelo,
            nelo_low=-self.nelo_high,
            nelo_high=-self.nelo_low,
        )

    def sentence(self, first: str, second: str) -> str:
        """The rating as a line of text: `first against second: +12 [-3, +27] Elo, LOS 94.1 %`."""
        return f"{first} against {second}: {self.in_elo}, LOS {100 * self.los:.1f} %"

    def as_dict(self) -> dict[str, float | None]:
        """The fields as plain data for JSON, rounded to 6 decimals; None for infinite ones."""
        return {k: None if math.isinf(v) else round(v, 6) for k, v in vars(self).items()}


def format_interval(value: float, low: float, high: float, measured: bool = True) -> str:
    """Format a value and its interval: `+12 [-3, +27]`; `>= -3` or `<= +27` if only one end is finite.

    measured: False if the ends are bounds without a spread: `+0, bounds [-59, +59]`.
    """
    ends = [f"{round(end):+d}" if math.isfinite(end) else "" for end in (value, low, high)]
    if not ends[1] and not ends[2]:
        return ", ".join(filter(None, (ends[0], NO_BOUND)))
    if not ends[2]:
        return f">= {ends[1]}"
    if not ends[1]:
        return f"<= {ends[2]}"
    return f"{ends[0]}{'' if measured else ', bounds'} [{ends[1]}, {ends[2]}]"


def elo(score: float) -> float:
    """The rating difference at which `score` (0 to 1) is expected; infinite at 0 and at 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """The expected score (0 to 1) at a rating difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400)) if elo > -4000 else 0.0


def log_expected_score(elo: float) -> float:
    """The natural logarithm of the expected score, precise for any rating difference in Elo."""
    x = -LOGISTIC * elo
    return -max(x, 0.0) - math.log1p(math.exp(-abs(x)))


def rate(counts: Sequence[int]) -> Rating:
    """The rating of the first side from `counts`.

    `counts` are (losses, draws, wins) of games, the five counts of pairs (the pentanomial), or the 2n + 1
    counts of groups of n games. If all results are wins, or all losses, there is only one bound; if they are
    equal otherwise, e.g. each pair 1-1, there are two bounds and no interval (`measured`). Raises NoRating if
    all counts are 0.
    """
    steps = len(counts) - 1
    if not sum(counts):
        raise NoRating("no pair of games is finished")
    score = estimate([i / steps for i in range(steps + 1)], counts, span=(0.0, 1.0), against=0.5)
    spread = deviation(counts)
    return Rating(
        score=score.mean,
        elo=elo(score.mean),
        low=elo(score.low),
        high=elo(score.high),
        los=score.los,
        nelo=_normalized_elo(score.mean, spread),
        nelo_low=_normalized_elo(score.low, spread),
        nelo_high=_normalized_elo(score.high, spread),
    )


def _normalized_elo(score: float, spread: float) -> float:
    """The normalized Elo of a score; infinite at 0 and 1 and, except for 1/2, without a spread."""
    if score == 0.5:
        return 0.0
    if score <= 0 or score >= 1 or not spread:
        return math.copysign(math.inf, score - 0.5)
    return NELO * (score - 0.5) / spread


def deviation(counts: Sequence[int]) -> float:
    """The standard deviation of the points of a game (0 to 1), from three or five counts; 0 if all are 0.

    For pairs it is the deviation of the mean of both games times sqrt(2), as if they were independent.
    """
    steps, total = len(counts) - 1, sum(counts)
    if not total:
        return 0.0
    mean = sum(count * i for i, count in enumerate(counts)) / (steps * total)
    variance = sum(count * (i / steps - mean) ** 2 for i, count in enumerate(counts)) / total
    return math.sqrt(variance * steps / 2)
