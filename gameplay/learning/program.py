"""Shared by the training programs: optional libraries, arguments, output and exit status."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gameplay import extras
from gameplay.errors import GameplayError, Usage


def library(name: str) -> Any:
    """Import an optional library. Raises Usage if it is not installed."""
    return extras.library(name, "this", "learning")


def check_out(path: Path) -> None:
    """Raise Usage unless the file of an option `--out` ends with .toml."""
    if path.suffix != ".toml":
        raise Usage(f"--out expects a file that ends with .toml, not {path}")


def run(main: Callable[[], None]) -> None:
    """Run a program; on an error print one line and exit with its status.

    Output is line-buffered, in files too, since programs run for hours.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    try:
        main()
    except GameplayError as error:
        print(f"gameplay: {error}", file=sys.stderr)
        sys.exit(error.status)
    except KeyboardInterrupt:
        sys.exit(130)
