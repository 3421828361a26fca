"""Operations forbidden to a process with untrusted code, one by one; none is executed here."""

import os
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay.sandbox import confinement, seccomp
from gameplay.sandbox.confinement import Confinement
from gameplay.usercode import fence

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
    "call a library of C": ("ctypes.dlopen", "ctypes.dlsym"),
    "change its limits": ("resource.setrlimit", "resource.prlimit"),
    "write a file": ("tempfile.mkstemp", "tempfile.mkdtemp"),
    "use the network": ("socket.connect", "socket.__new__", "socket.bind"),
}


@pytest.fixture
def hook(tmp_path, monkeypatch):
    """The hook called before each call while the code of tmp_path/mine.py is running."""
    monkeypatch.setattr(fence, "is_running", lambda: True)
    return confinement._make_hook([*confinement._readable_paths(()), str(tmp_path / "mine.py")])


@pytest.mark.parametrize(
    ("would", "event"), [(would, entry) for would, every in DEEDS.items() for entry in every]
)
def test_each_deed_is_forbidden_and_named(would, event, hook):
    with pytest.raises(fence.Forbidden) as error:
        hook(event, ())
    assert str(error.value) == f"{event} would {would}, which is forbidden"


def test_harmless_operations_are_allowed(hook):
    for event in (
        "import",
        "compile",
        "exec",
        "object.__getattr__",
        "sys._getframe",
        "time.sleep",
    ):
        hook(event, ())


