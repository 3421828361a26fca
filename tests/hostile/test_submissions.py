"""Attacks by a student's file in a confined guest: sandbox escapes, and ways to block or cheat a judge.

The first group runs in one process, which reports what each attempt came to in the words of an exception. The
second group ends or blocks its process, so that each has one.
"""

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.errors import EngineFault, GameplayError
from gameplay.sandbox import Confinement, GuestEngine, Host, Origin
from gameplay.sandbox.engine import create_engine
from gameplay.search.session import Session
from gameplay.suites.assignment import LIBRARY

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")]

CONFINEMENT = Confinement(memory=200, forbidden=LIBRARY, games=("tictactoe",))
SECRET = "the expected move is b2"


def engine(file: Path, text: str) -> GuestEngine:
    """The engine of a file with this text, in a confined guest."""
    file.write_text(text)
    engine, _ = create_engine(Host(str(file), CONFINEMENT))
    engine.at(Origin("tictactoe"))
    return engine


def search_or_fault(engine: GuestEngine, hang_timeout: float = 30.0) -> Any:
    """The report of a search, or the text of the fault."""
    session = Session(engine)
    session.hang_timeout = hang_timeout
    try:
        return session.search(registry.game("tictactoe").new(), Limit(depth=1))
    except EngineFault as fault:
        return str(fault)
    finally:
        engine.host.kill()


