# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Sliding tiles: the 15-puzzle, and boards of other sizes.  C types: game.pxd.

Cells are numbered row by row from 0; `cells` has the tile of each cell, 0 for the blank, `tile_cells` the
cell of each tile, for pattern databases. A move is the direction of the blank:

     0  1  2  3           0 up                 The goal is the board as drawn here, tile t on cell t and the
     4  5  6  7     1 left    2 right          blank on cell 0. The inverse of move m is 3 - m.
     8  9 10 11           3 down
    12 13 14 15
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.puzzle15 import heuristics as tiles
from gameplay.games.puzzle15.heuristics import Conflicts, PatternDatabase
from gameplay.kernel import Kernel
from gameplay.position import Heuristic

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import MIX_1
    from cython.cimports.gameplay.value import SCORED
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import MIX_1
    from gameplay.value import SCORED

WORDS = ("up", "left", "right", "down")
INF = cython.declare(cython.int, 1 << 30)


class Puzzle15(Kernel):
    """The 15-puzzle: slide the tiles into order, the blank first, in as few moves as possible.

    A move is the direction of the blank: `up`, `left`, `right` or `down`, or its first letter. A position is
    the tiles row by row, 0 for the blank: `1 4 2 3 0 5 6 7 8 9 10 11 12 13 14 15`. The goal is 0 1 2 ... in
    order.

    The board has 2 to 5 rows and columns. `seed` selects the start from all positions that can be solved;
    with `shuffle` it is that many random moves from the goal. `puzzle15:rows=3,columns=3` is the 8-puzzle.
    """

    players = 1
    zero_sum = False
    low, high = 0, 1
    unit_names = ("move", "moves")
    heuristics = {
        heuristic.name: heuristic
        for heuristic in (
            Heuristic("linear-conflict", "Manhattan distance, plus two moves for each linear conflict"),
            Heuristic("manhattan", "Manhattan distance: rows and columns of each tile from its goal cell"),
            Heuristic("pattern", "a pattern database, 6-6-3 on 4x4: `gameplay patterns` builds it", False),
            Heuristic("pattern-7-8", "the greater pattern database 7-8 of 4x4, of 577 MB", False),
        )
    }

    def __init__(
        self,
        rows: cython.int = 4,
        columns: cython.int = 4,
        seed: cython.longlong = 1,
        shuffle: cython.int = 0,
    ):
        if not (2 <= rows <= 5 and 2 <= columns <= 5):
            raise BadInput(f"a board must have 2 to 5 rows and columns, not {rows}x{columns}")
        if seed < 0 or shuffle < 0:
            raise BadInput(f"seed and shuffle must be whole numbers from 0 up, not {min(seed, shuffle)}")
        Kernel.__init__(self, 4)
        self.rows, self.columns, self.seed, self.shuffle = rows, columns, seed, shuffle
        self.count = rows * columns
        self.is_manhattan = False
        self.conflicts = _conflicts(rows, columns)
        self.patterns = None
        if not cython.compiled:
            self.offset = [0] * 4
            self.cells, self.tile_cells = [0] * 32, [0] * 32
            self.row, self.column = [0] * 8, [0] * 8
            self.manhattan_change, self.move_list, self.move_count = [0] * 4096, [0] * 1024, [0] * 256
            self.blank_list, self.in_row, self.in_column = [0] * 1024, [0] * 32, [0] * 32
        self.offset[0], self.offset[1], self.offset[2], self.offset[3] = -columns, -1, 1, columns
        cell: cython.int
        move: cython.int
        last: cython.int
        tile: cython.int
        for cell in range(self.count):
            self.in_row[cell], self.in_column[cell] = divmod(cell, columns)
            free = (
                cell >= columns,
                cell % columns > 0,
                cell % columns < columns - 1,
                cell < self.count - columns,
            )
            for last in range(5):
                for move in range(4):
                    if free[move] and move != 3 - (last - 1):
                        row: cython.int = cell * 5 + last
                        self.move_list[row * 4 + self.move_count[row]] = move
                        self.blank_list[row * 4 + self.move_count[row]] = cell + self.offset[move]
                        self.move_count[row] += 1
            for tile in range(1, self.count):
                for move in range(4):
                    if free[move]:
                        origin: cython.int = cell + self.offset[move]  # its tile moves to `cell`
                        change = _manhattan(tile, cell, columns) - _manhattan(tile, origin, columns)
                        self.manhattan_change[(tile << 7) | (origin << 2) | move] = change
        self.set_tiles(_random_start(rows, columns, seed, shuffle))

    @staticmethod
    def fits(rows=4, columns=4, seed=1, shuffle=0):
        """True: the compiled board is large enough for all sizes."""
        return True

    def set_tiles(self, order):
        """Place the tiles in this order."""
        cell: cython.int
        tile: cython.int
        for cell, tile in enumerate(order):
            self.cells[cell] = tile
            if not tile:
                self.blank = cell
        self.lower_bound = self.compute_estimate()

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        row: cython.int = self.blank * 5
        i: cython.int
        for i in range(self.move_count[row]):
            self.stack[base + i] = self.move_list[row * 4 + i]
        return base + self.move_count[row]

    def push(self, move):
        cell: cython.int = self.blank + self.offset[move]
        if self.is_manhattan:
            self.lower_bound += self.manhattan_change[(self.cells[cell] << 7) | (cell << 2) | move]
            self.cells[self.blank] = self.cells[cell]
            self.cells[cell] = 0
            self.blank = cell
        else:
            self.make_move(move, self.estimate_after(move))

    def pop(self, move):
        self.push(3 - move)

    def make_move(self, move, estimate):
        """Make a move given the new `estimate`, for heuristics with more state than the cells."""
        blank: cython.int = self.blank
        cell: cython.int = blank + self.offset[move]
        tile: cython.int = self.cells[cell]
        self.cells[blank] = tile
        self.cells[cell] = 0
        self.blank = cell
        self.lower_bound = estimate
        self.tile_cells[tile] = blank
        self.tile_cells[0] = cell
        at: cython.int = tile << 5
        self.row[self.in_row[cell]] -= self.conflicts.in_row[at + cell]
        self.row[self.in_row[blank]] += self.conflicts.in_row[at + blank]
        self.column[self.in_column[cell]] -= self.conflicts.in_column[at + cell]
        self.column[self.in_column[blank]] += self.conflicts.in_column[at + blank]

    def result(self):
        return 0 if self.lower_bound else SCORED

    def payoff(self, player):
        return 0.0 if self.lower_bound else 1.0

    def hash(self):
        key: cython.ulonglong = 0
        cell: cython.int
        for cell in range(self.count):
            if self.count <= 16:
                key = (key << 4) | self.cells[cell]
            else:
                key = ((key ^ self.cells[cell]) * MIX_1) & M64
                key ^= key >> 29
        return key

    def remaining(self):
        return self.lower_bound

    def is_inverse(self, last, move):
        return move == 3 - last

    def gen_within(self, base, room, last):
        row: cython.int = self.blank * 5 + last + 1
        here: cython.int = self.lower_bound
        next_estimate: cython.int = INF
        i: cython.int
        self.generated = self.move_count[row]
        for i in range(row * 4, row * 4 + self.generated):
            move: cython.int = self.move_list[i]
            if self.is_manhattan:
                cell: cython.int = self.blank_list[i]
                estimate: cython.int = (
                    here + self.manhattan_change[(self.cells[cell] << 7) | (cell << 2) | move]
                )
            else:
                estimate = self.estimate_after(move)
            if estimate < room:  # 1 for the move
                self.stack[base] = move
                self.weight[base] = estimate
                base += 1
            elif estimate < next_estimate:
                next_estimate = estimate
        self.excess = next_estimate + 1 - room if next_estimate < INF else 0
        return base

    def push_within(self, move, base, room):
        if not self.is_manhattan:
            self.push(move)
            end: cython.int = self.gen_within(base, room, move)
            if end == base:
                self.pop(move)
            return end
        # The next tiles to move are not affected: make the move only if a successor is within the bound.
        blank: cython.int = self.blank
        cell: cython.int = blank + self.offset[move]
        tile: cython.int = self.cells[cell]
        here: cython.int = self.lower_bound + self.manhattan_change[(tile << 7) | (cell << 2) | move]
        row: cython.int = cell * 5 + move + 1
        next_estimate: cython.int = INF
        i: cython.int
        start: cython.int = base
        self.generated = self.move_count[row]
        for i in range(row * 4, row * 4 + self.generated):
            next: cython.int = self.blank_list[i]
            estimate: cython.int = (
                here + self.manhattan_change[(self.cells[next] << 7) | (next << 2) | self.move_list[i]]
            )
            if estimate < room:  # 1 for the move
                self.stack[base] = self.move_list[i]
                self.weight[base] = estimate
                base += 1
            elif estimate < next_estimate:
                next_estimate = estimate
        self.excess = next_estimate + 1 - room if next_estimate < INF else 0
        if base > start:
            self.cells[blank] = tile
            self.cells[cell] = 0
            self.blank = cell
            self.lower_bound = here
        return base

    # -- heuristics ----------------------------------------------------------------------------

    def estimate_after(self, move):
        """The estimate after a move."""
        cell: cython.int = self.blank + self.offset[move]
        if self.patterns is None:
            step: cython.int = self.manhattan_change[(self.cells[cell] << 7) | (cell << 2) | move]
            return self.lower_bound + step + (0 if self.is_manhattan else self.conflict_change(move))
        tile: cython.int = self.cells[cell]
        self.tile_cells[tile], self.tile_cells[0] = self.blank, cell
        estimate: cython.int = self.patterns.estimate(self.tile_cells)
        self.tile_cells[tile], self.tile_cells[0] = cell, self.blank
        return estimate

    def conflict_change(self, move):
        """The change of linear conflicts by a move. The line that the tile stays in keeps its order."""
        blank: cython.int = self.blank
        cell: cython.int = blank + self.offset[move]
        at: cython.int = self.cells[cell] << 5
        change: cython.int = 0
        if move == 1 or move == 2:
            leaves: cython.int = self.conflicts.in_column[at + cell]
            enters: cython.int = self.conflicts.in_column[at + blank]
            if leaves:
                line: cython.int = self.column[self.in_column[cell]]
                change += self.conflicts.column[line - leaves] - self.conflicts.column[line]
            if enters:
                line = self.column[self.in_column[blank]]
                change += self.conflicts.column[line + enters] - self.conflicts.column[line]
            return change
        leaves = self.conflicts.in_row[at + cell]
        enters = self.conflicts.in_row[at + blank]
        if leaves:
            line = self.row[self.in_row[cell]]
            change += self.conflicts.row[line - leaves] - self.conflicts.row[line]
        if enters:
            line = self.row[self.in_row[blank]]
            change += self.conflicts.row[line + enters] - self.conflicts.row[line]
        return change

    def compute_estimate(self):
        """Compute the estimate and its state from scratch."""
        total: cython.int = 0
        cell: cython.int
        for cell in range(8):
            self.row[cell] = self.column[cell] = 0
        for cell in range(self.count):
            tile: cython.int = self.cells[cell]
            self.tile_cells[tile] = cell
            if tile:
                total += abs(tile // self.columns - cell // self.columns)
                total += abs(tile % self.columns - cell % self.columns)
                self.row[self.in_row[cell]] += self.conflicts.in_row[(tile << 5) | cell]
                self.column[self.in_column[cell]] += self.conflicts.in_column[(tile << 5) | cell]
        if self.patterns is not None:
            return self.patterns.estimate(self.tile_cells)
        if not self.is_manhattan:
            for cell in range(5):
                total += self.conflicts.row[self.row[cell]] + self.conflicts.column[self.column[cell]]
        return total

    def use_heuristic(self, name):
        """Select another heuristic and compute its estimate."""
        database = None
        if name.startswith("pattern"):
            database = self.database(name.removeprefix("pattern").lstrip("-"))
            database.load()
        self.is_manhattan = name == "manhattan"
        self.patterns = database
        self.lower_bound = self.compute_estimate()

    def database(self, name=""):
        """The pattern database of that name, by default the first. Raises Usage for an unknown name."""
        databases = self.databases()
        if name and name not in databases:
            raise Usage(
                f"unknown pattern database {name} of {self.rows}x{self.columns} "
                f"(choose from: {', '.join(databases)})"
            )
        return databases[name or next(iter(databases))]

    def databases(self):
        """The pattern databases of the board by name, the default first."""
        return _databases(self.rows, self.columns)

    def built_heuristics(self):
        """The heuristics with a built pattern database, the fastest to load first."""
        return [
            name
            for name in ("pattern", "pattern-7-8")
            if name.removeprefix("pattern").lstrip("-") in ("", *self.databases())
            and self.database(name.removeprefix("pattern").lstrip("-")).path.exists()
        ]

    # -- notation and drawing --------------------------------------------------------------------

    def format(self, move):
        """The direction of the blank."""
        return WORDS[move]

    def parse(self, text):
        """Parse a direction or its first letter."""
        word = text.strip().lower()
        legal = self.moves()
        for move, name in enumerate(WORDS):
            if word and word in (name, name[0]):
                if move in legal:
                    return move
                raise IllegalMove(f"the blank cannot go {name} here (it can go {_move_names(legal)})")
        raise IllegalMove(f"'{text}' is not a legal move here (legal: {_move_names(legal)})")

    def text(self):
        """The tiles row by row, 0 for the blank."""
        cell: cython.int
        return " ".join([str(self.cells[cell]) for cell in range(self.count)])

    def setup(self, text):
        """Set the tiles from `text`. Raises BadInput if it is not a position or cannot be solved."""
        order = []
        for number, word in enumerate(text.replace(",", " ").split(), 1):
            if not word.isdecimal() or int(word) >= self.count:
                raise BadInput(
                    f"'{text}', tile {number}: '{word}' is not a number from 0 to {self.count - 1}"
                )
            if int(word) in order:
                raise BadInput(f"'{text}', tile {number}: {word} is repeated")
            order.append(int(word))
        if len(order) != self.count:
            size = f"{self.rows}x{self.columns}"
            raise BadInput(f"'{text}' has {len(order)} tiles; a {size} board has {self.count}, 0 included")
        if not _solvable(order, self.columns):
            raise BadInput(f"'{text}' cannot be solved: the permutation is odd; swap two tiles")
        self.start = text
        self.made.clear()
        self.set_tiles(order)

    def board(self, viewer=None, last=None):
        """The drawing of the position."""
        cell: cython.int
        legal = self.moves() if not self.result() else []
        names = [str(self.cells[cell]) if self.cells[cell] else "" for cell in range(self.count)]
        at = {move: divmod(self.blank + self.offset[move], self.columns) for move in range(4)}
        last_cell = () if last is None else (divmod(self.blank + self.offset[3 - last], self.columns),)
        return Board(
            cells=tuple([tuple(names[y * self.columns : (y + 1) * self.columns]) for y in range(self.rows)]),
            columns=("",) * self.columns,
            rows=("",) * self.rows,
            last=last_cell,
            moves={at[move]: (move,) for move in legal},
            arrows={WORDS[move]: move for move in legal},
        )

    def __str__(self):
        board = self.board()
        return "\n".join([" ".join([f"{piece or '.':>2}" for piece in row]) for row in board.cells])


_cache = {}  # by board size


def _conflicts(rows, columns):
    if ("conflicts", rows, columns) not in _cache:
        _cache["conflicts", rows, columns] = Conflicts(rows, columns)
    return _cache["conflicts", rows, columns]


def _databases(rows, columns):
    """The pattern databases of a board by name, the default first; cached."""
    if (rows, columns) not in _cache:
        board = "" if rows == columns == 4 else f":rows={rows},columns={columns}"
        databases = {}
        for name, parts in tiles.partitions(rows, columns).items():
            command = f"puzzle15{board} {name}" if databases else f"puzzle15{board}"
            databases[name] = PatternDatabase(command, rows, columns, name, parts)
        _cache[rows, columns] = databases
    return _cache[rows, columns]


def _move_names(moves):
    return ", ".join([WORDS[move] for move in moves])


def _manhattan(tile, cell, columns):
    """The Manhattan distance of a tile on a cell."""
    return abs(tile // columns - cell // columns) + abs(tile % columns - cell % columns)


def _solvable(order, columns):
    """True if the position is solvable.

    Each move swaps the blank with a tile and moves it by one cell: the parity of the permutation equals that
    of the blank's distance from its goal.
    """
    rest = list(order)
    swaps = 0
    for cell in range(len(rest)):
        while rest[cell] != cell:
            other = rest[cell]
            rest[cell], rest[other] = rest[other], rest[cell]
            swaps += 1
    return (swaps + _manhattan(0, order.index(0), columns)) % 2 == 0


def _random_start(rows, columns, seed, shuffle):
    """The start position: `shuffle` random moves from the goal; with 0 a uniformly random solvable one."""
    from random import Random

    goal = list(range(rows * columns))
    rng = Random(f"puzzle15/{rows}x{columns}/{shuffle}/{seed}")
    while True:
        order = goal[:]
        if not shuffle:
            rng.shuffle(order)
            if not _solvable(order, columns):
                one, other = [cell for cell, tile in enumerate(order) if tile][:2]
                order[one], order[other] = order[other], order[one]
        else:
            blank, last_blank = 0, -1
            for _ in range(shuffle):
                y, x = divmod(blank, columns)
                near = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
                options = [v * columns + u for v, u in near if 0 <= v < rows and 0 <= u < columns]
                target = rng.choice([option for option in options if option != last_blank])
                order[blank], order[target] = order[target], order[blank]
                blank, last_blank = target, blank
        if order != goal:
            return order
