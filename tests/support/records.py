"""Files of games read within tests."""

from pathlib import Path

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import BadInput
from gameplay.store.formats import conversion
from gameplay.store.formats.pgn import Sheet
from gameplay.store.record import Record

SAVED = {
    "schema": 1,
    "game": "connect4",
    "start": "",
    "seed": 1,
    "version": "1",
}  # what a saved game begins with


def survives_two_exports(path: Path) -> None:
    """The games of a file, written and written again, are the same bytes and the same records."""
    once, twice = (path.with_name(f"{name}{path.suffix}") for name in ("once", "twice"))
    for source, target in ((path, once), (once, twice)):
        assert run(router, "gameplay", ["export", str(source), "--out", str(target)]) == 0
    assert once.read_bytes() == twice.read_bytes()
    assert [record for _, record in read(path)] == [record for _, record in read(once)]


def check_read_or_refused(path: Path) -> None:
    """A damaged file is refused in one line; what is read of it has a record or a problem."""
    try:
        games = read(path)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert all((record is None) == bool(sheet.problem) for sheet, record in games)


def read(path: Path) -> list[tuple[Sheet, Record | None]]:
    """The games of a file: as written, and as records."""
    return list(conversion.read(path, registry.game))
