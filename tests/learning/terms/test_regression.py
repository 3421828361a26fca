"""Logistic regression: derivatives against differences, known solutions, hidden weights, the same in both
builds."""

import math
import random
from array import array

import pytest

from gameplay.learning.terms.logistic import fit, solve
from gameplay.learning.terms.regression import Regression

HIDDEN = (0.8, -0.5, 0.0, 0.3)


def synthetic(rows: int, hidden: tuple[float, ...] = HIDDEN) -> "tuple[array[float], array[float]]":
    """Rows of counts, and random results with probabilities given by hidden weights."""
    rng = random.Random(7)
    inputs, results = array("d"), array("d")
    for _ in range(rows):
        row = [rng.choice((-2, -1, 0, 0, 1, 2)) for _ in hidden]
        logit = math.fsum(weight * count for weight, count in zip(hidden, row, strict=True))
        inputs.extend(row)
        results.append(float(rng.random() < 1 / (1 + math.exp(-logit))))
    return inputs, results


def test_derivatives_are_those_of_the_loss() -> None:
    inputs, results = synthetic(60)
    regression, at, step = Regression(inputs, results), [0.3, -0.2, 0.7, 0.1], 1e-5
    _, gradient, curvature = regression.sums(at)
    for i in range(4):
        sides = []
        for sign in (1, -1):
            moved = [value + sign * step * (j == i) for j, value in enumerate(at)]
            sides.append(regression.sums(moved))
        assert (sides[0][0] - sides[1][0]) / (2 * step) == pytest.approx(gradient[i], rel=1e-6, abs=1e-6)
        for j in range(4):
            slope = (sides[0][1][j] - sides[1][1][j]) / (2 * step)
            assert slope == pytest.approx(curvature[i][j], rel=1e-6, abs=1e-6)


def test_constant_alone_fits_the_mean_result() -> None:
    results = array("d", [1.0, 0.5, 0.5, 0.0, 1.0, 1.0, 0.5, 1.0])
    result = fit(array("d", [1.0] * 8), results, [0.0], ridge=0.0)
    mean = math.fsum(results) / 8
    assert result.parameters[0] == pytest.approx(math.log(mean / (1 - mean)))
    assert result.before == pytest.approx(math.log(2))
    assert result.loss == pytest.approx(-mean * math.log(mean) - (1 - mean) * math.log(1 - mean))


def test_hidden_weights_are_recovered() -> None:
    """Each within four standard errors by the second derivatives, which are below 0.05."""
    inputs, results = synthetic(3000)
    result = fit(inputs, results, [0.0] * 4, ridge=0.0)
    _, gradient, curvature = Regression(inputs, results).sums(result.parameters)
    assert max(map(abs, gradient)) < 1e-3
    for i, hidden in enumerate(HIDDEN):
        variance = solve(curvature, [float(j == i) for j in range(4)])[i]
        assert abs(result.parameters[i] - hidden) < 4 * math.sqrt(variance) < 0.2
    assert result.steps < 10


def test_both_builds_find_the_same_bits() -> None:
    result = fit(*synthetic(200), [0.1] * 4, ridge=5.0)
    assert result.parameters[0].hex() == "0x1.e42f26525d5abp-2"
    assert result.loss.hex() == "0x1.2ac54f54e4aafp-1"


def test_column_that_is_never_used_stays_and_equal_columns_share() -> None:
    single = array("d", [1.0, -1.0, 1.0, 2.0, -2.0, 1.0])
    results = array("d", [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
    alone = fit(single, results, [0.0], ridge=0.0).parameters[0]
    inputs = array("d", [part for value in single for part in (value, 0.0, value)])
    result = fit(inputs, results, [0.0, 0.25, 0.0], ridge=1e-3).parameters
    assert result[1] == 0.25
    assert result[0] == pytest.approx(result[2]) and result[0] + result[2] == pytest.approx(alone, rel=0.01)


def test_ridge_pulls_to_the_start() -> None:
    inputs, results = synthetic(100)
    start = [0.4] * 4
    moved = [math.dist(fit(inputs, results, start, ridge=ridge).parameters, start) for ridge in (0, 50, 1e9)]
    assert moved[0] > 1.5 * moved[1] > 0 and moved[2] < 1e-4


def test_results_without_a_finite_fit_stay_finite_under_a_ridge() -> None:
    result = fit(array("d", [1.0, -1.0] * 5), array("d", [1.0, 0.0] * 5), [0.0], ridge=1.0)
    assert 1 < result.parameters[0] < 10
    assert all(map(math.isfinite, Regression(array("d", [1.0]), array("d", [0.0])).sums([1e4])[1]))


@pytest.mark.parametrize(("inputs", "results"), [(3, 2), (0, 0), (1, 0)])
def test_lengths_that_do_not_match_are_refused(inputs: int, results: int) -> None:
    with pytest.raises(ValueError, match="inputs"):
        Regression(array("d", [0.0] * inputs), array("d", [0.0] * results))
    with pytest.raises(ValueError, match="parameters"):
        Regression(array("d", [0.0] * 4), array("d", [0.0] * 2)).sums([0.0] * 3)
