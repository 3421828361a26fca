"""Messages of a server: their contents, and refusals."""

from typing import Any

import pytest

from gameplay.lichess.messages import (
    Challenge,
    FullGame,
    GameState,
    Malformed,
    Person,
    control_text,
    parse_id,
)
from tests.support.lichess import FakeGame, challenge

pytestmark = pytest.mark.once


def test_full_games_have_players_clocks_and_moves() -> None:
    full = FullGame.of(FakeGame(moves=["e2e4", "e7e5"], color="black").full())
    assert [str(player) for player in full.players] == ["Rival (1600)", "Tester (1500)"]
    assert (full.clock, full.control, full.start, full.ids) == ((300, 3), "5+3", "", ("rival", "tester"))
    assert full.state.moves == ("e2e4", "e7e5")
    assert full.state.seconds_left == (290, 280)
    assert not full.state.over
    assert FullGame.of(FakeGame(clock=None).full()).control == "no clock"


def test_challenges_have_time_and_kind() -> None:
    offer = Challenge.of(challenge(rated=True, variant={"key": "chess960"})["challenge"])
    assert str(offer) == "Rival (1600), 5+3, rated, chess960"
    assert Challenge.of(challenge(timeControl={"type": "unlimited"})["challenge"]).clock is None
    assert [control_text(clock) for clock in ((30, 0), (90, 1), (180, 2))] == ["0:30+0", "1:30+1", "3+2"]


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"moves": 7, "status": "started"},
        {"moves": "e2e4", "status": None},
        {"moves": "e2e4 ../../x", "status": "started"},
        {"moves": "e2e9", "status": "started"},
        {"moves": "e2e4 " * 2001, "status": "started"},
    ],
)
def test_malformed_states_are_refused(state: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        GameState.of(state)


@pytest.mark.parametrize("name", ["", "../../x", "a b", "abc", "x" * 20, 7, None, "abcd\n", "ab\x1b[0m"])
def test_ids_are_letters_and_digits(name: object) -> None:
    with pytest.raises(Malformed):
        parse_id(name)


def test_hostile_names_and_times_are_sanitized() -> None:
    person = Person.of({"name": "\x1b]0;x\x07" + "n" * 99, "title": "\u202eGM", "rating": "high"})
    assert "\x1b" not in str(person) and "\u202e" not in str(person) and len(str(person)) < 120
    assert str(Person.of({"aiLevel": 3})) == "Stockfish level 3"
    assert str(Person.of({})) == "anonymous"
    state = {"moves": "", "status": "started", "wtime": float("nan"), "btime": 1e300}
    assert GameState.of(state).seconds_left == (0, 10_000_000)
    assert GameState.of(state | {"wtime": -5, "btime": True}).seconds_left == (0, 0)
