"""Elo differences between neighbouring levels: each level of a game plays the level below.

`python -m benchmarks levels` measures every game of `players/ladders.py`, which takes hours:

    levels:game=nim+pig,games=400,seed=7    the games; games per pair of levels; the seed
    levels:game=chess,first=8               start with level 8 against level 7
    levels:game=pig,aim=150                 fit the slips (for engines with simulations, the share of random
                                            moves) so that each level is about 150 Elo above the level below.
                                            Depths, the first level and the last are not changed
    levels:game=pig,ladder=1/0.9+1/0.3+/0   levels to measure, from the first: depth in plies (or doublings of
                                            simulations) / slip; without a depth only nodes are limited

Games are played in this process, one after the other, without a thread for each move. Games of a group have
the same opening (chess, Othello and checkers: configs/openings; some games: random plies; else the initial
position), the same dice, and all seatings: with more than two players, one has the higher level and the
others the lower one; in partnerships, each side has a level. Points are those of `runs.pairing`: with four
players, the share of the three opponents that were beaten.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.matches.match import Match
from gameplay.players.ladders import LADDERS
from gameplay.players.level import LevelPlayer, LevelSettings, level_engine, make_settings
from gameplay.players.level import ladder as default_ladder
from gameplay.registry import Game
from gameplay.runs import openings
from gameplay.runs.pairing import points
from gameplay.runs.plan import Openings
from gameplay.search.control import Control
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.seeds import seed_of
from gameplay.search.session import SearchSetup, Session
from gameplay.statistics.interval import estimate
from gameplay.statistics.rating import elo
from gameplay.value import MAX_PLY

OPENINGS = Path(__file__).parent.parent / "configs" / "openings"
OPENINGS_BY_GAME = {
    "chess": Openings(file=str(OPENINGS / "chess.txt"), reuse=True),
    "othello": Openings(file=str(OPENINGS / "othello.txt"), reuse=True),
    "checkers": Openings(file=str(OPENINGS / "checkers-ballots.txt"), reuse=True),
    "connect4": Openings(plies=3),
    "go": Openings(plies=2),
    "chinese-checkers": Openings(plies=2),
}
PARTNERS = {"bridge": (0, 1, 0, 1)}  # the side of each seat
TABLE_SIZE = "4MB"
ATTEMPTS = 6  # matches to fit the slip of a level
TOLERANCE = 20  # Elo from the aim at which fitting stops
SMALLEST = ({"game": "tictactoe", "games": "4", "last": "2"},)


class InThread(Session):
    """Searches in the calling thread; to start another takes longer than the searches of low levels."""

    def search(self, position: Any, limit: Limit | None = None, *others: Any, **more: Any) -> Report:
        """See `Session.search`; only limits of nodes and depth apply."""
        engine = self.engine
        limit = engine.default_limit(position, limit or Limit())
        position.evaluation = engine.evaluation(position) or position.evaluation
        position.heuristic = engine.heuristic_for(position)
        control = Control(limit.nodes or 0)
        first, *_ = engine.searches(SearchSetup(position, limit, control, self.table(control.nodes)))
        first.run(limit.depth or MAX_PLY)
        report: Report = first.report()
        return report.ended(str(engine), 0.0, "depth", final=True)


@dataclass(frozen=True)
class LevelMatch:
    """The result of a match between two levels."""

    points: Sequence[float]  # of the higher level, mean of each group of games, 0 to 1
    payoffs: Sequence[float]  # of the higher level, mean of each group of games
    games: int
    seconds: float

    @property
    def gain(self) -> float:
        """Elo of the higher level minus that of the lower one."""
        return elo(fmean(self.points))

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the gain."""
        score = estimate(self.points, span=(0.0, 1.0), against=0.5)
        return (elo(score.high) - elo(score.low)) / 2

    @property
    def payoff(self) -> str:
        """Mean payoff of a game and its 95 % interval."""
        return timing.format_interval(self.payoffs, "+.3f")


