"""Tests students' engines against an `Assignment`.

Each file is loaded in a confined guest (`gameplay.sandbox`), which receives positions and returns moves.
Expected answers, the referee, opponents and the verification of moves, lines and values are in this process.
If the guest has ended, was killed or left threads behind, the next test starts a new one, so that a fault
costs only the marks of its test.
"""

import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.errors import BadInput, GameplayError
from gameplay.matches.match import match_without_players
from gameplay.plural import plural
from gameplay.runs.pool import Result
from gameplay.runs.pool import Task as PoolTask
from gameplay.sandbox.confinement import Confinement
from gameplay.sandbox.engine import GuestEngine, Host, create_engine
from gameplay.search import threads
from gameplay.search.session import Session
from gameplay.suites import comparison, conduct, payoff_trees, regress
from gameplay.suites.assignment import (
    Assignment,
    LawsTask,
    MatchTask,
    RandomTask,
    Requirement,
    SearchTask,
    Task,
    mistake,
)
from gameplay.suites.regress import BAD, FAULT, MET, REGRESSION, CaseVerdict
from gameplay.suites.suite import Meeting
from gameplay.value import format_value

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

TICK = 0.1  # seconds between checks for Ctrl-C
MAX_FRAME_SIZE = 1 << 20  # maximum bytes of a student's file
SLACK = 60  # extra seconds of processor time, to load Python once or more


@dataclass
class Submission:
    """The results of a student's tests, in order."""

    file: Path
    tests: Sequence[Requirement]
    verdicts: list[CaseVerdict] = field(default_factory=list)

    @property
    def marks(self) -> float:
        """The marks of the passed tests."""
        pairs = zip(self.tests, self.verdicts, strict=False)
        return sum(test.marks for test, verdict in pairs if verdict.state == MET)

    @property
    def most(self) -> float:
        """The maximum marks."""
        return sum(test.marks for test in self.tests)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        listed = [
            verdict.as_dict() | {"marks": test.marks if verdict.state == MET else 0, "most": test.marks}
            for test, verdict in zip(self.tests, self.verdicts, strict=False)
        ]
        return {"file": str(self.file), "marks": self.marks, "most": self.most, "tests": listed}


def files(paths: Iterable[Path]) -> list[Path]:
    """The students' files: the given files and the .py files of given folders. Raises BadInput."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            if not path.exists():
                raise BadInput(f"there is no file {path}")
            files.append(path)
            continue
        inside = sorted(file for file in path.glob("*.py") if not file.name.startswith(("_", ".")))
        if not inside:
            raise BadInput(f"there is no .py file in {path}")
        files += inside
    return files


def examine(
    assignment: Assignment,
    tests: Sequence[Requirement],
    files: Iterable[Path],
    jobs: int,
    report: Callable[[Submission, CaseVerdict], Any],
) -> list[Submission]:
    """Test students' files, `jobs` at a time; each verdict is reported as soon as it is known."""
    lock = threading.Lock()

    def reported(submission: Submission, verdict: CaseVerdict) -> None:
        with lock:
            report(submission, verdict)

    students = [_Student(assignment, tests, file, reported) for file in files]
    waiting = deque(students)
    failures: list[BaseException] = []

    def work() -> None:
        while not failures:
            try:
                student = waiting.popleft()
            except IndexError:
                return
            try:
                student.run()
            except BaseException as error:
                failures.append(error)

    try:
        for thread in [threads.start(work, "student") for _ in range(min(jobs, len(students)))]:
            if thread is None:
                work()
            while thread is not None and thread.is_alive():
                thread.join(TICK)  # in steps, so that Ctrl-C is noticed
    finally:
        waiting.clear()
        for student in students:
            student.stop()
    if failures:
        raise failures[0]
    return [student.submission for student in students]


class _Student:
    """A student's file and the guest process that runs its engine."""

    def __init__(
        self,
        assignment: Assignment,
        tests: Sequence[Requirement],
        file: Path,
        report: Callable[[Submission, CaseVerdict], Any],
    ) -> None:
        self.assignment = assignment
        self.report = report
        self.submission = Submission(file, tests)
        self.stopped = False
        games = {test.case.game: None for test in tests if test.case is not None and test.case.game}
        games |= dict.fromkeys(spec for test in tests for spec in comparison.files(test.case))
        games[f"{payoff_trees.__file__}:WinLoss"] = None  # for the law of minimax
        confinement = Confinement(
            assignment.memory, int(assignment.total) + SLACK, assignment.forbidden_imports, tuple(games)
        )
        self.host = Host(str(file.resolve()), confinement, keep=True, withheld=not assignment.evaluation)

    def run(self) -> None:
        """Run every test on the file."""
        try:
            wrong = _unusable(self.submission.file, self.assignment)
            if wrong:
                self._put(CaseVerdict(BAD, wrong))
            else:
                with registry.override_engines(self.submission.file, partial(create_engine, self.host)):
                    self._run()
            self._rest("not tested: the file cannot be used")
        finally:
            self.host.kill()

    def stop(self) -> None:
        """End the process and skip the remaining tests."""
        self.stopped = True
        self.host.stop()

    def _run(self) -> None:
        remaining, over = (
            self.assignment.total,
            f"all tests exceeded their {self.assignment.total:g} seconds",
        )
        for test in self.submission.tests:
            if self.stopped:
                return
            if remaining <= 0:
                return self._rest(f"not tested: {over}")
            if test.kind != "file":
                remaining -= self._ready()
            most = max(0.0, min(remaining, _seconds(test.case) or self.assignment.each))
            began = time.monotonic()
            self.host.deadline = began + most
            self.host.timeout_reason = (
                over if most == remaining else f"this test exceeded its {most:g} seconds"
            )
            verdict = regress.safe(WORK[test.kind], _Task(self.host, test, self.assignment))
            took = time.monotonic() - began
            remaining -= took
            self._put(verdict, took)
            if test.kind == "file" and verdict.state != MET:
                return

    def _ready(self) -> float:
        """Load the file before a test's time starts; returns the seconds spent in its own code."""
        self.host.deadline = 0.0
        try:
            began, there = self.host.started, self.host.guest()
        except (GameplayError, OSError):
            return 0.0  # the error recurs in the test
        return there.loaded if self.host.started > began else 0.0

    def _rest(self, why: str) -> None:
        """Skip the remaining tests."""
        while len(self.submission.verdicts) < len(self.submission.tests) and not self.stopped:
            self._put(CaseVerdict(FAULT, why))

    def _put(self, result: CaseVerdict, seconds: float = 0.0) -> None:
        test = self.submission.tests[len(self.submission.verdicts)]
        verdict = replace(
            result, kind=test.kind, name=test.name, file=str(self.submission.file), seconds=seconds
        )
        self.submission.verdicts.append(verdict)
        self.report(self.submission, verdict)


