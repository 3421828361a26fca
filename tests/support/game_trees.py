"""Random game trees that tests of traces search."""

from random import Random
from typing import Any

from gameplay import Position, undoable


class TwoMoves(Position):
    """Two moves at each node, 0 and 1; `path` holds the moves made."""

    def __init__(self) -> None:
        super().__init__()
        self.path = ""

    def moves(self) -> list[int]:
        return [0, 1]

    @undoable
    def make(self, move: int) -> None:
        self.path += str(move)
        self.turn = 1 - self.turn


def random_tree(rng: Random, depth: int) -> Any:
    """A tree as nested lists, its leaves whole numbers; branches may end early."""
    if depth == 0 or rng.random() < 0.1:
        return rng.randint(-9, 9)
    return [random_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]


def uniform_tree(rng: Random, width: int, depth: int) -> Any:
    return rng.randint(-99, 99) if depth == 0 else [uniform_tree(rng, width, depth - 1) for _ in range(width)]


def game_of(tree: Any, side: str = "max") -> Any:
    """Nested lists as the data of `games.tree`."""
    if not isinstance(tree, list):
        return tree
    other = "min" if side == "max" else "max"
    return {side: {f"m{number}": game_of(child, other) for number, child in enumerate(tree)}}
