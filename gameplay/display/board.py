"""Draws a board as large as there is room: a wide grid, a grid, or one line a row.

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

# Scale: spaces on either side of a piece, and lines of a cell. Scale 0 has no grid.
SCALES = ((0, 1), (1, 1), (3, 3))


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


def size(board: Board, scale: int) -> tuple[int, int]:
    """How wide and how high the drawing is, in characters."""
    label = max((len(row) for row in board.rows), default=0)
    pad, tall = SCALES[scale]
    if not scale:
        return label + 1 + (_cell_width(board) + 1) * len(board.columns) + 1, len(board.cells) + 1
    wide = _cell_width(board) + 2 * pad + 1
    return label + 1 + wide * len(board.columns) + 1, (tall + 1) * len(board.cells) + 2


def largest(board: Board, width: int, height: int) -> int:
    """The largest scale that fits into this room; the smallest where none does."""
    for scale in (2, 1):
        wide, high = size(board, scale)
        if wide <= width and high <= height:
            return scale
    return 0


def _cell_width(board: Board) -> int:
    pieces = [len(cell) for row in board.cells for cell in row]
    return max([1, *pieces, *map(len, board.columns)])


def draw(board: Board, theme: "Theme", scale: int = 1, cursor: Cell | None = None) -> "Text":
    """The board, with its labels, its last move, its winning line and the cursor."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="crop")
    label = max((len(row) for row in board.rows), default=0)
    margin = " " * (label + 1)
    if scale:
        _draw_grid(text, board, theme, scale, cursor, label)
    else:
        wide = _cell_width(board)
        text.append(margin + "".join(f" {name:>{wide}}" for name in board.columns) + "\n", style="bold")
        for y, row in enumerate(board.cells):
            text.append(f"{board.rows[y]:>{label}} " if label else " ", style="bold")
            marks = [_marks((y, x), board, cursor) for x in range(len(row))]
            for x, piece in enumerate(row):
                gap = [" "] * (wide + 1 - len(piece or "."))  # holds the marks of both its neighbours
                gap[0] = marks[x - 1][1] if x else " "
                if marks[x][0] != " ":
                    gap[-1] = marks[x][0]
                text.append("".join(gap))
                text.append(piece or ".", style=_style((y, x), board, theme, cursor))
            text.append(marks[-1][1] + "\n")
    text.right_crop(1)
    return text


def _draw_grid(
    text: "Text", board: Board, theme: "Theme", scale: int, cursor: Cell | None, label: int
) -> None:
    corners, dash, wall = (CORNERS, RULE, WALL) if theme.unicode else ASCII
    pad, tall = SCALES[scale]
    inner = _cell_width(board) + 2 * pad
    margin = " " * (label + 1)

    def rule(kind: int) -> None:
        left, middle, right = tuple(corners[kind])
        text.append(margin + left + middle.join([dash * inner] * len(board.columns)) + right + "\n")

    heads = "".join(f"{name:^{inner + 1}}" for name in board.columns)
    text.append((f"{margin} {heads}").rstrip() + "\n", style="bold")
    rule(0)
    for y, row in enumerate(board.cells):
        for line in range(tall):
            middle = line == tall // 2
            text.append(f"{board.rows[y] if middle else '':>{label}} ", style="bold")
            for x, piece in enumerate(row):
                left, right = _marks((y, x), board, cursor)
                shown = f"{left}{piece:^{inner - 2 * pad}}{right}" if middle else ""
                text.append(wall)
                text.append(f"{shown:^{inner}}", style=_style((y, x), board, theme, cursor))
            text.append(wall + "\n")
        rule(1 if y < len(board.cells) - 1 else 2)


def _style(cell: Cell, board: Board, theme: "Theme", cursor: Cell | None) -> str:
    if cell == cursor:
        return "bold reverse"
    piece = board.cells[cell[0]][cell[1]]
    return theme.stone(board.owners.get(piece)) if piece else ""


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
