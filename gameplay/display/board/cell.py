"""The appearance of a cell of a board: its sign, its marks on either side, its colour and its ground.

    last move   [X]     winning line   *X*     cursor   >X<     selected   (X)     may be moved to   +X+ or ∙
    lost        /X/     on a point estimated as the other side's territory; an empty estimated point: ▪ ▫

So all is readable without colour. In colour, the pieces of both sides are filled; with few colours or none,
those of one side are filled and those of the other are outlines.
"""

from typing import TYPE_CHECKING

from gameplay.board import BACK, Board, Cell
from gameplay.display.board import chessmen, large

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

CARD_BACK = "▒"  # the back of a card, in Unicode

# From outlines to filled signs.
FILLED = dict(zip("♔♕♖♗♘♙○", "♚♛♜♝♞♟●", strict=True))

SHAPES = frozenset("●○▲■")  # one shape per player without colour; in colour all are discs
DISCS, KINGS, CROSSES = frozenset("●○"), frozenset("♚♔"), frozenset("XO")
CHESSMEN = frozenset("♔♕♖♗♘♙♚♛♜♝♞♟")
RING_SCALES = 4  # maximum scale of squares around an empty middle
MAX_SIGN_SCALE, MAX_SCALE = 2, 9  # maximum scales of pieces of one character, and of several
OUTLINES = {filled: outline for outline, filled in FILLED.items()}

MARKS = {
    **{"cursor": "><", "selected": "()", "line": "**", "last": "[]", "lost": "//", "target": "++"},
    "": "  ",
}
RED = ("♥", "♦")  # suits
TERRITORY = "▪▫"  # of a side, and of the one with white pieces
# Junctions by the lines that meet: 1 from above, 2 below, 4 left, 8 right.
JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
DASH, WALL = "─", "│"
ASCII = " |||-+++-+++-+++", "-", "|"  # joints, dash, wall


