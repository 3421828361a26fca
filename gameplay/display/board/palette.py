"""The built-in themes: colours of boards, pieces and marks.

A colour is a pair: a number of xterm's 256 colours (16 to 255, which are the same on all terminals), used
with 256 colours or more, and one of the eight basic names, used with fewer. So no colour is rounded to one
from which it must differ. Tests verify these contrasts of every theme (WCAG's luminance ratio; distances in
CIELAB, also under simulated colour blindness):

    piece on its square or mark   3     White's piece and Black's   3 (distinguishable without hue)
    light and dark square, mark and square, mark and mark   a distance of 8

With 8 or 16 colours the terminal defines "green", so every piece is drawn on a chip in the colour of its
side: white on black, black on white, or a player's colour.
"""

import msgspec
from msgspec import structs

Colour = tuple[int, str]

BLACK: Colour = (16, "black")
WHITE: Colour = (231, "white")
RED: Colour = (196, "red")  # of suits; legible on black and on white terminals


class Ground(msgspec.Struct, frozen=True):
    """A ground: light and dark cells, and faint signs on empty ones."""

    light: Colour
    dark: Colour
    faint: Colour


TILES = Ground((241, "black"), (223, "yellow"), (250, "white"))  # the board, and tiles on it
INLAYS: dict[str, Colour] = {
    "=": (124, "red"),
    "-": (132, "magenta"),
    '"': (25, "blue"),
    "'": (67, "cyan"),
}


# Properties on a ring: the colour of each group, and that of its text.
GROUPS: dict[Colour, Colour] = {
    (94, "red"): WHITE,
    (117, "cyan"): BLACK,
    (176, "magenta"): BLACK,
    (208, "yellow"): BLACK,
    (160, "red"): WHITE,
    (226, "yellow"): BLACK,
    (28, "green"): WHITE,
    (19, "blue"): WHITE,
    (252, "white"): BLACK,
    (245, "white"): BLACK,
}


class Palette(msgspec.Struct, frozen=True):
    """A theme's colours.

    marks: of marked cells. inks: of White's and Black's pieces. sides: of other players, each with a
    text colour. chips: draw each piece on a chip in its side's colour.
    """

    name: str
    words: str
    chequered: Ground
    felt: Ground
    rack: Ground
    goban: Ground
    marks: dict[str, Colour]
    inks: tuple[Colour, Colour] = (WHITE, BLACK)
    sides: tuple[tuple[Colour, Colour], ...] = (
        ((26, "blue"), WHITE),
        ((214, "yellow"), BLACK),
        ((121, "green"), BLACK),
        ((125, "magenta"), WHITE),
        (WHITE, BLACK),
        ((160, "red"), WHITE),
    )
    tiles: Ground = TILES
    inlays: dict[str, Colour] = msgspec.field(default_factory=lambda: INLAYS)
    chips: bool = False
    colour: bool = True
    unicode: bool = True

    def ground(self, kind: str) -> Ground:
        """The ground of that name."""
        grounds = {"felt": self.felt, "rack": self.rack, "goban": self.goban, "tiles": self.tiles}
        return grounds.get(kind, self.chequered)


FELT = Ground((65, "green"), (59, "cyan"), (194, "black"))
RACK = Ground((233, "black"), (233, "black"), (245, "white"))
GOBAN = Ground((137, "cyan"), (137, "cyan"), (236, "black"))
MARKS: dict[str, Colour] = {
    "cursor": (127, "magenta"),
    "selected": (62, "magenta"),
    "line": (196, "red"),
    "last": (137, "yellow"),
    "target": (33, "red"),
}

WOOD = Palette(
    "wood",
    "tan and grey squares, green felt",
    Ground((137, "cyan"), (241, "blue"), (231, "white")),
    FELT,
    RACK,
    GOBAN,
    MARKS | {"last": (67, "yellow")},
)
NIGHT = Palette(
    "night",
    "greys and muted greens, for dark terminals",
    Ground((246, "cyan"), (241, "blue"), (231, "white")),
    Ground((66, "green"), (59, "cyan"), (255, "black")),
    RACK,
    Ground((244, "cyan"), (244, "cyan"), (236, "black")),
    MARKS,
)
PAPER = Palette(
    "paper",
    "black on white as in books, for light terminals",
    Ground((255, "white"), (250, "blue"), (240, "white")),
    Ground((255, "green"), (250, "cyan"), (240, "black")),
    Ground((255, "white"), (255, "white"), (240, "black")),
    Ground((255, "cyan"), (255, "cyan"), (243, "black")),
    {
        "cursor": (210, "magenta"),
        "selected": (75, "magenta"),
        "line": (220, "red"),
        "last": (151, "yellow"),
        "target": (153, "green"),
    },
    inks=(BLACK, BLACK),
    sides=(
        ((17, "blue"), WHITE),
        ((166, "yellow"), BLACK),
        ((158, "green"), BLACK),
        ((177, "magenta"), BLACK),
        ((189, "white"), BLACK),
        ((88, "red"), WHITE),
    ),
)
CONTRAST = structs.replace(
    NIGHT,
    name="contrast",
    words="each piece on a chip, black on white or white on black",
    chips=True,
    felt=Ground((246, "green"), (241, "cyan"), (231, "black")),
    rack=Ground((16, "black"), (16, "black"), (250, "white")),
    goban=Ground((246, "cyan"), (246, "cyan"), (16, "black")),
)
BLUE = structs.replace(
    NIGHT,
    name="blue",
    words="blues and slate, distinct for every kind of colour vision",
    chequered=Ground((67, "cyan"), (60, "blue"), (231, "white")),
    goban=Ground((67, "cyan"), (67, "cyan"), (233, "black")),
)
MONO = structs.replace(WOOD, name="mono", words="no colour", colour=False)
ASCII = structs.replace(MONO, name="ascii", words="no colour, and ASCII characters only", unicode=False)

DEFAULT = WOOD
PALETTES = {palette.name: palette for palette in (WOOD, NIGHT, PAPER, CONTRAST, BLUE, MONO, ASCII)}
PIECES = {
    "filled": "both sides filled, in different colours; without colour White's are outlines",
    "outline": "White's are outlines, Black's are filled",
    "letters": "letters: KQRBNP and kqrbnp, X and O",
    "blocks": "filled, and drawn large in block characters where there is room",
}
