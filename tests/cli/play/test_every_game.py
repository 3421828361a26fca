"""Every game, played in plain mode against the opponent that `play GAME` gives."""

import re
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.store import saved
from tests.support.golden import golden
from tests.support.play import Play, play

GAMES = [name for name in registry.game_names() if name != "tree"]  # that one is a file of the user
TURNS = 6
pytestmark = pytest.mark.once
play = play


@pytest.mark.parametrize("name", GAMES)
def test_first_screen_in_plain_mode(play: Play, name: str) -> None:
    """The text before the first move has no error, and each line fits."""
    ran = play(name, "--seed", "1", typed="quit\n")
    assert ran.status == 0 and "Traceback" not in ran.err
    assert max(map(len, ran.lines)) <= 300
    text = "".join(f"{line}\n" for line in ran.lines if not line.startswith("saved as: "))
    golden(f"first_{name}", re.sub(r"\d+\.\d+ s\b", "# s", text))


@pytest.mark.parametrize("name", GAMES)
def test_random_moves_are_counted_turn_by_turn(play: Play, name: str, home: Path) -> None:
    """Each `random` is one move of the human; the record replays to the same number of positions."""
    ran = play(name, "--seed", "1", typed="random\n" * TURNS + "quit\n")
    assert ran.status == 0 and "Traceback" not in ran.err, ran.err
    record = saved.saved_games()[0].record
    seat = record.players.index("human")
    mine = [move for move in record.moves if move.player == seat]
    assert len(mine) == TURNS or record.result is not None, ran.out
    position = registry.game(record.game).new(record.start)
    for count, move in enumerate(record.moves):
        assert position.outcome() is None and position.turn == move.player, (count, move)
        words = {position.format(move): move for move in position.moves()}
        position.make(words[move.move])
    assert (position.outcome() is not None) == (record.result is not None and record.reason == "rules")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("battleship", ["   your fleet            your shots", "to place next: destroyer of 2 cells"]),
        ("monopoly", ["anchor may buy South Station for 200"]),
        ("holdem", ["pot 3, 1 to call: no cards yet"]),
    ],
)
def test_the_pending_decision_is_named_in_plain_mode(play: Play, name: str, shown: list[str]) -> None:
    ran = play(name, "--seed", "1", typed="quit\n")
    assert ran.status == 0 and set(shown) <= set(ran.out.splitlines()), ran.out


@pytest.mark.parametrize("name", ["scrabble", "battleship"])
def test_without_resignation_two_players_read_why(play: Play, name: str) -> None:
    ran = play(name, "--seed", "1", typed="resign\nquit\n")
    assert f"there is no resignation in {name}: the final score would be undefined" in ran.out + ran.err


def test_declarer_reads_that_the_dummy_is_to_play(play: Play) -> None:
    ran = play("bridge", "--seed", "3", typed="1H\n7H\nrandom\nquit\n")
    assert ran.status == 0
    assert "north to move, a card of the dummy (south)" in ran.lines, ran.out
    assert "north to move" in ran.lines, "the auction, and the own hand"


def test_what_is_public_of_a_hidden_move_is_printed(play: Play) -> None:
    ran = play("battleship", "--seed", "1", "--as", "second", typed="quit\n")
    assert any(line.startswith("first places ship 1 of 5") for line in ran.lines), ran.out
    position = registry.game("scrabble").new()
    while position.turn < 0:
        position.make(position.moves()[0])
    swap = next(move for move in position.moves() if position.format(move) == "-AA")
    assert not position.sees(1, swap)
    position.make(swap)
    assert position.public_report() == "first exchanges 2 tiles"
