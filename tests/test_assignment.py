"""Students' engines against an assignment: marks, refusals, and what the hostile ones come to."""

import json
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from gameplay import confinement, registry
from gameplay.cli import _template, _width, router, run
from gameplay.cli import assignment as assigning
from gameplay.display import verdicts
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players.nobody import Nobody
from gameplay.runs.pool import Ended
from gameplay.search.limit import Limit
from gameplay.suites import assignment, examination
from gameplay.suites.examination import Counted, Submission
from gameplay.suites.regress import CaseVerdict

pytestmark = pytest.mark.once

EXAMPLE = Path("configs/assignments/tictactoe")
SHEET = """
title = "One test"
game = "tictactoe"
depth = 2
forbidden = ["gameplay.engines", "socket"]
patience = {patience}
memory = 256

[[position]]
name = "it wins on the spot"
moves = ["a1", "a2", "b1", "b2"]
expect = {{ move = "c1", nodes_at_most = 100 }}
marks = 3

[[position]]
name = "any move"
expect = {{ moves = ["a1", "b2"] }}
"""
CHOOSE = "def choose(position):\n"
# What a student hands in: the words in which each is told, of the first test that is lost.
HOSTILE = {
    "ends": (f"import os\n{CHOOSE}    os._exit(0)", "_exit() would end the process", 3),
    "ends_in_a_thread": (
        f"import os, threading\n{CHOOSE}    one = threading.Thread(target=os._exit, args=(3,))\n"
        "    one.start(); one.join()",
        "the worker process ended with status 3",
        0,
    ),
    "forks": (f"import os\n{CHOOSE}    while True:\n        os.fork()", "fork() would copy the process", 4),
    "hogs": (
        f"{CHOOSE}    hog = []\n    while True:\n        hog.append(bytearray(10_000_000))",
        "Memory",
        0,
    ),
    "writes": (
        f"{CHOOSE}    open('out.txt', 'w')",
        "to write out.txt is forbidden: it may write no files",
        2,
    ),
    "reads": (f"{CHOOSE}    open('/etc/hostname')", "to read hostname is forbidden: it may read no files", 2),
    "starts": (f"import subprocess\n{CHOOSE}    subprocess.run(['ls'])", "would start a program", 3),
    "deletes": (f"import os\n{CHOOSE}    os.remove(__file__)", "os.remove would delete a file", 3),
    "errs": ("def choose(position)\n    return 0", "line 1 is not Python: expected ':'", 0),
    "breaks": ("\n1 / 0", "when imported, raised ZeroDivisionError: division by zero (breaks.py, line 2)", 0),
    "illegal": (f"{CHOOSE}    return 99", "returned the move 99, which is illegal", 0),
    "imports": (f"import gameplay.engines.alphabeta\n{CHOOSE}    return 0", "line 1 imports gameplay.eng", 0),
    "imports_from": (
        f"\nfrom gameplay import engines\n{CHOOSE}    return 0",
        "line 2 imports gameplay.eng",
        0,
    ),
    "imports_by_name": (
        f"{CHOOSE}    return __import__('socket')",
        "line 2 uses __import__, which is forb",
        0,
    ),
    "empty": ("", "holds no engine", 0),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Submission]:
    """What each of HOSTILE comes to."""
    folder = tmp_path_factory.mktemp("class")
    (folder / assignment.FILE).write_text(SHEET.format(patience=60))
    for name, (text, _, _) in HOSTILE.items():
        (folder / f"{name}.py").write_text(text + "\n")
    asked, tests = assignment.read(folder)
    told: list[str] = []
    submissions = examination.examine(
        asked, tests, examination.files([folder]), 2, lambda submission, verdict: told.append(verdict.name)
    )
    assert len(told) == len(submissions) * len(tests) and sorted(HOSTILE) == [
        p.file.stem for p in submissions
    ]
    assert not (Path("out.txt").exists() or (folder / "out.txt").exists())
    assert (folder / "deletes.py").exists()
    return {submission.file.stem: submission for submission in submissions}


