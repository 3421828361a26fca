# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Connect Four and tic-tac-toe for three and four players: `connect4:players=3`, `tictactoe:players=3`.

C types: rows.pxd.

Each player has a bitboard, laid out as in `connect4` and `tictactoe`, with a spare bit after each column or
row. The player who completes a line gets a unit from each of the others; without a line all get 0.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.board import Board
from gameplay.errors import BadInput
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.connect4 import notation
from gameplay.games.shared import grid
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, ONE, gaps, popcount, runs
    from cython.cimports.gameplay.native.hashing import XX_2, fold
    from cython.cimports.gameplay.value import SCORED, USER_DEFINED
else:
    from gameplay.native.bits import M64, ONE, gaps, popcount, runs
    from gameplay.native.hashing import XX_2, fold
    from gameplay.value import SCORED, USER_DEFINED

MAX_PLAYERS = 4  # colours that are easy to distinguish
LETTERS = "XOTS"  # cross, circle, triangle, square


class Rows(Kernel):
    """Base class of both games: stones, lines, payoffs, evaluation."""

    zero_sum = True
    unit = 100
    low = -1

    def __init__(self, players, lanes, length, connect):
        """`lanes`: columns or rows, each of `length` cells and a spare one."""
        if not 3 <= players <= MAX_PLAYERS:
            raise BadInput(f"players must be from 2 to {MAX_PLAYERS}, not {players}")
        self.players = players
        Kernel.__init__(self, lanes * length)
        self.lanes = lanes
        self.length = length
        self.line_length = connect
        self.stride = length + 1
        self.winner = -1
        self.mask = self.cells = 0
        self.chances_valid = False
        self.load_weights(self.evaluations["chances"])
        if not cython.compiled:
            self.stones = [0] * MAX_PLAYERS
            self.chances_of = [0] * MAX_PLAYERS
        lane: cython.int
        for lane in range(lanes):
            self.cells |= ((ONE << length) - 1) << (lane * self.stride)

    # -- slots ---------------------------------------------------------------------------------

    def place_stone(self, bit):
        """Place the mover's stone on an empty cell."""
        self.stones[self.turn] |= bit
        self.mask |= bit
        self.chances_valid = False
        if self.has_line(self.turn):
            self.winner = self.turn
        self.turn = (self.turn + 1) % self.players

    def has_line(self, player):
        """True if a player has a line."""
        p: cython.ulonglong = self.stones[player]
        return (
            runs(p, 1, self.line_length) != 0
            or runs(p, self.stride, self.line_length) != 0
            or runs(p, self.stride + 1, self.line_length) != 0
            or runs(p, self.stride - 1, self.line_length) != 0
        )

    def remove_stone(self, bit):
        """Remove the last stone."""
        self.turn = (self.turn + self.players - 1) % self.players
        self.stones[self.turn] ^= bit
        self.mask ^= bit
        self.winner = -1
        self.chances_valid = False

    def result(self):
        return SCORED if self.winner >= 0 or self.mask == self.cells else 0

    def points(self):
        return cython.cast(cython.int, self.payoff(self.turn))

    def payoff(self, player):
        if self.winner < 0:
            return 0.0
        return 1.0 * self.c_unit * (self.players - 1 if player == self.winner else -1)

    def null_move(self):
        self.turn = (self.turn + 1) % self.players
        return True

    def undo_null_move(self):
        self.turn = (self.turn + self.players - 1) % self.players

    def score(self):
        return self.score_for(self.turn)

    def score_for(self, player):
        """A player's share of the chances of all players, as a payoff: n times the share less 1."""
        if self.evaluation_index:
            return self.user_score_for(player) if self.evaluation_index == USER_DEFINED else 0
        k: cython.int
        if not self.chances_valid:
            self.all_chances = 0
            for k in range(self.players):
                self.chances_of[k] = self.compute_chance(k)
                self.all_chances += self.chances_of[k]
            self.chances_valid = True
        return self.c_unit * self.players * self.chances_of[player] // self.all_chances - self.c_unit

    def compute_chance(self, player):
        """A player's weight: open lines, and cells that complete one."""
        own: cython.ulonglong = self.stones[player]
        open: cython.ulonglong = self.cells & ~(self.mask ^ own)
        ready: cython.ulonglong = (
            gaps(own, 1, self.line_length)
            | gaps(own, self.stride, self.line_length)
            | gaps(own, self.stride + 1, self.line_length)
            | gaps(own, self.stride - 1, self.line_length)
        )
        return (
            1
            + popcount(runs(open, 1, self.line_length))
            + popcount(runs(open, self.stride, self.line_length))
            + popcount(runs(open, self.stride + 1, self.line_length))
            + popcount(runs(open, self.stride - 1, self.line_length))
            + self.ready_weight * popcount(ready & self.cells & ~self.mask)
        )

    def hash(self):
        mixed: cython.ulonglong = ((self.turn + 1) * XX_2) & M64
        i: cython.int
        for i in range(self.players):
            mixed = fold(mixed, self.stones[i])
            mixed = ((mixed ^ (mixed >> 31)) * XX_2) & M64
        return mixed ^ (mixed >> 29)

    # -- for people ----------------------------------------------------------------------------

    def load_weights(self, evaluation):
        """Set the weight of a cell that completes a line."""
        if evaluation.weights:
            self.ready_weight = evaluation.weights["ready"]

    @property
    def high(self):
        """The highest payoff."""
        return self.players - 1

    def key(self):
        """The position; exact on boards of any size."""
        return (self.turn, *[int(self.stones[i]) for i in range(self.players)])

    def letter(self, bit):
        """The letter of the stone on a cell, "" if it is empty."""
        for i in range(self.players):
            if self.stones[i] & bit:
                return LETTERS[i]
        return ""

    def line_cells(self):
        """The cells of the winning lines, as (lane, cell)."""
        if self.winner < 0:
            return []
        p: cython.ulonglong = self.stones[self.winner]
        cells = []
        for across, along in ((0, 1), (1, 0), (1, 1), (1, -1)):
            start: object = runs(p, across * self.stride + along, self.line_length)
            for i in range(self.lanes * self.stride):
                if (start >> i) & 1:
                    lane, cell = divmod(i, self.stride)
                    cells += [(lane + across * k, cell + along * k) for k in range(self.line_length)]
        return list(dict.fromkeys(cells))


