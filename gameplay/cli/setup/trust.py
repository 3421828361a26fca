"""`gameplay trust`: the programs and Python files that data files may name."""

import os

import click

from gameplay.cli.common.options import SOURCE
from gameplay.cli.common.width import echo_error
from gameplay.errors import BadInput, Usage


@click.command(short_help="List or change what data files may start and load")
@click.argument("items", type=SOURCE, metavar="[PROGRAM|FILE]...", nargs=-1)
@click.option("--remove", is_flag=True, help="Remove them from the list.")
def command(items: tuple[str, ...], remove: bool) -> None:
    """List the programs and Python files that saved games, runs and other data files may name, or add some.

    \b
    gameplay trust                          the list
    gameplay trust uci:stockfish            a program, as in --players
    gameplay trust ./sticks.py              a game, an engine or an evaluation
    gameplay trust --remove uci:stockfish

    What you start yourself is added when the game or the run is saved. A data file from another person that
    names anything else does not start or load it: on a terminal you are shown the command and asked once.
    """
    from gameplay.store import trust

    if not items:
        listed = trust.items()
        click.echo("\n".join(listed) if listed else "no program and no Python file is trusted yet")
        click.echo(f"\nThe list is kept in {trust.path()}")
        for problem in trust.problems():
            echo_error(problem)
        return
    named = [item if item in trust.items() else _item(item) for item in items]
    if remove:
        trust.remove(named)
    else:
        trust.add(named)
    for item in named:
        click.echo(f"{'removed' if remove else 'trusted'}: {item}")


def _item(word: str) -> str:
    """The entry for a program or a file. Raises Usage if it is neither, BadInput for a missing file."""
    from gameplay import file_io, specs

    program, _, folder = word.rpartition(" in ")
    if specs.is_program(word):
        return word if program and os.path.isdir(folder) else specs.player_code(word)[0]
    path = os.path.realpath(os.path.expanduser(word.partition(".py:")[0] + ".py" * (".py:" in word)))
    if not path.endswith((".py", ".toml")):
        raise Usage(
            f"'{word}' is neither a program nor a Python or TOML file. Try: uci:stockfish or ./sticks.py"
        )
    if not os.path.isfile(path):
        raise BadInput(file_io.no_file(path))
    return path
