# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Scrabble move generation.  Types: plays.pxd.

Generation, after Appel and Jacobson ("The world's fastest Scrabble program", Communications of the ACM 31,
1988), by the automaton of `lexicon.py`:

    1. Cross-checks: for each empty cell and direction, the letters that form a word with the tiles across,
       and the points of these tiles.
    2. Anchors: the empty cells next to a tile. A play is generated at the first anchor that it covers.
    3. Left part: the tiles on the board left of the anchor, or letters of the rack on cells without anchors.
    4. Right part: letters of the rack and of the board, as far as the automaton goes.

A play of one tile that forms words in both directions is generated once, as the word across.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.scrabble.tiles import LETTER, POINTS, WORD
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.games.scrabble.lexicon import Lexicon, blank_choices
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.games.scrabble.layout import AREA, BLANK, CENTRE, FIRST, KINDS, LINES, RACK, SIDE, UNIT
    from gameplay.games.scrabble.lexicon import Lexicon, blank_choices
    from gameplay.native.bits import popcount

BINGO = cython.declare(cython.int, 50)
LETTERS = cython.declare(cython.uint, 0x7FFFFFE)
VOWELS = cython.declare(cython.uint, 1 << 1 | 1 << 5 | 1 << 9 | 1 << 15 | 1 << 21)
MAX_BEST = cython.declare(cython.int, 64)  # the longest sorted list of best plays


