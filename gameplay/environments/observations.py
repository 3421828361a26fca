"""Observations: a player's view of a position, as an array of fixed shape.

    planes      a board: an array of rows by columns by planes, of small ints. Plane 0 is the number of the
                player to move on every cell; in each other a 1 is on the cells with one content
    features    a vector of numbers from 0 to 1: named parts, concatenated
    numbers     the `infoset` of a user-defined game, flattened to whole numbers

Observations are computed from the player's `infoset` and `board`, so positions that the player cannot
distinguish have equal observations.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gameplay.capabilities import HasMarks
from gameplay.environments import features
from gameplay.environments.features import Parts
from gameplay.environments.stepping import write_planes
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.learning.exploration import explore, random_game
from gameplay.ntuples.cells import NATIVE, Cells
from gameplay.ntuples.reader import MAX_CELLS
from gameplay.position import AbstractPosition

if TYPE_CHECKING:
    from gameplay.registry import Game

Array = npt.NDArray[Any]
SAMPLE_GAMES = 40  # random games that determine the length of flattened infosets
MAX_NODES = 4096  # of a tree whose information sets are numbered
LANDING_CELL = "empty, where a move leads"  # cells of Connect Four on which a disc can land
PADDING = -1  # after a flattened infoset; also stands for None


class Observer:
    """Observations are arrays of `shape` and `dtype` with numbers from `low` to `high`."""

    low: float = 0
    high: float = 1
    dtype: Any = np.float32
    native = False  # True: planes of a compiled game, written without Python

    def __init__(self, shape: tuple[int, ...], parts: Sequence[tuple[str, int]]) -> None:
        self.shape = shape
        self.parts = parts  # name and size of each part or plane

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """A new array with the observation of `player`."""
        raise NotImplementedError


class PlanesObserver(Observer):
    """The cells of a board, then its marks (`HasMarks`), one plane each."""

    dtype = np.int8

    def __init__(self, cells: Cells, players: int, marks: Sequence[str] = ()) -> None:
        self.cells, self.marks = cells, len(marks)
        self.native = cells.source == NATIVE and cells.count <= MAX_CELLS
        names = ["player to move", *(letter or LANDING_CELL for letter in cells.letters[1:]), *marks]
        self.high = max(1, players - 1)
        super().__init__((cells.rows, cells.columns, len(names)), [(name, 1) for name in names])

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """See `Observer.observe`."""
        planes_array = np.zeros(self.shape, np.int8)
        planes = self.shape[-1]
        if self.native:
            write_planes(position, planes_array.reshape(-1), self.cells.count, planes, self.marks)
            return planes_array
        flat = planes_array.reshape(self.cells.count, planes)
        codes = np.frombuffer(self.cells.of(position), np.uint8)
        flat[np.arange(len(codes)), codes] = 1
        flat[:, 0] = max(0, position.turn)
        return planes_array


class BoardObserver(Observer):
    """The letters of `board(player)`, a plane each: plane 0 is the player to move, see `features.Letters`."""

    dtype = np.int8

    def __init__(self, position: AbstractPosition, letters: Sequence[str]) -> None:
        board = position.board(0 if position.hidden else None)
        assert board is not None
        self.rows, self.columns = len(board.cells), max(map(len, board.cells))
        self.planes = {letter: number for number, letter in enumerate(letters, 1)}
        self.high = max(1, position.players - 1)
        names = ["player to move", *letters]
        super().__init__((self.rows, self.columns, len(names)), [(name, 1) for name in names])

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """See `Observer.observe`."""
        planes_array = np.zeros(self.shape, np.int8)
        board = position.board(player if position.hidden else None)
        assert board is not None
        for y, row in enumerate(board.cells):
            for x, letter in enumerate(row):
                if letter:
                    planes_array[y, x, self.planes[letter]] = 1
        planes_array[:, :, 0] = max(0, position.turn)
        return planes_array


class FeatureObserver(Observer):
    """The concatenated parts that a function of `features` yields."""

    def __init__(self, position: AbstractPosition, parts: Callable[[Any, int], Parts]) -> None:
        self.feature_parts = parts
        sizes = [(name, len(numbers)) for name, numbers in parts(position, 0)]
        super().__init__((sum(size for _, size in sizes),), sizes)

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """See `Observer.observe`."""
        return np.array(
            [number for _, part in self.feature_parts(position, player) for number in part], np.float32
        )


class TreeObserver(Observer):
    """The player's information set, one-hot among all of the tree."""

    dtype = np.int8

    def __init__(self, tree: Any) -> None:
        self.numbers: dict[Any, int] = {}
        for node in _nodes(tree):
            for player in range(tree.players):
                self.numbers.setdefault(node.infoset(player), len(self.numbers))
        super().__init__((len(self.numbers),), [("information set", len(self.numbers))])

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """See `Observer.observe`."""
        one_hot = np.zeros(self.shape, np.int8)
        one_hot[self.numbers[position.infoset(player)]] = 1
        return one_hot