def evaluations_of(game):
    """The evaluations of both games."""
    return by_name(
        game,
        Evaluation(
            "chances",
            "each player's share of all lines still open, and of the cells that complete one",
            weights={"ready": 8},
        ),
        Evaluation("none", "0 until the end"),
    )


class ManyConnect4(Rows):
    """Drop discs into columns in turn; the first of three or four players with four in a line wins.

    A move is a column, 1 from the left. A position is the columns played, as `44455`; on boards wider than
    nine with spaces between. The winner gets as many points as there are others, who lose one each.
    Evaluation: each player's share of the lines still open.
    """

    evaluations = evaluations_of("connect4")

    def __init__(
        self, columns: cython.int = 9, rows: cython.int = 6, connect: cython.int = 4, players: cython.int = 3
    ):
        suffices = not cython.compiled or grid.bits_suffice(columns, rows, connect)
        grid.check_board(columns, rows, connect, "connect", 64, suffices)
        Rows.__init__(self, players, columns, rows, connect)
        self.columns, self.rows, self.connect = columns, rows, connect
        self.sides = ("blue", "orange", "green", "purple")[:players]
        if not cython.compiled:
            self.centre_order, self.column_bottom, self.column_cells = (
                [0] * columns,
                [0] * columns,
                [0] * columns,
            )
        c: cython.int
        for c in range(columns):
            self.centre_order[c] = (columns - 1) // 2 + (
                (c + 1) // 2 if (c + columns) % 2 else -((c + 1) // 2)
            )
            self.column_bottom[c] = ONE << (c * self.stride)
            self.column_cells[c] = (self.column_bottom[c] << rows) - self.column_bottom[c]

    @staticmethod
    def fits(columns=9, rows=6, connect=4, players=3):
        """True if the compiled board, of 64 bits, is large enough."""
        return grid.bits_suffice(columns, rows, connect)

    def gen(self, base):
        i: cython.int
        for i in range(self.columns):
            if (self.mask & self.column_cells[self.centre_order[i]]) != self.column_cells[
                self.centre_order[i]
            ]:
                self.stack[base] = self.centre_order[i]
                base += 1
        return base

    def push(self, move):
        self.place_stone((self.mask & self.column_cells[move]) + self.column_bottom[move])

    def pop(self, move):
        column: cython.ulonglong = self.mask & self.column_cells[move]
        self.remove_stone((column + self.column_bottom[move]) >> 1)

    format, why_illegal, setup = notation.format_column, notation.why_illegal, notation.replay

    def text(self):
        """The columns played so far; None inside a search, which does not record its moves."""
        return notation.format_moves(self, popcount(self.mask), self.columns)

    def board(self, viewer=None, last=None):
        """The drawing of the position, top row first."""
        across, up = range(self.columns), range(self.rows - 1, -1, -1)
        cells = [tuple([self.letter(ONE << (c * self.stride + r)) for c in across]) for r in up]
        height = [sum([1 for row in cells if row[c]]) for c in across]
        legal = self.moves() if not self.result() else []
        return Board(
            cells=tuple(cells),
            columns=tuple([str(c + 1) for c in across]),
            rows=("",) * self.rows,
            owners={LETTERS[i]: i for i in range(self.players)},
            last=() if last is None else ((self.rows - height[last], last),),
            line=tuple([(self.rows - 1 - cell, lane) for lane, cell in self.line_cells()]),
            moves={(self.rows - 1 - height[move], move): (move,) for move in legal},
            ground="rack",
            glyphs=dict(zip(LETTERS, "●○▲■", strict=True)),
        )

    def __str__(self):
        return notation.drawing(self.board())


