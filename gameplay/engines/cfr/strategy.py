"""Plays a strategy file, see strategy_file.py: from `gameplay exploit --out` or written by hand."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gameplay.engines.cfr.strategy_file import Strategy, sample_move
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
    """Plays a strategy from a file: samples each move by its probability."""

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
            raise Usage("strategy needs a file: strategy:FILE. Try: gameplay exploit GAME --out FILE")
        return Strategy(self.file)

    def check(self, position: "AbstractPosition") -> None:
        """Raise Usage for an unsupported game, BadInput for an unreadable file."""
        Engine.check(self, position)
        self.read.check(position)

    def odds(self, position: "AbstractPosition") -> list[float]:
        """The probability of each of `position.moves()`."""
        return self.read.probabilities(position)

    def at_once(self, position: "AbstractPosition", limit: Limit) -> Report:
        """A move sampled by its probability."""
        odds = dict(zip(position.moves(), self.read.probabilities(position, playing=True), strict=True))
        moves = [move for move in odds if not limit.moves or move in limit.moves]
        move = sample_move(position, moves, [odds[move] for move in moves], self.seed)
        return Report.of((Candidate(move, bound="unknown", pv=(move,)),), nodes=1, source="random")
