"""A run on the terminal: verdict, cross table, ratings, test and faults."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gameplay.display.pages.run import against, counts, gained, met, seconds
from gameplay.display.reports import table
from gameplay.runs.faults import ENDS, MACHINE, listed
from gameplay.runs.summary import Summary
from gameplay.statistics.joint import Ratings
from gameplay.statistics.rating import Rating
from gameplay.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from gameplay.display.theme import Theme

FAULTS = 10  # that are shown
SHORTEST = 16  # letters of a name that is cut


def show(theme: "Theme", summary: Summary) -> None:
    """Print a summary on standard output."""
    console = theme.console

    def say(text: str, style: str = "") -> None:
        table.say(console, text, 4, style)

    say(summary.title, "bold")
    say(summary.verdict)
    for guard in summary.warnings:
        say(f"Beware: {guard}.")
    if not summary.counted:
        return
    if len(summary.players) > 2:
        console.print()
        say(against(summary))
        cross(console, summary, summary.order)
    console.print()
    say("By the seat")
    rows = []
    for name in summary.order:
        seats = [summary.by_seat(name, seat) for seat in range(len(summary.sides))]
        rows.append([f"  {name}", *map(counts, seats)])
    table.put(console, [f"as {side}" for side in summary.sides], rows)
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
            say(f"  {which}: {who}, {ENDS.get(game.termination, game.termination)}: {game.fault}")
    else:
        say("Faults: none")
    if summary.claims:
        say(f"Claims against the rules: {len(summary.claims)}", "bold")
        for game in summary.claims[-FAULTS:]:
            say(f"  {summary.group} {game.pair + 1}, game {game.leg + 1}: {game.claim}")


def cross(console: "Console", summary: Summary, order: Sequence[str]) -> None:
    """Print the cross table: the points of each player against each other one, and the games, in that order.

    On a narrow terminal names are cut, and the table stands in parts below one another; figures are not cut.
    """
    rows = []
    for one in order:
        results = [summary.tally(one, other).games for other in order]
        together = [sum(column) for column in zip(*results, strict=True)]
        rows.append([points(counts) for counts in [*results, together]])
    heads = [*map(str, range(1, len(order) + 1)), "together"]
    figures = sum(max(map(len, column)) + 2 for column in zip(heads, *rows, strict=True))
    room = max(SHORTEST, console.width - figures) if console.is_terminal else 0
    names = [one_line(f"  {number}. {one}") for number, one in enumerate(order, 1)]
    names = [name if not room or len(name) <= room else name[: room - 3] + "..." for name in names]
    table.put(console, heads, [[name, *row] for name, row in zip(names, rows, strict=True)])


def points(results: Sequence[int]) -> str:
    """Losses, draws and wins as `58.5/100`."""
    lost, drawn, won = results
    games = lost + drawn + won
    return f"{won + drawn / 2:g}/{games}" if games else ""


def _ratings(summary: Summary, console: "Console", say: Callable[[str], None]) -> None:
    ratings, rating = summary.table, summary.rating
    if summary.refused is not None:
        say("Elo: none, for the reason above")
    elif isinstance(rating, Rating):
        say(f"Elo: {rating.sentence(*summary.players)}; {rating.basis(sum(summary.duel.pairs))}")
    elif isinstance(ratings, Ratings):
        say(f"Elo with 95 % intervals{f' ({ratings.spread})' if ratings.spread else ''}; {ratings.scale}")
        rows = [[f"  {s.name}", str(s), f"{s.points:g}", str(s.games)] for s in ratings.standings]
        table.put(console, ["Elo", "points", met(summary)], rows)
    else:
        say(f"Elo: none, {ratings if len(summary.players) > 2 else rating}")
    if summary.points:
        say(f"{summary.points.capitalize()} a game, with the 95 % interval by {summary.group}s")
        table.put(
            console,
            [f"{summary.points} a game"],
            [[f"  {name}", gained(summary, name)] for name in summary.order],
        )


def _work(summary: Summary, console: "Console") -> None:
    rows = []
    for name, work in summary.work.items():
        if work.moves:
            nps = f"{work.nps:,.0f}" if work.nps else ""
            usual = seconds(work.usual) if work.takes else ""
            rows.append([f"  {name}", f"{work.moves:,}", f"{work.nodes / work.moves:,.0f}", nps, usual])
    if rows:
        console.print()
        table.put(console, ["moves", "nodes a move", "nodes a second", "usual move"], rows)
