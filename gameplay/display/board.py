"""Draws a board as large as there is room, in one of three sizes.

    paved   where the game names a ground and there is colour: squares of colour, without lines
    grid    else: a wide grid, a grid, or one line a row

What stands in a cell is told in `gameplay.display.cell`.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from gameplay.display.cell import Look
from gameplay.position import Board, Cell

if TYPE_CHECKING:
    from rich.text import Text

    from gameplay.display.theme import Theme

CORNERS, RULE, WALL = ("┌┬┐", "├┼┤", "└┴┘"), "─", "│"
ASCII = ("+++", "+++", "+++"), "-", "|"

# Scale: spaces on either side of a piece, and lines of a cell. Scale 0 has no grid.
SCALES = ((0, 1), (1, 1), (3, 3))
# Scale: characters and lines of a paved cell. One of two lines has its piece in the middle: half a line of
# its colour above the piece, half a line below.
PAVED = ((3, 1), (5, 2), (7, 3))


def flipped(board: Board) -> Board:
    """The board seen from the other side; where rows have no names (stones fall), as in a mirror."""
    upright = not any(board.rows) and not board.names
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
        paths={move: tuple(map(turn, path)) for move, path in board.paths.items()},
        names={turn(cell): name for cell, name in board.names.items()},
    )


def seated(board: Board, flip: bool, reading: int | None) -> Board:
    """The board as the human at seat `reading` sees it, their own pieces below; `flip` turns it round."""
    home = board.ground != "chequered" or reading is None or reading == board.white
    return board if home != flip else flipped(board)


def size(board: Board, scale: int, theme: "Theme") -> tuple[int, int]:
    """How wide and how high the drawing is, in characters."""
    look = Look(board, theme)
    label = max((len(row) for row in board.rows), default=0) + 1
    rows, columns = len(board.cells), len(board.columns)
    heads = 1 if any(board.columns) else 0
    if look.paved:
        wide, tall = _paving(look, scale)
        return label + wide * columns, tall * rows + heads + (1 if tall == 2 else 0)
    pad, tall = SCALES[scale]
    if not scale:
        return label + (look.width + 1) * columns + 1, rows + heads
    return label + (look.width + 2 * pad + 1) * columns + 1, (tall + 1) * rows + 1 + heads


def largest(board: Board, width: int, height: int, theme: "Theme") -> int:
    """The largest scale that fits into this room; the smallest where none does."""
    for scale in (2, 1):
        wide, high = size(board, scale, theme)
        if wide <= width and high <= height:
            return scale
    return 0


def draw(
    board: Board, theme: "Theme", scale: int = 1, cursor: Cell | None = None, selected: Cell | None = None
) -> "Text":
    """The board, with its labels, its last move, its winning line, the cursor, and what can be reached."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="crop")
    look = Look(board, theme, cursor, selected)
    if look.paved:
        _pave(text, look, scale)
    elif scale:
        _grid(text, look, scale)
    else:
        _rows(text, look)
    text.right_crop(1)
    return text


def _label(board: Board) -> int:
    return max((len(row) for row in board.rows), default=0)


def _heads(text: "Text", board: Board, margin: str, width: int, sign: str = "^") -> None:
    if any(board.columns):
        heads = "".join(f"{name:{sign}{width}}" for name in board.columns)
        text.append(f"{margin}{heads}".rstrip() + "\n", style="bold")


def _paving(look: Look, scale: int) -> tuple[int, int]:
    """Characters and lines of a paved cell."""
    wide, tall = PAVED[scale]
    if tall == 2 and not look.theme.unicode:
        tall = 1  # there are no half lines
    return max(wide, look.width + 2), tall


def _pave(text: "Text", look: Look, scale: int) -> None:
    board = look.board
    wide, tall = _paving(look, scale)
    label = _label(board)
    rows, columns = len(board.cells), range(len(board.columns))
    margin = " " * (label + 1)
    _heads(text, board, margin, wide)

    def between(y: int) -> None:
        """Half a line of the row above, half a line of row `y`."""
        text.append(margin)
        for x in columns:
            above = look.ground((y - 1, x)) if y else "default"
            below = look.ground((y, x)) if y < rows else "default"
            if below == "default":
                text.append("▀" * wide, style=above)
            else:
                text.append("▄" * wide, style=f"{below} on {above}")
        text.append("\n")

    for y in range(rows):
        if tall == 2:
            between(y)
        for line in range(1 if tall == 2 else tall):
            middle = tall == 2 or line == tall // 2
            text.append(f"{board.rows[y] if middle else '':>{label}} ", style="bold")
            for x in columns:
                text.append(look.text((y, x), wide) if middle else " " * wide, style=look.style((y, x)))
            text.append("\n")
    if tall == 2:
        between(rows)


def _rows(text: "Text", look: Look) -> None:
    board, wide = look.board, look.width
    label = _label(board)
    _heads(text, board, " " * (label + 1), wide + 1, ">")
    for y, row in enumerate(board.cells):
        text.append(f"{board.rows[y]:>{label}} " if label else " ", style="bold")
        marks = [look.marks((y, x)) for x in range(len(row))]
        for x in range(len(row)):
            sign = look.sign((y, x)) or (" " if board.ground == "chequered" else ".")
            gap = [" "] * (wide + 1 - len(sign))  # holds the marks of both its neighbours
            gap[0] = marks[x - 1][1] if x else " "
            if marks[x][0] != " ":
                gap[-1] = marks[x][0]
            text.append("".join(gap))
            text.append(sign, style=look.style((y, x)))
        text.append(marks[-1][1] + "\n")


def _grid(text: "Text", look: Look, scale: int) -> None:
    board = look.board
    corners, dash, wall = (CORNERS, RULE, WALL) if look.theme.unicode else ASCII
    pad, tall = SCALES[scale]
    inner = look.width + 2 * pad
    label = _label(board)
    margin = " " * (label + 1)

    def rule(kind: int) -> None:
        left, middle, right = tuple(corners[kind])
        text.append(margin + left + middle.join([dash * inner] * len(board.columns)) + right + "\n")

    _heads(text, board, f"{margin} ", inner + 1)
    rule(0)
    for y, row in enumerate(board.cells):
        for line in range(tall):
            middle = line == tall // 2
            text.append(f"{board.rows[y] if middle else '':>{label}} ", style="bold")
            for x in range(len(row)):
                text.append(wall)
                text.append(look.text((y, x), inner) if middle else " " * inner, style=look.style((y, x)))
            text.append(wall + "\n")
        rule(1 if y < len(board.cells) - 1 else 2)


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
