"""Students' engines against an assignment: marks, refusals, and what the hostile ones come to."""

import copy
import json
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common import template
from gameplay.cli.common import width as cli_width
from gameplay.cli.teach import assignment as assigning
from gameplay.display.reports import verdicts
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.sandbox.counted import Counter
from gameplay.search.limit import Limit
from gameplay.suites import assignment, examination
from gameplay.suites.examination import Submission
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
    assert words in lost.summary and "\n" not in lost.summary and lost.status in (5, 6)
    assert not line or f"({name}.py, line {line})" in lost.summary
    assert hostile[name].marks == 0


def test_a_process_that_ended_costs_one_test_each(hostile: dict[str, Submission]) -> None:
    load, *others = hostile["ends_in_a_thread"].verdicts
    assert load.state == "met" and all("ended with status 3" in one.summary for one in others)


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
        told = [one.summary for one in others]
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
        "   4  marks in all\n\n"
        "Forbidden imports: the engines and searches of gameplay, gameplay.engines, socket\n"
        "Limits: 60 s a search, 60 s a test, 120 s for all tests, 256 MB of memory\n"
        "Begin with: gameplay engines --template > mine.py\n"
    ), out
    assert gameplay(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == "One test" and told["forbidden"][-2:] == ["gameplay.engines", "socket"]
    assert "gameplay.search" in told["forbidden"]
    assert told["tests"][0] == {"kind": "position", "name": "it wins on the spot", "most": 3}
    assert sum(one["most"] for one in told["tests"]) == 4
    bare = "\n".join(line for line in sheet.splitlines() if line.split(" ")[0] not in ("title", "forbidden"))
    (tmp_path / assignment.FILE).write_text(bare.replace("marks = 3", "marks = 0.5"))
    assert gameplay(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("An assignment\n\n 0.5  position  it wins on the spot\n")
    assert " 1.5  marks in all\n\nForbidden imports: the engines and searches of gameplay\nLimits: " in out
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
    assert capsys.readouterr().out == "bartholomew      0/3.5  XX XX XX\n", (
        "lines are written as students finish"
    )
    ann = Submission(files[0], tests)
    for one, line in (
        (verdict("met"), ""),
        (verdict("met"), ""),
        (
            verdict("inconclusive"),
            "ann            2.5/3.5  ok ok ??\n",
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
    monkeypatch.setattr(cli_width, "columns", lambda: 40)
    tests: Any = [SimpleNamespace(kind="position", name="it sees what comes behind the horizon", marks=2)] * 2
    asked: Any = SimpleNamespace(
        title="A", forbidden=["os", "socket"] * 4, allowed=[], patience=1, each=5, total=9, memory=256
    )
    assigning._print_results(asked, tests, False)
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


ALPHABETA = """
from dataclasses import replace

from gameplay import Report
from gameplay.value import INF, later, terminal


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
            self.best = replace(self.best, nodes=self.nodes)
        if position.outcome() is not None:
            return later(terminal(position), ply), ()  # wins are scored from the root, as the window is
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


def test_example_tells_right_engines_from_wrong_ones(tmp_path: Path) -> None:
    """Also where each searches once, to the full depth, instead of deepening."""
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
        failed = [one.name for one in submission.verdicts if one.state != "met"]
        wanted = WRONG[[*CHANGES][int(submission.file.stem[-1])]]
        assert set(wanted) <= set(failed) and bool(wanted) == bool(failed), [
            one.summary for one in submission.verdicts
        ]


def test_example_gives_full_marks_to_a_right_engine(tmp_path: Path) -> None:
    asked, tests = assignment.read(EXAMPLE)
    (found,) = examination.examine(asked, tests, [student(tmp_path, ALPHABETA)], 1, lambda *_: None)
    assert found.marks == found.most == 16, [one.summary for one in found.verdicts]


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
            "mine raised Usage: there is no engine 'ab'",
        ),
        (
            "from gameplay.search.own import registry\ndef choose(position): return 0\n",
            "line 1 imports gameplay.search.own.registry, which is forbidden",
        ),
    ],
)
def test_example_gives_nothing_to_who_calls_an_engine(text: str, words: str, tmp_path: Path) -> None:
    asked, tests = assignment.read(EXAMPLE)
    some = [test for test in tests if test.name.startswith(("the file", "it cuts:", "it passes"))]
    (found,) = examination.examine(asked, some, [student(tmp_path, text)], 1, lambda *_: None)
    assert found.marks == 0 and any(words in one.summary for one in found.verdicts), found.verdicts


def test_example_has_the_values_of_minimax(capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay(EXAMPLE) == 0
    assert "16  marks in all" in capsys.readouterr().out
    for test in assignment.read(EXAMPLE)[1]:
        if test.kind == "position":
            game = registry.game(test.case.game)
            match = Match(game, [EmptySeat(), EmptySeat()], test.case.position, test.case.moves)
            report = registry.engine("minimax")[0].search(match.replica(), test.case.limit)
            wrong = test.case.expect.wrong(report, match.spell(report.pv))
            budget = test.case.expect.nodes_at_most
            assert not [one for one in wrong if "nodes" not in one], test.name
            assert budget is None or report.nodes > budget, test.name


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


def test_copies_of_a_counted_position_count_along() -> None:
    counter = Counter()
    counted = counter.handed(registry.game("tictactoe").new())
    for position in (counted, counted.twin(), copy.deepcopy(counted)):
        position.make(position.moves()[0])
        position.unmake()
    assert counter.made == 3 and len(counted.moves()) == 9 and counter.disturbed() == ""
    before = counted.key()
    counted.make(4)
    assert counter.disturbed() == f"turn and key were 0, {before}; 1, {counted.key()}"


# -- what each test comes to -------------------------------------------------------------------------------

GOOD_ONE, BAD_ONE = CaseVerdict("met", "fine"), CaseVerdict("regression", "wrong")


def examined(tmp_path: Path, text: str, tests: str, head: str = "") -> list[tuple[str, str, Any]]:
    """State, words and facts of the tests of an assignment, of one file."""
    (tmp_path / assignment.FILE).write_text(f'game = "tictactoe"\ndepth = 2\n{head}\n{tests}')
    asked, requirements = assignment.read(tmp_path)
    reported: list[CaseVerdict] = []
    (found,) = examination.examine(
        asked, requirements, [student(tmp_path, text)], 1, lambda _, verdict: reported.append(verdict)
    )
    assert reported == found.verdicts
    assert [(one.kind, one.name, one.file) for one in reported] == [
        (test.kind, test.name, str(found.file)) for test in requirements
    ]
    return [(one.state, one.summary, one.facts) for one in reported]


def position(name: str, moves: str, expect: str) -> str:
    """A test of one search."""
    return f'[[position]]\nname = "{name}"\nmoves = [{moves}]\nexpect = {{ {expect} }}\n'


def test_searches_are_compared_with_what_is_expected(tmp_path: Path) -> None:
    tests = position("wins", '"a1", "a2", "b1", "b2"', 'move = "c1"')
    tests += position("misses", '"a1", "a2"', 'move = "c1"')
    tests += position("no value", '"a1", "a2"', "value = 3")
    tests += position("both", '"a1", "a2"', 'value_at_least = 3, move = "c1"')
    tests += position("over", '"a1", "a2", "b1", "b2", "c1"', 'move = "c2"')
    file, wins, *others = examined(tmp_path, GOOD, tests)
    assert file == ("met", "mine is an engine", {})
    facts = {"move": "c1", "value": 0, "said": "no value", "nodes": 2}
    assert wins == ("met", "move c1, no value, 2 nodes", facts)
    assert [one[:2] for one in others] == [
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
    """Seven moves are made to the end of the game; verifying a line that is returned makes others."""
    tests = position("line", "", "value = 12, nodes = 8")
    for nodes, pv, words in ((0, "line", "8"), (3, "line[:1]", "8"), (8, "()", "8"), (9, "line", "9")):
        folder = tmp_path / f"{nodes}{len(pv)}"
        folder.mkdir()
        _, found = examined(folder, REPORTS.replace("NODES", str(nodes)).replace("PV", pv), tests)
        wrong = "9 nodes, expected 8" if nodes == 9 else f"move a1, +12, {words} nodes"
        assert found[:2] == ("regression" if nodes == 9 else "met", wrong), (nodes, pv)


def test_laws_and_matches_report_their_figures(tmp_path: Path) -> None:
    tests = "[laws]\npositions = 2\n"
    match = '[[match]]\nname = "x"\nagainst = "random"\ngames = 4\nexpect = { score = 0.1 }\n'
    _, laws, game = examined(tmp_path, GOOD, tests + match)
    assert laws == ("met", "all hold in 8 searches", {"searches": 8, "broken": []})
    assert game[:2] == ("met", "score 0.500 of 4 games (won 2, drawn 0, lost 2)") and game[2]["games"] == 4
    text = "import itertools\nn = itertools.count()\ndef choose(position):\n"
    text += "    number = next(n)\n    return {'move': number % 9, 'value': 10**9 if number > 4 else 1}\n"
    _, (state, words, facts) = examined(tmp_path, text, tests)
    assert (state, facts) == ("regression", {"searches": 7, "broken": ["repeat", "value"]})
    assert words.startswith(
        "broken at the start: the same position, limit and seed give the same move, value"
    )


def test_the_law_of_minimax_is_part_of_the_laws(tmp_path: Path) -> None:
    text = Path(template.__file__).read_text()
    wrong = text.replace(
        "return terminal(position), ()", "return int(position.outcome()[position.turn] * WIN), ()"
    )
    wrong = wrong.replace("import later, terminal", "import WIN, later")
    assert wrong != text
    for source, state in ((text, "met"), (wrong, "regression")):
        _, laws = examined(tmp_path, source, "[laws]\npositions = 1\n")
        assert laws[0] == state, laws
    assert laws[2]["broken"] in (["minimax"], ["value"])  # a payoff of 2 leaves the range of values


def test_each_test_and_all_together_have_a_time_limit(tmp_path: Path) -> None:
    """A test that is late costs its own marks; what follows is tested until the total is spent."""
    text = "import time\ndef choose(position):\n    if len(position.moves()) == 9:\n        time.sleep(99)\n"
    text += "    return position.moves()[0]\n"
    slow = position("slow", "", 'move = "a1"') + "seconds = 0.2\n"
    fast = position("fast", '"a1"', 'move = "b1"')
    _, first, second = examined(tmp_path, text, slow + fast)
    assert first[:2] == ("fault", "stopped: the 0.2 seconds for this test were over")
    assert second[0] == "met"
    head = "each = 0.3\n"
    _, first, second = examined(tmp_path, text, position("slow", "", 'move = "a1"') + fast, head)
    assert first[:2] == ("fault", "stopped: the 0.3 seconds for this test were over") and second[0] == "met"
    whole = position("slow", "", 'move = "a1"') * 3
    found = examined(tmp_path, text, whole, "total = 2.5\neach = 2.4\n")
    assert [one[0] for one in found] == ["met"] + ["fault"] * 3 and found[3][1].startswith(
        "not tested: the 2.5 s"
    )


def test_unusable_files_end_the_tests(tmp_path: Path) -> None:
    (tmp_path / assignment.FILE).write_text(SHEET.format(patience=10))
    asked, tests = assignment.read(tmp_path)
    (tmp_path / "notes.txt").write_text(GOOD)
    (tmp_path / "folder.py").mkdir()
    files = [tmp_path / "notes.txt", tmp_path / "folder.py"]
    found = examination.examine(asked, tests, files, 2, lambda _, verdict: None)
    assert [one.verdicts[0].summary for one in found] == ["it is not a .py file", "it is not a regular file"]
    assert [[one.summary for one in each.verdicts[1:]] for each in found] == [
        ["not tested: the file cannot be used"] * 2
    ] * 2


def test_verdicts_are_reported_as_they_are_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student who is slow delays no other, and what goes wrong in a thread comes out."""
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

    asked = assignment.Assignment()
    found = examination.examine(asked, tests, [Path("slow"), Path("fast")], 2, report)
    assert names == ["fast", "slow"] and [one.file.name for one in found] == ["slow", "fast"]
    monkeypatch.setattr(examination._Student, "run", lambda self: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        examination.examine(asked, tests, [Path("slow")], 2, report)


def test_what_cannot_be_handed_in_is_told_with_its_line() -> None:
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


@pytest.mark.parametrize(("width", "narrow"), [(20, True), (31, True), (32, False), (140, False)])
def test_class_on_a_narrow_terminal_has_the_numbers_of_failed_tests(
    width: int, narrow: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (assigning, cli_width):
        monkeypatch.setattr(module, "columns", lambda: width)
    tests: Any = [SimpleNamespace(name=name, marks=1) for name in ("first", "second", "third")]
    files = [Path("bartholomew.py"), Path("ann.py")]
    shown = assigning._Shown(files, tests, quiet=False)
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
