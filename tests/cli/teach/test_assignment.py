"""`gameplay assignment`: marks, classes, hostile submissions, the example."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from gameplay import registry
from gameplay.cli.common import template
from gameplay.cli.common import width as cli_width
from gameplay.cli.teach import assignment as assigning
from gameplay.display.reports import verdicts
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.suites import assignment, examination
from gameplay.suites.examination import Submission
from gameplay.suites.regress import CaseVerdict
from tests.support.assignments import EXAMPLE, GOOD, SHEET, run_assignment, write_submission
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

CHOOSE = "def choose(position):\n"
# Submissions of students, with the message of the first failed test.
HOSTILE = {
    "ends": (f"import os\n{CHOOSE}    os._exit(0)", "_exit() would end the process", 3),
    "ends_in_a_thread": (
        f"import os, threading\n{CHOOSE}    one = threading.Thread(target=os._exit, args=(3,))\n"
        "    one.start(); one.join()",
        "its process ended with status 3",
        0,
    ),
    "forks": (f"import os\n{CHOOSE}    while True:\n        os.fork()", "fork() would copy the process", 4),
    "hogs": (
        f"{CHOOSE}    hog = []\n    while True:\n        hog.append(bytearray(10_000_000))",
        "more than 256 MB of memory",
        0,
    ),
    "writes": (
        f"{CHOOSE}    open('out.txt', 'w')",
        "writing out.txt is forbidden: an engine may write no files",
        2,
    ),
    "reads": (
        f"{CHOOSE}    open('/etc/hostname')",
        "reading hostname is forbidden: an engine may read no files",
        2,
    ),
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
    "uses_an_engine": (
        f"import gameplay\n{CHOOSE}    return gameplay.registry.engine('ab')[0].search(position).move",
        "line 3 imports gameplay.registry, which is forbidden",
        0,
    ),
    "empty": ("", "holds no engine", 0),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Submission]:
    """The result of each entry of HOSTILE."""
    folder = tmp_path_factory.mktemp("class")
    (folder / assignment.FILE).write_text(SHEET.format(patience=60))
    for name, (text, _, _) in HOSTILE.items():
        (folder / f"{name}.py").write_text(text + "\n")
    asked, tests = assignment.read(folder)
    log: list[str] = []
    submissions = examination.examine(
        asked, tests, examination.files([folder]), 2, lambda submission, verdict: log.append(verdict.name)
    )
    assert len(log) == len(submissions) * len(tests) and sorted(HOSTILE) == [p.file.stem for p in submissions]
    assert not (Path("out.txt").exists() or (folder / "out.txt").exists())
    assert (folder / "deletes.py").exists()
    return {submission.file.stem: submission for submission in submissions}


@pytest.mark.parametrize("name", HOSTILE)
def test_each_fault_is_reported_in_one_line(name: str, hostile: dict[str, Submission]) -> None:
    _, words, line = HOSTILE[name]
    lost = next(verdict for verdict in hostile[name].verdicts if verdict.status)
    assert words in lost.summary and "\n" not in lost.summary and lost.status in (5, 6)
    assert not line or f"({name}.py, line {line})" in lost.summary
    assert hostile[name].marks == 0


def test_a_process_that_ended_costs_one_test_each(hostile: dict[str, Submission]) -> None:
    load, *others = hostile["ends_in_a_thread"].verdicts
    assert load.state == "met" and all("ended with status 3" in other.summary for other in others)


def test_hung_submissions_are_abandoned(tmp_path: Path) -> None:
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
        summaries = [submission.summary for submission in others]
        assert load.state == "met" and all("has not moved in 0.5 s" in summary for summary in summaries), (
            summaries
        )


def test_marks_for_people_for_programs_and_for_build_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / assignment.FILE).write_text(
        SHEET.format(patience=60)
        + '[[match]]\nname = "against the first move"\nagainst = "./first.py"\ngames = 2\n'
        + "expect = { score = 1.0 }\n"
    )
    (tmp_path / "first.py").write_text("def choose(position):\n    return position.moves()[0]\n")
    file = write_submission(tmp_path, GOOD.replace("nodes", ""))
    xml = tmp_path / "report.xml"
    assert run_assignment(tmp_path, file, "--junit", xml) == 3
    out = capsys.readouterr().out
    assert "ok  it wins on the spot: move c1, no value, 2 nodes" in out, "nodes are counted, not believed"
    assert "XX  against the first move: wrong: score 0.500 of 2 games" in out
    assert out.endswith("mine.py: 4 of 5 marks\n")
    suite = ElementTree.parse(xml).getroot()
    assert suite.get("name") == "gameplay assignment" and suite.get("tests") == "4"
    assert suite.get("failures") == "1" and suite.get("errors") == "0"
    assert run_assignment(tmp_path, file, "--json") == 3
    (student,) = json.loads(capsys.readouterr().out)["students"]
    assert (student["marks"], student["most"]) == (4, 5)
    assert [test["state"] for test in student["tests"]] == ["met", "met", "met", "regression"]


def test_a_class_is_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / assignment.FILE).write_text(SHEET.format(patience=60))
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "ann.py").write_text(GOOD)
    (handed / "bob.py").write_text("import engine of mine")
    (handed / "_notes.py").write_text("")
    assert run_assignment(tmp_path, handed, "--jobs", 2) == 6
    out = capsys.readouterr().out
    assert (
        "ann            4/4  ok ok ok" in out.replace("student", "student")
        and "bob            0/4  XX XX XX" in out
    )
    assert "_notes" not in out and "bob.py\n   1  bad input: line 1 is not Python" in out


def test_assignment_is_printed_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = SHEET.format(patience=60)
    (tmp_path / assignment.FILE).write_text(sheet)
    assert run_assignment(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("One test\n\n   3  position  it wins on the spot\n   ")
    assert out.endswith(
        "   4  marks in all\n\n"
        "Forbidden imports: the engines and searches of gameplay, gameplay.engines, socket\n"
        "Limits: 60 s a search, 60 s a test, 120 s for all tests, 256 MB of memory\n"
        f"Begin with: gameplay assignment {tmp_path} --template > mine.py\n"
    ), out
    assert run_assignment(tmp_path, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["title"] == "One test" and document["forbidden"][-2:] == ["gameplay.engines", "socket"]
    assert "gameplay.search" in document["forbidden"]
    assert document["tests"][0] == {"kind": "position", "name": "it wins on the spot", "most": 3}
    assert sum(test["most"] for test in document["tests"]) == 4
    bare = "\n".join(line for line in sheet.splitlines() if line.split(" ")[0] not in ("title", "forbidden"))
    (tmp_path / assignment.FILE).write_text(bare.replace("marks = 3", "marks = 0.5"))
    assert run_assignment(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("An assignment\n\n 0.5  position  it wins on the spot\n")
    assert " 1.5  marks in all\n\nForbidden imports: the engines and searches of gameplay\nLimits: " in out
    (tmp_path / assignment.FILE).write_text(bare.replace("marks = 3", "marks = 0"))
    assert run_assignment(tmp_path) == 0
    assert "   1  mark in all\n" in capsys.readouterr().out
    assert run_assignment(tmp_path, "--junit", tmp_path / "x.xml") == 2
    assert capsys.readouterr().err == (
        "gameplay: --junit reports on engines, and no FILE is named. Try: gameplay assignment NAME mine.py\n"
    )


def test_class_results_are_printed_during_and_after_examination(capsys: pytest.CaptureFixture[str]) -> None:
    def verdict(state: str, words: str = "so") -> CaseVerdict:
        return CaseVerdict(state, words, {}, 0.0, "position", "one")

    tests: Any = [SimpleNamespace(name="first", marks=0), SimpleNamespace(name="second", marks=2.5)]
    tests.append(SimpleNamespace(name="third", marks=1))
    files = [Path("ann.py"), Path("bartholomew.py")]
    shown = assigning._VerdictOutput(files, tests, quiet=False)
    assert capsys.readouterr().out == (
        "   1  first\n   2  second (2.5)\n   3  third (1)\n\nstudent          marks   1  2  3\n"
    )
    untested = verdict("fault", "not tested: the file was wrong")
    bart = Submission(files[1], tests, [verdict("bad input", "no"), untested, verdict("regression", "a3")])
    shown(bart, bart.verdicts[-1])
    assert capsys.readouterr().out == "bartholomew      0/3.5  XX XX XX\n", (
        "lines are written as students finish"
    )
    ann = Submission(files[0], tests)
    for case, line in (
        (verdict("met"), ""),
        (verdict("met"), ""),
        (
            verdict("inconclusive"),
            "ann            2.5/3.5  ok ok ??\n",
        ),
    ):
        ann.verdicts.append(case)
        shown(ann, case)
        assert capsys.readouterr().out == line
    good = Submission(Path("good.py"), tests, [verdict("met")] * 3)
    shown.end([ann, good, bart])
    assert capsys.readouterr().out == (
        "\nann.py\n   3  inconclusive: so\n\nbartholomew.py\n   1  bad input: no\n   3  wrong: a3\n"
    )
    alone = assigning._VerdictOutput(files[:1], tests, quiet=False)
    assert capsys.readouterr().out == ""
    alone(ann, ann.verdicts[0])
    alone.end([ann])
    assert capsys.readouterr().out == "ok  one: so\nann.py: 2.5 of 3.5 marks\n"
    quiet = assigning._VerdictOutput(files, tests, quiet=True)
    quiet(ann, ann.verdicts[0])
    assert capsys.readouterr().out == ""
    assert assigning._VerdictOutput(files[:1] * 2, tests, quiet=False).wide == 7
    capsys.readouterr()
    hostile = Submission(
        Path("a\n\x1b[31mb.py"), tests, [verdict("met"), verdict("met"), verdict("regression")]
    )
    shown = assigning._VerdictOutput([hostile.file, files[0]], tests, quiet=False)
    shown(hostile, hostile.verdicts[-1])
    shown.end([hostile])
    lines = capsys.readouterr().out.splitlines()[4:]
    name = r"a\u000a\u001b[31mb"
    assert lines[0].index("marks") == lines[1].index("2.5/3.5") + 2 and lines[1].startswith(f"{name}    ")
    assert lines[2:] == ["", f"{name}.py", "   3  wrong: so"]


def test_all_of_it_is_folded_on_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_width, "columns", lambda: 40)
    tests: Any = [SimpleNamespace(kind="position", name="it sees what comes behind the horizon", marks=2)] * 2
    asked: Any = SimpleNamespace(
        title="A",
        text="",
        forbidden=["os", "socket"] * 4,
        allowed=[],
        patience=1,
        each=5,
        total=9,
        memory=256,
    )
    assigning._print_assignment(asked, tests, "one", False)
    output = capsys.readouterr().out.splitlines()
    assert output[2:4] == ["   2  position  it sees what comes", f"{' ' * 16}behind the horizon"]
    verdict = CaseVerdict("regression", "move a3, expected b2 or c3", {}, 0.0, "match", "one")
    shown = assigning._VerdictOutput([Path("a.py"), Path("b.py")], tests, quiet=False)
    shown.end([Submission(Path("a.py"), tests, [verdict])])
    output += capsys.readouterr().out.splitlines()
    theme: Any = SimpleNamespace(interactive=True, console=Console(width=40))
    verdicts.show(theme, verdict)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["XX  one: regression: move a3,", "    expected b2 or c3"]
    assert max(map(len, output)) <= 40 and output[-1] == "   1  wrong: move a3, expected b2 or c3"


ALPHABETA = """

