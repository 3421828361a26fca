"""Reviews that are kept, a file each: what was reviewed once is not searched again.

A file's name is a hash of all that decides a review: the game, its start and moves, the engine, the limit and
the version of this program.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import msgspec

from gameplay import __version__
from gameplay.errors import BadInput
from gameplay.lessons.review import SCHEMA, Review, decode
from gameplay.store import whole
from gameplay.store.record import Record
from gameplay.store.saved import folder as games


def folder() -> Path:
    """Where reviews are kept."""
    return games().parent / "reviews"


def path_of(record: Record, engine: str, limit: str) -> Path:
    """The file of a review."""
    parts = (str(SCHEMA), __version__, record.game, record.start, *record.words, engine, limit)
    return folder() / f"{blake2b(chr(0).join(parts).encode(), digest_size=12).hexdigest()}.json"


def found(path: Path) -> Review | None:
    """The review in a file; None where there is none that can be read."""
    try:
        return decode(path.read_bytes(), str(path))
    except (OSError, BadInput):
        return None


def keep(review: Review, path: Path) -> None:
    """Write a review. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole.write(path, [msgspec.json.encode(review), b"\n"])


def every() -> Iterator[Review]:
    """All reviews that are kept, in the order of their files' names."""
    for path in sorted(folder().glob("*.json")):
        if (one := found(path)) is not None:
            yield one
