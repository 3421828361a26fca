"""Monte Carlo tree search (UCT) for all games of perfect information.

The search, its four phases and their sources are in `search.py`, the nodes of its tree in `arena.py`; here
are the options. A value is a mean of payoffs in the game's own `unit`, see `expectiminimax`, or proved.

Go on 9x9 with 20,000 simulations a move, against GNU Go 3.8: 97 of 100 games won at its level 1, 85 of 100
at its level 10 (`python -m benchmarks go:only=games`).
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

from gameplay.adapter import kernel_of
from gameplay.capabilities import HasPolicy, PlayersResign
from gameplay.catalogue import name_of
from gameplay.engines.alphabeta import AlphaBetaSearch
from gameplay.engines.expectiminimax.search import bounds
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.search import MonteCarloSearch
from gameplay.engines.mcts.tree import LEAVES
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.options import Number, OneOf, Sum, Whole, bytes_of, either, read_option, refusal
from gameplay.position import AbstractPosition, twin
from gameplay.search.control import Control
from gameplay.search.engine import Engine, has_guesses
from gameplay.search.limit import Limit
from gameplay.search.options import (
    eval_option,
    memory_option,
    option,
    policy_option,
    seed_option,
    threads_option,
)
from gameplay.search.policy import PolicyEstimator
from gameplay.search.session import Search, SearchSetup
from gameplay.search.threads import available

ALIASES = ("uct", "montecarlo")
MAX_LEAF_DEPTH = 8  # plies of an alpha-beta search of a leaf
MAX_DISTANCE = 4  # greatest distance of a position below the last one searched
RESIGN_SHARE = 0.05  # expected share of wins below which it resigns
MAX_TRIED = 4000  # positions compared to find it
SEARCH = "search"
PUCT = 1.25  # default exploration constant (Silver and others 2018, for payoffs from 0 to 1)


class Leaf(OneOf):
    """The values of the option `leaf`: words, or search:N."""

    def __init__(self) -> None:
        super().__init__(["auto", *LEAVES])
        self.expected = either([*self.words, f"{SEARCH}:N with N from 1 to {MAX_LEAF_DEPTH}"])

    def read(self, text: str) -> str:
        word, _, plies = text.partition(":")
        return f"{SEARCH}:{Whole(1, MAX_LEAF_DEPTH).read(plies)}" if word == SEARCH else super().read(text)

    def suggestion(self, text: str) -> str:
        return super().suggestion(text) or f"{SEARCH}:2"


@dataclass
class Mcts(Engine):
    """Monte Carlo tree search (UCT): samples lines of play, better moves more often."""

    name = "mcts"
    players = range(1, 1000)
    chance = general_sum = True
    anytime = True
    samples = True
    simulates = True
    by_depth = False
    priority = 5

    c: str = option(
        "auto",
        "Exploration constant of UCT, for payoffs from 0 to 1; auto: 0.7, or 0.05 where hints are the prior"
        " or simulations end with the evaluation or a search; with a learned policy that of PUCT, auto: 1.25",
        kind=Number(0, 1000, words=["auto"]),
        source="Kocsis and Szepesvári 2006; PUCT: Silver and others 2018",
    )
    fpu: float = option(
        0.0,
        "First-play urgency of untried moves, for payoffs from 0 to 1; 0: try each move once first; with a"
        " learned policy the mean of an untried move, 0: that of a draw",
        kind=Number(0, 1000),
        source="Wang and Gelly 2007",
    )
    rave: str = option(
        "auto",
        "RAVE (all moves as first): simulations after which a move's results weigh as much as those of"
        " playouts that contain it; 0: off; auto: 200 in games whose hints rate every move, else 0",
        kind=Number(0, 10**9, words=["auto"]),
        source="Gelly and Silver 2007",
    )
    solver: bool = option(
        True,
        "Prove wins, losses, draws and points, and do not search proven moves",
        source="Winands, Björnsson and Saito 2008; Cazenave and Saffidine 2010",
    )
    prior: str = option(
        "auto",
        "Estimate of a move before its first simulation",
        values={
            "auto": "policy where eval has one; hint in games whose hints rate every move, such as Go;"
            " evaluation where leaf=auto is evaluate; else off",
            "off": "nothing",
            "hint": "the game's hints for the order of moves, from the worst to the best of a position",
            "evaluation": "the evaluation after the move",
            "policy": "the probability of the policy in eval, a file of `gameplay learn --method alphazero`;"
            " moves are selected by PUCT",
        },
        source="Gelly and Silver 2007; policy: Silver and others 2017",
    )
    weight: float = option(10.0, "Simulations that the prior counts for", kind=Number(0, 10**6, open=True))
    leaf: str = option(
        "auto",
        "How a simulation is valued",
        kind=Leaf(),
        values={
            "auto": "evaluate with a learned policy, and in games for two without chance whose evaluation"
            " has a known reliability, such as chess, checkers and Othello; else rollout",
            "rollout": "a playout to the end at random",
            "evaluate": "the evaluation",
            "mixed": "the mean of both",
            "search:N": f"an alpha-beta search N plies deep, 1 to {MAX_LEAF_DEPTH}",
        },
    )
    widen: float = option(
        0.0,
        "Progressive widening: search 1 move of a position plus this many times the square root of its"
        " visits, in the order of prior or hint; 0: all",
        kind=Number(0, 10**6),
        source="Coulom 2007",
    )
    root: str = option(
        "uct",
        "How moves at the root are selected",
        values={
            "uct": "as elsewhere in the tree",
            "halving": "by sequential halving: each once, then the better half by their means, down to two",
        },
        source="Karnin, Koren and Somekh 2013; Sagers, Winands and Soemers 2024",
    )
    policy: str = policy_option()
    resign: str = option(
        "auto",
        "Resign when the expected share of wins, 0 to 1, is less at three moves in a row; 0: never; auto:"
        " 0.05 in games that people resign, such as Go, but never against an engine",
        kind=Number(0, 1, words=["auto"]),
    )
    reuse: bool = option(True, "Keep the tree of the last move of the same game")
    threads: int = threads_option("Threads that search one tree", "Chaslot, Winands and van den Herik 2008")
    memory: str = memory_option("256MB", "Memory for the tree; when it is full, drop what is visited least")
    seed: int = seed_option("the simulations")
    eval: str = eval_option("Evaluation, or learned policy and value, for the options prior and leaf")

    theorem: ClassVar[str] = ""

    def plies(self) -> int:
        """The depth of the alpha-beta search in the option `leaf`; 0: none."""
        word, _, plies = self.leaf.partition(":")
        return int(plies) if word == SEARCH else 0

    def guide_in(self, position: AbstractPosition) -> PolicyEstimator | None:
        """The learned policy that selects moves by PUCT: that of `eval`, unless `prior` is another."""
        evaluation = self.evaluation(position) or position.evaluation
        if self.prior not in ("auto", "policy") or not isinstance(evaluation, HasPolicy):
            return None
        guide: PolicyEstimator | None = evaluation.policy(position)
        return guide

    def prior_in(self, position: AbstractPosition, guided: bool = False) -> str:
        """The resolved value of the option `prior` in this game: off, hint, evaluation or policy.

        `guided`: by a learned policy, here and below.
        """
        if self.prior != "auto":
            return self.prior
        if guided:
            return "policy"
        if isinstance(position, Kernel) and position.has_hints:
            return "hint"
        return "evaluation" if self.leaf == "auto" and self.leaf_in(position) == "evaluate" else "off"

    def leaf_in(self, position: AbstractPosition, guided: bool = False) -> str:
        """The resolved value of the option `leaf` in this game."""
        if self.leaf != "auto":
            return self.leaf
        return "evaluate" if guided or (_allows_alphabeta(position) and position.quiet_margin) else "rollout"

    def c_in(self, position: AbstractPosition, guided: bool = False) -> float:
        """The resolved value of the option `c` in this game."""
        if self.c != "auto":
            return float(self.c)
        if guided:
            return PUCT
        if self.leaf_in(position) not in ("rollout", "mixed") or self.prior_in(position) == "hint":
            return 0.05
        return 0.7

    def rave_in(self, position: AbstractPosition, guided: bool = False) -> float:
        """The resolved value of the option `rave` in this game."""
        if self.rave != "auto":
            return float(self.rave)
        return 200.0 if self.prior == "auto" and self.prior_in(position, guided) == "hint" else 0.0

    def resign_in(self, position: AbstractPosition, machine: bool) -> float:
        """The resolved value of the option `resign`; `machine`: against a program or another engine."""
        if self.resign != "auto":
            return float(self.resign)
        given_up = isinstance(position, PlayersResign) and position.given_up
        return RESIGN_SHARE if given_up and not machine else 0.0

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Best where playouts are sensible games, not random ones."""
        if cls.incompatibility(position):
            return 0
        return 8 * Engine.priority if position.policies else cls.priority

    def check(self, position: AbstractPosition) -> None:
        """As in `Engine`; the game must also have what the options require."""
        Engine.check(self, position)
        policy_bits(self, position.policies)
        game = name_of(position)
        guesses = "leaf" if self.leaf in ("evaluate", "mixed") else ""
        guesses = "prior" if self.prior == "evaluation" else guesses
        own = self.evaluation(position) is not None
        if (guesses or self.plies()) and not own and not has_guesses(position):
            setting = guesses or "leaf"
            raise Usage(f"mcts: {setting}={getattr(self, setting)} needs an evaluation, and {game} has none")
        if self.plies() and not _allows_alphabeta(position):
            raise Usage(f"mcts: leaf={self.leaf} requires a two-player zero-sum game without chance")
        if self.prior == "policy" and self.guide_in(position) is None:
            learn = f"gameplay learn {game} --method alphazero"
            raise Usage(f"mcts: prior=policy needs a learned policy in eval. Try: {learn}")
        if (self.prior == "hint" or self.widen) and not isinstance(position, Kernel):
            raise Usage(f"mcts: prior=hint and widen require a compiled game; {game} is written in Python")

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """As in `Engine`; it has no depth limit."""
        if limit.depth is not None:
            raise Usage("mcts does not search ply by ply: limit simulations, nodes or time, not depth")
        return Engine.default_limit(self, position, limit)

    @property
    def keeps(self) -> bool:  # type: ignore[override]
        """The tree of one search serves the next ones of the same game."""
        return self.reuse

    def new_table(self, bits: int) -> "TreeMemory":
        """The part of the session that keeps the tree between searches."""
        return TreeMemory()

    @property
    def table_bits(self) -> int:
        """There is always one."""
        return 1

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The search of a position, followed by its helpers on other threads."""
        position, limit, control, table = setup.position, setup.limit, setup.control, setup.table
        threads = available(self.threads)
        if setup.trace is not None and threads > 1:
            raise Usage("mcts: a search of several threads cannot be traced")
        assert isinstance(table, TreeMemory)
        guide = self.guide_in(position)
        searches = []
        for number in range(threads):
            kernel = kernel_of(position.twin() if number else position)
            plies = self.plies()
            leaf_search = None
            if plies:
                leaf_search = AlphaBetaSearch(kernel, control, None, None)
                leaf_search.node_limit = 0
                leaf_search.evaluate_at(0)
            simulations = limit.simulations or 0
            two_player_zero_sum = position.players == 2 and position.zero_sum
            edges = bounds(kernel) if two_player_zero_sum else None
            bits = policy_bits(self, kernel.policies)
            search = MonteCarloSearch(
                kernel, control, self, simulations, bits, edges, leaf_search, plies, guide
            )
            search.helper = number
            search.multipv = limit.multipv
            if limit.moves:
                search.restrict_moves(limit.moves)
            search.node_limit = -(-control.nodes // threads)
            searches.append(search)
        arena = table.prepare_arena(
            position,
            bytes_of(self.memory),
            0 if two_player_zero_sum else position.players,
            self.keeps,
            control,
        )
        for search in searches:
            search.use_arena(arena)
        if threads > 1:
            gate = threading.Barrier(threads, action=partial(arena.trim, control))
            for search in searches:
                search.join(threads, gate)
        searches[0].helpers = searches[1:]
        searches[0].set_trace(setup.trace)
        return [*searches]


class PlayoutEngine(Protocol):
    """An engine whose playouts follow a policy."""

    policy: str

    @property
    def name(self) -> str: ...


class TreeMemory:
    """The tree of a session's last search, and the position at its root."""

    bits = 1

    def __init__(self) -> None:
        self.tree: Arena | None = None
        self.root: AbstractPosition | None = None
        self.same_game = False

    def new_search(self, keep: bool) -> None:
        """Begin another search; `keep`: of the same game."""
        self.same_game = keep

    def make_resident(self) -> None:
        """Nothing to do: the tree grows with the search."""

    def prepare_arena(
        self, position: AbstractPosition, memory: int, players: int, keep: bool, control: Control
    ) -> Arena:
        """A tree for a search of this position: its subtree of the last search's tree, or an empty one.

        If the time limit ends the copying of the subtree, the tree is empty.
        """
        if self.tree is None or (self.tree.memory, self.tree.players) != (memory, players):
            self.tree = Arena(memory, players)
        node = (
            self.find_node(position)
            if self.same_game and self.root is not None and self.tree.node_count
            else -1
        )
        if node < 0:
            self.tree.empty()
        elif node:
            self.tree.reroot(node, control)
        self.root = twin(position) if keep else None
        return self.tree

    def find_node(self, position: AbstractPosition) -> int:
        """The node of a position that follows the last one searched; -1 if it is not in the tree."""
        assert self.tree is not None and self.root is not None
        root, tree, path = self.root, self.tree, self.moves_since_root(position)
        if path is not None:
            node = 0
            for made in path:
                node = next((child for child, move, _ in tree.children(node) if move == made), -1)
                if node < 0:
                    break
            return node
        key, turn = position.key(), position.turn
        remaining = MAX_TRIED

        def search_below(node: int, depth: int) -> int:
            nonlocal remaining
            if not depth:
                return node if (root.key(), root.turn) == (key, turn) else -1
            if root.outcome() is not None:
                return -1
            for child, move, _ in tree.children(node):
                remaining -= 1
                if remaining < 0:
                    return -1
                root.make(move)
                match = search_below(child, depth - 1)
                root.unmake()
                if match >= 0:
                    return match
            return -1

        for depth in range(MAX_DISTANCE + 1):
            match = search_below(0, depth)
            if match >= 0 or remaining < 0:
                return match
        return -1

    def moves_since_root(self, position: AbstractPosition) -> list[int] | None:
        """The moves made since the last position searched; None if unknown."""
        root = self.root
        if not isinstance(position, Kernel) or not isinstance(root, Kernel):
            return None
        earlier, made = root.made, position.made
        if made[: len(earlier)] != earlier:
            return None
        before = position.twin()
        for _ in made[len(earlier) :]:
            before.unmake()
        same = (before.key(), before.turn) == (root.key(), root.turn)
        return made[len(earlier) :] if same else None


def policy_bits(engine: "PlayoutEngine", policies: Mapping[str, str]) -> int:
    """The playout policies selected by the option `policy`, one bit each.

    Raises Usage for a word that is none of them.
    """
    words = engine.policy.strip().lower()
    names = list(policies)
    if words == "all":
        return (1 << len(names)) - 1
    if words == "none":
        return 0
    kind = Sum(["all", "none", *names])
    chosen = set(read_option(engine.name, "policy", words, kind, "all").split("+"))
    if chosen & {"all", "none"}:
        raise refusal(engine.name, "policy", words, "all or none alone, or names joined by +", "all")
    return sum(1 << names.index(word) for word in chosen)


def _allows_alphabeta(position: AbstractPosition) -> bool:
    """True for a two-player zero-sum game without chance."""
    return position.players == 2 and position.zero_sum and not position.chance
