"""Assignment files: accepted and refused content."""

from pathlib import Path

import msgspec
import pytest

from gameplay.errors import BadInput, Usage
from gameplay.search.limit import Limit
from gameplay.suites import assignment
from tests.support.assignments import EXAMPLE, run_assignment

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no tests: add [laws], [[random]], [[position]] or [[match]]"),
        ("[laws]\n", "line 1: no game; add game"),
        ("game = 'tictactoe'\nmarks = 3\n[laws]", "line 2: marks: unknown field"),
        ("game = 'tictactoe'\n[laws]\npositions = 0", "line 3: laws.positions: expected a whole number of"),
        ("game = 'tictactoe'\nmemory = 5\n[laws]", "line 2: memory: expected a whole number of at least 128"),
        ("game = 'tictactoe'\n[[match]]\nname = 'x'\nexpect = {}", "match[1]: against is missing"),
        ("game = ", "is not TOML"),
    ],
)  # fmt: skip
def test_a_wrong_assignment_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / assignment.FILE).write_text(text)
    with pytest.raises(BadInput) as caught:
        assignment.read(tmp_path)
    assert message in str(caught.value)


def test_missing_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_assignment(tmp_path / "none") == 6
    assert run_assignment(EXAMPLE, tmp_path / "none.py") == 6
    assert run_assignment(EXAMPLE, tmp_path) == 6
    assert run_assignment(EXAMPLE, "--junit", "x.xml") == 2
    output = capsys.readouterr().err
    for words in ("is not an assignment", "there is no file", "there is no .py file in", "no FILE is named"):
        assert words in output


def test_assignment_supplies_defaults_of_its_tests(tmp_path: Path) -> None:
    """Paths are relative to the assignment's folder; its limits apply if a test has none."""
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
    result, requirements = assignment.read(tmp_path)
    assert (result.depth, result.total, result.patience, result.memory) == (3, 120.0, 10.0, 512)
    assert [
        (requirement.kind, requirement.name, requirement.marks, requirement.line)
        for requirement in requirements
    ] == [
        ("file", "the file is an engine", 0.0, 0),
        ("laws", "the laws of an engine", 1, 5),
        ("position", "p", 2, 7),
        ("position", "q", 1, 11),
        ("match", "m", 1, 16),
        ("match", "n", 1, 21),
    ]
    _, laws, p, q, m, n = (requirement.case for requirement in requirements)
    assert (laws.game, laws.positions) == (f"{tmp_path}/rules.py:Nim", 4)
    assert (p.game, p.limit) == (laws.game, Limit(3, 500, 1.5))
    assert (q.game, q.limit) == ("nim", Limit(5))
    assert (m.game, m.against, m.limit) == (laws.game, f"{tmp_path}/theirs.py:Best", Limit(3, 500, 1.5))
    assert (m.openings.file, m.openings.plies, m.games, m.seed) == (f"{tmp_path}/o.txt", 3, 20, 1)
    assert (n.game, n.against, n.limit) == ("chess", "uci:./x.py", Limit(nodes=9))
    assert n.openings.file is None
    for text, message in (
        (tests, f'{file}, line 1: no game; add game = "connect4" here, or on top'),
        ('game = "nim"\n', f"{file} has no tests: add [laws], [[random]], [[position]] or [[match]]"),
    ):
        file.write_text(text)
        with pytest.raises(BadInput) as refused:
            assignment.read(tmp_path)
        assert str(refused.value) == message
    assert assignment.place(file) == assignment.place(tmp_path) == file


def test_assignments_have_names() -> None:
    asked, tests = assignment.read(Path("alphabeta"))
    assert asked.title == "Alpha-beta" and {test.kind for test in tests} == {"file", "random"}
    with pytest.raises(Usage, match="unknown assignment 'alphabet'; did you mean 'alphabeta'"):
        assignment.read(Path("alphabet"))
    with pytest.raises(BadInput, match="nowhere/alphabeta is not an assignment: expected a folder"):
        assignment.read(Path("nowhere/alphabeta"))
    assert assignment.read(Path(f"./{EXAMPLE}"))[0].title == assignment.read(EXAMPLE)[0].title


def test_tests_of_random_trees_are_read(tmp_path: Path) -> None:
    file = tmp_path / "homework.toml"
    head = "reference = 'maxn'\ndepth = 3\n[[random]]\nname = 'x'\n"
    file.write_text(
        head + "trees = ['players', 'rules.py:Nim']\n[[random]]\nname = 'y'\nreference = 'minimax'\n"
    )
    _, (_, first, second) = assignment.read(file)
    assert (first.case.reference, first.case.depth, first.case.game) == ("maxn", 3, "")
    assert first.case.trees == ["players", f"{tmp_path}/rules.py:Nim"]
    assert (second.case.reference, second.case.compare, second.line) == ("minimax", ["value", "move"], 6)
    for text, words in (
        ("[[random]]\nname = 'x'\n", 'line 1: no reference; add reference = "minimax" here, or on top'),
        (f"{head}positions = 3", 'line 3: no game; add game = "connect4" here, or on top'),
        (f"{head}count = 0", "line 3: count and positions are both 0; expected at least one tree"),
        (
            f"{head}compare = ['moves']",
            "line 5: random[1].compare[1]: 'moves' is none of value, move, visits; did you mean 'move'",
        ),
        (
            f"{head}reference = 'negamax'",
            "line 5: random[1].reference: 'negamax' is none of minimax, alphabeta",
        ),
    ):
        file.write_text(text)
        with pytest.raises(BadInput) as refused:
            assignment.read(file)
        assert words in str(refused.value)


def test_the_schema_describes_every_field() -> None:
    schema = msgspec.json.schema(assignment.Assignment)["$defs"]
    lacking = [
        f"{name}.{key}"
        for name, kind in schema.items()
        for key, field in kind.get("properties", {}).items()
        if "description" not in field
    ]
    assert lacking == []
