"""The result of a series as a table."""

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gameplay.runs.tally import Effort, Tally
from gameplay.statistics.rating import NoRating

if TYPE_CHECKING:
    from gameplay.display.theme import Theme


def show(
    theme: "Theme",
    title: str,
    engines: Sequence[str],
    sides: Sequence[str],
    tally: Tally,
    seconds: float,
    jobs: int,
) -> None:
    """Print a tally, from the first engine's view, on standard output.

    `engines` and `sides` are what the two engines and the two seats are called; `seconds` of wall time.
    """
    from rich.table import Table

    console = theme.console
    console.print(title, style="bold", soft_wrap=True)
    for number, engine in zip(("first ", "second"), engines, strict=True):
        console.print(f"  {number}  {engine}", soft_wrap=True)
    if not tally.games:
        console.print("\nNo game is finished.")
        return

    console.print("\nThe first engine's results")
    results = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    results.add_column("")
    for word in ("wins", "draws", "losses", "score"):
        results.add_column(word, justify="right")
    for name, counts in ((f"as {sides[0]}", tally.results[0]), (f"as {sides[1]}", tally.results[1])):
        results.add_row(f"  {name}", *_counts(counts))
    results.add_row("  together", *_counts(tally.together))
    console.print(results)

    console.print()
    for name, words in _facts(tally):
        line = f"{name:<9}{words}"
        if console.is_terminal:
            line = textwrap.fill(line, console.width, subsequent_indent=" " * 9)
        console.print(line, soft_wrap=True)

    console.print()
    work = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    work.add_column("")
    for word in ("first", "second"):
        work.add_column(word, justify="right")
    for name, told in _WORK:
        work.add_row(f"  {name}", *[told(effort) for effort in tally.efforts])
    console.print(work)
    workers = "1 worker" if jobs == 1 else f"{jobs} workers"
    console.print(f"\n{seconds:.1f} s with {workers}")


_WORK: tuple[tuple[str, Callable[[Effort], str]], ...] = (
    ("moves", lambda effort: f"{effort.moves:,}"),
    ("nodes", lambda effort: f"{effort.nodes:,}"),
    ("nodes a move", lambda effort: f"{effort.nodes / effort.moves:,.0f}" if effort.moves else ""),
    ("nodes a second", lambda effort: f"{effort.nps:,.0f}" if effort.nps else ""),
    ("seconds", lambda effort: f"{effort.seconds:.1f}"),
)


def _counts(counts: Sequence[int]) -> list[str]:
    losses, draws, wins = counts
    games = sum(counts)
    score = f"{100 * (wins + draws / 2) / games:.1f} %" if games else ""
    return [str(wins), str(draws), str(losses), score]


def _facts(tally: Tally) -> list[tuple[str, str]]:
    facts = []
    try:
        rating = tally.rating()
        pairs = sum(tally.pairs)
        noun = "pair" if pairs == 1 else "pairs"
        facts.append(("Elo", f"{rating}  (95 % interval, from {pairs} {noun})"))
        facts.append(("LOS", f"{100 * rating.los:.1f} %  (how sure it is that the first is the stronger)"))
    except NoRating as reason:
        facts.append(("Elo", f"none: {reason}"))
    by_points = zip(("0", "0.5", "1", "1.5", "2"), tally.pairs, strict=True)
    counts = "  ".join(f"{points}: {count}" for points, count in by_points)
    facts.append(("pairs", f"{counts}  (by the points they brought)"))
    facts.append(("length", f"{tally.length:.1f} plies on average"))
    repeats = "no game repeats another" if not tally.repeats else f"{tally.repeats} games repeat another"
    facts.append(("repeats", repeats))
    return facts
