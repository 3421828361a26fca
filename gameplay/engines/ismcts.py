"""Information set Monte Carlo tree search, for games that hide something.

The search, its steps and its source are in `search.infosets`, its tree in `search.arena`. A value is a mean
of payoffs in the game's own `unit`, as of `mcts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gameplay.engines.mcts import bytes_of
from gameplay.errors import Usage, unknown
from gameplay.search.arena import Arena
from gameplay.search.engine import Engine, option
from gameplay.search.infosets import InfosetSearch
from gameplay.search.limit import Limit

ALIASES = ("informationsetmcts",)
OBSERVERS = ("multiple", "single")


@dataclass
class Ismcts(Engine):
    """Information set Monte Carlo tree search: each simulation deals anew what is hidden, in one tree."""

    name = "ismcts"
    players = range(2, 1000)
    chance = hidden = general_sum = True
    endless = samples = simulates = True
    merit = 6

    observers: str = option(
        "multiple",
        "Whose trees there are",
        values={
            "multiple": "a tree for each player, of their infosets (MO-ISMCTS)",
            "single": "one tree of all moves; others choose alike whatever they hold (SO-ISMCTS)",
        },
        source="Cowling, Powley and Whitehouse 2012",
    )
    c: float = option(
        0.7,
        "Exploration constant, for payoffs from 0 to 1: the greater, the more moves that did badly are tried",
        source="Cowling, Powley and Whitehouse 2012",
    )
    memory: str = option("64MB", "Memory for the tree; where it is full, it grows no more")
    seed: int = option(0, "Seed of deals and playouts: the same position and seed give the same search")

    def __post_init__(self) -> None:
        Engine.__post_init__(self)
        if self.observers not in OBSERVERS:
            raise Usage(f"ismcts: {unknown('observers', self.observers, OBSERVERS)}")
        if not 0 <= self.c <= 1000:
            raise Usage(f"ismcts: c is a number from 0 to 1000, not {self.c:g}")
        bytes_of("ismcts", self.memory)

    @classmethod
    def misfit(cls, position: Any) -> str:
        """As of every engine; and it is for games that hide something."""
        if not position.hidden:
            return f"{type(position).__name__} hides nothing: mcts is the same without deals"
        return super().misfit(position)

    def default_limit(self, position: Any, limit: Limit) -> Limit:
        """As of every engine; it has no depth that could be limited."""
        if limit.depth is not None:
            raise Usage("ismcts does not search ply by ply: limit simulations, nodes or time, not depth")
        return Engine.default_limit(self, position, limit)

    def searches(
        self, position: Any, limit: Limit, control: Any, table: Any, trace: Any, knowledge: Sequence[Any]
    ) -> list[Any]:
        """The one search."""
        if trace is not None:
            raise Usage("ismcts cannot be traced: each of its simulations is of another deal")
        arena = Arena(bytes_of("ismcts", self.memory))
        simulations = limit.simulations or 0
        single = self.observers == "single"
        search = InfosetSearch(position, control, arena, simulations, self.c, self.seed, single)
        search.multipv = limit.multipv
        if limit.moves:
            search.only(limit.moves)
        search.most = control.nodes
        return [search]
