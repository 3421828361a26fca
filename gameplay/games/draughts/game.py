# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""International, Russian and Brazilian draughts: draws, values and the contract.  C types: game.pxd.

board.py has the pieces and moves, and draws their layout; variants.py has the facts in which the games differ
and the sources of their rules.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.draughts import notation
from gameplay.games.draughts.board import DraughtsBoard
from gameplay.games.draughts.evaluation import EVALUATIONS
from gameplay.games.shared.draughts.pieces import DraughtsTerms

if cython.compiled:
    from cython.cimports.gameplay.games.draughts.evaluation import DraughtsEvaluation
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.value import USER_DEFINED
else:
    from gameplay.games.draughts.evaluation import DraughtsEvaluation
    from gameplay.native.bits import popcount
    from gameplay.value import USER_DEFINED

KING = cython.declare(cython.int, 300)  # the approximate value of a king in score(); for gain()
# Limits of a balance of pieces in plies, see Draughts.balance_limit().
FIVE_MOVES, SIXTEEN_MOVES, THIRTY_MOVES, SIXTY_MOVES = (
    cython.declare(cython.int, 10),
    cython.declare(cython.int, 32),
    cython.declare(cython.int, 60),
    cython.declare(cython.int, 120),
)
NO_DRAW_PLIES = cython.declare(cython.int, 1 << 20)  # plies_to_draw() without automatic draws


