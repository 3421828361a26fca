"""SPRT: a sequential test of whether the first player is stronger by `elo1` (H1) or only by `elo0` (H0).

The sequential probability ratio test (A. Wald, 1945) accepts H1 as soon as the likelihood ratio of H1 to H0
is (1 - beta) / alpha or more, and H0 as soon as it is beta / (1 - alpha) or less. H1 is accepted with
probability about alpha if H0 is true, and H0 with probability about beta if H1 is true. No other rule may
stop a match early: stopping as soon as a confidence interval excludes 0 is wrong in a third of all matches.

Counts go from the worst result of the first player to the best, as in `rating`: three of single games or five
of pairs. The statistic is the generalized likelihood ratio: each hypothesis is represented by the
distribution of results with its Elo under which the counts are likeliest (M. Van den Bergh, The generalized
sequential probability ratio test, 2017; Normalized Elo in practice, 2021). No normal approximation is used,
so the ratio is exact for a match of wins alone, too.

    normalized  elo is 800 / ln 10 * (mean - 1/2) / (deviation of a game): the length of a test does not
                depend on the share of draws
    logistic    elo is 400 log10(mean / (1 - mean)), the difference of two ratings
    trinomial   normalized, for games that do not come in pairs
    bayes, bayes-legacy, cutechess    as other programs compute it, for comparison: see `bayes`

Bounds have different meanings in different models: always state the model with them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gameplay.errors import Usage, unknown_name
from gameplay.statistics import bayes
from gameplay.statistics.rating import NELO, expected_score
from gameplay.statistics.tally import Tally

GAME_MODELS = ("trinomial", "bayes", "bayes-legacy", "cutechess")  # for single games, not pairs
MODELS = ("normalized", "logistic", *GAME_MODELS)
MAX_ELO = 1000.0  # maximum of |elo0| and |elo1|
ABSENT_COUNT = 1e-3  # replaces a count of 0: the result is rare, not impossible


@dataclass(frozen=True)
class Verdict:
    """The state of a test. `decision` is the hypothesis accepted, "H0" or "H1"; None while undecided."""

    llr: float  # log-likelihood ratio of H1 to H0
    lower: float  # H0 is accepted at or below
    upper: float  # H1 is accepted at or above
    decision: str | None
    model: str
    elo0: float
    elo1: float

    @property
    def state(self) -> str:
        """The decision and the figures: `H1 accepted (LLR 3.06, bounds ±2.94)`, or `undecided (...)`."""
        state = f"{self.decision} accepted" if self.decision else "undecided"
        return f"{state} ({self.figures})"

    @property
    def figures(self) -> str:
        """The LLR and its bounds: `LLR 0.33, bounds ±2.94`."""
        symmetric = f"{-self.lower:.2f}" == f"{self.upper:.2f}"
        bounds = f"±{self.upper:.2f}" if symmetric else f"{self.lower:.2f} and {self.upper:.2f}"
        return f"LLR {self.llr:.2f}, bounds {bounds}"

    def __str__(self) -> str:
        """One line that names the model and the perspective."""
        hypotheses = f"(H0: {self.elo0:g}, H1: {self.elo1:g})"
        conclusion = {
            None: f"{self.model} Elo of the first player {hypotheses}",
            "H0": f"the first player has less than {self.elo1:+g} {self.model} Elo {hypotheses}",
            "H1": f"the first player has more than {self.elo0:+g} {self.model} Elo {hypotheses}",
        }[self.decision]
        return f"{self.state}: {conclusion}"

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data for JSON, rounded to 6 decimals."""
        return {k: round(v, 6) if isinstance(v, float) else v for k, v in vars(self).items()}


def sprt(
    counts: Sequence[int],
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "normalized",
) -> Verdict:
    """The verdict on `counts`, three of games or five of pairs; undecided with an LLR of 0 if all are 0.

    `elo0` < `elo1` are in the Elo of `model`, from -1000 to 1000; `alpha` and `beta` are the probabilities of
    accepting H1 if H0 is true, and H0 if H1 is true. Raises Usage for values out of range, and for counts
    that `model` does not support.
    """
    check_parameters(elo0, elo1, alpha, beta, model)
    lower, upper = bounds(alpha, beta)
    value = llr(counts, elo0, elo1, model)
    decision = "H1" if value >= upper else "H0" if value <= lower else None
    return Verdict(value, lower, upper, decision, model, elo0, elo1)


def counts_of(tally: Tally, model: str) -> list[int]:
    """The counts of a tally that `model` requires: of games for `GAME_MODELS`, else of pairs."""
    return tally.games if model in GAME_MODELS else tally.pairs


