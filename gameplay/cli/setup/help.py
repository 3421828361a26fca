"""`gameplay help`: the same as `--help` after a command."""

import click

from gameplay.cli import Group
from gameplay.errors import Usage, brief


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
        if not isinstance(group, Group):
            path = shown.command_path.removeprefix("gameplay ")
            raise Usage(
                f"{path} has no subcommands, and '{brief(name)}' was given. Try: gameplay help {path}"
            )
        child = group.get_command(shown, name)
        if child is None:
            raise Usage(group.unknown_message(shown, name))
        shown = child.context_class(child, info_name=name, parent=shown)
    click.echo(shown.get_help())