def _unusable(file: Path, assignment: Assignment) -> str:
    """Why a file is rejected by its name or text; "" if accepted."""
    if file.suffix != ".py":
        return "it is not a .py file"
    try:
        facts = file.stat()
        if not stat.S_ISREG(facts.st_mode):
            return "it is not a regular file"
        if facts.st_size > MAX_FRAME_SIZE:
            return f"it has {facts.st_size:,} bytes, more than the limit of {MAX_FRAME_SIZE:,}"
        return mistake(file.read_bytes(), assignment.forbidden_imports)
    except OSError as error:
        return error.strerror or str(error)


# -- the tests -------------------------------------------------------------------------------------------


def _seconds(case: Any) -> float | None:
    """The time limit that a task sets itself."""
    return case.seconds if isinstance(case, Task | LawsTask) else None


@dataclass(frozen=True)
class _Task:
    host: Host
    test: Requirement
    assignment: Assignment


def _check_loading(task: _Task) -> CaseVerdict:
    return CaseVerdict(MET, f"{task.host.guest().ready.name} is an engine")


def _check_laws(task: _Task) -> CaseVerdict:
    laws: LawsTask = task.test.case
    conducted = conduct.check(task.host.file, [laws.game], laws.positions, timed=False)
    facts = {"searches": conducted.searches, "broken": [violation.law for violation in conducted.broken]}
    if not conducted.broken:
        return CaseVerdict(MET, f"all hold in {conducted.searches} searches", facts)
    first = conducted.broken[0]
    after = f" after {' '.join(first.moves)}" if first.moves else " at the start"
    more = f" (and {len(conducted.broken) - 1} more)" if len(conducted.broken) > 1 else ""
    words = f"broken{after}: {first.statement}; {first.seen}{more}"
    return CaseVerdict(FAULT if conducted.faulty else REGRESSION, words, facts)


def _check_search(task: _Task) -> CaseVerdict:
    search_task: SearchTask = task.test.case
    game = registry.game(search_task.game)
    match = match_without_players(game, search_task.position, search_task.moves)
    if match.over():
        raise BadInput(f"{game.name}: the game is over in this position")
    position: AbstractPosition = match.replica()
    expect = search_task.expect.in_notation(position)
    engine, own = registry.engine(task.host.file)
    registry.check_engine(engine, position)
    limit = own.within(search_task.limit)
    session = Session(engine)
    session.hang_timeout = None if limit.seconds else task.assignment.patience
    session.begin()
    engine.at(match)
    report = session.search(position, limit)
    assert isinstance(engine, GuestEngine)  # it runs in a guest process
    report = report.with_(nodes=max(report.nodes, engine.made + 1))
    line = match.spell(report.pv)
    wrong = expect.wrong(report, line, match.position.unit)
    value = format_value(report.value, report.exact, match.position.unit)
    if report.bound == "unknown":
        value = "no value"
        if any(getattr(expect, name) is not None for name in ("value", "value_at_least", "value_at_most")):
            wrong = ["it reports no value", *(reason for reason in wrong if not reason.startswith("value"))]
    if wrong:
        wrong += comparison.refutation(task.assignment.reference, match.replica(), limit, report)
    words = f"move {line[0]}, {value}, {plural(report.nodes, 'node')}"
    facts = {"move": line[0], "value": report.value, "said": value, "nodes": report.nodes}
    return CaseVerdict(REGRESSION if wrong else MET, "; ".join(wrong) or words, facts)


def _check_random(task: _Task) -> CaseVerdict:
    random_task: RandomTask = task.test.case
    return comparison.compare(random_task, task.host.file, task.assignment.patience)


def _check_match(task: _Task) -> CaseVerdict:
    match_task: MatchTask = task.test.case
    players = [task.host.file, match_task.against]
    common = {name: getattr(match_task, name) for name in ("name", "game", "depth", "nodes", "sims", "time")}
    meeting = Meeting(
        **common,
        expect=match_task.expect,
        players=players,
        games=match_task.games,
        seed=match_task.seed,
        openings=match_task.openings,
    )
    return regress.meeting(meeting, _SequentialRunner(), task.assignment.patience)


WORK: dict[str, Callable[[_Task], CaseVerdict]] = {
    "file": _check_loading,
    "laws": _check_laws,
    "random": _check_random,
    "position": _check_search,
    "match": _check_match,
}


class _SequentialRunner:
    """Runs tasks sequentially in this process."""

    def each(self, work: Callable[[PoolTask], Result], tasks: Iterable[PoolTask]) -> Iterator[Result]:
        """As `Pool.each`."""
        return map(work, tasks)
