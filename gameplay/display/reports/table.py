"""The result of a series as a table."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gameplay.display.folding import wrap_text
from gameplay.display.reports.review import fit_table
from gameplay.plural import plural
from gameplay.runs.faults import format_fault_counts
from gameplay.runs.played import Work
from gameplay.runs.summary import Summary
from gameplay.statistics.mean import Mean
from gameplay.statistics.rating import Rating
from gameplay.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console

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
    """Print the result of a two-player match from the first engine's view.

    engines, sides: names of the two engines and of the two seats. rating: of the first engine, or the reason
    why there is none. seconds: wall time.
    """
    console = theme.console
    print_line(console, title, 4, "bold")
    for number, engine in zip(("first ", "second"), engines, strict=True):
        print_line(console, f"  {number}  {engine}", 10)
    if not summary.counted:
        console.print("\nNo game is finished.")
        return

    console.print("\nThe first engine's results")
    seats = [
        [f"  as {name}", *_counts(summary.seat_results(summary.players[0], seat))]
        for seat, name in enumerate(sides)
    ]
    together = ["  together", *_counts(summary.match_tally.games)]
    print_table(console, ["wins", "draws", "losses", "score"], [*seats, together])

    console.print()
    for name, fact in _facts(summary, rating):
        print_line(console, f"{name:<9}{fact}", 9)

    console.print()
    rows = [
        [f"  {name}", *[written(spent) for spent in summary.work.values()]] for name, written in WORK_ROWS
    ]
    print_table(console, ["first", "second"], rows)
    workers = plural(jobs, "worker")
    console.print(f"\n{seconds:.1f} s with {workers}")


def print_line(console: "Console", line: str, inset: int = 0, style: str = "") -> None:
    """Print a line, wrapped to the width of a terminal with `inset` as hanging indent."""
    line = one_line(line)
    console.print(
        wrap_text(line, console.width, inset) if console.is_terminal else line, style=style, soft_wrap=True
    )


def print_table(console: "Console", heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column names the rows; split into stacked parts on a narrow terminal."""
    head = True
    for line in fit_table(rows, ["", *heads], console.width if console.is_terminal else 0, gap=2):
        console.print(line, style="bold" if head else "", soft_wrap=True)
        head = not line


WORK_ROWS: tuple[tuple[str, Callable[[Work], str]], ...] = (
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
        facts.append(("Elo", f"{rating}  ({rating.basis(sum(summary.match_tally.pairs))})"))
        if rating.normalized:
            facts.append(("nElo", f"{rating.normalized}  (normalized: by the spread of the results)"))
        facts.append(("LOS", f"{100 * rating.los:.1f} %  (likelihood of superiority of the first)"))
    gains = summary.mean_payoff(summary.players[0])
    if isinstance(gains, Mean):
        facts.append((summary.points, f"{gains}  (95 % interval; above 0: {100 * gains.los:.1f} % sure)"))
    spared = summary.variance_reduction(summary.players[0])
    if spared is not None and summary.dice:
        facts.append(
            ("luck", f"shared within {summary.group}s: {-100 * spared:+.0f} % variance of that mean")
        )
    by_points = zip(("0", "0.5", "1", "1.5", "2"), summary.match_tally.pairs, strict=True)
    counts = "  ".join(f"{points}: {count}" for points, count in by_points)
    facts.append(("pairs", f"{counts}  (pentanomial: pairs by the points of the first)"))
    facts.append(("length", f"{summary.length:.1f} plies on average"))
    repeats = "no game repeats another" if not summary.repeats else f"{summary.repeats} games repeat another"
    facts.append(("repeats", repeats))
    facts.append(("faults", format_fault_counts(summary.fault_counts)))
    return facts
