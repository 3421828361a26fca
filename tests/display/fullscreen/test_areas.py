"""The layout of the full screen in windows of every size: no overlap, no wasted space."""

import itertools
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from rich.cells import cell_len

from gameplay import registry
from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import MAX_SCALE, Look
from gameplay.display.fullscreen.areas import (
    COLUMN_WIDTH,
    GAP,
    MIN_PANEL_ROWS,
    MIN_PANEL_WIDTH,
    TALL_ROWS,
    Area,
    Areas,
    Size,
    arrange,
    rows_around_body,
)
from gameplay.display.fullscreen.layout import arrange_game
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Report
from tests.support.golden import golden

pytestmark = pytest.mark.once

GAMES = {
    "chess": "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6",
    "othello": "f5 d6 c3 d3",
    "connect4": "4 4 3 5 2 1",
    "checkers": "11-15 23-18 8-11",
    "go:size=9": "E5 C3 G3",
    "go:size=19": "Q16 D4",
    "tictactoe": "b2 a1",
    "backgammon": "53",
    "battleship": "",
    "stratego": "",
    "monopoly": "1-4 buy",
    "scrabble": "",
    "chinese_checkers": "",
    "puzzle15": "",
    "kuhn": "K J",
}
BREAKPOINTS = [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60), (250, 70)]
COLOUR = Theme(colour=True, unicode=True, interactive=True, depth="256")
THEMES = {
    "colour": COLOUR,
    "plain": Theme(colour=False, unicode=True, interactive=True),
    "ascii": Theme(colour=False, unicode=False, interactive=True),
}


