"""`gameplay puzzles endgames` without a game, or with --list: positions solved and tried, by level."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from gameplay import catalogue, registry
from gameplay.cli.common.width import columns, echo_wrapped
from gameplay.plural import plural
from gameplay.training import endgame_progress, endgames
from gameplay.training.endgame_progress import EndgameTally, GameProgress
from gameplay.training.endgames import LEVELS

if TYPE_CHECKING:
    from gameplay.capabilities import Endgames


def show_progress(spec: str, as_json: bool, today: date) -> None:
    """List the endings of a game, or all games (""), with positions solved and tried by level."""
    progress = endgame_progress.load()
    if as_json:
        import json

        names = [registry.game(spec).name] if spec else list(catalogue.endgames())
        rows = [_document(name, _endgames_of(name), progress.of(name), today) for name in names]
        document = {"file": str(endgame_progress.path()), "today": today.isoformat(), "games": rows}
        click.echo(json.dumps(document))
    elif spec:
        name = registry.game(spec).name
        _list_endings(name, _endgames_of(name), progress.of(name), today)
    else:
        _list_games({name: progress.of(name) for name in catalogue.endgames()}, today)


def _endgames_of(name: str) -> "Endgames":
    return endgames.endgames_of(registry.game(name))


def _list_games(games: dict[str, GameProgress], today: date) -> None:
    """Print a row for each game."""
    rows = [("game", *(f"level {level}" for level in LEVELS), "streak", "due")]
    for name, own in games.items():
        cells = [_format_tally(levels.get(level) for levels in own.endings.values()) for level in LEVELS]
        rows.append((name, *cells, str(own.streak), str(len(own.due(today)))))
    _print_table(rows)
    first = next(iter(games))
    echo_wrapped(f"figures: solved/tried; endings of a game: gameplay puzzles endgames {first} --list")
    echo_wrapped(f"train: gameplay puzzles endgames {first}")


def _list_endings(name: str, offered: "Endgames", own: GameProgress, today: date) -> None:
    """Print a row for each ending."""
    rows = [("ending", *(f"level {level}" for level in LEVELS), "")]
    for ending in offered.endings:
        levels = own.endings.get(ending.name, {})
        cells = [_format_tally([levels.get(level)]) if level in ending.levels else "" for level in LEVELS]
        rows.append((ending.name, *cells, ending.words))
    _print_table(rows)
    due = len(own.due(today))
    repeat = f"{plural(due, 'missed position')} due" if due else "nothing due"
    echo_wrapped(
        f"figures: solved/tried; next level {own.level()}, streak {own.streak}, longest {own.best}, {repeat}"
    )
    echo_wrapped(f"train: gameplay puzzles endgames {name} --ending {offered.endings[0].name}")


def _format_tally(tallies: Iterable[EndgameTally | None]) -> str:
    """Format solved and tried positions, as 3/4; - if none was tried."""
    counted = [tally for tally in tallies if tally is not None]
    tried = sum(tally.tried for tally in counted)
    return f"{sum(tally.solved for tally in counted)}/{tried}" if tried else "-"


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print a table with text left and figures right, shortened on narrow terminals."""
    room = columns(200)
    if _width(rows) > room:
        rows = [[cell.replace("level ", "L") for cell in row] for row in rows]
    if _width(rows) > room:
        rows = [row[:-1] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = [
            f"{cell:<{width}}"
            if number in (0, len(LEVELS) + 1) and not cell.isdecimal()
            else f"{cell:>{width}}"
            for number, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        click.echo("  ".join(parts).rstrip())


def _width(rows: Sequence[Sequence[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in zip(*rows, strict=True)) - 2


def _document(name: str, offered: "Endgames", own: GameProgress, today: date) -> dict[str, Any]:
    return {
        "game": name,
        "level": own.level(),
        "streak": own.streak,
        "longest": own.best,
        "due": len(own.due(today)),
        "endings": [
            {
                "ending": ending.name,
                "words": ending.words,
                "levels": {
                    str(level): {"solved": tally.solved, "tried": tally.tried}
                    for level, tally in sorted(own.endings.get(ending.name, {}).items())
                },
            }
            for ending in offered.endings
        ],
    }
