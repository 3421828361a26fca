"""A deal of bridge with all cards open: the tricks of each declarer in each strain."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gameplay.display.theme import Theme

if TYPE_CHECKING:
    from rich.console import RenderableType

STRAINS = (4, 3, 2, 1, 0)  # no trumps first, then spades and down
WORDS = ("clubs", "diamonds", "hearts", "spades", "no trumps")
SIGNS = ("♣", "♦", "♥", "♠", "NT")
LETTERS = ("C", "D", "H", "S", "NT")
GAME = (5, 5, 4, 4, 3)  # the level from which a contract is a game, by strain

Rows = Mapping[int, Sequence[int]]  # the tricks of each declarer, by strain, as far as they are known


def split_suits(hand: str) -> list[str]:
    """Split a hand into its suits, spades first: `A J T`, `-` for a void."""
    return [" ".join(part) or "-" for part in hand.split(".")]


def plain(rows: Rows, sides: Sequence[str]) -> list[str]:
    """The table as text, for pipes and screen readers: a line for each strain."""
    return [
        f"{WORDS[strain]}: " + ", ".join(f"{side} {count}" for side, count in zip(sides, row, strict=True))
        for strain in STRAINS
        if (row := rows.get(strain)) is not None
    ]


def picture(hands: Sequence[str], rows: Rows, theme: Theme) -> "RenderableType":
    """The hands around the table, and the tricks; bold where they make a game contract."""
    from rich.console import Group
    from rich.table import Table

    from gameplay.display.text import Text

    signs = SIGNS if theme.unicode else LETTERS
    shown = [split_suits(hand) for hand in hands]
    wide = max(max(map(len, hand)) for hand in shown) + 2
    lines: list[Text] = []
    for above, beside in ((0, ()), (3, (1,)), (2, ())):
        for row in range(4):
            line = Text("  ")
            if beside:
                line.append(f"{signs[3 - row]} {shown[above][row]}".ljust(wide + 2))
                middle = ("  N  ", "W   E", "  S  ", "")[row]
                line.append(f"{middle:<8}", style="bold")
                line.append(f"{signs[3 - row]} {shown[beside[0]][row]}")
            else:
                line.append(" " * (wide // 2 + 1) + f"{signs[3 - row]} {shown[above][row]}")
            lines.append(line)
        lines.append(Text())
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("")
    for seat in "NESW":
        table.add_column(seat, justify="right")
    for strain in STRAINS:
        cells = []
        for declarer in range(4):
            tricks = rows[strain][declarer] if strain in rows else None
            text = Text("." if tricks is None else str(tricks))
            if tricks is not None and tricks >= 6 + GAME[strain]:
                text.stylize("bold")
            cells.append(text)
        table.add_row(f"  {signs[strain]}", *cells)
    return Group(*lines, table)
