"""AlphaZero with tables: one update in numbers, and learning curves on solved boards.

David Silver and others, "Mastering the game of Go without human knowledge", Nature 550, 2017, and "A general
reinforcement learning algorithm that masters chess, shogi, and Go through self-play", Science 362, 2018. The
update is computed in the run. The training games for the curves take minutes, so their results are stored in
alphazero.toml with the commands that reproduce them.
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
from gameplay.learning.batches import self_play_seed
from gameplay.lessons.sections import number_sections

FILE = Path(__file__).with_name("alphazero.toml")
SETTINGS = AlphaZeroSettings("nim:heaps=1+3", 100, simulations=50, opening=0)
GAMES = (0, 1, 10, 100)  # training games after which the policy is shown
BAR_WIDTH = 24  # columns of the bar for an error of 1
CLASS_GAMES = 2000  # training games suggested for class


@dataclass(frozen=True)
class Update:
    """The update at the first position of the first game: visits and policy by move, before and after."""

    moves: list[str]
    before: list[float]
    visits: list[int]
    after: list[float]
    result: float  # of the game, for the first player
    value: tuple[float, float]  # before and after

    @property
    def shares(self) -> list[float]:
        """The policy's training target: the share of visits of each move."""
        return [visits / sum(self.visits) for visits in self.visits]


@dataclass(frozen=True)
class SolvedPoint:
    """A point of a learning curve: the number of positions with a wrong move, and the mean value error."""

    games: int
    policy: int
    value: int
    search: int
    error: float


@dataclass(frozen=True)
class SolvedBoard:
    """A training run on a solved board."""

    name: str
    game: str  # spec
    games: int
    result: str  # with perfect play
    exact: int  # that result as the first player's payoff: 1, 0 or -1
    source: str
    positions: int  # test positions with exact values
    whole: bool  # the test positions are all positions in which a move can be wrong
    value: float  # of the first position, by the trained tables
    move: str  # the first move chosen by a search with the trained tables
    right: bool  # that move preserves the exact value
    curve: list[SolvedPoint]

    @property
    def command(self) -> str:
        """The command that reproduces the run."""
        return f"gameplay learn {self.game} --method alphazero --games {self.games}"


def learner() -> AlphaZero:
    """The learner of `gameplay learn`, before its first game."""
    return AlphaZeroRun(Path(), SETTINGS).fresh_learner(SETTINGS.seed)


def update() -> Update:
    """The update that the first game makes at its first position."""
    teacher, position = learner(), registry.game(SETTINGS.game).new()
    value, policy = teacher.guide.of(teacher.kernel)
    result, packed = teacher.record(self_play_seed(SETTINGS.seed, 0))
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


def policies_by_games() -> list[tuple[int, dict[str, float], float]]:
    """For each number of GAMES: the policy and the value of the first position."""
    teacher, position = learner(), registry.game(SETTINGS.game).new()
    points, done = [], 0
    for games in GAMES:
        for number in range(done, games):
            teacher.learn(teacher.record(self_play_seed(SETTINGS.seed, number)))
        done = games
        value, policy = teacher.guide.of(teacher.kernel)
        points.append((games, {position.format(move): share for move, share in policy.items()}, value))
    return points


@cache
def boards() -> list[SolvedBoard]:
    """The stored runs."""
    rows = tomllib.loads(FILE.read_text())["board"]
    return [SolvedBoard(**row | {"curve": [SolvedPoint(**point) for point in row["curve"]]}) for row in rows]


def lines() -> Iterator[str]:
    """The text of the lecture, section by section."""
    yield from number_sections(
        (
            ("The policy learns from the search, the value from the result", _idea),
            ("One update", _update),
            ("Curves on solved boards", _curves),
            ("In class", _class),
        )
    )


