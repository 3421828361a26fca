"""Rollouts: play a few plies after each of the top moves, with hidden information and chance sampled.

Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", Advances in Neural Information
Processing Systems 9, 1996, for backgammon; Brian Sheppard, "World-championship-caliber Scrabble", Artificial
Intelligence 134, 2002 (there called simulation).

The value of a move is the mean evaluation after a few plies, in which each player makes the game's top move
(`top_moves`). It improves on the static evaluation by what those plies reveal. It guarantees nothing: no
player in it considers what the others may hold.

    1. If nothing is hidden or random any more, use the game's own search of the rest, if it has one
       (`finish`). Otherwise start with the top moves.
    2. Sample a position in the mover's information set, and a seed for the chance outcomes to come.
    3. From each remaining move play on with this position and seed, and evaluate the end.
    4. Drop moves that are significantly worse than the best one. Repeat from 2.
"""

import math
from dataclasses import dataclass
from random import Random

from gameplay.capabilities import unchecked
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.options import Whole
from gameplay.position import CHANCE, AbstractPosition, Position
from gameplay.search.control import Control
from gameplay.search.engine import DEFAULT_SEARCH_TIME, GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.options import eval_option, option, seed_option
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchSetup

ALIASES = ("sim", "rollouts")

DEFAULT_ROLLOUTS = 1000  # without a limit
NODES_PER_ROLLOUT = 50  # node limit of an exact search of the rest, per rollout
MIN_ROLLOUTS = 12  # of a move before it may be dropped
DROP_ERRORS = 2.5  # standard errors by which a dropped move must be worse than the best


