"""Joint maximum-likelihood ratings of many players from all their results, with error bars.

Bradley and Terry (1952): player i scores 1 / (1 + 10 ** ((R_j - R_i) / 400)) of the points against j, a draw
being half a point; the ratings maximize the likelihood of the results. Performance ratings against the field
would depend on the opponents met.

    zero        the average of the rated players: only differences are meaningful
    error bars  95 %, relative to that average. The spread of results (of pairs, if games come in pairs) is
                measured; Student's t has as many degrees of freedom as results minus fitted ratings
                (covariance H^-1 J H^-1, H the information, J the squared residuals; P. Huber, 1967). With
                fewer than 10, or if no spread can be measured, it is that of games without draws, the maximum
                for independent games. Two players have the interval of `rating`, as in a match.
    perfect scores  there is no prior. A player who scored no point, or lost none, has no rating, only a
                bound: the largest group of players who all scored against each other, directly or through
                others (a strongly connected component; L. Ford, 1957), is rated; all others are bounded from
                below or above by it. The probability of n best results is at most the product of the
                expected scores (as in `interval`). If no two players scored against each other, one from the
                middle is the reference.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import mul
from statistics import NormalDist

from gameplay.statistics import student
from gameplay.statistics.interval import TAIL, NoRating
from gameplay.statistics.rating import (
    LOGISTIC,
    Rating,
    expected_score,
    format_interval,
    log_expected_score,
    rate,
)

MIN_RESULTS = 10  # with fewer results of two players their own spread is not used

Matrix = list[list[float]]


@dataclass(frozen=True)
class HeadToHead:
    """The results of two players: 3 counts of games, 5 of pairs, 2n + 1 of groups of n; the worst first."""

    first: str
    second: str
    counts: Sequence[int]


@dataclass(frozen=True)
class PlayerRating:
    """The rating of one player. `elo` is None if there is at most a bound: one or both ends are infinite.

    reference: all others are compared with this player, because no two players scored against each other.
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
        """The error bar: half the width of the 95 % interval; infinite if that is unbounded."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        if self.reference:
            return "0 (reference)"
        if self.elo is None:
            unbounded = math.isinf(self.low) and math.isinf(self.high)
            return "unknown" if unbounded else format_interval(math.nan, self.low, self.high)
        if abs(self.elo - self.low - self.error) < 0.5:
            return f"{round(self.elo):+d} ± {round(self.error)}"
        return format_interval(self.elo, self.low, self.high)

    def as_dict(self) -> dict[str, str | float | None]:
        """The fields as plain data for JSON, rounded to 6 decimals; None for infinite ones."""
        plain = {k: round(v, 6) if isinstance(v, float) else v for k, v in vars(self).items()}
        return {k: None if v in (math.inf, -math.inf) else v for k, v in plain.items()}


@dataclass(frozen=True)
class RatingDifference:
    """The difference of two ratings in Elo, its 95 % interval, and the likelihood that it is positive."""

    elo: float
    low: float
    high: float
    los: float


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, the best first; `ratings[name]` is that of one player."""

    standings: list[PlayerRating]
    _places: Mapping[str, int] = field(repr=False)
    _errors: "Errors" = field(repr=False)

    def __getitem__(self, name: str) -> PlayerRating:
        return next(standing for standing in self.standings if standing.name == name)

    @property
    def anchors(self) -> list[str]:
        """The players whose average rating is defined as 0: all with a rating, not only a bound."""
        return [standing.name for standing in self.standings if standing.elo is not None]

    @property
    def scale(self) -> str:
        """The zero of the ratings, as text."""
        reference = next((standing.name for standing in self.standings if standing.reference), None)
        if reference is not None:
            return f"relative to {reference}"
        all_rated = len(self.anchors) in (0, len(self.standings))
        return "0 is the average" if all_rated else "0 is the average of those with a rating"

    @property
    def spread(self) -> str:
        """The basis of the intervals if no spread of results was measured, as text; "" if it was."""
        errors = self._errors
        if errors.duel is not None:
            return "" if errors.duel.measured else "bounds, because all results are equal"
        if errors.df is not None or len(self._places) < 2:
            return ""
        return "the spread is assumed: that of games without draws"

    def lead(self, first: str, second: str) -> RatingDifference | None:
        """The rating of the first minus that of the second; None if one of them has no rating.

        The interval cannot be derived from the two error bars: the errors of players with common opponents
        are correlated.
        """
        one, other = self[first].elo, self[second].elo
        if one is None or other is None:
            return None
        return self._errors.lead(self._places[first], self._places[second], one - other)


