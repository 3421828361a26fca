"""Boards with more than squares: stacks, trays, points with lines; the same drawing for every game."""

import re
from random import Random
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.board import BACK, Board, Tray
from gameplay.display.board import drawing as boards
from gameplay.display.board import pointing, trays
from gameplay.display.terminal import panel
from gameplay.display.terminal.line import board_text
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.runs.frames import frames, stage
from gameplay.store.record import record_of
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.themes import ASCII, COLOUR, PLAIN, VARIANTS

GAMES = TESTS / "examples" / "games"

PLAYED = {  # moves, and the cell that is selected
    "race": ("2-1 12/10 12/11 4-1 6/10 10/11 6-1 bar/7", ""),
    "tricks": ("K 6 9 T 7 A 9 T", ""),
    "morris": ("b2 a1 a2 c2 c1 a3", "b2"),
}
RACE = "2-1 12/10 12/11 4-1 6/10 10/11 6-1"  # both men that were alone have been hit
MILL = tuple(
    tuple(None if sign == " " else sign.strip(".") for sign in row)
    for row in (".  .  W", " . . B ", "  ...  ", "BW. ...", "  ...  ", " . W . ", ".  .  .")
)
RINGS = [(3 - ring, 3 + ring) for ring in (3, 2, 1)]
NINE = Board(  # nine men's morris
    cells=MILL,
    columns=tuple("abcdefg"),
    rows=tuple("7654321"),
    owners={"W": 0, "B": 1},
    links=tuple(
        link
        for low, high in RINGS
        for link in (
            *(((low, a), (low, b)) for a, b in ((low, 3), (3, high))),
            *(((high, a), (high, b)) for a, b in ((low, 3), (3, high))),
            *(((a, low), (b, low)) for a, b in ((low, 3), (3, high))),
            *(((a, high), (b, high)) for a, b in ((low, 3), (3, high))),
        )
    )
    + tuple(((a, 3), (b, 3)) for a, b in ((0, 1), (1, 2), (4, 5), (5, 6)))
    + tuple(((3, a), (3, b)) for a, b in ((0, 1), (1, 2), (4, 5), (5, 6))),
    last=((1, 5),),
)


def match_of(game: str, moves: str = "") -> Match:
    spec = str(GAMES / f"{game}.py")
    return Match(registry.game(spec), [EmptySeat("human"), EmptySeat("random")], moves=moves.split())


def screen_of(match: Match, theme: Theme) -> Screen:
    screen = Screen(theme, viewer=0)
    screen.match = match
    return screen


def draw_lines(board: Any, theme: Theme = PLAIN, **how: Any) -> list[str]:
    return [line.rstrip() for line in boards.draw(board, theme, **how).plain.splitlines()]


def samples() -> list[tuple[str, Board]]:
    results = [("nine", NINE)]
    for game in PLAYED:
        match = match_of(game)
        rng = Random(4)
        while not match.over():
            board = match.board(0)
            assert board is not None
            results.append((game, board))
            match.make(Choice(rng.choice(match.moves())))
    return results


@pytest.mark.once
@pytest.mark.parametrize("theme", [COLOUR, PLAIN, ASCII])
@pytest.mark.parametrize("scale", range(5))
def test_drawing_has_its_declared_size(scale: int, theme: Theme) -> None:
    for game, board in samples():
        text = boards.draw(board, theme, scale).plain
        width, height = boards.size(board, scale, theme)
        assert len(text.split("\n")) == height, f"{game}:\n{text}"
        assert max(map(len, text.split("\n"))) <= width, f"{game}:\n{text}"
        assert theme.unicode or text.isascii()


@pytest.mark.parametrize(("variant", "theme", "width", "height"), [*VARIANTS, ("wide", PLAIN, 200, 50)])
@pytest.mark.parametrize("game", PLAYED)
def test_boards_of_games_equal_the_stored_drawings(
    game: str, variant: str, theme: Theme, width: int, height: int
) -> None:
    moves, square = PLAYED[game]
    screen = screen_of(match_of(game, moves), theme)
    text = screen.ansi(width, height, selected=screen.board().find(square) if square else None)
    rows = [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()]
    assert len(rows) <= height - 3 and max(map(len, rows)) <= width
    golden(f"{game}_{variant}", "\n".join(rows) + "\n")


