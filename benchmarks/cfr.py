"""CPU time of an iteration of counterfactual regret minimization, compared with OpenSpiel's in C++ and
Python.

Both use alternating updates; the exploitability after equally many iterations must agree. Also measures the
time of CFR+ to an exploitability of 0.001.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.training import RegretMinimizer

FOLDER = Path(__file__).parent
GOAL = 20  # times OpenSpiel's in Python
NEAR = 1e-3
# Our name, theirs, iterations of ours, of their C++ and of their Python.
SMALLEST = ({"game": "kuhn", "iterations": "100"},)
GAMES = (("kuhn", "kuhn_poker", 100_000, 2000, 200), ("leduc", "leduc_poker", 1000, 20, 3))


def ours(form: ExtensiveForm, count: int) -> tuple[float, float]:
    """CPU seconds per iteration, and the exploitability at the end."""
    regrets = RegretMinimizer(form, "cfr")
    start = time.process_time()
    regrets.iterate(count)
    seconds = time.process_time() - start
    return seconds / count, regrets.average().exploitability()


def theirs(game: str, solver: str, count: int) -> tuple[float, float]:
    """The same for OpenSpiel."""
    python = str(environment.scripts() / "python")
    command = [python, str(FOLDER / "peer_cfr.py"), game, solver, str(count)]
    told = environment.run(command, f"OpenSpiel, {solver}").split()
    return float(told[-2]), float(told[-1])


def learned(form: ExtensiveForm) -> tuple[int, float]:
    """Iterations and CPU seconds of CFR+ to an exploitability of NEAR."""
    regrets = RegretMinimizer(form, "plus")
    start = time.process_time()
    while True:
        regrets.iterate(max(10, regrets.iterations // 4))
        if regrets.average().exploitability() < NEAR:
            return regrets.iterations, time.process_time() - start


def tables(game: str = "", iterations: str = "") -> Iterator[Table]:
    """A table for each game, or for one. `iterations`: of ours."""
    missing = environment.install(["open_spiel"])
    timing.pin()
    for name, other, usual, some, few in GAMES:
        if game not in ("", name):
            continue
        many = int(iterations or usual)
        progress.say(f"{name}, {many:,} iterations")
        start = time.process_time()
        form = ExtensiveForm(registry.game(name).new())
        built = time.process_time() - start
        table = Table(title=f"{name}: {form.nodes:,} nodes, {len(form.infosets):,} infosets: CPU time of CFR")
        for heading in (
            "program",
            "iterations",
            "microseconds each",
            "times ours",
            "exploitability",
            "ours then",
        ):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        mine, exploitable = ours(form, many)
        table.add_row("ours", f"{many:,}", f"{1e6 * mine:,.1f}", "1", f"{exploitable:.6f}", "")
        if missing:
            table.add_row("OpenSpiel", "not installed", "", "", missing["open_spiel"], "")
        for solver, count in () if missing else (("c++", some), ("python", few)):
            seconds, found = theirs(other, solver, count)
            same = ours(form, count)[1]
            ratio = f"{seconds / mine:,.0f}"
            row = (f"OpenSpiel, {solver}", f"{count:,}", f"{1e6 * seconds:,.1f}", ratio)
            table.add_row(*row, f"{found:.6f}", f"{same:.6f}")
            if solver == "python":
                told = timing.verdict(seconds / mine >= GOAL)
                table.caption = f"{ratio} times OpenSpiel's in Python; goal {GOAL}: {told}"
        count, took = learned(form)
        near = f"CFR+ is below {NEAR} after {count:,} iterations, {took:.2f} s; the tree took {built:.2f} s"
        table.caption = f"{table.caption or ''}\n{near}".strip()
        yield table
    timing.unpin()
