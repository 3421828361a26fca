"""Which cell of a drawn board a mouse points at.

The drawing itself is asked: the board is drawn once with a sign of its own in each cell, and where that sign
appears is the middle of the cell. So this knows nothing of how boards are drawn.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from gameplay.board import Board, Cell
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import letter

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

FIRST_SIGN = 0xE000  # signs that no font and no game uses
REACH = 0.75  # of the distance between two cells: the corners of a square belong to it
LINE_HEIGHT = 2.0  # a line of a terminal is about twice as high as a character is wide

Spots = dict[Cell, tuple[float, float]]  # line and character of the middle of each cell


def cell_positions(board: Board, theme: "Theme", scale: int) -> Spots:
    """The middle of each cell in the drawing of `board` at `scale`."""
    places = board.places()
    signs = {}

    def sign(cell: Cell) -> str:
        signs[chr(FIRST_SIGN + places.index(cell))] = cell
        piece = board.piece(cell)
        return chr(FIRST_SIGN + places.index(cell)) * (len(letter(board, theme, piece)) if piece else 1)

    rows = len(board.cells)
    marked = replace(
        board,
        cells=tuple(
            tuple(None if piece is None else sign((y, x)) for x, piece in enumerate(row))
            for y, row in enumerate(board.cells)
        ),
        trays=tuple(
            replace(
                tray,
                things=tuple(
                    None if piece is None else sign((rows + t, x)) for x, piece in enumerate(tray.things)
                ),
            )
            for t, tray in enumerate(board.trays)
        ),
    )
    spots: dict[Cell, list[tuple[int, int]]] = {}
    for line, text in enumerate(boards.draw(marked, theme, scale).plain.split("\n")):
        for place, character in enumerate(text):
            if character in signs:
                spots.setdefault(signs[character], []).append((line, place))
    return {
        cell: (sum(y for y, _ in seen) / len(seen), sum(x for _, x in seen) / len(seen))
        for cell, seen in spots.items()
    }


def nearest_cell(spots: Spots, line: int, character: int, board: Board | None = None) -> Cell | None:
    """The cell at a line and a character of the drawing; None beside the board.

    On the points of a `board` with stacks, all of a point belongs to it.
    """
    if not spots:
        return None
    if board is not None and board.ground == "points":
        spots = _spread_points(spots, line, board)

    def distance(one: tuple[float, float], y: float, x: float) -> float:
        return float(((LINE_HEIGHT * (one[0] - y)) ** 2 + (one[1] - x) ** 2) ** 0.5)

    cell = min(spots, key=lambda one: distance(spots[one], line, character))
    others = [distance(spots[cell], *spots[one]) for one in spots if one != cell]
    reach = max(1.5, REACH * min(others, default=4.0))
    return cell if distance(spots[cell], line, character) <= reach else None


def _spread_points(spots: Spots, line: int, board: Board) -> Spots:
    """The spots of the points on the half of the board that has the line, moved to it; of trays, all."""
    rows = len(board.cells)
    places = [spot[0] for cell, spot in spots.items() if cell[0] < rows]
    if any(abs(line - spot[0]) <= 1 for cell, spot in spots.items() if cell[0] >= rows):
        return spots
    row = 0 if 2 * line < min(places) + max(places) else rows - 1
    return {cell: (line, spot[1]) for cell, spot in spots.items() if cell[0] == row}


def intended_cell(board: Board, cell: Cell, pointed: dict[Cell, tuple[int, ...]]) -> Cell:
    """The cell meant by pointing at `cell`: where only columns have names, the one to play in."""
    if cell in pointed or any(board.rows) or board.names or cell[0] >= len(board.cells):
        return cell
    return next((one for one in pointed if one[1] == cell[1] and one[0] < len(board.cells)), cell)