from gameplay import Report
from gameplay.value import INF, delay, terminal_value


class AlphaBeta:
    players, chance, hidden, general_sum = 2, False, False, False

    def search(self, position, limit, watch):
        self.watch, self.nodes, self.best = watch, 0, Report(move=position.moves()[0], bound="unknown")
        for depth in range(1, (limit.depth or 50) + 1):
            value, line = self.alphabeta(position, depth, 0, -INF, INF)
            if value is None:
                break
            self.best = Report(move=line[0], value=value, pv=line, depth=depth, nodes=self.nodes)
        return self.best

    def alphabeta(self, position, depth, ply, alpha, beta):
        self.nodes += 1
        if self.nodes % 100 == 0:
            self.best = self.best.with_(nodes=self.nodes)
        if position.outcome() is not None:
            return delay(terminal_value(position), ply), ()  # wins are scored from the root, as the window is
        if depth == 0:
            return position.evaluate(), ()
        mover, best, line = position.turn, -INF, ()
        for move in position.moves():
            if self.watch(self.best):
                return None, ()
            position.make(move)
            if position.turn == mover:
                value, rest = self.alphabeta(position, depth - 1, ply + 1, alpha, beta)
            else:
                value, rest = self.alphabeta(position, depth - 1, ply + 1, -beta, -alpha)
                value = None if value is None else -value
            position.unmake()
            if value is None:
                return None, ()
            if value > best:
                best, line = value, (move, *rest)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best, line
