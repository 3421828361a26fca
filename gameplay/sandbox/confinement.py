"""Restricts a process before it runs user code.

    confine(own, confinement)    from now on no file but Python's, gameplay's and `own` can be read, and none
                                 can be changed; no process is started, nothing is sent

Two layers. The kernel's, on Linux: hard resource limits, an unprivileged user id where the caller is root,
`no_new_privs`, Landlock and a seccomp filter; user code cannot undo them. Audit hooks (PEP 578) and the
import barrier, everywhere: they report what is forbidden in the line that tries it, and stop mistakes and
idle tricks; code that modifies the interpreter gets around them. `layers` lists what this system has.
"""

import builtins
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from gameplay.usercode import fence

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Audit events: what the call would do.
WOULD = {
    **dict.fromkeys(("os.fork", "os.forkpty"), "copy the process"),
    **dict.fromkeys(("os.exec", "os.posix_spawn", "os.spawn", "os.startfile"), "start a program"),
    **dict.fromkeys(("os.system", "subprocess.Popen", "pty.spawn"), "start a program"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), "send a signal"),
    **dict.fromkeys(("os.remove", "os.rmdir"), "delete a file"),
    **dict.fromkeys(("os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate"), "change files"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"), "change files"),
    **dict.fromkeys(("sqlite3.connect", "dbm.open"), "open a database"),
    **dict.fromkeys(("resource.setrlimit", "resource.prlimit"), "change its limits"),
    **dict.fromkeys(("ctypes.dlopen", "ctypes.dlsym", "ctypes.addressof"), "call a library of C"),
    "syslog.openlog": "write to the system log",
}
FAMILIES = {"shutil": "change files", "tempfile": "write a file", "socket": "use the network"}
LISTS = ("os.listdir", "os.scandir", "glob.glob")
PUBLIC = ("gameplay.search.report", "gameplay.search.limit")  # what `gameplay` itself offers of a package
FOREIGN = ("ctypes", "_ctypes", "cffi", "_cffi_backend")  # modules that call C by address
SITES = ("site-packages", "dist-packages", "lib-dynload")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo")

THREADS = 64  # ... and processes of the guest's user
FILES = 64  # open descriptors
PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
UIDS = range(61_184, 65_520)  # without a name on any system, as systemd hands them out


