"""Chess tactics: solved positions in a given time, compared with other engines.

`python -m benchmarks tactics` takes five minutes for each engine; `tactics:suite=bk` the small suite alone,
`tactics:engine=selective:order=generated` another of ours, `tactics:peers=off` ours alone.
"""

import shlex
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.search.limit import Limit
from gameplay.suites import regress

ENGINE = "selective"
# Each suite with its seconds a position and how many we want to solve.
SUITES = {"wac": ("Win at Chess", 0.5, 270), "bk": ("Bratko-Kopec", 1.0, 14)}
PEERS = {"stockfish": "", "gnuchess": " --uci"}
SMALLEST = ({"suite": "bk", "seconds": "0.02", "count": "2"},)


def solved(name: str, engine: str, seconds: float, most: int) -> tuple[int, list[str], int]:
    """How many of the first `most` positions an engine solves, the names of the others, and faults."""
    found, path, line = regress.read(environment.FOLDER / "positions" / f"{name}.epd")
    asked = regress.overridden(found, None, engine, Limit(seconds=seconds))
    tests = regress.tests(asked, path, line)[:most]
    done: list[str] = []

    def tell(verdict: regress.CaseVerdict) -> None:
        done.append(verdict.name)
        progress.count(len(done), len(tests), f"positions by {engine}")

    verdicts = regress.run(tests, 1, tell)
    missed = [verdict.name for verdict in verdicts if verdict.state == "regression"]
    faults = [verdict for verdict in verdicts if verdict.state not in ("met", "regression")]
    return len(verdicts) - len(missed) - len(faults), missed, len(faults)


def tables(suite: str = "", engine: str = ENGINE, seconds: str = "", count: str = "1000") -> Iterator[Table]:
    """A table for each suite. `seconds`: a position; `count`: positions of a suite at most."""
    engines = {f"ours, {engine}": engine}
    for peer, words in PEERS.items():
        path = environment.program(peer)
        if path is not None:
            engines[peer] = f"uci:{shlex.quote(path)}{words}"
    for name, (title, usual, goal) in SUITES.items():
        if suite not in ("", name):
            continue
        each = float(seconds or usual)
        table = Table(title=f"{title}: positions solved in {each:g} s each, one thread")
        for heading in ("engine", "solved", "of", "faults"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        ours = 0
        missed: list[str] = []
        for called, spec in engines.items():
            count, wrong, faults = solved(name, spec, each, int(count))
            table.add_row(called, str(count), str(count + len(wrong) + faults), str(faults))
            if called.startswith("ours"):
                ours, missed = count, wrong
        reached = timing.verdict(ours >= goal)
        table.caption = f"goal {goal}: {reached}; ours did not find {', '.join(missed) or 'none'}"
        yield table
