"""`gameplay lecture`: recomputes the tables of lectures beside the published figures."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import click

from gameplay.cli import Group
from gameplay.cli.common.options import (
    COUNT,
    REPORT,
    Integer,
    check_distinct,
    choice,
    game_argument,
    json_option,
)
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import columns, echo_wrapped
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.lessons.korf import Instance, SolvedInstance
    from gameplay.search.report import Report

Part = TypeVar("Part")
PIPE_WIDTH = 100  # columns without a terminal
HEURISTICS = "manhattan,linear-conflict,pattern"


class Lectures(Group):
    """The group of lectures."""

    kind = "lecture"


@click.group(cls=Lectures, short_help="Recompute tables of lectures and papers")
def command() -> None:
    """Recompute tables of lectures and of classic papers, beside the published figures.

    Numbers are computed in the run, except the curves of `tdgammon` and `alphazero`, which name their
    commands. Where a number differs from the published one, the reason is given.
    """


@command.command(short_help="Count nodes of minimax and alpha-beta in tic-tac-toe")
def tictactoe() -> None:
    """Count the states that minimax and alpha-beta visit in tic-tac-toe, on average, by stones on the board.

    The figures of a lecture are printed beside them. A state is a visited position, including the first and
    the last.
    """
    from gameplay.lessons import tictactoe as lesson

    _print_parts(lesson.lines())


@command.command(short_help="Count minimax and alpha-beta in Connect Four on 8 columns")
@click.option("--depth", type=Integer(1, 9), default=7, help="Count to N plies [7].")
@choice(
    "--order", ["middle-first", "left-to-right"], "Order in which alpha-beta tries columns", "middle-first"
)
@choice("--cut", ["equal", "strict"], "Cut off where alpha >= beta, or only where alpha > beta", "equal")
def connect4(depth: int, order: str, cut: str) -> None:
    """Count the positions that minimax and alpha-beta visit in Connect Four on eight columns, by depth.

    The lecture's counts are printed beside ours, with what they imply about its programs. Its estimate, that
    alpha-beta visits (2/3)^(d - 2) of minimax's positions at d plies, holds for poor move ordering and strict
    cutoffs:

    \b
    gameplay lecture connect4 --order left-to-right --cut strict
    """
    from gameplay.lessons import connect4 as lesson

    _print_parts(lesson.lines(depth, order, cut))


@command.command(short_help="Compute b^m for a game, and how deep it is searched")
@game_argument(required=False)
@click.option("--pairs", type=COUNT, default=2, help="Pairs of games at each of four limits [2].")
def growth(game: str | None, pairs: int) -> None:
    """Compute the size b^m of the tree of GAME [chess]: branching factor b and length m, both measured in
    games of its default engine. Beside it are the lecture's 35^100 of chess, the atoms of the universe, and
    the depths that minimax and alpha-beta reach at 10^8 positions a second.

    \b
    gameplay lecture growth
    gameplay lecture growth connect4 --pairs 10
    """
    from gameplay import registry
    from gameplay.lessons import growth as lesson

    _print_parts(lesson.lines(registry.game(game or lesson.LECTURE[0]), pairs))


@command.command(short_help="Solve exercises on alpha-beta with published answers")
def alphabeta() -> int:
    """Solve exercises on alpha-beta: windows, values, and the leaves that are cut off.

    The results are compared with the published answers; the exit status is 3 if one differs.
    """
    from gameplay.errors import Mismatch
    from gameplay.lessons import alphabeta as lesson

    _print_parts(lesson.lines())
    return Mismatch.status if any(exercise.differences for exercise in lesson.exercises()) else 0


LESSONS = {  # those without options: the line in the list of lectures, and the text of --help
    "minimal": (
        "Compare engines with the minimal tree of Knuth and Moore",
        "Count the fewest leaves that prove a value, in uniform trees and in games, and compare them with the"
        " leaves that engines visit.",
    ),
    "horizon": (
        "Show the horizon effect in real positions",
        "Show real positions where a fixed depth blunders, and quiescence or secondary search does not.",
    ),
    "mtdf": (
        "Compare MTD(f) with aspiration and the full window",
        "Count leaves of MTD(f), of aspiration windows and of the full window (Plaat and others 1996).",
    ),
    "schaeffer": (
        "Combine table, history, killers and ordering",
        "Search with all combinations of table, history, killers and the game's hints (Schaeffer 1989).",
    ),
    "maxn": (
        "Compare max^n with paranoid search, for three players",
        "Count nodes of max^n and of paranoid search by depth, and play them against each other (Sturtevant"
        " and Korf 2000).",
    ),
    "alphazero": (
        "Show how AlphaZero learns solved boards",
        "Show how AlphaZero learns (Silver and others 2017, 2018): one update in numbers, its errors on"
        " solved boards by training games, commands for class and an exercise.",
    ),
    "tdgammon": (
        "Show how a network learns backgammon by self-play",
        "Show how a network learns backgammon by self-play, as TD-Gammon did (Tesauro 1995): one update in"
        " numbers, a learning curve beside the published number, commands for class and an exercise.",
    ),
}


def _lecture(name: str, short: str, text: str) -> None:
    @command.command(name, short_help=short, help=text)
    def lecture() -> None:
        from importlib import import_module

        _print_parts(import_module(f"gameplay.lessons.{name}").lines())


for _name, _texts in LESSONS.items():
    _lecture(_name, *_texts)


@command.command(short_help="Show games where a deeper search plays worse")
@click.option("--trees", type=COUNT, default=200, help="Random boards of each kind [200].")
def pathology(trees: int) -> None:
    """Count right moves by depth in P-games, where deeper searches play worse, and in N-games (Nau 1982)."""
    from gameplay.lessons import pathology as lesson

    _print_parts(lesson.lines(trees))


@command.command(short_help="Show strategy fusion, non-locality and bluffs at equilibrium")
@click.option("--trees", type=COUNT, default=200, help="Random trees of each size [200].")
def secrets(trees: int) -> None:
    """Show the effect of hidden cards in solved games: the errors of perfect information Monte Carlo
    (strategy fusion and non-locality, Frank and Basin 1998), ISMCTS and CFR on the same trees, Kuhn's poker
    from the rules to an equilibrium beside published figures (Long and others 2010), and random trees."""
    from gameplay.lessons import secrets as lesson

    _print_parts(lesson.lines(trees))


@command.command(short_help="Watch Samuel's learner correct its evaluation")
@click.option("--games", type=COUNT, default=30, help="Number of games of checkers [30].")
@click.option("--svg", type=REPORT, help="Draw the coefficients into FILE too, replacing it.")
def samuel(games: int, svg: Path | None) -> None:
    """Watch Samuel's checkers program (1959) learn: one correction in numbers, the coefficients by game with
    terms that enter and leave the polynomial, and the moves that it blames for a lost game beside the real
    errors, by a solver of a small Connect Four and by endgame tables of checkers.

    \b
    gameplay lecture samuel --games 60 --svg samuel.svg
    """
    from gameplay.lessons import samuel as lesson

    course = lesson.learn_games(games)
    _print_parts(lesson.lines(games, course))
    if svg is not None:
        from gameplay.display.pages import chart

        chart.write_svg(svg, chart.growth_curves(course.curves(), "size of the coefficients over games"))


def _with_progress(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts; a progress line is shown while one is computed."""
    iterator, end = iter(parts), object()
    with ProgressLine() as progress_line:
        while True:
            progress_line("computing ...")
            part = next(iterator, end)
            progress_line.end()
            if part is end:
                return
            yield cast("Part", part)


