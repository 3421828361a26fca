"""Libraries of others that learning needs, and the package itself does not; and how its programs end."""

import io
import sys
from collections.abc import Callable
from typing import Any

from gameplay import extras
from gameplay.errors import GameplayError


def library(name: str) -> Any:
    """A module of a library. Raises Usage if it is not installed."""
    return extras.library(name, "this", "learning")


def run(main: Callable[[], None]) -> None:
    """Run a program; report an error in one line and exit with its status.

    Each line that it prints is out at once, into a file as well: it may run for hours.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    try:
        main()
    except GameplayError as error:
        print(f"{error}", file=sys.stderr)
        sys.exit(error.status)
    except KeyboardInterrupt:
        sys.exit(130)
