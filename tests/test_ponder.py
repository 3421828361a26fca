"""Pondering: a hit goes on with the work, anything else gives it up, and nothing is left running."""

import threading
import time
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.matches.match import Event, Match
from gameplay.players import seats
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, Player
from gameplay.players.ponder import Bell, Ponderer

pytestmark = pytest.mark.once

GAME = registry.game("connect4:columns=5,rows=4")


class Person(Player):
    """Plays what it is told to, once the search in the background has said something."""

    spec = name = "human"

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)
        self.seen: list[bool] = []

    def choose(self, match: Any) -> Choice | None:
        thought = match.players[1].thought
        self.seen.append(thought is not None)
        while thought is not None and thought.latest is None and thought.last is None:
            time.sleep(0.001)
        if not self.moves:
            match.leave()
            return None
        word = self.moves.pop(0)
        if word == "undo":
            match.undo(2)
            return None
        if word == "expected":
            return Choice(thought.line[-1])
        if word == "other":
            return Choice(next(move for move in match.moves() if move != thought.line[-1]))
        return Choice(match.position.parse(word))


def play(spec: str, *moves: str) -> tuple[Match, Person, Ponderer]:
    player = seats.pondering(seats.player(spec, GAME))
    assert isinstance(player, Ponderer)
    bell, person = Bell(), Person(*moves)
    match = Match(GAME, [person, player], listeners=[bell])
    bell.match = match
    match.play()
    assert player.thought is None, "the end of a match ends the search"
    assert not [thread for thread in threading.enumerate() if thread.name == "ponder"]
    return match, person, player


@pytest.mark.parametrize("engine", ["iterative:depth=6", "alphabeta:depth=5", "iterative:nodes=5000"])
def test_the_moves_are_those_of_a_search_without_pondering(engine: str) -> None:
    match, person, _ = play(engine, "3", "expected", "other", "expected")
    assert person.seen[:2] == [False, True]
    plain = seats.player(engine, GAME)
    for ply in (1, 3, 5):
        again = Match(GAME, [person, plain], moves=match.words()[:ply])
        choice = plain.choose(again)
        assert choice is not None and choice.move == match.turns[ply].move
        assert match.turns[ply].report is not None and choice.report is not None
        assert match.turns[ply].report.value == choice.report.value


def test_a_hit_is_one_search_from_the_reply_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    choose = EnginePlayer.choose
    monkeypatch.setattr(
        EnginePlayer, "choose", lambda self, match: made.append(len(match.turns)) or choose(self, match)
    )
    match, _, _ = play("iterative:depth=4", "3", "expected", "other")
    assert len(match.turns) == 6 and made == [1, 5]


def test_what_is_taken_back_is_not_pondered_about() -> None:
    match, person, _ = play("iterative:depth=4", "3", "undo", "2")
    assert person.seen == [False, True, False, True]
    assert len(match.turns) == 2


def test_time_that_has_passed_counts() -> None:
    class Late(Person):
        def choose(self, match: Any) -> Choice | None:
            thought = match.players[1].thought
            if thought is not None:
                thought.began -= 1000
            return super().choose(match)

    game = registry.game("connect4")
    player = seats.pondering(seats.player("iterative:time=900", game))
    assert isinstance(player, Ponderer)
    bell, person = Bell(), Late("expected")
    match = Match(game, [person, player], moves=["4"], listeners=[bell])
    bell.match = match
    report = player.player.engine.search(match.replica(), seats.Limit(depth=5))
    match.make(Choice(report.move, report))
    match.step()
    match.step()
    found = match.turns[-1].report
    assert found is not None and found.stopped == "time" and found.final
    player.rest()


@pytest.mark.parametrize("spec", ["mcts:time=0.05,solver=off", "mcts:sims=200,solver=off"])
def test_a_tree_of_simulations_goes_on_whatever_the_reply_is(spec: str) -> None:
    """Visits are carried over after each reply, more than the search before it left there."""
    match, person, _ = play(spec, "3", "1", "5", "2")
    assert person.seen[:2] == [False, True]
    reports = [turn.report for turn in match.turns if turn.report is not None]
    assert len(reports) == 4
    for report in reports[1:]:
        assert sum(one.visits for one in report.visited) > report.visits


def test_simulations_without_a_tree_to_keep_ponder_about_the_expected_reply() -> None:
    match, person, _ = play("mcts:time=0.05,reuse=off", "3", "expected", "other")
    assert person.seen[:2] == [False, True] and len(match.turns) == 6


def test_a_word_from_the_listeners_ends_the_search() -> None:
    game = registry.game("connect4")
    player = seats.pondering(seats.player("iterative", game))
    assert isinstance(player, Ponderer)
    bell, person = Bell(), Person("expected")
    match = Match(game, [person, player], moves=["4"], listeners=[bell])
    match.listeners.append(lambda event: event.kind == "report")
    bell.match = match
    report = player.player.engine.search(match.replica(), seats.Limit(depth=5))
    match.make(Choice(report.move, report))
    match.step()
    match.step()
    assert len(match.turns) == 4
    found = match.turns[-1].report
    assert found is not None and found.stopped in ("interrupted", "proven")
    bell(Event("undo"))
    assert player.thought is None


@pytest.mark.parametrize("specs", [["iterative", "iterative"], ["human", "random"], ["human", "level:3"]])
def test_who_cannot_ponder_is_told(specs: list[str]) -> None:
    with pytest.raises(Usage, match="--ponder"):
        seats.check_pondering(specs)


def test_others_play_as_they_are() -> None:
    for spec in ("random", "level:3"):
        player = seats.player(spec, GAME)
        assert seats.pondering(player) is player
