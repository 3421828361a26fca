"""TD-Gammon: a network that learned backgammon from its own games, one update in numbers, and a curve.

Gerald Tesauro, "Temporal difference learning and TD-Gammon", Communications of the ACM 38, 3, 1995, and
Richard Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988. The
update is computed in the run. Games behind the curve take minutes: their results lie beside it, in
tdgammon.toml, with the commands that repeat them.
"""

import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.capabilities import HasNetworkInputs
from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.learning.network_run import learner_of
from gameplay.learning.network_td import NetworkTd
from gameplay.lessons.sections import numbered
from gameplay.networks.network import Network
from gameplay.position import AbstractPosition

FILE = Path(__file__).with_name("tdgammon.toml")
ENDING = "AwAAOAAAAAAAAA:cAkAAAAAAAAE"  # 3 checkers against 2, all on the ace points
ROLL = "31"  # no double: two checkers come off
UNITS, SEED, DECAY, RATE = 2, 1, 0.5, 0.1
LEVELS = 3  # a game, a gammon, a backgammon
TRUTH = 1 / 6  # only a double bears off three checkers
GAMES = (0, 10, 100, 1000)  # of the ending, after which the network is asked
WIDE = 40  # columns of the chart
SHORT = 2000  # games in class

Inputs = list[tuple[int, float]]


@dataclass(frozen=True)
class Taught:
    """A position that is taught. Probabilities are those of the player on roll: to win, then to lose."""

    name: str
    inputs: Inputs
    before: list[float]
    target: list[float]
    after: list[float]

    @property
    def errors(self) -> list[float]:
        """The slopes of the logistic loss by the outputs' sums."""
        return [output - target for output, target in zip(self.before, self.target, strict=True)]


@dataclass(frozen=True)
class Point:
    """A network after so many games of its own, and what it won of games against the evaluation `terms`."""

    games: int
    hidden: int
    points: float  # a game
    low: float  # 95 % interval
    high: float


def reader() -> NetworkInputs:
    """What reads the inputs of positions."""
    position = registry.game("backgammon").new()
    assert isinstance(position, HasNetworkInputs)
    inputs: NetworkInputs = position.network_inputs()
    return inputs


def network() -> Network:
    """The network of the worked update, with random weights."""
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


def steps() -> list[Taught]:
    """What a game teaches in which A, B and a win of B's player follow one another: first B, then A."""
    net = network()
    inputs = [reader().of(position) for position in ending()]
    outputs = [probabilities(net, row) for row in inputs]
    result = [1.0] + [0.0] * (2 * LEVELS - 1)
    blended = [(1 - DECAY) * p + DECAY * t for p, t in zip(outputs[1], result, strict=True)]
    targets = [blended[LEVELS:] + blended[:LEVELS], result]  # what B's player wins, A's player loses
    updates = []
    for at in (1, 0):
        before = probabilities(net, inputs[at])
        slopes = [p - t for p, t in zip(before, targets[at], strict=True)]
        net.descend(inputs[at], slopes, RATE)
        updates.append(Taught("AB"[at], inputs[at], before, targets[at], probabilities(net, inputs[at])))
    return updates


def learner() -> NetworkTd:
    """The learner of `gameplay learn`, for games from position A."""
    first, _ = ending()
    return learner_of(first, network(), reader(), DECAY, 0.0, SEED, RATE)


def learned() -> list[tuple[int, float]]:
    """How likely the network says a win is in A, after games of it."""
    teacher, (first, _) = learner(), ending()
    inputs = reader().of(first)
    points, done = [], 0
    for games in GAMES:
        teacher.play(games - done)
        done = games
        points.append((games, probabilities(teacher.estimator.network, inputs)[0]))
    return points


@cache
def stored() -> dict[str, Any]:
    """The measured curve and the published figure."""
    return tomllib.loads(FILE.read_text())


def curve() -> list[Point]:
    """The networks, by games."""
    return [Point(**row) for row in stored()["curve"]]


def lines() -> Iterator[str]:
    """The lecture, part by part."""
    yield from numbered(
        (
            ("No teacher: the next position is the teacher", _idea),
            ("One update", _update),
            ("The curve", _curve),
            ("In class", _class),
        )
    )


def _idea() -> Iterator[str]:
    yield (
        "A network plays both sides. It plays the move whose next position it likes best. After the game "
        "each position before a roll learns from the position before the next roll, and the last one from "
        "the result."
    )
    yield ""
    yield "  p(t)       the probabilities that the network gave at position t"
    yield "  target(t)  (1 - lambda) p(t + 1) + lambda target(t + 1); the result z at the last position"
    yield "  learned    from the last position to the first, each weight w := w - rate (p - target) dy/dw"
    yield ""
    yield (
        "y is the sum of an output before the sigmoid p = 1 / (1 + exp(-y)), and p - target the slope of the "
        "logistic loss. With lambda = 0 only the next position counts, with lambda = 1 only the result."
    )
    yield ""
    yield (
        "Inputs are 196 numbers, 98 of each side: four a point (one checker, two, three, half of those "
        "beyond), the bar, the checkers off. Outputs are the probabilities to win and to lose 1, 2 and 3 "
        "points or more. The rules and the inputs are given; all weights are random at first."
    )


