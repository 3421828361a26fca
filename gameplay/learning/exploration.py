"""The cells of a game, their contents, symmetries and tuples, found by random games."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.ntuples.cells import BOARD, KEY, MAX_LETTERS, NATIVE, Cells, Image, contents_of
from gameplay.ntuples.reader import MAX_CELLS
from gameplay.ntuples.tables import MAX_ACTIVE, NTuples
from gameplay.ntuples.weights import MAX_WEIGHTS, tables_of, weights_of
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition

if TYPE_CHECKING:
    from gameplay.registry import Game

GAMES = 40  # random games that sample the contents of cells
PLIES = 400  # of a random game at most
SYMMETRY_GAMES = 12  # random games that test a symmetry
TABLE = 1 << 16  # weights of a tuple of default length at most
MAX_TABLE = 1 << 18  # ... of a requested length, or of all cells
TUPLES = 70  # by default; fewer on small boards


def random_game(game: "Game", rng: random.Random) -> Iterator[AbstractPosition]:
    """The positions of a random game, from the start to the last before its end."""
    position = game.new()
    for _ in range(PLIES):
        if position.outcome() is not None:
            return
        yield position
        moves = list(position.moves())
        if position.turn == CHANCE:
            position.make(rng.choices(moves, list(position.chances()))[0])
        else:
            position.make(rng.choice(moves))


def explore(game: "Game", seed: int) -> tuple[Cells, list[int]]:
    """Return the reader of a game's cells, and the cells whose contents vary in random games.

    Raises Usage for a game with no cells.
    """
    rng = random.Random(f"cells {seed}")
    first = game.new()
    if isinstance(first, Kernel) and first.cell_letters:
        cells = Cells(NATIVE, tuple(first.cell_letters), *first.cell_shape)
    else:
        cells = _discover_cells(game, random.Random(f"letters {seed}"))
    if cells.count > MAX_CELLS:
        raise Usage(f"learn reads at most {MAX_CELLS} cells; {game.name} has {cells.count}")
    seen: list[set[int]] = [set() for _ in range(cells.count)]
    for _ in range(GAMES):
        for position in random_game(game, rng):
            for place, code in enumerate(cells.of(position)):
                seen[place].add(code)
    varying = [place for place, codes in enumerate(seen) if len(codes) > 1]
    if not varying:
        raise Usage(f"learn needs a game whose positions differ; those of {game.name} look the same")
    return cells, varying


def _discover_cells(game: "Game", rng: random.Random) -> Cells:
    """The cells of a game that does not declare their contents, sampled in random games."""
    board = game.new().board()
    source = KEY if board is None or not any(board.cells) else BOARD
    letters: set[str] = set()
    shapes: set[tuple[int, int]] = set()
    for _ in range(GAMES):
        for position in random_game(game, rng):
            contents = contents_of(position, source)
            shapes.add((len(contents), len(contents[0]) if contents else 0))
            letters.update(content for row in contents for content in row)
    if len(shapes) != 1:
        raise Usage(
            f"learn needs the same cells in every position; {game.name} has no board(), and keys of several "
            "lengths. Try: define board()"
        )
    if len(letters) > MAX_LETTERS:
        raise Usage(
            f"learn reads at most {MAX_LETTERS} different contents of cells; {game.name} has {len(letters)}"
        )
    return Cells(source, tuple(sorted(letters)), *shapes.pop())


def symmetries(game: "Game", cells: Cells, seed: int) -> list[str]:
    """The names of the symmetries that the game appears to have, the identity first.

    A symmetry is accepted if random games can be played move by move under it: each move has a counterpart
    that leads to the image of the next position, with the same turn and outcome. This is a test, not a proof.
    """
    if cells.source == KEY:
        return ["identity"]
    return [
        name
        for name, image in cells.images()
        if name == "identity"
        or all(_fits(game, cells, image, random.Random(f"{name} {seed} {n}")) for n in range(SYMMETRY_GAMES))
    ]


def _fits(game: "Game", cells: Cells, image: Image, rng: random.Random) -> bool:
    """True if a random game can also be played under a symmetry."""
    position, other = game.new(), game.new()

    def is_image(codes: bytes) -> bool:
        return bytes([codes[place] for place in image]) == cells.of(other)

    if not is_image(cells.of(position)):
        return False
    for _ in range(PLIES):
        if position.outcome() is not None:
            return True
        if position.turn == CHANCE:
            chances = list(position.chances())
            number = rng.choices(range(len(chances)), chances)[0]
            moves = list(position.moves()), list(other.moves())
            if moves[0] != moves[1]:
                return False
            position.make(moves[0][number])
            other.make(moves[1][number])
            if not is_image(cells.of(position)):
                return False
            continue
        position.make(rng.choice(list(position.moves())))
        codes, turn, outcome = cells.of(position), position.turn, position.outcome()
        for move in list(other.moves()):
            other.make(move)
            if other.turn == turn and other.outcome() == outcome and is_image(codes):
                break
            other.unmake()
        else:
            return False
    return True


def choose_tuples(
    game: "Game", cells: Cells, varying: Sequence[int], seed: int, count: int = 0, length: int = 0
) -> list[tuple[int, ...]]:
    """Random tuples of adjacent cells (Lucas 2008).

    `count` and `length` 0: by the size of the board; one tuple of all cells if its table is small. Raises
    Usage if a table would be too large.
    """
    codes = len(cells.letters)
    if not count and not length and codes ** len(varying) <= MAX_TABLE:
        return [tuple(varying)]
    longest = 1
    while longest < len(varying) and codes ** (longest + 1) <= TABLE:
        longest += 1
    length = length or longest
    if length > len(varying) or codes**length > MAX_TABLE:
        raise Usage(
            f"a tuple of {length} cells is too long: {game.name} has {len(varying)} cells with {codes} "
            f"contents, and a table at most {MAX_TABLE:,} weights. Try: leave --tuples out"
        )
    rng = random.Random(f"tuples {seed}")
    return [_grow_tuple(cells, varying, length, rng) for _ in range(count or min(TUPLES, 2 * len(varying)))]


def _grow_tuple(cells: Cells, varying: Sequence[int], length: int, rng: random.Random) -> tuple[int, ...]:
    """A random cell, extended by random neighbours of its cells."""
    chosen = [rng.choice(varying)]
    while len(chosen) < length:
        near = [
            place
            for place in varying
            if place not in chosen and any(_adjacent(cells, place, other) for other in chosen)
        ]
        chosen.append(rng.choice(near or [place for place in varying if place not in chosen]))
    return tuple(chosen)


def _adjacent(cells: Cells, place: int, other: int) -> bool:
    if cells.source == KEY:
        return True
    (y, x), (v, u) = divmod(place, cells.columns), divmod(other, cells.columns)
    return max(abs(y - v), abs(x - u)) == 1


@dataclass(frozen=True)
class TuplesLayout:
    """The cells, symmetries and tuples that the weights of tables belong to."""

    game: "Game"
    cells: Cells
    symmetries: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, game: "Game", seed: int, count: int, length: int) -> "TuplesLayout":
        """A layout with `count` tuples of `length` cells; 0: by the size of the board.

        Raises Usage for a game or tuples that cannot be learned, ValueError for more tuples than tables have.
        """
        if count > MAX_ACTIVE:
            raise ValueError("settings out of range: tuples")
        cells, varying = explore(game, seed)
        images = tuple(symmetries(game, cells, seed))
        tuples = tuple(choose_tuples(game, cells, varying, seed, count, length))
        layout = cls(game, cells, images, tuples)
        if len(tuples) * len(images) > MAX_ACTIVE or layout.size > MAX_WEIGHTS:
            raise Usage(
                f"too many tuples: {len(tuples)} with {len(images)} images each and "
                f"{layout.size:,} weights; expected at most {MAX_ACTIVE:,} images and "
                f"{MAX_WEIGHTS:,} weights. Try: leave --tuples out"
            )
        return layout

    @property
    def size(self) -> int:
        """The number of weights."""
        return weights_of(len(self.cells.letters), self.tuples, self.game.new().chance)

    @property
    def description(self) -> str:
        """A description, as '70 tuples of 8 cells'."""
        return f"{plural(len(self.tuples), 'tuple')} of {plural(len(self.tuples[0]), 'cell')}"

    def tables(self) -> NTuples:
        """Tables of zeros."""
        return tables_of(self.cells, self.symmetries, self.tuples, self.game.new())