# -- stacks ---------------------------------------------------------------------------------------


def test_checkers_are_stacked_from_the_edge() -> None:
    board = match_of("race", RACE).board()
    assert draw_lines(board, ASCII, scale=2) == [
        "    7    8    9   10   11   12",
        " +----+----+----+----+----+----+",
        " | X  |    |    |    | O  |    |",
        " | X  |    |    |    |    |    |",
        " |    |    |    |    |    |    |",
        " |    |    |    |    |    |    |",
        " |    |    |    |    |    |    |",
        " +----+----+----+----+----+----+",
        " |    |    |    |    |    |    |",
        " |    |    |    |    |    |    |",
        " |    |    |    |    |    |    |",
        " |    |    |    |    |    | O  |",
        " | O  |    |    |    |    | O  |",
        " +----+----+----+----+----+----+",
        "    6    5    4    3    2    1",
        "bar  | X2 |    |   off |   |   |",
        "dice | 6 | 1 |",
    ]
    assert draw_lines(board, ASCII, scale=1)[2] == " | X2 |    |    |    | O  |    |"


def tower(count: int, **more: Any) -> Board:
    cells = (("X", ""), ("", "O"))
    counts = {(0, 0): count, (1, 1): 1}
    return Board(cells, ("a", "b"), ("2", "1"), {"X": 0, "O": 1}, counts=counts, **more)


def test_tall_stack_shows_its_count() -> None:
    five, six = draw_lines(tower(5), scale=2), draw_lines(tower(6), scale=2)
    assert [row[3:6].strip() for row in five[2:7]] == ["X"] * 5
    assert [row[3:6].strip() for row in six[2:7]] == ["X"] * 4 + ["6"]
    assert [row[7:10].strip() for row in five[8:13]] == [""] * 4 + ["O"], "the lower half stands on its edge"
    assert "X6" in draw_lines(tower(6), scale=1)[2] and " X6 " in f"{draw_lines(tower(6), scale=0)[1]} "


def test_the_marks_are_on_the_man_that_can_be_taken() -> None:
    board = tower(3, last=((1, 1),), moves={(0, 0): (7,)}, paths={7: ((0, 0), (1, 0))})
    rows = draw_lines(board, scale=2, selected=(0, 0))
    assert [row[3:6] for row in rows[2:7]] == [" X ", " X ", "(X)", "   ", "   "]
    assert rows[12][3:6] == " + " and rows[12][7:10] == "[O]"


def test_the_walls_of_a_flipped_board_stand_between_the_same_columns() -> None:
    position = registry.game("backgammon").new()
    position.make(position.moves()[0])
    turned = boards.flip_board(position.board())
    assert (position.board().walls, turned.walls, len(turned.cells[0])) == ((6, 7, 13), (1, 7, 8), 14)


def test_a_flipped_board_has_its_feet_above() -> None:
    board = match_of("race", RACE).board()
    assert board is not None
    turned = boards.flip_board(board)
    assert turned.columns == ("1", "2", "3", "4", "5", "6") and turned.feet[0] == "12"
    assert boards.flip_board(turned) == board
    for cell in board.places():
        other = next(place for place in turned.places() if turned.cell_name(place) == board.cell_name(cell))
        if cell[0] < 2:
            assert (board.piece(cell), board.counts.get(cell)) == (
                turned.piece(other),
                turned.counts.get(other),
            )
    assert turned.trays == board.trays


# -- trays ----------------------------------------------------------------------------------------


def test_hands_are_framed_on_boards_without_cells() -> None:
    trays = (Tray("theirs", (BACK, BACK), above=True), Tray("table", ()), Tray("yours", ("K", "10")))
    board = Board(trays=trays, last=((2, 1),))
    assert draw_lines(board, scale=2) == [
        "       ┌───┬───┐",
        "theirs │ ▒ │ ▒ │",
        "       └───┴───┘",
        "",
        "table   -",
        "",
        "      ┌────┬────┐",
        "yours │ K  │[10]│",
        "      └────┴────┘",
    ]
    assert draw_lines(board, ASCII, scale=0) == ["theirs  ?  ?", "table  -", "yours  K  [10]"]
    assert board_text(board) == "theirs: ? ?\ntable: nothing\nyours: K 10"