"""
PASSED = "ply + 1, -beta, -alpha"
# What is wrong with an engine: the tests of the example that it fails, perhaps among others.
WRONG = {
    "": [],
    "takes the last of equal moves": ["it does not take a bound for a value"],
    "never passes beta down": ["it passes both bounds down"],
    "never passes alpha down": [
        "it cuts: minimax makes 6,811 moves here, alpha-beta 831",
        "it cuts where a value equals the bound",
        "it passes both bounds down",
    ],
    "cuts only above beta": ["it cuts where a value equals the bound"],
    "stops at the first win": ["it prefers the quickest of several wins"],
    "stops at the first gain": [
        "it prefers the quickest of several wins",
        "it looks for the best gain, not for the first",
    ],
}
CHANGES = {
    "": ("", ""),
    "takes the last of equal moves": ("if value > best", "if value >= best"),
    "never passes beta down": (PASSED, "ply + 1, -INF, -alpha"),
    "never passes alpha down": (PASSED, "ply + 1, -beta, INF"),
    "cuts only above beta": ("if alpha >= beta", "if alpha > beta"),
    "stops at the first win": (
        "alpha = max(alpha, value)",
        "alpha = INF if value > 900_000 else max(alpha, value)",
    ),
    "stops at the first gain": (
        "alpha = max(alpha, value)",
        "alpha = INF if value > 0 else max(alpha, value)",
    ),
}


def test_example_distinguishes_right_from_wrong_engines(tmp_path: Path) -> None:
    """The same if each engine searches once, to the full depth, instead of iteratively."""
    asked, tests = assignment.read(EXAMPLE)
    searches = [test for test in tests if test.kind in ("file", "position")]
    once = ("range(1, (limit.depth or 50) + 1)", "[limit.depth]")
    assert all(change in ALPHABETA for change, _ in CHANGES.values()) and once[0] in ALPHABETA
    for number, (change, by) in enumerate(CHANGES.values()):
        text = ALPHABETA.replace(change, by) if change else ALPHABETA
        (tmp_path / f"deepens{number}.py").write_text(text)
        if number < 3:
            (tmp_path / f"once{number}.py").write_text(text.replace(*once))
    submissions = examination.examine(
        asked, searches, examination.files([tmp_path]), 2, lambda submission, verdict: None
    )
    for submission in submissions:
        failed = [verdict.name for verdict in submission.verdicts if verdict.state != "met"]
        expected = WRONG[[*CHANGES][int(submission.file.stem[-1])]]
        assert set(expected) <= set(failed) and bool(expected) == bool(failed), [
            verdict.summary for verdict in submission.verdicts
        ]


def test_example_gives_full_marks_to_a_right_engine(tmp_path: Path) -> None:
    asked, tests = assignment.read(EXAMPLE)
    (submission,) = examination.examine(
        asked, tests, [write_submission(tmp_path, ALPHABETA)], 1, lambda *_: None
    )
    assert submission.marks == submission.most == 16, [verdict.summary for verdict in submission.verdicts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "from gameplay import registry\ndef choose(position, limit):\n"
            "    return registry.engine('alphabeta')[0].search(position, limit)\n",
            "line 1 imports gameplay.registry, which is forbidden",
        ),
        (
            "import sys\ndef choose(position, limit):\n"
            "    return sys.modules['gameplay.registry'].engine('ab')[0].search(position, limit)\n",
            "mine raised Usage: unknown engine 'ab'",
        ),
        (
            "from gameplay.search.user_engine import registry\ndef choose(position): return 0\n",
            "line 1 imports gameplay.search.user_engine.registry, which is forbidden",
        ),
    ],
)
def test_example_gives_no_marks_for_calling_an_engine(text: str, words: str, tmp_path: Path) -> None:
    asked, tests = assignment.read(EXAMPLE)
    some = [test for test in tests if test.name.startswith(("the file", "it cuts:", "it passes"))]
    (submission,) = examination.examine(asked, some, [write_submission(tmp_path, text)], 1, lambda *_: None)
    assert submission.marks == 0 and any(words in verdict.summary for verdict in submission.verdicts), (
        submission.verdicts
    )


def test_example_has_the_values_of_minimax(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_assignment(EXAMPLE) == 0
    assert "16  marks in all" in capsys.readouterr().out
    for test in assignment.read(EXAMPLE)[1]:
        if test.kind == "position":
            game = registry.game(test.case.game)
            match = Match(game, [EmptySeat(), EmptySeat()], test.case.position, test.case.moves)
            report = registry.engine("minimax")[0].search(match.replica(), test.case.limit)
            wrong = test.case.expect.wrong(report, match.spell(report.pv))
            budget = test.case.expect.nodes_at_most
            assert not [verdict for verdict in wrong if "nodes" not in verdict], test.name
            assert budget is None or report.nodes > budget, test.name


def test_forbidden_submissions_are_refused_with_the_line() -> None:
    wrong = {
        "import os\n\nimport a.b.c": "line 3 imports a.b.c, which is forbidden",
        "import a.bc": "",
        "from a import b as c": "line 1 imports a.b, which is forbidden",
        "from a.b import c": "line 1 imports a.b.c, which is forbidden",
        "import a\nx = a.b.c()": "line 2 imports a.b, which is forbidden",
        "import a as q\nx = q.b": "line 2 imports a.b, which is forbidden",
        "import a.c as q\nx = q.b": "",
        "from . import b": "",
        "import importlib.util": "line 1 uses importlib, which is forbidden where imports are",
        "from importlib.util import x": "line 1 uses importlib, which is forbidden where imports are",
        "x = 1\neval('2')": "line 2 uses eval, which is forbidden where imports are",
        "x = '\0'": "it is not Python: source code string cannot contain null bytes",
        "x = (": "line 1 is not Python: '(' was never closed",
    }
    for text, message in wrong.items():
        assert assignment.mistake(text.encode(), ["a.b"]) == message, text
    for loophole in ("eval('2')", "import importlib"):
        assert assignment.mistake(loophole.encode(), []) == ""


@pytest.mark.parametrize(("width", "narrow"), [(20, True), (31, True), (32, False), (140, False)])
def test_class_on_a_narrow_terminal_has_the_numbers_of_failed_tests(
    width: int, narrow: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (assigning, cli_width):
        monkeypatch.setattr(module, "columns", lambda: width)
    tests: Any = [SimpleNamespace(name=name, marks=1) for name in ("first", "second", "third")]
    files = [Path("bartholomew.py"), Path("ann.py")]
    shown = assigning._VerdictOutput(files, tests, quiet=False)
    assert ("student" in capsys.readouterr().out) != narrow
    for file, states, line in (
        (files[0], ("met", "regression", "bad input"), "bartholomew  1/3  not passed: 2, 3"),
        (files[1], ("fault",) * 3, "ann  0/3  not passed: all"),
        (files[1], ("met",) * 3, "ann  3/3"),
    ):
        verdicts = [CaseVerdict(state, "so", {}, 0.0, "position", "one") for state in states]
        student = Submission(file, tests, verdicts)
        shown(student, verdicts[-1])
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= width
        if narrow:
            assert " ".join(text.split()) == " ".join(line.split())


# -- assignments that are installed ------------------------------------------------------------------


def test_installed_assignments_are_listed_and_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_assignment() == 0
    out = capsys.readouterr().out
    assert "alphabeta        13 marks  Alpha-beta\n" in out and "Hand out: gameplay assignment NAME" in out
    assert run_assignment("--json") == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == assignment.names()
    assert run_assignment("alphabeta") == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "Alpha-beta\n\nAdd alpha-beta pruning to minimax: the same values, with fewer nodes."
    )
    assert "   3  random    it visits the nodes of alpha-beta, no more and no fewer\n" in out
    assert out.endswith("Begin with: gameplay assignment alphabeta --template > mine.py\n")
    assert run_assignment("alphabeta", "--template") == 0
    out = capsys.readouterr().out
    assert out.startswith('"""Alpha-beta. To grade it: gameplay assignment alphabeta mine.py"""\n')
    assert run_assignment("alphabeta", "--toml") == 0
    assert capsys.readouterr().out == (assignment.INSTALLED / "alphabeta.toml").read_text()
    assert run_assignment(EXAMPLE, "--template") == 0
    assert capsys.readouterr().out == Path(template.__file__).read_text()
    for words, message in (
        (["--toml"], "--toml needs an ASSIGNMENT, which is missing. Try: gameplay assignment"),
        (["--template"], "--template needs an ASSIGNMENT"),
        (
            ["alphabeta", "--template", "--toml"],
            "--template and --toml print two files; expected one of them. Try: leave --toml out",
        ),
        (
            ["alphabeta", "x.py", "--template"],
            "--template prints a file and grades none. Try: leave FILE out",
        ),
        (["alphabet"], "unknown assignment 'alphabet'; did you mean 'alphabeta'?"),
        (
            ["alphabeta", "--gradescope", tmp_path / "x.json"],
            "--gradescope reports on engines, and no FILE is named",
        ),
    ):
        assert run_assignment(*words) == 2
        assert message in capsys.readouterr().err


def test_wrong_answers_are_refuted_for_students_build_servers_and_gradescope(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cutting only above beta visits too many nodes; the first extra node is named, with its window."""
    source = (TESTS / "examples" / "assignments" / "alphabeta.py").read_text()
    file = write_submission(tmp_path, source.replace("alpha >= beta", "alpha > beta"))
    results, xml = tmp_path / "results.json", tmp_path / "report.xml"
    assert run_assignment("alphabeta", file, "--gradescope", results, "--junit", xml) == 3
    out = capsys.readouterr().out
    assert "ok  values and moves: 24 of 24 searches right\n" in out
    wrong = next(line for line in out.splitlines() if line.startswith("XX  it visits"))
    assert re.search(
        r": wrong: \d+ of 24 searches fail; (tree:random,\S+): your engine visited `[\d ]+`; ", wrong
    )
    assert re.search(r"alpha-beta had cut there because α = (-?\d+) ≥ β = \1$", wrong)
    tree = wrong.split("; ")[1].partition(": ")[0]
    assert f"    see it: gameplay trace {tree} --engine alphabeta --depth 40\n" in out
    assert out.endswith("mine.py: 6 of 13 marks\n")
    graded = json.loads(results.read_text())
    assert (graded["score"], graded["output"]) == (6, "Alpha-beta")
    assert sum(test["score"] for test in graded["tests"] if "score" in test) == 6
    assert sum(test["max_score"] for test in graded["tests"] if "score" in test) == 13
    assert [test["status"] for test in graded["tests"]] == ["passed"] * 4 + ["failed"] * 3
    assert "your engine visited" in graded["tests"][4]["output"] and "score" not in graded["tests"][0]
    suite = ElementTree.parse(xml).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("7", "3")
    other = tmp_path / "other"
    other.mkdir()
    for name in ("ann", "bob"):
        (other / f"{name}.py").write_text("import gameplay.engines\n")
    assert run_assignment("minimax", other, "--gradescope", results) == 2
    assert "--gradescope reports on one student, and there are 2 files" in capsys.readouterr().err
    assert run_assignment("minimax", other) == 6
    out = capsys.readouterr().out
    assert "ann           0/12  XX XX XX XX XX XX XX\n" in out
    assert "line 1 imports gameplay.engines, which is forbidden" in out


