"""Restricts a process before it runs user code.

    confine(user_file, confinement)    permits reading only the files of Python and gameplay, and `user_file`;
                                       forbids changing files, starting processes and using the network

There are two layers. The kernel enforces, on Linux, hard resource limits, an unprivileged user id if the
caller is root, `no_new_privs`, Landlock and a seccomp filter; user code cannot undo them. Audit hooks (PEP
578) and an import barrier, everywhere, raise errors at the line of the attempt; they stop mistakes and simple
attempts, but code that modifies the interpreter can bypass them. `layers` lists the layers available on this
system.
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

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Audit events: what the call action do.
FORBIDDEN_EVENTS = {
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
FORBIDDEN_FAMILIES = {"shutil": "change files", "tempfile": "write a file", "socket": "use the network"}
LISTING_EVENTS = ("os.listdir", "os.scandir", "glob.glob")
# Importable even if their package is forbidden.
PUBLIC_MODULES = ("gameplay.search.report", "gameplay.search.limit")
C_MODULES = ("ctypes", "_ctypes", "cffi", "_cffi_backend")  # modules that call C by address
SITES = ("site-packages", "dist-packages", "lib-dynload")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo")

MAX_THREADS = 64  # of the guest's user, with processes
MAX_FILES = 64  # open descriptors
PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
UIDS = range(61_184, 65_520)  # unnamed user ids, in the range that systemd allocates


class ForbiddenFile(fence.Forbidden, PermissionError):
    """A file that user code may not open; an OSError, which code with optional files handles."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.strerror = words


@dataclass(frozen=True)
class Confinement:
    """The limits and forbidden modules of a guest."""

    memory: int = 512  # megabytes beyond those of Python and gameplay
    cpu: int = 600  # seconds of processor time
    forbidden: tuple[str, ...] = ()  # modules that cannot be imported
    games: tuple[str, ...] = ()  # loaded before the confinement


def layers() -> dict[str, str]:
    """The layers of confinement on this system: each "missing", or "available" with details."""
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


def confine(user_file: Path, confinement: Confinement) -> list[str]:
    """Restrict this process irreversibly; returns the layers in force. Requires a single thread.

    A missing layer does not weaken the others.
    """
    user_file = user_file.resolve()
    readable = [*_readable_paths(confinement.forbidden), str(user_file)]
    sys.dont_write_bytecode = True
    enforced = _set_limits(confinement)
    if sys.platform == "linux":
        enforced += _restrict_by_kernel(readable)
    for name in C_MODULES:
        sys.modules.pop(name, None)
    block_modules((*confinement.forbidden, *C_MODULES))
    sys.addaudithook(_make_hook(readable))
    return [*enforced, "audit hooks"]


def block_modules(forbidden: Sequence[str]) -> None:
    """Block the import of these modules and their submodules; user code cannot import loaded ones either."""
    sys.meta_path.insert(0, _Barrier(forbidden))
    builtins.__import__ = _guard_import(builtins.__import__, forbidden)


# -- Python's layer ---------------------------------------------------------------------------------


def _make_hook(readable: Iterable[str]) -> Callable[[str, tuple[Any, ...]], None]:
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
            if flags & WRITE_FLAGS:
                name = name_of(decoded(path))
                raise ForbiddenFile(f"writing {name} is forbidden: an engine may write no files")
            if refused(path):
                name = name_of(decoded(path))
                raise ForbiddenFile(f"reading {name} is forbidden: an engine may read no files")
            return
        if event in LISTING_EVENTS:
            path = arguments[0] if arguments and arguments[0] is not None else "."
            if not isinstance(path, int) and refused(path) and fence.is_running():
                raise ForbiddenFile(f"{event} would list files, which is forbidden")
            return
        action = FORBIDDEN_EVENTS.get(event) or FORBIDDEN_FAMILIES.get(event.partition(".")[0])
        if action:
            raise fence.Forbidden(f"{event} would {action}, which is forbidden")

    return hook


