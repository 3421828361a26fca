"""The themes and sizes of terminal that tests of drawing share."""

from gameplay.display.theme import Theme

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
