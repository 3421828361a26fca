"""Large boards: pieces of several characters, their sizes, and stable positions."""

from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.board import Board, Tray
from gameplay.display.board import chessmen, large, points
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import MAX_SCALE, MAX_SIGN_SCALE, Look
from gameplay.display.board.preview import CHESS, OTHELLO, RACK
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from tests.support.golden import golden
from tests.support.themes import ASCII, COLOUR, PLAIN

pytestmark = pytest.mark.once

FEW = Theme(True, True, False, depth="standard")
OUTLINES = Theme(False, True, False, pieces="blocks")
BLOCKS = Theme(True, True, False, pieces="blocks", depth="256")
LETTERS = Theme(True, True, False, pieces="letters", depth="256")


def board_of(game: str, moves: str = "", start: str = "") -> Any:
    return Match(registry.game(game), [EmptySeat("human"), EmptySeat("human")], start, moves.split()).board()


def draw_lines(board: Any, theme: Theme, scale: int) -> list[str]:
    return boards.draw(board, theme, scale).plain.splitlines()


@pytest.mark.parametrize("sign", "●○XO♟♜♞♝♛♚")
@pytest.mark.parametrize(("width", "height"), [(2 * tall + 1, tall) for tall in range(3, MAX_SCALE + 2)])
def test_a_drawing_fills_its_cell_and_no_more(sign: str, width: int, height: int) -> None:
    lines = large.piece(sign, width, height)
    assert len(lines) == height and {len(line) for line in lines} == {width}
    assert set("".join(lines)) <= set(" ▀▄█") and "█" in "".join(lines)
    assert all(line[0] == line[-1] == " " for line in lines), "there is room for marks"
    assert lines == [line[::-1] for line in lines] or sign in "♞♝", "it stands in the middle"


def test_large_drawings_match_the_stored_screens() -> None:
    """All are centred in their cells."""
    log = []
    for width, height in ((5, 3), (7, 3), (8, 4), (9, 4), (11, 5), (13, 6), (15, 7), (17, 8), (21, 10)):
        for sign in "●○XO♟♜♞♝♛♚":
            lines = large.piece(sign, width, height)
            assert len(lines) in (0, height) and (lines or width < 9), "chessmen need room for marks"
            log += [f"-- {sign}, {width} x {height}", *(f"|{line}|" for line in lines)]
    golden("large_pieces", "\n".join(log) + "\n")


def test_every_drawing_differs_from_the_others() -> None:
    for cell in ((7, 3), (9, 4), (11, 5), (13, 6), (15, 7), (17, 8), (21, 10)):
        shapes = {tuple(large.piece(sign, *cell)) for sign in "●○X♟♜♞♝♛♚"}
        assert len(shapes) == 9
    assert large.piece("♙", 9, 4) == [] == large.piece("a", 11, 5), "there is no inside; no drawing"


@pytest.mark.parametrize(("outline", "filled"), chessmen.OUTLINES.items())
@pytest.mark.parametrize("height", range(chessmen.OUTLINE_MIN_HEIGHT, MAX_SCALE + 2))
def test_an_outline_is_the_rim_of_the_filled_piece(outline: str, filled: str, height: int) -> None:
    rim, mass = chessmen.pixels(outline, height), chessmen.pixels(filled, height)
    inked = [sum(map(sum, dots)) for dots in (rim, mass)]
    assert 0.3 * inked[1] < inked[0] < 0.85 * inked[1], "and its inside is seen"
    for rims, masses in zip(rim, mass, strict=True):
        assert all(dot or not edge for edge, dot in zip(rims, masses, strict=True))


def test_points_of_a_lattice_are_joined_by_lines_around_large_stones() -> None:
    board = structs.replace(SMALL["goban"], owned={}, ranks={}, last=())
    lines = draw_lines(board, COLOUR, 3)
    assert len(lines) == 1 + 3 * 4 and {len(line) for line in lines[1:]} == {2 + 3 * 9}
    middle = lines[1 + 4 + 2]
    assert middle[2:11].strip() == "├────" and middle[11:20] == "────•────" and "█" in middle[20:]
    assert lines[1 + 4 + 1][2 + 4] == lines[1 + 4 + 3][2 + 4] == "│"
    assert "│" not in lines[1] and "│" not in lines[-1], "nothing goes on beyond the edge"


def test_a_disc_is_filled_and_a_ring_is_not() -> None:
    assert large.piece("●", 7, 3) == ["  ▄▄▄  ", " █████ ", "  ▀▀▀  "]
    middle = large.piece("○", 11, 5)[2].strip()
    assert middle.startswith("█") and middle.endswith("█") and " " in middle


