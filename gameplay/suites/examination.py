"""Holds students' engines against an `Assignment`: each in a process of its own, which may do little.

The process is confined (`gameplay.confinement`) before the student's file is loaded. What it does wrong is
put down to the test that was going on. Where the process ended, or something of the engine's still runs in
it, the next test begins in a new one, so that a fault costs the marks of its own test and no others.
"""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gameplay import confinement, registry
from gameplay.errors import BadInput, raised
from gameplay.matches.match import unplayed
from gameplay.position import twin
from gameplay.runs.pool import Ended, Pool
from gameplay.search.narrowed import Narrowed
from gameplay.search.own import OwnEngine
from gameplay.search.session import Session
from gameplay.suites import conduct, regress
from gameplay.suites.assignment import Assignment, LawsTask, MatchTask, Requirement, SearchTask, mistake
from gameplay.suites.regress import BAD, FAULT, MET, REGRESSION, CaseVerdict
from gameplay.suites.suite import Meeting
from gameplay.value import describe
from gameplay.watchdog import PATIENCE

TICK = 0.05  # seconds between two looks at the processes
START = 300.0  # seconds that a process may take to begin, where the machine has much else to do


@dataclass
class Submission:
    """What the tests of a student came to, in their order."""

    file: Path
    tests: Sequence[Requirement]
    verdicts: list[CaseVerdict] = field(default_factory=list)

    @property
    def marks(self) -> float:
        """Of all tests that were met."""
        pairs = zip(self.tests, self.verdicts, strict=False)
        return sum(test.marks for test, verdict in pairs if verdict.state == MET)

    @property
    def most(self) -> float:
        """The marks that there are."""
        return sum(test.marks for test in self.tests)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        listed = [
            verdict.as_dict() | {"marks": test.marks if verdict.state == MET else 0, "most": test.marks}
            for test, verdict in zip(self.tests, self.verdicts, strict=False)
        ]
        return {"file": str(self.file), "marks": self.marks, "most": self.most, "tests": listed}


def files(paths: Iterable[Path]) -> list[Path]:
    """The files of students: those that are named, and the .py files of folders. Raises BadInput."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            if not path.exists():
                raise BadInput(f"there is no file {path}")
            found.append(path)
            continue
        inside = sorted(one for one in path.glob("*.py") if not one.name.startswith(("_", ".")))
        if not inside:
            raise BadInput(f"there is no .py file in {path}")
        found += inside
    return found


def examine(
    assignment: Assignment,
    tests: Sequence[Requirement],
    files: Iterable[Path],
    jobs: int,
    tell: Callable[[Submission, CaseVerdict], Any],
) -> list[Submission]:
    """Hold students' files against the tests, `jobs` of them at a time; tell each verdict as it comes."""
    students = [_Student(assignment, tests, file, tell) for file in files]
    waiting, busy = deque(students), list[_Student]()
    try:
        while waiting or busy:
            while waiting and len(busy) < jobs:
                busy.append(waiting.popleft())
                busy[-1].start()
            for student in busy:
                student.wait(TICK)
            busy = [student for student in busy if not student.done]
    finally:
        for student in busy:
            student.stop()
    return [student.submission for student in students]


