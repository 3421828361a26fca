"""Where things stand on the full screen: title, board, panel, the line to type in, what it means, buttons."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import DynamicContainer, HSplit, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

from gameplay.display.board import drawing as boards
from gameplay.display.fullscreen.contents import Contents, around
from gameplay.display.fullscreen.mouse import Mouse
from gameplay.display.fullscreen.panes import Pane
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.terminal.screen import BESIDE, PROMPT


@dataclass(frozen=True)
class Placing:
    """Where things are: the board beside the panel or above it, and its place in characters and lines."""

    beside: bool
    wide: int
    high: int

    def fits(self, width: int, height: int) -> bool:
        """True if there is so much room."""
        return self.wide <= width and self.high <= height


def placing(full: FullScreenState, width: int, height: int) -> Placing:
    """The board as large as it can be beside the panel; where that is nothing, above it."""
    match = full.view()
    if match is None:
        return Placing(True, width, height)
    board = full.board()
    if board is None:
        shown = match.show().splitlines()
        wide, high = max(map(len, shown), default=0), len(shown)
        return Placing(width - wide - 2 >= BESIDE, wide, high)
    scale = boards.largest(board, width - BESIDE - 2, height, full.theme)
    wide, high = boards.size(board, scale, full.theme)
    if wide <= width - BESIDE - 2 and high <= height:
        return Placing(True, wide, high)
    above = height - len(match.players) - 1
    wide, high = boards.size(board, boards.largest(board, width, above, full.theme), full.theme)
    return Placing(False, wide, high)


def layout(full: FullScreenState, contents: Contents, mouse: Mouse) -> HSplit:
    """The windows of prompt-toolkit, which change places as the size of the terminal changes."""
    browsing = full.browsing

    def pane(draw: Any, *, width: Any = None, height: Any = None, **options: Any) -> Window:
        return Window(Pane(draw, full.failed, **options), width=width, height=height)

    def room() -> tuple[int, int]:
        size = get_app().output.get_size()
        return size.columns, size.rows - around(size.rows)

    def meaning() -> int:
        return around(get_app().output.get_size().rows) - 3

    def body() -> Any:
        if browsing.first is not None:
            return page
        try:
            plan = placing(full, *room())
        except BaseException as error:
            full.failed(error)
            return page
        places.update(wide=plan.wide + 2, high=plan.high)
        width, height = room()
        fits = plan.fits(width, height)
        if full.view() is None or (full.board() is None and not fits):
            return alone
        if not fits:  # why there is no board, and below it all the rest
            places["high"] = len(contents.board(width, height)) + 1
            return over
        return side if plan.beside else over

    places: dict[str, int] = {"wide": 1, "high": 1}
    clicks = {"pressed": mouse.press, "released": mouse.release}
    listing: dict[str, Callable[..., None]] = {"pressed": mouse.press_panel, "turned": browsing.scroll}
    page = pane(contents.page, turned=browsing.scroll)
    alone = pane(contents.board)
    side = VSplit(
        [pane(contents.board, width=lambda: places["wide"], **clicks), pane(contents.panel, **listing)]
    )
    over = HSplit(
        [pane(contents.board, height=lambda: places["high"], **clicks), pane(contents.panel, **listing)]
    )
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
            pane(contents.buttons, height=1, pressed=mouse.press_button),
        ]
    )
