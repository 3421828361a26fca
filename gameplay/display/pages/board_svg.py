"""A board as an SVG picture that stands by itself: on a ground of its own, so that it reads on any page.

Drawn are boards of cells with a piece each, with their trays as lines of text below. Piles, card tables and
rings of squares are not: `drawable` says so.
"""

from gameplay.board import Board, Cell
from gameplay.display.pages.markup import escape

SIDE = 40  # of a cell
EDGE = 26  # for labels, round the cells
LINE = 22  # of text below the cells
PAPER, INK, DIM = "#f7f5ef", "#1b1f24", "#59626e"
RULE = "#8b929c"
LIGHT, DARK = "#f0dfc0", "#b98d62"  # squares
GROUNDS = {"felt": "#3e8e5e", "rack": "#2f62a8", "goban": "#e2b86b"}
PLAYERS = ("#c8322c", "#f2b01e", "#00806a", "#8a5aa8")  # where no side is white
FILLS = {True: "#ffffff", False: "#1b1f24"}  # of the pieces of white and of black
MARK = "#e3492f"
FILLED = str.maketrans("♔♕♖♗♘♙", "♚♛♜♝♞♟")
DISCS = "●○"
TEXT_STYLE = "\ufe0e"  # behind a sign that is not to be drawn as an emoji
CHESSMEN = "♚♛♜♝♞♟"


def drawable(board: Board | None) -> bool:
    """True for cells with a piece each and nothing else but trays."""
    return (
        board is not None
        and bool(board.cells)
        and not (board.counts or board.squares or board.table is not None)
        and board.ground != "points"
    )


def svg(board: Board, title: str) -> str:
    """The picture. `title` is its name for those who do not see it."""
    rows, columns = len(board.cells), max(map(len, board.cells))
    side = SIDE // 2 if board.hexagonal else SIDE  # of a column
    longest = max(map(len, board.rows), default=0)
    beside, above = (10 + 8 * longest if longest else 8), (EDGE if any(board.columns) else 8)
    right = EDGE if any(board.tails) else 8
    wide = beside + columns * side + right
    high = above + rows * SIDE + 8 + LINE * len(board.trays)
    picture = _Picture(board, beside, above, side)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" aria-label="{escape(title)}" style="max-width:100%;height:auto">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>',
        *picture.labels(),
        *picture.ground(),
        *picture.lines(),
        *(
            part
            for y, row in enumerate(board.cells)
            for x, _ in enumerate(row)
            for part in picture.cell((y, x))
        ),
        *picture.trays(high, wide),
        "</svg>",
    ]
    return "".join(parts)


