"""Draws trays: pieces, cards or letters beside a board, as many trays side by side as fit."""

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from gameplay.display.board.cell import ASCII, DASH, JOINTS, WALL, Look

if TYPE_CHECKING:
    from gameplay.display.text import Text

MAX_WIDTH = 40  # characters of a row of trays, unless the board is wider
GAP = 3  # characters between two trays


class TraySegment(msgspec.Struct, frozen=True):
    """Consecutive things of a tray drawn in a row; the first segment is preceded by the tray's name."""

    tray: int
    first: int
    last: int  # exclusive
    name: str
    thing_width: int  # characters of a thing with its spaces
    walls: int

    @property
    def width(self) -> int:
        count = max(1, self.last - self.first)
        return len(self.name) + 1 + count * self.thing_width + (count + 1) * self.walls


class TrayRow(msgspec.Struct, frozen=True):
    """Segments side by side."""

    parts: tuple[TraySegment, ...]

    @property
    def width(self) -> int:
        return sum(part.width for part in self.parts) + GAP * (len(self.parts) - 1)


def line_count(look: Look, scale: int) -> int:
    """Lines of a tray: framed if there is no board."""
    return 3 if scale >= 2 and not look.rows else 1


def arrange(look: Look, scale: int, above: bool, board_width: int) -> list[TrayRow]:
    """The rows of the trays above or below a board of this width."""
    board = look.board
    limit = max(MAX_WIDTH, board_width)
    margin = max([len(tray.name) for tray in board.trays if tray.above == above], default=0)
    rows: list[list[TraySegment]] = []
    for number, tray in enumerate(board.trays):
        if tray.above != above:
            continue
        row = look.rows + number
        signs = [len(look.sign((row, x))) for x in range(len(tray.things))]
        inner, walls = max([1, *signs]) + 2, 1 if scale else 0
        room = max(1, (limit - margin - 2) // (inner + walls))
        for first in range(0, max(1, len(tray.things)), room):
            last = min(first + room, len(tray.things))
            part = TraySegment(number, first, last, tray.name if not first else "", inner, walls)
            line = rows[-1] if rows else []
            if first or not line or not look.rows or TrayRow((*line, part)).width > limit:
                rows.append([structs.replace(part, name=f"{part.name:<{margin}}")])
            else:
                line.append(part)
    return [TrayRow(tuple(line)) for line in rows]


def draw(text: "Text", look: Look, scale: int, above: bool, board_width: int) -> None:
    """Draw the trays above or below a board of this width."""
    joints, dash, wall = (JOINTS, DASH, WALL) if look.theme.unicode else ASCII
    for tray_row in arrange(look, scale, above, board_width):
        lines = (0, 1, 2) if line_count(look, scale) == 3 else (1,)
        for line in lines:
            for number, part in enumerate(tray_row.parts):
                text.append(" " * GAP if number else "")
                text.append(f"{part.name if line == 1 else '':<{len(part.name)}} ", style="bold")
                count = part.last - part.first
                if line != 1:
                    left, middle, right = (joints[arms] for arms in ((9, 13, 5) if line else (10, 14, 6)))
                    rule = left + middle.join([dash * part.thing_width] * count) + right
                    text.append(rule if count else " " * (part.thing_width + 2))
                    continue
                if not count:
                    text.append(f"{'-':^{part.thing_width + 2 * part.walls}}")
                for x in range(part.first, part.last):
                    text.append(wall * part.walls)
                    cell = (look.rows + part.tray, x)
                    text.append(
                        look.text(cell, part.thing_width, " " if scale else "."), style=look.style(cell)
                    )
                text.append(wall * part.walls if count else "")
            text.append("\n")
