"""Notation of backgammon: turns as text, and identities of GNU Backgammon."""

from typing import Any

import pytest
from click.testing import CliRunner

from gameplay import registry
from gameplay.cli import router
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.backgammon import notation
from gameplay.games.backgammon.layout import HIGH, LOW
from gameplay.position import side
from tests.support.backgammon import ANSWERS, backgammon, match_id, with_roll

# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "throw", "typed", "word"),
    [
        ("4HPwATDgc/ABMA", "31", "8/5 6/5", "8/5;6/5"),
        ("4HPwATDgc/ABMA", "31", "6/5, 8/5", "8/5;6/5"),
        ("4HPwATDgc/ABMA", "62", "24/22/16", "24/16"),
        ("4HPwATDgc/ABMA", "62", "24/18/16", "24/16"),
        ("4HPwATDgc/ABMA", "62", "24/22 22/16", "24/16"),
        ("4HPwATDgc/ABMA", "11", "8/7(2) 6/5(2)", "8/7(2);6/5(2)"),
        ("4HPwATDgc/ABMA", "11", "6/5 8/7 6/5 8/7", "8/7(2);6/5(2)"),
        ("4HPwATDgc/ABMA", "66", "24/18(2);13/7(2)", "24/18(2);13/7(2)"),
        ("4HPwATDgc/ABMA", "62", "24-18 13-11", "24/18;13/11"),
        ("4HPwATDgc/ABMA", "62", "24-22-16", "24/16"),
    ],
)
def test_however_a_turn_is_spelled(position: str, throw: str, typed: str, word: str) -> None:
    state = with_roll(backgammon(position), throw)
    assert state.format(state.parse(typed)) == word


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("8/5", "'8/5' is only part of a play: 24/23 8/5, 8/7 8/5, 8/5 6/5, 8/4"),
        ("8:5 6:5", "'8:5' is not a checker's move; write as 13/10, bar/22, 6/off or 8/5(2)"),
        ("5/8 5/6", "moves backwards"),
        ("8/5* 6/5", "nothing is hit on 5"),
        ("30/27 6/5", "there is no point 30"),
        ("13/9 24/20", "the checkers move 8 points in all, but the dice are 3 and 1 (legal: 8/4, "),
        ("22/19", "you have no checker on point 22"),
        ("8/5(2) 8/5(2)", "you have no checker on point 8"),
        ("bar/24", "you have no checker on the bar"),
        ("24/18", "24/18 moves 6 points, but the dice are 3 and 1"),
        ("6/off", "checkers are borne off only when all are on points 1 to 6"),
        ("13/12 6/3", "point 12 is blocked by 5 checkers"),
        ("pass", "'pass' is not a legal move here: some checker can move"),
        ("", "no play given"),
        ("double", "'double' is not a legal move here: a double is offered before the roll"),
        ("roll", "'roll' is not a legal move here: the dice are rolled. Try: moves"),
        ("Reject", "no resignation is offered"),
    ],
)
def test_invalid_turns_are_refused_with_the_reason(typed: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        with_roll(backgammon("4HPwATDgc/ABMA"), "31").parse(typed)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("moves", "typed", "message"),
    [
        ("55", "24/14", "the intermediate point 19 is blocked"),
        ("31 24/21;6/5 41 24/23;8/4* 62", "13/7 13/11", "a checker on the bar enters first"),
    ],
)
def test_blocked_points_and_checkers_on_the_bar_are_named(moves: str, typed: str, message: str) -> None:
    position = backgammon("4HPwATDgc/ABMA")
    for word in moves.split():
        position.make(position.parse(word))
    with pytest.raises(IllegalMove) as caught:
        position.parse(typed)
    assert message in str(caught.value)


ROLLED = [0] * 65  # a state with checkers on 24 and 13, and a roll of 4 and 2
ROLLED[24], ROLLED[13], ROLLED[HIGH], ROLLED[LOW] = 2, 1, 4, 2
SAFE = {1: [(24, 22, True), (22, 18, False)], 2: [(24, 20, False), (20, 18, False)]}
BOTH = {1: [(24, 22, True), (22, 18, False)], 2: [(24, 20, True), (20, 18, False)]}
ENDS = {1: [(13, 9, True), (9, 5, True)], 2: [(13, 9, True), (9, 5, False)]}


@pytest.mark.parametrize(
    ("turns", "typed", "expected"),
    [
        (SAFE, "24/18", 2),  # without a word of it nothing is hit, if that is possible
        (SAFE, "24/22/18", 1),
        (SAFE, "24/22*/18", 1),
        (SAFE, "24/20/18", 2),
        (SAFE, "24/21/18", 2),
        (BOTH, "24/20/18", 2),
        (BOTH, "24/20*/18", 2),
        (ENDS, "13/9*/5*", 1),
        (ENDS, "13/9*/5", 2),
        (SAFE, "24/18*", "'24/18*': nothing is hit on 18"),
        (SAFE, "24/20*/18*", "'24/20*/18*': nothing is hit on 20 and 18"),
        (BOTH, "24/18", "'24/18' can be several moves: 24/22*/18 or 24/20*/18"),
        (ENDS, "13/5", "'13/5' can be several moves: 13/9*/5* or 13/9*/5"),
        (SAFE, "22/18", "'22/18' is only part of a play: 24/22*/18"),
        (SAFE, "24/18/18", "'24/18/18' moves backwards; checkers move from higher to lower points"),
        (SAFE, "26/24", "'26/24': there is no point 26; points are 1 to 24, bar and off"),
        (
            SAFE,
            "25/24",
            "'25/24' is not a legal move here: you have no checker on the bar (legal: 24/18, 24/22*/18)",
        ),
        (
            SAFE,
            "bar/off",
            "'bar/off' is not a legal move here: you have no checker on the bar (legal: 24/18, 24/22*/18)",
        ),
    ],
)
def test_intermediate_points_disambiguate_equal_turns(turns: Any, typed: str, expected: int | str) -> None:
    if isinstance(expected, int):
        assert notation.parse_turn(typed, turns, {}, ROLLED) == expected
    else:
        with pytest.raises(IllegalMove) as caught:
            notation.parse_turn(typed, turns, {}, ROLLED)
        assert str(caught.value) == expected


