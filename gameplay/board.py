"""The drawing model: what a display needs to draw a position.  `Position.board` returns it."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec
from msgspec import structs

Cell = tuple[int, int]  # (row from the top, column from the left)

BACK = "?"  # a card or piece that is seen from behind


RENDERER = "gameplay.display.pages.notebook"  # draws for notebooks: the one place below `cli` that names it


class Displayed:
    """An object that notebooks display as a picture or a table: positions, reports, reviews, runs, trees.

    The drawing module is loaded on first display in a notebook, never in other programs.
    """

    __slots__ = tuple[str, ...]()

    def _repr_svg_(self) -> str | None:
        """For notebooks: a picture, None where there is none."""
        picture: str | None = import_module(RENDERER).svg(self)
        return picture

    def _repr_html_(self) -> str | None:
        """For notebooks: HTML without scripts, None where there is a picture instead."""
        page: str | None = import_module(RENDERER).html(self)
        return page


class Tray(msgspec.Struct, frozen=True):
    """A row of things beside the cells: a hand of cards, the bar, borne-off checkers, the dice.

    things: letters as in a board's cells; "": empty; `BACK`: hidden.
    """

    name: str  # "your hand", "bar", "dice"
    things: tuple[str, ...]
    above: bool = False  # above the cells, else below


class Square(msgspec.Struct, frozen=True):
    """The text on a square of a ring besides its sign."""

    title: str
    group: int = -1  # the squares of a group have a colour; -1: none
    state: str = ""  # the owner and houses behind a player who stands there, or the price


class TableSeat(msgspec.Struct, frozen=True):
    """A player at the table."""

    player: int
    name: str  # "south", "south (you)"
    hand: tuple[int, ...] = ()  # its tray; of many cards four of them, a suit each from spades down
    hidden: int = 0  # cards seen from behind
    note: str = ""  # "dummy", "3 points"
    card: str = ""  # the card played to the trick
    turn: bool = False  # the next card or call comes from here

    def with_(self, **changes: Any) -> "TableSeat":
        """A copy with some fields replaced."""
        return structs.replace(self, **changes)


class AuctionTable(msgspec.Struct, frozen=True):
    """The calls in rows: a column a player, "" before the first call, "?" for the call to come."""

    players: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class CardTable(msgspec.Struct, frozen=True):
    """The layout of a card table: the first seat is at the bottom, the others follow clockwise.

    Hands and the bidding box are trays of the board: their cards and calls are cells that can be pointed at.
    The table never holds a card that its viewer may not see.
    """

    seats: tuple[TableSeat, ...]
    facts: tuple[str, ...] = ()  # above the table: the contract, the number of the trick, who led
    leader: int = 0  # of the trick: a place in `seats`
    winner: int | None = None  # of a complete trick: the seat that took it, by its place in `seats`
    auction: AuctionTable | None = None  # in place of the trick
    box: tuple[int, ...] = ()  # trays of the bidding box
    choices: str = ""  # the bidding box in words
    middle: tuple[str, tuple[str, ...]] | None = None  # in place of the trick: a title and cards, "" to come
    foot: tuple[str, ...] = ()  # below the table


class Board(msgspec.Struct, frozen=True):
    """The data for drawing a position: cells in rows, the first row on top, and trays beside them.

    `cells` holds "" for an empty cell, None where there is no cell, else a piece's letter; `owners` gives
    the player it belongs to (None: no player). Tray t has cells too, in row len(cells) + t.
    `moves` maps a cell to the legal moves a player means by pointing at it. Where pieces travel that is
    the cell they leave, and `paths` lists the cells they come to; a move that can be entered from either end,
    as that of a ship, is at both.
    """

    cells: tuple[tuple[str | None, ...], ...] = ()
    columns: tuple[str, ...] = ()  # labels from the left, above the cells
    rows: tuple[str, ...] = ()  # labels from the top; empty strings where a game has none
    owners: dict[str, int] = {}  # piece letter -> player
    last: tuple[Cell, ...] = ()  # where the last move was made
    line: tuple[Cell, ...] = ()  # the cells that won
    moves: dict[Cell, tuple[int, ...]] = {}
    paths: dict[int, tuple[Cell, ...]] = {}  # legal move -> cells, the last its end
    names: dict[Cell, str] = {}  # what cells are called, if not by column and row
    # "chequered" (upper left cell light, rotated for the opponent of `white`), "felt" (legal cells marked),
    # "rack" (holes), "points" (piles), "goban" (lines on wood, with `links`), "tiles" (letters on tiles of
    # their own colour, with `inlays`)
    ground: str = ""
    white: int | None = None  # the player with the white pieces, against black; None: a colour per player
    glyphs: dict[str, str] = {}  # piece letter -> a nicer sign, one column wide
    taken: dict[int, str] = {}  # player -> letters of the pieces they captured
    notes: dict[int, str] = {}  # player -> how they stand: "12 discs", "+3"
    captions: dict[int, str] = {}  # on a grid: column -> a text above the labels
    feet: tuple[str, ...] = ()  # labels below the columns, where the lowest cells are called otherwise
    tails: tuple[str, ...] = ()  # labels on the right of the rows, in the same way
    squares: dict[Cell, Square] = {}  # of a ring, around an empty middle
    middle: tuple[str, ...] = ()  # lines in the middle of a ring; without room there, behind `facts`
    facts: tuple[str, ...] = ()  # lines beside the board on what its cells have no room for: who owns what
    counts: dict[Cell, int] = {}  # where pieces lie on one another: how many do
    links: tuple[tuple[Cell, Cell], ...] = ()  # lines between cells: then these are points, not squares
    stars: tuple[Cell, ...] = ()  # with links: empty points that are marked
    trays: tuple[Tray, ...] = ()
    walls: tuple[int, ...] = ()  # on "points": the columns that have a wall on their left
    arrows: dict[str, int] = {}  # up, down, left, right: legal moves of those keys
    hexagonal: bool = False  # rows lie half a cell beside one another: every other column of each is None
    # For moves of several steps that can be entered one by one: legal move -> its sequences of steps, each
    # from a cell to a cell, in any order; and the cell that a player's piece goes to when it is hit.
    steps: dict[int, tuple[tuple[tuple[Cell, Cell], ...], ...]] = {}
    hit: dict[int, Cell] = {}
    owned: dict[Cell, int] = {}  # whose points seem to be, of cells with stones too
    ranks: dict[Cell, int] = {}  # empty cells that a search looks at most, from 1
    values: dict[str, int] = {}  # piece letter -> a number written small beside it
    inlays: dict[Cell, str] = {}  # cells of another kind: the sign of an empty one
    table: CardTable | None = None  # arrangement of trays of cards; None: above and below the cells

    def piece(self, cell: Cell) -> str | None:
        """The letter that stands there; "" where nothing does, None where there is no such cell."""
        row, column = cell
        things = self.cells[row] if row < len(self.cells) else self.trays[row - len(self.cells)].things
        return things[column]

    def holds(self, cell: Cell) -> bool:
        """True if there is such a cell, in the rows or in a tray."""
        row, column = cell
        if not 0 <= row < len(self.cells) + len(self.trays) or column < 0:
            return False
        things = self.cells[row] if row < len(self.cells) else self.trays[row - len(self.cells)].things
        return column < len(things) and things[column] is not None

    def places(self) -> list[Cell]:
        """Every cell, row by row, those of the trays last."""
        rows = [*self.cells, *(tray.things for tray in self.trays)]
        return [(y, x) for y, row in enumerate(rows) for x, piece in enumerate(row) if piece is not None]

    def cell_name(self, cell: Cell) -> str:
        """The name of a cell for users: its number, its column and row ("e4"), or its tray."""
        if cell in self.names:
            return self.names[cell]
        if cell[0] < len(self.cells):
            return self.columns[cell[1]] + self.rows[cell[0]]
        return self.trays[cell[0] - len(self.cells)].name

    def lattice(self) -> bool:
        """True if all links go to the next point of a row or a column: the lines of a board of Go."""
        return bool(self.links) and all(abs(y - v) + abs(x - u) == 1 for (y, x), (v, u) in self.links)

    def find(self, word: str) -> Cell | None:
        """The cell that people call so; None: there is none, or it has no name."""
        if not word:
            return None
        return next((cell for cell in self.places() if self.cell_name(cell).lower() == word.lower()), None)

    def targets(self, cell: Cell) -> dict[Cell, tuple[int, ...]]:
        """The destinations of the piece on a cell, each with the moves that lead there."""
        targets: dict[Cell, tuple[int, ...]] = {}
        for move in self.moves.get(cell, ()):
            if move in self.steps:
                for end in {end for path in self.steps[move] for start, end in path if start == cell}:
                    targets[end] = (*targets.get(end, ()), move)
            elif move in self.paths:
                end = self.paths[move][-1]
                if end == cell:  # of a ship, say: the move may be entered from either end
                    starts = (start for start, moves in self.moves.items() if move in moves and start != cell)
                    end = next(starts, end)
                targets[end] = (*targets.get(end, ()), move)
        return targets

    def after(self, entered_steps: Sequence[tuple[Cell, Cell]]) -> "Board":
        """The board after these steps of a move have been entered, with the moves they can still become."""
        if not entered_steps:
            return self
        steps: dict[int, tuple[tuple[tuple[Cell, Cell], ...], ...]] = {}
        for move, lines in self.steps.items():
            rest = [_without(line, entered_steps) for line in lines]
            if any(steps_left is not None for steps_left in rest):
                steps[move] = tuple(steps_left for steps_left in rest if steps_left is not None)
        cells, counts = [list(row) for row in self.cells], dict(self.counts)
        for start, end in entered_steps:
            piece = cells[start[0]][start[1]] or ""
            for cell in (start, end) if cells[end[0]][end[1]] not in ("", piece) else (start,):
                self._lift(cells, counts, cell, piece)
            cells[end[0]][end[1]] = piece
            counts[end] = counts.get(end, 0) + 1
        moves: dict[Cell, tuple[int, ...]] = {}
        for move, lines in steps.items():
            for cell in sorted({start for line in lines for start, _ in line}):
                if cells[cell[0]][cell[1]]:
                    moves[cell] = (*moves.get(cell, ()), move)
        paths = {move: path for move, path in self.paths.items() if move in steps}
        ends = tuple(end for _, end in entered_steps)
        rows = tuple(tuple(row) for row in cells)
        return structs.replace(
            self, cells=rows, counts=counts, moves=moves, paths=paths, steps=steps, last=ends
        )

    def _lift(self, cells: list[list[str | None]], counts: dict[Cell, int], cell: Cell, mover: str) -> None:
        """Take a piece from a cell; one that is not the mover's goes where hit pieces go."""
        row, column = cell
        piece = cells[row][column] or ""
        counts[cell] = counts.get(cell, 1) - 1
        if not counts[cell]:
            cells[row][column] = ""
            del counts[cell]
        out = self.hit.get(self.owners.get(piece, -1))
        if piece != mover and out is not None:
            cells[out[0]][out[1]] = piece
            counts[out] = counts.get(out, 0) + 1


def _without(path: Sequence[tuple[Cell, Cell]], entered_steps: Sequence[tuple[Cell, Cell]]) -> Any:
    """The steps of a path after the entered ones; None if they do not belong to it."""
    rest = list(path)
    for step in entered_steps:
        if step not in rest:
            return None
        rest.remove(step)
    return tuple(rest)
