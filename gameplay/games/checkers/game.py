# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""English draughts (American checkers): draws, values and the contract.  C types: game.pxd.

The board and its moves are in board.py, which draws the layout of both.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.games.checkers import drawing, notation
from gameplay.games.checkers.evaluation import EVALUATIONS
from gameplay.games.checkers.indexing import IndexedCheckers
from gameplay.kernel import Kernel
from gameplay.terms.reader import TermReader

if cython.compiled:
    from cython.cimports.gameplay.games.checkers.board import stepped
    from cython.cimports.gameplay.games.checkers.evaluation import CheckersEvaluation
    from cython.cimports.gameplay.games.checkers.samuel import SamuelTerms
    from cython.cimports.gameplay.native.bits import M64, ONE
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize
    from cython.cimports.gameplay.value import ASKED
else:
    from gameplay.games.checkers.board import stepped
    from gameplay.games.checkers.evaluation import CheckersEvaluation
    from gameplay.games.checkers.samuel import SamuelTerms
    from gameplay.native.bits import M64, ONE
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize
    from gameplay.value import ASKED


# What score() makes of a man, a king and a crown, about; for gain().
MAN, KING, CROWN = (
    cython.declare(cython.int, 100),
    cython.declare(cython.int, 140),
    cython.declare(cython.int, 40),
)

TERMS = cython.declare(cython.int, len(EVALUATIONS["samuel"].weights))
ALL_TERMS = cython.declare(cython.ulonglong, (ONE << TERMS) - 1)
PATIENCE = cython.declare(cython.int, notation.PATIENCE)
LASTING = cython.declare(cython.int, 1 << 20)  # plies that a game may go on where no draw ends it


