"""Where everything stands on the full screen, for every size of window: the only place that decides it.

rows      title, body, the line to type in, what it means, buttons: from TALL rows on, that has two lines
beside    the panel stands on the right of the board, SIDE columns wide at least
above     the board stands above the panel where it is larger so, and the panel keeps LISTED rows
apart     in a panel that is two COLUMNs wide, the moves have the right half for themselves
none      where the board fits in neither place, only the body is given
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

TALL = 24
SIDE = 28
COLUMN = 34
LISTED = 5  # rows of the panel below the players, if it stands below the board: the search, three of moves
GAP = 2  # columns between two areas

Size = tuple[int, int]
Fit = Callable[[int, int], Size | None]  # the size of the largest drawing in so many columns and rows


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
    moves: Area | None = None  # None: they stand in the panel

    @property
    def beside(self) -> bool:
        """The panel stands beside the board, not below it."""
        return self.board is not None and self.panel is not None and self.panel.left > self.board.left


def around(rows: int) -> int:
    """Of so many rows of the window, those that title, line, meaning and buttons take."""
    return 5 if rows >= TALL else 4


def arrange(columns: int, rows: int, seats: int, fit: Fit) -> Areas:
    """The areas of a window, for a game with so many players."""
    high = max(1, rows - around(rows))
    areas = Areas(
        title=Area(0, 0, columns, 1),
        body=Area(0, 1, columns, high),
        line=Area(0, high + 1, columns, 1),
        meaning=Area(0, high + 2, columns, around(rows) - 3),
        buttons=Area(0, rows - 1, columns, 1),
    )
    beside = fit(columns - SIDE - GAP, high)
    above = fit(columns, high - seats - LISTED)
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
    """The panel, and the moves where they have a column of their own."""
    if width < 2 * COLUMN + GAP:
        return {"panel": Area(left, top, width, height)}
    half = (width - GAP) // 2
    moves = Area(left + half + GAP, top, width - half - GAP, height)
    return {"panel": Area(left, top, half, height), "moves": moves}
