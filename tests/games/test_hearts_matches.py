"""Hearts matches to a number of points: passing, totals, the end, plain output."""

from random import Random

import pytest

from gameplay.errors import BadInput
from gameplay.games.hearts.match_rules import UntilPoints
from gameplay.registry import game
from gameplay.scoring.scoresheet import PlayedGame
from tests.support.play import Play, play

assert play  # fixture


def until(spec: str, points: int = 100) -> UntilPoints:
    return UntilPoints(game(spec).new(), points)


@pytest.mark.parametrize(
    ("spec", "ways"),
    [
        ("hearts", "left right across off left"),
        ("hearts:passing=across", "across off left right across"),
        ("hearts:players=3", "left right off left right"),
        ("hearts:players=5,passing=off", "off left right off left"),
    ],
)
def test_passing_rotates(spec: str, ways: str) -> None:
    rules, players = until(spec), game(spec).new().players
    for deals, way in enumerate(ways.split()):
        fixture = rules.fixture([PlayedGame([0] * players)] * deals)
        assert fixture is not None and fixture.seats == tuple(range(players))
        assert game(spec).with_parameters(fixture.parameters).new().passing == way


def test_points_add_up_and_the_fewest_win() -> None:
    rules = until("hearts", 50)
    deals = [PlayedGame([-10, 0, -16, 0]), PlayedGame([0, -26, -26, -26])]
    assert rules.scores(deals) == (10, 26, 42, 26) and rules.fixture(deals) is not None
    deals.append(PlayedGame([-13, -5, -8, 0]))
    assert rules.scores(deals) == (23, 31, 50, 26) and rules.fixture(deals) is None
    assert rules.winners(deals) == [0]
    assert rules.heading(deals[:2]) == "deal 3 to 50 points, passing across"
    assert rules.heading(deals) == "deal 4 to 50 points, no passing"


@pytest.mark.parametrize(("payoffs", "note"), [((-26, 0, -26, -26), "east"), ((-5, 0, -21, 0), "")])
def test_scoresheet_notes_a_shot_moon(payoffs: tuple[int, ...], note: str) -> None:
    facts = until("hearts").facts(game("hearts").new(), payoffs)
    assert facts == ({"note": f"{note} shot the moon"} if note else {})


def test_shot_moon_with_the_jack() -> None:
    rules = until("hearts:jack=on")
    assert rules.facts(game("hearts:jack=on").new(), (-16, -26, 0, -26)) == {"note": "south shot the moon"}
    assert rules.facts(game("hearts:jack=on").new(), (10, -26, 0, 0)) == {}


@pytest.mark.parametrize(
    ("spec", "wrong"), [("hearts:points=50", "expected one of them"), ("hearts:moon=own", "take points off")]
)
def test_parameters_that_fit_no_match_are_refused(spec: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        until(spec)


@pytest.mark.parametrize("seed", range(3))
def test_match_totals_equal_a_game_to_points(seed: int) -> None:
    """The same deals as one game with `points` and as separate games have the same totals."""
    rng, whole, played = Random(seed), game("hearts:points=60").new(), list[PlayedGame]()
    rules = until("hearts", 60)
    while (fixture := rules.fixture(played)) is not None:
        deal = game("hearts").with_parameters(fixture.parameters).new()
        assert whole.outcome() is None
        while deal.outcome() is None:
            move = rng.choice(list(deal.moves()))
            assert list(whole.moves()) == list(deal.moves())
            whole.make(move)
            deal.make(move)
        played.append(PlayedGame(list(deal.outcome() or ())))
    assert whole.outcome() == tuple(-score for score in rules.scores(played))


@pytest.mark.once
def test_a_match_of_hearts_in_lines(play: Play) -> None:
    ran = play("hearts", "--players", "random,random,random,random", "--match", "60", "--seed", "1")
    assert ran.status == 0 and "match: deal 1 to 60 points, passing left" in ran.lines
    assert "match: deal 2 to 60 points, passing right" in ran.lines
    total = next(line for line in ran.lines if line.startswith("match: total"))
    points = [int(word) for word in total.split()[2:6]]
    assert max(points) >= 60 and total.endswith("points")
    least = 1 + points.index(min(points))
    assert f"random #{least} wins the match" in ran.lines[-1]