class NumbersObserver(Observer):
    """An infoset flattened to whole numbers, padded with -1.

    Tuples and strings are preceded by their length; a letter is its code point, None is -1.
    """

    dtype = np.float64
    low, high = -(2.0**63), 2.0**64

    def __init__(self, length: int) -> None:
        super().__init__((length,), [("the player, then infoset(player) in whole numbers", length)])

    def observe(self, position: AbstractPosition, player: int) -> Array:
        """See `Observer.observe`. Raises Usage if the numbers exceed the shape."""
        numbers = [player, *_flatten(position.infoset(player))]
        if len(numbers) > self.shape[0]:
            raise Usage(
                f"{len(numbers)} numbers describe what player {player} knows, beyond the {self.shape[0]} of "
                f"the observation. Try: length={2 * len(numbers)}"
            )
        padded = np.full(self.shape, PADDING, np.float64)
        padded[: len(numbers)] = numbers
        return padded


def _flatten(value: object) -> Iterator[float]:
    if value is None:
        yield PADDING
    elif isinstance(value, (int, float)):
        yield value
    elif isinstance(value, str):
        yield len(value)
        yield from map(ord, value)
    elif isinstance(value, (bytes, tuple, list)):
        yield len(value)
        for part in value:
            yield from _flatten(part)
    else:
        raise Usage(f"infoset holds {value!r}; expected numbers, texts, bytes, None and tuples of them")


def _nodes(position: AbstractPosition) -> Iterator[AbstractPosition]:
    """Yield the position at every node of its tree: always the same object."""
    yield position
    if position.outcome() is None:
        for move in position.moves():
            position.make(move)
            yield from _nodes(position)
            position.unmake()


def observer_of(game: "Game", name: str, length: int | None) -> Observer:
    """The observer of a game; `name`: the name of a built-in game, "" for a user-defined one.

    `length`: of a flattened infoset; None: twice what random games need. Raises Usage for a length if the
    game is observed otherwise.
    """
    observer = _built_in_observer(game, name)
    if observer is not None and length is not None:
        raise Usage(f"length={length}: observations of {game.name} have the shape {observer.shape}")
    return observer or _generic_observer(game, length)


def _built_in_observer(game: "Game", name: str) -> Observer | None:
    position = game.new()
    if name == "tree":
        is_small = len(list(islice(_nodes(game.new()), MAX_NODES + 1))) <= MAX_NODES
        return TreeObserver(position) if is_small else None
    if name in features.LETTERS:
        return BoardObserver(position, features.LETTERS[name](position))
    if name in features.PARTS:
        return FeatureObserver(position, features.PARTS[name])
    if isinstance(position, Kernel) and position.cell_letters:
        cells = Cells(NATIVE, tuple(position.cell_letters), *position.cell_shape)
        return PlanesObserver(
            cells, position.players, position.mark_names if isinstance(position, HasMarks) else ()
        )
    board = position.board() if name in features.SIDES_AS_LETTERS else None
    return None if board is None else BoardObserver(position, sorted(board.owners))


def _generic_observer(game: "Game", length: int | None) -> Observer:
    position = game.new()
    board = None if position.hidden else position.board()
    if board is not None and any(board.cells) and length is None:
        with suppress(Usage):  # too many cells, or not the same in all positions
            return PlanesObserver(explore(game, 0)[0], position.players)
    return NumbersObserver(length or 2 * _max_length(game))


def _max_length(game: "Game") -> int:
    """The maximum length of a flattened infoset in random games, including the player."""
    from random import Random

    rng, max_length = Random("length"), 1
    for _ in range(SAMPLE_GAMES):
        for position in random_game(game, rng):
            for player in range(position.players):
                max_length = max(max_length, 1 + sum(1 for _ in _flatten(position.infoset(player))))
    return max_length