@pytest.mark.parametrize("name", HOSTILE)
def test_each_fault_is_told_in_one_line(name: str, hostile: dict[str, Submission]) -> None:
    _, words, line = HOSTILE[name]
    lost = next(one for one in hostile[name].verdicts if one.status)
    assert words in lost.told and "\n" not in lost.told and lost.status in (5, 6)
    assert not line or f"({name}.py, line {line})" in lost.told or "more than 256 MB" in lost.told
    assert hostile[name].marks == 0


def test_a_process_that_ended_costs_one_test_each(hostile: dict[str, Submission]) -> None:
    load, *others = hostile["ends_in_a_thread"].verdicts
    assert load.state == "met" and all("ended with status 3" in one.told for one in others)


def test_engines_that_never_come_back_are_given_up(tmp_path: Path) -> None:
    (tmp_path / assignment.FILE).write_text(SHEET.format(patience=0.5))
    lines = "    while True:\n        try:\n            pass\n        except {}:\n            pass"
    for name, caught in (("loops", "Exception"), ("clings", "BaseException")):
        (tmp_path / f"{name}.py").write_text(CHOOSE + lines.format(caught))
    asked, tests = assignment.read(tmp_path)
    submissions = examination.examine(
        asked, tests[:3], examination.files([tmp_path]), 2, lambda submission, verdict: None
    )
    for submission in submissions:
        load, *others = submission.verdicts
        told = [one.told for one in others]
        assert load.state == "met" and all("has not moved in 0.5 s" in one for one in told), told


def student(folder: Path, text: str) -> Path:
    """The file of a student."""
    file = folder / "mine.py"
    file.write_text(text)
    return file


def gameplay(*words: object) -> int:
    return run(router, "gameplay", ["assignment", *map(str, words)])


GOOD = '''
def choose(position):
    """A win on the spot, else the first move."""
    for move in position.moves():
        position.make(move)
        won = position.outcome() is not None
        position.unmake()
        if won:
            return move
    return position.moves()[0]
'''


def test_marks_for_people_for_programs_and_for_build_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / assignment.FILE).write_text(
        SHEET.format(patience=60)
        + '[[match]]\nname = "against the first move"\nagainst = "./first.py"\ngames = 2\n'
        + "expect = { score = 1.0 }\n"
    )
    (tmp_path / "first.py").write_text("def choose(position):\n    return position.moves()[0]\n")
    file = student(tmp_path, GOOD.replace("nodes", ""))
    xml = tmp_path / "report.xml"
    assert gameplay(tmp_path, file, "--junit", xml) == 3
    out = capsys.readouterr().out
    assert "ok  it wins on the spot: move c1, no value, 2 nodes" in out, "nodes are counted, not believed"
    assert "XX  against the first move: regression: score 0.500 of 2 games" in out
    assert out.endswith("mine.py: 4 of 5 marks\n")
    suite = ElementTree.parse(xml).getroot()
    assert suite.get("name") == "gameplay assignment" and suite.get("tests") == "4"
    assert suite.get("failures") == "1" and suite.get("errors") == "0"
    assert gameplay(tmp_path, file, "--json") == 3
    (told,) = json.loads(capsys.readouterr().out)["students"]
    assert (told["marks"], told["most"]) == (4, 5)
    assert [one["state"] for one in told["tests"]] == ["met", "met", "met", "regression"]


def test_a_class_is_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / assignment.FILE).write_text(SHEET.format(patience=60))
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "ann.py").write_text(GOOD)
    (handed / "bob.py").write_text("import engine of mine")
    (handed / "_notes.py").write_text("")
    assert gameplay(tmp_path, handed, "--jobs", 2) == 6
    out = capsys.readouterr().out
    assert (
        "ann            4/4  ok ok ok" in out.replace("student", "student")
        and "bob            0/4  XX XX XX" in out
    )
    assert "_notes" not in out and "bob.py\n   1  bad input: line 1 is not Python" in out


