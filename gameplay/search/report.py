"""What a search says, while it thinks and when it is done."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Report:
    """The state of a search. Values are from the mover's view, on the scale of `value`.

    Rates are 0 where nothing was counted. `final` marks the last report, the one `search` returns.
    """

    move: int | None = None  # the best move so far
    value: int = 0
    depth: int = 0  # plies of the last search that was finished
    seldepth: int = 0  # the deepest ply seen, quiescence included
    nodes: int = 0  # positions visited, the root and the leaves among them
    seconds: float = 0.0
    pv: tuple[int, ...] = ()  # the line both sides are expected to play, `move` first
    exact: bool = False  # the search saw every line to its end: `value` is the game's own
    probes: int = 0  # looks into the table
    hits: int = 0  # looks that found the position
    fill: float = 0.0  # share of the table in use, 0 to 1
    cutoffs: int = 0  # nodes where a move was good enough to stop
    first_cutoffs: int = 0  # ... and it was the first move tried
    branching: float = 0.0  # effective branching factor: nodes ** (1 / depth)
    stopped: str = ""  # why it ended: depth, nodes, time, proven, only move, interrupted; book, tables
    engine: str = ""
    final: bool = False

    @property
    def known(self) -> bool:
        """True if a book or endgame tables named the move, or the moves that were searched."""
        return self.stopped in ("book", "tables")

    @property
    def nps(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_share(self) -> float:
        """Share of the cutoffs made by the first move tried, 0 to 1: how good the move ordering is."""
        return self.first_cutoffs / self.cutoffs if self.cutoffs else 0.0

    @property
    def hit_share(self) -> float:
        """Share of the looks into the table that found the position, 0 to 1."""
        return self.hits / self.probes if self.probes else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"nps": round(self.nps)}
