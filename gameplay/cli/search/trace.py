"""`gameplay trace`: a search step by step. The lines of `--json`: docs/how-to/trace-json.md."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common import tracing
from gameplay.cli.common.options import Drawing, drawing_options
from gameplay.cli.common.tracing import searched
from gameplay.errors import Usage

MOST_WINDOWS = 5_000  # rows of the table of windows
ANY = 1_000_000  # columns of an output that is no terminal: lines are not folded
AT_ONCE = 500  # lines written in one go, to a file or another program

if TYPE_CHECKING:
    from gameplay.api.tracing import Followed
    from gameplay.display.theme import Theme
    from gameplay.search.report import Report
    from gameplay.tracing.pseudocode import Pseudocode
    from gameplay.tracing.trace import TraceStep


@click.command(short_help="Explain a search step by step, with the reason for each cutoff")
@searched("a small tree, at most 4")
@drawing_options("Print lines of text at a terminal too.")
@click.option("--windows", is_flag=True, help="Print lines of text, and a table of the windows of all nodes.")
@click.option(
    "--pseudocode",
    is_flag=True,
    help="Print lines of text, each with the line of pseudocode that it executes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line, one for each step.")
def command(asked: "Followed", drawing: Drawing, windows: bool, pseudocode: bool, as_json: bool) -> int:
    """Explain a search of a position of GAME step by step: each node and the player to move, the window, the
    value that is backed up, and each cutoff by its textbook name with the reason. GAME may be your own
    tree, a TOML file.

    \b
    gameplay trace connect4 --moves "4 4" --engine alphabeta --depth 4
    gameplay trace tree:lecture --engine alphabeta
    gameplay trace tree:lecture --engine alphabeta --windows
    gameplay trace chess --engine selective --depth 6 | less

    At a terminal the search can be stepped through, forward and back, with the board beside it; with --plain,
    or into a pipe, it is printed in lines.

    Windows [alpha, beta] and values are those of MAX, the player to move at the root. A line "at c4: beta +5
    -> +3, from leaf e5" shows how the window of the node after c4 changes. For `pns` it prints
    proof and disproof numbers with their thresholds, for `idastar` thresholds, for `mcts` simulations. The
    same search prints the same lines, except with a time limit.
    """
    if as_json and windows:
        raise Usage("--windows prints a table of text; --json has the same windows, in the lines of `window`")
    if windows and not asked.windowed:
        raise Usage(f"--windows: {asked.engine.name} searches without windows. Try: --engine alphabeta")
    if as_json and pseudocode:
        raise Usage("--pseudocode prints lines of text: leave out --json")
    code = _code(asked, pseudocode)
    if as_json:
        return _print(asked)
    theme = drawing.theme()
    if windows or pseudocode or not theme.interactive:
        return _print_lines(asked, MOST_WINDOWS * windows, code if pseudocode else None)
    return _step(asked, theme, code)


def _code(asked: "Followed", wanted: bool) -> "Pseudocode | None":
    """The pseudocode of the engine. Raises Usage if it is wanted and there is none."""
    from gameplay.tracing.pseudocode import PLAIN, SPECS, pseudocode

    code = pseudocode(asked.engine)
    if code is None and wanted:
        names = ", ".join(SPECS.get(name, name) for name in PLAIN)
        raise Usage(f"--pseudocode: {asked.engine} has none; these have: {names}")
    return code


def _print_lines(asked: "Followed", rows: int = 0, code: "Pseudocode | None" = None) -> int:
    """Print the search in lines. rows: print at most so many rows of the table of windows, if any."""
    import sys

    from gameplay.cli.common.width import columns
    from gameplay.display.folding import below, folded
    from gameplay.display.reports import windows
    from gameplay.display.reports.trace import TraceLines, leaves, numbered, result
    from gameplay.tracing.leaves import LeafCount
    from gameplay.tracing.pseudocode import CodePointer
    from gameplay.tracing.windows import WindowTable

    listing = ["", *numbered(code)] if code is not None else []
    width = columns(ANY)
    head = [tracing.title(asked), *tracing.legend(asked), *listing, ""]

    def write(text: str) -> None:
        for line in head:  # not before the search has begun: it may refuse
            click.echo(below(line, width))
        head.clear()
        number = "" if lines.code is None else str(lines.code + 1)
        margin = "" if code is None else f"{number:>2}  "
        for line in below(text.rstrip("\n"), width - len(margin)).split("\n"):
            sys.stdout.write(f"{margin}{line}\n")
            margin = " " * len(margin)

    unit = asked.match.position.unit
    lines = TraceLines(write, unit, None if code is None else CodePointer(code))
    table, count = WindowTable(rows), LeafCount()

    def show(step: "TraceStep") -> None:
        lines(step)
        count(step)
        if rows:
            table(step)

    report = asked.run(show)
    lines.close()
    count.close()
    for line in folded(leaves(count), width):
        click.echo(line)
    click.echo(below(result(asked.match, report), width))
    for line in folded(windows.lines(table, unit), width) if rows else ():
        click.echo(line)
    return _ended(report)


def _step(asked: "Followed", theme: "Theme", code: "Pseudocode | None" = None) -> int:
    """The search on the whole terminal, to be stepped through."""
    from gameplay.display.reports.trace import place
    from gameplay.display.terminal.screen import Screen
    from gameplay.display.terminal.stepping import MOST, Enough, Stepping, TraceRows

    position = asked.match.position
    rows = TraceRows(position.unit, code)
    title = f"{asked.game}: {asked.engine}, {asked.limit}"
    try:
        asked.run(rows)
        rows.close()
    except Enough:
        title += f" (the first {MOST:,} lines)"
    if asked.report is not None and asked.report.stopped == "interrupted" and not rows.kept:
        raise KeyboardInterrupt
    # what may be long comes last, where it is cut
    title += f"; {tracing.legend(asked)[-1].partition(';')[0]}{place(asked.match)}"
    graph = asked.engine.name == "astar"  # which jumps between paths
    Stepping(Screen(theme), title, rows.kept, asked.match.replica(), graph, code).run()
    return 0


def _print(asked: "Followed") -> int:
    import sys

    import msgspec

    from gameplay.tracing.documents import begin, document, end

    encode = msgspec.json.Encoder().encode
    most = 1 if sys.stdout.isatty() else AT_ONCE
    lines: list[bytes] = []

    def write() -> None:
        sys.stdout.write(b"".join(lines).decode())
        lines.clear()

    def line(fields: dict[str, Any]) -> None:
        lines.append(encode(fields) + b"\n")
        if len(lines) >= most:
            write()

    def show(step: "TraceStep") -> None:
        line(document(step))

    line(begin(asked.match, asked.game, asked.engine, asked.limit))
    try:
        report = asked.run(show)
        line(end(asked.match, report))
    except Usage:  # the search refuses: nothing was searched
        lines.clear()
        raise
    finally:
        write()
    return _ended(report)


def _ended(report: "Report") -> int:
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    return 0