@dataclass(frozen=True)
class Errors:
    """The errors of the ratings, by place among the rated players.

    duel: the rating of the first of two players from the results between them.
    """

    covariance: "Matrix"
    df: int | None  # degrees of freedom of a measured spread; None if the spread is assumed
    duel: Rating | None = None

    def interval(self, place: int, elo: float) -> tuple[float, float]:
        """The ends of the 95 % interval of a rating."""
        if self.duel is not None:
            low, high = self.duel.low / 2, self.duel.high / 2
            return (low, high) if place == 0 else (-high, -low)
        half = self._quantile() * math.sqrt(max(self.covariance[place][place], 0.0))
        return elo - half, elo + half

    def lead(self, i: int, j: int, elo: float) -> RatingDifference | None:
        """The error of the rating difference `elo` of the players at two places; None for one player."""
        if i == j:
            return None
        if self.duel is not None:
            duel = self.duel if i == 0 else self.duel.reversed
            return RatingDifference(duel.elo, duel.low, duel.high, duel.los)
        matrix = self.covariance
        error = math.sqrt(max(matrix[i][i] + matrix[j][j] - 2 * matrix[i][j], 1e-300))
        half = self._quantile() * error
        distribution = NormalDist().cdf if self.df is None else partial(student.cdf, df=self.df)
        return RatingDifference(elo, elo - half, elo + half, distribution(elo / error))

    def _quantile(self) -> float:
        return NormalDist().inv_cdf(1 - TAIL) if self.df is None else student.quantile(1 - TAIL, self.df)


@dataclass
class Encounter:
    """All results of players i and j; `counts` are i's, a result being a game or a group of games."""

    i: int
    j: int
    counts: list[int]

    @property
    def games(self) -> int:
        """The number of games of one result: 1, 2 for pairs, n for groups of n."""
        return (len(self.counts) - 1) // 2

    @property
    def results(self) -> int:
        """The number of results."""
        return sum(self.counts)

    @property
    def points(self) -> float:
        """The points of i."""
        return sum(count * x for x, count in enumerate(self.counts)) / 2

    @property
    def opponent_points(self) -> float:
        """The points of j."""
        return self.results * self.games - self.points


def ratings(results: Iterable[HeadToHead], players: Iterable[str] = ()) -> Ratings:
    """Joint maximum-likelihood ratings of all players in `results`.

    players: names of players to include even without results. Raises NoRating if there are no results, or if
    some players are not linked to the others by games.
    """
    names, encounters = _encounters(results, players)
    if not encounters:
        raise NoRating("no pair of games is finished")
    _check_linked(names, encounters)
    groups = _strong_components(len(names), encounters)
    games, points = [0] * len(names), [0.0] * len(names)
    for e in encounters:
        for player, scored in ((e.i, e.points), (e.j, e.opponent_points)):
            games[player] += e.results * e.games
            points[player] += scored
    last = len(groups) - 1

    def core_key(g: int) -> tuple[int, int, int, int]:
        """The largest group first, then that nearest the middle, then that with the most games."""
        return len(groups[g]), -abs(2 * g - last), sum(games[i] for i in groups[g]), g

    core = max(range(len(groups)), key=core_key)
    inner = [fit(group, encounters) for group in groups]
    members = groups[core]
    elos: dict[int, float] = dict(inner[core])
    if len(names) == 2 and len(encounters) == 1:  # a match is rated even if one side won all games
        members, core = [0, 1], -1
        duel = rate(encounters[0].counts)
        elos = {0: duel.elo / 2, 1: -duel.elo / 2} if math.isfinite(duel.elo) else {}
    places = {names[i]: k for k, i in enumerate(members)}
    errors = _errors(members, inner[core], encounters)
    low, high = dict(elos), dict(elos)
    if core >= 0:
        _bound_groups(groups, inner, core, encounters, low, 1)
        _bound_groups(groups[::-1], inner[::-1], last - core, encounters, high, -1)
    reference = len(members) == 1
    rows = []
    for number, group in enumerate(groups):
        for i in group:
            if i in members and not reference:
                ends = errors.interval(places[names[i]], elos.get(i, 0.0))
            elif i in members:
                ends = -math.inf, math.inf
            else:
                ends = low.get(i, -math.inf), high.get(i, math.inf)
            standing = PlayerRating(
                name=names[i],
                elo=elos.get(i),
                low=ends[0],
                high=ends[1],
                points=points[i],
                games=games[i],
                reference=reference and i in members,
            )
            rows.append((_tier(standing), -number, -inner[number][i], names[i], standing))
    return Ratings([standing for *_, standing in sorted(rows)], places, errors)


