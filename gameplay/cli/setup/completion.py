"""`gameplay completion`: the script that lets a shell complete commands, games and engines."""

import click

PROGRAMS = ("gameplay", "play", "selfplay")


@click.command(short_help="Print the completion script for a shell")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    eval "$(gameplay completion bash)"           in ~/.bashrc
    eval "$(gameplay completion zsh)"            in ~/.zshrc
    gameplay completion fish | source            in config.fish
    """
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion is not None  # the three are click's own
    for name in PROGRAMS:
        script = completion(click.Command(name), {}, name, f"_{name.upper()}_COMPLETE")
        click.echo(script.source())
