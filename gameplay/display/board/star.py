"""Boards whose rows are offset by half a cell: holes without lines between them.

From scale 3 on pieces are discs of several characters and lines, with their letter in the middle.
"""

from gameplay.display.board.cell import MAX_SCALE, Look

# By scale: characters from a column to the next, of which every other one is a cell, and lines of a row.
SCALES = ((1, 1), (2, 1), (3, 2), *((tall + 1, tall) for tall in range(3, MAX_SCALE + 1)))
LARGE = 3  # scale from which pieces are discs

Span = tuple[str, str]  # characters and their style


def size(look: Look, scale: int) -> tuple[int, int]:
    """Width and height of the holes, without labels."""
    (right, down), rows, columns = SCALES[scale], len(look.board.cells), len(look.board.columns)
    if scale >= LARGE:
        return right * (columns - 1) + 2 * down + 1, down * rows
    return right * (columns - 1) + 3, down * (rows - 1) + 1


def line(look: Look, scale: int, y: int, number: int) -> list[Span]:
    """Line `number` of a row."""
    cells = [(y, x) for x, piece in enumerate(look.board.cells[y]) if piece is not None]
    if scale < LARGE:
        return _small(look, scale, cells) if not number else []
    right, down = SCALES[scale]
    wide = 2 * down + 1
    spans: list[Span] = []
    end = 0
    for cell in cells:
        spans.append((" " * (right * cell[1] - end), ""))
        end = right * cell[1] + wide
        drawing = look.large(cell, wide, down)
        if drawing:
            spans += look.large_piece_line(cell, drawing, number)
        elif number == down // 2:
            spans += look.spans(cell, wide)
        else:
            spans.append((" " * wide, ""))
    return spans


def _small(look: Look, scale: int, cells: list[tuple[int, int]]) -> list[Span]:
    """The only line of a row of signs; marks cover neighbouring cells."""
    right = SCALES[scale][0]
    places = [(" ", "")] * size(look, scale)[0]
    for cell in sorted(cells, key=lambda place: place in (look.selected, look.cursor)):
        at, style = right * cell[1] + 1, look.style(cell)
        places[at] = (look.sign(cell), style)
        chip = right > 1 and bool(look.piece(cell))  # its colour extends to the marks
        for beside, mark in zip((at - 1, at + 1), look.marks(cell), strict=True):
            if mark != " " or chip:
                places[beside] = (mark, style)
    return places
