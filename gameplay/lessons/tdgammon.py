"""TD-Gammon: a network that learned backgammon by self-play, one update in numbers, and a learning curve.

Gerald Tesauro, "Temporal difference learning and TD-Gammon", Communications of the ACM 38, 3, 1995, and
Richard Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988. The
update is computed in the run. The training games for the curve take minutes, so their results are stored in
tdgammon.toml with the commands that reproduce them.
"""

import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.games.backgammon.inputs import BackgammonInputs
from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.learning.network_run import learner_of
from gameplay.learning.network_td import NetworkTd
from gameplay.lessons.sections import number_sections
from gameplay.networks.network import Network
from gameplay.position import AbstractPosition

FILE = Path(__file__).with_name("tdgammon.toml")
ENDING = "AwAAOAAAAAAAAA:cAkAAAAAAAAE"  # 3 checkers against 2, all on the ace points
ROLL = "31"  # no double: two checkers come off
UNITS, SEED, DECAY, RATE = 2, 1, 0.5, 0.1
LEVELS = 3  # a game, a gammon, a backgammon
EXACT_PROBABILITY = 1 / 6  # only a double bears off three checkers
GAMES = (0, 10, 100, 1000)  # training games from the ending after which the network's estimate is shown
CHART_WIDTH = 40  # columns of the chart
CLASS_GAMES = 2000  # training games suggested for class

Inputs = list[tuple[int, float]]


@dataclass(frozen=True)
class NetworkUpdate:
    """One update of a position: its probabilities, for the player on roll: of winning, then of losing."""

    name: str
    inputs: Inputs
    before: list[float]
    target: list[float]
    after: list[float]

    @property
    def errors(self) -> list[float]:
        """The gradient of the logistic loss with respect to the outputs' weighted sums."""
        return [output - target for output, target in zip(self.before, self.target, strict=True)]


@dataclass(frozen=True)
class StoredPoint:
    """A network after a number of self-play games, and its result against the evaluation `terms`."""

    games: int
    hidden: int
    points: float  # per game
    low: float  # 95 % interval
    high: float


def reader() -> NetworkInputs:
    """The encoder of positions as Tesauro's network inputs."""
    inputs: NetworkInputs = BackgammonInputs(plain=True)
    return inputs


def network() -> Network:
    """The network of the worked update, with its initial random weights."""
    return Network((reader().count, UNITS, 2 * LEVELS), SEED)


def ending() -> tuple[AbstractPosition, AbstractPosition]:
    """Position A, three checkers to bear off before a roll, and B, the opponent's two after 3-1."""
    first = registry.game("backgammon").new(ENDING)
    second = first.twin()
    second.make(second.parse(ROLL))
    second.make(second.moves()[0])
    return first, second


def probabilities(net: Network, inputs: Inputs) -> list[float]:
    """The outputs of a network as probabilities."""
    return [1 / (1 + math.exp(-logit)) for logit in net.of(inputs)]


def steps() -> list[NetworkUpdate]:
    """The updates after a game of A, B and a win for the player on roll in B: first B, then A."""
    net = network()
    inputs = [reader().of(position) for position in ending()]
    outputs = [probabilities(net, row) for row in inputs]
    result = [1.0] + [0.0] * (2 * LEVELS - 1)
    blended = [(1 - DECAY) * p + DECAY * t for p, t in zip(outputs[1], result, strict=True)]
    targets = [blended[LEVELS:] + blended[:LEVELS], result]  # A has the other player on roll
    updates = []
    for at in (1, 0):
        before = probabilities(net, inputs[at])
        slopes = [p - t for p, t in zip(before, targets[at], strict=True)]
        net.descend(inputs[at], slopes, RATE)
        updates.append(
            NetworkUpdate("AB"[at], inputs[at], before, targets[at], probabilities(net, inputs[at]))
        )
    return updates


def learner() -> NetworkTd:
    """The learner of `gameplay learn`, for games from position A."""
    first, _ = ending()
    return learner_of(first, network(), reader(), DECAY, 0.0, SEED, RATE)


def estimates_by_games() -> list[tuple[int, float]]:
    """The estimated probability of winning A, by number of training games from A."""
    teacher, (first, _) = learner(), ending()
    inputs = reader().of(first)
    points, done = [], 0
    for games in GAMES:
        teacher.play(games - done)
        done = games
        points.append((games, probabilities(teacher.estimator.network, inputs)[0]))
    return points


@cache
def read_curve() -> dict[str, Any]:
    """The measured curve and the published figure."""
    return tomllib.loads(FILE.read_text())


def curve() -> list[StoredPoint]:
    """The points of the curve, by number of games."""
    return [StoredPoint(**row) for row in read_curve()["curve"]]


def lines() -> Iterator[str]:
    """The text of the lecture, section by section."""
    yield from number_sections(
        (
            ("No teacher: the target is the next position's value", _idea),
            ("One update", _update),
            ("The curve", _curve),
            ("In class", _class),
        )
    )


def _idea() -> Iterator[str]:
    yield (
        "A network plays both sides and chooses the move with the best-valued next position. After the game "
        "the target of each position before a roll is the value of the position before the next roll; the "
        "target of the last one is the result."
    )
    yield ""
    yield "  p(t)       the probabilities that the network gave at position t"
    yield "  target(t)  (1 - lambda) p(t + 1) + lambda target(t + 1); the result z at the last position"
    yield "  update     from the last position to the first, each weight w := w - rate (p - target) dy/dw"
    yield ""
    yield (
        "y is an output's weighted sum before the sigmoid p = 1 / (1 + exp(-y)), and p - target the "
        "derivative of the logistic loss. With lambda = 0 only the next position counts, with lambda = 1 "
        "only the result."
    )
    yield ""
    yield (
        "There are 196 inputs, 98 per side: four per point (one checker, two, three, half of the number "
        "above three), the bar, the checkers off. Outputs are the probabilities of winning and of losing at "
        "least 1, 2 and 3 points. The rules and the inputs are given; all weights are random at first."
    )


