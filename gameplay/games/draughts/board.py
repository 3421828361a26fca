# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The board of draughts with flying kings as bitboards, and its moves.  C types: board.pxd.

The squares are numbered by rows from the top, where black starts. Each is a bit; one bit after every ten
squares is unused, so the neighbours of a square are always 5 and 6 bits away and no step wraps around an
edge. The 8x8 board is the upper left part of the same layout; the other bits are unused:

       square of 10x10                   bit                               direction from a square
          1   2   3   4   5                 0   1   2   3   4
        6   7   8   9  10                 5   6   7   8   9                -6     -5
         11  12  13  14  15                11  12  13  14  15                \\   /
       16  17  18  19  20                16  17  18  19  20                    sq        3   2
         21  22  23  24  25                22  23  24  25  26                /   \\      number
       ...                               ...                               +5     +6    0   1
       46  47  48  49  50                49  50  51  52  53

A move is

    bits 0-5    the bit of the start square
    bits 6-11   the bit of the end square
    bits 12-    0: no capture; else 1 + the index of the capture among those between the same squares

A capture is identified by its captured pieces and its end square: paths with the same captures and end are
one move, as in the rules and in published perft counts.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.draughts.variants import variant_named
from gameplay.games.shared.draughts.pieces import DraughtsPieces

if cython.compiled:
    from cython.cimports.gameplay.games.shared.draughts.pieces import push_undo
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
else:
    from gameplay.games.shared.draughts.pieces import push_undo
    from gameplay.native.bits import M64, ONE, lowest, popcount

MAN_CAPTURES = cython.declare(cython.int, 15)  # directions, a bit each: men also capture backwards
MAX_CAPTURES = cython.declare(cython.int, 256)  # the most captures of a position

if not cython.compiled:

    def shift_squares(squares, direction):
        """The neighbours of squares in a direction, modulo 4."""
        bits = 5 + (direction & 1)
        return squares >> bits if direction & 2 else squares << bits & M64


