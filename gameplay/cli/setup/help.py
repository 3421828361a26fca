"""`gameplay help`: the same as `--help` after a command."""

import click

from gameplay.errors import Usage, unknown


@click.command(short_help="Show the help of a command")
@click.argument("command", nargs=-1)
@click.pass_context
def command(context: click.Context, command: tuple[str, ...]) -> None:
    """Show the help of COMMAND, or the list of all commands.

    \b
    gameplay help play
    gameplay help run resume
    """
    shown = context.parent
    assert shown is not None
    for name in command:
        group = shown.command
        child = group.get_command(shown, name) if isinstance(group, click.Group) else None
        if child is None:
            names = group.list_commands(shown) if isinstance(group, click.Group) else []
            raise Usage(unknown("command", name, names))
        shown = child.context_class(child, info_name=name, parent=shown)
    click.echo(shown.get_help())
