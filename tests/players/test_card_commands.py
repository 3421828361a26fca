"""Commands of card games: the last trick, the auction, the meaning of a call; the order of lists."""

import tomllib

import pytest

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.matches.views import View
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

CALLS = tomllib.loads((TESTS / "answers" / "bridge_bids.toml").read_text())

BRIDGE = "N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8"
HEARTS = "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5"
PASSED = "5s 9s Js As Qh Jh Ks Qs Ah Ac Kc 5c"


def view_of(game: str, start: str, moves: str, seat: int) -> View:
    game_class = registry.game(game)
    players = [EmptySeat("human") for _ in range(game_class.new().players)]
    return View(Match(game_class, players, start, moves.split()), seat)


def answer_to(view: View, line: str) -> str:
    return Interpreter().execute(line, view).text


def test_last_trick_of_bridge() -> None:
    calls = "pass 1D pass 1H pass 4H pass pass pass"
    assert (
        answer_to(view_of("bridge", BRIDGE, f"{calls} As 3s", 3), "trick")
        == "no trick of this deal is complete yet"
    )
    text = answer_to(view_of("bridge", BRIDGE, f"{calls} As 3s 5s 2s Js", 3), "trick")
    assert text == "trick 1: north As, east 3s, south 5s, west 2s; north took it"


def test_last_trick_of_hearts_with_its_points() -> None:
    text = answer_to(view_of("hearts", HEARTS, f"{PASSED} 2c 9c Qc 4s 3c Ts", 1), "trick")
    assert text == "trick 1: north 2c, east 9c, south Qc, west 4s; south took it, 0 points"


def test_auction_lists_each_call_with_its_meaning_and_the_system() -> None:
    lines = answer_to(view_of("bridge", BRIDGE, "pass 1D pass 1H", 0), "auction").splitlines()
    assert lines[1] == "east 1D: 12-21 points, 3+ diamonds" and lines[2] == "south pass"
    assert lines[-1].startswith("both sides play the system natural: five-card majors, 1N of 15 to 17 points")
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("help 2NT", "2N: 20-22 points, balanced"),
        ("help 2n", "2N: 20-22 points, balanced"),
        ("help pass", "pass: 0-12 points"),
        ("help 7D", "7D: the bidding system gives it no meaning here"),
        ("why 1S", "1S: 12-21 points, 5+ spades"),
    ],
)
def test_meaning_of_a_call(typed: str, text: str) -> None:
    assert answer_to(view_of("bridge", BRIDGE, "", 0), typed) == text


def test_a_call_that_is_not_legal_is_refused_with_the_reason() -> None:
    for calls, word, why in CALLS["illegal"]:
        view = view_of("bridge", BRIDGE, calls, len(calls.split()))
        assert answer_to(view, f"help {word}") == why and answer_to(view, word).startswith(why)


def test_meaning_of_a_call_while_it_is_typed() -> None:
    view = view_of("bridge", BRIDGE, "", 0)
    assert Interpreter().meaning("2nt", view) == (True, "Enter plays 2N: 20-22 points, balanced")
    assert Interpreter().meaning("7d", view) == (True, "Enter plays 7D")


def test_pass_is_the_first_call_and_cards_are_sorted_by_suit() -> None:
    view = view_of("bridge", BRIDGE, "pass 1D pass 1H pass 1S", 2)
    assert answer_to(view, "moves").startswith("33 legal moves: pass x 1N 2C 2D 2H 2S 2N 3C")
    assert Interpreter().invitation(view).startswith("type a move (pass x 1N 2C")
    cards = answer_to(view_of("hearts", HEARTS, "", 0), "moves")
    assert cards == "13 legal moves: Js 9s 5s Kh 8h 7h Ad Qd 4d Tc 8c 6c 2c"


def test_commands_of_cards_are_for_card_games() -> None:
    other = view_of("chess", "", "", 0)
    assert answer_to(other, "trick") == "'trick' is not for chess" and "trick" not in answer_to(other, "help")
    hearts = view_of("hearts", HEARTS, "", 0)
    assert (
        "trick" in answer_to(hearts, "help") and answer_to(hearts, "auction") == "'auction' is not for hearts"
    )
