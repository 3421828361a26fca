"""Small random trees, one class per kind of payoff, to compare an engine's values with minimax.

A tree has at most four plies, with two or three moves per node and some early ends; `seed` selects it. Each
class is a game by its file's path, `payoff_trees.py:Points:seed=3`, so that a guest can load it.
"""

from random import Random
from typing import Any

from gameplay.position import CHANCE, Position

HEIGHT = 4


class PayoffTree(Position):
    """A random tree."""

    payoffs: tuple[float, ...] = ()  # of the first player at a leaf
    again = 0.0  # probability that the same player moves again

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        rng = Random(f"{type(self).__name__}/{seed}")
        self.root = self.random_node(rng, 0, 0)
        self.line: list[int] = []

    def random_node(self, rng: Random, turn: int, ply: int) -> Any:
        """A node: a tuple of payoffs, or (turn, nodes)."""
        if ply == HEIGHT or (ply > 1 and rng.random() < 0.35):
            return self.leaf(rng)
        other = turn if rng.random() < self.again else (turn + 1) % self.players
        return turn, [self.random_node(rng, other, ply + 1) for _ in range(rng.choice((2, 2, 3)))]

    def leaf(self, rng: Random) -> tuple[float, ...]:
        """The payoffs of a leaf."""
        payoff = rng.choice(self.payoffs)
        return (payoff, -payoff)

    @property
    def node(self) -> Any:
        """The current node."""
        node = self.root
        for move in self.line:
            node = node[1][move]
        return node

    def moves(self) -> list[int]:
        """The numbers of the branches."""
        return list(range(len(self.node[1])))

    def outcome(self) -> tuple[float, ...] | None:
        """The payoffs of a leaf."""
        node = self.node
        return None if isinstance(node[1], list) else node

    def make(self, move: int) -> None:
        """Descend into a branch."""
        self.line.append(move)
        node = self.node
        self.turn = node[0] if isinstance(node[1], list) else (self._mover() + 1) % self.players

    def unmake(self) -> None:
        """Go back."""
        self.line.pop()
        self.turn = self.node[0]

    def key(self) -> tuple[int, ...]:
        """The moves to this node."""
        return tuple(self.line)

    def __str__(self) -> str:
        """The subtree as (turn, nodes) and payoffs."""
        return f"{self.node}"

    def _mover(self) -> int:
        node = self.root
        for move in self.line[:-1]:
            node = node[1][move]
        return max(0, int(node[0]))


class WinLoss(PayoffTree):
    """Win, draw or loss; the size of a payoff is irrelevant."""

    payoffs = (-3, -1, -1, 0, 0, 1, 1, 2)


class Points(PayoffTree):
    """Scored in points."""

    scored = True
    payoffs = tuple(range(-9, 10))


class ScaledPoints(PayoffTree):
    """Half points, ten units per point."""

    scored, unit = True, 10
    payoffs = tuple(number / 2 for number in range(-9, 10))


class MovesAgain(PayoffTree):
    """A player may move twice in a row."""

    again = 0.4
    payoffs = (-1, 0, 1)


class Dice(PayoffTree):
    """A chance node before each decision; scored in points."""

    chance = scored = True
    payoffs = tuple(range(-9, 10))

    def random_node(self, rng: Random, turn: int, ply: int) -> Any:
        """As the base class, with chance nodes in between."""
        if ply % 2 and ply < HEIGHT - 1:
            return CHANCE, [super(Dice, self).random_node(rng, turn, ply + 1) for _ in range(2)]
        return super().random_node(rng, turn, ply)


class GeneralSum(PayoffTree):
    """General-sum payoffs for two players, each player's payoffs distinct."""

    scored, zero_sum = True, False

    def leaf(self, rng: Random) -> tuple[float, ...]:
        """The payoffs of a leaf."""
        return tuple(float(rng.randrange(1_000)) for _ in range(self.players))