class DraughtsBoard(DraughtsPieces):
    """Pieces and move generation; draws and values are in game.py."""

    cell_shape = property(lambda self: (self.rules.size, self.rules.size))
    cell_letters = ("", "w", "b", "W", "B")

    def __init__(self, variant, automatic):
        DraughtsPieces.__init__(self, variant_named(variant), automatic, MAX_CAPTURES)
        rules = self.rules
        row = rules.size // 2
        self.all = rules.mask(range(1, rules.squares + 1))
        self.north = rules.mask(range(1, row + 1))
        self.south = rules.mask(range(rules.squares - row + 1, rules.squares + 1))
        self.north_second = rules.mask(range(row + 1, 2 * row + 1))
        self.south_second = rules.mask(range(rules.squares - 2 * row + 1, rules.squares - row + 1))
        self.diagonal = rules.diagonal
        self.majority, self.passing, self.small = rules.majority, rules.passing, rules.size == 8
        self.limit = rules.draw_plies
        self.capture_count = self.piece_start = self.max_captured = 0
        if not cython.compiled:
            self.capture_ends, self.captured_sets = [0] * MAX_CAPTURES, [0] * MAX_CAPTURES

    # -- moves ---------------------------------------------------------------------------------

    def gen(self, base):
        end: cython.int = self.gen_captures(base)
        if end > base:
            return end
        own: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = self.all & ~(self.white | self.black)
        forward: cython.int = 0 if self.turn else 2
        direction: cython.int
        for direction in range(forward, forward + 2):
            pieces: cython.ulonglong = own & ~self.kings & shift_squares(empty, direction ^ 2)
            while pieces:
                bit: cython.int = lowest(pieces)
                to: cython.ulonglong = shift_squares(ONE << bit, direction)
                self.stack[end] = bit | (lowest(to) << 6)
                end += 1
                pieces &= pieces - 1
        pieces = own & self.kings
        while pieces:
            bit = lowest(pieces)
            pieces &= pieces - 1
            for direction in range(4):
                to = shift_squares(ONE << bit, direction) & empty
                while to:
                    self.stack[end] = bit | (lowest(to) << 6)
                    end += 1
                    to = shift_squares(to, direction) & empty
        return end

    def gen_captures(self, base):
        """Write every legal capture to stack[base:], return the end."""
        pieces: cython.ulonglong = self.capturers()
        if not pieces:
            return base
        self.begin_captures()
        i: cython.int
        j: cython.int
        end: cython.int = base
        # 1. The captures of each piece. A capture of more pieces replaces all before it.
        while pieces:
            bit: cython.int = lowest(pieces)
            pieces &= pieces - 1
            before: cython.int = self.capture_count
            self.capture_from(ONE << bit)
            # `piece_start` is 0 if this piece captures more than those before it.
            if not self.piece_start:
                before, end = 0, base
            for i in range(before, self.capture_count):
                self.stack[end] = bit | (self.capture_ends[i] << 6) | (1 << 12)
                # 2. Number the captures with the same start and end.
                for j in range(before, i):
                    if self.capture_ends[j] == self.capture_ends[i]:
                        self.stack[end] += 1 << 12
                end += 1
        return end

    def begin_captures(self):
        """Reset the list of captures."""
        self.capture_count = 0
        self.piece_start = 0
        self.max_captured = 0

    def capture_from(self, bit):
        """Add the captures of the piece at `bit`."""
        other: cython.ulonglong = self.white if self.turn else self.black
        empty: cython.ulonglong = (self.all & ~(self.white | self.black)) | bit
        self.piece_start = self.capture_count
        self.capture_on(bit, 0, other, empty, (self.kings & bit) != 0, MAN_CAPTURES)

    def capture_on(self, bit, taken, other, empty, king, directions):
        """Add all captures of the piece at `bit` after it has captured `taken`; False if there are none.

        Captured pieces stay on the board until the end of the move and cannot be jumped again.
        """
        continues: cython.bint = False
        direction: cython.int
        for direction in range(4):
            if not directions >> direction & 1:
                continue
            if king:
                if self.capture_by_king(bit, taken, other, empty, direction):
                    continues = True
                continue
            over: cython.ulonglong = shift_squares(bit, direction) & other & ~taken
            land: cython.ulonglong = shift_squares(over, direction) & empty
            if land:
                continues = True
                over |= taken
                last: cython.ulonglong = self.south if self.turn else self.north
                crowned: cython.bint = self.passing and (land & last) != 0
                if not self.capture_on(land, over, other, empty, crowned, 15 ^ (1 << (direction ^ 2))):
                    self.add_capture(land, over)
        return continues

    def capture_by_king(self, bit, taken, other, empty, direction):
        """As `capture_on`, for a king and one direction: it may land on any empty square behind the piece.

        If it can continue from some of these squares, it must land on one of them.
        """
        over: cython.ulonglong = shift_squares(bit, direction)
        while over & empty:
            over = shift_squares(over, direction)
        over &= other & ~taken
        land: cython.ulonglong = shift_squares(over, direction) & empty
        if not land:
            return False
        over |= taken
        continues: cython.bint = False
        # The next piece in this direction is the same from all landing squares: search it once.
        directions: cython.int = 15 ^ (1 << (direction ^ 2))
        to: cython.ulonglong = land
        while to:
            if self.capture_on(to, over, other, empty, True, directions):
                continues = True
            directions &= ~(1 << direction)
            to = shift_squares(to, direction) & empty
        if not continues:
            while land:
                self.add_capture(land, over)
                land = shift_squares(land, direction) & empty
        return True

    def add_capture(self, bit, taken):
        """Add a capture that ends at `bit`, unless it is listed already or another captures more pieces."""
        count: cython.int = popcount(taken)
        if self.majority:
            if count < self.max_captured:
                return
            if count > self.max_captured:
                self.max_captured = count
                self.capture_count = self.piece_start = 0
        to: cython.int = lowest(bit)
        i: cython.int
        for i in range(self.piece_start, self.capture_count):
            if self.capture_ends[i] == to and self.captured_sets[i] == taken:
                return
        if self.capture_count < MAX_CAPTURES:
            self.capture_ends[self.capture_count] = to
            self.captured_sets[self.capture_count] = taken
            self.capture_count += 1

    def captured_by(self, move):
        """The pieces that a legal move captures."""
        number: cython.int = move >> 12
        if not number:
            return 0
        self.begin_captures()
        self.capture_from(ONE << (move & 63))
        to: cython.int = move >> 6 & 63
        i: cython.int
        for i in range(self.capture_count):
            if self.capture_ends[i] == to:
                number -= 1
                if not number:
                    return self.captured_sets[i]
        return 0

    def capturers(self):
        """The pieces of the side to move that can capture."""
        own: cython.ulonglong = self.black if self.turn else self.white
        other: cython.ulonglong = self.white if self.turn else self.black
        empty: cython.ulonglong = self.all & ~(own | other)
        pieces: cython.ulonglong = 0
        kings: cython.ulonglong = own & self.kings
        direction: cython.int
        for direction in range(4):
            # Trace back from the empty squares behind the pieces that can be jumped.
            from_here: cython.ulonglong = shift_squares(
                shift_squares(empty, direction ^ 2) & other, direction ^ 2
            )
            pieces |= own & from_here
            if kings:
                from_here &= empty
                while from_here:
                    from_here = shift_squares(from_here, direction ^ 2)
                    pieces |= kings & from_here
                    from_here &= empty
        return pieces

    def can_capture(self):
        """True if the side to move can capture."""
        return self.capturers() != 0

    def can_move(self):
        """True if the side to move has a move."""
        own: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = self.all & ~(self.white | self.black)
        down: cython.ulonglong = own if self.turn else own & self.kings
        up: cython.ulonglong = own & self.kings if self.turn else own
        if (down & ((empty >> 5) | (empty >> 6))) | (up & ((empty << 5) | (empty << 6))):
            return True
        return self.capturers() != 0

    def read_cells(self, codes):
        place: cython.int
        size: cython.int = 8 if self.small else 10
        for place in range(size * size):
            row: cython.int = place // size
            column: cython.int = place % size
            codes[place] = 0
            if row + column & 1:
                bit: cython.ulonglong = ONE << (11 * (row >> 1) + 5 * (row & 1) + (column >> 1))
                if (self.white | self.black) & bit:
                    codes[place] = (1 if self.white & bit else 2) + (2 if self.kings & bit else 0)

    def push(self, move):
        push_undo(self)
        bit: cython.ulonglong = ONE << (move & 63)
        land: cython.ulonglong = ONE << (move >> 6 & 63)
        taken: cython.ulonglong = self.captured_by(move) if move >> 12 else 0
        crowned: cython.ulonglong = 0
        self.clock += 1
        self.balance_clock += 1
        if taken:
            self.clock = 0
        if self.turn:
            self.black = (self.black & ~bit) | land
            self.white &= ~taken
        else:
            self.white = (self.white & ~bit) | land
            self.black &= ~taken
        if self.kings & bit:
            self.kings = (self.kings & ~bit) | land
        else:
            self.clock = 0
            last: cython.ulonglong = self.south if self.turn else self.north
            second: cython.ulonglong = self.south_second if self.turn else self.north_second
            # A man that captured a piece on the row before the last has reached the last row.
            if land & last or (self.passing and taken & second):
                crowned = land
        self.kings &= ~taken
        if self.balance_changes(taken, crowned):
            self.balance_clock = 0
        self.kings |= crowned
        self.turn ^= 1

    def balance_changes(self, taken, crowned):
        """True if a move resets the count of moves with this balance of pieces.

        Captures and promotions do; in international draughts (whose rules do not distinguish three kings from
        two kings and a man) only the first king of a side.
        """
        if taken:
            return True
        own: cython.ulonglong = self.black if self.turn else self.white
        return crowned != 0 and (self.small or not own & self.kings)

    def taken_by(self, move: cython.int):
        """The pieces that a legal move captures, as bits."""
        return self.captured_by(move)