@pytest.mark.parametrize("scale", [0, 1, 2])
def test_a_long_hand_takes_several_rows(scale: int) -> None:
    hand = Tray("hand", tuple("AKQJT98765432" * 3))
    board = Board(trays=(hand,))
    rows = draw_lines(board, scale=scale)
    assert max(map(len, rows)) <= trays.MAX_WIDTH
    assert "".join(re.findall(r"[AKQJT2-9]", "".join(rows))) == "".join(hand.things)


def test_arrow_keys_reach_trays() -> None:
    above, below = Tray("off", ("", ""), above=True), Tray("bar", ("X", "O"))
    board = tower(2, trays=(above, below), moves={(0, 0): (1,), (2, 1): (2,), (3, 0): (3,)})
    assert pointing.next_cell(board, (0, 0), -1, 0) == (2, 1), "the tray above"
    assert pointing.next_cell(board, (0, 0), 1, 0) == (3, 0), "the tray below"
    assert pointing.next_cell(board, (2, 1), 1, 0) == (0, 0)
    assert pointing.next_cell(board, (3, 0), 1, 0) == (3, 0), "there is nothing further down"


def test_cells_of_trays_have_names() -> None:
    board = match_of("race", RACE).board()
    assert board is not None
    assert board.cell_name((2, 0)) == "bar" and board.find("off") == (3, 0)
    assert board.holds((4, 0)) and not board.holds((5, 0)) and not board.holds((2, 2))
    assert tower(1, trays=(Tray("hand", ("K",)),)).cell_name((2, 0)) == "hand", "if it has no name of its own"
    assert not NINE.holds((0, 1)) and NINE.holds((0, 0)) and not NINE.holds((-1, 0))


def test_plain_lines_print_stacks_and_trays() -> None:
    board = match_of("race", RACE).board()
    assert board_text(board).splitlines() == [
        " 7  8  9 10 11 12",
        "X2  .  .  .  O  .",
        " O  .  .  .  . O2",
        " 6  5  4  3  2  1",
        "bar: X2 .",
        "off: . .",
        "dice: 6 1",
    ]


# -- points and lines -----------------------------------------------------------------------------


def test_nine_mens_morris_is_drawn_as_it_is() -> None:
    assert draw_lines(NINE, ASCII, scale=0) == [
        "   a   b   c   d   e   f   g",
        "7  .-----------.-----------W",
        "   |           |           |",
        "6  |   .-------.------[B]  |",
        "   |   |       |       |   |",
        "5  |   |   .---.---.   |   |",
        "   |   |   |       |   |   |",
        "4  B---W---.       .---.---.",
        "   |   |   |       |   |   |",
        "3  |   |   .---.---.   |   |",
        "   |   |       |       |   |",
        "2  |   .-------W-------.   |",
        "   |           |           |",
        "1  .-----------.-----------.",
    ]
    assert boards.flip_board(boards.flip_board(NINE)) == NINE


def test_slanting_lines() -> None:
    board = match_of("morris", PLAYED["morris"][0]).board()
    assert board is not None
    rows = draw_lines(board, ASCII, scale=0)
    assert rows[2].count("\\") == rows[2].count("/") == 1 and rows[4].count("/") == 1
    assert rows[2].index("\\") < rows[2].index("/") and rows[4].index("/") < rows[4].index("\\")


# -- chance ---------------------------------------------------------------------------------------


def test_roll_is_shown_in_the_move_list() -> None:
    match = match_of("pig", "roll 4 roll 1 roll 3 hold")
    assert panel.move_list(match, 80, 3).plain == "first roll  (4)  roll  (1)  second roll  (3)  [hold]"
    match.undo()
    assert panel.move_list(match, 80, 3).plain.endswith("(1)  second roll  [3]")
    assert panel.move_list(match, 20, 9).plain.splitlines()[0] == "first roll  (4)"
    assert max(map(len, panel.move_list(match, 20, 9).plain.splitlines())) <= 20


# -- a page -----------------------------------------------------------------------------------------


def test_page_prints_as_text_what_it_cannot_draw() -> None:
    for game in PLAYED:
        match = match_of(game, PLAYED[game][0])
        pictures = frames(match.game, record_of(match))
        assert pictures["cells"] is None and stage(match.game) is None
        assert [ply[-1] for ply in pictures["plies"]][-1] == match.show()


# -- colours ----------------------------------------------------------------------------------------