class _Student:
    """A student, and the process that runs their engine."""

    def __init__(
        self,
        assignment: Assignment,
        tests: Sequence[Requirement],
        file: Path,
        tell: Callable[[Submission, CaseVerdict], Any],
    ) -> None:
        self.assignment = assignment
        self.tell = tell
        self.submission = Submission(file, tests)
        self.pool: Pool | None = None  # None: its process is not there, or not to be trusted
        self.began = 0.0  # when the test that is going on began; 0: its process is only beginning
        self.left = assignment.total  # seconds for the tests that are left

    @property
    def done(self) -> bool:
        """True if nothing is left to test."""
        return len(self.submission.verdicts) == len(self.submission.tests)

    def start(self) -> None:
        """Begin: read the file, and have it loaded."""
        try:
            source = self.submission.file.read_bytes()
            wrong = mistake(source, self.assignment.forbidden)
            if self.submission.file.suffix != ".py":
                wrong = "it is not a .py file"
        except OSError as error:
            wrong = error.strerror or str(error)
        if wrong:
            self._take(CaseVerdict(BAD, wrong))
        else:
            self._next()

    def wait(self, seconds: float) -> None:
        """Wait so long for what is going on."""
        if self.pool is None:
            return
        for ended in self.pool.wait(seconds):
            if not self.began:
                self._begun(ended)
                continue
            self.left -= time.monotonic() - self.began
            found, strays = ended.result or (None, False)
            if ended.died and self.left <= 0:
                found = CaseVerdict(FAULT, f"stopped: {self._over()}")
            elif found is None:
                why = ended.died or (f"the test raised {raised(ended.error)}" if ended.error else "")
                found = CaseVerdict(FAULT, why)
            if strays or ended.died:
                self.stop()
            self._take(found)
            if not self.done:
                self._next()

    def stop(self) -> None:
        """End its process."""
        if self.pool is not None:
            self.pool.close()
        self.pool = None

    def _next(self) -> None:
        """Have the next test done, in a new process if need be."""
        self.began = 0.0
        if self.left <= 0:
            self._rest(f"not tested: {self._over()}")
        elif self.pool is None:
            self.pool = Pool(1)
            self.pool.submit(_begin, (str(self.submission.file.resolve()), self.assignment.memory), START)
        else:
            self._test()

    def _begun(self, ended: Ended) -> None:
        """Its process is there, or could not be started."""
        if ended.result:
            self._test()
        else:
            why = ended.died or (raised(ended.error) if ended.error is not None else "")
            self._rest(f"not tested: no process could be started for it: {why}")

    def _test(self) -> None:
        assert self.pool is not None
        assignment, most = self.assignment, self.left
        test = self.submission.tests[len(self.submission.verdicts)]
        if test.kind in ("file", "position"):
            most = min(
                most, 5 + 2 * max(PATIENCE, assignment.patience, getattr(test.case, "time", None) or 0)
            )
        task = _Task(str(self.submission.file.resolve()), test, assignment.memory, assignment.patience)
        self.began = time.monotonic()
        self.pool.submit(_tested, task, most)

    def _over(self) -> str:
        return f"the {self.assignment.total:g} seconds for all tests were over"

    def _take(self, found: CaseVerdict) -> None:
        """Put down what the test that was going on came to."""
        self._put(found)
        if self.submission.verdicts[-1].kind == "file" and found.state != MET:
            self._rest("not tested: the file cannot be used")
        if self.done:
            self.stop()

    def _rest(self, why: str) -> None:
        """Put down why the tests that are left are not held."""
        self.began = 0.0
        while not self.done:
            self._put(CaseVerdict(FAULT, why))
        self.stop()

    def _put(self, found: CaseVerdict) -> None:
        test = self.submission.tests[len(self.submission.verdicts)]
        took = time.monotonic() - self.began if self.began else 0.0
        verdict = replace(found, kind=test.kind, name=test.name, file=str(self.submission.file), seconds=took)
        self.submission.verdicts.append(verdict)
        self.tell(self.submission, verdict)


# -- in the student's process --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    file: str
    test: Requirement
    memory: int
    patience: float


def _begin(asked: tuple[str, int]) -> bool:
    """The first that is done there: from now on it is confined, and nobody hears what it prints."""
    file, memory = asked
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  for as long as the process lives
    confinement.confine(Path(file), memory)
    return True


def _tested(task: _Task) -> tuple[CaseVerdict, bool]:
    """Hold one test; and does something of the engine's still run?"""
    before = threading.active_count()
    try:
        found = _held(task)
    except (MemoryError, RuntimeError) as error:  # no room for a thread, perhaps
        if not isinstance(error, MemoryError) and "thread" not in str(error):
            raise
        return CaseVerdict(FAULT, f"it needs more than {task.memory} MB of memory"), True
    return found, threading.active_count() > before


