"""`gameplay assignment`: tests engines that students wrote against an assignment.

`--json` prints one document:

    title
    students   [{file, marks, most, tests}, ...], and of tests
               [{kind, name, state, summary, facts, marks, most, seconds}, ...]
    status     the exit status

Without files it is {title, text, tests, forbidden}, and without an assignment a list of {name, title, marks}.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import FILE, REPORT, cores, jobs_option, json_option
from gameplay.cli.common.width import columns, echo_list, echo_paragraphs, echo_wrapped
from gameplay.errors import BadInput, Usage
from gameplay.visible import one_line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gameplay.suites.assignment import Assignment, Requirement
    from gameplay.suites.examination import Submission
    from gameplay.suites.regress import CaseVerdict

INSET = 16  # columns of marks and kind before what a test is called
ORDER = """\b
The worst test of all files decides the exit status:
  6 bad input, 5 fault, 3 not as expected, 0 all is as expected

"""


def _completions(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Names of installed assignments, and files."""
    from click.shell_completion import CompletionItem

    from gameplay.suites.assignment import names

    items = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
    return [*items, CompletionItem(incomplete, type="file")]


@click.command(short_help="Hand out an assignment, and grade students' engines", epilog=ORDER)
@click.argument("assignment", type=FILE, required=False, shell_complete=_completions)
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@click.option("--template", is_flag=True, help="Print the file that students begin with, and nothing else.")
@click.option("--toml", is_flag=True, help="Print the assignment's file, to write another from it.")
@jobs_option("Students at a time [all cores].")
@click.option("--junit", type=REPORT, help="Write JUnit XML to FILE, replacing it.")
@click.option("--gradescope", type=REPORT, help="Write Gradescope's results.json, replacing it: one student.")
@json_option()
def command(
    assignment: Path | None,
    files: tuple[Path, ...],
    template: bool,
    toml: bool,
    jobs: int | None,
    junit: Path | None,
    gradescope: Path | None,
    as_json: bool,
) -> int:
    """Hand out an assignment and grade the engines that students write for it. ASSIGNMENT is the name of one
    that is installed, a folder with assignment.toml, or a TOML file. FILE may be a folder: a class, a
    student in each .py file. Without a FILE, print the assignment; without anything, list those installed.

    \b
    gameplay assignment
    gameplay assignment alphabeta --template > mine.py
    gameplay assignment alphabeta --toml > homework.toml
    gameplay assignment alphabeta mine.py
    gameplay assignment alphabeta handed-in/ --junit report.xml
    gameplay assignment homework/ mine.py

    Tests are random trees and positions compared with a textbook algorithm (values, moves, visited nodes),
    positions with expected moves and node budgets, the laws of an engine, matches, forbidden imports. A
    wrong answer is printed with the line that refutes it.

    Each engine runs in a separate, confined process with limits of time and memory, which receives positions
    and returns moves; marks are decided outside it. It can change no files, read none but Python's,
    gameplay's and its own, start no programs and use no network. On Linux the kernel enforces that
    (gameplay doctor reports what this system has); elsewhere it stops mistakes, not attacks.

    The format: gameplay toml schema assignment.
    """
    from gameplay import file_io
    from gameplay.suites import assignment as assignments
    from gameplay.suites import comparison, examination, regress

    if not files and (junit or gradescope):
        option = "--junit" if junit else "--gradescope"
        raise Usage(
            f"{option} reports on engines, and no FILE is named. Try: gameplay assignment NAME mine.py"
        )
    if template and toml:
        raise Usage("--template and --toml print two files; expected one of them. Try: leave --toml out")
    printed = "--template" if template else "--toml" if toml else ""
    if printed and assignment is None:
        raise Usage(f"{printed} needs an ASSIGNMENT, which is missing. Try: gameplay assignment")
    if printed and files:
        raise Usage(f"{printed} prints a file and grades none. Try: leave FILE out")
    if assignment is None:
        _list(as_json)
        return 0
    definition, tests = assignments.read(assignment)
    if printed:
        click.echo(assignments.place(assignment).read_text() if toml else _template(definition), nl=False)
        return 0
    if not files:
        _print_assignment(definition, tests, str(assignment), as_json)
        return 0
    mistakes = comparison.check(assignments.place(assignment), tests)
    if mistakes:
        raise BadInput(mistakes[0])
    paths = examination.files(files)
    if gradescope and len(paths) > 1:
        raise Usage(f"--gradescope reports on one student, and there are {len(paths)} files. Try: name one")
    shown = _VerdictOutput(paths, tests, quiet=as_json)
    submissions = examination.examine(definition, tests, paths, jobs or cores(), shown)
    verdicts = [verdict for submission in submissions for verdict in submission.verdicts]
    status = regress.worst(verdicts)
    if junit is not None:
        from gameplay.suites.junit import document

        file_io.write(junit, [document(verdicts, "gameplay assignment")])
    if gradescope is not None:
        import json

        from gameplay.suites import gradescope as results

        marks = json.dumps(results.document(submissions[0], definition.title), indent=2)
        file_io.write(gradescope, [f"{marks}\n".encode()])
    if as_json:
        import json

        students = [submission.as_dict() for submission in submissions]
        click.echo(json.dumps({"title": definition.title, "students": students, "status": status}))
    else:
        shown.end(submissions)
    return status


