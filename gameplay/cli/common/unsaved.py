"""Results that cannot be saved: the command continues, with one warning."""

from collections.abc import Callable
from typing import Any

from gameplay.cli.common.width import say_aside

_reported: set[str] = set()


def attempt(save: Callable[..., Any], *arguments: Any) -> None:
    """Save a by-product of a command; if that fails, print the reason once."""
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
