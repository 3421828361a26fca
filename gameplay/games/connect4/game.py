# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Connect Four on a bitboard.  C types: game.pxd.

Columns follow one another, each from the bottom up with a spare bit on top, so that no line wraps round an
edge and an addition drops a stone (after John Tromp and Pascal Pons):

    bit    5 12 19 26 33 40 47        `pos` holds the stones of the side to move, `mask` all stones.
           4 11 18 25 32 39 46        mask + bottom has exactly one bit in each column: the next free cell.
           3 10 17 24 31 38 45        pos + mask identifies the position: it is the key.
           2  9 16 23 30 37 44
           1  8 15 22 29 36 43        A move is a column, from 0.
           0  7 14 21 28 35 42
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.board import Board
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.connect4 import notation
from gameplay.games.shared import grid
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, four, gaps, lowest, popcount, runs
    from cython.cimports.gameplay.value import USER_DEFINED
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.native.bits import ONE, four, gaps, lowest, popcount, runs
    from gameplay.value import USER_DEFINED


class Connect4(Kernel):
    """Drop discs into columns in turn; four in a horizontal, vertical or diagonal line win.

    A move is a column, 1 from the left. A position is the columns played, `44455`; on boards wider than nine
    with spaces between, `10 4 4`. The first player's discs are X, blue; the second's are O, orange. With
    `players` 3 or 4 the board has nine columns.

    Evaluation: open lines, and threats by the parity of their row, of the player to move less the
    opponent's.
    """

    sides = ("blue", "orange")
    aliases = {"red": 0, "yellow": 1, "x": 0, "o": 1}
    evaluations = by_name(
        "connect4",
        Evaluation(
            "threats",
            "lines still open, and threats by the parity of their row",
            # A threat is an empty cell that completes a line. The first player gets the last odd row and the
            # second the last even row if both wait (Allis 1988): such a threat counts more.
            weights={"open_lines": 1, "right_row": 12, "wrong_row": 5},
            version=2,
            scale=1,
        ),
        Evaluation("none", "0 until the end"),
    )
    has_noisy = has_leaf = True
    cell_shape = property(lambda self: (self.rows, self.columns))
    cell_letters = ("", "X", "O", "")  # the last: where a disc would land now (Thill, Koch and Konen 2012)

    def __init__(
        self, columns: cython.int = 7, rows: cython.int = 6, connect: cython.int = 4, players: cython.int = 2
    ):
        grid.check_pair(players, "Connect4")
        suffices = not cython.compiled or Connect4.fits(columns, rows, connect)
        grid.check_board(columns, rows, connect, "connect", 64, suffices)
        Kernel.__init__(self, columns)
        self.columns = columns
        self.rows = rows
        self.connect = connect
        self.stride = rows + 1
        self.is_standard = connect == 4 and rows == 6 and columns == 7
        self.pos = 0
        self.mask = 0
        if not cython.compiled:
            self.centre_order = [0] * columns
            self.column_bottom = [0] * columns
            self.column_cells = [0] * columns
            self.column_top = [0] * columns
        self.bottom = 0
        self.cells = 0
        self.odd_rows = 0
        self.top_cells = 0
        c: cython.int
        r: cython.int
        for c in range(columns):
            # 3 2 4 1 5 0 6
            self.centre_order[c] = (columns - 1) // 2 + (
                (c + 1) // 2 if (c + columns) % 2 else -((c + 1) // 2)
            )
            self.column_bottom[c] = ONE << (c * self.stride)
            self.column_cells[c] = (self.column_bottom[c] << rows) - self.column_bottom[c]
            self.bottom |= self.column_bottom[c]
            for r in range(rows):
                self.cells |= ONE << (c * self.stride + r)
                if r % 2 == 0:
                    self.odd_rows |= ONE << (c * self.stride + r)
        self.load_weights(self.evaluations["threats"])
        for c in range(columns):
            self.column_top[c] = self.column_bottom[self.centre_order[c]] << (rows - 1)
            self.top_cells |= self.column_top[c]

    @staticmethod
    def for_players(players):
        """The class for a number of players."""
        if players == 2:
            return Connect4
        from gameplay.games.shared.rows import ManyConnect4

        return ManyConnect4

    @staticmethod
    def fits(columns=7, rows=6, connect=4, players=2):
        """True if the compiled board, of 64 bits, is large enough."""
        return grid.bits_suffice(columns, rows, connect)

    def solver(self, size):
        """The solver for this board; None if it is not solvable."""
        if self.connect != 4 or self.columns * self.stride > 63:
            return None
        from gameplay.games.connect4.solver import Connect4Solver

        return Connect4Solver(self.columns, self.rows, size)

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        i: cython.int
        if self.is_standard and not self.mask & self.top_cells:  # all seven, copied at once
            if cython.compiled:
                memcpy(cython.address(self.stack[base]), self.centre_order, 7 * cython.sizeof(cython.int))
            else:
                self.stack[base : base + 7] = self.centre_order
            return base + 7
        for i in range(self.columns):
            if not self.mask & self.column_top[i]:
                self.stack[base] = self.centre_order[i]
                base += 1
        return base

    def push(self, move):
        self.pos ^= self.mask
        self.mask |= self.mask + self.column_bottom[move]
        self.turn ^= 1

    def pop(self, move):
        floor: cython.ulonglong = self.column_bottom[move]
        column: cython.ulonglong = self.mask & self.column_cells[move]
        self.mask ^= (column + floor) >> 1
        self.pos ^= self.mask
        self.turn ^= 1

    def result(self):
        # Separate code for the standard board: constant shifts are faster.
        if not self.is_standard:
            return self.result_any_size()
        if four(self.pos ^ self.mask, 7):
            return 1
        return 2 if self.mask == self.cells else 0

    def result_any_size(self):
        """The result on boards of any size."""
        p: cython.ulonglong = self.pos ^ self.mask
        if (
            runs(p, 1, self.connect)
            or runs(p, self.stride, self.connect)
            or runs(p, self.stride + 1, self.connect)
            or runs(p, self.stride - 1, self.connect)
        ):
            return 1
        return 2 if self.mask == self.cells else 0

    def winning_cells(self, p):
        """The cells that complete a line of `p`, some perhaps taken."""
        if self.connect == 4:
            cells: cython.ulonglong = (p << 1) & (p << 2) & (p << 3)
            i: cython.int
            s: cython.int
            two: cython.ulonglong
            for i in range(-1, 2):
                s = self.stride + i
                two = (p << s) & (p << (2 * s))
                cells |= two & ((p << (3 * s)) | (p >> s))
                two = (p >> s) & (p >> (2 * s))
                cells |= two & ((p << s) | (p >> (3 * s)))
        else:
            cells = (
                gaps(p, 1, self.connect)
                | gaps(p, self.stride, self.connect)
                | gaps(p, self.stride + 1, self.connect)
                | gaps(p, self.stride - 1, self.connect)
            )
        return cells & self.cells

    def count_lines(self, p):
        """The number of lines within `p`."""
        return (
            popcount(runs(p, 1, self.connect))
            + popcount(runs(p, self.stride, self.connect))
            + popcount(runs(p, self.stride + 1, self.connect))
            + popcount(runs(p, self.stride - 1, self.connect))
        )

    def read_cells(self, codes):
        free: cython.ulonglong = (self.mask + self.bottom) & self.cells
        row: cython.int
        column: cython.int
        place: cython.int = 0
        for row in range(self.rows - 1, -1, -1):
            for column in range(self.columns):
                bit: cython.ulonglong = ONE << (column * self.stride + row)
                if self.mask & bit:
                    codes[place] = 1 + (self.turn if self.pos & bit else 1 - self.turn)
                else:
                    codes[place] = 3 if free & bit else 0
                place += 1

    def score(self):
        if self.evaluation_index:
            return self.user_score() if self.evaluation_index == USER_DEFINED else 0
        return self.static_value(self.pos, self.mask, self.turn)

    def static_value(self, own, mask, turn):
        """The static evaluation for the mover, whose stones are `own` of `mask`."""
        opp: cython.ulonglong = own ^ mask
        value: cython.int = self.count_lines(self.cells & ~opp) - self.count_lines(self.cells & ~own)
        own_wins: cython.ulonglong = self.winning_cells(own) & ~mask
        opp_wins: cython.ulonglong = self.winning_cells(opp) & ~mask
        right: cython.ulonglong = self.odd_rows if turn == 0 else ~self.odd_rows
        return (
            self.open_lines * value
            + self.right_row * (popcount(own_wins & right) - popcount(opp_wins & ~right))
            + self.wrong_row * (popcount(own_wins & ~right) - popcount(opp_wins & right))
        )

    def leaf(self, move):
        if not self.is_standard or self.evaluation_index == USER_DEFINED:
            return False
        mask: cython.ulonglong = self.mask | (self.mask + self.column_bottom[move])
        if mask == self.cells or four(self.pos | (mask ^ self.mask), 7):
            return False
        self.leaf_score = (
            0 if self.evaluation_index else -self.static_value(self.pos ^ self.mask, mask, self.turn ^ 1)
        )
        return True

    def load_weights(self, evaluation):
        """Set the weights of threats."""
        if evaluation.weights:
            self.open_lines = evaluation.weights["open_lines"]
            self.right_row = evaluation.weights["right_row"]
            self.wrong_row = evaluation.weights["wrong_row"]

    def playout(self, base, room):
        if not self.is_standard:
            return Kernel.playout(self, base, room)
        if base + 42 > self.capacity:
            self.extend(base + 42)
        end: cython.int = base
        p: cython.ulonglong = self.pos
        mask: cython.ulonglong = self.mask
        turn: cython.int = self.turn
        random_bits: cython.ulonglong = 0
        digits_left: cython.int = 0  # octal digits left in `random_bits`
        won: cython.bint = four(p ^ mask, 7)
        while not won and mask != self.cells:
            if end - base == room:
                self.finished = False
                return end
            column: cython.int = 7
            while column == 7 or mask & (ONE << (7 * column + 5)):
                if not digits_left:
                    random_bits = self.random_bits()
                    digits_left = 21
                column = random_bits & 7
                random_bits >>= 3
                digits_left -= 1
            self.stack[end] = column
            self.weight[end] = turn
            end += 1
            p ^= mask
            mask |= mask + (ONE << (7 * column))
            turn ^= 1
            won = four(p ^ mask, 7)
        self.finished = True
        self.gains[turn] = -self.c_unit if won else 0
        self.gains[turn ^ 1] = self.c_unit if won else 0
        return end

    def gen_noisy(self, base):
        free: cython.ulonglong = (self.mask + self.bottom) & self.cells
        cells: cython.ulonglong = self.winning_cells(self.pos) & free
        self.is_forced = False
        if not cells:
            cells = self.winning_cells(self.pos ^ self.mask) & free
            self.is_forced = cells != 0
        while cells:
            self.stack[base] = lowest(cells) // self.stride
            base += 1
            cells &= cells - 1
        return base

    def hash(self):
        return self.pos + self.mask

    def canonical_key(self):
        """The lesser key of the position and its mirror image."""
        key: cython.ulonglong = self.hash()
        other: cython.ulonglong = 0
        c: cython.int
        for c in range(self.columns):
            other = other << self.stride | (key >> (c * self.stride) & ((ONE << self.stride) - 1))
        return min(key, other)

    # -- for people ----------------------------------------------------------------------------

    format, why_illegal, setup = notation.format_column, notation.why_illegal, notation.replay

    def text(self):
        """The columns played so far: `44455`; None inside a search, which does not record its moves."""
        return notation.format_moves(self, popcount(self.mask), self.columns)

    def diagram(self):
        """The canonical rows from the top under mirroring, then non-default rules."""
        across, up = range(self.columns), range(self.rows - 1, -1, -1)
        rows = ["".join([self.stone(c, r).lower() or "." for c in across]) for r in up]
        rules = f" connect {self.connect}" if self.connect != 4 else ""
        return min("/".join(rows), "/".join([row[::-1] for row in rows])) + rules

    def stone(self, column, row):
        """X, O or nothing, `row` 0 at the bottom."""
        bit: cython.ulonglong = ONE << (column * self.stride + row)
        if not self.mask & bit:
            return ""
        return "XO"[self.turn if self.pos & bit else 1 - self.turn]

    def winning_line(self):
        """The cells of the winning lines, as (row from the top, column)."""
        p: cython.ulonglong = self.pos ^ self.mask
        cells = []
        for across, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            start: cython.ulonglong = runs(p, across * self.stride + up, self.connect)
            for i in range(self.columns * self.stride):
                if (start >> i) & 1:
                    column, row = divmod(i, self.stride)
                    cells += [
                        (self.rows - 1 - row - up * k, column + across * k) for k in range(self.connect)
                    ]
        return tuple(dict.fromkeys(cells))

    def board(self, viewer=None, last=None):
        """The drawing of the position, the top row first."""
        cells = [tuple([self.stone(c, r) for c in range(self.columns)]) for r in range(self.rows - 1, -1, -1)]
        height = [sum([1 for row in cells if row[c]]) for c in range(self.columns)]
        legal = self.moves() if not self.result() else []
        return Board(
            cells=tuple(cells),
            columns=tuple([str(c + 1) for c in range(self.columns)]),
            rows=("",) * self.rows,
            owners={"X": 0, "O": 1},
            last=() if last is None else ((self.rows - height[last], last),),
            line=self.winning_line() if self.result() == 1 else (),
            moves={(self.rows - 1 - height[move], move): (move,) for move in legal},
            ground="rack",
            glyphs={"X": "●", "O": "○"},
        )

    def __str__(self):
        return notation.drawing(self.board())