class _Picture:
    """The parts of a picture."""

    def __init__(self, board: Board, left: int, top: int, side: int) -> None:
        self.board, self.left, self.top, self.side = board, left, top, side
        self.points = bool(board.links) or board.hexagonal  # pieces lie on points, not on squares

    def centre(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell."""
        y, x = cell
        return self.left + (x + 0.5) * self.side, self.top + (y + 0.5) * SIDE

    def labels(self) -> list[str]:
        """The names of columns and rows."""
        board, parts = self.board, []
        for x, name in enumerate(board.columns):
            parts.append(text(name, self.centre((0, x))[0], self.top - 8, 12, DIM))
        for y, name in enumerate(board.rows):
            parts.append(text(name, self.left / 2, self.centre((y, 0))[1] + 4, 12, DIM))
        end = self.left + max(map(len, board.cells)) * self.side + EDGE / 2
        for y, name in enumerate(board.tails):
            parts.append(text(name, end, self.centre((y, 0))[1] + 4, 12, DIM))
        return parts

    def ground(self) -> list[str]:
        """The background below all cells, if the board has one."""
        colour = GROUNDS.get(self.board.ground)
        if colour is None:
            return []
        wide, high = max(map(len, self.board.cells)) * self.side, len(self.board.cells) * SIDE
        return [f'<rect x="{self.left}" y="{self.top}" width="{wide}" height="{high}" fill="{colour}"/>']

    def lines(self) -> list[str]:
        """The lines between points, and the marked ones."""
        parts = []
        for one, other in self.board.links:
            (x, y), (u, v) = self.centre(one), self.centre(other)
            parts.append(f'<path d="M{x:g} {y:g}L{u:g} {v:g}" stroke="#4a3a1c"/>')
        for star in self.board.stars:
            x, y = self.centre(star)
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="#4a3a1c"/>')
        return parts

    def cell(self, cell: Cell) -> list[str]:
        """A cell with what is on it."""
        y, x = cell
        piece = self.board.cells[y][x]
        if piece is None:
            return []
        parts = [] if self.board.links else [self._empty(cell)]
        if piece:
            parts += self._piece(piece, cell)
        elif cell in self.board.inlays:
            u, v = self.centre(cell)
            parts.append(text(self.board.inlays[cell], u, v + 4, 11, DIM))
        u, v = self.centre(cell)
        marked = MARK if cell in self.board.line else INK if cell in self.board.last else ""
        if marked:
            wide = 4 if marked == MARK else 2
            parts.append(
                f'<circle cx="{u:g}" cy="{v:g}" r="{0.46 * SIDE:g}" fill="none" stroke="{PAPER}" '
                f'stroke-width="{wide + 2}"/><circle cx="{u:g}" cy="{v:g}" r="{0.46 * SIDE:g}" fill="none" '
                f'stroke="{marked}" stroke-width="{wide}"/>'
            )
        return parts

    def _empty(self, cell: Cell) -> str:
        (u, v), ground = self.centre(cell), self.board.ground
        if ground == "rack":  # a hole
            return f'<circle cx="{u:g}" cy="{v:g}" r="{0.41 * SIDE:g}" fill="{PAPER}"/>'
        if self.points:
            return f'<circle cx="{u:g}" cy="{v:g}" r="{0.12 * SIDE:g}" fill="{RULE}"/>'
        fill = "none"
        if ground == "chequered":
            fill = DARK if sum(cell) % 2 else LIGHT
        left, top = self.left + cell[1] * self.side, self.top + cell[0] * SIDE
        return (
            f'<rect x="{left:g}" y="{top:g}" width="{self.side}" height="{SIDE}" fill="{fill}" '
            f'stroke="{RULE}" stroke-width="0.8"/>'
        )

    def _piece(self, piece: str, cell: Cell) -> list[str]:
        board, (u, v) = self.board, self.centre(cell)
        sign = board.glyphs.get(piece, piece)
        owner = board.owners.get(piece)
        if owner is None:
            return [text(sign, u, v + 7, 20 if len(sign) < 3 else 13, INK)]
        fill = PLAYERS[owner % len(PLAYERS)] if board.white is None else FILLS[owner == board.white]
        man = sign.translate(FILLED)
        if (
            man in CHESSMEN
            and board.white is not None
            and not any(glyph in DISCS for glyph in board.glyphs.values())
        ):
            edge = FILLS[fill != FILLS[True]]
            return [text(man + TEXT_STYLE, u, v + 11, 32, fill, f' stroke="{edge}" stroke-width="0.9"')]
        parts = [f'<circle cx="{u:g}" cy="{v:g}" r="{0.41 * SIDE:g}" fill="{fill}" stroke="{INK}"/>']
        if sign not in DISCS:
            parts.append(
                text(man, u, v + 7, 20 if len(sign) < 3 else 12, INK if _is_bright(fill) else "#ffffff")
            )
        return parts

    def trays(self, high: int, wide: int) -> list[str]:
        """The trays beside the cells, a line each."""
        parts = []
        trays = self.board.trays
        for number, tray in enumerate(trays):
            things = " ".join(self.board.glyphs.get(thing, thing) or "\u00b7" for thing in tray.things)
            y = high - LINE * (len(trays) - number) + 10
            parts.append(text(f"{tray.name}: {things}", wide / 2, y, 13, INK))
        return parts


def text(words: str, x: float, y: float, size: int, fill: str, more: str = "") -> str:
    """Words in the middle of x, on the line y."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="system-ui,DejaVu Sans,sans-serif" '
        f'text-anchor="middle" fill="{fill}"{more}>{escape(words)}</text>'
    )


def _is_bright(colour: str) -> bool:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
