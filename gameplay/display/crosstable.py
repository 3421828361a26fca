"""A run on the terminal: the verdict, who met whom, ratings, the test, what went wrong."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.display.page import against, counts, gained, met, seconds
from gameplay.display.review import parted
from gameplay.runs.faults import MACHINE, listed
from gameplay.runs.summary import Summary
from gameplay.statistics.joint import Ratings
from gameplay.statistics.rating import Rating
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

FAULTS = 10  # that are shown
SHORTEST = 16  # letters of a name that is cut


def show(theme: "Theme", summary: Summary) -> None:
    """Print a summary on standard output."""
    console = theme.console

    def say(text: str, style: str = "") -> None:
        text = one_line(text)
        if console.is_terminal:
            text = textwrap.fill(text, console.width, subsequent_indent="    ")
        console.print(text, style=style, soft_wrap=True)

    say(summary.title, "bold")
    say(summary.verdict)
    for guard in summary.warnings:
        say(f"Beware: {guard}.")
    if not summary.counted:
        return
    if len(summary.players) > 2:
        console.print()
        say(against(summary))
        console.print(cross(summary, summary.order, console.width))
    console.print()
    say("By the seat")
    rows = []
    for name in summary.order:
        seats = [summary.by_seat(name, seat) for seat in range(len(summary.sides))]
        rows.append([f"  {name}", *map(counts, seats)])
    _put(console, [f"as {side}" for side in summary.sides], rows)
    console.print()
    _ratings(summary, console, say)
    if summary.test is not None:
        say(f"SPRT: {summary.test}")
    _work(summary, console)
    if summary.faults:
        console.print()
        say(f"Faults: {listed(summary.fault_counts)}", "bold")
        for game in summary.faults[-FAULTS:]:
            who = game.offender or MACHINE
            which = f"{summary.group} {game.pair + 1}, game {game.leg + 1}"
            say(f"  {which}: {who}, {game.termination}: {game.fault}")
    else:
        say("Faults: none")
    if summary.claims:
        say(f"Claims against the rules: {len(summary.claims)}", "bold")
        for game in summary.claims[-FAULTS:]:
            say(f"  {summary.group} {game.pair + 1}, game {game.leg + 1}: {game.claim}")


def cross(summary: Summary, order: Sequence[str], width: int) -> Any:
    """The cross table: the points that everybody took from everybody, of so many games, in that order.

    Names are cut where the table would be wider than `width`, figures never.
    """
    rows = []
    for one in order:
        found = [summary.tally(one, other).games for other in order]
        together = [sum(column) for column in zip(*found, strict=True)]
        rows.append([points(counts) for counts in [*found, together]])
    heads = [*map(str, range(1, len(order) + 1)), "together"]
    figures = sum(max(map(len, column)) + 2 for column in zip(heads, *rows, strict=True))
    table = _table("", *heads)
    table.columns[0].max_width = max(SHORTEST, width - figures - 2)
    table.columns[0].no_wrap = True
    table.columns[0].overflow = "ellipsis"
    for number, (one, row) in enumerate(zip(order, rows, strict=True), 1):
        table.add_row(one_line(f"  {number}. {one}"), *row)
    return table


def points(found: Sequence[int]) -> str:
    """Losses, draws and wins as `58.5/100`."""
    lost, drawn, won = found
    games = lost + drawn + won
    return f"{won + drawn / 2:g}/{games}" if games else ""


def _table(*heads: str) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", no_wrap=bool(number))
    return table


def _ratings(summary: Summary, console: Any, say: Any) -> None:
    found, rating = summary.table, summary.rating
    if summary.refused is not None:
        say("Elo: none, for the reason above")
    elif isinstance(rating, Rating):
        say(f"Elo: {rating.sentence(*summary.players)}, 95 % interval")
    elif isinstance(found, Ratings):
        say(f"Elo with 95 % intervals; {found.scale}")
        rows = [[f"  {s.name}", str(s), f"{s.points:g}", str(s.games)] for s in found.standings]
        _put(console, ["Elo", "points", met(summary)], rows)
    else:
        say(f"Elo: none, {found if len(summary.players) > 2 else rating}")
    if summary.points:
        say(f"{summary.points.capitalize()} a game, with the 95 % interval by {summary.group}s")
        _put(
            console,
            [f"{summary.points} a game"],
            [[f"  {name}", gained(summary, name)] for name in summary.order],
        )


def _work(summary: Summary, console: Any) -> None:
    rows = []
    for name, work in summary.work.items():
        if work.moves:
            nps = f"{work.nps:,.0f}" if work.nps else ""
            usual = seconds(work.usual) if work.takes else ""
            rows.append([f"  {name}", f"{work.moves:,}", f"{work.nodes / work.moves:,.0f}", nps, usual])
    if rows:
        console.print()
        _put(console, ["moves", "nodes a move", "nodes a second", "usual move"], rows)


def _put(console: Any, heads: list[str], rows: list[list[str]]) -> None:
    """Print a table whose rows have names; on a narrow terminal in parts below one another."""
    head = True
    for line in parted(rows, ["", *heads], console.width if console.is_terminal else 0):
        console.print(line, style="bold" if head else "", soft_wrap=True)
        head = not line
