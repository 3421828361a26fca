"""The program of a guest: loads the user's file, searches the positions it receives, and reports.

`main` never returns. Messages use the standard input and output that the process was started with; both are
moved to other descriptors before user code is loaded, and replaced by /dev/null.
"""

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

from gameplay import adoption, registry
from gameplay.errors import BadInput, EngineFault, Fault, GameplayError, Usage, exception_text, truncate
from gameplay.position import AbstractPosition, twin
from gameplay.sandbox import confinement, messages
from gameplay.sandbox.counted import Counter
from gameplay.sandbox.messages import (
    HEADER,
    AnswerReply,
    CandidateData,
    EngineOption,
    ProgressReply,
    ReadyReply,
    RefusalReply,
    Reply,
    ReportData,
    Request,
    SearchRequest,
    SetupRequest,
    StopRequest,
)
from gameplay.search.engine import Engine
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from gameplay.search.user_engine import UserEngine
from gameplay.usercode import plugin, watchdog

NO_TIMEOUT = 1e9  # seconds; the judge enforces time limits
COPIED_FIELDS = (
    "exact",
    "depth",
    "seldepth",
    "ahead",
    "tried",
    "choices",
    "visits",
    "nodes",
    "fill",
    "branching",
)
COUNTS = ("probes", "hits", "cutoffs", "first_cutoffs")


def main(lifeline: int) -> NoReturn:
    """Serve the judge until it closes the connection. `lifeline`: a pipe that ends with the judge, or -1."""
    incoming, outgoing = _move_descriptor(0), _move_descriptor(1)
    _die_with_judge(lifeline)
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the judge decides what Ctrl-C means
    server = _Server(incoming, outgoing)
    try:
        server.serve()
    except BaseException as error:
        with contextlib.suppress(BaseException):
            server.send(RefusalReply("engine", _truncate(exception_text(error)), "crash"))
        os._exit(1)
    os._exit(0)


def _move_descriptor(standard: int) -> int:
    """Move a standard stream to another descriptor, and replace it by /dev/null."""
    moved = os.dup(standard)  # not inherited
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, standard)
    os.close(null)
    return moved


def _die_with_judge(lifeline: int) -> None:
    """Have the kernel kill this process when the judge ends (Linux)."""
    if lifeline < 0:
        return
    os.set_inheritable(lifeline, False)
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        set_signal = 10  # F_SETSIG
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        if sys.platform == "linux":
            fcntl.fcntl(lifeline, set_signal, signal.SIGKILL)
            flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
            fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)  # type: ignore[attr-defined, unused-ignore]


class _Server:
    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self.outgoing = outgoing
        self.requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self.file = ""
        self.engine: Engine | None = None
        self.session: Session | None = None
        self.options: dict[str, Any] = {}
        self.starts: dict[str, AbstractPosition] = {}  # loaded before the confinement, by game

    def serve(self) -> None:
        """Set up, then search as request."""
        setup = messages.request(self._read())
        assert isinstance(setup, SetupRequest)
        try:
            ready = self._set_up(setup)
        except BaseException as error:
            self.send(_refusal(error))
            return
        threading.Thread(target=self._listen, daemon=True).start()
        self.send(ready)
        while True:
            request = self.requests.get()
            if request is None:
                return
            if isinstance(request, SearchRequest):
                try:
                    answer: Reply = self._search(request)
                except BaseException as error:
                    answer = _refusal(error)
                try:
                    frame = messages.frame(answer)
                    messages.reply(frame[HEADER.size :])  # validate it as the judge does
                    self._write(frame)
                except (ValueError, OverflowError) as error:
                    name = self.engine.name if self.engine is not None else self.file
                    words = f"{name} returned a report that is out of range: {error}"
                    self.send(RefusalReply("engine", _truncate(words), "crash"))

    def send(self, message: Reply) -> None:
        """Send a reply."""
        self._write(messages.frame(message))

    def _write(self, frame: bytes) -> None:
        data = memoryview(frame)
        while data:
            data = data[os.write(self.outgoing, data) :]

    def _set_up(self, setup: SetupRequest) -> ReadyReply:
        self.starts = {game.spec: game.new() for game in map(registry.game, setup.games)}
        self.file = setup.file
        layers: list[str] = []
        if setup.confined:
            path, _, _ = setup.file.partition(".py:")
            own = Path(path if path.endswith(".py") else path + ".py")
            limits = confinement.Confinement(setup.memory, setup.cpu, setup.forbidden)
            layers = confinement.confine(own, limits)
        self.send(ProgressReply())  # user code runs from here
        cls = registry.engine_class(setup.file)
        return _describe_engine(cls, layers)

    def _search(self, request: SearchRequest) -> AnswerReply:
        position = self._position(request.origin)
        before = threading.active_count()
        if self.engine is None or self.options != request.options or not request.again:
            self.options = request.options
            self.engine = registry.engine_class(self.file)(**request.options)
            self.session = Session(self.engine)
            self.session.hang_timeout = NO_TIMEOUT
            self.session.begin()
        engine, session = self.engine, self.session
        assert session is not None
        counter = Counter(request.visits, request.withheld)
        if isinstance(engine, UserEngine):
            engine.wrap_position = counter.wrap
        reason = engine.incompatibility(position)
        if reason:
            raise Usage(f"{engine.name} cannot play this: {reason}")
        root = type(engine).__module__.partition(".")[0]

        def watch(report: Report) -> bool:
            stopped = False
            with contextlib.suppress(queue.Empty):
                message = self.requests.get_nowait()
                stopped = message is None or isinstance(message, StopRequest)
            place = _locate_user_code(root)
            data = _encode_report(report) if report.bound != "unknown" or report.nodes or report.pv else None
            self.send(ProgressReply(data, place))
            return stopped

        counter.record_state(position)
        report = session.search(position, request.limit, watch, copy=False)
        data = _encode_report(report)
        pv_error = _truncate(engine.pv_error if isinstance(engine, UserEngine) else "")
        return AnswerReply(
            data,
            counter.made,
            pv_error,
            _truncate(counter.describe_change()),
            threading.active_count() > before,
            tuple(counter.lines),
        )

    def _position(self, origin: messages.Origin) -> AbstractPosition:
        game = registry.game(origin.game)
        if origin.state:
            state: AbstractPosition = pickle.loads(origin.state)
            return state
        start = self.starts.get(game.spec)
        position = game.new() if start is None else twin(start)
        if origin.start:
            position.setup(origin.start)
        for move in origin.moves:
            position.make(move)
        return position

    # -- reading ---------------------------------------------------------------------------------------

    def _listen(self) -> None:
        try:
            while True:
                self.requests.put(messages.request(self._read()))
        except BaseException:
            self.requests.put(None)
            os._exit(0)  # the judge is gone

    def _read(self) -> bytes:
        (size,) = HEADER.unpack(self._read_exactly(HEADER.size))
        return self._read_exactly(size)

    def _read_exactly(self, size: int) -> bytes:
        parts = b""
        while len(parts) < size:
            part = os.read(self.incoming, size - len(parts))
            if not part:
                raise EOFError
            parts += part
        return parts


