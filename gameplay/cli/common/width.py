"""How wide the output is, and lines that fit."""

import shutil
import sys

import click

from gameplay.visible import one_line


def columns(elsewhere: int = 0) -> int:
    """Columns of the terminal that the output goes to; `elsewhere` if it goes to none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else elsewhere


def say_aside(text: str) -> None:
    """Print one line on standard error, also if names and errors that it quotes contain line breaks."""
    click.echo(one_line(text), err=True)


def say(text: str, inset: int = 0) -> None:
    """Print a line; on a narrow terminal several, those behind the first so far in."""
    width = columns()
    if width:
        from gameplay.display.folding import prose

        text = prose(text, width, inset)
    click.echo(text)
