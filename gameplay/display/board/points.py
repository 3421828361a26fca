"""Points with stacks of checkers, as in backgammon: two rows of points, and walls between some of them.

From scale 3 on a checker covers several characters and lines; a stack that does not fit has its count on the
last checker.
"""

from typing import TYPE_CHECKING

from gameplay.board import Cell
from gameplay.display.board.cell import ASCII, DASH, JOINTS, MAX_SCALE, WALL, Look

if TYPE_CHECKING:
    from gameplay.display.text import Text

MAX_STACK = 5  # large checkers drawn per stack
# By scale: characters and lines of a point, and lines of a checker. Scale 0 has no points.
SCALES = ((3, 1, 1), (3, 5, 1), (4, 6, 1), *((2 * n + 2, MAX_STACK * n, n) for n in range(2, MAX_SCALE)))

Span = tuple[str, str]  # characters and their style


def size(look: Look, scale: int) -> tuple[int, int]:
    """Width and height of the points with walls, without labels."""
    wide, tall, _ = SCALES[scale]
    rows = len(look.board.cells)
    return wide * len(look.board.columns) + len(look.board.walls) + 2, rows * tall + (rows - 1) + 2


def draw(text: "Text", look: Look, scale: int, margin: str) -> None:
    """Append the points, with their labels."""
    board, (wide, tall, _) = look.board, SCALES[scale]
    joints, dash, wall = (JOINTS, DASH, WALL) if look.theme.unicode else ASCII
    columns = range(len(board.columns))

    def across(left: str, inner: str, middle: str, right: str) -> str:
        points = "".join((middle if x in board.walls else "") + inner * wide for x in columns)
        return margin + left + points + right

    def append_labels(names: tuple[str, ...]) -> None:
        if any(names):
            named = "".join(
                (" " if x in board.walls else "") + f"{name:^{wide}}" for x, name in enumerate(names)
            )
            text.append(f"{margin} {named}".rstrip() + "\n", style="bold")

    append_labels(look.columns)
    text.append(across(joints[10], dash, joints[14], joints[6]) + "\n")
    for y in range(len(board.cells)):
        if y:
            text.append(across(wall, " ", wall, wall) + "\n")
        stacks = [_stack(look, (y, x), scale) for x in columns]
        for line in range(tall):
            text.append(margin + wall)
            for x, stack in enumerate(stacks):
                if x in board.walls:
                    text.append(wall)
                for words, style in stack[line]:
                    text.append(words, style=style)
            text.append(wall + "\n")
    text.append(across(joints[9], dash, joints[13], joints[5]) + "\n")
    append_labels(look.feet)


def _stack(look: Look, cell: Cell, scale: int) -> list[list[Span]]:
    """The lines of a point, from above."""
    (wide, tall, high), upper = SCALES[scale], 2 * cell[0] < look.rows - 1
    if high > 1:
        slots = _checkers(look, cell, scale)
        return [line for slot in (slots if upper else reversed(slots)) for line in slot]
    lines = look.pile(cell, wide, tall)
    edge = 0 if upper else tall - 1
    if not look.piece(cell) and not lines[edge].strip():
        lines[edge] = f"{_empty(look, cell):^{wide}}"
    seen = look.piece(cell)
    return [
        [(words, look.style(cell) if seen and words.strip() else look.mark_style(cell))] for words in lines
    ]


def _empty(look: Look, cell: Cell) -> str:
    """The sign of an empty point; none if the column between two walls is not a point."""
    walls, x = look.board.walls, cell[1]
    alone = x in walls and (x + 1 in walls or x == len(look.board.columns) - 1)
    return " " if alone else "∙" if look.theme.unicode else "."


def _checkers(look: Look, cell: Cell, scale: int) -> list[list[list[Span]]]:
    """The lines of each place of a stack, from the edge to the middle of the board."""
    wide, _, high = SCALES[scale]
    blank = [(" " * wide, look.mark_style(cell))]
    count = look.board.counts.get(cell, 1) if look.piece(cell) else 0
    shown = min(count, MAX_STACK)
    slots = [
        [_checker(look, cell, scale, line, number == shown, count) for line in range(high)]
        for number in range(1, shown + 1)
    ]
    if not shown:
        slots.append([blank] * high)
        slots[0][(high - 1) // 2] = look.spans(cell, wide, _empty(look, cell))
    return slots + [[blank] * high] * (MAX_STACK - len(slots))


def _checker(look: Look, cell: Cell, scale: int, line: int, tip: bool, count: int) -> list[Span]:
    """A line of a checker; the last one has the marks, and the count of a stack that does not fit."""
    wide, _, high = SCALES[scale]
    drawing, middle = look.checker(cell, wide, high), line == (high - 1) // 2
    if not drawing:
        return look.spans(cell, wide) if middle else [(" " * wide, look.mark_style(cell))]
    words, style = drawing[line], look.large_piece_style(cell)
    if not tip or not middle:
        return [(words, style)]
    left, right = look.marks(cell)
    number = str(count) if count > MAX_STACK else ""
    first = (wide - len(number)) // 2
    inner = [(words[1:first], style), (number, f"{style} reverse"), (words[first + len(number) : -1], style)]
    return [
        (left, look.mark_style(cell)),
        *(span for span in inner if span[0]),
        (right, look.mark_style(cell)),
    ]
