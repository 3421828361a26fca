"""Strength in words: the level of each word, and common names of games."""

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players import seats, strength
from gameplay.players.level import all_settings
from gameplay.registry import game


@pytest.mark.parametrize("name", registry.game_names())
def test_each_game_for_several_players_has_a_casual_opponent_that_can_play_it(name: str) -> None:
    if name == "tree" or game(name).new().players < 2:
        return
    position = game(name)
    levels = strength.levels(position)
    assert list(levels.values()) == sorted(set(levels.values()))  # weakest first, no level twice
    assert levels["beginner"] == 1 and levels["strong"] == len(all_settings(position))
    for word, spec, meaning in strength.choices(position):
        assert meaning and seats.player(spec, position).spec.startswith("level:") == (word != "full")
    assert seats.player(strength.default_opponent(position), position).spec.startswith("level:")


@pytest.mark.parametrize(
    ("word", "spec"),
    [
        ("beginner", "level:1"),
        ("Easy", "level:1"),
        ("casual", "level:5"),
        ("club", "level:8"),
        ("medium", "level:8"),
        ("strong", "level:13"),
        ("hard", "level:13"),
        ("13", "level:13"),
        ("full", "selective"),
        ("max", "selective"),
    ],
)
def test_words_and_synonyms_are_levels_of_chess(word: str, spec: str) -> None:
    assert strength.spec(word, game("chess")) == spec


@pytest.mark.parametrize("word", ["0", "14", "godlike", "", "-1", "1.5"])
def test_an_unknown_strength_lists_the_known_ones(word: str) -> None:
    with pytest.raises(Usage, match="level of chess must be 1 to 13, beginner, casual, club, strong or full"):
        strength.spec(word, game("chess"))


def test_a_puzzle_has_no_levels() -> None:
    with pytest.raises(Usage, match="puzzle15 has no levels"):
        strength.spec("casual", game("puzzle15"))


@pytest.mark.parametrize(
    ("words", "spec"),
    [
        ("reversi", "othello"),
        ("Draughts", "draughts"),
        ("English draughts", "checkers"),
        ("poker", "holdem"),
        ("connect 4", "connect4"),
        ("Connect Four", "connect4"),
        ("tic tac toe", "tictactoe"),
        ("tic-tac-toe", "tictactoe"),
        ("go 19", "go:size=19"),
        ("Go 9:komi=6.5", "go:size=9,komi=6.5"),
        ("liar's dice", "liars-dice"),
        ("15-puzzle", "puzzle15"),
    ],
)
def test_common_names_of_games_are_known(words: str, spec: str) -> None:
    assert game(words).spec == game(spec).spec


@pytest.mark.parametrize("words", ["chess 9", "connect 5", "go nineteen", "tic tac"])
def test_unknown_words_are_rejected(words: str) -> None:
    with pytest.raises(Usage, match="unknown game"):
        game(words)
