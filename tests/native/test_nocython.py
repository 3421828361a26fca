"""The replacement of Cython when hot modules run as plain Python: meaningless types, one cast."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import gameplay
from gameplay.native import nocython
from gameplay.native.wide import wide

pytestmark = pytest.mark.once


def test_cast_to_int_truncates() -> None:
    for kind in (nocython.int, nocython.uint, nocython.longlong, nocython.ulonglong, nocython.size_t):
        assert [nocython.cast(kind, value) for value in (3.9, -3.9, 7, -7)] == [3, -3, 7, -7]
        assert type(nocython.cast(kind, 3.9)) is int
    assert nocython.cast(nocython.double, 3.9) == 3.9
    assert nocython.cast(nocython.p_int, 3.9) == 3.9
    assert nocython.cast(nocython.int, None) is None


def test_types_and_decorators_are_inert() -> None:
    assert nocython.compiled is False
    assert nocython.declare(nocython.int, 3) == 3 and nocython.declare(nocython.int[8]) is None

    def hot() -> int:
        return 5

    for same in (nocython.cfunc, nocython.final):
        assert same(hot) is hot
    with nocython.nogil, nocython.gil:
        assert hot() == 5


def test_a_board_that_is_too_wide_is_played_by_plain_python() -> None:
    """Its module and kernel remain as sources beside the compiled ones."""
    cls = wide("gameplay.games.connect4.game", "Connect4")
    assert cls is wide("gameplay.games.connect4.game", "Connect4")
    module = sys.modules[cls.__module__]
    assert cls.__module__ == "gameplay.wide_games.connect4.game"
    assert str(module.__file__).endswith("connect4/game.py") and module.cython is nocython
    kernel: Any = cls.__base__
    assert kernel.__module__ == "gameplay.wide_kernel" and kernel.__name__ == "Kernel"
    import gameplay.kernel

    assert sys.modules["gameplay.kernel"] is gameplay.kernel and kernel is not gameplay.kernel.Kernel
    assert wide("gameplay.games.tictactoe", "TicTacToe").__base__ is kernel


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The finder that the package installs first if GAMEPLAY_PURE is set."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    before = [*sys.meta_path]
    monkeypatch.delenv("GAMEPLAY_PURE", raising=False)
    runpy.run_path(gameplay.__file__, run_name="gameplay")
    assert sys.meta_path == before
    monkeypatch.setenv("GAMEPLAY_PURE", "1")
    runpy.run_path(gameplay.__file__, run_name="gameplay")
    assert sys.meta_path[1:] == before
    return sys.meta_path[0]


def test_pure_mode_imports_sources_first(finder: Any, tmp_path: Path) -> None:
    folder = str(Path(gameplay.__file__).parent)
    spec = finder.find_spec("gameplay.kernel", [str(tmp_path), folder])
    assert (spec.name, spec.origin) == ("gameplay.kernel", str(Path(folder) / "kernel.py"))
    (tmp_path / "kernel.py").write_text("")
    for name, path in (
        ("gameplay", [folder]),
        ("gameplays.kernel", [str(tmp_path)]),
        ("gameplay.kernel", None),
        ("gameplay.kernel", []),
        ("gameplay.games", [folder]),  # a folder, found as ever
        ("gameplay.none", [folder, str(tmp_path)]),
    ):
        assert finder.find_spec(name, path) is None, name


@pytest.mark.parametrize(
    ("name", "home"),
    [("Position", "position"), ("BACK", "board"), ("Board", "board"),
     ("Evaluation", "evaluation"), ("Limit", "search.limit"), ("Report", "search.report"),
     ("undoable", "position")],
)  # fmt: skip
def test_package_exports_equal_its_modules(name: str, home: str) -> None:
    __import__(f"gameplay.{home}")
    assert gameplay.__getattr__(name) is getattr(sys.modules[f"gameplay.{home}"], name)
    with pytest.raises(AttributeError) as refused:
        gameplay.__getattr__("Positron")
    assert str(refused.value) == "module 'gameplay' has no attribute 'Positron'"