class _Barrier(MetaPathFinder):
    """Blocks forbidden modules that are not loaded, and all forbidden modules for user code."""

    def __init__(self, forbidden: Sequence[str]) -> None:
        self.forbidden = tuple(forbidden)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """See `importlib.abc.MetaPathFinder`. Raises ImportError for a forbidden module."""
        which = containing_module(name, self.forbidden)
        if which and (which not in sys.modules or fence.is_running()):
            raise ImportError(f"{name} is forbidden here", name=name)


def _guard_import(load: Callable[..., Any], forbidden: Sequence[str]) -> Callable[..., Any]:
    forbidden = tuple(forbidden)

    def guarded(name: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0) -> Any:
        if level == 0 and fence.is_fenced((globals or {}).get("__name__", "")):
            for full in (f"{name}.{attribute}" for attribute in names) if names else (name,):
                if containing_module(full, forbidden):
                    raise ImportError(f"{full} is forbidden here", name=full)
        return load(name, globals, locals, names, level)

    return guarded


def containing_module(name: str, modules: Iterable[str]) -> str:
    """The module among these that equals or contains a name; "" if none does, or for PUBLIC_MODULES."""
    if name.startswith(PUBLIC_MODULES):
        modules = [module for module in modules if module.startswith(PUBLIC_MODULES)]
    return next((module for module in modules if name == module or name.startswith(f"{module}.")), "")


# -- the kernel's layer -----------------------------------------------------------------------------


def _readable_paths(forbidden: Sequence[str]) -> list[str]:
    """The files of Python, shared libraries and gameplay, except forbidden packages that are not loaded."""
    package = Path(__file__).resolve().parents[1]
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {os.path.join(sys.base_prefix, "lib"), *LIBRARIES}
    folders |= {place for place in sys.path if os.path.basename(place) in SITES}
    places: set[Path] = set()
    for folder in {Path(place).resolve() for place in folders}:
        places.update(_exclude_package(folder, package))
    hidden = {module.removeprefix("gameplay.") for module in forbidden}
    hidden -= {name.split(".")[1] for name in sys.modules if name.startswith("gameplay.")}
    places.update(entry for entry in package.iterdir() if entry.name.partition(".")[0] not in hidden)
    return sorted(map(str, places))


def _exclude_package(folder: Path, package: Path) -> list[Path]:
    """A folder; if it contains the package, its entries without the package, recursively."""
    if folder not in (package, *package.parents):
        return [folder]
    if folder == package:
        return []
    entries: list[Path] = []
    with suppress(OSError):
        for entry in folder.iterdir():
            entries += _exclude_package(entry, package)
    return entries


def _set_limits(confinement: Confinement) -> list[str]:
    """Set hard limits of memory, processor time, processes, open files and file sizes."""
    try:
        import resource
    except ImportError:
        return []
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    limits = {
        "RLIMIT_AS": used + (confinement.memory << 20),
        "RLIMIT_CPU": max(1, confinement.cpu),
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": MAX_FILES,
    }
    if sys.platform != "linux":  # on Linux threads count too; the seccomp filter forbids processes there
        limits["RLIMIT_NPROC"] = 1
    for name, most in limits.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        with suppress(ValueError, OSError):  # not on this system
            resource.setrlimit(number, (most, most))
    return ["hard limits"]


def _restrict_by_kernel(readable: Sequence[str]) -> list[str]:
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
            resource.setrlimit(resource.RLIMIT_NPROC, (MAX_THREADS, MAX_THREADS))
    capset = SYS_CAPSET.get(platform.machine())
    if capset is not None:  # drop capabilities of root or a container
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


def _demote(user_file: str) -> bool:
    """Switch to an unprivileged user id, if it can read Python, gameplay and the user's file."""
    uid = UIDS[os.getpid() % len(UIDS)]
    groups = os.getgroups()
    try:
        os.setgroups([])
        os.setegid(uid)
        os.seteuid(uid)
        for path in (user_file, __file__, os.__file__):
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
