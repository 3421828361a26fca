"""The order of long lists of legal moves."""

from typing import Any

import pytest

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.players.commands import natural_key
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.move_order import SHOWN_MOVES, display_order

pytestmark = pytest.mark.once


def list_moves(game: str, moves: str = "", start: str = "") -> list[str]:
    game_class = registry.game(game)
    players = [EmptySeat("human") for _ in range(game_class.new().players)]
    match: Any = Match(game_class, players, start, moves.split())
    return display_order(match, match.moves())


def test_captures_come_first_then_checks_then_the_centre() -> None:
    words = list_moves("chess", "e4 d5 Nf3 Bg4")
    assert words[:6] == ["exd5", "Bb5+", "Nd4", "Ne5", "d4", "e5"]
    assert words[-1] in ("h3", "h4") and len(words) == len(set(words)) > SHOWN_MOVES


def test_mate_is_among_the_checks() -> None:
    words = list_moves("chess", "f3 e5 g4")
    assert words[0] == "Qh4#" and words[1:3] == ["d5", "e4"]
    words = list_moves("chess", start="k7/6p1/1K6/8/8/8/8/5RR1 w - - 0 1")
    assert words[:3] == ["Rxg7", "Ra1+", "Rf8#"], "it is not given away by standing before captures"


def test_points_of_go_go_from_the_centre_outwards() -> None:
    words = list_moves("go:size=9")
    assert words[0] == "E5" and set(words[1:9]) == {"D4", "D5", "D6", "E4", "E6", "F4", "F5", "F6"}


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "othello", "checkers"])
def test_short_lists_keep_the_order_of_their_words(game: str) -> None:
    words = list_moves(game)
    assert len(words) <= SHOWN_MOVES and words == sorted(words, key=natural_key)
