"""The mean of points, against figures computed by hand."""

import math

import pytest

from gameplay.statistics.mean import mean
from gameplay.statistics.rating import NoRating

pytestmark = pytest.mark.once


def test_mean_and_interval():
    found = mean([2, 0, 1, 3, -1])
    error = math.sqrt(2.5 / 5)  # the sample's variance is 10 / 4
    assert found.mean == 1 and found.groups == 5
    assert (found.low, found.high) == pytest.approx((1 - 1.959964 * error, 1 + 1.959964 * error))
    assert found.los == pytest.approx(0.5 * (1 + math.erf(1 / error / math.sqrt(2))))
    assert str(found) == "+1.00 a game [-0.39, +2.39]"
    assert found.as_dict()["los"] == 0.92135


@pytest.mark.parametrize(("groups", "why"), [([], "two groups"), ([1], "two groups"), ([2, 2], "alike")])
def test_what_shows_no_spread_has_no_interval(groups, why):
    with pytest.raises(NoRating, match=why):
        mean(groups)