class Checkers(IndexedCheckers):
    """English draughts: men step and jump forwards, kings both ways; a player who cannot move loses.

    Black begins, from squares 1 to 12. A piece steps diagonally to an empty square ahead, or jumps over an
    opposing piece to the empty square behind it and captures it. A player who can jump must jump, and
    continues with the same piece as long as it can; the choice between jumps is free. A man that reaches the
    last row is a king from the next move on.

    A game is drawn if a position occurs for the third time with the same side to move, or if both sides have
    made 40 moves without a capture or a move of a man. With `automatic=off` it goes on, as in records that
    were played on beyond a draw.

    A move is squares: `11-15`; a jump `22x15`, with every landing `22x15x8`. Start and end are enough if
    only one jump has them: `22x8`. A position is a PDN FEN: the side to move, then the pieces, K before a
    king: `B:W18,24,K10:B12,K22`. Ranges are accepted, and `:H12` at the end for 12 plies without progress.
    Moves may follow, or stand alone from the start: `11-15 23-19`.
    """

    sides = notation.SIDES
    records = ".pdn"  # the format of its files
    game_type = "21,B,8,8,N1,0"  # in them
    aliases = {"red": 0, "dark": 0, "b": 0, "light": 1, "w": 1}
    evaluations = EVALUATIONS
    unit = 100
    unit_names = ("man", "men")
    swing = 60  # selective search with it beat the plain one by 58 Elo (60 games, 4000 nodes a move)
    has_noisy = True
    draw_offers = True
    remembers = True

    def __init__(self, automatic: cython.bint = True):
        IndexedCheckers.__init__(self)
        self.exhausts = True
        self.automatic = automatic
        self.sums = CheckersEvaluation()
        self.terms = SamuelTerms()

    @property
    def finite(self):
        """False where only want of moves ends a game."""
        return bool(self.automatic)

    @staticmethod
    def fits(automatic=True):
        """True: there is one board."""
        return True

    # -- the end -------------------------------------------------------------------------------

    def result(self):
        if not self.can_move():
            return 1
        if self.automatic and self.clock >= 8 and (self.clock >= PATIENCE or self.times(0) >= 2):
            return 2
        return 0

    def ending(self):
        """By what a drawn game ended; a won one always by leaving the other side no move."""
        if self.result() != 2:
            return ""
        return (
            "40 moves of each side without progress"
            if self.clock >= PATIENCE
            else "the position for the third time"
        )

    def repeated(self):
        return self.clock >= 4 and self.times(self.root) > 0

    # -- for search ----------------------------------------------------------------------------

    def hash(self):
        h: cython.ulonglong = (self.black * MIX_1 + GOLDEN) & M64
        h = ((h ^ (h >> 30)) + self.white * MIX_2) & M64
        h = ((h ^ (h >> 27)) * MIX_1) & M64
        h = ((h ^ (h >> 31)) + self.kings * GOLDEN + self.turn) & M64
        return finalize(h)

    def score(self):
        if self.form:
            if self.form == ASKED:
                return self.ask()
            return self.terms.value(self.black, self.white, self.kings, self.turn)
        return self.sums.strong(self.black, self.white, self.kings, self.turn)

    def weigh(self, evaluation):
        """Take the tables of other weights."""
        if evaluation.scale:
            self.terms = SamuelTerms(evaluation.weights)
        else:
            self.sums = CheckersEvaluation(evaluation)

    def term_reader(self, evaluation):
        """What counts the terms of `samuel`."""
        return CheckersTerms(evaluation.weights) if evaluation.name == "samuel" else None

    def count_terms(self, counts):
        i: cython.int
        needed: cython.ulonglong = self.terms.needed
        by_moves: cython.bint = self.terms.by_moves
        self.terms.needed, self.terms.by_moves = ALL_TERMS, False
        self.terms.tally(self.black, self.white, self.kings, self.turn)
        self.terms.needed, self.terms.by_moves = needed, by_moves
        for i in range(TERMS):
            counts[i] = self.terms.count[i]

    def gain(self, move):
        square: cython.int = move & 31
        land: cython.ulonglong = ONE << (square + (square >> 3))
        path: cython.int = move >> 5
        value: cython.int = CROWN
        if self.kings & land or (self.turn and square > 7) or (not self.turn and square < 24):
            value = 0
        if path < 4:
            return value
        # A jump comes from further away, and what it takes counts more than a crown.
        value = 0
        while path > 1:
            over: cython.ulonglong = stepped(land, path)
            land = stepped(over, path)
            value += KING if over & self.kings else MAN
            path >>= 2
        return value

    def hint(self, move):
        return self.gain(move)

    def gen_noisy(self, base):
        end: cython.int = self.gen_jumps(base)
        self.is_forced = end > base
        return end

    def threatened(self):
        return self.can_jump()

    def history_index(self, move):
        """A slide: its square and way, and whether a king makes it; a jump: its square and first ways."""
        square: cython.int = move & 31
        if move < 128:
            return move | (128 if self.kings >> (square + (square >> 3)) & 1 else 0)
        return 256 | square | ((move >> 5) & 15) << 5 | (2048 if move >= 2048 else 0)

    def patience(self):
        return PATIENCE - self.clock if self.automatic else LASTING

    # -- the contract --------------------------------------------------------------------------

    def key(self):
        """The position; and, since draws are counted, the clock and what occurred since it started."""
        if not self.clock:
            return self.hash()
        before = []
        for i in range(max(0, self.ply - self.clock), self.ply):
            black, white, kings, _ = self.earlier(i)
            before.append((black, white, kings, (self.ply - i + self.turn) & 1))
        return (self.hash(), self.clock, *[number for each in sorted(before) for number in each])

    # -- notation and drawing ------------------------------------------------------------------

    def format(self, move):
        """A legal move in PDN's squares: `11-15`, `22x15`, `22x15x8`."""
        return notation.written(move)

    def parse(self, text):
        """The legal move that `text` names: every square, or its ends where they are enough."""
        return notation.parsed(text, self.moves(), (self.black, self.white, self.kings), self.turn)

    def fen(self):
        """The pieces and the side to move as a PDN FEN, without the past: `B:W18,24,K10:B12,K22`."""
        return notation.fen(self.black, self.white, self.kings, self.turn)

    def squares(self):
        """A letter for each square in the order of their numbers: w, b men, W, B kings, e empty."""
        pieces = (self.black, self.white, self.kings)
        return "".join([drawing.letter(pieces, square) or "e" for square in range(1, 33)])

    def route(self, move):
        """Where a legal move begins and ends, and the squares of the pieces that it captures, as numbers."""
        return notation.route(move)

    def diagram(self):
        """The FEN without counter and past."""
        return self.fen()

    def text(self):
        """A FEN; where moves without progress count toward a draw, from before them, then these moves."""
        count = min(self.clock, len(self.made))
        if not count:
            return notation.fen(self.black, self.white, self.kings, self.turn, self.clock)
        black, white, kings, clock = self.earlier(self.ply - count)
        words = [self.format(move) for move in self.made[len(self.made) - count :]]
        return " ".join([notation.fen(black, white, kings, (self.turn + count) & 1, clock), *words])

    def setup(self, text):
        """Set this position from a FEN, moves, or a FEN followed by moves."""
        text = re.sub(" ?([:,]) ?", r"\1", " ".join(text.split()))
        first, _, rest = text.partition(" ")
        if ":" in first:
            self.place_pieces(*notation.read_fen(first))
            self.start = first
        else:
            rest = text
            self.place_start()
            self.start = None
        Kernel.setup(self, " ".join([re.sub("^[0-9]+[.]+", "", word) for word in rest.split()]))

    def captured(self):
        """For each player the letters of the pieces they took, kings first."""
        positions = [self.earlier(ply)[:3] for ply in range(self.ply)]
        return drawing.captured([*positions, (self.black, self.white, self.kings)], self.turn)

    def board(self, viewer=None, last=None):
        """How to draw the position, black at the top."""
        legal = self.moves() if not self.result() else []
        return drawing.drawing((self.black, self.white, self.kings), legal, last, self.captured())

    def __str__(self):
        rows = [" ".join([letter or "." for letter in row]) for row in self.board().cells]
        return "\n".join(rows)


class CheckersTerms(TermReader):
    """All terms of `samuel`."""

    def read(self, position, counts):
        cython.cast(Checkers, position).count_terms(counts)
        return True
