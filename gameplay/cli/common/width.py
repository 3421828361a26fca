"""How wide the output is, and lines that fit."""

import re
import shutil
import sys
from collections.abc import Sequence

import click

from gameplay.visible import one_line

BESIDE = 24  # columns of a text beside a head, at least


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


def say_list(rows: Sequence[tuple[str, str, str]], *hints: str) -> None:
    """Print names, a fact of nine columns beside each, and their titles; then how to go on."""
    wide = max(len(name) for name, _, _ in rows)
    for name, fact, title in rows:
        say(f"{name:<{wide}}  {fact:>9}  {title}", wide + 13)
    click.echo()
    for hint in hints:
        say(hint)


def say_beside(head: str, text: str) -> None:
    """Print a head and a text beside it; on a narrow terminal in lines below one another."""
    say(f"{head}{text}", len(head) if columns() >= len(head) + BESIDE else 2)


def say_paragraphs(text: str) -> None:
    """Print a text; on a terminal that is narrower than its lines its paragraphs are folded anew.

    Items that begin with "- " are folded each for itself, indented lines one by one.
    """
    width = columns()
    if not width or width > max(map(len, text.split("\n"))):
        click.echo(text)
        return
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            click.echo()
        for item in re.split(r"\n(?=- )", paragraph):
            lines = item.split("\n")
            if item.startswith("- "):
                say(" ".join(line.strip() for line in lines), 2)
                continue
            if not any(line.startswith(" ") for line in lines):
                lines = [" ".join(lines)]
            for line in lines:
                say(line, len(line) - len(line.lstrip()))
