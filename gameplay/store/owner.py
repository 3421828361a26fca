"""Who plays a run: one process at a time, and when the lock of a process that has died is stale.

An owner is known by its pid, the moment the pid began (pids are used again), its host and the host's boot.
On the same host a lock is stale when that process is gone. Of other hosts we only know when the lock was
renewed last.
"""

import os
import socket
import time
from pathlib import Path

import msgspec

SILENCE = 600  # seconds without renewal after which the lock of another host is stale
RENEWAL = 30  # seconds after which an owner says again that it is there


class Owner(msgspec.Struct, frozen=True):
    """A process that plays a run. `since` is its start as the system counts it, or ""."""

    pid: int
    since: str
    host: str
    boot: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def me() -> Owner:
    """This process."""
    return Owner(os.getpid(), _began(os.getpid()), socket.gethostname(), _boot())


def alive(owner: Owner, renewed: float) -> bool:
    """True if the owner may still be at work; `renewed` is when it said so last (seconds since 1970)."""
    here = me()
    if owner.host != here.host:
        return abs(time.time() - renewed) < SILENCE
    if owner.boot != here.boot or not _runs(owner.pid):
        return False
    began = _began(owner.pid)
    return owner.since == began or not owner.since or not began  # where it cannot be read, the pid decides


def _boot() -> str:
    """The id of this start of the machine; "" where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _runs(pid: int) -> bool:
    if os.name == "nt":  # a signal would end the process there; the system is not asked
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return _stat(pid)[:1] != ["Z"]


def _began(pid: int) -> str:
    return (_stat(pid)[19:20] or [""])[0]


def _stat(pid: int) -> list[str]:
    """The fields of a process in /proc/PID/stat, from its state on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
