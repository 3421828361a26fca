"""The width of the output, and lines wrapped to it."""

import re
import shutil
import sys
from collections.abc import Sequence

import click

from gameplay.visible import one_line

MIN_TEXT_WIDTH = 24  # minimum columns for a text to the right of its head


def columns(elsewhere: int = 0) -> int:
    """Columns of the terminal; `elsewhere` if the output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else elsewhere


def echo_err(text: str) -> None:
    """Print a note in one line on standard error; line breaks in quoted names and errors are escaped."""
    click.echo(one_line(text), err=True)


def echo_error(error: object) -> None:
    """Print an error or a warning after which the command continues, with the prefix of all errors."""
    echo_err(f"gameplay: {error}")


def echo_wrapped(text: str, inset: int = 0) -> None:
    """Print a text, wrapped on a terminal; continuation lines are indented by `inset` columns."""
    width = columns()
    if width:
        from gameplay.display.folding import wrap_text

        text = wrap_text(text, width, inset)
    click.echo(text)


def echo_list(rows: Sequence[tuple[str, str, str]], *hints: str) -> None:
    """Print rows of name, fact and title; then the hints."""
    wide = max(len(name) for name, _, _ in rows)
    for name, fact, title in rows:
        echo_wrapped(f"{name:<{wide}}  {fact:>9}  {title}", wide + 13)
    click.echo()
    for hint in hints:
        echo_wrapped(hint)


def echo_labelled(head: str, text: str) -> None:
    """Print a head and a text to its right; on a narrow terminal the text continues below the head."""
    echo_wrapped(f"{head}{text}", len(head) if columns() >= len(head) + MIN_TEXT_WIDTH else 2)


def echo_paragraphs(text: str) -> None:
    """Print a text; its paragraphs are rewrapped if the terminal is narrower than its lines.

    List items ("- ") and indented lines are wrapped one by one.
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
                echo_wrapped(" ".join(line.strip() for line in lines), 2)
                continue
            if not any(line.startswith(" ") for line in lines):
                lines = [" ".join(lines)]
            for line in lines:
                echo_wrapped(line, len(line) - len(line.lstrip()))
