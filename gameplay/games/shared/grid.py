"""Boards of cells for games of lines (Connect Four, tic-tac-toe), for two players and more.

`lanes` are the columns of Connect Four and the rows of tic-tac-toe, each of `length` cells and a spare bit.
"""

import re
from collections.abc import Sequence

from gameplay.errors import BadInput


def bits_suffice(lanes: int, length: int, line: int) -> bool:
    """True if the compiled board, of 64 bits, is large enough."""
    return lanes * (length + 1) <= 64 and (line - 1) * (length + 2) < 64


def check_board(columns: int, rows: int, line: int, name: str, most: int, suffices: bool) -> None:
    """Raise BadInput for a board of more than `most` columns or rows, or a line that does not fit.

    name: the parameter for the length of a line; suffices: the board has room in 64 bits, or is not compiled.
    """
    if not (1 <= columns <= most and 1 <= rows <= most):
        raise BadInput(f"a board must have 1 to {most} columns and rows, not {columns}x{rows}")
    if not 1 <= line <= max(columns, rows):
        raise BadInput(f"{name}={line} does not fit on a board of {columns}x{rows}")
    if not suffices:
        raise BadInput(f"a board of {columns}x{rows} needs more than 64 bits")


def check_pair(players: int, family: str) -> None:
    """Raise BadInput unless two play; `family`: the class with `for_players`."""
    if players != 2:
        raise BadInput(f"this board is for two: {players} play on that of {family}.for_players({players})")


def cell_name(cell: int, width: int) -> str:
    """The name of a cell: `b2`."""
    return chr(97 + cell % width) + str(cell // width + 1)


def parse_cell(word: str, width: int, height: int) -> int | None:
    """The cell that `word` names, as `cell_name` does; None if there is none on the board."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", word.strip().lower())
    if match is None:
        return None
    x, y = ord(match[1]) - 97, int(match[2]) - 1
    return y * width + x if x < width and y < height else None


def why_off_board(word: str, width: int, height: int) -> str:
    """Why `parse_cell` returned None for a word; "" if it does not look like a cell."""
    shaped = re.fullmatch(r"[a-zA-Z][0-9]{1,2}", word.strip())
    return f"the cells go from a1 to {cell_name(width * height - 1, width)}" if shaped else ""


def parse_cells(text: str, width: int, height: int, letters: str) -> str | None:
    """The cells of a board, row by row from the top, from rows with slashes between: letters and dots.

    None for a text of moves. Raises BadInput for a wrong shape or letter.
    """
    if "/" not in text and "." not in text:
        return None
    rows = text.strip().lower().split("/")
    if len(rows) != height:
        raise BadInput(f"'{text}' has {len(rows)} rows between slashes; the board has {height}")
    for y, row in enumerate(rows, 1):
        if len(row) != width:
            raise BadInput(f"row {y}, '{row}', has {len(row)} cells; the board has {width}")
        for x, letter in enumerate(row, 1):
            if letter not in letters + ".":
                raise BadInput(f"row {y}, cell {x}: '{letter}' is not {', '.join(letters)} or a dot")
    return "".join(rows)


def count_stones(text: str, cells: str, letters: str) -> list[int]:
    """The number of stones of each player. Raises BadInput if they cannot have been placed in turn."""
    counts = [cells.count(letter) for letter in letters]
    if counts != sorted(counts, reverse=True) or max(counts) - min(counts) > 1:
        stones = ", ".join(f"{letter} {count}" for letter, count in zip(letters, counts, strict=True))
        raise BadInput(f"'{text}': the stones are {stones}; {letters[0]} moves first, then in turn")
    return counts


def cells_with(cells: str, letter: str) -> Sequence[int]:
    """The numbers of the cells that hold this letter."""
    return [i for i, held in enumerate(cells) if held == letter]
