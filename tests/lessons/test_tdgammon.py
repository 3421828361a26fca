"""The lecture on TD-Gammon: its update in plain Python, known values, and the stored curve."""

import math
import re
import tomllib
from itertools import pairwise, product
from random import Random

import pytest

from gameplay.lessons import tdgammon
from gameplay.networks.network import Network
from tests.support.commands import lecture
from tests.support.paths import ROOT, TESTS

# The inputs of A and B by hand: four a point and side (checkers on the ace point), checkers off over 15.
A = {0: 1, 1: 1, 2: 1, 97: 12 / 15, 98: 1, 99: 1, 98 + 97: 13 / 15}
B = {0: 1, 1: 1, 97: 13 / 15, 98: 1, 98 + 97: 14 / 15}


class Plain:
    """A network of one hidden layer with the same initial weights, in double precision."""

    def __init__(self, network: Network) -> None:
        inputs, self.units, self.outputs = network.sizes
        flat = iter(network.weights_owner.tolist())
        self.first = [[next(flat) for _ in range(self.units)] for _ in range(inputs + 1)]
        self.second = [[next(flat) for _ in range(self.outputs)] for _ in range(self.units + 1)]

    def hidden(self, inputs: dict[int, float]) -> list[float]:
        sums = [
            self.first[-1][j] + sum(x * self.first[i][j] for i, x in inputs.items())
            for j in range(self.units)
        ]
        return [total / (1 + abs(total)) for total in sums]

    def of(self, inputs: dict[int, float]) -> list[float]:
        rows = zip([*self.hidden(inputs), 1.0], self.second, strict=True)
        sums = [sum(column) for column in zip(*[[h * w for w in row] for h, row in rows], strict=True)]
        return [1 / (1 + math.exp(-total)) for total in sums]

    def loss(self, inputs: dict[int, float], target: list[float]) -> float:
        """The logistic loss of the outputs."""
        pairs = zip(self.of(inputs), target, strict=True)
        return -sum(t * math.log(p) + (1 - t) * math.log(1 - p) for p, t in pairs)

    def step(self, inputs: dict[int, float], target: list[float], rate: float) -> None:
        """Gradient descent, each derivative of the loss by a finite difference."""
        tables, size = (self.first, self.second), 1e-5
        changes = []
        for table in tables:
            for row in [*inputs, -1] if table is self.first else range(self.units + 1):
                for column, weight in enumerate(table[row]):
                    around = []
                    for moved in (weight + size, weight - size):
                        table[row][column] = moved
                        around.append(self.loss(inputs, target))
                    table[row][column] = weight
                    changes.append((table[row], column, (around[0] - around[1]) / (2 * size)))
        for weights, column, slope in changes:
            weights[column] -= rate * slope


def test_the_update_is_that_of_plain_python() -> None:
    plain = Plain(tdgammon.network())
    b, a = tdgammon.steps()
    weights = plain.of(B)
    result = [1, 0, 0, 0, 0, 0]
    mixed = [0.5 * p + 0.5 * z for p, z in zip(weights, result, strict=True)]
    for step, inputs, target in ((b, B, result), (a, A, [*mixed[3:], *mixed[:3]])):
        assert dict(step.inputs) == pytest.approx(inputs)
        assert step.before == pytest.approx(plain.of(inputs), abs=1e-6)
        assert step.target == pytest.approx(target, abs=1e-6)
        plain.step(inputs, target, 0.1)
        assert step.after == pytest.approx(plain.of(inputs), abs=1e-6)


def test_the_update_is_that_of_a_game_of_the_learner() -> None:
    """Every roll but a double leads from A to B, so the first such game trains both."""
    teacher = tdgammon.learner()
    teacher.play(1)
    assert teacher.positions == 2
    steps = tdgammon.steps()
    assert tdgammon.probabilities(teacher.estimator.network, steps[1].inputs) == steps[1].after


@pytest.mark.once
def test_the_network_learns_how_often_three_checkers_come_off_at_once() -> None:
    doubles = sum(first == second for first, second in product(range(6), repeat=2)) / 36
    assert doubles == tdgammon.EXACT_PROBABILITY
    results = dict(tdgammon.estimates_by_games())
    assert results[1000] == pytest.approx(doubles, abs=0.03) and results[0] > 0.4


@pytest.mark.once
def test_the_published_figure_and_the_stored_curve() -> None:
    data = tdgammon.read_curve()
    known = tomllib.loads((TESTS / "answers" / "lectures.toml").read_text())["tdgammon"]
    assert {name: data["published"][name] for name in ("games", "hidden")} == {
        name: known[name] for name in ("games", "hidden")
    }
    curve = tdgammon.curve()
    assert all(
        first.games < second.games and first.points < second.points for first, second in pairwise(curve)
    )
    for point in curve:
        # Points are -3 to 3, and 2,000 games are 1,000 pairs, so a mean spreads by less than 3 / sqrt(1000).
        assert point.low < point.points < point.high and (point.high - point.low) / 2 < 1.96 * 3 / 1000**0.5
        assert point.points - point.low == pytest.approx(point.high - point.points, abs=0.002)
    assert all(point.hidden == known["hidden"] for point in curve)
    assert [point.games for point in curve].count(known["games"]) == 1, "marked in the chart"


@pytest.mark.once
def test_chart_marks_are_at_the_coordinates_of_their_points() -> None:
    rng = Random(1)
    for _ in range(20):
        points = rng.uniform(-1.8, 0.3)
        row = tdgammon._point(tdgammon.StoredPoint(1000, 40, points, points - 0.1, points + 0.1), -2.0, 0.5)
        chart = row[row.index("]") + 3 :]
        each = 2.5 / (tdgammon.CHART_WIDTH - 1)
        assert chart.index("o") * each - 2 == pytest.approx(points, abs=each / 2 + 1e-9)
        assert chart.count("-") + 1 == pytest.approx(0.2 / each + 1, abs=1)


@pytest.mark.once
def test_printed_lecture_equals_the_stored_screen(capsys: pytest.CaptureFixture[str]) -> None:
    shown = lecture(capsys, "tdgammon")
    assert "0.5 x 0.5294 + 0.5 x 1 = 0.7647" in shown, f"{0.5 * 0.5294 + 0.5:.4f}"
    assert [line.split()[0] for line in shown.splitlines() if re.match(r" *[\d,]+\*", line)] == ["200,000*"]
    for command in re.findall(r"^  (gameplay learn .*)$", shown, re.M):
        assert command in (ROOT / "gameplay/lessons/tdgammon.toml").read_text() or "--games 2000 " in command


@pytest.mark.once
def test_the_exercise_is_solved_right() -> None:
    shown = " ".join(tdgammon._class())
    targets = [(1 - decay) * 0.8 + decay for decay in (0, 0.5, 1)]
    assert "{:g}, {:g} and {:g}. With lambda 0".format(*targets) in shown
