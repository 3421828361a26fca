"""Matches of several games by their rules alone: forms, seats, scores, and the end of a match."""

import pytest

from gameplay.errors import Usage
from gameplay.registry import game
from gameplay.scoring.forms import parse_form, rules_of
from gameplay.scoring.rules import BestOf, Total, format_points
from gameplay.scoring.scoresheet import PlayedGame

WIN, LOSS, DRAW = PlayedGame([1, -1]), PlayedGame([-1, 1]), PlayedGame([0, 0])


@pytest.mark.parametrize(
    ("text", "expected"), [("", "games:3"), ("5", "games:5"), ("games", "games:3"), ("games:12", "games:12")]
)
def test_a_form_has_a_kind_and_a_length(text: str, expected: str) -> None:
    assert parse_form(text, game("tictactoe").cls) == expected


@pytest.mark.parametrize(
    "text", ["0", "-1", "1001", "9" * 30, "games:", "games:x", "5:games", "rubber", "²", ":"]
)
def test_another_form_is_refused_with_one_to_try(text: str) -> None:
    with pytest.raises(Usage, match="Try: --match games:3"):
        parse_form(text, game("tictactoe").cls)


@pytest.mark.parametrize(
    ("length", "played", "over"),
    [
        (1, [], False),
        (1, [DRAW], True),
        (3, [WIN, WIN], True),
        (3, [WIN, LOSS], False),
        (3, [WIN, DRAW], False),  # 1.5 to 0.5: a loss makes it equal
        (3, [WIN, DRAW, LOSS], True),
        (4, [WIN, WIN], False),
        (4, [WIN, WIN, DRAW], True),
        (5, [WIN, WIN, LOSS], False),
        (5, [LOSS, LOSS, LOSS], True),
    ],
)
def test_best_of_is_over_when_the_first_cannot_be_caught(
    length: int, played: list[PlayedGame], over: bool
) -> None:
    match = BestOf(game("tictactoe").new(), length)
    assert (match.fixture(played) is None) is over


def test_sides_change_after_each_game_and_draws_count_half() -> None:
    match = BestOf(game("tictactoe").new(), 5)
    seats = [match.fixture([DRAW] * games) for games in range(3)]
    assert [seat.seats for seat in seats if seat] == [(0, 1), (1, 0), (0, 1)]
    assert match.scores([WIN, DRAW, LOSS, DRAW]) == (2, 2)
    assert match.scores([]) == (0, 0)
    assert match.winners([WIN, DRAW]) == [0] and match.winners([WIN, LOSS]) == [0, 1]
    assert match.heading([WIN, LOSS]) == "game 3 of 5"


def test_three_players_each_have_each_seat_and_share_a_win() -> None:
    match = BestOf(game("chinese-checkers:players=3").new(), 3)
    seats = [match.rotated_seats(games) for games in range(3)]
    assert [sorted(seat) for seat in zip(*seats, strict=True)] == [[0, 1, 2]] * 3
    assert match.scores([PlayedGame([2, 2, -4])]) == (0.5, 0.5, 0)


def test_a_total_adds_payoffs_over_all_games() -> None:
    match = Total(game("kuhn").new(), 2)
    assert match.scores([PlayedGame([3, -3]), PlayedGame([-1, 1])]) == (2, -2)
    assert match.fixture([PlayedGame([3, -3])]) is not None and match.fixture([WIN, WIN]) is None


def test_a_form_of_another_game_is_refused() -> None:
    with pytest.raises(Usage, match="no match of the form 'hands:3'"):
        rules_of("hands:3", game("tictactoe").new())
    with pytest.raises(Usage, match="no match of the form"):
        rules_of("games:many", game("tictactoe").new())


def test_scores_are_written_without_needless_digits() -> None:
    assert [format_points(number) for number in (3, 2.0, 1.5, -40, 1 / 3)] == ["3", "2", "1.5", "-40", "0.33"]
