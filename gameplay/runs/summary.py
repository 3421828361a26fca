"""What a run came to, as plain figures: who met whom, ratings, the course of its test, openings, faults.

Only games that count do count here, except among the faults. Everything is from the view of the first player
where two are compared.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

from gameplay.runs.pairing import points
from gameplay.runs.plan import Sprt
from gameplay.statistics import guards, joint
from gameplay.statistics import sprt as tests
from gameplay.statistics.rating import NoRating, Rating, rate
from gameplay.store.lines import ENDS
from gameplay.store.record import Record

COUNTED = "counted"
STEPS = 300  # points of a curve at most


@dataclass(frozen=True)
class Played:
    """A game of the run. `opening` says how many of its moves were given."""

    pair: int
    leg: int
    names: tuple[str, ...]  # by seat
    payoffs: tuple[float, ...]  # by seat; empty if it came to nothing
    termination: str
    record: Record | None
    opening: int = 0
    state: str = COUNTED
    attempt: int = 1
    offender: str = ""
    fault: str = ""
    times: tuple[float, ...] = ()  # seconds by ply
    seconds: float = 0.0

    @property
    def claim(self) -> str:
        """What a program said of the result against the rules; the game counts all the same."""
        return self.fault if self.termination in ENDS else ""

    @property
    def points(self) -> dict[str, float]:
        """What each player got: 1, 0.5 or 0 where there are two."""
        return dict(zip(self.names, points(self.payoffs), strict=True))


@dataclass
class Work:
    """What a player spent on his moves."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    timed: int = 0  # the nodes that took those seconds
    takes: list[float] = field(default_factory=list)  # seconds of each move that was timed

    @property
    def nps(self) -> float:
        """Nodes a second; 0 where nothing was timed."""
        return self.timed / self.seconds if self.seconds else 0.0

    @property
    def usual(self) -> float:
        """The median of the seconds of a move."""
        return median(self.takes) if self.takes else 0.0

    @property
    def longest(self) -> float:
        """The seconds of the longest move."""
        return max(self.takes, default=0.0)


