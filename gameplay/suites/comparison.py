"""Compares the answers of a student's engine with a textbook algorithm's, on random trees and positions.

The engine receives positions; correct answers are computed here. A wrong answer is reported with its
refutation: the replies to a wrong move, or the line with the correct value.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.errors import BadInput, GameplayError
from gameplay.plural import plural
from gameplay.position import AbstractPosition, twin
from gameplay.sandbox.counted import Counter
from gameplay.sandbox.engine import GuestEngine
from gameplay.sandbox.messages import Origin
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.search.user_engine import UserEngine
from gameplay.suites import samples, textbook
from gameplay.suites.assignment import RandomTask, Requirement
from gameplay.suites.regress import MET, REGRESSION, CaseVerdict
from gameplay.suites.samples import ALGORITHMS, VISITED, Sample
from gameplay.suites.textbook import Line, MoveAnswer, Number
from gameplay.value import INF, format_payoff, format_value, is_counted, is_win

DEEPEST = 40  # plies, if an assignment sets no depth: to the end of every tree
SHOWN = 5  # wrong answers in the facts
ENGINE = "your engine"
CLOSE = 1e-6  # tolerance between values if one is a float


@dataclass(frozen=True)
class Reply:
    """An engine's report and the positions it visited."""

    report: Report
    lines: Sequence[Line] = ()


@dataclass
class ComparedSearches:
    """The results of all samples."""

    searches: int = 0
    wrong: list[tuple[Sample, str]] = field(default_factory=list)
    visited: int = 0  # nodes
    expected: int = 0  # ... by alpha-beta


def compare(task: RandomTask, spec: str, hang_timeout: float, withheld: bool = False) -> CaseVerdict:
    """Search every sample with the engine of `spec` and compare. Raises as `registry.engine` and a search."""
    tally = ComparedSearches()
    depth = task.depth or DEEPEST
    for sample in draw_samples(task):
        position = sample.position()
        reply = search(spec, sample, position, task, hang_timeout, withheld)
        tally.searches += 1
        words = _wrong(task, sample, position, depth, reply)
        if words:
            tally.wrong.append((sample, words))
        if task.visits_at_most is not None:
            tally.visited += len({(), *reply.lines})
            tally.expected += len(samples.search_pruned(sample, depth).nodes)
    return _verdict(task, tally)


def draw_samples(task: RandomTask) -> list[Sample]:
    """The samples of a task."""
    algorithm, kinds = ALGORITHMS[task.reference or "minimax"]
    depth = task.depth or DEEPEST
    if _follows(task):
        kinds = VISITED
    result = list(
        samples.of_trees(task.trees or list(kinds), task.count, task.seed, depth, algorithm, task.gap)
    )
    if task.positions:
        result += samples.of_game(task.game, task.positions, task.seed, depth, algorithm, task.gap)
    for sample in result:
        _demand_fit(task, sample)
    return result


def _demand_fit(task: RandomTask, sample: Sample) -> None:
    """Raise BadInput if the reference cannot play the game of a sample."""
    position, visits = sample.position(), _follows(task)
    two = position.players == 2 and position.zero_sum
    wrong = ""
    if position.chance and (visits or task.reference not in ("expectiminimax", "maxn")):
        wrong, right = "has chance", "expectiminimax"
    elif not two and (visits or task.reference != "maxn"):
        wrong, right = "is not a zero-sum game for two", "maxn"
    if wrong and visits:
        raise BadInput(f"{sample.label} {wrong}, where visits are not compared; leave visits out")
    if wrong:
        raise BadInput(f'{sample.label} {wrong}; {task.reference} cannot play it: take reference = "{right}"')


def _follows(task: RandomTask) -> bool:
    """True if visited nodes are compared."""
    return "visits" in task.compare or task.visits_at_most is not None


def check(file: Path, tests: Iterable[Requirement]) -> list[str]:
    """The errors in the [[random]] tests of an assignment, one per line."""
    mistakes = []
    for test in tests:
        if isinstance(test.case, RandomTask):
            try:
                draw_samples(test.case)
            except GameplayError as error:
                mistakes.append(f"{file}, line {test.line}: {error}")
    return mistakes


