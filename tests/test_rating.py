"""Elo and its interval against values computed by hand and published in the tests of Fastchess."""

import itertools
import math

import pytest

from gameplay.statistics.rating import NoRating, deviation, elo, rate

pytestmark = pytest.mark.once


def test_pentanomial_known_answer():
    """Fastchess, elo_test.cpp, EloPentanomial 1."""
    rating = rate([34, 54, 63, 64, 75])
    assert rating.score == pytest.approx(0.5793103448, abs=1e-10)
    assert rating.elo == pytest.approx(55.5797804, abs=1e-7)
    assert rating.low == pytest.approx(28.2761598, abs=1e-7)
    assert rating.high == pytest.approx(83.5830188, abs=1e-7)
    assert rating.los == pytest.approx(0.9999703930, abs=1e-10)
    assert str(rating) == "+56 [+28, +84]"


def test_trinomial_known_answer():
    """Fastchess, elo_test.cpp: 136 wins, 96 losses, 111 draws."""
    rating = rate([96, 111, 136])
    assert rating.elo == pytest.approx(40.702458, abs=1e-6)
    assert (rating.high - rating.low) / 2 == pytest.approx(30.427218, abs=1e-6)
    assert rating.los == pytest.approx(0.996010236, abs=1e-9)


def test_symmetric_counts():
    rating = rate([1, 2, 4, 2, 1])
    assert rating.elo == pytest.approx(0, abs=1e-9)
    assert (rating.high - rating.low) / 2 == pytest.approx(122.818, abs=1e-3)
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
    assert rating.nelo == math.inf
    assert rating.as_dict()["nelo"] is rating.as_dict()["nelo_low"] is None
    assert rate([50, 0, 0, 0, 0]).nelo == -math.inf


def test_the_perspective_is_said():
    words = rate([34, 54, 63, 64, 75]).sentence("new", "old")
    assert words == "new against old: +56 [+28, +84] Elo, LOS 100.0 %"
    assert rate([0, 0, 0, 0, 1]).sentence("a", "b") == "a against b: >= -636 Elo, LOS 50.0 %"  # 400 log10(39)


def test_deviation_of_a_game():
    assert deviation([1, 0, 1]) == 0.5
    assert deviation([1, 0, 2, 0, 1]) == pytest.approx(0.5), "pairs of independent games: the same"
    assert deviation([0, 0, 0]) == deviation([0, 0, 7, 0, 0]) == 0


def test_one_win_and_one_loss_bound_nothing():
    assert "without a bound on either side" in str(rate([1, 0, 0, 0, 1]))


def test_no_counts_no_rating():
    with pytest.raises(NoRating, match="no pair"):
        rate([0, 0, 0, 0, 0])


def test_no_spread_no_rating():
    with pytest.raises(NoRating, match="alike"):
        rate([0, 0, 10, 0, 0])


@pytest.mark.parametrize("counts", [c for c in itertools.product(range(4), repeat=5) if 2 < sum(c) < 6])
def test_swapping_the_sides_mirrors_everything(counts):
    try:
        ours = rate(counts)
    except NoRating:
        with pytest.raises(NoRating):
            rate(counts[::-1])
        return
    theirs = rate(counts[::-1])
    assert ours.score == pytest.approx(1 - theirs.score)
    assert ours.los == pytest.approx(1 - theirs.los)
    pairs = [(ours.elo, theirs.elo), (ours.low, theirs.high), (ours.high, theirs.low)]
    pairs += [(ours.nelo, theirs.nelo), (ours.nelo_low, theirs.nelo_high), (ours.nelo_high, theirs.nelo_low)]
    for mine, other in pairs:
        assert mine == (-other if math.isinf(other) else pytest.approx(-other, abs=1e-9))
