"""Boards whose squares surround an empty middle, as in Monopoly: each has its name above its sign.

acorn  [A]b1       the name, on the colour of its group; below it the players there, else the owner, else
  60   barley      the price; after or below the players the owner and houses
"""

from textwrap import wrap
from typing import TYPE_CHECKING

from gameplay.board import Cell
from gameplay.display.board.cell import Look

if TYPE_CHECKING:
    from gameplay.display.text import Text

# By scale: characters and lines of a square. At scale 0 it has no name.
SCALES = ((0, 0), (5, 2), (9, 2), (9, 3), (11, 4))
MARGIN = 1  # characters on the left

Span = tuple[str, str]  # characters and their style


def size(look: Look, scale: int) -> tuple[int, int]:
    """Width and height of the ring."""
    wide, tall = SCALES[scale]
    return MARGIN + (wide + 1) * len(look.board.columns) - 1, tall * len(look.board.cells)


def draw(text: "Text", look: Look, scale: int) -> None:
    """Append the ring, with the text in the middle."""
    wide, tall = SCALES[scale]
    board, columns = look.board, len(look.board.columns)
    inner = [all(piece is None for piece in row[1:-1]) for row in board.cells]  # rows with a free middle
    used = [y for y, free in enumerate(inner[:-1]) if not free]
    top = tall * (max(used) + 1)  # the first line of the middle
    room = (wide + 1) * (columns - 2) - 3
    middle = [part for text in board.middle for part in wrap(text, room, subsequent_indent="  ")]
    for y in range(len(board.cells)):
        for line in range(tall):
            number = y * tall + line - top
            spans = [_line(look, (y, x), wide, tall, line) for x in range(columns)]
            if inner[y] and 0 <= number < len(middle):
                spans[1:-1] = [[(f"  {middle[number]:<{room}}", "")]]
            text.append(" " * MARGIN)
            for x, parts in enumerate(spans):
                text.append(" " if x else "")
                for words, style in parts:
                    text.append(words, style=style)
            text.append("\n")


def _line(look: Look, cell: Cell, wide: int, tall: int, line: int) -> list[Span]:
    """A line of a square: its name, its sign, then its state."""
    square = look.board.squares.get(cell)
    if look.board.piece(cell) is None or line > 2:
        return [(" " * wide, "")]
    title, state = (square.title, square.state) if square is not None else ("", "")
    if line == 0:
        style = look.theme.group(square.group) if square is not None else ""
        return [(f"{title[:wide]:^{wide}}", style)]
    sign, (left, right) = look.sign(cell), look.marks(cell)
    alone = not sign and not left.strip()  # the price replaces the sign
    if line == 2 or alone:
        return [(f"{state if alone == (line == 1) else '':^{wide}}", "")]
    room = wide - len(sign or " ") - 2
    beside = state if tall == 2 and len(state) <= room else ""
    before = 0 if beside else room // 2
    marked = f"{left}{sign or ' '}{right}"
    return [(" " * before, ""), (marked, look.style(cell)), (f"{beside:>{room - before}}", "")]
