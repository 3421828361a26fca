"""A book of any game, built by `gameplay book`: positions with their moves."""

import os
from functools import cache, lru_cache
from math import lcm
from pathlib import Path

from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.knowledge.books.fingerprint import after, fingerprint
from gameplay.knowledge.books.pages import VALUES, BookFacts, BookMove, Pages
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge, OtherGame
from gameplay.position import CHANCE, AbstractPosition

SUFFIX = ".book"
OWN = "own"  # instead of a file: the included book
NONE = "none"  # ... no book, not even a default one
WORDS = (OWN, NONE)
SHIPPED = Path(__file__).parent
SHIPPED_SUFFIXES = (SUFFIX, ".table")


class Book(Knowledge):
    """Returns the weighted moves, heaviest first, each with a description of its data."""

    option = "book"
    suffixes = (SUFFIX,)

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput if the file is not a book, damaged, or of another game."""
        super().__init__(path, game)
        self.pages = opened(path)
        check(self.pages.facts, game, path)

    def known(self, position: AbstractPosition) -> dict[int, BookMove]:
        """The entries of a position's legal moves, symmetric ones included."""
        if position.turn == CHANCE or position.outcome() is not None:
            return {}
        entries = self.pages.moves(fingerprint(position))
        if not entries:
            return {}
        return {move: entries[child] for move, child in after(position).items() if child in entries}

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The moves of its lines."""
        entries = self.known(position)
        alike: dict[int, int] = {}  # entry -> number of symmetric moves
        for entry in entries.values():
            alike[id(entry)] = alike.get(id(entry), 0) + 1
        whole = lcm(*alike.values())  # symmetric moves share the weight of their entry
        played = {
            move: whole // alike[id(entry)] * entry.weight for move, entry in entries.items() if entry.weight
        }
        if not played:
            return None
        moves = sorted(played, key=lambda move: -played[move])
        facts = tuple(entry_text(entries[move], position) for move in moves)
        weights = tuple(played[move] for move in moves)
        best = entries[moves[0]]
        by_value = self.whole or self.pages.facts.weights == VALUES
        if by_value and best.solved and best.known == scale.EXACT:
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
    words = []
    if entry.seen:
        words.append("played once" if entry.seen == 1 else f"played {entry.seen:,} times")
    if entry.score is not None:
        words.append(f"scored {100 * entry.score:.0f} %")
    if entry.known:
        figure = scale.SIGNS.get({scale.LOWER: "lower", scale.UPPER: "upper"}.get(entry.known, ""), "")
        figure += scale.format_value(entry.value, entry.solved, position.unit)
        if not entry.solved:
            figure = f"value {figure}" + (f" at depth {entry.depth}" if entry.depth else "")
        words.append(figure)
    return ", ".join(words)


def opened(path: str) -> Pages:
    """The pages of a file, cached until it changes."""
    try:
        state = os.stat(path)
    except OSError:
        return Pages(path)  # raises the error
    return _opened(path, state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=32)
def _opened(path: str, *state: int) -> Pages:
    return Pages(path)


def check(facts: BookFacts, game: GameLike, path: str) -> None:
    """Raise BadInput if a book is of another game or of other parameters."""
    if facts.game != game.name:
        raise OtherGame(f"{path} is a book of {facts.game}, and this is {game.name}")
    drawn = "seed" in game.parameters
    if not drawn and facts.root != root(game):
        raise OtherGame(f"{path} is a book of {facts.spec}, whose start differs from that of {game.spec}")


def root(game: GameLike) -> int:
    """The fingerprint of a game's start."""
    return fingerprint(game.new())


@cache
def shipped() -> dict[str, Path]:
    """The included books, by game."""
    return {file.stem: file for file in sorted(SHIPPED.iterdir()) if file.suffix in SHIPPED_SUFFIXES}


def own(game: GameLike) -> str:
    """The path of the included book of a game. Raises Usage if there is none."""
    path = shipped().get(game.name)
    if path is None:
        listed = ", ".join(shipped()) or "none"
        raise Usage(f"no book of {game.name} comes with this program (there are books of: {listed})")
    return str(path)
