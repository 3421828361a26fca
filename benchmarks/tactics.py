"""Chess positions with one right move: how many an engine finds in so much time, beside others' engines.

`python -m benchmarks tactics` takes five minutes for each engine; `tactics:suite=bk` the small suite alone,
`tactics:engine=selective:order=generated` another of ours, `tactics:peers=off` ours alone.
"""

import shlex
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing
from gameplay.search.limit import Limit
from gameplay.suites import regress

ENGINE = "selective"
# Each suite with its seconds a position and how many we want to solve.
SUITES = {"wac": ("Win at Chess", 0.5, 270), "bk": ("Bratko-Kopec", 1.0, 14)}
PEERS = {"stockfish": "", "gnuchess": " --uci"}


def solved(name: str, engine: str, seconds: float) -> tuple[int, list[str], int]:
    """How many positions of a suite an engine solves, the names of the others, and how many it failed at."""
    found, path, line = regress.read(environment.FOLDER / "positions" / f"{name}.epd")
    asked = regress.told_otherwise(found, None, engine, Limit(seconds=seconds))
    verdicts = regress.run(regress.tests(asked, path, line), 1, lambda verdict: None)
    missed = [verdict.name for verdict in verdicts if verdict.state == "regression"]
    faults = [verdict for verdict in verdicts if verdict.state not in ("met", "regression")]
    return len(verdicts) - len(missed) - len(faults), missed, len(faults)


def tables(suite: str = "", engine: str = ENGINE, peers: str = "on") -> Iterator[Table]:
    """A table for each suite."""
    engines = {f"ours, {engine}": engine}
    for peer, words in PEERS.items() if peers == "on" else ():
        path = environment.program(peer)
        if path is not None:
            engines[peer] = f"uci:{shlex.quote(path)}{words}"
    for name, (title, seconds, goal) in SUITES.items():
        if suite not in ("", name):
            continue
        table = Table(title=f"{title}: positions solved in {seconds:g} s each, one thread")
        for heading in ("engine", "solved", "of", "faults"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        ours = 0
        missed: list[str] = []
        for called, spec in engines.items():
            count, wrong, faults = solved(name, spec, seconds)
            table.add_row(called, str(count), str(count + len(wrong) + faults), str(faults))
            if called.startswith("ours"):
                ours, missed = count, wrong
        reached = timing.verdict(ours >= goal)
        table.caption = f"goal {goal}: {reached}; ours did not find {', '.join(missed) or 'none'}"
        yield table