def _idea() -> Iterator[str]:
    yield (
        "A policy p gives each move a probability, a value v each position an expected result from -1 to 1. "
        "In self-play, each move is chosen by a search of N simulations that selects children by PUCT:"
    )
    yield ""
    yield "  select    the move m with the largest Q(m) + 1.25 p(m) sqrt(N) / (1 + n(m))"
    yield "  play      a move with probability pi(m) = n(m) / N; late in the game the most visited move"
    yield "  learn     p from pi, and v from the result z of the game, by gradient descent on"
    yield "            (z - v)^2 / 2 - sum over m of pi(m) log p(m)"
    yield ""
    yield (
        "Q(m) is the mean value of the simulations through m, n(m) their number. The search is stronger than "
        "the policy that guides it, so pi is a better policy than p: learning pi improves the next search. "
        "Only the rules are given. Here p and v are tables over cell contents instead of a network."
    )


def _update() -> Iterator[str]:
    change = update()
    best = max(range(len(change.moves)), key=lambda i: change.visits[i])
    yield (
        "Nim with heaps of 1 and 3; the player who takes the last stone wins. b2 takes two stones from the "
        "second heap, leaves 1 and 1, and wins; all other moves lose. All tables start at 0, so all moves "
        f"are equally likely. The search has {SETTINGS.simulations} simulations; a quarter of its prior is "
        "noise."
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
        "p is the softmax of one logit per move, all initially 0. Each logit changes by pi - p, the negative "
        "gradient (the first step of a table has learning rate 1): "
        f"p({change.moves[best]}) = exp({change.shares[best] - change.before[best]:.3f}) / {total:.3f} = "
        f"{change.after[best]:.3f}. The first player won: the input of the value's tanh grows by z - v = "
        f"{change.result - change.value[0]:g}, and v from {change.value[0]:g} to tanh({change.result:g}) = "
        f"{change.value[1]:.3f}."
    )
    yield ""
    yield f"{'games':>7}{f'p({change.moves[best]})':>9}{'v':>8}"
    for games, policy, value in policies_by_games():
        yield f"{games:>7}{policy[change.moves[best]]:>9.3f}{value:>8.3f}"


def _curves() -> Iterator[str]:
    yield (
        "Share of positions in which the chosen move loses value, for three players: the policy alone, a "
        "one-ply search by value, and a search of 50 simulations. The last columns show the mean absolute "
        "error of the value, 0 to 2. Exact values come from solvers."
    )
    for board in boards():
        yield ""
        yield f"{board.name}: {board.result} ({board.source})."
        yield f"  {board.command}"
        kind = "all those in" if board.whole else "from random games and valued by a solver, those in"
        yield f"  {board.positions:,} positions: {kind} which a move can be wrong"
        yield ""
        yield f"{'games':>9}{'policy':>10}{'value':>10}{'search':>10}{'error':>8}"
        for point in board.curve:
            wrong = (
                f"{100 * count / board.positions:.1f} %"
                for count in (point.policy, point.value, point.search)
            )
            cells = "".join(f"{share:>10}" for share in wrong)
            bar = "#" * round(BAR_WIDTH * point.error)
            yield f"{point.games:>9,}{cells}{point.error:>8.3f}  {bar}".rstrip()
        yield (
            f"  first position: exact value {board.exact}, learned {board.value:+.3f}; "
            f"the search plays {board.move}, {'right' if board.right else 'wrong'}"
        )


def _class() -> Iterator[str]:
    board = boards()[0].game
    yield f"Training on {CLASS_GAMES:,} games of tic-tac-toe takes a second. Then play against the result:"
    yield ""
    yield f"  gameplay learn {board} --method alphazero --games {CLASS_GAMES} --out class"
    yield f"  gameplay play {board} --engine mcts:eval=class/weights.toml"
    yield ""
    yield (
        "Exercise. A position has two moves with p = 0.5 each. A search of 40 simulations visits the first "
        "30 times. By how much do the two logits change, and what is the new p of the first move?"
    )
    yield ""
    yield (
        "Solution. pi is 0.75 and 0.25, so the logits change by +0.25 and -0.25: "
        "p = exp(0.25) / (exp(0.25) + exp(-0.25)) = 0.622."
    )
