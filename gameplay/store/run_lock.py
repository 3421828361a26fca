"""Locks of runs: the process that plays a run, and the test for stale locks.

An owner is identified by its pid, the start time of the process (pids are reused), its host and the host's
boot id. On the same host a lock is stale if that process has ended; on another host, if it was not renewed
for EXPIRY seconds.
"""

import os
import socket
import time
from pathlib import Path

import msgspec

EXPIRY = 600  # seconds after its last renewal at which a lock of another host is stale
RENEWAL = 30  # seconds between renewals of a lock


class Owner(msgspec.Struct, frozen=True):
    """A process that plays a run. since: its start time in the system's units, or ""."""

    pid: int
    since: str
    host: str
    boot: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def this_process() -> Owner:
    """This process."""
    return Owner(os.getpid(), _start_time(os.getpid()), socket.gethostname(), _boot_id())


def is_alive(owner: Owner, renewed: float) -> bool:
    """True if the owner may still be running. renewed: time of the last renewal (seconds since 1970)."""
    current = this_process()
    if owner.host != current.host:
        return abs(time.time() - renewed) < EXPIRY
    if owner.boot != current.boot or not _is_running(owner.pid):
        return False
    since = _start_time(owner.pid)
    return owner.since == since or not owner.since or not since  # if unreadable, the pid decides


def _boot_id() -> str:
    """The boot id of this machine; "" if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # signal 0 would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return _process_fields(pid)[:1] != ["Z"]


def _start_time(pid: int) -> str:
    return (_process_fields(pid)[19:20] or [""])[0]


def _process_fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the process state on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
