"""Run the command line without POSIX: `python without_posix.py COMMAND...`; `import`: all modules.

What Windows lacks cannot be imported or is gone, and processes are spawned. What the standard library itself
needs on this machine is loaded first.
"""

import asyncio  # noqa: F401
import concurrent.futures.process  # noqa: F401
import importlib
import importlib.abc
import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker
import os
import pkgutil
import selectors  # noqa: F401
import signal
import socket
import sqlite3  # noqa: F401
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
from typing import Any

import platformdirs  # noqa: F401

MODULES = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
GONE: dict[Any, str] = {
    os: "O_CLOEXEC O_NONBLOCK O_NOFOLLOW O_DIRECTORY WNOHANG WUNTRACED chown fchmod fchown fdatasync fork "
    "forkpty geteuid getgid getloadavg getpgid getuid killpg memfd_create mkfifo nice openpty posix_fadvise "
    "pread register_at_fork sched_getaffinity setpgid setsid sysconf ttyname uname wait3 wait4",
    signal: "ITIMER_REAL SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN "
    "SIGTTOU SIGUSR1 SIGUSR2 SIGWINCH SIGXCPU alarm pause pthread_kill setitimer siginterrupt "
    "sigtimedwait sigwait",
    socket: "AF_UNIX",
}


class Absent(importlib.abc.MetaPathFinder):
    """Modules that cannot be imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in MODULES:
            raise ImportError(f"No module named '{name}'", name=name)


def leave_out() -> None:
    """Remove the modules and functions that do not exist on Windows."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent())
    for module, names in GONE.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    multiprocessing.get_all_start_methods = lambda: ["spawn"]


def main() -> None:
    """Run the program."""
    if sys.argv[1:] == ["import"]:
        import pettingzoo  # noqa: F401  # NumPy, which it needs, is another build on Windows
    leave_out()
    if sys.argv[1:] == ["import"]:
        import gameplay

        for module in pkgutil.walk_packages(gameplay.__path__, "gameplay."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        print("all modules")
        return
    from gameplay.cli import main as command

    command()


if __name__ == "__main__":
    main()
