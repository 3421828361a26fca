"""Text files that other programs wrote: any end of line, UTF-8 with or without a mark, else Latin-1."""

import re
from collections.abc import Iterator
from pathlib import Path

from gameplay.errors import BadInput


def lines(path: Path) -> Iterator[str]:
    """The lines of a file without their ends, as they are asked for.

    A line that is not UTF-8 is read as Latin-1. Raises BadInput for what is no text, OSError where the file
    cannot be read.
    """
    with open(path, "rb") as file:
        for number, raw in enumerate(file):
            if b"\0" in raw:
                raise BadInput(f"{path} is not a text file")
            if number == 0:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            raw = raw.removesuffix(b"\n").removesuffix(b"\r")
            for part in re.split(rb"\r", raw) if b"\r" in raw else (raw,):
                try:
                    yield part.decode()
                except UnicodeDecodeError:
                    yield part.decode("latin-1")
