"""Pauses between moves: after which moves, and their maximum."""

from contextlib import suppress
from typing import Any

import pytest

from gameplay import registry
from gameplay.display.terminal.pacing import EVENT, MAX_UNITS, TRICK, UNITS, Pacing, in_deal
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice, MatchView
from gameplay.search.seeds import seed_of
from gameplay.store.settings import choices

pytestmark = pytest.mark.once


class Person(EmptySeat):
    """Plays the first legal move."""

    def __init__(self) -> None:
        super().__init__("human")

    def choose(self, match: MatchView) -> Choice | None:
        return Choice(match.moves()[0])


def pauses(game: str, pace: str, turns: int) -> list[list[float]]:
    """The pauses of a game between the turns of its first player."""
    results: list[list[float]] = [[]]
    pacing = Pacing(pace)
    played = registry.game(game).with_seed(1)
    count = played.new().players
    others = [seats.player("random", played, seed_of(1, "player", seat)) for seat in range(1, count)]
    match = Match(played, [Person(), *others], seed=1)

    class Listener:
        match: Any = None

        def __call__(self, event: Any) -> bool:
            if event.kind == "move":
                results[-1].append(pacing.seconds(match, event.turn))
                if match.turn == 0:
                    results.append([])
                if len(results) > turns:
                    raise KeyboardInterrupt
            return False

    match.listeners = [Listener()]
    with suppress(KeyboardInterrupt):
        match.play()
    return results[:-1]


@pytest.mark.parametrize("game", ["hearts", "monopoly:players=4", "backgammon", "connect4", "bridge"])
@pytest.mark.parametrize("pace", UNITS)
def test_all_pauses_between_two_turns_are_limited(game: str, pace: str) -> None:
    delays = pauses(game, pace, 8)
    assert delays
    for between in delays:
        assert between[-1] == 0, "none before the player's own turn"
        assert sum(between) <= MAX_UNITS * UNITS[pace] + 1e-9


def test_moves_of_opponents_are_shown_briefly_and_tricks_longer() -> None:
    seen = {
        round(delay / UNITS["normal"], 6) for between in pauses("hearts", "normal", 16) for delay in between
    }
    assert seen >= {0.0, 1.0, float(TRICK)} and EVENT not in seen


def test_calls_of_bridge_are_shown_shorter_than_tricks() -> None:
    first = pauses("bridge", "normal", 1)[-1]
    assert max(first, default=0) <= EVENT * UNITS["normal"] + 1e-9


@pytest.mark.parametrize(
    ("game", "dealt"), [("hearts", 52), ("bridge", 52), ("holdem", 4), ("backgammon", 1)]
)
def test_a_deal_is_shown_when_it_is_complete(game: str, dealt: int) -> None:
    match = Match(
        registry.game(game), [EmptySeat("random") for _ in range(registry.game(game).new().players)]
    )
    results = []
    for number in range(1, dealt + 1):
        match.step()
        results.append(in_deal(match, match.turns[-1]))
        assert len(match.turns) == number
    assert results == [True] * (dealt - 1) + [False]


def test_a_reply_in_a_two_player_game_has_no_delay() -> None:
    assert sum(sum(between) for between in pauses("connect4", "slow", 4)) == 0


def test_every_pace_that_can_be_set_is_known() -> None:
    assert set(choices("pace")) == set(UNITS)
