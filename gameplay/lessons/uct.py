"""UCT's bias and slow convergence: P-games, compared with alpha-beta, and the chain of Coquelin and Munos.

P-games (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006, section 4.1): random trees of a
given depth and width. Each move has a random number, from 0 to 127 by MAX and from -127 to 0 by MIN; the sign
of the sum along the path decides the winner. The error is the share of trees in which the chosen move is not
one of the best.

The chain (Coquelin and Munos, "Bandit algorithms for tree search", 2007, section 2.2): at each of D steps the
player may stop, for (D - 1) / D at the first, (D - 2) / D at the next and so on, or go on; going on to the
end gives 1. Every stop seems better than going on, and UCT needs on the order of exp(exp(... exp(1)))
simulations, with D - 1 nested exponentials, to find that the first stop is wrong.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.games.tree import Tree
from gameplay.position import Position
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

MAX_NUMBER = 127  # the largest absolute value of a move's number
CHAINS = range(2, 9)
MAX_LOG2_SIMULATIONS = 14  # base-2 logarithm of the simulations after which a chain is given up
BAR_WIDTH = 30


class PGame(Position):
    """A random tree: `plies` moves of `width` choices each, drawn from `seed`."""

    def __init__(self, seed: int, plies: int, width: int = 2) -> None:
        super().__init__()
        self.seed, self.plies, self.width = seed, plies, width
        self.path: list[int] = []
        self.sums = [0]

    def moves(self) -> list[int]:
        """One move per choice."""
        return list(range(self.width))

    def make(self, move: int) -> None:
        """Go down, and add the move's number."""
        self.path.append(move)
        number = Random(f"{self.seed}/{self.path}").randint(0, MAX_NUMBER)
        self.sums.append(self.sums[-1] + (number if self.turn == 0 else -number))
        self.turn = 1 - self.turn

    def unmake(self) -> None:
        """Go up."""
        self.path.pop()
        self.sums.pop()
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        """The winner by the sign of the sum."""
        if len(self.path) < self.plies:
            return None
        sign = (self.sums[-1] > 0) - (self.sums[-1] < 0)
        return (sign, -sign)

    def key(self) -> Hashable:
        """The path from the root."""
        return (self.seed, tuple(self.path))


@dataclass(frozen=True)
class Curve:
    """The errors of UCT in trees of one depth, and what alpha-beta needs to make none."""

    plies: int
    trees: int
    errors: tuple[tuple[int, float], ...]  # simulations, share of trees with a wrong move
    nodes: float  # mean nodes of alpha-beta


@dataclass(frozen=True)
class Chain:
    """The number of simulations, a power of two, until UCT goes on at the first step; None: never."""

    steps: int
    plain: int | None
    solver: int | None


def curves(trees: int, plies: tuple[int, ...] = (8, 12), powers: int = 12) -> Iterator[Curve]:
    """The errors after 4, 16, ... up to 2^`powers` simulations, for each depth.

    Only trees whose first moves differ in value are counted.
    """
    reference = registry.engine("alphabeta")[0]
    counts = [1 << power for power in range(2, powers + 1, 2)]
    for depth in plies:
        wrong = dict.fromkeys(counts, 0)
        nodes = seed = done = 0
        while done < trees:
            seed += 1
            position = PGame(seed, depth)
            candidates = reference.search(position, Limit(depth=depth, multipv=position.width)).candidates
            right = {each.move for each in candidates if _sign(each.value) == _sign(candidates[0].value)}
            if len(right) == position.width:
                continue
            done += 1
            nodes += reference.search(position, Limit(depth=depth)).nodes
            for count in counts:
                report = _uct(f"solver=off,seed={seed}").search(position, Limit(simulations=count))
                wrong[count] += report.move not in right
        shares = tuple((count, wrong[count] / trees) for count in counts)
        yield Curve(depth, trees, shares, nodes / trees)


def chains() -> Iterator[Chain]:
    """The simulations that UCT needs in chains, alone and with the MCTS solver."""
    for steps in CHAINS:
        position = chain(steps)
        simulations = []
        for spec in ("solver=off", "solver=on"):
            right = None
            for power in range(MAX_LOG2_SIMULATIONS + 1):
                report = _uct(spec).search(position, Limit(simulations=1 << power))
                assert report.move is not None
                if position.format(report.move) != "on":
                    right = None
                elif right is None:
                    right = 1 << power
            simulations.append(right)
        yield Chain(steps, *simulations)


def chain(steps: int) -> Tree:
    """The chain of `steps` steps as a single-player tree."""
    below: Any = [1]
    for step in range(steps, 0, -1):
        below = {"solo": {"stop": [(steps - step) / steps], "on": below}}
    return Tree.of({"players": ["solo"], **below})


def curve_chart(curve: Curve) -> str:
    """The errors as a bar chart."""
    lines = [
        f"P-games of {curve.plies} plies, {curve.trees} trees: wrong moves of UCT by simulations",
        *(f"{count:>8,}  {share:>5.0%}  {'#' * round(BAR_WIDTH * share)}" for count, share in curve.errors),
        f"alpha-beta makes no error and visits {curve.nodes:,.0f} positions on average",
    ]
    return "\n".join(lines)


def chain_table(rows: list[Chain]) -> str:
    """The chains as a table."""
    lines = ["The chain of D steps: simulations until UCT permanently prefers to go on at the first step", ""]
    lines.append(f"{'D':>4}{'solver=off':>16}{'solver=on':>12}")
    for chain in rows:
        lines.append(f"{chain.steps:>4}{_count(chain.plain):>16}{_count(chain.solver):>12}")
    return "\n".join(lines)


def _count(power: int | None) -> str:
    return f"> {1 << MAX_LOG2_SIMULATIONS:,}" if power is None else f"{power:,}"


def _uct(options: str) -> "Engine":
    return registry.engine(f"mcts:c=1.41,{options}")[0]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
