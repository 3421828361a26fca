# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Words as an automaton, and all plays of a rack on a board.  Types: plays.pxd.

A word list is the smallest automaton that takes its words and no others, as Appel and Jacobson keep it ("The
world's fastest Scrabble program", Communications of the ACM 31, 1988): edges, those of a state in a row, by
letter.

    edge   letter << 0 (1 to 26) | a word ends here << 5 | the last of its state << 6 | next state << 7

A state is the number of its first edge, 0 is the one without any. States that are led to come before those
that lead to them. With the number of words behind each edge every word has a number, by the alphabet.

A play is one number, the same whatever the rack and the board:

    30 * (plays of the words before + offset * ways + blanks) + 15 * down + line

behind those that say what is exchanged (`EXCHANGES`). `ways` are those in which none, one or two of the tiles
that are laid can be blanks.

Generation, after the same paper:

    1. For each empty cell and direction: which letters make a word with the tiles above and below, and what
       these count.
    2. An anchor is an empty cell beside a tile; each play covers one. It belongs to the first that it covers.
    3. Left part: what lies left of the anchor already, or letters of the rack on cells that are no anchors.
    4. Right part: letters of the rack and of the board, as far as the automaton goes.

A play of one tile that makes words both ways is one play, recorded as the word across.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.native.bits import popcount

SIDE = cython.declare(cython.int, 15)
AREA = cython.declare(cython.int, 225)
CENTRE = cython.declare(cython.int, 112)
RACK = cython.declare(cython.int, 7)
KINDS = cython.declare(cython.int, 27)  # the blank is 0, A is 1
BINGO = cython.declare(cython.int, 50)
BLANK = cython.declare(cython.int, 32)  # what is added to the letter of a blank
UNIT = cython.declare(cython.int, 100)  # of a point
LINES = cython.declare(cython.int, 30)
EXCHANGES = cython.declare(cython.uint, 5379616)  # C(34, 7): up to seven of 27 kinds
FIRST = cython.declare(cython.uint, 5379617)  # the number of the first play; before it, the challenge
LETTERS = cython.declare(cython.uint, 0x7FFFFFE)
VOWELS = cython.declare(cython.uint, 1 << 1 | 1 << 5 | 1 << 9 | 1 << 15 | 1 << 21)
TOO_MANY = cython.declare(cython.uint, 5000000)  # words
LAST = cython.declare(cython.longlong, 0x7FFFFFFF)  # the greatest number that a move can have
MOST = cython.declare(cython.int, 64)  # plays that are kept sorted


def ways_of(length):
    """In how many ways the tiles of a word are blanks."""
    tiles = cython.declare(cython.int, length if length < RACK else RACK)
    return 1 + tiles + tiles * (tiles - 1) // 2


class Lexicon:
    """A list of words; see the head of this file."""

    def __init__(self, edges, root: cython.int):
        """`edges` are in the form above. Raises ValueError where they are not, or are too many words."""
        self.size = len(edges)
        self.root = root
        self.held = array("I", edges)
        self.behind, self.below = array("I", bytes(4 * self.size)), array("I", bytes(4 * self.size))
        if cython.compiled:
            self.edges = cython.cast(cython.p_uint, address_of(self.held))
            self.counts = cython.cast(cython.p_uint, address_of(self.behind))
            self.totals = cython.cast(cython.p_uint, address_of(self.below))
        else:
            self.edges, self.counts, self.totals = self.held, self.behind, self.below
        if not self.count_words():
            raise ValueError("what should be an automaton is none")
        self.words = self.totals[root]
        self.before = array("I", bytes(4 * (self.words + 1)))
        if cython.compiled:
            self.first = cython.cast(cython.p_uint, address_of(self.before))
        else:
            self.first = self.before
        if self.walk(root, 1, 0) < 0:
            raise ValueError("what should be an automaton has words of one letter, or of more than 15")
        if not self.sum_up():
            raise ValueError(f"{self.words:,} words are too many")

    def count_words(self):
        """How many words are behind each edge, and each state; false if this is no automaton of words."""
        i: cython.int
        start: cython.int = 1
        letter: cython.uint = 0
        for i in range(1, self.size):
            edge: cython.uint = self.edges[i]
            words: cython.uint = edge >> 5 & 1
            if edge >> 7:
                if edge >> 7 >= cython.cast(cython.uint, start):
                    return False
                words += self.totals[edge >> 7]
            if edge & 31 <= letter or edge & 31 > 26 or words == (edge >> 5 & 1 if edge >> 7 else 0):
                return False
            self.counts[i] = words
            self.totals[start] += words
            if self.totals[start] > TOO_MANY:
                return False
            letter = edge & 31
            if edge >> 6 & 1:
                start, letter = i + 1, 0
        return start == self.size and 0 < self.root < self.size and self.totals[self.root] > 0

    def walk(self, state, length, rank):
        """Note for each word, from that number on, how many plays it has; -1: one has not 2 to 15 letters."""
        while state:
            edge: cython.uint = self.edges[state]
            if edge >> 5 & 1:
                if length < 2:
                    return -1
                self.first[rank] = (SIDE + 1 - length) * ways_of(length)
                rank += 1
            if edge >> 7:
                rank = self.walk(edge >> 7, length + 1, rank) if length < SIDE else -1
                if rank < 0:
                    return -1
            state = 0 if edge >> 6 & 1 else state + 1
        return rank

    def sum_up(self):
        """From plays of each word to plays of those before it; false if they are too many to be numbered."""
        i: cython.int
        so_far: cython.longlong = 0
        for i in range(self.words):
            here: cython.uint = self.first[i]
            self.first[i] = so_far
            so_far += here
            if LINES * so_far + FIRST > LAST:
                return False
        self.first[self.words] = so_far
        return True

    def rank(self, letters):
        """The number of a word, whose letters are 1 to 26; -1: it is none."""
        state: cython.int = self.root
        found: cython.int = 0
        ends: cython.uint = 0
        letter: cython.uint
        for letter in letters:
            found += ends
            while True:
                if not state:
                    return -1
                edge: cython.uint = self.edges[state]
                if edge & 31 == letter:
                    break
                found += self.counts[state]
                state = 0 if edge >> 6 & 1 else state + 1
            ends = edge >> 5 & 1
            state = edge >> 7
        return found if ends else -1

    def word(self, rank: cython.uint):
        """The letters of the word of that number."""
        state: cython.int = self.root
        found = bytearray()
        while True:
            while rank >= self.counts[state]:
                rank -= self.counts[state]
                state += 1
            edge: cython.uint = self.edges[state]
            found.append(edge & 31)
            if edge >> 5 & 1:
                if not rank:
                    return bytes(found)
                rank -= 1
            state = edge >> 7

    def owner(self, number):
        """The word to which a play of that number belongs."""
        low: cython.int = 0
        high: cython.int = self.words
        while high - low > 1:
            middle: cython.int = (low + high) // 2
            if self.first[middle] <= number:
                low = middle
            else:
                high = middle
        return low

    def decode(self, move: cython.uint):
        """A play as (direction, line, offset, letters of the word, which of the tiles laid are blanks)."""
        number: cython.uint = (move - FIRST) // LINES
        line: cython.int = (move - FIRST) % LINES
        rank: cython.uint = self.owner(number)
        letters = self.word(rank)
        number -= self.first[rank]
        ways: cython.uint = ways_of(len(letters))
        blanks: cython.uint = number % ways
        tiles: cython.uint = min(len(letters), RACK)
        laid = ()
        if 0 < blanks <= tiles:
            laid = (blanks - 1,)
        elif blanks:
            blanks -= 1 + tiles
            second: cython.uint = 1
            while second * (second + 1) // 2 <= blanks:
                second += 1
            laid = (blanks - second * (second - 1) // 2, second)
        return line // SIDE, line % SIDE, number // ways, letters, laid

    def number(self, down: cython.int, line: cython.int, offset: cython.int, letters, blanks):
        """The inverse of `decode`: the move of a play; -1 if it is not a word."""
        rank: cython.int = self.rank(letters)
        if rank < 0:
            return -1
        tiles: cython.uint = min(len(letters), RACK)
        way: cython.uint = 0
        if len(blanks) == 1:
            way = 1 + blanks[0]
        elif blanks:
            way = 1 + tiles + blanks[1] * (blanks[1] - 1) // 2 + blanks[0]
        return FIRST + LINES * (self.first[rank] + offset * ways_of(len(letters)) + way) + SIDE * down + line


class Placer:
    """Finds all plays of racks on boards. `positions` and `found` count what was asked and found, ever."""

    def __init__(self, lexicon: Lexicon, values, letters, words):
        """The points of the 27 kinds of tiles, and the premiums of all cells for letters and for words."""
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
        """Room for so many plays."""
        self.room = room
        if cython.compiled:
            self.held = memoryview(memory(12 * room))
            self.codes = cython.cast(cython.p_uint, address_of(self.held))
            self.worth = cython.cast(cython.p_int, self.codes + room)
            self.scores = self.worth + room
        else:
            self.codes, self.worth, self.scores = [0] * room, [0] * room, [0] * room

    def weigh(self, singles, pairs, balance):
        """Set the values of kept tiles: single tiles, pairs, and numbers of vowels and consonants."""
        i: cython.int
        for i in range(KINDS):
            self.singles[i] = singles[i]
        for i in range(KINDS * KINDS):
            self.pairs[i] = pairs[i // KINDS][i % KINDS]
        for i in range(64):
            self.balance[i] = balance[i // 8][i % 8]

    def lay(self, cells):
        """The board from now on: 225 letters, 0 for none, those of blanks 32 more."""
        if cells == self.laid_out:
            return
        i: cython.int
        self.laid_out = b""  # until all is done, in case that it is interrupted
        for i in range(AREA):
            self.cells[i] = cells[i]
        self.cross()
        self.laid_out = cells

    def cross(self):
        """Steps 1 and 2: masks, what crosses count, and the anchors."""
        i: cython.int
        self.empty = True
        for i in range(AREA):
            if self.cells[i]:
                self.empty = False
            self.look(i)
        if self.empty:
            self.anchors[CENTRE] = 1

    def look(self, i):
        """The same of one cell."""
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
        """The letters that make a word of so many tiles before and behind a cell, and what these count."""
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
        """The points of a tile on the board."""
        return 0 if tile & BLANK else self.values[tile]

    def follow(self, state, letter):
        """The edge with a letter out of a state; 0: there is none."""
        while state:
            edge: cython.uint = self.edges[state]
            if edge & 31 == letter:
                return edge
            state = 0 if edge >> 6 & 1 else state + 1
        return 0

    # -- what is left on the rack ---------------------------------------------------------------------

    def take(self, rack, bag: cython.int, others: cython.int):
        """Have a rack, sorted; so many tiles are in the bag, and if none, so many points on other racks."""
        i: cython.int
        for i in range(KINDS):
            self.have[i] = 0
        for i in rack:
            self.have[i] += 1
        self.sort(bag, others)

    def sort(self, bag, others):
        """The tiles of the rack that are counted in `have`, in order, and the value of each subset."""
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
        """The value of each subset of the rack left after the other tiles are laid."""
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
        """The value of the rest of the rack if more tiles will be drawn."""
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
        """The value of a rack of up to seven tiles, in hundredths of a point."""
        self.take(rack, 1, 0)
        return self.leave[0]

    # -- plays ---------------------------------------------------------------------------------------

    def generate(self, rack, most: cython.int):
        """Generate all plays of the current rack on the current board, as moves; with `most`, that many of
        the best as pairs with their estimated values, the best first."""
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
        """All anchors of all lines."""
        down: cython.int
        line: cython.int
        if self.changing:
            self.exchange()
        for down in range(2):
            for line in range(SIDE):
                self.scan(down, line)

    def scan(self, down, line):
        """All anchors of a line."""
        at: cython.int
        free: cython.int = 0
        self.down = down
        self.line = line
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
        """The cell of a place in the line."""
        return at * SIDE + self.line if self.down else self.line * SIDE + at

    def begin(self, at, free):
        """Step 3: go on from the tiles left of the anchor; if there are none, from all left parts."""
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
        """Step 3: the tiles laid so far end before the anchor; go right from there, then lay one more."""
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
        """Step 4: the word so far ends before a place, with `ends` in a word."""
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
        """A play was found."""
        placed: cython.int = popcount(used)
        if self.down and placed == 1 and touching:
            return  # it was listed across
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
        self.list(move, score, UNIT * score + self.leave[used])

    def list(self, move, score, worth):
        """Keep a move: in its turn, or among the best."""
        if not self.most:
            if self.number < self.room:
                self.codes[self.number] = move
                self.worth[self.number] = worth
                self.scores[self.number] = score
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
        """All parts of the rack that can be exchanged, each once."""
        used: cython.int
        for used in range(1, 1 << self.tiles):
            if self.canonical(used):
                self.list(self.given(used), 0, self.leave[used])

    def canonical(self, used):
        """True if of equal tiles the first ones are among `used`."""
        i: cython.int
        for i in range(1, self.tiles):
            if self.kinds[i] == self.kinds[i - 1] and used >> i & 1 and not used >> (i - 1) & 1:
                return False
        return True

    def given(self, used):
        """The number of the exchange of these tiles of the rack: of the kinds in their order, nothing first,
        the i-th and i more, so many ways to choose i + 1 of so many."""
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
    """In how many ways k are chosen of n; 0 where k is more."""
    i: cython.int
    found: cython.uint = 1
    if k > n:
        return 0
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def swapped(move: cython.uint):
    """The tiles that a move exchanges, sorted."""
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
