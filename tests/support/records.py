"""Files of games read within tests."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import BadInput
from gameplay.store.formats import conversion
from gameplay.store.formats.pgn import Sheet
from gameplay.store.record import Record
from tests.support.commands import run_printed

# The first fields of a saved game.
SAVED = {"schema": 1, "game": "connect4", "start": "", "seed": 1, "version": "1"}


def survives_two_exports(path: Path) -> None:
    """The games of a file, exported twice, have the same bytes and the same records."""
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
    """The games of a file: as text, and as records."""
    return list(conversion.read(path, registry.game))


def check_damaged(
    capsys: pytest.CaptureFixture[str],
    path: Path,
    data: bytes,
    opened: Callable[[Path], Iterable[object]],
    problem: str,
) -> None:
    """A file with these bytes is refused in one line with this problem, on reading and by `replay`."""
    path.write_bytes(data)
    with pytest.raises(BadInput, match=rf"is not a readable {path.suffix[1:].upper()} file") as error:
        list(opened(path))
    assert problem in str(error.value) and "\n" not in str(error.value)
    assert run_printed(capsys, "replay", path)[::2] == (6, f"gameplay: {error.value}\n")
