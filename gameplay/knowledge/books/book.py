"""A book of any game, built by `gameplay book`: positions with their moves."""

import os
from functools import cache, lru_cache
from math import lcm
from pathlib import Path

from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.knowledge.books.book_file import VALUES, BookFacts, BookFile, BookMove
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge, OtherGame
from gameplay.position import CHANCE, AbstractPosition

SUFFIX = ".book"
INCLUDED = "own"  # in place of a path: the included book
NO_BOOK = "none"  # in place of a path: no book, also no default one
KEYWORDS = (INCLUDED, NO_BOOK)
FOLDER = Path(__file__).parent
INCLUDED_SUFFIXES = (SUFFIX, ".table")


class Book(Knowledge):
    """Returns the weighted moves, heaviest first, each with a description of its data."""

    option = "book"
    suffixes = (SUFFIX,)

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput if the file is not a book, damaged, or of another game."""
        super().__init__(path, game)
        self.book_file = open_book(path)
        check_game(self.book_file.facts, game, path)

    def entries_of(self, position: AbstractPosition) -> dict[int, BookMove]:
        """The entries of a position's legal moves, symmetric ones included."""
        if position.turn == CHANCE or position.outcome() is not None:
            return {}
        entries = self.book_file.moves(fingerprint(position))
        if not entries:
            return {}
        return {
            move: entries[child]
            for move, child in successor_fingerprints(position).items()
            if child in entries
        }

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The weighted moves, heaviest first."""
        entries = self.entries_of(position)
        multiplicity: dict[int, int] = {}  # entry -> number of symmetric moves
        for entry in entries.values():
            multiplicity[id(entry)] = multiplicity.get(id(entry), 0) + 1
        total = lcm(*multiplicity.values())  # symmetric moves share the weight of their entry
        weighted = {
            move: total // multiplicity[id(entry)] * entry.weight
            for move, entry in entries.items()
            if entry.weight
        }
        if not weighted:
            return None
        moves = sorted(weighted, key=lambda move: -weighted[move])
        facts = tuple(entry_text(entries[move], position) for move in moves)
        weights = tuple(weighted[move] for move in moves)
        best = entries[moves[0]]
        by_value = self.complete or self.book_file.facts.weights == VALUES
        if by_value and best.solved and best.bound == scale.EXACT:
            return Advice(
                "book", moves=tuple(moves), weights=weights, value=best.value, exact=True, facts=facts
            )
        return Advice("book", tuple(moves), weights, facts=facts)


class NoBook(Knowledge):
    """The empty book, named `none`."""

    def probe(self, position: AbstractPosition) -> Advice | None:
        """Nothing."""
        return None


def entry_text(entry: BookMove, position: AbstractPosition) -> str:
    """An entry as text: `played 12 times, scored 58 %, value +0.35 at depth 14`."""
    parts = []
    if entry.games:
        parts.append("played once" if entry.games == 1 else f"played {entry.games:,} times")
    if entry.score is not None:
        parts.append(f"scored {100 * entry.score:.0f} %")
    if entry.bound:
        value_text = scale.SIGNS.get({scale.LOWER: "lower", scale.UPPER: "upper"}.get(entry.bound, ""), "")
        value_text += scale.format_value(entry.value, entry.solved, position.unit)
        if not entry.solved:
            value_text = f"value {value_text}" + (f" at depth {entry.depth}" if entry.depth else "")
        parts.append(value_text)
    return ", ".join(parts)


def open_book(path: str) -> BookFile:
    """Open a book, cached until the file changes."""
    try:
        state = os.stat(path)
    except OSError:
        return BookFile(path)  # raises the error
    return _open_cached(path, state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=32)
def _open_cached(path: str, *state: int) -> BookFile:
    return BookFile(path)


def check_game(facts: BookFacts, game: GameLike, path: str) -> None:
    """Raise OtherGame unless a book is of this game with these parameters."""
    if facts.game != game.name:
        raise OtherGame(f"{path} is a book of {facts.game}, not {game.name}")
    is_random = "seed" in game.parameters
    if not is_random and facts.root != start_fingerprint(game):
        raise OtherGame(f"{path} is a book of {facts.spec}, whose start differs from that of {game.spec}")


def start_fingerprint(game: GameLike) -> int:
    """The fingerprint of a game's start."""
    return fingerprint(game.new())


@cache
def included_books() -> dict[str, Path]:
    """The included books, by game."""
    return {file.stem: file for file in sorted(FOLDER.iterdir()) if file.suffix in INCLUDED_SUFFIXES}


def included_path(game: GameLike) -> str:
    """The path of the included book of a game. Raises Usage if there is none."""
    path = included_books().get(game.name)
    if path is None:
        names = ", ".join(included_books()) or "none"
        raise Usage(f"no book of {game.name} is included; included books: {names}")
    return str(path)