def test_what_is_asked_is_told_in_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = SHEET.format(patience=60)
    (tmp_path / assignment.FILE).write_text(sheet)
    assert gameplay(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("One test\n\n   3  position  it wins on the spot\n   ")
    assert out.endswith(
        "   4  marks in all\n\nForbidden imports: gameplay.engines, socket\n"
        "Limits: 60 s a search, 120 s for all tests, 256 MB of memory\n"
        "Begin with: gameplay engines --template > mine.py\n"
    ), out
    assert gameplay(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == "One test" and told["forbidden"] == ["gameplay.engines", "socket"]
    assert told["tests"][0] == {"kind": "position", "name": "it wins on the spot", "most": 3}
    assert sum(one["most"] for one in told["tests"]) == 4
    bare = "\n".join(line for line in sheet.splitlines() if line.split(" ")[0] not in ("title", "forbidden"))
    (tmp_path / assignment.FILE).write_text(bare.replace("marks = 3", "marks = 0.5"))
    assert gameplay(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("An assignment\n\n 0.5  position  it wins on the spot\n") and "Forbidden" not in out
    assert " 1.5  marks in all\n\nLimits: " in out
    (tmp_path / assignment.FILE).write_text(bare.replace("marks = 3", "marks = 0"))
    assert gameplay(tmp_path) == 0
    assert "   1  mark in all\n" in capsys.readouterr().out
    assert gameplay(tmp_path, "--junit", tmp_path / "x.xml") == 2
    assert capsys.readouterr().err == (
        "gameplay: --junit reports on engines: name their files, or a folder of them\n"
    )


def test_a_class_is_told_as_it_is_examined_and_then_what_was_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def verdict(state: str, told: str = "so") -> CaseVerdict:
        return CaseVerdict(state, told, {}, 0.0, "position", "one")

    tests: Any = [SimpleNamespace(name="first", marks=0), SimpleNamespace(name="second", marks=2.5)]
    tests.append(SimpleNamespace(name="third", marks=1))
    files = [Path("ann.py"), Path("bartholomew.py")]
    shown = assigning._Shown(files, tests, quiet=False)
    assert capsys.readouterr().out == (
        "   1  first\n   2  second (2.5)\n   3  third (1)\n\nstudent          marks   1  2  3\n"
    )
    untested = verdict("fault", "not tested: the file was wrong")
    bart = Submission(files[1], tests, [verdict("bad input", "no"), untested, verdict("regression", "a3")])
    shown(bart, bart.verdicts[-1])
    assert capsys.readouterr().out == "", "who is done first waits for who comes first"
    ann = Submission(files[0], tests)
    for one, line in (
        (verdict("met"), ""),
        (verdict("met"), ""),
        (
            verdict("inconclusive"),
            "ann            2.5/3.5  ok ok ??\nbartholomew      0/3.5  XX XX XX\n",
        ),
    ):
        ann.verdicts.append(one)
        shown(ann, one)
        assert capsys.readouterr().out == line
    good = Submission(Path("good.py"), tests, [verdict("met")] * 3)
    shown.end([ann, good, bart])
    assert capsys.readouterr().out == (
        "\nann.py\n   3  inconclusive: so\n\nbartholomew.py\n   1  bad input: no\n   3  regression: a3\n"
    )
    alone = assigning._Shown(files[:1], tests, quiet=False)
    assert capsys.readouterr().out == ""
    alone(ann, ann.verdicts[0])
    alone.end([ann])
    assert capsys.readouterr().out == "ok  one: so\nann.py: 2.5 of 3.5 marks\n"
    quiet = assigning._Shown(files, tests, quiet=True)
    quiet(ann, ann.verdicts[0])
    assert capsys.readouterr().out == ""
    assert assigning._Shown(files[:1] * 2, tests, quiet=False).wide == 7


def test_all_of_it_is_folded_on_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_width, "columns", lambda: 40)
    tests: Any = [SimpleNamespace(kind="position", name="it sees what comes behind the horizon", marks=2)] * 2
    asked: Any = SimpleNamespace(title="A", forbidden=["os", "socket"] * 4, patience=1, total=9, memory=256)
    assigning._tell(asked, tests, False)
    told = capsys.readouterr().out.splitlines()
    assert told[2:4] == ["   2  position  it sees what comes", f"{' ' * 16}behind the horizon"]
    verdict = CaseVerdict("regression", "move a3, expected b2 or c3", {}, 0.0, "match", "one")
    shown = assigning._Shown([Path("a.py"), Path("b.py")], tests, quiet=False)
    shown.end([Submission(Path("a.py"), tests, [verdict])])
    told += capsys.readouterr().out.splitlines()
    theme: Any = SimpleNamespace(interactive=True, console=Console(width=40))
    verdicts.show(theme, verdict)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["XX  one: regression: move a3,", "    expected b2 or c3"]
    assert max(map(len, told)) <= 40 and told[-2:] == [
        "   1  regression: move a3, expected b2",
        "      or c3",
    ]


def test_the_example_is_right_and_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert gameplay(EXAMPLE) == 0
    assert "14  marks in all" in capsys.readouterr().out
    asked, tests = assignment.read(EXAMPLE)
    wanted = [test for test in tests if test.name in ("the file is an engine", "it parries a threat")]
    file = student(tmp_path, Path(_template.__file__).read_text())
    (submission,) = examination.examine(asked, wanted, [file], 1, lambda submission, verdict: None)
    assert submission.marks == submission.most == 1
    for test in tests:
        if test.kind == "position":
            game = registry.game(test.case.game)
            match = Match(game, [Nobody(), Nobody()], test.case.position, test.case.moves)
            report = registry.engine("minimax")[0].search(match.replica(), test.case.limit)
            expect = test.case.expect
            budget = expect.nodes_at_most
            assert (budget is not None and report.nodes > budget) or not expect.wrong(
                report, match.spell(report.pv)
            )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "asks nothing: add [laws], [[position]] or [[match]]"),
        ("[laws]\n", "line 1: no game; add game"),
        ("game = 'tictactoe'\nmarks = 3\n[laws]", "line 2: marks: there is no such field"),
        ("game = 'tictactoe'\n[laws]\npositions = 0", "line 3: laws.positions: expected a whole number of"),
        ("game = 'tictactoe'\nmemory = 5\n[laws]", "line 2: memory: expected a whole number of at least 128"),
        ("game = 'tictactoe'\n[[match]]\nname = 'x'\nexpect = {}", "match[1]: against is missing"),
        ("game = ", "is not TOML"),
    ],
)  # fmt: skip
def test_a_wrong_assignment_is_refused(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / assignment.FILE).write_text(text)
    with pytest.raises(BadInput) as caught:
        assignment.read(tmp_path)
    assert told in str(caught.value)


