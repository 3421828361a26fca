"""Elo and its interval against values computed by hand and published in the tests of Fastchess."""

import itertools
import math

import pytest

from gameplay.statistics.interval import NoRating
from gameplay.statistics.rating import deviation, elo, rate

pytestmark = pytest.mark.once


def test_pentanomial_known_answer():
    """Fastchess, elo_test.cpp, EloPentanomial 1, whose interval is the normal approximation."""
    rating = rate([34, 54, 63, 64, 75])
    assert rating.score == pytest.approx(0.5793103448, abs=1e-10)
    assert rating.elo == pytest.approx(55.5797804, abs=1e-7)
    assert rating.nelo == pytest.approx(57.9355999, abs=1e-7)
    assert (rating.low, rating.high) == pytest.approx((28.2761598, 83.5830188), abs=0.6)
    assert rating.high - rating.low > 83.5830188 - 28.2761598, (
        "Student's quantile is greater than the normal one"
    )
    assert (rating.nelo_high - rating.nelo_low) / 2 == pytest.approx(28.2753762, rel=0.02)
    assert rating.los == pytest.approx(0.9999703930, abs=2e-5)
    assert str(rating) == "+56 [+28, +84]"


def test_trinomial_known_answer():
    """Fastchess, elo_test.cpp: 136 wins, 96 losses, 111 draws."""
    rating = rate([96, 111, 136])
    assert rating.elo == pytest.approx(40.702458, abs=1e-6)
    assert (rating.high - rating.low) / 2 == pytest.approx(30.427218, rel=0.01)
    assert rating.los == pytest.approx(0.996010236, abs=1e-3)


@pytest.mark.parametrize(
    ("counts", "elo_interval", "nelo_half", "los"),
    [
        ([34, 54, 63, 64, 75], (28.2761598, 83.5830188), 28.2753762, 0.9999703930),
        ([96, 111, 136], (40.702458 - 30.427218, 40.702458 + 30.427218), 36.768451, 0.996010236),
    ],
)
def test_long_matches_have_the_published_normal_interval(counts, elo_interval, nelo_half, los):
    """The published figures, scaled down to a match that is 10,000 times as long."""
    more = 10_000
    rating = rate([more * count for count in counts])
    low, high = (rating.elo + (end - rating.elo) / math.sqrt(more) for end in elo_interval)
    assert (rating.low, rating.high) == pytest.approx((low, high), abs=0.02)
    assert (rating.nelo_high - rating.nelo_low) / 2 == pytest.approx(nelo_half / math.sqrt(more), rel=1e-3)
    assert los > 0.99 and rating.los == pytest.approx(1, abs=1e-9)


def test_symmetric_counts_have_the_t_interval():
    """10 pairs: mean 1/2, squares (2 * 1/4 + 4 * 1/16) / 9 = 1/12; t of 9 degrees of freedom: 2.262157."""
    rating = rate([1, 2, 4, 2, 1])
    assert rating.elo == pytest.approx(0, abs=1e-9)
    assert rating.high == pytest.approx(elo(0.5 + 2.262157 * math.sqrt(1 / 12 / 10)), abs=1e-4)
    assert rating.low == pytest.approx(-rating.high)
    assert rating.los == pytest.approx(0.5)


def test_elo_of_a_score():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0) == -math.inf
    assert elo(1) == math.inf


def test_all_won_gives_a_lower_bound_only():
    rating = rate([0, 0, 0, 0, 50])
    assert rating.high == rating.elo == math.inf
    assert rating.low == pytest.approx(elo(0.025 ** (1 / 50)))
    assert str(rating) == f">= {rating.low:+.0f}"
    assert rating.low > rate([0, 0, 0, 0, 10]).low, "more wins say more"
    assert rating.as_dict()["high"] is None


def test_all_lost_is_the_mirror():
    assert str(rate([50, 0, 0, 0, 0])) == "<= " + f"{-rate([0, 0, 0, 0, 50]).low:+.0f}"


