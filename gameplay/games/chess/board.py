# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The chess board: state, make and unmake, and FEN.  C types: board.pxd.

A position is six sets of squares by kind of piece and two by colour, and the kind of piece by square. The
numbers of the squares are drawn in `attacks.py`, the layout of a move in `layout.py`.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.games.chess.layout import FILE_NAMES, LETTERS, SQUARES
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import between, bishop, king, knight, pawn, rook
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import splitmix
    from cython.cimports.libc.stdlib import abort, free, realloc
else:
    from gameplay.games.chess.attacks import between, bishop, king, knight, pawn, rook
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import M64, ONE, lowest, popcount
    from gameplay.native.hashing import splitmix

if not cython.compiled:
    ZOBRIST = [0] * 841
    RIGHTS, FILES, SIDE = 768, 832, 840

    class ChessUndoState:
        """The irreversible state that a move saves."""

        zobrist = rights = en_passant = clock = since = 0


for _i in range(841):
    ZOBRIST[_i] = splitmix(_i)


class ChessBoard(Kernel):
    """The pieces, and the history since the last irreversible move."""

    def __init__(self):
        Kernel.__init__(self, 416)  # fifteen queens and a king have fewer moves
        if not cython.compiled:
            self.kinds = [0] * 6
            self.colours = [0] * 2
            self.cells = [0] * 64
            self.castling_paths = [0] * 64
            self.undo_stack = []
        self.undo_capacity = 0

    def __dealloc__(self):
        free(self.undo_stack)

    # -- make and unmake -----------------------------------------------------------------

    @cython.final
    def grow_undo_stack(self):
        """Enlarge the undo stack."""
        self.undo_capacity = 2 * self.undo_capacity + 512
        if cython.compiled:
            past: cython.pointer(UndoState) = cython.cast(
                cython.pointer(UndoState),
                realloc(self.undo_stack, self.undo_capacity * cython.sizeof(UndoState)),
            )
            if past == cython.NULL:
                abort()  # a few kilobytes, in the middle of a search
            self.undo_stack = past
        else:
            self.undo_stack += [ChessUndoState() for _ in range(self.undo_capacity - len(self.undo_stack))]

    @cython.final
    def toggle(self, colour, kind, square):
        """Put a piece on an empty square or remove it; does not change `cells`."""
        bit: cython.ulonglong = ONE << square
        self.kinds[kind] ^= bit
        self.colours[colour] ^= bit
        self.zobrist ^= ZOBRIST[384 * colour + 64 * kind + square]

    @cython.final
    def push_undo(self):
        """Push the irreversible state on the undo stack."""
        if self.ply >= self.undo_capacity:
            self.grow_undo_stack()
        self.undo_stack[self.ply].zobrist = self.zobrist
        self.undo_stack[self.ply].rights = self.rights
        self.undo_stack[self.ply].en_passant = self.en_passant
        self.undo_stack[self.ply].clock = self.clock
        self.undo_stack[self.ply].reversible_plies = self.reversible_plies
        self.ply += 1

    def push(self, move):
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        us: cython.int = self.turn
        self.push_undo()
        self.clock += 1
        self.reversible_plies += 1
        self.turn = us ^ 1
        self.has_check_info = False
        self.zobrist ^= ZOBRIST[SIDE]
        if self.en_passant >= 0:
            self.zobrist ^= ZOBRIST[FILES + (self.en_passant & 7)]
            self.en_passant = -1

        if how == CASTLE:
            at: cython.int = start & 56
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
                at = to ^ 8 if how == EN_PASSANT else to
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

        lost_rights: cython.ulonglong = (ONE << start) | (ONE << to)
        if kind == KING:
            lost_rights = RANK_8 if us else RANK_1
        lost_rights &= self.rights
        self.rights ^= lost_rights
        if lost_rights or self.clock == 0:
            self.reversible_plies = 0
            while lost_rights:
                self.zobrist ^= ZOBRIST[RIGHTS + lowest(lost_rights)]
                lost_rights &= lost_rights - 1

        if how == DOUBLE:
            capturers: cython.ulonglong = pawn(us, to ^ 8) & self.kinds[PAWN] & self.colours[us ^ 1]
            if capturers:
                self.en_passant = to ^ 8
                if self.is_legal_en_passant(lowest(capturers), us ^ 1) or (
                    capturers & (capturers - 1)
                    and self.is_legal_en_passant(lowest(capturers & (capturers - 1)), us ^ 1)
                ):
                    self.zobrist ^= ZOBRIST[FILES + (to & 7)]
                else:
                    self.en_passant = -1

    def pop(self, move):
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        taken: cython.int = (move >> 15) & 7
        how: cython.int = (move >> 18) & 7
        us: cython.int = self.turn ^ 1
        self.turn = us
        self.ply -= 1
        self.has_check_info = False
        if how == CASTLE:
            at: cython.int = start & 56
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
                at = to ^ 8 if how == EN_PASSANT else to
                self.toggle(us ^ 1, taken - 1, at)
                self.cells[at] = taken
        self.zobrist = self.undo_stack[self.ply].zobrist
        self.rights = self.undo_stack[self.ply].rights
        self.en_passant = self.undo_stack[self.ply].en_passant
        self.clock = self.undo_stack[self.ply].clock
        self.reversible_plies = self.undo_stack[self.ply].reversible_plies

    make_all = Kernel.push_all

    # -- attacks -----------------------------------------------------------------------------------

    @cython.final
    def attackers(self, square, occupied):
        """The pieces of both colours that attack a square, given the occupied squares."""
        return (
            (pawn(1, square) & self.kinds[PAWN] & self.colours[0])
            | (pawn(0, square) & self.kinds[PAWN] & self.colours[1])
            | (knight(square) & self.kinds[KNIGHT])
            | (king(square) & self.kinds[KING])
            | (rook(square, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN]))
            | (bishop(square, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN]))
        )

    @cython.final
    def is_legal_en_passant(self, start, us):
        """True if the pawn on a square can capture en passant without leaving its king in check."""
        captured: cython.ulonglong = ONE << (self.en_passant ^ 8)
        occupied: cython.ulonglong = (self.colours[0] | self.colours[1]) ^ (ONE << start) ^ captured
        occupied |= ONE << self.en_passant
        at: cython.int = lowest(self.kinds[KING] & self.colours[us])
        return not self.attackers(at, occupied) & self.colours[us ^ 1] & ~captured

    def pieces_reaching(self, square: cython.int):
        """The mover's pieces, except pawns, that can move to a square, ignoring checks and pins."""
        own_pieces: cython.ulonglong = self.colours[self.turn]
        if (own_pieces >> square) & 1:
            return []
        found: cython.ulonglong = self.attackers(square, self.colours[0] | self.colours[1]) & own_pieces
        found &= ~self.kinds[PAWN]
        return [at for at in range(64) if (found >> at) & 1]

    # -- history -----------------------------------------------------------------------------------

    @cython.final
    def is_repetition(self, times):
        """True if the position has occurred `times` times, this one included."""
        back: cython.int = 4
        times -= 1
        while times and back <= self.reversible_plies:
            if self.undo_stack[self.ply - back].zobrist == self.zobrist:
                times -= 1
            back += 2
        return times == 0

    def is_repeated(self):
        return self.is_repetition(2)

    def key(self):
        """Hash of the position, its clocks and the positions that can recur: equal keys, equal futures."""
        i: cython.int
        bits: cython.ulonglong = splitmix(self.zobrist ^ splitmix(self.clock))
        for i in range(self.ply - self.reversible_plies, self.ply):
            bits = (bits + splitmix(self.undo_stack[i].zobrist)) & M64
        return bits

    # -- setting up --------------------------------------------------------------------------------

    def lay_out(self, pieces, turn, rooks, en_passant, clock, number):
        """Set up pieces, {square: (colour, kind)}, without history."""
        i: cython.int
        for i in range(64):
            self.cells[i] = 0
            self.castling_paths[i] = 0
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
        for rook in rooks:
            king_square: cython.int = lowest(self.kinds[KING] & self.colours[1 if rook >= 56 else 0])
            row: cython.int = king_square & 56
            at: cython.int = rook
            end: cython.int = row + (6 if at > king_square else 2)
            rook_end: cython.int = row + (5 if at > king_square else 3)
            path: cython.ulonglong = (
                between(king_square, end) | between(at, rook_end) | (ONE << end) | (ONE << rook_end)
            )
            self.castling_paths[at] = path & ~(ONE << king_square) & ~(ONE << at)
            self.rights |= ONE << at
            self.zobrist ^= ZOBRIST[RIGHTS + at]
            if king_square & 7 != 4 or at & 7 not in (0, 7):
                self.chess960 = True
        self.en_passant = en_passant
        if en_passant >= 0:
            us: cython.int = turn
            capturers: cython.ulonglong = pawn(us ^ 1, en_passant) & self.kinds[PAWN] & self.colours[us]
            allowed = False
            while capturers:
                allowed = allowed or self.is_legal_en_passant(lowest(capturers), us)
                capturers &= capturers - 1
            if allowed:
                self.zobrist ^= ZOBRIST[FILES + (self.en_passant & 7)]
            else:
                self.en_passant = -1
        self.clock = clock
        self.reversible_plies = 0
        self.ply = 0
        self.start_ply = 2 * (number - 1) + turn
        self.has_check_info = False
        self.made.clear()

    def fen(self):
        """The position in Forsyth-Edwards notation (X-FEN: castling rooks by file if not the outermost)."""
        rows = []
        for rank in range(7, -1, -1):
            row = "".join([self.letter(8 * rank + file) or " " for file in range(8)])
            rows.append(re.sub(" +", lambda gap: str(len(gap.group())), row))
        en_passant = SQUARES[self.en_passant] if self.en_passant >= 0 else "-"
        number = (self.start_ply + self.ply) // 2 + 1
        return f"{'/'.join(rows)} {'wb'[self.turn]} {self.castling()} {en_passant} {self.clock} {number}"

    def diagram(self):
        """The FEN without its move counters, the key of opening names."""
        return " ".join(self.fen().split()[:4])

    def castling(self):
        """The third field of a FEN."""
        words = ""
        for colour in (0, 1):
            row: cython.int = 56 * colour
            rooks: cython.ulonglong = self.kinds[ROOK] & self.colours[colour]
            king_square: cython.int = lowest(self.kinds[KING] & self.colours[colour])
            sides = []
            for at in range(row, row + 8):
                if (self.rights >> at) & 1:
                    beyond = range(at + 1, row + 8) if at > king_square else range(row, at)
                    outermost = not [square for square in beyond if (rooks >> square) & 1]
                    word = ("K" if at > king_square else "Q") if outermost else FILE_NAMES[at - row].upper()
                    sides.insert(0, word.lower() if colour else word)
            words += "".join(sides)
        return words or "-"

    def read_cells(self, codes):
        square: cython.int
        for square in range(64):
            at: cython.int = square ^ 56  # a8 first
            codes[square] = self.cells[at]
            if self.cells[at] and (self.colours[1] >> at) & 1:
                codes[square] += 6

    def letter(self, square):
        """The piece on a square, as in a FEN; "" if empty."""
        at: cython.int = square
        if not self.cells[at]:
            return ""
        letter = LETTERS[self.cells[at] - 1]
        return letter.lower() if (self.colours[1] >> at) & 1 else letter

    def pieces(self):
        return popcount(self.colours[0] | self.colours[1])
