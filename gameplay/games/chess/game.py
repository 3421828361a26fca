# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Chess on bitboards.  C types: game.pxd; the numbers of the squares: gameplay.games.chess.attacks.

A position is six sets of squares by kind of piece and two by colour, and the kind of piece by square. A move
encodes all that it changes, so that it can be made, unmade and ordered without a lookup:

    bit   21    20 19 18   17 16 15   14 13 12   11 ... 6   5 ... 0
        colour    how        taken     kind        from       to        kind: pawn 0, knight, bishop,
                                                                        rook, queen, king 5
    how:   0 plain   1-4 promotes to knight ... queen 5 castling   6 en passant         7 pawn's double step
    taken: kind + 1, 0 nothing. Castling goes from the king's square to that of the rook, in any array.

Legal moves come from pins and check masks (who pins and checks is found by looking out from the king); only
a capture in passing is tried out.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay import kernel
from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.chess import fen as _fen
from gameplay.games.chess.evaluation import EVALUATIONS
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import (
        between,
        bishop,
        king,
        knight,
        pawn,
        rook,
        through,
    )
    from cython.cimports.gameplay.games.chess.evaluation import ChessEvaluation
    from cython.cimports.gameplay.games.chess.terms import ChessTerms
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import splitmix
    from cython.cimports.gameplay.native.subsets import choose, number_of, numbered
    from cython.cimports.libc.stdlib import abort, free, realloc
else:
    from gameplay.games.chess.attacks import between, bishop, king, knight, pawn, rook, through
    from gameplay.games.chess.evaluation import ChessEvaluation
    from gameplay.games.chess.terms import ChessTerms
    from gameplay.native.bits import M64, ONE, lowest, popcount
    from gameplay.native.hashing import splitmix
    from gameplay.native.subsets import choose, number_of, numbered

ASKED = cython.declare(cython.int, kernel.ASKED)
LINEAR = cython.declare(cython.int, list(EVALUATIONS).index("linear"))
NUMBERED = cython.declare(cython.int, 8)  # pieces of a side: positions of more have no numbers in tables
FILE_A = cython.declare(cython.ulonglong, 0x0101010101010101)
FILE_H = cython.declare(cython.ulonglong, 0x8080808080808080)
RANK_1 = cython.declare(cython.ulonglong, 0xFF)
RANK_3 = cython.declare(cython.ulonglong, 0xFF0000)
RANK_4 = cython.declare(cython.ulonglong, 0xFF000000)
RANK_5 = cython.declare(cython.ulonglong, 0xFF00000000)
RANK_6 = cython.declare(cython.ulonglong, 0xFF0000000000)
RANK_8 = cython.declare(cython.ulonglong, 0xFF00000000000000)
DARK = cython.declare(cython.ulonglong, 0xAA55AA55AA55AA55)
LASTING = cython.declare(cython.int, 1 << 20)  # plies that a game may go on where no draw ends it

PAWN = cython.declare(cython.int, 0)
KNIGHT = cython.declare(cython.int, 1)
BISHOP = cython.declare(cython.int, 2)
ROOK = cython.declare(cython.int, 3)
QUEEN = cython.declare(cython.int, 4)
KING = cython.declare(cython.int, 5)
CASTLE = cython.declare(cython.int, 5)
PASSING = cython.declare(cython.int, 6)
DOUBLE = cython.declare(cython.int, 7)

# Where the parts of ZOBRIST begin, after 768 numbers for pieces.
RIGHTS = cython.declare(cython.int, 768)
FILES = cython.declare(cython.int, 832)
SIDE = cython.declare(cython.int, 840)

DIAGONAL = cython.declare(cython.int, 4)  # the way to turn the board that mirrors its long diagonal
PAWNED = cython.declare(cython.int, 4096)  # where the pairs of kings with pawns begin in PAIRS,
WITHOUT = cython.declare(cython.int, 462)  # ... in KINGS: how many there are without
WITH = cython.declare(cython.int, 1806)  # ... and with pawns


if not cython.compiled:
    ZOBRIST = [0] * 841
    TURNED, FOLDING, PAIRS, KINGS = [0] * 512, [0] * 64, [0] * 8192, [0] * 2268

    class Memory:
        """What a move changes beyond pieces."""

        zobrist = rights = passing = clock = since = 0


def worth(kind):
    """A piece in hundredths of a pawn, for gain() and exchange()."""
    if kind == PAWN:
        return 100
    if kind == KNIGHT:
        return 320
    if kind == BISHOP:
        return 330
    if kind == ROOK:
        return 500
    return 950 if kind == QUEEN else 20000


for _i in range(841):
    ZOBRIST[_i] = splitmix(_i)


def _number_kings():
    """Number the pairs of kings apart from each other, the first on the left or in the triangle."""
    way: cython.int
    one: cython.int
    two: cython.int
    for way in range(8):
        for one in range(64):
            two = one ^ (7 if way & 1 else 0) ^ (56 if way & 2 else 0)
            TURNED[64 * way + one] = ((two & 7) << 3) | (two >> 3) if way & DIAGONAL else two
    for one in range(64):
        FOLDING[one] = (1 if one & 4 else 0) | (2 if one & 32 else 0)
        two = TURNED[64 * FOLDING[one] + one]
        if two >> 3 > two & 7:
            FOLDING[one] |= DIAGONAL
    found: cython.int = 0
    for way in (0, PAWNED):
        for one in range(64):
            for two in range(64):
                apart = one != two and not (king(one) >> two) & 1
                if way:
                    fits = not one & 4
                else:  # on the diagonal the first king leaves it to the second not to be above it
                    fits = FOLDING[one] == 0 and (one % 9 or two >> 3 <= two & 7)
                PAIRS[way + 64 * one + two] = -1
                if apart and fits:
                    PAIRS[way + 64 * one + two] = found - (WITHOUT if way else 0)
                    KINGS[found] = 64 * one + two
                    found += 1


_number_kings()

LETTERS, FILE_NAMES, SQUARES = _fen.LETTERS, _fen.FILES, _fen.SQUARES
USUAL = 518
_CASTLING = re.compile("([O0o])-?[O0o](-?[O0o])?")
_MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h])([1-8]):?(?:[=/]?\(?([QRBNqrbn])\)?)?")
_TAKES = re.compile(r"([a-h])[x:]?([a-h])(?:[=/]?\(?([QRBNqrbn])\)?)?")  # a pawn that takes, without the row
_TAIL = re.compile(r"(?:[+#!?=\s]|(?<=[1-8QRBNqrbn)\s])(?:e\.?p\.?|mate|ch\.?))+$")  # signs behind a move
_SIGNS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟‐‑‒–—−×†‡", "KQRBNPKQRBNP------x++")
_SQUARES = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")  # as engines write a move


def _spellings(word):
    """How a word may be meant: a bishop may be small, `bc4`, and all of it in capitals: `C4`, `B2B4`."""
    small = word.lower()
    capital = small if _SQUARES.fullmatch(small) else small[:1].upper() + small[1:]
    return dict.fromkeys([word, word[:1].upper() + word[1:], capital, small])


def _move_of(word):
    """The parts of a word that is spelt like a move, be it legal or not; None for any other."""
    return next(filter(None, map(_MOVE.fullmatch, _spellings(word))), None)


def _spelt(word):
    """True for a word that is spelt like a move or like castling."""
    return _CASTLING.fullmatch(word) is not None or _move_of(word) is not None


