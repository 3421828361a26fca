"""A deal with all cards open, as a table on a terminal and as lines elsewhere."""

from io import StringIO

import pytest
from golden import golden

from gameplay.display import double_dummy
from gameplay.display.theme import Theme

pytestmark = pytest.mark.once

HANDS = ("AJT4.86543.43.T5", "Q983..AKT7.QJ964", "K75.T972.52.A732", "62.AKQJ.QJ986.K8")
ROWS = {  # just what makes a game, or one trick less
    4: (9, 8, 10, 0), 3: (10, 9, 13, 4), 2: (9, 10, 4, 12), 1: (11, 10, 3, 2), 0: (10, 11, 13, 5),
}  # fmt: skip


def test_hands_lie_where_they_sit_and_what_makes_a_game_is_bold() -> None:
    told = []
    for unicode, known in ((True, (4, 3, 2, 1, 0)), (False, (4, 2)), (True, ())):
        theme = Theme(colour=True, unicode=unicode, interactive=True)
        out = StringIO()
        rows = {strain: ROWS[strain] for strain in known}
        theme.console_on(out, 80).print(double_dummy.picture(HANDS, rows, theme))
        bold = out.getvalue().replace("\x1b[1m", "<").replace("\x1b[0m", ">").replace("\x1b[0;1m", "<")
        assert "\x1b" not in bold
        told += [f"-- {len(known)} strains", *(line.rstrip() for line in bold.splitlines())]
    golden("double_dummy", "\n".join(told) + "\n")


def test_in_lines_each_strain_that_is_known_has_one() -> None:
    sides = ("north", "east", "south", "west")
    assert double_dummy.plain({0: ROWS[0], 4: ROWS[4]}, sides) == [
        "no trumps: north 9, east 8, south 10, west 0",
        "clubs: north 10, east 11, south 13, west 5",
    ]
    assert double_dummy.plain(ROWS, sides)[1:4] == [
        "spades: north 10, east 9, south 13, west 4",
        "hearts: north 9, east 10, south 4, west 12",
        "diamonds: north 11, east 10, south 3, west 2",
    ]
    assert double_dummy.suits("AJ..T98.2") == ["A J", "-", "T 9 8", "2"]
