"""Joint ratings against the closed form of two players, against scipy, and by simulation."""

import math
import random
from itertools import combinations

import pytest

from gameplay.statistics import joint
from gameplay.statistics.interval import NoRating
from gameplay.statistics.joint import HeadToHead, ratings
from gameplay.statistics.rating import elo, rate

pytestmark = pytest.mark.once

FOUR = [
    HeadToHead("a", "b", [2, 5, 9]),
    HeadToHead("b", "c", [4, 3, 6]),
    HeadToHead("c", "d", [1, 0, 2]),
    HeadToHead("a", "d", [0, 3, 7]),
    HeadToHead("c", "a", [3, 2, 1]),
]


@pytest.mark.parametrize(
    "counts",
    [
        [34, 54, 63, 64, 75],
        [96, 111, 136],
        [3, 10, 40, 12, 2],
        [0, 0, 1, 2, 0],
        [0, 0, 0, 3, 0],
        [0, 0, 0, 0, 2],
    ],
)
def test_two_players_have_the_interval_of_their_match(counts):
    table = ratings([HeadToHead("x", "y", counts)])
    match = rate(counts)
    for name, sign, ends in (("x", 1, (match.low, match.high)), ("y", -1, (-match.high, -match.low))):
        assert (table[name].low, table[name].high) == pytest.approx((ends[0] / 2, ends[1] / 2))
        assert table[name].elo == (None if math.isinf(match.elo) else pytest.approx(sign * match.elo / 2))
    assert [standing.name for standing in table.standings] == ["x", "y"]
    lead, behind = table.lead("x", "y"), table.lead("y", "x")
    if math.isinf(match.elo):
        assert lead is behind is None
    else:
        assert (lead.elo, lead.low, lead.high, lead.los) == (match.elo, match.low, match.high, match.los)
        assert (behind.elo, behind.low, behind.high, behind.los) == pytest.approx(
            (-match.elo, -match.high, -match.low, 1 - match.los)
        )


def test_ratings_by_general_optimization():
    optimize = pytest.importorskip("scipy.optimize")
    names = "abcd"

    def loss(values):
        total = 0.0
        for r in FOUR:
            gap = values[names.index(r.first)] - values[names.index(r.second)]
            losses, draws, wins = r.counts
            total += (wins + draws / 2) * math.log1p(math.exp(-gap)) + (losses + draws / 2) * math.log1p(
                math.exp(gap)
            )
        return total

    solution = optimize.minimize(loss, [0.0] * 4, method="BFGS", options={"gtol": 1e-10}).x
    solution = 400 / math.log(10) * (solution - solution.mean())
    table = ratings(FOUR)
    for name, expected in zip(names, solution, strict=True):
        assert table[name].elo == pytest.approx(expected, abs=1e-3)


def test_error_bars_are_the_information_where_every_game_is_won_or_lost():
    """Few games have no measurable spread, so the bars are those of the inverse Fisher information."""
    numpy = pytest.importorskip("numpy")
    results = [
        HeadToHead(a, b, [n, 0, 4 - n]) for (a, b), n in zip(combinations("abc", 2), (1, 2, 3), strict=True)
    ]
    table = ratings([*results[:2], HeadToHead("b", "c", [1, 0, 0]), HeadToHead("b", "c", [0, 0, 1])])
    c = math.log(10) / 400
    matrix = numpy.zeros((3, 3))
    for a, b, n in ((0, 1, 4), (0, 2, 4), (1, 2, 2)):
        likely = 1 / (1 + 10 ** (-(table["abc"[a]].elo - table["abc"[b]].elo) / 400))
        v = numpy.zeros(3)
        v[a], v[b] = 1, -1
        matrix += n * c * c * likely * (1 - likely) * numpy.outer(v, v)
    variance = numpy.diag(numpy.linalg.pinv(matrix))
    free = 10 - 2
    assert free < 10, "so few that nothing is measured"
    for i, name in enumerate("abc"):
        assert table[name].error == pytest.approx(1.959964 * math.sqrt(variance[i]), rel=1e-5)


