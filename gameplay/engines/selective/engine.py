"""The options of selective search, one per technique; `search.py` has the search.

`measurements.toml` has the gain of each in chess. Three techniques of early programs, `plausible`,
`secondary` and `extend`, cost more than they gain and are off. In Othello all together gain 168 [99, 253]
Elo over `iterative` (100 games, 10,000 nodes per move).
"""

from dataclasses import dataclass

from gameplay.engines.iterative import Iterative
from gameplay.engines.selective.search import SelectiveSearch
from gameplay.options import Whole
from gameplay.position import AbstractPosition
from gameplay.search.options import option, order_option
from gameplay.value import MAX_PLY

ALIASES = ("sel",)


@dataclass
class Selective(Iterative):
    """Iterative deepening with quiescence search, and techniques that prune, reduce and extend."""

    name = "selective"
    theorem = ""
    keeps = True
    priority = 20

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Best if the game defines `quiet_margin`, the unit of the pruning margins."""
        return 2 * super().suitability(position) if position.quiet_margin else super().suitability(position)

    order: str = order_option(
        "hint+killer+countermove+history+continuation", after="the last principal variation or the TT"
    )
    mates: bool = option(True, "Mate distance pruning: cut lines that are longer than a win already found")
    threshold: bool = option(
        True, "Reverse futility pruning: cut off if the static evaluation is far above beta"
    )
    null: bool = option(
        True,
        "Null move pruning: cut off if even a pass fails high; verified at high depth, against zugzwang."
        " Only in games that allow a null move",
        source="Beal 1989; Donninger 1993",
    )
    reduce: bool = option(
        True,
        "Late move reductions (LMR): search late quiet moves less deep, and in full if they exceed alpha",
        source="Levy 1989; Heinz; Romstad 2006",
    )
    late: bool = option(
        True, "Late move pruning: near the leaves, skip quiet moves that come late in the order"
    )
    futility: bool = option(
        True,
        "Futility pruning: near the leaves, skip quiet moves that cannot raise the evaluation to alpha",
        source="Heinz 1998",
    )
    exchange: bool = option(
        True,
        "Static exchange evaluation (SEE): try captures that lose material last, and skip them near the"
        " leaves",
    )
    singular: bool = option(
        True,
        "Singular extension: search a move deeper if it is better than all others by a margin",
        source="Anantharaman, Campbell and Hsu 1988",
    )
    extend: bool = option(
        False, "Check extension: search checks and other threats a ply deeper", source="Shannon 1950"
    )
    delta: bool = option(
        True,
        "Delta pruning: in quiescence, skip captures that cannot raise the evaluation to alpha",
        source="Schaeffer 1986",
    )
    checks: bool = option(
        True, "Try checks, or other threats, at the first ply of quiescence", source="Beal and Smith 1990"
    )
    plausible: int = option(
        0,
        "Forward pruning by a plausible move generator: moves to search in each position (0: all)",
        kind=Whole(0, 999),
    )
    secondary: int = option(
        0,
        "Secondary search: verify the principal variation by this many plies at its end (0: off)",
        kind=Whole(0, MAX_PLY - 1),
        source="Greenblatt 1967",
    )

    search_class = SelectiveSearch

    def search_options(self) -> dict[str, "Selective"]:
        """The search reads the options of this engine."""
        return {"options": self}
