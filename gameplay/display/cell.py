"""How one cell of a board looks: its sign, the marks on either side, its ink and what it stands on.

    last move   [X]     winning line   *X*     cursor   >X<     selected   (X)     may be moved to   +X+ or ∙

So everything can be told without colour.
"""

from typing import TYPE_CHECKING

from gameplay.position import Board, Cell

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

MARKS = {"cursor": "><", "selected": "()", "line": "**", "last": "[]", "target": "++", "": "  "}


class Look:
    """The cells of a board in a theme, while the cursor is on one and one is selected."""

    def __init__(
        self, board: Board, theme: "Theme", cursor: Cell | None = None, selected: Cell | None = None
    ) -> None:
        self.board = board
        self.theme = theme
        self.cursor = cursor
        self.selected = selected
        self.paved = bool(board.ground) and theme.colour
        self.targets: frozenset[Cell] = frozenset()
        if selected is not None:
            self.targets = frozenset(board.targets(selected))
        elif board.ground == "felt":
            self.targets = frozenset(board.moves)
        signs = [len(self.sign((y, x))) for y, row in enumerate(board.cells) for x in range(len(row))]
        self.width = max([1, *signs, *map(len, board.columns), *map(len, board.names.values())])

    def piece(self, cell: Cell) -> str:
        """The letter that stands there, or an empty string."""
        return self.board.piece(cell) or ""

    def sign(self, cell: Cell) -> str:
        """What is written into the cell."""
        board, piece = self.board, self.piece(cell)
        if piece:
            return letter(board, self.theme, piece)
        if cell in board.names:
            return board.names[cell]
        if cell in self.targets:
            return "∙" if self.paved and self.theme.unicode else "+"
        bare = board.ground == "chequered" and not self.paved
        return "." if bare and sum(cell) % 2 and not board.names else ""

    def mark(self, cell: Cell) -> str:
        """What is to be said of the cell, as a key of `MARKS`."""
        board = self.board
        if cell == self.cursor:
            return "cursor"
        if cell == self.selected:
            return "selected"
        if cell in board.line:
            return "line"
        if cell in board.last and not (cell in self.targets and self.selected):
            return "last"
        return "target" if cell in self.targets else ""

    def marks(self, cell: Cell) -> tuple[str, str]:
        """The characters to the left and to the right of the sign."""
        mark = self.mark(cell)
        if mark == "target" and not self.piece(cell) and cell not in self.board.names:
            mark = ""  # its sign says so
        return MARKS[mark][0], MARKS[mark][1]

    def style(self, cell: Cell) -> str:
        """The colours of the sign, and of the cell round it."""
        board, theme, piece = self.board, self.theme, self.piece(cell)
        if self.paved:
            ink = theme.faint(board.ground)
            if piece:
                ink = theme.ink(board.owners.get(piece), board.white)
            elif self.mark(cell) and (self.selected or self.mark(cell) != "target"):
                ink = theme.ink(0, 0)
            return f"{ink} on {self.ground(cell)}"
        if cell == self.cursor:
            return "bold reverse"
        return theme.stone(board.owners.get(piece)) if piece else ""

    def ground(self, cell: Cell) -> str:
        """The colour of the cell itself."""
        mark = self.mark(cell)
        if mark == "target" and self.board.ground == "felt":
            mark = ""
        return self.theme.ground(self.board.ground, sum(cell) % 2, mark)

    def text(self, cell: Cell, width: int) -> str:
        """Sign and marks, in the middle of so many characters."""
        left, right = self.marks(cell)
        return f"{left + (self.sign(cell) or ' ') + right:^{width}}"


def letter(board: Board, theme: "Theme", piece: str) -> str:
    """How a piece is written."""
    return board.glyphs.get(piece, piece) if theme.unicode else piece