class Chess(Kernel):
    """Checkmate the opponent's king; FIDE's rules, also Chess960 (`start=0` to `959`).

    A move is written as in the books, `e4`, `Nf3`, `exd5`, `O-O`, `e8=Q+`, and read also as `e2e4` or
    `Ng1-f3`; `Nbd2` says which of two knights. A position is a FEN; a list of moves from the start will do.
    A game is drawn by stalemate, insufficient material, threefold repetition and the fifty-move rule; with
    `claims=off` no player claims a draw, and it takes fivefold repetition or seventy-five moves. With
    `automatic=off` only checkmate and stalemate end a game, as in records that were played on beyond a draw.
    White's pieces are KQRBNP, Black's kqrbnp.
    """

    sides = ("white", "black")
    records = ".pgn"  # the format of its files
    notations = ("uci",)
    aliases = {"w": 0, "b": 1}
    evaluations = EVALUATIONS
    unit = 100
    unit_names = ("pawn", "pawns")
    swing = 100
    has_noisy = True
    settings = ("chess960",)
    draw_offers = True
    remembers = True
    phases = ("opening", "middlegame", "endgame")

    def __init__(self, start: cython.int = 518, claims: cython.bint = True, automatic: cython.bint = True):
        if not 0 <= start <= 959:
            raise BadInput(f"start is the number of a start position from 0 to 959, not {start}")
        Kernel.__init__(self, 416)  # fifteen queens and a king have fewer moves
        self.exhausts = True
        self.number = start
        self.claims = claims
        self.automatic = automatic
        self.drawn_after = 100 if claims else 150
        self.drawn_at = 3 if claims else 5
        if not cython.compiled:
            self.kinds = [0] * 6
            self.colours = [0] * 2
            self.cells = [0] * 64
            self.clear = [0] * 64
            self.swap = [0] * 40
            self.past = []
        self.room = 0
        self.judge = ChessEvaluation()
        self.terms = ChessTerms()
        self.begin()

    def __dealloc__(self):
        free(self.past)

    @property
    def finite(self):
        """False where only checkmate and stalemate end a game."""
        return bool(self.automatic)

    @staticmethod
    def fits(start=518, claims=True, automatic=True):
        """True: the board is always the same."""
        return True

    # -- the board -----------------------------------------------------------------------------

    def grow(self):
        """Make room to remember more moves."""
        self.room = 2 * self.room + 512
        if cython.compiled:
            past: cython.pointer(Past) = cython.cast(
                cython.pointer(Past), realloc(self.past, self.room * cython.sizeof(Past))
            )
            if past == cython.NULL:
                abort()  # a few kilobytes, in the middle of a search
            self.past = past
        else:
            self.past += [Memory() for _ in range(self.room - len(self.past))]

    def toggle(self, colour, kind, square):
        """Put a piece on an empty square, or take it away (`cells` apart)."""
        bit: cython.ulonglong = ONE << square
        self.kinds[kind] ^= bit
        self.colours[colour] ^= bit
        self.zobrist ^= ZOBRIST[384 * colour + 64 * kind + square]

    def push(self, move):
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        us: cython.int = self.turn
        at: cython.int
        if self.ply >= self.room:
            self.grow()
        self.past[self.ply].zobrist = self.zobrist
        self.past[self.ply].rights = self.rights
        self.past[self.ply].passing = self.passing
        self.past[self.ply].clock = self.clock
        self.past[self.ply].since = self.since
        self.ply += 1
        self.clock += 1
        self.since += 1
        self.turn = us ^ 1
        self.surveyed = False
        self.zobrist ^= ZOBRIST[SIDE]
        if self.passing >= 0:
            self.zobrist ^= ZOBRIST[FILES + (self.passing & 7)]
            self.passing = -1

        if how == CASTLE:
            at = start & 56
            self.toggle(us, KING, start)
            self.toggle(us, ROOK, to)
            self.cells[start] = 0
            self.cells[to] = 0
            self.toggle(us, KING, at + (6 if to > start else 2))
            self.toggle(us, ROOK, at + (5 if to > start else 3))
            self.cells[at + (6 if to > start else 2)] = KING + 1
            self.cells[at + (5 if to > start else 3)] = ROOK + 1
        else:
            if taken:
                at = to ^ 8 if how == PASSING else to
                self.toggle(us ^ 1, taken - 1, at)
                self.cells[at] = 0
                self.clock = 0
            self.toggle(us, kind, start)
            self.cells[start] = 0
            if kind == PAWN:
                self.clock = 0
                if 0 < how < CASTLE:
                    kind = how
            self.toggle(us, kind, to)
            self.cells[to] = kind + 1

        lost: cython.ulonglong = (ONE << start) | (ONE << to)
        if kind == KING:
            lost = RANK_8 if us else RANK_1
        lost &= self.rights
        self.rights ^= lost
        if lost or self.clock == 0:
            self.since = 0
            while lost:
                self.zobrist ^= ZOBRIST[RIGHTS + lowest(lost)]
                lost &= lost - 1

        if how == DOUBLE:
            takers: cython.ulonglong = pawn(us, to ^ 8) & self.kinds[PAWN] & self.colours[us ^ 1]
            if takers:
                self.passing = to ^ 8
                if self.passes(lowest(takers), us ^ 1) or (
                    takers & (takers - 1) and self.passes(lowest(takers & (takers - 1)), us ^ 1)
                ):
                    self.zobrist ^= ZOBRIST[FILES + (to & 7)]
                else:
                    self.passing = -1

    def pop(self, move):
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        us: cython.int = self.turn ^ 1
        at: cython.int
        self.turn = us
        self.ply -= 1
        self.surveyed = False
        if how == CASTLE:
            at = start & 56
            self.toggle(us, KING, at + (6 if to > start else 2))
            self.toggle(us, ROOK, at + (5 if to > start else 3))
            self.cells[at + (6 if to > start else 2)] = 0
            self.cells[at + (5 if to > start else 3)] = 0
            self.toggle(us, KING, start)
            self.toggle(us, ROOK, to)
            self.cells[start] = KING + 1
            self.cells[to] = ROOK + 1
        else:
            self.toggle(us, how if 0 < how < CASTLE else kind, to)
            self.cells[to] = 0
            self.toggle(us, kind, start)
            self.cells[start] = kind + 1
            if taken:
                at = to ^ 8 if how == PASSING else to
                self.toggle(us ^ 1, taken - 1, at)
                self.cells[at] = taken
        self.zobrist = self.past[self.ply].zobrist
        self.rights = self.past[self.ply].rights
        self.passing = self.past[self.ply].passing
        self.clock = self.past[self.ply].clock
        self.since = self.past[self.ply].since

    # -- attacks -------------------------------------------------------------------------------

    def strikers(self, square, occupied):
        """The pieces of both colours that attack a square, were these squares occupied."""
        return (
            (pawn(1, square) & self.kinds[PAWN] & self.colours[0])
            | (pawn(0, square) & self.kinds[PAWN] & self.colours[1])
            | (knight(square) & self.kinds[KNIGHT])
            | (king(square) & self.kinds[KING])
            | (rook(square, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN]))
            | (bishop(square, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN]))
        )

    def safe(self, square, enemy, occupied):
        """True if no piece of a colour attacks the square, were these squares occupied."""
        theirs: cython.ulonglong = self.colours[enemy]
        return not (
            knight(square) & self.kinds[KNIGHT] & theirs
            or pawn(enemy ^ 1, square) & self.kinds[PAWN] & theirs
            or king(square) & self.kinds[KING] & theirs
            or rook(square, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN]) & theirs
            or bishop(square, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN]) & theirs
        )

    def passes(self, start, us):
        """True if the pawn on a square can capture en passant without leaving its king in check."""
        other: cython.ulonglong = ONE << (self.passing ^ 8)
        occupied: cython.ulonglong = (self.colours[0] | self.colours[1]) ^ (ONE << start) ^ other
        occupied |= ONE << self.passing
        at: cython.int = lowest(self.kinds[KING] & self.colours[us])
        return not self.strikers(at, occupied) & self.colours[us ^ 1] & ~other

    def castles(self, tower, occupied):
        """True if castling with the rook on a square is not blocked and leads through no check."""
        if occupied & self.clear[tower]:
            return False
        row: cython.int = self.home & 56
        end: cython.int = row + (6 if tower > self.home else 2)
        enemy: cython.int = self.turn ^ 1
        without: cython.ulonglong = occupied ^ (ONE << self.home)
        way: cython.ulonglong = between(self.home, end) | (ONE << end)
        while way:
            if not self.safe(lowest(way), enemy, without):
                return False
            way &= way - 1
        if (ONE << tower) & (FILE_A | FILE_H):
            return True
        without ^= (ONE << tower) ^ (ONE << (row + (5 if tower > self.home else 3)))
        return self.safe(end, enemy, without)  # the rook no longer shields it from beyond

    def survey(self):
        """Find the pieces that give check, and those that are pinned, by looking out from the king."""
        us: cython.int = self.turn
        ours: cython.ulonglong = self.colours[us]
        theirs: cython.ulonglong = self.colours[us ^ 1]
        home: cython.int = lowest(self.kinds[KING] & ours)
        checkers: cython.ulonglong = (
            (pawn(us, home) & self.kinds[PAWN]) | (knight(home) & self.kinds[KNIGHT])
        ) & theirs
        pinned: cython.ulonglong = 0
        way: cython.ulonglong
        snipers: cython.ulonglong = (
            (rook(home, theirs) & (self.kinds[ROOK] | self.kinds[QUEEN]))
            | (bishop(home, theirs) & (self.kinds[BISHOP] | self.kinds[QUEEN]))
        ) & theirs
        while snipers:
            way = between(home, lowest(snipers)) & ours
            if not way:
                checkers |= ONE << lowest(snipers)
            elif not way & (way - 1):
                pinned |= way
            snipers &= snipers - 1
        self.home = home
        self.checkers = checkers
        self.pinned = pinned
        self.surveyed = True

    # -- moves ---------------------------------------------------------------------------------

    def emit(self, base, head, targets):
        """Write the moves of one piece."""
        to: cython.int
        while targets:
            to = lowest(targets)
            self.stack[base] = head | (self.cells[to] << 15) | to
            base += 1
            targets &= targets - 1
        return base

    def step(self, base, targets, stride):
        """Write moves of pawns that came from `stride` squares before, double steps left out."""
        to: cython.int
        while targets:
            to = lowest(targets)
            self.stack[base] = (self.turn << 21) | (self.cells[to] << 15) | ((to - stride) << 6) | to
            base += 1
            targets &= targets - 1
        return base

    def promote(self, base, targets, stride, noisy, quiet):
        """Write promotions: to a queen if `noisy`, to the others if `quiet`."""
        to: cython.int
        head: cython.int
        while targets:
            to = lowest(targets)
            head = (self.turn << 21) | (self.cells[to] << 15) | ((to - stride) << 6) | to
            if noisy:
                self.stack[base] = head | (QUEEN << 18)
                base += 1
            if quiet:
                self.stack[base] = head | (KNIGHT << 18)
                self.stack[base + 1] = head | (ROOK << 18)
                self.stack[base + 2] = head | (BISHOP << 18)
                base += 3
            targets &= targets - 1
        return base

    def march(self, base, pawns, allowed, noisy, quiet):
        """Generate pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        theirs: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        ahead: cython.ulonglong
        double: cython.ulonglong
        west: cython.ulonglong
        east: cython.ulonglong
        if us:
            ahead = (pawns >> 8) & empty
            double = ((ahead & RANK_6) >> 8) & empty & allowed
            west = ((pawns & ~FILE_A) >> 9) & theirs
            east = ((pawns & ~FILE_H) >> 7) & theirs
        else:
            ahead = (pawns << 8) & empty
            double = ((ahead & RANK_3) << 8) & empty & allowed
            west = ((pawns & ~FILE_A) << 7) & theirs
            east = ((pawns & ~FILE_H) << 9) & theirs
        ahead &= allowed
        up: cython.int = -8 if us else 8
        if (ahead | west | east) & last:
            base = self.promote(base, west & last, up - 1, noisy, quiet)
            base = self.promote(base, east & last, up + 1, noisy, quiet)
            base = self.promote(base, ahead & last, up, noisy, quiet)
        if noisy:
            base = self.step(base, west & ~last, up - 1)
            base = self.step(base, east & ~last, up + 1)
        if quiet:
            base = self.step(base, ahead & ~last, up)
            while double:
                to: cython.int = lowest(double)
                self.stack[base] = (us << 21) | (DOUBLE << 18) | ((to - 2 * up) << 6) | to
                base += 1
                double &= double - 1
        return base

    def gather(self, base, noisy, quiet):
        """Write the legal moves: captures and promotions to a queen, and all others."""
        if not self.surveyed:
            self.survey()
        us: cython.int = self.turn
        home: cython.int = self.home
        ours: cython.ulonglong = self.colours[us]
        theirs: cython.ulonglong = self.colours[us ^ 1]
        occupied: cython.ulonglong = ours | theirs
        pinned: cython.ulonglong = self.pinned
        allowed: cython.ulonglong = M64
        head: cython.int = us << 21
        start: cython.int
        found: cython.ulonglong
        if self.checkers:
            allowed = self.checkers | between(home, lowest(self.checkers))
            if self.checkers & (self.checkers - 1):
                allowed = 0
        if allowed:
            # 1. Pawns, all that are free at once.
            pieces: cython.ulonglong = self.kinds[PAWN] & ours
            base = self.march(base, pieces & ~pinned, allowed, noisy, quiet)
            pieces &= pinned
            while pieces:
                start = lowest(pieces)
                base = self.march(base, ONE << start, allowed & through(home, start), noisy, quiet)
                pieces &= pieces - 1
            if self.passing >= 0 and noisy:
                pieces = pawn(us ^ 1, self.passing) & self.kinds[PAWN] & ours
                while pieces:
                    start = lowest(pieces)
                    if self.passes(start, us):
                        self.stack[base] = head | (PASSING << 18) | (1 << 15) | (start << 6) | self.passing
                        base += 1
                    pieces &= pieces - 1

            # 2. Pieces; a pinned knight has no move, others stay on the line.
            allowed &= (theirs if noisy else 0) | (~occupied if quiet else 0)
            pieces = self.kinds[KNIGHT] & ours & ~pinned
            while pieces:
                start = lowest(pieces)
                base = self.emit(base, head | (KNIGHT << 12) | (start << 6), knight(start) & allowed)
                pieces &= pieces - 1
            pieces = self.kinds[BISHOP] & ours
            while pieces:
                start = lowest(pieces)
                found = bishop(start, occupied) & allowed
                if (pinned >> start) & 1:
                    found &= through(home, start)
                base = self.emit(base, head | (BISHOP << 12) | (start << 6), found)
                pieces &= pieces - 1
            pieces = self.kinds[ROOK] & ours
            while pieces:
                start = lowest(pieces)
                found = rook(start, occupied) & allowed
                if (pinned >> start) & 1:
                    found &= through(home, start)
                base = self.emit(base, head | (ROOK << 12) | (start << 6), found)
                pieces &= pieces - 1
            pieces = self.kinds[QUEEN] & ours
            while pieces:
                start = lowest(pieces)
                found = (rook(start, occupied) | bishop(start, occupied)) & allowed
                if (pinned >> start) & 1:
                    found &= through(home, start)
                base = self.emit(base, head | (QUEEN << 12) | (start << 6), found)
                pieces &= pieces - 1

            # 3. Castling.
            if quiet and not self.checkers:
                pieces = self.rights & ours
                while pieces:
                    start = lowest(pieces)
                    if self.castles(start, occupied):
                        self.stack[base] = head | (CASTLE << 18) | (KING << 12) | (home << 6) | start
                        base += 1
                    pieces &= pieces - 1

        # 4. The king's own steps; it does not hide behind itself.
        allowed = king(home) & ((theirs if noisy else 0) | (~occupied if quiet else 0))
        found = allowed
        while found:
            start = lowest(found)
            if not self.safe(start, us ^ 1, occupied ^ (ONE << home)):
                allowed ^= ONE << start
            found &= found - 1
        return self.emit(base, head | (KING << 12) | (home << 6), allowed)

    def gen(self, base):
        return self.gather(self.gather(base, True, False), False, True)

    def gen_noisy(self, base):
        if not self.surveyed:
            self.survey()
        self.is_forced = self.checkers != 0
        if self.is_forced:
            return self.gen(base)
        return self.gather(base, True, False)

    def gen_threats(self, base):
        end: cython.int = self.gather(base, False, True)
        i: cython.int
        for i in range(base, end):
            if self.threatens(self.stack[i]):
                self.stack[base] = self.stack[i]
                base += 1
        return base

    def threatens(self, move):
        """True if a move gives check, by itself or by uncovering another piece."""
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        how: cython.int = (move >> 18) & 7
        us: cython.int = self.turn
        mine: cython.ulonglong = self.colours[us]
        at: cython.int = lowest(self.kinds[KING] & self.colours[us ^ 1])
        occupied: cython.ulonglong = (self.colours[0] | mine | self.colours[1]) ^ (ONE << start)
        if how == CASTLE:
            row: cython.int = start & 56
            occupied ^= ONE << to
            occupied |= ONE << (row + (6 if to > start else 2))
            to = row + (5 if to > start else 3)
            mine &= ~(ONE << (move & 63))
            kind = ROOK
        elif 0 < how < CASTLE:
            kind = how
        occupied |= ONE << to
        bit: cython.ulonglong = ONE << to
        if kind == PAWN:
            if pawn(us ^ 1, at) & bit:
                return True
        elif kind == KNIGHT and knight(at) & bit:
            return True
        across: cython.ulonglong = rook(at, occupied)
        slanted: cython.ulonglong = bishop(at, occupied)
        if kind in (ROOK, QUEEN) and across & bit:
            return True
        if kind in (BISHOP, QUEEN) and slanted & bit:
            return True
        mine &= ~(ONE << start)
        return (
            across & mine & (self.kinds[ROOK] | self.kinds[QUEEN])
            | slanted & mine & (self.kinds[BISHOP] | self.kinds[QUEEN])
        ) != 0

    # -- counting ------------------------------------------------------------------------------

    def pawn_count(self, pawns, allowed):
        """The number of pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        theirs: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        ahead: cython.ulonglong
        double: cython.ulonglong
        west: cython.ulonglong
        east: cython.ulonglong
        if us:
            ahead = (pawns >> 8) & empty
            double = ((ahead & RANK_6) >> 8) & empty & allowed
            west = ((pawns & ~FILE_A) >> 9) & theirs
            east = ((pawns & ~FILE_H) >> 7) & theirs
        else:
            ahead = (pawns << 8) & empty
            double = ((ahead & RANK_3) << 8) & empty & allowed
            west = ((pawns & ~FILE_A) << 7) & theirs
            east = ((pawns & ~FILE_H) << 9) & theirs
        ahead &= allowed
        total: cython.int = popcount(ahead) + popcount(double) + popcount(west) + popcount(east)
        if (ahead | west | east) & last:
            total += 3 * (popcount(ahead & last) + popcount(west & last) + popcount(east & last))
        return total

    def count(self):
        """How many legal moves there are: gather() without writing."""
        if not self.surveyed:
            self.survey()
        us: cython.int = self.turn
        home: cython.int = self.home
        ours: cython.ulonglong = self.colours[us]
        theirs: cython.ulonglong = self.colours[us ^ 1]
        occupied: cython.ulonglong = ours | theirs
        pinned: cython.ulonglong = self.pinned
        allowed: cython.ulonglong = M64
        total: cython.int = 0
        start: cython.int
        found: cython.ulonglong = king(home) & ~ours
        pieces: cython.ulonglong
        while found:
            if self.safe(lowest(found), us ^ 1, occupied ^ (ONE << home)):
                total += 1
            found &= found - 1
        if self.checkers:
            if self.checkers & (self.checkers - 1):
                return total
            allowed = self.checkers | between(home, lowest(self.checkers))
        else:
            pieces = self.rights & ours
            while pieces:
                if self.castles(lowest(pieces), occupied):
                    total += 1
                pieces &= pieces - 1
        pieces = self.kinds[PAWN] & ours
        total += self.pawn_count(pieces & ~pinned, allowed)
        pieces &= pinned
        while pieces:
            start = lowest(pieces)
            total += self.pawn_count(ONE << start, allowed & through(home, start))
            pieces &= pieces - 1
        if self.passing >= 0:
            pieces = pawn(us ^ 1, self.passing) & self.kinds[PAWN] & ours
            while pieces:
                if self.passes(lowest(pieces), us):
                    total += 1
                pieces &= pieces - 1
        allowed &= ~ours
        pieces = self.kinds[KNIGHT] & ours & ~pinned
        while pieces:
            total += popcount(knight(lowest(pieces)) & allowed)
            pieces &= pieces - 1
        pieces = (self.kinds[BISHOP] | self.kinds[QUEEN]) & ours
        while pieces:
            start = lowest(pieces)
            found = bishop(start, occupied) & allowed
            if (pinned >> start) & 1:
                found &= through(home, start)
            total += popcount(found)
            pieces &= pieces - 1
        pieces = (self.kinds[ROOK] | self.kinds[QUEEN]) & ours
        while pieces:
            start = lowest(pieces)
            found = rook(start, occupied) & allowed
            if (pinned >> start) & 1:
                found &= through(home, start)
            total += popcount(found)
            pieces &= pieces - 1
        return total

    def leaves(self, base, depth):
        if depth <= 1:
            return self.count()
        end: cython.int = self.gather(base, True, True)
        total: cython.longlong = 0
        move: cython.int
        i: cython.int
        for i in range(base, end):
            move = self.stack[i]
            self.push(move)
            total += self.leaves(end, depth - 1)
            self.pop(move)
        return total

    # -- the end -------------------------------------------------------------------------------

    def stuck(self):
        """True if the mover has no legal move."""
        if not self.surveyed:
            self.survey()
        us: cython.int = self.turn
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if not self.checkers:
            pawns: cython.ulonglong = self.kinds[PAWN] & self.colours[us] & ~self.pinned
            if (pawns >> 8 if us else pawns << 8) & ~occupied:
                return False
        return self.count() == 0

    def dead(self):
        """True if no sequence of moves can mate: kings with at most a knight, or bishops of one colour."""
        if self.kinds[PAWN] | self.kinds[ROOK] | self.kinds[QUEEN]:
            return False
        bishops: cython.ulonglong = self.kinds[BISHOP]
        knights: cython.ulonglong = self.kinds[KNIGHT]
        if knights:
            return not bishops and not knights & (knights - 1)
        return not (bishops & DARK and bishops & ~DARK)

    def recurs(self, times):
        """True if the position has occurred that often, this time included."""
        back: cython.int = 4
        times -= 1
        while times and back <= self.since:
            if self.past[self.ply - back].zobrist == self.zobrist:
                times -= 1
            back += 2
        return times == 0

    def result(self):
        if self.stuck():
            return 1 if self.checkers else 2
        if not self.automatic:
            return 0
        if self.clock >= self.drawn_after or self.dead():
            return 2
        if self.since >= 8 and self.recurs(self.drawn_at):
            return 2
        return 0

    def phase(self):
        """By pieces, without pawns and kings, and the first rows (lichess's Divider, without mixedness)."""
        pieces: cython.int = popcount((self.colours[0] | self.colours[1]) & ~self.kinds[PAWN]) - 2
        if pieces <= 6:
            return 2
        sparse: cython.bint = popcount(self.colours[0] & RANK_1) < 4 or popcount(self.colours[1] & RANK_8) < 4
        return 1 if pieces <= 10 or sparse else 0

    def ending(self):
        """By what a finished game ended."""
        if self.stuck():
            return "checkmate" if self.checkers else "stalemate"
        if self.dead():
            return "too little material to mate"
        if self.clock >= self.drawn_after:
            return f"{self.drawn_after // 2} moves without capture or pawn's move"
        return f"the position for the {'third' if self.drawn_at == 3 else 'fifth'} time"

    def claim(self):
        """Why a draw can be claimed that does not come about by itself (`claims=off`), or an empty string."""
        if self.claims:
            return ""
        if self.clock >= 100:
            return "50 moves without capture or pawn's move"
        return "the position for the third time" if self.recurs(3) else ""

    # -- for search ----------------------------------------------------------------------------

    def score(self):
        if self.form == ASKED:
            return self.ask()
        if self.form == LINEAR:
            return self.terms.value(self.kinds, self.colours, self.turn)
        return self.judge.score(self.kinds, self.colours, self.turn, self.form)

    def weigh(self, evaluation):
        """Take other weights."""
        if evaluation.scale:
            self.terms = ChessTerms(evaluation.weights)
        elif evaluation.weights:
            self.judge.weigh(evaluation.weights)

    def pieces(self):
        return popcount(self.colours[0] | self.colours[1])

    def hash(self):
        # A position met late in the count of moves without progress is another: it may be drawn in sight.
        late: cython.int = self.clock - (self.drawn_after - 16)
        if late >= 0:
            return self.zobrist ^ splitmix(late)
        return self.zobrist

    def hint(self, move):
        # The most valuable victim first, by the least valuable piece; becoming less than a queen last.
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
        value: cython.int = worth(taken - 1) if taken else 0
        if 0 < how < CASTLE:
            value += worth(how) - worth(PAWN)
        return value

    def exchange(self, move):
        # Both sides take in turn with their least piece and stop when that is better; pieces behind others
        # join in, pins are not seen.
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        how: cython.int = (move >> 18) & 7
        if how == CASTLE:
            return 0
        side: cython.int = self.turn ^ 1
        kind: cython.int = (move >> 12) & 7
        on: cython.int = worth(how if 0 < how < CASTLE else kind)
        depth: cython.int = 0
        self.swap[0] = self.gain(move)
        occupied: cython.ulonglong = (self.colours[0] | self.colours[1]) & ~(ONE << start)
        if how == PASSING:
            occupied ^= ONE << (to ^ 8)
        striking: cython.ulonglong = self.strikers(to, occupied) & occupied
        mine: cython.ulonglong = striking & self.colours[side]
        while mine:
            kind = PAWN
            while not mine & self.kinds[kind]:
                kind += 1
            if kind == KING and striking & self.colours[side ^ 1]:
                break
            depth += 1
            self.swap[depth] = on - self.swap[depth - 1]
            on = worth(kind)
            mine &= self.kinds[kind]
            occupied ^= mine & ~(mine - 1)
            if kind in (PAWN, BISHOP, QUEEN):
                striking |= bishop(to, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN])
            if kind in (ROOK, QUEEN):
                striking |= rook(to, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN])
            striking &= occupied
            side ^= 1
            mine = striking & self.colours[side]
        while depth:
            depth -= 1
            if self.swap[depth + 1] > -self.swap[depth]:
                self.swap[depth] = -self.swap[depth + 1]
        return self.swap[0]

    def history_index(self, move):
        return 384 * (move >> 21) + 64 * ((move >> 12) & 7) + (move & 63)

    def threatened(self):
        if not self.surveyed:
            self.survey()
        return self.checkers != 0

    def repeated(self):
        return self.recurs(2)

    def null_move(self):
        if not self.surveyed:
            self.survey()
        ours: cython.ulonglong = self.colours[self.turn]
        if self.checkers or not ours & ~self.kinds[PAWN] & ~self.kinds[KING]:
            return False
        if self.ply >= self.room:
            self.grow()
        self.past[self.ply].zobrist = self.zobrist
        self.past[self.ply].rights = self.rights
        self.past[self.ply].passing = self.passing
        self.past[self.ply].clock = self.clock
        self.past[self.ply].since = self.since
        self.ply += 1
        self.zobrist ^= ZOBRIST[SIDE]
        if self.passing >= 0:
            self.zobrist ^= ZOBRIST[FILES + (self.passing & 7)]
            self.passing = -1
        self.clock += 1
        self.since = 0
        self.turn ^= 1
        self.surveyed = False
        return True

    def undo_null_move(self):
        self.ply -= 1
        self.turn ^= 1
        self.zobrist = self.past[self.ply].zobrist
        self.passing = self.past[self.ply].passing
        self.clock = self.past[self.ply].clock
        self.since = self.past[self.ply].since
        self.surveyed = False

    # -- positions by number -------------------------------------------------------------------
    #
    # A slice is the pieces of the mover and of the other side beside their kings, three bits each:
    #
    #     bit   27 24 21 18 15   12  9  6  3  0
    #            Q  R  B  N  P    Q  R  B  N  P
    #            the mover's      the other's
    #
    # The side to move plays up the board. It is turned so that its king stands on the left, or without
    # pawns in the triangle a1, d1, d4 and, if it is on the diagonal there, the other king not above it.
    # No side may castle. A pawn that may be captured en passant counts as standing on its own first rank.

    def patience(self):
        return self.drawn_after - self.clock if self.automatic else LASTING

    def ranked(self):
        if self.rights or popcount(self.colours[0]) > NUMBERED or popcount(self.colours[1]) > NUMBERED:
            return -1
        us: cython.int = self.turn
        flip: cython.int = 56 if us else 0
        one: cython.int = lowest(self.kinds[KING] & self.colours[us]) ^ flip
        two: cython.int = lowest(self.kinds[KING] & self.colours[us ^ 1]) ^ flip
        if self.kinds[PAWN]:
            way: cython.int = 1 if one & 4 else 0
            if way:
                one ^= 7
                two ^= 7
            return self.encoded(way, flip, PAIRS[PAWNED + 64 * one + two])
        way = FOLDING[one]
        one = TURNED[64 * way + one]
        two = TURNED[64 * way + two]
        if one % 9 == 0:
            if two >> 3 > two & 7:
                way ^= DIAGONAL
                two = TURNED[64 * DIAGONAL + two]
            elif two % 9 == 0:
                number: cython.int = self.encoded(way, flip, PAIRS[64 * one + two])
                other: cython.int = self.encoded(way ^ DIAGONAL, flip, PAIRS[64 * one + two])
                return number if number < other else other
        return self.encoded(way, flip, PAIRS[64 * one + two])

    def encoded(self, way, flip, number):
        """The number of the position on a board turned this way, from that of the kings on."""
        us: cython.int = self.turn
        side: cython.int
        kind: cython.int
        count: cython.int
        room: cython.int
        slice: cython.int = 0
        both: cython.bint = (
            self.kinds[PAWN] & self.colours[0] != 0 and self.kinds[PAWN] & self.colours[1] != 0
        )
        for side in range(2):
            for kind in range(QUEEN, PAWN - 1, -1):
                pieces: cython.ulonglong = self.kinds[kind] & self.colours[us ^ side]
                slice <<= 3
                if not pieces:
                    continue
                count = popcount(pieces)
                slice |= count
                turned: cython.ulonglong = 0
                while pieces:
                    at: cython.int = lowest(pieces)
                    pieces &= pieces - 1
                    if kind == PAWN and side and self.passing >= 0 and at == self.passing ^ 8:
                        at = 56 | (at & 7) if not flip else at & 7
                    turned |= ONE << TURNED[64 * way + (at ^ flip)]
                room = 64
                if kind == PAWN and not both:
                    turned >>= 8
                    room = 48
                number = number * choose(room, count) + number_of(turned)
        self.slice = slice
        return number

    def unranked(self, slice, number):
        # 1. An empty board.
        i: cython.int
        for i in range(64):
            self.cells[i] = 0
        for i in range(6):
            self.kinds[i] = 0
        self.colours[0] = self.colours[1] = self.zobrist = self.rights = 0
        self.turn = 0
        self.passing = -1
        self.clock = self.since = self.ply = self.begun = 0
        self.surveyed = False

        # 2. The pieces, the last ones of the slice first.
        both: cython.bint = slice & 7 != 0 and (slice >> 15) & 7 != 0
        occupied: cython.ulonglong = 0
        pieces: cython.ulonglong
        size: cython.longlong
        for i in range(10):
            count: cython.int = (slice >> (3 * i)) & 7
            if not count:
                continue
            kind: cython.int = i % 5
            size = choose(48 if kind == PAWN and not both else 64, count)
            pieces = numbered(number % size, count)
            number //= size
            if kind == PAWN:
                if not both:
                    pieces <<= 8
                elif i:  # the mover's
                    if pieces & (RANK_1 | RANK_8):
                        return False
                elif pieces & RANK_1:
                    return False
                elif pieces & RANK_8:  # a pawn that may be captured en passant
                    at: cython.int = lowest(pieces & RANK_8)
                    self.passing = at - 16
                    bit: cython.ulonglong = ONE << (at - 24)
                    if pieces & bit or (pieces ^ (ONE << at)) & RANK_8:
                        return False
                    pieces ^= (ONE << at) | bit
            if pieces & occupied:
                return False
            occupied |= pieces
            self.kinds[kind] |= pieces
            self.colours[0 if i >= 5 else 1] |= pieces
        pair: cython.int = KINGS[number + (WITHOUT if self.kinds[PAWN] else 0)]
        pieces = (ONE << (pair >> 6)) | (ONE << (pair & 63))
        if pieces & occupied:
            return False
        occupied |= pieces
        self.kinds[KING] = pieces
        self.colours[0] |= ONE << (pair >> 6)
        self.colours[1] |= ONE << (pair & 63)

        # 3. The side that moved is not in check; a pawn that may be captured en passant has just moved there.
        if not self.safe(pair & 63, 0, occupied):
            return False
        if self.passing >= 0:
            pieces = (ONE << self.passing) | (ONE << (self.passing + 8))
            if pieces & occupied or not self.passed(0):
                return False
            self.zobrist ^= ZOBRIST[FILES + (self.passing & 7)]
        for i in range(6):
            pieces = self.kinds[i]
            while pieces:
                at = lowest(pieces)
                self.cells[at] = i + 1
                self.zobrist ^= ZOBRIST[(384 if (self.colours[1] >> at) & 1 else 0) + 64 * i + at]
                pieces &= pieces - 1
        return True

    def passed(self, us):
        """True if a pawn of a side can capture on the en passant square."""
        pawns: cython.ulonglong = pawn(us ^ 1, self.passing) & self.kinds[PAWN] & self.colours[us]
        while pawns:
            if self.passes(lowest(pawns), us):
                return True
            pawns &= pawns - 1
        return False

    def gen_before(self, base):
        """Retract every move of the side that has just moved, except captures, promotions and castling."""
        us: cython.int = self.turn
        them: cython.int = us ^ 1
        up: cython.int = 8 if them else -8  # the way back of their pawns
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        at: cython.int
        kind: cython.int
        pieces: cython.ulonglong
        targets: cython.ulonglong
        if self.passing >= 0:  # there is but one such move
            return self.before(base, PAWN, self.passing ^ 8, (self.passing ^ 8) + 2 * up)
        for kind in range(KNIGHT, KING + 1):
            pieces = self.kinds[kind] & self.colours[them]
            while pieces:
                at = lowest(pieces)
                pieces &= pieces - 1
                if kind == KNIGHT:
                    targets = knight(at)
                elif kind == KING:
                    targets = king(at)
                else:
                    targets = bishop(at, occupied) if kind != ROOK else 0
                    if kind != BISHOP:
                        targets |= rook(at, occupied)
                targets &= ~occupied
                while targets:
                    base = self.before(base, kind, at, lowest(targets))
                    targets &= targets - 1
        pieces = self.kinds[PAWN] & self.colours[them]
        while pieces:
            at = lowest(pieces)
            pieces &= pieces - 1
            if (at + up) & 56 in (0, 56) or (occupied >> (at + up)) & 1:
                continue
            base = self.before(base, PAWN, at, at + up)
            if at >> 3 == (4 if them else 3) and not (occupied >> (at + 2 * up)) & 1:
                self.passing = at ^ 8
                taken: cython.bint = self.passed(us)
                self.passing = -1
                if not taken:  # else it leads to the position where it can be
                    base = self.before(base, PAWN, at, at + 2 * up)
        return base

    def before(self, base, kind, at, start):
        """Write the position in which a piece of the side that has moved was still where it started.

        Also write it with each pawn of the other side that could have been captured en passant there.
        """
        us: cython.int = self.turn
        them: cython.int = us ^ 1
        passing: cython.int = self.passing
        way: cython.ulonglong = (ONE << at) | (ONE << start)
        self.kinds[kind] ^= way
        self.colours[them] ^= way
        self.passing = -1
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if self.safe(lowest(self.kinds[KING] & self.colours[us]), them, occupied):
            self.turn = them
            self.stack[base] = self.ranked()
            self.weight[base] = self.slice
            base += 1
            pawns: cython.ulonglong = self.kinds[PAWN] & self.colours[us] & (RANK_5 if us else RANK_4)
            while pawns:
                self.passing = lowest(pawns) ^ 8
                pawns &= pawns - 1
                behind: cython.ulonglong = (ONE << self.passing) | (
                    ONE << (self.passing + 8 if us else self.passing - 8)
                )
                if not behind & occupied and self.passed(them):
                    self.stack[base] = self.ranked()
                    self.weight[base] = self.slice
                    base += 1
            self.turn = us
        self.kinds[kind] ^= way
        self.colours[them] ^= way
        self.passing = passing
        return base

    def orbit(self):
        if self.kinds[PAWN]:
            return 2
        one: cython.int = lowest(self.kinds[KING] & self.colours[self.turn])
        two: cython.int = lowest(self.kinds[KING] & self.colours[self.turn ^ 1])
        flip: cython.int = 56 if self.turn else 0
        way: cython.int = FOLDING[one ^ flip]
        one = TURNED[64 * way + (one ^ flip)]
        two = TURNED[64 * way + (two ^ flip)]
        if one % 9 or two % 9:
            return 8
        return 8 if self.encoded(way, flip, 0) != self.encoded(way ^ DIAGONAL, flip, 0) else 4

    def slices(self, pieces):
        """The slices with so many pieces, those without pawns first."""
        sides = [side for count in range(pieces - 1) for side in armies(count)]
        pairs = [(one, two) for one in sides for two in sides if sum(one) + sum(two) == pieces - 2]
        pairs = [(one, two) for one, two in pairs if (sum(one), one) >= (sum(two), two)]
        pairs.sort(key=lambda pair: (pair[0][4] + pair[1][4], pair))
        return [tuple(dict.fromkeys([packed(one, two), packed(two, one)])) for one, two in pairs]

    def called(self, slice):
        """Its pieces, the mover's first: `KQvK`."""
        own, other = unpacked(slice)
        letters = [
            "K" + "".join([a * b for a, b in zip("QRBNP", side, strict=True)]) for side in (own, other)
        ]
        return "v".join(letters)

    def span(self, slice):
        """The numbers in a slice."""
        own, other = unpacked(slice)
        size: cython.longlong = WITH if own[4] or other[4] else WITHOUT
        rooms = [64] * 4 + [64 if own[4] and other[4] else 48]
        for side in (own, other):
            for room, count in zip(rooms, side, strict=True):
                size *= choose(room, count)
        return size

    def leads(self, slice):
        """The slices that captures and promotions lead to, where the other side is to move."""
        own, other = unpacked(slice)
        mine = [own, *[changed(changed(own, 4, -1), kind, 1) for kind in range(4) if own[4]]]
        theirs = [other, *[changed(other, kind, -1) for kind in range(5) if other[kind]]]
        stays = (packed(other, own), slice)
        found = [packed(two, one) for one in mine for two in theirs]
        return [lead for lead in dict.fromkeys(found) if lead not in stays]

    def key(self):
        """The position with its clocks and what may come again: equal keys mean equal futures."""
        i: cython.int
        bits: cython.ulonglong = splitmix(self.zobrist ^ splitmix(self.clock))
        for i in range(self.ply - self.since, self.ply):
            bits = (bits + splitmix(self.past[i].zobrist)) & M64
        return bits

    def arguments(self):
        """The parameters."""
        return {"start": self.number, "claims": self.claims, "automatic": self.automatic}

    def make_all(self, moves):
        """Make moves that are known to be legal, in their order, without testing them again."""
        move: cython.int
        for move in moves:
            self.push(move)
            self.made.append(move)

    # -- setting up ----------------------------------------------------------------------------

    def begin(self):
        """Set up the start position of the game's number."""
        row = array(self.number)
        self.lay_out(
            {i: (0, LETTERS.index(piece)) for i, piece in enumerate(row)}
            | {8 + i: (0, 0) for i in range(8)}
            | {48 + i: (1, 0) for i in range(8)}
            | {56 + i: (1, LETTERS.index(piece)) for i, piece in enumerate(row)},
            0,
            [i + 56 * colour for colour in (0, 1) for i, piece in enumerate(row) if piece == "R"],
            -1,
            0,
            1,
        )
        self.chess960 = self.number != USUAL
        self.start = None

    def lay_out(self, pieces, turn, towers, passing, clock, number):
        """Make this the position with these pieces, {square: (colour, kind)}, and no past."""
        i: cython.int
        for i in range(64):
            self.cells[i] = 0
            self.clear[i] = 0
        for i in range(6):
            self.kinds[i] = 0
        self.colours[0] = self.colours[1] = self.zobrist = self.rights = 0
        self.chess960 = False
        for square, (colour, kind) in pieces.items():
            self.toggle(colour, kind, square)
            self.cells[square] = kind + 1
        self.turn = turn
        if turn:
            self.zobrist ^= ZOBRIST[SIDE]
        for tower in towers:
            home: cython.int = lowest(self.kinds[KING] & self.colours[1 if tower >= 56 else 0])
            row: cython.int = home & 56
            at: cython.int = tower
            end: cython.int = row + (6 if at > home else 2)
            far: cython.int = row + (5 if at > home else 3)
            way: cython.ulonglong = between(home, end) | between(at, far) | (ONE << end) | (ONE << far)
            self.clear[at] = way & ~(ONE << home) & ~(ONE << at)
            self.rights |= ONE << at
            self.zobrist ^= ZOBRIST[RIGHTS + at]
            if home & 7 != 4 or at & 7 not in (0, 7):
                self.chess960 = True
        self.passing = passing
        if passing >= 0:
            us: cython.int = turn
            takers: cython.ulonglong = pawn(us ^ 1, passing) & self.kinds[PAWN] & self.colours[us]
            allowed = False
            while takers:
                allowed = allowed or self.passes(lowest(takers), us)
                takers &= takers - 1
            if allowed:
                self.zobrist ^= ZOBRIST[FILES + (self.passing & 7)]
            else:
                self.passing = -1
        self.clock = clock
        self.since = 0
        self.ply = 0
        self.begun = 2 * (number - 1) + turn
        self.surveyed = False
        self.made.clear()

    def setup(self, text):
        """Set up a FEN (six fields or the first four), and play what follows it after the word `moves`.

        A text that is no FEN is a list of moves from the game's own start: `e4 e5 Nf3` or `1. e4 e5`.
        """
        fen, _, line = text.strip().partition(" moves")
        if "/" not in fen.partition(" ")[0]:
            fen, line = "", text
        if fen:
            self.lay_out(*_fen.read(fen))
            self.chess960 = self.chess960 or self.number != USUAL
            self.start = fen
        else:
            self.begin()
        words = [re.sub(r"^\d+\.+", "", word) for word in line.split()]
        words = [word for word in words if word]
        if not fen and words and not [word for word in words if _spelt(word.rstrip("+#!?"))]:
            shown = " ".join(text.split())
            raise BadInput(f"'{shown}' is neither a FEN nor a list of moves such as e4 e5 Nf3")
        for number, word in enumerate(words, 1):
            if self.result():
                raise IllegalMove(f"move {number}, '{word}': the game is over before it")
            try:
                self.make(self.parse(word))
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None

    def fen(self):
        """The position in Forsyth-Edwards notation (X-FEN: castling rooks by file if not the outermost)."""
        rows = []
        for rank in range(7, -1, -1):
            row = "".join([self.letter(8 * rank + file) or " " for file in range(8)])
            rows.append(re.sub(" +", lambda gap: str(len(gap.group())), row))
        passing = SQUARES[self.passing] if self.passing >= 0 else "-"
        number = (self.begun + self.ply) // 2 + 1
        return f"{'/'.join(rows)} {'wb'[self.turn]} {self.castling()} {passing} {self.clock} {number}"

    def diagram(self):
        """The FEN without its counters of moves: what names of openings go by."""
        return " ".join(self.fen().split()[:4])

    def castling(self):
        """The third field of a FEN."""
        words = ""
        for colour in (0, 1):
            row: cython.int = 56 * colour
            rooks: cython.ulonglong = self.kinds[ROOK] & self.colours[colour]
            home: cython.int = lowest(self.kinds[KING] & self.colours[colour])
            sides = []
            for at in range(row, row + 8):
                if (self.rights >> at) & 1:
                    beyond = range(at + 1, row + 8) if at > home else range(row, at)
                    outermost = not [square for square in beyond if (rooks >> square) & 1]
                    word = ("K" if at > home else "Q") if outermost else FILE_NAMES[at - row].upper()
                    sides.insert(0, word.lower() if colour else word)
            words += "".join(sides)
        return words or "-"

    def letter(self, square):
        """The piece on a square, as in a FEN; nothing where it is empty."""
        at: cython.int = square
        if not self.cells[at]:
            return ""
        letter = LETTERS[self.cells[at] - 1]
        return letter.lower() if (self.colours[1] >> at) & 1 else letter

    def text(self):
        """The FEN; where earlier positions may come again, that of the first, `moves` and the moves since."""
        line = self.made[len(self.made) - self.since :] if self.since else []
        move: cython.int
        for move in reversed(line):
            self.pop(move)
        fen = self.fen()
        for move in line:
            self.push(move)
        return " ".join([fen, "moves", *[self.uci(move) for move in line]]) if line else fen

    # -- moves in words ------------------------------------------------------------------------

    def format(self, move):
        """A legal move in standard algebraic notation: `e4`, `Nbd2`, `exd6`, `O-O`, `e8=Q#`."""
        words = self.short(move, self.moves())
        at: cython.int = move
        self.push(at)
        if self.threatened():
            words += "#" if self.stuck() else "+"
        self.pop(at)
        return words

    def short(self, move, legal):
        """The same without the sign of check."""
        to, start, kind, taken, how = (
            move & 63,
            move >> 6 & 63,
            move >> 12 & 7,
            move >> 15 & 7,
            move >> 18 & 7,
        )
        if how == CASTLE:
            return "O-O" if to > start else "O-O-O"
        if kind == PAWN:
            words = FILE_NAMES[start & 7] + "x" if taken else ""
            return words + SQUARES[to] + ("=" + LETTERS[how] if 0 < how < CASTLE else "")
        rivals = [
            other >> 6 & 63
            for other in legal
            if other != move and other & 63 == to and other >> 12 & 7 == kind and other >> 18 & 7 != CASTLE
        ]
        name = SQUARES[start]
        if not rivals:
            name = ""
        elif not [square for square in rivals if square & 7 == start & 7]:
            name = name[0]
        elif not [square for square in rivals if square >> 3 == start >> 3]:
            name = name[1]
        return LETTERS[kind] + name + ("x" if taken else "") + SQUARES[to]

    def uci(self, move):
        """A move as engines say it: `e2e4`, `e7e8q`; castling `e1g1`, or king takes rook in Chess960."""
        to, start, how = move & 63, move >> 6 & 63, move >> 18 & 7
        if how == CASTLE and not self.chess960:
            to = (start & 56) + (6 if to > start else 2)
        return SQUARES[start] + SQUARES[to] + (LETTERS[how].lower() if 0 < how < CASTLE else "")

    def from_uci(self, text):
        """The legal move that an engine's words name; castling may be said either way. Raises IllegalMove."""
        word = text.strip().lower()
        legal = self.moves() if not self.result() else []
        for move in legal:
            if self.uci(move) == word:
                return move
        for move in legal:
            start, to = move >> 6 & 63, move & 63
            if move >> 18 & 7 == CASTLE:
                end = (start & 56) + (6 if to > start else 2)
                if word in (SQUARES[start] + SQUARES[to], SQUARES[start] + SQUARES[end]):
                    return move
        if not re.fullmatch("[a-h][1-8][a-h][1-8][qrbn]?", word):
            raise IllegalMove(f"'{text}' is not a move like e2e4 or e7e8q")
        raise IllegalMove(f"'{text}' is not legal here{self.why(word[:2], word[2:4])}")

    def parse(self, text):
        """The legal move that `text` names, in short, long or engines' notation, with or without its signs.

        Raises IllegalMove, saying what would be right.
        """
        word = text.strip()
        plain = _TAIL.sub("", word if word.isascii() else word.translate(_SIGNS))
        if plain[:1] == "P":
            plain = plain[1:]
        legal = self.moves() if not self.result() else []
        castling = _CASTLING.fullmatch(plain)
        if castling:
            word = "O-O-O" if castling.group(2) else "O-O"
            for move in legal:
                if self.short(move, ()) == word:
                    return move
            raise IllegalMove(f"'{word}' is not legal here: {self.why_not_castle(word == 'O-O')}")
        found = []
        for spelt in _spellings(plain):
            match = _MOVE.fullmatch(spelt)
            if match:
                found = self.meant(*match.groups(), legal)
                if len(found) == 1:
                    return found[0]
                if found:
                    break
        if _SQUARES.fullmatch(plain.lower()):
            return self.from_uci(plain)
        if not found:
            found = self.castled(plain, legal) or self.taking(plain, legal)
            if len(found) == 1:
                return found[0]
        if not found:
            raise IllegalMove(self.refusal(word, plain, legal))
        names = ", ".join([self.format(move) for move in found])
        if len({move >> 6 & 63 for move in found}) == 1:
            raise IllegalMove(f"'{word}' does not say what the pawn becomes: {names}")
        pieces = ("pawns", "knights", "bishops", "rooks", "queens", "kings")[found[0] >> 12 & 7]
        count = ("two", "three", "four", "five", "six", "seven", "eight")[min(len(found), 8) - 2]
        raise IllegalMove(f"'{word}': {count} {pieces} can go there: {names}")

    @staticmethod
    def meant(piece, file, rank, to_file, to_rank, becomes, legal):
        """The legal moves that the parts of a word fit."""
        to = SQUARES.index(to_file + to_rank)
        found = []
        for move in legal:
            start, kind, taken, how = move >> 6 & 63, move >> 12 & 7, move >> 15 & 7, move >> 18 & 7
            if move & 63 != to or how == CASTLE:
                continue
            if (file and file != FILE_NAMES[start & 7]) or (rank and rank != str((start >> 3) + 1)):
                continue
            if LETTERS[kind] != piece if piece else not (file and rank) and kind != PAWN:
                continue
            if kind == PAWN and taken and not file:
                continue
            if becomes and (not 0 < how < CASTLE or LETTERS[how] != becomes.upper()):
                continue
            found.append(move)
        return found

    def castled(self, plain, legal):
        """The castling that `plain` names by the squares of the king, or of king and rook: `Ke1-g1`."""
        match = _MOVE.fullmatch(plain)
        if not match or match.group(1) not in ("", "K") or not match.group(2) or not match.group(3):
            return []
        start, to = (SQUARES.index(match.group(i) + match.group(i + 1)) for i in (2, 4))
        found = []
        for move in legal:
            rook = move & 63
            ends = (rook, (start & 56) + (6 if rook > start else 2))
            if move >> 18 & 7 == CASTLE and move >> 6 & 63 == start and to in ends:
                found.append(move)
        return found

    @staticmethod
    def taking(plain, legal):
        """The captures by pawns that `plain` names by files alone: `ed`, `exd`."""
        match = _TAKES.fullmatch(plain)
        if not match:
            return []
        start, to = (FILE_NAMES.index(match.group(i)) for i in (1, 2))
        becomes = LETTERS.index((match.group(3) or "P").upper())
        return [
            move
            for move in legal
            if move >> 12 & 7 == PAWN
            and move >> 15 & 7
            and (move >> 6 & 7, move & 7) == (start, to)
            and (move >> 18 & 7 if 0 < move >> 18 & 7 < CASTLE else PAWN) == becomes
        ]

    def refusal(self, word, plain, legal):
        """Why no legal move is meant, and what would be right."""
        if self.result():
            return f"'{word}': the game is over"
        match = _move_of(plain)
        if not match:
            some = ", ".join(sorted([self.format(move) for move in legal])[:6])
            return f"'{word}' is not a move such as e4, Nf3, exd5, O-O, e8=Q or e2e4 (legal: {some}, ...)"
        piece, file, rank, to_file, to_rank, _ = match.groups()
        name = ("pawn", "knight", "bishop", "rook", "queen", "king")[LETTERS.index(piece or "P")]
        if file and rank:
            return f"'{word}' is not legal here{self.why(file + rank, to_file + to_rank)}"
        kind = LETTERS.index(piece or "P")
        to: cython.int = SQUARES.index(to_file + to_rank)
        reach: cython.ulonglong = self.strikers(to, self.colours[0] | self.colours[1]) & self.kinds[kind]
        if kind != PAWN and reach & self.colours[self.turn] and not (self.colours[self.turn] >> to) & 1:
            return f"'{word}' is not legal here: it would leave the king in check"
        there = [move for move in legal if move & 63 == to]
        same = [move for move in legal if move >> 12 & 7 == kind and move >> 18 & 7 != CASTLE]
        tail = ""
        if there:
            tail = f" (there go: {', '.join([self.format(move) for move in there])})"
        elif same:
            some = sorted([self.format(move) for move in same])
            tail = f" ({name}: {', '.join(some[:8])}{', ...' if len(some) > 8 else ''})"
        check = ", the king is in check" if self.threatened() else ""
        return f"'{word}' is not legal here{check}: no {name} can go to {to_file}{to_rank}{tail}"

    def why(self, start, to):
        """Why the piece on one square, by name, cannot go to another: the end of a sentence."""
        if self.result():
            return ": the game is over"
        a, b = SQUARES.index(start), SQUARES.index(to)
        letter = self.letter(a)
        if not letter:
            return f": there is no piece on {start}"
        if letter.isupper() != (self.turn == 0):
            return f": the piece on {start} is not {'White' if self.turn == 0 else 'Black'}'s, who is to move"
        there = [self.short(move, ()) for move in self.moves() if move >> 6 & 63 == a]
        can = f"can go {', '.join(there)}" if there else "cannot move"
        at: cython.int = a
        end: cython.int = b
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        reach: cython.ulonglong = self.strikers(end, occupied) & ~self.colours[self.turn ^ 1]
        if (reach >> at) & 1 and self.cells[at] != PAWN + 1 and not (self.colours[self.turn] >> end) & 1:
            return ": it would leave the king in check"
        return f": the piece on {start} {can}"

    def why_not_castle(self, short):
        """What is in the way of castling."""
        side = "short" if short else "long"
        if self.result():
            return "the game is over"
        towers: cython.ulonglong = self.rights & self.colours[self.turn]
        if self.threatened():
            return "the king is in check"
        at: cython.int
        for at in range(64):
            if (towers >> at) & 1 and (at > self.home) == short:
                if self.clear[at] & (self.colours[0] | self.colours[1]):
                    return f"pieces stand in the way of castling {side}"
                return f"castling {side} would lead the king through check"
        return f"there is no right to castle {side} any more"

    # -- for display ---------------------------------------------------------------------------

    def board(self, viewer=None, last=None):
        """How to draw the position, the eighth rank on top."""
        legal = self.moves() if not self.result() else []
        moves: dict = {}
        paths = {}
        for move in legal:
            start, end = self.ends(move)
            moves[cell(start)] = (*moves.get(cell(start), ()), move)
            paths[move] = (cell(end),)
        mated = not legal and self.threatened() and self.stuck()
        taken, lead = self.taken()
        return Board(
            cells=tuple([tuple([self.letter(8 * r + f) for f in range(8)]) for r in range(7, -1, -1)]),
            columns=tuple(FILE_NAMES),
            rows=tuple("87654321"),
            owners=dict.fromkeys("KQRBNP", 0) | dict.fromkeys("kqrbnp", 1),
            last=() if last is None else tuple([cell(square) for square in self.ends(last)]),
            line=(cell(self.home),) if mated else (),
            moves=moves,
            paths=paths,
            ground="chequered",
            white=0,
            glyphs=dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)),
            taken=taken,
            notes={0 if lead > 0 else 1: f"+{abs(lead)}"} if lead else {},
        )

    @staticmethod
    def ends(move):
        """The squares that the piece, of castling the king, leaves and comes to."""
        to, start = move & 63, move >> 6 & 63
        if move >> 18 & 7 == CASTLE:
            to = (start & 56) + (6 if to > start else 2)
        return start, to

    def taken(self):
        """What each side has captured in the moves made, and White's lead in pawns on the board."""
        lead = 0
        for colour in (0, 1):
            have = [popcount(self.kinds[kind] & self.colours[colour]) for kind in range(5)]
            lead += (1 - 2 * colour) * sum([a * b for a, b in zip(have, (1, 3, 3, 5, 9), strict=True)])
        taken: dict = {0: "", 1: ""}
        mover = (self.turn + len(self.made)) & 1
        for move in self.made:
            kind = move >> 15 & 7
            if kind:
                taken[mover] += LETTERS[kind - 1] if mover else LETTERS[kind - 1].lower()
            mover ^= 1
        order = "QRBNPqrbnp"
        return {player: "".join(sorted(letters, key=order.index)) for player, letters in taken.items()}, lead

    def __str__(self):
        rows = [" ".join([self.letter(8 * r + f) or "." for f in range(8)]) for r in range(7, -1, -1)]
        lines = [f"{8 - i} {row}" for i, row in enumerate(rows)]
        return "\n".join([*lines, "  " + " ".join(FILE_NAMES)])


