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

from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.games.scrabble.lexicon import Lexicon, ways_of
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.games.scrabble.layout import AREA, BLANK, CENTRE, FIRST, KINDS, LINES, RACK, SIDE, UNIT
    from gameplay.games.scrabble.lexicon import Lexicon, ways_of
    from gameplay.native.bits import popcount

BINGO = cython.declare(cython.int, 50)
LETTERS = cython.declare(cython.uint, 0x7FFFFFE)
VOWELS = cython.declare(cython.uint, 1 << 1 | 1 << 5 | 1 << 9 | 1 << 15 | 1 << 21)
MOST = cython.declare(cython.int, 64)  # the longest sorted list of best plays


class Placer:
    """Generates the plays of racks on boards. `positions` and `found` count calls and plays in all."""

    def __init__(self, lexicon: Lexicon, values, letters, words):
        """values: the points of the 27 kinds of tiles; letters, words: the multipliers of all cells."""
        self.lexicon = lexicon
        self.edges, self.counts, self.first = lexicon.edges, lexicon.counts, lexicon.first
        i: cython.int
        if not cython.compiled:
            self.cells, self.masks, self.crosses = [0] * AREA, [0] * (2 * AREA), [0] * (2 * AREA)
            self.values, self.have, self.count, self.base = ([0] * KINDS for _ in range(4))
            self.letters, self.words, self.anchors = [0] * AREA, [0] * AREA, [0] * AREA
            self.laid, self.leave, self.kinds = [0] * SIDE, [0] * 128, [0] * RACK
            self.singles, self.pairs, self.balance = [0] * KINDS, [0] * (KINDS * KINDS), [0] * 64
        for i in range(KINDS):
            self.values[i] = values[i]
        for i in range(AREA):
            self.letters[i], self.words[i] = letters[i], words[i]
        self.room = 0
        self.enlarge(4096)
        self.laid_out = b""
        self.positions = self.found = 0

    def enlarge(self, room: cython.int):
        """Make room for `room` plays."""
        self.room = room
        if cython.compiled:
            self.held = memoryview(memory(16 * room))
            self.codes = cython.cast(cython.p_uint, address_of(self.held))
            self.worth = cython.cast(cython.p_int, self.codes + room)
            self.scores = self.worth + room
            self.spots = self.scores + room
        else:
            self.codes, self.worth, self.scores, self.spots = ([0] * room for _ in range(4))

    def weigh(self, singles, pairs, balance):
        """Set the weights of rack leaves: single tiles, pairs, and numbers of vowels and consonants."""
        i: cython.int
        for i in range(KINDS):
            self.singles[i] = singles[i]
        for i in range(KINDS * KINDS):
            self.pairs[i] = pairs[i // KINDS][i % KINDS]
        for i in range(64):
            self.balance[i] = balance[i // 8][i % 8]

    def lay(self, cells):
        """Set the board: 225 cells, 0 empty, 1 to 26 letters, blanks 32 more."""
        if cells == self.laid_out:
            return
        i: cython.int
        self.laid_out = b""  # until done, in case of an interrupt
        for i in range(AREA):
            self.cells[i] = cells[i]
        self.cross()
        self.laid_out = cells

    def cross(self):
        """Steps 1 and 2: cross-checks and anchors."""
        i: cython.int
        self.empty = True
        for i in range(AREA):
            if self.cells[i]:
                self.empty = False
            self.look(i)
        if self.empty:
            self.anchors[CENTRE] = 1

    def look(self, i):
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
                self.fit(at, i, step, low, high)

    def fit(self, at, cell, step, low, high):
        """Compute the cross-check `at` of a cell with `low` tiles before it and `high` after it."""
        state: cython.int = self.lexicon.root
        i: cython.int
        points: cython.int = 0
        edge: cython.uint = 0
        mask: cython.uint = 0
        for i in range(low, 0, -1):
            points += self.counted(self.cells[cell - i * step])
            if state:
                edge = self.follow(state, self.cells[cell - i * step] & 31)
                state = edge >> 7
        for i in range(1, high + 1):
            points += self.counted(self.cells[cell + i * step])
        while state:
            edge = self.edges[state]
            letter: cython.uint = edge & 31
            state = 0 if edge >> 6 & 1 else state + 1
            for i in range(1, high + 1):
                if edge:
                    edge = self.follow(edge >> 7, self.cells[cell + i * step] & 31)
            if edge >> 5 & 1:
                mask |= cython.cast(cython.uint, 1) << letter
        self.masks[at] = mask
        self.crosses[at] = points

    def counted(self, tile):
        """The points of a tile on the board; 0 for a blank."""
        return 0 if tile & BLANK else self.values[tile]

    def follow(self, state, letter):
        """The edge of a state with a letter; 0 if there is none."""
        while state:
            edge: cython.uint = self.edges[state]
            if edge & 31 == letter:
                return edge
            state = 0 if edge >> 6 & 1 else state + 1
        return 0

    # -- rack leaves ---------------------------------------------------------------------

    def take(self, rack, bag: cython.int, others: cython.int):
        """Set the sorted rack. bag: tiles in the bag; others: points on other racks if it is empty."""
        i: cython.int
        for i in range(KINDS):
            self.have[i] = 0
        for i in rack:
            self.have[i] += 1
        self.sort(bag, others)

    def sort(self, bag, others):
        """List the tiles counted in `have` in order, and compute the value of each leave."""
        i: cython.int
        self.tiles = 0
        for i in range(KINDS):
            self.count[i] = self.have[i]
            self.base[i] = self.tiles
            while self.tiles < self.base[i] + self.have[i]:
                self.kinds[self.tiles] = i
                self.tiles += 1
        self.keep(bag, others)

    def keep(self, bag, others):
        """Compute the value of each leave, by the tiles played."""
        used: cython.int
        i: cython.int
        for used in range(1 << self.tiles):
            if bag:
                self.leave[used] = self.kept(used)
                continue
            total: cython.int = 0
            for i in range(self.tiles):
                if not used >> i & 1:
                    total += self.values[self.kinds[i]]
            self.leave[used] = -2 * UNIT * total if used + 1 < 1 << self.tiles else 2 * UNIT * others

    def kept(self, used):
        """The value of a leave if more tiles will be drawn; used: the tiles played, as bits."""
        i: cython.int
        j: cython.int
        worth: cython.int = 0
        vowels: cython.int = 0
        consonants: cython.int = 0
        for i in range(self.tiles):
            if used >> i & 1:
                continue
            worth += self.singles[self.kinds[i]]
            if VOWELS >> self.kinds[i] & 1:
                vowels += 1
            elif self.kinds[i]:
                consonants += 1
            for j in range(i):
                if not used >> j & 1:
                    worth += self.pairs[self.kinds[i] * KINDS + self.kinds[j]]
        return worth + self.balance[8 * vowels + consonants]

    def leaves(self, rack):
        """The value of a leave of up to seven tiles, in hundredths of a point."""
        self.take(rack, 1, 0)
        return self.leave[0]

    # -- plays ---------------------------------------------------------------------------------------

    def generate(self, rack, most: cython.int):
        """The plays of the current rack on the current board, as moves.

        With `most`, that many of the best, as pairs (move, estimate), the best first.
        """
        i: cython.int
        self.most = most
        while True:
            self.number = 0
            self.search()
            if self.number <= self.room:
                break
            self.enlarge(2 * self.number)
        self.positions += 1
        if most:
            return [(self.codes[i], self.worth[i]) for i in range(self.number)]
        self.found += self.number
        return [self.codes[i] for i in range(self.number)]

    def plays(self, cells, rack, most: cython.int = 0, bag: cython.int = 1, others: cython.int = 0):
        """All plays of a rack on a board, see `generate`; with `most` exchanges too, if the bag has seven."""
        self.lay(cells)
        self.take(rack, bag, others)
        self.changing = most > 0 and bag >= RACK
        return self.generate(rack, min(most, MOST))

    def search(self):
        """Generate at all anchors of all lines."""
        down: cython.int
        line: cython.int
        if self.changing:
            self.exchange()
        for down in range(2):
            for line in range(SIDE):
                self.scan(down, line)

    def scan(self, down, line):
        """Generate at all anchors of a line."""
        at: cython.int
        free: cython.int = 0
        self.down = down
        self.line = line
        self.vacant = 0
        for at in range(SIDE):
            if not self.cells[self.cell(at)]:
                self.vacant |= 1 << at
        for at in range(SIDE):
            if self.anchors[self.cell(at)]:
                self.anchor = at
                self.begin(at, free)
                free = 0
            elif self.cells[self.cell(at)]:
                free = 0
            else:
                free += 1

    def cell(self, at):
        """The cell at an index of the line."""
        return at * SIDE + self.line if self.down else self.line * SIDE + at

    def begin(self, at, free):
        """Step 3: start with the tiles left of the anchor; if there are none, with all left parts."""
        start: cython.int = at
        state: cython.int = self.lexicon.root
        rank: cython.uint = 0
        ends: cython.uint = 0
        total: cython.int = 0
        while start and self.cells[self.cell(start - 1)]:
            start -= 1
        if start == at:
            self.left(free, state, 0, 0, 0, 0)
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
            total += self.counted(tile)
            ends = self.edges[state] >> 5 & 1
            state = self.edges[state] >> 7
            start += 1
        self.right(at, state, rank + ends, False, total, 1, 0, 0, 0, 0)

    def left(self, free, state, rank, length, used, blanks):
        """Step 3: extend the current left part to the right, then add one more tile to it."""
        i: cython.int
        total: cython.int = 0
        times: cython.int = 1
        self.start = self.anchor - length
        for i in range(length):
            cell: cython.int = self.cell(self.start + i)
            times *= self.words[cell]
            if not self.laid[i] & BLANK:
                total += self.values[self.laid[i]] * self.letters[cell]
        self.right(self.anchor, state, rank, False, total, times, 0, used, 0, blanks)
        while state and free:
            edge: cython.uint = self.edges[state]
            letter: cython.int = edge & 31
            ends: cython.uint = edge >> 5 & 1
            if self.count[letter]:
                i = self.base[letter] + self.have[letter] - self.count[letter]
                self.count[letter] -= 1
                self.laid[length] = letter
                self.left(free - 1, edge >> 7, rank + ends, length + 1, used | 1 << i, blanks)
                self.count[letter] += 1
            if self.count[0]:
                i = self.have[0] - self.count[0]
                self.count[0] -= 1
                self.laid[length] = letter | BLANK
                self.left(
                    free - 1, edge >> 7, rank + ends, length + 1, used | 1 << i, blanks << 4 | length + 1
                )
                self.count[0] += 1
            rank += self.counts[state]
            state = 0 if edge >> 6 & 1 else state + 1

    def right(self, at, state, rank, ends, total, times, crossing, used, touching, blanks):
        """Step 4: extend the word to the cell `at`; ends: the letters so far are a word."""
        if ends and at > self.anchor and (at == SIDE or not self.cells[self.cell(at)]):
            self.note(rank - 1, at - self.start, total * times + crossing, used, touching, blanks)
        if at == SIDE or not state:
            return
        cell: cython.int = self.cell(at)
        tile: cython.int = self.cells[cell]
        if tile:
            while state:
                edge: cython.uint = self.edges[state]
                if edge & 31 == tile & 31:
                    more: cython.uint = edge >> 5 & 1
                    total += self.counted(tile)
                    self.right(
                        at + 1, edge >> 7, rank + more, more, total, times, crossing, used, touching, blanks
                    )
                    return
                rank += self.counts[state]
                state = 0 if edge >> 6 & 1 else state + 1
            return
        mask: cython.uint = self.masks[self.down * AREA + cell]
        across: cython.int = self.crosses[self.down * AREA + cell]
        double: cython.int = self.words[cell]
        beside: cython.int = crossing
        next_times: cython.int = times * double
        next_touching: cython.int = touching + (1 if across >= 0 else 0)
        while state:
            edge = self.edges[state]
            letter: cython.int = edge & 31
            more = edge >> 5 & 1
            if mask >> letter & 1:
                if self.count[letter]:
                    points: cython.int = self.values[letter] * self.letters[cell]
                    if across >= 0:
                        beside = crossing + (across + points) * double
                    place: cython.int = self.base[letter] + self.have[letter] - self.count[letter]
                    self.count[letter] -= 1
                    self.right(
                        at + 1,
                        edge >> 7,
                        rank + more,
                        more,
                        total + points,
                        next_times,
                        beside,
                        used | 1 << place,
                        next_touching,
                        blanks,
                    )
                    self.count[letter] += 1
                if self.count[0]:
                    if across >= 0:
                        beside = crossing + across * double
                    place = self.have[0] - self.count[0]
                    self.count[0] -= 1
                    self.right(
                        at + 1,
                        edge >> 7,
                        rank + more,
                        more,
                        total,
                        next_times,
                        beside,
                        used | 1 << place,
                        next_touching,
                        blanks << 4 | popcount(used) + 1,
                    )
                    self.count[0] += 1
            rank += self.counts[state]
            state = 0 if edge >> 6 & 1 else state + 1

    def note(self, rank, length, score, used, touching, blanks):
        """Record a play."""
        placed: cython.int = popcount(used)
        if self.down and placed == 1 and touching:
            return  # recorded as the word across
        if placed == RACK:
            score += BINGO
        tiles: cython.int = length if length < RACK else RACK
        way: cython.int = 0
        if blanks > 15:
            low: cython.int = (blanks >> 4) - 1
            high: cython.int = (blanks & 15) - 1
            way = 1 + tiles + high * (high - 1) // 2 + low
        elif blanks:
            way = blanks
        move: cython.uint = self.first[rank] + self.start * ways_of(length) + way
        move = FIRST + LINES * move + SIDE * self.down + self.line
        self.spot = self.vacant & ((1 << length) - 1) << self.start
        self.list(move, score, UNIT * score + self.leave[used])

    def list(self, move, score, worth):
        """Append a move, or insert it among the best."""
        if not self.most:
            if self.number < self.room:
                self.codes[self.number] = move
                self.worth[self.number] = worth
                self.scores[self.number] = score
                self.spots[self.number] = self.spot
            self.number += 1
            return
        if self.number == self.most:
            if worth <= self.worth[self.number - 1]:
                return
            self.number -= 1
        i: cython.int = self.number
        while i and self.worth[i - 1] < worth:
            self.codes[i] = self.codes[i - 1]
            self.worth[i] = self.worth[i - 1]
            i -= 1
        self.codes[i] = move
        self.worth[i] = worth
        self.number += 1

    # -- exchanges -----------------------------------------------------------------------------------

    def exchange(self):
        """Generate all exchanges of the rack, each once."""
        used: cython.int
        for used in range(1, 1 << self.tiles):
            if self.canonical(used):
                self.list(self.given(used), 0, self.leave[used])

    def canonical(self, used):
        """True if `used` takes the first ones of equal tiles, so that each exchange is generated once."""
        i: cython.int
        for i in range(1, self.tiles):
            if self.kinds[i] == self.kinds[i - 1] and used >> i & 1 and not used >> (i - 1) & 1:
                return False
        return True

    def given(self, used):
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
        self.take(rack, 1, 0)
        return [self.given(used) for used in range(1, 1 << self.tiles) if self.canonical(used)]

    def swap(self, tiles):
        """The move that exchanges these tiles, sorted; 0 for none: a pass."""
        self.take(tiles, 1, 0)
        return self.given((1 << self.tiles) - 1)


def choose(n, k):
    """The binomial coefficient C(n, k); 0 if k > n."""
    i: cython.int
    found: cython.uint = 1
    if k > n:
        return 0
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def swapped(move: cython.uint):
    """The tiles that a move exchanges, sorted; the inverse of `swap`."""
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