class Placer:
    """Generates the plays of racks on boards."""

    def __init__(self, lexicon: Lexicon):
        self.lexicon = lexicon
        self.edges, self.counts, self.play_offsets = lexicon.edges, lexicon.counts, lexicon.play_offsets
        i: cython.int
        if not cython.compiled:
            self.cells, self.masks, self.crosses = [0] * AREA, [0] * (2 * AREA), [0] * (2 * AREA)
            self.values, self.rack_counts, self.available, self.first_index = ([0] * KINDS for _ in range(4))
            self.letters, self.words, self.anchors = [0] * AREA, [0] * AREA, [0] * AREA
            self.left_part, self.leave_values, self.kinds = [0] * SIDE, [0] * 128, [0] * RACK
            self.singles, self.pairs, self.balance = [0] * KINDS, [0] * (KINDS * KINDS), [0] * 64
        for i in range(KINDS):
            self.values[i] = POINTS[i]
        for i in range(AREA):
            self.letters[i], self.words[i] = LETTER[i], WORD[i]
        self.capacity = 0
        self.enlarge(4096)
        self.laid_out = b""

    def enlarge(self, capacity: cython.int):
        """Make room for `capacity` plays."""
        self.capacity = capacity
        if cython.compiled:
            self.buffer = memoryview(memory(16 * capacity))
            self.codes = cython.cast(cython.p_uint, address_of(self.buffer))
            self.estimates = cython.cast(cython.p_int, self.codes + capacity)
            self.scores = self.estimates + capacity
            self.placements = self.scores + capacity
        else:
            self.codes, self.estimates, self.scores, self.placements = ([0] * capacity for _ in range(4))

    def set_weights(self, singles, pairs, balance):
        """Set the weights of rack leaves: single tiles, pairs, and numbers of vowels and consonants."""
        i: cython.int
        for i in range(KINDS):
            self.singles[i] = singles[i]
        for i in range(KINDS * KINDS):
            self.pairs[i] = pairs[i // KINDS][i % KINDS]
        for i in range(64):
            self.balance[i] = balance[i // 8][i % 8]

    def set_board(self, cells):
        """Set the board: 225 cells, 0 empty, 1 to 26 letters, blanks 32 more."""
        if cells == self.laid_out:
            return
        i: cython.int
        self.laid_out = b""  # until done, in case of an interrupt
        for i in range(AREA):
            self.cells[i] = cells[i]
        self.compute_cross_checks()
        self.laid_out = cells

    def compute_cross_checks(self):
        """Steps 1 and 2: cross-checks and anchors."""
        i: cython.int
        self.board_empty = True
        for i in range(AREA):
            if self.cells[i]:
                self.board_empty = False
            self.update_cell(i)
        if self.board_empty:
            self.anchors[CENTRE] = 1

    def update_cell(self, i):
        """Steps 1 and 2 for one cell."""
        down: cython.int
        self.anchors[i] = 0
        for down in range(2):
            step: cython.int = 1 if down else SIDE  # to the next cell across the direction of the word
            at: cython.int = down * AREA + i
            self.masks[at] = LETTERS
            self.crosses[at] = -1
            if self.cells[i]:
                self.masks[at] = 0
                continue
            place: cython.int = i % SIDE if down else i // SIDE
            low: cython.int = 0
            while low < place and self.cells[i - (low + 1) * step]:
                low += 1
            high: cython.int = 0
            while place + high + 1 < SIDE and self.cells[i + (high + 1) * step]:
                high += 1
            if low or high:
                self.anchors[i] = 1
                self.compute_cross_check(at, i, step, low, high)

    def compute_cross_check(self, at, cell, step, low, high):
        """Compute the cross-check `at` of a cell with `low` tiles before it and `high` after it."""
        state: cython.int = self.lexicon.root
        i: cython.int
        points: cython.int = 0
        edge: cython.uint = 0
        mask: cython.uint = 0
        for i in range(low, 0, -1):
            points += self.tile_points(self.cells[cell - i * step])
            if state:
                edge = self.find_edge(state, self.cells[cell - i * step] & 31)
                state = edge >> 7
        for i in range(1, high + 1):
            points += self.tile_points(self.cells[cell + i * step])
        while state:
            edge = self.edges[state]
            letter: cython.uint = edge & 31
            state = 0 if edge >> 6 & 1 else state + 1
            for i in range(1, high + 1):
                if edge:
                    edge = self.find_edge(edge >> 7, self.cells[cell + i * step] & 31)
            if edge >> 5 & 1:
                mask |= cython.cast(cython.uint, 1) << letter
        self.masks[at] = mask
        self.crosses[at] = points

    def tile_points(self, tile):
        """The points of a tile on the board; 0 for a blank."""
        return 0 if tile & BLANK else self.values[tile]

    def find_edge(self, state, letter):
        """The edge of a state with a letter; 0 if there is none."""
        while state:
            edge: cython.uint = self.edges[state]
            if edge & 31 == letter:
                return edge
            state = 0 if edge >> 6 & 1 else state + 1
        return 0

    # -- rack leaves ---------------------------------------------------------------------

    def set_rack(self, rack, bag: cython.int, others: cython.int):
        """Set the sorted rack. bag: tiles in the bag; others: points on other racks if it is empty."""
        i: cython.int
        for i in range(KINDS):
            self.rack_counts[i] = 0
        for i in rack:
            self.rack_counts[i] += 1
        self.sort_rack(bag, others)

    def sort_rack(self, bag, others):
        """List the tiles counted in `rack_counts` in order, and compute the value of each leave."""
        i: cython.int
        self.tiles = 0
        for i in range(KINDS):
            self.available[i] = self.rack_counts[i]
            self.first_index[i] = self.tiles
            while self.tiles < self.first_index[i] + self.rack_counts[i]:
                self.kinds[self.tiles] = i
                self.tiles += 1
        self.fill_leave_values(bag, others)

    def fill_leave_values(self, bag, others):
        """Compute the value of each leave, by the tiles played."""
        used: cython.int
        i: cython.int
        for used in range(1 << self.tiles):
            if bag:
                self.leave_values[used] = self.estimate_leave(used)
                continue
            total: cython.int = 0
            for i in range(self.tiles):
                if not used >> i & 1:
                    total += self.values[self.kinds[i]]
            self.leave_values[used] = -2 * UNIT * total if used + 1 < 1 << self.tiles else 2 * UNIT * others

    def estimate_leave(self, used):
        """The value of a leave if more tiles will be drawn; used: the tiles played, as bits."""
        i: cython.int
        j: cython.int
        estimate: cython.int = 0
        vowels: cython.int = 0
        consonants: cython.int = 0
        for i in range(self.tiles):
            if used >> i & 1:
                continue
            estimate += self.singles[self.kinds[i]]
            if VOWELS >> self.kinds[i] & 1:
                vowels += 1
            elif self.kinds[i]:
                consonants += 1
            for j in range(i):
                if not used >> j & 1:
                    estimate += self.pairs[self.kinds[i] * KINDS + self.kinds[j]]
        return estimate + self.balance[8 * vowels + consonants]

    def leave_value(self, rack):
        """The value of a leave of up to seven tiles, in hundredths of a point."""
        self.set_rack(rack, 1, 0)
        return self.leave_values[0]

    # -- plays ---------------------------------------------------------------------------------------

    def generate(self, rack, max_plays: cython.int):
        """The plays of the current rack on the current board, as moves.

        With `max_plays`, that many of the best, as pairs (move, estimate), the best first.
        """
        i: cython.int
        self.max_plays = max_plays
        while True:
            self.play_count = 0
            self.generate_lines()
            if self.play_count <= self.capacity:
                break
            self.enlarge(2 * self.play_count)
        if max_plays:
            return [(self.codes[i], self.estimates[i]) for i in range(self.play_count)]
        return [self.codes[i] for i in range(self.play_count)]

    def plays(self, cells, rack, max_plays: cython.int = 0, bag: cython.int = 1, others: cython.int = 0):
        """The plays of a rack, see `generate`; with `max_plays` also exchanges if the bag has seven."""
        self.set_board(cells)
        self.set_rack(rack, bag, others)
        self.with_exchanges = max_plays > 0 and bag >= RACK
        return self.generate(rack, min(max_plays, MAX_BEST))

    def generate_lines(self):
        """Generate at all anchors of all lines."""
        down: cython.int
        line: cython.int
        if self.with_exchanges:
            self.generate_exchanges()
        for down in range(2):
            for line in range(SIDE):
                self.generate_line(down, line)

    def generate_line(self, down, line):
        """Generate at all anchors of a line."""
        at: cython.int
        free: cython.int = 0
        self.down = down
        self.line = line
        self.empty_cells = 0
        for at in range(SIDE):
            if not self.cells[self.cell(at)]:
                self.empty_cells |= 1 << at
        for at in range(SIDE):
            if self.anchors[self.cell(at)]:
                self.anchor = at
                self.generate_at_anchor(at, free)
                free = 0
            elif self.cells[self.cell(at)]:
                free = 0
            else:
                free += 1

    def cell(self, at):
        """The cell at an index of the line."""
        return at * SIDE + self.line if self.down else self.line * SIDE + at

    def generate_at_anchor(self, at, free):
        """Step 3: start with the tiles left of the anchor; if there are none, with all left parts."""
        start: cython.int = at
        state: cython.int = self.lexicon.root
        rank: cython.uint = 0
        ends: cython.uint = 0
        total: cython.int = 0
        while start and self.cells[self.cell(start - 1)]:
            start -= 1
        if start == at:
            self.extend_left(free, state, 0, 0, 0, 0)
            return
        self.start = start
        while start < at:
            tile: cython.uint = self.cells[self.cell(start)]
            rank += ends
            while state:
                edge: cython.uint = self.edges[state]
                if edge & 31 == tile & 31:
                    break
                rank += self.counts[state]
                state = 0 if edge >> 6 & 1 else state + 1
            if not state:
                return
            total += self.tile_points(tile)
            ends = self.edges[state] >> 5 & 1
            state = self.edges[state] >> 7
            start += 1
        self.extend_right(at, state, rank + ends, False, total, 1, 0, 0, 0, 0)

    def extend_left(self, free, state, rank, length, used, blanks):
        """Step 3: extend the current left part to the right, then add one more tile to it."""
        i: cython.int
        total: cython.int = 0
        multiplier: cython.int = 1
        self.start = self.anchor - length
        for i in range(length):
            cell: cython.int = self.cell(self.start + i)
            multiplier *= self.words[cell]
            if not self.left_part[i] & BLANK:
                total += self.values[self.left_part[i]] * self.letters[cell]
        self.extend_right(self.anchor, state, rank, False, total, multiplier, 0, used, 0, blanks)
        while state and free:
            edge: cython.uint = self.edges[state]
            letter: cython.int = edge & 31
            ends: cython.uint = edge >> 5 & 1
            if self.available[letter]:
                i = self.first_index[letter] + self.rack_counts[letter] - self.available[letter]
                self.available[letter] -= 1
                self.left_part[length] = letter
                self.extend_left(free - 1, edge >> 7, rank + ends, length + 1, used | 1 << i, blanks)
                self.available[letter] += 1
            if self.available[0]:
                i = self.rack_counts[0] - self.available[0]
                self.available[0] -= 1
                self.left_part[length] = letter | BLANK
                self.extend_left(
                    free - 1, edge >> 7, rank + ends, length + 1, used | 1 << i, blanks << 4 | length + 1
                )
                self.available[0] += 1
            rank += self.counts[state]
            state = 0 if edge >> 6 & 1 else state + 1

    def extend_right(self, at, state, rank, ends, total, multiplier, crossing, used, touching, blanks):
        """Step 4: extend the word to the cell `at`; ends: the letters so far are a word."""
        if ends and at > self.anchor and (at == SIDE or not self.cells[self.cell(at)]):
            self.add_play(rank - 1, at - self.start, total * multiplier + crossing, used, touching, blanks)
        if at == SIDE or not state:
            return
        cell: cython.int = self.cell(at)
        tile: cython.int = self.cells[cell]
        if tile:
            while state:
                edge: cython.uint = self.edges[state]
                if edge & 31 == tile & 31:
                    more: cython.uint = edge >> 5 & 1
                    total += self.tile_points(tile)
                    self.extend_right(
                        at + 1,
                        edge >> 7,
                        rank + more,
                        more,
                        total,
                        multiplier,
                        crossing,
                        used,
                        touching,
                        blanks,
                    )
                    return
                rank += self.counts[state]
                state = 0 if edge >> 6 & 1 else state + 1
            return
        mask: cython.uint = self.masks[self.down * AREA + cell]
        across: cython.int = self.crosses[self.down * AREA + cell]
        word_multiplier: cython.int = self.words[cell]
        next_crossing: cython.int = crossing
        next_multiplier: cython.int = multiplier * word_multiplier
        next_touching: cython.int = touching + (1 if across >= 0 else 0)
        while state:
            edge = self.edges[state]
            letter: cython.int = edge & 31
            more = edge >> 5 & 1
            if mask >> letter & 1:
                if self.available[letter]:
                    points: cython.int = self.values[letter] * self.letters[cell]
                    if across >= 0:
                        next_crossing = crossing + (across + points) * word_multiplier
                    place: cython.int = (
                        self.first_index[letter] + self.rack_counts[letter] - self.available[letter]
                    )
                    self.available[letter] -= 1
                    self.extend_right(
                        at + 1,
                        edge >> 7,
                        rank + more,
                        more,
                        total + points,
                        next_multiplier,
                        next_crossing,
                        used | 1 << place,
                        next_touching,
                        blanks,
                    )
                    self.available[letter] += 1
                if self.available[0]:
                    if across >= 0:
                        next_crossing = crossing + across * word_multiplier
                    place = self.rack_counts[0] - self.available[0]
                    self.available[0] -= 1
                    self.extend_right(
                        at + 1,
                        edge >> 7,
                        rank + more,
                        more,
                        total,
                        next_multiplier,
                        next_crossing,
                        used | 1 << place,
                        next_touching,
                        blanks << 4 | popcount(used) + 1,
                    )
                    self.available[0] += 1
            rank += self.counts[state]
            state = 0 if edge >> 6 & 1 else state + 1

    def add_play(self, rank, length, score, used, touching, blanks):
        """Record a play."""
        placed: cython.int = popcount(used)
        if self.down and placed == 1 and touching:
            return  # recorded as the word across
        if placed == RACK:
            score += BINGO
        tiles: cython.int = length if length < RACK else RACK
        blank_choice: cython.int = 0
        if blanks > 15:
            low: cython.int = (blanks >> 4) - 1
            high: cython.int = (blanks & 15) - 1
            blank_choice = 1 + tiles + high * (high - 1) // 2 + low
        elif blanks:
            blank_choice = blanks
        move: cython.uint = self.play_offsets[rank] + self.start * blank_choices(length) + blank_choice
        move = FIRST + LINES * move + SIDE * self.down + self.line
        self.placement = self.empty_cells & ((1 << length) - 1) << self.start
        self.add_move(move, score, UNIT * score + self.leave_values[used])

    def add_move(self, move, score, estimate):
        """Append a move, or insert it among the best."""
        if not self.max_plays:
            if self.play_count < self.capacity:
                self.codes[self.play_count] = move
                self.estimates[self.play_count] = estimate
                self.scores[self.play_count] = score
                self.placements[self.play_count] = self.placement
            self.play_count += 1
            return
        if self.play_count == self.max_plays:
            if estimate <= self.estimates[self.play_count - 1]:
                return
            self.play_count -= 1
        i: cython.int = self.play_count
        while i and self.estimates[i - 1] < estimate:
            self.codes[i] = self.codes[i - 1]
            self.estimates[i] = self.estimates[i - 1]
            i -= 1
        self.codes[i] = move
        self.estimates[i] = estimate
        self.play_count += 1

    def swap_plays(self, i, j):
        """Swap two listed plays."""
        self.codes[i], self.codes[j] = self.codes[j], self.codes[i]
        self.scores[i], self.scores[j] = self.scores[j], self.scores[i]
        self.estimates[i], self.estimates[j] = (
            self.estimates[j],
            self.estimates[i],
        )
        self.placements[i], self.placements[j] = (
            self.placements[j],
            self.placements[i],
        )

    # -- exchanges -----------------------------------------------------------------------------------

    def generate_exchanges(self):
        """Generate all exchanges of the rack, each once."""
        used: cython.int
        for used in range(1, 1 << self.tiles):
            if self.is_canonical(used):
                self.add_move(self.exchange_rank(used), 0, self.leave_values[used])

    def is_canonical(self, used):
        """True if `used` takes the first ones of equal tiles, so that each exchange is generated once."""
        i: cython.int
        for i in range(1, self.tiles):
            if self.kinds[i] == self.kinds[i - 1] and used >> i & 1 and not used >> (i - 1) & 1:
                return False
        return True

    def exchange_rank(self, used):
        """The move that exchanges the tiles `used`: its rank in the combinatorial number system."""
        i: cython.int
        at: cython.int = RACK - popcount(used)
        found: cython.uint = 0
        for i in range(self.tiles):
            if used >> i & 1:
                found += choose(self.kinds[i] + 1 + at, at + 1)
                at += 1
        return found

    def exchanges(self, rack):
        """All exchanges of a rack, each once."""
        used: cython.int
        self.set_rack(rack, 1, 0)
        return [self.exchange_rank(used) for used in range(1, 1 << self.tiles) if self.is_canonical(used)]

    def encode_exchange(self, tiles):
        """The move that exchanges these tiles, sorted; 0 for none: a pass."""
        self.set_rack(tiles, 1, 0)
        return self.exchange_rank((1 << self.tiles) - 1)


def choose(n, k):
    """The binomial coefficient C(n, k); 0 if k > n."""
    i: cython.int
    found: cython.uint = 1
    if k > n:
        return 0
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def decode_exchange(move: cython.uint):
    """The tiles that a move exchanges, sorted; the inverse of `encode_exchange`."""
    found = bytearray()
    at: cython.int
    for at in range(RACK, 0, -1):
        top: cython.int = at - 1
        while choose(top + 1, at) <= move:
            top += 1
        move -= choose(top, at)
        if top - (at - 1):
            found.append(top - (at - 1) - 1)
    return bytes(reversed(found))