def check_parameters(elo0: float, elo1: float, alpha: float, beta: float, model: str = "normalized") -> None:
    """Raise Usage, naming the parameter and its range, for invalid parameters of a test."""
    if model not in MODELS:
        raise Usage(unknown_name("model of SPRT", model, MODELS))
    for name, value in (("elo0", elo0), ("elo1", elo1)):
        if not -MAX_ELO <= value <= MAX_ELO:
            raise Usage(f"{name} must be from {-MAX_ELO:g} to {MAX_ELO:g}, not {value:g}")
    if not elo0 < elo1:
        raise Usage(f"elo0 must be less than elo1, not {elo0:g} and {elo1:g}")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 1:
            raise Usage(f"{name} must be an error rate between 0 and 1, not {value:g}")
    if not alpha + beta < 1:
        raise Usage(f"the sum of alpha and beta must be less than 1, not {alpha + beta:g}")


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The LLR at or below which H0 is accepted, and that at or above which H1 is (Wald)."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def llr(counts: Sequence[float], elo0: float, elo1: float, model: str = "normalized") -> float:
    """The generalized log-likelihood ratio (natural logarithm) of `elo1` to `elo0` given `counts`.

    0 if all counts are 0. Raises Usage unless there are 3 or 5 counts, none negative, as `model` requires.
    """
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise Usage(f"counts must be 3 of games or 5 of pairs, none below 0, not {list(counts)}")
    if model in GAME_MODELS and len(counts) != 3:
        raise Usage(f"the model {model} is for games, not for pairs: give losses, draws and wins")
    if not any(counts):
        return 0.0
    if model.startswith("bayes") and not (counts[0] and counts[2]):
        return 0.0  # the draw width is unknown; other programs return 0, too
    if model == "bayes-legacy":
        return bayes.llr(counts, elo0, elo1)
    if model == "cutechess":
        return bayes.cutechess_llr(counts, elo0, elo1)
    positive = [count or ABSENT_COUNT for count in counts]
    total = math.fsum(positive)
    shares = [count / total for count in positive]
    if model == "logistic":
        h0, h1 = (_fit_mean(shares, expected_score(elo)) for elo in (elo0, elo1))
    elif model == "bayes":
        h0, h1 = (_fit_mean(shares, bayes.expected_score(positive, elo)) for elo in (elo0, elo1))
    else:
        h0, h1 = (_fit_normalized(shares, elo) for elo in (elo0, elo1))
    return total * math.fsum(p * math.log(b / a) for p, a, b in zip(shares, h0, h1, strict=True))


def _fit_mean(shares: Sequence[float], score: float) -> list[float]:
    """The likeliest distribution with mean `score`."""
    steps = len(shares) - 1
    return _fit_constraint(shares, [i / steps - score for i in range(steps + 1)])


def _fit_normalized(shares: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution with mean - 1/2 = t * deviation.

    The constraint is not linear in the distribution: it is linearized at the last guess until the guesses
    converge (Van den Bergh, Normalized Elo in practice, 2021, section 4.1).
    """
    steps = len(shares) - 1
    t = elo / NELO * math.sqrt(steps / 2)
    scores = [i / steps for i in range(steps + 1)]
    guess = list(_initial_guess(steps, t))
    for _ in range(60):
        mean, spread = _moments(guess, scores)
        tangent = [a - 0.5 - t * spread / 2 * (1 + ((a - mean) / spread) ** 2) for a in scores]
        last, guess = guess, _fit_constraint(shares, tangent)
        if max(abs(a - b) for a, b in zip(last, guess, strict=True)) < 1e-10:
            break
    return guess


@lru_cache(maxsize=16)
def _initial_guess(steps: int, t: float) -> tuple[float, ...]:
    """A distribution with mean - 1/2 = t * deviation.

    From the uniform distribution, the start of other programs, the first linearized constraint has no
    solution above about 230 Elo.
    """
    low, high = -64.0, 64.0
    scores = [i / steps for i in range(steps + 1)]
    guess = [1.0] * len(scores)
    for _ in range(40):
        rate = (low + high) / 2
        weights = [math.exp(rate * a - max(rate, 0)) for a in scores]
        total = math.fsum(weights)
        guess = [weight / total for weight in weights]
        mean, spread = _moments(guess, scores)
        if mean - 0.5 < t * spread:
            low = rate
        else:
            high = rate
    return tuple(guess)


def _moments(shares: Sequence[float], scores: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a distribution."""
    mean = sum(p * a for p, a in zip(shares, scores, strict=True))
    return mean, math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(shares, scores, strict=True)))


def _fit_constraint(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution q that maximizes sum(p * ln q) subject to sum(q * v) = 0.

    It is q = p / (1 + x v), x the zero of f(x) = sum(p v / (1 + x v)), which falls from +inf to -inf between
    the poles -1 / max(v) and -1 / min(v). Newton's method, with bisection if a step leaves the bracket.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(200):
        value = slope = 0.0
        for p, v in zip(shares, values, strict=True):
            term = v / (1 + x * v)
            value += p * term
            slope += p * term * term
        if value > 0:
            low = x
        else:
            high = x
        last, x = x, x + value / slope
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - last) <= 1e-15 * (1 + abs(x)):
            break
    return [p / (1 + x * v) for p, v in zip(shares, values, strict=True)]
