# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Nim, for any number of players.  C types: nim.pxd.

A move takes stones from one heap:

    bit  8 and above: the heap, from 0      bits 0 to 7: the number of stones taken, from 1
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.board import Board
from gameplay.errors import BadInput, check_players
from gameplay.kernel import Kernel
from gameplay.plural import plural

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import fold, spread
    from cython.cimports.gameplay.value import LOST, SCORED, WON
else:
    from gameplay.native.hashing import fold, spread
    from gameplay.value import LOST, SCORED, WON

MAX_HEAPS = 16
MAX_STONES = 255  # in a heap
MAX_DRAWN = 12  # stones in a heap on a drawn board
MAX_PLAYERS = 64


class Nim(Kernel):
    """Take any number of stones from one heap in turn; taking the last one wins, or loses in misère.

    A move is a heap and the number of stones taken: `b3` takes three from the second heap. A position is the
    heaps and, unless it is the first player's turn, the number of the player to move: `3+4+5`, `1+4+5 2`.
    With more than two `players` the one who takes the last stone gets a point from each of the others, or
    with `misere=on` pays them one.

    Theory: the winner follows from the sum of the heaps without carry, the nim-sum (Bouton 1901). The player
    to move loses if it is 0; in misère play, if it is 0 and some heap has two stones or more, or if it is 1
    and no heap has.
    """

    drawless = True

    def __init__(self, heaps: str = "3+4+5", players: cython.int = 2, misere: cython.bint = False):
        check_players("nim", players, MAX_PLAYERS)
        sizes = _parse_heaps(heaps)
        self.players = players
        Kernel.__init__(self, sum(sizes))
        self.heaps = heaps
        self.misere = misere
        self.heap_count = len(sizes)
        self.stones_left = sum(sizes)
        if not cython.compiled:
            self.heap_sizes = [0] * MAX_HEAPS
        for heap, size in enumerate(sizes):
            self.heap_sizes[heap] = size

    @staticmethod
    def fits(heaps="3+4+5", players=2, misere=False):
        """True: every heap and player that the constructor accepts fits."""
        return True

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        heap: cython.int
        take: cython.int
        for heap in range(self.heap_count):
            for take in range(1, self.heap_sizes[heap] + 1):
                self.stack[base] = (heap << 8) | take
                base += 1
        return base

    def push(self, move):
        self.heap_sizes[move >> 8] -= move & 255
        self.stones_left -= move & 255
        self.turn = (self.turn + 1) % self.players

    def pop(self, move):
        self.heap_sizes[move >> 8] += move & 255
        self.stones_left += move & 255
        self.turn = (self.turn + self.players - 1) % self.players

    def result(self):
        if self.stones_left:
            return 0
        if self.players > 2:
            return SCORED
        return WON if self.misere else LOST  # the side to move did not take the last stone

    def points(self):
        return cython.cast(cython.int, self.payoff(self.turn))

    def payoff(self, player):
        """The payoff of a player. The taker of the last stone gets a unit from each other, or pays it."""
        last: cython.bint = player == (self.turn + self.players - 1) % self.players
        stake: cython.int = self.players - 1 if last else -1
        return -1.0 * stake if self.misere else 1.0 * stake

    def null_move(self):
        self.turn = (self.turn + 1) % self.players
        return True

    def undo_null_move(self):
        self.turn = (self.turn + self.players - 1) % self.players

    def hash(self):
        mixed: cython.ulonglong = spread(self.turn + 1)
        heap: cython.int
        for heap in range(self.heap_count):
            mixed = fold(mixed, self.heap_sizes[heap])
            mixed ^= mixed >> 29
        return mixed

    # -- for people ----------------------------------------------------------------------------

    @property
    def low(self):
        """The lowest payoff."""
        return 1 - self.players if self.misere else -1

    @property
    def high(self):
        """The highest payoff."""
        return 1 if self.misere else self.players - 1

    def key(self):
        """The heaps and the player to move."""
        return (self.turn, *[int(self.heap_sizes[heap]) for heap in range(self.heap_count)])

    @property
    def examples(self):
        """Two example moves with their effects."""
        heaps = [heap for heap in range(self.heap_count) if self.heap_sizes[heap]]
        if not heaps:
            return ""
        heap = heaps[len(heaps) - 1]
        name, size = chr(97 + heap), int(self.heap_sizes[heap])
        most = f", {name}{size} all {size}" if size > 1 else ""
        return f"{name}1 takes 1 stone from heap {name}{most}"

    def format(self, move):
        """The heap's letter and the number of stones taken: `b3`."""
        return chr(97 + (move >> 8)) + str(move & 255)

    def why_illegal(self, text):
        """The reason why a heap and a number of stones are illegal."""
        match = re.fullmatch("([a-z])?(0|[1-9][0-9]{0,3})?", text.strip().lower())
        if not match:
            return ""
        if match[1] is None:
            return "write a heap and how many stones to take, as in " + self.format(self.moves()[0])
        heap = ord(match[1]) - 97
        if heap >= self.heap_count:
            return f"the heaps are a to {chr(96 + self.heap_count)}"
        if not self.heap_sizes[heap]:
            return f"heap {match[1]} is empty"
        if match[2] is None:
            return f"write also how many stones to take from {match[1]}"
        if not int(match[2]):
            return "at least one stone must be taken"
        return f"heap {match[1]} has {plural(int(self.heap_sizes[heap]), 'stone')}"

    def text(self):
        """The heaps, and the player to move unless it is the first player: `3+4+5 2`."""
        heaps = "+".join([str(self.heap_sizes[heap]) for heap in range(self.heap_count)])
        return heaps if self.turn == 0 else f"{heaps} {self.turn + 1}"

    def diagram(self):
        """The heaps sorted by size, the player to move, and whether it is misère."""
        heaps = sorted([int(self.heap_sizes[heap]) for heap in range(self.heap_count)])
        return "+".join(map(str, heaps)) + f" {self.turn + 1}" + (" misere" if self.misere else "")

    def setup(self, text):
        """Heaps as `text()` gives them, as many as the game has, or the moves from the start."""
        words = text.split()
        if words and words[0][:1].isalpha():
            Kernel.setup(self, text)
            return
        sizes = _parse_heaps(words[0] if words else "", 0)
        if len(sizes) != self.heap_count:
            raise BadInput(f"'{text}' has {plural(len(sizes), 'heap')}, and this game has {self.heap_count}")
        if sum(sizes) > self.max_moves:
            raise BadInput(
                f"'{text}' has {plural(sum(sizes), 'stone')}, and this game begins with {self.max_moves}"
            )
        player = words[1] if len(words) > 1 else "1"
        if len(words) > 2 or not player.isdecimal() or not 1 <= int(player) <= self.players:
            raise BadInput(f"'{text}': after the heaps stands who moves, from 1 to {self.players}")
        for heap, size in enumerate(sizes):
            self.heap_sizes[heap] = size
        self.stones_left = sum(sizes)
        self.turn = int(player) - 1
        self.made.clear()
        self.start = text

    def board(self, viewer=None, last=None):
        """Heaps side by side, None if one is too high; selecting a stone takes it and those above."""
        highest = max(_parse_heaps(self.heaps))
        if highest > MAX_DRAWN:
            return None
        heaps = range(self.heap_count)
        up = range(highest, 0, -1)
        return Board(
            cells=tuple([tuple(["o" if self.heap_sizes[heap] >= y else "" for heap in heaps]) for y in up]),
            columns=tuple([chr(97 + heap) for heap in heaps]),
            rows=tuple([str(y) for y in up]),
            moves={
                (highest - take, heap): ((heap << 8) | take,)
                for heap in heaps
                for take in range(1, self.heap_sizes[heap] + 1)
                if not self.result()
            },
            glyphs={"o": "●"},
        )

    def __str__(self):
        return "\n".join(
            [
                f"{chr(97 + heap)}: {size:>3}  {'o' * min(size, 60)}".rstrip()
                for heap, size in enumerate(self.key()[1:])
            ]
        )


def _parse_heaps(heaps, least=1):
    """The sizes in `3+4+5`. Raises BadInput for one below `least` or too large, and for too many heaps."""
    sizes = []
    for word in heaps.split("+"):
        if not word.strip().isdecimal() or not least <= int(word) <= MAX_STONES:
            raise BadInput(f"heaps must be sizes from {least} to {MAX_STONES}, as in 3+4+5, not '{heaps}'")
        sizes.append(int(word))
    if len(sizes) > MAX_HEAPS:
        raise BadInput(f"nim must have at most {MAX_HEAPS} heaps, not {len(sizes)}")
    return sizes
