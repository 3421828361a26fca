"""The end of a run: a table of two players' results, or of everybody's, and what is proven."""

import textwrap
from typing import TYPE_CHECKING

from gameplay.display import table
from gameplay.display.theme import decide

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.runs.outcome import Outcome

WIDEST = 8  # players that are shown against each other


def show(outcome: "Outcome") -> None:
    """Print it on standard output."""
    theme = decide()
    console = theme.console
    total = outcome.schedule.total
    of = f"{outcome.games:,} games" if total is None else f"{outcome.games:,} of {total:,} games"
    game = outcome.schedule.game
    name = game.name if "/" in game.spec else game.spec
    form = "" if outcome.plan.form == "match" else f", {outcome.plan.form}"
    title = f"{outcome.run.id}: {name}{form}, {of}, seed {outcome.plan.seed}"
    if outcome.tally is not None:
        engines = [
            spec if spec == name else f"{name} = {spec}"
            for name, spec in zip(outcome.names, outcome.schedule.specs, strict=True)
        ]
        table.show(theme, title, engines, outcome.sides, outcome.tally, outcome.seconds, outcome.jobs)
    else:
        _standings(theme, title, outcome)
    if outcome.verdict is not None:
        console.print(f"\nSPRT     {outcome.verdict}", soft_wrap=True)
    for warning in outcome.warnings:
        line = f"warning: {warning}"
        if console.is_terminal:
            line = textwrap.fill(line, console.width, subsequent_indent=" " * 9)
        console.print("\n" + line, soft_wrap=True)


def _standings(theme: "Theme", title: str, outcome: "Outcome") -> None:
    from rich.table import Table

    console = theme.console
    console.print(title, style="bold", soft_wrap=True)
    console.print()
    cross = len(outcome.lines) <= WIDEST
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    shown.add_column("", justify="right")
    shown.add_column("player")
    scored = outcome.plan.form in ("knockout", "swiss")
    for word in [*(["score"] if scored else []), "points", "games", "Elo"]:
        shown.add_column(word, justify="right")
    if cross:
        for place in range(1, len(outcome.lines) + 1):
            shown.add_column(f"against {place}" if place == 1 else str(place), justify="right")
    order = [line.player for line in outcome.lines]
    for place, line in enumerate(outcome.lines, 1):
        name = outcome.names[line.player]
        mine = [outcome.met.get((line.player, other), (0.0, 0.0)) for other in order]
        points, games = sum(one[0] for one in mine), sum(one[1] for one in mine)
        rated = outcome.table[name] if outcome.table is not None else None
        cells = [str(place), name, *([f"{line.score:g}"] if scored else [])]
        cells += [f"{points:g}", f"{games:g}", str(rated) if rated is not None else ""]
        if cross:
            cells += [f"{won:g}/{count:g}" if count else "" for won, count in mine]
        shown.add_row(*cells)
    console.print(shown)
    console.print()
    if outcome.unrated:
        console.print(f"Elo      none: {outcome.unrated}", soft_wrap=True)
    else:
        console.print("Elo      of all together, 0 on average, with its 95 % error", soft_wrap=True)
    if cross:
        console.print("against  points of the player in the row, of the games with the one in the column")
    workers = "1 worker" if outcome.jobs == 1 else f"{outcome.jobs} workers"
    console.print(f"\n{outcome.seconds:.1f} s with {workers}")
