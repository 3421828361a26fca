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
    for name, game_progress in games.items():
        cells = [
            _format_tally(levels.get(level) for levels in game_progress.endings.values()) for level in LEVELS
        ]
        rows.append((name, *cells, str(game_progress.streak), str(len(game_progress.due(today)))))
    _print_table(rows)
    example = next(iter(games))
    echo_wrapped(f"figures: solved/tried; endings of a game: gameplay puzzles endgames {example} --list")
    click.echo(f"train: gameplay puzzles endgames {example}")


def _list_endings(name: str, offered: "Endgames", progress: GameProgress, today: date) -> None:
    """Print a row for each ending."""
    rows = [("ending", *(f"level {level}" for level in LEVELS), "")]
    for ending in offered.endings:
        levels = progress.endings.get(ending.name, {})
        cells = [_format_tally([levels.get(level)]) if level in ending.levels else "" for level in LEVELS]
        rows.append((ending.name, *cells, ending.words))
    _print_table(rows)
    due = len(progress.due(today))
    repeat = f"{plural(due, 'missed position')} due" if due else "nothing due"
    echo_wrapped(
        f"figures: solved/tried; next level {progress.level()}, streak {progress.streak}, "
        f"longest {progress.best}, {repeat}"
    )
    click.echo(f"train: gameplay puzzles endgames {name} --ending {offered.endings[0].name}")


def _format_tally(tallies: Iterable[EndgameTally | None]) -> str:
    """Format solved and tried positions, as 3/4; - if none was tried."""
    recorded = [tally for tally in tallies if tally is not None]
    tried = sum(tally.tried for tally in recorded)
    return f"{sum(tally.solved for tally in recorded)}/{tried}" if tried else "-"


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print a table with text left and figures right, shortened on narrow terminals."""
    max_width = columns(200)
    if _width(rows) > max_width:
        rows = [[cell.replace("level ", "L") for cell in row] for row in rows]
    if _width(rows) > max_width:
        rows = [row[:-1] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:<{width}}"
            if number in (0, len(LEVELS) + 1) and not cell.isdecimal()
            else f"{cell:>{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())


def _width(rows: Sequence[Sequence[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in zip(*rows, strict=True)) - 2


def _document(name: str, offered: "Endgames", progress: GameProgress, today: date) -> dict[str, Any]:
    return {
        "game": name,
        "level": progress.level(),
        "streak": progress.streak,
        "longest": progress.best,
        "due": len(progress.due(today)),
        "endings": [
            {
                "ending": ending.name,
                "words": ending.words,
                "levels": {
                    str(level): {"solved": tally.solved, "tried": tally.tried}
                    for level, tally in sorted(progress.endings.get(ending.name, {}).items())
                },
            }
            for ending in offered.endings
        ],
    }