def test_only_a_pass_without_a_legal_move() -> None:
    assert notation.parse_turn(" PASS ", {}, {"pass": 7}, ROLLED) == 7
    with pytest.raises(
        IllegalMove, match=r"^'8/5' is not a legal move here: no checker can move; write pass$"
    ):
        notation.parse_turn("8/5", {}, {"pass": 7}, ROLLED)


def test_the_words_of_moves_stand_in_a_list_of_moves() -> None:
    """Lists of moves are split at spaces and commas."""
    ran = CliRunner().invoke(router, ["show", "backgammon", "--moves", "31 8/5;6/5 64"])
    assert ran.exit_code == 0, ran.output
    assert "turn:       black" in ran.output
    position = with_roll(backgammon("4HPwATDgc/ABMA"), "64")
    assert not any(set(" ,") & set(position.format(move)) for move in position.moves())


# -- identities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("known", ANSWERS["identity"], ids=lambda known: known["said"])
def test_identities_of_gnu_backgammon(known: dict[str, str]) -> None:
    position = backgammon(known["id"], known["game"])
    assert position.text() == known["id"]
    assert side(position, position.turn) == known["turn"]
    if "rolled" in known["said"]:
        throw = known["said"].split()[1].strip(",")
        assert position.board().trays[0].things[:2] == tuple(throw)
    if "doubles" in known["said"]:
        assert list(map(position.format, position.moves())) == ["take", "drop"]


@pytest.mark.parametrize("spec", ["backgammon", "backgammon:cube=on"])
def test_position_id_without_match_id_is_a_first_game_with_a_centred_cube(spec: str) -> None:
    alone = backgammon("4HPwATDgc/ABMA", spec)
    whole = backgammon("4HPwATDgc/ABMA:MAEAAAAAAAAE", spec)
    assert (alone.text(), alone.key(), alone.turn) == (whole.text(), whole.key(), whole.turn)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"length": 5}, "is of a match to 5 points. Try: backgammon:match=5"),
        ({"power": 7, "owner": 0}, "the cube shows 128; expected at most 64"),
        ({"power": 6, "owner": 0}, ""),
        ({"owner": 2}, "a cube that was turned has owner 0 or 1"),
        ({"power": 1}, "a cube that was turned has owner 0 or 1"),
        ({"mine": 7}, "with 7 to 0 points the match is over"),
        ({"mine": 2, "theirs": 7}, "with 2 to 7 points the match is over"),
        ({"mine": 6, "theirs": 5}, ""),
        ({"one": 7, "other": 1}, "7 and 1 are not a roll of two dice"),
        ({"one": 3}, "3 and 0 are not a roll of two dice"),
        ({"other": 3}, "0 and 3 are not a roll of two dice"),
        ({"one": 6, "other": 6}, ""),
        ({"offered": 1, "resigned": 1}, "no resignation can be pending in this state"),
        ({"game": 2, "resigned": 1}, "no resignation can be pending in this state"),
        *(({"game": game}, "is of a finished game, but neither side has borne off") for game in (2, 5, 7)),
        ({"crawford": 1}, "a Crawford game requires a player one point from winning the match"),
        ({"crawford": 1, "mine": 5}, "a Crawford game requires"),
        ({"crawford": 1, "mine": 6}, ""),
    ],
)
def test_impossible_match_ids_are_refused(fields: dict[str, int], message: str) -> None:
    if not message:
        backgammon(match_id(**fields), "backgammon:match=7,cube=on")
        return
    with pytest.raises(BadInput) as caught:
        backgammon(match_id(**fields), "backgammon:match=7,cube=on")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "typed",
    [
        "8/5(2);6/3(2)",
        "8/5(2) 6/3(2)",
        "6/3(2), 8/5(2)",
        "8/5 (2), 6/3 (2)",
        "8/5 8/5 6/3 6/3",
        "8/5,8/5;6/3 (2)",
    ],
)
def test_turns_are_read_with_any_usual_separators(typed: str) -> None:
    position = registry.game("backgammon").new("53 13/8;13/10 33")
    assert position.format(position.parse(typed)) == "8/5(2);6/3(2)"


@pytest.mark.parametrize("typed", ["13/10;8/3", "13/10, 8/3", "13/10,8/3", "8/3 13/10"])
def test_a_turn_is_read_in_any_order(typed: str) -> None:
    position = registry.game("backgammon").new("53")
    assert position.format(position.parse(typed)) == "13/10;8/3"
