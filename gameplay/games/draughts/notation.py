"""Moves and positions of draughts in PDN: `32-28`, `28x19`, and the FEN `W:W31-50:B1-20`.

A capture is written with its ends, or with all squares where it lands if another one has the same ends. In
8x8 games squares are letters with numbers, `c3-d4`; numbers are read there, too.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from gameplay.errors import BadInput, IllegalMove, illegal
from gameplay.games.draughts.variants import Variant

SIDES = ("white", "black")
STEPS = (5, 6, -5, -6)  # bits from a square to its neighbours, by direction
MANY = 200  # paths of one capture that are looked at

Pieces = tuple[int, int, int]  # white, black and kings, as bits


class Notation:
    """What moves of a position are called, from its variant, its pieces and the side to move."""

    def __init__(self, rules: Variant, pieces: Pieces, turn: int) -> None:
        self.rules = rules
        self.turn = turn
        white, black, self.kings = pieces
        self.own, self.other = (black, white) if turn else (white, black)
        self.board = rules.mask(range(1, rules.squares + 1))
        self.empty = self.board & ~(white | black)

    # -- paths -----------------------------------------------------------------------------------

    def path(self, move: int, taken: int) -> list[int]:
        """The squares that a move touches: where it begins, lands, lands again, and ends.

        `taken`: the pieces that it captures, as bits. Of several paths it is the first.
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
        self, at: int, end: int, left: int, empty: int, taken: int, king: bool
    ) -> Iterator[tuple[int, ...]]:
        """The bits where a piece at `at` lands that captures all that is `left`, then is at `end`."""
        if not left:
            if at == end:
                yield ()
            return
        for step in STEPS:
            over = at + step
            while king and over >= 0 and empty >> over & 1:
                over += step
            if over < 0 or not left >> over & 1:
                continue
            to = over + step
            while to >= 0 and empty >> to & 1:
                crowned = king or (self.rules.passing and bool(self._last_row() >> to & 1))
                for rest in self._jumps(to, end, left & ~(1 << over), empty, taken, crowned):
                    yield (to, *rest)
                if not king:
                    break
                to += step

    def _last_row(self) -> int:
        squares, row = self.rules.squares, self.rules.size // 2
        return self.rules.mask(range(squares - row + 1, squares + 1) if self.turn else range(1, row + 1))

    # -- writing ---------------------------------------------------------------------------------

    def written(self, move: int, taken: int, alone: bool) -> str:
        """A move as PDN has it; `alone`: no other capture has the same ends."""
        path = self.path(move, taken)
        squares = [path[0], path[-1]] if alone else path
        return ("x" if taken else "-").join(map(self.rules.called, squares))

    # -- reading ---------------------------------------------------------------------------------

    def parsed(self, text: str, legal: Sequence[tuple[int, int, str]]) -> int:
        """The legal move that `text` names: its ends, or some of the squares between them, too.

        `legal`: each move, what it captures, and how it is written. Raises IllegalMove.
        """
        word = text.strip().lower().replace(":", "x")
        names = {name: move for move, _, name in legal}
        if word in names:
            return names[word]
        if not legal:
            raise IllegalMove(f"'{text.strip()}': {SIDES[self.turn]} has no move; the game is over")
        given = self._squares(word, next(iter(names)))
        ends = [one for one in legal if self._ends(one[0]) == (given[0], given[-1])]
        if ends and ("x" in word) != bool(legal[0][1]):
            why = "captures a piece" if legal[0][1] else "captures nothing"
            raise IllegalMove(f"'{word}' {why}: write {ends[0][2]}")
        exact = [one for one in ends if given in islice(self.paths(*one[:2]), MANY)]
        fits = exact or [one for one in ends if self._leads_along(one, given)]
        if len(fits) == 1:
            return fits[0][0]
        if fits:
            several = ", ".join(sorted(one[2] for one in fits))
            raise IllegalMove(f"'{word}' can go more than one way: {several}")
        raise illegal(word, [name for _, _, name in legal], self._why(given, legal))

    def _squares(self, word: str, example: str) -> list[int]:
        """The squares in a word. Raises IllegalMove."""
        square = "[a-z][0-9]{1,2}|[0-9]{1,4}" if self.rules.letters else "[0-9]{1,4}"
        if not re.fullmatch(f"({square})([-x]({square}))+", word):
            raise IllegalMove(f"'{word}' is not a move; a move is two squares, as {example}")
        found = []
        for name in re.split("[-x]", word):
            number = square_of(self.rules, name)
            if not number:
                raise IllegalMove(f"'{word}': there is no square {name}; {_extent(self.rules)}")
            found.append(number)
        return found

    def _ends(self, move: int) -> tuple[int, int]:
        return self.rules.square(move & 63), self.rules.square(move >> 6 & 63)

    def _leads_along(self, one: tuple[int, int, str], given: list[int]) -> bool:
        """True if some path of the move lands on these squares, in their order."""

        def contains(path: list[int]) -> bool:
            rest = iter(path)
            return all(square in rest for square in given)

        return any(contains(path) for path in islice(self.paths(*one[:2]), MANY))

    # -- what is wrong ---------------------------------------------------------------------------

    def _why(self, given: Sequence[int], legal: Sequence[tuple[int, int, str]]) -> str:
        """Why no legal move has these squares, a clause."""
        names = [self.rules.called(square) for square in given]
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
            return self._no_step(given, names)
        if self.rules.majority and most > 1:
            return f"the capture of the most pieces is mandatory, here of {most}"
        starts = [one for one in legal if self._ends(one[0])[0] == given[0]]
        return "it has to go on capturing" if starts and not self.rules.majority else "captures are mandatory"

    def _no_step(self, given: Sequence[int], names: Sequence[str]) -> str:
        """Why a piece cannot go from the first of these squares to the next, where no capture is possible."""
        start, end = (self.rules.bit(square) for square in given[:2])
        if self.kings >> start & 1:
            return f"no empty diagonal leads from {names[0]} to {names[1]}"
        if end - start not in STEPS:
            jumps = [step for step in STEPS if end - start == 2 * step]
            over = f"; there is no piece of {SIDES[1 - self.turn]} to jump over" if jumps else ""
            return f"a man goes one square diagonally{over}"
        forward = STEPS[:2] if self.turn else STEPS[2:]
        return "a man goes back only to capture" if end - start not in forward else ""


