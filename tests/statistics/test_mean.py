"""The mean of points, against figures computed by hand."""

import math

import pytest

from gameplay.statistics.interval import NoRating
from gameplay.statistics.mean import mean

pytestmark = pytest.mark.once


def test_mean_and_interval():
    """Student's t with 4 degrees of freedom has the 97.5 % quantile 2.776445 (table)."""
    result = mean([2, 0, 1, 3, -1])
    error = math.sqrt(2.5 / 5)  # the sample's variance is 10 / 4
    assert result.mean == 1 and result.groups == 5
    assert (result.low, result.high) == pytest.approx((1 - 2.776445 * error, 1 + 2.776445 * error))
    x = math.sqrt(2 / (2 + 4))  # t / sqrt(t^2 + 4), t = 1 / error; the closed form for 4 degrees of freedom:
    assert result.los == pytest.approx(0.5 + 0.75 * (x - x**3 / 3))
    assert str(result) == "+1.00 a game [-0.96, +2.96]"


@pytest.mark.parametrize(
    ("groups", "why"), [([], "two groups"), ([1], "two groups"), ([2, 2], "all 2 .* equal")]
)
def test_results_without_spread_have_no_interval(groups, why):
    with pytest.raises(NoRating, match=why):
        mean(groups)