def refutation(reference: str | None, position: AbstractPosition, limit: Limit, report: Report) -> list[str]:
    """The refutation of a wrong answer, as a sentence; empty if the reference has none."""
    if reference is None:
        return []
    depth = limit.depth or DEEPEST
    try:
        answers = textbook.answers(twin(position), depth, ALGORITHMS[reference][0])
    except BadInput:  # the position is too large
        return []
    words = Words(position)
    sentence = words.of_move(report, answers) or words.of_value(report, answers)
    return [sentence] if sentence else []


def files(task: Any) -> list[str]:
    """The games of a test, besides `game`, whose files are loaded before an engine is confined."""
    return [kind for kind in task.trees if kind not in samples.TREES] if isinstance(task, RandomTask) else []


def search(
    spec: str,
    sample: Sample,
    position: AbstractPosition,
    task: RandomTask,
    hang_timeout: float,
    withheld: bool,
) -> Reply:
    """One search, by a new engine."""
    engine, own = registry.engine(spec)
    registry.check_engine(engine, position)
    visits = _follows(task)
    counter = Counter(visits, withheld)
    if isinstance(engine, GuestEngine):
        engine.reports_visits = visits
    elif isinstance(engine, UserEngine):
        engine.wrap_position = counter.wrap
    limit = own.within(task.limit)
    limit = limit if limit else Limit(depth=DEEPEST)
    session = Session(engine)
    session.hang_timeout = None if limit.seconds else hang_timeout
    session.begin()
    engine.at(Origin(sample.game, moves=sample.moves))
    report = session.search(position, limit)
    return Reply(report, engine.visited if isinstance(engine, GuestEngine) else tuple(counter.lines))


# -- errors of a reply ------------------------------------------------------------------------------


def _wrong(task: RandomTask, sample: Sample, position: AbstractPosition, depth: int, reply: Reply) -> str:
    """The error as a sentence; "" if there is none."""
    algorithm, _ = ALGORITHMS[task.reference or "minimax"]
    answers = samples.answers(sample, depth, algorithm)
    words = Words(position)
    if "move" in task.compare:
        wrong = words.of_move(reply.report, answers)
        if wrong:
            return wrong
    if "value" in task.compare:
        wrong = words.of_value(reply.report, answers)
        if wrong:
            return wrong
    if "visits" in task.compare:
        return words.of_visits(reply.lines, samples.search_pruned(sample, depth))
    return ""


