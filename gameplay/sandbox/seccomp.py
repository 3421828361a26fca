"""A seccomp filter (Linux, x86-64 and ARM64): system calls that user code does not need fail with EPERM.

Denied: starting processes, sockets, signals to other processes, tracing, other users' ids, raising limits,
opening files for writing, and creating, changing or removing files and devices. Calls newer than the filter
fail with ENOSYS. Allowed: threads, memory, reading files. Needs `no_new_privs` and no privileges.
Source: "Seccomp BPF", docs.kernel.org/userspace-api/seccomp_filter.html; numbers: the kernel's unistd.h.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import Any

PR_SET_SECCOMP, MODE_FILTER = 22, 2

# name: its numbers on x86-64 and ARM64; None: the architecture has no such call
DENIED: dict[str, tuple[int | None, int | None]] = {
    # processes
    **{"execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None)},
    **{"ptrace": (101, 117), "setpgid": (109, 154), "setsid": (112, 157), "unshare": (272, 97)},
    **{"setns": (308, 268), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271)},
    **{"tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240)},
    **{"kcmp": (312, 272), "migrate_pages": (256, 238), "move_pages": (279, 239), "personality": (135, 92)},
    # network and messages between processes
    **{"socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200)},
    **{"listen": (50, 201), "accept": (43, 202), "accept4": (288, 242), "shmget": (29, 194)},
    **{"shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180)},
    **{"memfd_create": (319, 279)},
    # files
    **{"mknod": (133, None), "mknodat": (259, 33), "mkdir": (83, None), "mkdirat": (258, 34)},
    **{"unlink": (87, None), "unlinkat": (263, 35), "rmdir": (84, None), "rename": (82, None)},
    **{"renameat": (264, 38), "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37)},
    **{"symlink": (88, None), "symlinkat": (266, 36), "chmod": (90, None), "fchmod": (91, 52)},
    **{"fchmodat": (268, 53), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None)},
    **{"fchownat": (260, 54), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47)},
    **{"utime": (132, None), "utimes": (235, None), "utimensat": (280, 88), "futimesat": (261, None)},
    **{"setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14)},
    **{"lremovexattr": (198, 15), "fremovexattr": (199, 16), "creat": (85, None)},
    **{"inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262)},
    **{"name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265)},
    # limits and identities
    **{"setrlimit": (160, 164), "setuid": (105, 146), "setgid": (106, 144), "setreuid": (113, 145)},
    **{"setregid": (114, 143), "setresuid": (117, 147), "setresgid": (119, 149), "setgroups": (116, 159)},
    **{"setfsuid": (122, 151), "setfsgid": (123, 152), "capset": (126, 91)},
    **{"sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274)},
    **{"setpriority": (141, 140), "ioprio_set": (251, 30)},
    # the system
    **{"mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219)},
    **{"add_key": (248, 217), "request_key": (249, 218), "kexec_load": (246, 104)},
    **{"kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273)},
    **{"delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225)},
    **{"acct": (163, 89), "settimeofday": (164, 170), "clock_settime": (227, 112)},
    **{"clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161)},
    **{"setdomainname": (171, 162), "quotactl": (179, 60), "syslog": (103, 116), "vhangup": (153, 58)},
    **{"iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None)},
}
# Decided by their arguments.
OPEN, OPENAT, CLONE, PRLIMIT = (2, None), (257, 56), (56, 220), (302, 261)
KILL, TGKILL, PRCTL, IOCTL = (62, 129), (234, 131), (157, 167), (16, 29)
# Calls from 424 on have the same number on all architectures: of these only close_range, faccessat2,
# epoll_pwait2 and futex_* are allowed. clone3 fails as on an old kernel, which makes the C library use clone.
SINCE = 424
NEWER = (436, 439, 441, 449, 454, 455, 456)

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0x400000  # __O_TMPFILE
CLONE_THREAD = 0x10000
NAMES = (15, 16)  # PR_SET_NAME, PR_GET_NAME
TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: type into a terminal

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column, AUDIT_ARCH
NUMBER, ARCHITECTURE = 0, 4  # offsets in seccomp_data


def available() -> bool:
    """True if this machine and its kernel are supported."""
    return platform.machine() in ARCHITECTURES and os.path.exists("/proc/sys/kernel/seccomp/actions_avail")


def restrict(libc: Any) -> bool:
    """Install the filter for this thread and its children; false if not available."""
    if platform.machine() not in ARCHITECTURES:
        return False
    code = program(platform.machine(), os.getpid())
    filters = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(
        struct.pack("@HP", len(code) // 8, ctypes.addressof(filters))  # struct sock_fprog
    )
    return bool(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, header, 0, 0) == 0)


def program(machine: str, pid: int) -> bytes:
    """The BPF program of the filter for a process."""
    column, architecture = ARCHITECTURES[machine]
    code = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, 0x40000000),  # the x32 calls of x86-64
        (RETURN, 0, 0, REFUSE),
    ]
    for numbers in DENIED.values():
        code += _if_call(numbers[column], [(RETURN, 0, 0, REFUSE)])
    for numbers, index in ((OPEN, 1), (OPENAT, 2)):
        writes = [(ANY_BIT, 0, 1, WRITING), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
        code += _if_call(numbers[column], [_argument(index), *writes])
    threads_only = [(ANY_BIT, 1, 0, CLONE_THREAD), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    code += _if_call(CLONE[column], [_argument(0), *threads_only])
    reads_only = [
        *(_argument(2), (EQUAL, 0, 3, 0), _argument(2, high=True), (EQUAL, 0, 1, 0)),
        *((RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)),
    ]
    code += _if_call(PRLIMIT[column], reads_only)
    for numbers in (KILL, TGKILL):
        own_process = [(EQUAL, 0, 1, pid), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
        code += _if_call(numbers[column], [_argument(0), *own_process])
    names_only = [
        (EQUAL, 1, 0, NAMES[0]),
        (EQUAL, 0, 1, NAMES[1]),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    code += _if_call(PRCTL[column], [_argument(0), *names_only])
    types = [(EQUAL, 1, 0, TERMINAL[0]), (EQUAL, 0, 1, TERMINAL[1]), (RETURN, 0, 0, REFUSE)]
    code += _if_call(IOCTL[column], [_argument(1), *types, (RETURN, 0, 0, ALLOW)])
    code += [(AT_LEAST, 1, 0, SINCE), (RETURN, 0, 0, ALLOW)]
    for number in NEWER:
        code += _if_call(number, [(RETURN, 0, 0, ALLOW)])
    code.append((RETURN, 0, 0, UNKNOWN))
    return b"".join(struct.pack("=HBBI", *line) for line in code)


def _if_call(number: int | None, actions: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Instructions that execute `actions` if the accumulator holds the system call `number`."""
    return [] if number is None else [(EQUAL, 0, len(actions), number), *actions]


def _argument(index: int, high: bool = False) -> tuple[int, int, int, int]:
    """Load the low or high half of argument `index` into the accumulator."""
    return (LOAD, 0, 0, 16 + 8 * index + 4 * high)