def _held(task: _Task) -> CaseVerdict:
    work: dict[str, Callable[[_Task], CaseVerdict]] = {
        "file": _loaded,
        "laws": _obeyed,
        "position": _searched,
        "match": _played,
    }
    return regress.safe(work[task.test.kind], task)


def _loaded(task: _Task) -> CaseVerdict:
    engine, _ = registry.engine(task.file)
    return CaseVerdict(MET, f"{engine.name} is an engine")


def _obeyed(task: _Task) -> CaseVerdict:
    asked: LawsTask = task.test.case
    found = conduct.check(task.file, [asked.game], asked.positions, timed=False)
    facts = {"searches": found.searches, "broken": [one.law for one in found.broken]}
    if not found.broken:
        return CaseVerdict(MET, f"all hold in {found.searches} searches", facts)
    first = found.broken[0]
    after = f" after {' '.join(first.moves)}" if first.moves else " at the start"
    more = f" (and {len(found.broken) - 1} more)" if len(found.broken) > 1 else ""
    told = f"broken{after}: {first.statement}; {first.seen}{more}"
    return CaseVerdict(FAULT if found.faulty else REGRESSION, told, facts)


def _searched(task: _Task) -> CaseVerdict:
    asked: SearchTask = task.test.case
    game = registry.game(asked.game)
    match = unplayed(game, asked.position, asked.moves)
    if match.over():
        raise BadInput(f"{game.name}: the game is over in this position")
    position: Any = match.replica()
    expect = asked.expect.spelled(position)
    engine, own = registry.engine(task.file)
    registry.fit(engine, position)
    limit = own.within(asked.limit)
    counted = Counted(position)
    session = Session(engine)
    session.patience = None if limit.seconds else task.patience
    session.begin()
    report = session.search(counted if isinstance(engine, OwnEngine) else position, limit)
    report = replace(report, nodes=max(report.nodes, counted.moves_made + 1))
    line = match.spell(report.pv)
    wrong = expect.wrong(report, line, match.position.unit)
    value = describe(report.value, report.exact, match.position.unit)
    if report.bound == "unknown":
        value = "no value"
        if any(getattr(expect, name) is not None for name in ("value", "value_at_least", "value_at_most")):
            wrong = ["it tells no value", *(one for one in wrong if not one.startswith("value"))]
    told = f"move {line[0]}, {value}, {report.nodes:,} nodes"
    facts = {"move": line[0], "value": report.value, "said": value, "nodes": report.nodes}
    return CaseVerdict(REGRESSION if wrong else MET, "; ".join(wrong) or told, facts)


def _played(task: _Task) -> CaseVerdict:
    asked: MatchTask = task.test.case
    players = [task.file, asked.against]
    common = {name: getattr(asked, name) for name in ("name", "game", "depth", "nodes", "time")}
    case = Meeting(
        **common,
        expect=asked.expect,
        players=players,
        games=asked.games,
        seed=asked.seed,
        openings=asked.openings,
    )
    return regress.meeting(case, _InOrder(), task.patience)


class _InOrder:
    """Does tasks one after the other, here."""

    def each(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """As of a `Pool`."""
        return map(work, tasks)


class Counted(Narrowed):
    """A position that counts the moves made on it and on all its copies."""

    def __init__(self, position: Any, tally: list[int] | None = None) -> None:
        super().__init__(position, (), made=1)  # at no root: all moves are there
        object.__setattr__(self, "_tally", [0] if tally is None else tally)

    @property
    def moves_made(self) -> int:
        """How many."""
        count: int = self._tally[0]
        return count

    def make(self, move: int) -> None:
        """Make a move, and count it."""
        self._tally[0] += 1
        super().make(move)

    def twin(self) -> "Counted":
        """A copy that counts along."""
        return Counted(twin(self._position), self._tally)

    def __deepcopy__(self, memo: Any) -> "Counted":
        return self.twin()

    __copy__ = twin