def test_what_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay(tmp_path / "none") == 6
    assert gameplay(EXAMPLE, tmp_path / "none.py") == 6
    assert gameplay(EXAMPLE, tmp_path) == 6
    assert gameplay(EXAMPLE, "--junit", "x.xml") == 2
    said = capsys.readouterr().err
    for words in ("is no folder", "there is no file", "there is no .py file in", "name their files"):
        assert words in said


def test_all_copies_of_a_position_count_along() -> None:
    counted = Counted(registry.game("tictactoe").new())
    twin = counted.twin()
    for position in (counted, twin):
        position.make(position.moves()[0])
        position.unmake()
    assert counted.moves_made == twin.moves_made == 2 and len(counted.moves()) == 9


# -- the student's process, by a clock that stands still while nothing is done ----------------------------


class Works:
    """A pool of one process in which each task takes `seconds` and ends as told, see `runs.pool.Pool`."""

    def __init__(self, ends: list[Any], clock: list[float], log: list[str]) -> None:
        self.ends, self.clock, self.log = ends, clock, log
        self.log.append("start")
        self.task: Any = None

    def submit(self, work: Any, task: Any, seconds: float) -> None:
        name = getattr(getattr(task, "test", None), "kind", "begin")
        self.log.append(f"{name} {seconds:g}")
        self.task = task

    def wait(self, seconds: float) -> list[Ended]:
        assert seconds == 0.05
        took, told = self.ends.pop(0)
        self.clock[0] += took
        return [] if told is None else [Ended(self.task, 0, **told)]

    def close(self) -> None:
        self.log.append("end")