def _update() -> Iterator[str]:
    yield (
        f"A: three checkers on the ace point, the opponent has two on theirs. After {ROLL[0]}-{ROLL[1]} one "
        "is left; B: the opponent is on roll and bears off both. No gammon is possible. A network of "
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
        "B is taught first: its target is the result, a single win of the player on roll. A's target is "
        f"{kept:g} times what B said in the game, plus {DECAY:g} times B's target, with winning and losing "
        f"exchanged: to lose, {kept:g} x {output:.4f} + {DECAY:g} x 1 = {updates[1].target[LEVELS]:.4f}."
    )
    yield ""
    answers = learned()
    yield (
        "A and B share inputs: the step of B, for a win, moved A's probability to win from "
        f"{answers[0][1]:.4f} to {updates[1].before[0]:.4f}, the wrong way. Many games set it right:"
    )
    yield ""
    yield f"{'games':>7}{'A wins, says the network':>28}"
    for games, chance in answers:
        yield f"{games:>7,}{chance:>28.3f}"
    yield ""
    yield (
        f"True is 1/6 = {TRUTH:.3f}: a double bears off all three, any other roll loses. The rate stays the "
        "same here, so the network goes on moving about the truth; `gameplay learn` lowers it to a tenth."
    )


def _row(name: str, row: Sequence[float], sign: str = "") -> str:
    widths = (10, 10, 12) * 2
    cells = [f"{f'{figure:{sign}.4f}':>{width}}" for figure, width in zip(row, widths, strict=True)]
    return f"{name:<12}" + "".join(cells)


def _curve() -> Iterator[str]:
    data, points = stored(), curve()
    published = data["published"]
    low = math.floor(2 * min(one.low for one in points)) / 2
    high = math.ceil(2 * max(one.high for one in points)) / 2
    yield (
        "Points a game against the evaluation `terms`, one decision deep, with 95 % intervals: "
        f"{data['played']:,} games each, the same rolls for both seats, measured on {data['date']}."
    )
    yield ""
    yield f"{'games':>9}  {'points':>6}  {'interval':<16}  {low:{'.'}<+{WIDE - 4}.1f}{high:+.1f}"
    for one in points:
        yield _point(one, low, high, "*" if one.games == published["games"] else "")
    yield ""
    yield (
        "o is the mean, --- its interval, | zero. Games grow by factors of two and three from row to row: a "
        f"logarithmic scale. Each network has {points[0].hidden} hidden units and is a run of its own:"
    )
    yield ""
    yield f"  {data['learn']}"
    yield f"  {data['measure']}"
    yield ""
    yield (
        f"* As many games made TD-Gammon, with {published['hidden']} hidden units and "
        f"{published['strength']} ({published['source']}). That is a description, not a measurement: "
        "it never played our evaluation."
    )


def _point(one: Point, low: float, high: float, mark: str = "") -> str:
    """A row of the chart, its games followed by a mark."""

    def column(points: float) -> int:
        return round((WIDE - 1) * (points - low) / (high - low))

    cells = [" "] * WIDE
    cells[column(0)] = "|"
    for at in range(column(one.low), column(one.high) + 1):
        cells[at] = "-"
    cells[column(one.points)] = "o"
    interval = f"[{one.low:+.3f}, {one.high:+.3f}]"
    return f"{one.games:>9,}{mark:<2}{one.points:>+6.3f}  {interval:<16}  {''.join(cells)}".rstrip()


def _class() -> Iterator[str]:
    yield f"A network learns {SHORT:,} games in some seconds. Then play against it:"
    yield ""
    yield f"  gameplay learn backgammon --method td --network 40 --games {SHORT} --out class"
    yield "  gameplay play backgammon --engine expectiminimax:depth=1,eval=class/weights.toml"
    yield ""
    yield (
        "Exercise. After your move the opponent is on roll and wins with probability 0.8, says the "
        "network. The opponent wins at that roll. What is the target of your position for losing, with "
        "lambda 0, 0.5 and 1?"
    )
    yield ""
    yield (
        "Solution. The opponent's target for winning is 1. Yours for losing is (1 - lambda) 0.8 + lambda 1: "
        "0.8, 0.9 and 1. With lambda 0 it is what the network believed, with lambda 1 what happened."
    )