def test_interval_that_leaves_the_scale():
    rating = rate([0, 0, 0, 1, 2])
    assert math.isinf(rating.high)
    assert not math.isinf(rating.low)
    assert str(rating).startswith(">= ")


def test_normalized_elo_has_no_bound_without_spread():
    rating = rate([0, 0, 0, 0, 50])
    assert rating.nelo == math.inf and rating.normalized == ""
    assert rating.as_dict()["nelo"] is rating.as_dict()["nelo_low"] is None
    assert rate([50, 0, 0, 0, 0]).nelo == -math.inf
    assert rate([0, 0, 9, 0, 0]).normalized == rate([0, 0, 0, 9, 0]).normalized == ""


def test_normalized_interval_is_unbounded_where_that_of_the_score_is():
    rating = rate([0, 0, 0, 1, 2])
    assert math.isfinite(rating.nelo) and rating.nelo_high == math.inf
    assert rating.normalized == f">= {rating.nelo_low:+.0f}"


def test_equal_pairs_have_an_interval_that_is_not_a_point():
    """Three pairs of 1.5 to 0.5: another result has a probability of at most 1 - 0.025^(1/3) = 0.7076."""
    rating = rate([0, 0, 0, 3, 0])
    assert rating.elo == pytest.approx(elo(0.75))
    assert rating.low == pytest.approx(elo(0.75 * 0.2924018), abs=1e-3)
    assert rating.high == pytest.approx(elo(1 - 0.25 * 0.2924018), abs=1e-3)
    assert rating.los == pytest.approx(1 - (2 / 3) ** 3)
    draws = rate([0, 0, 100, 0, 0])
    assert draws.low == pytest.approx(elo(0.5 * 0.025**0.01)) and draws.high == pytest.approx(-draws.low)
    assert draws.los == 0.5
    assert str(draws) == "+0, bounds [-13, +13]" and not draws.measured
    assert draws.basis(100) == "no interval: 100 pairs without any spread, all ended alike"
    assert draws.as_dict()["elo"] == 0 and str(draws.as_dict()["elo"]) == "0.0"
    assert rate([0, 0, 99, 1, 0]).measured
    assert rate([0, 0, 99, 1, 0]).basis(100) == "95 % interval from 100 pairs"
    assert rate([0, 0, 0, 0, 5]).basis(5) == "95 % bound from 5 pairs"
    assert rate([0, 0, 1, 0, 0]).basis(1) == "no interval: 1 pair without any spread"


def test_rating_names_its_perspective():
    words = rate([34, 54, 63, 64, 75]).sentence("new", "old")
    assert words == "new against old: +56 [+28, +84] Elo, LOS 100.0 %"
    assert rate([0, 0, 0, 0, 1]).sentence("a", "b") == "a against b: >= -636 Elo, LOS 50.0 %"  # 400 log10(39)


def test_deviation_of_a_game():
    assert deviation([1, 0, 1]) == 0.5
    assert deviation([1, 0, 2, 0, 1]) == pytest.approx(0.5), "pairs of independent games: the same"
    assert deviation([0, 0, 0]) == deviation([0, 0, 7, 0, 0]) == 0


def test_one_win_and_one_loss_give_no_bounds():
    assert str(rate([1, 0, 0, 0, 1])) == "+0, no bound on either side"


def test_no_counts_no_rating():
    with pytest.raises(NoRating, match="no pair"):
        rate([0, 0, 0, 0, 0])


@pytest.mark.parametrize("counts", [c for c in itertools.product(range(4), repeat=5) if 2 < sum(c) < 6])
def test_swapping_the_sides_mirrors_everything(counts):
    ours, theirs = rate(counts), rate(counts[::-1])
    for mine, other in zip(vars(ours).values(), vars(theirs.reversed).values(), strict=True):
        assert mine == (other if math.isinf(other) else pytest.approx(other, abs=1e-9))
    assert (ours.low > 0) == (ours.los > 0.975) or math.isclose(ours.los, 0.975), "interval and LOS agree"
