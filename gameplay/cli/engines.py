"""`gameplay engines`: who can be asked to think, and the options of one engine."""

import inspect
import sys

import click

from gameplay import registry
from gameplay.cli._options import ENGINE


@click.command(short_help="List the engines, or show one with its options")
@click.argument("engine", required=False, type=ENGINE)
def command(engine: str | None) -> None:
    """List the engines, or show one with its options.

    \b
    gameplay engines
    gameplay engines alphabeta
    """
    if engine is None:
        for name in registry.engine_names():
            click.echo(f"{name:<12} {registry.summary(name, 'engine')}")
        click.echo("\nOptions: gameplay engines NAME. Use: --engine alphabeta:order=killer,depth=8")
        return
    cls = registry.engine_class(engine)
    also = ", ".join(getattr(sys.modules[cls.__module__], "ALIASES", ()))
    click.echo(cls.name + (f" (also: {also})" if also else ""))
    click.echo(f"\n{inspect.getdoc(cls)}\n\nOptions:")
    for name, field in cls.options().items():
        default = field.default
        if isinstance(default, bool):
            default = ("off", "on")[default]
        elif default == "":
            default = "the first"
        click.echo(f"  {name:<12} {field.metadata['words']} (default {default})")
    if cls.thinks and not cls.samples:
        click.echo("  depth        search so many plies")
    if cls.thinks:
        click.echo("  nodes        visit at most so many positions a move")
        click.echo("  time         think at most so many seconds a move")
        click.echo("  multipv      find so many of the best moves, with their lines (default 1)")