@pytest.mark.parametrize(
    ("game", "theme", "most"),
    [
        ("othello", COLOUR, MAX_SCALE),
        ("connect4", COLOUR, MAX_SCALE),
        ("connect4", FEW, MAX_SCALE),
        ("connect4", PLAIN, MAX_SCALE),
        ("checkers", COLOUR, MAX_SCALE),
        ("go", COLOUR, MAX_SCALE),
        ("tictactoe", PLAIN, MAX_SCALE),
        ("chess", COLOUR, MAX_SIGN_SCALE),
        ("chess", BLOCKS, MAX_SCALE),
        ("chess", OUTLINES, MAX_SCALE),
        ("chess", FEW, MAX_SIGN_SCALE),
        ("othello", LETTERS, MAX_SIGN_SCALE),
        ("go", LETTERS, MAX_SIGN_SCALE),
        ("tictactoe", ASCII, MAX_SIGN_SCALE),
        ("backgammon", BLOCKS, MAX_SCALE),
        ("backgammon", PLAIN, MAX_SCALE),
        ("backgammon", LETTERS, MAX_SIGN_SCALE),
        ("backgammon", ASCII, MAX_SIGN_SCALE),
        ("chinese_checkers", COLOUR, MAX_SCALE),
        ("chinese_checkers", PLAIN, MAX_SCALE),
        ("chinese_checkers", LETTERS, MAX_SIGN_SCALE),
        ("scrabble", COLOUR, MAX_SCALE),
        ("scrabble", ASCII, MAX_SCALE),
    ],
)
def test_a_board_grows_as_far_as_its_pieces_do(game: str, theme: Theme, most: int) -> None:
    board = board_of(game)
    assert Look(board, theme).max_scale() == most
    assert boards.largest(board, 999, 999, theme) == most
    assert boards.largest_for_window(board, 999, 999, theme) == most
    assert boards.largest(board, 999, boards.LARGE_PIECES_ROWS - 1, theme) <= MAX_SIGN_SCALE
    assert boards.largest(board, 999, boards.LARGE_PIECES_ROWS, theme) == boards.largest_for_window(
        board, 999, 26, theme
    )


@pytest.mark.parametrize("theme", [COLOUR, FEW, PLAIN, BLOCKS, ASCII])
@pytest.mark.parametrize(
    "game",
    [
        *("connect4", "connect4:columns=12", "othello", "checkers", "chess", "tictactoe", "backgammon"),
        *("chinese_checkers", "scrabble"),
    ],
)
@pytest.mark.parametrize("size", [(300, 90), (200, 50), (120, 40), (80, 24), (40, 20), (30, 12)])
def test_the_largest_that_fits_is_chosen(game: str, theme: Theme, size: tuple[int, int]) -> None:
    board = board_of(game)
    scale = boards.largest_for_window(board, *size, theme)
    wide, high = boards.size(board, scale, theme)
    lines = draw_lines(board, theme, scale)
    assert len(lines) == high and max(map(len, lines)) <= wide
    assert scale == 0 or (wide <= size[0] and high <= size[1])
    if size == (300, 90) and game not in ("backgammon", "chinese_checkers", "scrabble"):
        assert scale == Look(board, theme).max_scale()
    if size[0] <= 30 and game not in ("tictactoe", "connect4"):
        assert scale == 0


