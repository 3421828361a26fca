"""Information set Monte Carlo tree search, for games that hide something.

The search, its steps and its source are in `search.infosets`, its tree in `search.arena`. A value is a mean
of payoffs in the game's own `unit`, as of `mcts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gameplay.engines.ismcts.search import InfosetSearch
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.engine import bytes_of, policy_bits
from gameplay.errors import Usage, unknown
from gameplay.search.engine import Engine, has_guesses, option
from gameplay.search.limit import Limit

ALIASES = ("informationsetmcts",)
OBSERVERS = ("multiple", "single")
LEAVES = ("auto", "rollout", "evaluate")
DEALS = ("likely", "any")


@dataclass
class Ismcts(Engine):
    """Information set Monte Carlo tree search: each simulation deals anew what is hidden, in one tree."""

    name = "ismcts"
    players = range(2, 1000)
    chance = hidden = general_sum = True
    endless = samples = simulates = True
    by_depth = False
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
    deals: str = option(
        "likely",
        "Which deals simulations begin with",
        values={
            "likely": "those in which others had reason to move as they did, where the game knows",
            "any": "any that fit what is seen",
        },
    )
    c: float = option(
        0.7,
        "Exploration constant, for payoffs from 0 to 1: the greater, the more moves that did badly are tried",
        source="Cowling, Powley and Whitehouse 2012",
    )
    leaf: str = option(
        "auto",
        "What a simulation ends with",
        values={
            "auto": "evaluate in games for two whose evaluation says how far it can be trusted, as of"
            " Stratego; else rollout",
            "rollout": "a playout to the end at random",
            "evaluate": "the evaluation",
        },
        measured="evaluate against rollout, Stratego's Barrage, at equal time (2,000 and 50 simulations):"
        " +120 Elo (-38 to 359, 12 games)",
    )
    policy: str = option(
        "all",
        "What of the game's knowledge moves in playouts go by: all, none (any move alike), or names of"
        " `gameplay games GAME` joined by +",
        measured="Limit hold'em, 1,000 simulations, chips a game in 1,000 games: +2.15 (1.93 to 2.37) against"
        " who always calls, with none -0.35 (-0.47 to -0.22); +3.38 (2.68 to 4.09) and -2.81 (-3.21 to -2.40)"
        " against who always raises",
    )
    memory: str = option("64MB", "Memory for the tree; where it is full, it grows no more")
    seed: int = option(0, "Seed of deals and playouts: the same position and seed give the same search")

    def __post_init__(self) -> None:
        Engine.__post_init__(self)
        if self.observers not in OBSERVERS:
            raise Usage(f"ismcts: {unknown('observers', self.observers, OBSERVERS)}")
        if self.leaf not in LEAVES:
            raise Usage(f"ismcts: {unknown('leaf', self.leaf, LEAVES)}")
        if self.deals not in DEALS:
            raise Usage(f"ismcts: {unknown('deals', self.deals, DEALS)}")
        if not 0 <= self.c <= 1000:
            raise Usage(f"ismcts: c is a number from 0 to 1000, not {self.c:g}")
        bytes_of("ismcts", self.memory)

    @classmethod
    def misfit(cls, position: Any) -> str:
        """As for every engine; the game must also have imperfect information."""
        if not position.hidden:
            return f"{type(position).__name__} has perfect information: use mcts"
        return super().misfit(position)

    def check(self, position: Any) -> None:
        """As of every engine; and the game must have an evaluation where one is asked for."""
        Engine.check(self, position)
        policy_bits(self, position.policies)
        if self.leaf == "evaluate" and not has_guesses(position):
            raise Usage(f"ismcts: leaf=evaluate needs an evaluation, and {type(position).__name__} has none")

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
            why = "each of its simulations is of another deal; pimc can, of one"
            raise Usage(f"ismcts cannot be traced: {why}")
        arena = Arena(bytes_of("ismcts", self.memory))
        simulations = limit.simulations or 0
        single = self.observers == "single"
        guesses = self.leaf == "evaluate" or (
            self.leaf == "auto" and position.players == 2 and position.swing
        )
        search = InfosetSearch(
            position,
            control,
            arena,
            simulations,
            self.c,
            self.seed,
            single,
            bool(guesses),
            policy_bits(self, position.policies),
            self.deals == "likely",
        )
        search.multipv = limit.multipv
        if limit.moves:
            search.only(limit.moves)
        search.most = control.nodes
        return [search]
