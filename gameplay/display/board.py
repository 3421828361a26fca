"""Draws a board: a grid where there is room, else one line a row.

    last move   [X]        winning line   *X*        cursor   >X<

So everything can be told without colour.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from gameplay.position import Board, Cell

if TYPE_CHECKING:
    from rich.text import Text

    from gameplay.display.theme import Theme

CORNERS, RULE, WALL = ("┌┬┐", "├┼┤", "└┴┘"), "─", "│"
ASCII = ("+++", "+++", "+++"), "-", "|"


def flipped(board: Board) -> Board:
    """The board seen from the other side; where rows have no names (stones fall), as in a mirror."""
    upright = not any(board.rows)
    rows, columns = len(board.cells), len(board.columns)

    def turn(cell: Cell) -> Cell:
        return (cell[0] if upright else rows - 1 - cell[0], columns - 1 - cell[1])

    cells = [tuple(reversed(row)) for row in board.cells]
    return replace(
        board,
        cells=tuple(cells if upright else reversed(cells)),
        columns=tuple(reversed(board.columns)),
        rows=board.rows if upright else tuple(reversed(board.rows)),
        last=tuple(map(turn, board.last)),
        line=tuple(map(turn, board.line)),
        moves={turn(cell): moves for cell, moves in board.moves.items()},
    )


def size(board: Board, grid: bool) -> tuple[int, int]:
    """How wide and how high the drawing is, in characters."""
    label = max((len(row) for row in board.rows), default=0)
    wide = _cell_width(board)
    if grid:
        return label + 1 + (wide + 3) * len(board.columns) + 1, 2 * len(board.cells) + 2
    return label + 1 + (wide + 1) * len(board.columns) + 1, len(board.cells) + 1


def _cell_width(board: Board) -> int:
    pieces = [len(cell) for row in board.cells for cell in row]
    return max([1, *pieces, *map(len, board.columns)])


def draw(board: Board, theme: "Theme", grid: bool = True, cursor: Cell | None = None) -> "Text":
    """The board, with its labels, its last move, its winning line and the cursor."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="crop")
    label = max((len(row) for row in board.rows), default=0)
    wide = _cell_width(board)
    corners, dash, wall = (CORNERS, RULE, WALL) if theme.unicode else ASCII
    step = wide + (3 if grid else 1)
    margin = " " * (label + 1)
    heads = "".join(f"{name:^{step}}" if grid else f" {name:>{wide}}" for name in board.columns)
    text.append((margin + " " * grid + heads).rstrip() + "\n", style="bold")

    def rule(kind: int) -> None:
        left, middle, right = tuple(corners[kind])
        text.append(margin + left + middle.join([dash * (wide + 2)] * len(board.columns)) + right + "\n")

    if grid:
        rule(0)
    for y, row in enumerate(board.cells):
        text.append(f"{board.rows[y]:>{label}} " if label else " ", style="bold")
        marks = [_marks((y, x), board, cursor) for x in range(len(row))]
        for x, piece in enumerate(row):
            left, right = marks[x]
            style = theme.stone(board.owners.get(piece)) if piece else ""
            if cursor == (y, x):
                style = "bold reverse"
            if grid:
                text.append(wall)
                text.append(f"{left}{piece:^{wide}}{right}", style=style)
            else:
                before = marks[x - 1][1] if x else " "
                text.append(left if left != " " else before)
                text.append(f"{piece or '.':>{wide}}", style=style)
        text.append(wall if grid else marks[-1][1])
        text.append("\n")
        if grid:
            rule(1 if y < len(board.cells) - 1 else 2)
    text.right_crop(1)
    return text


def _marks(cell: Cell, board: Board, cursor: Cell | None) -> tuple[str, str]:
    if cell == cursor:
        return ">", "<"
    if cell in board.line:
        return "*", "*"
    return ("[", "]") if cell in board.last else (" ", " ")


def toward(board: Board, cursor: Cell | None, down: int, right: int) -> Cell | None:
    """The nearest cell with a move in a direction; from nowhere, the one nearest the middle."""
    cells = sorted(board.moves)
    if not cells:
        return None
    if cursor is None:
        y, x = (len(board.cells) - 1) / 2, (len(board.columns) - 1) / 2
        return min(cells, key=lambda cell: (abs(cell[1] - x) + abs(cell[0] - y), cell))
    y, x = cursor

    def distance(cell: Cell) -> tuple[int, int, Cell]:
        along = (cell[0] - y) * down + (cell[1] - x) * right
        across = abs((cell[0] - y) * right) + abs((cell[1] - x) * down)
        return (along, across, cell) if right else (across, along, cell)

    ahead = [cell for cell in cells if (cell[0] - y) * down + (cell[1] - x) * right > 0]
    return min(ahead, key=distance) if ahead else cursor
