"""An engine whose code runs in a guest: the judge's side.

    engine("./mine.py:plies=3")    the engine of a file, in a separate process

It is a `UserEngine` that sends searches to the guest; `search.user_engine` verifies the moves, lines and
numbers that it returns. `at` sets the position of the next search, as data. A guest that does not reply in
time is killed; the next search starts a new one. `close` keeps a working process for the next engine of the
same file.
"""

import dataclasses
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import structs

from gameplay import registry
from gameplay.errors import BadInput, EngineFault, Usage
from gameplay.sandbox.confinement import Confinement
from gameplay.sandbox.guest import Guest, LateReply
from gameplay.sandbox.messages import (
    AnswerReply,
    Origin,
    ProgressReply,
    ReadyReply,
    ReportData,
    SearchRequest,
    StopRequest,
)
from gameplay.search.engine import SHARED
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate
from gameplay.search.user_engine import UserEngine
from gameplay.usercode.watchdog import Abandoned

if TYPE_CHECKING:
    from gameplay.players.player import MatchView
    from gameplay.position import AbstractPosition

TICK = 0.05  # seconds between checks of the stop flag
MAX_IDLE = 4  # processes kept for the next engine of their file

_idle_guests: dict[str, list[Guest]] = {}


class Host:
    """Owns the process of an engine, and restarts it if it has ended."""

    def __init__(
        self,
        file: str,
        confinement: Confinement | None = None,
        games: tuple[str, ...] = (),
        keep: bool = False,
        withheld: bool = False,
    ) -> None:
        self.file = file
        self.withheld = withheld  # positions have no static evaluation
        self.confinement = confinement
        self.games = games
        self.keep = keep  # closing an engine keeps the process
        self.deadline = 0.0  # monotonic time after which requests fail; 0: none
        self.timeout_reason = "the time limit was exceeded"  # reported after the deadline
        self.started = 0  # number of processes started
        self._guest: Guest | None = None

    def guest(self) -> Guest:
        """The process, with the file loaded. Raises as `Guest`, and EngineFault after the deadline."""
        if self.is_over:
            raise EngineFault(self.timeout_reason, "hang")
        if self._guest is None or not self._guest.alive:
            waiting = _idle_guests.get(self.file, []) if self.confinement is None else []
            while waiting and (self._guest is None or not self._guest.alive):
                self._guest = waiting.pop()
        if self._guest is None or not self._guest.alive:
            self._guest = Guest(self.file, self.confinement, self.games)
            self.started += 1
        return self._guest

    @property
    def is_over(self) -> bool:
        """True after the deadline."""
        return self.deadline != 0 and time.monotonic() >= self.deadline

    def kill(self) -> None:
        """Kill the process; the next search starts a new one."""
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.kill()

    def stop(self) -> None:
        """Kill the process permanently; may be called from any thread."""
        self.deadline, self.timeout_reason = -1.0, "it was stopped"
        guest = self._guest
        if guest is not None:
            guest.kill()

    def close(self) -> None:
        """Release the process, unless `keep` is set."""
        if self.keep:
            return
        guest, self._guest = self._guest, None
        if guest is None or not guest.alive:
            return
        waiting = _idle_guests.setdefault(self.file, [])
        if self.confinement is None and len(waiting) < MAX_IDLE:
            waiting.append(guest)
        else:
            guest.close()


