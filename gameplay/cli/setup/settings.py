"""`gameplay settings`: the settings for all games, their sources, and a preview."""

from typing import Any

import click

from gameplay.cli.common.options import Name, json_option
from gameplay.cli.common.width import echo_err, echo_error, echo_labelled, echo_wrapped
from gameplay.errors import BadInput
from gameplay.options import format_option


def _names(context: click.Context) -> tuple[str, ...]:
    from gameplay.store.settings import NAMES

    return NAMES


def _values(context: click.Context) -> tuple[str, ...]:
    from gameplay.store.settings import DEFAULT, NAMES, choices

    name = context.params.get("name")
    return (*choices(name), DEFAULT) if name in NAMES else ()


@click.command(short_help="Show or change your settings; preview themes")
@click.argument("name", type=Name(_names), required=False)
@click.argument("value", type=Name(_values), required=False)
@click.option("--preview", is_flag=True, help="Draw a small board in every theme.")
@json_option("the settings")
def command(name: str | None, value: str | None, preview: bool, as_json: bool) -> int:
    """Show your settings, or set NAME to VALUE.

    \b
    gameplay settings                all settings, and where each comes from
    gameplay settings theme          one of them, and what it can be
    gameplay settings theme night    set it; `default` resets it
    gameplay settings --preview      a small board in every theme

    A flag comes first (play --theme night), then a variable (GAMEPLAY_THEME=night), then the file of
    settings, then the default. `gameplay toml schema settings` prints the file's schema.
    """
    from gameplay.store import settings

    if name is not None:
        settings.check_name(name)
    if preview:
        return _preview()
    if name is not None and value is not None:
        _set(name, value)
    elif as_json:
        import json

        click.echo(json.dumps(_facts(name)))
    elif name is not None:
        _show(name)
    else:
        _list()
    return 0


def _facts(name: str | None) -> dict[str, Any]:
    """The settings as data: value and origin."""
    from gameplay.store import settings

    held, origins = settings.read_with_origins()
    names = settings.NAMES if name is None else (name,)
    return {name: {"value": getattr(held, name), "from": origins.get(name, "default")} for name in names}


def _list() -> None:
    from gameplay.store import settings

    rows = []
    for name, fact in _facts(None).items():
        origin = "file" if fact["from"] == str(settings.path()) else fact["from"]
        rows.append((name, format_option(fact["value"]) or "none", origin, settings.description(name)))
    name_width, value_width, origin_width, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    for name, value, origin, words in rows:
        echo_labelled(f"{name:<{name_width}}  {value:<{value_width}}  {origin:<{origin_width}}  ", words)
    click.echo(f"\nfile: {settings.path()}\nChange one: gameplay settings NAME VALUE")


def _show(name: str) -> None:
    from gameplay.cli.common import themes
    from gameplay.display.board.palette import PIECES
    from gameplay.store import settings

    fact = _facts(name)[name]
    click.echo(f"{name}: {format_option(fact['value']) or 'none'} ({fact['from']})")
    click.echo(settings.description(name) + ".")
    words = PIECES if name == "pieces" else {}
    if name == "theme":
        words = {
            name: str(theme) if isinstance(theme, BadInput) else theme.words
            for name, theme in themes.all_themes().items()
        }
    for choice in settings.choices(name):
        if choice in words:
            echo_labelled(f"  {choice:<12} ", words[choice])
        else:
            click.echo(f"  {choice}")


def _set(name: str, value: str) -> None:
    import os

    from gameplay.cli.common import themes
    from gameplay.store import settings

    if name == "theme" and value in settings.user_themes():
        themes.find_theme(value)  # reports its errors before it is saved
    settings.change(name, value, "gameplay settings")
    held = settings.settings({})  # reports other errors in the file
    click.echo(f"{name} is {format_option(getattr(held, name)) or 'none'} now, in {settings.path()}")
    if os.environ.get(settings.variable_name(name)):
        echo_err(f"note: {settings.variable_name(name)} in the environment comes before it")


def _preview() -> int:
    """Chess, Othello and Connect Four in every theme, as this terminal shows them; the exit status."""
    from gameplay.cli.common import themes
    from gameplay.display.board.preview import print_all
    from gameplay.display.theme import detect_theme
    from gameplay.store import settings

    held = settings.settings()
    errors = []
    for palette in themes.all_themes().values():
        if isinstance(palette, BadInput):
            errors.append(palette)
            continue
        theme = detect_theme(palette=palette, pieces=held.pieces)
        now = " (set)" if palette.name == held.theme else ""
        echo_wrapped(f"{palette.name}{now}: {palette.words}", 2)
        print_all(theme)
    for error in errors:
        echo_error(error)
    return BadInput.status if errors else 0
