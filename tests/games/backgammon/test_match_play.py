"""Match equities of backgammon, and evaluations that depend on the match score."""

import pytest

from gameplay.games.backgammon.identity import position_id
from gameplay.games.backgammon.match_equity import LEADER, POST_CRAWFORD
from tests.support.backgammon import backgammon, checkers, match_id

# K. Woolsey, How to Play Tournament Backgammon, 1993: the leader needs 1, 2, ... points (rows), the trailer
# as many, one more, ... up to 12, in percent.
WOOLSEY = (
    (50, 70, 75, 83, 85, 90, 91, 94, 95, 97, 97, 98),
    (50, 60, 68, 75, 81, 85, 88, 91, 93, 94, 95),
    (50, 59, 66, 71, 76, 80, 84, 87, 90, 92),
    (50, 58, 64, 70, 75, 79, 83, 86, 88),
    (50, 57, 63, 68, 73, 77, 81, 84),
    (50, 56, 62, 67, 72, 76, 79),
    (50, 56, 61, 66, 70, 74),
    (50, 55, 60, 65, 69),
    (50, 55, 60, 64),
    (50, 55, 60),
    (50, 55),
    (50,),
)
# A. Ortega and D. Kleinman, Backgammon with the Giants: the trailer after the Crawford game.
ORTEGA = (50.0, 49.0, 30.0, 29.0, 17.0, 16.5, 9.8, 9.5, 5.6, 5.4, 3.2, 3.1)

# The player on roll has borne off none of 15 checkers; the opponent bears off the last two: a gammon.
GAMMON = position_id(checkers({1: 2}), checkers({7: 5, 8: 5, 9: 5}))


def at_score(mine: int, theirs: int, crawford: int = 0) -> str:
    return f"{GAMMON}:{match_id(mine=mine, theirs=theirs, crawford=crawford).partition(':')[2]}"


def test_match_equities_agree_with_woolseys_table() -> None:
    for row, published in zip(LEADER, WOOLSEY, strict=True):
        assert row == pytest.approx(published, abs=2)
        assert list(row) == sorted(row), "the more the trailer needs, the better"
    assert pytest.approx(ORTEGA, abs=2) == POST_CRAWFORD


def test_an_opponent_who_needs_an_even_number_after_the_crawford_game_gains_little_by_one_point() -> None:
    """The leader drops the first double for free: two points needed are as good as one."""
    for even in range(1, len(POST_CRAWFORD), 2):
        assert POST_CRAWFORD[even - 1] - POST_CRAWFORD[even] < 1.5


@pytest.mark.parametrize(
    ("mine", "theirs", "value"),
    [
        (6, 6, -1.0),
        (6, 5, -1.0),
        (6, 4, 0.0),  # each needs one point
        (6, 3, 1 - 2 * 0.486),
        (6, 2, 1 - 2 * 0.319),
    ],
)
def test_a_certain_gammon_costs_two_points_of_the_match(mine: int, theirs: int, value: float) -> None:
    """A match to 7 in the Crawford game; the opponent, on two points, wins a gammon."""
    position = backgammon(at_score(mine, theirs, crawford=int(theirs < 6)), "backgammon:match=7")
    assert position.evaluate_for(0) / position.unit == pytest.approx(value, abs=0.002)


def test_a_gammon_costs_no_more_than_a_game_if_a_point_decides() -> None:
    assert backgammon(GAMMON).evaluate_for(0) == pytest.approx(-2000, abs=2)
    position = backgammon(GAMMON, "backgammon:match=1")
    assert position.evaluate_for(0) / position.unit == pytest.approx(-1, abs=0.002)
    position = backgammon(GAMMON, "backgammon:cube=on,jacoby=on")
    assert position.evaluate_for(0) == -1000, "no gammons before a double"


def test_a_match_to_one_point_has_one_point() -> None:
    position = backgammon(GAMMON, "backgammon:match=1")
    assert position.board().notes[0] == "0 of 1 point, pips 120"


@pytest.mark.parametrize("spec", ["backgammon:match=2", "backgammon:match=7", "backgammon:match=25"])
def test_values_of_moves_in_a_match_are_distinct(spec: str) -> None:
    """A game decides a small share of a long match; its values are fine enough for that."""
    position = backgammon("4HPwATDgc/ABMA roll 43", spec)
    values = set()
    moves = [move for move in position.moves() if "/" in position.format(move)]
    for move in moves:
        position.make(move)
        values.add(position.evaluate_for(0))
        position.unmake()
    assert len(values) > 0.9 * len(moves)
