"""An engine whose code runs in a guest: the judge's side of it.

    engine("./mine.py:plies=3")    the engine of a file, in a process of its own

It is a `UserEngine` whose call goes to the guest; `search.user_engine` verifies the moves, lines and numbers
that it returns. The position of the next search is set by `at`, as data.
A guest that does not reply in time is killed; the next search starts a new one. `close` keeps the process for
the next engine of the same file, unless it failed.
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

TICK = 0.05  # seconds between two looks at the stop flag
MAX_SPARE = 4  # processes that wait for the next engine of their file

_spare: dict[str, list[Guest]] = {}


class Host:
    """The process of an engine, started again where it ended."""

    def __init__(
        self,
        file: str,
        confinement: Confinement | None = None,
        games: tuple[str, ...] = (),
        keep: bool = False,
        withheld: bool = False,
    ) -> None:
        self.file = file
        self.withheld = withheld  # positions come without the game's static evaluation
        self.confinement = confinement
        self.games = games
        self.keep = keep  # engines that are closed leave the process to the owner of this
        self.until = 0.0  # monotonic seconds after which no request is answered; 0: never
        self.late = "the time was over"  # what is reported then
        self.started = 0  # processes
        self._guest: Guest | None = None

    def guest(self) -> Guest:
        """The process, with the file loaded. Raises as `Guest`, and EngineFault once the time is over."""
        if self.over:
            raise EngineFault(self.late, "hang")
        if self._guest is None or not self._guest.alive:
            waiting = _spare.get(self.file, []) if self.confinement is None else []
            while waiting and (self._guest is None or not self._guest.alive):
                self._guest = waiting.pop()
        if self._guest is None or not self._guest.alive:
            self._guest = Guest(self.file, self.confinement, self.games)
            self.started += 1
        return self._guest

    @property
    def over(self) -> bool:
        """True once no request is answered any more."""
        return self.until != 0 and time.monotonic() >= self.until

    def kill(self) -> None:
        """Kill the process; the next search starts a new one."""
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.kill()

    def stop(self) -> None:
        """Kill the process, from any thread; no new one is started."""
        self.until, self.late = -1.0, "it was stopped"
        guest = self._guest
        if guest is not None:
            guest.kill()

    def close(self) -> None:
        """Give the process up, where no one else owns it."""
        if self.keep:
            return
        guest, self._guest = self._guest, None
        if guest is None or not guest.alive:
            return
        waiting = _spare.setdefault(self.file, [])
        if self.confinement is None and len(waiting) < MAX_SPARE:
            waiting.append(guest)
        else:
            guest.close()


class GuestEngine(UserEngine):
    """An engine in a guest; a subclass of it is made for each file, with its facts and options."""

    host: ClassVar[Host]
    ready: ClassVar[ReadyReply]
    reports_visits = False  # of the next searches: whether the guest reports which positions it visits
    visited = tuple[tuple[int, ...], ...]()  # the lines to those of the last search

    def __post_init__(self) -> None:
        super().__post_init__()
        self.origin: Origin | None = None  # of the position to search
        self.again = False  # the guest has an engine object of this game
        self.made = 0  # moves that it made on the position in the last search
        self.disturbed = ""  # how it left the position behind, if not as it was

    def at(self, origin: "Origin | MatchView") -> None:
        """Set the position of the next searches: an Origin, or a match's view."""
        self.origin = origin if isinstance(origin, Origin) else Origin.of_match(origin)

    def begin(self) -> None:
        """A new game: the guest makes a new engine object."""
        self.again = False

    def close(self) -> None:
        """Give the process up."""
        self.host.close()

    def abandon(self, thread: threading.Thread) -> None:
        """Kill the process, which ends the search on the thread."""
        self.host.kill()
        thread.join(0.5)
        if thread.is_alive():
            super().abandon(thread)

    def evaluation(self, position: "AbstractPosition") -> None:
        """None: its options are read where its code runs."""

    def default_limit(self, position: "AbstractPosition", limit: Limit) -> Limit:
        """As of any user engine; one built from `gameplay.search` chooses a limit in its own process."""
        return super().default_limit(position, limit) if self.ready.own else limit

    def call(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """What searches: a call to the guest."""
        return self._ask, {}

    def _ask(
        self, position: "AbstractPosition", limit: Limit, watch: Callable[[dict[str, Any] | None], bool]
    ) -> dict[str, Any]:
        if self.origin is None:
            raise Usage(f"{self.name}: the position to search has not been set")
        host, self.executing = self.host, ""
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        asked = SearchRequest(
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
            guest.send(asked)
            answer = self._answer(guest, watch)
        except (EngineFault, Abandoned):
            host.kill()
            self.again = False
            raise
        self.again, self.made, self.pv_error = True, answer.made, answer.pv_error
        self.disturbed, self.visited = answer.disturbed, answer.lines
        if answer.strays:
            host.kill()
            self.again = False
        return self._facts(answer.report)

    def _answer(self, guest: Guest, watch: Callable[[dict[str, Any] | None], bool]) -> AnswerReply:
        """The reply to a request; meanwhile reports go to `watch`, and its word to the guest."""
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
                    latest = self._facts(reply.report)
            if watch(latest) and not stopped:
                guest.send(StopRequest())
                stopped = True
            if self.host.over:
                raise EngineFault(f"stopped: {self.host.late}", "hang")

    def _facts(self, report: ReportData) -> dict[str, Any]:
        facts = structs.asdict(report)
        spots = facts.pop("candidates")
        if self.multipv and len(spots) > 1:
            facts["candidates"] = tuple(
                Candidate(one.move, one.value, one.bound, one.visits, one.pv) for one in spots
            )
        return facts


def engine(
    spec: str, confinement: Confinement | None = None, games: tuple[str, ...] = ()
) -> tuple[GuestEngine, Limit]:
    """The engine and the Limit of a spec, `FILE.py:option=value,depth=3`, as `registry.engine`; in a guest.

    Raises as `registry.engine`, and Fault if the file does not come back when loaded.
    """
    return hosted(Host(registry.parse_engine(spec)[0], confinement, games), spec)


def hosted(host: Host, spec: str = "") -> tuple[GuestEngine, Limit]:
    """The engine of a host, with the options and the limit that a spec of its file has."""
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
        "__module__": "gameplay_guest",  # no module: its code is elsewhere
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
