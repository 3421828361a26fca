"""Stored reviews, one file each, so that no game is reviewed twice.

A file's name contains two hashes: of the game, its start and moves; and of engine, limit and version of this
program.
"""

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay import __version__, file_io
from gameplay.errors import BadInput
from gameplay.search.limit import Limit
from gameplay.store import document
from gameplay.store.record import Record
from gameplay.store.saved import Damaged
from gameplay.store.saved import folder as games
from gameplay.training import review as lesson
from gameplay.training.review import SCHEMA, OtherVersion, Review, decode

if TYPE_CHECKING:
    from gameplay.search.engine import Engine


def folder() -> Path:
    """The folder of the reviews."""
    return games().parent / "reviews"


def path_of(record: Record, engine: str, limit: str) -> Path:
    """The file of a review."""
    return folder() / f"{_game(record)}-{_hash(str(SCHEMA), __version__, engine, limit)}.json"


def latest(record: Record, damaged: Callable[[Damaged], object] | None = None) -> Review | None:
    """The latest stored review of a game, by any engine; None if there is none.

    A file that cannot be read is passed to `damaged`.
    """
    reviews, wrong = _read(f"{_game(record)}-*.json")
    if damaged is not None:
        for error in wrong:
            damaged(error)
    return max(reviews, key=lambda review: review[0])[1] if reviews else None


def _game(record: Record) -> str:
    return _hash(record.game, record.start, *record.words)


def _hash(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=10).hexdigest()


def load_or_review(
    record: Record,
    engine: "Engine",
    limit: Limit,
    watch: Callable[[int, int], object] | None = None,
    unsaved: Callable[[OSError], object] | None = None,
) -> Review:
    """The stored review of a game, or a new one, which is then stored. See `training.review`.

    `unsaved` is called with the error if it cannot be stored; without it the error is raised. The review is
    complete, whatever `watch` returns.
    """

    def announce(ply: int, plies: int) -> None:
        if watch is not None:
            watch(ply, plies)

    place = path_of(record, str(engine), str(limit))
    review = read_review(place)
    if review is None:
        review = lesson.review(record, engine, limit, announce)
        try:
            write_review(review, place)
        except OSError as error:
            if unsaved is None:
                raise
            unsaved(error)
    review.names, review.players, review.date = (
        record.display_names,
        [str(spec) for spec in record.players],
        record.date,
    )
    review.result, review.reason = record.result, record.reason
    review.phases, review.phase = lesson.phases(record)
    return review


def read_review(path: Path) -> Review | None:
    """Read the review in a file; None if there is none, or it is damaged."""
    try:
        return decode(file_io.content(path), str(path))
    except (OSError, BadInput):
        return None


def write_review(review: Review, path: Path) -> None:
    """Write a review. Raises OSError."""
    document.write(path, review)


def scan() -> tuple[list[Review], list[Damaged]]:
    """All reviews, sorted by file name, and the damaged files. Reviews of other versions are skipped."""
    reviews, damaged = _read("*.json")
    return [review for _, review in reviews], damaged


def _read(pattern: str) -> tuple[list[tuple[float, Review]], list[Damaged]]:
    """The reviews that match a pattern with their modification times, and the damaged files."""
    reviews, damaged = [], []
    for path in sorted(folder().glob(pattern)):
        try:
            reviews.append((path.stat().st_mtime, decode(file_io.content(path), str(path))))
        except (OtherVersion, FileNotFoundError):
            continue  # removed in the meantime
        except (BadInput, OSError) as error:
            damaged.append(Damaged.of(path, error))
    return reviews, damaged
