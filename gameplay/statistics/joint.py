"""Ratings of many players from all their results at once, with error bars.

Bradley and Terry (1952): player i scores 1 / (1 + 10 ** ((R_j - R_i) / 400)) of the points against j, a draw
being half a point; the ratings maximize the likelihood of the results. A performance against the field is
not a rating, since it depends on the opponents met.

    zero        the average of the rated players: only differences mean anything
    error bars  95 %, of the distance to that average. The spread of results (of pairs, where games come in
                pairs) is measured, with Student's t for as many degrees of freedom as there are results less
                the ratings fitted to them (covariance H^-1 J H^-1, H the information, J the squares of
                residuals; P. Huber, 1967). With fewer than 10, or where no spread shows, it is that of games
                without draws, the greatest that independent games have. Two players have the interval of
                `rating`, as in a match.
    perfect scores  nothing is added to the results (no prior). A player who took no point from the others, or
                lost none, has no rating, only a bound: the largest group whose players are all linked by
                points taken, in both directions (L. Ford, 1957), is rated; all others are placed above or
                below it. The chance of n best results is at most the product of the expected scores (as in
                `interval`). Where no two players took points from each other, one from the middle is the
                reference.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import mul
from statistics import NormalDist

from gameplay.statistics import student
from gameplay.statistics.interval import TAIL, NoRating
from gameplay.statistics.rating import Rating, bounded, rate

_C = math.log(10) / 400
MIN_RESULTS = 10  # results of two players from which on their own spread counts

Matrix = list[list[float]]


@dataclass(frozen=True)
class HeadToHead:
    """The results of two players: 3 counts of games, 5 of pairs, 2n + 1 of groups of n; the worst first."""

    first: str
    second: str
    counts: Sequence[int]


@dataclass(frozen=True)
class Rated:
    """The rating of one player. `elo` is None where there is only a bound, or nothing at all.

    The interval is then infinite at one end, or at both. `reference`: all others are compared with this
    player, because no two players took points from each other.
    """

    name: str
    elo: float | None
    low: float  # the ends of the 95 % interval
    high: float
    points: float
    games: int
    reference: bool = False

    @property
    def error(self) -> float:
        """The error bar: half the width of the 95 % interval; infinite where it is unbounded."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        if self.reference:
            return "0 (reference)"
        if self.elo is None:
            unbounded = math.isinf(self.low) and math.isinf(self.high)
            return "unknown" if unbounded else bounded(math.nan, self.low, self.high)
        if abs(self.elo - self.low - self.error) < 0.5:
            return f"{round(self.elo):+d} ± {round(self.error)}"
        return bounded(self.elo, self.low, self.high)

    def as_dict(self) -> dict[str, str | float | None]:
        """The fields as plain data for JSON, rounded to 6 decimals; None for infinite ones."""
        plain = {k: round(v, 6) if isinstance(v, float) else v for k, v in vars(self).items()}
        return {k: None if v in (math.inf, -math.inf) else v for k, v in plain.items()}


