"""The brief rules: complete for every game, with examples that the games accept."""

from pathlib import Path

import pytest

from gameplay import registry, rules
from gameplay.errors import BadInput
from gameplay.position import Position

LISTED = 58  # characters of a summary: a line of the menu of games in 80 columns
GAMES = [name for name in registry.game_names() if name != "tree"]


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_an_objective_of_few_lines_and_three_examples(name: str) -> None:
    summary = rules.of(registry.game_class(name)[0])
    assert summary is not None
    assert len(summary.summary) <= LISTED and summary.summary.endswith(".")
    assert registry.summary(name) == summary.summary
    assert len(summary.examples) == 3 and all(example.text for example in summary.examples)
    assert len(summary.objective) <= 200 and summary.objective.endswith(".") and summary.moves.endswith(".")
    assert all(text for text in (*summary.symbols.values(), *summary.terms.values()))


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_are_legal_moves(name: str) -> None:
    """After the moves named by the example, and after a deal or roll if chance moves first."""
    text = rules.of(registry.game_class(name)[0])
    assert text is not None
    for example in text.examples:
        assert any(rules.is_legal(registry.game(name), example, seed) for seed in range(20)), example


@pytest.mark.parametrize(
    "spec",
    [
        *(f"go:size={size}" for size in (1, 2, 3, 5, 7, 19)),
        "go:columns=5,rows=3",
        "tictactoe:width=4,height=4,line=4",
        "connect4:columns=5,rows=4",
        "othello:size=6",
        "nim:heaps=2",
        "puzzle15:columns=2,rows=2",
        "holdem:players=4",
        "stratego:army=barrage",
    ],
)
def test_the_rules_show_examples_of_the_board_that_is_played(spec: str) -> None:
    game = registry.game(spec)
    text = rules.of(game.cls)
    assert text is not None
    shown = rules.legal_examples(text, game).examples
    assert 1 <= len(shown) <= 3
    assert all(any(rules.is_legal(game, example, seed) for seed in range(20)) for example in shown)
    lines = rules.brief(game.cls, 76, game)
    assert all(any(line.startswith(f"  {example.move} ") for line in lines) for example in shown)


def test_examples_beyond_a_board_are_left_out() -> None:
    cls = registry.game_class("go")[0]
    small = rules.brief(cls, 76, registry.game("go:size=2"))
    assert any("C3" in line for line in rules.brief(cls, 76, registry.game("go:size=5")))
    assert not any("C3" in line for line in small)


@pytest.mark.parametrize("width", [40, 60, 76, 120])
@pytest.mark.parametrize("name", GAMES)
def test_the_rules_fit_the_width(name: str, width: int) -> None:
    lines = rules.brief(registry.game_class(name)[0], width)
    assert lines and max(map(len, lines)) <= width


def test_the_symbols_of_a_board_are_explained() -> None:
    """Each piece on the first board of a game, in games whose pieces are letters."""
    for name in ("chess", "checkers", "stratego", "connect4", "othello", "go", "tictactoe"):
        text = rules.of(registry.game_class(name)[0])
        board = registry.game(name).new().board()
        assert text is not None and board is not None
        shown = {piece.upper() for piece in board.owners}
        assert shown <= {symbol.upper() for symbol in text.symbols}, name


def test_examples_of_one_move_in_two_positions_are_both_shown() -> None:
    text = rules.of(registry.game_class("connect4")[0])
    assert text is not None
    assert [line.split("  ")[1] for line in text.lines(76) if line.startswith("  ")][:3] == ["4", "4", "7"]


def test_a_word_is_looked_up_in_the_terms_and_the_symbols() -> None:
    text = rules.of(registry.game_class("chess")[0])
    assert text is not None
    assert text.meaning("Castling").startswith("castling: The king goes two squares")
    assert text.meaning("K") == "K: king" and text.meaning("k") == "" == text.meaning("nonsense")


def test_rules_of_a_users_game_are_its_docstring() -> None:
    class Own(Position):
        """Take one stick or two.

        The last one loses.
        """

    assert rules.of(Own) is None
    assert rules.brief(Own, 40) == ["Take one stick or two.", "", "The last one loses."]


def test_missing_or_unknown_fields_of_a_rules_file_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.rules.toml"
    monkeypatch.setattr(rules.catalogue, "rules_file", lambda name: file)
    for text, field in (
        ('summary = "A."\nmoves = "B."', "'objective'"),
        ('summary = "A."\nobjective = "B."\nmoves = "C."\nexamples = [{ move = "a" }]', "'text'"),
        ('summary = "A."\nobjective = "B."\nmoves = "C."\ngoal = "D."', "'goal'"),
    ):
        file.write_text(text)
        with pytest.raises(BadInput, match=rf"mine\.rules\.toml: .*{field}; expected at least summary"):
            rules._read.__wrapped__("mine")
