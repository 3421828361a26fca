"""`gameplay trace`: a search step by step. The lines of `--json`: docs/how-to/trace-json.md."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common import tracing
from gameplay.cli.common.options import Drawing, drawing_options
from gameplay.cli.common.tracing import search_options
from gameplay.errors import Usage

MAX_WINDOWS = 5_000  # rows of the table of windows
PIPE_WIDTH = 1_000_000  # columns without a terminal: lines are not wrapped
BATCH = 500  # lines written at once to a file or pipe

if TYPE_CHECKING:
    from gameplay.api.tracing import TracedSearch
    from gameplay.display.theme import Theme
    from gameplay.search.report import Report
    from gameplay.tracing.pseudocode import Pseudocode
    from gameplay.tracing.trace import TraceStep


@click.command(short_help="Explain a search step by step, with the reason for each cutoff")
@search_options
@drawing_options("Print lines of text at a terminal too.")
@click.option("--windows", is_flag=True, help="Print lines of text, and a table of the windows of all nodes.")
@click.option(
    "--pseudocode",
    is_flag=True,
    help="Print lines of text, each with the line of pseudocode that it executes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line, one for each step.")
def command(traced: "TracedSearch", drawing: Drawing, windows: bool, pseudocode: bool, as_json: bool) -> int:
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
        raise Usage(
            "--windows prints a table of text, and --json has the same windows in its steps; "
            "expected one of them. Try: leave --windows out"
        )
    if windows and not traced.windowed:
        raise Usage(
            f"--windows requires a search with windows; {traced.engine.name} has none. "
            "Try: --engine alphabeta"
        )
    if as_json and pseudocode:
        raise Usage(
            "--pseudocode prints lines of text, and --json prints objects; expected one of them. "
            "Try: leave --pseudocode out"
        )
    code = _find_pseudocode(traced, pseudocode)
    if as_json:
        return _print_json(traced)
    theme = drawing.theme()
    if windows or pseudocode or not theme.interactive:
        return _print_lines(traced, MAX_WINDOWS * windows, code if pseudocode else None)
    return _step_through(traced, theme, code)


def _find_pseudocode(traced: "TracedSearch", enabled: bool) -> "Pseudocode | None":
    """The pseudocode of the engine. Raises Usage if it is wanted and there is none."""
    from gameplay.tracing.pseudocode import PLAIN, SPECS, pseudocode

    code = pseudocode(traced.engine)
    if code is None and enabled:
        names = ", ".join(SPECS.get(name, name) for name in PLAIN)
        raise Usage(f"--pseudocode: {traced.engine} has no pseudocode; expected one of: {names}")
    return code


def _print_lines(traced: "TracedSearch", rows: int = 0, code: "Pseudocode | None" = None) -> int:
    """Print the search in lines. rows: limit of the table of windows; 0: no table."""
    import sys

    from gameplay.cli.common.width import columns
    from gameplay.display.folding import fit_lines, wrap_indented
    from gameplay.display.reports import windows
    from gameplay.display.reports.trace import TraceLines, leaf_lines, numbered_pseudocode, result
    from gameplay.tracing.leaves import LeafCount
    from gameplay.tracing.pseudocode import CodePointer
    from gameplay.tracing.windows import WindowTable

    listing = ["", *numbered_pseudocode(code)] if code is not None else []
    width = columns(PIPE_WIDTH)
    head = [tracing.title(traced), *tracing.legend(traced), *listing, ""]

    def write(text: str) -> None:
        for line in head:  # once the search has begun: it may raise Usage instead
            click.echo(wrap_indented(line, width))
        head.clear()
        number = "" if lines.code is None else str(lines.code + 1)
        margin = "" if code is None else f"{number:>2}  "
        for line in wrap_indented(text.rstrip("\n"), width - len(margin)).split("\n"):
            sys.stdout.write(f"{margin}{line}\n")
            margin = " " * len(margin)

    unit = traced.match.position.unit
    lines = TraceLines(write, unit, None if code is None else CodePointer(code))
    table, count = WindowTable(rows), LeafCount()

    def show(step: "TraceStep") -> None:
        lines(step)
        count(step)
        if rows:
            table(step)

    report = traced.run(show)
    lines.close()
    count.close()
    for line in fit_lines(leaf_lines(count), width):
        click.echo(line)
    click.echo(wrap_indented(result(traced.match, report), width))
    for line in fit_lines(windows.lines(table, unit), width) if rows else ():
        click.echo(line)
    return _exit_status(report)


def _step_through(traced: "TracedSearch", theme: "Theme", code: "Pseudocode | None" = None) -> int:
    """Show the search on the whole terminal, to step through."""
    from gameplay.display.reports.trace import format_start
    from gameplay.display.terminal.screen import Screen
    from gameplay.display.terminal.stepping import MAX_LINES, TooManyLines, TraceRows, TraceStepper

    position = traced.match.position
    rows = TraceRows(position.unit, code)
    title = f"{traced.game}: {traced.engine}, {traced.limit}"
    try:
        traced.run(rows)
        rows.close()
    except TooManyLines:
        title += f" (the first {MAX_LINES:,} lines)"
    if traced.report is not None and traced.report.stopped == "interrupted" and not rows.rows:
        raise KeyboardInterrupt
    # what may be long comes last, where it is cut
    title += f"; {tracing.legend(traced)[-1].partition(';')[0]}{format_start(traced.match)}"
    graph = traced.engine.name == "astar"  # which jumps between paths
    screen = Screen(theme)
    screen.accepts_commands = False
    TraceStepper(screen, title, rows.rows, traced.match.replica(), graph, code).run()
    return 0


def _print_json(traced: "TracedSearch") -> int:
    import sys

    import msgspec

    from gameplay.tracing.documents import begin, document, end

    encode = msgspec.json.Encoder().encode
    batch_size = 1 if sys.stdout.isatty() else BATCH
    lines: list[bytes] = []

    def write() -> None:
        sys.stdout.write(b"".join(lines).decode())
        lines.clear()

    def line(fields: dict[str, Any]) -> None:
        lines.append(encode(fields) + b"\n")
        if len(lines) >= batch_size:
            write()

    def show(step: "TraceStep") -> None:
        line(document(step))

    line(begin(traced.match, traced.game, traced.engine, traced.limit))
    try:
        report = traced.run(show)
        line(end(traced.match, report))
    except Usage:  # the search refuses: nothing was searched
        lines.clear()
        raise
    finally:
        write()
    return _exit_status(report)


def _exit_status(report: "Report") -> int:
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    return 0
