"""Shared by the engines for puzzles: supported games and the heuristic."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.catalogue import name_of
from gameplay.search.engine import Engine
from gameplay.search.limit import Limit
from gameplay.search.options import heuristic_option

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


class Pathfinder(Engine):
    """Finds a cheapest path to the goal of a puzzle: a single-player game without chance."""

    players = range(1, 2)
    general_sum = True
    theorem = "a cheapest path"

    @classmethod
    def incompatibility(cls, position: "AbstractPosition") -> str:
        """As in `Engine`; a game in which points are maximized is not a puzzle."""
        why = super().incompatibility(position)
        if not why and position.scored:
            why = f"{name_of(position)} is scored in points and has no goal"
        return why

    def default_limit(self, position: "AbstractPosition", limit: Limit) -> Limit:
        """`limit`, without a default: the search ends with a solution."""
        return super().default_limit(position, limit) if limit else limit


@dataclass
class InformedPathfinder(Pathfinder):
    """A pathfinder with a heuristic: an estimate of the cost to the goal that is never too high."""

    heuristic: str = heuristic_option()
