"""Results that cannot be saved: the command continues, with one warning."""

from collections.abc import Callable
from typing import Any

from gameplay.cli.common.width import echo_error

_reported: set[str] = set()


def try_save(save: Callable[..., Any], *arguments: Any) -> None:
    """Save a by-product of a command; if that fails, print the reason once."""
    try:
        save(*arguments)
    except OSError as error:
        report_unsaved(error)


def report_unsaved(error: OSError) -> None:
    """Print once that nothing is saved, and why."""
    place = f" ({error.filename})" if error.filename else ""
    text = f"nothing is saved: {error.strerror or error}{place}"
    if not _reported:
        echo_error(text)
    _reported.add(text)
