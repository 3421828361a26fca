"""Libraries of others that learning needs, and the package itself does not; and how its programs end."""

import importlib
import io
import sys
from collections.abc import Callable
from typing import Any

from gameplay.errors import GameplayError, Usage


def library(name: str) -> Any:
    """A module of a library. Raises Usage if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Usage(f"this needs {name.partition('.')[0]}: pip install 'gameplay[learning]'") from None


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