# Attempts in user code: each is an expression that gives something true if it came through. SECRET_FILE,
# FOLDER and PARENT are filled in.
ATTEMPTS = {
    # reading
    "open": "open(SECRET_FILE).read()",
    "os.open": "os.read(os.open(SECRET_FILE, os.O_RDONLY), 99)",
    "FileIO": "io.FileIO(SECRET_FILE).read()",
    "open_code": "io.open_code(SECRET_FILE).read()",
    "thread": "in_thread(lambda: open(SECRET_FILE).read())",
    "linecache": "linecache.getline(SECRET_FILE, 1)",
    "loader": "importlib.machinery.SourceFileLoader('x', SECRET_FILE).get_data(SECRET_FILE)",
    "fileinput": "list(fileinput.input(SECRET_FILE))",
    "pathlib": "pathlib.Path(SECRET_FILE).read_bytes()",
    "link": "open(os.path.join(FOLDER, 'link')).read()",
    "relative": "open(os.path.join(os.path.dirname(__file__), '..', FOLDER, 'secret.txt')).read()",
    "list": "os.listdir(FOLDER)",
    "glob": "glob.glob(FOLDER + '/*')",
    "scandir": "list(os.scandir(FOLDER))",
    "passwd": "open('/etc/passwd').read()",
    "memory of the judge": "open(f'/proc/{PARENT}/mem', 'rb').read(1)",
    "environment of the judge": "open(f'/proc/{PARENT}/environ').read()",
    "secrets in the environment": "os.environ.get('JUDGE_TOKEN')",
    "objects": "[d for d in gc.get_objects() if type(d) is dict and secret() in map(str, d.values())]",
    "frames": "[1 for frame in sys._current_frames().values() if secret() in str(frame.f_locals)]",
    "search in our sources": "open(PACKAGE + '/engines/alphabeta.py').read()",
    # writing
    "write": "open(FOLDER + '/out', 'w').write('x')",
    "write in /dev/shm": "open('/dev/shm/gameplay-test', 'w').write('x')",
    "append to itself": "open(__file__, 'a').write('x')",
    "mkfifo": "os.mkfifo(FOLDER + '/fifo') or 1",
    "mknod": "os.mknod(FOLDER + '/node', 0o600 | stat.S_IFCHR, os.makedev(1, 3)) or 1",
    "mkdir": "os.mkdir(FOLDER + '/made') or 1",
    "symlink": "os.symlink('/', FOLDER + '/root') or 1",
    "hard link": "os.link(SECRET_FILE, FOLDER + '/hard') or 1",
    "remove": "os.remove(SECRET_FILE) or 1",
    "rename": "os.rename(SECRET_FILE, FOLDER + '/other') or 1",
    "chmod": "os.chmod(SECRET_FILE, 0o777) or 1",
    "truncate": "os.truncate(SECRET_FILE, 0) or 1",
    "tempfile": "tempfile.mkstemp(dir=FOLDER)",
    "database": "sqlite3.connect(FOLDER + '/x.db').execute('create table t (a)')",
    "copy": "shutil.copy(SECRET_FILE, FOLDER + '/copy')",
    # processes, signals, network, limits
    "fork": "os.fork() or os._exit(0)",
    "system": "os.system('true') == 0",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "exec": "os.execv('/bin/true', ['true'])",
    "subprocess": "subprocess.run(['true'])",
    "multiprocessing": "multiprocessing.get_context('fork').Process(target=int).start() or 1",
    "signal the judge": "os.kill(PARENT, signal.SIGCONT) or 1",
    "signal all": "os.kill(-1, signal.SIGCONT) or 1",
    "leave the process group": "os.setsid()",
    "socket": "socket.socket()",
    "socketpair": "socket.socketpair()",
    "memory limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) or 1",
    "soft limit": "resource.getrlimit(resource.RLIMIT_AS)[1] == -1",
    "processor limit": "resource.getrlimit(resource.RLIMIT_CPU)[1] == -1",
    "prlimit of the judge": "resource.prlimit(PARENT, resource.RLIMIT_AS, (1, 1))",
    "user": "os.setuid(0) or os.setgroups([0]) or 1",
    # Python
    "subclasses": "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0](['true'])",
    "pickle": "pickle.loads(b'cos\\nsystem\\n(S\\'true\\'\\ntR.') == 0",
    "frame": "sys._getframe().f_back.f_builtins['open'](SECRET_FILE).read()",
    "code": "eval(compile('open(SECRET_FILE).read()', 'x', 'eval'))",
    "trace": "sys.settrace(lambda *_: None) or open(SECRET_FILE).read()",
    "profile": "sys.setprofile(None) or open(SECRET_FILE).read()",
    "warnings": "warnings.catch_warnings()._module.sys.modules['os'].system('true') == 0",
    "realpath": "forge(os.path, 'realpath', lambda path, **_: os.__file__) or open(SECRET_FILE).read()",
    "name": "renamed(lambda: open(SECRET_FILE).read())",
    "ctypes": "__import__('ctypes').CDLL(None)",
    "ctypes by loader": "importlib.import_module('_ctypes')",
    # the library's engines
    "engine": "__import__('gameplay.registry').registry.engine('alphabeta')",
    "engine by modules": "sys.modules['gameplay.registry'].engine('alphabeta')",
    "engine by import": "importlib.import_module('gameplay.engines.alphabeta')",
    "engine by file": "importlib.machinery.SourceFileLoader('x', PACKAGE + '/engines/dfid.py').load_module()",
    "suites": "importlib.import_module('gameplay.suites.assignment')",
    "solver": "position.solver(10)",
}
# After the audit hooks are gone: what the kernel alone prevents.
KERNEL = {
    "open": "open(SECRET_FILE).read()",
    "write": "open(FOLDER + '/out', 'w').write('x')",
    "system": "os.system('true') == 0",
    "fork": "os.fork.__wrapped__() or os._exit.__wrapped__(0)",
    "socket": "socket.socket()",
    "kill": "os.kill(PARENT, signal.SIGCONT) or 1",
    "limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) or 1",
    "mknod": "os.mknod(FOLDER + '/node', 0o600 | stat.S_IFIFO) or 1",
    "chmod": "os.chmod(SECRET_FILE, 0o777) or 1",
    "memory of the judge": "open(f'/proc/{PARENT}/mem', 'rb').read(1)",
    "ptrace": "libc().ptrace(16, PARENT, 0, 0) == 0",
    "process_vm_readv": "libc().process_vm_readv(PARENT, 0, 0, 0, 0, 0) == 0",
    "open by system call": "libc().open(SECRET_FILE.encode(), 0) >= 0",
    "execve": "libc().execv(b'/bin/true', None) == 0",
    "unshare": "libc().unshare(0x10000000) == 0",
    "io_uring": "libc().syscall(425, 1, 0) >= 0",
    "memfd": "libc().memfd_create(b'x', 0) >= 0",
    "no filter": "libc().prctl(22, 0, 0, 0, 0) == 0",
    "engine": "open(PACKAGE + '/engines/alphabeta.py').read()",
}
PROGRAM = """
import fileinput, gc, glob, importlib, importlib.machinery, io, json, linecache, multiprocessing, os, pathlib
import pickle, resource, shutil, signal, socket, sqlite3, stat, subprocess, sys, tempfile, threading, types
import warnings

SECRET_FILE, FOLDER, PACKAGE, PARENT = {secret!r}, {folder!r}, {package!r}, os.getppid()
def secret():  # not as a text that gc.get_objects() would find
    return "".join(chr(code) for code in {codes!r})

def in_thread(call):
    results = []
    def run():
        try:
            results.append(call())
        except BaseException:
            pass
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results

def forge(place, name, value):
    setattr(place, name, value)

def renamed(call):
    return types.FunctionType(call.__code__, {{**globals(), "__name__": "gameplay.search.session"}})()

def unhook():
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ == "hook" and "confinement" in one.__module__:
            one.__code__ = (lambda *_: lambda event, arguments: None).__code__.co_consts[1].replace(
                co_freevars=one.__code__.co_freevars)
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__name__ != "_Barrier"]

def libc():
    import importlib
    return importlib.import_module("ctypes").CDLL(None)

def choose(position):
    {before}
    results = []
    for attempt in {attempts!r}.values():
        try:
            results.append(str(bool(eval(attempt, {{**globals(), "position": position}}))))
        except BaseException as error:
            results.append(type(error).__name__)
    raise RuntimeError("RESULTS " + "".join({outcomes!r}.get(one, "x") for one in results) + " END")
"""


