"""Stepping through a saved game, and playing on from it, without a terminal."""

from pathlib import Path

import pytest

from gameplay import Report, registry
from gameplay.cli._saved import end, opened, stands
from gameplay.cli._seating import branch
from gameplay.display.replay import BARS, Replay
from gameplay.display.screen import Screen
from gameplay.display.theme import decide
from gameplay.errors import BadInput
from gameplay.lessons.review import engine_for, review
from gameplay.matches.match import Match
from gameplay.players.nobody import Nobody
from gameplay.players.player import Choice
from gameplay.search.limit import Limit
from gameplay.store.record import Record, decode, encode, record_of

pytestmark = pytest.mark.once

STICKS = str(Path(__file__).parent / "games" / "sticks.py")


def record_with(game: str = "tictactoe", players: tuple[str, str] = ("human", "minimax:depth=3")) -> Record:
    """A game of four moves with values of the second player's, which the first one gave up."""
    match = Match(registry.game(game), [Nobody(spec, "Ann" * (spec == "human")) for spec in players])
    for word, value in (("b2", None), ("a1", -2), ("c1", None), ("a3", 999_996)):
        move = match.position.parse(word)
        report = None if value is None else Report(move=move, value=value, depth=3, pv=(move,), final=True)
        match.make(Choice(move, report))
    match.resign(0)
    return record_of(match, lines={})


def replay(record: Record, ply: int = 0) -> Replay:
    match, turns = opened(record)
    screen = Screen(decide(ascii=False))
    screen.match = match
    return Replay(screen, turns, lambda: end(match, record), ply)


def test_an_end_that_no_rule_made_is_there_at_the_last_move_alone() -> None:
    game = replay(record_with(), 4)
    assert game.match.over() and game.where().endswith("; o wins; x resigned")
    game.go(3)
    assert not game.match.over() and game.match.words() == ["b2", "a1", "c1"]
    assert game.where() == "move 3 of 4: x c1"
    game.go(99)
    assert game.match.over() and game.ply == 4
    game.go(-1)
    assert game.ply == 0 and game.where() == "move 0 of 4" and not game.match.over()


def test_a_move_is_told_with_what_was_thought_of_it() -> None:
    game = replay(record_with(), 4)
    assert game.where().startswith("move 4 of 4: o a3 (o wins in 4 plies, depth 3)")
    assert game.match.turns[3].report.pv == (game.turns[3].move,)
    assert game.shares[0] is None and game.shares[3] == 0.0
    assert game.shares[1] is not None and 0.5 < game.shares[1] < 0.6, "o was a little behind"


def test_enter_goes_to_the_number_that_was_typed() -> None:
    game = replay(record_with())
    game.number = "3"
    game.enter()
    assert game.ply == 3 and game.number == ""
    game.enter()
    assert game.ply == 4
    game.number = "12"
    game.enter()
    assert game.ply == 4 and game.where() == "there is no move 12: the game has 4"


def test_the_bars_of_a_long_game_find_room() -> None:
    game = replay(record_with(), 2)
    game.shares = [number / 500 for number in range(500)]
    bars = game.values().replace("\x1b[7m", "").replace("\x1b[0m", "")
    assert len(bars) < game.screen.theme.console.size.width
    assert bars[0] in (BARS[0], "1") and sorted(bars) == list(bars)


@pytest.mark.parametrize("length", [4, 500])
def test_one_bar_is_marked_and_it_is_that_of_the_move_before(length: int) -> None:
    game = replay(record_with())
    game.shares = [0.5] * length
    for ply in range(5):
        game.go(ply)
        marked = game.values().split("\x1b[7m")
        assert len(marked) == 1 + (ply > 0)
        step = -(-length // max(10, game.screen.theme.console.size.width - 1))
        assert len(marked[0]) == ((ply - 1) // step if ply else -(-length // step))


@pytest.mark.parametrize(("ply", "players"), [(0, ["human", "iterative"]), (3, ["iterative", "human"])])
def test_whoever_plays_on_against_an_engine_has_the_side_to_move(ply: int, players: list[str]) -> None:
    table = branch(record_with(), "engine", ply)
    assert table.specs == players and table.moves == ["b2", "a1", "c1"][:ply]
    assert table.names == (["Ann", ""] if ply == 0 else ["", ""]) and table.record is None


def test_the_same_players_play_on_if_they_are_players_here() -> None:
    table = branch(record_with(), "same", 2)
    assert table.specs == ["human", "minimax:depth=3"] and table.names == ["Ann", ""]
    table = branch(record_with(players=("Kasparov, G", "Karpov")), "same", 2)
    assert table.specs == ["human", "human"] and table.names == ["Kasparov, G", "Karpov"]


def test_how_a_saved_game_stands() -> None:
    record = record_with()
    assert stands(record) == "o won, x resigned"
    record.result, record.reason = [0, 0], "rules"
    assert stands(record) == "draw"
    record.reason = "agreed"
    assert stands(record) == "draw agreed"
    record.result, record.game = [1, -1], "./gone.py"
    assert stands(record) == "player 1 won"
    record.result = None
    assert stands(record) == "unfinished"


def test_names_that_fit_no_players_are_refused() -> None:
    record = record_with()
    record.names = ["Ann"]
    with pytest.raises(BadInput, match="2 players have 1 names"):
        decode(encode(record), "here")


def test_a_reviewed_game_shows_its_mistakes_and_lets_them_be_tried_again() -> None:
    match = Match(registry.game("connect4"), [Nobody("human"), Nobody("human")], "", list("4141424"))
    record = record_of(match)
    found = review(record, engine_for(match.game), Limit(nodes=500))
    match, turns = opened(record)
    screen = Screen(decide(ascii=False))
    screen.match = match
    game = Replay(screen, turns, lambda: None, review=found)
    plies = [one.ply for one in found.mistakes]
    shown = game.keys()
    assert "m: next mistake" in shown and game.retried() is None
    game.mistake()
    assert game.ply == plies[0] and 6 in plies
    while game.ply != 6:
        game.mistake()
    assert ". Review: loss in 2 for orange. blunder, costs" in game.where() and game.retried() == 5
    for _ in plies[plies.index(6) :]:
        game.mistake()
    assert game.ply == plies[0], "after the last one the first again"
    assert game.shares == found.curve()


def test_every_key_that_is_shown_does_something() -> None:
    match, turns = opened(record_with())
    screen = Screen(decide(ascii=False))
    screen.match = match
    game = Replay(screen, turns, lambda: None, onward=True)
    bound = {key for binding in game._keys().bindings for key in binding.keys}
    assert {"a", "f", "e", "s", "m", "r", "q", "g", "+", "-", *"0123456789"} <= bound
