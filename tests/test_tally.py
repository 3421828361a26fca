"""What is counted, whatever the order in which games finish."""

from itertools import permutations

import pytest

from gameplay.runs.job import trail_of
from gameplay.runs.played import Played, Work
from gameplay.runs.summary import Summary
from gameplay.statistics.mean import mean
from gameplay.statistics.sprt import counted
from gameplay.statistics.tally import Tally
from gameplay.store.record import Ply, Record

pytestmark = pytest.mark.once

GAMES = ((1, 0.5), (0, 1), (1, 1), (0, 0), (2, 1))


def test_games_and_pairs_are_counted_in_any_order():
    for games in permutations(GAMES):
        tally = Tally()
        for pair, points in games:
            tally.add(pair, points)
        assert (tally.games, tally.pairs) == ([1, 1, 3], [0, 0, 1, 1, 0])
        assert (tally.total, tally.points) == (5, 3.5)
        assert tally.total == 2 * sum(tally.pairs) + 1, "one pair is half finished"


def test_a_pair_has_as_many_games_as_a_game_has_seats():
    tally = Tally(3)
    for points in (1, 0.5, 1, 0):
        tally.add(7, points)
    assert (tally.games, tally.pairs) == ([1, 1, 2], [0, 0, 0, 0, 0, 1, 0])


def test_a_test_is_given_the_counts_that_its_model_is_for():
    tally = Tally(games=[1, 2, 3])
    assert counted(tally, "trinomial") == [1, 2, 3] and counted(tally, "normalized") == [0] * 5


def played(pair, leg, pays, moves, trail="", times=(), opening=0):
    names = ("new", "old") if leg == 0 else ("old", "new")
    record = Record(1, "g", "", list(names), 0, moves, list(pays), "rules", "0")
    return Played(pair, leg, names, pays, "rules", record, opening, times=times, trail=trail)


MOVES = [Ply("a", 0), Ply("b", 1, 3, 2, 70), Ply("6", -1), Ply("c", 0, 1, 2, 50, 0.5)]


def test_work_is_the_players_wherever_they_sit():
    for leg in (0, 1):
        found = Summary(["new", "old"])
        found.add(played(0, leg, (1, -1), MOVES, times=(0, 0.25, 0, 0), opening=1))
        first, second = ("new", "old") if leg == 0 else ("old", "new")
        assert found.work[first] == Work(1, 50, 0.5, 50, 0.5, [0.5])
        assert found.work[second] == Work(1, 70, 0.25, 70, 0.25, [0.25])
        assert found.lengths == {4: 1} and found.length == 4
        assert found.by_seat("new", leg) == ([0, 0, 1] if leg == 0 else [1, 0, 0])


def test_what_tells_no_nodes_moves_all_the_same():
    found = Summary(["new", "old"])
    moves = [Ply("a", 0), Ply("b", 1, 3, 2, 70, 0.5), Ply("c", 0), Ply("d", 1)]
    found.add(played(0, 0, (1, -1), moves, times=(0.1, 0.5, 0.2, 0.5)))
    assert found.work["new"].moves == 2 and found.work["new"].nps == 0
    assert found.work["old"].moves == 2 and found.work["old"].nps == 140, "of the moves that told nodes"
    assert found.work["new"].seconds == pytest.approx(0.3)


def test_no_rating_where_games_repeat():
    found = Summary(["new", "old"])
    for number, trail in enumerate("abac"):
        found.add(played(number // 2, 0, (1, -1), MOVES[:2], trail))
    assert found.repeats == 1
    assert "1 of 4 games repeat" in found.rated()
    document = found.match_dict(found.rated())
    assert document["rating"] is None and "repeat" in document["no_rating"]


def test_games_that_dice_make_alike_count_each():
    found = Summary(["new", "old"])
    for pair in range(4):
        for leg, pays in enumerate(((1, -1), (1, -1) if pair else (-1, 1))):
            found.add(played(pair, leg, pays, MOVES, "a"))
    assert found.repeats == 6 and found.warnings == []
    assert found.rated().los > 0.5


def test_points_are_told_by_groups():
    found = Summary(["new", "old"], sides=("white", "black"), points="points")
    assert found.gains("new") == "an interval needs two groups of games, one game with each seating"
    for pair, (home, away) in enumerate(((2, 1), (1, 0), (3, -1))):
        found.add(played(pair, 0, (home, -home), MOVES))
        found.add(played(pair, 1, (-away, away), MOVES))
    found.add(played(3, 0, (90, -90), MOVES))
    assert found.gains("new") == mean([1.5, 0.5, 1.0]), "the pair that is not complete is left out"
    assert found.gains("old") == mean([-1.5, -0.5, -1.0])
    assert "points +1.00 a game [" in found.verdict
    assert Summary(["new", "old"]).gains("new") == ""


def test_games_of_which_nothing_is_known_repeat_nothing():
    found = Summary(["new", "old"])
    for pair in range(4):
        for leg in (0, 1):
            names = ("new", "old") if leg == 0 else ("old", "new")
            found.add(Played(pair, leg, names, (1, -1), "crash", None, offender="old", fault="died"))
    assert found.repeats == 0 and found.length == 0 and len(found.faults) == 8
    assert found.duel.pairs == [0, 0, 4, 0, 0]


def test_the_same_moves_on_other_seats_are_another_game():
    assert trail_of(0, "", ["a", "b"]) != trail_of(1, "", ["a", "b"])
    assert trail_of(0, "a", ["b"]) != trail_of(0, "", ["a", "b"])
    found = Summary(["new", "old"])
    for leg in (0, 1):
        found.add(played(0, leg, (1, -1), MOVES, "x"))
    assert found.repeats == 0
