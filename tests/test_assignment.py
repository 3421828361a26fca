"""Students' engines against an assignment: marks, refusals, and what the hostile ones come to."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gameplay import registry
from gameplay.cli import _template, router, run
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players.nobody import Nobody
from gameplay.suites import assignment, examination
from gameplay.suites.examination import Counted, Submission

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