def _describe_engine(cls: type[Engine], layers: list[str]) -> ReadyReply:
    made = issubclass(cls, UserEngine)
    options = []
    for name, field in cls.options().items():
        if isinstance(field.default, bool | int | float | str | None):
            options.append(EngineOption(name, field.default, _truncate(str(field.metadata.get("words", "")))))
    return ReadyReply(
        name=_truncate(str(cls.name)),
        thing=_truncate(str(cls.place)).rpartition(":")[2],
        where=_truncate(str(cls.where)),
        words=_truncate(cls.__doc__ or ""),
        least=max(1, cls.players.start),
        most=max(1, min(1_000, cls.players.stop - 1)),
        chance=bool(cls.chance),
        hidden=bool(cls.hidden),
        general_sum=bool(cls.general_sum),
        thinks=bool(cls.thinks),
        respects_limits=bool(cls.respects_limits),
        samples=bool(cls.samples),
        own=made,
        multipv=bool(cls.multipv) if issubclass(cls, UserEngine) else True,
        priority=max(0, min(1_000, int(cls.priority))),
        options=tuple(options),
        layers=tuple(layers),
    )


def _encode_report(report: Report) -> ReportData:
    assert report.move is not None
    bound: Any = report.bound  # a Literal there
    counts = {name: getattr(report, name) for name in (*COPIED_FIELDS, *COUNTS)}
    spots = tuple(_encode_candidate(candidate) for candidate in report.candidates)
    value = None if report.bound == "unknown" else report.value
    return ReportData(report.move, value, bound, report.values, report.pv, candidates=spots, **counts)


def _encode_candidate(candidate: Candidate) -> CandidateData:
    bound: Any = candidate.bound  # a Literal there
    return CandidateData(candidate.move, candidate.value, bound, candidate.pv, candidate.visits)


def _locate_user_code(module: str) -> str:
    """The line of user code being executed, on any thread."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            place = watchdog.locate(thread, module)
            if place:
                return _truncate(place)
    return ""


def _refusal(error: BaseException) -> RefusalReply:
    kind: Any = "engine"
    words = str(error) if isinstance(error, GameplayError) else exception_text(error)
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "thread" in words):
        return RefusalReply("memory", "")
    if isinstance(error, EngineFault):
        if "MemoryError" in words or "can't start new thread" in words:
            kind = "memory"
    elif isinstance(error, Usage):
        kind = "usage"
    elif isinstance(error, BadInput):
        kind = "bad input"
    elif isinstance(error, Fault):
        kind = "fault"
    fault: Any = error.kind if isinstance(error, Fault | EngineFault) else ""
    if fault not in FAULTS:
        fault = "crash" if kind == "engine" else ""
    return RefusalReply(kind, _truncate(words), fault)


FAULTS = ("", "crash", "hang", "illegal_move", "protocol_error")


def _truncate(text: str) -> str:
    return truncate(text.encode(errors="replace").decode(), 4_000)


_ = (adoption, plugin)  # loaded here, since user code may not import them
