"""Information set Monte Carlo tree search, for games that hide something.

The search, its steps and its source are in `search.py`, its tree in `engines/mcts/arena.py`. A value is a
mean of payoffs in the game's own `unit`, as of `mcts`.
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
    endless = simulates = True
    by_depth = False
    merit = 6

    observers: str = option(
        "multiple",
        "Search one tree, or one for each player",
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
            "likely": "those consistent with good play of the others, where the game estimates that",
            "any": "any that fit the information set",
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
        "What a simulation ends with",
        values={
            "auto": "evaluate in games for two whose evaluation says how far it can be trusted, as of"
            " Stratego; else rollout",
            "rollout": "a playout to the end at random",
            "evaluate": "the evaluation",
        },
    )
    policy: str = policy_option()
    memory: str = memory_option("64MB", "Memory for the tree; when it is full, it stops growing")
    seed: int = seed_option("deals and playouts")

    def check(self, position: AbstractPosition) -> None:
        """As of every engine; and the game must have an evaluation where one is asked for."""
        Engine.check(self, position)
        policy_bits(self, position.policies)
        if self.leaf == "evaluate" and not has_guesses(position):
            raise Usage(f"ismcts: leaf=evaluate needs an evaluation, and {name_of(position)} has none")

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """As of every engine; it has no depth that could be limited."""
        if limit.depth is not None:
            raise Usage("ismcts does not search ply by ply: limit simulations, nodes or time, not depth")
        return Engine.default_limit(self, position, limit)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The one search."""
        if setup.trace is not None:
            why = "each of its simulations is of another deal; pimc can, of one"
            raise Usage(f"ismcts cannot be traced: {why}")
        position, limit, control = setup.position, setup.limit, setup.control
        arena = Arena(bytes_of(self.memory))
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
