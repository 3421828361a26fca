"""Monte Carlo tree search (UCT) for every kind of game in which nothing is hidden.

The search itself, its four steps and their sources are in `search.montecarlo`, its tree in `search.arena`.
Here are the options. A value is a mean of payoffs in the game's own `unit`, see `expectiminimax`, or proved.

Go on 9x9 with 20,000 simulations a move, against GNU Go 3.8: 97 of 100 games won at its level 1, 85 of 100
at its level 10 (`python -m benchmarks go:only=games`).
"""

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from gameplay.adapter import kernel_of
from gameplay.capabilities import PlayersResign
from gameplay.engines.alphabeta import AlphaBetaSearch
from gameplay.engines.expectiminimax.search import bounds
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.search import LEAVES, PRIORS, MonteCarloSearch
from gameplay.errors import Usage, unknown
from gameplay.kernel import Kernel
from gameplay.position import twin
from gameplay.search.engine import Engine, has_guesses, option
from gameplay.search.limit import Limit

ALIASES = ("uct", "montecarlo")
DEEPEST = 8  # plies of an alpha-beta search of a leaf
PLIES = 4  # that a position may lie below the last one searched, to be found in its tree
USUAL = 0.05  # share of the wins below which it gives up
TRIED = 4000  # positions looked at to find it


