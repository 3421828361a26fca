"""The Python side of the web page, as its scripts call it: `connect`, with requests and answers in JSON."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.paths import ROOT

Call = Callable[..., Any]


class Page:
    """Replaces the page's scripts. `reports` are those of searches; `stops` ends the next search."""

    def __init__(self, connect: Call) -> None:
        self.reports: list[dict[str, Any]] = []
        self.stops = False
        self._answer = connect(self._watch)

    def _watch(self, text: str) -> bool:
        self.reports.append(json.loads(text))
        return self.stops

    def __call__(self, name: str, *values: Any) -> Any:
        answer = json.loads(self._answer(json.dumps([name, values])))
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["value"]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.syspath_prepend(str(ROOT / "web"))
    monkeypatch.setenv("GAMEPLAY_THREADS", "off")  # as in a browser
    import game_session

    yield Page(game_session.connect)
    sys.modules.pop("game_session")


def test_every_game_begins_for_either_side(page: Page) -> None:
    for game in page("games"):
        about = page("about", game["spec"])
        assert about["levels"] >= 3 and len(about["sides"]) == 2
        for seat in (0, 1):
            state = page("start", game["spec"], 1, seat, 5, [])
            while not state["mine"]:
                state = page("reply")
            assert state["side"] == about["sides"][seat] == state["turn"]
            assert state["legal"] and not state["over"] and not state["message"]


def test_a_whole_game_is_played(page: Page) -> None:
    """The level answers threats: after b2 and a1 a row of three must be stopped, or the human wins."""
    state = page("start", "tictactoe", 3, 0, 1, [])
    while not state["over"]:
        state = page("enter", state["legal"][0])
        state = page("reply")
    assert state["result"].startswith(("You lose: o wins", "Draw"))
    assert "game is over" in page("enter", "b2")["message"]


def test_a_winner_and_the_winning_line_are_reported(page: Page) -> None:
    state = page("start", "connect4", 1, 0, 1, ["1", "2", "1", "2", "1", "2"])
    state = page("enter", "1")
    assert state["result"] == "You win: blue wins"
    assert sorted(state["board"]["line"]) == [[row, 0] for row in (2, 3, 4, 5)]
    assert page("enter", "undo")["legal"] == ["4", "3", "5", "2", "6", "1", "7"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("tictactoe z9", "'z9' is not a legal move"),
        ("connect4 8", "the columns go from 1 to 7"),
        ("chess e5", "no piece on e5"),
        ("connect4 quit", "quit"),
        ("kuhn raise", "'raise'"),
    ],
)
def test_invalid_input_changes_nothing_and_is_explained(page: Page, typed: str, message: str) -> None:
    game, line = typed.split()
    before = page("start", game, 1, 0, 1, [])
    while not before["mine"]:
        before = page("reply")
    after = page("enter", line)
    assert message in after["message"]
    assert after | {"message": ""} == before | {"message": ""}


def test_wrong_requests_are_refused_in_words(page: Page) -> None:
    with pytest.raises(ValueError, match="level of tictactoe must be from 1 to 3, not 9"):
        page("start", "tictactoe", 9, 0, 1, [])
    page("start", "connect4", 1, 1, 1, [])
    assert page("enter", "4")["message"] == "it is the other side's turn"


def test_moves_of_pieces_are_from_a_cell_to_a_cell(page: Page) -> None:
    board = page("start", "chess", 1, 0, 1, [])["board"]
    assert len(board["travel"]) == 20 and not board["plain"]
    assert [[7, 6], [5, 5], ["Nf3"]] in board["travel"]
    moves = ["a4", "b5", "axb5", "a6", "bxa6", "Bb7", "a7", "Bc6"]
    promotion = page("start", "chess", 1, 0, 1, moves)["board"]["travel"]
    (words,) = (words for start, end, words in promotion if start == [1, 0] and end == [0, 1])
    assert sorted(words) == ["axb8=B", "axb8=N", "axb8=Q", "axb8=R"]


def test_cells_map_to_moves_in_placement_games(page: Page) -> None:
    plain = page("start", "othello", 1, 0, 1, [])["board"]["plain"]
    assert sorted((tuple(cell), words) for cell, words in plain) == [
        ((2, 3), ["d3"]),
        ((3, 2), ["c4"]),
        ((4, 5), ["f5"]),
        ((5, 4), ["e6"]),
    ]


def test_the_card_of_the_opponent_is_not_sent(page: Page) -> None:
    for number in range(6):
        state = page("start", "kuhn", 1, 0, number, [])
        state = page("reply")
        first, second = state["board"]["trays"][:2]
        assert first["things"][0] in ("J", "Q", "K") and second["things"] == ["?"]
        assert not set(state["moves"]) & {"J", "Q", "K"} - {state["moves"][0]}
        page("enter", "check")
        page("reply")
    assert not any("line" in report or "value" in report for report in page.reports)


def test_a_search_is_reported_and_stopped(page: Page) -> None:
    page("start", "chess", 13, 1, 1, [])
    page.stops = True
    state = page("reply")
    assert state["mine"] and len(state["moves"]) == 1  # the best move so far
    assert len(page.reports) == 1


def test_a_stopped_move_is_played_after_python_was_started_again(page: Page) -> None:
    page("start", "connect4", 5, 0, 1, ["4"])
    assert page("play", "4")["moves"] == ["4", "4"]


def test_hints_are_graded(page: Page) -> None:
    page("start", "tictactoe", 1, 0, 1, ["b2", "a1", "c1", "a3"])
    messages = [page("enter", "hint")["message"] for _ in range(3)]
    assert (
        "hint again: the moves" in messages[0]
        and "a2" in messages[1]
        and messages[2].startswith("best line: a2")
    )
