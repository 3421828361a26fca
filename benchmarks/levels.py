"""How far apart neighbouring levels are: each level of a game against the one below it.

`python -m benchmarks levels` measures every game of `players/ladders.py`, which takes hours:

    levels:game=nim+pig,games=400,seed=7    these games, so many games a step, other seeds
    levels:game=chess,first=8               from level 8 against level 7 on
    levels:game=pig,aim=150                 choose the slips (of engines of simulations, the shares of moves
                                            made without looking) anew, each so that its level is about 150
                                            Elo above the one below. Looks ahead as the ladder does, and
                                            leaves the first level and the last as they are
    levels:game=pig,ladder=1/0.9+1/0.3+/0   levels to try, from the first on: plies (or doublings) / slip, and
                                            with no plies as many as a move may cost

Games are those of a match, played here one after the other without a thread for each move. They come in
groups of one opening (of chess, Othello and checkers those in configs/openings, of some games a few random
plies, else the start), the same dice, and every seating: of more than two players one is of the higher level,
the others of the lower one, or in partnerships a side each. Points are as in `runs.pairing`: in a game for
four the share of the three others that were beaten.
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
from gameplay.players.level import ladder as ladder_of
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
BEGIN = {
    "chess": Openings(file=str(OPENINGS / "chess.txt"), reuse=True),
    "othello": Openings(file=str(OPENINGS / "othello.txt"), reuse=True),
    "checkers": Openings(file=str(OPENINGS / "checkers-ballots.txt"), reuse=True),
    "connect4": Openings(plies=3),
    "go": Openings(plies=2),
    "chinese-checkers": Openings(plies=2),
}
PARTNERS = {"bridge": (0, 1, 0, 1)}  # the side of each seat
TABLE = "4MB"
TRIES = 6  # slips tried for a level
NEAR = 20  # Elo from the aim at which the search for a slip ends
SMALLEST = ({"game": "tictactoe", "games": "4", "last": "2"},)


class Here(Session):
    """Searches where it is asked: for a low level's move a thread of its own takes longer than the search."""

    def search(self, position: Any, limit: Limit | None = None, *others: Any, **more: Any) -> Report:
        """See `Session.search`; only positions and plies limit it."""
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
class Step:
    """What came of a match of two levels: of each group of games the mean points and the mean payoff."""

    points: Sequence[float]
    payoffs: Sequence[float]
    games: int
    seconds: float

    @property
    def gain(self) -> float:
        """Elo of the higher level over the lower one."""
        return elo(fmean(self.points))

    @property
    def margin(self) -> float:
        """Half the 95 % interval of the gain."""
        score = estimate(self.points, span=(0.0, 1.0), against=0.5)
        return (elo(score.high) - elo(score.low)) / 2

    @property
    def paid(self) -> str:
        """The mean payoff of a game, in the game's points, and its 95 % interval."""
        return timing.interval(self.payoffs, "+.3f")


