"""The windows of the full screen: title, board, panel, input line, its meaning, buttons."""

from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import DynamicContainer, HSplit, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

from gameplay.display.board import drawing as boards
from gameplay.display.fullscreen.areas import GAP, Area, Areas, Size, arrange, rows_around_body
from gameplay.display.fullscreen.contents import Contents
from gameplay.display.fullscreen.mouse import Mouse
from gameplay.display.fullscreen.panes import Pane
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.terminal.screen import PROMPT


def arrange_game(full: FullScreenState, columns: int, rows: int) -> Areas:
    """Return the areas of a window of this size for the current game."""
    match, board, theme = full.view(), full.board(), full.theme

    def fit(width: int, height: int) -> Size | None:
        if match is None:
            return None
        if board is None:
            shown = match.show().splitlines()
            size = max(map(len, shown), default=0), len(shown)
        else:
            size = boards.size(board, boards.largest_for_window(board, width, height, theme), theme)
        return size if size[0] <= width and size[1] <= height else None

    return arrange(columns, rows, len(match.players) if match is not None else 0, fit)


def layout(full: FullScreenState, contents: Contents, mouse: Mouse) -> HSplit:
    """Return the windows of prompt-toolkit, which are rearranged as the terminal is resized."""
    browsing = full.browsing

    def pane(draw: Any, *, width: Any = None, height: Any = None, **options: Any) -> Window:
        return Window(Pane(draw, full.on_error, **options), width=width, height=height)

    def meaning() -> int:
        return rows_around_body(get_app().output.get_size().rows) - 3

    def body() -> Any:
        if browsing.first is not None:
            return page
        try:
            size = get_app().output.get_size()
            areas = arrange_game(full, size.columns, size.rows)
        except BaseException as error:
            full.on_error(error)
            return page
        contents.has_moves_area = areas.moves is not None
        board = areas.board
        if board is None and full.board() is not None:  # the reason why there is no board, above the panel
            why = len(contents.board(areas.body.width, areas.body.height))
            board = Area(0, 1, areas.body.width, min(why + 1, areas.body.height))
        elif board is None:
            return alone
        places["board"] = board
        places["panel"] = areas.panel or areas.body
        return (
            (side_apart if contents.has_moves_area else side)
            if areas.beside
            else over_apart
            if contents.has_moves_area
            else over
        )

    places: dict[str, Area] = {}
    clicks = {"on_press": mouse.press, "on_release": mouse.release}
    listing: dict[str, Callable[..., None]] = {"on_press": mouse.press_panel, "on_scroll": browsing.scroll}
    page = pane(contents.page, on_scroll=browsing.scroll)
    alone = pane(contents.board)

    def board(**size: Any) -> Window:
        return pane(contents.board, **size, **clicks)

    def panel() -> list[Window]:
        """The panel and, on its right, the moves."""
        info = pane(contents.panel, width=lambda: places["panel"].width, **listing)
        return [info, Window(width=GAP), pane(contents.moves, **listing)]

    def wide() -> int:
        return places["board"].width

    def high() -> int:
        return places["board"].height

    side = VSplit([board(width=wide), Window(width=GAP), pane(contents.panel, **listing)])
    side_apart = VSplit([board(width=wide), Window(width=GAP), *panel()])
    over = HSplit([board(height=high), pane(contents.panel, **listing)])
    over_apart = HSplit([board(height=high), VSplit(panel())])
    line = VSplit(
        [
            Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1),
            Window(BufferControl(full.buffer), height=1),
        ]
    )
    return HSplit(
        [
            pane(contents.title, height=1),
            DynamicContainer(body),
            line,
            pane(contents.meaning, height=meaning),
            pane(contents.buttons, height=1, on_press=mouse.press_button),
        ]
    )
