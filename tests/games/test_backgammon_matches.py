"""Backgammon matches to a number of points: scores, the Crawford game, and a match in lines."""

import pytest

from gameplay.errors import BadInput
from gameplay.games.backgammon.match_rules import ToPoints
from gameplay.registry import game
from gameplay.scoring.scoresheet import PlayedGame
from gameplay.store import saved
from tests.support.play import Play, play

assert play  # fixture


def to(points: int) -> ToPoints:
    return ToPoints(game("backgammon").new(), points)


WON = {points: PlayedGame([points, -points]) for points in (-4, -2, -1, 1, 2)}


def test_only_the_winner_gains_and_the_match_ends_with_its_points() -> None:
    rules = to(5)
    played = [WON[2], WON[-4], WON[2]]
    assert rules.scores(played) == (4, 4) and rules.fixture(played) is not None
    assert rules.fixture([*played, WON[-2]]) is None and rules.winners([*played, WON[-2]]) == [1]


def test_each_game_begins_where_the_last_one_left_the_score() -> None:
    rules, position = to(3), game("backgammon:match=3").new()
    for word in ("31", "8/5 6/5", "double", "drop"):
        position.make(position.parse(word))
    payoffs = rules.ended(position, [])
    assert payoffs == (-1, 1)
    facts = rules.facts(position, payoffs)
    assert facts["note"] == "black won 1 point"
    fixture = rules.fixture([PlayedGame([-1, 1], facts)])
    assert fixture is not None and fixture.parameters == {"match": "3"} and fixture.seats == (0, 1)
    start = game("backgammon:match=3").new(fixture.start)
    assert start.show() == game("backgammon").new().show() and start.turn == -1
    assert rules.ended(start, [PlayedGame([-1, 1], facts)]) is None


def test_only_the_first_game_after_match_point_is_the_crawford_game() -> None:
    rules = to(3)
    assert rules.heading([]) == "game 1 to 3 points"
    assert rules.heading([WON[2]]) == "game 2 to 3 points, Crawford game"
    assert rules.heading([WON[2], WON[-1]]) == "game 3 to 3 points"
    assert rules.heading([WON[2], WON[-2]]) == "game 3 to 3 points"
    assert to(1).heading([]) == "game 1 to 1 point"


@pytest.mark.parametrize(("score", "doubles"), [("0-2", False), ("1-2", True)])
def test_the_cube_rests_in_the_crawford_game_and_returns_after_it(score: str, doubles: bool) -> None:
    """The score results from resignations in the positions themselves."""
    rules, played, start = to(3), list[PlayedGame](), ""
    results = ["resign gammon"] if score == "0-2" else ["resign gammon", "lose"]
    for result in results:
        position = game("backgammon:match=3").new(start)
        position.make(position.parse("31" if result != "lose" else "13"))
        if result == "lose":  # black moves first and gives up one point
            position.make(position.parse("resign"))
            position.make(position.parse("accept"))
        else:
            position.make(position.parse(result))
            position.make(position.parse("accept"))
        payoffs = rules.ended(position, played)
        assert payoffs is not None
        played.append(PlayedGame(list(payoffs), rules.facts(position, payoffs)))
        start = str(played[-1].facts["next"])
    assert rules.scores(played) == ((0, 2) if score == "0-2" else (1, 2))
    position = game("backgammon:match=3").new(start)
    for word in ("13", "8/5 6/5"):  # black begins, and white, who is behind, would double
        position.make(position.parse(word))
    assert position.turn == (0 if doubles else -1)
    assert ("double" in map(position.format, position.moves())) is doubles


@pytest.mark.parametrize("spec", ["backgammon:match=5", "backgammon:cube=on"])
def test_a_match_or_a_cube_of_the_game_itself_is_refused(spec: str) -> None:
    with pytest.raises(BadInput, match="expected neither match nor cube"):
        ToPoints(game(spec).new(), 5)


@pytest.mark.once
def test_a_match_is_left_and_resumed_game_by_game(play: Play) -> None:
    people = ("backgammon", "--players", "human,human", "--seed", "2", "--match", "3")
    ran = play(*people, typed="resign gammon\naccept\nscore\nquit\n")
    assert ran.status == 0 and "the match is saved" in ran.err
    score = next(line for line in ran.lines if line.startswith("total"))
    assert sorted(score.split()[1:3]) == ["0", "2"]
    assert any(line.endswith("won 2 points") for line in ran.lines)
    ran = play("--resume", typed="resign\naccept\nquit\n")
    assert "match: game 2 to 3 points, Crawford game" in ran.out
    assert [game.unfinished for game in saved.saved_games()].count(True) <= 1
    assert "of 3 points" in ran.out


@pytest.mark.once
def test_the_last_position_is_that_of_the_game_which_ended(play: Play) -> None:
    ran = play(
        "backgammon", "--players", "human,human", "--seed", "2", "--match", "3", typed="resign\naccept\n"
    )
    shown = ran.out.rpartition(" to move\n")[2]
    assert "result: " in shown and "pips 167" in shown