OUTCOMES = {"True": "T", "False": "F", "PermissionError": "P", "OSError": "O", "ValueError": "V"}  # other: x


def attempt(tmp_path: Path, attempts: dict[str, str], before: str = "pass") -> tuple[dict[str, Any], Any]:
    """The result of each attempt: True, False, or the name of its exception; and the active layers."""
    folder = tmp_path / "judge"
    folder.mkdir()
    (folder / "secret.txt").write_text(SECRET)
    (folder / "link").symlink_to(folder / "secret.txt")
    left = sorted(path.name for path in folder.iterdir())
    package = str(Path(registry.__file__).parent)
    text = PROGRAM.format(
        secret=str(folder / "secret.txt"), folder=str(folder), package=package, attempts=attempts,
        before=before, codes=[ord(letter) for letter in SECRET], outcomes=OUTCOMES,
    )  # fmt: skip
    searcher = engine(tmp_path / "mine.py", text)
    words = search_or_fault(searcher)
    assert isinstance(words, str) and "RESULTS " in words, words
    letters = words.partition("RESULTS ")[2].partition(" END")[0]
    assert len(letters) == len(attempts), words
    names = {letter: name for name, letter in OUTCOMES.items()} | {"T": True, "F": False, "x": "another"}
    results = {name: names[letter] for name, letter in zip(attempts, letters, strict=True)}
    assert sorted(path.name for path in folder.iterdir()) == left, "files were made or removed"
    assert (folder / "secret.txt").read_text() == SECRET and not Path("/dev/shm/gameplay-test").exists()
    return results, searcher.ready.layers


def test_confined_code_reads_writes_starts_and_signals_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_TOKEN", SECRET)
    results, layers = attempt(tmp_path, ATTEMPTS)
    assert results.keys() == ATTEMPTS.keys() and len(ATTEMPTS) > 60
    through = [name for name, came in results.items() if came is True]
    assert through == [], (through, layers)


def test_kernel_confinement_holds_without_audit_hooks(tmp_path: Path) -> None:
    results, layers = attempt(tmp_path, KERNEL, "unhook()")
    if not {"Landlock", "seccomp"} <= set(layers):
        pytest.skip("this kernel has no Landlock or no seccomp")
    assert results.keys() == KERNEL.keys()
    assert [name for name, came in results.items() if came is True] == []
    by_kernel = {
        name for name, came in results.items() if came in ("PermissionError", "OSError", "ValueError", False)
    }
    assert by_kernel == set(KERNEL), results


