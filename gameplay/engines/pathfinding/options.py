"""What engines for puzzles share: the games they support, and the heuristic."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.catalogue import name_of
from gameplay.search.engine import Engine
from gameplay.search.limit import Limit
from gameplay.search.options import heuristic_option

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


class Pathfinder(Engine):
    """Finds a cheapest way to the goal of a puzzle, a game for one without chance."""

    players = range(1, 2)
    general_sum = True
    theorem = "a cheapest way"

    @classmethod
    def misfit(cls, position: "AbstractPosition") -> str:
        """Why it cannot: a game whose points are to be as many as possible is no puzzle either."""
        why = super().misfit(position)
        if not why and position.scored:
            why = f"in {name_of(position)} points count, and not the way to a goal"
        return why

    def default_limit(self, position: "AbstractPosition", limit: Limit) -> Limit:
        """`limit`, and none of its own: it ends with a solution."""
        return super().default_limit(position, limit) if limit else limit


@dataclass
class InformedPathfinder(Pathfinder):
    """A pathfinder that estimates the cost to the goal, from below."""

    heuristic: str = heuristic_option()