@dataclass
class Mcts(Engine):
    """Monte Carlo tree search (UCT): simulates games to the end, those that begin well more often."""

    name = "mcts"
    players = range(1, 1000)
    chance = general_sum = True
    endless = True
    samples = True
    simulates = True
    by_depth = False
    merit = 5

    c: str = option(
        "auto",
        "Exploration constant of UCT, a number, for payoffs from 0 to 1: the greater, the more moves that"
        " did badly so far are tried; auto: 0.7, and 0.05 where hints are the prior or simulations end with"
        " the evaluation or a search",
        measured="with evaluations, 0.05 against 0.1: Othello, 2,000 simulations, +134 Elo (29 to 270, 30"
        " games), chess, 200, +108 (6 to 232, 20 games), checkers, 200, +26 (-29 to 83, 40 games); playouts:"
        " 0.6 against 1.41, 1,000 simulations a move: Connect Four +50 (6 to 95, 240 games); 0.7, 300"
        " simulations: Othello +30 (-45 to 109, 80 games); Go 9x9 with hints, 2,000 simulations, 24 games"
        " each: 0.2 against 0.4 +191 (47 to 456), 0.4 against 0.7 +154 (48 to 298); 1,000 simulations, 0.05"
        " won 24 of 40 against 0.2",
        source="Kocsis and Szepesvári 2006",
    )
    fpu: float = option(
        0.0,
        "Urgency of a move that was never tried, for payoffs from 0 to 1 (first-play urgency); 0: try each"
        " move once before any twice",
        measured="1 against 0: Connect Four, 1,000 simulations, +3 Elo (-62 to 69, 100 games)",
        source="Wang and Gelly 2007",
    )
    rave: str = option(
        "auto",
        "Simulations of its own after which a move's results count as much as those of simulations in which"
        " it was made later (RAVE, all moves as first); 0: those do not count; auto: 200 in games whose"
        " hints tell of every move, else 0",
        measured="Go 9x9, 1,000 simulations: 200, c=0.05 won 37 of 40 games against 0, c=0.2, and 19 of 27"
        " against 0, c=0.05; with c=0.2, 200 won 18 of 40 against 0, 1000 won 14 and 4000 won 16; without a"
        " prior 300, c=0.2 won 28 of 40 against 0, c=0.7; 1000 against 0: Connect Four, 1,000 simulations,"
        " -41 Elo (-94 to 9, 160 games), Othello, 300, +58 (-8 to 130, 120 games)",
        source="Gelly and Silver 2007",
    )
    solver: bool = option(
        True,
        "Prove wins, losses, draws and points, and do not search what is proved",
        measured="off against on: Connect Four, 1,000 simulations, -13 Elo (-67 to 40, 160 games); Othello,"
        " 300, +9 (-55 to 73, 120 games)",
        source="Winands, Björnsson and Saito 2008; Cazenave and Saffidine 2010",
    )
    prior: str = option(
        "auto",
        "What is thought of a move before it was tried",
        values={
            "auto": "hint in games whose hints tell of every move, such as Go; evaluation where leaf=auto is"
            " evaluate; else off",
            "off": "nothing",
            "hint": "the game's hints for the order of moves, from the worst to the best of a position",
            "evaluation": "the evaluation after the move",
        },
        measured="Go 9x9, 2,000 simulations: hint, c=0.4, weight=20 won 22 of 24 games against off, c=0.7;"
        " evaluation against off, with playouts: Othello, 300, +585 Elo (463 to 1100, 120 games), Connect"
        " Four, 1,000, -9 (-57 to 39, 160 games)",
        source="Gelly and Silver 2007",
    )
    weight: float = option(10.0, "Simulations that the prior is worth")
    leaf: str = option(
        "auto",
        "What a simulation ends with",
        values={
            "auto": "evaluate in games for two without chance whose evaluation says how far it can be"
            " trusted, as of chess, checkers and Othello; else rollout",
            "rollout": "a playout to the end at random",
            "evaluate": "the evaluation",
            "mixed": "the mean of both",
            "search:N": f"an alpha-beta search N plies deep, 1 to {DEEPEST}",
        },
        measured="evaluate against rollout, c=0.7: Othello, 300 simulations, +366 Elo (287 to 490, 120"
        " games); checkers, 200, +228 (161 to 314, 40 games); Connect Four, 1,000, +80 (33 to 129, 160"
        " games), but -17 (-137 to 98, 40 games) at equal time; mixed, there, +55 (2 to 110, 160 games);"
        " search:2, +59 (3 to 118, 160 games). Chess, 200, with c=0.2 and prior=evaluation: 16 of 16 games",
    )
    widen: float = option(
        0.0,
        "Moves of a position that are looked at, in the order of their prior or hint: one, and this many"
        " times the square root of its visits more; 0: all",
        measured="2 against 0: Connect Four, 1,000 simulations, -60 Elo (-117 to -5, 100 games)",
        source="Coulom 2007",
    )
    policy: str = option(
        "all",
        "What of the game's knowledge moves in playouts go by: all, none (any move alike), or names of"
        " `gameplay games GAME` joined by +",
        measured="Go 9x9, 1,000 simulations: all won 38 of 40 games against none, 81 of 100 against all but"
        " pattern, 79 of 100 against all but escape, 24 of 38 against all but care, 52 of 100 against all but"
        " capture, 49 of 100 against all but mercy, at the same speed",
    )
    resign: str = option(
        "auto",
        "Share of the wins, from 0 to 1: it gives up when it expects less at three of its moves in a row; 0:"
        " never; auto: 0.05 in games that people give up, such as Go, but never against an engine",
    )
    reuse: bool = option(True, "Go on with the tree of the last move of the same game")
    threads: int = option(1, "Threads that search one tree", source="Chaslot, Winands and van den Herik 2008")
    memory: str = option("256MB", "Memory for the tree; where it is full, what is visited least is dropped")
    seed: int = option(0, "Seed of the simulations: the same position and seed give the same search")
    eval: str = option(
        "", "Static evaluation: one of the game's, weights FILE.toml, or code FILE.py; see prior and leaf"
    )

    theorem: ClassVar[str] = ""

    def __post_init__(self) -> None:
        Engine.__post_init__(self)
        for name, most in (("c", 1000), ("rave", 1e9), ("resign", 1)):
            word = getattr(self, name)
            try:
                wrong = word != "auto" and not 0 <= float(word) <= most
            except ValueError:
                wrong = True
            if wrong:
                raise Usage(f"mcts: {name} is a number from 0 to {most:g}, or auto, not {word}")
        for name, least, most in (("fpu", 0, 1000), ("widen", 0, 1e6)):
            if not least <= getattr(self, name) <= most:
                raise Usage(f"mcts: {name} is a number from {least} to {most:g}, not {getattr(self, name):g}")
        if not 0 < self.weight <= 1e6:
            raise Usage(f"mcts: weight is a number over 0, up to 1e+06, not {self.weight:g}")
        if self.prior not in ("auto", *PRIORS):
            raise Usage(f"mcts: {unknown('prior', self.prior, ['auto', *PRIORS])}")
        self.plies()
        bytes_of("mcts", self.memory)

    def plies(self) -> int:
        """How deep the option `leaf` has alpha-beta search, 0: not at all. Raises Usage."""
        if self.leaf in ("auto", *LEAVES):
            return 0
        match = re.fullmatch(r"search:(\d+)", self.leaf)
        if match is None:
            raise Usage(f"mcts: {unknown('leaf', self.leaf, ['auto', *LEAVES, 'search:2'])}")
        if not 1 <= int(match[1]) <= DEEPEST:
            raise Usage(f"mcts: leaf=search:N takes 1 to {DEEPEST} plies, not {match[1]}")
        return int(match[1])

    def prior_in(self, position: Any) -> str:
        """What the option `prior` means in this game: off, hint or evaluation."""
        if self.prior != "auto":
            return self.prior
        if isinstance(position, Kernel) and position.has_hints:
            return "hint"
        return "evaluation" if self.leaf == "auto" and self.leaf_in(position) == "evaluate" else "off"

    def leaf_in(self, position: Any) -> str:
        """What the option `leaf` means in this game."""
        if self.leaf != "auto":
            return self.leaf
        return "evaluate" if _is_duel(position) and position.swing else "rollout"

    def c_in(self, position: Any) -> float:
        """What the option `c` means in this game."""
        if self.c != "auto":
            return float(self.c)
        if self.leaf_in(position) not in ("rollout", "mixed") or self.prior_in(position) == "hint":
            return 0.05
        return 0.7

    def rave_in(self, position: Any) -> float:
        """What the option `rave` means in this game."""
        if self.rave != "auto":
            return float(self.rave)
        return 200.0 if self.prior == "auto" and self.prior_in(position) == "hint" else 0.0

    def resign_in(self, position: Any, machine: bool) -> float:
        """What the option `resign` means in this game; `machine`: against a program or another engine."""
        if self.resign != "auto":
            return float(self.resign)
        given_up = isinstance(position, PlayersResign) and position.given_up
        return USUAL if given_up and not machine else 0.0

    @classmethod
    def suits(cls, position: Any) -> int:
        """Best of all engines where playouts are sensible games, not random ones."""
        if cls.misfit(position):
            return 0
        return 8 * Engine.merit if position.policies else cls.merit

    def check(self, position: Any) -> None:
        """As of every engine; and what the options ask of the game it must have."""
        Engine.check(self, position)
        policy_bits(self, position.policies)
        game = type(position).__name__
        guesses = "leaf" if self.leaf in ("evaluate", "mixed") else ""
        guesses = "prior" if self.prior == "evaluation" else guesses
        own = self.evaluation(position) is not None
        if (guesses or self.plies()) and not own and not has_guesses(position):
            setting = guesses or "leaf"
            raise Usage(f"mcts: {setting}={getattr(self, setting)} needs an evaluation, and {game} has none")
        if self.plies() and not _is_duel(position):
            raise Usage(
                f"mcts: leaf={self.leaf} is for two, one of whom wins what the other loses, without chance"
            )
        if (self.prior == "hint" or self.widen) and not isinstance(position, Kernel):
            raise Usage(f"mcts: prior=hint and widen need a compiled game, and {game} is written in Python")

    def default_limit(self, position: Any, limit: Limit) -> Limit:
        """As of every engine; it has no depth that could be limited."""
        if limit.depth is not None:
            raise Usage("mcts does not search ply by ply: limit simulations, nodes or time, not depth")
        return Engine.default_limit(self, position, limit)

    @property
    def keeps(self) -> bool:  # type: ignore[override]
        """The tree of one search serves the next ones of the same game."""
        return self.reuse

    def new_table(self, bits: int) -> Any:
        """Where the session keeps the tree between two searches."""
        return KeptTree()

    @property
    def table_bits(self) -> int:
        """There is always one."""
        return 1

    def searches(
        self, position: Any, limit: Limit, control: Any, table: Any, trace: Any, knowledge: Sequence[Any]
    ) -> list[Any]:
        """The search of a position, and after it those that help it on threads of their own."""
        if trace is not None and self.threads > 1:
            raise Usage("mcts: a search of several threads cannot be traced")
        kept: KeptTree = table
        found = []
        for number in range(self.threads):
            kernel = kernel_of(position.twin() if number else position)
            plies = self.plies()
            reader = None
            if plies:
                reader = AlphaBetaSearch(kernel, control, None, None, False, False)
                reader.most = 0
                reader.evaluate_at(0)
            simulations = limit.simulations or 0
            opposed = position.players == 2 and position.zero_sum
            edges = bounds(kernel) if opposed else None
            search = MonteCarloSearch(
                kernel, control, self, simulations, policy_bits(self, kernel.policies), edges, reader, plies
            )
            search.helper = number
            search.multipv = limit.multipv
            if limit.moves:
                search.only(limit.moves)
            search.most = -(-control.nodes // self.threads)
            found.append(search)
        arena = kept.arena(
            position, bytes_of("mcts", self.memory), 0 if opposed else position.players, self.keeps, control
        )
        for search in found:
            search.grow_in(arena)
        if self.threads > 1:
            gate = threading.Barrier(self.threads, action=partial(arena.trim, control))
            for search in found:
                search.join(self.threads, gate)
        found[0].helpers = found[1:]
        found[0].listen(trace)
        return found


class KeptTree:
    """The tree of a session's last search, and the position at its root."""

    bits = 1

    def __init__(self) -> None:
        self.tree: Arena | None = None
        self.root: Any = None
        self.wanted = False

    def new_search(self, keep: bool) -> None:
        """Another search begins; `keep`: of the same game."""
        self.wanted = keep

    def arena(self, position: Any, memory: int, players: int, keep: bool, control: Any) -> Arena:
        """A tree for a search of this position: the part of the last search's tree below it, or an empty one.

        Copying that part ends with the search's limit of time; then the tree is empty.
        """
        if self.tree is None or (self.tree.memory, self.tree.players) != (memory, players):
            self.tree = Arena(memory, players)
        node = self.find(position) if self.wanted and self.root is not None and self.tree.used else -1
        if node < 0:
            self.tree.empty()
        elif node:
            self.tree.grow_from(node, control)
        self.root = twin(position) if keep else None
        return self.tree

    def find(self, position: Any) -> int:
        """The node of a position that came after the last one searched; -1 if the tree does not hold it."""
        assert self.tree is not None
        tree, way = self.tree, self.way(position)
        if way is not None:
            node = 0
            for made in way:
                node = next((child for child, move, _ in tree.children(node) if move == made), -1)
                if node < 0:
                    break
            return node
        key, turn = position.key(), position.turn
        left = TRIED

        def look(node: int, depth: int) -> int:
            nonlocal left
            if not depth:
                return node if (self.root.key(), self.root.turn) == (key, turn) else -1
            if self.root.outcome() is not None:
                return -1
            for child, move, _ in tree.children(node):
                left -= 1
                if left < 0:
                    return -1
                self.root.make(move)
                found = look(child, depth - 1)
                self.root.unmake()
                if found >= 0:
                    return found
            return -1

        for depth in range(PLIES + 1):
            found = look(0, depth)
            if found >= 0 or left < 0:
                return found
        return -1

    def way(self, position: Any) -> list[int] | None:
        """The moves that were made since the last position searched; None where that is not known."""
        if not isinstance(position, Kernel):
            return None
        known, made = self.root.made, position.made
        if made[: len(known)] != known:
            return None
        before = position.twin()
        for _ in made[len(known) :]:
            before.unmake()
        same = (before.key(), before.turn) == (self.root.key(), self.root.turn)
        return made[len(known) :] if same else None


def bytes_of(engine: str, memory: str) -> int:
    """An option `memory` in bytes. Raises Usage."""
    match = re.fullmatch(r"(\d+)\s*([mg])i?b?", memory.lower())
    size = int(match[1]) * {"m": 2**20, "g": 2**30}[match[2]] if match else 0
    if not 2**20 <= size <= 2**38:
        raise Usage(f"{engine}: memory is a size from 1MB to 256GB, such as 512MB, not '{memory}'")
    return size


def policy_bits(engine: Any, policies: Mapping[str, str]) -> int:
    """What the option `policy` of an engine names of all that a game's playouts know, a bit each.

    Raises Usage for a word that is none of them.
    """
    words = [word.strip().lower() for word in engine.policy.split("+")]
    if words == ["all"]:
        return (1 << len(policies)) - 1
    if words == ["none"]:
        return 0
    known = list(policies)
    for word in words:
        if word not in known:
            raise Usage(f"{engine.name}: {unknown('policy', word, ['all', 'none', *known])}")
    return sum(1 << known.index(word) for word in set(words))


def _is_duel(position: Any) -> bool:
    """Two play, one wins what the other loses, and there is no chance."""
    return position.players == 2 and position.zero_sum and not position.chance
