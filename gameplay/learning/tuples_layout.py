"""The tables of a run with n-tuples: the cells of the game, the symmetries of its board, the tuples."""

from dataclasses import dataclass

from gameplay.errors import Usage
from gameplay.learning import exploration
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.tables import MOST_ACTIVE, NTuples
from gameplay.ntuples.weights import MOST_WEIGHTS, tables_of, weights_of
from gameplay.plural import plural
from gameplay.registry import Game


@dataclass(frozen=True)
class TuplesLayout:
    """What the weights of tables mean."""

    game: Game
    cells: Cells
    symmetries: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, game: Game, seed: int, count: int, length: int) -> "TuplesLayout":
        """So many tuples of so many cells each; 0: as suits the board.

        Raises Usage for a game or tuples that cannot be learned, ValueError for more tuples than tables have.
        """
        if count > MOST_ACTIVE:
            raise ValueError("settings out of range: tuples")
        cells, varying = exploration.explore(game, seed)
        symmetries = tuple(exploration.symmetries(game, cells, seed))
        tuples = tuple(exploration.choose_tuples(game, cells, varying, seed, count, length))
        layout = cls(game, cells, symmetries, tuples)
        if len(tuples) * len(symmetries) > MOST_ACTIVE or layout.size > MOST_WEIGHTS:
            raise Usage(
                f"too many tuples: {len(tuples)} with {len(symmetries)} images each and "
                f"{layout.size:,} weights; expected at most {MOST_ACTIVE:,} images and "
                f"{MOST_WEIGHTS:,} weights. Try: leave --tuples out"
            )
        return layout

    @property
    def size(self) -> int:
        """Weights of the tables."""
        return weights_of(len(self.cells.letters), self.tuples, self.game.new().chance)

    @property
    def words(self) -> str:
        """As '70 tuples of 8 cells'."""
        return f"{plural(len(self.tuples), 'tuple')} of {plural(len(self.tuples[0]), 'cell')}"

    def tables(self) -> NTuples:
        """Tables of zeros."""
        return tables_of(self.cells, self.symmetries, self.tuples, self.game.new())