@pytest.mark.parametrize(
    ("game", "moves", "theme", "scale"),
    [("othello", "d3", COLOUR, 3), ("connect4", "4", COLOUR, 4), ("chess", "e4", BLOCKS, 7)],
)
def test_labels_stay_over_their_cells_and_marks_beside_their_piece(
    game: str, moves: str, theme: Theme, scale: int
) -> None:
    board = board_of(game, moves)
    lines = draw_lines(board, theme, scale)
    wide, tall = boards.PAVED[scale]
    label, step, top = (2, wide, 1) if any(board.rows) else (2, wide + 1, 0)  # a rack has walls, and a base
    for column, name in enumerate(board.columns):
        assert lines[0 if top else -1][label + column * step + wide // 2] == name
    for row, name in enumerate(board.rows):
        assert lines[top + row * tall + tall // 2][:1].strip() == name
    y, x = board.last[-1]
    line = lines[top + y * tall + tall // 2][label + x * step : label + x * step + wide]
    assert line[0] == "[" and line[-1] == "]" and "█" in line


@pytest.mark.parametrize("theme", [COLOUR, PLAIN, FEW])
@pytest.mark.parametrize("scale", [3, 4, 6])
def test_stacks_have_as_many_discs_as_checkers_and_a_number_where_more(scale: int, theme: Theme) -> None:
    board = Board(
        cells=(("X", "O", "", "X"), ("O", "", "X", "")),
        columns=tuple("1234"),
        rows=("", ""),
        owners={"X": 0, "O": 1},
        ground="points",
        white=0,
        glyphs={"X": "○", "O": "●"},
        counts={(0, 0): 2, (0, 1): 5, (0, 3): 12, (1, 0): 1, (1, 2): 7},
        last=((0, 0),),
    )
    wide, tall, high = points.SCALES[scale]
    lines = draw_lines(board, theme, scale)
    margin, halves = 2, (lines[2 : 2 + tall], lines[3 + tall : 3 + 2 * tall])
    results = {}
    for y, half in enumerate(halves):
        for x in range(4):
            stack = [line[margin + x * wide : margin + (x + 1) * wide] for line in half]
            slots = [stack[at : at + high] for at in range(0, tall, high)]
            used = [
                number for number, slot in enumerate(slots) if any(set("█▀▄") & set(line) for line in slot)
            ]
            edge = range(len(used)) if y == 0 else range(5 - len(used), 5)
            assert used == list(edge), "stacks grow from the edge"
            results[y, x] = (len(used), "".join(filter(str.isdigit, "".join(stack))))
    assert results == {
        **{(0, 0): (2, ""), (0, 1): (5, ""), (0, 2): (0, ""), (0, 3): (5, "12")},
        **{(1, 0): (1, ""), (1, 1): (0, ""), (1, 2): (5, "7"), (1, 3): (0, "")},
    }
    tip = halves[0][high + (high - 1) // 2][margin : margin + wide]
    assert tip[0] == "[" and tip[-1] == "]"


def test_tiles_show_letter_and_value_and_a_blank_has_none() -> None:
    board = structs.replace(
        board_of("scrabble"), cells=(("Q", "q", "A"), ("", "Z", "")), columns=tuple("ABC"), rows=("1", "2")
    )
    board = structs.replace(board, trays=(), inlays={}, last=())
    assert draw_lines(board, COLOUR, 3) == [
        "     A      B      C".rstrip(),
        " " * 23,
        "1    Q      q      A   ".rstrip().ljust(23),
        "      10             1 ".ljust(23),
        " " * 23,
        "2           Z          ",
        "             10        ",
    ]
    lines = [line.split("|")[1:4] for line in draw_lines(board, ASCII, 3)]
    assert lines[4:6] == [["    Q    ", "    q    ", "    A    "], ["      10 ", " " * 9, "       1 "]]


def test_pieces_of_the_star_are_discs_with_their_letter() -> None:
    board = board_of("chinese_checkers")
    for theme in (COLOUR, PLAIN):
        lines = draw_lines(board, theme, 3)
        rows = [line for line in lines if set("OB") & set(line)]
        assert len(rows) == 8 and sum(line.count("B") for line in rows) == 10
        assert sum(line.replace(" ", "").count("█B█") for line in rows) == 10
        assert lines[0].index("m") == lines[-2].index("B")
    styles = {str(span.style) for span in boards.draw(board, COLOUR, 3).spans}
    assert {f"color({COLOUR.palette.sides[player][0][0]})" for player in (0, 1)} <= styles


@pytest.mark.parametrize("scale", [0, 1, 2, 5])
def test_rack_has_walls_and_a_base_that_names_its_columns(scale: int) -> None:
    lines = draw_lines(board_of("connect4", "4"), COLOUR, scale)
    assert all(line.count("│") == 8 for line in lines[:-1])
    assert lines[-1].strip("─ └┘").replace("─", "") == "1┴2┴3┴4┴5┴6┴7"
    assert len({len(line) for line in lines}) == 1
    ink, ground = COLOUR.palette.rack.faint[0], COLOUR.palette.rack.light[0]
    text = boards.draw(board_of("connect4"), COLOUR, scale)
    wall = next(span for span in text.spans if text.plain[span.start] == "│")
    assert str(wall.style) == f"color({ink}) on color({ground})"


def test_kings_of_checkers_wear_a_letter() -> None:
    board = board_of("checkers", start="B:W18,K10,K31:B12,K22")
    text = "\n".join(draw_lines(board, COLOUR, 3))
    assert text.count("K") == 3 and "█" in text


def test_marks_without_colour_are_rings() -> None:
    lines = draw_lines(board_of("connect4", "4 3"), PLAIN, 4)
    disc, ring = large.piece("●", 11, 5), large.piece("○", 11, 5)
    assert any(disc[1] in line and ring[1] in line for line in lines)


def test_screen_grows_with_its_window_beside_the_panel() -> None:
    match = Match(registry.game("othello"), [EmptySeat("human"), EmptySeat("human")])
    screen = Screen(COLOUR, viewer=0)
    screen.match = match
    for width, height in ((200, 60), (130, 50), (80, 24)):
        lines = screen.ansi(width, height).splitlines()
        assert len(lines) <= height - 3
        assert any("you" in line for line in lines)
    assert sum("█" in line for line in screen.ansi(200, 60).splitlines()) >= 6


SMALL = {
    "chess": CHESS,
    "othello": structs.replace(OTHELLO, line=((1, 1), (2, 0))),
    "rack": RACK,
    "kings": structs.replace(
        CHESS,
        cells=(("K", "", "k", ""), ("", "w", "", "b"), ("w", "", "", ""), ("", "", "", "k")),
        owners={"w": 0, "K": 0, "b": 1, "k": 1},
        glyphs={"w": "○", "K": "○", "b": "●", "k": "●"},
        last=((3, 3),),
    ),
    "crosses": Board(
        cells=(("X", "O", ""), ("", "X", ""), ("O", "", "X")),
        columns=tuple("abc"),
        rows=tuple("123"),
        owners={"X": 0, "O": 1},
        line=((0, 0), (1, 1), (2, 2)),
        moves={(0, 2): (2,), (1, 0): (3,)},
    ),
    "goban": Board(
        cells=(("X", "", ""), ("", "", "O"), ("", "X", "")),
        columns=tuple("ABC"),
        rows=tuple("321"),
        owners={"X": 0, "O": 1},
        glyphs={"X": "●", "O": "○"},
        last=((2, 1),),
        white=1,
        ground="goban",
        links=tuple(
            ((y, x), (y + down, x + right))
            for y in range(3)
            for x in range(3)
            for down, right in ((0, 1), (1, 0))
            if y + down < 3 and x + right < 3
        ),
        stars=((1, 1),),
        owned={(0, 1): 0, (1, 2): 0, (2, 2): 1},
        ranks={(1, 0): 1, (0, 2): 2},
    ),
    "piles": Board(
        cells=(("X", "", "O"), ("", "O", "")),
        columns=tuple("abc"),
        rows=("", ""),
        owners={"X": 0, "O": 1},
        counts={(0, 0): 3, (0, 2): 12, (1, 1): 1},
        trays=(Tray("bar", ("X", "")), Tray("dice", ("3", "1"), above=True)),
        moves={(0, 0): (1,)},
    ),
}


def draw_with_styles(
    board: Board, theme: Theme, scale: int, cursor: Any = None, selected: Any = None
) -> list[str]:
    """A drawing, and below each line the style of each character as a letter explained at the end."""
    text = boards.draw(board, theme, scale, cursor, selected)
    styles = [""] * len(text.plain)
    for span in text.spans:
        styles[span.start : span.end] = [str(span.style)] * (span.end - span.start)
    letters: dict[str, str] = {"": " "}
    lines, at = [], 0
    for line in text.plain.split("\n"):
        marks = [letters.setdefault(style, chr(96 + len(letters))) for style in styles[at : at + len(line)]]
        lines += [line, "".join(marks)] if "".join(marks).strip() else [line]
        at += len(line) + 1
    return [line.rstrip() for line in lines] + [
        f"{mark}: {style}" for style, mark in letters.items() if style
    ]


@pytest.mark.parametrize("name", SMALL)
def test_small_boards_are_drawn_at_every_scale(name: str) -> None:
    board, lines = SMALL[name], []
    sizes: dict[str, list[int]] = {}  # lines, by ascending scale
    for kind, theme, scales in (
        ("colour", COLOUR, (0, 1, 2, 9)),
        ("few", FEW, (1,)),
        ("blocks", BLOCKS, (9,)),
        ("letters", LETTERS, (9,)),
        ("plain", PLAIN, (0, 1, 9)),
        ("ascii", ASCII, (1,)),
    ):
        for scale in sorted({min(scale, boards.largest(board, 400, 160, theme)) for scale in scales}):
            lines += [f"-- {kind}, {scale}", *draw_with_styles(board, theme, scale)]
            plain = boards.draw(board, theme, scale).plain
            assert theme.unicode or plain.isascii()
            sizes.setdefault(kind, []).append(plain.count("\n"))
    lines += ["-- cursor", *draw_with_styles(board, COLOUR, 1, (0, 0), (1, 1))]
    lines += ["-- plain cursor", *draw_with_styles(board, PLAIN, 1, (0, 1), (0, 0))]
    assert all(every == sorted(every) for every in sizes.values()), "a larger scale has no fewer lines"
    golden(f"drawn_{name}", "\n".join(lines) + "\n")