def meet(game: Game, higher: LevelSettings, lower: LevelSettings, games: int, seed: int) -> Step:
    """A match of two levels."""
    start = game.new()
    sides = PARTNERS.get(game.name, tuple(range(start.players)))
    legs = max(sides) + 1
    groups = max(2, games // legs)
    begins = openings.select_openings(game, BEGIN.get(game.name, Openings(plies=0)), groups, seed).openings
    begun = time.monotonic()
    engine = level_engine(game)
    if "table" in engine.options() and engine.table_bits:
        engine = replace(engine, table=TABLE)
    sessions = [[Here(engine) for _ in sides] for _ in range(legs)]  # whose tables serve all games
    scores, payoffs = [], []
    for number, opening in enumerate(begins):
        won, paid = 0.0, 0.0
        for leg in range(legs):
            players = [
                LevelPlayer(engine, higher if side == leg else lower, seed_of(seed, number, leg, seat))
                for seat, side in enumerate(sides)
            ]
            for player, sitting in zip(players, sessions[leg], strict=True):
                sitting.engine = player.engine
                player.session = sitting
            match = Match(game, players, opening.start, opening.moves, seed_of(seed, number))
            match.play()
            assert match.payoffs is not None
            won += _score(match.payoffs, sides, leg)
            paid += match.payoffs[sides.index(leg)]
        scores.append(won / legs)
        payoffs.append(paid / legs)
    return Step(scores, payoffs, groups * legs, time.monotonic() - begun)


def _score(payoffs: Sequence[float], sides: Sequence[int], side: int) -> float:
    """The points of a side's game, 0 to 1."""
    if len(set(sides)) == len(sides):
        return points(payoffs)[side]
    return points([payoffs[sides.index(each)] for each in sorted(set(sides))])[side]


def tables(
    game: str = "",
    games: str = "200",
    seed: str = "29",
    first: str = "2",
    last: str = "99",
    aim: str = "",
    ladder: str = "",
) -> Iterator[Table]:
    """A table a game."""
    for name in game.split("+") if game else LADDERS:
        found = registry.game(name)
        rows = _tried(found, ladder)
        numbers = range(int(first), min(int(last), len(rows)) + 1)
        title = f"Levels of {name}, {games} games a step, seed {seed}"
        if aim:
            rows = list(rows)
            for number in numbers:
                if 1 < number < len(rows):
                    rows[number - 1] = _chosen(found, rows, number, float(aim), int(games), int(seed))
        table = Table(title=title)
        for heading in ("level", "ahead", "errs", "score", "Elo", "95 %", "payoff", "games", "ms a game"):
            table.add_column(heading, justify="right")
        for number in numbers:
            progress.say(f"{name}, level {number}")
            rung, below = _settings(found, number, rows), _settings(found, number - 1, rows)
            step = meet(found, rung, below, int(games), int(seed) + 1000 * bool(aim))
            told = (f"{100 * fmean(step.points):.2f} %", f"{step.gain:+.0f}", f"± {step.margin:.0f}")
            spent = (step.paid, str(step.games), f"{1000 * step.seconds / step.games:.0f}")
            depth, errs = rows[number - 1]
            print(number, depth, f"{errs:.4g}", *told, *spent, flush=True)
            table.add_row(str(number), str(depth), f"{errs:.4g}", *told, *spent)
        yield table


def _tried(game: Game, words: str) -> Sequence[tuple[int | None, float]]:
    """The levels as the words say, else those of the game."""
    if not words:
        return ladder_of(game, level_engine(game))
    pairs = (word.partition("/")[::2] for word in words.split("+"))
    return [(int(depth) if depth else None, float(errs)) for depth, errs in pairs]


def _settings(game: Game, number: int, rows: Sequence[tuple[int | None, float]]) -> LevelSettings:
    return make_settings(level_engine(game), game, number, *rows[number - 1])


def _chosen(
    game: Game, rows: Sequence[tuple[int | None, float]], number: int, aim: float, games: int, seed: int
) -> tuple[int | None, float]:
    """How a level looks ahead and errs so that it is `aim` Elo above the one below.

    Between the nearest two that were tried it is chosen by the straight line through them; where all that
    were tried lie on one side of the aim, half as much again is tried, or that much less.
    """
    below = _settings(game, number - 1, rows)
    depth, errs = rows[number - 1]
    tried: list[tuple[float, float]] = []  # gain less the aim, log of what it errs
    for attempt in range(TRIES):
        level = make_settings(level_engine(game), game, number, depth, errs)
        step = meet(game, level, below, games, seed + 31 * attempt)
        tried.append((max(-400.0, min(400.0, step.gain)) - aim, log(errs)))
        print(f"  {number}: {errs:.4g} {step.gain:+.0f} ± {step.margin:.0f}", flush=True)
        if abs(tried[-1][0]) < NEAR:
            break
        over = min((one for one in tried if one[0] >= 0), default=None)
        under = max((one for one in tried if one[0] < 0), default=None)
        if over is None or under is None:
            errs = errs / 1.5 if over is None else errs * 1.5
        else:
            share = -under[0] / (over[0] - under[0])
            errs = exp(under[1] + share * (over[1] - under[1]))
    return depth, float(f"{errs:.2g}")