class GuestEngine(UserEngine):
    """An engine in a guest; `_class` creates a subclass for each file, with its properties and options."""

    host: ClassVar[Host]
    ready: ClassVar[ReadyReply]
    reports_visits = False  # the guest reports visited positions
    visited = tuple[tuple[int, ...], ...]()  # lines to the positions visited by the last search

    def __post_init__(self) -> None:
        super().__post_init__()
        self.origin: Origin | None = None  # of the position to search
        self.again = False  # the guest has an engine object of this game
        self.made = 0  # moves made by the last search
        self.disturbed = ""  # how the last search changed the position; "": restored

    def at(self, origin: "Origin | MatchView") -> None:
        """Set the position of the next searches: an Origin, or a match's view."""
        self.origin = origin if isinstance(origin, Origin) else Origin.of_match(origin)

    def begin(self) -> None:
        """Begin a new game with a new engine object."""
        self.again = False

    def close(self) -> None:
        """Release the process."""
        self.host.close()

    def abandon(self, thread: threading.Thread) -> None:
        """Kill the process, which ends the search on the thread."""
        self.host.kill()
        thread.join(0.5)
        if thread.is_alive():
            super().abandon(thread)

    def evaluation(self, position: "AbstractPosition") -> None:
        """None: the guest evaluates."""

    def default_limit(self, position: "AbstractPosition", limit: Limit) -> Limit:
        """As for any user engine; an engine built from `gameplay.search` chooses its limit in the guest."""
        return super().default_limit(position, limit) if self.ready.own else limit

    def call(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """The function that searches: a request to the guest."""
        return self._search_in_guest, {}

    def _search_in_guest(
        self, position: "AbstractPosition", limit: Limit, watch: Callable[[dict[str, Any] | None], bool]
    ) -> dict[str, Any]:
        if self.origin is None:
            raise Usage(f"{self.name}: the position to search has not been set")
        host, self.executing = self.host, ""
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        request = SearchRequest(
            self.origin,
            limit.depth,
            limit.nodes,
            limit.seconds,
            limit.simulations,
            limit.moves,
            limit.multipv,
            options,
            self.again,
            self.reports_visits,
            host.withheld,
        )
        guest = host.guest()
        try:
            guest.send(request)
            answer = self._wait_for_answer(guest, watch)
        except (EngineFault, Abandoned):
            host.kill()
            self.again = False
            raise
        self.again, self.made, self.pv_error = True, answer.made, answer.pv_error
        self.disturbed, self.visited = answer.disturbed, answer.lines
        if answer.leaves_threads:
            host.kill()
            self.again = False
        return self._unpack_report(answer.report)

    def _wait_for_answer(self, guest: Guest, watch: Callable[[dict[str, Any] | None], bool]) -> AnswerReply:
        """Wait for the answer, passing reports to `watch` and its stop request to the guest."""
        latest: dict[str, Any] | None = None
        stopped = False
        while True:
            try:
                reply = guest.receive(TICK)
            except LateReply:
                reply = None
            if isinstance(reply, AnswerReply):
                return reply
            if isinstance(reply, ProgressReply):
                self.executing = reply.place
                if reply.report is not None:
                    latest = self._unpack_report(reply.report)
            if watch(latest) and not stopped:
                guest.send(StopRequest())
                stopped = True
            if self.host.is_over:
                raise EngineFault(f"stopped: {self.host.timeout_reason}", "hang")

    def _unpack_report(self, report: ReportData) -> dict[str, Any]:
        facts = structs.asdict(report)
        spots = facts.pop("candidates")
        if self.multipv and len(spots) > 1:
            facts["candidates"] = tuple(
                Candidate(candidate.move, candidate.value, candidate.bound, candidate.visits, candidate.pv)
                for candidate in spots
            )
        return facts


def engine(
    spec: str, confinement: Confinement | None = None, games: tuple[str, ...] = ()
) -> tuple[GuestEngine, Limit]:
    """The engine, in a guest, and the limit of a spec `FILE.py:option=value,depth=3`, as `registry.engine`.

    Raises as `registry.engine`, and Fault if loading the file exceeds the time limit.
    """
    return create_engine(Host(registry.parse_engine(spec)[0], confinement, games), spec)


def create_engine(host: Host, spec: str = "") -> tuple[GuestEngine, Limit]:
    """Create the engine of a host, with the options and limit of a spec of its file."""
    _, given, limit = registry.parse_engine(spec or host.file)
    return _class(host, host.guest().ready).from_options(given), limit


def _class(host: Host, ready: ReadyReply) -> type[GuestEngine]:
    facts: dict[str, Any] = {
        "host": host,
        "ready": ready,
        "name": ready.name,
        "place": f"{host.guest().path}:{ready.thing}",
        "where": ready.where,
        "__doc__": ready.words,
        "__module__": "gameplay_guest",  # no module: the code runs in the guest
        "players": range(ready.least, ready.most + 1),
        **{
            name: getattr(ready, name)
            for name in ("chance", "hidden", "general_sum", "thinks", "respects_limits")
        },
        **{name: getattr(ready, name) for name in ("samples", "priority", "multipv")},
    }
    options = []
    for option in ready.options:
        own = hasattr(GuestEngine, option.name) and option.name not in SHARED
        if own or option.name in GuestEngine.__annotations__:
            raise BadInput(
                f"{facts['place']}: an option cannot be named {option.name}; rename that parameter"
            )
        field = dataclasses.field(default=option.default, metadata={"words": option.words})
        options.append((option.name, type(option.default), field))
    made: type[GuestEngine] = dataclasses.make_dataclass(
        "HostedEngine", options, bases=(GuestEngine,), namespace=facts
    )
    return made
