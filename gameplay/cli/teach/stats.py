"""`gameplay stats`: the user's results by game, opponent and opening, and how they changed.

`--json` prints one document

    games            number of games
    by               {"game": {NAME: {...}, ...}, "against": {...}, "opening": {...}}
    recent, before   the last ten games and those before; null with too few games
    quiz             [{"kind", "level", "asked", "right"}, ...]

whose parts are {"games", "won", "drawn", "lost", "score", "reviewed", "accuracy"}, the score from 0 to 1, the
accuracy from 0 to 100, null without a reviewed move.
"""

from itertools import starmap
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import json_option
from gameplay.cli.common.saved_games import note_damaged, note_reviews
from gameplay.cli.common.width import columns, echo_wrapped

if TYPE_CHECKING:
    from gameplay.training.progress import ResultTotals

FIGURES = ["games", "won", "drawn", "lost", "score", "accuracy"]
BY = {"game": "by game", "against": "by opponent", "opening": "by opening"}


@click.command(short_help="Show your results and your progress")
@click.option("--name", metavar="NAME", default="", help="Whose games [those played here].")
@json_option("the figures")
def command(name: str, as_json: bool) -> None:
    """Show your results in the saved games: by game, opponent or level, and opening.

    \b
    gameplay stats
    gameplay stats --name Ann

    It counts finished two-player games with one person. Reviewed games (`gameplay review`) add the accuracy
    of your moves. The last ten games are compared with those before; your answers to `gameplay quiz` follow.
    """
    from gameplay.store import saved
    from gameplay.training import progress, scores

    saved_games, damaged = saved.scan_folder()
    note_damaged(damaged)
    records = [rows.record for rows in reversed(saved_games)]
    damaged_reviews: list[saved.Damaged] = []
    games = progress.games_of(records, name, damaged_reviews.append)
    note_reviews(damaged_reviews)
    tables = {grouping: progress.standings(games, grouping) for grouping in BY}
    halves = progress.compare_recent(games)
    answers = {} if name else scores.totals(scores.load().scored)
    if as_json:
        _print(len(games), tables, halves, answers)
        return
    if not games:
        owner = f"of {name} " if name else ""
        echo_wrapped(f"no finished game {owner}against one opponent is saved in {saved.folder()}")
    sections = [
        (BY[grouping], FIGURES, list(starmap(_row, rows.items())))
        for grouping, rows in tables.items()
        if rows
    ]
    if halves is not None:
        recent, earlier = halves
        sections.append(
            ("progress", FIGURES, [_row(f"the last {recent.games}", recent), _row("before", earlier)])
        )
    if answers:
        rows = [
            [f"{kind}, level {level}", str(asked), f"{100 * right / asked:.0f} %"]
            for (kind, level), (asked, right) in answers.items()
        ]
        sections.append(("quiz", ["asked", "right"], rows))
    width = columns()
    click.echo("\n\n".join("\n".join(_table(*rows, width)) for rows in sections))


def _table(title: str, heads: list[str], rows: list[list[str]], width: int) -> list[str]:
    """Format a table, without an empty last column; if it is too wide, names have lines of their own."""
    from gameplay.display.reports.review import format_table

    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    lines = format_table(rows, [title, *heads], words=(0,))
    if not width or max(map(len, lines)) <= width:
        return lines
    heading, *remaining = format_table([row[1:] for row in rows], heads, width)
    rows_with_names = (
        line for row, line in zip(rows, remaining, strict=True) for line in (row[0][:width], line)
    )
    return [title, heading, *rows_with_names]


def _row(name: str, standing: "ResultTotals") -> list[str]:
    accuracy = standing.figures.accuracy
    return [
        name,
        str(standing.games),
        str(standing.won),
        str(standing.drawn),
        str(standing.lost),
        f"{100 * standing.score:.0f} %",
        f"{accuracy:.1f} %" if accuracy is not None else "",
    ]


def _print(
    count: int,
    tables: dict[str, dict[str, "ResultTotals"]],
    halves: "tuple[ResultTotals, ResultTotals] | None",
    answers: dict[tuple[str, int], tuple[int, int]],
) -> None:
    import json

    recent, earlier = halves if halves is not None else (None, None)
    document = {
        "games": count,
        "by": {
            grouping: {key: _facts(row) for key, row in rows.items()} for grouping, rows in tables.items()
        },
        "recent": _facts(recent) if recent is not None else None,
        "before": _facts(earlier) if earlier is not None else None,
        "quiz": [
            {"kind": kind, "level": level, "asked": asked, "right": right}
            for (kind, level), (asked, right) in answers.items()
        ],
    }
    click.echo(json.dumps(document))


def _facts(standing: "ResultTotals") -> dict[str, Any]:
    return {
        "games": standing.games,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "score": standing.score,
        "reviewed": standing.reviewed,
        "accuracy": standing.figures.accuracy,
    }
