"""The installed assignments: solutions get all marks, typical mistakes lose the right ones.

Files are graded in this process; `tests/cli/teach/test_assignment.py` grades in guests.
"""

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from gameplay.suites import assignment, comparison, regress
from gameplay.suites.assignment import Assignment, Requirement, SearchTask
from gameplay.suites.regress import CaseVerdict
from gameplay.suites.suite import Puzzle
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

SOLUTIONS = TESTS / "examples" / "assignments"
MUTANTS = tomllib.loads((SOLUTIONS / "mutants.toml").read_text())
LIBRARY_CALL = (
    "from gameplay import registry\ndef choose(position, limit):\n"
    "    return registry.engine('minimax')[0].search(position, limit)\n"
)


def grade(homework: Assignment, test: Requirement, file: Path) -> CaseVerdict:
    """The verdict of one test, in this process."""
    if isinstance(test.case, SearchTask):
        case = test.case
        limits = {"depth": case.depth, "nodes": case.nodes, "sims": case.sims}
        return regress.search(
            Puzzle(
                name=case.name,
                game=case.game,
                engine=str(file),
                moves=case.moves,
                expect=case.expect,
                **limits,
            )
        )
    return comparison.compare(test.case, str(file), homework.patience, withheld=not homework.evaluation)


def random_tests(name: str) -> tuple[Assignment, dict[str, Requirement]]:
    homework, tests = assignment.read(Path(name))
    return homework, {test.name: test for test in tests if test.kind == "random"}


def test_every_assignment_has_a_solution_a_template_and_five_mistakes() -> None:
    assert sorted(MUTANTS) == assignment.names() == sorted(file.stem for file in SOLUTIONS.glob("*.py"))
    for name, mutants in MUTANTS.items():
        homework, tests = random_tests(name)
        assert homework.title and homework.text and homework.template and len(mutants) >= 5, name
        assert {mutant["test"] for mutant in mutants.values()} <= {*tests}, name
        for text in (homework.title, homework.text, homework.template):
            assert max(map(len, text.splitlines())) <= 115, name


@pytest.mark.parametrize("name", MUTANTS)
def test_solutions_get_all_marks(name: str) -> None:
    file = SOLUTIONS / f"{name}.py"
    homework, tests = assignment.read(Path(name))
    assert assignment.mistake(file.read_bytes(), homework.forbidden_imports) == ""
    for test in tests[1:]:
        verdict = grade(homework, test, file)
        assert verdict.state == "met", (test.name, verdict.summary)


@pytest.mark.parametrize("name", MUTANTS)
def test_typical_mistakes_are_noticed(name: str, tmp_path: Path) -> None:
    homework, tests = random_tests(name)
    solution = (SOLUTIONS / f"{name}.py").read_text()
    for number, (mistake, mutant) in enumerate(MUTANTS[name].items()):
        assert mutant["old"] in solution, mistake
        file = tmp_path / f"mutant{number}.py"
        file.write_text(solution.replace(mutant["old"], mutant["new"]))
        test = tests[mutant["test"]]
        few = replace(test, case=replace(test.case, count=min(4, test.case.count)))
        verdict = grade(homework, few, file)
        if verdict.state == "met":  # the first trees do not show it
            verdict = grade(homework, test, file)
        assert verdict.state == "regression", (mistake, verdict.summary)
    assert "imports gameplay.registry" in assignment.mistake(
        LIBRARY_CALL.encode(), homework.forbidden_imports
    )
