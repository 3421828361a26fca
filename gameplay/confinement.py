"""Keeps a process that runs somebody else's code to itself: what it may read, and how much memory it has.

    confine(own, megabytes)    from now on no file is written, moved or deleted, no program and no copy of the
                               process is started, nothing is sent, no library of C is loaded; the code that
                               `fence` was told of reads itself and Python's own files and nothing else

Whoever tries gets `fence.Forbidden` in the line that does it, by Python's audit hooks (PEP 578), of which
nobody gets rid again: it is for processes that are there for one engine. It stops mistakes and idle tricks.
Code in C, and code that looks for a way around it, need a container.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gameplay import fence

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events of auditing: what they would do.
WOULD = {
    **dict.fromkeys(("os.fork", "os.forkpty"), "copy the process"),
    **dict.fromkeys(("os.exec", "os.posix_spawn", "os.spawn", "os.startfile"), "start a program"),
    **dict.fromkeys(("os.system", "subprocess.Popen", "pty.spawn"), "start a program"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), "send a signal"),
    **dict.fromkeys(("os.remove", "os.rmdir"), "delete a file"),
    **dict.fromkeys(("os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate"), "change files"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr"), "change files"),
    **dict.fromkeys(("sqlite3.connect", "dbm.open"), "open a database"),
    "ctypes.dlopen": "load a library of C",
}
FAMILIES = {"shutil": "change files", "tempfile": "write a file", "socket": "use the network"}


def confine(own: Path, megabytes: int) -> None:
    """See the head of this file. `own` is the file of the code, `megabytes` what it gets beside Python.

    Where the system has no limits of memory (Windows), none is set.
    """
    import ctypes  # noqa: F401  what ends a thread that hangs needs it, and it can be loaded no more

    sys.dont_write_bytecode = True
    sys.addaudithook(_hook(own.resolve()))
    _limit(megabytes)


def _hook(own: Path) -> Callable[[str, tuple[Any, ...]], None]:
    package = Path(__file__).parent
    places = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, sys.exec_prefix, package)}
    readable = tuple(place.rstrip(os.sep) + os.sep for place in places)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int):
                return
            name = os.path.realpath(os.fsdecode(path))
            if flags & WRITES:
                raise fence.Forbidden(
                    f"to write {os.path.basename(name)} is forbidden: it may write no files"
                )
            if not name.startswith(readable) and name != str(own) and fence.inside():
                raise fence.Forbidden(f"to read {os.path.basename(name)} is forbidden: it may read no files")
            return
        would = WOULD.get(event) or FAMILIES.get(event.partition(".")[0])
        if would:
            raise fence.Forbidden(f"{event} would {would}, which is forbidden")

    return hook


def _limit(megabytes: int) -> None:
    try:
        import resource
    except ImportError:
        return
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    hardest = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = used + (megabytes << 20)
    if hardest != resource.RLIM_INFINITY:
        most = min(most, hardest)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hardest))
    except (ValueError, OSError):
        return  # not on this system
