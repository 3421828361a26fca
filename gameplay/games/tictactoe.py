# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Tic-tac-toe and other m,n,k games on a bitboard.  C types: tictactoe.pxd.

Rows lie one after another with a spare bit between them, so that no line wraps round an edge:

    bit   0  1  2  (3)        cell  0  1  2        name  a1 b1 c1
          4  5  6  (7)              3  4  5              a2 b2 c2
          8  9 10 (11)              6  7  8              a3 b3 c3

`pos` holds the stones of the side to move, `mask` all stones; a move is a cell.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.board import Board
from gameplay.errors import BadInput
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.shared import grid
from gameplay.games.shared.symmetry import canonical
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, ONE, gaps, lowest, popcount, runs
    from cython.cimports.gameplay.native.hashing import XX_2, spread
    from cython.cimports.gameplay.value import LOST, USER_DEFINED, WON
else:
    from gameplay.native.bits import M64, ONE, gaps, lowest, popcount, runs
    from gameplay.native.hashing import XX_2, spread
    from gameplay.value import LOST, USER_DEFINED, WON


class TicTacToe(Kernel):
    """Place stones in turn; a horizontal, vertical or diagonal line of them wins, or with `misere=on` loses.

    Cells are named from the top left: a1, b1, c1, then a2; on the 3x3 board also 1 to 9 in that order. A
    position is its rows from the top, x and o for stones and a dot for an empty cell: `x.o/.x./...`; the
    player to move follows from the count. With `players` 3 or 4 the board is 4x4.

    Evaluation: the lines (rows, columns, diagonals) still open to the player to move less those still open
    to the opponent, RCDC - RCDO.
    """

    sides = ("x", "o")
    evaluations = by_name(
        "tictactoe",
        Evaluation(
            "lines",
            "lines still open to the mover less those to the opponent",
            {"rows": 1, "columns": 1, "diagonals": 1},
            max_weight=100,
            scale=1,
        ),
        Evaluation("none", "0 until the end"),
    )
    has_noisy = True
    # None: the usual sizes of levels, for larger boards.
    levels = property(lambda self: () if self.width == self.height == 3 else None)
    cell_shape = property(lambda self: (self.height, self.width))
    cell_letters = ("", "X", "O")

    def __init__(
        self,
        width: cython.int = 3,
        height: cython.int = 3,
        line: cython.int = 3,
        players: cython.int = 2,
        misere: cython.bint = False,
    ):
        grid.check_pair(players, "TicTacToe")
        suffices = not cython.compiled or TicTacToe.fits(width, height, line)
        grid.check_board(width, height, line, "line", 26, suffices)
        Kernel.__init__(self, width * height)
        self.width = width
        self.height = height
        self.line = line
        self.row_weight = self.column_weight = self.diagonal_weight = 1
        self.misere = misere
        self.stride = width + 1
        self.count = width * height
        self.pos = 0
        self.mask = 0
        self.stones = 0
        if not cython.compiled:
            self.bit = [0] * self.count
        self.cells = 0
        i: cython.int
        for i in range(self.count):
            self.bit[i] = ONE << (i + i // width)
            self.cells |= self.bit[i]

    @staticmethod
    def for_players(players):
        """The class for a number of players."""
        if players == 2:
            return TicTacToe
        from gameplay.games.shared.rows import ManyTicTacToe

        return ManyTicTacToe

    @staticmethod
    def fits(width=3, height=3, line=3, players=2, misere=False):
        """True if the compiled board, of 64 bits, is large enough."""
        return grid.bits_suffice(height, width, line)

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        i: cython.int
        for i in range(self.count):
            if not self.mask & self.bit[i]:
                self.stack[base] = i
                base += 1
        return base

    def push(self, move):
        self.pos ^= self.mask
        self.mask |= self.bit[move]
        self.stones += 1
        self.turn ^= 1

    def pop(self, move):
        self.mask ^= self.bit[move]
        self.pos ^= self.mask
        self.stones -= 1
        self.turn ^= 1

    def result(self):
        if self.has_line(self.pos ^ self.mask):
            return WON if self.misere else LOST
        return 2 if self.stones == self.count else 0

    def has_line(self, p):
        """True if there is a line among these stones."""
        return (
            runs(p, 1, self.line) != 0
            or runs(p, self.stride, self.line) != 0
            or runs(p, self.stride + 1, self.line) != 0
            or runs(p, self.stride - 1, self.line) != 0
        )

    def playout(self, base, room):
        if base + self.count > self.capacity:
            self.extend(base + self.count)
        end: cython.int = base
        p: cython.ulonglong = self.pos
        free: cython.ulonglong = self.cells & ~self.mask
        turn: cython.int = self.turn
        o: cython.ulonglong = p ^ self.mask
        won: cython.bint = self.has_line(o)
        while free and not won:
            if end - base == room:
                self.finished = False
                return end
            skip: cython.int = cython.cast(cython.int, ((self.random_bits() >> 32) * popcount(free)) >> 32)
            cells: cython.ulonglong = free
            while skip:
                cells &= cells - 1
                skip -= 1
            place: cython.int = lowest(cells)
            free ^= ONE << place
            self.stack[end] = place - place // self.stride
            self.weight[end] = turn
            end += 1
            p, o = o, p | (ONE << place)
            turn ^= 1
            won = self.has_line(o)
        self.finished = True
        if self.misere:  # the side that made the line loses
            turn ^= 1
        self.gains[turn] = -self.c_unit if won else 0
        self.gains[turn ^ 1] = self.c_unit if won else 0
        return end

    def read_cells(self, codes):
        i: cython.int
        for i in range(self.count):
            codes[i] = 0
            if self.mask & self.bit[i]:
                codes[i] = 1 + (self.turn if self.pos & self.bit[i] else 1 - self.turn)

    def score(self):
        if self.evaluation_index:
            return self.user_score() if self.evaluation_index == USER_DEFINED else 0
        own: cython.ulonglong = self.cells & ~(self.pos ^ self.mask)
        opp: cython.ulonglong = self.cells & ~self.pos
        if self.misere:  # open lines are bad for their owner
            own, opp = opp, own
        return (
            self.row_weight * (popcount(runs(own, 1, self.line)) - popcount(runs(opp, 1, self.line)))
            + self.column_weight
            * (popcount(runs(own, self.stride, self.line)) - popcount(runs(opp, self.stride, self.line)))
            + self.diagonal_weight
            * (
                popcount(runs(own, self.stride + 1, self.line))
                + popcount(runs(own, self.stride - 1, self.line))
                - popcount(runs(opp, self.stride + 1, self.line))
                - popcount(runs(opp, self.stride - 1, self.line))
            )
        )

    def load_weights(self, evaluation):
        """Set the weights of lines."""
        if evaluation.weights:
            self.row_weight = evaluation.weights["rows"]
            self.column_weight = evaluation.weights["columns"]
            self.diagonal_weight = evaluation.weights["diagonals"]

    def winning_cells(self, p):
        return (
            (
                gaps(p, 1, self.line)
                | gaps(p, self.stride, self.line)
                | gaps(p, self.stride + 1, self.line)
                | gaps(p, self.stride - 1, self.line)
            )
            & self.cells
            & ~self.mask
        )

    def gen_noisy(self, base):
        self.is_forced = False
        if self.misere:
            return base
        cells: cython.ulonglong = self.winning_cells(self.pos)
        if not cells:
            cells = self.winning_cells(self.pos ^ self.mask)
            self.is_forced = cells != 0
        i: cython.int
        for i in range(self.count):
            if cells & self.bit[i]:
                self.stack[base] = i
                base += 1
        return base

    def hash(self):
        if self.count + self.height <= 32:
            return self.pos | (self.mask << 32)
        a: cython.ulonglong = spread(self.pos)
        b: cython.ulonglong = ((self.mask ^ (a >> 29)) * XX_2) & M64
        return a ^ b ^ (b >> 32)

    # -- for people ----------------------------------------------------------------------------

    def key(self):
        """The position; exact on boards of any size."""
        mask: object = self.mask
        return self.pos | (mask << (self.stride * self.height))

    def format(self, move):
        """The name of a cell: `b2`."""
        return grid.cell_name(move, self.width)

    def parse(self, text):
        """Parse a cell, `b2`, or 1 to 9 on the 3x3 board."""
        word = text.strip()
        if self.width == 3 and self.height == 3 and len(word) == 1 and word in "123456789":
            text = self.format(int(word) - 1)
        return Kernel.parse(self, text)

    def why_illegal(self, text):
        """The reason why a cell is illegal."""
        cell = grid.parse_cell(text, self.width, self.height)
        if cell is None:
            return grid.why_off_board(text, self.width, self.height)
        return f"{self.stone(cell)} is on {self.format(cell)} already"

    def stone(self, cell):
        """The stone on a cell: x, o or a dot."""
        if not self.mask & self.bit[cell]:
            return "."
        return "xo"[self.turn if self.pos & self.bit[cell] else 1 - self.turn]

    def text(self):
        """The rows from the top: `x.o/.x./...`."""
        rows = [
            "".join([self.stone(y * self.width + x) for x in range(self.width)]) for y in range(self.height)
        ]
        return "/".join(rows)

    def diagram(self):
        """The canonical rows under symmetry, then non-default rules."""
        rules = [f"line {self.line}"] * (self.line != 3) + ["misere"] * self.misere
        return " ".join([canonical(self.text().split("/")), *rules])

    def setup(self, text):
        """Rows as `text()` gives them, or the moves from the start."""
        stones = grid.parse_cells(text, self.width, self.height, "xo")
        if stones is None:
            Kernel.setup(self, text)
            return
        xs, os = grid.count_stones(text, stones, "xo")
        first = sum([int(self.bit[i]) for i in grid.cells_with(stones, "x")])
        second = sum([int(self.bit[i]) for i in grid.cells_with(stones, "o")])
        self.turn = xs - os
        self.mask = first | second
        self.pos = second if self.turn else first
        self.stones = xs + os
        self.made.clear()
        self.turn ^= 1
        self.pos ^= self.mask
        over = self.result() in (LOST, WON)
        self.turn ^= 1
        self.pos ^= self.mask
        if over:
            raise BadInput(f"'{text}': {'xo'[self.turn]} has a line and is to move; the game ended before")
        self.start = text

    def winning_line(self):
        """The cells of the lines that won."""
        p: cython.ulonglong = self.pos ^ self.mask
        cells = []
        for step in (1, self.stride, self.stride + 1, self.stride - 1):
            start: cython.ulonglong = runs(p, step, self.line)
            for i in range(self.count):
                if start & self.bit[i]:
                    row, column = divmod(i + i // self.width, self.stride)
                    across = 1 if step == 1 else step - self.stride
                    down = 0 if step == 1 else 1
                    cells += [(row + down * k, column + across * k) for k in range(self.line)]
        return tuple(dict.fromkeys(cells))

    def board(self, viewer=None, last=None):
        """The drawing of the position."""
        cells = [
            tuple([self.stone(y * self.width + x).upper().replace(".", "") for x in range(self.width)])
            for y in range(self.height)
        ]
        over = self.result() != 0
        return Board(
            cells=tuple(cells),
            columns=tuple([chr(97 + x) for x in range(self.width)]),
            rows=tuple([str(y + 1) for y in range(self.height)]),
            owners={"X": 0, "O": 1},
            last=() if last is None else (divmod(last, self.width),),
            line=self.winning_line() if over else (),
            moves={} if over else {divmod(move, self.width): (move,) for move in self.moves()},
        )

    def __str__(self):
        return self.text().replace("/", "\n")