def styled_text(board: Any, theme: Theme, scale: int) -> set[tuple[str, str]]:
    """Each text with its style, without labels and lines."""
    text = boards.draw(board, theme, scale)
    return {(text.plain[span.start : span.end].strip(), str(span.style)) for span in text.spans}


def test_checkers_have_the_colours_of_their_player() -> None:
    board = match_of("race", RACE).board()
    for scale, lying in ((2, "X"), (1, "X2"), (0, "X2")):
        seen = styled_text(board, COLOUR, scale)
        assert {
            (lying, COLOUR.chip_style(0)),
            ("X2", COLOUR.chip_style(0)),
            ("O", COLOUR.chip_style(1)),
        } <= seen
        assert not {text for text, style in seen if style == COLOUR.chip_style(0)} - {"X", "X2"}, (
            "nothing else"
        )
        assert ("6", "bold") in seen, "dice are nobody's"
    assert ("", COLOUR.chip_style(0)) not in styled_text(board, COLOUR, 2), (
        "what is above a stack stays as it is"
    )


def test_candidate_points_are_drawn() -> None:
    board = registry.game("go:columns=3,rows=2").new("X.O/..X white").board()
    board = structs.replace(board, owned={(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 2): 1}, ranks={(1, 1): 1})
    assert boards.draw(board, PLAIN, 1).plain.splitlines()[1:] == [
        "2  ●───▫───○ ",
        "   │   │   │ ",
        "1  ▪───1──/●/",
    ]
    assert boards.draw(board, ASCII, 0).plain.splitlines()[1:] == ["2  X-o-O ", "1  x-1/X/"]
    turned = boards.flip_board(board)
    assert (turned.owned[1, 1], turned.ranks) == (1, {(0, 1): 1})


@pytest.mark.parametrize(
    ("game", "colour", "plain"),
    [
        (
            "chess",  # paved: a label and a space, eight squares; the names of the files below
            [(2 + 3 * 8, 1 + 8), (2 + 5 * 8, 1 + 8 * 2 + 1), (58, 25), (74, 33), (90, 41)],
            [(19, 9), (35, 18), (67, 34), (83, 42), (99, 50)],
        ),
        ("connect4", [(30, 7), (44, 13), (58, 19), (72, 25), (86, 31)], None),
        ("scrabble", [(33, 16), (48, 16), (78, 32), (108, 46), (138, 61)], None),
        (
            "chinese_checkers",
            [(30, 18), (54, 18), (78, 34), (106, 52), (132, 69)],
            [(30, 18), (54, 18), (78, 34), (106, 52), (132, 69)],
        ),
        (
            "backgammon",
            [(58, 4), (48, 15), (62, 17), (90, 25), (118, 35)],
            [(58, 4), (48, 15), (62, 17), (90, 25), (118, 35)],
        ),
        (
            "go:size=9",
            [(21, 10), (37, 18), (53, 26), (83, 37), (101, 46)],
            [(21, 10), (37, 18), (53, 26), (83, 37), (101, 46)],
        ),
    ],
)
def test_how_large_boards_are_in_each_size(game: str, colour: Any, plain: Any) -> None:
    board: Any = structs.replace(registry.game(game).new().board(), trays=())
    assert [boards.size(board, scale, COLOUR) for scale in range(5)] == colour
    assert plain is None or [boards.size(board, scale, PLAIN) for scale in range(5)] == plain
    assert [boards.largest(board, width, 100, COLOUR) for width, _ in colour[1:3]] == [1, 2]
    assert [boards.largest(board, width - 1, 100, COLOUR) for width, _ in colour[1:3]] == [0, 1]


TAILED = Board(
    cells=(("K", ""), ("", "k")), columns=("a", "b"), rows=("2", "1"), tails=("x", "yy"),
    owners={"K": 0, "k": 1}, ground="chequered", white=0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("scale", "lines"),
    [
        (0, ["   a  b", "2  K     x", "1     k  yy"]),
        (
            1,
            [
                "    a    b", "  " + "▄" * 10, "2   K        x", "  " + "▄" * 10,
                "1        k   yy", "  " + "▀" * 10,
            ],
        ),
        (2, ["     a      b", "", "2    K           x", "", "", "1           k    yy", ""]),
    ],
)  # fmt: skip
def test_names_on_the_right_stand_in_the_middle_of_their_rows(scale: int, lines: list[str]) -> None:
    assert draw_lines(TAILED, COLOUR, scale=scale)[: len(lines)] == lines
    assert not any(line for line in draw_lines(TAILED, COLOUR, scale=scale)[len(lines) :])


