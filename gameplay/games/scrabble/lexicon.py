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

Below FIRST are the exchanges. `choices` is the number of choices of no, one or two blanks among the letters.
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

MAX_WORDS = cython.declare(cython.uint, 5000000)  # words
MAX_MOVE = cython.declare(cython.longlong, 0x7FFFFFFF)  # the largest move


def blank_choices(length):
    """The number of choices of up to two blanks in a word."""
    tiles = cython.declare(cython.int, length if length < RACK else RACK)
    return 1 + tiles + tiles * (tiles - 1) // 2


class Lexicon:
    """A word list; see the head of this file."""

    def __init__(self, edges, root: cython.int):
        """edges: in the layout above. Raises ValueError if they are malformed or have too many words."""
        self.size = len(edges)
        self.root = root
        self.edge_array = array("I", edges)
        self.count_array, self.total_array = (
            array("I", bytes(4 * self.size)),
            array("I", bytes(4 * self.size)),
        )
        self.edges = uints(self.edge_array)
        self.counts = uints(self.count_array)
        self.totals = uints(self.total_array)
        if not self.count_words():
            raise ValueError("the edges are not a word automaton")
        self.words = self.totals[root]
        self.offset_array = array("I", bytes(4 * (self.words + 1)))
        self.play_offsets = uints(self.offset_array)
        if self.count_plays(root, 1, 0) < 0:
            raise ValueError("the automaton has words of fewer than 2 or more than 15 letters")
        if not self.accumulate_plays():
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
            if self.totals[start] > MAX_WORDS:
                return False
            letter = edge & 31
            if edge >> 6 & 1:
                start, letter = i + 1, 0
        return start == self.size and 0 < self.root < self.size and self.totals[self.root] > 0

    def count_plays(self, state, length, rank):
        """Record the number of plays of each word, from `rank` on; -1 if a word has not 2 to 15 letters."""
        while state:
            edge: cython.uint = self.edges[state]
            if edge >> 5 & 1:
                if length < 2:
                    return -1
                self.play_offsets[rank] = (SIDE + 1 - length) * blank_choices(length)
                rank += 1
            if edge >> 7:
                rank = self.count_plays(edge >> 7, length + 1, rank) if length < SIDE else -1
                if rank < 0:
                    return -1
            state = 0 if edge >> 6 & 1 else state + 1
        return rank

    def accumulate_plays(self):
        """Turn the plays of each word into prefix sums; False if a move would exceed MAX_MOVE."""
        i: cython.int
        total: cython.longlong = 0
        for i in range(self.words):
            plays: cython.uint = self.play_offsets[i]
            self.play_offsets[i] = total
            total += plays
            if LINES * total + FIRST > MAX_MOVE:
                return False
        self.play_offsets[self.words] = total
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

    def word_of_play(self, number):
        """The rank of the word of a play."""
        low: cython.int = 0
        high: cython.int = self.words
        while high - low > 1:
            middle: cython.int = (low + high) // 2
            if self.play_offsets[middle] <= number:
                low = middle
            else:
                high = middle
        return low

    def decode(self, move: cython.uint):
        """A play as (direction, line, offset, letters of the word, blanks by index of the tile)."""
        number: cython.uint = (move - FIRST) // LINES
        line: cython.int = (move - FIRST) % LINES
        rank: cython.uint = self.word_of_play(number)
        letters = self.word(rank)
        number -= self.play_offsets[rank]
        choices: cython.uint = blank_choices(len(letters))
        blanks: cython.uint = number % choices
        tiles: cython.uint = min(len(letters), RACK)
        blank_indices = ()
        if 0 < blanks <= tiles:
            blank_indices = (blanks - 1,)
        elif blanks:
            blanks -= 1 + tiles
            second: cython.uint = 1
            while second * (second + 1) // 2 <= blanks:
                second += 1
            blank_indices = (blanks - second * (second - 1) // 2, second)
        return line // SIDE, line % SIDE, number // choices, letters, blank_indices

    def encode(self, down: cython.int, line: cython.int, offset: cython.int, letters, blanks):
        """The inverse of `decode`: the move of a play; -1 if the word is not in the list."""
        rank: cython.int = self.rank(letters)
        if rank < 0:
            return -1
        tiles: cython.uint = min(len(letters), RACK)
        blank_choice: cython.uint = 0
        if len(blanks) == 1:
            blank_choice = 1 + blanks[0]
        elif blanks:
            blank_choice = 1 + tiles + blanks[1] * (blanks[1] - 1) // 2 + blanks[0]
        return (
            FIRST
            + LINES * (self.play_offsets[rank] + offset * blank_choices(len(letters)) + blank_choice)
            + SIDE * down
            + line
        )
