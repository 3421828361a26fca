"""How one cell of a board looks: its sign, the marks on either side, its ink and what it stands on.

    last move   [X]     winning line   *X*     cursor   >X<     selected   (X)     may be moved to   +X+ or ∙

So everything can be told without colour.
"""

from typing import TYPE_CHECKING

from gameplay.position import BACK, Board, Cell

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

REVERSE = "▒"  # the back of a card, where there is more than ASCII

MARKS = {"cursor": "><", "selected": "()", "line": "**", "last": "[]", "target": "++", "": "  "}


class Look:
    """The cells of a board in a theme, while the cursor is on one and one is selected."""

    def __init__(
        self,
        board: Board,
        theme: "Theme",
        cursor: Cell | None = None,
        selected: Cell | None = None,
        piled: bool = False,
    ) -> None:
        """`piled`: what lies on one another in a cell is drawn one above the other."""
        self.board = board
        self.theme = theme
        self.cursor = cursor
        self.selected = selected
        self.rows = len(board.cells)
        self.stacks = any(cell[0] < self.rows for cell in board.counts)
        self.piled = piled and self.stacks
        self.numbered = bool(board.names) and not any(board.columns)  # empty cells show their names
        self.paved = bool(board.ground) and theme.colour
        self.targets: frozenset[Cell] = frozenset()
        if selected is not None:
            self.targets = frozenset(board.targets(selected))
        elif board.ground == "felt":
            self.targets = frozenset(board.moves)
        signs = [len(self.sign((y, x))) for y, row in enumerate(board.cells) for x in range(len(row))]
        names = [len(name) for cell, name in board.names.items() if self.numbered and cell[0] < self.rows]
        self.width = max([1, *signs, *map(len, (*board.columns, *board.feet)), *names])

    def piece(self, cell: Cell) -> str:
        """The letter that stands there, or an empty string."""
        return self.board.piece(cell) or ""

    def sign(self, cell: Cell) -> str:
        """What is written into the cell."""
        board, piece = self.board, self.piece(cell)
        if piece:
            count = board.counts.get(cell, 1)
            return letter(board, self.theme, piece) + (
                str(count) if count > 1 and not self._piles(cell) else ""
            )
        if self.numbered and cell in board.names:
            return board.names[cell]
        if cell in self.targets:
            return "∙" if self.paved and self.theme.unicode else "+"
        if board.links and board.piece(cell) is not None:
            return "∙" if self.theme.unicode else "."
        bare = board.ground == "chequered" and not self.paved
        return "." if bare and sum(cell) % 2 and not board.names else ""

    def _piles(self, cell: Cell) -> bool:
        return self.piled and cell[0] < self.rows

    def pile(self, cell: Cell, width: int, height: int) -> list[str]:
        """So many lines of a cell: what lies in it one above the other, from the nearer edge to the middle.

        The last one has the marks, and says how many there are where there is no room for all.
        """
        piece, count = self.piece(cell), self.board.counts.get(cell, 1)
        left, right = self.marks(cell)
        tip = f"{left}{count if count > height else self.sign(cell) or ' '}{right}"
        one = letter(self.board, self.theme, piece) if piece else ""
        lines = [f"{one:^{width}}"] * (min(count, height) - 1 if piece else 0)
        lines.append(f"{tip:^{width}}")
        lines += [" " * width] * (height - len(lines))
        return lines if 2 * cell[0] < self.rows - 1 else lines[::-1]

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
        if mark == "target" and not self.piece(cell) and not (self.numbered and cell in self.board.names):
            mark = ""  # its sign says so
        return MARKS[mark][0], MARKS[mark][1]

    def style(self, cell: Cell) -> str:
        """The colours of the sign, and of the cell round it."""
        board, theme, piece = self.board, self.theme, self.piece(cell)
        if self.paved and cell[0] < self.rows:
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

    def text(self, cell: Cell, width: int, empty: str = " ") -> str:
        """Sign and marks, in the middle of so many characters."""
        left, right = self.marks(cell)
        return f"{left + (self.sign(cell) or empty) + right:^{width}}"


def letter(board: Board, theme: "Theme", piece: str) -> str:
    """How a piece is written."""
    if piece == BACK:
        return REVERSE if theme.unicode else piece
    return board.glyphs.get(piece, piece) if theme.unicode else piece