def squares(count: int) -> Any:
    """The cell size of a square board with this number of rows, as large as fits."""

    def fit(width: int, height: int) -> Size | None:
        tall = min(width // (2 * count), height // count)
        return (2 * tall * count, tall * count) if tall > 0 else None

    return fit


def parts(areas: Areas) -> list[Area]:
    """The parts of a window."""
    inner = [area for area in (areas.board, areas.panel, areas.moves) if area is not None] or [areas.body]
    return [areas.title, *inner, areas.line, areas.meaning, areas.buttons]


def overlap(first: Area, second: Area) -> bool:
    across = first.left < second.left + second.width and second.left < first.left + first.width
    return across and first.top < second.top + second.height and second.top < first.top + first.height


@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize("count", [3, 8, 19])
def test_areas_neither_overlap_nor_leave_the_window(count: int, seats: int) -> None:
    for columns, rows in itertools.product(range(60, 251), range(18, 71)):
        areas = arrange(columns, rows, seats, squares(count))
        rectangles = parts(areas)
        for area in rectangles:
            assert area.left >= 0 and area.left + area.width <= columns, (columns, rows, area)
            assert area.top >= 0 and area.top + area.height <= rows and area.height > 0, (columns, rows, area)
        for area, other in itertools.combinations(rectangles, 2):
            assert not overlap(area, other), (columns, rows, area, other)
        assert areas.buttons.top == rows - 1 and areas.meaning.height == (2 if rows >= TALL_ROWS else 1)
        assert areas.line.top + 1 + areas.meaning.height == areas.buttons.top, "no row is empty between them"
        if areas.board is None or areas.panel is None:
            assert squares(count)(columns - MIN_PANEL_WIDTH - GAP, rows - rows_around_body(rows)) is None
            continue
        if areas.beside:
            assert areas.panel.left == areas.board.width + GAP
            assert areas.panel.width >= COLUMN_WIDTH or areas.moves is None
            assert (areas.moves or areas.panel).left + (areas.moves or areas.panel).width == columns
            assert areas.panel.width >= MIN_PANEL_WIDTH
        else:
            assert areas.panel.top == areas.board.top + areas.board.height
            assert areas.panel.height >= seats + 1


def test_the_board_takes_the_largest_of_its_places() -> None:
    for columns, rows in itertools.product(range(60, 251), range(18, 71)):
        areas = arrange(columns, rows, 2, squares(8))
        high = rows - rows_around_body(rows)
        beside, above = (
            squares(8)(columns - MIN_PANEL_WIDTH - GAP, high),
            squares(8)(columns, high - 2 - MIN_PANEL_ROWS),
        )
        assert areas.board is not None
        size = areas.board.width, areas.board.height
        assert size == max(filter(None, (beside, above))), (columns, rows)
        assert areas.beside or beside is None or beside < size, "beside, where it is as large"


def test_breakpoints() -> None:
    """The moves are beside or above, or apart: the widths at which the layout changes."""
    seen, sizes = None, []
    for rows in (18, 24, 40, 60, 70):
        for columns in range(60, 251):
            areas = arrange(columns, rows, 2, squares(8))
            state = (areas.beside, areas.moves is not None, areas.board and areas.board.height // 8)
            if (rows, state) != seen:
                sizes.append(f"{rows} rows, from {columns} columns: {state}")
                seen = rows, state
    assert sizes[:3] == [
        "18 rows, from 60 columns: (True, False, 1)",
        "18 rows, from 88 columns: (True, True, 1)",
        "24 rows, from 60 columns: (True, False, 1)",
    ]
    assert "40 rows, from 60 columns: (False, False, 3)" in sizes
    assert sizes[-1] == "70 rows, from 200 columns: (True, True, 8)"


def full_screen(game: str, theme: Theme) -> FullScreen:
    game_class = registry.game(game)
    seats = ["human", *["alphabeta:depth=8"] * (game_class.new().players - 1)]
    full = FullScreen(theme, 0)
    full.match = Match(game_class, [EmptySeat(spec) for spec in seats], "", GAMES[game].split())
    full.buffer = SimpleNamespace(text="")
    report = Report(value=5, depth=8, seldepth=11, nodes=1_234_567, seconds=0.5, pv=())
    if full.match.position.players == 2 and full.match.turns:
        full._remember(report, full.match.turns[-1].player, len(full.match.turns) - 1)
    return full


def window(full: FullScreen, columns: int, rows: int) -> tuple[Areas, dict[str, list[str]]]:
    """The areas of a window, and the lines drawn in each."""
    size = SimpleNamespace(columns=columns, rows=rows)
    full.app = SimpleNamespace(invalidate=lambda: None, output=SimpleNamespace(get_size=lambda: size))
    areas = arrange_game(full, columns, rows)
    full.contents.has_moves_area = areas.moves is not None
    named = {"title": areas.title, "board": areas.board, "panel": areas.panel, "moves": areas.moves}
    named["board"] = areas.board or areas.body
    drawn = {}
    for name, area in named.items():
        if area is not None:
            lines = getattr(full.contents, name)(area.width, area.height)
            drawn[name] = ["".join(part[1] for part in line) for line in lines]
    return areas, drawn


def fits(board: Board, scale: int, theme: Theme, room: tuple[int, int]) -> bool:
    size = boards.size(board, scale, theme)
    return size[0] <= room[0] and size[1] <= room[1]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_fills_its_window(game: str, theme: str) -> None:
    full = full_screen(game, THEMES[theme])
    for columns, rows in BREAKPOINTS:
        areas, drawn = window(full, columns, rows)
        for name, area in (("board", areas.board), ("panel", areas.panel), ("moves", areas.moves)):
            if area is None:
                continue
            assert len(drawn[name]) <= area.height, (columns, rows, name)
            for line in drawn[name]:
                assert cell_len(line.rstrip()) <= area.width, (columns, rows, name, line)
        board = full.board()
        if board is None or areas.board is None:
            continue
        look = Look(board, full.theme)
        assert full.contents.drawn is not None
        scale = full.contents.drawn[1]
        high, seats = rows - rows_around_body(rows), len(full.match.players)
        for larger in range(scale + 1, look.max_scale() + 1):
            assert not fits(board, larger, full.theme, (columns - MIN_PANEL_WIDTH - GAP, high)), (
                columns,
                rows,
            )
            if areas.beside:
                above = boards.size(board, larger, full.theme)
                area = areas.board.width * areas.board.height
                room = (columns, high - seats - MIN_PANEL_ROWS)
                assert not fits(board, larger, full.theme, room) or above[0] * above[1] <= area


@pytest.mark.parametrize(
    ("game", "scale"),
    [
        ("chess", 5),
        ("othello", 5),
        ("connect4", 6),
        ("go:size=9", 4),
        ("backgammon", 5),
        ("chinese_checkers", 3),
    ],
)
def test_boards_use_a_large_window(game: str, scale: int) -> None:
    """At 200 by 60 at least three quarters of the rows, with pieces of several characters."""
    full = full_screen(game, COLOUR)
    areas, drawn = window(full, 200, 60)
    assert full.contents.drawn is not None and scale <= full.contents.drawn[1] <= MAX_SCALE
    assert areas.board is not None and areas.board.height >= 44
    assert sum("█" in line for line in drawn["board"]) >= 3


def test_graph_shows_how_the_game_went() -> None:
    """After the game, or while values are shown, if the moves have room too."""
    full = full_screen("chess", THEMES["plain"])
    for number, turn in enumerate(full.match.turns):
        report = Report(value=100 * (number - 3) * (1 - 2 * (number % 2)), depth=5, nodes=10)
        full.match.turns[number] = structs.replace(turn, report=report)
    log = []
    for columns, rows in ((80, 24), (120, 40), (200, 60)):
        _, drawn = window(full, columns, rows)
        log += [f"-- {columns} x {rows}", *(line.rstrip() for line in drawn["panel"])]
        has = any("█" in line and "░" not in line for line in drawn["panel"])
        assert has == (rows > 24), (columns, rows)
    golden("full_graph", "\n".join(log) + "\n")
    full.theme = Theme(colour=False, unicode=True, interactive=True, panel="quiet")
    _, drawn = window(full, 200, 60)
    assert not any("█" in line for line in drawn["panel"]), "a player who wants no values sees none"


def test_the_bar_is_shown_if_enabled() -> None:
    full = full_screen("connect4", THEMES["plain"])
    assert any("░" in line for line in window(full, 120, 40)[1]["panel"])
    full.theme = replace(full.theme, show_bar=False)
    lines = window(full, 120, 40)[1]["panel"]
    assert not any("░" in line for line in lines)
    depth = next(number for number, line in enumerate(lines) if line.startswith("depth"))
    assert lines[depth - 1] == ""
