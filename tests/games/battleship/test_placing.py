"""Placing ships in words, and what a player is shown of it."""

import pytest

from gameplay import registry
from gameplay.display.board import drawing as boards
from gameplay.errors import IllegalMove
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from tests.support.looks import ASCII, PLAIN


def test_ships_are_named_with_their_length_until_all_are_placed() -> None:
    position = registry.game("battleship:ships=2+4+7").new()
    for name in ("destroyer of 2 cells", "battleship of 4 cells", "ship of 7 cells"):
        for _ in range(2):
            assert position.examples.startswith(f"{name}: auto, ")
            for example in position.examples.partition(", ")[2].split(" or "):
                assert position.parse(example) in position.moves()
            position.make(position.parse("auto"))
    assert position.examples == "" and position.format(position.moves()[0]) == "a1"


def test_ships_are_placed_by_their_first_cell_or_at_random() -> None:
    position = registry.game("battleship").new()
    for words, same in (("b4 down", "b4-b5"), ("B4 ACROSS", "b4-c4"), ("j9 down", "j9-j10")):
        assert position.format(position.parse(words)) == same
    for words in ("j4 across", "b10 down", "z9 down"):
        with pytest.raises(IllegalMove, match="a ship of 2 cells cannot lie"):
            position.parse(words)
    chosen = position.parse("auto")
    assert chosen in position.moves() and {position.parse("auto") for _ in range(9)} == {chosen}
    for _ in range(10):
        position.make(position.parse("auto"))
    with pytest.raises(IllegalMove):
        position.parse("auto")


def test_both_waters_have_captions_for_their_viewer() -> None:
    match = Match(registry.game("battleship"), [EmptySeat("human"), EmptySeat("human")])
    assert Interpreter().invitation(match) == (
        "type a move (destroyer of 2 cells: auto, a1-b1 or a1 across) or help"
    )
    for viewer, texts in ((0, ["your fleet", "your shots"]), (None, ["first's waters", "second's waters"])):
        board = match.position.board(viewer=viewer)
        assert list(board.captions.values()) == texts
        for theme in (PLAIN, ASCII):
            for scale in (0, 1):
                lines = boards.draw(board, theme, scale).plain.splitlines()
                assert lines[0].strip().startswith(texts[0])
                assert lines[0].index(texts[1]) in range(lines[1].rindex("a") - 3, lines[1].rindex("a") + 1)
                assert len(lines) == boards.size(board, scale, theme)[1]
        turned = boards.flipped(board)
        assert list(turned.captions.values()) == texts[::-1]