def _tier(standing: PlayerRating) -> int:
    """The sort key, best first: bounded from below, rated, bounded from above, without a bound."""
    if standing.elo is not None:
        return 1
    return 0 if not math.isinf(standing.low) else 2 if not math.isinf(standing.high) else 3


def fit(members: Sequence[int], encounters: Sequence[Encounter]) -> dict[int, float]:
    """The maximum-likelihood ratings of the players of a strong component; their average is 0.

    Newton's method on the concave log-likelihood; a step that decreases it is halved.
    """
    place = {player: k for k, player in enumerate(members)}
    inside = [e for e in encounters if e.i in place and e.j in place]
    elos = [0.0] * len(members)
    if len(members) == 1:
        return {members[0]: 0.0}

    def log_likelihood(elos: Sequence[float]) -> float:
        gaps = ((e, elos[place[e.i]] - elos[place[e.j]]) for e in inside)
        return sum(
            e.points * log_expected_score(gap) + e.opponent_points * log_expected_score(-gap)
            for e, gap in gaps
        )

    value = log_likelihood(elos)
    for _ in range(100):
        gradient = [0.0] * len(members)
        for e in inside:
            i, j = place[e.i], place[e.j]
            residual = LOGISTIC * (e.points - e.results * e.games * expected_score(elos[i] - elos[j]))
            gradient[i] += residual
            gradient[j] -= residual
        step = _solve(_information(place, elos, inside), gradient)
        if max(map(abs, step)) < 1e-9:
            break
        for _ in range(60):
            next_elos = [elo + s for elo, s in zip(elos, step, strict=True)]
            next_value = log_likelihood(next_elos)
            if next_value >= value - 1e-12 * abs(value):
                break
            step = [s / 2 for s in step]
        elos, value = next_elos, next_value
    average = math.fsum(elos) / len(elos)
    return {player: elos[k] - average for player, k in place.items()}


def _encounters(results: Iterable[HeadToHead], players: Iterable[str]) -> tuple[list[str], list[Encounter]]:
    """The sorted names of the players, and one encounter for every two players and number of counts."""
    nonempty = [result for result in results if sum(result.counts)]
    names = sorted({*players, *(r.first for r in nonempty), *(r.second for r in nonempty)})
    number = {name: i for i, name in enumerate(names)}
    encounters: dict[tuple[int, int, int], Encounter] = {}
    for result in nonempty:
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
        encounter = encounters.setdefault((i, j, len(counts)), Encounter(i, j, [0] * len(counts)))
        encounter.counts = [a + b for a, b in zip(encounter.counts, counts, strict=True)]
    return names, [encounters[key] for key in sorted(encounters)]


def _reachable(players: int, arrows: Iterable[tuple[int, int]]) -> list[int]:
    """For every player the bitset of players reachable along the arrows, including itself."""
    reach = [1 << i for i in range(players)]
    for i, j in arrows:
        reach[i] |= 1 << j
    for k in range(players):
        for i in range(players):
            if reach[i] >> k & 1:
                reach[i] |= reach[k]
    return reach


def _check_linked(names: Sequence[str], encounters: Sequence[Encounter]) -> None:
    """Raise NoRating unless all players are linked by games, directly or through others."""
    arrows = [(e.i, e.j) for e in encounters] + [(e.j, e.i) for e in encounters]
    reach = _reachable(len(names), arrows)
    unlinked = [name for i, name in enumerate(names) if not reach[0] >> i & 1]
    if unlinked:
        others = ", ".join(unlinked[:5]) + (", ..." if len(unlinked) > 5 else "")
        raise NoRating(
            f"no game links {names[0]} with {others}, not even through others, so they cannot be compared; "
            "let them meet"
        )


def _strong_components(players: int, encounters: Sequence[Encounter]) -> list[list[int]]:
    """The strong components of the graph of arrows from each i to each j it scored against, weakest first."""
    arrows = [(e.i, e.j) for e in encounters if e.points > 0]
    arrows += [(e.j, e.i) for e in encounters if e.opponent_points > 0]
    reach = _reachable(players, arrows)
    groups: dict[int, list[int]] = {}
    for i in range(players):
        groups.setdefault(reach[i], []).append(i)  # equal reach: each reaches the other
    return [groups[reached] for reached in sorted(groups, key=lambda r: (r.bit_count(), groups[r]))]


