"""`gameplay lecture`: the tables of lectures, counted again beside what was published."""

from pathlib import Path

import click

from gameplay.cli._options import COUNT, FILE, json_option

HEURISTICS = "manhattan,linear-conflict,pattern"


@click.group(short_help="Recompute tables of lectures and papers")
def command() -> None:
    """Recompute tables of lectures and of classic papers, beside the published figures."""


@command.command(short_help="Count nodes of minimax and alpha-beta in tic-tac-toe")
def tictactoe() -> None:
    """Count the states that minimax and alpha-beta visit in tic-tac-toe, on average, by stones on the board.

    The figures of the lecture that this program grew from stand beside them. A state is a position visited,
    the first and the last included.
    """
    from gameplay.lessons import tictactoe as lesson

    click.echo(lesson.table())


@command.command(short_help="Show where UCT errs, and where it needs for ever")
@click.option("--trees", type=COUNT, default=20, metavar="N", help="Random trees of each depth [20].")
@click.option("--svg", type=FILE, metavar="FILE", help="Draw the errors into FILE too.")
def uct(trees: int, svg: Path | None) -> None:
    """Count the wrong moves of UCT in random trees (P-games) by simulations, beside the positions that
    alpha-beta visits, and the simulations that UCT needs on the chain of Coquelin and Munos. It takes about
    half a minute.

    \b
    gameplay lecture uct --trees 100 --svg uct.svg
    """
    from gameplay.display import chart
    from gameplay.lessons import uct as lesson

    found = []
    for curve in lesson.curves(trees):
        click.echo(lesson.told(curve) + "\n")
        found.append(curve)
    click.echo(lesson.chained(list(lesson.chains())))
    if svg is not None:
        chart.write(svg, chart.errors({f"{curve.plies} plies": curve.errors for curve in found}))


@command.command(short_help="Solve Korf's 100 instances of the 15-puzzle by IDA*")
@click.option("--only", default="", metavar="1-10,42", help="Solve these instances [all 100].")
@click.option(
    "--heuristic",
    default=HEURISTICS,
    metavar="NAME,...",
    help=f"Heuristics to use, one after the other: any of {HEURISTICS},pattern-7-8 [the first three].",
)
@json_option("all instances and the totals")
def korf(only: str, heuristic: str, as_json: bool) -> int:
    """Solve Korf's 100 instances of the 15-puzzle by IDA*: lengths and nodes beside the published ones.

    They take 36.3 billion nodes with the Manhattan distance, some minutes of work, and fewer with linear
    conflicts and with the pattern database, which `gameplay patterns puzzle15` builds. A database that is not
    built is left out, with a note. The exit status is 3 if a length or a count is wrong.

    \b
    gameplay lecture korf --only 1-10
    gameplay lecture korf --heuristic pattern
    """
    import json
    from dataclasses import asdict

    from gameplay import registry
    from gameplay.errors import Mismatch, Usage
    from gameplay.lessons import korf as lesson

    wanted = lesson.chosen(only)
    names = [name.strip() for name in heuristic.split(",")]
    start = registry.game("puzzle15").new()
    notes = []
    for name in list(names):
        engine = registry.engine(f"idastar:heuristic={name}")[0]
        engine.guide(start)
        try:
            start.heuristic = name
        except Usage as error:
            if len(names) == 1 or heuristic != HEURISTICS:
                raise
            notes.append(f"{name} is left out: {error}")
            names.remove(name)
    if not as_json:
        click.echo(_row("no", "length", *names, "published", "seconds"))
    done, wrong = [], []
    for instance in wanted:
        solved = []
        for name in names:
            solved.append(lesson.solve(instance, name, _live(f"instance {instance.number}, {name}")))
            if solved[-1].stopped == "interrupted":
                raise KeyboardInterrupt
        done += solved
        faults = [f"instance {instance.number}, {one.heuristic}: {one.wrong}" for one in solved if one.wrong]
        wrong += faults
        if as_json:
            continue
        beside = f"{instance.published:,}" + ("*" if instance.published != instance.measured else "")
        seconds = f"{sum(one.seconds for one in solved):.2f}"
        counts = [f"{one.nodes:,}" for one in solved]
        click.echo(_row(str(instance.number), str(solved[0].length), *counts, beside, seconds))
        for fault in faults:
            click.echo(f"  wrong: {fault}")
    totals = lesson.totals(done)
    if as_json:
        rows = [asdict(one) | {"wrong": one.wrong} for one in done]
        click.echo(
            json.dumps({"instances": rows, "totals": totals, "wrong": wrong, "notes": notes}, indent=2)
        )
        return Mismatch.status if wrong else 0
    _say(wanted, totals, wrong, notes)
    return Mismatch.status if wrong else 0


def _row(number: str, length: str, *cells: str) -> str:
    *counts, seconds = cells
    return f"{number:>3} {length:>6} " + " ".join(f"{count:>16}" for count in counts) + f" {seconds:>8}"


def _live(what: str):  # type: ignore[no-untyped-def]
    """What is told of a search while it runs, in one line on standard error that the next row replaces."""
    import sys

    if not sys.stderr.isatty():
        return None

    def watch(report) -> bool:  # type: ignore[no-untyped-def]
        if report.thresholds and report.seconds > 0.3:
            text = f"{what}: threshold {report.thresholds[-1]}, {report.nodes / 1e6:,.0f} million nodes"
            sys.stderr.write(f"\r{text}\033[K\r")
            sys.stderr.flush()
        return False

    return watch


def _say(wanted: list, totals: dict, wrong: list[str], notes: list[str]) -> None:  # type: ignore[type-arg]
    """The sums, how they compare, and what is to know of them."""
    from gameplay.lessons.korf import COUNTED

    click.echo()
    for name, total in totals.items():
        rate = total["nodes"] / total["seconds"] / 1e6 if total["seconds"] else 0.0
        line = f"{name}: {total['nodes']:,} nodes in {total['seconds']:.1f} s, {rate:.1f} million a second"
        if COUNTED in totals and name != COUNTED and total["nodes"]:
            line += f", {totals[COUNTED]['nodes'] / total['nodes']:,.1f} times fewer than {COUNTED}"
        click.echo(line)
    count = len(wanted)
    named = "all instances as known" if not wrong else f"{len(wrong)} wrong"
    click.echo(f"{count} {'instance' if count == 1 else 'instances'}: {named}")
    odd = [one.number for one in wanted if one.published != one.measured]
    if odd:
        click.echo(
            f"* {', '.join(map(str, odd))}: the published count is not that of a correct program (in 22 and "
            "98 a digit differs, 89 is printed with another start): held against a plain C program's"
        )
    for note in notes:
        click.echo(f"note: {note}")
