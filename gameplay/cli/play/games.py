"""`gameplay games`: what can be played, and the rules of one game."""

import inspect
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import game_argument
from gameplay.cli.common.saved_games import show_list
from gameplay.cli.common.width import echo_paragraphs, echo_wrapped
from gameplay.errors import GameplayError, Usage
from gameplay.options import format_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gameplay.position import AbstractPosition


@click.command(short_help="List the games, explain one, or list your saved games")
@game_argument(required=False)
@click.option("--saved", is_flag=True, help="List your saved games by number, the newest last.")
@click.option(
    "--all", "include_all", is_flag=True, help="With --saved: also list those that do not fit in the window."
)
@click.option("--json", "as_json", is_flag=True, help="With --saved: print the list as one JSON document.")
def command(game: str | None, saved: bool, include_all: bool, as_json: bool) -> None:
    """List the games, or explain one: its rules, notation and parameters, with a board.

    \b
    gameplay games
    gameplay games connect4
    gameplay games ./sticks.py
    gameplay games openspiel
    gameplay games --saved
    """
    from gameplay.specs import OPENSPIEL

    if (as_json or include_all) and not saved:
        option = "--json" if as_json else "--all"
        raise Usage(f"{option} goes with --saved, which is missing. Try: gameplay games --saved {option}")
    if saved and game is not None:
        raise Usage(
            f"'{game}' has no effect with --saved, which lists all games. Try: gameplay games --saved"
        )
    if saved:
        show_list(as_json, include_all)
    elif game is None:
        _list()
    elif game == OPENSPIEL:
        from gameplay.cli.common.openspiel.listing import show_all

        show_all()
    else:
        _show(game)


def _list() -> None:
    from gameplay import registry
    from gameplay.specs import OPENSPIEL

    names = registry.game_names()
    wide = max(map(len, names))
    for name in names:
        try:
            echo_wrapped(f"{name:<{wide}} {registry.summary(name)}", wide + 1)
        except GameplayError as error:
            echo_wrapped(f"{name:<{wide}} cannot be loaded: {error}", wide + 1)
    explain = command_line("gameplay", "games", "NAME")
    click.echo()
    echo_wrapped(f"Rules and parameters: {explain}. A game of your own: give its file, ./sticks.py")
    echo_wrapped(f"Games of OpenSpiel: {command_line('gameplay', 'games', OPENSPIEL)}")


def _show(spec: str) -> None:
    """Print the description of a game, and a position after some moves unless a parameter is missing."""
    from gameplay import registry
    from gameplay.position import parameters
    from gameplay.specs import OPENSPIEL

    cls, name = registry.game_class(spec) if spec in registry.game_names() else _find_class(spec)
    openspiel = registry.game(spec).new() if name.startswith(f"{OPENSPIEL}:") else None  # may be refused
    click.echo(f"{name}\n")
    echo_paragraphs(inspect.cleandoc(cls.__doc__ or "No description: give the class a docstring."))
    if openspiel is not None:
        from gameplay.cli.common.openspiel.listing import show_parameters

        show_parameters(openspiel)
    else:
        defaults = parameters(cls)
        _show_parameters(spec, defaults)
        if any(parameter.default is parameter.empty for parameter in defaults.values()):
            return
    position = registry.game(spec).new()
    _show_facts(position)
    _show_matches(cls)
    _show_evaluations(position)
    words = _play_sample(position)
    echo_wrapped(f"\nA position, after {' '.join(words) or 'no moves'}:\n", 2)
    _draw(position)
    text = position.text()
    if text:
        click.echo(f"\nas text: {text}")


def _show_parameters(spec: str, defaults: dict[str, inspect.Parameter]) -> None:
    if not defaults:
        return
    click.echo("\nParameters:")
    for key, parameter in defaults.items():
        is_needed = parameter.default is parameter.empty
        usual = "needed" if is_needed else f"default {format_option(parameter.default) or 'none'}"
        click.echo(f"  {key:<10} {usual}")
    example = _example(spec, defaults)
    if example:
        click.echo(f"  as in: play {example}")


def _show_facts(position: "AbstractPosition") -> None:
    facts = [f"{position.players} players"]
    facts += ["chance"] if position.chance else []
    facts += ["imperfect information"] if position.hidden else []
    facts += [] if position.zero_sum else ["not zero-sum"]
    facts += ["points count"] if position.scored else []
    click.echo()
    echo_wrapped(f"Facts: {', '.join(facts)}")


def _show_matches(cls: type) -> None:
    from gameplay.scoring.rules import HasMatchRules

    if not isinstance(cls, HasMatchRules):
        return
    click.echo()
    echo_wrapped("Matches of several games (play --match), the default first:")
    for kind in cls.match_rules:
        form = f"{kind.name}:{kind.default_length}"
        echo_wrapped(f"  {form:<16} {kind.words.format(kind.default_length)}", 19)


def _show_evaluations(position: "AbstractPosition") -> None:
    """Print the evaluations with their terms, and the policies of playouts."""
    if position.evaluations:
        _print_list(
            "Evaluations, the default first (engine option eval=NAME, or a file: weights .toml, code .py):",
            {name: evaluation.words for name, evaluation in position.evaluations.items()},
        )
        for name, evaluation in position.evaluations.items():
            if evaluation.meanings:
                click.echo()
                echo_wrapped(f"Terms of {name}, the mover's count less the opponent's:")
            for term, meaning in evaluation.meanings.items():
                echo_wrapped(f"  {term:<16} {meaning}", 19)
    if position.policies:
        _print_list(
            "Policies of random playouts (engine option policy; all, none, or some joined by +):",
            position.policies,
        )


def _draw(position: "AbstractPosition") -> None:
    """Print the position as in a game, or in plain characters if the output is not a terminal."""
    from gameplay.display.theme import detect_theme

    theme = detect_theme()
    board = position.board()
    if board is None:
        click.echo(str(position))
    elif theme.console.is_terminal:
        from gameplay.display.board.drawing import draw, largest

        theme.console.print(draw(board, theme, largest(board, min(theme.console.width, 80), 24, theme)))
    else:
        from gameplay.display.terminal.line import board_text

        click.echo(board_text(board))


def _example(spec: str, defaults: dict[str, Any]) -> str:
    """A playable spec of the game with one parameter changed."""
    from gameplay import registry

    for key, parameter in defaults.items():
        if type(parameter.default) is bool:
            return f"{spec}:{key}={'off' if parameter.default else 'on'}"
        if not isinstance(parameter.default, int):
            continue
        for step in (1, -1, 2, -2):
            example = f"{spec}:{key}={parameter.default + step}"
            try:
                registry.game(example).new()
            except GameplayError:
                continue
            return example
    return ""


def _print_list(title: str, rows: "Mapping[str, str]") -> None:
    click.echo()
    echo_wrapped(title)
    wide = max(10, *map(len, rows))
    for name, meaning in rows.items():
        echo_wrapped(f"  {name:<{wide}} {meaning}", wide + 3)


def _find_class(spec: str) -> tuple[type, str]:
    from gameplay import registry

    game = registry.game(spec)
    return game.cls, game.name


def _play_sample(position: "AbstractPosition") -> list[str]:
    """Play up to six random moves, the same each time, that do not end the game; returns them in words."""
    from random import Random

    from gameplay.learning.self_play import random_opening
    from gameplay.matches.views import format_line

    start = position.twin()
    return format_line(start, random_opening(position, 6, Random(2)))
