"""Values of Battleship shots with all ships known: hit or miss.

Averaged over sampled fleets, this is the probability of a ship on a cell. Shooting at the most probable cell
sinks all ships with half the shots of random shooting.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

MAX_SHOWN = 5  # cells whose hit probabilities are shown


class Ships(Protocol):
    """A position of Battleship."""

    turn: int
    fleets: tuple[tuple[int, ...], tuple[int, ...]]  # by player, the cells of each ship as bits

    def placing(self) -> bool: ...

    def moves(self) -> Sequence[int]: ...

    def format(self, move: int) -> str: ...


class Aim:
    """Values moves with all ships known; placements are all equal."""

    def __init__(self) -> None:
        self.nodes = 0  # positions valued
        self.hits: Counter[str] = Counter()  # positions in which a shot hit, by cell
        self.last: dict[int, float] = {}

    def values(self, position: Ships, node_limit: int) -> dict[int, float]:
        """The value of each move in ships: all hits of a fleet together count as its number of ships."""
        self.nodes += 1
        ships = position.fleets[1 - position.turn]
        fleet = 0 if position.placing() else sum(ships)
        hit = len(ships) / max(1, fleet.bit_count())
        self.last = {move: hit if fleet >> move & 1 else 0.0 for move in position.moves()}
        self.hits.update(position.format(cell) for cell, gain in self.last.items() if gain)
        return self.last

    def words(self, move: int) -> str:
        """The result of a move in the last position."""
        return "hit" if self.last[move] else "miss"

    def facts(self) -> str:
        """The hit rates of cells, the best first."""
        shares = (
            f"{cell} {100 * count / self.nodes:.0f} %" for cell, count in self.hits.most_common(MAX_SHOWN)
        )
        return f"hits: {', '.join(shares)}" if self.hits else ""
