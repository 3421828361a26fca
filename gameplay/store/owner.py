"""The process that plays a run, and whether the lock of a dead process is stale.

An owner is identified by its pid, the start time of the process (pids are reused), its host and the host's
boot id. On the same host a lock is stale when that process is gone. For other hosts only the time of the last
renewal is known.
"""

import os
import socket
import time
from pathlib import Path

import msgspec

SILENCE = 600  # seconds without renewal after which the lock of another host is stale
RENEWAL = 30  # seconds between renewals of a lock


class Owner(msgspec.Struct, frozen=True):
    """A process that plays a run. since: its start time in the system's units, or ""."""

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
    """True if the owner may still be running. renewed: time of the last renewal (seconds since 1970)."""
    here = me()
    if owner.host != here.host:
        return abs(time.time() - renewed) < SILENCE
    if owner.boot != here.boot or not _runs(owner.pid):
        return False
    began = _began(owner.pid)
    return owner.since == began or not owner.since or not began  # if unreadable, the pid decides


def _boot() -> str:
    """The boot id of this machine; "" if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _runs(pid: int) -> bool:
    if os.name == "nt":  # signal 0 would end the process there
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
    """The fields of /proc/PID/stat from the process state on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
