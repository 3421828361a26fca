# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Chess: end of the game, search support, and setup.  C types: game.pxd.

The board is in `board.py`, the legal moves in `movegen.py`; notation and drawing are plain Python.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.errors import BadInput
from gameplay.games.chess import fen as _fen
from gameplay.games.chess.drawing import ChessDrawing
from gameplay.games.chess.evaluation import EVALUATIONS
from gameplay.games.chess.indexing import IndexedChess
from gameplay.games.chess.notation import ChessNotation, is_move
from gameplay.terms.reader import TermReader

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import bishop, rook
    from cython.cimports.gameplay.games.chess.correction import ChessCorrection
    from cython.cimports.gameplay.games.chess.evaluation import ChessEvaluation
    from cython.cimports.gameplay.games.chess.terms import ChessTerms
    from cython.cimports.gameplay.native.bits import ONE, popcount
    from cython.cimports.gameplay.native.hashing import splitmix
    from cython.cimports.gameplay.value import USER_DEFINED
else:
    from gameplay.games.chess.attacks import bishop, rook
    from gameplay.games.chess.correction import ChessCorrection
    from gameplay.games.chess.evaluation import ChessEvaluation
    from gameplay.games.chess.layout import *
    from gameplay.games.chess.terms import ChessTerms
    from gameplay.native.bits import ONE, popcount
    from gameplay.native.hashing import splitmix
    from gameplay.value import USER_DEFINED

    CACHE_SIZE = 8192

LINEAR = cython.declare(cython.int, list(EVALUATIONS).index("linear"))
TERMS = cython.declare(cython.int, len(EVALUATIONS["linear"].weights))
NO_DRAW_PLIES = cython.declare(cython.int, 1 << 20)  # plies_to_draw() without automatic draws


def piece_value(kind):
    """The value of a piece in hundredths of a pawn, for gain() and see()."""
    if kind == PAWN:
        return 100
    if kind == KNIGHT:
        return 320
    if kind == BISHOP:
        return 330
    if kind == ROOK:
        return 500
    return 950 if kind == QUEEN else 20000


