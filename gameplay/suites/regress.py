"""Tests engines against a `Suite`: searches, matches, speeds and the signature, in several processes.

The results of a test, the worst first; the worst result of all tests determines the exit status:

    bad input      6   the suite refers to something that does not exist
    fault          5   an engine, or the game's own code, failed
    regression     3   the answer is not the expected one
    inconclusive   4   a match ended before its test was decided
    met            0   also an expected failure, and an unexpected success

Only `time` depends on the machine, or on the number of processes.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from msgspec import structs

from gameplay import registry
from gameplay.conformance import signature as bench
from gameplay.errors import BadInput, Fault, GameplayError, describe_exception
from gameplay.matches.match import Event, Listener, Match
from gameplay.players import seats
from gameplay.players.player import Choice
from gameplay.plural import plural
from gameplay.runs.faults import fault_counts, format_fault_counts
from gameplay.runs.job import LOSSES, MOVE_TIMEOUT, VOID, GameResult, Job, play
from gameplay.runs.plan import Entrant, Plan
from gameplay.runs.pool import Pool, Result, Task
from gameplay.runs.schedule import Schedule
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.statistics.sprt import Verdict, counts_of, sprt
from gameplay.statistics.tally import Tally
from gameplay.suites import puzzles
from gameplay.suites import suite as suites
from gameplay.suites.suite import BrokenLine, Case, Meeting, Puzzle, Signature, Speed, Suite
from gameplay.value import format_value

MET, EXPECTED, FIXED = "met", "expected failure", "unexpected success"
REGRESSION, INCONCLUSIVE, FAULT, BAD = "regression", "inconclusive", "fault", "bad input"
STATUS = {MET: 0, EXPECTED: 0, FIXED: 0, INCONCLUSIVE: 4, REGRESSION: 3, FAULT: 5, BAD: 6}  # worst last

NODES = 100_000  # of a search without a limit
ATTEMPTS = 3  # to play a game with a void result


class TaskRunner(Protocol):
    """Runs tasks: a `Pool`, or sequentially."""

    def each(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result | str]:
        """The result of `work` for each task, in order."""
        ...


@dataclass(frozen=True)
class CaseVerdict:
    """The result of a test. `summary` describes it in one line; `facts` are figures for programs."""

    state: str
    summary: str
    facts: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    kind: str = ""  # position, match, speed, signature
    name: str = ""
    file: str = ""
    line: int = 0  # where the test begins in the file

    @property
    def status(self) -> int:
        """The exit status for this result."""
        return STATUS[self.state]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        keys = ("file", "line", "kind", "name", "state", "summary", "facts")
        return {key: getattr(self, key) for key in keys} | {"seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Test:
    """A test of a suite and its location."""

    __test__ = False  # for pytest

    kind: str
    case: Case | Signature | BrokenLine
    file: str
    line: int

    def verdict(self, verdict: CaseVerdict, seconds: float) -> CaseVerdict:
        """The verdict with the test's name, inverted if a failure was expected."""
        why = self.case.expected_failure
        if why and verdict.state in (REGRESSION, INCONCLUSIVE):
            verdict = replace(verdict, state=EXPECTED, summary=f"{verdict.summary} ({why})")
        elif why and verdict.state == MET:
            verdict = replace(
                verdict, state=FIXED, summary=f"{verdict.summary}; remove its expected_failure: {why}"
            )
        return replace(
            verdict, seconds=seconds, kind=self.kind, name=self.case.name, file=self.file, line=self.line
        )


def worst(verdicts: Iterable[CaseVerdict]) -> int:
    """The exit status of all of them."""
    order = list(STATUS)
    return STATUS[max((verdict.state for verdict in verdicts), key=order.index, default=MET)]


def override_defaults(suite: Suite, game: str | None, engine: str | None, limit: Limit) -> Suite:
    """The suite with its defaults replaced by the given values."""
    fields: dict[str, Any] = {"game": game, "engine": engine}
    suite = structs.replace(suite, **{key: word for key, word in fields.items() if word})
    if limit:
        suite = structs.replace(
            suite, depth=limit.depth, nodes=limit.nodes, time=limit.seconds, sims=limit.simulations
        )
    return suite


def read(path: Path) -> tuple[Suite, str, Callable[[str, int], int]]:
    """Read a TOML suite (`suite.read`) or a collection of positions (`puzzles.read`).

    Raises BadInput, with file and line.
    """
    return puzzles.read(path) if path.suffix.lower() in puzzles.GAMES else suites.read(path)


