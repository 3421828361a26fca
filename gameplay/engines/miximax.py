"""Miximax: the maximum over the player's moves, the mean over the others', which follow a model.

Darse Billings and others, "Game-tree search with adaptation in stochastic imperfect-information games",
Computers and Games 2004, for poker.

A search of open deals, as in `pimc`, knows the opponent's hand when it chooses. Here the hand stays hidden: a
belief weights each hand, and each action of the opponent multiplies its weight by the probability that the
model takes the action with that hand (Bayes). The value of a move is its expectation against the model.
Nothing is guaranteed against an opponent who plays differently.

    1. The game provides the search (`HasModel`), which samples the hidden information.
    2. Each sample values all moves. Their values are means over the samples, with standard errors.
    3. If nodes or time are limited, the game's quick estimate comes first: the first sample may not finish.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from gameplay.capabilities import HasMeasuredModel, HasModel
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.engine import DEFAULT_SEARCH_TIME, HiddenEngine
from gameplay.search.limit import Limit
from gameplay.search.options import seed_option
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchSetup

ALIASES = ("opponentmodel",)

SAMPLES = 2  # without a limit
MEASURED = 8  # `priority` where the model was measured


@dataclass
class Miximax(HiddenEngine):
    """Miximax: maximizes the expectation against a model of the opponent, whose hand stays hidden."""

    name = "miximax"
    players = range(2, 3)
    pointless = "there is nothing to infer"
    simulates = True
    by_depth = False
    priority = 5

    seed: int = seed_option("the samples")

    @classmethod
    def incompatibility(cls, position: AbstractPosition) -> str:
        """As for every engine; the game must also have a model of its players."""
        why = super().incompatibility(position)
        if why or isinstance(position, HasModel):
            return why
        return f"{name_of(position)} has no model of its players: define model_search(control, seed)"

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Best where the game's model was measured."""
        measured = isinstance(position, HasMeasuredModel) and position.model_measured
        priority = MEASURED if measured else cls.priority
        return 0 if cls.incompatibility(position) else priority

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`; without one, SAMPLES within DEFAULT_SEARCH_TIME seconds."""
        if limit.depth is not None:
            raise Usage("miximax does not search ply by ply: limit simulations, nodes or time, not depth")
        return limit if limit else limit.with_(simulations=SAMPLES, seconds=DEFAULT_SEARCH_TIME)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """A single search."""
        if setup.trace is not None:
            raise Usage("miximax cannot be traced: its nodes are belief states. Try: alphabeta or maxn")
        return [MiximaxSearch(self, setup.position, setup.limit, setup.control)]


class MiximaxSearch(PlainSearch):
    """Averages the values of samples."""

    def __init__(self, engine: Miximax, position: AbstractPosition, limit: Limit, control: Control) -> None:
        super().__init__(position, limit, control)
        assert isinstance(position, HasModel)
        self.search = position.model_search(control, engine.seed)
        if not limit.moves:
            self.moves = list(self.search.moves())
        self.sums = dict.fromkeys(self.moves, 0.0)
        self.squares = dict.fromkeys(self.moves, 0.0)

    def run(self, depth: int) -> None:
        """Steps 2 and 3, until the limit is reached or the search is stopped."""
        usual = self.position.policy_moves(1)[0] if self.position.policies else self.moves[0]
        move = usual if usual in self.moves else self.moves[0]
        self.latest = Report(move=move, pv=(move,), bound="unknown")
        if len(self.moves) == 1 and not self.limit.moves:
            return
        wanted = self.limit.simulations or 0
        for sample in count(0 if self.node_limit or self.control.deadline else 1):
            values = self.search.values(self.moves, sample, self.node_limit)
            self.nodes = self.search.nodes
            if values is None:
                self.latest = self.latest.with_(nodes=self.nodes)
                self.stopped()
                return
            self._add(sample, values)
            if self.stopped():
                return
            if wanted and sample >= wanted:
                break
        self.control.halt("simulations")

    def _add(self, sample: int, values: Mapping[int, float]) -> None:
        """Report the means over the samples, or the estimate before them."""
        candidates = []
        for move, value in values.items():
            value, error = value * self.unit, 0.0
            if sample:
                self.sums[move] += value
                self.squares[move] += value * value
                value = self.sums[move] / sample
                variance = max(0.0, self.squares[move] / sample - value * value)
                error = math.sqrt(variance / (sample - 1)) if sample > 1 else 0.0
            candidates.append(Candidate(move, value, "expectation", max(1, sample), (move,), error=error))
        candidates.sort(key=lambda candidate: -candidate.value)
        self.latest = Report.of(
            tuple(candidates[: self.multipv]),
            visited=tuple(candidates[:5]),
            visits=max(1, sample),
            nodes=self.nodes,
        )
