"""An external analysis engine: KataGo, by its analysis protocol.

Available in `gameplay review`, `gameplay analyse` and `analyse` in a game. Values are means of simulations.
Without a limit, the program's own configuration applies. The program starts at the first search and ends with
the engine.
"""

import os
import time
from contextlib import suppress
from typing import Any

from msgspec import structs

from gameplay.errors import EngineFault, Fault, GameplayError, Usage
from gameplay.players.process import PING, ProcessPlayer
from gameplay.position import AbstractPosition
from gameplay.protocols.channel import Broken
from gameplay.protocols.katago import Katago
from gameplay.protocols.talk import Info
from gameplay.search.control import Control
from gameplay.search.engine import Engine
from gameplay.search.limit import Limit
from gameplay.search.report import RatedCandidate, Report
from gameplay.search.session import OutsideSearch, Search, SearchSetup, grace
from gameplay.specs import ProgramSpec, parse

ANALYSE = ("katago",)  # the protocols by which a program analyses
POLL_INTERVAL = 0.2  # seconds between checks for a stop
SHOWN = 5  # moves whose visits a report lists


class AnalysisProgram(Engine):
    """The engine that a spec such as `katago:katago analysis -model m.bin.gz` names."""

    priority = 0
    simulates = True
    by_depth = False
    samples = True

    def __init__(self, spec: ProgramSpec) -> None:
        self.program = structs.replace(spec, limit=Limit())
        self.player = ProcessPlayer(str(self.program))
        self.title = spec.name or os.path.basename(spec.command[0])

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name in messages."""
        return self.title

    def __str__(self) -> str:
        return str(self.program)

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage if the game is not supported, BadInput if the program does not exist."""
        self.player.check(position)

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit` unchanged; an empty one means the program's configuration. Raises Usage for a depth."""
        Katago.check(position, limit)
        return limit

    def searches(self, setup: SearchSetup) -> "list[Search]":
        """A single search. Raises Usage for a trace, EngineFault if the program does not start."""
        if setup.trace is not None:
            raise Usage(f"{self.name}: an external program cannot be traced")
        return [ProgramSearch(self, setup.position, setup.limit, setup.control)]

    def talk(self) -> Katago:
        """The connection to the program, which is started if necessary. Raises EngineFault."""
        try:
            if self.player.channel is None or self.player.channel.exited():
                self.player.start()
        except Fault as fault:
            raise EngineFault(str(fault), fault.kind, fault.log) from None
        assert isinstance(self.player.talk, Katago)
        return self.player.talk

    def fault(self, kind: str, message: str) -> EngineFault:
        """Stop the failed program; the EngineFault."""
        fault = self.player.fault(kind, message)
        return EngineFault(str(fault), fault.kind, fault.log)

    def close(self) -> None:
        """End the program."""
        self.player.close()


class ProgramSearch(OutsideSearch):
    """One search by the program; see `session.Search`."""

    def __init__(
        self, engine: AnalysisProgram, position: AbstractPosition, limit: Limit, control: Control
    ) -> None:
        self.engine = engine
        self.position = position
        self.limit = limit.with_(nodes=limit.simulations or limit.nodes)
        self.control = control
        self.multipv = limit.multipv
        super().__init__((limit.moves or tuple(position.moves()))[0])
        self.last_reported = 0.0  # when the program last reported

    def run(self, depth: int) -> None:
        """Ask the program and wait for its answer. Raises EngineFault."""
        talk = self.engine.talk()
        try:
            deadline = time.monotonic() + PING
            talk.prepare(self.position, deadline)
            talk.position(talk.start(self.position, ""), [], deadline)
            talk.choose(self.position, self.limit.moves, max(SHOWN, self.multipv))
            talk.go(self.position.turn, self.limit, None, deadline)
            self._await(talk)
        except Broken as broken:
            raise self.engine.fault(broken.kind, str(broken)) from None
        self._update_report(talk.info)
        if not self.control.reason:
            self.control.reason = "simulations" if self.limit.nodes else "done"

    def _await(self, talk: Katago) -> None:
        """Wait for the answer; halt the search once it must stop. Raises Broken, EngineFault."""
        self.last_reported = time.monotonic()
        halt_time = 0.0
        while talk.answer(time.monotonic() + POLL_INTERVAL, self._watch) is None:
            now = time.monotonic()
            if self.control.expired() and not halt_time:
                halt_time = now
                talk.halt(now + PING)
            timeout = self.engine.program.timeout + (self.limit.seconds or 0.0)
            if halt_time and now - halt_time > grace(None):
                raise self.engine.fault("hang", "did not stop when asked to")
            if now - self.last_reported > timeout:
                raise self.engine.fault("hang", f"has reported nothing for {timeout:.3g} s")

    def _watch(self, info: Info) -> bool:
        self.last_reported = time.monotonic()
        self._update_report(info)
        return bool(self.control.expired())

    def _update_report(self, info: Info) -> None:
        """Convert the program's info to a report; illegal moves are left out."""
        allowed = set(self.limit.moves)
        candidates = [self._candidate(line) for line in info.get("lines", ())]
        lines = [
            candidate
            for candidate in candidates
            if candidate is not None and (not allowed or candidate.move in allowed)
        ]
        if not lines:
            return
        self.nodes = info["nodes"]
        counts: dict[str, Any] = {"visits": info["visits"], "nodes": info["nodes"]}
        self.latest = Report.of(tuple(lines[: self.multipv]), visited=tuple(lines[:SHOWN]), **counts)

    def _candidate(self, line: Info) -> RatedCandidate | None:
        """A move of the program with the legal part of its line; None if it is illegal."""
        position, talk = self.position, self.engine.talk()
        moves: list[int] = []
        with suppress(GameplayError):  # an illegal move ends the line
            for word in line["pv"]:
                move = talk.parse_move(position, word)
                position.make(move)
                moves.append(move)
                if position.outcome() is not None:
                    break
        for _ in moves:
            position.unmake()
        if not moves:
            return None
        return RatedCandidate(
            moves[0],
            line["value"],
            "expectation",
            line["visits"],
            tuple(moves),
            lead=line["lead"],
            prior=line["prior"],
        )


def analysis_program(text: str) -> tuple[AnalysisProgram, Limit]:
    """The program that a spec names, and its limit. Raises Usage for a program that only plays."""
    spec = parse(text)
    assert isinstance(spec, ProgramSpec)
    if spec.protocol not in ANALYSE:
        raise Usage(
            f"'{text}' plays but does not analyse; name an engine of this program, or KataGo by "
            "katago:COMMAND"
        )
    return AnalysisProgram(spec), spec.limit