def test_the_points_that_are_expected_are_the_points_that_were_made():
    """The maximum likelihood ratings reproduce each player's points."""
    table = ratings(FOUR)
    for name in "abcd":
        points = 0.0
        for r in FOUR:
            if name in (r.first, r.second):
                other = r.second if name == r.first else r.first
                points += sum(r.counts) / (1 + 10 ** ((table[other].elo - table[name].elo) / 400))
        assert points == pytest.approx(table[name].points, abs=1e-6)
    assert sum(s.elo for s in table.standings) == pytest.approx(0, abs=1e-6)


def test_order_names_and_sides_do_not_matter():
    table = ratings(FOUR)
    turned = ratings([HeadToHead(r.second, r.first, r.counts[::-1]) for r in reversed(FOUR)])
    renamed = ratings([HeadToHead("z" + r.first, "z" + r.second, r.counts) for r in FOUR])
    for s in table.standings:
        assert turned[s.name].elo == pytest.approx(s.elo, abs=1e-7)
        assert turned[s.name].error == pytest.approx(s.error, rel=1e-7)
        assert renamed["z" + s.name].elo == pytest.approx(s.elo, abs=1e-7)
    mirrored = ratings([HeadToHead(r.first, r.second, r.counts[::-1]) for r in FOUR])
    for s in table.standings:
        assert mirrored[s.name].elo == pytest.approx(-s.elo, abs=1e-7)
        assert mirrored[s.name].error == pytest.approx(s.error, rel=1e-6)


def test_games_in_pieces_count_as_one():
    whole = ratings([HeadToHead("x", "y", [4, 6, 10])])
    pieces = ratings(
        [HeadToHead("x", "y", [1, 6, 4]), HeadToHead("y", "x", [6, 0, 3]), HeadToHead("x", "y", [0, 0, 0])]
    )
    assert pieces["x"] == whole["x"]


def test_drawn_games_narrow_the_bars():
    wild = ratings([HeadToHead(a, b, [50, 0, 50]) for a, b in combinations("abcd", 2)])
    drawn = ratings([HeadToHead(a, b, [5, 90, 5]) for a, b in combinations("abcd", 2)])
    assert drawn["a"].error == pytest.approx(wild["a"].error * math.sqrt(0.1), rel=1e-6)


def test_the_spread_is_that_of_ordinary_least_squares_where_all_meetings_are_short():
    """Equal players, four results a meeting, too few for a spread of its own: one spread serves for all.

    Points less the half that is expected are then linear in the ratings: the textbook's errors of an ordinary
    least squares fit, the squares being shared by as many results as are left when the ratings have theirs.
    """
    numpy = pytest.importorskip("numpy")
    names = "abcd"
    table = ratings([HeadToHead(a, b, [1, 2, 1]) for a, b in combinations(names, 2)])
    rows, rests = [], []
    for a, b in combinations(range(4), 2):
        for points in (0, 0.5, 0.5, 1):
            row = numpy.zeros(4)
            row[a], row[b] = 1, -1
            rows.append(row * math.log(10) / 400 / 4)  # points to an Elo, where half of them are expected
            rests.append(points - 0.5)
    design = numpy.array(rows)
    square = numpy.square(rests).sum() / (len(rests) - 3)
    covariance = square * numpy.linalg.pinv(design.T @ design)
    for name, variance in zip(names, numpy.diag(covariance), strict=True):
        quantile = 2.079614  # of Student's t with 24 results less 3 ratings: 21 degrees of freedom (table)
        assert table[name].error == pytest.approx(quantile * math.sqrt(variance), rel=1e-6)


