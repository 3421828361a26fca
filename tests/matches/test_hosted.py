"""A match conducted by another program: continued, restarted and refused games."""

from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, IllegalMove
from gameplay.matches.clock import TimeControl
from gameplay.matches.hosted import Hosted
from gameplay.players.empty_seat import EmptySeat

pytestmark = pytest.mark.once

GAME = registry.game("tictactoe")


def host_game(game: str = "tictactoe", **more: Any) -> Hosted:
    return Hosted(registry.game(game), EmptySeat("ours"), **more)


def test_hosted_match_continues_while_positions_follow_each_other() -> None:
    host = host_game()
    first = host.match("", ["a1"])
    assert first.words() == ["a1"] and [player.spec for player in first.players] == ["ours"] * 2
    assert (host.start, host.words, host.last) == ("", ["a1"], first)
    assert host.match("", ["a1"]) is first and first.words() == ["a1"]
    assert host.match("", ["a1", "b2", "c3"]) is first and first.words() == ["a1", "b2", "c3"]
    again = host.match("", ["a1", "b2"])
    assert again is not first and again.words() == ["a1", "b2"]
    other = host.match("", ["a1", "c2", "c3"])
    assert other is not again and other.words() == ["a1", "c2", "c3"]
    placed = host.match("x../.../...", ["b2"])
    assert placed is not other and (placed.start, placed.words()) == ("x../.../...", ["b2"])
    assert placed.turns[0].player == 1 and host.start == "x../.../..."
    words = ["b2"]
    assert host.match("x../.../...", words) is placed
    words.append("c3")
    assert host.words == ["b2"], "it is the list of somebody else"


def test_impossible_moves_are_refused_and_forgotten() -> None:
    host = host_game()
    over = ["a1", "a2", "b1", "b2", "c1"]
    assert host.match("", over).payoffs == (1, -1), "the end is looked at"
    for words, why in (
        (["a1", "b9"], r"^move 2: 'b9' is not a legal move here"),
        (["a1", "a1"], r"^move 2: 'a1' is not a legal move here"),
        ([*over, "c3"], r"^move 6, 'c3': the game is over before it$"),
    ):
        host.match("", ["a1"])
        with pytest.raises(IllegalMove, match=why):
            host.match("", words)
        assert host.last is None
    with pytest.raises(BadInput):
        host.match("rubbish", [])


def test_hosted_moves_are_read_in_protocol_notation() -> None:
    requests: list[tuple[str, str]] = []

    def read(position: Any, word: str) -> int:
        requests.append((position.text(), word))
        return 2 * int(word)

    host = host_game(read=read)
    assert host.match("", ["1", "2"]).words() == ["c1", "b2"]
    assert requests == [(".../.../...", "1"), ("..x/.../...", "2")]


def test_hosted_match_continues_under_other_ending_rules() -> None:
    """A row of four replaces a row of three, and the game continues."""
    over = ["a1", "a2", "b1", "b2", "c1"]
    assert host_game().match("", over).reason == "rules"
    long = host_game("tictactoe:width=4", spare=registry.game("tictactoe:width=4,line=4,height=4"))
    on = long.match("", over)
    assert on.game.spec == "tictactoe:width=4,line=4,height=4" and on.reason == "" and on.words() == over
    further = long.match("", [*over, "c2"])
    assert further.words()[-1] == "c2" and further.game.spec == on.game.spec
    with pytest.raises(IllegalMove, match="move 7"):
        long.match("", [*over, "c2", "c2"])
    assert long.match("", ["a1"]).game.spec == "tictactoe:width=4"


def test_hosted_match_shows_the_view_of_the_mover() -> None:
    host = host_game("kuhn")
    match = host.match("", ["K", "J", "check"])
    view = host.view()
    assert view is match.view(1) and view.seat == 1


def test_clocks_and_listeners_are_those_of_the_last_question() -> None:
    host = host_game()
    match = host.match("", ["a1"])
    events: list[Any] = []
    host.configure(((3.0, 1.0), (0.5, 0.0), 10), events.append)
    assert match.listeners == [events.append] and match.clock is not None
    assert match.clock.controls == (TimeControl(3.0, 10, 1.0), TimeControl(0.5, 10, 0.0))
    assert host.clock((None, (2.0, 0.25), 0)).controls == (None, TimeControl(2.0, 0, 0.25))
    host.configure(None, None)
    assert match.listeners == [] and match.clock is None
