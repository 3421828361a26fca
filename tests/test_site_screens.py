"""The pictures of the site, docs/screens, show what is printed; GAMEPLAY_SCREENS=write makes them again."""

import os
import sys
from functools import cache
from types import ModuleType

import pytest

from tests.support.paths import ROOT

pytest.importorskip("pexpect")
pytest.importorskip("pyte")
pytestmark = pytest.mark.once
FOLDER = ROOT / "docs" / "screens"


@cache
def screens() -> ModuleType:
    """The module that makes the pictures."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        import screens as module
    finally:
        del sys.path[0]
    return module


@pytest.mark.parametrize("name", screens().listed())
def test_a_picture_shows_what_its_command_prints(name: str) -> None:
    entry = screens().listed()[name]
    screen = screens().shown(entry["command"], entry.get("columns", screens().COLUMNS))
    lines = [line.rstrip() for line in screen.display]
    assert lines[0] == f"$ {entry['command']}" and not lines[-1], "the picture is cut off"
    assert entry["shows"] in "\n".join(lines)
    made = screens().svg(screen, entry["title"])
    file = FOLDER / f"{name}.svg"
    if os.environ.get("GAMEPLAY_SCREENS") == "write":
        file.write_text(made)
    assert made == file.read_text(), f"docs/screens/{name}.svg differs; the command prints:\n" + "\n".join(
        lines
    )


def test_each_picture_is_listed_and_used() -> None:
    names = set(screens().listed())
    assert {file.stem for file in FOLDER.glob("*.svg")} == names
    index = (ROOT / "docs" / "index.md").read_text()
    assert all(f"screens/{name}.svg" in index for name in names)


def test_a_command_that_fails_makes_no_picture() -> None:
    with pytest.raises(RuntimeError, match="status 2"):
        screens().shown("gameplay show nochess")
