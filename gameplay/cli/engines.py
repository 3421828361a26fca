"""`gameplay engines`: who can be asked to think, and the options of one engine."""

import inspect

import click

from gameplay import registry


@click.command()
@click.argument("engine", required=False, shell_complete=lambda *_: registry.engine_names())
def command(engine: str | None) -> None:
    """List the engines, or show one with its options.

    \b
    gameplay engines
    gameplay engines alphabeta
    """
    if engine is None:
        for name in registry.engine_names():
            click.echo(f"{name:<12} {registry.summary(name, 'engine')}")
        click.echo("\nOptions: gameplay engines NAME. Use: --engine alphabeta:order=killer,table=64MB,depth=8")
        return
    cls = registry.engine_class(engine)
    also = ", ".join(inspect.getmodule(cls).ALIASES)  # type: ignore[union-attr]
    click.echo(f"{cls.name} (also: {also})\n\n{inspect.getdoc(cls)}\n\nOptions:")  # type: ignore[attr-defined]
    shown = {True: "on", False: "off", "": "the first"}
    for name, field in cls.options().items():  # type: ignore[attr-defined]
        default = shown.get(field.default, field.default) if field.default != 0 or field.default is False else 0
        click.echo(f"  {name:<12} {field.metadata['words']} (default {default})")
    if cls.searches:  # type: ignore[attr-defined]
        click.echo("  depth        search so many plies")
        click.echo("  nodes        visit at most so many positions a move")
        click.echo("  time         think at most so many seconds a move")