GOOD_ONE, BAD_ONE = CaseVerdict("met", "fine"), CaseVerdict("regression", "wrong")


def examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: list[Any], more: str = ""
) -> tuple[list[str], list[tuple[str, str, float]]]:
    """What the pool is asked to do, and the verdicts, for one student and SHEET with a match."""
    log: list[str] = []
    clock = [50.0]
    monkeypatch.setattr(examination, "Pool", lambda slots: Works(ends, clock, log))
    monkeypatch.setattr(examination, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    text = f"total = 60\n{SHEET.format(patience=10)}marks = 2\ntime = 20\n{more}"
    (tmp_path / assignment.FILE).write_text(text)
    asked, tests = assignment.read(tmp_path)
    told: list[CaseVerdict] = []
    (found,) = examination.examine(
        asked, tests, [student(tmp_path, GOOD)], 1, lambda _, verdict: told.append(verdict)
    )
    assert told == found.verdicts and not ends
    assert [(one.kind, one.name, one.file) for one in told] == [
        (test.kind, test.name, str(found.file)) for test in tests
    ]
    return log, [(one.state, one.told, one.seconds) for one in told]


def done(verdict: CaseVerdict = GOOD_ONE, strays: bool = False, took: float = 1.0) -> tuple[float, Any]:
    return took, {"result": (verdict, strays)}


BEGUN = (0.5, {"result": True})
MATCH = '[[match]]\nname = "a match"\nagainst = "random"\nexpect = {}\n'
OVER = "the 60 seconds for all tests were over"


def test_one_process_does_a_students_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search has twice its time or the patience and five seconds, a match what is left of the total."""
    ends = [BEGUN, (0.0, None), done(), done(BAD_ONE, took=4.5), done(), done()]
    log, told = examined(tmp_path, monkeypatch, ends, MATCH)
    assert log == ["start", "begin 300", "file 25", "position 25", "position 45", "match 53.5", "end"]
    assert told == [("met", "fine", 1), ("regression", "wrong", 4.5), ("met", "fine", 1), ("met", "fine", 1)]


def test_what_still_runs_costs_a_new_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    died = (2.0, {"died": "the worker process ended with status 3"})
    ends = [BEGUN, done(), BEGUN, died, BEGUN, done(strays=True)]
    ends[1] = done(strays=True)
    log, told = examined(tmp_path, monkeypatch, ends)
    new = ["end", "start", "begin 300"]
    assert log == ["start", "begin 300", "file 25", *new, "position 25", *new, "position 45", "end"]
    assert told == [
        ("met", "fine", 1),
        ("fault", "the worker process ended with status 3", 2),
        ("met", "fine", 1),
    ]


def test_what_a_test_raises_is_its_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [BEGUN, done(), (1.0, {"error": KeyError(3)}), (1.0, {})]
    log, told = examined(tmp_path, monkeypatch, ends)
    assert log == ["start", "begin 300", "file 25", "position 25", "position 45", "end"]
    assert told[1:] == [("fault", "the test raised KeyError: 3", 1), ("fault", "", 1)]


def test_the_time_for_all_tests_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that was going on is stopped, those that are left are not begun."""
    ends = [BEGUN, done(took=20), done(took=30), (10.0, {"died": "no end after 10 seconds: the worker hung"})]
    log, told = examined(tmp_path, monkeypatch, ends, MATCH)
    assert log == ["start", "begin 300", "file 25", "position 25", "position 10", "end"]
    assert told[2:] == [("fault", f"stopped: {OVER}", 10), ("fault", f"not tested: {OVER}", 0)]
    ends = [BEGUN, done(took=60)]
    assert examined(tmp_path, monkeypatch, ends)[1] == [
        ("met", "fine", 60),
        *[("fault", f"not tested: {OVER}", 0)] * 2,
    ]


@pytest.mark.parametrize(
    ("fate", "why"),
    [
        ({"died": "the worker process ended by signal 9"}, "the worker process ended by signal 9"),
        ({"error": OSError("no room")}, "OSError: no room"),
        ({}, ""),
    ],
)
def test_a_process_that_cannot_be_started_ends_it(
    fate: Any, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, told = examined(tmp_path, monkeypatch, [(1.0, fate)])
    assert log[:3] == ["start", "begin 300", "end"]
    assert told == [("fault", f"not tested: no process could be started for it: {why}", 0)] * 3


def test_a_file_that_cannot_be_used_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = CaseVerdict("bad input", "it holds no engine")
    log, told = examined(tmp_path, monkeypatch, [BEGUN, done(bad)])
    assert log == ["start", "begin 300", "file 25", "end"]
    rest = [("fault", "not tested: the file cannot be used", 0)] * 2
    assert told == [("bad input", "it holds no engine", 1), *rest]
    asked, tests = assignment.read(tmp_path)
    (tmp_path / "notes.txt").write_text(GOOD)
    (tmp_path / "folder.py").mkdir()
    files = [tmp_path / "notes.txt", tmp_path / "folder.py"]
    found = examination.examine(asked, tests, files, 2, lambda _, verdict: None)
    assert [one.verdicts[0].told for one in found] == ["it is not a .py file", "Is a directory"]
    assert [[one.told for one in each.verdicts[1:]] for each in found] == [
        ["not tested: the file cannot be used"] * 2
    ] * 2


def test_so_many_students_are_examined_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []

    class Student:
        def __init__(self, asked: Any, tests: Any, file: str, tell: Any) -> None:
            self.submission, self.left = file, 2

        done = property(lambda self: self.left == 0)

        def start(self) -> None:
            log.append(f"start {self.submission}")

        def wait(self, seconds: float) -> None:
            assert seconds == 0.05
            log.append(f"wait {self.submission}")
            self.left -= 1
            if self.submission == "d":
                raise KeyboardInterrupt

        def stop(self) -> None:
            log.append(f"stop {self.submission}")

    monkeypatch.setattr(examination, "_Student", Student)
    assert examination.examine(Any, [], "abc", 2, print) == ["a", "b", "c"]  # type: ignore[arg-type]
    order = "start a, start b, wait a, wait b, wait a, wait b, start c, wait c, wait c"
    assert log == order.split(", ")
    log.clear()
    with pytest.raises(KeyboardInterrupt):
        examination.examine(Any, [], "da", 2, print)  # type: ignore[arg-type]
    assert log == ["start d", "start a", "wait d", "stop d", "stop a"]


# -- what is done in it ------------------------------------------------------------------------------------


def held(tmp_path: Path, text: str, kind: str, case: Any = None, name: str = "mine") -> tuple[str, str, Any]:
    """State, words and facts of one test, held here."""
    file = tmp_path / f"{name}.py"
    file.write_text(text)
    test = assignment.Requirement(kind, "a test", 1, 0, case)
    verdict, strays = examination._tested(examination._Task(str(file), test, 300, 5.0))
    assert not strays
    return verdict.state, verdict.told, verdict.facts


def asked(folder: Path, text: str) -> Any:
    """The case of the last test of an assignment."""
    (folder / assignment.FILE).write_text(f'game = "tictactoe"\ndepth = 2\n{text}')
    return assignment.read(folder)[1][-1].case


def test_what_is_held_is_told_with_its_figures(tmp_path: Path) -> None:
    assert held(tmp_path, GOOD, "file") == ("met", "mine is an engine", {})
    laws = asked(tmp_path, "[laws]\npositions = 2\n")
    facts = {"searches": 8, "broken": []}
    assert held(tmp_path, GOOD, "laws", laws) == ("met", "all hold in 8 searches", facts)
    late = "def choose(position):\n    return 0 if len(position.moves()) == 9 else 99\n"
    state, told, facts = held(tmp_path, late, "laws", asked(tmp_path, "[laws]\npositions = 9\n"), "late")
    assert (state, facts["broken"]) == ("fault", ["moves"])
    assert (
        told.startswith("broken after ") and ": it returns one of position.moves(); late returned the" in told
    )
    text = "import itertools\nn = itertools.count()\ndef choose(position):\n"
    text += "    number = next(n)\n    return {'move': number % 9, 'value': 10**9 if number > 4 else 1}\n"
    state, told, facts = held(tmp_path, text, "laws", laws, "twice")
    assert (state, facts) == ("regression", {"searches": 7, "broken": ["repeat", "value"]})
    assert told == (
        "broken at the start: the same position, limit and seed give the same move, value and nodes; "
        "move 0 with depth 2, 300 nodes, and then 1 (and 1 more)"
    )


SEARCHES = [
    ("wins", 'moves = ["a1", "a2", "b1", "b2"]', 'move = "c1"', "met", "move c1, no value, 2 nodes"),
    ("misses", 'moves = ["a1", "a2"]', 'move = "c1"', "regression", "move b1, expected c1"),
    (
        "untold",
        'moves = ["a1", "a2"]',
        "value = 3",
        "regression",
        "it tells no value",
    ),
    (
        "both",
        'moves = ["a1", "a2"]',
        'value_at_least = 3\nmove = "c1"'.replace("\n", ", "),
        "regression",
        "it tells no value; move b1, expected c1",
    ),
    (
        "over",
        'moves = ["a1", "a2", "b1", "b2", "c1"]',
        'move = "c2"',
        "bad input",
        "tictactoe: the game is over in this position",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "moves", "expect", "state", "told"), SEARCHES)
def test_a_search_is_judged_by_what_is_expected(
    name: str, moves: str, expect: str, state: str, told: str, tmp_path: Path
) -> None:
    case = asked(tmp_path, f'[[position]]\nname = "x"\n{moves}\nexpect = {{ {expect} }}\n')
    found = held(tmp_path, GOOD, "position", case, name)
    assert found[:2] == (state, told)
    if name == "wins":
        assert found[2] == {"move": "c1", "value": 0, "said": "no value", "nodes": 2}


def test_values_and_nodes_that_are_told_count(tmp_path: Path) -> None:
    """The more of the nodes told and the moves made; a value as it is described."""
    text = "def choose(position):\n    return {'move': 4, 'value': 12, 'nodes': 7}\n"
    case = asked(tmp_path, '[[position]]\nname = "x"\nexpect = { value = 12, nodes_at_most = 7 }\n')
    state, told, facts = held(tmp_path, text, "position", case, "tells")
    assert (state, facts) == ("met", {"move": "b2", "value": 12, "said": "+12", "nodes": 7})
    assert told == "move b2, +12, 7 nodes"
    deep = "def choose(position, limit):\n    return limit.depth\n"
    case = asked(tmp_path, '[[position]]\nname = "x"\nexpect = { move = "c1" }\n')
    assert held(tmp_path, deep, "position", case, "deep")[:2] == ("met", "move c1, no value, 1 nodes")


def test_a_match_is_played_here(tmp_path: Path) -> None:
    case = asked(tmp_path, '[[match]]\nname = "x"\nagainst = "random"\ngames = 4\nexpect = { score = 0.1 }\n')
    state, told, facts = held(tmp_path, GOOD, "match", case, "plays")
    assert (state, told) == ("met", "score 0.500 of 4 games (won 2, drawn 0, lost 2)")
    assert facts["games"] == 4


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "it needs more than 300 MB of memory"),
        (RuntimeError("can't start new thread"), "it needs more than 300 MB of memory"),
        (RuntimeError("something else"), None),
    ],
)
def test_memory_that_runs_out_is_told(
    error: Exception, told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(task: Any) -> CaseVerdict:
        raise error

    monkeypatch.setattr(examination, "_held", fail)
    task = examination._Task("mine.py", assignment.Requirement("file", "x", 0), 300, 5.0)
    if told is None:
        with pytest.raises(RuntimeError, match="something else"):
            examination._tested(task)
    else:
        assert examination._tested(task) == (CaseVerdict("fault", told), True)


def test_a_thread_that_is_left_is_a_stray(monkeypatch: pytest.MonkeyPatch) -> None:
    leave = threading.Event()

    def begin(task: Any) -> CaseVerdict:
        threading.Thread(target=leave.wait, daemon=True).start()
        return GOOD_ONE

    monkeypatch.setattr(examination, "_held", begin)
    task = examination._Task("mine.py", assignment.Requirement("file", "x", 0), 300, 5.0)
    assert examination._tested(task) == (GOOD_ONE, True)
    leave.set()


def test_its_process_is_silent_and_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(confinement, "confine", lambda *given: calls.append(given))
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    assert examination._begin(("a/mine.py", 300)) is True
    assert calls == [(Path("a/mine.py"), 300)]
    assert sys.stdout is sys.stderr and sys.stdout.name == "/dev/null"
    sys.stdout.close()


def test_what_cannot_be_handed_in_is_told_with_its_line() -> None:
    wrong = {
        "import os\n\nimport a.b.c": "line 3 imports a.b.c, which is forbidden",
        "import a.bc": "",
        "from a import b as c": "line 1 imports a.b, which is forbidden",
        "from a.b import c": "line 1 imports a.b, which is forbidden",
        "from . import b": "",
        "import importlib.util": "line 1 uses importlib, which is forbidden where imports are",
        "from importlib.util import x": "line 1 uses importlib, which is forbidden where imports are",
        "x = 1\neval('2')": "line 2 uses eval, which is forbidden where imports are",
        "x = '\0'": "it is not Python: source code string cannot contain null bytes",
        "x = (": "line 1 is not Python: '(' was never closed",
    }
    for text, told in wrong.items():
        assert assignment.mistake(text.encode(), ["a.b"]) == told, text
    for loophole in ("eval('2')", "import importlib"):
        assert assignment.mistake(loophole.encode(), []) == ""


def test_an_assignment_is_read_with_what_its_tests_leave_open(tmp_path: Path) -> None:
    """Files are named as seen from its folder; limits on top hold where a test has none."""
    head = 'game = "rules.py:Nim"\ndepth = 3\nnodes = 500\ntime = 1.5\n'
    tests = """[laws]
positions = 4
[[position]]
name = "p"
marks = 2
expect = {}
[[position]]
name = "q"
game = "nim"
depth = 5
expect = {}
[[match]]
name = "m"
against = "theirs.py:Best"
expect = {}
openings = { file = "o.txt", plies = 3 }
[[match]]
name = "n"
game = "chess"
against = "uci:./x.py"
nodes = 9
expect = {}
"""
    file = tmp_path / assignment.FILE
    file.write_text(head + tests)
    found, requirements = assignment.read(tmp_path)
    assert (found.depth, found.total, found.patience, found.memory) == (3, 120.0, 10.0, 512)
    assert [(one.kind, one.name, one.marks, one.line) for one in requirements] == [
        ("file", "the file is an engine", 0.0, 0),
        ("laws", "the laws of an engine", 1, 5),
        ("position", "p", 2, 7),
        ("position", "q", 1, 11),
        ("match", "m", 1, 16),
        ("match", "n", 1, 21),
    ]
    _, laws, p, q, m, n = (one.case for one in requirements)
    assert (laws.game, laws.positions) == (f"{tmp_path}/rules.py:Nim", 4)
    assert (p.game, p.limit) == (laws.game, Limit(3, 500, 1.5))
    assert (q.game, q.limit) == ("nim", Limit(5))
    assert (m.game, m.against, m.limit) == (laws.game, f"{tmp_path}/theirs.py:Best", Limit(3, 500, 1.5))
    assert (m.openings.file, m.openings.plies, m.games, m.seed) == (f"{tmp_path}/o.txt", 3, 20, 1)
    assert (n.game, n.against, n.limit) == ("chess", "uci:./x.py", Limit(nodes=9))
    assert n.openings.file is None
    for text, told in (
        (tests, f'{file}, line 1: no game; add game = "connect4" here, or on top'),
        ('game = "nim"\n', f"{file} asks nothing: add [laws], [[position]] or [[match]]"),
    ):
        file.write_text(text)
        with pytest.raises(BadInput) as refused:
            assignment.read(tmp_path)
        assert str(refused.value) == told
    with pytest.raises(BadInput) as refused:
        assignment.read(file)
    assert str(refused.value) == f"{file} is no folder: an assignment is one with a file assignment.toml"
