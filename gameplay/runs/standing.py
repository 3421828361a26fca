"""How a run stands: the games that count, the pairs they complete, and what SPRT makes of those.

SPRT looks at the longest row of complete pairs from the first on, after each pair of it, so its verdict does
not depend on which games were faster or how many ran at once.
"""

from collections.abc import Sequence

from gameplay.runs.pairing import Pair, points
from gameplay.runs.plan import Sprt
from gameplay.runs.schedule import Schedule
from gameplay.statistics.sprt import SINGLE, Verdict, sprt


class Standing:
    """Fed with games in any order. `pairs` are those that are known so far: results bring more of some forms.

    `verdict` is SPRT's, from the view of the first player; `last` is the pair that decided it.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.sprt: Sprt | None = schedule.plan.sprt
        self.pairs: list[Pair] = schedule.pairs({})
        self.results: dict[int, tuple[float, ...]] = {}  # of complete pairs: the points of each player
        self.games = 0
        self.row = 0  # complete pairs from the first on, as far as SPRT has looked
        self.counts = [0] * 5  # of those, by the half points of the first player
        self.singles = [0] * 3  # of their games
        self.verdict: Verdict | None = None
        self.last: int | None = None
        self._legs: dict[int, dict[int, tuple[float, ...]]] = {}  # points by seat

    def add(self, pair: int, leg: int, payoffs: Sequence[float]) -> None:
        """Count a game."""
        while pair >= len(self.pairs) and self.grown():
            pass
        place, legs = self.pairs[pair], self._legs.setdefault(pair, {})
        legs[leg] = points(payoffs)
        self.games += 1
        if len(legs) == place.legs:
            total = dict.fromkeys(place.players, 0.0)
            for number, by_seat in legs.items():
                for player, mine in zip(place.seating(number), by_seat, strict=True):
                    total[player] += mine
            self.results[pair] = tuple(total.values())
            if self.sprt is not None:
                self._judge(self.sprt)
            else:
                del self._legs[pair]

    def grown(self) -> bool:
        """Ask for the pairs that follow from the results; true if there are more than before."""
        before = len(self.pairs)
        if self.schedule.total is None:
            self.pairs = self.schedule.pairs(self.results)
        return len(self.pairs) > before

    def _judge(self, test: Sprt) -> None:
        while self.last is None and self.row in self.results:
            place, legs = self.pairs[self.row], self._legs.pop(self.row)
            for leg, by_seat in legs.items():
                self.singles[int(2 * by_seat[place.seating(leg).index(place.players[0])])] += 1
            self.counts[int(2 * self.results[self.row][0])] += 1
            counts = self.singles if test.model in SINGLE else self.counts
            self.verdict = sprt(counts, test.elo0, test.elo1, test.alpha, test.beta, test.model)
            if self.verdict.decision is not None:
                self.last = self.row
            self.row += 1
