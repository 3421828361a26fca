"""The results of each kind of assignment test: searches, laws, matches, time limits."""

import copy
import threading
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli.common import template
from gameplay.sandbox.counted import Counter
from gameplay.suites import assignment, examination
from gameplay.suites.examination import Submission
from gameplay.suites.regress import CaseVerdict
from tests.support.assignments import GOOD, SHEET, write_submission

pytestmark = pytest.mark.once


def test_copies_of_a_counted_position_count_along() -> None:
    counter = Counter()
    counted = counter.wrap(registry.game("tictactoe").new())
    for position in (counted, counted.twin(), copy.deepcopy(counted)):
        position.make(position.moves()[0])
        position.unmake()
    assert counter.made == 3 and len(counted.moves()) == 9 and counter.describe_change() == ""
    before = counted.key()
    counted.make(4)
    assert counter.describe_change() == f"turn and key were 0, {before}; 1, {counted.key()}"


GOOD_ONE = CaseVerdict("met", "fine")


def examine(tmp_path: Path, text: str, tests: str, head: str = "") -> list[tuple[str, str, Any]]:
    """The state, text and facts of an assignment's tests for one file."""
    (tmp_path / assignment.FILE).write_text(f'game = "tictactoe"\ndepth = 2\n{head}\n{tests}')
    homework, requirements = assignment.read(tmp_path)
    reported: list[CaseVerdict] = []
    (submission,) = examination.examine(
        homework,
        requirements,
        [write_submission(tmp_path, text)],
        1,
        lambda _, verdict: reported.append(verdict),
    )
    assert reported == submission.verdicts
    assert [(verdict.kind, verdict.name, verdict.file) for verdict in reported] == [
        (test.kind, test.name, str(submission.file)) for test in requirements
    ]
    return [(verdict.state, verdict.summary, verdict.facts) for verdict in reported]


def position(name: str, moves: str, expect: str) -> str:
    """A test of one search."""
    return f'[[position]]\nname = "{name}"\nmoves = [{moves}]\nexpect = {{ {expect} }}\n'


def test_searches_are_compared_with_expected_results(tmp_path: Path) -> None:
    tests = position("wins", '"a1", "a2", "b1", "b2"', 'move = "c1"')
    tests += position("misses", '"a1", "a2"', 'move = "c1"')
    tests += position("no value", '"a1", "a2"', "value = 3")
    tests += position("both", '"a1", "a2"', 'value_at_least = 3, move = "c1"')
    tests += position("over", '"a1", "a2", "b1", "b2", "c1"', 'move = "c2"')
    file, wins, *others = examine(tmp_path, GOOD, tests)
    assert file == ("met", "mine is an engine", {})
    facts = {"move": "c1", "value": 0, "said": "no value", "nodes": 2}
    assert wins == ("met", "move c1, no value, 2 nodes", facts)
    assert [other[:2] for other in others] == [
        ("regression", "move b1, expected c1"),
        ("regression", "it reports no value"),
        ("regression", "it reports no value; move b1, expected c1"),
        ("bad input", "tictactoe: the game is over in this position"),
    ]


REPORTS = """
from gameplay import Report
def choose(position, limit):
    line = []
    while position.outcome() is None:
        line.append(position.moves()[0])
        position.make(line[-1])
    for _ in line:
        position.unmake()
    return Report(move=line[0], value=12, nodes=NODES, pv=PV)
"""


def test_only_moves_made_within_the_engine_count(tmp_path: Path) -> None:
    """The game is seven moves long; verifying a returned line makes other moves."""
    tests = position("line", "", "value = 12, nodes = 8")
    for nodes, pv, words in ((0, "line", "8"), (3, "line[:1]", "8"), (8, "()", "8"), (9, "line", "9")):
        folder = tmp_path / f"{nodes}{len(pv)}"
        folder.mkdir()
        _, submission = examine(folder, REPORTS.replace("NODES", str(nodes)).replace("PV", pv), tests)
        wrong = "9 nodes, expected 8" if nodes == 9 else f"move a1, +12, {words} nodes"
        assert submission[:2] == ("regression" if nodes == 9 else "met", wrong), (nodes, pv)


