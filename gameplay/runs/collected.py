"""Collections of games for books and learning: files of any supported format, saved games, stored runs."""

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
class CollectionResult:
    """The games and moves counted into a book."""

    games: int = 0
    moves: int = 0
    notes: list[str] = field(default_factory=list)  # what was left out, and why


def count(
    draft: EditableBook, sources: Sequence[str], plies: int, store: Path | None = None
) -> CollectionResult:
    """Count the first `plies` moves of every game into a book. Raises BadInput for a source without games."""
    return _add_games(draft, sources, plies, store)


def learn(draft: EditableBook, sources: Sequence[str], store: Path | None = None) -> CollectionResult:
    """Count the moves of games in positions that are in the book. Raises BadInput as `count`."""
    return _add_games(draft, sources, None, store)


@dataclass(frozen=True)
class RecordedGame:
    """A game of a collection."""

    start: str  # position; "": the start of the game
    moves: tuple[int, ...]  # up to the end of the game by the rules
    payoffs: Sequence[float] | None  # None without a result


def read_games(
    game: registry.Game, file: Path, finished: bool = False
) -> tuple[list[RecordedGame], list[str]]:
    """The games in a file that have the rules and board of `game`, and notes on those left out.

    `finished`: only games with a result. Raises BadInput if there is none.
    """
    games: list[RecordedGame] = []
    notes: list[str] = []
    others, unfinished, wrong = 0, 0, ""
    for number, record, problem in _read_source(str(file), None):
        if record is None:
            wrong = wrong or problem
            notes.append(f"{problem}: left out")
        elif not _has_same_start(record, game):
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
    """The moves of a record up to the end by the rules. Raises IllegalMove, BadInput."""
    position = game.new(record.start)
    moves: list[int] = []
    for word in record.words:
        if position.outcome() is not None:
            break
        moves.append(position.parse(word))
        position.make(moves[-1])
    return tuple(moves)


def _add_games(
    draft: EditableBook, sources: Sequence[str], plies: int | None, store: Path | None
) -> CollectionResult:
    """Count the games of all sources; `plies` None: the moves in positions of the book.

    Damaged games are noted. Raises BadInput for a source without a game of the book's rules.
    """
    collected = CollectionResult()
    for source in sources:
        digest = blake2b(digest_size=8)
        added, wrong = 0, ""
        others: dict[str, int] = {}
        records = []
        for number, record, problem in _read_source(source, store):
            if record is None:
                wrong = wrong or problem
                collected.notes.append(f"{problem}: left out")
            elif not _has_same_start(record, draft.game):
                others[record.game] = others.get(record.game, 0) + 1
            else:
                records.append((number, record))
                collected.notes += [f"{source}, game {number}, {warning}" for warning in record.warnings]
                digest.update(repr((record.start, record.words, record.result)).encode())
        by_count = sorted(others.items(), key=lambda item: -item[1])
        games = ", ".join(f"{count} of {spec}" for spec, count in by_count[:3]) + (
            ", ..." if by_count[3:] else ""
        )
        if not records:
            but = f" (but {games})" if games else ""
            raise BadInput(wrong or f"{source} holds no game of {draft.game.spec}{but}")
        if others:
            collected.notes.append(f"{source}: games of other games or boards are left out ({games})")
        if digest.hexdigest() in draft.facts.learned:
            collected.notes.append(f"{source}: its games are counted in this book already, and are left out")
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
            added += bool(moves)
            collected.moves += moves
        if wrong and not added:
            raise BadInput(wrong)
        collected.games += added
    return collected


def _has_same_start(record: Record, game: "GameLike") -> bool:
    """True for a record of the same rules and board."""
    try:
        other = registry.game(record.game)
    except GameplayError:
        return False
    return other.name == game.name and (
        "seed" in other.parameters or book.start_fingerprint(other) == book.start_fingerprint(game)
    )


def _read_source(source: str, store: Path | None) -> Iterator[tuple[int, Record | None, str]]:
    """Yield number, record and problem of each game of a source: a file, a saved game, or a run."""
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
            runs = opened.enter_context(Store(store, make=False))
            run = runs.run(source)
        except (Usage, BadInput) as error:
            raise BadInput(f"{source} is not a file, the number of a saved game, or a run: {error}") from None
        for number, game in enumerate(runs.games(run.id, COUNTED), 1):
            record = game.read()
            if record is not None:
                yield number, record, ""
