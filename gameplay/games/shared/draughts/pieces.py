# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Draughts pieces as bitboards, and the position history.  C types: pieces.pxd.

The layout of squares, the moves and the draw rules are defined by the game.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.games.shared.draughts import drawing, fen
from gameplay.kernel import Kernel
from gameplay.terms.reader import TermReader

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import resized
    from cython.cimports.gameplay.native.bits import M32, M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize
else:
    from gameplay.native.bits import M32, M64
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize

SEARCH_PLIES = 1024  # maximum plies of a search beyond the game
UNDO_WORDS = cython.declare(cython.int, 4)  # of a position in `undo_stack`

if not cython.compiled:

    def push_undo(board):
        """Save the position before a move, for pop()."""
        i = board.ply * UNDO_WORDS
        board.undo_stack[i : i + UNDO_WORDS] = (*board.layout(), board.clock | board.balance_clock << 32)
        board.ply += 1


class DraughtsPieces(Kernel):
    """Men and kings of both sides, the side to move, and the history."""

    unit = 100
    unit_names = ("man", "men")
    quiet_margin = 60  # in checkers +58 Elo for `selective` (60 games, 4,000 nodes a move)
    has_noisy = True
    draw_offers = True
    remembers = True
    records = ".pdn"  # the format of its files

    def __init__(self, rules, automatic, max_moves):
        Kernel.__init__(self, max_moves)
        self.empty_when_over = True
        self.rules = rules
        self.automatic = automatic
        self.white_begins = rules.sides[0] == "white"
        self.undo_capacity = 0
        if not cython.compiled:
            self.undo_stack = []
        self.place_start()

    def __dealloc__(self):
        PyMem_Free(self.undo_stack)

    @property
    def finite(self):
        """False if only a lack of moves ends a game."""
        return bool(self.automatic)

    @property
    def game_type(self):
        """The GameType of PDN."""
        return self.rules.pdn

    def place_start(self):
        """Set up the start position."""
        rules = self.rules
        white = rules.mask(range(rules.squares - rules.men + 1, rules.squares + 1))
        self.place_pieces(rules.mask(range(1, rules.men + 1)), white, 0, 0, 0)

    def place_pieces(self, black, white, kings, turn, clock):
        """Set up a position without history."""
        self.black, self.white, self.kings = black, white, kings
        self.turn, self.clock = turn, clock
        self.balance_clock = self.ply = self.root = 0
        self.made.clear()
        self.reserve_plies()

    def reserve_plies(self):
        """Allocate `undo_stack` for all plies of a search from this position."""
        if self.ply + SEARCH_PLIES <= self.undo_capacity:
            return
        capacity: cython.int = 2 * (self.ply + SEARCH_PLIES)
        if cython.compiled:
            size: cython.size_t = capacity * UNDO_WORDS * cython.sizeof(cython.ulonglong)
            self.undo_stack = cython.cast(cython.p_ulonglong, resized(self.undo_stack, size))
        else:
            self.undo_stack = self.undo_stack + [0] * (capacity * UNDO_WORDS - len(self.undo_stack))
        self.undo_capacity = capacity

    # -- history -------------------------------------------------------------------------------

    def pop(self, move):
        self.ply -= 1
        i: cython.int = self.ply * UNDO_WORDS
        self.black = self.undo_stack[i]
        self.white = self.undo_stack[i + 1]
        self.kings = self.undo_stack[i + 2]
        self.clock = self.undo_stack[i + 3] & M32
        self.balance_clock = self.undo_stack[i + 3] >> 32
        self.turn ^= 1

    def make(self, move):
        """Play a legal move. Raises IllegalMove for any other, before anything has changed."""
        self.reserve_plies()
        Kernel.make(self, move)
        self.root = self.ply

    def unmake(self):
        """Take back the last move made."""
        Kernel.unmake(self)
        self.root = self.ply

    def position_at(self, ply):
        """Black, white, kings, clock and age of the position at that ply."""
        i: cython.int = ply * UNDO_WORDS
        counts = self.undo_stack[i + 3]
        return self.undo_stack[i], self.undo_stack[i + 1], self.undo_stack[i + 2], counts & M32, counts >> 32

    def count_repetitions(self, since):
        """The number of earlier occurrences of the position, from the ply `since` on."""
        first: cython.int = self.ply - self.clock
        if first < since:
            first = since
        count: cython.int = 0
        i: cython.int = self.ply - 4
        while i >= first:
            if self.is_same_position(i):
                count += 1
            i -= 2
        return count

    def is_same_position(self, ply):
        """True if the pieces are those of the position at a ply."""
        i: cython.int = ply * UNDO_WORDS
        return (
            self.undo_stack[i] == self.black
            and self.undo_stack[i + 1] == self.white
            and self.undo_stack[i + 2] == self.kings
        )

    def reversible_positions(self):
        """The positions since the last irreversible move, as a flat list in a canonical order."""
        before = []
        for i in range(max(0, self.ply - self.clock), self.ply):
            black, white, kings, _, _ = self.position_at(i)
            before.append((black, white, kings, (self.ply - i + self.turn) & 1))
        return [number for each in sorted(before) for number in each]

    def is_repeated(self):
        return self.clock >= 4 and self.count_repetitions(self.root) > 0

    # -- slots of the game ---------------------------------------------------------------------

    def gen_captures(self, base):
        """Write every legal capture to stack[base:], return the end. C slot."""
        return base

    def can_capture(self):
        """True if the side to move can capture. C slot."""
        return False

    def count_terms(self, counts):
        """Count all terms of an evaluation for the side to move. C slot."""

    # -- for search ----------------------------------------------------------------------------

    def hash(self):
        first: cython.ulonglong = self.white if self.white_begins else self.black
        second: cython.ulonglong = self.black if self.white_begins else self.white
        h: cython.ulonglong = (first * MIX_1 + GOLDEN) & M64
        h = ((h ^ (h >> 30)) + second * MIX_2) & M64
        h = ((h ^ (h >> 27)) * MIX_1) & M64
        h = ((h ^ (h >> 31)) + self.kings * GOLDEN + self.turn) & M64
        return finalize(h)

    def hint(self, move):
        return self.gain(move)

    def gen_noisy(self, base):
        end: cython.int = self.gen_captures(base)
        self.is_forced = end > base
        return end

    def is_threatened(self):
        return self.can_capture()

    # -- notation and drawing ------------------------------------------------------------------

    def layout(self):
        """Black, white and kings, as bits."""
        return self.black, self.white, self.kings

    def fen(self):
        """The pieces and the side to move as a PDN FEN, without the history: `B:W18,24,K10:B12,K22`."""
        return fen.format_fen(self.rules, self.layout(), self.turn)

    def diagram(self):
        """The FEN without clock and history."""
        return self.fen()

    def squares(self):
        """A letter for each square in the order of their numbers: w, b men, W, B kings, e empty."""
        pieces, squares = self.layout(), range(1, self.rules.squares + 1)
        return "".join([drawing.letter(self.rules, pieces, square) or "e" for square in squares])

    def text_since(self, count):
        """A FEN of the position `count` plies ago, with its clock, then the moves since."""
        if not count:
            return fen.format_fen(self.rules, self.layout(), self.turn, self.clock)
        *pieces, clock, _ = self.position_at(self.ply - count)
        start = fen.format_fen(self.rules, tuple(pieces), (self.turn + count) & 1, clock)
        other = type(self)(**self.arguments())
        other.setup(start)
        words = []
        for move in self.made[len(self.made) - count :]:
            words.append(other.format(move))
            other.make(move)
        return " ".join([start, *words])

    def setup(self, text):
        """Set this position from a FEN, moves, or a FEN followed by moves."""
        text = re.sub(" ?([:,]) ?", r"\1", " ".join(text.split()))
        first, _, rest = text.partition(" ")
        if ":" in first and not re.match("[a-h]?[0-9]", first):
            self.place_pieces(*fen.parse_fen(self.rules, first))
            self.start = first
        else:
            rest = text
            self.place_start()
            self.start = None
        Kernel.setup(self, " ".join([re.sub("^[0-9]+[.]+", "", word) for word in rest.split()]))

    def captured(self):
        """For each player the letters of the pieces they captured, kings first."""
        positions = [self.position_at(ply)[:3] for ply in range(self.ply)]
        return drawing.captured_letters(self.rules, [*positions, self.layout()], self.turn)

    def draw_board(self, paths, last):
        """The drawing of the position, black at the top; `paths` and `last` as for draw()."""
        return drawing.draw(self.rules, self.layout(), paths, last, self.captured())

    def __str__(self):
        rows = [" ".join([letter or "." for letter in row]) for row in self.board().cells]
        return "\n".join(rows)


class DraughtsTerms(TermReader):
    """All terms of an evaluation."""

    def read(self, position, counts):
        cython.cast(DraughtsPieces, position).count_terms(counts)
        return True
