"""Counterfactual regret minimization: CPU time per iteration, compared with OpenSpiel's C++ and Python.

All solvers use alternating updates; the exploitability after the same number of iterations must agree. Also
measures the time of CFR+ to an exploitability of 0.001.
"""

import time
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.training import RegretMinimizer

GOAL = 20  # speedup over OpenSpiel's Python solver
TARGET = 1e-3  # exploitability that CFR+ runs to
SMALLEST = ({"game": "kuhn", "iterations": "100"},)
# Our name, OpenSpiel's name, and the iterations of gameplay, of its C++ and of its Python solver.
GAMES = (("kuhn", "kuhn_poker", 100_000, 2000, 200), ("leduc", "leduc_poker", 1000, 20, 3))


def measure(form: ExtensiveForm, count: int) -> tuple[float, float]:
    """CPU seconds per iteration, and the exploitability after `count` iterations."""
    regrets = RegretMinimizer(form, "cfr")
    start = time.process_time()
    regrets.iterate(count)
    seconds = time.process_time() - start
    return seconds / count, regrets.average().exploitability()


def measure_peer(game: str, solver: str, count: int) -> tuple[float, float]:
    """The same for a solver of OpenSpiel, `c++` or `python`."""
    output = environment.run_peer("peer_cfr.py", game, solver, count, name=f"OpenSpiel, {solver}").split()
    return float(output[-2]), float(output[-1])


def converge(form: ExtensiveForm) -> tuple[int, float]:
    """Iterations and CPU seconds of CFR+ to an exploitability below TARGET."""
    regrets = RegretMinimizer(form, "plus")
    start = time.process_time()
    while True:
        regrets.iterate(max(10, regrets.iterations // 4))
        if regrets.average().exploitability() < TARGET:
            return regrets.iterations, time.process_time() - start


def tables(game: str = "", iterations: str = "") -> Iterator[Table]:
    """A table for each game, or for one. iterations: number of our iterations."""
    missing = environment.install(["open_spiel"])
    environment.report_missing(missing)
    timing.pin()
    for name, peer_name, default_iterations, cpp_iterations, python_iterations in GAMES:
        if game not in ("", name):
            continue
        count = int(iterations or default_iterations)
        progress.show(f"{name}, {count:,} iterations")
        start = time.process_time()
        form = ExtensiveForm(registry.game(name).new())
        build_time = time.process_time() - start
        table = Table(title=f"CFR on {name}: {form.nodes:,} nodes, {len(form.infosets):,} infosets, CPU time")
        for heading in (
            "program",
            "iterations",
            "µs/iteration",
            "speedup",
            "exploitability",
            "gameplay's",
        ):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        seconds, exploitability = measure(form, count)
        table.add_row("gameplay", f"{count:,}", f"{1e6 * seconds:,.1f}", "", f"{exploitability:.6f}", "")
        for solver, count in () if missing else (("c++", cpp_iterations), ("python", python_iterations)):
            peer_seconds, peer_exploitability = measure_peer(peer_name, solver, count)
            speedup = peer_seconds / seconds
            table.add_row(
                f"OpenSpiel, {solver}",
                f"{count:,}",
                f"{1e6 * peer_seconds:,.1f}",
                f"{speedup:,.0f}",
                f"{peer_exploitability:.6f}",
                f"{measure(form, count)[1]:.6f}",
            )
            if solver == "python":
                table.caption = f"goal: {GOAL} times OpenSpiel's Python; {timing.verdict(speedup >= GOAL)}"
        count, converge_time = converge(form)
        convergence = (
            f"CFR+ reaches {TARGET} after {count:,} iterations in {converge_time:.2f} s, "
            f"after {build_time:.2f} s to build the tree"
        )
        table.caption = f"{table.caption or ''}\n{convergence}".strip()
        yield table
    timing.unpin()