def tests(suite: Suite, file: str, line: Callable[[str, int], int]) -> list[Test]:
    """The tests of a suite, with defaults filled in. `line` returns the line of the n-th test of a kind."""
    tests = []
    for kind in suites.KINDS:
        numbers = count()
        for case in getattr(suite, kind):
            if isinstance(case, BrokenLine) and case.kind:  # a line of the file, not a test
                tests.append(Test(case.kind, case, file, case.line))
                continue
            where = line(kind, next(numbers))
            if isinstance(case, BrokenLine):
                where = case.line or where
            if isinstance(case, Case):
                case = _with_defaults(case, suite)
                if not case.game:
                    why = 'no game; add game = "connect4" here, or on top'
                    case = BrokenLine(name=case.name, why=why)
            tests.append(Test(kind, case, file, where))
    return tests


def unreadable(path: Path, error: BadInput) -> Test:
    """The test that represents an unreadable file."""
    return Test("file", BrokenLine(name=path.name, why=str(error).removeprefix(f"{path}: ")), str(path), 0)


def _with_defaults(case: Case, suite: Suite) -> Case:
    fields: dict[str, Any] = {"game": case.game or suite.game}
    if not case.limit and not (isinstance(case, Meeting) and case.clock):
        fields |= {"depth": suite.depth, "nodes": suite.nodes, "time": suite.time, "sims": suite.sims}
    if isinstance(case, Puzzle):
        fields["engine"] = case.engine or suite.engine
    return structs.replace(case, **fields)


def run(tests: Sequence[Test], jobs: int, progress: Callable[[CaseVerdict], Any]) -> list[CaseVerdict]:
    """Run every test, `jobs` at a time, passing each verdict to `progress`; speed tests run last, in turn."""
    verdicts = []

    def take(verdict: CaseVerdict) -> None:
        verdicts.append(verdict)
        progress(verdict)

    single = [test for test in tests if test.kind not in ("match", "speed")]
    with Pool(jobs) as pool:
        for test, result in zip(single, pool.each(_one, single), strict=True):
            take(result if isinstance(result, CaseVerdict) else test.verdict(CaseVerdict(FAULT, result), 0.0))
        for test in tests:
            if test.kind == "match":
                take(_match(test, pool))
    with Pool(1) as pool:
        alone = [test for test in tests if test.kind == "speed"]
        for test, result in zip(alone, pool.each(_one, alone), strict=True):
            take(result if isinstance(result, CaseVerdict) else test.verdict(CaseVerdict(FAULT, result), 0.0))
    return verdicts


def _one(test: Test) -> CaseVerdict:
    """Run a test in a worker."""
    work: dict[str, Callable[[Any], CaseVerdict]] = {
        "position": search,
        "speed": speed,
        "signature": signature,
    }
    if isinstance(test.case, BrokenLine):
        return test.verdict(CaseVerdict(BAD, test.case.why), 0.0)
    start_time = time.perf_counter()
    return test.verdict(safe(work[test.kind], test.case), time.perf_counter() - start_time)


def safe(work: Callable[..., CaseVerdict], *arguments: Any) -> CaseVerdict:
    """The result of `work`, with exceptions converted to verdicts."""
    try:
        return work(*arguments)
    except Fault as fault:
        return CaseVerdict(FAULT, str(fault))
    except (GameplayError, OSError) as error:
        return CaseVerdict(BAD, str(error))


# -- one search --------------------------------------------------------------------------------------


def search(case: Puzzle) -> CaseVerdict:
    """Search a position and compare."""
    finding = BestMoveWatch()
    match, choice = _choose(case.game, case.engine, case.position, case.moves, case.limit, finding)
    position = match.position
    expect = case.expect.in_notation(position)  # raises IllegalMove: the suite is wrong, not the engine
    report = choice.report
    line = match.spell(report.pv) if report is not None and report.pv else []
    line = line or [position.format(choice.move)]
    if report is None:
        figures = ("value", "value_at_least", "value_at_most", "points", "nodes", "nodes_at_most")
        if any(getattr(expect, key) is not None for key in figures):
            raise BadInput(f"{case.engine} reports neither values nor nodes: expect moves only")
        wrong = expect.wrong_moves(line)
        summary = f"move {line[0]}"
        facts: dict[str, Any] = {"move": line[0]}
    else:
        wrong = expect.wrong(report, line, position.unit)
        value = format_value(report.value, report.exact, position.unit)
        summary = f"move {line[0]}, {value}, depth {report.depth}, {report.nodes:,} nodes"
        facts = {"move": line[0], "value": report.value, "exact": report.exact, "said": value}
        facts["depth"] = report.depth
        facts |= {"nodes": report.nodes, "pv": " ".join(line), "found": finding.facts(report)}
    return CaseVerdict(REGRESSION if wrong else MET, "; ".join(wrong) or summary, facts)


