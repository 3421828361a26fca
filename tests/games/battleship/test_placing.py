"""Placement of ships: notation, and the view of each player."""

from random import Random

import pytest

from gameplay import registry
from gameplay.display.board import drawing as boards
from gameplay.errors import IllegalMove
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.seats import player
from tests.players.test_several import TypedInput
from tests.support.themes import ASCII, PLAIN


def test_ships_are_named_with_their_length_until_all_are_placed() -> None:
    position = registry.game("battleship:ships=2+4+7").new()
    for name in ("destroyer of 2 cells", "battleship of 4 cells", "ship of 7 cells"):
        for _ in range(2):
            examples = position.examples.removeprefix(f"{name}: ").partition(";")[0].split(" or ")
            assert len(examples) == 2 and {position.parse(example) for example in examples} <= set(
                position.moves()
            )
            position.make(position.parse(examples[0]))
    assert position.examples == "" and position.format(position.moves()[0]) == "a1"


def test_ships_are_placed_by_their_first_cell() -> None:
    position = registry.game("battleship").new()
    for words, same in (("b4 down", "b4-b5"), ("B4 ACROSS", "b4-c4"), ("j9 down", "j9-j10")):
        assert position.format(position.parse(words)) == same
    for words in ("j4 across", "b10 down", "z9 down"):
        with pytest.raises(IllegalMove, match="a ship of 2 cells cannot lie"):
            position.parse(words)


def test_random_fleet_fits_on_the_board() -> None:
    fleets = set()
    for seed in range(9):
        position = registry.game("battleship:rows=4,columns=4,ships=2+3+4+3").new()
        position.make(position.parse("b1-b2"))
        position.make(position.parse("a1-b1"))
        moves = position.random_placements(Random(seed))
        for move in moves:
            assert move in position.moves()
            position.make(move)
            position.make(position.moves()[0])
        fleet = position.fleets[0]
        assert [ship.bit_count() for ship in fleet] == [2, 3, 4, 3] and sum(fleet).bit_count() == 12
        assert not position.placing() and position.random_placements(Random(seed)) == []
        fleets.add(fleet)
    assert len(fleets) > 1


def test_random_fleet_is_placed_between_opposing_moves_and_undone_at_once() -> None:
    typed = TypedInput("b4 down", "auto", "undo", "a1", "a2")
    human = Human(typed, Interpreter())
    match = Match(registry.game("battleship"), [human, player("random", registry.game("battleship"))])
    while match.position.placing():
        match.step()
    assert typed.lines == ["undo", "a1", "a2"] and len(match.turns) == 10 and match.turn == 0
    match.step()  # undo
    assert match.words()[:1] == ["b4-b5"] and len(match.turns) == 2 and match.taken_back == 0
    assert typed.messages == ["took back 8 moves"]
    typed.lines.append("c1-c3")
    match.step()
    assert typed.messages[1].startswith("from a1 to "), "ships are placed again"


def test_directions_complete_a_ship_from_the_selected_cell() -> None:
    match = Match(registry.game("battleship"), [EmptySeat("human"), EmptySeat("human")])
    view, interpreter = match.view(0), Interpreter()
    interpreter.select("b4", view)
    assert interpreter.invitation(view).startswith("from b4 to a4 b3 b5 c4; type where")
    assert interpreter.move("down", view) == "b4-b5" and interpreter.move("across", view) == "b4-c4"
    assert interpreter.move("c4", view) == "b4-c4" and interpreter.move("b3", view) == "b3-b4"
    assert interpreter.default_command(view) == ""
    interpreter.select("", view)
    assert interpreter.default_command(view) == "auto" and interpreter.move("down", view) == ""


def test_both_waters_have_captions_for_their_viewer() -> None:
    match = Match(registry.game("battleship"), [EmptySeat("human"), EmptySeat("human")])
    assert Interpreter().invitation(match) == (
        "type a move (destroyer of 2 cells: a1-b1 or a1 across; Enter places the fleet at random) or help"
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
        turned = boards.flip_board(board)
        assert list(turned.captions.values()) == texts[::-1]
