"""`gameplay regress`: test engines against expected results.

`--json` prints one document:

    tests      [{file, line, kind, name, state, summary, facts, seconds}, ...]
    states     how many tests came to each state
    status     the exit status
    seconds
"""

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import (
    ENGINE,
    FILE,
    GAME,
    REPORT,
    cores,
    jobs_option,
    json_option,
    limit_options,
)
from gameplay.errors import BadInput
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.search.limit import Limit
    from gameplay.suites.regress import CaseVerdict, Test

ORDER = """\b
The worst test decides the exit status:
  6 bad input, 5 fault, 3 regression, 4 inconclusive, 0 all is as expected

"""


@click.command(short_help="Test engines against expected results", epilog=ORDER)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--only", metavar="WORDS", help="Run only the tests with these words in their name.")
@click.option(
    "--game", type=GAME, help="Game of the tests that name none [chess for .epd, othello for .obf]."
)
@click.option(
    "--engine",
    type=ENGINE,
    metavar="PLAYER",
    help="Player that searches in the tests that name none [iterative].",
)
@limit_options(
    "Search depth limit in plies, of the tests that have no limit.",
    "Node limit of a search [100,000 if there is no other limit].",
    "Time limit of a search, in seconds.",
)
@jobs_option("Tests at a time [all cores].")
@click.option("--junit", type=REPORT, help="Write JUnit XML to FILE, replacing it.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub [on in GitHub Actions].")
@json_option()
def command(
    files: tuple[Path, ...],
    only: str | None,
    game: str | None,
    engine: str | None,
    limit: "Limit",
    jobs: int | None,
    junit: Path | None,
    github: bool,
    as_json: bool,
) -> int:
    """Test engines against the expected results in FILE...: searches, matches, speeds, signatures.

    \b
    gameplay regress configs/regress/*.toml
    gameplay regress tactics.toml --only fork --junit report.xml
    gameplay regress wac.epd --engine selective --time 0.5

    An invalid test is reported as bad input, and the others are run. docs/how-to/regress.md and the JSON
    Schema of `gameplay toml schema regress` have every field. Collections of positions are read as
    published: .epd with best moves (bm), moves to avoid (am) and mates (dm), .obf with the scores of all.
    """
    from gameplay.display.reports import verdicts as shown
    from gameplay.display.theme import detect_theme
    from gameplay.suites import regress

    tests: list[Test] = []
    for path in files:
        try:
            suite, name, line = regress.read(path)
        except BadInput as error:
            tests.append(regress.unreadable(path, error))
            continue
        tests += regress.tests(regress.override_defaults(suite, game, engine, limit), name, line)
    tests = _select_tests(tests, only, files)
    github = github or os.environ.get("GITHUB_ACTIONS") == "true"
    theme = detect_theme()
    start_time = time.perf_counter()

    def show(verdict: "CaseVerdict") -> None:
        if as_json:
            return
        shown.show(theme, verdict)
        if github and (annotation := github_annotation(verdict)):
            click.echo(annotation)

    verdicts = regress.run(tests, jobs or cores(), show)
    duration = time.perf_counter() - start_time
    if junit is not None:
        from gameplay import file_io
        from gameplay.suites.junit import document

        file_io.write(junit, [document(verdicts)])
    _print_totals(verdicts, duration, as_json)
    return regress.worst(verdicts)


def _select_tests(tests: "list[Test]", only: str | None, files: tuple[Path, ...]) -> "list[Test]":
    """The tests with `only` in their name. Raises Usage or BadInput if there is none."""
    from gameplay.errors import Usage

    chosen = [test for test in tests if only is None or only.lower() in test.case.name.lower()]
    if not chosen and only is not None:
        raise Usage(f"--only is '{only}'; no test name contains it. Try: leave --only out")
    if not chosen:
        raise BadInput(f"there is no test in {', '.join(map(str, files))}")
    return chosen


def _print_totals(verdicts: "list[CaseVerdict]", duration: float, as_json: bool) -> None:
    """Print the totals of all tests."""
    from gameplay.suites import regress

    states = Counter(verdict.state for verdict in verdicts)
    if as_json:
        import json

        listed = [verdict.as_dict() for verdict in verdicts]
        status = regress.worst(verdicts)
        click.echo(
            json.dumps({"tests": listed, "states": states, "status": status, "seconds": round(duration, 3)})
        )
    else:
        counts = ", ".join(f"{count} {state}" for state, count in states.items())
        click.echo(f"{plural(len(verdicts), 'test')}: {counts}, in {duration:.1f} s")


def github_annotation(verdict: "CaseVerdict") -> str:
    """Format a GitHub annotation of the test in its file; "" if there is nothing to annotate."""
    if verdict.status:
        level = "warning" if verdict.state == "inconclusive" else "error"
    elif verdict.state == "unexpected success":
        level = "notice"
    else:
        return ""
    keys = {"file": verdict.file, "line": str(verdict.line), "title": f"{verdict.state}: {verdict.name}"}
    listed = ",".join(f"{key}={_escape(value, ':,')}" for key, value in keys.items())
    return f"::{level} {listed}::{_escape(verdict.summary)}"


def _escape(text: str, more: str = "") -> str:
    for letter in "%\r\n" + more:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
