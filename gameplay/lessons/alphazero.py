"""AlphaZero with tables: one update in numbers, and curves on solved boards beside exact values.

David Silver and others, "Mastering the game of Go without human knowledge", Nature 550, 2017, and "A general
reinforcement learning algorithm that masters chess, shogi, and Go through self-play", Science 362, 2018. The
update is computed in the run. Games behind the curves take minutes: their results lie beside it, in
alphazero.toml, with the commands that repeat them.
"""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gameplay import registry
from gameplay.learning.alphazero.learner import AlphaZero
from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings
from gameplay.learning.batches import seed_of
from gameplay.lessons.sections import numbered

FILE = Path(__file__).with_name("alphazero.toml")
SETTINGS = AlphaZeroSettings("nim:heaps=1+3", 100, simulations=50, opening=0)
GAMES = (0, 1, 10, 100)  # of that heap, after which the policy is asked
WIDE = 24  # columns of a bar of an error of 1
SHORT = 2000  # games in class


@dataclass(frozen=True)
class Update:
    """The first position of the first game: each move with its policy before and after, and its visits."""

    moves: list[str]
    before: list[float]
    visits: list[int]
    after: list[float]
    result: float  # of the game, for the first player
    value: tuple[float, float]  # before and after

    @property
    def shares(self) -> list[float]:
        """What the policy learns."""
        return [visits / sum(self.visits) for visits in self.visits]


@dataclass(frozen=True)
class SolvedPoint:
    """A learner after so many games: positions with a wrong move, and the mean error of its value."""

    games: int
    policy: int
    value: int
    search: int
    error: float


@dataclass(frozen=True)
class SolvedBoard:
    """A run on a board whose value is known."""

    name: str
    game: str  # spec
    games: int
    result: str  # of perfect play
    exact: int  # the same for the first player: 1, 0 or -1
    source: str
    positions: int  # of the ground truth
    whole: bool  # these are all in which a move can be wrong
    value: float  # of the first position, by the tables at the end
    move: str  # the first move of a search at the end
    right: bool  # it keeps the value
    curve: list[SolvedPoint]

    @property
    def command(self) -> str:
        """What repeats the run."""
        return f"gameplay learn {self.game} --method alphazero --games {self.games}"


def learner() -> AlphaZero:
    """The learner of `gameplay learn`, before its first game."""
    return AlphaZeroRun(Path(), SETTINGS).fresh_learner(SETTINGS.seed)


def update() -> Update:
    """What the first game teaches the position that it began from."""
    teacher, position = learner(), registry.game(SETTINGS.game).new()
    value, policy = teacher.guide.of(teacher.kernel)
    result, packed = teacher.record(seed_of(SETTINGS.seed, 0))
    numbers = memoryview(packed).cast("i")
    visits = {numbers[2 + 2 * i]: numbers[3 + 2 * i] for i in range(numbers[1])}
    teacher.learn((result, packed))
    learned, changed = teacher.guide.of(teacher.kernel)
    return Update(
        [position.format(move) for move in policy],
        list(policy.values()),
        [visits[move] for move in policy],
        [changed[move] for move in policy],
        result,
        (value, learned),
    )


def learned() -> list[tuple[int, dict[str, float], float]]:
    """Games, then the policy and the value of the first position."""
    teacher, position = learner(), registry.game(SETTINGS.game).new()
    points, done = [], 0
    for games in GAMES:
        for number in range(done, games):
            teacher.learn(teacher.record(seed_of(SETTINGS.seed, number)))
        done = games
        value, policy = teacher.guide.of(teacher.kernel)
        points.append((games, {position.format(move): share for move, share in policy.items()}, value))
    return points


@cache
def boards() -> list[SolvedBoard]:
    """The runs that were measured."""
    rows = tomllib.loads(FILE.read_text())["board"]
    return [SolvedBoard(**row | {"curve": [SolvedPoint(**point) for point in row["curve"]]}) for row in rows]


def lines() -> Iterator[str]:
    """The lecture, part by part."""
    yield from numbered(
        (
            ("A search teaches the policy, the result the value", _idea),
            ("One update", _update),
            ("Curves on solved boards", _curves),
            ("In class", _class),
        )
    )