def armies(count):
    """All ways to have so many queens, rooks, bishops, knights and pawns, up to seven of each."""
    found = [(a, b, c, d) for a in range(8) for b in range(8) for c in range(8) for d in range(8)]
    return [(*four, count - sum(four)) for four in found if 0 <= count - sum(four) < 8]


def packed(own, other):
    """A slice, of the queens, rooks, bishops, knights and pawns of the mover and of the other side."""
    slice = 0
    for count in (*own, *other):
        slice = slice << 3 | count
    return slice


def unpacked(slice):
    """What is packed in a slice."""
    counts = tuple([slice >> shift & 7 for shift in range(27, -1, -3)])
    return counts[:5], counts[5:]


def changed(side, kind, by):
    """The pieces of a side with more or fewer of a kind."""
    return (*side[:kind], side[kind] + by, *side[kind + 1 :])


def cell(square):
    """A square as (row from the top, column from the left)."""
    return 7 - (square >> 3), square & 7


def array(number):
    """The pieces of the first rank in start position `number` (Reinhard Scharnagl's numbers)."""
    row = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    row[2 * light + 1] = row[2 * dark] = "B"
    number, queen = divmod(number, 6)
    row[[i for i in range(8) if not row[i]][queen]] = "Q"
    free_now = [i for i in range(8) if not row[i]]
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for i in pairs[number]:
        row[free_now[i]] = "N"
    for i, piece in zip([i for i in range(8) if not row[i]], "RKR", strict=True):
        row[i] = piece
    return "".join(row)