def _list(as_json: bool) -> None:
    """The assignments that are installed."""
    from gameplay.suites import assignment as assignments

    rows = []
    for name in assignments.names():
        definition, tests = assignments.read(Path(name))
        rows.append({"name": name, "title": definition.title, "marks": sum(test.marks for test in tests)})
    if as_json:
        import json

        click.echo(json.dumps(rows))
        return
    echo_list(
        [(str(row["name"]), f"{row['marks']:>3g} marks", str(row["title"])) for row in rows],
        "Read:     gameplay assignment NAME",
        "Hand out: gameplay assignment NAME --template > mine.py",
        "Grade:    gameplay assignment NAME mine.py (a folder: a class)",
    )


def _template(definition: "Assignment") -> str:
    """The file that students begin with."""
    if definition.template:
        return definition.template
    return (Path(__file__).parents[1] / "common" / "template.py").read_text()


def _print_assignment(definition: "Assignment", tests: "list[Requirement]", name: str, as_json: bool) -> None:
    facts = [{"kind": test.kind, "name": test.name, "most": test.marks} for test in tests[1:]]
    if as_json:
        import json

        document = {
            "title": definition.title,
            "text": definition.text,
            "tests": facts,
            "forbidden": [*definition.forbidden_imports],
        }
        click.echo(json.dumps(document))
        return
    most = sum(test.marks for test in tests)
    click.echo(f"{definition.title or 'An assignment'}\n")
    if definition.text:
        echo_paragraphs(definition.text.strip())
        click.echo()
    lines = [f"{test.marks:>4g}  {test.kind:<9} {test.name}" for test in tests[1:]]
    lines += [f"{most:>4g}  {'mark' if most == 1 else 'marks'} in all", ""]
    library = "the engines and searches of gameplay"
    if definition.allowed:
        library += f" (but for {', '.join(definition.allowed)})"
    lines.append(f"Forbidden imports: {', '.join([library, *definition.forbidden])}")
    lines.append(
        f"Limits: {definition.patience:g} s a search, {min(definition.each, definition.total):g} s a test, "
        f"{definition.total:g} s for all tests, {definition.memory} MB of memory"
    )
    lines.append(f"Begin with: {command_line('gameplay', 'assignment', name, '--template')} > mine.py")
    for line in lines:
        echo_wrapped(line, INSET if line.startswith(" ") else 2)


class _VerdictOutput:
    """Prints verdicts as they arrive: for one student a line per test, for a class a line per student."""

    def __init__(self, files: list[Path], tests: "list[Requirement]", quiet: bool) -> None:
        from gameplay.display.theme import detect_theme

        self.theme = detect_theme()
        self.quiet = quiet
        self.alone = len(files) == 1
        self.tests = tests
        self.wide = max([7, *(len(one_line(file.stem)) for file in files)])
        self.narrow = False  # no room for a column of each test
        if not (self.quiet or self.alone):
            for number, test in enumerate(tests, 1):
                echo_wrapped(f"{number:>4}  {test.name}" + (f" ({test.marks:g})" if test.marks else ""), 6)
            numbers = " ".join(f"{number:>2}" for number in range(1, len(tests) + 1))
            head = f"{'student':<{self.wide}}  {'marks':>9}  {numbers}"
            self.narrow = 0 < columns() < len(head)
            click.echo("" if self.narrow else f"\n{head}")

    def __call__(self, submission: "Submission", verdict: "CaseVerdict") -> None:
        from gameplay.display.reports import verdicts

        if self.quiet:
            return
        if self.alone:
            verdicts.show(self.theme, _for_students(verdict))
            if "see" in verdict.facts:
                echo_wrapped(f"    see it: {verdict.facts['see']}", 6)
        elif len(submission.verdicts) == len(submission.tests):
            marks = [verdicts.MARKS.get(verdict.state, "XX") for verdict in submission.verdicts]
            name, total = one_line(submission.file.stem), f"{submission.marks:g}/{submission.most:g}"
            if self.narrow:
                wrong = [
                    str(number) for number, verdict in enumerate(submission.verdicts, 1) if verdict.status
                ]
                failed = "all" if len(wrong) == len(marks) > 1 else ", ".join(wrong)
                echo_wrapped(
                    f"{one_line(submission.file.stem)}  {total}"
                    + (f"  not passed: {failed}" if wrong else ""),
                    4,
                )
                return
            click.echo(f"{name:<{self.wide}}  {total:>9}  {' '.join(marks)}")

    def end(self, submissions: "list[Submission]") -> None:
        """Print the failed tests, or the marks of a single student."""
        if self.alone:
            (submission,) = submissions
            click.echo(f"{one_line(submission.file.name)}: {submission.marks:g} of {submission.most:g} marks")
            return
        for submission in submissions:
            wrong = [
                f"{number:>4}  {_for_students(verdict).state}: {verdict.summary}"
                for number, verdict in enumerate(submission.verdicts, 1)
                if verdict.status and not verdict.summary.startswith("not tested: the file")
            ]
            if wrong:
                click.echo(f"\n{one_line(submission.file.name)}")
            for line in wrong:
                echo_wrapped(line, 6)


def _for_students(verdict: "CaseVerdict") -> "CaseVerdict":
    """The verdict with a regression called wrong, as it is for students."""
    from dataclasses import replace

    from gameplay.suites.regress import REGRESSION

    return replace(verdict, state="wrong") if verdict.state == REGRESSION else verdict