def test_arrows_go_to_the_next_row_of_a_star_and_straight_on_elsewhere() -> None:
    """In a star no cell is straight below; the nearest in the next row is selected, the left one of two."""
    rows = (("", None, "", None, ""), (None, "", None, "", None), ("", None, "", None, ""))
    cells = [(y, x) for y, row in enumerate(rows) for x, piece in enumerate(row) if piece is not None]
    star = Board(
        cells=rows, columns=("",) * 5, rows=("",) * 3, hexagonal=True,
        moves={cell: (n,) for n, cell in enumerate(cells)},
    )  # fmt: skip
    for hexagonal, ways in (
        (True, {(0, 2, 1, 0): (1, 1), (2, 2, -1, 0): (1, 1), (0, 0, 0, 1): (0, 2), (1, 3, 0, -1): (1, 1)}),
        (False, {(0, 2, 1, 0): (2, 2), (2, 2, -1, 0): (0, 2), (0, 0, 0, 1): (1, 1), (1, 3, 0, -1): (0, 2)}),
    ):
        board = structs.replace(star, hexagonal=hexagonal)
        for (y, x, down, right), cell in ways.items():
            assert pointing.next_cell(board, (y, x), down, right) == cell, (hexagonal, y, x, down, right)
        assert pointing.next_cell(board, (2, 4), 1, 0) == (2, 4), "there is nothing further down"
    assert (
        pointing.next_cell(star, None, 1, 0) == (0, 2)
        and pointing.next_cell(structs.replace(star, moves={}), None, 0, 1) is None
    )


def chequers(**facts: Any) -> Board:
    """Two kings on a small chequered board."""
    cells = (("k", "", ""), ("", "", ""), ("", "", "K"))
    given: dict[str, Any] = {"columns": ("a", "b", "c"), "rows": ("3", "2", "1"), "owners": {"K": 0, "k": 1}}
    return Board(cells, **(given | {"ground": "chequered"} | facts))


def test_chequered_board_without_white_is_drawn_as_listed_for_both_players() -> None:
    board = chequers()
    assert [boards.orient_board(board, False, seat) for seat in (None, 0, 1)] == [board] * 3
    assert (
        boards.orient_board(board, True, 0) == boards.orient_board(board, True, 1) == boards.flip_board(board)
    )


@pytest.mark.parametrize("white", [0, 1])
def test_chequered_board_is_rotated_for_the_opponent_of_white_alone(white: int) -> None:
    board = chequers(white=white)
    assert boards.orient_board(board, False, white) == boards.orient_board(board, False, None) == board
    turned = boards.orient_board(board, False, 1 - white)
    assert turned.cells == (("K", "", ""), ("", "", ""), ("", "", "k"))
    assert (turned.columns, turned.rows) == (("c", "b", "a"), ("1", "2", "3"))


def test_chequered_board_without_row_names_is_rotated_and_not_mirrored() -> None:
    turned = boards.flip_board(chequers(rows=("", "", ""), white=0))
    assert turned.cells == (("K", "", ""), ("", "", ""), ("", "", "k"))


@pytest.mark.parametrize("ground", ["", "felt", "rack", "goban", "tiles"])
def test_other_grounds_are_never_rotated_for_a_player(ground: str) -> None:
    board = chequers(ground=ground)
    assert [boards.orient_board(board, False, seat) for seat in (None, 0, 1)] == [board] * 3


def test_flipped_board_moves_inlays_and_arrows_with_its_cells() -> None:
    board = chequers(inlays={(0, 1): "*"}, arrows={"up": 4, "left": 5})
    turned = boards.flip_board(board)
    assert turned.inlays == {(2, 1): "*"}
    assert turned.arrows == {"down": 4, "right": 5}
    assert boards.flip_board(turned) == board


def test_chequered_pieces_without_white_have_a_colour_per_player() -> None:
    board = chequers()
    styles = {player: COLOUR.piece(player, board.white, board.ground, "default") for player in (0, 1)}
    assert styles[0] != styles[1]
