# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A word list as a minimal automaton (DAWG), and the encoding of plays.  Types: lexicon.pxd.

The automaton is stored as by Appel and Jacobson ("The world's fastest Scrabble program", Communications of
the ACM 31, 1988): an array of edges, those of a state contiguous and sorted by letter.

    edge   letter << 0 (1 to 26) | a word ends here << 5 | the last of its state << 6 | next state << 7

A state is the index of its first edge; 0 is the state without edges. Successors come before their
predecessors. The number of words below each edge gives every word its rank in alphabetical order.

A play is one integer, independent of rack and board:

    FIRST + 30 * (plays of the words before + offset * ways + blanks) + 15 * down + line

Below FIRST are the exchanges. `ways` is the number of choices of no, one or two blanks among the letters.
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
LAST = cython.declare(cython.longlong, 0x7FFFFFFF)  # the largest move


def ways_of(length):
    """The number of choices of up to two blanks in a word."""
    tiles = cython.declare(cython.int, length if length < RACK else RACK)
    return 1 + tiles + tiles * (tiles - 1) // 2


class Lexicon:
    """A word list; see the head of this file."""

    def __init__(self, edges, root: cython.int):
        """edges: in the layout above. Raises ValueError if they are malformed or have too many words."""
        self.size = len(edges)
        self.root = root
        self.held = array("I", edges)
        self.behind, self.below = array("I", bytes(4 * self.size)), array("I", bytes(4 * self.size))
        self.edges = uints(self.held)
        self.counts = uints(self.behind)
        self.totals = uints(self.below)
        if not self.count_words():
            raise ValueError("the edges are not a word automaton")
        self.words = self.totals[root]
        self.before = array("I", bytes(4 * (self.words + 1)))
        self.first = uints(self.before)
        if self.walk(root, 1, 0) < 0:
            raise ValueError("the automaton has words of fewer than 2 or more than 15 letters")
        if not self.sum_up():
            raise ValueError(f"{self.words:,} words are too many")

    def count_words(self):
        """Count the words below each edge and state; false if the edges are malformed."""
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
        """Record the number of plays of each word, from `rank` on; -1 if a word has not 2 to 15 letters."""
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
        """Turn the plays of each word into prefix sums; false if a move would exceed LAST."""
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
        """The rank of a word with letters 1 to 26; -1 if it is not in the list."""
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
        """The letters of the word of a rank."""
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
        """The rank of the word of a play."""
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
        """A play as (direction, line, offset, letters of the word, blanks by index of the tile)."""
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
        """The inverse of `decode`: the move of a play; -1 if the word is not in the list."""
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
