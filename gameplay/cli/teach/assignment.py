"""`gameplay assignment`: tests engines that students wrote against an assignment.

`--json` prints one document:

    title
    students   [{file, marks, most, tests}, ...], and of tests
               [{kind, name, state, summary, facts, marks, most, seconds}, ...]
    status     the exit status
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import FILE, TARGET, cores, jobs_option, json_option
from gameplay.cli.common.width import columns, say

if TYPE_CHECKING:
    from gameplay.suites.assignment import Assignment, Requirement
    from gameplay.suites.examination import Submission
    from gameplay.suites.regress import CaseVerdict

INSET = 16  # columns of marks and kind before what a test is called
ORDER = """\b
The worst test of all files decides the exit status:
  6 bad input, 5 fault, 3 not as expected, 0 all is as expected

"""


@click.command(short_help="Check students' engines against an assignment", epilog=ORDER)
@click.argument("folder", type=FILE)
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@jobs_option("Students at a time [all cores].")
@click.option("--junit", type=TARGET, help="Write JUnit XML to FILE.")
@json_option()
def command(
    folder: Path, files: tuple[Path, ...], jobs: int | None, junit: Path | None, as_json: bool
) -> int:
    """Test the engines in FILE... against assignment.toml in FOLDER: positions with expected moves, values
    and node budgets, forbidden imports, the laws of an engine, matches with a score to reach. FILE may be a
    folder: a class, a student in each .py file. Without a FILE, print the assignment.

    \b
    gameplay assignment configs/assignments/tictactoe
    gameplay engines --template > mine.py
    gameplay assignment configs/assignments/tictactoe mine.py
    gameplay assignment homework/ handed-in/ --junit report.xml

    Each engine runs in a separate, confined process with limits of time and memory, which receives positions
    and returns moves; marks are decided outside it. It can change no files, read none but Python's,
    gameplay's and its own, start no programs and use no network. On Linux the kernel enforces that
    (gameplay doctor reports what this system has); elsewhere it stops mistakes, not attacks.

    The format: gameplay toml schema assignment.
    """
    from gameplay.suites import assignment, examination, regress

    asked, tests = assignment.read(folder)
    if not files:
        if junit is not None:
            from gameplay.errors import Usage

            raise Usage("--junit reports on engines: name their files, or a folder of them")
        _print_results(asked, tests, as_json)
        return 0
    paths = examination.files(files)
    shown = _Shown(paths, tests, quiet=as_json)
    submissions = examination.examine(asked, tests, paths, jobs or cores(), shown)
    verdicts = [verdict for submission in submissions for verdict in submission.verdicts]
    status = regress.worst(verdicts)
    if junit is not None:
        from gameplay.suites.junit import document

        junit.write_bytes(document(verdicts, "gameplay assignment"))
    if as_json:
        import json

        students = [submission.as_dict() for submission in submissions]
        click.echo(json.dumps({"title": asked.title, "students": students, "status": status}))
    else:
        shown.end(submissions)
    return status


def _print_results(asked: "Assignment", tests: "list[Requirement]", as_json: bool) -> None:
    """Print the assignment."""
    facts = [{"kind": test.kind, "name": test.name, "most": test.marks} for test in tests[1:]]
    if as_json:
        import json

        click.echo(json.dumps({"title": asked.title, "tests": facts, "forbidden": [*asked.barred]}))
        return
    most = sum(test.marks for test in tests)
    lines = [asked.title or "An assignment", ""]
    lines += [f"{test.marks:>4g}  {test.kind:<9} {test.name}" for test in tests[1:]]
    lines += [f"{most:>4g}  {'mark' if most == 1 else 'marks'} in all", ""]
    library = "the engines and searches of gameplay"
    if asked.allowed:
        library += f" (but for {', '.join(asked.allowed)})"
    lines.append(f"Forbidden imports: {', '.join([library, *asked.forbidden])}")
    lines.append(
        f"Limits: {asked.patience:g} s a search, {min(asked.each, asked.total):g} s a test, "
        f"{asked.total:g} s for all tests, {asked.memory} MB of memory"
    )
    lines.append("Begin with: gameplay engines --template > mine.py")
    for line in lines:
        say(line, INSET if line.startswith(" ") else 2)


class _Shown:
    """The verdicts on a screen: of one student test by test, of a class a line each, as they finish."""

    def __init__(self, files: list[Path], tests: "list[Requirement]", quiet: bool) -> None:
        from gameplay.display.theme import decide

        self.theme = decide()
        self.quiet = quiet
        self.alone = len(files) == 1
        self.tests = tests
        self.wide = max([7, *(len(file.stem) for file in files)])
        self.narrow = False  # no room for a column of each test
        if not (self.quiet or self.alone):
            for number, test in enumerate(tests, 1):
                say(f"{number:>4}  {test.name}" + (f" ({test.marks:g})" if test.marks else ""), 6)
            numbers = " ".join(f"{number:>2}" for number in range(1, len(tests) + 1))
            head = f"{'student':<{self.wide}}  {'marks':>9}  {numbers}"
            self.narrow = 0 < columns() < len(head)
            click.echo("" if self.narrow else f"\n{head}")

    def __call__(self, submission: "Submission", verdict: "CaseVerdict") -> None:
        from gameplay.display.reports import verdicts

        if self.quiet:
            return
        if self.alone:
            verdicts.show(self.theme, verdict)
        elif len(submission.verdicts) == len(submission.tests):
            marks = [verdicts.MARKS.get(one.state, "XX") for one in submission.verdicts]
            total = f"{submission.marks:g}/{submission.most:g}"
            if self.narrow:
                wrong = [str(number) for number, one in enumerate(submission.verdicts, 1) if one.status]
                failed = "all" if len(wrong) == len(marks) > 1 else ", ".join(wrong)
                say(f"{submission.file.stem}  {total}" + (f"  not passed: {failed}" if wrong else ""), 4)
                return
            click.echo(f"{submission.file.stem:<{self.wide}}  {total:>9}  {' '.join(marks)}")

    def end(self, submissions: "list[Submission]") -> None:
        """What was wrong, and the sum."""
        if self.alone:
            (submission,) = submissions
            click.echo(f"{submission.file.name}: {submission.marks:g} of {submission.most:g} marks")
            return
        for submission in submissions:
            wrong = [
                f"{number:>4}  {verdict.state}: {verdict.summary}"
                for number, verdict in enumerate(submission.verdicts, 1)
                if verdict.status and not verdict.summary.startswith("not tested: the file")
            ]
            if wrong:
                click.echo(f"\n{submission.file.name}")
            for line in wrong:
                say(line, 6)
