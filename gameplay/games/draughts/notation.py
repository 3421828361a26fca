"""Draughts moves in PDN: `32-28`, `28x19`.

A capture is written with its ends, or with all landing squares if another one has the same ends. In 8x8 games
squares are letters with numbers, `c3-d4`; numbers are also accepted.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from gameplay.errors import IllegalMove, illegal
from gameplay.games.shared.draughts.fen import Pieces
from gameplay.games.shared.draughts.variant import Variant

SIDES = ("white", "black")
STEPS = (5, 6, -5, -6)  # bits from a square to its neighbours, by direction
MAX_PATHS = 200  # paths examined per capture


class Notation:
    """Notation of the moves of a position, from its variant, pieces and side to move."""

    def __init__(self, rules: Variant, pieces: Pieces, turn: int) -> None:
        self.rules = rules
        self.turn = turn
        black, white, self.kings = pieces
        self.own, self.other = (black, white) if turn else (white, black)
        self.board = rules.mask(range(1, rules.squares + 1))
        self.empty = self.board & ~(white | black)

    # -- paths -----------------------------------------------------------------------------------

    def path(self, move: int, taken: int) -> list[int]:
        """The squares of a move: the start, each landing square, and the end.

        `taken`: the captured pieces, as bits. The first path if there are several.
        """
        return next(self.paths(move, taken))

    def paths(self, move: int, taken: int) -> Iterator[list[int]]:
        """All paths of a move."""
        start, end = move & 63, move >> 6 & 63
        first = self.rules.square(start)
        if not taken:
            yield [first, self.rules.square(end)]
            return
        king = bool(self.kings >> start & 1)
        empty = self.empty | 1 << start
        for bits in self._jumps(start, end, taken, empty, taken, king):
            yield [first, *map(self.rules.square, bits)]

    def _jumps(
        self, at: int, end: int, remaining: int, empty: int, taken: int, king: bool
    ) -> Iterator[tuple[int, ...]]:
        """The landing bits of a piece at `at` that captures all of `remaining` and ends at `end`."""
        if not remaining:
            if at == end:
                yield ()
            return
        for step in STEPS:
            over = at + step
            while king and over >= 0 and empty >> over & 1:
                over += step
            if over < 0 or not remaining >> over & 1:
                continue
            to = over + step
            while to >= 0 and empty >> to & 1:
                crowned = king or (self.rules.passing and bool(self._last_row() >> to & 1))
                for rest in self._jumps(to, end, remaining & ~(1 << over), empty, taken, crowned):
                    yield (to, *rest)
                if not king:
                    break
                to += step

    def _last_row(self) -> int:
        squares, row = self.rules.squares, self.rules.size // 2
        return self.rules.mask(range(squares - row + 1, squares + 1) if self.turn else range(1, row + 1))

    # -- writing ---------------------------------------------------------------------------------

    def format_move(self, move: int, taken: int, unambiguous: bool) -> str:
        """A move in PDN; `unambiguous`: no other capture has the same ends."""
        path = self.path(move, taken)
        squares = [path[0], path[-1]] if unambiguous else path
        return ("x" if taken else "-").join(map(self.rules.square_name, squares))

    # -- reading ---------------------------------------------------------------------------------

    def parse_move(self, text: str, legal: Sequence[tuple[int, int, str]]) -> int:
        """The legal move that `text` names: its ends, optionally with squares between them.

        `legal`: each move, its captured pieces, and its notation. Raises IllegalMove.
        """
        word = text.strip().lower().replace(":", "x")
        names = {name: move for move, _, name in legal}
        if word in names:
            return names[word]
        if not legal:
            raise IllegalMove(f"'{text.strip()}': {SIDES[self.turn]} has no move; the game is over")
        given = self._squares(word, next(iter(names)))
        ends = [entry for entry in legal if self._ends(entry[0]) == (given[0], given[-1])]
        if ends and ("x" in word) != bool(legal[0][1]):
            why = "captures a piece" if legal[0][1] else "captures nothing"
            raise IllegalMove(f"'{word}' {why}: write {ends[0][2]}")
        exact = [entry for entry in ends if given in islice(self.paths(*entry[:2]), MAX_PATHS)]
        matches = exact or [entry for entry in ends if self._passes(entry, given)]
        if len(matches) == 1:
            return matches[0][0]
        if matches:
            several = ", ".join(sorted(entry[2] for entry in matches))
            raise IllegalMove(f"'{word}' is ambiguous: {several}")
        raise illegal(word, [name for _, _, name in legal], self._why(given, legal))

    def _squares(self, word: str, example: str) -> list[int]:
        """The squares in a word. Raises IllegalMove."""
        square = "[a-z][0-9]{1,2}|[0-9]{1,4}" if self.rules.letters else "[0-9]{1,4}"
        if not re.fullmatch(f"({square})([-x]({square}))+", word):
            raise IllegalMove(f"'{word}' is not a move; a move is two squares, such as {example}")
        squares = []
        for name in re.split("[-x]", word):
            number = self.rules.square_number(name)
            if not number:
                raise IllegalMove(f"'{word}': there is no square {name}; {_extent(self.rules)}")
            squares.append(number)
        return squares

    def _ends(self, move: int) -> tuple[int, int]:
        return self.rules.square(move & 63), self.rules.square(move >> 6 & 63)

    def _passes(self, entry: tuple[int, int, str], given: list[int]) -> bool:
        """True if a path of the move lands on these squares in order."""

        def contains(path: list[int]) -> bool:
            rest = iter(path)
            return all(square in rest for square in given)

        return any(contains(path) for path in islice(self.paths(*entry[:2]), MAX_PATHS))

    # -- errors ----------------------------------------------------------------------------------

    def _why(self, given: Sequence[int], legal: Sequence[tuple[int, int, str]]) -> str:
        """The reason why no legal move has these squares."""
        names = [self.rules.square_name(square) for square in given]
        bits = [1 << self.rules.bit(square) for square in given]
        if self.other & bits[0]:
            return f"the piece on {names[0]} is {SIDES[1 - self.turn]}'s"
        if not self.own & bits[0]:
            return f"there is no piece on {names[0]}"
        occupied = [
            name
            for name, bit in zip(names, bits, strict=True)
            if bit & (self.own | self.other) and bit != bits[0]
        ]
        if occupied:
            return f"square {occupied[0]} is occupied"
        most = max(taken.bit_count() for _, taken, _ in legal)
        if not most:
            return self._why_no_step(given, names)
        if self.rules.majority and most > 1:
            return f"the capture of the most pieces is mandatory, here of {most}"
        starts = [entry for entry in legal if self._ends(entry[0])[0] == given[0]]
        return (
            "it must continue capturing" if starts and not self.rules.majority else "captures are mandatory"
        )

    def _why_no_step(self, given: Sequence[int], names: Sequence[str]) -> str:
        """Why a piece cannot move from the first square to the second, if no capture is possible."""
        start, end = (self.rules.bit(square) for square in given[:2])
        if self.kings >> start & 1:
            return f"no empty diagonal leads from {names[0]} to {names[1]}"
        if end - start not in STEPS:
            jumps = [step for step in STEPS if end - start == 2 * step]
            over = f"; there is no piece of {SIDES[1 - self.turn]} to jump over" if jumps else ""
            return f"a man moves one square diagonally{over}"
        forward = STEPS[:2] if self.turn else STEPS[2:]
        return "men move backwards only to capture" if end - start not in forward else ""


def _extent(rules: Variant) -> str:
    """The range of squares: `they go from 1 to 50`."""
    if rules.letters:
        return "the dark squares go from a1 to h8"
    return f"they go from 1 to {rules.squares}"
