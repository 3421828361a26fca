"""Logistic regression by Newton's method, with a ridge penalty towards the initial parameters.

The loss is convex; the step solves H step = -gradient, and is halved until the loss decreases. The ridge
pulls each parameter towards its initial value as strongly as `ridge` rows with this input only (of its mean
square) and even results. The parameter of a column of zeros does not change.

Fitting an evaluation to results of games: P. Osterlund, Texel's tuning method (2014); for Othello M. Buro,
Statistical feature combination for the evaluation of game positions (1995).
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.learning.terms.regression import Regression

RIDGE = 40.0  # in games, not positions, since positions of one game are correlated
MAX_STEPS = 50  # usually fewer than ten
MAX_HALVINGS = 40
SINGULAR = 1e-12  # relative size of a pivot that counts as 0
TOLERANCE = 1e-10  # decrease of the loss per row that ends the iteration


@dataclass(frozen=True)
class LogisticFit:
    """The result of a fit."""

    parameters: tuple[float, ...]
    loss: float  # mean of the rows at these parameters, in nats
    before: float  # ... and at the initial parameters
    steps: int


def fit(inputs: "array[float]", results: "array[float]", start: Sequence[float], ridge: float) -> LogisticFit:
    """Fit `len(start)` parameters to the rows. Raises ValueError if the lengths do not match."""
    regression = Regression(inputs, results)
    rows, columns = regression.rows, len(start)
    penalty = [ridge / 4 * _mean_square(inputs, column, rows, columns) for column in range(columns)]
    theta = list(start)

    def measured(at: Sequence[float]) -> tuple[float, list[float], list[list[float]]]:
        """Loss, gradient and second derivatives with the ridge."""
        loss, gradient, curvature = regression.sums(at)
        for i in range(columns):
            change = at[i] - start[i]
            loss += penalty[i] / 2 * change * change
            gradient[i] += penalty[i] * change
            curvature[i][i] += penalty[i]
        return loss, gradient, curvature

    loss, gradient, curvature = measured(theta)
    initial_loss, steps = loss, 0
    while steps < MAX_STEPS:
        step = solve(curvature, [-slope for slope in gradient])
        for _ in range(MAX_HALVINGS):
            new_theta = [parameter + change for parameter, change in zip(theta, step, strict=True)]
            new = measured(new_theta)
            if new[0] <= loss:
                break
            step = [change / 2 for change in step]
        else:
            break
        steps += 1
        decrease = loss - new[0]
        theta, (loss, gradient, curvature) = new_theta, new
        if decrease <= TOLERANCE * rows:
            break
    return LogisticFit(tuple(theta), regression.sums(theta)[0] / rows, initial_loss / rows, steps)


def _mean_square(inputs: "array[float]", column: int, rows: int, columns: int) -> float:
    return math.fsum(value * value for value in inputs[column::columns]) / rows


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve matrix x = right for a symmetric, positive semidefinite matrix, by Cholesky decomposition.

    A row that depends linearly on those above it is skipped; its x is 0.
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