@dataclass(frozen=True)
class Lead:
    """The difference of two ratings in Elo, its 95 % interval, and the likelihood that it is positive."""

    elo: float
    low: float
    high: float
    los: float


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, the best first; `ratings[name]` is one of them."""

    standings: list[Rated]
    _places: Mapping[str, int] = field(repr=False)
    _errors: "Errors" = field(repr=False)

    def __getitem__(self, name: str) -> Rated:
        return next(standing for standing in self.standings if standing.name == name)

    @property
    def anchors(self) -> list[str]:
        """The players whose average rating is defined as 0: all that have a rating and not only a bound."""
        return [standing.name for standing in self.standings if standing.elo is not None]

    @property
    def scale(self) -> str:
        """What the ratings are relative to, in words."""
        reference = next((one.name for one in self.standings if one.reference), None)
        if reference is not None:
            return f"relative to {reference}"
        whole = len(self.anchors) in (0, len(self.standings))
        return "0 is the average" if whole else "0 is the average of those with a rating"

    @property
    def spread(self) -> str:
        """What the intervals rest on where no spread of results was measured, in words; "" where it was."""
        errors = self._errors
        if errors.duel is not None:
            return "" if errors.duel.measured else "bounds, because all results are equal"
        if errors.free is not None or len(self._places) < 2:
            return ""
        return "the spread is assumed: that of games without draws"

    def lead(self, first: str, second: str) -> Lead | None:
        """How far the first is ahead of the second; None if one of them has no rating.

        The interval does not follow from the two error bars: the errors of players who met the same opponents
        are correlated.
        """
        one, other = self[first].elo, self[second].elo
        if one is None or other is None:
            return None
        return self._errors.lead(self._places[first], self._places[second], one - other)


@dataclass(frozen=True)
class Errors:
    """The errors of the rated players' ratings, by their places among them.

    `duel`: the rating of the first of two by their own
    results.
    """

    covariance: "Matrix"
    free: int | None  # degrees of freedom of a measured spread; None where the spread is assumed
    duel: Rating | None = None

    def interval(self, place: int, elo: float) -> tuple[float, float]:
        """The ends of the 95 % interval of a rating."""
        if self.duel is not None:
            low, high = self.duel.low / 2, self.duel.high / 2
            return (low, high) if place == 0 else (-high, -low)
        half = self._quantile() * math.sqrt(max(self.covariance[place][place], 0.0))
        return elo - half, elo + half

    def lead(self, i: int, j: int, elo: float) -> Lead | None:
        """The difference `elo` of the players at two places."""
        if i == j:
            return None
        if self.duel is not None:
            duel = self.duel if i == 0 else self.duel.reversed
            return Lead(duel.elo, duel.low, duel.high, duel.los)
        matrix = self.covariance
        error = math.sqrt(max(matrix[i][i] + matrix[j][j] - 2 * matrix[i][j], 1e-300))
        half = self._quantile() * error
        distribution = NormalDist().cdf if self.free is None else partial(student.cdf, df=self.free)
        return Lead(elo, elo - half, elo + half, distribution(elo / error))

    def _quantile(self) -> float:
        return NormalDist().inv_cdf(1 - TAIL) if self.free is None else student.quantile(1 - TAIL, self.free)


@dataclass
class Encounter:
    """All results of players i and j; `counts` are i's, a result being a game or a group of games."""

    i: int
    j: int
    counts: list[int]

    @property
    def games(self) -> int:
        """In one result: 1, 2 for pairs, n for groups of n."""
        return (len(self.counts) - 1) // 2

    @property
    def results(self) -> int:
        return sum(self.counts)

    @property
    def points(self) -> float:
        return sum(count * x for x, count in enumerate(self.counts)) / 2

    @property
    def lost(self) -> float:
        return self.results * self.games - self.points


def ratings(results: Iterable[HeadToHead], players: Iterable[str] = ()) -> Ratings:
    """Joint maximum-likelihood ratings of all players in `results`.

    `players` names those who must be among them, besides. Raises NoRating if there are no results, or if not
    all players are linked by games.
    """
    names, meetings = _meetings(results, players)
    if not meetings:
        raise NoRating("no pair of games is finished")
    _linked(names, meetings)
    groups = _groups(len(names), meetings)
    games, points = [0] * len(names), [0.0] * len(names)
    for m in meetings:
        for player, won in ((m.i, m.points), (m.j, m.lost)):
            games[player] += m.results * m.games
            points[player] += won
    last = len(groups) - 1

    def suits(g: int) -> tuple[int, int, int, int]:
        """The largest group; of equal ones that in the middle, then that with the most games."""
        return len(groups[g]), -abs(2 * g - last), sum(games[i] for i in groups[g]), g

    core = max(range(len(groups)), key=suits)
    inner = [fit(group, meetings) for group in groups]
    members = groups[core]
    elos: dict[int, float] = dict(inner[core])
    if len(names) == 2 and len(meetings) == 1:  # a match, whatever its result
        members, core = [0, 1], -1
        duel = rate(meetings[0].counts)
        elos = {0: duel.elo / 2, 1: -duel.elo / 2} if math.isfinite(duel.elo) else {}
    places = {names[i]: k for k, i in enumerate(members)}
    errors = _errors(members, inner[core], meetings)
    low, high = dict(elos), dict(elos)
    if core >= 0:
        _place(groups, inner, core, meetings, low, 1)
        _place(groups[::-1], inner[::-1], last - core, meetings, high, -1)
    reference = len(members) == 1
    kept = []
    for number, group in enumerate(groups):
        for i in group:
            if i in members and not reference:
                ends = errors.interval(places[names[i]], elos.get(i, 0.0))
            elif i in members:
                ends = -math.inf, math.inf
            else:
                ends = low.get(i, -math.inf), high.get(i, math.inf)
            standing = Rated(
                name=names[i],
                elo=elos.get(i),
                low=ends[0],
                high=ends[1],
                points=points[i],
                games=games[i],
                reference=reference and i in members,
            )
            kept.append((_tier(standing), -number, -inner[number][i], names[i], standing))
    return Ratings([standing for *_, standing in sorted(kept)], places, errors)


def _tier(standing: Rated) -> int:
    """The best first: players above the rated ones, the rated, those below, and those without a bound."""
    if standing.elo is not None:
        return 1
    return 0 if not math.isinf(standing.low) else 2 if not math.isinf(standing.high) else 3