def _bound_groups(
    groups: Sequence[Sequence[int]],
    inner: Sequence[Mapping[int, float]],
    core: int,
    encounters: Sequence[Encounter],
    bound: dict[int, float],
    sign: int,
) -> None:
    """Add to `bound` the groups that won every game against a bounded player (`sign` -1: lost every game).

    groups: the weakest first (`sign` -1: the strongest first).
    """
    for number, group in enumerate(groups):
        if number == core:
            continue
        met = []  # (rating within the group, bound of the opponent, number of results)
        for e in encounters:
            for own, other in ((e.i, e.j), (e.j, e.i)):
                if own in group and other not in group and other in bound:
                    won = e.points > 0 if own == e.i else e.opponent_points > 0
                    if won == (sign > 0):
                        met.append((sign * inner[number][own], sign * bound[other], e.results))
        if met:
            shift = sign * _min_shift(met)
            bound.update({i: inner[number][i] + shift for i in group})


def _min_shift(met: Sequence[tuple[float, float, int]]) -> float:
    """The least shift of a group's ratings at which all its wins have a probability of at least TAIL."""
    low, high = -1e5, 1e5
    while high - low > 1e-7:
        shift = (low + high) / 2
        log_probability = sum(n * log_expected_score(own + shift - other) for own, other, n in met)
        low, high = (shift, high) if log_probability < math.log(TAIL) else (low, shift)
    return (low + high) / 2


def _information(place: Mapping[int, int], elos: Sequence[float], encounters: Sequence[Encounter]) -> Matrix:
    """The information matrix of the games, plus a constant in every cell, since only differences matter."""
    size = len(elos)
    matrix = [[0.0] * size for _ in range(size)]
    for e in encounters:
        i, j = place[e.i], place[e.j]
        score = expected_score(elos[i] - elos[j])
        _add_pair(matrix, i, j, e.results * e.games * LOGISTIC**2 * max(score * (1 - score), 1e-300))
    constant = sum(matrix[i][i] for i in range(size)) / size**2
    return [[cell + constant for cell in row] for row in matrix]


def _errors(members: Sequence[int], elos: Mapping[int, float], encounters: Sequence[Encounter]) -> Errors:
    """The errors of the ratings, from the squared residuals of the results."""
    size = len(members)
    place = {player: k for k, player in enumerate(members)}
    inside = [e for e in encounters if e.i in place and e.j in place]
    if size == 1:
        return Errors([[0.0]], None)
    if size == 2 and len(inside) == 1:
        return Errors([], None, rate(inside[0].counts))
    inverse = _inverse(_information(place, [elos[i] for i in members], inside))
    squares = [_squared_residuals(e, expected_score(elos[e.i] - elos[e.j])) for e in inside]
    results = sum(e.results for e in inside)
    df = results - (size - 1)
    ratio = sum(s for s, _ in squares) / sum(full for _, full in squares) if df >= MIN_RESULTS else 0.0
    measured = ratio > 0
    correction = results / df if measured else 1.0
    spread = [[0.0] * size for _ in range(size)]
    for e, (observed, full) in zip(inside, squares, strict=True):
        own = measured and e.results >= MIN_RESULTS and max(e.counts) < e.results
        weight = observed if own else full * (ratio or 1.0)
        _add_pair(spread, place[e.i], place[e.j], LOGISTIC**2 * correction * weight)
    half = [[sum(map(mul, row, column)) for column in spread] for row in inverse]
    covariance = [[sum(map(mul, row, column)) for column in inverse] for row in half]
    return Errors(covariance, df if measured else None)


def _squared_residuals(e: Encounter, score: float) -> tuple[float, float]:
    """The sum of squared residuals, given the expected `score` of a game; and its value without draws."""
    observed = sum(count * (x / 2 - e.games * score) ** 2 for x, count in enumerate(e.counts))
    return observed, e.results * e.games * score * (1 - score)


def _add_pair(matrix: Matrix, i: int, j: int, weight: float) -> None:
    """Add weight * (e_i - e_j)(e_i - e_j)'."""
    matrix[i][i] += weight
    matrix[j][j] += weight
    matrix[i][j] -= weight
    matrix[j][i] -= weight


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve matrix * x = right for a positive definite matrix, by Gaussian elimination."""
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
    """Invert a positive definite matrix by Gauss-Jordan elimination."""
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