@pytest.mark.parametrize("flag", ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"])
def test_hook_refuses_writing_even_the_file_itself(flag, hook, tmp_path):
    with pytest.raises(fence.Forbidden) as refused:
        hook("open", (str(tmp_path / "mine.py"), "w", getattr(os, flag) | os.O_CLOEXEC))
    assert str(refused.value) == "writing mine.py is forbidden: an engine may write no files"


@pytest.mark.parametrize("inside", [True, False])
def test_hook_allows_reading_python_and_the_file_only(inside, hook, tmp_path, monkeypatch):
    """On any thread and from any caller: nothing else in the process needs to read."""
    monkeypatch.setattr(fence, "is_running", lambda: inside)
    package = Path(confinement.__file__).parents[1]
    stdlib = Path(os.__file__).parent
    for path in (tmp_path / "mine.py", package / "games" / "chess" / "game.py", stdlib / "ast.py"):
        hook("open", (str(path), "r", os.O_RDONLY))
        hook("open", (os.fsencode(path), "r", os.O_RDONLY | os.O_CLOEXEC))
    hook("open", (3, "w", os.O_RDWR))  # a file that is open already
    for path in (tmp_path / "other.py", Path(f"{package}s/a.py"), tmp_path / "mine.py/../secret.txt"):
        with pytest.raises(confinement.ForbiddenFile) as refused:
            hook("open", (str(path), "r", os.O_RDONLY))
        assert isinstance(refused.value, PermissionError)
        assert str(refused.value) == f"reading {path.name} is forbidden: an engine may read no files"


def test_hook_lets_user_code_list_readable_folders_only(hook, tmp_path, monkeypatch):
    hook("os.listdir", (str(Path(os.__file__).parent),))
    for arguments in ((str(tmp_path),), (None,), ()):
        with pytest.raises(fence.Forbidden, match=r"os\.listdir would list files"):
            hook("os.listdir", arguments)
    monkeypatch.setattr(fence, "is_running", lambda: False)
    hook("os.listdir", (str(tmp_path),))  # imports look into the folders on sys.path


def test_packages_that_are_forbidden_and_not_loaded_are_not_readable(monkeypatch):
    package = Path(confinement.__file__).resolve().parents[1]
    monkeypatch.setitem(sys.modules, "gameplay.search", object())
    monkeypatch.delitem(sys.modules, "gameplay.lessons", raising=False)
    for name in [name for name in sys.modules if name.startswith("gameplay.lessons.")]:
        monkeypatch.delitem(sys.modules, name)
    readable = confinement._readable_paths(("gameplay.lessons", "gameplay.search", "gameplay"))
    assert str(package / "lessons") not in readable and str(package) not in readable
    assert {str(package / "search"), str(package / "games"), str(package / "value.py")} <= set(readable)
    assert not [place for place in readable if Path(place) in package.parents]


def test_module_prefixes_match_whole_names():
    assert (
        confinement.containing_module("a.b.c", ["x", "a.b"])
        == "a.b"
        == confinement.containing_module("a.b", ["a.b"])
    )
    assert confinement.containing_module("a.bc", ["a.b"]) == confinement.containing_module("a", ["a.b"]) == ""
    assert confinement.containing_module("gameplay.search.report.Report", ["gameplay.search"]) == ""
    assert (
        confinement.containing_module("gameplay.search.limit", ["gameplay.search.limit"])
        == "gameplay.search.limit"
    )
    assert confinement.containing_module("gameplay.search.root", ["gameplay.search"]) == "gameplay.search"


class Resource:
    """Replaces the resource limits of the module `resource`."""

    RLIM_INFINITY, RUSAGE_SELF = -1, "self"
    RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_NOFILE = "as", "cpu", "fsize", "core", "nofile"

    def __init__(self, hard, wrong=None):
        self.hard, self.wrong, self.set = hard, wrong, {}

    def getpagesize(self):
        return 4096

    def getrusage(self, who):
        assert who == "self"
        return SimpleNamespace(ru_maxrss=5000)

    def getrlimit(self, which):
        return 7, self.hard if which == "as" else -1

    def setrlimit(self, which, limits):
        if self.wrong:
            raise self.wrong
        self.set[which] = limits


@pytest.mark.parametrize(
    ("pages", "hard", "most"),
    [
        ("1000 20 3", -1, 1000 * 4096 + 3 * 2**20),
        ("1000 20 3", 7_000_000, 7_000_000),
        ("1000 20 3", 9_000_000, 1000 * 4096 + 3 * 2**20),
        (None, -1, 5000 * 1024 + 3 * 2**20),
    ],
)
def test_limits_are_hard_and_memory_is_limited_above_current_use(pages, hard, most, monkeypatch):
    """If the system does not report the size, above its maximum; never above an existing limit."""

    def text(path):
        assert str(path) == "/proc/self/statm"
        if pages is None:
            raise OSError
        return pages

    limits = Resource(hard)
    monkeypatch.setitem(sys.modules, "resource", limits)
    monkeypatch.setattr(Path, "read_text", text)
    assert confinement._set_limits(Confinement(memory=3, cpu=20)) == ["hard limits"]
    assert limits.set == {
        "as": (most, most), "cpu": (20, 20), "fsize": (0, 0), "core": (0, 0), "nofile": (64, 64),
    }  # fmt: skip


def test_missing_limits_are_left_out(monkeypatch):
    for wrong in (ValueError(), OSError()):
        monkeypatch.setitem(sys.modules, "resource", Resource(-1, wrong))
        confinement._set_limits(Confinement())
    monkeypatch.setitem(sys.modules, "resource", None)
    assert confinement._set_limits(Confinement()) == []


def run_filter(code, number, arguments=(), architecture=0xC000003E):
    """The result of a seccomp filter for a system call, by interpreting its instructions."""
    words = {0: number, 4: architecture}
    for place, argument in enumerate(arguments):
        words |= {16 + 8 * place: argument & 0xFFFFFFFF, 20 + 8 * place: argument >> 32 & 0xFFFFFFFF}
    lines = list(struct.iter_unpack("=HBBI", code))
    at = value = 0
    while True:
        kind, yes, no, k = lines[at]
        at += 1
        if kind == seccomp.RETURN:
            return k
        if kind == seccomp.LOAD:
            value = words.get(k, 0)
            continue
        met = {
            seccomp.EQUAL: value == k,
            seccomp.AT_LEAST: value >= k,
            seccomp.ANY_BIT: bool(value & k),
        }[kind]
        at += yes if met else no


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_filter_blocks_listed_system_calls_and_allows_others(machine, column):
    kernel = seccomp.ARCHITECTURES[machine][1]
    code = seccomp.program(machine, 4321)
    assert len(code) // 8 < 4096  # BPF_MAXINSNS

    def ran(number, *arguments):
        return run_filter(code, number, arguments, kernel)

    allow, refuse, unknown = seccomp.ALLOW, seccomp.REFUSE, seccomp.UNKNOWN
    for name, numbers in seccomp.DENIED.items():
        assert numbers[column] is None or ran(numbers[column]) == refuse, name
    read, mmap, futex, exits = {"x86_64": (0, 9, 202, 231), "aarch64": (63, 222, 98, 94)}[machine]
    assert [ran(number) for number in (read, mmap, futex, exits, 436, 439)] == [allow] * 6
    assert [ran(number) for number in (435, 425, 437, 438, 447, 460, 999)] == [unknown] * 7
    openat = seccomp.OPENAT[column]
    assert ran(openat, 0, 0, os.O_RDONLY | os.O_CLOEXEC) == allow
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, 0x400000):
        assert ran(openat, 0, 0, flag) == refuse
    clone, prlimit, kill = seccomp.CLONE[column], seccomp.PRLIMIT[column], seccomp.KILL[column]
    assert (ran(clone, 0x3D0F00), ran(clone, 0x1200011)) == (allow, refuse)
    assert [ran(prlimit, 0, 9, new) for new in (0, 1, 1 << 40)] == [allow, refuse, refuse]
    for number in (kill, seccomp.TGKILL[column]):
        assert [ran(number, pid) for pid in (4321, 1, 0, -1, -4321)] == [allow] + [refuse] * 4
    prctl, ioctl = seccomp.PRCTL[column], seccomp.IOCTL[column]
    assert [ran(prctl, option) for option in (15, 16, 4, 22, 23)] == [allow] * 2 + [refuse] * 3
    assert [ran(ioctl, 0, kind) for kind in (0x5401, 0x5412, 0x541C)] == [allow, refuse, refuse]
    assert run_filter(code, read, (), 0x40000003) == seccomp.KILL_PROCESS  # 32-bit calls
    if machine == "x86_64":
        assert ran(0x40000000 + read) == refuse
