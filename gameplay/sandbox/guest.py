"""The judge's side of a guest: starts its process, exchanges messages with a deadline, and kills it."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO

from gameplay.errors import BadInput, EngineFault, Fault, GameplayError, Usage
from gameplay.sandbox.confinement import Confinement
from gameplay.sandbox.messages import (
    HEADER,
    MAX_FRAME_SIZE,
    AnswerReply,
    ProgressReply,
    ReadyReply,
    RefusalReply,
    Reply,
    Request,
    SetupRequest,
    frame,
    reply,
)

START_TIMEOUT = 60.0  # seconds for Python and gameplay to start, on a loaded machine
LOAD_TIMEOUT = 10.0  # seconds for the user's file to load
MAX_QUEUED = 64  # unread replies, before the guest blocks
MAX_REPLIES = 100_000  # to one request: more than an hour at twenty a second
PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; from gameplay.sandbox import child; child.main(int(sys.argv[1]))"
)
# Environment variables that a confined guest keeps.
KEPT_VARIABLES = ("GAMEPLAY_PURE", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT")


class LateReply(Exception):
    """A guest did not reply in time."""


class Guest(AbstractContextManager["Guest"]):
    """A process that has loaded the user's `file`, FILE.py or FILE.py:NAME.

    Raises BadInput, Usage or Fault as `registry.engine` does for an unusable file. A guest is used by one
    thread at a time; `kill` may be called from any.
    """

    def __init__(
        self,
        file: str,
        confinement: Confinement | None = None,
        games: Sequence[str] = (),
        loading: float = LOAD_TIMEOUT,
    ) -> None:
        path, _, name = file.partition(".py:") if ".py:" in file else (file.removesuffix(".py"), "", "")
        self.path = str(Path(path + ".py").resolve())
        self.file = self.path + (name and f":{name}")
        self.name = Path(path).name
        self.confinement = confinement
        self.died = ""  # how the process ended; "": running
        self._replies: queue.Queue[Reply | Exception] = queue.Queue(MAX_QUEUED)
        self._count = 0
        self._lifeline = -1
        self._process = self._start()
        threading.Thread(target=self._read, name="guest", daemon=True).start()
        limits = confinement or Confinement()
        setup = SetupRequest(
            self.file,
            (*games, *limits.games),
            confinement is not None,
            limits.memory,
            limits.cpu,
            limits.forbidden,
        )
        try:
            self.send(setup)
            started = self.receive(START_TIMEOUT)  # Python runs, confined
            began = time.monotonic()
            if isinstance(started, ProgressReply):
                started = self.receive(loading)
        except LateReply:
            self.kill()
            raise Fault(f"{self.name}.py, when imported, did not return within {loading:g} seconds") from None
        except GameplayError:
            self.kill()
            raise
        if not isinstance(started, ReadyReply):
            self.kill()
            raise self._protocol_error("its first reply is not the engine's description")
        self.ready: ReadyReply = started
        self.loaded = time.monotonic() - began  # seconds that the user's file took to load

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """True while the process can be used."""
        return not self.died

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of the confinement that are in force."""
        return self.ready.layers

    def send(self, message: Request) -> None:
        """Send a request. Raises EngineFault if the process has ended."""
        self._count = 0
        data = memoryview(frame(message))
        assert self._process.stdin is not None
        try:
            while data:
                data = data[os.write(self._process.stdin.fileno(), data) :]
        except (OSError, ValueError):
            raise self._exit_error() from None

    def receive(self, seconds: float) -> ReadyReply | ProgressReply | AnswerReply:
        """The next reply. Raises LateReply, and EngineFault if the guest ended or the reply is malformed.

        A RefusalReply is raised as the corresponding error.
        """
        try:
            reply = self._replies.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise LateReply from None
        self._count += 1
        if isinstance(reply, EOFError) or (self.died and isinstance(reply, Exception)):
            raise self._exit_error()
        if self._count > MAX_REPLIES:
            reply = ValueError(f"more than {MAX_REPLIES:,} messages")
        if isinstance(reply, Exception):
            self.kill()
            raise self._protocol_error(str(reply))
        if isinstance(reply, RefusalReply):
            raise self._refusal_error(reply)
        return reply

    def close(self) -> None:
        """End the process."""
        self.kill()

    def kill(self) -> None:
        """Kill the process group."""
        process = self._process
        if not self.died:
            self.died = "it was stopped"
        if process.returncode is None:
            if os.name == "posix":
                try:
                    # The guest leads its own process group; its id is valid until it is reaped.
                    os.killpg(process.pid, signal.SIGKILL)
                except OSError:
                    process.kill()
            else:
                process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is process.stdin and pipe is not None and not pipe.closed:
                pipe.close()
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)

    # -- inside --------------------------------------------------------------------------------------

    def _start(self) -> "subprocess.Popen[bytes]":
        confined = self.confinement is not None
        package = str(Path(__file__).resolve().parents[2])
        path = [place for place in sys.path if place and place != package] + [package]
        options = ["-I", "-S"] if confined else ["-P"] if sys.version_info >= (3, 11) else []
        environment = os.environ.copy()
        if confined:
            environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
            environment["MALLOC_ARENA_MAX"] = "1"  # arenas of threads would count as memory
        given: dict[str, Any] = {}
        lifeline = -1
        if os.name == "posix":
            lifeline, self._lifeline = os.pipe()
            given = {"start_new_session": True, "pass_fds": (lifeline,)}
        try:
            return subprocess.Popen(
                [sys.executable, *options, "-c", PROGRAM, str(lifeline), *path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if confined else None,
                bufsize=0,
                env=environment,
                **given,
            )
        except OSError as error:
            if self._lifeline >= 0:
                os.close(self._lifeline)
            raise Fault(f"no process could be started for {self.name}.py: {error}") from error
        finally:
            if lifeline >= 0:
                os.close(lifeline)

    def _read(self) -> None:
        """On a separate thread: queue replies until the first malformed one, or the end."""
        pipe = self._process.stdout
        assert pipe is not None
        try:
            while True:
                (size,) = HEADER.unpack(_read_exactly(pipe, HEADER.size))
                if size > MAX_FRAME_SIZE:
                    raise ValueError(f"a message of {size:,} bytes exceeds the limit of {MAX_FRAME_SIZE:,}")
                self._enqueue(reply(_read_exactly(pipe, size)))
        except (ValueError, EOFError, OSError) as error:
            self._enqueue(error if isinstance(error, ValueError) else EOFError())
        finally:
            pipe.close()

    def _enqueue(self, reply: Reply | Exception) -> None:
        while True:
            try:
                return self._replies.put(reply, timeout=1.0)
            except queue.Full:
                if self.died:  # the replies are no longer read
                    return

    def _exit_error(self) -> EngineFault:
        """The error for a process that has ended or was killed."""
        ended = self.died
        if not ended:
            deadline = time.monotonic() + 2.0
            while self._process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            code = self._process.poll()
            ended = "its process closed the connection"
            if code is not None:
                ended = f"its process ended {f'by signal {-code}' if code < 0 else f'with status {code}'}"
                ended += _describe_signal(code)
            self.kill()
            self.died = ended
        return EngineFault(f"{self.name}: {ended}", "crash")

    def _protocol_error(self, why: str) -> EngineFault:
        why = " ".join(why.split())[:200]
        return EngineFault(f"{self.name} wrote to the connection of its process: {why}", "protocol_error")

    def _refusal_error(self, refusal: RefusalReply) -> GameplayError:
        words = " ".join(refusal.words.split())
        if refusal.kind == "usage":
            return Usage(words)
        if refusal.kind == "bad input":
            return BadInput(words)
        if refusal.kind == "memory":
            most = (self.confinement or Confinement()).memory
            return EngineFault(f"{self.name} needs more than {most} MB of memory", "crash")
        return (
            EngineFault(words, refusal.fault or "crash")
            if refusal.kind == "engine"
            else Fault(words, refusal.fault)
        )


def _describe_signal(code: int) -> str:
    meanings = {
        9: "killed",
        11: "a segmentation fault",
        24: "out of processor time",
        6: "aborted",
        31: "forbidden",
    }
    word = meanings.get(-code)
    return f" ({word})" if word else ""


def _read_exactly(pipe: BinaryIO | Any, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = pipe.read(min(size - len(parts), 1 << 16))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
