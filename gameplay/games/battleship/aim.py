"""What shots of Battleship are worth where all ships lie open: each that hits is one less to fire later.

Averaged over fleets that fit what is known, this is how often a ship lies on a cell: the player that shoots
where it lies oftenest sinks all ships with half the shots of one who shoots at random.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

SHOWN = 5  # cells whose hit probabilities are shown


class Ships(Protocol):
    """A position of Battleship."""

    turn: int
    fleets: tuple[tuple[int, ...], tuple[int, ...]]  # by player, the cells of each ship as bits

    def placing(self) -> bool: ...

    def moves(self) -> Sequence[int]: ...

    def format(self, move: int) -> str: ...


class Aim:
    """Values the moves of positions whose ships all lie open; while ships are placed all alike."""

    def __init__(self) -> None:
        self.nodes = 0  # positions valued
        self.hits: Counter[str] = Counter()  # in how many of them a shot hit, by cell
        self.last: dict[int, float] = {}

    def values(self, position: Ships, most: int) -> dict[int, float]:
        """What each move brings the mover in ships: all hits of a fleet together as many as it has."""
        self.nodes += 1
        ships = position.fleets[1 - position.turn]
        fleet = 0 if position.placing() else sum(ships)
        hit = len(ships) / max(1, fleet.bit_count())
        self.last = {move: hit if fleet >> move & 1 else 0.0 for move in position.moves()}
        self.hits.update(position.format(cell) for cell, worth in self.last.items() if worth)
        return self.last

    def words(self, move: int) -> str:
        """What a move led to in the position that was last."""
        return "hit" if self.last[move] else "miss"

    def facts(self) -> str:
        """How often a shot at a cell hit, the best cells first."""
        shares = (f"{cell} {100 * count / self.nodes:.0f} %" for cell, count in self.hits.most_common(SHOWN))
        return f"hits: {', '.join(shares)}" if self.hits else ""
