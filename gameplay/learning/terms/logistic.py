"""Logistic regression: the parameters under which rows of inputs best predict results.

The loss is convex, so its least value is found by Newton's iteration: the step solves H step = -gradient, and
is halved until the loss falls. A ridge pulls each parameter to where it began, as strongly as so many rows
would in which it was measured alone (their inputs of the mean square of its column, their results even). A
column that is 0 in all rows stays where it began.

Fitting an evaluation to results of games: P. Osterlund, Texel's tuning method (2014); for Othello M. Buro,
Statistical feature combination for the evaluation of game positions (1995).
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.learning.terms.regression import Regression

RIDGE = 40.0  # for positions of games: as many games, since positions of one game are much alike
STEPS = 50  # of Newton's iteration at most; it takes fewer than ten
HALVES = 40
SINGULAR = 1e-12  # share of a pivot that remains where a row depends on those above it
ENOUGH = 1e-10  # a decrease of the loss of a row that is not worth another step


@dataclass(frozen=True)
class LogisticFit:
    """What was found."""

    parameters: tuple[float, ...]
    loss: float  # mean of the rows at these parameters, in nats
    before: float  # ... and at those that it began with
    steps: int


def fit(inputs: "array[float]", results: "array[float]", start: Sequence[float], ridge: float) -> LogisticFit:
    """Fit `len(start)` parameters to the rows. Raises ValueError if the lengths do not match."""
    regression = Regression(inputs, results)
    rows, columns = regression.rows, len(start)
    pull = [ridge / 4 * _mean_square(inputs, column, rows, columns) for column in range(columns)]
    theta = list(start)

    def measured(at: Sequence[float]) -> tuple[float, list[float], list[list[float]]]:
        """Loss, gradient and second derivatives with the ridge."""
        loss, gradient, curvature = regression.sums(at)
        for i in range(columns):
            moved = at[i] - start[i]
            loss += pull[i] / 2 * moved * moved
            gradient[i] += pull[i] * moved
            curvature[i][i] += pull[i]
        return loss, gradient, curvature

    loss, gradient, curvature = measured(theta)
    first, taken = loss, 0
    while taken < STEPS:
        step = solved(curvature, [-slope for slope in gradient])
        for _ in range(HALVES):
            tried = [one + change for one, change in zip(theta, step, strict=True)]
            after = measured(tried)
            if after[0] <= loss:
                break
            step = [change / 2 for change in step]
        else:
            break
        taken += 1
        fallen = loss - after[0]
        theta, (loss, gradient, curvature) = tried, after
        if fallen <= ENOUGH * rows:
            break
    return LogisticFit(tuple(theta), regression.sums(theta)[0] / rows, first / rows, taken)


def _mean_square(inputs: "array[float]", column: int, rows: int, columns: int) -> float:
    return math.fsum(value * value for value in inputs[column::columns]) / rows


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution x of matrix x = right, by Cholesky's factors of a symmetric, non-negative matrix.

    A row that depends on those above it is left out, and x is 0 in its place.
    """
    n = len(right)
    lower = [[0.0] * n for _ in range(n)]
    for j in range(n):
        row = lower[j]
        pivot = matrix[j][j]
        for k in range(j):
            pivot -= row[k] * row[k]
        if pivot <= SINGULAR * matrix[j][j]:
            continue
        row[j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            value = matrix[i][j]
            other = lower[i]
            for k in range(j):
                value -= other[k] * row[k]
            other[j] = value / row[j]
    x = [0.0] * n
    for i in range(n):  # forward
        value = right[i]
        for k in range(i):
            value -= lower[i][k] * x[k]
        x[i] = value / lower[i][i] if lower[i][i] else 0.0
    for i in reversed(range(n)):  # backward
        value = x[i]
        for k in range(i + 1, n):
            value -= lower[k][i] * x[k]
        x[i] = value / lower[i][i] if lower[i][i] else 0.0
    return x
