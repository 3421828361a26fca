"""Pointing: the cell, column or move at a position of the mouse."""

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.board import points
from gameplay.display.board.pointing import cell_positions, intended_cell, nearest_cell
from gameplay.matches.match import Match
from gameplay.players import seats
from tests.support.full_screen import GAMES, theme

pytestmark = pytest.mark.once


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_middle_of_every_cell_is_found_in_every_drawing(colour: bool, unicode: bool) -> None:
    drawn = 0
    for name in [*registry.game_names(), *(str(GAMES / f"{name}.py") for name in ("race", "tricks"))]:
        if name == "tree":
            continue
        position = registry.game(name).new()
        board = position.board() if not position.hidden else position.board(viewer=0)
        if board is None:
            continue
        for scale in range(boards.largest(board, 400, 160, theme(colour, unicode)) + 1):
            positions = cell_positions(board, theme(colour, unicode), scale)
            assert set(positions) == set(board.places()), (name, scale)
            assert len(set(positions.values())) == len(positions), (name, scale)
            for cell, (line, character) in positions.items():
                assert nearest_cell(positions, round(line), round(character)) == cell, (name, scale)
            drawn += 1
    assert drawn >= 12


def test_a_click_hits_a_square_up_to_its_edges_and_none_beside_the_board() -> None:
    board = registry.game("chess").new().board()
    assert board is not None
    positions = cell_positions(board, theme(), 1)  # five characters, two lines
    line, character = positions[4, 4]
    for beside in range(-2, 3):
        assert nearest_cell(positions, int(line), int(character) + beside) == (4, 4)
    assert nearest_cell(positions, int(line), int(character) + 3) == (4, 5)
    assert nearest_cell(positions, int(line), 60) is None
    assert nearest_cell({}, 0, 0) is None


def test_a_click_anywhere_in_a_column_means_the_column() -> None:
    match = Match(registry.game("connect4"), [seats.player("random", registry.game("connect4"))] * 2)
    board = match.board()
    assert board is not None
    column = {cell for cell in board.moves if cell[1] == 3}
    assert {intended_cell(board, (y, 3), board.moves) for y in range(6)} == column
    chess = registry.game("chess").new().board()
    assert chess is not None and intended_cell(chess, (4, 4), chess.moves) == (4, 4)


def test_extent_of_a_cell() -> None:
    """Three quarters of the way to the next cell, with a line as two characters; at least 1.5."""
    for cells, near, far in (
        ({(0, 0): (0.0, 0.0), (0, 1): (0.0, 8.0)}, [(0, -6), (0, 4), (3, 0), (2, -4)], [(0, -7), (4, 0)]),
        ({(0, 0): (0.0, 0.0), (1, 0): (2.0, 0.0)}, [(0, 3), (1, 0), (-1, 2)], [(0, 4), (-2, 0)]),
        ({(0, 0): (0.0, 0.0), (0, 1): (0.0, 1.0)}, [(0, -1)], [(0, -2), (1, 0), (-1, 0)]),
        ({(0, 0): (0.0, 0.0)}, [(0, 3), (1, 2)], [(0, 4), (1, 3), (2, 0)]),
    ):  # fmt: skip
        assert [nearest_cell(cells, *place) for place in near] == [(0, 0)] * len(near)
        assert [nearest_cell(cells, *place) for place in far] == [None] * len(far)
    board = Board(
        cells=(("10", "2"), ("", "")), columns=("a", "b"), rows=("2", "1"), owners={"10": 0, "2": 1}
    )
    drawn = boards.draw(board, theme(colour=False), 1).plain.split("\n")
    assert drawn[2] == "2 │ 10 │ 2  │"
    assert cell_positions(board, theme(colour=False), 1)[0, 0] == (2, 4.5)


def test_a_click_selects_a_column_if_only_columns_have_names() -> None:
    board = Board(cells=(("", ""), ("", "X")), columns=("1", "2"), owners={"X": 0}, moves={(1, 0): (0,)})
    assert intended_cell(board, (0, 0), board.moves) == (1, 0) == intended_cell(board, (1, 0), board.moves)
    assert intended_cell(board, (0, 1), board.moves) == (0, 1), "the column is full"
    assert intended_cell(board, (2, 0), board.moves) == (2, 0), "a tray"
    named = structs.replace(board, names={(0, 0): "z"})
    assert intended_cell(named, (0, 0), board.moves) == (0, 0)
    assert intended_cell(structs.replace(board, rows=("2", "1")), (0, 0), board.moves) == (0, 0)
    trays = {(2, 0): (1,), (1, 0): (0,)}
    assert intended_cell(board, (0, 0), trays) == (1, 0), "what lies in a tray has no column"


@pytest.mark.parametrize("scale", [1, 2, 3, 5])
def test_all_of_a_point_of_backgammon_belongs_to_it(scale: int) -> None:
    board = registry.game("backgammon").new().board()
    looks = theme(True, True)
    positions = cell_positions(board, looks, scale)
    tall = points.SCALES[scale][1]
    halves = range(2, 2 + tall), range(3 + tall, 3 + 2 * tall)
    for cell in ((0, 1), (0, 4), (1, 5), (1, 12)):
        character = round(positions[cell][1])
        assert {nearest_cell(positions, line, character, board) for line in halves[cell[0]]} == {cell}
    dice = len(board.cells), 0
    assert nearest_cell(positions, round(positions[dice][0]), round(positions[dice][1]), board) == dice