@dataclass
class Rollout(GeneralEngine):
    """Rollouts: samples hidden information and plays on from the moves with the best static values."""

    name = "rollout"
    players = range(2, 1000)
    samples = simulates = True
    by_depth = False
    priority = 8

    plies: int = option(
        2,
        "Plies of a rollout after the move; 0: play the top move",
        kind=Whole(0, 100),
        source="Tesauro and Galperin 1996; Sheppard 2002",
    )
    moves: int = option(10, "Number of top moves to try", kind=Whole(1, 60))
    eval: str = eval_option("Static evaluation of the leaves and of the top moves")
    seed: int = seed_option("deals and rolls")

    @classmethod
    def incompatibility(cls, position: AbstractPosition) -> str:
        """As for every engine; the game must also provide a default policy."""
        if not isinstance(position, Position) or type(position).top_moves is Position.top_moves:
            return f"{name_of(position)} does not rank its moves: define top moves in top_moves()"
        return super().incompatibility(position)

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`; without one, DEFAULT_ROLLOUTS within DEFAULT_SEARCH_TIME seconds."""
        if limit.depth is not None:
            raise Usage("rollout has plies as an option: limit simulations, nodes or time")
        return limit if limit else limit.with_(simulations=DEFAULT_ROLLOUTS, seconds=DEFAULT_SEARCH_TIME)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """A single search."""
        if setup.trace is not None:
            raise Usage("rollout cannot be traced: each rollout uses a different deal. Try: pimc")
        return [RolloutSearch(self, setup.position, setup.limit, setup.control)]


class RolloutSearch(PlainSearch):
    """Averages rollouts of the top moves."""

    def __init__(self, engine: Rollout, position: AbstractPosition, limit: Limit, control: Control) -> None:
        super().__init__(position, limit, control)
        self.engine = engine
        self.rollouts = 0
        best = dict(position.top_moves(engine.moves))
        if limit.moves:
            best = {move: best.get(move, 0) for move in self.moves}
        self.top_moves = best or dict.fromkeys(self.moves[: engine.moves], 0)
        self.racing = list(self.top_moves)
        self.sums = dict.fromkeys(self.top_moves, 0.0)
        self.squares = dict.fromkeys(self.top_moves, 0.0)
        self.counts = dict.fromkeys(self.top_moves, 0)
        self.latest = self._static_report()

    def run(self, depth: int) -> None:
        """Run rollouts until the limit is reached or the search is stopped."""
        simulations = self.limit.simulations or 0
        self.nodes += 1
        if not self.limit.moves and len(self.moves) == 1:
            return
        if not self.engine.plies or self._search_rest(simulations):
            return
        if not self.limit.moves and len(self.racing) == 1:
            return
        deal = 0
        # All racing moves use the same deal.
        while not simulations or self.rollouts + len(self.racing) <= simulations:
            seed = f"{self.engine.seed}/{deal}"
            world = self.position.determinize(self.player, Random(seed))
            world.evaluation = self.position.evaluation
            for move in self.racing:
                value = self._rollout(world, move, Random(seed + "/throws"))
                self.sums[move] += value
                self.squares[move] += value * value
                self.counts[move] += 1
                self.rollouts += 1
                if self.stopped() and move != self.racing[-1]:
                    self.latest = self.latest.with_(nodes=self.nodes, visits=self.rollouts)
                    return  # an incomplete deal does not count
            deal += 1
            self.latest = self._build_report()
            if self.stopped():
                return
            self._drop_worse()
            if len(self.racing) == 1 and len(self.top_moves) > 1:
                return
        self.control.halt("simulations")

    def _search_rest(self, simulations: int) -> bool:
        """Step 1: true if the rest was searched, after each of the moves if the limit names any."""
        node_limit = self.node_limit or simulations * NODES_PER_ROLLOUT
        if self.limit.moves:
            ends = [self._finish_after(move, node_limit) for move in self.moves]
        else:
            ends = [self.position.finish(self.control, node_limit)]
        candidates = []
        for end in ends:
            if end is None:
                return False
            move, value, exact, nodes = end
            self.nodes += nodes
            candidates.append(
                Candidate(move, value, "exact" if exact else "unknown", pv=(move,), proven=exact)
            )
        candidates.sort(key=lambda candidate: -candidate.value)
        best = tuple(candidates[: self.multipv])
        self.latest = Report.of(best, nodes=self.nodes, exact=best[0].proven)
        return True

    def _finish_after(self, move: int, node_limit: int) -> tuple[int, int, bool, int] | None:
        """The game's `finish` after a move."""
        position = self.position
        unchecked(position)(move)
        payoffs = position.outcome()
        if payoffs is not None:
            end = (move, int(payoffs[self.player] * self.unit), True, 1)
        elif position.turn == CHANCE or (finish := position.finish(self.control, node_limit)) is None:
            end = None
        else:
            _, value, exact, nodes = finish
            end = (move, value if position.turn == self.player else -value, exact, nodes + 1)
        position.unmake()
        return end

    def _rollout(self, world: AbstractPosition, move: int, rng: Random) -> float:
        """The value of a move in a deal: the evaluation after `plies` more moves, or the payoff."""
        make = unchecked(world)
        make(move)
        made, left = 1, self.engine.plies
        payoffs = world.outcome()
        while payoffs is None:
            if world.turn == CHANCE:
                if not left and world.evaluates_chance_nodes:
                    break
                make(rng.choices(world.moves(), world.chances())[0])
            elif not left:
                break
            else:
                make(world.top_moves(1)[0][0])
                left -= 1
            made += 1
            payoffs = world.outcome()
        value = payoffs[self.player] * self.unit if payoffs is not None else world.evaluate_for(self.player)
        for _ in range(made):
            world.unmake()
        self.nodes += made
        return float(value)

    def _mean(self, move: int) -> tuple[float, float]:
        """The mean of a move, and its standard error."""
        count = self.counts[move]
        mean = self.sums[move] / count
        variance = max(0.0, self.squares[move] / count - mean * mean)
        return mean, math.sqrt(variance / (count - 1)) if count > 1 else 0.0

    def _drop_worse(self) -> None:
        """Step 4: drop moves that are significantly worse than the best one."""
        if self.counts[self.racing[0]] < MIN_ROLLOUTS:
            return
        means = {move: self._mean(move) for move in self.racing}
        best, error = max(means.values())
        self.racing = [
            move
            for move in self.racing
            if means[move][0] + DROP_ERRORS * math.hypot(means[move][1], error) >= best
        ]

    def _static_report(self) -> Report:
        """The top moves, before any rollout."""
        candidates = [Candidate(move, value, "unknown", 0, (move,)) for move, value in self.top_moves.items()]
        return Report.of(tuple(candidates[: self.multipv]))

    def _build_report(self) -> Report:
        """The means, best first: of the remaining moves, then of the dropped ones."""
        candidates = []
        for move in self.top_moves:
            mean, error = self._mean(move)
            candidates.append(Candidate(move, mean, "expectation", self.counts[move], (move,), error=error))
        candidates.sort(key=lambda candidate: (candidate.move not in self.racing, -candidate.value))
        best, visited = tuple(candidates[: self.multipv]), tuple(candidates[:5])
        return Report.of(best, visited=visited, visits=self.rollouts, nodes=self.nodes)