@dataclass(frozen=True)
class Summary:
    """See the head of this file. `facts` are words and what they are, for people."""

    title: str
    game: str
    players: Sequence[str]  # names, the first first
    specs: dict[str, str]  # by name
    sides: Sequence[str]  # what the seats are called
    games: Sequence[Played]
    planned: int | None
    state: str = ""
    sprt: Sprt | None = None
    facts: Sequence[tuple[str, str]] = ()

    @cached_property
    def counted(self) -> list[Played]:
        """The games that count, in order."""
        found = [game for game in self.games if game.state == COUNTED and game.payoffs]
        return sorted(found, key=lambda game: (game.pair, game.leg))

    @cached_property
    def cross(self) -> dict[tuple[str, str], list[int]]:
        """Losses, draws and wins of one player against another."""
        found: dict[tuple[str, str], list[int]] = {}
        for game in self.counted:
            got = game.points
            for one in game.names:
                for other in game.names:
                    if one != other:
                        result = 1 + (got[one] > got[other]) - (got[one] < got[other])
                        found.setdefault((one, other), [0, 0, 0])[result] += 1
        return found

    def by_seat(self, name: str, seat: int) -> list[int]:
        """Losses, draws and wins of a player on a seat."""
        counts = [0, 0, 0]
        for game in self.counted:
            if game.names[seat] == name:
                mine = game.payoffs[seat]
                best = max(pay for place, pay in enumerate(game.payoffs) if place != seat)
                counts[1 + (mine > best) - (mine < best)] += 1
        return counts

    @cached_property
    def whole(self) -> list[list[Played]]:
        """The complete pairs of games for two, in order."""
        pairs: dict[int, list[Played]] = {}
        for game in self.counted:
            pairs.setdefault(game.pair, []).append(game)
        return [games for games in pairs.values() if len(games) == len(games[0].names) == 2]

    def pairs(self, one: str, other: str, whole: Iterable[list[Played]] | None = None) -> list[int]:
        """Pairs of two players that brought the first of them 0, 1/2, 1, 3/2 and 2 points."""
        counts = [0] * 5
        for games in self.whole if whole is None else whole:
            if set(games[0].names) == {one, other}:
                counts[int(2 * sum(game.points[one] for game in games))] += 1
        return counts

    @cached_property
    def repeats(self) -> int:
        """Games that are alike an earlier one, with the same players on the same seats."""
        trails = [(g.names, g.record.start, *g.record.words) for g in self.counted if g.record is not None]
        return len(trails) - len(set(trails))

    @cached_property
    def warnings(self) -> list[guards.Guard]:
        """What makes the figures doubtful, or refuses them."""
        counted = self.counted
        late = sum(game.termination == "time_forfeit" for game in counted)
        found = [guards.duplicates(len(counted), self.repeats), guards.forfeits(len(counted), late)]
        if len(self.players) == 2:
            found.append(guards.variety(self.pairs(self.players[0], self.players[1])))
        met = Counter(frozenset(pair[0].names) for pair in self.whole if pair[0].record is not None)
        found.append(guards.openings(max(met.values(), default=0), len(self.openings)))
        if self.planned is not None:
            found.append(guards.peeking(self.planned, len(counted), self.sprt is not None))
        return [guard for guard in found if guard is not None]

    @property
    def refused(self) -> guards.Guard | None:
        """What makes every rating meaningless, if anything does."""
        return next((guard for guard in self.warnings if guard.refuses), None)

    @cached_property
    def rating(self) -> Rating | str:
        """Of a match of two: what the pairs are worth, or why they are worth nothing."""
        if self.refused is not None:
            return str(self.refused)
        if len(self.players) != 2 or not self.whole:
            return "no pair of games is finished"
        try:
            return rate(self.pairs(self.players[0], self.players[1]))
        except NoRating as reason:
            return str(reason)

    @cached_property
    def table(self) -> joint.Ratings | str:
        """The ratings of all players together, or why there are none."""
        if self.refused is not None:
            return str(self.refused)
        results = []
        for i, one in enumerate(self.players):
            for other in self.players[i + 1 :]:
                pairs = self.pairs(one, other)
                singles = self.cross.get((one, other), [0, 0, 0])
                counts = pairs if 2 * sum(pairs) == sum(singles) else singles
                if sum(counts):
                    results.append(joint.HeadToHead(one, other, counts))
        try:
            return joint.ratings(results, self.players)
        except NoRating as reason:
            return str(reason)

    @cached_property
    def course(self) -> list[tuple[int, float]]:
        """Games and LLR after each pair (or every few) of the longest complete row of pairs."""
        s = self.sprt
        if s is None or len(self.players) != 2:
            return []
        one = self.players[0]
        found = [(0, 0.0)]
        pairs, singles = [0] * 5, [0] * 3
        row = [games for due, games in enumerate(self.whole) if games[0].pair == due]
        every = max(1, len(row) // STEPS)
        for number, games in enumerate(row, 1):
            pairs[int(2 * sum(game.points[one] for game in games))] += 1
            for game in games:
                singles[int(2 * game.points[one])] += 1
            if number % every == 0 or number == len(row):
                counts = singles if s.model in tests.SINGLE else pairs
                found.append((2 * number, tests.llr(counts, s.elo0, s.elo1, s.model)))
        return found

    @cached_property
    def test(self) -> tests.Verdict | None:
        """What the SPRT says after the last of those pairs: as decided by the first bound that was met."""
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

    @cached_property
    def openings(self) -> list[tuple[str, int, float]]:
        """Each opening in words, its games, and the points of their pairings' first players."""
        found: dict[str, tuple[int, float]] = {}
        for game in self.counted:
            if game.record is not None:
                words = " ".join(filter(None, [game.record.start, *game.record.words[: game.opening]]))
                first = next((name for name in self.players if name in game.names), game.names[0])
                count, total = found.get(words, (0, 0.0))
                found[words] = (count + 1, total + game.points[first])
        return [(words or "the start", *score) for words, score in found.items()]

    @cached_property
    def lengths(self) -> Counter[int]:
        """How many games took so many plies."""
        return Counter(len(game.record.moves) for game in self.counted if game.record is not None)

    @cached_property
    def work(self) -> dict[str, Work]:
        """What each player spent."""
        found = {name: Work() for name in self.players}
        for game in self.counted:
            if game.record is None:
                continue
            for number, ply in enumerate(game.record.moves):
                if ply.player < 0 or (ply.nodes is None and number < game.opening):
                    continue
                mine = found[game.names[ply.player]]
                took = game.times[number] if number < len(game.times) else ply.seconds or 0.0
                mine.moves += 1
                mine.nodes += ply.nodes or 0
                mine.seconds += took
                if took:
                    mine.timed += ply.nodes or 0
                    mine.takes.append(took)
        return found

    @cached_property
    def faults(self) -> list[Played]:
        """The games in which somebody failed, counted or not."""
        failed = [game for game in self.games if game.fault or game.offender or game.state not in FINE]
        return [game for game in failed if not game.claim]

    @cached_property
    def claims(self) -> list[Played]:
        """The games in which a program believed otherwise than the rules who has won."""
        return [game for game in self.games if game.claim]

    @property
    def verdict(self) -> str:
        """What is to be said first, in a sentence or two."""
        if not self.counted:
            return "No game is finished."
        spoiled = len(self.faults)
        noun = "game was" if spoiled == 1 else "games were"
        said = self._duel() if len(self.players) == 2 else self._best()
        return said + (f" {spoiled} {noun} spoiled by a fault." if spoiled else "")

    def _duel(self) -> str:
        one, other = self.players
        lost, drawn, won = self.cross.get((one, other), [0, 0, 0])
        said = f"{one} scored {100 * (won + drawn / 2) / (won + drawn + lost):.1f} % against {other}"
        said += f" (won {won}, drawn {drawn}, lost {lost})"
        if self.test is not None and self.test.decision:
            return f"{said}. {self.test.decision} is accepted: {one} {TOLD[self.test.decision]}."
        rating = self.rating
        if self.refused is not None:
            return f"{said}. That proves nothing, as is told below."
        if isinstance(rating, str):
            return f"{said}. No rating: {rating}."
        if self.test is not None:
            return f"{said}. The test is not decided yet."
        if rating.low > 0:
            return f"{said}. {one} is the stronger: {rating} Elo."
        if rating.high < 0:
            return f"{said}. {other} is the stronger: {one} has {rating} Elo."
        return f"{said}. Which is the stronger is not known: {one} has {rating} Elo."

    def _best(self) -> str:
        table = self.table
        if isinstance(table, str):
            return "There are no ratings." if self.refused is not None else f"There are no ratings: {table}."
        best = table.standings[0]
        if len(table.standings) > 1:
            lead = table.los(best.name, table.standings[1].name)
            if lead is not None:
                sure = f"; to be ahead of {table.standings[1].name} is {100 * lead:.1f} % sure"
                return f"{best.name} is first, {best} Elo to the average{sure}."
        return f"{best.name} is first, {best} Elo to the average."

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        table, rating = self.table, self.rating
        return {
            "title": self.title,
            "game": self.game,
            "players": [{"name": name, "player": self.specs.get(name, name)} for name in self.players],
            "games": len(self.counted),
            "planned": self.planned,
            "state": self.state,
            "verdict": self.verdict,
            "cross": [
                {"first": a, "second": b, "losses": c[0], "draws": c[1], "wins": c[2]}
                for (a, b), c in self.cross.items()
            ],
            "rating": rating.as_dict() if isinstance(rating, Rating) else None,
            "ratings": [s.as_dict() for s in table.standings] if isinstance(table, joint.Ratings) else None,
            "no_ratings": table if isinstance(table, str) else None,
            "sprt": self.test.as_dict() if self.test is not None else None,
            "repeats": self.repeats,
            "warnings": [str(guard) for guard in self.warnings],
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


FINE = (COUNTED, "after_stop")
TOLD = {"H1": "is the stronger by the measure of the test", "H0": "is not as much stronger as was asked"}
