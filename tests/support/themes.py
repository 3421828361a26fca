"""The themes and sizes of terminal that tests of drawing share."""

import re
from io import StringIO

from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Event, Match

COLOUR = Theme(colour=True, unicode=True, interactive=False, depth="256", pieces="filled")
PLAIN = Theme(colour=False, unicode=True, interactive=False, pieces="filled")
ASCII = Theme(colour=False, unicode=False, interactive=False, pieces="filled")
VARIANTS = [  # name, theme, width, height
    ("colour", COLOUR, 80, 24),
    ("plain", PLAIN, 80, 24),
    ("ascii", ASCII, 80, 24),
    ("narrow", COLOUR, 40, 20),
    ("narrow_ascii", ASCII, 40, 20),
]
BOARDS = ("colour", "ascii", "narrow", "wide")


def draw_match(match: Match, board: str, narrow: int) -> str:
    """The screen of a match, one of BOARDS, without its colours; `narrow`: the width of a narrow terminal."""
    width, height = {"narrow": (narrow, 24), "wide": (120, 40)}.get(board, (80, 24))
    theme = Theme(colour=board == "colour", unicode=board != "ascii", interactive=False, depth="256")
    screen = Screen(theme, viewer=0)
    screen.match = match
    text = re.sub(r"\x1b\[[\d;]*m", "", screen.ansi(width, height))
    rows = [line.rstrip() for line in text.splitlines()]
    assert len(rows) <= height - 3 and max(map(len, rows)) <= width
    assert theme.unicode or text.isascii()
    return "\n".join(rows) + "\n"


def print_lines(match: Match, end: bool = True) -> str:
    """The match as printed in lines."""
    out = StringIO()
    lines = PlainOutput(Theme(colour=False, unicode=False, interactive=False), out)
    lines.match = match
    for turn in match.turns:
        lines(Event("move", turn))
    if end:
        lines(Event("end"))
    return out.getvalue()
