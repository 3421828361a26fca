"""How wide the output is, and lines that fit."""

import shutil
import sys

import click

from gameplay.visible import one_line


def columns(elsewhere: int = 0) -> int:
    """Columns of the terminal that the output goes to; `elsewhere` where it goes to none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else elsewhere


def say_aside(text: str) -> None:
    """Print a line on standard error, in one line whatever stands in the names and errors that it quotes."""
    click.echo(one_line(text), err=True)


def say(text: str, inset: int = 0) -> None:
    """Print a line; on a narrow terminal several, those behind the first so far in."""
    width = columns()
    if width:
        from gameplay.display.folding import prose

        text = prose(text, width, inset)
    click.echo(text)
