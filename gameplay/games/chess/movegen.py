# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Legal move generation and counting.  C types: movegen.pxd.

Legality follows from pins and check masks, computed from the king's square. Only en passant captures are
tested by removing both pawns.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.chess.board import ChessBoard

if cython.compiled:
    from cython.cimports.gameplay.games.chess.board import FILES, SIDE, ZOBRIST
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
else:
    from gameplay.games.chess.attacks import (
        between,
        bishop,
        forward,
        king,
        knight,
        left,
        pawn,
        right,
        rook,
        through,
    )
    from gameplay.games.chess.board import FILES, SIDE, ZOBRIST
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import M64, ONE, lowest, popcount


class ChessMoves(ChessBoard):
    """A board with move generation."""

    # -- checks and pins ---------------------------------------------------------------------------

    @cython.final
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

    @cython.final
    def castles(self, rook, occupied):
        """True if castling with the rook on a square is not blocked and leads through no check."""
        if occupied & self.clear[rook]:
            return False
        row: cython.int = self.home & 56
        end: cython.int = row + (6 if rook > self.home else 2)
        enemy: cython.int = self.turn ^ 1
        without: cython.ulonglong = occupied ^ (ONE << self.home)
        way: cython.ulonglong = between(self.home, end) | (ONE << end)
        while way:
            if not self.safe(lowest(way), enemy, without):
                return False
            way &= way - 1
        if (ONE << rook) & (FILE_A | FILE_H):
            return True
        without ^= (ONE << rook) ^ (ONE << (row + (5 if rook > self.home else 3)))
        return self.safe(end, enemy, without)  # the rook no longer shields it from beyond

    @cython.final
    def survey(self):
        """Compute the checkers and the pinned pieces, from the king's square."""
        us: cython.int = self.turn
        ours: cython.ulonglong = self.colours[us]
        theirs: cython.ulonglong = self.colours[us ^ 1]
        home: cython.int = lowest(self.kinds[KING] & ours)
        checkers: cython.ulonglong = (
            (pawn(us, home) & self.kinds[PAWN]) | (knight(home) & self.kinds[KNIGHT])
        ) & theirs
        pinned: cython.ulonglong = 0
        snipers: cython.ulonglong = (
            (rook(home, theirs) & (self.kinds[ROOK] | self.kinds[QUEEN]))
            | (bishop(home, theirs) & (self.kinds[BISHOP] | self.kinds[QUEEN]))
        ) & theirs
        while snipers:
            way: cython.ulonglong = between(home, lowest(snipers)) & ours
            if not way:
                checkers |= ONE << lowest(snipers)
            elif not way & (way - 1):
                pinned |= way
            snipers &= snipers - 1
        self.home = home
        self.checkers = checkers
        self.pinned = pinned
        self.surveyed = True

    def threatened(self):
        if not self.surveyed:
            self.survey()
        return self.checkers != 0

    # -- moves -------------------------------------------------------------------------------------

    @cython.final
    def emit(self, base, head, targets):
        """Write the moves of one piece."""
        while targets:
            to: cython.int = lowest(targets)
            self.stack[base] = head | (self.cells[to] << 15) | to
            base += 1
            targets &= targets - 1
        return base

    @cython.final
    def step(self, base, targets, stride):
        """Write moves of pawns that came from `stride` squares before, double steps left out."""
        while targets:
            to: cython.int = lowest(targets)
            self.stack[base] = (self.turn << 21) | (self.cells[to] << 15) | ((to - stride) << 6) | to
            base += 1
            targets &= targets - 1
        return base

    @cython.final
    def promote(self, base, targets, stride, noisy, quiet):
        """Write promotions: to a queen if `noisy`, to the others if `quiet`."""
        while targets:
            to: cython.int = lowest(targets)
            head: cython.int = (self.turn << 21) | (self.cells[to] << 15) | ((to - stride) << 6) | to
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

    @cython.final
    def march(self, base, pawns, allowed, noisy, quiet):
        """Generate pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        theirs: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        west: cython.ulonglong = left(pawns, us) & theirs
        east: cython.ulonglong = right(pawns, us) & theirs
        ahead: cython.ulonglong = forward(pawns, us) & empty
        double: cython.ulonglong = forward(ahead & (RANK_6 if us else RANK_3), us) & empty & allowed
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

    @cython.final
    def slide(self, base, kind, occupied, allowed):
        """Write the moves of the bishops, rooks or queens to the allowed squares."""
        pieces: cython.ulonglong = self.kinds[kind] & self.colours[self.turn]
        head: cython.int = (self.turn << 21) | (kind << 12)
        while pieces:
            start: cython.int = lowest(pieces)
            found: cython.ulonglong = 0
            if kind != ROOK:
                found = bishop(start, occupied)
            if kind != BISHOP:
                found |= rook(start, occupied)
            found &= allowed
            if (self.pinned >> start) & 1:
                found &= through(self.home, start)
            base = self.emit(base, head | (start << 6), found)
            pieces &= pieces - 1
        return base

    @cython.final
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
                start: cython.int = lowest(pieces)
                base = self.march(base, ONE << start, allowed & through(home, start), noisy, quiet)
                pieces &= pieces - 1
            if self.en_passant >= 0 and noisy:
                pieces = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & ours
                while pieces:
                    start = lowest(pieces)
                    if self.passes(start, us):
                        self.stack[base] = (
                            head | (EN_PASSANT << 18) | (1 << 15) | (start << 6) | self.en_passant
                        )
                        base += 1
                    pieces &= pieces - 1

            # 2. Pieces; a pinned knight has no move, others stay on the line.
            allowed &= (theirs if noisy else 0) | (~occupied if quiet else 0)
            pieces = self.kinds[KNIGHT] & ours & ~pinned
            while pieces:
                start = lowest(pieces)
                base = self.emit(base, head | (KNIGHT << 12) | (start << 6), knight(start) & allowed)
                pieces &= pieces - 1
            base = self.slide(base, BISHOP, occupied, allowed)
            base = self.slide(base, ROOK, occupied, allowed)
            base = self.slide(base, QUEEN, occupied, allowed)

            # 3. Castling.
            if quiet and not self.checkers:
                pieces = self.rights & ours
                while pieces:
                    start = lowest(pieces)
                    if self.castles(start, occupied):
                        self.stack[base] = head | (CASTLE << 18) | (KING << 12) | (home << 6) | start
                        base += 1
                    pieces &= pieces - 1

        # 4. The king's steps, with the king removed from the occupancy.
        allowed = king(home) & ((theirs if noisy else 0) | (~occupied if quiet else 0))
        found: cython.ulonglong = allowed
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

    # -- the null move -----------------------------------------------------------------------------

    def null_move(self):
        if not self.surveyed:
            self.survey()
        ours: cython.ulonglong = self.colours[self.turn]
        if self.checkers or not ours & ~self.kinds[PAWN] & ~self.kinds[KING]:
            return False
        self.remember()
        self.zobrist ^= ZOBRIST[SIDE]
        if self.en_passant >= 0:
            self.zobrist ^= ZOBRIST[FILES + (self.en_passant & 7)]
            self.en_passant = -1
        self.clock += 1
        self.since = 0
        self.turn ^= 1
        self.surveyed = False
        return True

    def undo_null_move(self):
        self.ply -= 1
        self.turn ^= 1
        self.zobrist = self.past[self.ply].zobrist
        self.en_passant = self.past[self.ply].en_passant
        self.clock = self.past[self.ply].clock
        self.since = self.past[self.ply].since
        self.surveyed = False

    # -- counting ----------------------------------------------------------------------------------

    @cython.final
    def pawn_count(self, pawns, allowed):
        """The number of pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        theirs: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        west: cython.ulonglong = left(pawns, us) & theirs
        east: cython.ulonglong = right(pawns, us) & theirs
        ahead: cython.ulonglong = forward(pawns, us) & empty
        double: cython.ulonglong = forward(ahead & (RANK_6 if us else RANK_3), us) & empty & allowed
        ahead &= allowed
        total: cython.int = popcount(ahead) + popcount(double) + popcount(west) + popcount(east)
        if (ahead | west | east) & last:
            total += 3 * (popcount(ahead & last) + popcount(west & last) + popcount(east & last))
        return total

    @cython.final
    def count(self):
        """The number of legal moves: as gather(), without writing them."""
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
        found: cython.ulonglong = king(home) & ~ours
        while found:
            if self.safe(lowest(found), us ^ 1, occupied ^ (ONE << home)):
                total += 1
            found &= found - 1
        if self.checkers:
            if self.checkers & (self.checkers - 1):
                return total
            allowed = self.checkers | between(home, lowest(self.checkers))
        else:
            pieces: cython.ulonglong = self.rights & ours
            while pieces:
                if self.castles(lowest(pieces), occupied):
                    total += 1
                pieces &= pieces - 1
        pieces = self.kinds[PAWN] & ours
        total += self.pawn_count(pieces & ~pinned, allowed)
        pieces &= pinned
        while pieces:
            start: cython.int = lowest(pieces)
            total += self.pawn_count(ONE << start, allowed & through(home, start))
            pieces &= pieces - 1
        if self.en_passant >= 0:
            pieces = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & ours
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
        i: cython.int
        for i in range(base, end):
            move: cython.int = self.stack[i]
            self.push(move)
            total += self.leaves(end, depth - 1)
            self.pop(move)
        return total

    @cython.final
    def stuck(self):
        """True if the mover has no legal move."""
        if not self.surveyed:
            self.survey()
        us: cython.int = self.turn
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if not self.checkers:
            pawns: cython.ulonglong = self.kinds[PAWN] & self.colours[us] & ~self.pinned
            if forward(pawns, us) & ~occupied:
                return False
        return self.count() == 0
