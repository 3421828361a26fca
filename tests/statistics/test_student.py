"""Student's t distribution against tables, closed forms and scipy."""

import math

import pytest

from gameplay.statistics.student import cdf, quantile

pytestmark = pytest.mark.once

FREEDOMS = [1, 2, 3, 4, 5, 7, 9, 10, 19, 29, 49, 99, 199, 499, 1000, 10_000, 1_000_000]


@pytest.mark.parametrize(
    ("df", "expected"),  # 97.5 % quantiles of printed tables
    [
        (1, 12.7062),
        (2, 4.30265),
        (3, 3.18245),
        (4, 2.77645),
        (5, 2.57058),
        (10, 2.22814),
        (30, 2.04227),
        (100, 1.98397),
    ],
)
def test_quantiles_of_printed_tables(df, expected):
    assert quantile(0.975, df) == pytest.approx(expected, abs=6e-6 * expected)


def test_closed_forms():
    for t in (-30.0, -2.0, -0.1, 0.0, 1e-9, 0.7, 5.0, 1e4):
        assert cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)  # Cauchy
        assert cdf(t, 2) == pytest.approx(0.5 + t / 2 / math.sqrt(2 + t * t), abs=1e-14)
    assert quantile(0.975, 1) == pytest.approx(math.tan(0.475 * math.pi), rel=1e-12)
    assert quantile(0.5, 3) == 0


@pytest.mark.parametrize("df", FREEDOMS)
def test_scipy_agrees(df):
    stats = pytest.importorskip("scipy.stats")
    for p in (1e-6, 0.005, 0.025, 0.1, 0.4, 0.51, 0.8, 0.975, 0.995, 0.9999):
        assert quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8)
    for t in (-10.0, -3.0, -0.5, 0.01, 1.0, 2.5, 40.0):
        assert cdf(t, df) == pytest.approx(stats.t.cdf(t, df), abs=1e-9)


@pytest.mark.parametrize("df", FREEDOMS)
def test_quantile_inverts_the_distribution(df):
    for p in (0.001, 0.025, 0.3, 0.6, 0.975):
        assert cdf(quantile(p, df), df) == pytest.approx(p, abs=1e-9)
        assert quantile(1 - p, df) == pytest.approx(-quantile(p, df))
