"""Results that cannot be saved: the command goes on, and says so once."""

from collections.abc import Callable
from typing import Any

from gameplay.cli._width import say_aside

_reported: set[str] = set()


def attempt(save: Callable[..., Any], *arguments: Any) -> None:
    """Save something beside the purpose of a command; where that fails, print once why nothing is saved."""
    try:
        save(*arguments)
    except OSError as error:
        report(error)


def report(error: OSError) -> None:
    """Print once that nothing is saved, and why."""
    place = f" ({error.filename})" if error.filename else ""
    text = f"nothing is saved: {error.strerror or error}{place}"
    if not _reported:
        say_aside(text)
    _reported.add(text)
