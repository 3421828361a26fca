"""Several moves in one line: the cards to pass in hearts."""

import pytest

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.matches.views import View
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from tests.support.interpreter import execute, match_of

pytestmark = pytest.mark.once

HEARTS = "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5"


class TypedInput:
    """Types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.messages = list(lines), []

    def read(self, match, interpreter):
        return self.lines.pop(0)

    def show_answer(self, text: str) -> None:
        self.messages.append(text)


def passing(*lines: str) -> tuple[Match, TypedInput]:
    typed = TypedInput(*lines)
    human = Human(typed, Interpreter())
    match = Match(registry.game("hearts"), [human, *(EmptySeat("human") for _ in range(3))], HEARTS)
    return match, typed


@pytest.mark.parametrize("line", ["5s Js 9s", "5S, 9♠ Js", "js,9s,5s"])
def test_three_cards_are_passed_in_one_line(line: str) -> None:
    match, typed = passing(line)
    for _ in range(3):
        match.step()
    assert sorted(match.words()) == ["5s", "9s", "Js"] and match.turn == 1 and not typed.lines


def test_cards_are_picked_one_after_another_or_the_rest_together() -> None:
    match, typed = passing("5s", "9s Js")
    match.step()
    assert match.position.board(0).table.middle == ("to east", ("5s", "", ""))
    match.step()
    match.step()
    assert match.words() == ["5s", "9s", "Js"] and not typed.lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5s 9s Js Ks", "'Ks' is one too many: the turn ends after 3"),
        ("5s 9s Qs", "'Qs': north does not hold that card"),
        ("5s 5s", "'5s': north does not hold that card"),
    ],
)
def test_a_wrong_card_in_a_line_plays_nothing(line: str, message: str) -> None:
    match, typed = passing(line, "Js")
    match.step()
    assert typed.messages == [message] and match.words() == ["Js"]
    interpreter = Interpreter()
    assert interpreter.meaning(line, passing()[0]) == (False, message)


def test_the_rest_of_a_line_is_dropped_when_moves_are_taken_back() -> None:
    match, typed = passing("5s 9s Js", "Ac", "Kh")
    match.step()
    match.undo()
    match.step()
    assert match.words() == ["Kh"] and typed.messages == ["'Ac': north does not hold that card"]


def test_meaning_of_a_line_of_cards() -> None:
    match = passing()[0]
    assert Interpreter().meaning("js 9s", View(match, 0)) == (True, "Enter plays Js 9s")


def test_a_line_of_moves_of_both_sides_is_no_line_of_several() -> None:
    match = match_of("chess")
    assert "e4 e5" in execute(Interpreter(), match, "e4 e5") and not match.turns


def test_a_card_that_was_picked_is_put_back_without_a_mark_in_the_record() -> None:
    match, _ = passing("5s", "9s", "Js")
    match.step()
    match.step()
    view = View(match, 0)
    assert execute(Interpreter(), view, "undo") == "took back 1 move" and match.taken_back == 0
    assert match.position.board(0).table.middle == ("to east", ("5s", "", ""))
    match.step()
    match.players[0].input.lines.append("9s")
    match.step()
    assert match.turn == 1
    match.undo(1)
    assert match.turn == 0 and match.taken_back == 0, "no other player has chosen yet"
