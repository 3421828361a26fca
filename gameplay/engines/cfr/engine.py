"""Plays the average strategy of counterfactual regret minimization, in games whose tree fits in memory.

The algorithm, its variants and their sources are in `training.py`. The whole game is solved from its start,
once per session; then a move is sampled by the average strategy at the mover's infoset.
"""

import time
from dataclasses import dataclass

from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.strategy_file import sample_move
from gameplay.engines.cfr.training import RegretMinimizer
from gameplay.errors import Usage
from gameplay.options import Whole
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.engine import HiddenEngine
from gameplay.search.limit import Limit
from gameplay.search.options import option, seed_option
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchSetup
from gameplay.search.worlds import Stopped

ALIASES = ("cfrplus", "regret")
MAX_ITERATIONS = 10**12
BATCH = 0.02  # seconds between checks of the limits, about
SAMPLED = ("external", "outcome")


@dataclass
class Cfr(HiddenEngine):
    """Counterfactual regret minimization (CFR): mixed strategies for small games of imperfect information."""

    name = "cfr"
    pointless = "an equilibrium needs no mixed strategies"
    by_depth = False
    keeps = True
    priority = 1

    variant: str = option(
        "plus",
        "Variant: which regrets are updated, and their weights",
        values={
            "cfr": "all, alike",
            "plus": "CFR+: regrets never below 0, and later iterations weigh more in the average",
            "linear": "later iterations weigh more, in the average too",
            "external": "sampled: one outcome of chance, one move of the others (Monte Carlo CFR)",
            "outcome": "sampled: one line of play",
        },
        source="Zinkevich and others 2007; Tammelin 2014; Brown and Sandholm 2019; Lanctot and others 2009",
    )
    iterations: int = option(
        1000, "Iterations, or samples: in each every player learns once", kind=Whole(1, MAX_ITERATIONS)
    )
    seed: int = seed_option("sampled moves")

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`, by default its iterations."""
        if limit.simulations is not None:
            raise Usage("cfr does not simulate: limit cfr:iterations=N, nodes or time")
        if limit.depth is not None:
            raise Usage("cfr does not search ply by ply: limit cfr:iterations=N, nodes or time")
        return limit

    def learner(self, form: ExtensiveForm) -> RegretMinimizer:
        """A new training of `form`."""
        return RegretMinimizer(form, self.variant, self.seed)

    @property
    def table_bits(self) -> int:
        """Positive: the session always has a memory."""
        return 1

    def new_table(self, bits: int) -> "CfrMemory":
        """The memory that the searches of a session share."""
        return CfrMemory()

    def searches(self, setup: SearchSetup) -> list[Search]:
        """A single search."""
        if setup.trace is not None:
            raise Usage("cfr cannot be traced: it solves the whole game and searches no position. Try: pimc")
        assert isinstance(setup.table, CfrMemory)
        return [CfrSearch(self, setup.position, setup.limit, setup.control, setup.table)]


class CfrMemory:
    """The regrets of a session's game."""

    bits = 1

    def __init__(self) -> None:
        self.regrets: RegretMinimizer | None = None

    def new_search(self, keep: bool) -> None:
        """Prepare for another search; `keep`: of the same game."""
        if not keep:
            self.regrets = None

    def make_resident(self) -> None:
        """Nothing to do: the regrets are computed by the first search."""


class CfrSearch(PlainSearch):
    """Solves the game, or continues where it was stopped."""

    def __init__(
        self, engine: Cfr, position: AbstractPosition, limit: Limit, control: Control, memory: CfrMemory
    ) -> None:
        super().__init__(position, limit, control)
        self.engine = engine
        self.memory = memory

    def run(self, depth: int) -> None:
        """Iterate until done or stopped, then sample a move.

        If the limit ends before the tree is complete, or before the first iteration, all moves are equally
        likely.
        """
        regrets = self.memory.regrets
        if regrets is None:
            try:
                form = ExtensiveForm(self.position, self._count_nodes)
            except Stopped:
                move = sample_move(self.position, self.moves, [1.0] * len(self.moves), self.engine.seed)
                self.latest = Report(move=move, pv=(move,), bound="unknown", nodes=self.nodes)
                return
            regrets = self.memory.regrets = self.engine.learner(form)
            self.nodes = form.nodes
        self._iterate(regrets)
        self.latest = self._build_report(regrets)

    def _count_nodes(self, nodes: int) -> bool:
        """Note the number of nodes of the tree so far; true stops its construction."""
        self.nodes = nodes
        return self.stopped()

    def _iterate(self, regrets: RegretMinimizer) -> None:
        began, batch = self.nodes - regrets.visited, 1
        form = regrets.form
        cost = form.players * (1 if self.engine.variant in SAMPLED else form.leaves)  # nodes per iteration
        while regrets.iterations < self.engine.iterations:
            if self.stopped():
                return
            if self.node_limit and self.nodes + cost > self.node_limit:
                self.control.halt("nodes")
                return
            started = time.monotonic()
            regrets.iterate(min(batch, self.engine.iterations - regrets.iterations))
            self.nodes = began + regrets.visited
            self.latest = self._progress_report(regrets)
            if time.monotonic() - started < BATCH and not self.node_limit:
                batch *= 2
        self.control.halt("done")

    def _progress_report(self, regrets: RegretMinimizer) -> Report:
        move = self.moves[0]
        return Report(move=move, pv=(move,), bound="unknown", nodes=self.nodes, visits=regrets.iterations)

    def _build_report(self, regrets: RegretMinimizer) -> Report:
        """The sampled move, and the value of each move by the average strategy."""
        position, form = self.position, regrets.form
        player = position.turn
        infoset = form.find(player, position.infoset(player))
        if infoset is None:
            raise Usage(
                "cfr solves the game from its start; expected a position that is reachable from there"
            )
        average = regrets.average()
        odds = dict(zip(infoset.moves, average.probabilities(infoset), strict=True))
        weights = [odds[move] for move in self.moves]
        chosen = sample_move(position, self.moves, weights, self.engine.seed)
        values = average.move_values(player)
        order = sorted(self.moves, key=lambda move: (move != chosen, -odds[move]))
        candidates = []
        for move in order[: self.multipv]:
            expected = values[infoset.slot + infoset.moves.index(move)]
            value = 0.0 if expected is None else expected * position.unit
            candidates.append(
                Candidate(move, value, "unknown" if expected is None else "expectation", pv=(move,))
            )
        mixture = ", ".join(f"{position.format(move)} {odds[move]:.0%}" for move in infoset.moves)
        counts = {"nodes": self.nodes, "visits": regrets.iterations, "memory": form.bytes}
        return Report.of(tuple(candidates), **counts, facts=mixture)
