"""Plays the average strategy of counterfactual regret minimization, in games small enough to hold.

The algorithm, its variants and their sources are in `search.cfr`. The whole game is solved from its start,
once a game, whatever the position; a move is drawn by how likely the average strategy makes it. What it knows
of a position is the mover's infoset and nothing else.
"""

import time
from dataclasses import dataclass

from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.strategy_file import drawn
from gameplay.engines.cfr.training import Regrets
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
MOST = 10**12  # iterations
BATCH = 0.02  # seconds between two looks at the limits, about
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
        1000, "Iterations, or samples: in each every player learns once", kind=Whole(1, MOST)
    )
    seed: int = seed_option("sampled moves")

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`, by default its iterations."""
        if limit.simulations is not None:
            raise Usage("cfr does not simulate: limit cfr:iterations=N, nodes or time")
        if limit.depth is not None:
            raise Usage("cfr does not search ply by ply: limit cfr:iterations=N, nodes or time")
        return limit

    def learner(self, form: ExtensiveForm) -> Regrets:
        """What learns to play a game."""
        return Regrets(form, self.variant, self.seed)

    # -- the session keeps what was learned of a game ----------------------------------------------

    @property
    def table_bits(self) -> int:
        """There is always one."""
        return 1

    def new_table(self, bits: int) -> "Learned":
        """The part of the session that keeps what was learned."""
        return Learned()

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The one search."""
        if setup.trace is not None:
            raise Usage("cfr cannot be traced: it solves the whole game and searches no position; pimc can")
        assert isinstance(setup.table, Learned)
        return [CfrSearch(self, setup.position, setup.limit, setup.control, setup.table)]


class Learned:
    """What a session has learned of a game."""

    bits = 1

    def __init__(self) -> None:
        self.regrets: Regrets | None = None

    def new_search(self, keep: bool) -> None:
        """Another search begins; `keep`: of the same game."""
        if not keep:
            self.regrets = None


class CfrSearch(PlainSearch):
    """Solves the game, or continues where it was stopped."""

    def __init__(
        self, engine: Cfr, position: AbstractPosition, limit: Limit, control: Control, learned: Learned
    ) -> None:
        super().__init__(position, limit, control)
        self.engine = engine
        self.learned = learned

    def run(self, depth: int) -> None:
        """Iterate until all is done or the control says stop, then draw a move.

        Before the first iteration, or if the limit ends before the whole tree is known, all moves are
        equally likely.
        """
        regrets = self.learned.regrets
        if regrets is None:
            try:
                form = ExtensiveForm(self.position, self._grown)
            except Stopped:
                move = drawn(self.position, self.moves, [1.0] * len(self.moves), self.engine.seed)
                self.latest = Report(move=move, pv=(move,), bound="unknown", nodes=self.nodes)
                return
            regrets = self.learned.regrets = self.engine.learner(form)
            self.nodes = form.nodes
        self._iterate(regrets)
        self.latest = self._build_report(regrets)

    def _grown(self, nodes: int) -> bool:
        """Called with the number of nodes of the tree so far; true stops its construction."""
        self.nodes = nodes
        return self.stopped()

    def _iterate(self, regrets: Regrets) -> None:
        began, batch = self.nodes - regrets.visited, 1
        form = regrets.form
        cost = form.players * (1 if self.engine.variant in SAMPLED else len(form.odds))  # nodes an iteration
        while regrets.iterations < self.engine.iterations:
            if self.stopped():
                return
            if self.most and self.nodes + cost > self.most:
                self.control.halt("nodes")
                return
            started = time.monotonic()
            regrets.iterate(min(batch, self.engine.iterations - regrets.iterations))
            self.nodes = began + regrets.visited
            self.latest = self._bare(regrets)
            if time.monotonic() - started < BATCH and not self.most:
                batch *= 2
        self.control.halt("done")

    def _bare(self, regrets: Regrets) -> Report:
        move = self.moves[0]
        return Report(move=move, pv=(move,), bound="unknown", nodes=self.nodes, visits=regrets.iterations)

    def _build_report(self, regrets: Regrets) -> Report:
        """The sampled move, and the value of each move by the average strategy."""
        position, form = self.position, regrets.form
        player = position.turn
        infoset = form.find(player, position.infoset(player))
        if infoset is None:
            raise Usage("cfr solves the game from its start, and from there nothing leads to this position")
        average = regrets.average()
        shares = dict(zip(infoset.moves, average.shares(infoset), strict=True))
        kept = [shares[move] for move in self.moves]
        drawn_move = drawn(position, self.moves, kept if any(kept) else [1.0] * len(kept), self.engine.seed)
        worths = average.worths(player)
        order = sorted(self.moves, key=lambda move: (move != drawn_move, -shares[move]))
        candidates = []
        for move in order[: self.multipv]:
            expected = worths[infoset.slot + infoset.moves.index(move)]
            value = 0.0 if expected is None else expected * position.unit
            candidates.append(
                Candidate(move, value, "unknown" if expected is None else "expectation", pv=(move,))
            )
        mixture = ", ".join(f"{position.format(move)} {shares[move]:.0%}" for move in infoset.moves)
        counts = {"nodes": self.nodes, "visits": regrets.iterations, "memory": form.bytes}
        return Report.of(tuple(candidates), **counts, facts=mixture)
