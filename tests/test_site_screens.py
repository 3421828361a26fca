"""The pictures of the site, docs/screens, show current output; GAMEPLAY_SCREENS=write renders them again."""

import os
import re
import sys
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tests.support.files import find_files
from tests.support.paths import ROOT

pytest.importorskip("pexpect")
pytest.importorskip("pyte")
pytestmark = pytest.mark.once
FOLDER = ROOT / "docs" / "screens"
LARGEST = 32_000  # bytes of a picture


@cache
def screens() -> ModuleType:
    """The module that renders the pictures."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        import screens as module
    finally:
        del sys.path[0]
    return module


@pytest.mark.parametrize("name", screens().listed())
def test_a_picture_shows_the_output_of_its_command(name: str) -> None:
    entry = screens().listed()[name]
    file = FOLDER / f"{name}.svg"
    writes = os.environ.get("GAMEPLAY_SCREENS") == "write"
    stored = file.read_text() if file.exists() else ""
    screen = screens().shown(entry, None if writes else lambda screen: picture(screen, entry) == stored)
    lines = [line.rstrip() for line in screen.display]
    if not entry.type:
        assert lines[0] == f"$ {entry.command}"[: entry.columns] and not lines[-1], "the picture is cut off"
    assert entry.shows in "\n".join(lines)
    image = picture(screen, entry)
    if writes:
        file.write_text(image)
    assert image == file.read_text(), f"docs/screens/{name}.svg differs; the command prints:\n" + "\n".join(
        lines
    )
    assert len(image) < LARGEST


def picture(screen: Any, entry: Any) -> str:
    """The picture of a screen, with machine-dependent parts replaced."""
    screens().mask(screen)
    image: str = screens().svg(screen, entry)
    return image


def test_each_picture_is_listed_and_used_with_a_description() -> None:
    names = set(screens().listed())
    assert {file.stem for file in FOLDER.glob("*.svg")} == names
    pages = "\n".join(file.read_text() for file in find_files(ROOT / "docs", "**/*.md"))
    used = re.findall(r":::\{figure\} (?:\.\./)?screens/([\w-]+)\.svg\n((?::\w+: .+\n)+)(.+)\n", pages)
    assert {name for name, _, _ in used} == names
    assert all(re.search(r"(?m)^:alt: \w", options) and caption for _, options, caption in used)


def test_a_command_that_fails_makes_no_picture() -> None:
    entry = screens().Entry("gameplay show nochess", "", "")
    with pytest.raises(RuntimeError, match="status 2"):
        screens().shown(entry)


def test_what_depends_on_the_machine_is_replaced_in_its_place() -> None:
    screen = screens().pyte.Screen(40, 3)
    screens().pyte.Stream(screen).feed("run chess-badoka: 1.25 M/s, 12.5 s  |\r\nin 3.1 s  |")
    screens().mask(screen)
    assert [line.rstrip() for line in screen.display][:2] == [
        "run chess-ladimo: 900,000/s, 0.1 s  |",
        "in 0.1 s  |",
    ]
