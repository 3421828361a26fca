"""Intervals of means: against figures computed by hand, and by their coverage."""

import math
import random
from functools import cache
from itertools import combinations_with_replacement
from statistics import NormalDist

import pytest

from gameplay.statistics import student
from gameplay.statistics.interval import NoRating, estimate
from gameplay.statistics.rating import rate

pytestmark = pytest.mark.once

# (score of a game, share of draws): equal players, and up to 400 Elo apart
EQUAL = [(0.5, 0.0), (0.5, 0.3), (0.5, 0.8)]
UNEQUAL = [(0.64, 0.3), (0.76, 0.3), (0.85, 0.2), (0.91, 0.15)]


def pairs(score, draws):
    """The probabilities of 0 to 2 points of a pair of independent games."""
    game = (1 - score - draws / 2, draws, score - draws / 2)
    chances = [0.0] * 5
    for i, result in enumerate(game):
        for j, other in enumerate(game):
            chances[i + j] += result * other
    return chances


@cache
def interval(counts):
    interval = estimate([0, 0.25, 0.5, 0.75, 1], counts, span=(0, 1), against=0.5)
    return interval.low, interval.high


def covers(counts, score):
    low, high = interval(counts)
    return low - 1e-12 <= score <= high + 1e-12


def exact_coverage(score, draws, total):
    """The probability that the interval of so many pairs contains the score, over all possible results."""
    chances, covered = pairs(score, draws), 0.0
    for drawn in combinations_with_replacement(range(5), total):
        counts = tuple(drawn.count(x) for x in range(5))
        weight = math.factorial(total)
        for count, chance in zip(counts, chances, strict=True):
            weight *= chance**count / math.factorial(count)
        covered += weight * covers(counts, score)
    return covered


def simulated_coverage(score, draws, total, matches, seed=1):
    rng, chances, covered = random.Random(f"{seed} {score} {draws} {total}"), pairs(score, draws), 0
    for _ in range(matches):
        drawn = rng.choices(range(5), chances, k=total)
        covered += covers(tuple(drawn.count(x) for x in range(5)), score)
    return covered / matches


@pytest.mark.parametrize(
    ("score", "draws", "covered"),
    # The normal approximation with the deviation of n: 0.902, 0.857 and 0.952 for equal players. Five pairs
    # without draws have so few results that 0.902 is also the next coverage below 0.980 that is possible.
    [(0.5, 0.0, 0.980), (0.5, 0.3, 0.952), (0.5, 0.8, 0.994), (0.64, 0.3, 0.942), (0.76, 0.3, 0.956)],
)
def test_coverage_of_five_pairs_is_exactly(score, draws, covered):
    assert exact_coverage(score, draws, 5) == pytest.approx(covered, abs=6e-4)


@pytest.mark.parametrize(("score", "draws"), [*EQUAL, *UNEQUAL[:3]])
def test_coverage_of_ten_pairs(score, draws):
    assert 0.93 <= exact_coverage(score, draws, 10) <= 0.97


@pytest.mark.parametrize("total", [20, 50, 200])
@pytest.mark.parametrize(("score", "draws"), EQUAL + UNEQUAL)
def test_coverage_of_many_pairs(score, draws, total):
    assert 0.93 <= simulated_coverage(score, draws, total, 1500) <= 0.975


@pytest.mark.parametrize(
    ("score", "draws"), [(0.5, 0.95), (0.5, 1.0), (0.91, 0.15), (0.98, 0.02), (1.0, 0.0)]
)
@pytest.mark.parametrize("total", [2, 3, 5, 8])
def test_coverage_where_nearly_all_pairs_are_equal(score, draws, total):
    """The interval is not a point: the probability of other results than those observed is bounded."""
    assert exact_coverage(score, draws, total) >= 0.93


def test_few_pairs_of_equal_players_are_rarely_significant():
    """With 30 % draws: normal quantiles exclude 0 in 27 % of matches of 3 pairs, and in 14 % of 5."""
    for total, share in ((3, 0.05), (5, 0.06)):
        assert 1 - exact_coverage(0.5, 0.3, total) < share


def test_interval_of_symmetric_results_is_students():
    result = estimate([1, 2, 3, 4, 5], against=1)
    half = student.quantile(0.975, 4) * math.sqrt(2.5 / 5)
    assert (result.low, result.high) == pytest.approx((3 - half, 3 + half))
    assert result.los == pytest.approx(student.cdf(2 / math.sqrt(0.5), 4))


def test_counts_are_repeated_values():
    assert estimate([0, 1, 4], [2, 0, 3]) == estimate([0, 0, 4, 4, 4])


def test_side_of_the_longer_tail_is_wider():
    """Results 1 and nine times 0: m = 1/10, e = 1/10, skewness (1 - 2 m) (m (1 - m))^(-1/2) = 8/3."""
    result = estimate([0, 1], [9, 1])
    z = NormalDist().inv_cdf(0.975)
    more = 8 / 3 * (1 + 2 * z * z) / (6 * math.sqrt(10))
    t = 2.262157
    assert result.low == pytest.approx(0.1 - 0.1 * t, abs=1e-6)
    assert result.high == pytest.approx(0.1 + 0.1 * (t + more), abs=1e-6)
    mirrored = estimate([0, 1], [1, 9])
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - result.high, 1 - result.low))


@pytest.mark.parametrize("counts", [(1, 9), (9, 1), (3, 7), (0, 8), (8, 0), (4, 4), (1, 40), (0, 5), (0, 6)])
def test_likelihood_of_superiority_agrees_with_the_interval(counts):
    """A value is outside the interval if and only if its likelihood of being exceeded is at least 97.5 %."""
    for value in [x / 40 for x in range(1, 40)]:
        result = estimate([0, 1], counts, span=(0, 1), against=value)
        assert (result.low > value) == (result.los > 0.975)
        assert (result.high < value) == (result.los < 0.025)
        assert (result.los >= 0.5) if result.mean > value else (result.los <= 0.5)


def test_interval_stays_within_the_span():
    result = estimate([0, 0.5, 1], [0, 1, 2], span=(0, 1))
    assert result.high == 1 and 0 <= result.low < 0.5


def test_equal_results_are_bounded_by_the_span():
    """Four times 1/4 between 0 and 1: 0.025^(1/4) = 0.39764 is the least probability of that result."""
    result = estimate([0.25], [4], span=(0, 1), against=0.5)
    assert (result.low, result.high) == pytest.approx((0.25 * 0.397635, 1 - 0.75 * 0.397635), abs=1e-6)
    assert result.los == pytest.approx((2 / 3) ** 4)
    assert estimate([0.1] * 7, span=(0, 1)).low < 0.1, "sums of equal floats are not quite equal"


@pytest.mark.parametrize(
    ("values", "why"), [([], "no results"), ([3.0], "two results or more"), ([2, 2, 2], "equal")]
)
def test_unbounded_results_without_spread_have_no_interval(values, why):
    with pytest.raises(NoRating, match=why):
        estimate(values)


def test_rating_of_a_match_is_that_of_its_score():
    counts = [1, 4, 3, 6, 2]
    score, rating = estimate([0, 0.25, 0.5, 0.75, 1], counts, span=(0, 1), against=0.5), rate(counts)
    assert rating.los == score.los
    assert 1 / (1 + 10 ** (-rating.low / 400)) == pytest.approx(score.low)
    assert 1 / (1 + 10 ** (-rating.high / 400)) == pytest.approx(score.high)
