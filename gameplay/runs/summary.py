"""Statistics of games: tallies, ratings, the SPRT, search effort, faults.

    Summary     statistics of the games passed to it
    RunReport   the final report of a run in a store

Games that do not count enter the list of faults only. Comparisons of two players are from the view of the
first. Nothing is stored: every figure is computed from the games.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import pvariance
from typing import Any

from gameplay.errors import BadInput
from gameplay.plural import plural
from gameplay.position import AbstractPosition, side_names
from gameplay.runs.faults import FaultCount, fault_counts, format_fault_counts
from gameplay.runs.pairing import Ranked, standings
from gameplay.runs.plan import Plan, Sprt
from gameplay.runs.played import MatchGame, Work, from_store
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

MAX_CURVE_POINTS = 300
VALID_STATES = (COUNTED, AFTER_STOP)  # of games without a fault
RANKED_FORMS = ("knockout", "swiss")  # forms whose rounds decide the ranks


@dataclass
class Summary:
    """Statistics of games. Add all games before reading cached figures such as `rating`."""

    players: Sequence[str]  # names, in the order of the plan
    title: str = ""
    game: str = ""
    specs: dict[str, str] = field(default_factory=dict)  # by name
    sides: Sequence[str] = ()  # names of the seats
    points: str = ""  # unit of the payoffs, `points` or `discs`; "" for win, draw, loss only
    planned: int | None = None
    state: str = ""
    sprt: Sprt | None = None
    plan: Plan | None = None  # None if unknown
    facts: Sequence[tuple[str, str]] = ()  # further rows of the report: label, text
    games: InitVar[Iterable[MatchGame]] = ()

    def __post_init__(self, games: Iterable[MatchGame]) -> None:
        self.counted = 0  # games that count
        self.tallies: dict[tuple[str, str], Tally] = {}  # by two players, from the view of the first of them
        self.results: dict[tuple[str, int], list[int]] = {}  # losses, draws, wins by player and seat
        self.lengths: Counter[int] = Counter()  # games by length in plies
        self.work = {name: Work() for name in self.players}
        self.time_losses: Counter[str] = Counter()  # games lost on time, by player
        self.faults: list[MatchGame] = []  # games in which a player failed, counted or not
        self.claims: list[MatchGame] = []  # games in which a program claimed a result against the rules
        self.dice = False  # a game has chance moves, so games with the same opening differ
        self._move_sequences: Counter[tuple[object, object]] = Counter()  # games by seating and moves
        self._openings: Counter[str] = Counter()  # games by opening
        self._opening_points: defaultdict[str, float] = defaultdict(float)  # of the first player, by opening
        self._recorded_pairs: dict[frozenset[str], set[int]] = {}  # pairs with a record, by players
        self._games_by_pair: dict[int, list[MatchGame]] = {}  # games that count
        self._payoffs: dict[str, dict[int, list[float]]] = {}  # of each game, by player and pair
        self._first_points: dict[int, list[float]] = {}  # of the first of two players in each game, by pair
        for game in games:
            self.add(game)

    def add(self, game: MatchGame) -> None:
        """Add a game. Raises BadInput for an unknown player."""
        if game.claim:
            self.claims.append(game)
        elif game.fault or game.offender or game.state not in VALID_STATES:
            self.faults.append(game)
        if game.state != COUNTED or not game.payoffs:
            return
        if unknown := [name for name in game.names if name not in self.players]:
            raise BadInput(f"pair {game.pair}, leg {game.leg}: the plan has no player {unknown[0]}")
        self.counted += 1
        points = game.points
        for seat, name in enumerate(game.names):
            own, best = game.payoffs[seat], max(game.payoffs[:seat] + game.payoffs[seat + 1 :])
            self._payoffs.setdefault(name, {}).setdefault(game.pair, []).append(game.payoffs[seat])
            self.results.setdefault((name, seat), [0, 0, 0])[1 + (own > best) - (own < best)] += 1
            for other in game.names:
                if other != name:
                    tally = self.tallies.setdefault((name, other), Tally(len(game.names)))
                    tally.add(
                        game.pair, (1 + (points[name] > points[other]) - (points[name] < points[other])) / 2
                    )
        self._games_by_pair.setdefault(game.pair, []).append(game)
        if len(self.players) == 2 and self.players[0] in points:
            self._first_points.setdefault(game.pair, []).append(points[self.players[0]])
        if game.termination == "time_forfeit":
            self.time_losses[game.offender] += 1
        if game.record is not None:
            self._add_record(game, game.record)

    def _add_record(self, game: MatchGame, record: Record) -> None:
        self._move_sequences[game.names, game.moves_hash or (record.start, *record.words)] += 1
        self.lengths[len(record.moves)] += 1
        opening = " ".join(filter(None, [record.start, *record.words[: game.opening]])) or "the start"
        first = next((name for name in self.players if name in game.names), game.names[0])
        self._openings[opening] += 1
        self._opening_points[opening] += game.points[first]
        if any(ply.player < 0 for ply in record.moves):
            self.dice = True
        else:
            self._recorded_pairs.setdefault(frozenset(game.names), set()).add(game.pair)
        for number, ply in enumerate(record.moves):
            if ply.player >= 0 and (ply.nodes is not None or number >= game.opening):
                seconds = (game.times[number] if number < len(game.times) else 0.0) or ply.seconds or 0.0
                self.work.setdefault(game.names[ply.player], Work()).add(ply.nodes, seconds)

    # -- counts ------------------------------------------------------------------------------

    def tally(self, one: str, other: str) -> Tally:
        """The tally of two players, from the view of the first of them."""
        return self.tallies.get((one, other), Tally())

    def seat_results(self, name: str, seat: int) -> list[int]:
        """Losses, draws and wins of a player at a seat, against the best of the others."""
        return self.results.get((name, seat), [0, 0, 0])

    def total_results(self, name: str) -> list[int]:
        """Losses, draws and wins of a player at all seats."""
        counts = [results for (player, _), results in self.results.items() if player == name]
        return [sum(column) for column in zip(*counts, strict=True)] or [0, 0, 0]

    @property
    def match_tally(self) -> Tally:
        """The tally of a match of two."""
        return self.tally(self.players[0], self.players[1])

    @property
    def order(self) -> list[str]:
        """The players in the order of tables: two as in the plan, more by rank.

        The rank is that of a knockout or Swiss tournament, else by rating, or by points without ratings.
        """
        if self.plan is None or len(self.players) == 2:
            return list(self.players)
        if self.plan.form not in RANKED_FORMS and isinstance(self.table, joint.Ratings):
            return [standing.name for standing in self.table.standings]
        results: dict[int, list[float]] = {}
        for pair, games in self._games_by_pair.items():
            if len(games) == len(games[0].names):
                names = next(game.names for game in games if game.leg == 0)
                results[pair] = [sum(game.points[name] for game in games) for name in names]
        return [self.players[rank.player] for rank in standings(self.plan, results, len(self.sides))]

    @property
    def fault_counts(self) -> list[FaultCount]:
        """The number of games by player and kind of fault."""
        return fault_counts((game.offender, game.termination) for game in self.faults)

    @property
    def repeats(self) -> int:
        """The number of games with the same moves and seating as an earlier one."""
        return self._move_sequences.total() - len(self._move_sequences)

    @property
    def openings(self) -> list[tuple[str, int, float]]:
        """Each opening, formatted, with its number of games and the points of the first player in them."""
        return [(text, count, self._opening_points[text]) for text, count in self._openings.items()]

    @property
    def length(self) -> float:
        """Average length of a game in plies, including the opening; 0 without games."""
        plies = sum(length * count for length, count in self.lengths.items())
        return plies / self.lengths.total() if self.lengths else 0.0

    @property
    def complete_pairs(self) -> list[list[float]]:
        """The first player's points in the complete pairs of a match of two, up to the first incomplete pair.

        Later pairs are excluded, since pairs of short games complete first, which is a bias.
        """
        pairs: list[list[float]] = []
        while len(legs := self._first_points.get(len(pairs), [])) == 2:
            pairs.append(legs)
        return pairs

    @property
    def complete_tally(self) -> Tally:
        """The tally of `complete_pairs`."""
        tally = Tally()
        for number, legs in enumerate(self.complete_pairs):
            for own in legs:
                tally.add(number, own)
        return tally

    # -- ratings and objections -----------------------------------------------------------------

    @property
    def duplicates(self) -> guards.Guard | None:
        """The objection if too many games are equal; None in games with dice."""
        return None if self.dice else guards.duplicates(self.counted, self.repeats)

    @cached_property
    def warnings(self) -> list[guards.Guard]:
        """Objections to the figures; some refuse a rating."""
        warnings = [self.duplicates, guards.forfeits(self.counted, self.time_losses.total())]
        if len(self.players) == 2:
            warnings.append(guards.variety(self.match_tally.pairs))
        warnings.append(guards.openings(self._count_recorded_pairs(), len(self._openings)))
        if self.planned is not None:
            warnings.append(guards.peeking(self.planned, self.counted, self.sprt is not None))
        return [guard for guard in warnings if guard is not None]

    def _count_recorded_pairs(self) -> int:
        """The largest number of complete pairs with records between two players."""
        return max(
            (
                min(len(self._recorded_pairs.get(frozenset(two), ())), sum(tally.pairs))
                for two, tally in self.tallies.items()
            ),
            default=0,
        )

    @property
    def refusal(self) -> guards.Guard | None:
        """The objection that refuses a rating, if any."""
        return next((guard for guard in self.warnings if guard.refuses), None)

    @cached_property
    def rating(self) -> Rating | str:
        """The rating of a match of two, from its pairs, or why there is none."""
        return self.rate_match(self.refusal)

    def mean_payoff(self, name: str) -> Mean | str:
        """A player's mean payoff per game, or why there is none; "" if the game has no points."""
        if not self.points:
            return ""
        try:
            return mean([sum(legs) / len(legs) for legs in self._complete_payoffs(name)])
        except NoRating as reason:
            return str(reason)

    def variance_reduction(self, name: str) -> float | None:
        """The share of the variance of `mean_payoff` removed by equal dice and deals within a group.

        None if there are too few games; negative if the games of a group correlate positively.
        """
        groups = self._complete_payoffs(name)
        places = len(self.sides)
        independent = pvariance([payoff for legs in groups for payoff in legs]) if len(groups) > 1 else 0
        if not self.points or not independent:
            return None
        return 1 - pvariance([sum(legs) / places for legs in groups]) * places / independent

    def _complete_payoffs(self, name: str) -> list[list[float]]:
        """A player's payoffs in each complete group."""
        return [legs for legs in self._payoffs.get(name, {}).values() if len(legs) == len(self.sides)]

    @property
    def group(self) -> str:
        """The term for the games of one opening with each seating: pair or group."""
        return "group" if len(self.sides) > 2 else "pair"

    @cached_property
    def table(self) -> joint.Ratings | str:
        """The joint ratings of all players, or why there are none."""
        return self.rate_all(self.refusal)

    def rate_match(self, refusal: guards.Guard | None = None) -> Rating | str:
        """As `rating`, refused only by `refusal` or by too many equal games."""
        refusal = refusal or self.duplicates
        if refusal is not None and refusal.refuses:
            return str(refusal)
        try:
            return rate(self.match_tally.pairs if len(self.players) == 2 else [0, 0, 0])
        except NoRating as reason:
            return str(reason)

    def rate_all(self, refusal: guards.Guard | None = None) -> joint.Ratings | str:
        """As `table`, refused only by `refusal`."""
        if refusal is not None:
            return str(refusal)
        results = []
        for i, player in enumerate(self.players):
            for other in self.players[i + 1 :]:
                tally = self.tally(player, other)
                if sum(tally.pairs):
                    results.append(joint.HeadToHead(player, other, tally.pairs))
        try:
            return joint.ratings(results, self.players)
        except NoRating as reason:
            return str(reason)

    @cached_property
    def llr_curve(self) -> list[tuple[int, float]]:
        """Points (games, LLR) after each of `complete_pairs`, or every nth of them."""
        s = self.sprt
        if s is None or len(self.players) != 2:
            return []
        curve = [(0, 0.0)]
        pairs, tally = self.complete_pairs, Tally()
        every = max(1, len(pairs) // MAX_CURVE_POINTS)
        for number, legs in enumerate(pairs, 1):
            for own in legs:
                tally.add(number, own)
            if number % every == 0 or number == len(pairs):
                counts = tests.counts_of(tally, s.model)
                curve.append((2 * number, tests.llr(counts, s.elo0, s.elo1, s.model)))
        return curve

    @cached_property
    def sprt_verdict(self) -> tests.Verdict | None:
        """The verdict of the SPRT at the first bound reached, else after the last complete pair."""
        s = self.sprt
        if s is None or not self.llr_curve:
            return None
        lower, upper = tests.bounds(s.alpha, s.beta)
        for _, llr in self.llr_curve:
            if not lower < llr < upper:
                return tests.Verdict(
                    llr, lower, upper, "H1" if llr >= upper else "H0", s.model, s.elo0, s.elo1
                )
        return tests.Verdict(self.llr_curve[-1][1], lower, upper, None, s.model, s.elo0, s.elo1)

    # -- text and plain data -----------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """The conclusion, in one or two sentences."""
        if not self.counted:
            return "No game is finished."
        text = self._match_verdict() if len(self.players) == 2 else self._ranking_verdict()
        return text + (f" Faults: {format_fault_counts(self.fault_counts)}." if self.faults else "")

    def _match_verdict(self) -> str:
        one, other = self.players
        tally, rating = self.match_tally, self.rating
        lost, drawn, won = tally.games
        text = f"{one} scored {100 * tally.points / tally.total:.1f} % against {other}"
        text += f" (won {won}, drawn {drawn}, lost {lost})"
        gains = self.mean_payoff(one)
        text += f", {self.points} {gains}" if isinstance(gains, Mean) else ""
        if self.sprt_verdict is not None and self.sprt_verdict.decision:
            return f"{text}. {self.sprt_verdict}."
        if self.refusal is not None:
            return f"{text}. No conclusion can be drawn from that, for the reason below."
        if isinstance(rating, str):
            return f"{text}. No rating: {rating}."
        if self.sprt_verdict is not None:
            return f"{text}. The SPRT is {self.sprt_verdict.state}."
        if rating.low > 0:
            return f"{text}. {one} is the stronger: {rating.in_elo}."
        if rating.high < 0:
            return f"{text}. {other} is the stronger: {one} has {rating.in_elo}."
        return f"{text}. Which is the stronger is open: {one} has {rating.in_elo}."

    def _ranking_verdict(self) -> str:
        table = self.table
        if isinstance(table, str):
            return "There are no ratings." if self.refusal is not None else f"There are no ratings: {table}."
        best = table.standings[0]
        text = f"{best.name} is first: Elo {best} ({table.scale})"
        if len(table.standings) > 1:
            second = table.standings[1].name
            lead = table.lead(best.name, second)
            if lead is not None:
                text += f"; LOS over {second} {100 * lead.los:.1f} %"
        return f"{text}."

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON, for any form of run."""
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
                for (one, other), tally in self.tallies.items()
            ],
            "points": self.mean_payoffs,
            "rating": rating.as_dict() if isinstance(rating, Rating) else None,
            "ratings": [s.as_dict() for s in table.standings] if isinstance(table, joint.Ratings) else None,
            "no_ratings": table if isinstance(table, str) else None,
            "sprt": self.sprt_verdict.as_dict() if self.sprt_verdict is not None else None,
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
    def mean_payoffs(self) -> list[dict[str, float] | None] | None:
        """`mean_payoff` of all players as plain data; None if the game has no points."""
        if not self.points:
            return None
        gains = [self.mean_payoff(name) for name in self.players]
        return [gain.as_dict() if isinstance(gain, Mean) else None for gain in gains]

    def match_dict(self, rating: Rating | str) -> dict[str, Any]:
        """Plain data for JSON of a match of two, from the view of the first player."""
        player, tally = self.players[0], self.match_tally
        return {
            "games": self.counted,
            **_counts(tally.games),
            "seats": [_counts(self.seat_results(player, seat)) for seat in range(2)],
            "pairs": tally.pairs,
            "points": self.mean_payoffs,
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
    """The final report of a run in a store, which took `seconds` of wall time with `jobs` processes."""

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
        """The plan of the run."""
        return self.schedule.plan

    @property
    def is_match(self) -> bool:
        """True for two players in a game for two."""
        return len(self.plan.players) == self.schedule.places == 2

    @property
    def sides(self) -> list[str]:
        """The names of the seats."""
        return side_names(self.schedule.game.new())

    @property
    def openings_description(self) -> str:
        """Describes where the games begin."""
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
        return f"openings of {plural(plies, 'random ply', 'random plies')}{level}"

    @cached_property
    def ranks(self) -> list[Ranked]:
        """The table of a tournament, in the order of `Summary.order`."""
        lines = standings(self.plan, self.standing.results, self.schedule.places)
        table = self.table
        if self.plan.form in RANKED_FORMS or self.is_match or isinstance(table, str):
            return lines
        by_name = {self.summary.players[line.player]: line for line in lines}
        return [by_name[standing.name] for standing in table.standings]

    @cached_property
    def refusal(self) -> guards.Guard | None:
        """The objection that refuses a rating, if any."""
        reasons = [self.summary.duplicates]
        if self.schedule.selection.repeats:
            reasons.append(guards.openings(len(self.standing.pairs), len(set(self.schedule.openings))))
        return next((guard for guard in reasons if guard is not None and guard.refuses), None)

    @cached_property
    def rating(self) -> Rating | str:
        """The rating of a match, from its pairs, or why there is none."""
        return self.summary.rate_match(self.refusal)

    @cached_property
    def table(self) -> joint.Ratings | str:
        """The joint ratings of all players, or why there are none."""
        return self.summary.rate_all(self.refusal)

    @cached_property
    def warnings(self) -> list[str]:
        """The warnings to show beside the figures."""
        games, losses = self.summary.counted, self.summary.time_losses
        forfeits = (guards.forfeits(games, count, name) for name, count in losses.items())
        warnings = [self.summary.duplicates, *forfeits]
        if len(self.summary.players) == 2:
            warnings.append(guards.variety(self.summary.match_tally.pairs))
        if self.schedule.total is not None:
            warnings.append(guards.peeking(self.schedule.total, games, self.plan.sprt is not None))
        claims = Counter(game.offender for game in self.summary.claims)
        contradictions = [
            f"{name} contradicts the rules on the result of {count:,} of {games:,} games"
            for name, count in claims.items()
        ]
        objections = (str(guard) for guard in warnings if guard is not None and not guard.refuses)
        return [*self.schedule.selection.notes, *contradictions, *objections]

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
        if self.is_match:
            document |= self.summary.match_dict(self.rating) | {"sides": self.sides}
        table, verdict = self.table, self.standing.verdict
        rated = (
            {}
            if isinstance(table, str)
            else {standing.name: standing.as_dict() for standing in table.standings}
        )
        ranked = [(names[rank.player], rank.score) for rank in self.ranks]
        document["sprt"] = verdict.as_dict() if verdict else None
        document["standings"] = [
            {"name": name, "score": score} | rated.get(name, {}) for name, score in ranked
        ]
        document["warnings"] = self.warnings
        document["faults"] = [count.as_dict() for count in self.summary.fault_counts]
        return document | {"wall_seconds": round(self.seconds, 3), "jobs": self.jobs}
