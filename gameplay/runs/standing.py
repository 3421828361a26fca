"""The standing of a run: counted games, complete pairs, and the SPRT.

The SPRT is evaluated after each pair of the longest sequence of complete pairs from the first on, so its
verdict does not depend on the speed or the concurrency of games.
"""

from collections.abc import Sequence

from gameplay.runs.pairing import Pair, points
from gameplay.runs.plan import Sprt
from gameplay.runs.schedule import Schedule
from gameplay.statistics.sprt import Verdict, counts_of, sprt
from gameplay.statistics.tally import Tally


class Standing:
    """Counts games in any order. `pairs`: those scheduled so far; results add more in some forms.

    `tally` counts the games of each pair from the view of its first player. `verdict` is that of the SPRT,
    from the view of the plan's first player; `last` is the pair that decided it.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.sprt: Sprt | None = schedule.plan.sprt
        self.pairs: list[Pair] = schedule.pairs({})
        self.results: dict[int, tuple[float, ...]] = {}  # of complete pairs: the points of each player
        self.tally = Tally(schedule.places)
        self.complete_tally = Tally(schedule.places)  # of the pairs that the SPRT has counted
        self.verdict: Verdict | None = None
        self.last: int | None = None
        self._due = 0  # the next pair for the SPRT
        self._legs: dict[int, dict[int, tuple[float, ...]]] = {}  # points by seat

    @property
    def games(self) -> int:
        """The number of counted games."""
        return self.tally.total

    def add(self, pair: int, leg: int, payoffs: Sequence[float]) -> None:
        """Count a game."""
        while pair >= len(self.pairs) and self.extend_pairs():
            pass
        place, legs = self.pairs[pair], self._legs.setdefault(pair, {})
        legs[leg] = points(payoffs)
        self.tally.add(pair, legs[leg][place.seating(leg).index(place.players[0])])
        if len(legs) == place.legs:
            total = dict.fromkeys(place.players, 0.0)
            for number, by_seat in legs.items():
                for player, own in zip(place.seating(number), by_seat, strict=True):
                    total[player] += own
            self.results[pair] = tuple(total.values())
            if self.sprt is not None:
                self._update_sprt(self.sprt)
            else:
                del self._legs[pair]

    def extend_pairs(self) -> bool:
        """Update `pairs` from the results; true if there are new ones."""
        before = len(self.pairs)
        if self.schedule.total is None:
            self.pairs = self.schedule.pairs(self.results)
        return len(self.pairs) > before

    def _update_sprt(self, test: Sprt) -> None:
        while self.last is None and self._due in self.results:
            place = self.pairs[self._due]
            for leg, by_seat in self._legs.pop(self._due).items():
                self.complete_tally.add(self._due, by_seat[place.seating(leg).index(place.players[0])])
            counts = counts_of(self.complete_tally, test.model)
            self.verdict = sprt(counts, test.elo0, test.elo1, test.alpha, test.beta, test.model)
            if self.verdict.decision is not None:
                self.last = self._due
            self._due += 1
