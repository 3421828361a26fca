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
    def is_safe(self, square, enemy, occupied):
        """True if no piece of `enemy` attacks the square, given the occupied squares."""
        enemy_pieces: cython.ulonglong = self.colours[enemy]
        return not (
            knight(square) & self.kinds[KNIGHT] & enemy_pieces
            or pawn(enemy ^ 1, square) & self.kinds[PAWN] & enemy_pieces
            or king(square) & self.kinds[KING] & enemy_pieces
            or rook(square, occupied) & (self.kinds[ROOK] | self.kinds[QUEEN]) & enemy_pieces
            or bishop(square, occupied) & (self.kinds[BISHOP] | self.kinds[QUEEN]) & enemy_pieces
        )

    @cython.final
    def can_castle(self, rook, occupied):
        """True if castling with this rook is not blocked and the king passes no attacked square."""
        if occupied & self.castling_paths[rook]:
            return False
        row: cython.int = self.king_square & 56
        end: cython.int = row + (6 if rook > self.king_square else 2)
        enemy: cython.int = self.turn ^ 1
        occupied_after: cython.ulonglong = occupied ^ (ONE << self.king_square)
        path: cython.ulonglong = between(self.king_square, end) | (ONE << end)
        while path:
            if not self.is_safe(lowest(path), enemy, occupied_after):
                return False
            path &= path - 1
        if (ONE << rook) & (FILE_A | FILE_H):
            return True
        occupied_after ^= (ONE << rook) ^ (ONE << (row + (5 if rook > self.king_square else 3)))
        return self.is_safe(end, enemy, occupied_after)  # the rook no longer shields the king

    @cython.final
    def update_checkers_and_pins(self):
        """Compute the checkers and the pinned pieces, from the king's square."""
        us: cython.int = self.turn
        own_pieces: cython.ulonglong = self.colours[us]
        enemy_pieces: cython.ulonglong = self.colours[us ^ 1]
        king_square: cython.int = lowest(self.kinds[KING] & own_pieces)
        checkers: cython.ulonglong = (
            (pawn(us, king_square) & self.kinds[PAWN]) | (knight(king_square) & self.kinds[KNIGHT])
        ) & enemy_pieces
        pinned: cython.ulonglong = 0
        snipers: cython.ulonglong = (
            (rook(king_square, enemy_pieces) & (self.kinds[ROOK] | self.kinds[QUEEN]))
            | (bishop(king_square, enemy_pieces) & (self.kinds[BISHOP] | self.kinds[QUEEN]))
        ) & enemy_pieces
        while snipers:
            blockers: cython.ulonglong = between(king_square, lowest(snipers)) & own_pieces
            if not blockers:
                checkers |= ONE << lowest(snipers)
            elif not blockers & (blockers - 1):
                pinned |= blockers
            snipers &= snipers - 1
        self.king_square = king_square
        self.checkers = checkers
        self.pinned = pinned
        self.has_check_info = True

    def is_threatened(self):
        if not self.has_check_info:
            self.update_checkers_and_pins()
        return self.checkers != 0

    # -- moves -------------------------------------------------------------------------------------

    @cython.final
    def add_moves(self, base, head, targets):
        """Add the moves of one piece to `targets`; returns the new end of the move list."""
        while targets:
            to: cython.int = lowest(targets)
            self.stack[base] = head | (self.cells[to] << 15) | to
            base += 1
            targets &= targets - 1
        return base

    @cython.final
    def add_pawn_moves(self, base, targets, stride):
        """Add pawn moves of `stride` squares, without promotions and double steps."""
        while targets:
            to: cython.int = lowest(targets)
            self.stack[base] = (self.turn << 21) | (self.cells[to] << 15) | ((to - stride) << 6) | to
            base += 1
            targets &= targets - 1
        return base

    @cython.final
    def add_promotions(self, base, targets, stride, noisy, quiet):
        """Add promotions: to queens if `noisy`, underpromotions if `quiet`."""
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
    def generate_pawn_moves(self, base, pawns, allowed, noisy, quiet):
        """Generate pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        enemy_pieces: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        west: cython.ulonglong = left(pawns, us) & enemy_pieces
        east: cython.ulonglong = right(pawns, us) & enemy_pieces
        ahead: cython.ulonglong = forward(pawns, us) & empty
        double: cython.ulonglong = forward(ahead & (RANK_6 if us else RANK_3), us) & empty & allowed
        ahead &= allowed
        up: cython.int = -8 if us else 8
        if (ahead | west | east) & last:
            base = self.add_promotions(base, west & last, up - 1, noisy, quiet)
            base = self.add_promotions(base, east & last, up + 1, noisy, quiet)
            base = self.add_promotions(base, ahead & last, up, noisy, quiet)
        if noisy:
            base = self.add_pawn_moves(base, west & ~last, up - 1)
            base = self.add_pawn_moves(base, east & ~last, up + 1)
        if quiet:
            base = self.add_pawn_moves(base, ahead & ~last, up)
            while double:
                to: cython.int = lowest(double)
                self.stack[base] = (us << 21) | (DOUBLE << 18) | ((to - 2 * up) << 6) | to
                base += 1
                double &= double - 1
        return base

    @cython.final
    def generate_slider_moves(self, base, kind, occupied, allowed):
        """Generate the moves of the bishops, rooks or queens to the allowed squares."""
        pieces: cython.ulonglong = self.kinds[kind] & self.colours[self.turn]
        head: cython.int = (self.turn << 21) | (kind << 12)
        while pieces:
            start: cython.int = lowest(pieces)
            targets: cython.ulonglong = 0
            if kind != ROOK:
                targets = bishop(start, occupied)
            if kind != BISHOP:
                targets |= rook(start, occupied)
            targets &= allowed
            if (self.pinned >> start) & 1:
                targets &= through(self.king_square, start)
            base = self.add_moves(base, head | (start << 6), targets)
            pieces &= pieces - 1
        return base

    @cython.final
    def generate(self, base, noisy, quiet):
        """Generate the legal moves: if `noisy` captures and queen promotions, if `quiet` all others."""
        if not self.has_check_info:
            self.update_checkers_and_pins()
        us: cython.int = self.turn
        king_square: cython.int = self.king_square
        own_pieces: cython.ulonglong = self.colours[us]
        enemy_pieces: cython.ulonglong = self.colours[us ^ 1]
        occupied: cython.ulonglong = own_pieces | enemy_pieces
        pinned: cython.ulonglong = self.pinned
        allowed: cython.ulonglong = M64
        head: cython.int = us << 21
        if self.checkers:
            allowed = self.checkers | between(king_square, lowest(self.checkers))
            if self.checkers & (self.checkers - 1):
                allowed = 0
        if allowed:
            # 1. Pawns: all unpinned ones at once.
            pieces: cython.ulonglong = self.kinds[PAWN] & own_pieces
            base = self.generate_pawn_moves(base, pieces & ~pinned, allowed, noisy, quiet)
            pieces &= pinned
            while pieces:
                start: cython.int = lowest(pieces)
                base = self.generate_pawn_moves(
                    base, ONE << start, allowed & through(king_square, start), noisy, quiet
                )
                pieces &= pieces - 1
            if self.en_passant >= 0 and noisy:
                pieces = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & own_pieces
                while pieces:
                    start = lowest(pieces)
                    if self.is_legal_en_passant(start, us):
                        self.stack[base] = (
                            head | (EN_PASSANT << 18) | (1 << 15) | (start << 6) | self.en_passant
                        )
                        base += 1
                    pieces &= pieces - 1

            # 2. Pieces; a pinned knight has no move, others stay on the pin line.
            allowed &= (enemy_pieces if noisy else 0) | (~occupied if quiet else 0)
            pieces = self.kinds[KNIGHT] & own_pieces & ~pinned
            while pieces:
                start = lowest(pieces)
                base = self.add_moves(base, head | (KNIGHT << 12) | (start << 6), knight(start) & allowed)
                pieces &= pieces - 1
            base = self.generate_slider_moves(base, BISHOP, occupied, allowed)
            base = self.generate_slider_moves(base, ROOK, occupied, allowed)
            base = self.generate_slider_moves(base, QUEEN, occupied, allowed)

            # 3. Castling.
            if quiet and not self.checkers:
                pieces = self.rights & own_pieces
                while pieces:
                    start = lowest(pieces)
                    if self.can_castle(start, occupied):
                        self.stack[base] = head | (CASTLE << 18) | (KING << 12) | (king_square << 6) | start
                        base += 1
                    pieces &= pieces - 1

        # 4. The king's steps, with the king removed from the occupancy.
        allowed = king(king_square) & ((enemy_pieces if noisy else 0) | (~occupied if quiet else 0))
        unchecked: cython.ulonglong = allowed
        while unchecked:
            start = lowest(unchecked)
            if not self.is_safe(start, us ^ 1, occupied ^ (ONE << king_square)):
                allowed ^= ONE << start
            unchecked &= unchecked - 1
        return self.add_moves(base, head | (KING << 12) | (king_square << 6), allowed)

    def gen(self, base):
        return self.generate(self.generate(base, True, False), False, True)

    def gen_noisy(self, base):
        if not self.has_check_info:
            self.update_checkers_and_pins()
        self.is_forced = self.checkers != 0
        if self.is_forced:
            return self.gen(base)
        return self.generate(base, True, False)

    def gen_threats(self, base):
        end: cython.int = self.generate(base, False, True)
        i: cython.int
        for i in range(base, end):
            if self.threatens(self.stack[i]):
                self.stack[base] = self.stack[i]
                base += 1
        return base

    def threatens(self, move):
        """True if a move gives check, directly or by discovery."""
        to: cython.int = move & 63
        start: cython.int = (move >> 6) & 63
        kind: cython.int = (move >> 12) & 7
        flag: cython.int = (move >> 18) & 7
        us: cython.int = self.turn
        own_pieces: cython.ulonglong = self.colours[us]
        their_king: cython.int = lowest(self.kinds[KING] & self.colours[us ^ 1])
        occupied: cython.ulonglong = (self.colours[0] | own_pieces | self.colours[1]) ^ (ONE << start)
        if flag == CASTLE:
            row: cython.int = start & 56
            occupied ^= ONE << to
            occupied |= ONE << (row + (6 if to > start else 2))
            to = row + (5 if to > start else 3)
            own_pieces &= ~(ONE << (move & 63))
            kind = ROOK
        elif 0 < flag < CASTLE:
            kind = flag
        occupied |= ONE << to
        bit: cython.ulonglong = ONE << to
        if kind == PAWN:
            if pawn(us ^ 1, their_king) & bit:
                return True
        elif kind == KNIGHT and knight(their_king) & bit:
            return True
        rook_lines: cython.ulonglong = rook(their_king, occupied)
        bishop_lines: cython.ulonglong = bishop(their_king, occupied)
        if kind in (ROOK, QUEEN) and rook_lines & bit:
            return True
        if kind in (BISHOP, QUEEN) and bishop_lines & bit:
            return True
        own_pieces &= ~(ONE << start)
        return (
            rook_lines & own_pieces & (self.kinds[ROOK] | self.kinds[QUEEN])
            | bishop_lines & own_pieces & (self.kinds[BISHOP] | self.kinds[QUEEN])
        ) != 0

    # -- the null move -----------------------------------------------------------------------------

    def null_move(self):
        if not self.has_check_info:
            self.update_checkers_and_pins()
        own_pieces: cython.ulonglong = self.colours[self.turn]
        if self.checkers or not own_pieces & ~self.kinds[PAWN] & ~self.kinds[KING]:
            return False
        self.push_undo()
        self.zobrist ^= ZOBRIST[SIDE]
        if self.en_passant >= 0:
            self.zobrist ^= ZOBRIST[FILES + (self.en_passant & 7)]
            self.en_passant = -1
        self.clock += 1
        self.reversible_plies = 0
        self.turn ^= 1
        self.has_check_info = False
        return True

    def undo_null_move(self):
        self.ply -= 1
        self.turn ^= 1
        self.zobrist = self.undo_stack[self.ply].zobrist
        self.en_passant = self.undo_stack[self.ply].en_passant
        self.clock = self.undo_stack[self.ply].clock
        self.reversible_plies = self.undo_stack[self.ply].reversible_plies
        self.has_check_info = False

    # -- counting ----------------------------------------------------------------------------------

    @cython.final
    def count_pawn_moves(self, pawns, allowed):
        """The number of pawn moves to the allowed squares, except en passant captures."""
        us: cython.int = self.turn
        empty: cython.ulonglong = ~(self.colours[0] | self.colours[1])
        enemy_pieces: cython.ulonglong = self.colours[us ^ 1] & allowed
        last: cython.ulonglong = RANK_1 if us else RANK_8
        west: cython.ulonglong = left(pawns, us) & enemy_pieces
        east: cython.ulonglong = right(pawns, us) & enemy_pieces
        ahead: cython.ulonglong = forward(pawns, us) & empty
        double: cython.ulonglong = forward(ahead & (RANK_6 if us else RANK_3), us) & empty & allowed
        ahead &= allowed
        total: cython.int = popcount(ahead) + popcount(double) + popcount(west) + popcount(east)
        if (ahead | west | east) & last:
            total += 3 * (popcount(ahead & last) + popcount(west & last) + popcount(east & last))
        return total

    @cython.final
    def count_moves(self):
        """The number of legal moves, without generating them."""
        if not self.has_check_info:
            self.update_checkers_and_pins()
        us: cython.int = self.turn
        king_square: cython.int = self.king_square
        own_pieces: cython.ulonglong = self.colours[us]
        enemy_pieces: cython.ulonglong = self.colours[us ^ 1]
        occupied: cython.ulonglong = own_pieces | enemy_pieces
        pinned: cython.ulonglong = self.pinned
        allowed: cython.ulonglong = M64
        total: cython.int = 0
        targets: cython.ulonglong = king(king_square) & ~own_pieces
        while targets:
            if self.is_safe(lowest(targets), us ^ 1, occupied ^ (ONE << king_square)):
                total += 1
            targets &= targets - 1
        if self.checkers:
            if self.checkers & (self.checkers - 1):
                return total
            allowed = self.checkers | between(king_square, lowest(self.checkers))
        else:
            pieces: cython.ulonglong = self.rights & own_pieces
            while pieces:
                if self.can_castle(lowest(pieces), occupied):
                    total += 1
                pieces &= pieces - 1
        pieces = self.kinds[PAWN] & own_pieces
        total += self.count_pawn_moves(pieces & ~pinned, allowed)
        pieces &= pinned
        while pieces:
            start: cython.int = lowest(pieces)
            total += self.count_pawn_moves(ONE << start, allowed & through(king_square, start))
            pieces &= pieces - 1
        if self.en_passant >= 0:
            pieces = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & own_pieces
            while pieces:
                if self.is_legal_en_passant(lowest(pieces), us):
                    total += 1
                pieces &= pieces - 1
        allowed &= ~own_pieces
        pieces = self.kinds[KNIGHT] & own_pieces & ~pinned
        while pieces:
            total += popcount(knight(lowest(pieces)) & allowed)
            pieces &= pieces - 1
        pieces = (self.kinds[BISHOP] | self.kinds[QUEEN]) & own_pieces
        while pieces:
            start = lowest(pieces)
            targets = bishop(start, occupied) & allowed
            if (pinned >> start) & 1:
                targets &= through(king_square, start)
            total += popcount(targets)
            pieces &= pieces - 1
        pieces = (self.kinds[ROOK] | self.kinds[QUEEN]) & own_pieces
        while pieces:
            start = lowest(pieces)
            targets = rook(start, occupied) & allowed
            if (pinned >> start) & 1:
                targets &= through(king_square, start)
            total += popcount(targets)
            pieces &= pieces - 1
        return total

    def leaves(self, base, depth):
        if depth <= 1:
            return self.count_moves()
        end: cython.int = self.generate(base, True, True)
        total: cython.longlong = 0
        i: cython.int
        for i in range(base, end):
            move: cython.int = self.stack[i]
            self.push(move)
            total += self.leaves(end, depth - 1)
            self.pop(move)
        return total

    @cython.final
    def has_no_legal_move(self):
        """True if the mover has no legal move."""
        if not self.has_check_info:
            self.update_checkers_and_pins()
        us: cython.int = self.turn
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if not self.checkers:
            pawns: cython.ulonglong = self.kinds[PAWN] & self.colours[us] & ~self.pinned
            if forward(pawns, us) & ~occupied:
                return False
        return self.count_moves() == 0
