"""Plays from a file: the strategy that `gameplay exploit --write` found, or one written by hand.

The file format is described in `search.strategy`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gameplay.engines.cfr.strategy_file import Strategy, drawn
from gameplay.errors import Usage
from gameplay.search.engine import Engine, GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.options import option, seed_option
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

ALIASES = ()


@dataclass
class StrategyPlayer(GeneralEngine):
    """Plays a strategy from a file: samples each move with its probability in the file."""

    name = "strategy"
    thinks = False
    samples = True
    priority = 0

    file: str = option("", "File that holds the strategy; strategy:FILE is short for strategy:file=FILE")
    seed: int = seed_option("the move", "move")

    @cached_property
    def read(self) -> Strategy:
        """The strategy in the file. Raises Usage if none is named."""
        if not self.file:
            raise Usage("strategy plays from a file: strategy:FILE; gameplay exploit --write makes one")
        return Strategy(self.file)

    def check(self, position: "AbstractPosition") -> None:
        """Raise Usage for a game that it cannot play, BadInput for an unreadable file."""
        Engine.check(self, position)
        self.read.check(position)

    def odds(self, position: "AbstractPosition") -> list[float]:
        """The probability of each of `position.moves()`."""
        return self.read.shares(position)

    def at_once(self, position: "AbstractPosition", limit: Limit) -> Report:
        """A move drawn by its share."""
        shares = dict(zip(position.moves(), self.read.shares(position, playing=True), strict=True))
        moves = [move for move in shares if not limit.moves or move in limit.moves]
        kept = [shares[move] for move in moves]
        if not any(kept):
            kept = [1.0] * len(moves)
        move = drawn(position, moves, kept, self.seed)
        return Report.of((Candidate(move, bound="unknown", pv=(move,)),), nodes=1, source="random")
