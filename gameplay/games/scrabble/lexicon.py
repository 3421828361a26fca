# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A word list as an automaton, and the numbers of its plays.  Types: lexicon.pxd.

The automaton is the smallest that takes the words and no others, as Appel and Jacobson keep it ("The world's
fastest Scrabble program", Communications of the ACM 31, 1988): edges, those of a state in a row, by letter.

    edge   letter << 0 (1 to 26) | a word ends here << 5 | the last of its state << 6 | next state << 7

A state is the number of its first edge, 0 is the one without any. States that are led to come before those
that lead to them. With the number of words behind each edge every word has a number, by the alphabet.

A play is one number, the same whatever the rack and the board:

    FIRST + 30 * (plays of the words before + offset * ways + blanks) + 15 * down + line

Below FIRST are the exchanges. `ways` are those in which none, one or two of the tiles that are laid can be
blanks.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import uints
else:
    from gameplay.games.scrabble.layout import FIRST, LINES, RACK, SIDE
    from gameplay.native.pointers import uints

TOO_MANY = cython.declare(cython.uint, 5000000)  # words
LAST = cython.declare(cython.longlong, 0x7FFFFFFF)  # the greatest number that a move can have


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
        self.edges = uints(self.held)
        self.counts = uints(self.behind)
        self.totals = uints(self.below)
        if not self.count_words():
            raise ValueError("what should be an automaton is none")
        self.words = self.totals[root]
        self.before = array("I", bytes(4 * (self.words + 1)))
        self.first = uints(self.before)
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
