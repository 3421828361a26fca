"""The end of a run: a table of the results of two players, or of all players, and the verdict."""

from typing import TYPE_CHECKING

from gameplay.display.pages import run
from gameplay.display.reports import crosstable, table
from gameplay.display.theme import detect_theme
from gameplay.plural import plural
from gameplay.runs.faults import format_fault_counts

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.runs.summary import RunReport

MAX_CROSS_TABLE = 8  # players up to which the cross table is printed


def show(ending: "RunReport") -> None:
    """Print it on standard output."""
    theme = detect_theme()
    console = theme.console
    games, total = ending.summary.counted, ending.schedule.total
    of = f"{games:,} games" if total is None else f"{games:,} of {total:,} games"
    game = ending.schedule.game
    name = game.name if "/" in game.spec else game.spec
    form = "" if ending.plan.form == "match" else f", {ending.plan.form}"
    title = f"{ending.run.id}: {name}{form}, {of}, {ending.openings_description}, seed {ending.plan.seed}"
    if ending.is_match:
        engines = [
            spec if spec == name else f"{name} = {spec}"
            for name, spec in zip(ending.summary.players, ending.schedule.specs, strict=True)
        ]
        figures = ending.summary, ending.rating, ending.seconds, ending.jobs
        table.show(theme, title, engines, ending.sides, *figures)
    else:
        _standings(theme, title, ending)
    if ending.standing.verdict is not None:
        console.print()
        table.print_line(console, f"SPRT     {ending.standing.verdict}", 9)
    for warning in ending.warnings:
        console.print()
        table.print_line(console, f"warning: {warning}", 9)


def _standings(theme: "Theme", title: str, ending: "RunReport") -> None:
    from rich.table import Table

    console = theme.console
    table.print_line(console, title, 4, "bold")
    console.print()
    summary, ranks = ending.summary, ending.ranks
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    shown.add_column("", justify="right", no_wrap=True)
    shown.add_column("player")
    scored = ending.plan.form in ("knockout", "swiss")
    each = [f"{summary.points} a game"] if summary.points else []
    for word in [*(["score"] if scored else []), "points", run.counted_noun(summary), "Elo", *each]:
        shown.add_column(word, justify="right", no_wrap=True)
    order = [summary.players[rank.player] for rank in ranks]
    for place, (name, rank) in enumerate(zip(order, ranks, strict=True), 1):
        tallies = [summary.tally(name, other) for other in order]
        points, games = sum(met.points for met in tallies), sum(met.total for met in tallies)
        cells = [str(place), name, *([f"{rank.score:g}"] if scored else [])]
        cells += [f"{points:g}", str(games), "" if isinstance(ending.table, str) else str(ending.table[name])]
        shown.add_row(*cells, *([run.format_gain(summary, name)] if each else []))
    console.print(shown)
    console.print()
    if isinstance(ending.table, str):
        table.print_line(console, f"Elo      none: {ending.table}", 9)
    else:
        spread = f" ({ending.table.spread})" if ending.table.spread else ""
        table.print_line(
            console, f"Elo      of all together, with its 95 % interval{spread}; {ending.table.scale}", 9
        )
    if each:
        table.print_line(console, f"{summary.points:<9}of a game on average, with the 95 % interval", 9)
    table.print_line(console, f"faults   {format_fault_counts(summary.fault_counts)}", 9)
    if len(ranks) <= MAX_CROSS_TABLE:
        console.print()
        table.print_line(console, run.cross_table_heading(summary))
        crosstable.print_cross_table(console, summary, order)
    workers = plural(ending.jobs, "worker")
    console.print(f"\n{ending.seconds:.1f} s with {workers}")
