"""Small games with known values, to learn."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from gameplay import CHANCE, Position, undoable
from gameplay.adapter import kernel_of
from gameplay.kernel import Kernel


class FirstWins(Position):
    """One move a turn; after some plies the first player wins."""

    plies = 2

    def __init__(self) -> None:
        super().__init__()
        self.ply = 0

    def moves(self) -> list[int]:
        return [0]

    @undoable
    def make(self, move: int) -> None:
        self.ply += 1
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[float, ...] | None:
        return (1, -1) if self.ply == self.plies else None


class RandomWalk(Position):
    """Chance goes left or right from the middle of five places; the first player wins on the right."""

    chance = True

    def __init__(self) -> None:
        super().__init__()
        self.place = 3
        self.turn = CHANCE

    def moves(self) -> list[int]:
        return [0, 1]

    @undoable
    def make(self, move: int) -> None:
        self.place += 1 if move else -1
        if self.outcome() is not None:
            self.turn = 0

    def outcome(self) -> tuple[float, ...] | None:
        return (1, -1) if self.place == 6 else (-1, 1) if self.place == 0 else None

    def key(self) -> int:
        return self.place


def check_walk(value: Callable[[Kernel], float]) -> None:
    """From place i of 1 to 5 the right end comes first with probability i / 6 (Sutton 1988)."""
    walk = RandomWalk()
    for place in range(1, 6):
        walk.place = place
        right = float(2 * Fraction(place, 6) - 1)
        assert value(kernel_of(walk)) == pytest.approx(right, abs=0.15), place
