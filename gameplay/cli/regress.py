"""`gameplay regress`: engines held against what is expected of them.

`--json` prints one document:

    tests      [{file, line, kind, name, state, told, facts, seconds}, ...]
    states     how many tests came to each state
    status     the exit status
    seconds
"""

import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from gameplay.cli import STATUSES

ORDER = """\b
The worst test decides the exit status:
  6 bad input, 5 fault, 3 regression, 4 inconclusive, 0 all is as expected

"""


@click.command(
    short_help="Hold engines against expectations",
    epilog=ORDER + STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--only", metavar="WORDS", help="Only the tests with these words in their name.")
@click.option(
    "--game", metavar="GAME", help="Of the tests that name none [chess for .epd, othello for .obf]."
)
@click.option("--engine", metavar="PLAYER", help="The same: who searches [iterative].")
@click.option("--depth", type=int, metavar="PLIES", help="The same: limits a search.")
@click.option("--nodes", type=int, metavar="N", help="The same in positions [100,000 if nothing limits].")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="The same in time.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Tests at a time [all cores].")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML to FILE.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub; done by itself in its actions.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def command(
    files: tuple[Path, ...],
    only: str | None,
    game: str | None,
    engine: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    jobs: int | None,
    junit: Path | None,
    github: bool,
    as_json: bool,
) -> int:
    """Hold engines against the expectations in FILE...: searches, matches, speeds, signatures.

    \b
    gameplay regress configs/regress/*.toml
    gameplay regress tactics.toml --only fork --junit report.xml
    gameplay regress wac.epd --engine selective --time 0.5

    The format: gameplay config schema regress. Collections of positions are read as they come: .epd with best
    moves (bm), moves to avoid (am) and mates (dm), .obf with the scores of all moves.
    """
    from gameplay.cli.selfplay import cores
    from gameplay.display import verdicts as shown
    from gameplay.display.theme import decide
    from gameplay.errors import BadInput, Usage
    from gameplay.search.limit import Limit
    from gameplay.suites import regress

    limit = Limit(depth, nodes, seconds)
    tests = []
    for path in files:
        found, name, line = regress.read(path)
        tests += regress.tests(regress.told_otherwise(found, game, engine, limit), name, line)
    if only is not None:
        tests = [test for test in tests if only.lower() in test.case.name.lower()]
    if not tests:
        if only is not None:
            raise Usage(f"there is no test with '{only}' in its name")
        raise BadInput(f"there is no test in {', '.join(map(str, files))}")
    github = github or (os.environ.get("GITHUB_ACTIONS") == "true" and not as_json)
    theme = decide()
    began = time.perf_counter()

    def tell(verdict: Any) -> None:
        if not as_json:
            shown.show(theme, verdict)
            if github:
                annotation = annotated(verdict)
                if annotation:
                    click.echo(annotation)

    verdicts = regress.run(tests, jobs or cores(), tell)
    took = time.perf_counter() - began
    status = regress.worst(verdicts)
    states = Counter(verdict.state for verdict in verdicts)
    if junit is not None:
        from gameplay.suites.junit import document

        junit.write_bytes(document(verdicts))
    if as_json:
        import json

        listed = [verdict.as_dict() for verdict in verdicts]
        click.echo(
            json.dumps({"tests": listed, "states": states, "status": status, "seconds": round(took, 3)})
        )
    else:
        told = ", ".join(f"{count} {state}" for state, count in states.items())
        click.echo(f"{len(verdicts)} {'test' if len(verdicts) == 1 else 'tests'}: {told}, in {took:.1f} s")
    return status


def annotated(verdict: Any) -> str:
    """The line that makes GitHub mark the test in its file; empty where nothing is to be marked."""
    if verdict.status:
        level = "warning" if verdict.state == "inconclusive" else "error"
    elif verdict.state == "unexpected success":
        level = "notice"
    else:
        return ""
    keys = {"file": verdict.file, "line": str(verdict.line), "title": f"{verdict.state}: {verdict.name}"}
    listed = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in keys.items())
    return f"::{level} {listed}::{_escaped(verdict.told)}"


def _escaped(text: str, more: str = "") -> str:
    for letter in "%\r\n" + more:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