class Words:
    """Sentences about the answers in a position."""

    def __init__(self, position: AbstractPosition) -> None:
        self.position = position
        self.unit = position.unit

    def of_move(self, report: Report, answers: dict[int, MoveAnswer]) -> str:
        """Check that the move is one of the best; otherwise its refutation."""
        assert report.move is not None
        best = max(answers.values(), key=lambda answer: answer.value)
        chosen = answers[report.move]
        if chosen.value == best.value:
            return ""
        return (
            f"move {self.line(chosen.line[:1])} is wrong: {self.shown(chosen)} has the value "
            f"{self.number(chosen.value)}, and {self.shown(best)} has {self.number(best.value)}"
        )

    def of_value(self, report: Report, answers: dict[int, MoveAnswer]) -> str:
        """Check that the value is that of the best move; otherwise its line."""
        best = max(answers.values(), key=lambda answer: answer.value)
        right = f"it is {self.number(best.value)}, by {self.shown(best)}"
        if report.bound == "unknown" and best.value:  # a bare value of 0 counts as none
            return f"value 0, or none, is wrong: {right}"
        if not _same(report.value, best.value, self.unit):
            return f"value {self.number(report.value)} is wrong: {right}"
        values = answers[report.move].values if report.move is not None else ()
        if (
            report.values
            and values
            and any(
                not _same(value, expected, self.unit)
                for value, expected in zip(report.values, values, strict=True)
            )
        ):
            listed, expected = (", ".join(map(self.number, some)) for some in (report.values, values))
            return f"values ({listed}) are wrong: they are ({expected}), by {self.shown(best)}"
        return ""

    def of_visits(self, lines: Iterable[Line], expected: textbook.PrunedSearch) -> str:
        """Check that the visited nodes are alpha-beta's; otherwise the first that differs."""
        visited = dict.fromkeys(((), *lines))
        for line in visited:
            if line not in expected.nodes:
                unneeded = textbook.find_cut(line, expected.cuts)
                if unneeded is None:
                    return f"{ENGINE} visited {self.quoted(line)}, below the depth"
                node, cut = unneeded
                why = f"alpha-beta had cut there because {self.window(cut)}"
                return f"{ENGINE} visited {self.quoted(node)}; {why}"
        missing = sorted(expected.nodes.keys() - visited.keys(), key=lambda line: (len(line), line))
        if not missing:
            return ""
        return (
            f"{ENGINE} left out {self.quoted(missing[0])}; alpha-beta visits it because "
            f"{self.window(expected.nodes[missing[0]])}"
        )

    def window(self, window: textbook.Window) -> str:
        """`α = 3 ≥ β = 2`."""
        sign = "≥" if window.alpha >= window.beta else "<"
        return f"α = {self.number(window.alpha)} {sign} β = {self.number(window.beta)}"

    def shown(self, answer: MoveAnswer) -> str:
        """The line of an answer in backquotes."""
        return self.quoted(answer.line)

    def quoted(self, line: Line) -> str:
        """A line between backquotes."""
        return f"`{self.line(line)}`"

    def line(self, line: Line) -> str:
        """A line in the game's notation up to the first illegal move, since a guest may report anything."""
        words = []
        made = 0
        try:
            for move in line:
                if self.position.outcome() is not None or move not in self.position.moves():
                    words.append(f"{move} (illegal)")
                    break
                words.append(self.position.format(move))
                self.position.make(move)
                made += 1
        finally:
            for _ in range(made):
                self.position.unmake()
        return " ".join(words)

    def number(self, value: float | Number) -> str:
        """A value in the game's points; a mean as a fraction."""
        if value in (INF, -INF):
            return "+inf" if value > 0 else "-inf"
        if isinstance(value, int) and is_win(value):
            return format_value(value)
        if not isinstance(value, Fraction):
            return format_payoff(value / self.unit)
        mean = value / self.unit
        return str(mean) if mean.denominator == 1 else f"{mean} ({float(mean):.3f})"


def _same(value: float, expected: Number, unit: int) -> bool:
    if isinstance(expected, int) and is_win(expected):
        if is_win(value) and not is_counted(value):  # a win without a known distance
            return (value > 0) == (expected > 0)
        return value == expected or (isinstance(value, float) and value == (unit if expected > 0 else -unit))
    return abs(value - expected) < CLOSE


# -- the verdict -------------------------------------------------------------------------------------


def _verdict(task: RandomTask, tally: ComparedSearches) -> CaseVerdict:
    right = tally.searches - len(tally.wrong)
    facts: dict[str, Any] = {"searches": tally.searches, "right": right}
    facts["wrong"] = [f"{sample.label}: {words}" for sample, words in tally.wrong[:SHOWN]]
    if right < task.right * tally.searches:
        depth = task.depth or DEEPEST
        sample, words = min(tally.wrong, key=lambda failure: samples.size(failure[0], depth))  # the smallest
        facts["see"] = sample.command(depth if words.startswith(ENGINE) else None)
        count = f"{len(tally.wrong)} of {plural(tally.searches, 'search', 'searches')} fail"
        return CaseVerdict(REGRESSION, f"{count}; {sample.label}: {words}", facts)
    summary = f"{right} of {plural(tally.searches, 'search', 'searches')} right"
    if task.visits_at_most is not None:
        facts |= {"visited": tally.visited, "visited_by_alphabeta": tally.expected}
        share = tally.visited / tally.expected
        summary += f", {tally.visited:,} nodes visited, {share:.2f} of alpha-beta's {tally.expected:,}"
        if share > task.visits_at_most:
            return CaseVerdict(REGRESSION, f"{summary}; expected at most {task.visits_at_most:g}", facts)
    return CaseVerdict(MET, summary, facts)
