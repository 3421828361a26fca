"""Information set Monte Carlo tree search, for games of imperfect information.

The search, its steps and its source are in `search.py`, its tree in `engines/mcts/arena.py`. A value is a
mean of payoffs in the game's own `unit`, as in `mcts`.
"""

from dataclasses import dataclass

from gameplay.catalogue import name_of
from gameplay.engines.ismcts.search import InfosetSearch
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.engine import policy_bits
from gameplay.errors import Usage
from gameplay.options import Number, bytes_of
from gameplay.position import AbstractPosition
from gameplay.search.engine import Engine, HiddenEngine, has_guesses
from gameplay.search.limit import Limit
from gameplay.search.options import memory_option, option, policy_option, seed_option
from gameplay.search.session import Search, SearchSetup

ALIASES = ("informationsetmcts",)


@dataclass
class Ismcts(HiddenEngine):
    """Information set Monte Carlo tree search: samples what is hidden in each simulation, in one tree."""

    name = "ismcts"
    pointless = "use mcts"
    anytime = simulates = True
    by_depth = False
    priority = 6

    observers: str = option(
        "multiple",
        "Search one tree, or one for each player",
        values={
            "multiple": "a tree for each player, of their infosets (MO-ISMCTS)",
            "single": "one tree of all moves, for all hidden cards of the others (SO-ISMCTS)",
        },
        source="Cowling, Powley and Whitehouse 2012",
    )
    deals: str = option(
        "likely",
        "Deals that simulations begin with",
        values={
            "likely": "those consistent with good play of the others, if the game estimates that",
            "any": "all that are consistent with the information set",
        },
    )
    c: float = option(
        0.7,
        "Exploration constant, for payoffs from 0 to 1",
        kind=Number(0, 1000),
        source="Cowling, Powley and Whitehouse 2012",
    )
    leaf: str = option(
        "auto",
        "How a simulation is valued",
        values={
            "auto": "evaluate in two-player games whose evaluation has a known reliability, such as"
            " Stratego; else rollout",
            "rollout": "a playout to the end at random",
            "evaluate": "the evaluation",
        },
    )
    policy: str = policy_option()
    memory: str = memory_option("64MB", "Memory for the tree; when it is full, it stops growing")
    seed: int = seed_option("deals and playouts")

    def check(self, position: AbstractPosition) -> None:
        """As in `Engine`; an option may also require an evaluation."""
        Engine.check(self, position)
        policy_bits(self, position.policies)
        if self.leaf == "evaluate" and not has_guesses(position):
            raise Usage(f"ismcts: leaf=evaluate needs an evaluation, and {name_of(position)} has none")

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """As in `Engine`; depth cannot be limited."""
        if limit.depth is not None:
            raise Usage("ismcts does not search ply by ply: limit simulations, nodes or time, not depth")
        return Engine.default_limit(self, position, limit)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """A single search."""
        if setup.trace is not None:
            why = "each simulation uses another deal. Try: pimc"
            raise Usage(f"ismcts cannot be traced: {why}")
        position, limit, control = setup.position, setup.limit, setup.control
        arena = Arena(bytes_of(self.memory))
        simulations = limit.simulations or 0
        single = self.observers == "single"
        guesses = self.leaf == "evaluate" or (
            self.leaf == "auto" and position.players == 2 and position.quiet_margin
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
            search.restrict_moves(limit.moves)
        search.node_limit = control.nodes
        return [search]