def test_equal_pairs_do_not_make_the_bars_vanish():
    """Games without draws have the greatest variance: 1.96 deviations of a difference from 100 games."""
    table = ratings([HeadToHead(a, b, [0, 0, 50, 0, 0]) for a, b in ("xy", "xz", "yz")])
    assert table["x"].elo == pytest.approx(0)
    lead = table.lead("x", "y")
    worth = 1.5 * 100  # games between x and y: the others link them too, two in a row count as half
    half = 1.959964 * 400 / math.log(10) * math.sqrt(4 / worth)
    assert (lead.low, lead.high) == pytest.approx((-half, half), rel=1e-5)
    assert lead.los == pytest.approx(0.5)
    assert table.spread == "the spread is assumed: that of games without draws"
    assert ratings([HeadToHead("x", "y", [0, 0, 50, 0, 0])]).spread == "bounds, because all results are equal"
    assert ratings([HeadToHead("x", "y", [0, 1, 50, 1, 0])]).spread == ""
    assert ratings([HeadToHead(a, b, [0, 9, 30, 9, 0]) for a, b in ("xy", "xz", "yz")]).spread == ""


# -- perfect scores --------------------------------------------------------------------------------


def test_all_wins_give_a_lower_bound():
    table = ratings([*FOUR, HeadToHead("best", "a", [0, 0, 0, 0, 5])])
    best = table.standings[0]
    assert (best.name, best.elo, best.high) == ("best", None, math.inf)
    assert best.low == pytest.approx(table["a"].elo + elo(0.025 ** (1 / 5)), abs=1e-5)
    assert str(best) == f">= {round(best.low):+d}"
    assert best.as_dict()["elo"] is None and best.as_dict()["high"] is None
    assert table.lead("best", "a") is None
    assert table["a"].elo == pytest.approx(ratings(FOUR)["a"].elo), "the others' ratings are untouched"
    assert set(table.anchors) == set("abcd")


def test_all_losses_mirror_all_wins():
    won = ratings([*FOUR, HeadToHead("x", "a", [0, 0, 0, 0, 5]), HeadToHead("x", "b", [0, 0, 3])])
    lost = ratings(
        [
            *(HeadToHead(r.first, r.second, r.counts[::-1]) for r in FOUR),
            HeadToHead("x", "a", [5, 0, 0, 0, 0]),
            HeadToHead("x", "b", [3, 0, 0]),
        ]
    )
    assert lost["x"].high == pytest.approx(-won["x"].low, abs=1e-6)
    assert lost.standings[-1].name == "x"
    assert str(lost["x"]).startswith("<= ")


def test_confidence_grows_with_the_number_of_wins():
    few, many = (ratings([*FOUR, HeadToHead("x", "a", [0, 0, n])])["x"].low for n in (3, 30))
    assert many > few


def test_a_ladder_of_perfect_scores():
    """z beat y, y beat the field, the field beat w: each has a bound, in this order."""
    table = ratings([*FOUR, *(HeadToHead(a, b, [0, 0, 8]) for a, b in ("ya", "zy", "bw"))])
    assert [s.name for s in table.standings][:2] == ["z", "y"]
    assert [s.name for s in table.standings][-1] == "w"
    assert table["z"].low > table["y"].low > table["a"].elo


def test_rating_is_unknown_after_losses_to_unbeaten_players_only():
    table = ratings([*FOUR, HeadToHead("y", "a", [0, 0, 8]), HeadToHead("v", "y", [8, 0, 0])])
    assert str(table["v"]) == "unknown"
    assert table["v"].as_dict()["low"] is None
    assert table.standings[-1].name == "v"


def test_two_players_unbeaten_by_others_keep_their_difference():
    beaten = [HeadToHead(a, b, [0, 0, 9]) for a, b in ("xa", "yb")]
    table = ratings([*FOUR, HeadToHead("x", "y", [3, 2, 6]), *beaten])
    assert table["x"].low - table["y"].low == pytest.approx(elo(7 / 11), abs=1e-4)


