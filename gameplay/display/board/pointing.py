"""Finds the cell of a drawn board under the mouse, and the next one for an arrow key.

The board is drawn once with a unique marker in each cell; the place of the marker is the middle of the cell.
So this is independent of how boards are drawn.
"""

from typing import TYPE_CHECKING

from msgspec import structs

from gameplay.board import Board, Cell
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import letter

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

FIRST_MARKER = 0xE000  # private-use characters
MAX_DISTANCE = 0.75  # relative to the distance of two cells, so that the corners of a square belong to it
LINE_HEIGHT = 2.0  # a line of a terminal is about twice as high as a character is wide

CellPositions = dict[Cell, tuple[float, float]]  # line and character of the middle of each cell


def cell_positions(board: Board, theme: "Theme", scale: int) -> CellPositions:
    """The middle of each cell in the drawing of `board` at `scale`."""
    places = board.places()
    marker_cells = {}

    def sign(cell: Cell) -> str:
        marker_cells[chr(FIRST_MARKER + places.index(cell))] = cell
        piece = board.piece(cell)
        return chr(FIRST_MARKER + places.index(cell)) * (len(letter(board, theme, piece)) if piece else 1)

    rows = len(board.cells)
    marked = structs.replace(
        board,
        cells=tuple(
            tuple(None if piece is None else sign((y, x)) for x, piece in enumerate(row))
            for y, row in enumerate(board.cells)
        ),
        trays=tuple(
            structs.replace(
                tray,
                things=tuple(
                    None if piece is None else sign((rows + t, x)) for x, piece in enumerate(tray.things)
                ),
            )
            for t, tray in enumerate(board.trays)
        ),
    )
    positions: dict[Cell, list[tuple[int, int]]] = {}
    for line, text in enumerate(boards.draw(marked, theme, scale).plain.split("\n")):
        for place, character in enumerate(text):
            if character in marker_cells:
                positions.setdefault(marker_cells[character], []).append((line, place))
    return {
        cell: (
            sum(y for y, _ in places_seen) / len(places_seen),
            sum(x for _, x in places_seen) / len(places_seen),
        )
        for cell, places_seen in positions.items()
    }


def nearest_cell(
    positions: CellPositions, line: int, character: int, board: Board | None = None
) -> Cell | None:
    """The cell at a line and a character of the drawing; None outside the board.

    On a `board` of points with stacks, a cell covers its whole point.
    """
    if not positions:
        return None
    if board is not None and board.ground == "points":
        positions = _align_points(positions, line, board)

    def distance(point: tuple[float, float], y: float, x: float) -> float:
        return float(((LINE_HEIGHT * (point[0] - y)) ** 2 + (point[1] - x) ** 2) ** 0.5)

    cell = min(positions, key=lambda place: distance(positions[place], line, character))
    others = [distance(positions[cell], *positions[place]) for place in positions if place != cell]
    reach = max(1.5, MAX_DISTANCE * min(others, default=4.0))
    return cell if distance(positions[cell], line, character) <= reach else None


def _align_points(positions: CellPositions, line: int, board: Board) -> CellPositions:
    """The positions of the points on the half of the board with the line, moved to it; or of trays."""
    rows = len(board.cells)
    places = [position[0] for cell, position in positions.items() if cell[0] < rows]
    if any(abs(line - position[0]) <= 1 for cell, position in positions.items() if cell[0] >= rows):
        return positions
    row = 0 if 2 * line < min(places) + max(places) else rows - 1
    return {cell: (line, position[1]) for cell, position in positions.items() if cell[0] == row}


def intended_cell(board: Board, cell: Cell, pointed: dict[Cell, tuple[int, ...]]) -> Cell:
    """The cell meant by pointing at `cell`: if only columns have names, the playable cell of its column."""
    if cell in pointed or any(board.rows) or board.names or cell[0] >= len(board.cells):
        return cell
    return next((place for place in pointed if place[1] == cell[1] and place[0] < len(board.cells)), cell)


def next_cell(board: Board, cursor: Cell | None, down: int, right: int) -> Cell | None:
    """The nearest cell with a move in a direction; without a start, the one nearest the middle."""
    cells = sorted(board.moves)
    if not cells:
        return None
    if cursor is None:
        y, x = (len(board.cells) - 1) / 2, (len(board.columns) - 1) / 2
        return min(cells, key=lambda cell: (abs(cell[1] - x) + abs(cell[0] - y), cell))
    y, x = _screen_position(board, cursor)

    def along(cell: Cell) -> int:
        v, u = _screen_position(board, cell)
        return (v - y) * down + (u - x) * right

    def distance(cell: Cell) -> tuple[int, int, Cell]:
        v, u = _screen_position(board, cell)
        across = abs((v - y) * right) + abs((u - x) * down)
        first = not right if board.hexagonal else right  # no cell is straight above or below
        return (along(cell), across, cell) if first else (across, along(cell), cell)

    ahead = [cell for cell in cells if along(cell) > 0]
    return min(ahead, key=distance) if ahead else cursor


def _screen_position(board: Board, cell: Cell) -> Cell:
    """The approximate position of a cell on the screen; trays above the board have negative rows."""
    row, column = cell
    tray = row - len(board.cells)
    return (tray - len(board.trays), column) if tray >= 0 and board.trays[tray].above else cell
