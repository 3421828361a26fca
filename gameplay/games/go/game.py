# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go: parameters, scoring, and setup.  C types: game.pxd.

Stones are in `board.py`; ko, legal moves and playouts in `moves.py`.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import BadInput, IllegalMove
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.go import notation
from gameplay.games.go.territory import GoTerritory
from gameplay.games.shared.symmetry import canonical
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.games.go.board import EMPTY, KEY_MASK, KO, MOVER, PASS, PASSED, ZOBRIST
    from cython.cimports.gameplay.value import DRAWN, SCORED, USER_DEFINED
else:
    from gameplay.games.go.board import EMPTY, KEY_MASK, KO, MOVER, PASS, PASSED, ZOBRIST
    from gameplay.value import DRAWN, SCORED, USER_DEFINED

UNIT = cython.declare(cython.int, 10)  # of a point
_ONE = 1  # an int of Python, of any size
MAX_SOLVED_POINTS = cython.declare(cython.int, 25)  # points of the largest board with a solver


class Go(GoTerritory):
    """Surround points with stones; the player with more points, stones and surrounded ones, wins.

    Black and White put a stone on an empty point in turn. Stones joined along lines are a chain; the empty
    points beside it are its liberties. After a move opposing chains without a liberty are captured. Two
    passes end the game. The score is the area: a player's stones, and the empty points that only their
    stones touch; White gets `komi` more: 7.5 points, or 0.5 with a handicap. All stones on the board count
    as alive: capture dead ones first, or resign.

    A move is a point, `D4`, a letter without I and a row from below; or `pass`. A position is the moves so
    far, `D4 F5 pass`; or the rows from the top and the side to move, `.X./O../... black`, optionally the
    point where ko forbids recapture, `ko=B2`, and moves from there.

    - size, or columns and rows: 1 to 19.
    - rules: `chinese`, where White gets a point for each handicap stone; or `tromp-taylor`, which allows
      suicide and gives White nothing for a handicap.
    - komi: whole or half points.
    - ko: `positional`, no move may repeat an earlier board (superko); `situational`, the same with the same
      side to move; `simple`, only the immediate recapture of one stone is forbidden, and threefold
      repetition is a draw.
    - suicide: on, off, or as the rules say.
    - handicap: as many black stones instead of the first move, on their usual points or, with
      placement=free, by Black's first moves.
    - goal: `win`, or `points` if the margin counts.
    - automatic: off for records that go on after two passes or a third repetition; nothing ends them.
    """

    records = ".sgf"  # the format of its files
    sides = ("black", "white")
    cell_shape = property(lambda self: (self.rows, self.columns))
    cell_letters = ("", "X", "O")
    mark_names = ("a pass ends the game",)
    remembers = True
    aliases = {"b": 0, "w": 1, "x": 0, "o": 1}
    unit = 10
    unit_names = ("point", "points")
    evaluations = by_name(
        "go",
        Evaluation("area", "the area on the board: stones, and the empty points that only they touch"),
        Evaluation("none", "0 until the end"),
    )

    given_up = True  # people resign lost games
    has_hints = True

    def __init__(
        self,
        size: cython.int = 9,
        columns: cython.int = 0,
        rows: cython.int = 0,
        rules="chinese",
        komi="usual",
        ko="positional",
        suicide="rules",
        handicap: cython.int = 0,
        placement="fixed",
        goal="win",
        automatic: cython.bint = True,
    ):
        terms = notation.terms(size, columns, rows, rules, komi, ko, suicide, handicap, placement, goal)
        GoTerritory.__init__(self, terms.columns, terms.rows)
        self.size = size
        self.rules, self.ko, self.placement, self.goal = rules, ko, placement, goal
        self.komi, self.suicide, self.handicap = terms.komi, terms.suicide, handicap
        self.automatic = automatic
        self.half_points = terms.half_points
        self.superko = notation.KO_RULES.index(ko)
        self.margin_counts = goal == "points"
        self.counts_ownership = False
        self.begin([], 0)

    @staticmethod
    def fits(
        size=9,
        columns=0,
        rows=0,
        rules="chinese",
        komi="usual",
        ko="positional",
        suicide="rules",
        handicap=0,
        placement="fixed",
        goal="win",
        automatic=True,
    ):
        """True: the constructor refuses boards that are too large."""
        return True

    @property
    def finite(self):
        """False if games have no automatic end."""
        return bool(self.automatic)

    @property
    def scored(self):
        """True if the margin counts, not just the winner."""
        return bool(self.margin_counts)

    @property
    def drawless(self):
        """True if the komi has a half point."""
        return self.half_points % 2 == 1

    @property
    def stake(self):
        """The loss of a player who resigns if the margin counts: the whole board and the komi."""
        return self.area + (self.half_points + 1) // 2 if self.margin_counts else 0

    # -- setting up --------------------------------------------------------------------------------

    def begin(self, stones, turn, ko=0):
        """Set up (point, colour) pairs without history, and the side to move; none: the start."""
        self.start = None
        self.made.clear()
        self.clear()
        self.free_handicap = 0
        if not stones and self.handicap:
            if self.placement == "free":
                self.free_handicap = self.handicap
            else:
                stones = [(point, 1) for point in notation.handicap(self.columns, self.rows, self.handicap)]
                turn = 1
        for point, colour in stones:
            self.place(point, colour)
        self.ko_point = ko
        self.turn = turn
        self.grow_undo_stack()
        i: cython.int
        for i in range(KEY_MASK + 1):
            self.key_counts[i] = 0
        self.superko_keys[0] = self.superko_key(self.zobrist, self.turn)
        self.key_counts[self.superko_keys[0] & KEY_MASK] = 1

    def setup(self, text):
        """Set up rows and the side to move, `.X./O../... black`, then play the moves that follow."""
        head, words = notation.split(text)
        if head:
            stones, turn, ko = notation.read(head, self.columns, self.rows)
            self.begin(stones, turn, ko)
            self.check(head)
            self.start = " ".join(head)
        else:
            self.begin([], 0)
        Kernel.setup(self, " ".join(words))

    def check(self, head):
        """Raises BadInput if the position is not legal."""
        shown = "/".join(["".join([stone or "." for stone in row]) for row in self.stones()])
        if shown != head[0].upper():
            raise BadInput(f"'{head[0]}': a chain of stones has no liberty")

    # -- the end -----------------------------------------------------------------------------------

    def result(self):
        if not self.automatic or (self.passes < 2 and self.repetitions < 2):
            return 0
        if self.margin_counts:
            return SCORED
        lead: cython.int = self.points()
        return DRAWN + (lead > 0) - (lead < 0)

    def points(self):
        if self.passes < 2:
            return 0  # threefold repetition
        return -(UNIT // 2) * self.margin() if self.turn else UNIT // 2 * self.margin()

    def ending(self):
        """The margin of a finished game."""
        if self.passes < 2:
            return "threefold repetition"
        lead = abs(self.lead())
        return f"{lead:g} point{'' if lead == 1 else 's'}" if lead else "equal areas"

    def breakdown(self):
        """The parts of the score of a finished game, a line a side; none where no area is counted."""
        return notation.breakdown(self.stones(), self.komi, self.half_points) if self.passes == 2 else []

    # -- for search --------------------------------------------------------------------------------

    def solver(self, size):
        """A solver with positional superko, on boards of up to 25 points; else None."""
        if self.superko != notation.KO_RULES.index("positional") or not self.automatic:
            return None
        if self.suicide or self.placement == "free" or self.area > MAX_SOLVED_POINTS:
            return None
        from gameplay.games.go.value_solver import GoValueSolver

        return GoValueSolver(self.columns, self.rows, size, self.half_points, bool(self.margin_counts))

    def hash(self):
        bits: cython.ulonglong = self.zobrist
        if self.turn:
            bits ^= ZOBRIST[MOVER]
        if self.passes:
            bits ^= ZOBRIST[PASSED + (self.passes & 1)]
        if self.ko_point:
            bits ^= ZOBRIST[KO + self.ko_point]
        return bits

    def score(self):
        if self.evaluation_index:
            return self.user_score() if self.evaluation_index == USER_DEFINED else 0
        return (-(UNIT // 2) if self.turn else UNIT // 2) * self.margin()

    # -- for people --------------------------------------------------------------------------------

    def format(self, move):
        """A point, `D4`, or `pass`."""
        return notation.name(move, self.columns)

    def parse(self, text):
        """The legal move that `text` names. Raises IllegalMove with the reason."""
        move = notation.point(text, self.columns, self.rows)
        if move in self.moves():
            return move
        raise IllegalMove(f"'{text.strip()}' is not a legal move here: {self.explain_illegal(move)}")

    def explain_illegal(self, move: cython.int):
        """The reason why a move is illegal."""
        side = self.sides[self.turn]
        if move == PASS:
            unplaced = self.free_handicap - self.ply
            return f"{side} places {unplaced} more handicap stones before passes are allowed"
        if self.colour[move] != EMPTY:
            return f"there is a stone on {self.format(move)} already"
        if move == self.ko_point:
            return "ko forbids recapturing at once; play elsewhere first"
        if not self.suicide and not self.has_liberty(move, self.turn + 1):
            return "suicide is forbidden; the stone would have no liberty and captures nothing"
        return "superko forbids it; the move would repeat an earlier board"

    def point_number(self, text):
        """The number of the point that `text` names. Raises IllegalMove."""
        return notation.point(text, self.columns, self.rows)

    def read_cells(self, codes):
        row: cython.int
        column: cython.int
        place: cython.int = 0
        for row in range(self.rows, 0, -1):
            for column in range(self.columns):
                codes[place] = self.colour[row * self.stride + 1 + column]
                place += 1

    def cell_marks(self):
        """All points if a pass ends the game, since the last move was one: see `HasMarks`."""
        if self.ply < self.free_handicap or self.result():
            return (0,)
        self.push(PASS)
        ends = self.result()
        self.pop(PASS)
        return ((_ONE << self.area) - 1 if ends else 0,)

    def stones(self):
        """The stones row by row from the top: X, O, or nothing."""
        return self.stones_at(self.ply)

    def stones_at(self, ply: cython.int):
        """The stones after `ply` moves, as `stones`."""
        rows = []
        for row in range(self.rows, 0, -1):
            start: cython.int = row * self.stride + 1
            end: cython.int = start + self.columns
            rows.append(tuple([" XO"[self.colour_at(ply, p)].strip() for p in range(start, end)]))
        return tuple(rows)

    def solver_state(self):
        """The state for `GoSolver.proves`, besides the side to move.

        The stones, whether the last move was a pass, where ko forbids recapturing, and all earlier boards.
        """
        ko: cython.int = self.ko_point
        if ko:
            ko = (ko // self.stride - 1) * self.columns + ko % self.stride
        past = {self.stones_at(ply) for ply in range(self.ply)}
        return self.stones(), self.passes > 0, ko, past

    def captures(self, player: cython.int):
        """The number of stones that a player has captured."""
        return self.captured[player]

    def hints(self):
        """The hint() of each legal move, by its text."""
        move: cython.int
        return {self.format(move): self.hint(move) for move in self.moves()}

    def diagram(self):
        """The canonical rows under symmetry, and the side to move; `k` is a ko.

        Then `p` if the last move was a pass, and the number of handicap stones still to be placed.
        """
        rows = [[stone or "." for stone in row] for row in self.stones()]
        if self.ko_point:
            row, column = divmod(self.ko_point, self.stride)
            rows[self.rows - row][column - 1] = "k"
        unplaced = max(0, self.free_handicap - self.ply)
        state = "XO"[self.turn] + "p" * self.passes + (str(unplaced) if unplaced else "")
        return f"{canonical([''.join(row) for row in rows])} {state}"

    def text(self):
        """The moves so far, from the start or the position set up; None inside a search."""
        if len(self.made) != self.ply:
            return None
        words = [] if self.start is None else [self.start]
        return " ".join([*words, *[self.format(move) for move in self.made]])

    def board(self, viewer=None, last=None):
        """The drawing of the position, row 1 at the bottom."""
        moves = [] if self.result() else self.moves()
        return notation.board(self.stones(), last, moves, (self.captured[0], self.captured[1]))

    def __str__(self):
        return notation.drawing(self.stones(), self.last_move, (self.captured[0], self.captured[1]))