def test_a_knockout_without_upsets():
    """d lost to c, c and b lost to a: c is in the middle, so the others have bounds on its scale."""
    table = ratings([HeadToHead(a, b, [0, 0, 2]) for a, b in ("ab", "cd", "ac")])
    assert [(s.name, str(s)) for s in table.standings] == [
        ("a", ">= -291"),
        ("c", "0 (reference)"),
        ("d", "<= +291"),
        ("b", "unknown"),
    ]
    assert table.scale == "relative to c"
    assert table["c"].as_dict()["low"] is table["c"].as_dict()["high"] is None


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_winner_of_every_game_is_first_with_a_lower_bound(players):
    """The stronger player always wins, in both orders: no rating, but a ranking and bounds."""
    names = "abcdefgh"[:players]
    table = ratings([HeadToHead(a, b, [0, 0, 0, 0, 3]) for a, b in combinations(names, 2)])
    assert [s.name for s in table.standings] == [*names]
    first, last = table.standings[0], table.standings[-1]
    assert first.elo is last.elo is None and str(first).startswith(">= ") and str(last).startswith("<= ")
    assert first.high == math.inf and last.low == -math.inf
    assert last.high == pytest.approx(-first.low) or players % 2 == 0
    assert all("±" not in str(s) and "inf" not in str(s) and "nan" not in str(s) for s in table.standings)


def test_winner_of_every_game_is_above_linked_players():
    drawn = [HeadToHead(a, b, [1, 0, 1, 0, 1]) for a, b in ("bc", "bd", "cd")]
    table = ratings([*(HeadToHead("a", b, [0, 0, 0, 0, 3]) for b in "bcd"), *drawn])
    assert str(table.standings[0]) == ">= +118", "nine pairs won: 0.025^(1/9) = 0.6637"
    assert all("±" in str(s) for s in table.standings[1:])
    assert table.scale == "0 is the average of those with a rating"


def test_two_linked_players_among_others_have_the_interval_of_their_match():
    counts = [1, 2, 3, 2, 1]
    extra = [HeadToHead("x", "z", [0, 0, 0, 0, 4]), HeadToHead("y", "z", [0, 0, 0, 0, 4])]
    table = ratings([HeadToHead("x", "y", counts), *extra])
    assert table["x"].high == pytest.approx(rate(counts).high / 2)
    assert str(table["z"]).startswith("<= ")


def test_any_tournament_has_figures():
    """For random results, most of them perfect: nothing is nan, bounds enclose, points are as expected."""
    rng = random.Random(7)
    bounded = 0
    for _ in range(300):
        names = "abcdef"[: rng.randint(2, 6)]
        results = [
            HeadToHead(a, b, [rng.choice((0, 0, 0, 1, 3, 100_000)) for _ in range(rng.choice((3, 5)))])
            for a, b in combinations(names, 2)
            if rng.random() < 0.6
        ]
        try:
            table = ratings(results)
        except NoRating:
            continue
        rated = set(table.anchors)
        bounded += len(table.standings) > len(rated)
        for s in table.standings:
            assert s.low <= s.high, "nan fails here too"
            assert s.elo is None or s.low <= s.elo <= s.high
            assert "nan" not in str(s) and "inf" not in str(s)
            assert s.reference or s.low < s.high
            known = [r for r in results if s.name in (r.first, r.second) and {r.first, r.second} <= rated]
            excess = games = 0.0
            for r in known:
                other = r.second if s.name == r.first else r.first
                played = sum(r.counts) * (len(r.counts) - 1) // 2
                won = sum(i * n for i, n in enumerate(r.counts)) / 2
                games += played
                excess += won if s.name == r.first else played - won
                excess -= played / (1 + 10 ** ((table[other].elo - s.elo) / 400))
            assert abs(excess) <= 1e-6 * games
    assert bounded > 50


# -- refusals --------------------------------------------------------------------------------------


