"""The layout of the full screen, for every size of window.

rows      title, body, input line, its meaning, buttons; from TALL_ROWS on the meaning has two lines
beside    the panel is on the right of the board, at least MIN_PANEL_WIDTH columns wide
above     the board is above the panel if it is larger there; the panel keeps MIN_PANEL_ROWS rows
apart     in a panel two COLUMN_WIDTHs wide, the moves have the right half
none      if the board fits nowhere, only the body is set
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

TALL_ROWS = 24
MIN_PANEL_WIDTH = 28
COLUMN_WIDTH = 34
MIN_PANEL_ROWS = 5  # of a panel below the board, below the players: the search, three of moves
GAP = 2  # columns between two areas

Size = tuple[int, int]
Fit = Callable[[int, int], Size | None]  # the size of the largest drawing within columns and rows


@dataclass(frozen=True)
class Area:
    """A part of the window: its upper left corner, columns and rows."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Areas:
    """The parts of a window. Without a board the body has no other parts."""

    title: Area
    body: Area
    line: Area
    meaning: Area
    buttons: Area
    board: Area | None = None
    panel: Area | None = None
    moves: Area | None = None  # None: within the panel

    @property
    def beside(self) -> bool:
        """True if the panel is beside the board, not below it."""
        return self.board is not None and self.panel is not None and self.panel.left > self.board.left


def rows_around_body(rows: int) -> int:
    """The number of rows of title, line, meaning and buttons."""
    return 5 if rows >= TALL_ROWS else 4


def arrange(columns: int, rows: int, seats: int, fit: Fit) -> Areas:
    """Return the areas of a window. seats: number of players. fit: the size of the board in given bounds."""
    high = max(1, rows - rows_around_body(rows))
    areas = Areas(
        title=Area(0, 0, columns, 1),
        body=Area(0, 1, columns, high),
        line=Area(0, high + 1, columns, 1),
        meaning=Area(0, high + 2, columns, rows_around_body(rows) - 3),
        buttons=Area(0, rows - 1, columns, 1),
    )
    beside = fit(columns - MIN_PANEL_WIDTH - GAP, high)
    above = fit(columns, high - seats - MIN_PANEL_ROWS)
    if beside is None and above is None:
        above = fit(columns, high - seats - 1)
    if above is not None and (beside is None or _larger(above, beside)):
        board = Area(0, 1, *above)
        return replace(areas, board=board, **_panel(0, 1 + above[1], columns, high - above[1]))
    if beside is None:
        return areas
    board = Area(0, 1, *beside)
    left = beside[0] + GAP
    return replace(areas, board=board, **_panel(left, 1, columns - left, high))


def _larger(one: Size, other: Size) -> bool:
    return one[0] * one[1] > other[0] * other[1]


def _panel(left: int, top: int, width: int, height: int) -> dict[str, Area]:
    """The panel, and the moves if they have their own column."""
    if width < 2 * COLUMN_WIDTH + GAP:
        return {"panel": Area(left, top, width, height)}
    half = (width - GAP) // 2
    moves = Area(left + half + GAP, top, width - half - GAP, height)
    return {"panel": Area(left, top, half, height), "moves": moves}
