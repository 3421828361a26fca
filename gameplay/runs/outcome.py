"""What a stored run has come to: everything that is told at its end, computed from its games alone."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gameplay.position import side
from gameplay.runs.pairing import Ranked, points, standings
from gameplay.runs.plan import Plan, decode
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.tally import Tally, played
from gameplay.statistics import guards
from gameplay.statistics.joint import HeadToHead, Ratings, ratings
from gameplay.statistics.rating import NoRating
from gameplay.statistics.sprt import Verdict
from gameplay.store.lines import COUNTED, Kept
from gameplay.store.runs import Run, Store


@dataclass
class Outcome:
    """See the head of this file. Results of two players are from the first one's view."""

    run: Run
    path: str
    plan: Plan
    schedule: Schedule
    standing: Standing
    games: int
    tally: Tally | None  # of two players
    met: dict[tuple[int, int], list[float]]  # points of the first of two players against the second, games
    lines: list[Ranked]  # the table of a tournament
    table: Ratings | None  # the ratings of all
    unrated: str  # why there is none
    warnings: list[str]
    seconds: float = 0.0
    jobs: int = 0

    @property
    def verdict(self) -> Verdict | None:
        """What SPRT says."""
        return self.standing.verdict

    @property
    def names(self) -> list[str]:
        """The players in the plan's order."""
        return [entry.name for entry in self.plan.players]

    @property
    def sides(self) -> list[str]:
        """What the seats are called."""
        position = self.schedule.game.new()
        return [side(position, seat) for seat in range(self.schedule.places)]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        document: dict[str, Any] = {
            "run": self.run.id,
            "store": self.path,
            "game": self.plan.game,
            "form": self.plan.form,
            "players": [
                {"name": name, "player": spec}
                for name, spec in zip(self.names, self.schedule.specs, strict=True)
            ],
            "state": self.run.state,
            "scheduled": self.schedule.total,
            "seed": self.plan.seed,
            "games": self.games,
        }
        if self.tally is not None:
            document |= self.tally.as_dict() | {"sides": self.sides}
        rated = {one.name: one.as_dict() for one in self.table.standings} if self.table else {}
        document["sprt"] = self.verdict.as_dict() if self.verdict else None
        document["standings"] = [
            {
                "name": self.names[line.player],
                "score": line.score,
                **{
                    key: value
                    for key, value in rated.get(self.names[line.player], {}).items()
                    if key != "name"
                },
            }
            for line in self.lines
        ]
        document["warnings"] = self.warnings
        document |= {"wall_seconds": round(self.seconds, 3), "jobs": self.jobs}
        return document


def outcome(
    store: Store, run: Run, seconds: float = 0.0, jobs: int = 0, schedule: Schedule | None = None
) -> Outcome:
    """What is in the store of that run. Give its schedule if there is one: openings take a while to find."""
    plan = decode(run.plan)
    schedule = schedule or Schedule(plan)
    standing = Standing(schedule)
    two = len(plan.players) == 2 and schedule.places == 2
    tally = Tally() if two else None
    met: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    singles: Counter[tuple[int, int, int]] = Counter()  # two players, half points of the first: games
    late: Counter[str] = Counter()
    claims: Counter[str] = Counter()  # against the rules
    trails: Counter[str] = Counter()
    games = 0
    for game in store.games(run.id, COUNTED):
        games += 1
        standing.add(game.pair, game.leg, game.payoffs)
        seated = standing.pairs[game.pair].seating(game.leg)
        _meet(game, seated, met, singles)
        if game.termination == "time_forfeit":
            late[game.offender] += 1
        if game.claim:
            claims[game.offender] += 1
        if game.trail:
            trails[f"{game.trail} {seated}"] += 1
        if tally is not None and game.points is not None:
            record = game.read()
            moves = record.moves if record is not None else []
            tally.add(played(game.pair, game.first, game.points, moves, game.trail, game.times))
    results = [
        HeadToHead(plan.players[one].name, plan.players[other].name, counts)
        for (one, other), counts in _counts(schedule, standing, singles).items()
    ]
    repeats = sum(trails.values()) - len(trails)
    found = [guards.duplicates(games, repeats), *(guards.forfeits(games, late[who], who) for who in late)]
    if schedule.selection.repeats:
        found.append(guards.openings(len(standing.pairs), len(set(schedule.openings))))
    refused = next((str(guard) for guard in found if guard is not None and guard.refuses), "")
    table, unrated = None, refused
    if tally is not None:
        tally.refused = refused
    if not refused:
        try:
            table = ratings(results, [entry.name for entry in plan.players])
        except NoRating as reason:
            unrated = str(reason)
    if schedule.total is not None:
        found.append(guards.peeking(schedule.total, games, plan.sprt is not None))
    told = [
        f"{who} contradicts the rules on the result of {count:,} of {games:,} games"
        for who, count in claims.items()
    ]
    doubts = (str(doubt) for doubt in found if doubt and not doubt.refuses)
    return Outcome(
        run=run,
        path=str(store.path),
        plan=plan,
        schedule=schedule,
        standing=standing,
        games=games,
        tally=tally,
        met=dict(met),
        lines=standings(plan, standing.results, schedule.places),
        table=table,
        unrated=unrated,
        warnings=[*schedule.selection.notes, *told, *doubts],
        seconds=seconds,
        jobs=jobs,
    )


def _meet(
    game: Kept,
    seated: tuple[int, ...],
    met: defaultdict[tuple[int, int], list[float]],
    singles: Counter[tuple[int, int, int]],
) -> None:
    """Put down how each two players of a game did against each other."""
    for (one, mine), (other, its) in combinations(sorted(zip(seated, game.payoffs, strict=True)), 2):
        share = points([mine, its])[0]
        for pair, won in (((one, other), share), ((other, one), 1 - share)):
            met[pair][0] += won
            met[pair][1] += 1
        singles[one, other, int(2 * share)] += 1


def _counts(
    schedule: Schedule, standing: Standing, singles: Counter[tuple[int, int, int]]
) -> dict[tuple[int, int], list[int]]:
    """The counts of each two players: five of complete pairs, or three of games where more than two play."""
    found: dict[tuple[int, int], list[int]] = {}
    if schedule.places != 2:
        for (one, other, half), count in singles.items():
            found.setdefault((one, other), [0, 0, 0])[half] += count
        return found
    for number, (mine, _) in standing.results.items():
        one, other = standing.pairs[number].players
        found.setdefault((one, other), [0] * 5)[int(2 * mine)] += 1
    return found
