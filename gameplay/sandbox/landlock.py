"""Landlock (Linux 5.13): restricts this thread and its children to reading given files.

`restrict` needs no privileges, only `no_new_privs`. Open file descriptors remain usable.
Source: Mickaël Salaün, "Landlock: unprivileged access control", docs.kernel.org/userspace-api/landlock.html.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
VERSION = 1  # flag of CREATE_RULESET: return the ABI
PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_ACCESS = (1 << 13) - 1  # ABI 1: execute, write, read, list, remove, make
LATER_ACCESS = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # by ABI: move between folders, truncate, device ioctl
NETWORK = 0b11  # ABI 4: bind and connect TCP
SCOPES = 0b11  # ABI 6: abstract UNIX sockets, signals to processes outside


def abi(libc: Any) -> int:
    """The ABI of the running kernel; 0 if Landlock is missing or disabled."""
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION))
    return max(0, int(version))


def restrict(libc: Any, readable: Iterable[str]) -> bool:
    """Forbid all file access except reading at or below the paths in `readable`; false if not available."""
    version = abi(libc)
    if not version:
        return False
    access = FILE_ACCESS
    for since, bit in LATER_ACCESS.items():
        access |= bit if version >= since else 0
    attributes = struct.pack("=Q", access)
    if version >= 4:
        attributes += struct.pack("=Q", NETWORK)
    if version >= 6:
        attributes += struct.pack("=Q", SCOPES)
    rules = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(libc, rules, path)
        return bool(libc.syscall(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0)) == 0)
    finally:
        os.close(rules)


def _allow(libc: Any, rules: int, path: str) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined, unused-ignore]
    except OSError:
        return  # a missing file cannot be read
    try:
        access = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE
        rule = struct.pack("=Qi", access, descriptor)
        libc.syscall(ADD_RULE, ctypes.c_int(rules), ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)
