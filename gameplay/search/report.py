"""What a search says, while it thinks and when it is done."""

from typing import Any

import msgspec
from msgspec import structs

from gameplay import value as scale
from gameplay.board import Displayed
from gameplay.plural import plural


class Candidate(msgspec.Struct, frozen=True):
    """A move at the root and what the search makes of it. The value is from the mover's view.

    `bound` is the kind of the value: `exact` at the depth searched, `lower` (it is at least this), `upper`
    (at most this), `expectation`, a mean over chance or over simulations, or `unknown`: there is none (yet).
    """

    move: int
    value: float = 0
    bound: str = "exact"
    visits: int = 0  # simulations that began with it, or nodes, where the search counts them by move
    pv: tuple[int, ...] = ()  # `move` first
    proven: bool = False  # every line was searched to its end: the value is the game-theoretic one
    values: tuple[float, ...] = ()  # each player's, in general-sum games
    error: float = 0.0  # the standard error of a mean of simulations; 0: not known

    @property
    def remarks(self) -> str:
        """What else a program says of it, in words."""
        return ""


class RatedCandidate(Candidate, frozen=True):
    """A move as a program for Go rates it, which says more of it. None: it does not say."""

    lead: float | None = None  # points by which the mover leads
    prior: float | None = None  # the probability that its network gives the move before any search

    @property
    def remarks(self) -> str:
        parts = [] if self.lead is None else [f"lead {self.lead:+.1f}"]
        parts += [] if self.prior is None else [f"prior {self.prior:.1%}"]
        return ", ".join([*parts, plural(self.visits, "visit")])


class Report(Displayed, msgspec.Struct, frozen=True):
    """The state of a search. Values are from the mover's view, on the scale of `gameplay.value`.

    Rates are 0 where nothing was counted. `final` marks the last report, the one `search` returns.
    """

    move: int | None = None  # the best move so far
    value: float = 0
    bound: str = "exact"  # of the value: exact, lower, upper, expectation, unknown; see Candidate
    values: tuple[float, ...] = ()  # each player's, in general-sum games
    error: float = 0.0  # the standard error of a value that is a mean of simulations; 0: not known
    candidates: tuple[Candidate, ...] = ()  # the best moves, as many as were asked for, the best first
    depth: int = 0  # plies of the last search that was finished; 0: it does not search ply by ply
    seldepth: int = 0  # the deepest ply seen, quiescence included
    ahead: int = 0  # plies of the search that is under way, or was when it was stopped; 0: none
    tried: int = 0  # ... how many moves of the root it has searched
    choices: int = 0  # ... and how many there are
    visits: int = 0  # simulations, for engines that count them instead of plies
    visited: tuple[Candidate, ...] = ()  # ... and the moves with most of them, five at most
    deals: int = 0  # of pimc: different deals of what is hidden that it searched, of its `visits`
    every_deal: bool = False  # ... and they are all that fit what the mover knows, each by its odds
    trims: int = 0  # how often their tree was full, and what was visited least was dropped
    nodes: int = 0  # positions visited, the root and the leaves among them; in single-agent search: generated
    expanded: int = 0  # ... of these, those whose moves were generated, in single-agent search
    reopened: int = 0  # ... and how many of them again, on a cheaper way
    thresholds: tuple[int, ...] = ()  # what ways were allowed to cost or to count, one after the other
    claimant: int | None = None  # proof-number search: who is to be shown to win; None: it is none
    proof: int | None = 0  # ... the fewest leaves that have to be won to prove it; None: none would do
    disproof: int | None = 0  # ... and to disprove it
    memory: int = 0  # bytes for positions that are kept
    seconds: float = 0.0  # of the search alone, without what it took to set up
    pv: tuple[int, ...] = ()  # the line both sides are expected to play, `move` first
    exact: bool = False  # the search saw every line to its end: `value` is the game's own
    probes: int = 0  # looks into the table
    hits: int = 0  # looks that found the position
    fill: float = 0.0  # share of the table in use, 0 to 1
    cutoffs: int = 0  # nodes where a move was good enough to stop
    first_cutoffs: int = 0  # ... and it was the first move tried
    star1_cuts: int = 0  # chance nodes whose other outcomes could not bring the mean back into the window
    star2_cuts: int = 0  # ... where one move of each outcome, probed, already showed this
    branching: float = 0.0  # effective branching factor: nodes ** (1 / depth)
    facts: str = ""  # what the book that named the move knows of it, for people
    source: str = "search"  # where move and value come from: search, book, tables, solver, random
    # Why it ended: depth, nodes, simulations, time, memory, solved, proven, only move, interrupted, done;
    # book, tables.
    stopped: str = ""
    engine: str = ""
    final: bool = False
    words: tuple[str, ...] = ()  # `pv` in words: of reports by engines of `gameplay.engine`

    @classmethod
    def of(cls, candidates: tuple[Candidate, ...], **more: Any) -> "Report":
        """A report of the best moves, the best first: its move, value and line are those of the first."""
        shared = ("move", "value", "bound", "values", "error", "pv")
        return cls(candidates=candidates, **{name: getattr(candidates[0], name) for name in shared} | more)

    @property
    def known(self) -> bool:
        """True if a book or endgame tables named the move, or the moves that were searched."""
        return self.source not in ("search", "random")

    @property
    def valued(self) -> bool:
        """True if `value` is one: of a finished search, of simulations, proved, or known."""
        return self.bound != "unknown" and bool(self.depth or self.visits or self.exact or self.known)

    @property
    def unfinished(self) -> bool:
        """True if not even one search of the whole root was finished: moves not tried may be better."""
        return self.ahead > 0 and not self.depth

    @property
    def nps(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_share(self) -> float:
        """Share of the cutoffs made by the first move tried, 0 to 1: how good the move ordering is."""
        return self.first_cutoffs / self.cutoffs if self.cutoffs else 0.0

    @property
    def hit_share(self) -> float:
        """Share of the looks into the table that found the position, 0 to 1."""
        return self.hits / self.probes if self.probes else 0.0

    def simulated(self) -> str:
        """How many simulations there were, in words, or deals of what is hidden."""
        if not self.deals:
            return plural(self.visits, "simulation")
        if self.every_deal:
            return f"all {self.deals:,} deals that fit" if self.deals > 1 else "the one deal that fits"
        return f"{plural(self.visits, 'deal')}, {self.deals:,} different"

    def pov(self, mover: int, player: int) -> float:
        """The value from `player`'s view, `mover` being the player at the root."""
        if self.values:
            return self.values[player]
        return scale.pov(self.value, mover, player)

    def ended(self, engine: str, seconds: float, stopped: str = "", final: bool = False) -> "Report":
        """The same with what only the session knows: whose, how long, and at the end why."""
        return self.with_(engine=engine, seconds=seconds, stopped=stopped, final=final)

    def with_(self, **changes: Any) -> "Report":
        """A copy with some fields replaced."""
        return structs.replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        facts = structs.asdict(self) | {"nps": round(self.nps)}
        for name in ("candidates", "visited"):
            facts[name] = [structs.asdict(candidate) for candidate in getattr(self, name)]
        del facts["words"]  # documents have words of their own
        return facts
