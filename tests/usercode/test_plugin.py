"""External code runs behind the fence, and its errors are one line."""

import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay.errors import BadInput, Fault, GameplayError, Terminated, Usage
from gameplay.usercode import plugin

pytestmark = pytest.mark.once


@pytest.fixture
def fence_log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules registered with the fence."""
    log: list[str] = []
    monkeypatch.setattr(plugin, "fence", log.append)
    return log


def point(error: BaseException | None = None) -> Any:
    """An entry point of a package, which fails on loading or returns 7."""

    def load() -> int:
        if error is not None:
            raise error
        return 7

    return SimpleNamespace(name="mine", module="theirs.games", value="theirs.games:Mine", load=load)


def test_entry_points_are_loaded_behind_the_fence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fence_log: list[str]
) -> None:
    package = tmp_path / "theirs-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[gameplay.games]\nmine = theirs.games:Mine\n")
    assert "mine" not in plugin.entry_points("gameplay.games")
    monkeypatch.syspath_prepend(tmp_path)
    assert plugin.entry_points("gameplay.none") == {}
    assert plugin.entry_points("console_scripts")["gameplay"].value == "gameplay.__main__:gameplay"
    assert plugin.entry_points("gameplay.games")["mine"].value == "theirs.games:Mine"
    assert plugin.load("game", point()) == 7 and fence_log == ["theirs.games"]
    for error, words in (
        (KeyError("x"), "game mine: theirs.games:Mine raised KeyError: 'x'"),
        (SystemExit(3), "game mine: theirs.games:Mine raised SystemExit: 3"),
    ):
        with pytest.raises(Fault) as failed:
            plugin.load("game", point(error))
        assert str(failed.value) == words and failed.value.__cause__ is error
    for error in (Terminated(143), KeyboardInterrupt()):
        with pytest.raises(type(error)) as passed:
            plugin.load("game", point(error))
        assert passed.value is error


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"[gameplay.games]\nnothing\n", "it is malformed"),
        (b"[gameplay.games]\nmine = \n", "'mine = ' names no object, as in 'mine = package.games:Mine'"),
        (b"[gameplay.games]\n= a:B\n", "' = a:B' names no object, as in 'mine = package.games:Mine'"),
        (b"[gameplay.games]\n\xff = a:B\n", "it is malformed"),
        (b"[others]\n\xff = a:B\n", ""),
    ],
)
def test_package_with_damaged_entry_points_is_reported_once_and_left_out(
    content: bytes, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("bad", content), ("good", b"[gameplay.games]\nfine = good.games:Fine\n")):
        package = tmp_path / f"{name}-1.0.dist-info"
        package.mkdir()
        (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (package / "entry_points.txt").write_bytes(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugin, "_reported", set())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert plugin.entry_points("gameplay.games")["fine"].value == "good.games:Fine"
        assert "mine" not in plugin.entry_points("gameplay.games")
    damage = f"the package bad in {tmp_path} is damaged, and its games are left out: entry_points.txt: {why}"
    assert [str(error.message) for error in caught] == ([damage] if why else [])


def test_a_file_is_a_module_that_may_import_its_neighbours(tmp_path: Path, fence_log: list[str]) -> None:
    (tmp_path / "beside_it.py").write_text("WORTH = 5\n")
    text = (
        "from __future__ import annotations\nimport sys\nfrom dataclasses import dataclass\n"
        "from beside_it import WORTH\nPATH = sys.path[:]\n@dataclass\nclass Mine:\n    worth: int = WORTH\n"
    )
    file = tmp_path / "mine.py"
    file.write_text(text)
    before = sys.path[:]
    try:
        module = plugin.load_module(file, "a game is a .py file")
    finally:
        sys.modules.pop("beside_it", None)
    assert sys.path == before and module.PATH[:1] == [str(tmp_path)] and module.PATH[1:] == before
    assert module.Mine().worth == 5 and module.__file__ == str(file)
    assert fence_log == [module.__name__] and sys.modules[module.__name__] is module
    stem, _, number = module.__name__.rpartition("_")
    assert stem == "gameplay_user_mine" and int(number, 16) >= 0
    file.write_text("1 / 0\n")
    assert plugin.load_module(tmp_path / "." / "mine.py", "") is module, "it is read once"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (b"x = = 1\n", BadInput, "{} is not Python: line 1: invalid syntax"),
        (b"x = 1\0\n", BadInput, "{} is not Python: source code string cannot contain null bytes"),
        (
            b"\n1 / 0\n",
            Fault,
            "{}, when imported, raised ZeroDivisionError: division by zero (mine.py, line 2)",
        ),
        (b"raise SystemExit(3)\n", Fault, "{}, when imported, raised SystemExit: 3 (mine.py, line 1)"),
        (b"from gameplay.errors import Usage\nraise Usage('not so')\n", Usage, "not so"),
        (b"from gameplay.errors import Terminated\nraise Terminated(143)\n", Terminated, "143"),
        (b"raise KeyboardInterrupt('now')\n", KeyboardInterrupt, "now"),
    ],
)
def test_a_file_that_fails(
    text: bytes, error: type[BaseException], words: str, tmp_path: Path, fence_log: list[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(text)
    before, modules = sys.path[:], set(sys.modules)
    with pytest.raises(BaseException) as failed:
        plugin.load_module(file, "a game is a .py file")
    assert not [name for name in set(sys.modules) - modules if name.startswith("gameplay_user_")]
    assert type(failed.value) is error and str(failed.value) == words.format(file)
    assert sys.path == before and len(fence_log) == (error is not BadInput)


def test_invalid_plugin_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "text.txt").write_text("x = 1\n")
    for name, words in (
        ("none.py", "there is no file {}"),
        ("folder.py", "{} is not a Python file (a game is a .py file)"),
        ("text.txt", "{} is not a Python file (a game is a .py file)"),
    ):
        with pytest.raises(GameplayError) as refused:
            plugin.load_module(tmp_path / name, "a game is a .py file")
        assert type(refused.value) is BadInput and str(refused.value) == words.format(tmp_path / name)


def test_a_file_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "CALL_SECONDS", 0.05)
    file = tmp_path / "mine.py"
    file.write_text("while True:\n    pass\n")
    with pytest.raises(Fault) as failed:
        plugin.load_module(file, "")
    assert str(failed.value) == f"{file}, when imported, did not return within 0.05 seconds"
