"""A run on the terminal: verdict, cross table, ratings, test and faults."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gameplay.display.pages.run import (
    counted_noun,
    cross_table_heading,
    format_counts,
    format_gain,
    format_seconds,
)
from gameplay.display.reports import table
from gameplay.errors import truncate
from gameplay.runs.faults import ENDS, MACHINE, format_fault_counts
from gameplay.runs.summary import Summary
from gameplay.statistics.joint import Ratings
from gameplay.statistics.rating import Rating
from gameplay.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from gameplay.display.theme import Theme

MAX_FAULTS = 10  # faults and claims listed, the latest
MIN_NAME_WIDTH = 16  # characters of a truncated name


def show(theme: "Theme", summary: Summary) -> None:
    """Print a summary on standard output."""
    console = theme.console

    def print_line(text: str, style: str = "") -> None:
        table.print_line(console, text, 4, style)

    print_line(summary.title, "bold")
    print_line(summary.verdict)
    for guard in summary.warnings:
        print_line(f"Beware: {guard}.")
    if not summary.counted:
        return
    if len(summary.players) > 2:
        console.print()
        print_line(cross_table_heading(summary))
        print_cross_table(console, summary, summary.order)
    console.print()
    print_line("By the seat")
    rows = []
    for name in summary.order:
        seats = [summary.seat_results(name, seat) for seat in range(len(summary.sides))]
        rows.append([f"  {name}", *map(format_counts, seats)])
    table.print_table(console, [f"as {side}" for side in summary.sides], rows)
    console.print()
    _ratings(summary, console, print_line)
    if summary.sprt_verdict is not None:
        print_line(f"SPRT: {summary.sprt_verdict}")
    _work(summary, console)
    if summary.faults:
        console.print()
        print_line(f"Faults: {format_fault_counts(summary.fault_counts)}", "bold")
        for game in summary.faults[-MAX_FAULTS:]:
            who = game.offender or MACHINE
            which = f"{summary.group} {game.pair + 1}, game {game.leg + 1}"
            print_line(f"  {which}: {who}, {ENDS.get(game.termination, game.termination)}: {game.fault}")
    else:
        print_line("Faults: none")
    if summary.claims:
        print_line(f"Claims against the rules: {len(summary.claims)}", "bold")
        for game in summary.claims[-MAX_FAULTS:]:
            print_line(f"  {summary.group} {game.pair + 1}, game {game.leg + 1}: {game.claim}")


def print_cross_table(console: "Console", summary: Summary, order: Sequence[str]) -> None:
    """Print the cross table: points and games of each player against each other, in the given order.

    On a narrow terminal names are truncated and the table is split into stacked parts; figures are kept.
    """
    rows = []
    for player in order:
        results = [summary.tally(player, other).games for other in order]
        together = [sum(column) for column in zip(*results, strict=True)]
        rows.append([format_points(counts) for counts in [*results, together]])
    heads = [*map(str, range(1, len(order) + 1)), "together"]
    figures = sum(max(map(len, column)) + 2 for column in zip(heads, *rows, strict=True))
    room = max(MIN_NAME_WIDTH, console.width - figures) if console.is_terminal else 0
    names = [one_line(f"  {number}. {player}") for number, player in enumerate(order, 1)]
    names = [truncate(name, room) if room else name for name in names]
    table.print_table(console, heads, [[name, *row] for name, row in zip(names, rows, strict=True)])


def format_points(results: Sequence[int]) -> str:
    """Format (losses, draws, wins) as points of games: `58.5/100`."""
    lost, drawn, won = results
    games = lost + drawn + won
    return f"{won + drawn / 2:g}/{games}" if games else ""


def _ratings(summary: Summary, console: "Console", print_line: Callable[[str], None]) -> None:
    ratings, rating = summary.table, summary.rating
    if summary.refusal is not None:
        print_line("Elo: none, for the reason above")
    elif isinstance(rating, Rating):
        print_line(
            f"Elo: {rating.sentence(*summary.players)}; {rating.basis(sum(summary.match_tally.pairs))}"
        )
    elif isinstance(ratings, Ratings):
        print_line(
            f"Elo with 95 % intervals{f' ({ratings.spread})' if ratings.spread else ''}; {ratings.scale}"
        )
        rows = [[f"  {s.name}", str(s), f"{s.points:g}", str(s.games)] for s in ratings.standings]
        table.print_table(console, ["Elo", "points", counted_noun(summary)], rows)
    else:
        print_line(f"Elo: none, {ratings if len(summary.players) > 2 else rating}")
    if summary.points:
        print_line(f"{summary.points.capitalize()} a game, with the 95 % interval by {summary.group}s")
        table.print_table(
            console,
            [f"{summary.points} a game"],
            [[f"  {name}", format_gain(summary, name)] for name in summary.order],
        )


def _work(summary: Summary, console: "Console") -> None:
    rows = []
    for name, work in summary.work.items():
        if work.moves:
            nps = f"{work.nps:,.0f}" if work.nps else ""
            usual = format_seconds(work.median_time) if work.move_times else ""
            rows.append([f"  {name}", f"{work.moves:,}", f"{work.nodes / work.moves:,.0f}", nps, usual])
    if rows:
        console.print()
        table.print_table(console, ["moves", "nodes a move", "nodes a second", "usual move"], rows)
