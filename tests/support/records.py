"""Files of games read within tests."""

from pathlib import Path

from gameplay import registry
from gameplay.store.formats import conversion
from gameplay.store.formats.pgn import Sheet
from gameplay.store.record import Record


def read(path: Path) -> list[tuple[Sheet, Record | None]]:
    """The games of a file: as written, and as records."""
    return list(conversion.read(path, registry.game))
