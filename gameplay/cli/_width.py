"""How wide the output is, and lines that fit."""

import shutil
import sys

import click


def columns(elsewhere: int = 0) -> int:
    """Columns of the terminal that the output goes to; `elsewhere` where it goes to none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else elsewhere


def say(text: str) -> None:
    """Print a line; on a narrow terminal several."""
    import textwrap

    width = columns()
    click.echo(textwrap.fill(text, width, break_on_hyphens=False) if width else text)
