"""The tutor: what it warns of, what it lets pass, and how it explains moves."""

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.players import judge, tutor, verdict
from gameplay.players.interpreter import Interpreter
from gameplay.players.nobody import Nobody
from gameplay.players.player import Choice
from gameplay.search.report import Candidate, Report

pytestmark = pytest.mark.once


SMALL = "connect4:columns=4,rows=4"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(judge, "SECONDS", 60.0)  # all here is small enough to be proven before


def match_of(game, moves="", start="", players=("human", "alphabeta:depth=2")):
    return Match(registry.game(game), [Nobody(spec) for spec in players], start, moves.split())


def warned(interpreter, match, text):
    """What is said instead of playing a move; an empty string where it is played."""
    answer = interpreter.obey(text, match)
    assert (answer.choice is None) == bool(answer.text)
    return answer.text


def taught():
    interpreter = Interpreter()
    interpreter.tutor.warns = True
    return interpreter


def test_every_losing_move_of_tic_tac_toe_is_warned_of_and_no_other():
    """O answers a corner: all but the centre lose, by brute force and every book."""
    interpreter, match = taught(), match_of("tictactoe", "a1")
    for word in ("b2", "a2", "a3", "b1", "b3", "c1", "c2", "c3"):
        said = warned(interpreter, match, word)
        assert bool(said) == (word != "b2"), word
        if said:
            assert said.startswith(f"{word} is a blunder: loss in 6 instead of draw; it is answered by ")
            assert said.endswith("Type it again to play it, or another move")


def test_what_is_typed_again_is_played_and_another_place_warns_anew():
    interpreter, match = taught(), match_of(SMALL, "4 1 4 1 4")
    assert "is a blunder" in warned(interpreter, match, "2")
    assert "is a blunder" in warned(interpreter, match, "3"), "another move is another mistake"
    assert "is a blunder" in warned(interpreter, match, "2")
    assert warned(interpreter, match, "2") == ""
    assert warned(interpreter, match, "4") == "", "the only move"
    match.make(Choice(match.position.parse("1")))
    match.undo(1)
    assert warned(interpreter, match, "3")


def test_without_a_tutor_nothing_is_said():
    assert warned(Interpreter(), match_of(SMALL, "4 1 4 1 4"), "2") == ""


def test_what_if_tells_value_line_and_the_best():
    interpreter, match = Interpreter(), match_of(SMALL, "4 1 4 1 4")
    for text in ("why 2", "whatif 2", "what if 2", ":why 2"):
        said = interpreter.obey(text, match).text
        assert said.startswith("2: blue wins in 2 plies (") and "; then 4, a blunder; best is 4 (" in said
    assert interpreter.obey("whatif 4", match).text.endswith("; there is none better")
    assert "is not" in interpreter.obey("whatif 9", match).text


def test_why_tells_the_line_and_what_was_feared_instead():
    interpreter, match = Interpreter(), match_of(SMALL, "4 1 4 1 4")
    assert interpreter.obey("why", match_of("connect4")).text == "no engine has made a move yet"
    position = match.position
    line = (position.parse("4"), 0)
    match.make(Choice(line[0], Report(line[0], 3, depth=5, pv=line, nodes=9)))
    said = interpreter.obey("why", match).text
    assert said.startswith("alphabeta:depth=2 made 4 for orange +3")
    assert "(5 plies deep), and expects 4 1; the answer it fears most is 1. " in said
    assert "All moves looked at alike (searched to the end), 4 comes to " in said, "by no other search"
    assert "instead comes to loss in 2, for there it fears 4" in said
    match.make(Choice(position.parse("1")))
    assert interpreter.obey("why", match).text == said, "its last move is meant, whoever moved since"


def test_costs_are_those_of_reviews():
    chess, dice = registry.game("chess").new(), registry.game("backgammon").new()
    best, mine = Candidate(1, 300), Candidate(2, 0)
    assert verdict.cost(chess, best, mine) == pytest.approx(0.25)
    assert verdict.cost(chess, mine, best) == verdict.cost(chess, best, best) == 0.0
    means = [Candidate(1, 80.0, "expectation"), Candidate(2, 0.0, "expectation")]
    assert verdict.cost(dice, *means) == pytest.approx(0.08)
    vague = [Candidate(1, 8.0, "expectation", error=3.0), Candidate(2, 0.0, "expectation", error=3.0)]
    assert verdict.cost(registry.game("go").new(), *vague) == 0.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("puzzle15", "--tutor"), "is for games of two who both see everything"),
        (("connect4", "--players", "random,random", "--tutor"), "no person plays"),
        (("connect4", "--clock", "1+1", "--tutor"), "does not go with --clock"),
    ],
)
def test_a_tutor_who_cannot_help_is_refused(words, said, capsys):
    assert run(router, "gameplay", ["play", *words]) == Usage.status
    assert said in capsys.readouterr().err


def test_the_tutor_is_for_two():
    with pytest.raises(Usage, match="games of two"):
        tutor.check(registry.game("connect4:players=3"))