def _update() -> Iterator[str]:
    yield (
        f"A: three checkers on the ace point; the opponent has two on theirs. After {ROLL[0]}-{ROLL[1]} one "
        "remains; B: the opponent is on roll and bears off both. No gammon is possible. A network of "
        f"{UNITS} hidden units with random weights, lambda {DECAY:g}, rate {RATE:g}:"
    )
    yield ""
    yield f"{'':12}{'win':>10}{'gammon':>10}{'backgammon':>12}{'lose':>10}{'gammon':>10}{'backgammon':>12}"
    updates = steps()
    for step in updates:
        yield _row(f"{step.name} p", step.before)
        yield _row("  target", step.target)
        yield _row("  p - target", step.errors, "+")
        yield _row("  p after", step.after)
        yield ""
    output, kept = updates[0].before[0], 1 - DECAY
    yield (
        "B is updated first: its target is the result, a single win for the player on roll. A's target is "
        f"{kept:g} times B's output in the game plus {DECAY:g} times B's target, with winning and losing "
        f"exchanged: to lose, {kept:g} x {output:.4f} + {DECAY:g} x 1 = {updates[1].target[LEVELS]:.4f}."
    )
    yield ""
    answers = estimates_by_games()
    yield (
        "A and B share inputs: the update of B, a win, moved A's probability to win from "
        f"{answers[0][1]:.4f} to {updates[1].before[0]:.4f}, in the wrong direction. More games correct it:"
    )
    yield ""
    yield f"{'games':>7}{'estimated P(A wins)':>28}"
    for games, chance in answers:
        yield f"{games:>7,}{chance:>28.3f}"
    yield ""
    yield (
        f"The exact value is 1/6 = {EXACT_PROBABILITY:.3f}: a double bears off all three, any other roll "
        "loses. The rate is constant here, so the estimate keeps fluctuating around it; `gameplay learn` "
        "lowers the rate to a tenth."
    )


def _row(name: str, row: Sequence[float], sign: str = "") -> str:
    widths = (10, 10, 12) * 2
    cells = [f"{f'{figure:{sign}.4f}':>{width}}" for figure, width in zip(row, widths, strict=True)]
    return f"{name:<12}" + "".join(cells)


def _curve() -> Iterator[str]:
    data, points = read_curve(), curve()
    published = data["published"]
    low = math.floor(2 * min(point.low for point in points)) / 2
    high = math.ceil(2 * max(point.high for point in points)) / 2
    yield (
        "Points per game against the evaluation `terms`, one decision deep, with 95 % intervals: "
        f"{data['played']:,} games each, the same rolls for both seats, measured on {data['date']}."
    )
    yield ""
    yield f"{'games':>9}  {'points':>6}  {'interval':<16}  {low:{'.'}<+{CHART_WIDTH - 4}.1f}{high:+.1f}"
    for point in points:
        yield _point(point, low, high, "*" if point.games == published["games"] else "")
    yield ""
    yield (
        "o is the mean, --- its interval, | zero. The number of games grows by factors of two and three from "
        f"row to row: a logarithmic scale. Each network is a separate run with {points[0].hidden} hidden "
        "units; unlike TD-Gammon's it has separate input weights for four phases of the game, and inputs for "
        "shots, blocks and timing:"
    )
    yield ""
    yield f"  {data['learn']}"
    yield f"  {data['measure']}"
    yield ""
    yield (
        f"* After as many games TD-Gammon, with {published['hidden']} hidden units and raw board inputs, was "
        f"{published['strength']} ({published['source']}). That is a description, not a measurement: "
        "it never played our evaluation."
    )


def _point(point: StoredPoint, low: float, high: float, mark: str = "") -> str:
    """A row of the chart; `mark` follows the number of games."""

    def column(points: float) -> int:
        return round((CHART_WIDTH - 1) * (points - low) / (high - low))

    cells = [" "] * CHART_WIDTH
    cells[column(0)] = "|"
    for at in range(column(point.low), column(point.high) + 1):
        cells[at] = "-"
    cells[column(point.points)] = "o"
    interval = f"[{point.low:+.3f}, {point.high:+.3f}]"
    return f"{point.games:>9,}{mark:<2}{point.points:>+6.3f}  {interval:<16}  {''.join(cells)}".rstrip()


def _class() -> Iterator[str]:
    yield f"Training on {CLASS_GAMES:,} games takes some seconds. Then play against the network:"
    yield ""
    yield f"  gameplay learn backgammon --method td --network 40 --games {CLASS_GAMES} --out class"
    yield "  gameplay play backgammon --engine expectiminimax:depth=1,eval=class/weights.toml"
    yield ""
    yield (
        "Exercise. After your move the opponent is on roll, and by the network wins with probability 0.8. "
        "The opponent wins at that roll. What is the target of your position for losing, with lambda 0, 0.5 "
        "and 1?"
    )
    yield ""
    yield (
        "Solution. The opponent's target for winning is 1. Yours for losing is (1 - lambda) 0.8 + lambda 1: "
        "0.8, 0.9 and 1. With lambda 0 it is the network's estimate, with lambda 1 the result."
    )
