"""Perfect information Monte Carlo: sample deals, search each as if all cards were open, take the mean.

David Levy, "The million pound bridge program", 1989; Matthew Ginsberg, "GIB: imperfect information in a
computationally challenging game", Journal of Artificial Intelligence Research 14, 2001.

The value of a move is its mean over deals consistent with the mover's information, found by
perfect-information searches. It is not exact: it assumes a different move in each deal where one must serve
all (strategy fusion), and ignores that better-informed opponents steer away from some deals (non-locality);
`gameplay lecture secrets` shows both. It plays well where hidden cards are soon revealed anyway, as in
trick-taking games (J. Long and others, AAAI 2010).

    1. Deal: a position in the mover's information set, sampled by the game's `determinize`, or by its
       `likely` if it can infer hidden cards from moves. In small games all consistent deals are counted
       instead, each weighted by its chance probability and by the probability of the others' choices on
       the path under a strategy (`weights`).
    2. Search it, with an exact value for every move at the root. Values of repeated deals are cached.
    3. Add each move's value to its mean. Moves are reported with the mean and its standard error, which is 0
       once all consistent deals were searched.

Games replace steps of this. In bridge, calls follow the bidding system (`advice`), deals fit the calls, and
the game's solver evaluates them (`dealt_solver`), as in Levy's and Ginsberg's programs; if not even one deal
was solved in time, it plays by `rule_of_thumb`. In Battleship the mean over deals is the probability of a
ship on a cell (`games/battleship/aim.py`). In hearts, rule-based playouts follow each card
(`games/hearts/playouts.py`). In Stratego, alpha-beta values the moves of a position with all ranks known
(`games/stratego/open_search.py`).
"""

import math
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from gameplay.adapter import kernel_of
from gameplay.capabilities import unchecked
from gameplay.catalogue import name_of
from gameplay.engines.alphabeta import AlphaBeta
from gameplay.engines.cfr.strategy_file import Strategy
from gameplay.engines.expectiminimax.engine import Expectiminimax
from gameplay.engines.expectiminimax.search import bounds
from gameplay.engines.multiplayer.maxn import Maxn
from gameplay.errors import Usage
from gameplay.options import Whole
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search import worlds
from gameplay.search.control import Control
from gameplay.search.engine import COMPILED_NODES, DEFAULT_SEARCH_TIME, PYTHON_NODES, Engine, HiddenEngine
from gameplay.search.limit import Limit, affordable_depth
from gameplay.search.options import option, seed_option
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchSetup
from gameplay.search.table import Table, table_bits
from gameplay.value import ENDLESS, half_win, is_win

ALIASES = ("perfectinformation",)

PLAYOUTS = 8  # random playouts after each move of a deal
TABLE = "4MB"  # of alpha-beta
CACHE_SIZE = 20_000  # deals with cached values
MAX_ENUMERATED = 12_000  # positions of a game up to which deals are enumerated; Leduc has 9,457
UNIFORM = "alike"


Deal = tuple[tuple[int, ...], float]  # the moves from the start that lead to it, and its weight