class ForbiddenFile(fence.Forbidden, PermissionError):
    """A file that user code may not open; an OSError, which code that can do without the file expects."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.strerror = words


@dataclass(frozen=True)
class Confinement:
    """How a guest is confined."""

    memory: int = 512  # megabytes beyond those of Python and gameplay
    cpu: int = 600  # seconds of processor time
    forbidden: tuple[str, ...] = ()  # modules of gameplay, or others, that it cannot import
    games: tuple[str, ...] = ()  # that are loaded before


def layers() -> dict[str, str]:
    """What the system offers to enforce a confinement: "missing", or "available" and details."""
    limits = "available" if os.name == "posix" else "missing"
    status = {"hard limits": limits, "Landlock": "missing", "seccomp": "missing"}
    if sys.platform == "linux":
        import ctypes

        from gameplay.sandbox import landlock, seccomp

        version = landlock.abi(ctypes.CDLL(None, use_errno=True))
        if version:
            status["Landlock"] = f"available (ABI {version})"
        if seccomp.available():
            status["seccomp"] = "available"
    return status


def confine(own: Path, confinement: Confinement) -> list[str]:
    """Restrict this process for good; `own` is the user's file. Returns the layers that are in force.

    Only one thread may be running. Where a layer is missing the others hold.
    """
    own = own.resolve()
    readable = [*_readable(confinement.forbidden), str(own)]
    sys.dont_write_bytecode = True
    enforced = _limit(confinement)
    if sys.platform == "linux":
        enforced += _kernel(readable)
    for name in FOREIGN:
        sys.modules.pop(name, None)
    bar_modules((*confinement.forbidden, *FOREIGN))
    sys.addaudithook(_hook(readable))
    return [*enforced, "audit hooks"]


def bar_modules(forbidden: Sequence[str]) -> None:
    """From now on no module of these names, or below them, is loaded; user code cannot import loaded ones."""
    sys.meta_path.insert(0, _Barrier(forbidden))
    builtins.__import__ = _guarded(builtins.__import__, forbidden)


# -- Python's layer ---------------------------------------------------------------------------------


def _hook(readable: Iterable[str]) -> Callable[[str, tuple[Any, ...]], None]:
    places = tuple({os.path.realpath(place) for place in readable})
    folders = tuple(place.rstrip(os.sep) + os.sep for place in places)
    resolved, decoded, name_of = os.path.realpath, os.fsdecode, os.path.basename

    def refused(path: Any) -> bool:
        name = resolved(decoded(path))
        return not (name.startswith(folders) or name in places)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int):
                return
            if flags & WRITES:
                name = name_of(decoded(path))
                raise ForbiddenFile(f"writing {name} is forbidden: an engine may write no files")
            if refused(path):
                name = name_of(decoded(path))
                raise ForbiddenFile(f"reading {name} is forbidden: an engine may read no files")
            return
        if event in LISTS:
            path = arguments[0] if arguments and arguments[0] is not None else "."
            if not isinstance(path, int) and refused(path) and fence.is_running():
                raise ForbiddenFile(f"{event} would list files, which is forbidden")
            return
        would = WOULD.get(event) or FAMILIES.get(event.partition(".")[0])
        if would:
            raise fence.Forbidden(f"{event} would {would}, which is forbidden")

    return hook


class _Barrier(MetaPathFinder):
    """Finds no module of a forbidden package that is not loaded, nor any for user code."""

    def __init__(self, forbidden: Sequence[str]) -> None:
        self.forbidden = tuple(forbidden)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """See `importlib.abc.MetaPathFinder`. Raises ImportError for a forbidden module."""
        which = containing_module(name, self.forbidden)
        if which and (which not in sys.modules or fence.is_running()):
            raise ImportError(f"{name} is forbidden here", name=name)


def _guarded(load: Callable[..., Any], forbidden: Sequence[str]) -> Callable[..., Any]:
    forbidden = tuple(forbidden)

    def guarded(name: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0) -> Any:
        if level == 0 and fence.is_fenced((globals or {}).get("__name__", "")):
            for full in (f"{name}.{one}" for one in names) if names else (name,):
                if containing_module(full, forbidden):
                    raise ImportError(f"{full} is forbidden here", name=full)
        return load(name, globals, locals, names, level)

    return guarded


def containing_module(name: str, modules: Iterable[str]) -> str:
    """The module of these that a name is, or lies below; "" for none, and for what is PUBLIC."""
    if name.startswith(PUBLIC):
        modules = [one for one in modules if one.startswith(PUBLIC)]
    return next((one for one in modules if name == one or name.startswith(f"{one}.")), "")


# -- the kernel's layer -----------------------------------------------------------------------------


def _readable(forbidden: Sequence[str]) -> list[str]:
    """Python's files, shared libraries, and gameplay's but for packages that are forbidden and not loaded."""
    package = Path(__file__).resolve().parents[1]
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {os.path.join(sys.base_prefix, "lib"), *LIBRARIES}
    folders |= {place for place in sys.path if os.path.basename(place) in SITES}
    places: set[Path] = set()
    for folder in {Path(place).resolve() for place in folders}:
        places.update(_without(folder, package))
    hidden = {one.removeprefix("gameplay.") for one in forbidden}
    hidden -= {name.split(".")[1] for name in sys.modules if name.startswith("gameplay.")}
    places.update(entry for entry in package.iterdir() if entry.name.partition(".")[0] not in hidden)
    return sorted(map(str, places))


def _without(folder: Path, package: Path) -> list[Path]:
    """A folder; where the package lies in it, the other entries of it and of the folders on the way."""
    if folder not in (package, *package.parents):
        return [folder]
    if folder == package:
        return []
    entries: list[Path] = []
    with suppress(OSError):
        for entry in folder.iterdir():
            entries += _without(entry, package)
    return entries


def _limit(confinement: Confinement) -> list[str]:
    """Set hard limits: memory, processor time, processes, files and their size."""
    try:
        import resource
    except ImportError:
        return []
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    wanted = {
        "RLIMIT_AS": used + (confinement.memory << 20),
        "RLIMIT_CPU": max(1, confinement.cpu),
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": FILES,
    }
    if sys.platform != "linux":  # where threads count as well, the seccomp filter forbids processes
        wanted["RLIMIT_NPROC"] = 1
    for name, most in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        with suppress(ValueError, OSError):  # not on this system
            resource.setrlimit(number, (most, most))
    return ["hard limits"]


def _kernel(readable: Sequence[str]) -> list[str]:
    import ctypes
    import platform
    import struct

    from gameplay.sandbox import landlock, seccomp

    libc = ctypes.CDLL(None, use_errno=True)
    enforced = []
    if os.geteuid() == 0 and _demote(readable[-1]):
        enforced.append("unprivileged user")
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NPROC, (THREADS, THREADS))
    capset = SYS_CAPSET.get(platform.machine())
    if capset is not None:  # what root, or a container, may do besides
        libc.syscall(capset, struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", *[0] * 6))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return enforced
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    enforced.append("no_new_privs")
    if landlock.restrict(libc, readable):
        enforced.append("Landlock")
    if seccomp.restrict(libc):
        enforced.append("seccomp")
    return enforced


def _demote(own: str) -> bool:
    """Become a user without rights, if that one can read Python, gameplay and the user's file."""
    uid = UIDS[os.getpid() % len(UIDS)]
    groups = os.getgroups()
    try:
        os.setgroups([])
        os.setegid(uid)
        os.seteuid(uid)
        for path in (own, __file__, os.__file__):
            with open(path, "rb"):
                pass
    except OSError:
        with suppress(OSError):
            os.seteuid(0)
            os.setegid(0)
            os.setgroups(groups)
        return False
    os.seteuid(0)
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    return True
