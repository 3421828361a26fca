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
    LARGEST,
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

START_TIMEOUT = (
    60.0  # seconds that Python and gameplay may take to start, on a machine that has much else to do
)
LOAD_TIMEOUT = 10.0  # seconds that the user's file may take to load
MAX_QUEUED = 64  # replies that may wait to be read; then the guest waits
MAX_REPLIES = 100_000  # replies to one request: at twenty a second more than an hour's
PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; from gameplay.sandbox import child; child.main(int(sys.argv[1]))"
)
KEPT = (
    "GAMEPLAY_PURE",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "SYSTEMROOT",
)  # of the environment, in a confined guest


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
        self.died = ""  # how the process ended, once it has
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
            started = self.receive(START_TIMEOUT)  # Python is up, and confined
            began = time.monotonic()
            if isinstance(started, ProgressReply):
                started = self.receive(loading)
        except LateReply:
            self.kill()
            raise Fault(
                f"{self.name}.py, when imported, did not come back within {loading:g} seconds"
            ) from None
        except GameplayError:
            self.kill()
            raise
        if not isinstance(started, ReadyReply):
            self.kill()
            raise self._malformed("its first reply is not the engine's description")
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
            raise self._ended() from None

    def receive(self, seconds: float) -> ReadyReply | ProgressReply | AnswerReply:
        """The next reply. Raises LateReply, and EngineFault if the guest ended or the reply is malformed.

        A RefusalReply is raised as the error that it stands for.
        """
        try:
            reply = self._replies.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise LateReply from None
        self._count += 1
        if isinstance(reply, EOFError) or (self.died and isinstance(reply, Exception)):
            raise self._ended()
        if self._count > MAX_REPLIES:
            reply = ValueError(f"more than {MAX_REPLIES:,} messages")
        if isinstance(reply, Exception):
            self.kill()
            raise self._malformed(str(reply))
        if isinstance(reply, RefusalReply):
            raise self._refused(reply)
        return reply

    def close(self) -> None:
        """End the process."""
        self.kill()

    def kill(self) -> None:
        """Kill the process and all that it started, at once."""
        process = self._process
        if not self.died:
            self.died = "it was stopped"
        if process.returncode is None:
            if os.name == "posix":
                try:
                    os.killpg(
                        process.pid, signal.SIGKILL
                    )  # its own group, and not reaped yet: the id is its own
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
            environment = {name: os.environ[name] for name in KEPT if name in os.environ}
            environment["MALLOC_ARENA_MAX"] = "1"  # so that threads reserve no memory that counts
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
        """On a thread of its own: pass on replies until the first that is wrong, or the end."""
        pipe = self._process.stdout
        assert pipe is not None
        try:
            while True:
                (size,) = HEADER.unpack(_exactly(pipe, HEADER.size))
                if size > LARGEST:
                    raise ValueError(f"a message of {size:,} bytes; {LARGEST:,} are the limit")
                self._put(reply(_exactly(pipe, size)))
        except (ValueError, EOFError, OSError) as error:
            self._put(error if isinstance(error, ValueError) else EOFError())
        finally:
            pipe.close()

    def _put(self, reply: Reply | Exception) -> None:
        while True:
            try:
                return self._replies.put(reply, timeout=1.0)
            except queue.Full:
                if self.died:  # no more is read
                    return

    def _ended(self) -> EngineFault:
        """The process ended by itself, or was killed meanwhile."""
        ended = self.died
        if not ended:
            deadline = time.monotonic() + 2.0
            while self._process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            code = self._process.poll()
            ended = "its process closed the connection"
            if code is not None:
                ended = f"its process ended {f'by signal {-code}' if code < 0 else f'with status {code}'}"
                ended += _meaning(code)
            self.kill()
            self.died = ended
        return EngineFault(f"{self.name}: {ended}", "crash")

    def _malformed(self, why: str) -> EngineFault:
        why = " ".join(why.split())[:200]
        return EngineFault(f"{self.name} wrote to the connection of its process: {why}", "protocol_error")

    def _refused(self, refusal: RefusalReply) -> GameplayError:
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


def _meaning(code: int) -> str:
    meanings = {
        9: "killed",
        11: "a segmentation fault",
        24: "out of processor time",
        6: "aborted",
        31: "forbidden",
    }
    word = meanings.get(-code)
    return f" ({word})" if word else ""


def _exactly(pipe: BinaryIO | Any, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = pipe.read(min(size - len(parts), 1 << 16))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