class Chess(IndexedChess, ChessNotation, ChessDrawing):
    """Checkmate the opponent's king; FIDE's rules, also Chess960 (`start=0` to `959`).

    A move is in standard notation, `e4`, `Nf3`, `exd5`, `O-O`, `e8=Q+`; `e2e4` and `Ng1-f3` are read, too.
    `Nbd2` distinguishes two knights. A position is a FEN, or a list of moves from the start.

    A game is drawn by stalemate, insufficient material, threefold repetition and the fifty-move rule. With
    `claims=off` no player claims a draw, and fivefold repetition or seventy-five moves are required. With
    `automatic=off` only checkmate and stalemate end a game, for records of games that continued after a draw.
    White's pieces are KQRBNP, Black's kqrbnp.
    """

    sides = ("white", "black")
    cell_shape = (8, 8)
    cell_letters = ("", *"PNBRQKpnbrqk")
    records = ".pgn"  # the format of its files
    notations = ("uci",)
    aliases = {"w": 0, "b": 1}
    evaluations = EVALUATIONS
    unit = 100
    unit_names = ("pawn", "pawns")
    quiet_margin = 100
    has_noisy = True
    settings = ("chess960",)
    draw_offers = True
    remembers = True
    phases = ("opening", "middlegame", "endgame")
    mark_names = ("rooks that may castle", "en passant")

    def __init__(self, start: cython.int = 518, claims: cython.bint = True, automatic: cython.bint = True):
        if not 0 <= start <= 959:
            raise BadInput(f"start must be the number of a start position from 0 to 959, not {start}")
        IndexedChess.__init__(self)
        self.empty_when_over = True
        self.number = start
        self.claims = claims
        self.automatic = automatic
        self.draw_clock_limit = 100 if claims else 150
        self.drawing_repetitions = 3 if claims else 5
        if not cython.compiled:
            self.swap, self.cached_keys, self.cached_values = [0] * 40, [0] * CACHE_SIZE, [0] * CACHE_SIZE
        self.evaluator = ChessEvaluation()
        self.correction = ChessCorrection(EVALUATIONS["correction"].numbers)
        self.terms = ChessTerms()
        self.begin()

    @property
    def finite(self):
        """False if only checkmate and stalemate end a game."""
        return bool(self.automatic)

    @staticmethod
    def fits(start=518, claims=True, automatic=True):
        """True: the board is always the same."""
        return True

    def cell_marks(self):
        """The rooks that may castle, and the en passant square: see `HasMarks`."""
        rooks: cython.ulonglong = 0
        taken: cython.ulonglong = 0
        square: cython.int
        i: cython.int
        for square in range(64):
            if (self.rights >> square) & 1:
                rooks |= ONE << (square ^ 56)  # cells begin with a8
        if self.en_passant >= 0 and not self.result():
            end: cython.int = self.gen(0)
            for i in range(end):
                if (self.stack[i] >> 18) & 7 == EN_PASSANT:
                    taken = ONE << ((self.stack[i] & 63) ^ 56)
        return rooks, taken

    def arguments(self):
        """The parameters."""
        return {"start": self.number, "claims": self.claims, "automatic": self.automatic}

    # -- the end -----------------------------------------------------------------------------------

    def is_insufficient_material(self):
        """True if neither side can mate: kings with at most a knight, or bishops of one square colour."""
        if self.kinds[PAWN] | self.kinds[ROOK] | self.kinds[QUEEN]:
            return False
        bishops: cython.ulonglong = self.kinds[BISHOP]
        knights: cython.ulonglong = self.kinds[KNIGHT]
        if knights:
            return not bishops and not knights & (knights - 1)
        return not (bishops & DARK and bishops & ~DARK)

    def result(self):
        if self.has_no_legal_move():
            return 1 if self.checkers else 2
        if not self.automatic:
            return 0
        if self.clock >= self.draw_clock_limit or self.is_insufficient_material():
            return 2
        if self.reversible_plies >= 8 and self.is_repetition(self.drawing_repetitions):
            return 2
        return 0

    def plies_to_draw(self):
        return self.draw_clock_limit - self.clock if self.automatic else NO_DRAW_PLIES

    def phase(self):
        """By pieces, without pawns and kings, and the first rows (lichess's Divider, without mixedness)."""
        pieces: cython.int = popcount((self.colours[0] | self.colours[1]) & ~self.kinds[PAWN]) - 2
        if pieces <= 6:
            return 2
        sparse: cython.bint = popcount(self.colours[0] & RANK_1) < 4 or popcount(self.colours[1] & RANK_8) < 4
        return 1 if pieces <= 10 or sparse else 0

    def ending(self):
        """The reason why a finished game ended."""
        if self.has_no_legal_move():
            return "checkmate" if self.checkers else "stalemate"
        if self.is_insufficient_material():
            return "insufficient material"
        if self.clock >= self.draw_clock_limit:
            return f"{self.draw_clock_limit // 2} moves without a capture or pawn move"
        return "threefold repetition" if self.drawing_repetitions == 3 else "fivefold repetition"

    def claim(self):
        """The reason why the mover can claim a draw (`claims=off`), or an empty string."""
        if self.claims:
            return ""
        if self.clock >= 100:
            return "50 moves without a capture or pawn move"
        return "threefold repetition" if self.is_repetition(3) else ""

    # -- for search --------------------------------------------------------------------------------

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        if self.evaluation_index == LINEAR:
            return self.terms.value(self.kinds, self.colours, self.turn)
        if self.evaluation_index:
            return self.evaluator.score(self.kinds, self.colours, self.turn, self.evaluation_index)
        value: cython.int = self.corrected_value()
        return -value if self.turn else value

    def corrected_value(self):
        """The value of `classic` and its correction for White, cached.

        Drawish endings scale the correction as they scale `classic`.
        """
        slot: cython.int = self.zobrist & (CACHE_SIZE - 1)
        if self.cached_keys[slot] != self.zobrist:
            value: cython.int = self.evaluator.classic(self.kinds, self.colours, self.turn)
            more: cython.int = self.correction.value(self.kinds, self.colours, self.turn)
            more = (more * self.evaluator.scale_factor) >> 6
            self.cached_keys[slot] = self.zobrist
            self.cached_values[slot] = value - more if self.turn else value + more
        return self.cached_values[slot]

    def load_weights(self, evaluation):
        """Select an evaluation, with its weights."""
        slot: cython.int
        if evaluation.scale:
            self.terms = ChessTerms(evaluation.weights)
        elif evaluation.size:
            self.evaluator.set_weights(evaluation.classic.weights)
            self.correction = ChessCorrection(evaluation.numbers)
            for slot in range(CACHE_SIZE):  # the cached values are stale
                self.cached_keys[slot] = 0
        elif evaluation.weights:
            self.evaluator.set_weights(evaluation.weights)

    def term_reader(self, evaluation):
        """The reader of the terms of `linear`."""
        return LinearChessTerms(evaluation.weights)

    def count_terms(self, counts):
        i: cython.int
        self.terms.tally(self.kinds, self.colours)
        for i in range(TERMS):
            counts[i] = -self.terms.count[i] if self.turn else self.terms.count[i]

    def hash(self):
        # Near the draw by the move clock, positions with different clocks are distinct.
        late: cython.int = self.clock - (self.draw_clock_limit - 16)
        if late >= 0:
            return self.zobrist ^ splitmix(late)
        return self.zobrist

    def hint(self, move):
        # Most valuable victim, least valuable attacker (MVV-LVA); underpromotions last.
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        if 0 < how < QUEEN:
            return -1
        if how == QUEEN:
            return 40 + 8 * taken
        if taken:
            return 8 * taken - ((move >> 12) & 7)
        return 0

    def gain(self, move):
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        value: cython.int = piece_value(taken - 1) if taken else 0
        if 0 < how < CASTLE:
            value += piece_value(how) - piece_value(PAWN)
        return value

    def see(self, move):
        # Both sides capture in turn with their least valuable piece and may stop at any time. X-ray attackers
        # join in; pins are ignored.
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        how: cython.int = (move >> 18) & 7
        if how == CASTLE:
            return 0
        side: cython.int = self.turn ^ 1
        kind: cython.int = (move >> 12) & 7
        next_victim: cython.int = piece_value(how if 0 < how < CASTLE else kind)
        depth: cython.int = 0
        self.swap[0] = self.gain(move)
        occupied: cython.ulonglong = (self.colours[0] | self.colours[1]) & ~(ONE << start)
        if how == EN_PASSANT:
            occupied ^= ONE << (to ^ 8)
        attackers: cython.ulonglong = self.attackers(to, occupied) & occupied
        capturers: cython.ulonglong = attackers & self.colours[side]
        while capturers:
            kind = PAWN
            while not capturers & self.kinds[kind]:
                kind += 1
            if kind == KING and attackers & self.colours[side ^ 1]:
                break
            depth += 1
            self.swap[depth] = next_victim - self.swap[depth - 1]
            next_victim = piece_value(kind)
            capturers &= self.kinds[kind]
            occupied ^= capturers & ~(capturers - 1)
            if kind in (PAWN, BISHOP, QUEEN):
                attackers |= bishop(to, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN])
            if kind in (ROOK, QUEEN):
                attackers |= rook(to, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN])
            attackers &= occupied
            side ^= 1
            capturers = attackers & self.colours[side]
        while depth:
            depth -= 1
            if self.swap[depth + 1] > -self.swap[depth]:
                self.swap[depth] = -self.swap[depth + 1]
        return self.swap[0]

    def history_index(self, move):
        return 384 * (move >> 21) + 64 * ((move >> 12) & 7) + (move & 63)

    # -- setting up --------------------------------------------------------------------------------

    def begin(self):
        """Set up the start position `number`."""
        self.lay_out(*_fen.start(self.number))
        self.chess960 = self.number != _fen.STANDARD
        self.start = None

    def setup(self, text):
        """Set up a FEN (six fields or the first four) and make the moves after the word `moves`.

        Other text is a list of moves from the start position: `e4 e5 Nf3` or `1. e4 e5`.
        """
        fen, _, line = text.strip().partition(" moves")
        if "/" not in fen.partition(" ")[0]:
            fen, line = "", text
        if fen:
            self.lay_out(*_fen.read(fen))
            self.chess960 = self.chess960 or self.number != _fen.STANDARD
            self.start = fen
        else:
            self.begin()
        words = [re.sub(r"^\d+\.+", "", word) for word in line.split()]
        words = [word for word in words if word]
        if not fen and words and not [word for word in words if is_move(word.rstrip("+#!?"))]:
            shown = " ".join(text.split())
            raise BadInput(f"'{shown}' is neither a FEN nor a list of moves such as e4 e5 Nf3")
        super().setup(" ".join(words))

    def text(self):
        """The FEN; if earlier positions can recur, the FEN of the first, `moves` and the moves since."""
        line = self.made[len(self.made) - self.reversible_plies :] if self.reversible_plies else []
        move: cython.int
        for move in reversed(line):
            self.pop(move)
        fen = self.fen()
        for move in line:
            self.push(move)
        return " ".join([fen, "moves", *[self.uci(move) for move in line]]) if line else fen

    def why_not_castle(self, short):
        """The reason why castling is illegal."""
        side = "short" if short else "long"
        if self.result():
            return "the game is over"
        rooks: cython.ulonglong = self.rights & self.colours[self.turn]
        if self.is_threatened():
            return "the king is in check"
        at: cython.int
        for at in range(64):
            if (rooks >> at) & 1 and (at > self.king_square) == short:
                if self.castling_paths[at] & (self.colours[0] | self.colours[1]):
                    return f"pieces stand in the way of castling {side}"
                return f"castling {side} would lead the king through check"
        return f"there is no right to castle {side}"


class LinearChessTerms(TermReader):
    """All terms of `linear`."""

    def read(self, position, counts):
        cython.cast(Chess, position).count_terms(counts)
        return True