def test_unconnected_players_cannot_be_compared():
    with pytest.raises(NoRating, match="no game links a with c, d"):
        ratings([HeadToHead("a", "b", [1, 1, 1]), HeadToHead("c", "d", [1, 1, 1])])
    with pytest.raises(NoRating, match="no game links a with e"):
        ratings([HeadToHead("a", "b", [1, 1, 1])], players=["a", "b", "e"])


def test_no_games_no_ratings():
    with pytest.raises(NoRating, match="no pair of games is finished"):
        ratings([HeadToHead("a", "b", [0, 0, 0])])
    with pytest.raises(NoRating):
        ratings([])


@pytest.mark.parametrize(
    "result",
    [HeadToHead("a", "b", [1, 2]), HeadToHead("a", "a", [1, 1, 1]), HeadToHead("a", "b", [3, -1, 0])],
)
def test_not_a_result(result):
    with pytest.raises(ValueError, match="not a result"):
        ratings([result])


# -- many players, and the truth -------------------------------------------------------------------


def test_sixty_players():
    rng = random.Random(1)
    truth = {f"p{i:02}": 20.0 * i for i in range(60)}
    results = []
    for a, b in combinations(truth, 2):
        likely = 1 / (1 + 10 ** ((truth[b] - truth[a]) / 400))
        wins = sum(rng.random() < likely for _ in range(4))
        results.append(HeadToHead(a, b, [4 - wins, 0, wins]))
    table = ratings(results)
    average = sum(truth.values()) / 60
    inside = sum(s.low <= truth[s.name] - average <= s.high for s in table.standings)
    assert inside >= 52
    assert table.standings[0].elo > 400


@pytest.mark.parametrize("model", ["games", "pairs"])
def test_coverage(model):
    """Of 95 % intervals 95 % hold the truth: 200 tournaments of four players, 30 results a meeting."""
    rng = random.Random(5)
    truth = {"a": 150.0, "b": 20.0, "c": -50.0, "d": -120.0}
    inside = total = 0
    for _ in range(200):
        results = []
        for a, b in combinations(truth, 2):
            likely = 1 / (1 + 10 ** ((truth[b] - truth[a]) / 400))
            drawn = 0.8 * min(likely, 1 - likely)
            chances = (1 - likely - drawn / 2, drawn, likely - drawn / 2)
            if model == "games":
                counts = [0] * 3
                for x in rng.choices(range(3), chances, k=30):
                    counts[x] += 1
            else:  # both games of a pair alike half of the time: what a lopsided opening does not balance
                counts = [0] * 5
                for _ in range(30):
                    x, y = rng.choices(range(3), chances, k=2)
                    counts[2 * x if rng.random() < 0.5 else x + y] += 1
            results.append(HeadToHead(a, b, counts))
        for s in ratings(results).standings:
            total += 1
            inside += s.low <= truth[s.name] <= s.high
    assert 0.925 < inside / total < 0.975


def test_a_step_too_far_is_taken_back():
    """Newton's steps overshoot if some meet a million times as often as others; the sums still agree."""
    met = {
        "ab": (1, 10**8, 1), "ae": (10**7, 1, 3), "af": (10**7, 1, 3), "bc": (10**4, 10**8, 10**9),
        "cd": (10**7, 1, 1), "ce": (3, 1, 3), "cf": (1, 3, 0), "de": (0, 10**5, 1), "df": (1, 1, 1),
        "ef": (0, 1, 10**7),
    }  # fmt: skip
    meetings = [joint.Encounter("abcdef".index(i), "abcdef".index(j), [*c]) for (i, j), c in met.items()]
    elos = joint.fit(range(6), meetings)
    for player in range(6):
        due = points = 0.0
        for m in meetings:
            if player in (m.i, m.j):
                score = joint.expected_score(elos[m.i] - elos[m.j])
                due += m.results * (score if player == m.i else 1 - score)
                points += m.points if player == m.i else m.opponent_points
        assert due == pytest.approx(points, rel=1e-9)
