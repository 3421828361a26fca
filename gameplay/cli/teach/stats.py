"""`gameplay stats`: the user's results by game, opponent and opening, and how they changed.

`--json` prints one document

    games            how many were counted
    by               {"game": {NAME: {...}, ...}, "against": {...}, "opening": {...}}
    recent, before   the last ten games and those before; null where there are too few
    quiz             [{"kind", "level", "asked", "right"}, ...]

whose parts are {"games", "won", "drawn", "lost", "score", "reviewed", "accuracy"}, the score from 0 to 1, the
accuracy from 0 to 100, null where no move was reviewed.
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

    kept, damaged = saved.scan_folder()
    note_damaged(damaged)
    records = [one.record for one in reversed(kept)]
    wrong: list[saved.Damaged] = []
    games = progress.games_of(records, name, wrong.append)
    note_reviews(wrong)
    tables = {by: progress.standings(games, by) for by in BY}
    halves = progress.compare_recent(games)
    answers = {} if name else scores.totals(scores.load().scored)
    if as_json:
        _print(len(games), tables, halves, answers)
        return
    if not games:
        whose = f"of {name} " if name else ""
        echo_wrapped(f"no finished game {whose}against one opponent is saved in {saved.folder()}")
    sections = [(BY[by], FIGURES, list(starmap(_row, one.items()))) for by, one in tables.items() if one]
    if halves is not None:
        recent, before = halves
        sections.append(
            ("progress", FIGURES, [_row(f"the last {recent.games}", recent), _row("before", before)])
        )
    if answers:
        rows = [
            [f"{kind}, level {level}", str(asked), f"{100 * right / asked:.0f} %"]
            for (kind, level), (asked, right) in answers.items()
        ]
        sections.append(("quiz", ["asked", "right"], rows))
    width = columns()
    click.echo("\n\n".join("\n".join(_table(*one, width)) for one in sections))


def _table(title: str, heads: list[str], rows: list[list[str]], width: int) -> list[str]:
    """Rows below their heads, without a last column that is empty; where it is too wide names have lines of
    their own."""
    from gameplay.display.reports.review import format_table

    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    lines = format_table(rows, [title, *heads], words=(0,))
    if not width or max(map(len, lines)) <= width:
        return lines
    first, *rest = format_table([row[1:] for row in rows], heads, width)
    named = (line for row, line in zip(rows, rest, strict=True) for line in (row[0][:width], line))
    return [title, first, *named]


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

    recent, before = halves if halves is not None else (None, None)
    document = {
        "games": count,
        "by": {by: {key: _facts(one) for key, one in rows.items()} for by, rows in tables.items()},
        "recent": _facts(recent) if recent is not None else None,
        "before": _facts(before) if before is not None else None,
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
