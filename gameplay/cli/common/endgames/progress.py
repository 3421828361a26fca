"""`gameplay puzzles endgames --list`: positions solved and tried, by ending and level."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from gameplay import catalogue, registry
from gameplay.cli.common.width import columns, say
from gameplay.plural import plural
from gameplay.training import endgame_progress, endgames
from gameplay.training.endgame_progress import GameProgress
from gameplay.training.endgames import LEVELS

if TYPE_CHECKING:
    from gameplay.capabilities import Endgames


def show_progress(spec: str, as_json: bool, today: date) -> None:
    """List the endings of a game ("": of all games) with positions solved and tried by level."""
    names = [registry.game(spec).name] if spec else list(catalogue.endgames())
    progress = endgame_progress.load()
    games = [(name, endgames.offered(registry.game(name)), progress.of(name)) for name in names]
    if as_json:
        import json

        document = {"file": str(endgame_progress.path()), "today": today.isoformat()}
        rows = [_document(name, offered, own, today) for name, offered, own in games]
        click.echo(json.dumps(document | {"games": rows}))
        return
    _print_table(games)
    for name, _, own in games:
        if own.endings:
            due = len(own.due(today))
            repeat = f"{plural(due, 'missed position')} due" if due else "nothing due"
            say(f"{name}: next level {own.level()}, streak {own.streak}, longest {own.best}, {repeat}")
    say(f"train: gameplay puzzles endgames {names[0]} --ending {games[0][1].endings[0].name}")


def _print_table(games: "Sequence[tuple[str, Endgames, GameProgress]]") -> None:
    """A row an ending: solved/tried by level and, where there is room, its words."""
    rows = [("", "ending", *(f"level {level}" for level in LEVELS), "")]
    for name, offered, own in games:
        for ending in offered.endings:
            levels = own.endings.get(ending.name, {})
            cells = [
                f"{levels[level].solved}/{levels[level].tried}" if level in levels else "-"
                for level in LEVELS
            ]
            rows.append((name, ending.name, *cells, ending.words))
            name = ""
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    room = columns(200)
    narrow = sum(wide) + 2 * len(wide) > room
    for row in rows:
        shown = row[:-1] if narrow else row
        parts = [
            f"{cell:>{width}}" if 2 <= column < 2 + len(LEVELS) else f"{cell:<{width}}"
            for column, (cell, width) in enumerate(zip(shown, wide, strict=False))
        ]
        click.echo("  ".join(parts).rstrip())


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
