"""The result of a series as a table."""

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gameplay.runs.faults import listed
from gameplay.runs.played import Work
from gameplay.runs.summary import Summary
from gameplay.statistics.mean import Mean
from gameplay.statistics.rating import Rating

if TYPE_CHECKING:
    from gameplay.display.theme import Theme


def show(
    theme: "Theme",
    title: str,
    engines: Sequence[str],
    sides: Sequence[str],
    summary: Summary,
    rating: Rating | str,
    seconds: float,
    jobs: int,
) -> None:
    """Print what a match of two came to, from the first engine's view, on standard output.

    `engines` and `sides` are what the two engines and the two seats are called; `rating` is that of the
    first, or why there is none; `seconds` of wall time.
    """
    from rich.table import Table

    console = theme.console
    console.print(title, style="bold", soft_wrap=True)
    for number, engine in zip(("first ", "second"), engines, strict=True):
        console.print(f"  {number}  {engine}", soft_wrap=True)
    if not summary.counted:
        console.print("\nNo game is finished.")
        return

    console.print("\nThe first engine's results")
    results = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    results.add_column("")
    for word in ("wins", "draws", "losses", "score"):
        results.add_column(word, justify="right")
    for seat, name in enumerate(sides):
        results.add_row(f"  as {name}", *_counts(summary.by_seat(summary.players[0], seat)))
    results.add_row("  together", *_counts(summary.duel.games))
    console.print(results)

    console.print()
    for name, fact in _facts(summary, rating):
        line = f"{name:<9}{fact}"
        if console.is_terminal:
            line = textwrap.fill(line, console.width, subsequent_indent=" " * 9)
        console.print(line, soft_wrap=True)

    console.print()
    work = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    work.add_column("")
    for word in ("first", "second"):
        work.add_column(word, justify="right")
    for name, written in _WORK:
        work.add_row(f"  {name}", *[written(spent) for spent in summary.work.values()])
    console.print(work)
    workers = "1 worker" if jobs == 1 else f"{jobs} workers"
    console.print(f"\n{seconds:.1f} s with {workers}")


_WORK: tuple[tuple[str, Callable[[Work], str]], ...] = (
    ("moves", lambda spent: f"{spent.moves:,}"),
    ("nodes", lambda spent: f"{spent.nodes:,}"),
    ("nodes a move", lambda spent: f"{spent.nodes / spent.moves:,.0f}" if spent.moves else ""),
    ("nodes a second", lambda spent: f"{spent.nps:,.0f}" if spent.nps else ""),
    ("seconds", lambda spent: f"{spent.seconds:.1f}"),
)


def _counts(counts: Sequence[int]) -> list[str]:
    losses, draws, wins = counts
    games = sum(counts)
    score = f"{100 * (wins + draws / 2) / games:.1f} %" if games else ""
    return [str(wins), str(draws), str(losses), score]


def _facts(summary: Summary, rating: Rating | str) -> list[tuple[str, str]]:
    facts = []
    if isinstance(rating, str):
        facts.append(("Elo", f"none: {rating}"))
    else:
        pairs = sum(summary.duel.pairs)
        noun = "pair" if pairs == 1 else "pairs"
        facts.append(("Elo", f"{rating}  (95 % interval, from {pairs} {noun})"))
        if rating.normalized:
            facts.append(("nElo", f"{rating.normalized}  (normalized: by the spread of the results)"))
        facts.append(("LOS", f"{100 * rating.los:.1f} %  (likelihood of superiority of the first)"))
    gains = summary.gains(summary.players[0])
    if isinstance(gains, Mean):
        facts.append((summary.points, f"{gains}  (95 % interval; above 0: {100 * gains.los:.1f} % sure)"))
    spared = summary.spared(summary.players[0])
    if spared is not None and summary.dice:
        facts.append(
            ("luck", f"shared within {summary.group}s: {-100 * spared:+.0f} % variance of that mean")
        )
    by_points = zip(("0", "0.5", "1", "1.5", "2"), summary.duel.pairs, strict=True)
    counts = "  ".join(f"{points}: {count}" for points, count in by_points)
    facts.append(("pairs", f"{counts}  (pentanomial: pairs by the points of the first)"))
    facts.append(("length", f"{summary.length:.1f} plies on average"))
    repeats = "no game repeats another" if not summary.repeats else f"{summary.repeats} games repeat another"
    facts.append(("repeats", repeats))
    facts.append(("faults", listed(summary.fault_counts)))
    return facts