class Draughts(DraughtsBoard):
    """Draughts with flying kings: capture all pieces of the opponent or leave them without a move.

    `variant=international` is played on 10x10 squares with 20 men a side, `russian` and `brazilian` on 8x8
    with 12. White moves first, from the bottom. A man moves one square diagonally forward; it captures
    forward and backward by jumping over an adjacent piece to the empty square behind it. A king moves any
    distance along an empty diagonal; it captures a piece at any distance and may land on any of the empty
    squares behind it. Captures are mandatory and continue while possible; the captured pieces are removed
    at the end of the move, and none may be jumped twice. The capture of the most pieces is mandatory,
    except in Russian draughts. A man that ends its move on the last row becomes a king; in Russian draughts
    a man that reaches the last row during a capture continues as a king.

    A player without a legal move loses. A game is drawn if a position occurs for the third time with the same
    side to move; after 25 moves of each side by kings alone without a capture (8x8: 15); after 16 moves of
    three pieces with a king against a lone king (8x8: 5, if it stays on the long diagonal), and after 5 of
    two pieces or one. In 8x8 games also after 30 moves of four or five pieces without a capture or a new
    king where both sides have kings, and 60 of six or seven. With `automatic=off` no draw ends the game, as
    in records that were played on.

    A move is two squares, `32-28`, a capture `28x19`; the squares between follow if two captures have the
    same ends. 8x8 games use letters, `c3-d4`. A position is a PDN FEN: the side to move, then the pieces,
    K before a king: `W:W31-50,K8:B1-5`; `:H12` at the end are 12 plies of kings alone. Moves may follow, or
    stand alone from the start.
    """

    sides = notation.SIDES
    aliases = {"w": 0, "light": 0, "b": 1, "dark": 1}
    evaluations = EVALUATIONS

    def __init__(self, variant: str = "international", automatic: cython.bint = True):
        DraughtsBoard.__init__(self, variant, automatic)
        self.sums = DraughtsEvaluation(self.rules)

    @property
    def variant(self):
        """The name of the variant."""
        return self.rules.name

    @staticmethod
    def fits(variant="international", automatic=True):
        """True: every board fits."""
        return True

    # -- the end -------------------------------------------------------------------------------

    def result(self):
        if not self.can_move():
            return 1
        if not self.automatic:
            return 0
        if self.clock >= 8 and (self.clock >= self.limit or self.count_repetitions(0) >= 2):
            return 2
        if self.balance_clock >= FIVE_MOVES:
            limit: cython.int = self.balance_limit()
            if limit and self.balance_clock >= limit:
                return 2
        return 0

    def balance_limit(self):
        """The plies after which this balance of pieces draws; 0: never.

        FMJD, article 6: three pieces, one a king, against a lone king 16 moves, two or one 5 moves. FMJD-64,
        article 7.2: two or one 5 moves, three 5 moves if the lone king stays on the long diagonal; where both
        sides have kings, four and five pieces 30 moves, six and seven 60 moves.
        """
        white: cython.int = popcount(self.white)
        black: cython.int = popcount(self.black)
        total: cython.int = white + black
        if total > 7 or not self.white & self.kings or not self.black & self.kings:
            return 0
        lone: cython.bint = white == 1 or black == 1
        if total <= 3:
            return FIVE_MOVES
        if not self.small:
            return SIXTEEN_MOVES if total == 4 and lone else 0
        if total == 4 and lone and self.plies_on_diagonal(white == 1) == FIVE_MOVES:
            return FIVE_MOVES
        return THIRTY_MOVES if total <= 5 else SIXTY_MOVES

    def plies_on_diagonal(self, white):
        """The plies, at most FIVE_MOVES, that the lone king of a side has been on the long diagonal."""
        if not (self.white if white else self.black) & self.diagonal:
            return 0
        count: cython.int = 0
        while count < FIVE_MOVES and count < self.balance_clock:
            i: cython.int = 4 * (self.ply - 1 - count)
            if not self.undo_stack[i + (1 if white else 0)] & self.diagonal:
                break
            count += 1
        return count

    def ending(self):
        """The reason for a draw; wins are always by leaving the opponent no move."""
        if self.result() != 2:
            return ""
        if self.clock >= self.limit:
            return f"{self.limit // 2} moves of each side by kings alone"
        if self.clock >= 8 and self.count_repetitions(0) >= 2:
            return "threefold repetition"
        return f"{self.balance_limit() // 2} moves of each side with this balance of pieces"

    # -- for search ----------------------------------------------------------------------------

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        return self.sums.value(self.white, self.black, self.kings, self.turn)

    def load_weights(self, evaluation):
        """Set the weights of the terms."""
        self.sums = DraughtsEvaluation(self.rules, evaluation.weights)

    def term_reader(self, evaluation):
        """The reader of the terms of `terms`."""
        return DraughtsTerms(evaluation.weights)

    def count_terms(self, counts):
        self.sums.tally(self.white, self.black, self.kings, self.turn, counts)

    def gain(self, move):
        if move >> 12:
            taken: cython.ulonglong = self.captured_by(move)
            return self.c_unit * popcount(taken & ~self.kings) + KING * popcount(taken & self.kings)
        if self.kings >> (move & 63) & 1:
            return 0
        last: cython.ulonglong = self.south if self.turn else self.north
        return KING - self.c_unit if last >> (move >> 6 & 63) & 1 else 0

    def plies_to_draw(self):
        if not self.automatic:
            return NO_DRAW_PLIES
        limit: cython.int = self.balance_limit()
        plies: cython.int = self.limit - self.clock
        return min(plies, limit - self.balance_clock) if limit else plies

    # -- the contract --------------------------------------------------------------------------

    def key(self):
        """The position; with draws on, also the counters and the positions since they started."""
        age = self.balance_clock if self.balance_limit() else 0
        if not self.clock and not age:
            return self.hash()
        stay = self.plies_on_diagonal(self.white.bit_count() == 1) if self.small and age else 0
        return (self.hash(), self.clock, age, stay, *self.reversible_positions())

    # -- notation and drawing ------------------------------------------------------------------

    def names(self):
        """The notation of this position's moves."""
        return notation.Notation(self.rules, self.layout(), self.turn)

    def format(self, move):
        """A legal move in PDN: `32-28`, `28x19`, with the squares between if the ends are ambiguous."""
        unambiguous = move >> 12 == 0 or [other & 4095 for other in self.moves()].count(move & 4095) == 1
        return self.names().format_move(move, self.taken_by(move), unambiguous)

    def move_spellings(self):
        """The legal moves, each with its captured pieces as bits and its notation."""
        moves, names = self.moves(), self.names()
        ends = [move & 4095 for move in moves]
        spellings = []
        for move in moves:
            taken = self.taken_by(move)
            spellings.append(
                (move, taken, names.format_move(move, taken, not taken or ends.count(move & 4095) == 1))
            )
        return spellings

    def parse(self, text):
        """The legal move that `text` names: its ends, optionally with squares between them."""
        return self.names().parse_move(text, self.move_spellings())

    def route(self, move):
        """The start, the end, and the captured squares of a legal move, as numbers."""
        rules, taken = self.rules, self.taken_by(move)
        captured = [square for square in range(1, rules.squares + 1) if taken >> rules.bit(square) & 1]
        return rules.square(move & 63), rules.square(move >> 6 & 63), tuple(captured)

    def text(self):
        """A FEN; with moves that count toward a draw, the FEN before them and these moves."""
        age = self.balance_clock if self.balance_limit() else 0
        return self.text_since(min(max(self.clock, age), len(self.made)))

    def board(self, viewer=None, last=None):
        """The drawing of the position, black at the top."""
        names = self.names()
        legal = self.moves() if not self.result() else []
        paths = {move: names.path(move, self.taken_by(move)) for move in legal}
        ends = [] if last is None else [self.rules.square(last & 63), self.rules.square(last >> 6 & 63)]
        return self.draw_board(paths, ends)