def fit(members: Sequence[int], meetings: Sequence[Encounter]) -> dict[int, float]:
    """The maximum-likelihood ratings of players who are all linked by points taken; their average is 0.

    Newton's method on the concave log-likelihood; a step that lowers it is halved.
    """
    place = {player: k for k, player in enumerate(members)}
    inside = [m for m in meetings if m.i in place and m.j in place]
    elos = [0.0] * len(members)
    if len(members) == 1:
        return {members[0]: 0.0}

    def likelihood(elos: Sequence[float]) -> float:
        gaps = ((m, _C * (elos[place[m.i]] - elos[place[m.j]])) for m in inside)
        return -sum(m.points * _softplus(-gap) + m.lost * _softplus(gap) for m, gap in gaps)

    now = likelihood(elos)
    for _ in range(100):
        slope = [0.0] * len(members)
        for m in inside:
            i, j = place[m.i], place[m.j]
            more = _C * (m.points - m.results * m.games * expected(elos[i] - elos[j]))
            slope[i] += more
            slope[j] -= more
        step = _solved(_information(place, elos, inside), slope)
        if max(map(abs, step)) < 1e-9:
            break
        for _ in range(60):
            tried = [elo + s for elo, s in zip(elos, step, strict=True)]
            then = likelihood(tried)
            if then >= now - 1e-12 * abs(now):
                break
            step = [s / 2 for s in step]
        elos, now = tried, then
    average = math.fsum(elos) / len(elos)
    return {player: elos[k] - average for player, k in place.items()}


def expected(difference: float) -> float:
    """The expected score, 0 to 1, at a rating difference in Elo."""
    return 1 / (1 + 10 ** (-difference / 400)) if difference > -4000 else 0.0


def _meetings(results: Iterable[HeadToHead], players: Iterable[str]) -> tuple[list[str], list[Encounter]]:
    """The players in the order of their names, and one meeting for every two of them and kind of counts."""
    kept = [result for result in results if sum(result.counts)]
    names = sorted({*players, *(r.first for r in kept), *(r.second for r in kept)})
    number = {name: i for i, name in enumerate(names)}
    encounters: dict[tuple[int, int, int], Encounter] = {}
    for result in kept:
        if (
            len(result.counts) < 3
            or len(result.counts) % 2 == 0
            or min(result.counts) < 0
            or result.first == result.second
        ):
            raise ValueError(f"not a result of two players: {result}")
        i, j, counts = number[result.first], number[result.second], list(result.counts)
        if i > j:
            i, j, counts = j, i, counts[::-1]
        meeting = encounters.setdefault((i, j, len(counts)), Encounter(i, j, [0] * len(counts)))
        meeting.counts = [a + b for a, b in zip(meeting.counts, counts, strict=True)]
    return names, [encounters[key] for key in sorted(encounters)]


def _reach(players: int, arrows: Iterable[tuple[int, int]]) -> list[int]:
    """For every player the set, as bits, of those that can be reached along the arrows, with the player."""
    reach = [1 << i for i in range(players)]
    for i, j in arrows:
        reach[i] |= 1 << j
    for k in range(players):
        for i in range(players):
            if reach[i] >> k & 1:
                reach[i] |= reach[k]
    return reach


def _linked(names: Sequence[str], meetings: Sequence[Encounter]) -> None:
    both = [(m.i, m.j) for m in meetings] + [(m.j, m.i) for m in meetings]
    reach = _reach(len(names), both)
    apart = [name for i, name in enumerate(names) if not reach[0] >> i & 1]
    if apart:
        listed = ", ".join(apart[:5]) + (", ..." if len(apart) > 5 else "")
        raise NoRating(
            f"no game links {names[0]} with {listed}, not even through others, so they cannot be compared; "
            "let them meet"
        )


def _groups(players: int, meetings: Sequence[Encounter]) -> list[list[int]]:
    """The players, those together who are linked by points taken in both directions; the weaker first."""
    arrows = [(m.i, m.j) for m in meetings if m.points > 0]
    arrows += [(m.j, m.i) for m in meetings if m.lost > 0]
    reach = _reach(players, arrows)
    groups: dict[int, list[int]] = {}
    for i in range(players):
        groups.setdefault(reach[i], []).append(i)  # equal reach: each reaches the other
    return [groups[reached] for reached in sorted(groups, key=lambda r: (r.bit_count(), groups[r]))]


