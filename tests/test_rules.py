"""The rules in brief: complete for every game, with examples that the games themselves accept."""

import random

import pytest

from gameplay import registry, rules
from gameplay.position import CHANCE, Position

GAMES = [name for name in registry.game_names() if name != "tree"]


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_an_objective_of_few_lines_and_three_examples(name: str) -> None:
    found = rules.of(registry.game_class(name)[0])
    assert found is not None
    assert len(found.examples) == 3 and all(example.text for example in found.examples)
    assert len(found.objective) <= 200 and found.objective.endswith(".") and found.moves.endswith(".")
    assert all(text for text in (*found.symbols.values(), *found.terms.values()))


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_are_legal_moves(name: str) -> None:
    """After the moves that the example names, and after some deal or roll where chance comes first."""
    found = rules.of(registry.game_class(name)[0])
    assert found is not None
    for example in found.examples:
        assert any(_legal(name, example, seed) for seed in range(100)), example


def _legal(name: str, example: rules.Example, seed: int) -> bool:
    chance = random.Random(seed)
    position = registry.game(name).seeded(seed).new(example.position or None)
    for word in example.after.split():
        position.make(position.parse(word))
    while position.turn == CHANCE:
        position.make(chance.choice(list(position.moves())))
    try:
        return position.parse(example.move) in set(position.moves())
    except registry.GameplayError:
        return False


@pytest.mark.parametrize("width", [40, 60, 76, 120])
@pytest.mark.parametrize("name", GAMES)
def test_the_rules_fit_the_width(name: str, width: int) -> None:
    lines = rules.brief(registry.game_class(name)[0], width)
    assert lines and max(map(len, lines)) <= width


def test_the_symbols_of_a_board_are_explained() -> None:
    """Each piece that the first board of a game shows, in games whose pieces are letters."""
    for name in ("chess", "checkers", "stratego", "connect4", "othello", "go", "tictactoe"):
        found = rules.of(registry.game_class(name)[0])
        board = registry.game(name).new().board()
        assert found is not None and board is not None
        shown = {piece.upper() for piece in board.owners}
        assert shown <= {symbol.upper() for symbol in found.symbols}, name


def test_examples_of_one_move_in_two_positions_are_both_shown() -> None:
    found = rules.of(registry.game_class("connect4")[0])
    assert found is not None
    assert [line.split("  ")[1] for line in found.lines(76) if line.startswith("  ")][:3] == ["4", "4", "7"]


def test_a_word_is_looked_up_in_the_terms_and_the_symbols() -> None:
    found = rules.of(registry.game_class("chess")[0])
    assert found is not None
    assert found.meaning("Castling").startswith("castling: The king goes two squares")
    assert found.meaning("K") == "K: king" and found.meaning("k") == "" == found.meaning("nonsense")


def test_rules_of_a_users_game_are_its_docstring() -> None:
    class Own(Position):
        """Take one stick or two.

        The last one loses.
        """

    assert rules.of(Own) is None
    assert rules.brief(Own, 40) == ["Take one stick or two.", "", "The last one loses."]