def _print_parts(parts: Iterable[str]) -> None:
    """Print each part as soon as it is known, wrapped to the terminal; a table once it is complete."""
    from itertools import chain

    from gameplay.display.folding import fit_lines

    width = columns(PIPE_WIDTH)
    lines = chain.from_iterable(part.splitlines() or [""] for part in _with_progress(parts))
    groups: Iterable[Iterable[str]] = [lines] if width < PIPE_WIDTH else ([line] for line in lines)
    for line in chain.from_iterable(fit_lines(group, width) for group in groups):
        click.echo(line)


@command.command(short_help="Show positions where UCT is biased or converges slowly")
@click.option("--trees", type=COUNT, default=20, help="Random trees of each depth [20].")
@click.option("--svg", type=REPORT, help="Draw the errors into FILE too, replacing it.")
def uct(trees: int, svg: Path | None) -> None:
    """Count the wrong moves of UCT in random trees (P-games) by simulations, beside the positions that
    alpha-beta visits, and the simulations that UCT needs on the chain of Coquelin and Munos. It takes about
    half a minute.

    \b
    gameplay lecture uct --trees 100 --svg uct.svg
    """
    from gameplay.display.pages import chart
    from gameplay.lessons import uct as lesson

    rows = []
    for curve in _with_progress(lesson.curves(trees)):
        _print_parts([lesson.curve_chart(curve), ""])
        rows.append(curve)
    _print_parts([lesson.chain_table(list(_with_progress(lesson.chains())))])
    if svg is not None:
        chart.write_svg(svg, chart.error_curves({f"{curve.plies} plies": curve.errors for curve in rows}))


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

    They take 36.3 billion nodes with the Manhattan distance, some minutes, and fewer with linear conflicts or
    the pattern database, which `gameplay patterns puzzle15` builds. A database that is not built is left out,
    with a note. The exit status is 3 if a length or a node count is wrong.

    \b
    gameplay lecture korf --only 1-10
    gameplay lecture korf --heuristic pattern
    """
    import json
    from dataclasses import asdict

    from gameplay.errors import Mismatch
    from gameplay.lessons import korf as lesson

    wanted = lesson.select_instances(only)
    asked = [name.strip() for name in heuristic.split(",")]
    check_distinct("--heuristic", asked)
    names, notes = _usable_heuristics(asked, heuristic == HEURISTICS)
    if not as_json:
        click.echo(_row("no", "length", *names, "published", "seconds"))
    done, wrong = [], []
    for instance in wanted:
        solved = _solve(instance, names)
        done += solved
        faults = [
            f"instance {instance.number}, {exercise.heuristic}: {exercise.difference}"
            for exercise in solved
            if exercise.difference
        ]
        wrong += faults
        if as_json:
            continue
        beside = f"{instance.published:,}" + ("*" if instance.published != instance.measured else "")
        seconds = f"{sum(exercise.seconds for exercise in solved):.2f}"
        counts = [f"{exercise.nodes:,}" for exercise in solved]
        click.echo(_row(str(instance.number), str(solved[0].length), *counts, beside, seconds))
        for fault in faults:
            click.echo(f"  wrong: {fault}")
    totals = lesson.totals(done)
    if as_json:
        rows = [asdict(exercise) | {"wrong": exercise.difference} for exercise in done]
        document = {"instances": rows, "totals": totals, "wrong": wrong, "notes": notes}
        click.echo(json.dumps(document, indent=2))
    else:
        _print_totals(wanted, totals, wrong, notes)
    return Mismatch.status if wrong else 0


def _usable_heuristics(names: list[str], is_default: bool) -> tuple[list[str], list[str]]:
    """The heuristics whose data exist, and a note for each one of the default list that is left out.

    Raises Usage if a heuristic that was requested cannot be used.
    """
    from gameplay import registry
    from gameplay.errors import Usage

    start = registry.game("puzzle15").new()
    usable, notes = [], []
    for name in names:
        engine = registry.engine(f"idastar:heuristic={name}")[0]
        engine.heuristic_for(start)
        try:
            start.heuristic = name
        except Usage as error:
            if not is_default:
                raise
            notes.append(f"{name} is left out: {error}")
        else:
            usable.append(name)
    return usable, notes


def _solve(instance: "Instance", names: list[str]) -> "list[SolvedInstance]":
    """An instance solved with each heuristic. Raises KeyboardInterrupt."""
    from gameplay.lessons import korf as lesson

    progress_line, solved = ProgressLine(), []
    for name in names:
        solved.append(
            lesson.solve(
                instance, name, _progress_callback(progress_line, f"instance {instance.number}, {name}")
            )
        )
        progress_line.end()
        if solved[-1].stopped == "interrupted":
            raise KeyboardInterrupt
    return solved


def _row(number: str, length: str, *cells: str) -> str:
    *counts, seconds = cells
    line = f"{number:>3} {length:>6} " + " ".join(f"{count:>16}" for count in counts) + f" {seconds:>8}"
    return (
        line
        if len(line) <= columns(PIPE_WIDTH)
        else "\n    ".join([f"{number:>3} {length}", *counts, seconds])
    )


def _progress_callback(progress_line: ProgressLine, what: str) -> "Callable[[Report], bool]":
    """A callback that shows the progress of a search."""

    def watch(report: "Report") -> bool:
        if report.thresholds and report.seconds > 0.3:
            progress_line(
                f"{what}: threshold {report.thresholds[-1]}, {report.nodes / 1e6:,.0f} million nodes"
            )
        return False

    return watch


def _print_totals(
    wanted: "list[Instance]", totals: dict[str, dict[str, float]], wrong: list[str], notes: list[str]
) -> None:
    """Print the sums, the comparison and the notes."""
    from gameplay.lessons.korf import COUNTED_HEURISTIC

    click.echo()
    for name, total in totals.items():
        rate = total["nodes"] / total["seconds"] / 1e6 if total["seconds"] else 0.0
        line = f"{name}: {total['nodes']:,} nodes in {total['seconds']:.1f} s, {rate:.1f} million a second"
        if COUNTED_HEURISTIC in totals and name != COUNTED_HEURISTIC and total["nodes"]:
            ratio = totals[COUNTED_HEURISTIC]["nodes"] / total["nodes"]
            line += f", {ratio:,.1f} times fewer than {COUNTED_HEURISTIC}"
        echo_wrapped(line, 2)
    count = len(wanted)
    named = "all instances as known" if not wrong else f"{len(wrong)} wrong"
    click.echo(f"{plural(count, 'instance')}: {named}")
    odd = [part.number for part in wanted if part.published != part.measured]
    if odd:
        echo_wrapped(
            f"* {', '.join(map(str, odd))}: the published count is not that of a correct program (in 22 and "
            "98 a digit differs, 89 is printed with another start): checked by a plain C program",
            2,
        )
    for note in notes:
        echo_wrapped(f"note: {note}", 2)