class Look:
    """The cells of a board in a theme, with the cursor and the selected cell."""

    def __init__(
        self,
        board: Board,
        theme: "Theme",
        cursor: Cell | None = None,
        selected: Cell | None = None,
        piled: bool = False,
    ) -> None:
        """piled: draw the stacked pieces of a cell one above the other."""
        self.board = board
        self.theme = theme
        self.cursor = cursor
        self.selected = selected
        self.rows = len(board.cells)
        self.stacks = any(cell[0] < self.rows for cell in board.counts)
        self.piled = piled and self.stacks
        self.spaced = bool(board.links) or board.hexagonal  # its cells are points
        self.lattice = board.lattice()
        self.joints = self._joints() if self.lattice and theme.unicode else {}
        self.numbered = bool(board.names) and not any(board.columns)  # empty cells show their names
        self.paved = bool(board.ground) and theme.colour
        self.chips = self.paved and theme.uses_chips
        self.blocks = theme.pieces == "blocks" and not (theme.colour and theme.has_few_colours)
        # The pieces of both sides are filled; elsewhere White's are outlines.
        self.filled = self.paved and (self.chips or theme.fills_pieces(board.white))
        self.wood = ""  # the style of lines on a wooden board
        if self.paved and board.links:
            self.wood = f"{theme.faint(board.ground)} on {theme.ground(board.ground, 0)}"
        if not theme.coordinates:
            self.numbered = False
        self.targets: frozenset[Cell] = frozenset()
        if selected is not None:
            self.targets = frozenset(board.targets(selected))
        elif board.ground == "felt":
            self.targets = frozenset(board.moves)
        signs = [len(self.sign((y, x))) for y, row in enumerate(board.cells) for x in range(len(row))]
        names = [len(name) for cell, name in board.names.items() if self.numbered and cell[0] < self.rows]
        self.columns, self.feet, self.tails = labels(board, theme)
        self.width = max([1, *signs, *map(len, (*self.columns, *self.feet)), *names])

    def piece(self, cell: Cell) -> str:
        """The letter of the piece, or an empty string."""
        return self.board.piece(cell) or ""

    def sign(self, cell: Cell) -> str:
        """The text in the cell."""
        board, piece = self.board, self.piece(cell)
        if piece:
            count = board.counts.get(cell, 1)
            return self._shape(piece) + (str(count) if count > 1 and not self._draws_pile(cell) else "")
        if self.numbered and cell in board.names:
            return board.names[cell]
        if cell in self.targets:
            return "∙" if self.paved and self.theme.unicode else "+"
        if self.spaced and board.piece(cell) is not None:
            if cell in board.ranks:
                return str(board.ranks[cell])
            if cell in board.owned:
                return self._point(board.owned[cell])
            if cell in board.stars:
                return "•" if self.theme.unicode else "+"
            return self.joints.get(cell, "∙" if self.theme.unicode else ".")
        if self.paved and board.ground == "rack":
            return "∙" if self.theme.unicode else "."  # a hole
        if cell in board.inlays:
            return board.inlays[cell]
        bare = board.ground == "chequered" and not self.paved
        return "." if bare and sum(cell) % 2 and not board.names else ""

    def _point(self, player: int) -> str:
        """An empty point estimated as a player's territory."""
        if self.theme.unicode:
            return TERRITORY[player == self.board.white]
        return next((piece.lower() for piece, owner in self.board.owners.items() if owner == player), ".")

    def _joints(self) -> dict[Cell, str]:
        """The line character of each point of a lattice."""
        arms: dict[Cell, int] = {}
        for one, other in self.board.links:
            first, second = sorted((one, other))
            across = first[0] == second[0]
            arms[first] = arms.get(first, 0) | (8 if across else 2)
            arms[second] = arms.get(second, 0) | (4 if across else 1)
        return {cell: JOINTS[sides] for cell, sides in arms.items()}

    def crossing(self, cell: Cell, width: int, line: int) -> list[tuple[str, str]]:
        """A line, counted from the middle, of an empty point of a lattice: its lines, its sign and marks."""
        arms, half = JOINTS.index(self.joints[cell]), width // 2
        if line:
            wall = JOINTS[3] if arms & (1 if line < 0 else 2) else " "
            return [(f"{wall:^{width}}", self.wood)]
        left, right = (JOINTS[12] * half if arms & side else " " * half for side in (4, 8))
        before, after = self.marks(cell)
        inner = before.strip() + self.sign(cell) + after.strip()
        cut = len(before.strip())
        right = right[len(inner) - 1 - cut :]
        return [(left[cut:], self.wood), (inner, self.style(cell)), (right, self.wood)]

    def _shape(self, piece: str) -> str:
        """A piece's sign: filled where its colour says whose it is, an outline on a chip of that colour."""
        sign, white = letter(self.board, self.theme, piece), self.board.white
        if self.board.ground == "rack" and white is None and self.theme.fills_pieces(white) and self.paved:
            return "●" if sign in SHAPES else sign
        if self.chips and white is not None:
            return OUTLINES.get(sign, sign)
        return FILLED.get(sign, sign) if self.paved and self.theme.fills_pieces(white) else sign

    def large(self, cell: Cell, width: int, height: int) -> list[str]:
        """The drawing of the piece on a cell; empty if it has none."""
        piece = self.piece(cell)
        sign = self._shape(piece) if piece else ""
        theme, white = self.theme, self.board.white
        if self.board.hexagonal and piece in self.board.owners and self.max_scale() > MAX_SIGN_SCALE:
            return large.piece("●" if theme.colour else "○", width, height)
        if not sign or not theme.unicode or theme.pieces == "letters" or self.board.counts.get(cell, 1) > 1:
            return []
        if sign in DISCS or (self.board.ground == "" and sign in CROSSES):
            return large.piece("●" if self.chips and white is not None else sign, width, height)
        if sign in KINGS and DISCS & set(self.board.glyphs.values()):  # a crowned disc
            filled = self.chips or sign == "♚"
            return large.piece("●" if filled else "○", width, height)
        if not self.blocks or (not self.filled and height < chessmen.OUTLINE_MIN_HEIGHT):
            return []
        return large.piece(FILLED.get(sign, sign) if self.chips else sign, width, height)

    def checker(self, cell: Cell, width: int, height: int) -> list[str]:
        """The drawing of a checker in the stack of a cell; empty if it is not a disc."""
        sign = self._shape(self.piece(cell))
        if sign not in DISCS or not self.theme.unicode:
            return []
        return large.checker("●" if self.chips and self.board.white is not None else sign, width, height)

    def value(self, cell: Cell) -> str:
        """The small number of a piece; "" if it has none."""
        number = self.board.values.get(self.piece(cell))
        return "" if number is None else str(number)

    def max_scale(self) -> int:
        """The maximum scale at which the pieces of this board fill their cells."""
        shapes = {self._shape(piece) for piece in self.board.owners}
        theme = self.theme
        if self.board.ground == "tiles":
            return MAX_SCALE
        if self.board.squares:
            return RING_SCALES
        stacks = self.stacks and self.board.ground != "points"
        loose = self.spaced and not self.lattice and not self.board.hexagonal
        if not theme.unicode or theme.pieces == "letters" or stacks or loose or not shapes:
            return MAX_SIGN_SCALE
        if self.board.hexagonal:
            return MAX_SCALE
        if shapes <= DISCS | KINGS and shapes & DISCS:
            return MAX_SCALE
        if not self.board.ground and shapes <= CROSSES:
            return MAX_SCALE
        return MAX_SCALE if self.blocks and shapes <= CHESSMEN else MAX_SIGN_SCALE

    def large_piece_line(self, cell: Cell, drawing: list[str], line: int) -> list[tuple[str, str]]:
        """A line of a large piece between the marks of its cell, as styled parts."""
        board, theme, words = self.board, self.theme, drawing[line]
        style = self.large_piece_style(cell)
        around = "bold" if board.hexagonal else self.mark_style(cell)  # no ground around a piece
        if line != len(drawing) // 2:
            return [(words, style)]
        left, right = self.marks(cell)
        letter, ink = "", f"{style} reverse"
        if board.hexagonal:
            letter, ink = self.sign(cell), theme.chip_style(board.owners.get(self.piece(cell)))
        elif self._shape(self.piece(cell)) in KINGS and DISCS & set(board.glyphs.values()):
            letter = "K"
        if letter:
            half = len(words) // 2
            inner = [(words[1:half], style), (letter, ink), (words[half + 1 : -1], style)]
        else:
            inner = [(words[1:-1], style)]
        return [(left, around), *inner, (right, around)]

    def large_piece_style(self, cell: Cell) -> str:
        """The style of a large piece."""
        board, theme = self.board, self.theme
        owner = board.owners.get(self.piece(cell))
        if self.paved:
            return theme.large_piece_style(owner, board.white, board.ground, self.ground(cell))
        return theme.side(owner) if board.hexagonal else self.style(cell)

    def _draws_pile(self, cell: Cell) -> bool:
        return self.piled and cell[0] < self.rows

    def pile(self, cell: Cell, width: int, height: int) -> list[str]:
        """The lines of a cell with its pieces stacked from the nearer edge to the middle.

        The last piece has the marks, and the count if not all fit.
        """
        piece, count = self.piece(cell), self.board.counts.get(cell, 1)
        left, right = self.marks(cell)
        tip = f"{left}{count if count > height else self.sign(cell) or ' '}{right}"
        shape = self._shape(piece) if piece else ""
        lines = [f"{shape:^{width}}"] * (min(count, height) - 1 if piece else 0)
        lines.append(f"{tip:^{width}}")
        lines += [" " * width] * (height - len(lines))
        return lines if 2 * cell[0] < self.rows - 1 else lines[::-1]

    def mark(self, cell: Cell) -> str:
        """The key in `MARKS` of the cell's mark."""
        board = self.board
        if cell == self.cursor:
            return "cursor"
        if cell == self.selected:
            return "selected"
        if cell in board.line:
            return "line"
        if cell in board.last and not (cell in self.targets and self.selected):
            return "last"
        owner = board.owners.get(self.piece(cell))
        if owner is not None and board.owned.get(cell, owner) != owner:
            return "lost"
        return "target" if cell in self.targets else ""

    def marks(self, cell: Cell) -> tuple[str, str]:
        """The characters to the left and to the right of the sign."""
        mark = self.mark(cell)
        if mark == "target" and not self.piece(cell) and not (self.numbered and cell in self.board.names):
            mark = ""  # shown by its sign
        return MARKS[mark][0], MARKS[mark][1]

    def style(self, cell: Cell) -> str:
        """The style of the sign."""
        board, theme, piece = self.board, self.theme, self.piece(cell)
        if self.paved and cell[0] < self.rows:
            if piece:
                return theme.piece(board.owners.get(piece), board.white, board.ground, self.ground(cell))
            if self.mark(cell) and (self.selected or self.mark(cell) != "target"):
                return self.mark_style(cell)
            if cell in board.owned:
                return f"{theme.ink(board.owned[cell], board.white)} on {self.ground(cell)}"
            sign = "" if self.mark(cell) else board.inlays.get(cell, "")
            ink = theme.inlay_style(sign) if sign else theme.faint(board.ground)
            return f"{ink} on {self.ground(cell)}"
        if cell == self.cursor:
            return "bold reverse"
        owner = board.owners.get(piece)
        if owner is None and self.sign(cell)[-1:] in RED and theme.colour:
            return theme.red()
        return theme.chip_style(owner) if piece else ""

    def mark_style(self, cell: Cell) -> str:
        """The style of the marks and of the rest of the cell."""
        if self.paved and cell[0] < self.rows:
            return f"{self.theme.mark_style(self._mark_colour(cell))} on {self.ground(cell)}"
        return self.style(cell)

    def ground(self, cell: Cell) -> str:
        """The background colour of the cell."""
        dark = bool(self.piece(cell)) if self.board.ground == "tiles" else sum(cell) % 2
        return self.theme.ground(self.board.ground, dark, self._mark_colour(cell))

    def _mark_colour(self, cell: Cell) -> str:
        """The mark that colours the cell."""
        mark = self.mark(cell)
        if mark == "lost" or (mark == "target" and self.board.ground == "felt"):
            return ""  # shown by the sign or beside it
        if self.board.ground == "rack" and self.piece(cell):
            return ""  # no other colour contrasts as well with all discs
        return mark or ("" if self.piece(cell) else self.board.inlays.get(cell, ""))

    def text(self, cell: Cell, width: int, empty: str = " ") -> str:
        """Sign and marks, centred in `width` characters."""
        return "".join(words for words, _ in self.spans(cell, width, empty))

    def spans(self, cell: Cell, width: int, empty: str = " ") -> list[tuple[str, str]]:
        """Sign and marks as styled parts."""
        left, right = self.marks(cell)
        sign = self.sign(cell) or empty
        inner = left + sign + right
        if width < len(inner) and self.paved:
            words = left + sign if 1 < len(sign) < width else sign  # room for one mark only
            return [(f"{words:<{width}}", self.style(cell))]
        before = " " * ((width - len(inner)) // 2)
        after = " " * (width - len(inner) - len(before))
        style, around = self.style(cell), self.mark_style(cell)
        if self.chips and self.piece(cell) and cell[0] < self.rows and before:
            return [(before, around), (inner, style), (after, around)]  # the chip includes the marks
        return [(before + left, around), (sign, style), (right + after, around)]


def labels(board: Board, theme: "Theme") -> tuple[tuple[str, ...], ...]:
    """The labels above and below the columns and right of the rows; empty if hidden."""
    names = board.columns, board.feet, board.tails
    return names if theme.coordinates else tuple(("",) * len(each) for each in names)


def letter(board: Board, theme: "Theme", piece: str) -> str:
    """The sign of a piece, unique on its board."""
    if piece == BACK:
        return CARD_BACK if theme.unicode else piece
    return board.glyphs.get(piece, piece) if theme.unicode and theme.pieces != "letters" else piece
