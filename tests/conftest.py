"""Refuses to test compiled files that are older than their sources."""

import gc
import itertools
import os
import re
import signal
import sys
from functools import cache
from pathlib import Path

import hypothesis
import pytest

import gameplay
from gameplay.store import runs
from gameplay.usercode import fence, supervisor

FOLDER = Path(gameplay.__file__).parent
# The first draw of a process reads the constants of the whole package, which takes long on a busy machine.
hypothesis.settings.register_profile("patient", suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("patient")
NUMBERS = itertools.count(1)
WHOLE = re.compile(rb"^pytestmark = (\[\s*)?pytest\.mark\.once\b", re.MULTILINE)  # all tests of a file


def pytest_sessionstart(session: pytest.Session) -> None:
    """A stale .so silently hides the edited .py beside it; and Ctrl-C must reach what tests start.

    A program that runs the tests in the background may make them, and so their children, ignore SIGINT.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = sys.modules["__main__"]  # pytest's, which each worker process of a test would import
    main.__spec__ = None
    vars(main).pop("__file__", None)
    if os.environ.get("GAMEPLAY_PURE"):
        return
    for built in [*FOLDER.rglob("*.so"), *FOLDER.rglob("*.pyd")]:
        stem = built.name.partition(".")[0]
        for suffix in (".py", ".pxd"):
            source = built.with_name(stem + suffix)
            if source.exists() and source.stat().st_mtime > built.stat().st_mtime:
                pytest.exit(
                    f"{source.relative_to(FOLDER.parent)} is newer than its compiled file: rebuild", 2
                )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file without requested tests: two builds would each import 150 needless files."""
    expression = config.option.markexpr
    if collection_path.suffix != ".py" or expression not in ("once", "not once"):
        return None
    text = collection_path.read_bytes()
    unwanted = b"mark.once" not in text if expression == "once" else WHOLE.search(text) is not None
    return unwanted or None


def pytest_collection_finish() -> None:
    """Freeze thousands of tests for the garbage collector: each full collection takes 0.1 s less."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(autouse=True, scope="session")
def hashed_once() -> None:
    """Hash the package once instead of for each run that a test begins (50 ms)."""
    runs.code_version = cache(runs.code_version)


@pytest.fixture(autouse=True)
def home(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Nothing that a test saves lands in the user's folders, nor is anything found there.

    The folders are made when something is saved: two for each test would take as long as half of the tests.
    """
    if "tmp_path" in request.fixturenames:
        folder, number = request.getfixturevalue("tmp_path"), ""
    else:
        folder, number = tmp_path_factory.getbasetemp(), str(next(NUMBERS))
    home: Path = folder / f"home{number}"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / f"cache{number}"))
    monkeypatch.setenv("GAMEPLAY_HOME", str(home))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    for fenced in (fence._fenced, fence._silenced):  # by a test that plays a class of its own file
        fenced.discard("tests")
    monkeypatch.setattr(supervisor, "_allowed", False)  # by a test that calls a program: no other forks
    monkeypatch.delenv("GAMEPLAY_MAKE", raising=False)  # what is advised is then a command's name alone
    return home