def _idea() -> Iterator[str]:
    yield (
        "A policy p gives each move a probability, a value v each position an expected result from -1 to 1. "
        "Before each move of a game against itself a search of N simulations goes down the tree by PUCT:"
    )
    yield ""
    yield "  select    the move m with the largest Q(m) + 1.25 p(m) sqrt(N) / (1 + n(m))"
    yield "  play      a move with the probability pi(m) = n(m) / N, later the one with the most visits"
    yield "  learn     p from pi, and v from the result z of the game, by gradient descent on"
    yield "            (z - v)^2 / 2 - sum over m of pi(m) log p(m)"
    yield ""
    yield (
        "Q(m) is the mean of the values found below m, n(m) its visits. The search is better than the policy "
        "that guides it, and the policy learns to do without the search; the next search begins from there. "
        "Nothing but the rules is given. Here tables over the contents of cells hold p and v, not a network."
    )


def _update() -> Iterator[str]:
    change = update()
    best = max(range(len(change.moves)), key=lambda i: change.visits[i])
    yield (
        "Nim with heaps of 1 and 3; the player who takes the last stone wins. b2 takes two of the second "
        "heap, leaves 1 and 1, and wins; other moves lose. All tables are 0, so all moves are equal. In the "
        f"search, of {SETTINGS.simulations} simulations, a quarter of the policy is noise."
    )
    yield ""
    yield f"{'move':>6}{'p':>9}{'visits':>9}{'pi':>9}{'pi - p':>9}{'p after':>10}"
    for name, before, visits, share, after in zip(
        change.moves, change.before, change.visits, change.shares, change.after, strict=True
    ):
        yield f"{name:>6}{before:>9.3f}{visits:>9}{share:>9.3f}{share - before:>+9.3f}{after:>10.3f}"
    total = sum(math.exp(share - before) for share, before in zip(change.shares, change.before, strict=True))
    yield ""
    yield (
        "p is the softmax of one number a move, all 0. Each grows by pi - p, the negative gradient (the "
        "first step of a table has the rate 1): "
        f"p({change.moves[best]}) = exp({change.shares[best] - change.before[best]:.3f}) / {total:.3f} = "
        f"{change.after[best]:.3f}. The first player won: the number of the value grows by z - v = "
        f"{change.result - change.value[0]:g}, and v from {change.value[0]:g} to tanh({change.result:g}) = "
        f"{change.value[1]:.3f}."
    )
    yield ""
    yield f"{'games':>7}{f'p({change.moves[best]})':>9}{'v':>8}"
    for games, policy, value in learned():
        yield f"{games:>7}{policy[change.moves[best]]:>9.3f}{value:>8.3f}"


def _curves() -> Iterator[str]:
    yield (
        "Shares of positions in which the move loses value: that of the policy alone, of the value one ply "
        "ahead, and of a search of 50 simulations. The last columns are the mean distance of the value from "
        "the exact one, 0 to 2, and its bar. Exact values are those of solvers."
    )
    for board in boards():
        yield ""
        yield f"{board.name}: {board.result} ({board.source})."
        yield f"  {board.command}"
        kind = "all in" if board.whole else "of random games, those that a solver values and in"
        yield f"  {board.positions:,} positions: {kind} which a move can be wrong"
        yield ""
        yield f"{'games':>9}{'policy':>10}{'value':>10}{'search':>10}{'error':>8}"
        for point in board.curve:
            wrong = (
                f"{100 * count / board.positions:.1f} %"
                for count in (point.policy, point.value, point.search)
            )
            cells = "".join(f"{share:>10}" for share in wrong)
            yield f"{point.games:>9,}{cells}{point.error:>8.3f}  {'#' * round(WIDE * point.error)}".rstrip()
        yield (
            f"  first position: exact {board.exact}, by the value {board.value:+.3f}; "
            f"the search begins with {board.move}, {'right' if board.right else 'wrong'}"
        )


def _class() -> Iterator[str]:
    board = boards()[0].game
    yield f"Tic-tac-toe learns {SHORT:,} games in a second. Then play against it:"
    yield ""
    yield f"  gameplay learn {board} --method alphazero --games {SHORT} --out class"
    yield f"  gameplay play {board} --engine mcts:eval=class/weights.toml"
    yield ""
    yield (
        "Exercise. A position has two moves, with p 0.5 each. A search of 40 simulations visits the first 30 "
        "times. By how much do the two numbers of the policy change, and what is p of the first move then?"
    )
    yield ""
    yield (
        "Solution. pi is 0.75 and 0.25, so the numbers change by +0.25 and -0.25: "
        "p = exp(0.25) / (exp(0.25) + exp(-0.25)) = 0.622."
    )
