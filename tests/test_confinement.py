"""What a process that runs somebody else's code is kept from, deed by deed; nothing is done here."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import confinement, fence

pytestmark = pytest.mark.once

DEEDS = {
    "copy the process": ("os.fork", "os.forkpty"),
    "start a program": (
        *("os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
        *("os.system", "subprocess.Popen", "pty.spawn"),
    ),
    "send a signal": ("os.kill", "os.killpg", "signal.pthread_kill"),
    "delete a file": ("os.remove", "os.rmdir"),
    "change files": (
        *("os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.utime", "os.setxattr", "shutil.copyfile", "shutil.move"),
    ),
    "open a database": ("sqlite3.connect", "dbm.open"),
    "load a library of C": ("ctypes.dlopen",),
    "write a file": ("tempfile.mkstemp", "tempfile.mkdtemp"),
    "use the network": ("socket.connect", "socket.__new__", "socket.bind"),
}


@pytest.fixture
def hook(tmp_path, monkeypatch):
    """What is asked before each deed, while the code of tmp_path/mine.py is running."""
    monkeypatch.setattr(fence, "inside", lambda: True)
    return confinement._hook(tmp_path / "mine.py")


@pytest.mark.parametrize(
    ("would", "event"), [(would, one) for would, every in DEEDS.items() for one in every]
)
def test_each_deed_is_forbidden_and_named(would, event, hook):
    with pytest.raises(fence.Forbidden) as told:
        hook(event, ())
    assert str(told.value) == f"{event} would {would}, which is forbidden"


def test_what_harms_nobody_is_allowed(hook):
    for event in (
        "import",
        "compile",
        "exec",
        "os.listdir",
        "object.__getattr__",
        "sys._getframe",
        "time.sleep",
    ):
        hook(event, ())


@pytest.mark.parametrize("flag", ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"])
def test_files_are_not_written_even_its_own(flag, hook, tmp_path):
    with pytest.raises(fence.Forbidden) as told:
        hook("open", (str(tmp_path / "mine.py"), "w", getattr(os, flag) | os.O_CLOEXEC))
    assert str(told.value) == "to write mine.py is forbidden: it may write no files"


def test_it_reads_itself_and_what_belongs_to_python_only(hook, tmp_path, monkeypatch):
    package = Path(confinement.__file__).parent
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix)
    for path in (tmp_path / "mine.py", package / "names.txt", *(Path(place) / "a.py" for place in prefixes)):
        hook("open", (str(path), "r", os.O_RDONLY))
        hook("open", (os.fsencode(path), "r", os.O_RDONLY | os.O_CLOEXEC))
    hook("open", (3, "w", os.O_RDWR))  # a file that is open already
    others = (tmp_path / "other.py", Path(f"{package}s/a.py"), tmp_path / "mine.py/../secret.txt")
    for path in others:
        with pytest.raises(fence.Forbidden) as told:
            hook("open", (str(path), "r", os.O_RDONLY))
        assert str(told.value) == f"to read {path.name} is forbidden: it may read no files"
    monkeypatch.setattr(fence, "inside", lambda: False)
    for path in others:
        hook("open", (str(path), "r", os.O_RDONLY))  # our own code may


class Resource:
    """Limits of memory, as the module `resource` has them."""

    RLIM_INFINITY, RLIMIT_AS, RUSAGE_SELF = -1, "as", "self"

    def __init__(self, hardest, wrong=None):
        self.hardest, self.wrong, self.set = hardest, wrong, []

    def getpagesize(self):
        return 4096

    def getrusage(self, who):
        assert who == "self"
        return SimpleNamespace(ru_maxrss=5000)

    def getrlimit(self, which):
        assert which == "as"
        return 7, self.hardest

    def setrlimit(self, which, limits):
        if self.wrong:
            raise self.wrong
        self.set.append((which, limits))


@pytest.mark.parametrize(
    ("pages", "hardest", "most"),
    [
        ("1000 20 3", -1, 1000 * 4096 + 3 * 2**20),
        ("1000 20 3", 7_000_000, 7_000_000),
        ("1000 20 3", 9_000_000, 1000 * 4096 + 3 * 2**20),
        (None, -1, 5000 * 1024 + 3 * 2**20),
    ],
)
def test_memory_is_what_the_process_has_and_so_much_more(pages, hardest, most, monkeypatch):
    """Where the system does not tell its size, the most that it ever had; never more than it may have."""

    def text(path):
        assert str(path) == "/proc/self/statm"
        if pages is None:
            raise OSError
        return pages

    limits = Resource(hardest)
    monkeypatch.setitem(sys.modules, "resource", limits)
    monkeypatch.setattr(Path, "read_text", text)
    confinement._limit(3)
    assert limits.set == [("as", (most, hardest))]


def test_without_limits_of_memory_there_is_none(monkeypatch):
    for wrong in (ValueError(), OSError()):
        monkeypatch.setitem(sys.modules, "resource", Resource(-1, wrong))
        confinement._limit(3)
    monkeypatch.setitem(sys.modules, "resource", None)
    confinement._limit(3)


def test_from_then_on(monkeypatch, tmp_path):
    """No compiled file is kept beside its own, the hook knows it by its whole name, and memory is limited."""
    hooks, limits = [], []
    monkeypatch.setattr(sys, "addaudithook", hooks.append)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(confinement, "_limit", limits.append)
    monkeypatch.setattr(confinement, "_hook", lambda own: own)
    (tmp_path / "link.py").symlink_to(tmp_path / "mine.py")
    confinement.confine(tmp_path / "link.py", 300)
    assert sys.dont_write_bytecode is True
    assert hooks == [(tmp_path / "mine.py").resolve()] and limits == [300]