class BestMoveWatch:
    """A listener that stores the first report of the current best move."""

    def __init__(self) -> None:
        self.report: Report | None = None  # the first with the current move

    def __call__(self, event: Event) -> None:
        """See `match.Listener`."""
        report = event.report
        if report is not None and (self.report is None or report.move != self.report.move):
            self.report = report

    def facts(self, last: Report) -> dict[str, Any]:
        """Depth, nodes and seconds from which the move of the `last` report was the best."""
        first = self.report if self.report is not None and self.report.move == last.move else last
        return {"depth": first.depth, "nodes": first.nodes, "seconds": round(first.seconds, 2)}


def _choose(
    spec: str, engine: str, start: str, moves: Sequence[str], limit: Limit, listener: Listener | None = None
) -> tuple[Match, Choice]:
    """A match starting at the position, and the player's choice there."""
    game = registry.game(spec)
    player = seats.player(engine, game, limit=limit or None)
    if not limit and player.limit is not None and not player.limit:
        player = seats.player(engine, game, limit=Limit(nodes=NODES))
    try:
        listeners = [listener] if listener is not None else []
        match = Match(game, [player] * game.new().players, start, moves, listeners=listeners)
        if match.over():
            raise BadInput(f"{game.name}: the game is over in this position")
        view = match.view(match.turn)
        player.begin(view)
        try:
            choice = player.choose(view)
        except (GameplayError, OSError):
            raise
        except Exception as error:
            raise Fault(f"{player.name} raised {describe_exception(error)}") from error
        if choice is None or choice.move not in match.moves():
            raise Fault(f"{player.name} chose no legal move")
        return match, choice
    finally:
        player.close()


# -- speed -------------------------------------------------------------------------------------------


def speed(case: Speed) -> CaseVerdict:
    """The ratios of nodes and time of the first to the second player, over all positions."""
    nodes, seconds = [0, 0], [0.0, 0.0]
    for start in case.positions:
        for number, engine in enumerate(case.players):
            reports = []
            for _ in range(case.repeat):
                report = _choose(case.game, engine, start, (), case.limit)[1].report
                if report is None:
                    raise BadInput(f"{engine} does not report its search time")
                reports.append(report)
            nodes[number] += reports[0].nodes
            seconds[number] += min(report.seconds for report in reports)
    if not all(nodes) or not all(seconds):
        raise BadInput("nothing to compare: one of the two did not search")
    ratios = {"nodes": nodes[0] / nodes[1], "time": seconds[0] / seconds[1]}
    wrong = [
        f"the first player needs {ratios[key]:.3f} times the second's {key}, expected at most {most:g}"
        for key, most in (("nodes", case.expect.nodes), ("time", case.expect.time))
        if most is not None and ratios[key] > most
    ]
    summary = f"{ratios['nodes']:.3f} times the second's nodes, {ratios['time']:.2f} times its time"
    facts: dict[str, Any] = {"nodes_ratio": round(ratios["nodes"], 6), "time_ratio": round(ratios["time"], 3)}
    facts |= {"nodes": nodes, "search_seconds": [round(took, 6) for took in seconds]}
    return CaseVerdict(REGRESSION if wrong else MET, "; ".join(wrong) or summary, facts)


def signature(case: Signature) -> CaseVerdict:
    """The sum of nodes of the fixed searches."""
    nodes = sum(bench.measure().values())
    summary = f"{nodes:,} nodes"
    if nodes != case.nodes:
        summary += (
            f", expected {case.nodes:,}: the search has changed (`gameplay signature --check` says where)"
        )
    return CaseVerdict(MET if nodes == case.nodes else REGRESSION, summary, {"nodes": nodes})


# -- a match ---------------------------------------------------------------------------------------


def _match(test: Test, pool: Pool) -> CaseVerdict:
    if isinstance(test.case, BrokenLine):
        return test.verdict(CaseVerdict(BAD, test.case.why), 0.0)
    start_time = time.perf_counter()
    return test.verdict(safe(meeting, test.case, pool), time.perf_counter() - start_time)


SHARED = {*Plan.__struct_fields__} & {*Meeting.__struct_fields__} - {"players"}


def plan_of(case: Meeting, move_timeout: float = MOVE_TIMEOUT) -> Plan:
    """The plan of the match. move_timeout: seconds per move without a time limit."""
    return Plan(
        players=[Entrant(player=spec) for spec in case.players],
        patience=move_timeout,
        **{name: getattr(case, name) for name in SHARED},
    )