def test_the_template_and_the_withheld_evaluation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The template is a wrong engine; calling position.evaluate() is an error with its line."""
    text = assignment.read(Path("evaluation"))[0].template
    file = write_submission(tmp_path, text.replace("    return 0\n", "    return position.evaluate()\n"))
    assert run_assignment("evaluation", file, "--json") == 3
    (student,) = json.loads(capsys.readouterr().out)["students"]
    assert student["marks"] == 0 and student["tests"][0]["state"] == "met"
    search = (
        "    position.make(position.moves()[0])\n    position.evaluate()\n    return 0, position.moves()[0]\n"
    )
    file = write_submission(tmp_path, text.replace("    return 0, position.moves()[0]\n", search))
    assert run_assignment("evaluation", file) == 5
    assert "evaluate is withheld in this assignment. Try: your own evaluation" in capsys.readouterr().out


def test_wrong_answers_in_single_positions_are_refuted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the assignment has a reference and the position is small enough for it."""
    text = '[[position]]\nname = "it joins"\ngame = "tree:alliance"\nexpect = { move = "join" }\n'
    file = write_submission(tmp_path, "def choose(position):\n    return 0\n")
    for head, words in (
        ("", "\n"),
        ('reference = "maxn"\n', "; move alone is wrong: `alone` has the value 3,"),
    ):
        (tmp_path / assignment.FILE).write_text(head + text)
        assert run_assignment(tmp_path, file) == 3
        assert f"wrong: move alone, expected join{words}" in capsys.readouterr().out


def test_a_mean_is_expected_as_a_fraction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / assignment.FILE).write_text(
        'game = "tree:chance"\n[[position]]\nname = "a mean"\nexpect = { move = "a1", value = "21/10" }\n'
    )
    file = write_submission(tmp_path, "def choose(position):\n    return 0, 2.1\n")
    assert run_assignment(tmp_path, file) == 0
    write_submission(tmp_path, "def choose(position):\n    return 0, 2.0\n")
    assert run_assignment(tmp_path, file) == 3
    assert "expected 21/10" in capsys.readouterr().out
