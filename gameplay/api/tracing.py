"""Search traces and trees from Python: `trace` and `search_tree`; shared with the commands."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.api.arguments import check_arguments
from gameplay.api.games import game_at, limits, player_spec
from gameplay.board import Displayed
from gameplay.engines.pimc import Pimc
from gameplay.errors import Unfinished, Usage
from gameplay.matches.match import Match, match_without_players
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.limit import Limit, affordable_depth
from gameplay.search.report import Report
from gameplay.search.session import Session, chance_turn_message
from gameplay.tracing.paths import PathFollower
from gameplay.tracing.proving import ProofFollower
from gameplay.tracing.simulations import SimulationFollower
from gameplay.tracing.trace import Follower, TraceStep
from gameplay.tracing.tree import SearchTreeBuilder, TracedNode

if TYPE_CHECKING:
    from gameplay.search.engine import Engine
    from gameplay.search.trace import TraceEvent

MAX_POSITIONS = 400  # of the tree searched by default
MAX_CHANCE_POSITIONS = 10_000  # of a game with chance, where lines differ more
SIMULATIONS = 20
MAX_EXPANDED = 400  # nodes of searches without a depth limit
MAX_RECORDED = 200_000  # nodes of a recorded tree


@dataclass(frozen=True)
class SearchTrace(Displayed):
    """A search step by step."""

    title: str
    unit: int  # one point of a payoff on the scale of values
    report: Report
    steps: tuple[TraceStep, ...] = field(repr=False)


@dataclass(frozen=True)
class SearchTree(Displayed):
    """The tree that a search visited; with iterative deepening, that of the last iteration."""

    title: str
    unit: int  # one point of a payoff on the scale of values
    report: Report
    most: int  # nodes drawn
    root: TracedNode = field(repr=False)


@check_arguments
def trace(
    position: AbstractPosition,
    engine: "str | Engine" = "",
    *,
    depth: int | None = None,
    nodes: int | None = None,
    sims: int | None = None,
) -> SearchTrace:
    """Trace a search of a position, like `gameplay trace`. A notebook displays the lines.

    `engine`: a built-in engine [the preferred one of the game]; `depth` in plies, `nodes` positions or `sims`
    simulations limit the search [to a readable size]. Raises Usage if there is nothing to trace.
    """
    search = _prepare(position, engine, limits(depth, nodes, None, sims))
    steps: list[TraceStep] = []
    report = search.run(steps.append)
    return SearchTrace(_title(search), position.unit, report, tuple(steps))


@check_arguments
def search_tree(
    position: AbstractPosition,
    engine: "str | Engine" = "",
    *,
    depth: int | None = None,
    nodes: int | None = None,
    sims: int | None = None,
    most: int = 100,
) -> SearchTree:
    """Record the tree of a search of a position, like `gameplay tree`. A notebook displays the picture.

    `most`: nodes drawn (from 1); other arguments are as for `trace`. Raises Usage, and Unfinished if
    the search ended before it visited a node.
    """
    if most < 1:
        raise Usage(f"most must be a number of nodes from 1 up, not {most}")
    search = _prepare(position, engine, limits(depth, nodes, None, sims))
    builder = SearchTreeBuilder(MAX_RECORDED, alone=True, drawn=most)
    report = search.run(builder)
    return SearchTree(_title(search), position.unit, report, most, last_root(builder))


def last_root(builder: SearchTreeBuilder) -> TracedNode:
    """The root of the last completed tree, else of the last one. Raises Unfinished if there is none."""
    whole = [root for root in builder.roots if root.left is not None] or builder.roots
    if not whole:
        raise Unfinished("the search ended before it visited a node")
    return whole[-1]


def _prepare(position: AbstractPosition, engine: "str | Engine", limit: Limit) -> "TracedSearch":
    spec = player_spec(engine) if engine else None
    return TracedSearch(*prepare(match_without_players(game_at(position)), spec, limit))


def _title(search: "TracedSearch") -> str:
    return f"{search.match.game.spec}: {search.engine}, {search.limit}"


@dataclass
class TracedSearch:
    """A search to trace: `run` executes it and sets `report`."""

    match: Match
    engine: "Engine"
    limit: Limit
    game: str = ""  # the game as the user named it
    report: Report | None = None

    @property
    def windowed(self) -> bool:
        """True if the search narrows windows [alpha, beta]."""
        engine = self.engine
        steps = not engine.simulates and engine.theorem != "a cheapest path"
        return steps and engine.view in ("mover", "root") and engine.prunes

    def run(self, sink: Callable[[TraceStep], object], listed: int = 8) -> Report:
        """Search, passing each step to `sink`. `listed`: unsearched moves named at a cutoff."""
        trace = follower(self.engine, self.match.replica(), sink, listed)
        self.report = Session(self.engine).search(self.match.replica(), self.limit, trace=trace, copy=False)
        return self.report


def follower(
    engine: "Engine", position: AbstractPosition, sink: Callable[[TraceStep], object], listed: int
) -> "Callable[[TraceEvent], None]":
    """The follower that converts this engine's trace events to steps; it owns `position`."""
    if engine.theorem == "a cheapest path":
        return PathFollower(position, sink, graph=engine.name == "astar")
    if engine.view == "attacker":
        return ProofFollower(position, sink, listed)
    if engine.simulates:
        return SimulationFollower(position, sink, listed)
    return Follower(position, engine, sink, listed)