def meeting(case: Meeting, pool: TaskRunner, move_timeout: float = MOVE_TIMEOUT) -> CaseVerdict:
    """Play the pairs of a match in order until all are played or its SPRT is decided."""
    plan = plan_of(case, move_timeout)
    if case.expect.sprt and plan.sprt is None:
        raise BadInput(
            "a verdict of an SPRT is expected, and the match has no sprt = { elo0 = 0, elo1 = 20 }"
        )
    schedule = Schedule(plan)
    assert schedule.specs  # every player exists and can play the game
    if plan.games % schedule.places:
        raise BadInput(
            f"every opening is played with each seating: games must be a multiple of {schedule.places}, "
            f"not {plan.games}"
        )
    played = _Games(schedule.places)
    verdict = None
    tasks = [[schedule.job(pair, leg, 1) for leg in range(pair.legs)] for pair in schedule.pairs({})]
    for jobs, result in zip(tasks, pool.each(_pair, tasks), strict=True):
        if isinstance(result, str):
            return CaseVerdict(FAULT, result)
        played.add(result, [[seat.name for seat in job.seats] for job in jobs])
        if played.void:
            return CaseVerdict(FAULT, f"a game had no result after {ATTEMPTS} attempts: {played.void}")
        if plan.sprt is not None:
            s = plan.sprt
            verdict = sprt(counts_of(played.tally, s.model), s.elo0, s.elo1, s.alpha, s.beta, s.model)
            if verdict.decision:
                break
    return played.verdict(case, verdict)


def _games_lost(count: int) -> str:
    return f"{plural(count, 'game')} lost"


def _pair(jobs: list[Job]) -> list[GameResult]:
    """Play the games of a pair in a worker, each seating once."""
    games = []
    for job in jobs:
        for attempt in range(1, ATTEMPTS + 1):
            result = play(structs.replace(job, attempt=attempt))
            if result.termination != VOID:
                break
        games.append(result)
    return games


class _Games:
    """The results of the first player's games, and the faults."""

    def __init__(self, legs: int) -> None:
        self.tally = Tally(legs)
        self.faults: list[str] = []
        self.offences: list[tuple[str, str]] = []  # the player at fault, and how the game ended
        self.void = ""
        self.hashes: list[str] = []

    def add(self, games: list[GameResult], names: Sequence[Sequence[str]] = ()) -> None:
        """Add the games of a pair. names: of the players by seat, in each game."""
        for number, done in enumerate(games):
            if done.points is None:
                self.void = done.fault or "no result"
                return
            self.tally.add(done.pair, done.points)
            self.hashes.append(done.moves_hash)
            if done.termination in LOSSES:
                self.faults.append(f"{done.termination}: {done.fault}")
                seated = names[number] if names else []
                named = done.offender is not None and done.offender < len(seated)
                self.offences.append((seated[done.offender or 0] if named else "a player", done.termination))

    def verdict(self, case: Meeting, test: Verdict | None) -> CaseVerdict:
        games = self.tally.total
        lost, drawn, won = self.tally.games
        score = self.tally.points / games
        summary = f"score {score:.3f} of {games} games (won {won}, drawn {drawn}, lost {lost})"
        repeats = games - len(set(self.hashes))
        facts: dict[str, Any] = {"games": games, "wins": won, "draws": drawn, "losses": lost}
        facts |= {"score": round(score, 6), "pairs": self.tally.pairs, "repeats": repeats}
        facts["faults"] = len(self.faults)
        if self.offences:
            facts["faults_by_player"] = format_fault_counts(fault_counts(self.offences))
        if test is not None:
            facts["sprt"] = test.as_dict()
            summary += f"; {test}"
        if len(self.faults) > case.expect.faults:
            faults = f"{_games_lost(len(self.faults))} by a fault, expected {case.expect.faults} at most"
            return CaseVerdict(FAULT, f"{faults}: {self.faults[0]}", facts)
        wrong = []
        decision = test.decision if test is not None else ""
        if case.expect.score is not None and score < case.expect.score - 1e-9:
            wrong.append(f"expected a score of {case.expect.score:g} at least")
        if case.expect.sprt and decision and decision != case.expect.sprt:
            wrong.append(f"expected {case.expect.sprt} accepted")
        if wrong:
            return CaseVerdict(REGRESSION, f"{summary}; {'; '.join(wrong)}", facts)
        if case.expect.sprt and not decision:
            return CaseVerdict(
                INCONCLUSIVE, f"{summary}; expected {case.expect.sprt} accepted: give it more games", facts
            )
        return CaseVerdict(MET, summary, facts)
