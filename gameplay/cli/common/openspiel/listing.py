"""Prints the games of OpenSpiel, or the parameters of one, for `gameplay games openspiel[:NAME]`."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.width import echo_wrapped
from gameplay.errors import truncate
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def show_all() -> None:
    """List all games of OpenSpiel with players and information, or the reason why they are not playable."""
    from gameplay.openspiel.library import HEAD, list_games

    rows = list_games()
    wide = max(len(row.name) for row in rows)
    players = max(len(row.players) for row in rows)
    for row in rows:
        echo_wrapped(f"{row.name:<{wide}}  {row.players:>{players}}  {row.words}", wide + players + 4)
    click.echo()
    count = sum(not row.reason for row in rows)
    explain = command_line("gameplay", "games", f"{HEAD}:kuhn_poker")
    echo_wrapped(
        f"{plural(len(rows), 'game')}, {count} of which can be played as {HEAD}:NAME. Parameters: {explain}"
    )


def show_parameters(position: "AbstractPosition") -> None:
    """Print the title of a game, its parameters and an example."""
    from gameplay.openspiel.game import OpenSpiel
    from gameplay.openspiel.library import EXAMPLES, HEAD, parameters

    assert isinstance(position, OpenSpiel)
    name, game_type = position.loaded.name, position.loaded.game_type
    click.echo()
    echo_wrapped(f"In OpenSpiel: {game_type.long_name}.")
    defaults = parameters(name)
    if not defaults:
        return
    click.echo("\nParameters:")
    wide = max(10, *map(len, defaults))
    for key, value in defaults.items():
        usual = "needed" if value is None else f"default {_format_default(value) or 'none'}"
        echo_wrapped(f"  {key:<{wide}} {usual}", wide + 3)
    key, value = next(iter(defaults.items()))
    given = EXAMPLES.get(name, f"({key}={_format_default(value)})")
    example = command_line("gameplay", "play", f"{HEAD}:{name}{given}")
    click.echo(f"  as in: {example}")


def _format_default(value: Any) -> str:
    return truncate(" ".join(str(value).split()), 60)