def check_decision(match: Match) -> None:
    """Raise Usage unless a player is to move."""
    if match.over():
        raise Usage("the game is over: there is nothing to search")
    match.moves()  # so that errors of the game are not attributed to an engine
    if match.position.turn == CHANCE:
        raise Usage(f"{chance_turn_message(match.position)}; or draw them: --seed 1")


def prepare(match: Match, spec: str | None, limit: Limit) -> "tuple[Match, Engine, Limit]":
    """The match, engine and limit of a search to trace. Raises Usage if there is nothing to trace."""
    check_decision(match)
    default = "pimc" if match.position.hidden else registry.default_engine(match.position).name
    chosen, own = registry.engine(default if spec is None else spec)
    if chosen.instant:
        raise Usage(f"{chosen.name} does not search: there is nothing to trace")
    if match.position.hidden:
        chosen = _with_open_cards(chosen, match.position, spec is not None)
    registry.check_engine(chosen, match.position)
    if chosen.threads > 1:
        raise Usage(f"{chosen.name}: a search of several threads cannot be traced")
    limit = own.within(limit)
    if not limit:
        limit = _readable_limit(chosen, match.position)
    return match, chosen, limit


def _with_open_cards(engine: "Engine", position: AbstractPosition, named: bool) -> "Engine":
    """The engine set to search this deal of a game with imperfect information with all cards open.

    `pimc` searches each deal in this way, so its inner search is traced; if that is a solver and the engine
    was not `named` by the user, max^n is traced instead.
    """
    if isinstance(engine, Pimc):
        registry.check_engine(engine, position)
        by = engine.by_in(position)
        if by in ("solver", "rollout") and named:
            raise Usage(f"pimc:by={by} cannot be traced. Try: pimc:by=maxn")
        engine = registry.engine("maxn" if by == "solver" else by)[0]
    if type(engine).hidden:
        return engine
    traced = copy(engine)
    traced.__class__ = type(type(engine).__name__, (type(engine),), {"hidden": True})
    return traced


def _readable_limit(engine: "Engine", position: AbstractPosition) -> Limit:
    """A limit that keeps the search small enough to read."""
    if engine.simulates:
        return Limit(simulations=SIMULATIONS)
    if engine.theorem == "a cheapest path" or engine.view == "attacker":
        return Limit(nodes=MAX_EXPANDED)
    depth = min(4, affordable_depth(position, MAX_POSITIONS))
    limit = MAX_CHANCE_POSITIONS
    while depth > 1 and position.chance and _size(position, depth, limit) > limit:
        depth -= 1  # other lines than the measured one may have more outcomes
    return Limit(depth=depth)


def _size(position: AbstractPosition, depth: int, most: int) -> int:
    """The number of positions of a full-width search, chance nodes being no ply; counted up to `most` + 1."""
    chance = position.turn < 0
    if (depth == 0 and not chance) or position.outcome() is not None:  # an evaluation follows the deal
        return 1
    count, moves = 1, position.moves()
    if len(moves) > most:
        return most + 1
    left = depth if chance else depth - 1
    for move in moves:
        position.make(move)
        count += _size(position, left, most - count)
        position.unmake()
        if count > most:
            break
    return count