def _extent(rules: Variant) -> str:
    """`they go from 1 to 50`."""
    if rules.letters:
        return "the dark squares go from a1 to h8"
    return f"they go from 1 to {rules.squares}"


def square_of(rules: Variant, name: str) -> int:
    """The number of the square that `name` is, in letters or numbers; 0: there is none."""
    if name.isdecimal():
        return int(name) if 1 <= int(name) <= rules.squares else 0
    if not rules.letters:
        return 0
    return next((square for square in range(1, rules.squares + 1) if rules.called(square) == name), 0)


# -- FEN ----------------------------------------------------------------------------------------------


def fen(rules: Variant, pieces: Pieces, turn: int, clock: int = 0) -> str:
    """A PDN FEN; `clock`, the plies of kings alone, only if there are any."""
    white, black, kings = pieces

    def listed(side: int) -> str:
        words = []
        for square in range(1, rules.squares + 1):
            bit = rules.bit(square)
            if side >> bit & 1:
                words.append(f"{'K' if kings >> bit & 1 else ''}{rules.called(square)}")
        return ",".join(words)

    return f"{'WB'[turn]}:W{listed(white)}:B{listed(black)}" + (f":H{clock}" if clock else "")


def read_fen(rules: Variant, text: str) -> tuple[int, int, int, int, int]:
    """White, black, kings, turn and clock of a PDN FEN. Raises BadInput saying what is wrong in it."""
    example = "W:Wc3,Kd4:Bf6,Kh8" if rules.letters else "W:W31,K28:B12,K3"
    turn, *fields = text.strip("\"'").rstrip(".").split(":")
    if turn.upper() not in ("W", "B"):
        raise BadInput(f"'{text}': a FEN begins with the side to move, W or B, not '{turn}' ({example})")
    pieces: dict[str, int] = {}
    kings = clock = 0
    for field in fields:
        colour, squares = field[:1].upper(), field[1:]
        if re.fullmatch("[HF][0-9]{1,4}", field.upper()):  # F: the number of the move, which is ignored
            clock = int(squares) if colour == "H" else clock
            continue
        if colour not in ("W", "B"):
            raise BadInput(f"'{text}': a list of pieces begins with W or B, not '{field}' ({example})")
        if colour in pieces:
            raise BadInput(f"'{text}': {colour} has two lists of pieces; it has one ({example})")
        pieces[colour], crowned = _side(rules, text, colour, squares)
        if pieces[colour].bit_count() > rules.men:
            raise BadInput(
                f"'{text}': {colour} has {pieces[colour].bit_count()} pieces; {rules.men} are the most"
            )
        kings |= crowned
    if len(pieces) < 2:
        raise BadInput(
            f"'{text}': the list of {'W' if 'B' in pieces else 'B'}'s pieces is missing ({example})"
        )
    both = pieces["W"] & pieces["B"]
    if both:
        name = rules.called(rules.square((both & -both).bit_length() - 1))
        raise BadInput(f"'{text}': square {name} is given twice")
    if not any(pieces.values()):
        raise BadInput(f"'{text}': there is no piece on the board")
    if clock >= rules.patience:
        raise BadInput(
            f"'{text}': after {clock} plies of kings alone the game is over; H is less than {rules.patience}"
        )
    return pieces["W"], pieces["B"], kings, "WB".index(turn.upper()), clock


def _side(rules: Variant, text: str, colour: str, squares: str) -> tuple[int, int]:
    """The pieces of a list in a FEN, and the kings among them."""
    row = rules.size // 2
    last = range(1, row + 1) if colour == "W" else range(rules.squares - row + 1, rules.squares + 1)
    found = kings = 0
    for word in filter(None, squares.split(",")):
        crowned, first, end = _numbers(rules, text, word)
        for square in range(first, end + 1):
            bit = 1 << rules.bit(square)
            if found & bit:
                raise BadInput(f"'{text}': square {rules.called(square)} is given twice")
            if not crowned and square in last:
                name = rules.called(square)
                raise BadInput(f"'{text}': a man on square {name} would be a king: write K{name}")
            found |= bit
            kings |= bit if crowned else 0
    return found, kings


def _numbers(rules: Variant, text: str, word: str) -> tuple[bool, int, int]:
    """Whether a word in a list of pieces names kings, and its first and last square: `K1-4`."""
    match = re.fullmatch(r"(K?)(.*?)(?:-(.*))?", word, re.IGNORECASE)
    assert match is not None
    crowned, first, last = match.groups()
    names = [first.lower(), (first if last is None else last).lower()]
    squares = [square_of(rules, name) for name in names]
    if not all(squares):
        extent = "a dark square from a1 to h8" if rules.letters else f"a square from 1 to {rules.squares}"
        raise BadInput(f"'{text}': '{word}' is not {extent}, K before it for a king")
    if squares[1] < squares[0]:
        raise BadInput(f"'{text}': the squares '{word}' should go up")
    return bool(crowned), squares[0], squares[1]
