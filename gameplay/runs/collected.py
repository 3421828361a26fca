"""Games for books and for learning: in files of any format that is read here, saved games, stored runs."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay import file_io, registry
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.knowledge.books import book
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.plural import plural
from gameplay.store import saved
from gameplay.store.record import Record

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import GameLike


@dataclass
class Collected:
    """What came of collections."""

    games: int = 0
    moves: int = 0
    notes: list[str] = field(default_factory=list)  # what was left out, and why


def count(draft: EditableBook, sources: Sequence[str], plies: int, store: Path | None = None) -> Collected:
    """Count the first moves of every game into a book."""
    return _taken(draft, sources, plies, store)


def learn(draft: EditableBook, sources: Sequence[str], store: Path | None = None) -> Collected:
    """Count the moves that games made in positions of the book."""
    return _taken(draft, sources, None, store)


@dataclass(frozen=True)
class RecordedGame:
    """A game of a collection."""

    start: str  # the position that it begins from, "" for the usual one
    moves: tuple[int, ...]  # up to the end by the rules
    payoffs: Sequence[float] | None  # None: it has no result


def read_games(
    game: registry.Game, file: Path, finished: bool = False
) -> tuple[list[RecordedGame], list[str]]:
    """The games of these rules in a file, and notes on what was left out, and why.

    `finished`: only those that have a result. Raises BadInput if there is none.
    """
    games: list[RecordedGame] = []
    notes: list[str] = []
    others, unfinished, wrong = 0, 0, ""
    for number, record, problem in _records(str(file), None):
        if record is None:
            wrong = wrong or problem
            notes.append(f"{problem}: left out")
        elif not _of(record, game):
            others += 1
        elif finished and record.result is None:
            unfinished += 1
        else:
            try:
                games.append(RecordedGame(record.start, _moves(game, record), record.result))
            except GameplayError as error:
                notes.append(f"{file}, game {number}: {error}: left out")
    if not games:
        kind = "finished game" if finished else "game"
        raise BadInput(wrong or f"{file} holds no {kind} of {game.spec}")
    if others:
        notes.append(f"{file}: {plural(others, 'game')} of other games or boards left out")
    if unfinished:
        notes.append(f"{file}: {plural(unfinished, 'game')} without a result left out")
    return games, notes


def _moves(game: registry.Game, record: Record) -> tuple[int, ...]:
    """The moves of a game up to its end by the rules. Raises IllegalMove, BadInput."""
    position = game.new(record.start)
    moves: list[int] = []
    for word in record.words:
        if position.outcome() is not None:
            break
        moves.append(position.parse(word))
        position.make(moves[-1])
    return tuple(moves)


def _taken(draft: EditableBook, sources: Sequence[str], plies: int | None, store: Path | None) -> Collected:
    """Raises BadInput for a source that holds no game, or none of this game; what is wrong is noted."""
    collected = Collected()
    for source in sources:
        digest = blake2b(digest_size=8)
        taken, wrong = 0, ""
        others: dict[str, int] = {}
        records = []
        for number, record, problem in _records(source, store):
            if record is None:
                wrong = wrong or problem
                collected.notes.append(f"{problem}: left out")
            elif not _of(record, draft.game):
                others[record.game] = others.get(record.game, 0) + 1
            else:
                records.append((number, record))
                collected.notes += [f"{source}, game {number}, {warning}" for warning in record.warnings]
                digest.update(repr((record.start, record.words, record.result)).encode())
        most = sorted(others.items(), key=lambda one: -one[1])
        games = ", ".join(f"{count} of {spec}" for spec, count in most[:3]) + (", ..." if most[3:] else "")
        if not records:
            but = f" (but {games})" if games else ""
            raise BadInput(wrong or f"{source} holds no game of {draft.game.spec}{but}")
        if others:
            collected.notes.append(f"{source}: games of other games or boards are left out ({games})")
        if digest.hexdigest() in draft.facts.learned:
            collected.notes.append(f"{source}: its games were counted in this book before, and are left out")
            continue
        draft.facts.learned.append(digest.hexdigest())
        for number, record in records:
            try:
                if plies is None:
                    moves = draft.learn(record.start, record.words, record.result)
                else:
                    moves = draft.count(record.start, record.words, record.result, plies)
            except GameplayError as error:
                wrong = f"{source}, game {number}: {error}"
                collected.notes.append(f"{wrong}: left out")
                continue
            taken += bool(moves)
            collected.moves += moves
        if wrong and not taken:
            raise BadInput(wrong)
        collected.games += taken
    return collected


def _of(record: Record, game: "GameLike") -> bool:
    """True for a game of the same rules and board."""
    try:
        other = registry.game(record.game)
    except GameplayError:
        return False
    return other.name == game.name and (
        "seed" in other.parameters or book.start_fingerprint(other) == book.start_fingerprint(game)
    )


def _records(source: str, store: Path | None) -> Iterator[tuple[int, Record | None, str]]:
    """The games of a source: a file, a saved game, or a run."""
    path = Path(os.path.expanduser(source))
    if path.is_file():
        yield from saved.read_games(path, registry.game)
        return
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name the files in it")
    if path.suffix or path.exists():
        raise BadInput(file_io.no_file(source))
    if source.isdecimal():
        yield 1, saved.read(saved.find(source)), ""
        return
    from gameplay.store.jsonl import COUNTED
    from gameplay.store.runs import Store

    with contextlib.ExitStack() as opened:
        try:
            kept = opened.enter_context(Store(store, make=False))
            run = kept.run(source)
        except (Usage, BadInput) as error:
            raise BadInput(
                f"{source} is neither a file, nor the number of a saved game, nor a run: {error}"
            ) from None
        for number, game in enumerate(kept.games(run.id, COUNTED), 1):
            record = game.read()
            if record is not None:
                yield number, record, ""