@dataclass
class Pimc(HiddenEngine):
    """Perfect information Monte Carlo: samples deals, and searches each with all cards open."""

    name = "pimc"
    pointless = "there is nothing to sample"
    simulates = True
    priority = 4

    by: str = option(
        "auto",
        "Search that values the moves of a deal",
        values={
            "auto": "the game's own solver; for two players expectiminimax with chance, alphabeta"
            " without; else maxn where all deals are counted, else rollout",
            "solver": "the game's own values of open deals: bridge, Battleship, hearts and Stratego",
            "alphabeta": "alpha-beta, for two-player zero-sum games without chance",
            "expectiminimax": "expectiminimax, for two-player zero-sum games; with Star1 where possible",
            "maxn": "max^n, for any number of players",
            "rollout": f"the mean of {PLAYOUTS} random playouts after each move",
        },
        source="Levy 1989; Ginsberg 2001",
    )
    worlds: int = option(
        MAX_ENUMERATED,
        "Search each consistent deal once in games of at most this many positions; sample deals in larger"
        " ones (0: always)",
        kind=Whole(0, 10**7),
    )
    weights: str = option(
        UNIFORM,
        "Probabilities of the others' choices: uniform, or those of a strategy FILE (gameplay exploit"
        " --out); only where all deals are searched",
    )
    seed: int = seed_option("the deals")

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Best where the game has a solver for deals."""
        priority = Engine.priority if position.has_deal_solver else cls.priority
        return 0 if cls.incompatibility(position) else priority

    def by_in(self, position: AbstractPosition) -> str:
        """The resolved value of the option `by` in this game."""
        if self.by != "auto":
            return self.by
        if position.has_deal_solver:
            return "solver"
        if position.players != 2 or not position.zero_sum:
            return "maxn"
        return "expectiminimax" if position.chance else "alphabeta"

    def check(self, position: AbstractPosition) -> None:
        """As in `Engine`; the search of deals must support the game, too."""
        Engine.check(self, position)
        two_player_zero_sum = position.players == 2 and position.zero_sum
        if self.by == "solver" and not position.has_deal_solver:
            raise Usage(f"pimc: by=solver requires a game with a solver; {name_of(position)} has none")
        if self.by in ("alphabeta", "expectiminimax") and not two_player_zero_sum:
            raise Usage(f"pimc: by={self.by} requires a two-player zero-sum game")
        if self.by == "alphabeta" and position.chance:
            raise Usage(f"pimc: by=alphabeta requires a game without chance; {name_of(position)} has chance")
        if self.weights != UNIFORM:
            self.strategy()

    def strategy(self) -> Strategy:
        """The strategy in the file `weights`. Raises BadInput for any other file."""
        file = Path(self.weights)
        return _load_strategy(self.weights, file.stat().st_mtime_ns if file.exists() else 0)

    def deals(self, position: AbstractPosition, stop: Callable[[], bool] | None = None) -> list[Deal] | None:
        """All deals consistent with the mover's information, with weights; None if deals must be sampled.

        Raises Stopped once `stop()` is true.
        """
        paths = worlds.consistent_lines(position, self.worlds, stop)
        if self.weights == UNIFORM:
            return None if paths is None else list(paths.items())
        if paths is None:
            raise Usage(
                f"pimc: weights are for games of at most {self.worlds:,} positions, whose deals can all be "
                "counted; worlds=N allows more"
            )
        weighted = [
            (path, odds * _path_probability(position, path, self.strategy())) for path, odds in paths.items()
        ]
        return [deal for deal in weighted if deal[1]] or list(paths.items())

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`; without one, the game's number of `sampled_deals` within DEFAULT_SEARCH_TIME seconds."""
        return (
            limit if limit else limit.with_(simulations=position.sampled_deals, seconds=DEFAULT_SEARCH_TIME)
        )

    def searches(self, setup: SearchSetup) -> list[Search]:
        """A single search."""
        if setup.trace is not None:
            raise Usage("pimc cannot be traced: trace the search of a deal, as by alphabeta or maxn")
        return [PimcSearch(self, setup.position, setup.limit, setup.control)]

    def deal_engine(self, world: AbstractPosition) -> Engine:
        """The engine that searches a deal."""
        by = self.by_in(world)
        if by == "maxn":
            return Maxn()
        if by == "alphabeta":
            return AlphaBeta(order="killer+history")
        return Expectiminimax(prune="off" if bounds(world) is None else "star1")


