# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""English draughts (American checkers): draws, values and the contract.  C types: game.pxd.

The board and its moves are in board.py, which draws the layout of both.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.checkers import notation
from gameplay.games.checkers.evaluation import EVALUATIONS
from gameplay.games.checkers.indexing import IndexedCheckers
from gameplay.games.shared.draughts.pieces import DraughtsTerms

if cython.compiled:
    from cython.cimports.gameplay.games.checkers.board import shift_squares
    from cython.cimports.gameplay.games.checkers.evaluation import CheckersEvaluation
    from cython.cimports.gameplay.games.checkers.samuel import SamuelTerms
    from cython.cimports.gameplay.native.bits import ONE
    from cython.cimports.gameplay.value import USER_DEFINED
else:
    from gameplay.games.checkers.board import shift_squares
    from gameplay.games.checkers.evaluation import CheckersEvaluation
    from gameplay.games.checkers.samuel import SamuelTerms
    from gameplay.native.bits import ONE
    from gameplay.value import USER_DEFINED

KING = cython.declare(cython.int, 140)  # the approximate value of a king in score(); for gain()
TERMS = cython.declare(cython.int, len(EVALUATIONS["samuel"].weights))
ALL_TERMS = cython.declare(cython.ulonglong, (ONE << TERMS) - 1)
DRAW_PLIES = cython.declare(cython.int, notation.ENGLISH.draw_plies)
NO_DRAW_PLIES = cython.declare(cython.int, 1 << 20)  # plies_to_draw() without automatic draws


class Checkers(IndexedCheckers):
    """English draughts: men step and jump forwards, kings both ways; a player who cannot move loses.

    Black begins, from squares 1 to 12. A piece steps diagonally to an empty square ahead, or jumps over an
    opposing piece to the empty square behind it and captures it. A player who can jump must jump, and
    continues with the same piece as long as it can; the choice between jumps is free. A man that reaches the
    last row is a king from the next move on.

    A game is drawn if a position occurs for the third time with the same side to move, or if both sides have
    made 40 moves without a capture or a move of a man. With `automatic=off` it goes on, for records of
    games that continued after a draw.

    A move is squares: `11-15`; a jump `22x15`, with every landing `22x15x8`. Start and end are enough if
    only one jump has them: `22x8`. A position is a PDN FEN: the side to move, then the pieces, K before a
    king: `B:W18,24,K10:B12,K22`. Ranges are accepted, and `:H12` at the end for 12 plies without progress.
    Moves may follow, or stand alone from the start: `11-15 23-19`.
    """

    sides = notation.SIDES
    aliases = {"red": 0, "dark": 0, "b": 0, "light": 1, "w": 1}
    evaluations = EVALUATIONS

    def __init__(self, automatic: cython.bint = True):
        IndexedCheckers.__init__(self, automatic)
        self.sums = CheckersEvaluation()
        self.terms = SamuelTerms()

    @staticmethod
    def fits(automatic=True):
        """True: there is one board."""
        return True

    # -- the end -------------------------------------------------------------------------------

    def result(self):
        if not self.can_move():
            return 1
        if (
            self.automatic
            and self.clock >= 8
            and (self.clock >= DRAW_PLIES or self.count_repetitions(0) >= 2)
        ):
            return 2
        return 0

    def ending(self):
        """The reason for a draw; wins are always by leaving the opponent no move."""
        if self.result() != 2:
            return ""
        return (
            "40 moves of each side without progress" if self.clock >= DRAW_PLIES else "threefold repetition"
        )

    # -- for search ----------------------------------------------------------------------------

    def score(self):
        if self.evaluation_index:
            if self.evaluation_index == USER_DEFINED:
                return self.user_score()
            return self.terms.value(self.black, self.white, self.kings, self.turn)
        return self.sums.strong(self.black, self.white, self.kings, self.turn)

    def load_weights(self, evaluation):
        """Select the weights of an evaluation."""
        if evaluation.scale:
            self.terms = SamuelTerms(evaluation.weights)
        else:
            self.sums = CheckersEvaluation(evaluation)

    def term_reader(self, evaluation):
        """The reader of the terms of `samuel`."""
        return DraughtsTerms(evaluation.weights) if evaluation.name == "samuel" else None

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
        value: cython.int = KING - self.c_unit  # a crown
        if self.kings & land or (self.turn and square > 7) or (not self.turn and square < 24):
            value = 0
        if path < 4:
            return value
        # A jump starts further away, and its captures count more than a crown.
        value = 0
        while path > 1:
            over: cython.ulonglong = shift_squares(land, path)
            land = shift_squares(over, path)
            value += KING if over & self.kings else self.c_unit
            path >>= 2
        return value

    def history_index(self, move):
        """A slide: its square and direction, and whether by a king; a jump: its square and first steps."""
        square: cython.int = move & 31
        if move < 128:
            return move | (128 if self.kings >> (square + (square >> 3)) & 1 else 0)
        return 256 | square | ((move >> 5) & 15) << 5 | (2048 if move >= 2048 else 0)

    def plies_to_draw(self):
        return DRAW_PLIES - self.clock if self.automatic else NO_DRAW_PLIES

    # -- the contract --------------------------------------------------------------------------

    def key(self):
        """The position; with draws on, also the clock and the positions since the last irreversible move."""
        if not self.clock:
            return self.hash()
        return (self.hash(), self.clock, *self.reversible_positions())

    # -- notation and drawing ------------------------------------------------------------------

    def format(self, move):
        """A legal move in PDN: `11-15`, `22x15`, `22x15x8`."""
        return notation.format_move(move)

    def parse(self, text):
        """The legal move that `text` names: all its squares, or its ends if they are unambiguous."""
        return notation.parse_move(text, self.moves(), self.layout(), self.turn)

    def route(self, move):
        """The start, the end, and the captured squares of a legal move, as numbers."""
        return notation.route(move)

    def text(self):
        """A FEN; with moves that count toward a draw, the FEN before them and these moves."""
        return self.text_since(min(self.clock, len(self.made)))

    def board(self, viewer=None, last=None):
        """The drawing of the position, black at the top."""
        legal = self.moves() if not self.result() else []
        paths = {move: notation.squares_of(move) for move in legal}
        return self.draw_board(paths, () if last is None else notation.squares_of(last))
