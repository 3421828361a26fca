"""An opening book in plain text, for any game: lines of moves, one a row.

    e4 e5 Nf3 Nc6 Bb5 a6 Ba4 weight 3       # Ruy Lopez, three times as often as the next
    e4 e5 Nf3 Nc6 Bc4
    8/8/8/4k3/8/8/8/KQ6 w - - 0 1 moves Kb2 # from a position of its own

Moves are written as the game writes them. What a row plays in a position it recommends there to whoever is
on turn; a row without `weight N` weighs 1, and the weights of rows that agree add up. A position is known by
its key and not by the way to it, so that lines which transpose help each other. Blank rows are passed over,
and so is what follows `#` behind a blank. A file of openings is a book, too.
"""

import os
import re
from collections.abc import Hashable
from typing import Any

from gameplay.errors import BadInput, IllegalMove
from gameplay.kernel import Kernel
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.position import CHANCE

MOST = 1_000_000  # weight of a row

Weights = dict[Hashable, dict[int, int]]  # by key of a position, by move

_READ: dict[tuple[str, str], Weights] = {}  # books that were read, by path and game


class LineBook(Knowledge):
    """Gives the moves of its lines in the positions that they lead through, the heaviest first."""

    option = "book"
    suffixes = (".txt",)

    def __init__(self, path: str, game: Any) -> None:
        """Raises BadInput, naming the row, for a file that is missing, empty or wrong."""
        super().__init__(path, game)
        name = (path, game.spec)
        if name not in _READ:
            _READ[name] = _read(path, game)
        self.weights = _READ[name]

    def probe(self, position: Any) -> Advice | None:
        """The moves of its lines."""
        known = self.weights.get(_key(position), {})
        legal = position.moves() if known else ()  # keys may agree by chance
        moves = sorted((move for move in known if move in legal), key=lambda move: -known[move])
        if not moves:
            return None
        return Advice("book", tuple(moves), tuple(known[move] for move in moves))


def _key(position: Any) -> Hashable:
    """What the mover knows of a position; of a compiled game what searches know it by, without its past."""
    key: Hashable
    if position.hidden:
        key = position.infoset(position.turn)
    elif isinstance(position, Kernel):
        key = Kernel.key(position)
    else:
        key = position.key()
    return key


def _read(path: str, game: Any) -> Weights:
    """The book in a file."""
    if not os.path.isfile(path):
        raise BadInput(f"there is no book {path}" + (": it is a folder" if os.path.isdir(path) else ""))
    try:
        with open(path, encoding="utf-8") as file:
            rows = file.read().splitlines()
    except UnicodeDecodeError:
        raise BadInput(f"{path} is no text: a book is lines of moves") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    found: Weights = {}
    for number, row in enumerate(rows, 1):
        text = re.split(r"(?:^|\s)#", row)[0].strip()
        try:
            if text:
                _add(found, text, game)
        except BadInput as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
    if not found:
        raise BadInput(f"{path} holds no moves: write a line of them in each row")
    return found


def _add(found: Weights, text: str, game: Any) -> None:
    """Put a row into the book. Raises BadInput for a move that is wrong, or a weight."""
    line, word, count = text.partition(" weight ")
    if word and not (count.strip().isdecimal() and 1 <= int(count.strip()[:8]) <= MOST):
        raise BadInput(f"a weight is a whole number from 1 to {MOST}, not '{count.strip()}'")
    *starts, moves = re.split(r"(?:^|\s+)moves(?:\s+|$)", line, maxsplit=1)
    position = game.new("".join(starts).strip())
    if not moves.split():
        raise BadInput("no moves follow the word moves")
    for place, spelled in enumerate(moves.split(), 1):
        if position.outcome() is not None:
            raise BadInput(f"move {place}, '{spelled}': the game is over before it")
        try:
            move = position.parse(spelled)
        except IllegalMove as error:
            raise BadInput(f"move {place}: {error}") from None
        if position.turn != CHANCE:
            known = found.setdefault(_key(position), {})
            known[move] = known.get(move, 0) + int(count or 1)
        position.make(move)