class PimcSearch(PlainSearch):
    """Samples and searches deals."""

    def __init__(self, engine: Pimc, position: AbstractPosition, limit: Limit, control: Control) -> None:
        super().__init__(position, limit, control)
        self.engine = engine
        self.deals = 0
        self.all_deals: list[Deal] | None = None
        self.table = Table(table_bits(TABLE)) if engine.by_in(position) == "alphabeta" else None
        self.uses_playouts = False  # random playouts value a deal
        self.enumerates = False  # each deal is searched once
        self.weight = 0.0
        self.cache: dict[Hashable, Mapping[int, float]] = {}
        self.sums = dict.fromkeys(self.moves, 0.0)
        self.squares = dict.fromkeys(self.moves, 0.0)
        self.solver = position.dealt_solver(control) if engine.by_in(position) == "solver" else None
        self.sample_world = position.likely
        self.default_move: int | None = None  # the default policy's move, without a search
        self.shuffled_moves = Random(engine.seed).sample(self.moves, len(self.moves))

    def run(self, depth: int) -> None:
        """Play a move that needs no search; otherwise search deals up to the limit, all, or until stopped."""
        if self.engine.by_in(self.position) == "solver":
            advice = self.position.advice()
            self.default_move, words = advice or (self.position.rule_of_thumb(), "no deal was solved in time")
            move = self.default_move if self.default_move in self.moves else self.shuffled_moves[0]
            self.latest = Report.of(
                (Candidate(move, bound="unknown", pv=(move,)),),
                source="rules" if advice is None else "system",
                facts=words if len(self.moves) > 1 else "there is no other",
            )
            if advice is not None or len(self.moves) == 1:
                return
        self._enumerate()
        rng = Random(self.engine.seed)
        simulations = self.limit.simulations or 0
        # Playouts gain accuracy with their number, so they use sampled deals.
        if (
            self.all_deals is not None
            and not self.uses_playouts
            and len(self.all_deals) <= (simulations or CACHE_SIZE)
        ):
            self.enumerates = True
            for path, weight in rng.sample(self.all_deals, len(self.all_deals)):
                if not self._add(self._world_at(path), weight, rng) or self.stopped():
                    return
            self.control.halt("done")
            return
        while not (simulations and self.deals >= simulations):
            if not self._add(self._sample(rng), 1.0, rng) or self.stopped():
                return
        self.control.halt("simulations")

    def _enumerate(self) -> None:
        """List the consistent deals. If time is limited and half of it is used up, sample deals instead."""
        by, now = self.engine.by_in(self.position), time.monotonic()
        share = 0.5 if self.limit.simulations is None else 1.0
        until = now + (self.control.deadline - now) * share if self.control.deadline else math.inf
        try:
            self.all_deals = self.engine.deals(
                self.position, lambda: self.control.expired() or time.monotonic() >= until
            )
        except worlds.Stopped:
            self.all_deals = None
        # Max^n of a large game ends after a few plies; random games reach the end.
        self.uses_playouts = by == "rollout" or (
            self.engine.by == "auto" and by == "maxn" and self.all_deals is None
        )

    def _world_at(self, path: tuple[int, ...]) -> AbstractPosition:
        """The deal at the end of a path."""
        world = self.position.initial()
        make = unchecked(world)
        for move in path:
            make(move)
        return world

    def _sample(self, rng: Random) -> AbstractPosition:
        """A sampled deal."""
        if self.all_deals is None or self.engine.weights == UNIFORM:
            return self.sample_world(self.player, rng)
        paths, weights = zip(*self.all_deals, strict=True)
        return self._world_at(rng.choices(paths, weights)[0])

    def _add(self, world: AbstractPosition, weight: float, rng: Random) -> bool:
        """Search a deal and add the values of its moves; false if stopped."""
        self.nodes += 1
        key = world.key()
        values = self.cache.get(key)
        if values is None:
            values = self._run_playouts(world, rng) if self.uses_playouts else self._search_deal(world)
            if values is None:
                self.latest = self.latest.with_(nodes=self.nodes)
                return False
            if len(self.cache) < CACHE_SIZE:
                self.cache[key] = values
        for move in self.moves:
            self.sums[move] += weight * values[move]
            self.squares[move] += weight * values[move] ** 2
        self.weight += weight
        self.deals += 1
        self.latest = self._build_report()
        return True

    def _search_deal(self, world: AbstractPosition) -> Mapping[int, float] | None:
        """The value of each move in a fully visible deal; None if stopped."""
        if self.solver is not None:
            before = self.solver.nodes
            values = self.solver.values(world, max(1, self.node_limit - self.nodes) if self.node_limit else 0)
            self.nodes += self.solver.nodes - before
            return values
        if self.table is not None:
            self.table.new_search(False)
        search = self.engine.deal_engine(world).open(kernel_of(world), self.control, self.table)
        search.multipv = len(self.moves)
        search.restrict_moves(tuple(self.moves))
        search.node_limit = max(1, self.node_limit - self.nodes) if self.node_limit else 0
        search.run(self.limit.depth or self._default_depth(world))
        self.nodes += search.nodes
        if self.control.stop:
            return None
        return {entry.move: self._payoff(entry.value) for entry in search.report().candidates}

    def _default_depth(self, world: AbstractPosition) -> int:
        """Default depth of the search of a deal: all deals together cost as much as one search."""
        means = COMPILED_NODES if not kernel_of(world).python else PYTHON_NODES
        return affordable_depth(world, means / 10)

    def _payoff(self, value: float) -> float:
        """A value of a search as a payoff in the game's unit."""
        if is_win(value):
            return float(self.unit if value > 0 else -self.unit)
        if isinstance(value, int) and not self.position.scored:
            return float(self.unit * value / (abs(value) + half_win(self.unit)))
        return float(value)

    def _run_playouts(self, world: AbstractPosition, rng: Random) -> dict[int, float] | None:
        """The value of each move by random playouts; None: it was stopped.

        The moves take turns. If stopped in the first deal, the moves tried so far are reported.
        """
        kernel = kernel_of(world)
        seeds = {move: [rng.getrandbits(63) for _ in range(PLAYOUTS)] for move in self.moves}
        totals = dict.fromkeys(self.moves, 0.0)
        counts = dict.fromkeys(self.moves, 0)
        for number in range(PLAYOUTS):
            for move in self.moves:
                budget = min(ENDLESS, self.node_limit - self.nodes - 1) if self.node_limit else ENDLESS
                kernel.make(move)
                made, _, gains = kernel.rollout(
                    seeds[move][number], control=self.control, limit=max(0, budget)
                )
                kernel.unmake()
                self.nodes += 1 + len(made)
                if gains or len(made) == ENDLESS:
                    totals[move] += gains[self.player] if gains else 0
                    counts[move] += 1
                if self.stopped() and min(counts.values()) < PLAYOUTS:
                    if not self.deals:
                        self.latest = self._partial_report(totals, counts)
                    return None
        return {move: totals[move] / PLAYOUTS for move in self.moves}

    def _partial_report(self, totals: dict[int, float], counts: dict[int, int]) -> Report:
        """The means of the moves tried in an unfinished deal."""
        candidates = [
            Candidate(move, totals[move] / counts[move], "expectation", pv=(move,))
            for move in self.moves
            if counts[move]
        ]
        if not candidates:
            return self.latest
        candidates.sort(key=lambda candidate: -candidate.value)
        best = candidates[0]
        shown = tuple(candidates[: self.multipv])
        return Report(move=best.move, value=best.value, bound="expectation", candidates=shown, pv=best.pv)

    def _build_report(self) -> Report:
        """The means, the best first; ties are broken by the default policy's move, then by move order.

        If a solver values the deals and there is no default move, as in placing ships, ties are broken at
        random: a deterministic choice is exploitable.
        """
        candidates, weight = [], self.weight or 1.0
        every = self.enumerates and self.deals == len(self.all_deals or ())
        for move in (
            self.shuffled_moves if self.solver is not None and self.default_move is None else self.moves
        ):
            mean = self.sums[move] / weight
            variance = max(0.0, self.squares[move] / weight - mean * mean)
            error = math.sqrt(variance / (self.deals - 1)) if self.deals > 1 and not every else 0.0
            candidates.append(Candidate(move, mean, "expectation", self.deals, (move,), error=error))
        candidates.sort(key=lambda candidate: (-candidate.value, candidate.move != self.default_move))
        return Report.of(
            tuple(candidates[: self.multipv]),
            visited=tuple(candidates[:5]),
            visits=self.deals,
            deals=len(self.cache),
            every_deal=every,
            nodes=self.nodes,
            facts=self.solver.facts() if self.solver is not None else "",
        )


@lru_cache(maxsize=1)  # an engine is created again for every seed
def _load_strategy(file: str, changed: int) -> Strategy:
    return Strategy(file)


def _path_probability(position: AbstractPosition, path: tuple[int, ...], strategy: Strategy) -> float:
    """The probability of the other players' moves on a path under a strategy."""
    world, probability = position.initial(), 1.0
    for move in path:
        if world.turn not in (CHANCE, position.turn):
            probabilities = dict(zip(world.moves(), strategy.probabilities(world, playing=True), strict=True))
            probability *= probabilities[move]
        world.make(move)
    return probability