CHOOSE = "def choose(position):\n"
MOVE = "    return position.moves()[0]\n"
# What ends, blocks or forges the connection of its process: the fault, as a pattern.
FATAL = {
    "writes to every descriptor": (
        f"import os\n{CHOOSE}    for number in range(64):\n        try:\n"
        "            os.write(number, b'garbage' * 99)\n        except OSError:\n            pass\n" + MOVE,
        r"mine wrote to the connection of its process: a message of [\d,]+ bytes exceeds the limit of 1,",
    ),
    "forges a reply": (
        f"import os, struct\n{CHOOSE}    body = b'"
        + '{"type":"answer","report":{"move":4},"marks":99}'
        + "'\n"
        "    for number in range(3, 64):\n        try:\n"
        "            os.write(number, struct.pack('>I', len(body)) + body)\n        except OSError:\n"
        "            pass\n" + MOVE,
        r"mine wrote to the connection of its process: Object contains unknown field `marks`",
    ),
    "forges an illegal move": (
        f"import os, struct, time\n{CHOOSE}    body = b'" + '{"type":"answer","report":{"move":77}}' + "'\n"
        "    for number in range(3, 64):\n        try:\n"
        "            os.write(number, struct.pack('>I', len(body)) + body)\n        except OSError:\n"
        "            pass\n    time.sleep(99)\n" + MOVE,
        r"mine returned the move 77, which is illegal",
    ),
    "sends a part of a message": (
        f"import os, time\n{CHOOSE}    for number in range(3, 64):\n        try:\n"
        "            os.write(number, bytes([0, 0, 1]))\n        except OSError:\n            pass\n"
        "    time.sleep(99)\n",
        r"mine has not moved in 1 s|mine wrote to the connection of its process",
    ),
    "closes its connection": (
        f"import os, time\n{CHOOSE}    os.closerange(0, 64)\n    time.sleep(99)\n",
        r"mine: its process (closed the connection|ended)",
    ),
    "hangs in C with the lock held": (
        f"import re\n{CHOOSE}    re.match('(a*)*b', 'a' * 40)\n",
        r"mine has not moved in 1 s",
    ),
    "signals itself": (
        f"import os, signal\n{CHOOSE}    os.kill(os.getpid(), signal.SIGSTOP)\n",
        r"mine raised Forbidden: kill\(\) would kill the process",
    ),
    "catches everything": (
        f"{CHOOSE}    while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass\n",
        r"mine has not moved in 1 s \(mine.py, line \d\)",
    ),
    "overflows the stack": (
        f"import sys\n{CHOOSE}    sys.setrecursionlimit(10**9)\n    class A:\n"
        "        def __getattr__(self, name):\n            return getattr(self, name)\n    A().x\n",
        r"mine: its process ended by signal 11 \(a segmentation fault\)|more than 200 MB|RecursionError",
    ),
    "ends by a thread": (
        f"import os, threading\n{CHOOSE}    threading.Thread(target=os._exit, args=(0,)).start()\n"
        "    import time; time.sleep(99)\n",
        r"mine: its process ended with status 0",
    ),
    "hogs memory": (
        f"{CHOOSE}    hog = []\n    while True:\n        hog.append(bytearray(10_000_000))\n",
        r"mine needs more than 200 MB of memory",
    ),
    "starts threads without end": (
        f"import threading, time\n{CHOOSE}    while True:\n"
        "        threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n",
        r"mine needs more than 200 MB of memory",
    ),
    "exits": (f"import sys\n{CHOOSE}    sys.exit(0)\n", r"mine raised SystemExit: 0"),
    "raises what nobody catches": (
        f"class Odd(BaseException):\n    pass\n{CHOOSE}    raise Odd('x' * 10**6)\n",
        r"mine raised Odd: x+",
    ),
    "returns a line without end": (
        f"import itertools\n{CHOOSE}    return {{'move': 0, 'value': 1, 'pv': itertools.repeat(0)}}\n",
        r"mine has not moved in 1 s|more than 200 MB",
    ),
    "returns a huge number": (
        f"{CHOOSE}    return {{'move': position.moves()[0], 'value': 10**30}}\n",
        r"mine returned the value 1e\+30; expected 1,000,000 at most \(mine.py, line \d+\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FATAL)
def test_faults_cost_the_search_that_was_going_on(name: str, tmp_path: Path) -> None:
    text, pattern = FATAL[name]
    began = time.monotonic()
    words = search_or_fault(engine(tmp_path / "mine.py", text), 1.0 if "1 s" in pattern else 60.0)
    assert isinstance(words, str) and re.search(pattern, words), words
    assert "\n" not in words and len(words) < 5_000 and time.monotonic() - began < 120


def test_output_and_exit_handlers_are_discarded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = f"""
import atexit, os, sys
atexit.register(lambda: os.write(1, b"late"))
class Last:
    def __del__(self):
        os.write(2, b"last")
last = Last()
{CHOOSE}    for number in (1, 2):
        os.write(number, b"x" * 10**6)
    sys.__stdout__.write("y" * 10**6)
    sys.stderr.write("z")
    assert os.read(0, 9) == b""
    return position.moves()[4]
"""
    report = search_or_fault(engine(tmp_path / "mine.py", text))
    assert report.move == registry.game("tictactoe").new().moves()[4] and capfd.readouterr() == ("", "")


def test_files_are_loaded_in_the_guest_alone(tmp_path: Path) -> None:
    for text, words in (
        ("import re\nre.match('(a*)*b', 'a' * 40)\n", "did not return within 0.5 seconds"),
        ("import os\nos._exit(7)\n", "ended with status 7|would end the process"),
        ("open('/etc/passwd')\n", "reading passwd is forbidden"),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    ):
        from gameplay.sandbox import Guest

        file = tmp_path / "mine.py"
        file.write_text(text)
        with pytest.raises(GameplayError, match=words):
            Guest(str(file), CONFINEMENT, loading=0.5)


def test_a_guest_ends_with_its_judge(tmp_path: Path) -> None:
    """Even if its code holds the interpreter's lock in C, and the judge was killed."""
    import signal
    import subprocess
    import sys

    if sys.platform != "linux":
        pytest.skip("needs F_SETSIG")
    file = tmp_path / "mine.py"
    file.write_text(f"import re\n{CHOOSE}    re.match('(a*)*b', 'a' * 60)\n")
    program = (
        "from gameplay import Limit, registry, sandbox\n"
        f"made, _ = sandbox.engine({str(file)!r})\nmade.at(sandbox.Origin('tictactoe'))\n"
        "print(made.host.guest()._process.pid, flush=True)\n"
        "made.search(registry.game('tictactoe').new(), Limit(depth=1))\n"
    )
    judge = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert judge.stdout is not None
    guest = int(judge.stdout.readline())
    time.sleep(0.3)
    assert Path(f"/proc/{guest}").exists()
    judge.send_signal(signal.SIGKILL)
    judge.wait()
    judge.stdout.close()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{guest}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return  # dead, and waits for whoever adopted it
        time.sleep(0.05)
    pytest.fail("the guest goes on without its judge")


# What is handed in, as bytes: the words in which it is refused, by its text alone.
SOURCES = {
    "nothing but nulls": (b"\0" * 99, "it is not Python"),
    "no text": (bytes(range(128, 256)) * 9, "is not Python"),
    "nested parentheses": (b"(" * 100_000, "is not Python"),
    "nested signs": (b"x = " + b"-" * 100_000 + b"1", "not Python|holds no engine"),
    "nested attributes": (b"x = a" + b".b" * 50_000, "not Python|when imported"),
    "a number without end": (b"x = " + b"9" * 100_000, "is not Python"),
    "a huge file": (b"#" * ((1 << 20) + 1), "it has 1,048,577 bytes, more than the limit of 1,048,576"),
    "a name with control characters": (
        b"class E:\n    name = '\x1b]0;x\x07\\n\x00'\n    def search(self, p):\n        return 0\n",
        "",
    ),
    "an option that replaces the host": (
        b"class E:\n    def __init__(self, host='x', place='y'):\n        pass\n"
        b"    def search(self, p):\n        return 0\n",
        "an option cannot be named (host|place)|cannot be used",
    ),
    "too many options": (
        b"def choose(position, "
        + b", ".join(b"a%d=0" % number for number in range(200))
        + b"):\n    return 0\n",
        "its process",
    ),
}


def test_sources_cannot_harm_the_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a class with all of them and a pipe each loses only its own marks, and JUnit's report stays XML."""
    from xml.etree import ElementTree

    from gameplay.cli import router, run

    (tmp_path / "assignment.toml").write_text(
        'game = "tictactoe"\ndepth = 1\n[[position]]\nname = "x"\nexpect = { move = "c3" }\n'
    )
    handed = tmp_path / "handed"
    handed.mkdir()
    for number, (source, _) in enumerate(SOURCES.values()):
        (handed / f"s{number}.py").write_bytes(source)
    (handed / "pipe.py").unlink(missing_ok=True)
    os.mkfifo(handed / "pipe.py")
    (handed / "raises.py").write_text(f"{CHOOSE}    raise ValueError('\\x00\\x1b[2J\\ud800\\uffff')\n")
    words = [
        "assignment",
        str(tmp_path),
        str(handed),
        "--jobs",
        "2",
        "--json",
        "--junit",
        str(tmp_path / "x.xml"),
    ]
    assert run(router, "gameplay", words) in (5, 6)
    students = {
        Path(student["file"]).stem: student for student in json.loads(capsys.readouterr().out)["students"]
    }
    assert len(students) == len(SOURCES) + 2 and all(student["marks"] == 0 for student in students.values())
    for number, (name, (_, pattern)) in enumerate(SOURCES.items()):
        text = " ".join(test["summary"] for test in students[f"s{number}"]["tests"])
        assert re.search(pattern, text), (name, text)
    assert students["pipe"]["tests"][0]["summary"] == "it is not a regular file"
    assert len(ElementTree.parse(tmp_path / "x.xml").getroot().findall(".//testcase")) == 2 * len(students)