class ManyTicTacToe(Rows):
    """Place stones in turn; the first of three or four players with a line of them wins.

    Cells are named from the top left: a1, b1, c1, then a2. A position is its rows from the top, x, o, t and s
    for stones and a dot for an empty cell: `x.o./.t../..../....`; whose turn it is follows from the count.
    The winner gets as many points as there are others, who lose one each. Evaluation: each player's share of
    the lines still open.
    """

    evaluations = evaluations_of("tictactoe")

    def __init__(
        self, width: cython.int = 4, height: cython.int = 4, line: cython.int = 3, players: cython.int = 3
    ):
        suffices = not cython.compiled or grid.bits_suffice(height, width, line)
        grid.check_board(width, height, line, "line", 26, suffices)
        Rows.__init__(self, players, height, width, line)
        self.width, self.height, self.line = width, height, line
        self.sides = ("x", "o", "t", "s")[:players]

    @staticmethod
    def fits(width=4, height=4, line=3, players=3):
        """True if the compiled board, of 64 bits, is large enough."""
        return grid.bits_suffice(height, width, line)

    def bit(self, move):
        """The bit of a cell."""
        return ONE << (move + move // self.width)

    def gen(self, base):
        i: cython.int
        for i in range(self.width * self.height):
            if not self.mask & self.bit(i):
                self.stack[base] = i
                base += 1
        return base

    def push(self, move):
        self.place_stone(self.bit(move))

    def pop(self, move):
        self.remove_stone(self.bit(move))

    def format(self, move):
        """The name of a cell: `b2`."""
        return grid.cell_name(move, self.width)

    def why_illegal(self, text):
        """The reason why a cell is illegal."""
        cell = grid.parse_cell(text, self.width, self.height)
        if cell is None:
            return grid.why_off_board(text, self.width, self.height)
        return f"{self.letter(self.bit(cell)).lower()} is on {self.format(cell)} already"

    def text(self):
        """The rows from the top: `x.o./.t../..../....`."""
        count = range(self.height)
        return "/".join(
            ["".join([cell.lower() or "." for cell in row]) for row in [self.row_letters(y) for y in count]]
        )

    def row_letters(self, y):
        """A row of the board as letters."""
        return [self.letter(self.bit(y * self.width + x)) for x in range(self.width)]

    def setup(self, text):
        """Rows as `text()` gives them, or the moves from the start."""
        letters = LETTERS[: self.players].lower()
        stones = grid.parse_cells(text, self.width, self.height, letters)
        if stones is None:
            Kernel.setup(self, text)
            return
        counts = grid.count_stones(text, stones, letters)
        own = [sum([int(self.bit(i)) for i in grid.cells_with(stones, letter)]) for letter in letters]
        self.made.clear()
        self.turn, self.winner, self.chances_valid = sum(counts) % self.players, -1, False
        self.mask = sum(own)
        for i in range(self.players):
            self.stones[i] = own[i]
        for i in range(self.players):
            if self.has_line(i):
                if (i + 1) % self.players != self.turn:
                    raise BadInput(f"'{text}': {letters[i]} has a line; the game ended before the last move")
                self.winner = i
        self.start = text

    def board(self, viewer=None, last=None):
        """The drawing of the position."""
        over = self.result() != 0
        return Board(
            cells=tuple([tuple(self.row_letters(y)) for y in range(self.height)]),
            columns=tuple([chr(97 + x) for x in range(self.width)]),
            rows=tuple([str(y + 1) for y in range(self.height)]),
            owners={LETTERS[i]: i for i in range(self.players)},
            last=() if last is None else (divmod(last, self.width),),
            line=tuple(self.line_cells()),
            moves={} if over else {divmod(move, self.width): (move,) for move in self.moves()},
        )

    def __str__(self):
        return self.text().replace("/", "\n")
