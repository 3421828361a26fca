"""What a tally counts, whatever the order in which games finish."""

import pytest

from gameplay.runs.job import trail_of
from gameplay.runs.tally import Effort, Played, Tally, played
from gameplay.statistics.rating import NoRating
from gameplay.store.record import Ply


def result(number, points, trail=None):
    pair, leg = divmod(number, 2)
    return Played(pair, leg, points, 10, trail or str(number), (Effort(5, 50, 0.5, 50), Effort(5, 10)))


def test_tally_counts_pairs_whatever_the_order():
    tally = Tally()
    for number, points in ((3, 0.5), (0, 1), (2, 1), (1, 0), (4, 1)):
        tally.add(result(number, points))
    assert tally.pairs == [0, 0, 1, 1, 0]
    assert tally.results == [[0, 0, 3], [1, 1, 0]]
    assert tally.together == [1, 1, 3]
    assert tally.games == 5
    assert sum(tally.together) == 2 * sum(tally.pairs) + 1, "one pair is half finished"
    assert tally.length == 10
    assert tally.efforts == [Effort(25, 250, 2.5, 250), Effort(25, 50)]
    assert tally.efforts[0].nps == 100
    assert tally.efforts[1].nps == 0, "nothing was timed"


def test_no_rating_where_games_repeat():
    tally = Tally()
    for number, trail in enumerate("abac"):
        tally.add(result(number, 1, trail))
    assert tally.repeats == 1
    with pytest.raises(NoRating, match="1 of 4 games repeat"):
        tally.rating()
    assert tally.as_dict()["rating"] is None
    assert "repeat" in tally.as_dict()["no_rating"]


def test_the_same_moves_on_other_seats_are_another_game():
    assert trail_of(0, "", ["a", "b"]) != trail_of(1, "", ["a", "b"])
    assert trail_of(0, "a", ["b"]) != trail_of(0, "", ["a", "b"])


def test_efforts_are_the_players_wherever_they_sit():
    moves = [Ply("a", 0), Ply("b", 1, 3, 2, 70), Ply("6", -1), Ply("c", 0, 1, 2, 50, 0.5)]
    one = played(0, 0, 1.0, moves, "x", (0, 0.25, 0, 0))
    other = played(0, 1, 0.0, moves, "x", (0, 0.25, 0, 0))
    assert one.efforts == (Effort(1, 50, 0.5, 50), Effort(1, 70, 0.25, 70))
    assert other.efforts == one.efforts[::-1]
    assert one.plies == 4
