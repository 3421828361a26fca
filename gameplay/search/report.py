"""Reports of a search, in progress and final."""

from typing import Any

import msgspec
from msgspec import structs

from gameplay import value as scale
from gameplay.board import Displayed
from gameplay.plural import plural


class Candidate(msgspec.Struct, frozen=True):
    """A root move with its value and line. The value is from the mover's view.

    `bound` is the kind of the value: `exact` at the depth searched, `lower` or `upper` bound, `expectation`
    (a mean over chance or simulations), or `unknown`: no value so far.
    """

    move: int
    value: float = 0
    bound: str = "exact"
    visits: int = 0  # simulations that began with it, or nodes if the search counts them by move
    pv: tuple[int, ...] = ()  # `move` first
    proven: bool = False  # the value is game-theoretic
    values: tuple[float, ...] = ()  # by player, in general-sum games
    error: float = 0.0  # standard error of a mean of simulations; 0: unknown

    @property
    def remarks(self) -> str:
        """Further data of the move, as text."""
        return ""


class RatedCandidate(Candidate, frozen=True):
    """A root move analysed by a Go program. None: not reported."""

    lead: float | None = None  # of the mover, in points
    prior: float | None = None  # probability of the move by the policy network

    @property
    def remarks(self) -> str:
        parts = [] if self.lead is None else [f"lead {self.lead:+.1f}"]
        parts += [] if self.prior is None else [f"prior {self.prior:.1%}"]
        return ", ".join([*parts, plural(self.visits, "visit")])


class Report(Displayed, msgspec.Struct, frozen=True):
    """The state of a search. Values are from the mover's view, on the scale of `gameplay.value`.

    Shares are 0 if nothing was counted. `final` marks the last report, which `search` returns.
    """

    move: int | None = None  # the best move so far
    value: float = 0
    bound: str = "exact"  # of the value: exact, lower, upper, expectation, unknown; see Candidate
    values: tuple[float, ...] = ()  # by player, in general-sum games
    error: float = 0.0  # standard error of a value that is a mean of simulations; 0: unknown
    candidates: tuple[Candidate, ...] = ()  # the best moves (`multipv`), the best first
    depth: int = 0  # plies of the last completed search; 0: no iterative search
    seldepth: int = 0  # maximum ply reached, quiescence included
    ahead: int = 0  # plies of the search in progress, or stopped; 0: none
    tried: int = 0  # ... number of root moves that it has searched
    choices: int = 0  # ... number of root moves
    visits: int = 0  # simulations
    visited: tuple[Candidate, ...] = ()  # ... the moves with the most of them, at most five
    deals: int = 0  # pimc: different deals among its `visits`
    every_deal: bool = False  # ... these are all deals of the information set, weighted by probability
    trims: int = 0  # how often the tree was full and its least visited nodes were removed
    nodes: int = 0  # positions visited, root and leaves included; single-agent search: generated
    expanded: int = 0  # single-agent search: positions whose moves were generated
    reopened: int = 0  # ... of these, again on a cheaper path
    thresholds: tuple[int, ...] = ()  # dfid, idastar: the limit of each iteration
    claimant: int | None = None  # proof-number search: the attacker; None: another search
    proof: int | None = 0  # ... the proof number of the root; None: infinite
    disproof: int | None = 0  # ... the disproof number
    memory: int = 0  # bytes of stored positions
    seconds: float = 0.0  # search time, without set-up
    pv: tuple[int, ...] = ()  # principal variation, `move` first
    exact: bool = False  # every line was searched to its end: `value` is game-theoretic
    probes: int = 0  # lookups in the transposition table
    hits: int = 0  # lookups that found the position
    fill: float = 0.0  # used share of the table, 0 to 1
    cutoffs: int = 0  # nodes with a beta cutoff
    first_cutoffs: int = 0  # ... by the first move
    star1_cuts: int = 0  # chance nodes cut by the bounds of their remaining outcomes
    star2_cuts: int = 0  # ... by probing one move of each outcome
    branching: float = 0.0  # effective branching factor: nodes ** (1 / depth)
    facts: str = ""  # the book's data of the move, as text
    source: str = "search"  # of move and value: search, book, tables, solver, random
    # Why the search ended: depth, nodes, simulations, time, memory, solved, proven, only move, interrupted,
    # done, book, tables.
    stopped: str = ""
    engine: str = ""
    final: bool = False
    words: tuple[str, ...] = ()  # `pv` in notation, in reports by engines of `gameplay.engine`

    @classmethod
    def of(cls, candidates: tuple[Candidate, ...], **more: Any) -> "Report":
        """A report of candidates, the best first; move, value and line are those of the first."""
        shared = ("move", "value", "bound", "values", "error", "pv")
        return cls(candidates=candidates, **{name: getattr(candidates[0], name) for name in shared} | more)

    @property
    def known(self) -> bool:
        """True if a book, tables or a solver supplied the move, or the moves to search."""
        return self.source not in ("search", "random")

    @property
    def valued(self) -> bool:
        """True if `value` is meaningful: from a completed search, simulations, a proof or knowledge."""
        return self.bound != "unknown" and bool(self.depth or self.visits or self.exact or self.known)

    @property
    def unfinished(self) -> bool:
        """True if no search of all root moves was completed, so that other moves may be better."""
        return self.ahead > 0 and not self.depth

    @property
    def nps(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_share(self) -> float:
        """The share of beta cutoffs by the first move, 0 to 1: a measure of move ordering."""
        return self.first_cutoffs / self.cutoffs if self.cutoffs else 0.0

    @property
    def hit_share(self) -> float:
        """The share of table lookups that found the position, 0 to 1."""
        return self.hits / self.probes if self.probes else 0.0

    def simulated(self) -> str:
        """The number of simulations or deals, as text."""
        if not self.deals:
            return plural(self.visits, "simulation")
        if self.every_deal:
            return f"all {self.deals:,} deals that fit" if self.deals > 1 else "the one deal that fits"
        return f"{plural(self.visits, 'deal')}, {self.deals:,} different"

    def pov(self, mover: int, player: int) -> float:
        """The value from `player`'s view; `mover` is the player on turn at the root."""
        if self.values:
            return self.values[player]
        return scale.pov(self.value, mover, player)

    def ended(self, engine: str, seconds: float, stopped: str = "", final: bool = False) -> "Report":
        """A copy with the data of the session: engine, time and the reason of the end."""
        return self.with_(engine=engine, seconds=seconds, stopped=stopped, final=final)

    def with_(self, **changes: Any) -> "Report":
        """A copy with some fields replaced."""
        return structs.replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        facts = structs.asdict(self) | {"nps": round(self.nps)}
        for name in ("candidates", "visited"):
            facts[name] = [structs.asdict(candidate) for candidate in getattr(self, name)]
        del facts["words"]  # documents have their own
        return facts
