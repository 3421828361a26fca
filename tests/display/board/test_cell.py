"""Boards with a ground: squares of colour, numbers, targets; every fact without colour, at every size."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gameplay import registry
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import MARKS, Look
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from tests.support.facts.text import check_width
from tests.support.golden import golden
from tests.support.themes import ASCII, COLOUR, PLAIN, VARIANTS

pytestmark = pytest.mark.once

ASCII_COLOUR = Theme(colour=True, unicode=False, interactive=False, depth="256")

ON = {  # what is drawn: moves, the square that is selected
    "othello": ("d3 c3 c4 c5", ""),
    "checkers": ("11-15 22-18 15x22 25x18 8-11", "18"),
    "chess": ("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6", "f3"),
}
GAMES = {
    "othello": "d3 c3 c4 c5",
    "checkers": "11-15 22-18 15x22",
    "othello:size=6": "",
    "chess": "e4 d5 exd5 Qxd5",
}
KINGS = "B:W18,K10,K31:B12,K22"


def match_of(game: str, moves: str = "", start: str = "", reading: int | None = 0) -> Match:
    match = Match(registry.game(game), [EmptySeat("human"), EmptySeat("human")], start, moves.split())
    for seat in {0, 1} - {reading}:
        match.players[seat] = EmptySeat("human" if reading is None else "alphabeta:depth=4")
    return match


def board_of(game: str, moves: str = "", start: str = "") -> Any:
    match = match_of(game, moves, start)
    return match.board()


def screen_of(match: Match, theme: Theme = PLAIN, reading: int | None = 0) -> Screen:
    screen = Screen(theme, viewer=reading)
    screen.match = match
    return screen


def draw_lines(board: Any, theme: Theme = PLAIN, **how: Any) -> list[str]:
    return boards.draw(board, theme, **how).plain.splitlines()


@pytest.mark.parametrize("theme", [COLOUR, PLAIN, ASCII, ASCII_COLOUR])
@pytest.mark.parametrize("scale", range(5))
@pytest.mark.parametrize("game", GAMES)
def test_drawing_has_its_declared_size(game: str, scale: int, theme: Theme) -> None:
    board = board_of(game, GAMES[game])
    lines = draw_lines(board, theme, scale=scale)
    width, height = boards.size(board, scale, theme)
    assert len(lines) == height and max(map(len, lines)) <= width
    if not theme.unicode:
        assert "".join(lines).isascii()


@pytest.mark.parametrize("theme", [COLOUR, PLAIN, ASCII])
@pytest.mark.parametrize("game", GAMES)
def test_pieces_differ_by_shape_or_colour(game: str, theme: Theme) -> None:
    board = board_of(game, GAMES[game])
    look = Look(board, theme)
    cells = [(piece, (y, x)) for y, row in enumerate(board.cells) for x, piece in enumerate(row) if piece]
    signs = {piece: (look.sign(at), look.style(at).partition(" on ")[0]) for piece, at in cells}
    assert len(set(signs.values())) == len(signs) >= 2
    assert not {sign for sign, _ in signs.values()} & {"∙", "+", ".", ""}
    if not theme.colour or not theme.unicode:
        assert len({sign for sign, _ in signs.values()}) == len(signs)


def test_men_and_kings_of_both_sides_are_four_signs() -> None:
    board = board_of("checkers", start=KINGS)
    for theme in (PLAIN, ASCII):
        assert len({Look(board, theme).sign(cell) for cell in map(board.find, ("18", "31", "12", "22"))}) == 4


def test_empty_squares_of_checkers_show_their_numbers_and_the_last_move_is_marked() -> None:
    assert draw_lines(board_of("checkers", "11-15"), ASCII, scale=0)[1:5] == [
        "  5-8   b     b     b     b    ",
        " 9-12      b     b   [11]    b ",
        "13-16  13    14    [b]   16    ",
        "17-20     17    18    19    20 ",
    ]


@pytest.mark.parametrize("theme", [COLOUR, PLAIN, ASCII])
def test_a_selected_piece_shows_where_it_can_go(theme: Theme) -> None:
    board = board_of("checkers", "11-15 22-18")
    lines = "\n".join(draw_lines(board, theme, scale=1, selected=board.find("15")))
    man = "b" if theme is ASCII else "●"
    assert f"({man})" in lines and "+22+" in lines and lines.count("+22+") == 1
    assert "()" not in "".join(draw_lines(board, theme, scale=1)) and "+22+" not in "".join(
        draw_lines(board, theme)
    )


def test_legal_squares_of_othello_are_marked() -> None:
    board = board_of("othello")
    assert sum(line.count("∙") for line in draw_lines(board, COLOUR, scale=1)) == 4
    assert sum(line.count("+") for line in draw_lines(board, ASCII, scale=0)) == 4


def test_own_pieces_are_at_the_bottom() -> None:
    for seat, below in ((0, "b"), (1, "w"), (None, "w")):
        match = match_of("checkers", reading=seat)
        screen = screen_of(match, reading=seat)
        assert set(screen.board().cells[7]) == {"", below}, seat
        screen.flip = True
        assert set(screen.board().cells[7]) != {"", below}
    assert screen_of(match_of("othello", reading=1), reading=1).board().rows[0] == "1"


def test_a_flipped_board_is_the_same_board() -> None:
    board = board_of("checkers", "11-15 22-18")
    turned: Any = boards.flip_board(board)
    assert boards.flip_board(turned) == board and turned != board
    for cell, name in board.names.items():
        assert turned.find(name) == (7 - cell[0], 7 - cell[1])
        assert {board.cell_name(end): moves for end, moves in board.targets(cell).items()} == {
            turned.cell_name(end): moves for end, moves in turned.targets(turned.find(name)).items()
        }
    assert [turned.cell_name(cell) for cell in turned.last] == ["22", "18"]


def test_no_cell_is_selectable_while_the_opponent_thinks() -> None:
    match = match_of("othello", "d3")
    assert match.position.board().moves and not screen_of(match).board().moves


@pytest.mark.parametrize("theme", [COLOUR, PLAIN, ASCII])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 20), (200, 50)])
@pytest.mark.parametrize("game", ["othello", "checkers", "chess"])
def test_board_and_panel_fit_the_terminal(game: str, width: int, height: int, theme: Theme) -> None:
    match = match_of(game, GAMES[game])
    lines = plain(screen_of(match, theme).ansi(width, height)).splitlines()
    assert len(lines) <= height - 3 and max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert re.search("(black|white) you", text) and re.search("(black|white) alphabeta", text)
    assert {"othello": "discs", "checkers": "men", "chess": "p" if theme is ASCII else "♟"}[game] in text
    if width == 80:
        assert len(lines) > 16, "not the smallest board"


def plain(text: str) -> str:
    """The text without escape sequences."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def test_a_long_answer_takes_the_place_of_the_board() -> None:
    words = "\n".join(f"word {number:<9} what it does, in so many words" for number in range(18))
    text = plain(screen_of(match_of("chess")).ansi(80, 24, message=words))
    assert "word 17" in text and len(text.splitlines()) <= 21
    assert "♔" in plain(screen_of(match_of("chess")).ansi(80, 24, message="a few words"))


@pytest.mark.parametrize(("variant", "theme", "width", "height"), VARIANTS)
@pytest.mark.parametrize("game", ON)
def test_boards_of_games_equal_the_stored_drawings(
    game: str, variant: str, theme: Theme, width: int, height: int
) -> None:
    moves, square = ON[game]
    seat = len(moves.split()) & 1
    screen = screen_of(match_of(game, moves, reading=seat), theme, seat)
    selected = screen.board().find(square) if square else None
    text = plain(screen.ansi(width, height, selected=selected))
    check_width(text.splitlines(), width)
    assert theme.unicode or text.isascii()
    golden(f"{game}_{variant}", "\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def test_empty_targets_have_marks_on_numbered_boards_and_signs_on_others() -> None:
    board = board_of("checkers")
    for numbered, marks in ((True, MARKS["target"]), (False, MARKS[""])):
        look = Look(board, replace(PLAIN, coordinates=numbered), selected=board.find("11"))
        assert len(look.targets) == 2 and look.numbered is numbered
        for cell in look.targets:
            assert look.marks(cell) == (marks[0], marks[1])
            assert (look.sign(cell) == board.names[cell]) is numbered and look.sign(cell)
