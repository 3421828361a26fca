"""What `trace` and `tree` share: the position, the engine and its limits, and the search that is followed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import ENGINE, Decorator, Integer, game_argument, limit_options
from gameplay.errors import Usage
from gameplay.search.limit import Limit, affordable_depth

if TYPE_CHECKING:
    from gameplay.matches.match import Match
    from gameplay.position import AbstractPosition
    from gameplay.search.engine import Engine
    from gameplay.search.report import Report
    from gameplay.search.trace import TraceEvent
    from gameplay.tracing.trace import TraceStep

SMALL = 400  # positions of the tree that is searched by default
LARGE = 10_000  # ... of a game of chance at most, whose lines differ more
SIMULATIONS = 20
EXPANDED = 400  # by searches without a depth limit


@dataclass
class Followed:
    """A search to be followed: `run` does it, and leaves its report."""

    game: str  # as it was asked for
    match: "Match"
    engine: "Engine"
    limit: Limit
    report: "Report | None" = None

    def title(self) -> str:
        """What is searched."""
        from gameplay.display.reports.trace import title

        return title(self.match, self.game, self.engine, self.limit)

    @property
    def windowed(self) -> bool:
        """Does the search narrow windows?"""
        engine = self.engine
        steps = not engine.simulates and engine.theorem != "a cheapest way"
        return steps and engine.view in ("mover", "root") and engine.prunes

    def legend(self) -> list[str]:
        """The legend of the trace, in lines."""
        from gameplay.display.reports.trace import legend

        return legend(self.match, self.engine)

    def run(self, sink: "Callable[[TraceStep], object]", listed: int = 8) -> "Report":
        """Search, and hand each step to `sink`. `listed`: how many moves that a cut leaves are named."""
        from gameplay.search.session import Session

        trace = follower(self.engine, self.match.replica(), sink, listed)
        self.report = Session(self.engine).search(self.match.replica(), self.limit, trace=trace, copy=False)
        return self.report


def follower(
    engine: "Engine", position: "AbstractPosition", sink: "Callable[[TraceStep], object]", listed: int
) -> "Callable[[TraceEvent], None]":
    """What turns the events of a search by this engine into steps. `position` is its own."""
    from gameplay.tracing.paths import WayFollower
    from gameplay.tracing.proving import ProofFollower
    from gameplay.tracing.simulations import SimulationFollower
    from gameplay.tracing.trace import Follower

    if engine.theorem == "a cheapest way":
        return WayFollower(position, sink, graph=engine.name == "astar")
    if engine.view == "attacker":
        return ProofFollower(position, sink, listed)
    if engine.simulates:
        return SimulationFollower(position, sink, listed)
    return Follower(position, engine, sink, listed)


def searched(default: str) -> Decorator:
    """GAME, the position, `--engine` and the limits, given as `asked`. `default`: what no limit means."""

    def decorate(command: Any) -> Any:
        @wraps(command)
        def call(**values: Any) -> Any:
            names = ("game", "position", "moves", "engine", "limit", "seed")
            return command(followed(**{name: values.pop(name) for name in names}), **values)

        decorated: Any = call
        for option in reversed(
            (
                game_argument(),
                click.option(
                    "--position", metavar="TEXT", default="", help="Search this position [the start]."
                ),
                click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".'),
                click.option(
                    "--seed",
                    type=Integer(0),
                    help="Sample chance nodes by this seed until a player is to move.",
                ),
                click.option(
                    "--engine",
                    type=ENGINE,
                    metavar="SPEC",
                    help="Engine to follow: alphabeta:order=killer [the game's default].",
                ),
                limit_options(
                    f"Search depth limit in plies [{default}].",
                    "Node limit of the search.",
                    "Time limit of the search, in seconds.",
                ),
            )
        ):
            decorated = option(decorated)
        return decorated

    return decorate


def followed(
    game: str, position: str, moves: str, engine: str | None, limit: Limit, seed: int | None = None
) -> Followed:
    """The search to trace. Raises Usage if there is nothing to trace."""
    from gameplay import registry
    from gameplay.matches.match import unplayed
    from gameplay.position import CHANCE
    from gameplay.search.session import chance_turn_message

    match = unplayed(registry.game(game), position, moves.replace(",", " ").split(), seed or 0)
    while seed is not None and match.position.turn == CHANCE and not match.over():
        match.step()
    if match.over():
        raise Usage("the game is over: there is nothing to search")
    match.moves()  # so that what is wrong in the game is not put down to an engine
    if match.position.turn == CHANCE:
        raise Usage(f"{chance_turn_message(match.position)}; or draw them: --seed 1")
    usual = "pimc" if match.position.hidden else registry.usual_engine(match.position).name
    chosen, own = registry.engine(usual if engine is None else engine)
    if chosen.instant:
        raise Usage(f"{chosen.name} does not search, so that there is nothing to follow")
    if match.position.hidden:
        chosen = _opened(chosen, match.position, engine is not None)
    registry.fit(chosen, match.position)
    if chosen.threads > 1:
        raise Usage(f"{chosen.name}: a search of several threads cannot be traced")
    limit = own.within(limit)
    if not limit:
        limit = _small(chosen, match.position)
    return Followed(game, match, chosen, limit)


def _opened(engine: "Engine", position: "AbstractPosition", named: bool) -> "Engine":
    """The engine set to search this deal of a game with imperfect information with all cards open.

    `pimc` searches each deal in this way, so its inner search is traced; if that is a solver and the engine
    was not `named` by the user, max^n is traced instead.
    """
    from copy import copy

    from gameplay import registry
    from gameplay.engines.pimc import Pimc

    if isinstance(engine, Pimc):
        registry.fit(engine, position)
        by = engine.by_in(position)
        if by in ("solver", "rollout") and named:
            raise Usage(f"pimc by its {by} cannot be traced; pimc:by=maxn can")
        engine = registry.engine("maxn" if by == "solver" else by)[0]
    if type(engine).hidden:
        return engine
    seeing = copy(engine)
    seeing.__class__ = type(type(engine).__name__, (type(engine),), {"hidden": True})
    return seeing


def _small(engine: "Engine", position: "AbstractPosition") -> Limit:
    """A limit with which a search is small enough to be read."""
    if engine.simulates:
        return Limit(simulations=SIMULATIONS)
    if engine.theorem == "a cheapest way" or engine.view == "attacker":
        return Limit(nodes=EXPANDED)
    depth = min(4, affordable_depth(position, SMALL))
    while depth > 1 and position.chance and _size(position, depth, LARGE) > LARGE:
        depth -= 1  # another line than the one that was followed has more deals
    return Limit(depth=depth)


def _size(position: "AbstractPosition", depth: int, most: int) -> int:
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