def test_laws_and_matches_report_their_figures(tmp_path: Path) -> None:
    tests = "[laws]\npositions = 2\n"
    match = '[[match]]\nname = "x"\nagainst = "random"\ngames = 4\nexpect = { score = 0.1 }\n'
    _, laws, game = examine(tmp_path, GOOD, tests + match)
    assert laws == ("met", "all hold in 8 searches", {"searches": 8, "broken": []})
    assert game[:2] == ("met", "score 0.750 of 4 games (won 3, drawn 0, lost 1)") and game[2]["games"] == 4
    text = "import itertools\nn = itertools.count()\ndef choose(position):\n"
    text += "    number = next(n)\n    return {'move': number % 9, 'value': 10**9 if number > 4 else 1}\n"
    _, (state, words, facts) = examine(tmp_path, text, tests)
    assert (state, facts["broken"]) == ("fault", ["repeat", "raises"])
    assert words.startswith(
        "broken at the start: the same position, limit and seed give the same move, value"
    )


def test_the_law_of_minimax_is_part_of_the_laws(tmp_path: Path) -> None:
    text = Path(template.__file__).read_text()
    wrong = text.replace(
        "return terminal_value(position), ()", "return int(position.outcome()[position.turn] * WIN), ()"
    )
    wrong = wrong.replace("import delay, terminal_value", "import WIN, delay")
    assert wrong != text
    for source, state in ((text, "met"), (wrong, "fault")):
        _, laws = examine(tmp_path, source, "[laws]\npositions = 1\n")
        assert laws[0] == state, laws
    assert laws[2]["broken"] == ["raises"]  # a payoff of 2 leaves the range of values


def test_each_test_and_all_together_have_a_time_limit(tmp_path: Path) -> None:
    """A late test loses its own marks; the rest is tested until the total time is spent."""
    text = "import time\ndef choose(position):\n    if len(position.moves()) == 9:\n        time.sleep(99)\n"
    text += "    return position.moves()[0]\n"
    slow = position("slow", "", 'move = "a1"') + "seconds = 0.2\n"
    fast = position("fast", '"a1"', 'move = "b1"')
    _, first, second = examine(tmp_path, text, slow + fast)
    assert first[:2] == ("fault", "stopped: this test exceeded its 0.2 seconds")
    assert second[0] == "met"
    head = "each = 0.3\n"
    _, first, second = examine(tmp_path, text, position("slow", "", 'move = "a1"') + fast, head)
    assert first[:2] == ("fault", "stopped: this test exceeded its 0.3 seconds") and second[0] == "met"
    whole = position("slow", "", 'move = "a1"') * 3
    submissions = examine(tmp_path, text, whole, "total = 2.5\neach = 2.4\n")
    assert [submission[0] for submission in submissions] == ["met"] + ["fault"] * 3 and submissions[3][
        1
    ].startswith("not tested: all tests exceeded their 2.5 s")


def test_unusable_files_end_the_tests(tmp_path: Path) -> None:
    (tmp_path / assignment.FILE).write_text(SHEET.format(patience=10))
    homework, tests = assignment.read(tmp_path)
    (tmp_path / "notes.txt").write_text(GOOD)
    (tmp_path / "folder.py").mkdir()
    files = [tmp_path / "notes.txt", tmp_path / "folder.py"]
    submissions = examination.examine(homework, tests, files, 2, lambda _, verdict: None)
    assert [submission.verdicts[0].summary for submission in submissions] == [
        "it is not a .py file",
        "it is not a regular file",
    ]
    assert [[verdict.summary for verdict in each.verdicts[1:]] for each in submissions] == [
        ["not tested: the file cannot be used"] * 2
    ] * 2


def test_verdicts_are_reported_as_they_are_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow submission delays no other, and errors in a thread are reported."""
    finished = threading.Event()

    def run(self: Any) -> None:
        if self.submission.file.name == "slow":
            assert finished.wait(30)
        self._put(GOOD_ONE)

    monkeypatch.setattr(examination._Student, "run", run)
    tests = [assignment.Requirement("file", "x", 0)]
    names: list[str] = []

    def report(submission: Submission, verdict: CaseVerdict) -> None:
        names.append(submission.file.name)
        if submission.file.name == "fast":
            finished.set()

    homework = assignment.Assignment()
    submissions = examination.examine(homework, tests, [Path("slow"), Path("fast")], 2, report)
    assert names == ["fast", "slow"] and [submission.file.name for submission in submissions] == [
        "slow",
        "fast",
    ]
    monkeypatch.setattr(examination._Student, "run", lambda self: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        examination.examine(homework, tests, [Path("slow")], 2, report)
