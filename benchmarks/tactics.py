"""Chess tactics: positions solved in a given time, compared with other engines.

`python -m benchmarks tactics` takes five minutes for each engine; `tactics:suite=bk` runs only the small
suite, `tactics:engine=selective:order=generated` another engine of ours, `tactics:peers=off` no others.
"""

import shlex
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.search.limit import Limit
from gameplay.suites import regress

ENGINE = "selective"
# By suite: title, seconds a position, and the number of positions to solve.
SUITES = {"wac": ("Win at Chess", 0.5, 270), "bk": ("Bratko-Kopec", 1.0, 14)}
PEERS = {"stockfish": "", "gnuchess": " --uci"}  # arguments by program
SMALLEST = ({"suite": "bk", "seconds": "0.02", "count": "2"},)


def run_suite(name: str, engine: str, seconds: float, count: int) -> tuple[int, list[str], int]:
    """Number of solved positions among the first `count`, names of the unsolved ones, number of faults."""
    suite, path, line = regress.read(environment.FOLDER / "positions" / f"{name}.epd")
    suite = regress.override_defaults(suite, None, engine, Limit(seconds=seconds))
    tests = regress.tests(suite, path, line)[:count]
    done: list[str] = []

    def report(verdict: regress.CaseVerdict) -> None:
        done.append(verdict.name)
        progress.count(len(done), len(tests), f"positions by {engine}")

    verdicts = regress.run(tests, 1, report)
    unsolved = [verdict.name for verdict in verdicts if verdict.state == "regression"]
    faults = [verdict for verdict in verdicts if verdict.state not in ("met", "regression")]
    return len(verdicts) - len(unsolved) - len(faults), unsolved, len(faults)


def tables(suite: str = "", engine: str = ENGINE, seconds: str = "", count: str = "1000") -> Iterator[Table]:
    """A table for each suite, or for one. seconds: time of a position; count: positions of a suite."""
    engines = {f"gameplay, {engine}": engine}
    for peer, arguments in PEERS.items():
        path = environment.find_program(peer)
        if path is not None:
            engines[peer] = f"uci:{shlex.quote(path)}{arguments}"
    environment.report_missing({peer: "not installed" for peer in PEERS if peer not in engines})
    for name, (title, default_seconds, goal) in SUITES.items():
        if suite not in ("", name):
            continue
        limit = float(seconds or default_seconds)
        table = Table(title=f"{title}: positions solved in {limit:g} s each, one thread")
        for heading in ("engine", "solved", "of", "faults"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        for label, spec in engines.items():
            solved, unsolved, faults = run_suite(name, spec, limit, int(count))
            table.add_row(label, str(solved), str(solved + len(unsolved) + faults), str(faults))
            if spec == engine:
                table.caption = (
                    f"goal {goal}: {timing.verdict(solved >= goal)}; "
                    f"not solved by gameplay: {', '.join(unsolved) or 'none'}"
                )
        yield table
