"""An opening book in plain text, for any game: lines of moves, one per row.

    e4 e5 Nf3 Nc6 Bb5 a6 Ba4 weight 3       # Ruy Lopez, three times as often as the next
    e4 e5 Nf3 Nc6 Bc4
    8/8/8/4k3/8/8/8/KQ6 w - - 0 1 moves Kb2 # from another position
    e4 e5 then Nc3 weight 2 games 9 won 4   # the moves before `then` only lead to the position

Moves are in the notation of the game. A row recommends each of its moves to the side to move in that
position; the default weight is 1, a row of weight 0 is never played, and weights of the same move are added.
Positions are identified by key, so transpositions are merged. Blank rows and comments (`#` after a space, to
the end of the row) are ignored. A file of openings is also a book.

The weight may be followed by data that `gameplay book export` writes for `gameplay book import`:
`games N`, `won N`, `drawn N`, `lost N`, `value N` as in `gameplay.value`, `depth N`, and the words `least` or
`most` (the value is a bound), `solved` (it is exact), `linked` (it was backed up), `again` (the same player
moves again). `others` in place of a move stands for all moves that are not in the book.
"""

import os
import re
from collections.abc import Hashable
from dataclasses import dataclass, field

from gameplay import file_io
from gameplay.errors import BadInput, IllegalMove
from gameplay.kernel import Kernel
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge
from gameplay.position import CHANCE, AbstractPosition

MAX_WEIGHT = 4_294_967_295  # weight of a row
NUMBERS = ("games", "won", "drawn", "lost", "value", "depth")  # allowed after a weight
OTHERS = "others"  # in place of a move
FLAGS = ("least", "most", "solved", "linked", "again")

Weights = dict[Hashable, dict[int, int]]  # by key of a position, by move

_CACHE: dict[tuple[str, str], Weights] = {}  # books that were read, by path and game


class LineBook(Knowledge):
    """Returns the moves of its lines in the positions on them, heaviest first."""

    option = "book"
    suffixes = (".txt",)

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput, naming the row, for a missing, empty or invalid file."""
        super().__init__(path, game)
        name = (path, game.spec)
        if name not in _CACHE:
            _CACHE[name] = _read_book(path, game)
        self.weights = _CACHE[name]

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The moves of its lines."""
        weights = self.weights.get(_key(position), {})
        legal = position.moves() if weights else ()  # keys may collide
        known_moves = (move for move in weights if move in legal and weights[move])
        moves = sorted(known_moves, key=lambda move: -weights[move])
        if not moves:
            return None
        return Advice("book", tuple(moves), tuple(weights[move] for move in moves))


def _key(position: AbstractPosition) -> Hashable:
    """The mover's information set, or the search key of a compiled game, which excludes history."""
    key: Hashable
    if position.hidden:
        key = position.infoset(position.turn)
    elif isinstance(position, Kernel):
        key = Kernel.key(position)
    else:
        key = position.key()
    return key


@dataclass(frozen=True)
class LineRow:
    """A row of a book of lines."""

    start: str  # start position, "" for the standard one
    path: tuple[str, ...]  # moves that lead to the line
    moves: tuple[str, ...]  # recommended moves
    weight: int = 1
    facts: dict[str, int] = field(default_factory=dict)  # data of the last move, by NUMBERS and FLAGS


def read_rows(path: str) -> list[tuple[int, str]]:
    """The non-blank rows of a file with their numbers, without comments."""
    if not os.path.isfile(path):
        raise BadInput(file_io.no_file(path, "book"))
    try:
        texts = file_io.content(path).decode().splitlines()
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text: a book is lines of moves") from None
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    rows = [(number, re.split(r"(?:^|\s)#", text)[0].strip()) for number, text in enumerate(texts, 1)]
    return [(number, text) for number, text in rows if text]


def parse_row(text: str) -> LineRow:
    """Parse a row. Raises BadInput for an invalid weight or missing moves."""
    line, keyword, tail = text.partition(" weight ")
    weight, *fields = (tail.split() or [""]) if keyword else ["1"]
    if not (weight.isdecimal() and int(weight[:12]) <= MAX_WEIGHT):
        raise BadInput(f"a weight must be a whole number from 0 to {MAX_WEIGHT}, not '{weight}'")
    *starts, moves = re.split(r"(?:^|\s+)moves(?:\s+|$)", line, maxsplit=1)
    *lead, moves = re.split(r"(?:^|\s+)then(?:\s+|$)", moves, maxsplit=1)
    if not moves.split():
        raise BadInput(f"no moves follow the word {'then' if lead else 'moves'}")
    path, start = " ".join(lead).split(), "".join(starts).strip()
    return LineRow(start, tuple(path), tuple(moves.split()), int(weight), _facts(fields))


def _facts(words: list[str]) -> dict[str, int]:
    """The data after a weight."""
    facts: dict[str, int] = {}
    remaining = iter(words)
    for word in remaining:
        if word in FLAGS:
            facts[word] = 1
        elif word in NUMBERS and re.fullmatch(r"[+-]?\d{1,10}", number := next(remaining, ""), re.ASCII):
            facts[word] = int(number)
        else:
            expected = f"{', '.join(NUMBERS)} with a number, {', '.join(FLAGS)}"
            raise BadInput(f"'{word}' after a weight is unknown; expected {expected}")
    return facts


def _read_book(path: str, game: GameLike) -> Weights:
    """The book in a file."""
    weights: Weights = {}
    for number, text in read_rows(path):
        try:
            _add_row(weights, parse_row(text), game)
        except BadInput as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
    if not weights:
        raise BadInput(f"{path} holds no moves: write a line of them in each row")
    return weights


def _add_row(weights: Weights, row: LineRow, game: GameLike) -> None:
    """Add a row to the book. Raises BadInput for an invalid move."""
    position = game.new(row.start)
    for number, text in enumerate((*row.path, *row.moves), 1):
        if text == OTHERS:
            return
        move = parse_move(position, number, text)
        if position.turn != CHANCE and number > len(row.path):
            moves = weights.setdefault(_key(position), {})
            moves[move] = moves.get(move, 0) + row.weight
        position.make(move)


def parse_move(position: AbstractPosition, number: int, text: str) -> int:
    """Parse the move at a place of a row. Raises BadInput."""
    if position.outcome() is not None:
        raise BadInput(f"move {number}, '{text}': the game is over before it")
    try:
        return int(position.parse(text))
    except IllegalMove as error:
        raise BadInput(f"move {number}: {error}") from None
