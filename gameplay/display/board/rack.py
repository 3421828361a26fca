"""A rack of discs in colour: columns between walls, on a base that names them.

    │  ∙  │  ●  │
    └──1──┴──2──┘

The walls have the faint colour of the ground, so the rack is visible on a terminal of the same colour.
"""

from typing import TYPE_CHECKING

from gameplay.display.board.cell import JOINTS, Look

if TYPE_CHECKING:
    from gameplay.display.text import Text

MARGIN = 1  # characters on the left, as on other boards without row names
ASCII = "+", "-", "|"  # a corner, the base, a wall


def size(look: Look, wide: int, tall: int) -> tuple[int, int]:
    """Width and height of a rack with cells of `wide` characters and `tall` lines."""
    return MARGIN + (wide + 1) * len(look.board.columns) + 1, tall * len(look.board.cells) + 1


def draw(text: "Text", look: Look, wide: int, tall: int) -> None:
    """Append the rack."""
    columns = range(len(look.board.columns))
    style = f"{look.theme.faint('rack')} on {look.theme.ground('rack', 0)}"
    wall = JOINTS[3] if look.theme.unicode else ASCII[2]
    for y in range(len(look.board.cells)):
        for line in range(tall):
            text.append(" " * MARGIN)
            for x in columns:
                text.append(wall, style=style)
                for words, inner in _cell(look, (y, x), wide, tall, line):
                    text.append(words, style=inner)
            text.append(wall, style=style)
            text.append("\n")
    text.append(" " * MARGIN)
    for x in columns:
        _base(text, look, x, wide, style)
    text.append(JOINTS[5] if look.theme.unicode else ASCII[0], style=style)
    text.append("\n")


def _cell(look: Look, cell: tuple[int, int], wide: int, tall: int, line: int) -> list[tuple[str, str]]:
    """A line of a cell."""
    drawing = look.large(cell, wide, tall) if tall > 1 else []
    if drawing:
        return look.large_piece_line(cell, drawing, line)
    return look.spans(cell, wide) if line == tall // 2 else [(" " * wide, look.mark_style(cell))]


def _base(text: "Text", look: Look, column: int, wide: int, style: str) -> None:
    """The base below a column, with its name."""
    unicode = look.theme.unicode
    corner, dash = (JOINTS[13 if column else 9], JOINTS[12]) if unicode else ASCII[:2]
    name = look.columns[column]
    before = (wide - len(name)) // 2
    text.append(corner + dash * before, style=style)
    text.append(name, style=f"bold {style}")
    text.append(dash * (wide - before - len(name)), style=style)
