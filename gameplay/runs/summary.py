"""The results of games as plain figures: encounters, ratings, the course of a test, work, faults.

    Summary   the results of the games it is given
    RunReport    a run in a store, with everything that is reported when it ends

Only games that count are included, except among the faults. Comparisons of two players are from the view of
the first. Nothing is stored: every figure is computed from the games.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import pvariance
from typing import Any

from gameplay.errors import BadInput
from gameplay.position import AbstractPosition, side
from gameplay.runs.faults import FaultCount, fault_counts, format_fault_counts
from gameplay.runs.pairing import Ranked, standings
from gameplay.runs.plan import Plan, Sprt
from gameplay.runs.played import Played, Work, from_store
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.statistics import guards, joint
from gameplay.statistics import sprt as tests
from gameplay.statistics.interval import NoRating
from gameplay.statistics.mean import Mean, mean
from gameplay.statistics.rating import Rating, rate
from gameplay.statistics.tally import Tally
from gameplay.store.jsonl import AFTER_STOP, COUNTED
from gameplay.store.record import Record
from gameplay.store.runs import Run, Store

STEPS = 300  # points of a curve at most
FINE = (COUNTED, AFTER_STOP)
RANKED = ("knockout", "swiss")  # forms whose rounds decide the ranks


@dataclass
class Summary:
    """Add the games first, then ask. `facts` are words and what they are, for people."""

    players: Sequence[str]  # names, the first first
    title: str = ""
    game: str = ""
    specs: dict[str, str] = field(default_factory=dict)  # by name
    sides: Sequence[str] = ()  # what the seats are called
    points: str = ""  # unit of the payoffs, `points` or `discs`; "" for win, draw, loss only
    planned: int | None = None
    state: str = ""
    sprt: Sprt | None = None
    plan: Plan | None = None  # what was to be played, where that is known
    facts: Sequence[tuple[str, str]] = ()
    games: InitVar[Iterable[Played]] = ()

    def __post_init__(self, games: Iterable[Played]) -> None:
        self.counted = 0  # games
        self.met: dict[tuple[str, str], Tally] = {}  # by two players, from the view of the first of them
        self.seats: dict[tuple[str, int], list[int]] = {}  # losses, draws, wins by player and seat
        self.lengths: Counter[int] = Counter()  # how many games took so many plies
        self.work = {name: Work() for name in self.players}
        self.late: Counter[str] = Counter()  # games lost on time, by who lost them
        self.faults: list[Played] = []  # games in which a player failed, counted or not
        self.claims: list[Played] = []  # games in which a program believed otherwise than the rules who won
        self._trails: Counter[tuple[object, object]] = Counter()
        self._openings: Counter[str] = Counter()  # games by their opening in words
        self._gained: defaultdict[str, float] = defaultdict(float)  # ... and what those brought the first
        self._begun: dict[frozenset[str], set[int]] = {}  # pairs by who met in them
        self._meetings: dict[int, list[Played]] = {}  # games by their pair, in games that count
        self.dice = False  # chance moved in a game: its dice make it a game of its own
        self._paid: dict[str, dict[int, list[float]]] = {}  # payoffs in each game, by player and pair
        self._pairs: dict[int, list[float]] = {}  # points of the first of two players in each game
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        """Count a game."""
        if game.claim:
            self.claims.append(game)
        elif game.fault or game.offender or game.state not in FINE:
            self.faults.append(game)
        if game.state != COUNTED or not game.payoffs:
            return
        if unknown := [name for name in game.names if name not in self.players]:
            raise BadInput(f"pair {game.pair}, leg {game.leg}: the plan has no player {unknown[0]}")
        self.counted += 1
        points = game.points
        for seat, name in enumerate(game.names):
            own, best = game.payoffs[seat], max(game.payoffs[:seat] + game.payoffs[seat + 1 :])
            self._paid.setdefault(name, {}).setdefault(game.pair, []).append(game.payoffs[seat])
            self.seats.setdefault((name, seat), [0, 0, 0])[1 + (own > best) - (own < best)] += 1
            for other in game.names:
                if other != name:
                    tally = self.met.setdefault((name, other), Tally(len(game.names)))
                    tally.add(
                        game.pair, (1 + (points[name] > points[other]) - (points[name] < points[other])) / 2
                    )
        self._meetings.setdefault(game.pair, []).append(game)
        if len(self.players) == 2 and self.players[0] in points:
            self._pairs.setdefault(game.pair, []).append(points[self.players[0]])
        if game.termination == "time_forfeit":
            self.late[game.offender] += 1
        if game.record is not None:
            self._record(game, game.record)

    def _record(self, game: Played, record: Record) -> None:
        self._trails[game.names, game.trail or (record.start, *record.words)] += 1
        self.lengths[len(record.moves)] += 1
        words = " ".join(filter(None, [record.start, *record.words[: game.opening]]))
        first = next((name for name in self.players if name in game.names), game.names[0])
        self._openings[words or "the start"] += 1
        self._gained[words or "the start"] += game.points[first]
        if any(ply.player < 0 for ply in record.moves):
            self.dice = True
        else:
            self._begun.setdefault(frozenset(game.names), set()).add(game.pair)
        for number, ply in enumerate(record.moves):
            if ply.player >= 0 and (ply.nodes is not None or number >= game.opening):
                took = (game.times[number] if number < len(game.times) else 0.0) or ply.seconds or 0.0
                self.work.setdefault(game.names[ply.player], Work()).add(ply.nodes, took)

    # -- counts ------------------------------------------------------------------------------

    def tally(self, one: str, other: str) -> Tally:
        """What the games of two players came to, from the view of the first of them."""
        return self.met.get((one, other), Tally())

    def by_seat(self, name: str, seat: int) -> list[int]:
        """Losses, draws and wins of a player on a seat: against the best of the others."""
        return self.seats.get((name, seat), [0, 0, 0])

    def together(self, name: str) -> list[int]:
        """Losses, draws and wins of a player on all seats."""
        counts = [results for (who, _), results in self.seats.items() if who == name]
        return [sum(column) for column in zip(*counts, strict=True)] or [0, 0, 0]

    @property
    def duel(self) -> Tally:
        """What the games of a match of two came to."""
        return self.tally(self.players[0], self.players[1])

    @property
    def order(self) -> list[str]:
        """The players as tables list them: two as the plan names them, more by their strength.

        In a knockout or a Swiss tournament that is the rank reached, else the rating, or without one the
        points.
        """
        if self.plan is None or len(self.players) == 2:
            return list(self.players)
        if self.plan.form not in RANKED and isinstance(self.table, joint.Ratings):
            return [one.name for one in self.table.standings]
        results: dict[int, list[float]] = {}
        for pair, games in self._meetings.items():
            if len(games) == len(games[0].names):
                seated = next(game.names for game in games if game.leg == 0)
                results[pair] = [sum(game.points[name] for game in games) for name in seated]
        places = len(self.sides)
        return [self.players[rank.player] for rank in standings(self.plan, results, places)]

    @property
    def fault_counts(self) -> list[FaultCount]:
        """The number of games by player and kind of fault."""
        return fault_counts((game.offender, game.termination) for game in self.faults)

    @property
    def repeats(self) -> int:
        """The number of games with the moves and seats of an earlier one."""
        return self._trails.total() - len(self._trails)

    @property
    def openings(self) -> list[tuple[str, int, float]]:
        """Each opening, formatted, its number of games, and the points of the first players."""
        return [(words, count, self._gained[words]) for words, count in self._openings.items()]

    @property
    def length(self) -> float:
        """Average length of a game in plies, the opening included; 0 if there is none."""
        plies = sum(length * count for length, count in self.lengths.items())
        return plies / self.lengths.total() if self.lengths else 0.0

    @property
    def row(self) -> list[list[float]]:
        """The first player's points in the complete pairs of a match of two, up to the first gap.

        Later pairs are excluded: they may be complete because their games were shorter, which is a bias.
        """
        rows: list[list[float]] = []
        while len(legs := self._pairs.get(len(rows), [])) == 2:
            rows.append(legs)
        return rows

    @property
    def in_row(self) -> Tally:
        """The tally of the pairs of `row`."""
        tally = Tally()
        for number, legs in enumerate(self.row):
            for own in legs:
                tally.add(number, own)
        return tally

    # -- ratings and objections -----------------------------------------------------------------

    @property
    def duplicates(self) -> guards.Guard | None:
        """The objection to too many equal games; None in games with dice."""
        return None if self.dice else guards.duplicates(self.counted, self.repeats)

    @cached_property
    def warnings(self) -> list[guards.Guard]:
        """Objections to the figures; some refuse a rating."""
        warnings = [self.duplicates, guards.forfeits(self.counted, self.late.total())]
        if len(self.players) == 2:
            warnings.append(guards.variety(self.duel.pairs))
        warnings.append(guards.openings(self._pairs_begun(), len(self._openings)))
        if self.planned is not None:
            warnings.append(guards.peeking(self.planned, self.counted, self.sprt is not None))
        return [guard for guard in warnings if guard is not None]

    def _pairs_begun(self) -> int:
        """The most complete pairs that two players began from openings that are known."""
        complete = ((len(self._begun.get(frozenset(two), ())), sum(t.pairs)) for two, t in self.met.items())
        return max(map(min, complete), default=0)

    @property
    def refused(self) -> guards.Guard | None:
        """The objection that refuses a rating, if any."""
        return next((guard for guard in self.warnings if guard.refuses), None)

    @cached_property
    def rating(self) -> Rating | str:
        """The rating of a match of two, from its pairs, or why there is none."""
        return self.rated(self.refused)

    def gains(self, name: str) -> Mean | str:
        """A player's mean payoff per game, or why there is none; "" if the game has no points."""
        if not self.points:
            return ""
        places = len(self.sides)
        whole = [sum(legs) / places for legs in self._paid.get(name, {}).values() if len(legs) == places]
        try:
            return mean(whole)
        except NoRating as reason:
            return str(reason)

    def spared(self, name: str) -> float | None:
        """The share of the variance of `gains` removed by equal dice and deals within a group.

        None if there are too few games; negative if the games of a group correlate positively.
        """
        places = len(self.sides)
        whole = [legs for legs in self._paid.get(name, {}).values() if len(legs) == places]
        singly = pvariance([paid for legs in whole for paid in legs]) if len(whole) > 1 else 0
        if not self.points or not singly:
            return None
        return 1 - pvariance([sum(legs) / places for legs in whole]) * places / singly

    @property
    def group(self) -> str:
        """The term for the games of one opening with each seating: pair or group."""
        return "group" if len(self.sides) > 2 else "pair"

    @cached_property
    def table(self) -> joint.Ratings | str:
        """The ratings of all players together, or why there are none."""
        return self.all_rated(self.refused)

    def rated(self, refused: guards.Guard | None = None) -> Rating | str:
        """As `rating`; only `refused`, and games that are alike, stand against it."""
        refused = refused or self.duplicates
        if refused is not None and refused.refuses:
            return str(refused)
        try:
            return rate(self.duel.pairs if len(self.players) == 2 else [0, 0, 0])
        except NoRating as reason:
            return str(reason)

    def all_rated(self, refused: guards.Guard | None = None) -> joint.Ratings | str:
        """As `table`; only `refused` stands against it."""
        if refused is not None:
            return str(refused)
        results = []
        for i, one in enumerate(self.players):
            for other in self.players[i + 1 :]:
                tally = self.tally(one, other)
                if sum(tally.pairs):
                    results.append(joint.HeadToHead(one, other, tally.pairs))
        try:
            return joint.ratings(results, self.players)
        except NoRating as reason:
            return str(reason)

    @cached_property
    def course(self) -> list[tuple[int, float]]:
        """Games and LLR after each pair (or every few) of `row`."""
        s = self.sprt
        if s is None or len(self.players) != 2:
            return []
        course = [(0, 0.0)]
        row, tally = self.row, Tally()
        every = max(1, len(row) // STEPS)
        for number, legs in enumerate(row, 1):
            for own in legs:
                tally.add(number, own)
            if number % every == 0 or number == len(row):
                counts = tests.counts_of(tally, s.model)
                course.append((2 * number, tests.llr(counts, s.elo0, s.elo1, s.model)))
        return course

    @cached_property
    def test(self) -> tests.Verdict | None:
        """The verdict of the SPRT: at the first bound that was reached, else after the last pair."""
        s = self.sprt
        if s is None or not self.course:
            return None
        lower, upper = tests.bounds(s.alpha, s.beta)
        for _, llr in self.course:
            if not lower < llr < upper:
                return tests.Verdict(
                    llr, lower, upper, "H1" if llr >= upper else "H0", s.model, s.elo0, s.elo1
                )
        return tests.Verdict(self.course[-1][1], lower, upper, None, s.model, s.elo0, s.elo1)

    # -- in words, and as plain data -----------------------------------------------------------

    @property
    def verdict(self) -> str:
        """The verdict, in a sentence or two."""
        if not self.counted:
            return "No game is finished."
        text = self._duel() if len(self.players) == 2 else self._best()
        return text + (f" Faults: {format_fault_counts(self.fault_counts)}." if self.faults else "")

    def _duel(self) -> str:
        one, other = self.players
        tally, rating = self.duel, self.rating
        lost, drawn, won = tally.games
        text = f"{one} scored {100 * tally.points / tally.total:.1f} % against {other}"
        text += f" (won {won}, drawn {drawn}, lost {lost})"
        gains = self.gains(one)
        text += f", {self.points} {gains}" if isinstance(gains, Mean) else ""
        if self.test is not None and self.test.decision:
            return f"{text}. {self.test}."
        if self.refused is not None:
            return f"{text}. No conclusion can be drawn from that, for the reason below."
        if isinstance(rating, str):
            return f"{text}. No rating: {rating}."
        if self.test is not None:
            return f"{text}. The SPRT is {self.test.state}."
        if rating.low > 0:
            return f"{text}. {one} is the stronger: {rating.in_elo}."
        if rating.high < 0:
            return f"{text}. {other} is the stronger: {one} has {rating.in_elo}."
        return f"{text}. Which is the stronger is open: {one} has {rating.in_elo}."

    def _best(self) -> str:
        table = self.table
        if isinstance(table, str):
            return "There are no ratings." if self.refused is not None else f"There are no ratings: {table}."
        best = table.standings[0]
        text = f"{best.name} is first: Elo {best} ({table.scale})"
        if len(table.standings) > 1:
            second = table.standings[1].name
            lead = table.lead(best.name, second)
            if lead is not None:
                text += f"; LOS over {second} {100 * lead.los:.1f} %"
        return f"{text}."

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON, of any run."""
        table, rating = self.table, self.rating
        return {
            "title": self.title,
            "game": self.game,
            "players": [{"name": name, "player": self.specs.get(name, name)} for name in self.players],
            "games": self.counted,
            "planned": self.planned,
            "state": self.state,
            "verdict": self.verdict,
            "cross": [
                {"first": one, "second": other} | _counts(tally.games)
                for (one, other), tally in self.met.items()
            ],
            "points": self.gained,
            "rating": rating.as_dict() if isinstance(rating, Rating) else None,
            "ratings": [s.as_dict() for s in table.standings] if isinstance(table, joint.Ratings) else None,
            "no_ratings": table if isinstance(table, str) else None,
            "sprt": self.test.as_dict() if self.test is not None else None,
            "repeats": self.repeats,
            "warnings": [str(guard) for guard in self.warnings],
            "fault_counts": [count.as_dict() for count in self.fault_counts],
            "faults": [
                {"pair": g.pair, "leg": g.leg, "attempt": g.attempt, "state": g.state,
                 "termination": g.termination, "offender": g.offender, "fault": g.fault}
                for g in self.faults
            ],
            "claims": [
                {"pair": g.pair, "leg": g.leg, "attempt": g.attempt, "offender": g.offender, "claim": g.claim}
                for g in self.claims
            ],
        }  # fmt: skip

    @property
    def gained(self) -> list[dict[str, float] | None] | None:
        """`gains` of all players as plain data; None where payoffs do not count."""
        if not self.points:
            return None
        gains = [self.gains(name) for name in self.players]
        return [one.as_dict() if isinstance(one, Mean) else None for one in gains]

    def match_dict(self, rating: Rating | str) -> dict[str, Any]:
        """Plain data for JSON, of a match of two: all from the view of the first."""
        one, tally = self.players[0], self.duel
        return {
            "games": self.counted,
            **_counts(tally.games),
            "seats": [_counts(self.by_seat(one, seat)) for seat in range(2)],
            "pairs": tally.pairs,
            "points": self.gained,
            "rating": None if isinstance(rating, str) else rating.as_dict(),
            "no_rating": rating if isinstance(rating, str) else None,
            "repeats": self.repeats,
            "length": round(self.length, 3),
            "efforts": [
                {"moves": w.moves, "nodes": w.nodes, "seconds": round(w.seconds, 3), "nps": round(w.nps)}
                for w in self.work.values()
            ],
        }


def _counts(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(("losses", "draws", "wins"), counts, strict=True))


def points_of(position: AbstractPosition) -> str:
    """The unit of a game's payoffs, `points` or `discs`; "" if they only state who won."""
    return str(position.unit_names[1]) if position.scored else ""


class RunReport:
    """The final report of a run in a store. `seconds` of wall time with `jobs` processes."""

    def __init__(self, store: Store, run: Run, schedule: Schedule, seconds: float, jobs: int) -> None:
        self.run = run
        self.path = str(store.path)
        self.schedule = schedule
        self.seconds = seconds
        self.jobs = jobs
        self.standing = Standing(schedule)
        names = [entrant.name for entrant in self.plan.players]
        self.summary = Summary(names, sides=self.sides, points=points_of(schedule.game.new()))
        for game in store.games(run.id):
            self.summary.add(from_store(game))
            if game.state == COUNTED:
                self.standing.add(game.pair, game.leg, game.payoffs)

    @property
    def plan(self) -> Plan:
        """What was to be played."""
        return self.schedule.plan

    @property
    def match(self) -> bool:
        """True if two players met in a game for two."""
        return len(self.plan.players) == self.schedule.places == 2

    @property
    def sides(self) -> list[str]:
        """What the seats are called."""
        position = self.schedule.game.new()
        return [side(position, seat) for seat in range(self.schedule.places)]

    @property
    def begins(self) -> str:
        """Where the games begin, in words."""
        wanted = self.plan.openings
        if wanted.file is not None:
            order = " in its order" if wanted.order == "sequential" else ""
            first = f" from number {wanted.start} on" if wanted.start > 1 else ""
            return f"openings of {Path(wanted.file).name}{order}{first}"
        plies = len(self.schedule.openings[0].moves)
        level = f" that {wanted.balance} finds level" if wanted.balance else ""
        if not plies:
            same = f", the same dice in all games of a {self.summary.group}" if self.summary.dice else ""
            return f"all from the start{same}"
        return f"openings of {plies} random {'ply' if plies == 1 else 'plies'}{level}"

    @cached_property
    def ranks(self) -> list[Ranked]:
        """The table of a tournament, in the order of `Summary.order`."""
        lines = standings(self.plan, self.standing.results, self.schedule.places)
        table = self.table
        if self.plan.form in RANKED or self.match or isinstance(table, str):
            return lines
        by_name = {self.summary.players[line.player]: line for line in lines}
        return [by_name[one.name] for one in table.standings]

    @cached_property
    def refused(self) -> guards.Guard | None:
        """The objection that refuses a rating, if any."""
        reasons = [self.summary.duplicates]
        if self.schedule.selection.repeats:
            reasons.append(guards.openings(len(self.standing.pairs), len(set(self.schedule.openings))))
        return next((guard for guard in reasons if guard is not None and guard.refuses), None)

    @cached_property
    def rating(self) -> Rating | str:
        """The rating of a match, from its pairs, or why there is none."""
        return self.summary.rated(self.refused)

    @cached_property
    def table(self) -> joint.Ratings | str:
        """The ratings of all, or why there are none."""
        return self.summary.all_rated(self.refused)

    @cached_property
    def warnings(self) -> list[str]:
        """The warnings to show beside the figures."""
        games, late = self.summary.counted, self.summary.late
        warnings = [self.summary.duplicates, *(guards.forfeits(games, late[who], who) for who in late)]
        if len(self.summary.players) == 2:
            warnings.append(guards.variety(self.summary.duel.pairs))
        if self.schedule.total is not None:
            warnings.append(guards.peeking(self.schedule.total, games, self.plan.sprt is not None))
        claims = Counter(game.offender for game in self.summary.claims)
        contradictions = [
            f"{who} contradicts the rules on the result of {count:,} of {games:,} games"
            for who, count in claims.items()
        ]
        doubts = (str(doubt) for doubt in warnings if doubt is not None and not doubt.refuses)
        return [*self.schedule.selection.notes, *contradictions, *doubts]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        names = self.summary.players
        players = zip(names, self.schedule.specs, strict=True)
        document: dict[str, Any] = {
            "run": self.run.id,
            "store": self.path,
            "game": self.plan.game,
            "form": self.plan.form,
            "players": [{"name": name, "player": spec} for name, spec in players],
            "state": self.run.state,
            "scheduled": self.schedule.total,
            "seed": self.plan.seed,
            "games": self.summary.counted,
        }
        if self.match:
            document |= self.summary.match_dict(self.rating) | {"sides": self.sides}
        table, verdict = self.table, self.standing.verdict
        rated = {} if isinstance(table, str) else {one.name: one.as_dict() for one in table.standings}
        ranked = [(names[rank.player], rank.score) for rank in self.ranks]
        document["sprt"] = verdict.as_dict() if verdict else None
        document["standings"] = [
            {"name": name, "score": score} | rated.get(name, {}) for name, score in ranked
        ]
        document["warnings"] = self.warnings
        document["faults"] = [count.as_dict() for count in self.summary.fault_counts]
        return document | {"wall_seconds": round(self.seconds, 3), "jobs": self.jobs}