def play_match(game: Game, higher: LevelSettings, lower: LevelSettings, games: int, seed: int) -> LevelMatch:
    """Play a match between two levels."""
    sides = PARTNERS.get(game.name, tuple(range(game.new().players)))
    legs = max(sides) + 1
    groups = max(2, games // legs)
    source = OPENINGS_BY_GAME.get(game.name, Openings(plies=0))
    start = time.monotonic()
    engine = level_engine(game)
    if "table" in engine.options() and engine.table_bits:
        engine = replace(engine, table=TABLE_SIZE)
    sessions = [[InThread(engine) for _ in sides] for _ in range(legs)]  # tables are reused by all games
    scores, payoffs = [], []
    for number, opening in enumerate(openings.select_openings(game, source, groups, seed).openings):
        group_points, group_payoff = 0.0, 0.0
        for leg in range(legs):
            players = [
                LevelPlayer(engine, higher if side == leg else lower, seed_of(seed, number, leg, seat))
                for seat, side in enumerate(sides)
            ]
            for player, session in zip(players, sessions[leg], strict=True):
                session.engine = player.engine
                player.session = session
            match = Match(game, players, opening.start, opening.moves, seed_of(seed, number))
            match.play()
            assert match.payoffs is not None
            group_points += _score(match.payoffs, sides, leg)
            group_payoff += match.payoffs[sides.index(leg)]
        scores.append(group_points / legs)
        payoffs.append(group_payoff / legs)
    return LevelMatch(scores, payoffs, groups * legs, time.monotonic() - start)


def _score(payoffs: Sequence[float], sides: Sequence[int], side: int) -> float:
    """The points of a side in a game, 0 to 1."""
    if len(set(sides)) == len(sides):
        return points(payoffs)[side]
    return points([payoffs[sides.index(number)] for number in sorted(set(sides))])[side]


def tables(
    game: str = "",
    games: str = "200",
    seed: str = "29",
    first: str = "2",
    last: str = "99",
    aim: str = "",
    ladder: str = "",
) -> Iterator[Table]:
    """A table for each game. Rows are also printed as they are measured."""
    for name in game.split("+") if game else LADDERS:
        rules = registry.game(name)
        levels = _parse_ladder(ladder) if ladder else default_ladder(rules, level_engine(rules))
        numbers = range(int(first), min(int(last), len(levels)) + 1)
        if aim:
            levels = list(levels)
            for number in numbers:
                if 1 < number < len(levels):
                    levels[number - 1] = _fit_slip(rules, levels, number, float(aim), int(games), int(seed))
        table = Table(title=f"{name}: each level against the level below, {games} games, seed {seed}")
        for heading in ("level", "depth", "slip", "score", "Elo", "95 %", "payoff/game", "games", "ms/game"):
            table.add_column(heading, justify="right")
        for number in numbers:
            progress.show(f"{name}, level {number}")
            higher, lower = _settings(rules, number, levels), _settings(rules, number - 1, levels)
            match = play_match(rules, higher, lower, int(games), int(seed) + 1000 * bool(aim))
            depth, slip = levels[number - 1]
            row = (
                str(number),
                str(depth),
                f"{slip:.4g}",
                f"{100 * fmean(match.points):.2f} %",
                f"{match.gain:+.0f}",
                f"± {match.margin:.0f}",
                match.payoff,
                str(match.games),
                f"{1000 * match.seconds / match.games:.0f}",
            )
            print(*row, flush=True)
            table.add_row(*row)
        yield table


def _parse_ladder(text: str) -> list[tuple[int | None, float]]:
    """The depth and the slip of each level, from `DEPTH/SLIP+DEPTH/SLIP+...`."""
    pairs = (level.partition("/")[::2] for level in text.split("+"))
    return [(int(depth) if depth else None, float(slip)) for depth, slip in pairs]


def _settings(game: Game, number: int, levels: Sequence[tuple[int | None, float]]) -> LevelSettings:
    return make_settings(level_engine(game), game, number, *levels[number - 1])


def _fit_slip(
    game: Game, levels: Sequence[tuple[int | None, float]], number: int, aim: float, games: int, seed: int
) -> tuple[int | None, float]:
    """The depth of a level, and the slip with which it is about `aim` Elo above the level below.

    The next slip interpolates the logarithm linearly between the nearest results on both sides of the aim;
    until there are both, the slip is multiplied or divided by 1.5.
    """
    below = _settings(game, number - 1, levels)
    depth, slip = levels[number - 1]
    results: list[tuple[float, float]] = []  # gain minus the aim, log of the slip
    for attempt in range(ATTEMPTS):
        level = make_settings(level_engine(game), game, number, depth, slip)
        match = play_match(game, level, below, games, seed + 31 * attempt)
        results.append((max(-400.0, min(400.0, match.gain)) - aim, log(slip)))
        print(f"  {number}: {slip:.4g} {match.gain:+.0f} ± {match.margin:.0f}", flush=True)
        if abs(results[-1][0]) < TOLERANCE:
            break
        over = min((result for result in results if result[0] >= 0), default=None)
        under = max((result for result in results if result[0] < 0), default=None)
        if over is None or under is None:
            slip = slip / 1.5 if over is None else slip * 1.5
        else:
            share = -under[0] / (over[0] - under[0])
            slip = exp(under[1] + share * (over[1] - under[1]))
    return depth, float(f"{slip:.2g}")
