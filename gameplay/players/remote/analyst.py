"""An external analysis engine: KataGo, by its analysis protocol.

It can be used where engines analyse: `gameplay review`, `gameplay analyse`, `analyse` in a game.
Its values are the means of its simulations. Without a limit, the program's own configuration
applies. The program starts at the first search and ends with the engine.
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
LOOK = 0.2  # seconds between two looks at whether to stop
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
        """What messages call it."""
        return self.title

    def __str__(self) -> str:
        return str(self.program)

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage if it is not for this game, BadInput if there is no such program."""
        self.player.check(position)

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`: by default that of its configuration. Raises Usage for a depth."""
        Katago.check(position, limit)
        return limit

    def searches(self, setup: SearchSetup) -> "list[Search]":
        """The one search. Raises Usage for a trace, EngineFault if the program does not start."""
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
        self.heard = 0.0  # when the program last reported

    def run(self, depth: int) -> None:
        """Ask the program and wait for its answer. Raises EngineFault."""
        talk = self.engine.talk()
        try:
            ready = time.monotonic() + PING
            talk.prepare(self.position, ready)
            talk.position(talk.start(self.position, ""), [], ready)
            talk.choose(self.position, self.limit.moves, max(SHOWN, self.multipv))
            talk.go(self.position.turn, self.limit, None, ready)
            self._await(talk)
        except Broken as broken:
            raise self.engine.fault(broken.kind, str(broken)) from None
        self._hear(talk.info)
        if not self.control.reason:
            self.control.reason = "simulations" if self.limit.nodes else "done"

    def _await(self, talk: Katago) -> None:
        """Wait for the answer; halt the search once it must stop. Raises Broken, EngineFault."""
        self.heard = time.monotonic()
        halted = 0.0
        while talk.answer(time.monotonic() + LOOK, self._watch) is None:
            now = time.monotonic()
            if self.control.expired() and not halted:
                halted = now
                talk.halt(now + PING)
            patience = self.engine.program.timeout + (self.limit.seconds or 0.0)
            if halted and now - halted > grace(None):
                raise self.engine.fault("hang", "did not stop when asked to")
            if now - self.heard > patience:
                raise self.engine.fault("hang", f"has reported nothing for {patience:.3g} s")

    def _watch(self, info: Info) -> bool:
        self.heard = time.monotonic()
        self._hear(info)
        return bool(self.control.expired())

    def _hear(self, info: Info) -> None:
        """Convert the program's info to a report; illegal moves are left out."""
        wanted = set(self.limit.moves)
        candidates = [self._candidate(line) for line in info.get("lines", ())]
        lines = [one for one in candidates if one is not None and (not wanted or one.move in wanted)]
        if not lines:
            return
        self.nodes = info["nodes"]
        counts: dict[str, Any] = {"visits": info["visits"], "nodes": info["nodes"]}
        self.latest = Report.of(tuple(lines[: self.multipv]), visited=tuple(lines[:SHOWN]), **counts)

    def _candidate(self, line: Info) -> RatedCandidate | None:
        """A move of the program with the legal part of its line; None if it is illegal."""
        position, talk = self.position, self.engine.talk()
        made: list[int] = []
        with suppress(GameplayError):  # a move that is not legal ends the line
            for word in line["pv"]:
                move = talk.parse_move(position, word)
                position.make(move)
                made.append(move)
                if position.outcome() is not None:
                    break
        for _ in made:
            position.unmake()
        if not made:
            return None
        return RatedCandidate(
            made[0],
            line["value"],
            "expectation",
            line["visits"],
            tuple(made),
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
