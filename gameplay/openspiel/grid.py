"""Finds boards in the text of a state: rows of single characters of equal length, optionally labelled."""

import re
from dataclasses import dataclass

EMPTY = ".+-_"
_CELLS = r"[A-Za-z.+*#@_-]"
_ROW = re.compile(rf"( *)(\d{{1,2}}|) ?({_CELLS}(?: {_CELLS})+|{_CELLS}+)(?: ?\d{{1,2}})? *")
MIN_LINES = 2  # rows, columns

Cell = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """The cells of a board, "" if empty, and the labels of rows and columns, "" if missing."""

    cells: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    def piece(self, cell: Cell) -> str:
        """The piece on a cell."""
        return self.cells[cell[0]][cell[1]]

    def find_move(self, after: "Grid") -> tuple[Cell | None, Cell | None]:
        """The start and end cell of the move between two boards; None if ambiguous."""
        if len(after.cells) != len(self.cells) or len(after.columns) != len(self.columns):
            return None, None
        all_cells = [(y, x) for y, row in enumerate(self.cells) for x in range(len(row))]
        changed = [cell for cell in all_cells if self.piece(cell) != after.piece(cell)]
        filled = [cell for cell in changed if after.piece(cell)]
        target_cells = filled if len(filled) == 1 else [cell for cell in filled if not self.piece(cell)]
        if len(target_cells) != 1:
            return None, None
        letter = after.piece(target_cells[0]).lower()
        vacated = [cell for cell in changed if not after.piece(cell) and self.piece(cell).lower() == letter]
        return (vacated[0] if len(vacated) == 1 else None), target_cells[0]


def grid(text: str) -> Grid | None:
    """The largest board in a text; None if there is none."""
    lines = text.split("\n")
    best: list[tuple[str, str, str]] = []
    best_end = 0
    block: list[tuple[str, str, str]] = []
    for number, line in enumerate([*lines, ""]):
        match = _ROW.fullmatch(line)
        row = (match[1] if not match[2] else "", match[2], match[3].replace(" ", "")) if match else None
        if row is None or len(row[2]) < MIN_LINES or (block and not _is_next_row(block[-1], row)):
            if len(block) > len(best):
                best, best_end = block, number
            block = []
        if row is not None and len(row[2]) >= MIN_LINES:
            block.append(row)
    if len(best) < MIN_LINES or not any(letter in EMPTY for row in best for letter in row[2]):
        return None
    cells = tuple([tuple(["" if letter in EMPTY else letter for letter in row[2]]) for row in best])
    start = best_end - len(best)
    around = [lines[place] for place in (start - 1, best_end) if 0 <= place < len(lines)]
    return Grid(cells, tuple([row[1] for row in best]), _columns(around, len(best[0][2])))


def _is_next_row(previous: tuple[str, str, str], row: tuple[str, str, str]) -> bool:
    """True for the next row of the same board: equal width and indentation, and the next label."""
    has_same_form = (
        len(previous[2]) == len(row[2]) and previous[0] == row[0] and bool(previous[1]) == bool(row[1])
    )
    return has_same_form and (not row[1] or abs(int(row[1]) - int(previous[1])) == 1)


def _columns(lines: list[str], count: int) -> tuple[str, ...]:
    """The labels of the columns if a line above or below the rows has them: consecutive letters."""
    for line in lines:
        labels = line.replace(" ", "")
        if len(labels) == count and labels.isalpha() and labels.lower() in "abcdefghijklmnopqrstuvwxyz":
            return tuple(labels)
        if len(labels) == count and labels in "abcdefghjklmnopqrst":  # Go boards have no i
            return tuple(labels)
    return ("",) * count