def _place(
    groups: Sequence[Sequence[int]],
    inner: Sequence[Mapping[int, float]],
    core: int,
    meetings: Sequence[Encounter],
    bound: dict[int, float],
    sign: int,
) -> None:
    """Bounds for the groups that won every game against a bounded player (`sign` -1: that lost every game).

    `groups` begins with those who are farthest on the other side.
    """
    for number, group in enumerate(groups):
        if number == core:
            continue
        met = []  # (own rating inside the group, the other's bound, results)
        for m in meetings:
            for own, other in ((m.i, m.j), (m.j, m.i)):
                if own in group and other not in group and other in bound:
                    won = m.points > 0 if own == m.i else m.lost > 0
                    if won == (sign > 0):
                        met.append((sign * inner[number][own], sign * bound[other], m.results))
        if met:
            shift = sign * _least(met)
            bound.update({i: inner[number][i] + shift for i in group})


def _least(met: Sequence[tuple[float, float, int]]) -> float:
    """The least shift at which all these wins are not a surprise: their chance is that of the tail."""

    low, high = -1e5, 1e5
    while high - low > 1e-7:
        shift = (low + high) / 2
        chance = -sum(n * _softplus(-_C * (own + shift - other)) for own, other, n in met)
        low, high = (shift, high) if chance < math.log(TAIL) else (low, shift)
    return (low + high) / 2


def _information(place: Mapping[int, int], elos: Sequence[float], meetings: Sequence[Encounter]) -> Matrix:
    """Of the games; with a constant added to every cell, because a shift of all ratings changes nothing."""
    size = len(elos)
    matrix = [[0.0] * size for _ in range(size)]
    for m in meetings:
        i, j = place[m.i], place[m.j]
        likely = expected(elos[i] - elos[j])
        _add(matrix, i, j, m.results * m.games * _C**2 * max(likely * (1 - likely), 1e-300))
    constant = sum(matrix[i][i] for i in range(size)) / size**2
    return [[cell + constant for cell in row] for row in matrix]


def _errors(members: Sequence[int], elos: Mapping[int, float], meetings: Sequence[Encounter]) -> Errors:
    """The errors of the ratings, from the squares of the differences to the expected score."""
    size = len(members)
    place = {player: k for k, player in enumerate(members)}
    inside = [m for m in meetings if m.i in place and m.j in place]
    if size == 1:
        return Errors([[0.0]], None)
    if size == 2 and len(inside) == 1:
        return Errors([], None, rate(inside[0].counts))
    inverse = _inverse(_information(place, [elos[i] for i in members], inside))
    squares = [_squares(m, expected(elos[m.i] - elos[m.j])) for m in inside]
    results = sum(m.results for m in inside)
    free = results - (size - 1)
    ratio = sum(s for s, _ in squares) / sum(full for _, full in squares) if free >= MIN_RESULTS else 0.0
    measured = ratio > 0
    correction = results / free if measured else 1.0
    spread = [[0.0] * size for _ in range(size)]
    for m, (seen, full) in zip(inside, squares, strict=True):
        own = measured and m.results >= MIN_RESULTS and max(m.counts) < m.results
        weight = seen if own else full * (ratio or 1.0)
        _add(spread, place[m.i], place[m.j], _C**2 * correction * weight)
    half = [[sum(map(mul, row, column)) for column in spread] for row in inverse]
    covariance = [[sum(map(mul, row, column)) for column in inverse] for row in half]
    return Errors(covariance, free if measured else None)


def _squares(m: Encounter, likely: float) -> tuple[float, float]:
    """The sum of squares of points minus the expected points; and its value if no game were drawn."""
    seen = sum(count * (x / 2 - m.games * likely) ** 2 for x, count in enumerate(m.counts))
    return seen, m.results * m.games * likely * (1 - likely)


def _add(matrix: Matrix, i: int, j: int, weight: float) -> None:
    """Add weight * (e_i - e_j)(e_i - e_j)'."""
    matrix[i][i] += weight
    matrix[j][j] += weight
    matrix[i][j] -= weight
    matrix[j][i] -= weight


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """x with matrix * x = right, the matrix being positive definite, by Gauss' elimination."""
    size = len(matrix)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for k in range(size):
        top = rows[k][k:]
        for i in range(k + 1, size):
            factor = rows[i][k] / top[0]
            rows[i][k:] = [a - factor * b for a, b in zip(rows[i][k:], top, strict=True)]
    solution: list[float] = []
    for k in reversed(range(size)):
        solution.insert(0, (rows[k][-1] - sum(map(mul, rows[k][k + 1 :], solution))) / rows[k][k])
    return solution


def _inverse(matrix: Matrix) -> Matrix:
    """Of a positive definite matrix, by elimination (Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for k in range(size):
        scale = rows[k][k]
        top = rows[k] = [cell / scale for cell in rows[k]]
        for i in range(size):
            factor = rows[i][k]
            if i != k and factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], top, strict=True)]
    return [row[size:] for row in rows]


def _softplus(x: float) -> float:
    """ln(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
